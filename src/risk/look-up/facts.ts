import { type Facts, SORTS } from '../../live/facts.ts'
import { type Evidence, TAGS } from '../../snapshot/types.ts'
import { hasTag } from './evidence.ts'
import { readFacts } from './fact-reading.ts'
import type { DomainSubject, LiveDomain } from './subject.ts'

/** The domain with its facts; undefined if nothing was looked up and no list of new names has it. */
export function liveDomain(
  subject: DomainSubject,
  facts: Facts | undefined,
  nowMs: number | undefined,
): LiveDomain | undefined {
  const isListedAsNew = hasTag(subject.own, 'newly_registered') || hasTag(subject.above, 'newly_registered')
  if (facts === undefined && !isListedAsNew) return undefined
  const believed = believable(facts ?? {}, subject)
  const atMs = facts === undefined ? 0 : (nowMs ?? newestOf(facts))
  return { subject, facts: believed, reading: readFacts(believed, atMs, isListedAsNew), nowMs: atMs }
}

/** The time of the newest fact: ages are relative to it if the caller gives no time. */
function newestOf(facts: Facts): number {
  return Math.max(0, ...SORTS.map((sort) => facts[sort]?.seenMs ?? 0))
}

/** A well-known name exists, whatever they say: some resolvers deny names that they block, and some deny everything. */
function believable(facts: Facts, { own, above }: DomainSubject): Facts {
  const { registration, zone, host, ...rest } = facts
  const isDenied = registration?.found === false || zone?.exists === false || host?.exists === false
  if (!isDenied || !(isWellKnown(own) || isWellKnown(above))) return facts
  return {
    ...rest,
    ...(registration?.found ? { registration } : {}),
    ...(zone?.exists ? { zone } : {}),
    ...(host?.exists ? { host } : {}),
  }
}

function isWellKnown(evidence: readonly Evidence[]): boolean {
  return evidence.some(({ tag }) => TAGS[tag] === 'reassuring' || tag === 'freemail')
}

import type { Facts } from '../live/facts.ts'
import { type Evidence, TAGS } from '../snapshot/types.ts'
import { combinedLogOdds, type Detected } from './combine.ts'
import { readFacts } from './model/live.ts'
import { type DomainSubject, type Finding, hasTag, type IpSubject } from './signal.ts'
import { LIVE_DOMAIN_SIGNALS, LIVE_EMAIL_SIGNALS, LIVE_IP_SIGNALS } from './signals/all.ts'
import { heldBy } from './signals/live-registration.ts'
import { type WithoutFacts, worthsOf } from './weights/live.ts'
import { GROUPS, IMITATIONS, INTERACTS_FROM, LURES, worthOf } from './weights.ts'

/** What facts add to what was detected without them. */

export interface LookedUp {
  readonly facts: Facts
  readonly nowMs: number
}

const NO_FACTS: LookedUp = { facts: {}, nowMs: 0 }
const NONE: readonly Detected[] = []

/** Facts about a platform say nothing about one of its customers. */
export function detectFacts(
  subject: DomainSubject,
  detected: readonly Detected[],
  lookedUp: LookedUp | undefined,
  isMailbox: boolean,
): readonly Detected[] {
  const isListedAsNew = hasTag(subject.own, 'newly_registered') || hasTag(subject.above, 'newly_registered')
  if (subject.platform !== undefined || (lookedUp === undefined && !isListedAsNew)) return NONE
  const { nowMs } = lookedUp ?? NO_FACTS
  const facts = believable((lookedUp ?? NO_FACTS).facts, subject)
  const reading = readFacts(facts, nowMs, isListedAsNew)
  const isIdle =
    heldBy(facts) !== undefined ||
    facts.zone?.parkedBy !== undefined ||
    facts.zone?.exists === false ||
    hasTag(subject.own, 'parked')
  const worths = worthsOf(reading, withoutFacts(detected), { isMailbox, dmarc: facts.zone?.dmarc, isIdle })
  const live = { subject, facts, reading, worths, nowMs }
  const found: Detected[] = []
  for (const { code, group, detect } of LIVE_DOMAIN_SIGNALS) {
    const findings = detect(live)
    if (findings.length > 0) found.push({ code, group, findings })
  }
  return found
}

export function detectOnMailbox(host: DomainSubject, lookedUp: LookedUp): readonly Detected[] {
  const facts = believable(lookedUp.facts, host)
  const live = { host, facts, reading: readFacts(facts, lookedUp.nowMs, false) }
  const found: Detected[] = []
  for (const { code, group, detect } of LIVE_EMAIL_SIGNALS) {
    const findings = detect(live)
    if (findings.length > 0) found.push({ code, group, findings })
  }
  return found
}

/**
 * A name that so many know is there, whatever a resolver or registry says: some resolvers deny what they block, and some
 * deny everything.
 */
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

export function detectOnAddress(subject: IpSubject, { facts }: LookedUp): readonly Detected[] {
  const found: Detected[] = []
  for (const { code, group, detect } of LIVE_IP_SIGNALS) {
    const findings = detect({ subject, facts })
    if (findings.length > 0) found.push({ code, group, findings })
  }
  return found
}

function withoutFacts(detected: readonly Detected[]): WithoutFacts {
  let imitates = false
  let lures = false
  let stands = false
  let listed = false
  let claimed = false
  for (const { code, group, findings } of detected) {
    const worth = worthOf(code, findings[0] as Finding)
    if (group === 'listing') listed = true
    else if (group === 'standing') stands ||= worth < 0
    else if (GROUPS[group].role === 'claim') claimed ||= worth > 0
    else if (IMITATIONS.has(code)) imitates ||= worth >= INTERACTS_FROM
    else if (LURES.has(code)) lures = true
  }
  const logOdds = combinedLogOdds(detected)
  return { logOdds, imitates, lures, stands, listed, claimed }
}

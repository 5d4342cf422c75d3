import { domainToUnicode } from 'node:url'
import { iso, isoDay } from '../lib/clock.ts'
import { type Combination, effectsOf } from './combine.ts'
import type { Reason } from './coverage.ts'
import type { CounterpartyReport, SignalReport } from './engine.ts'
import type { OwnSubject } from './own/look-up.ts'
import type { Counterparty } from './own/own-index.ts'
import { ALL_SIGNALS } from './signals/all.ts'
import type { Detected } from './signals/detect.ts'
import { OWN_SOURCE } from './signals/own.ts'
import { type Finding, threatInWords } from './signals/signal.ts'

/** The reasons for a score, in the words that `explain` shows. */

const DESCRIPTIONS = new Map<string, string>(ALL_SIGNALS.map(({ code, description }) => [code, description]))

export type NameOf = (source: string) => string

/** One report per signal, own knowledge first, then the strongest first. */
export function report(combination: Combination, nameOf: NameOf): Reason[] {
  const effects = effectsOf(combination)
  return combination.contributions
    .map(({ detected }, i) => ({ group: detected.group, report: reportOne(detected, effects[i] ?? 0, nameOf) }))
    .sort(
      ({ report: a }, { report: b }) =>
        // Before feeds and models: what the organisation itself knows.
        Number(b.source === OWN_SOURCE) - Number(a.source === OWN_SOURCE) ||
        Math.abs(b.effect) - Math.abs(a.effect) ||
        (a.code < b.code ? -1 : 1),
    )
}

/** The real names in the findings against this name, each once. */
export function imitatedBy({ contributions }: Combination): readonly string[] {
  const findings = contributions.flatMap(({ detected }) => detected.findings)
  return [...new Set(findings.flatMap(({ resembles = [] }) => resembles))]
}

/** The counterparty that the organisation itself knows behind the indicator, or beside it. */
export function counterpartyOf(own: OwnSubject | undefined): CounterpartyReport | undefined {
  const { relation, resemblance, claim } = own ?? {}
  if (relation?.counterparty) {
    return asReport(relation.counterparty, relation.how === 'mailbox' ? 'new_mailbox' : relation.how)
  }
  const resembled = resemblance?.known.counterparty
  if (resembled)
    return asReport(resembled, resemblance.degree === 'possible' ? 'possible_lookalike' : resemblance.degree)
  return claim?.counterparty && asReport(claim.counterparty, 'claimed_name')
}

function asReport({ state, details }: Counterparty, relation: CounterpartyReport['relation']): CounterpartyReport {
  const { id, name, reference, since } = details()
  return { id, name, reference, state, since, relation }
}

function reportOne({ code, findings }: Detected, effect: number, nameOf: NameOf): SignalReport {
  let strongest = findings[0] as Finding<string>
  let firstSeenMs = Infinity
  let lastSeenMs = 0
  for (const finding of findings) {
    if (finding.confidence > strongest.confidence) strongest = finding
    // A source without dates gives 0.
    if (finding.firstSeenMs) firstSeenMs = Math.min(firstSeenMs, finding.firstSeenMs)
    if (finding.lastSeenMs) lastSeenMs = Math.max(lastSeenMs, finding.lastSeenMs)
  }
  return {
    code,
    description: describe(code, strongest, findings, lastSeenMs, nameOf),
    effect,
    source: strongest.source,
    first_seen: rfc3339(firstSeenMs),
    last_seen: rfc3339(lastSeenMs),
  }
}

/** Descriptions of listings replace this by the name of the list and its subject. */
const BY_A_FEED = ' by a threat feed'

/** The reason in words: which list, how many more, and when they last saw it. */
function describe(
  code: string,
  strongest: Finding<string>,
  findings: readonly Finding<string>[],
  lastSeenMs: number,
  nameOf: NameOf,
): string {
  const { sentence } = strongest
  if (sentence !== undefined) return readableEnding(typeof sentence === 'string' ? sentence : sentence())
  const description = DESCRIPTIONS.get(code) ?? code
  if (strongest.tag === undefined) return description
  const names = new Set([strongest, ...findings].map(({ source }) => nameOf(source)))
  const more = names.size > 1 ? ` and ${names.size - 1} more` : ''
  const by = `${[...names][0]}${more}`
  const day = lastSeenMs > 0 ? isoDay(lastSeenMs) : undefined
  if (!description.includes(BY_A_FEED)) return `${description} (${by}${day ? `, ${day}` : ''})`
  const what = new Set([strongest, ...findings].map(({ tag }) => tag && threatInWords(tag)))
  return description.replace(BY_A_FEED, ` for ${inWords([...what])} by ${by}${day ? `; last seen ${day}` : ''}`)
}

/** `MISP` of `MISP: universities`: the rest describes the list, and the reason already does. */
export function shortName(name: string): string {
  return name.split(/[:,]/, 1)[0] as string
}

function inWords(items: readonly (string | undefined)[]): string {
  return items.length < 2 ? `${items[0]}` : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** `.рф` for `.xn--p1ai`. Only the last label, which nobody chooses: the rest may imitate another name. */
function readableEnding(sentence: string): string {
  if (!sentence.includes('.xn--')) return sentence
  return sentence.replace(/\.(xn--[a-z0-9-]+)(?![a-z0-9.-]*[a-z0-9])/g, (ending, label: string) => {
    const text = domainToUnicode(label)
    return text === '' ? ending : `.${text}`
  })
}

function rfc3339(ms: number): string | null {
  return ms <= 0 || !Number.isFinite(ms) ? null : iso(ms)
}

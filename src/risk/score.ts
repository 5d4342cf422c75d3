import { domainToUnicode } from 'node:url'
import type { Kind } from '../lib/kinds.ts'
import { MetBefore, Recent } from '../lib/recent.ts'
import { iso, isoDay } from '../lib/time-text.ts'
import { type Facts, SORTS } from '../live/facts.ts'
import type { Snapshot } from '../snapshot/types.ts'
import { type Combination, combine, combinedScore, type Detected, effectsOf } from './combine.ts'
import { backgroundOf, knowledgeOf, type Reason } from './coverage.ts'
import type { Background, EvaluateOptions, Evaluation, SignalReport } from './engine.ts'
import type { Indicator } from './indicator.ts'
import { type Models, taughtBy } from './model/models.ts'
import {
  type DomainSubject,
  type Finding,
  type Group,
  isFreeMail,
  isRelay,
  NO_EVIDENCE,
  type Signal,
} from './signal.ts'
import {
  DOMAIN_SIGNALS,
  EMAIL_EVIDENCE_SIGNALS,
  EMAIL_SIGNALS,
  IP_SIGNALS,
  LIVE_DOMAIN_SIGNALS,
  LIVE_EMAIL_SIGNALS,
  LIVE_IP_SIGNALS,
  LOCAL_PART_SIGNALS,
  type SignalCode,
} from './signals/all.ts'
import { claimsNothing } from './signals/email-impersonation.ts'
import { describeDomain, describeEmail, describeIp } from './subject.ts'
import { detectFacts, detectOnAddress, detectOnMailbox, type LookedUp } from './with-facts.ts'

export interface ScorerOptions extends EvaluateOptions {
  /** Leaves out what is known in words, which a list does not show. */
  readonly signalsOnly?: boolean
  /** What was looked up about each indicator, in their order; undefined for one about which nothing was. */
  readonly facts?: readonly (Facts | undefined)[] | undefined
  /** The moment that ages are counted to; where it is left out, when the facts were seen. */
  readonly nowMs?: number
}

/** Scores indicators against one snapshot: pure, synchronous, the same answer for the same question and facts for ever. */
export interface Scorer {
  evaluate(kind: Kind, indicators: readonly Indicator[], options: ScorerOptions): Evaluation[]
  /** What all its answers about this kind rest on. */
  background(kind: Kind): Background
}

// Mailboxes share domains, and a payee is asked about again: what was found on a domain is kept for the next address.
const REMEMBERED_DOMAINS_MAX = 8192

const NO_SIGNALS: readonly SignalReport[] = []

export function createScorer(snapshot: Snapshot, fitted: Models): Scorer {
  const models = taughtBy(snapshot, fitted)
  const hosts = new Recent<MailHost>(REMEMBERED_DOMAINS_MAX)
  const met = new MetBefore(REMEMBERED_DOMAINS_MAX)
  const backgrounds: Record<Kind, Background> = {
    email: backgroundOf(snapshot, 'email'),
    domain: backgroundOf(snapshot, 'domain'),
    ip: backgroundOf(snapshot, 'ip'),
  }
  const sourceNames = new Map(snapshot.info.sources.map(({ id, name }) => [id, shortName(name)]))
  const nameOf = (source: string) => sourceNames.get(source) ?? source

  function hostOf(domain: string): MailHost {
    // A list of strangers, each met once, is not worth carrying along, nor is looking for them.
    const wasMet = met.meet(domain)
    const known = wasMet ? hosts.get(domain) : undefined
    if (known) return known
    const host = mailHost(describeDomain({ kind: 'domain', domain }, snapshot, models))
    if (wasMet) hosts.set(domain, host)
    return host
  }

  function detect(indicator: Indicator, lookedUp: LookedUp | undefined): readonly Detected[] {
    if (indicator.kind === 'domain') {
      const subject = describeDomain(indicator, snapshot, models)
      const detected = detectOnDomain(subject)
      return joined(detected, detectFacts(subject, detected, lookedUp, false))
    }
    if (indicator.kind === 'ip') {
      const subject = describeIp(indicator, snapshot)
      const detected = detectEach(IP_SIGNALS, subject)
      return lookedUp === undefined ? detected : detected.concat(detectOnAddress(subject, lookedUp))
    }
    const host = hostOf(indicator.domain)
    const subject = describeEmail(indicator, host.subject, snapshot, models)
    const said = detectEach(LOCAL_PART_SIGNALS, subject)
    const vouches = host.ofCustomer !== host.ofClaimant && said.length === 0 && claimsNothing(subject)
    const inherited = vouches ? host.ofCustomer : host.ofClaimant
    const known = subject.own.length === 0 ? host.known : detectEach(EMAIL_EVIDENCE_SIGNALS, subject)
    const all = joined(joined(known, said), inherited)
    const ofMailbox = lookedUp === undefined ? NONE : detectOnMailbox(host.subject, lookedUp)
    // Facts of a provider say nothing about the people who have a mailbox there.
    const facts = host.isOwned ? detectFacts(host.subject, inherited, lookedUp, true) : NONE
    return joined(joined(all, ofMailbox), facts)
  }

  return {
    background: (kind) => backgrounds[kind],
    evaluate(kind, indicators, { explain, signalsOnly = false, facts, nowMs }) {
      return indicators.map((indicator, i) => {
        const detected = detect(indicator, lookedUp(facts?.[i], nowMs))
        if (!explain) return { score: combinedScore(detected), signals: NO_SIGNALS }
        const combination = combine(detected)
        const { score } = combination
        const reasons = report(combination, nameOf)
        const signals = reasons.map((reason) => reason.report)
        if (signalsOnly) return { score, signals }
        const knowledge = knowledgeOf(reasons, score, kind, backgrounds[kind].coverage)
        return { score, signals, ...knowledge, resembles: imitatedBy(combination) }
      })
    },
  }
}

function lookedUp(facts: Facts | undefined, nowMs: number | undefined): LookedUp | undefined {
  return facts && { facts, nowMs: nowMs ?? Math.max(0, ...SORTS.map((sort) => facts[sort]?.seenMs ?? 0)) }
}

/** A domain as the place of a mailbox, and what of its signals counts for the mailboxes there. */
interface MailHost {
  readonly subject: DomainSubject
  /** What evidence says of each of its mailboxes that no source names. */
  readonly known: readonly Detected[]
  readonly ofCustomer: readonly Detected[]
  /** For a mailbox that claims to be somebody: the standing of a provider does not vouch for its customers' claims. */
  readonly ofClaimant: readonly Detected[]
  /** Whether its mailboxes are those of whoever registered it. */
  readonly isOwned: boolean
}

// Skip domain signals that an e-mail signal already covers.
const SPOKEN_FOR: ReadonlySet<string> = new Set(['domain.disposable', 'domain.mail_provider', 'domain.dynamic_dns'])

// What a mailbox provider is called and where it is hosted says nothing about the people who have a mailbox there.
const SAYS_NOTHING_OF_TENANTS: ReadonlySet<string> = new Set(['name', 'wording', 'hosting'])

// A throw-away mailbox is no better for the ordinary name or the fame of its provider.
const REASSURING_NAME: ReadonlySet<string> = new Set(['domain.ordinary_name', 'domain.trusted_suffix'])

// The fame of a provider does not make its customers famous. That somebody claims to be nobody else says a little.
const ORDINARY_CUSTOMER: Detected = {
  code: 'domain.mail_provider',
  group: 'standing',
  findings: [
    {
      source: 'rules',
      confidence: 1,
      variant: 'customer',
      sentence: 'An ordinary mailbox at a provider open to everyone: its name claims to be nobody else',
    },
  ],
}

function mailHost(subject: DomainSubject): MailHost {
  const all = detectOnDomain(subject)
  const disposable = all.find(({ code }) => code === 'domain.disposable')?.findings[0]?.variant
  // Where no source names a domain, and its name offers no throw-away mail, nothing is known of its mailboxes.
  if (disposable === undefined && !isNamed(subject)) {
    return { subject, known: NONE, ofCustomer: all, ofClaimant: all, isOwned: true }
  }
  const known = detectEach(EMAIL_EVIDENCE_SIGNALS, { host: subject, own: NO_EVIDENCE })
  const detected = all.filter(({ code }) => !SPOKEN_FOR.has(code))
  // Standing answers accusations against the provider itself.
  const accused = detected.some(({ group }) => group === 'listing')
  const vouches = ({ group }: Detected) => group !== 'standing' || accused
  if (disposable !== undefined && disposable !== 'doubted') {
    const ofCustomer = detected.filter((item) => !REASSURING_NAME.has(item.code) && vouches(item))
    return { subject, known, ofCustomer, ofClaimant: ofCustomer, isOwned: false }
  }
  if (isFreeMail(subject.own)) {
    const ofClaimant = detected.filter((item) => !SAYS_NOTHING_OF_TENANTS.has(item.group) && vouches(item))
    return { subject, known, ofCustomer: [...ofClaimant, ORDINARY_CUSTOMER], ofClaimant, isOwned: false }
  }
  if (isRelay(subject)) {
    const ofCustomer = detected.filter((item) => !SAYS_NOTHING_OF_TENANTS.has(item.group) && vouches(item))
    return { subject, known, ofCustomer, ofClaimant: ofCustomer, isOwned: false }
  }
  return { subject, known, ofCustomer: detected, ofClaimant: detected, isOwned: true }
}

const SIGNALS_WITHOUT_EVIDENCE = DOMAIN_SIGNALS.filter((signal: Signal<'domain'>) => !signal.repeats)

/** Most names are in no list: signals that only repeat what lists say are not asked about those. */
function detectOnDomain(subject: DomainSubject): readonly Detected[] {
  return detectEach(isNamed(subject) ? DOMAIN_SIGNALS : SIGNALS_WITHOUT_EVIDENCE, subject)
}

/** Whether a source names the domain, one above it, or its platform. */
function isNamed({ own, above, onPlatform }: DomainSubject): boolean {
  return own.length > 0 || above.length > 0 || onPlatform.length > 0
}

interface Detector<S> {
  readonly code: SignalCode
  readonly group: Group
  detect(subject: S): readonly Finding[]
}

function detectEach<S>(signals: readonly Detector<S>[], subject: S): readonly Detected[] {
  let detected: Detected[] | undefined
  for (let i = 0; i < signals.length; i++) {
    const { code, group, detect } = signals[i] as Detector<S>
    const findings = detect(subject)
    if (findings.length === 0) continue
    detected ??= []
    detected.push({ code, group, findings })
  }
  return detected ?? NONE
}

const NONE: readonly Detected[] = []

/** Most have nothing to add: no new list for these. */
function joined(first: readonly Detected[], second: readonly Detected[]): readonly Detected[] {
  return second.length === 0 ? first : first.length === 0 ? second : [...first, ...second]
}

const DESCRIPTIONS = new Map<string, string>(
  [
    ...LIVE_DOMAIN_SIGNALS,
    ...LIVE_EMAIL_SIGNALS,
    ...LIVE_IP_SIGNALS,
    ...DOMAIN_SIGNALS,
    ...EMAIL_SIGNALS,
    ...IP_SIGNALS,
  ].map(({ code, description }) => [code, description]),
)

type NameOf = (source: string) => string

/** One report per signal, the weightiest first. */
function report(combination: Combination, nameOf: NameOf): Reason[] {
  const effects = effectsOf(combination)
  return combination.contributions
    .map(({ detected }, i) => ({ group: detected.group, report: reportOne(detected, effects[i] ?? 0, nameOf) }))
    .sort(({ report: a }, { report: b }) => Math.abs(b.effect) - Math.abs(a.effect) || (a.code < b.code ? -1 : 1))
}

/** Real names that findings against this one name, each once. */
function imitatedBy({ contributions }: Combination): readonly string[] {
  const findings = contributions.flatMap(({ detected }) => detected.findings)
  return [...new Set(findings.flatMap(({ resembles = [] }) => resembles))]
}

function reportOne({ code, findings }: Detected, effect: number, nameOf: NameOf): SignalReport {
  let strongest = findings[0] as Finding
  let firstSeenMs = Infinity
  let lastSeenMs = 0
  for (const finding of findings) {
    if (finding.confidence > strongest.confidence) strongest = finding
    // A source without dates says 0.
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

const LISTED_FOR: Partial<Record<NonNullable<Finding['tag']>, string>> = {
  c2: 'controlling malware',
  bec: 'business e-mail compromise',
  attack: 'attacks',
  hijacked: 'a hijacked network',
  suspicious: 'suspicious activity',
}

/** In the descriptions of listings this gives way to whose list it is, and for what. */
const BY_A_FEED = ' by a threat feed'

/** The reason in words: whose list says so, how many more do, and when they last saw it. */
function describe(
  code: string,
  strongest: Finding,
  findings: readonly Finding[],
  lastSeenMs: number,
  nameOf: NameOf,
): string {
  if (strongest.sentence !== undefined) return readableEnding(strongest.sentence)
  const description = DESCRIPTIONS.get(code) ?? code
  if (strongest.tag === undefined) return description
  const names = new Set([strongest, ...findings].map(({ source }) => nameOf(source)))
  const more = names.size > 1 ? ` and ${names.size - 1} more` : ''
  const by = `${[...names][0]}${more}`
  const day = lastSeenMs > 0 ? isoDay(lastSeenMs) : undefined
  if (!description.includes(BY_A_FEED)) return `${description} (${by}${day ? `, ${day}` : ''})`
  const what = new Set([strongest, ...findings].map(({ tag }) => (tag && LISTED_FOR[tag]) ?? tag))
  return description.replace(BY_A_FEED, ` for ${inWords([...what])} by ${by}${day ? `; last seen ${day}` : ''}`)
}

/** `MISP` of `MISP: universities`: what follows says what the list holds, and the reason says so already. */
function shortName(name: string): string {
  return name.split(/[:,]/, 1)[0] as string
}

function inWords(items: readonly (string | undefined)[]): string {
  return items.length < 2 ? `${items[0]}` : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/**
 * `.рф` for `.xn--p1ai`. Only the last label, which nobody chooses: the rest of a name may be made to look like another
 * one in its own script.
 */
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

import type { Kind } from '../lib/kinds.ts'
import { MetBefore, Recent } from '../lib/recent.ts'
import { iso } from '../lib/time-text.ts'
import type { Snapshot } from '../snapshot/types.ts'
import { type Combination, combine, combinedScore, type Detected, effectsOf } from './combine.ts'
import type { EvaluateOptions, Evaluation, SignalReport } from './engine.ts'
import type { Indicator } from './indicator.ts'
import type { Models } from './model/models.ts'
import { type DomainSubject, type Finding, isFreeMail, isRelay } from './signal.ts'
import { DOMAIN_SIGNALS, EMAIL_SIGNALS, IP_SIGNALS } from './signals/all.ts'
import { describeDomain, describeEmail, describeIp } from './subject.ts'

/** Scores indicators against one snapshot: pure, synchronous, the same answer for the same question for ever. */
export interface Scorer {
  evaluate(kind: Kind, indicators: readonly Indicator[], options: EvaluateOptions): Evaluation[]
}

// Mailboxes share domains, and a payee is asked about again: what was found on a domain is kept for the next address.
const REMEMBERED_DOMAINS_MAX = 8192

const NO_SIGNALS: readonly SignalReport[] = []

export function createScorer(snapshot: Snapshot, models: Models): Scorer {
  const hosts = new Recent<MailHost>(REMEMBERED_DOMAINS_MAX)
  const met = new MetBefore(REMEMBERED_DOMAINS_MAX)

  function hostOf(domain: string): MailHost {
    const known = hosts.get(domain)
    if (known) return known
    const subject = describeDomain({ kind: 'domain', domain }, snapshot, models)
    const host = mailHost(subject)
    // A list of strangers, each met once, is not worth carrying along.
    if (met.meet(domain)) hosts.set(domain, host)
    return host
  }

  function detect(indicator: Indicator): readonly Detected[] {
    if (indicator.kind === 'domain') return detectOnDomain(describeDomain(indicator, snapshot, models))
    const detected: Detected[] = []
    if (indicator.kind === 'ip') {
      const subject = describeIp(indicator, snapshot)
      for (const { code, group, detect } of IP_SIGNALS) {
        const findings = detect(subject)
        if (findings.length > 0) detected.push({ code, group, findings })
      }
      return detected
    }
    const host = hostOf(indicator.domain)
    const subject = describeEmail(indicator, host.subject, snapshot, models)
    let claims = false
    for (const { code, group, detect } of EMAIL_SIGNALS) {
      const findings = detect(subject)
      if (findings.length === 0) continue
      detected.push({ code, group, findings })
      claims ||= group === 'person' || code === 'email.privacy_relay'
    }
    return detected.concat(claims ? host.ofClaimant : host.ofCustomer)
  }

  return {
    evaluate(_kind, indicators, { explain }) {
      return indicators.map((indicator) => {
        const detected = detect(indicator)
        if (!explain) return { score: combinedScore(detected), signals: NO_SIGNALS }
        const combination = combine(detected)
        return { score: combination.score, signals: report(combination) }
      })
    },
  }
}

/** A domain as the place of a mailbox, and what of its signals counts for the mailboxes there. */
interface MailHost {
  readonly subject: DomainSubject
  readonly ofCustomer: readonly Detected[]
  /** For a mailbox that claims to be somebody: the standing of a provider does not vouch for its customers' claims. */
  readonly ofClaimant: readonly Detected[]
}

// Skip domain signals that an e-mail signal already covers.
const SPOKEN_FOR: ReadonlySet<string> = new Set(['domain.disposable', 'domain.mail_provider', 'domain.dynamic_dns'])

// What a mailbox provider is called and where it is hosted says nothing about the people who have a mailbox there.
const SAYS_NOTHING_OF_TENANTS: ReadonlySet<string> = new Set(['name', 'wording', 'hosting'])

// A throw-away mailbox is no better for the ordinary name or the fame of its provider.
const REASSURING_NAME: ReadonlySet<string> = new Set(['domain.ordinary_name', 'domain.trusted_suffix'])

function mailHost(subject: DomainSubject): MailHost {
  const all = detectOnDomain(subject)
  const detected = all.filter(({ code }) => !SPOKEN_FOR.has(code))
  // Standing answers accusations against the provider itself.
  const accused = detected.some(({ group }) => group === 'listing')
  const vouches = ({ group }: Detected) => group !== 'standing' || accused
  if (isFreeMail(subject.own)) {
    const ofCustomer = detected.filter(({ group }) => !SAYS_NOTHING_OF_TENANTS.has(group))
    return { subject, ofCustomer, ofClaimant: ofCustomer.filter(vouches) }
  }
  if (isRelay(subject)) {
    const ofCustomer = detected.filter((item) => !SAYS_NOTHING_OF_TENANTS.has(item.group) && vouches(item))
    return { subject, ofCustomer, ofClaimant: ofCustomer }
  }
  const disposable = all.find(({ code }) => code === 'domain.disposable')?.findings[0]?.variant
  if (disposable !== undefined && disposable !== 'doubted') {
    const ofCustomer = detected.filter((item) => !REASSURING_NAME.has(item.code) && vouches(item))
    return { subject, ofCustomer, ofClaimant: ofCustomer }
  }
  return { subject, ofCustomer: detected, ofClaimant: detected }
}

function detectOnDomain(subject: DomainSubject): Detected[] {
  const detected: Detected[] = []
  for (const { code, group, detect } of DOMAIN_SIGNALS) {
    const findings = detect(subject)
    if (findings.length > 0) detected.push({ code, group, findings })
  }
  return detected
}

const DESCRIPTIONS = new Map<string, string>(
  [...DOMAIN_SIGNALS, ...EMAIL_SIGNALS, ...IP_SIGNALS].map(({ code, description }) => [code, description]),
)

/** One report per signal, the weightiest first. */
function report(combination: Combination): SignalReport[] {
  const effects = effectsOf(combination)
  return combination.contributions
    .map(({ detected }, i) => reportOne(detected, effects[i] ?? 0))
    .sort((a, b) => Math.abs(b.effect) - Math.abs(a.effect) || (a.code < b.code ? -1 : 1))
}

function reportOne({ code, findings }: Detected, effect: number): SignalReport {
  let strongest = findings[0] as Finding
  let firstSeenMs: number | undefined
  let lastSeenMs: number | undefined
  for (const finding of findings) {
    if (finding.confidence > strongest.confidence) strongest = finding
    if (finding.firstSeenMs !== undefined) firstSeenMs = Math.min(firstSeenMs ?? Infinity, finding.firstSeenMs)
    if (finding.lastSeenMs !== undefined) lastSeenMs = Math.max(lastSeenMs ?? -Infinity, finding.lastSeenMs)
  }
  return {
    code,
    description: describe(code, strongest, findings.length),
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

function describe(code: string, strongest: Finding, count: number): string {
  if (strongest.sentence !== undefined) return strongest.sentence
  const description = DESCRIPTIONS.get(code) ?? code
  if (!code.endsWith('listed') || strongest.tag === undefined) return description
  const others = count > 1 ? ` and by ${count - 1} more` : ''
  return `${description} for ${LISTED_FOR[strongest.tag] ?? strongest.tag}${others}`
}

function rfc3339(ms: number | undefined): string | null {
  // A source without dates says 0.
  return ms === undefined || ms <= 0 || !Number.isFinite(ms) ? null : iso(ms)
}

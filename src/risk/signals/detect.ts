import type { DomainSubject } from '../look-up/domain.ts'
import { isFreeMail, isRelay, joined, NO_EVIDENCE } from '../look-up/evidence.ts'
import type { EmailSubject, LiveDomain, LookedUp } from '../look-up/look-up.ts'
import { DOMAIN_SIGNALS, type SignalCode } from './all.ts'
import { BRAND_SIGNALS } from './domain-brand.ts'
import { EMAIL_EVIDENCE_SIGNALS, LOCAL_PART_SIGNALS } from './email.ts'
import { claimsNothing } from './email-impersonation.ts'
import { IP_SIGNALS } from './ip.ts'
import { LIVE_DOMAIN_SIGNALS, LIVE_EMAIL_SIGNALS } from './live-domain.ts'
import { LIVE_IP_SIGNALS } from './live-ip.ts'
import { type Finding, type Group, rule, type Signal } from './signal.ts'

/** Step 2 of 4. The signals that find something on the subject, in the order of the lists in all.ts. */
export function detect(found: LookedUp<MailboxSignals>): readonly Detected[] {
  if (found.kind === 'domain') {
    const detected = detectOnDomain(found.subject)
    return found.live === undefined ? detected : joined(detected, detectFacts(found.live))
  }
  if (found.kind === 'ip') {
    const detected = detectEach(IP_SIGNALS, found.subject)
    return found.live === undefined ? detected : joined(detected, detectEach(LIVE_IP_SIGNALS, found.live, true))
  }
  const { host } = found
  host.signals ??= mailboxSignals(host.subject, detectOnDomain(host.subject))
  const detected = detectOnMailbox(found.subject, host.signals)
  if (found.live === undefined) return detected
  const facts = joined(
    detectEach(LIVE_EMAIL_SIGNALS, found.live, true),
    // Facts of a provider say nothing about the people who have a mailbox there.
    host.signals.isOwned ? detectFacts(found.live) : NONE_DETECTED,
  )
  return joined(detected, facts)
}

const UNLISTED_SIGNALS = DOMAIN_SIGNALS.filter((signal: Signal<'domain'>) => !signal.repeats)
const ORDINARY_SIGNALS = UNLISTED_SIGNALS.filter(({ code }) => !BRAND_SIGNALS.some((signal) => signal.code === code))

/** Most names are in no list and near no brand: for those, skip the signals that only repeat lists or tell of brands. */
function detectOnDomain(subject: DomainSubject): readonly Detected[] {
  const { brand, front } = subject
  const ofUnlisted = brand === undefined && front === undefined ? ORDINARY_SIGNALS : UNLISTED_SIGNALS
  return detectEach(isNamed(subject) ? DOMAIN_SIGNALS : ofUnlisted, subject)
}

function detectOnMailbox(subject: EmailSubject, host: MailboxSignals): readonly Detected[] {
  const ofLocalPart = detectEach(LOCAL_PART_SIGNALS, subject)
  const isCustomer = host.ofCustomer !== host.ofClaimant && ofLocalPart.length === 0 && claimsNothing(subject)
  const ofAddress = subject.own.length === 0 ? host.ofAddress : detectEach(EMAIL_EVIDENCE_SIGNALS, subject)
  return joined(joined(ofAddress, ofLocalPart), isCustomer ? host.ofCustomer : host.ofClaimant)
}

/** Facts about a platform say nothing about one of its customers. */
function detectFacts(live: LiveDomain): readonly Detected[] {
  return live.subject.platform === undefined ? detectEach(LIVE_DOMAIN_SIGNALS, live, true) : NONE_DETECTED
}

/** The signals of a domain that count for the mailboxes there. */
export interface MailboxSignals {
  /** Evidence on every mailbox of the host that no source names individually. */
  readonly ofAddress: readonly Detected[]
  readonly ofCustomer: readonly Detected[]
  /** For a mailbox with a claim: a provider's good name does not support its customers' claims. */
  readonly ofClaimant: readonly Detected[]
  /** The mailboxes belong to the registrant of the domain. */
  readonly isOwned: boolean
}

// Skip domain signals that an e-mail signal already covers.
const COVERED_BY_EMAIL_SIGNALS: ReadonlySet<string> = new Set([
  'domain.disposable',
  'domain.mail_provider',
  'domain.dynamic_dns',
])

// The name and the hosting of a mailbox provider say nothing about the people who have a mailbox there.
const SAYS_NOTHING_OF_TENANTS: ReadonlySet<string> = new Set(['name', 'wording', 'hosting'])

// The ordinary name or the fame of its provider makes a throw-away mailbox, or an imitation, no better.
export const REASSURING_NAME: ReadonlySet<string> = new Set(['domain.ordinary_name', 'domain.trusted_suffix'])

// The fame of a provider does not make its customers famous. A mailbox without a claim is a little better.
const ORDINARY_CUSTOMER: Detected = {
  code: 'domain.mail_provider',
  group: 'standing',
  findings: rule('An ordinary mailbox at a provider open to everyone: its name claims to be nobody else', 'customer'),
  isFact: false,
}

/** `onDomain` are all signals of the domain itself. */
function mailboxSignals(subject: DomainSubject, onDomain: readonly Detected[]): MailboxSignals {
  const disposable = onDomain.find(({ code }) => code === 'domain.disposable')?.findings[0]?.variant
  // If no source names a domain, and its name offers no throw-away mail, nothing is known about its mailboxes.
  if (disposable === undefined && !isNamed(subject)) {
    return { ofAddress: NONE_DETECTED, ofCustomer: onDomain, ofClaimant: onDomain, isOwned: true }
  }
  const ofAddress = detectEach(EMAIL_EVIDENCE_SIGNALS, { host: subject, own: NO_EVIDENCE })
  const detected = onDomain.filter(({ code }) => !COVERED_BY_EMAIL_SIGNALS.has(code))
  // Good standing offsets accusations against the provider itself, and nothing else.
  const accused = detected.some(({ group }) => group === 'listing')
  const counts = ({ group }: Detected) => group !== 'standing' || accused
  if (disposable !== undefined && disposable !== 'doubted') {
    const ofCustomer = detected.filter((item) => !REASSURING_NAME.has(item.code) && counts(item))
    return { ofAddress, ofCustomer, ofClaimant: ofCustomer, isOwned: false }
  }
  const isFree = isFreeMail(subject.own)
  if (!isFree && !isRelay(subject)) return { ofAddress, ofCustomer: detected, ofClaimant: detected, isOwned: true }
  const ofClaimant = detected.filter((item) => !SAYS_NOTHING_OF_TENANTS.has(item.group) && counts(item))
  const ofCustomer = isFree ? [...ofClaimant, ORDINARY_CUSTOMER] : ofClaimant
  return { ofAddress, ofCustomer, ofClaimant, isOwned: false }
}

/** True if a source names the domain, one above it, or its platform. */
function isNamed({ own, above, onPlatform }: DomainSubject): boolean {
  return own.length > 0 || above.length > 0 || onPlatform.length > 0
}

/** A signal that found something. */
export interface Detected {
  readonly code: SignalCode
  readonly group: Group
  readonly findings: readonly Finding<string>[]
  /** True if the signal uses live facts. */
  readonly isFact?: boolean
}

const NONE_DETECTED: readonly Detected[] = []

interface Detector<Subject> {
  readonly code: SignalCode
  readonly group: Group
  detect(subject: Subject): readonly Finding<string>[]
}

export function detectEach<Subject>(signals: readonly Detector<Subject>[], subject: Subject, isFact = false) {
  let detected: Detected[] | undefined
  for (let i = 0; i < signals.length; i++) {
    const { code, group, detect } = signals[i] as Detector<Subject>
    const findings = detect(subject)
    if (findings.length === 0) continue
    detected ??= []
    detected.push({ code, group, findings, isFact })
  }
  return detected ?? NONE_DETECTED
}

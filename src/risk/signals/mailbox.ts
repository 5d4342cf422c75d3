import { isFreeMail, isRelay, NO_EVIDENCE } from '../look-up/evidence.ts'
import type { DomainSubject } from '../look-up/subject.ts'
import { EMAIL_EVIDENCE_SIGNALS } from './all.ts'
import { type Detected, detectEach, NONE_DETECTED } from './detected.ts'

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

// The ordinary name or the fame of its provider makes a throw-away mailbox no better.
const REASSURING_NAME: ReadonlySet<string> = new Set(['domain.ordinary_name', 'domain.trusted_suffix'])

// The fame of a provider does not make its customers famous. A mailbox without a claim is a little better.
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
  isFact: false,
}

/** `onDomain` are all signals of the domain itself. */
export function mailboxSignals(subject: DomainSubject, onDomain: readonly Detected[]): MailboxSignals {
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
export function isNamed({ own, above, onPlatform }: DomainSubject): boolean {
  return own.length > 0 || above.length > 0 || onPlatform.length > 0
}

import { joined } from '../look-up/evidence.ts'
import type { LookedUp } from '../look-up/look-up.ts'
import type { DomainSubject, EmailSubject, LiveDomain } from '../look-up/subject.ts'
import {
  DOMAIN_SIGNALS,
  EMAIL_EVIDENCE_SIGNALS,
  IP_SIGNALS,
  LIVE_DOMAIN_SIGNALS,
  LIVE_EMAIL_SIGNALS,
  LIVE_IP_SIGNALS,
  LOCAL_PART_SIGNALS,
} from './all.ts'
import { type Detected, detectEach, NONE_DETECTED } from './detected.ts'
import { claimsNothing } from './email-impersonation.ts'
import { isNamed, type MailboxSignals, mailboxSignals } from './mailbox.ts'
import type { Signal } from './signal.ts'

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

const SIGNALS_WITHOUT_EVIDENCE = DOMAIN_SIGNALS.filter((signal: Signal<'domain'>) => !signal.repeats)

/** Most names are in no list: skip signals that only repeat lists for those. */
function detectOnDomain(subject: DomainSubject): readonly Detected[] {
  return detectEach(isNamed(subject) ? DOMAIN_SIGNALS : SIGNALS_WITHOUT_EVIDENCE, subject)
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

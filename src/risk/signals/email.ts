import { hasTag, isFreeMail, tagged } from '../look-up/evidence.ts'
import type { EmailSubject } from '../look-up/look-up.ts'
import { emailImpersonation } from './email-impersonation.ts'
import { emailRandomLocal } from './email-random-local.ts'
import {
  type EvidenceSignal,
  type Finding,
  NOTHING,
  platformElseOwn,
  rule,
  type Signal,
  THREATS,
  tagSignal,
  withoutPlus,
} from './signal.ts'
import { emailDisposable } from './throw-away.ts'

/** Need only evidence: every mailbox of a host has the same result, unless a source names the mailbox. */
export const EMAIL_EVIDENCE_SIGNALS = [
  tagSignal('email.listed', 'listing', THREATS, 'This exact address is listed by a threat feed'),
  emailDisposable,
  {
    code: 'email.dynamic_dns',
    description: 'A mailbox under a dynamic-DNS name anyone can take in a minute',
    group: 'mailbox',
    detect: ({ host }): readonly Finding[] => {
      const found = tagged(platformElseOwn(host), 'dynamic_dns')
      return found.length === 0 ? NOTHING : found.filter(({ confidence }) => confidence >= CONFIDENCE_MIN)
    },
  },
  {
    code: 'email.free_mail',
    description: 'A free mailbox anyone can open, not a company address',
    group: 'mailbox',
    detect: ({ host }) =>
      !isFreeMail(host.own) || hasTag(host.own, 'disposable') ? NOTHING : tagged(host.own, 'freemail').slice(0, 1),
  },
] as const satisfies readonly EvidenceSignal[]

/** E-mail signals that read the part before the @. A mailbox with one of these is not an ordinary customer's. */
export const LOCAL_PART_SIGNALS = [
  {
    code: 'email.privacy_relay',
    description: 'A forwarding address that hides the real mailbox: not throw-away, but its owner is unknown',
    group: 'mailbox',
    detect: ({ host, local, models }): readonly Finding<'relay' | 'hidden'>[] => {
      // Being on many lists makes a relay no worse.
      const known = tagged(hasTag(host.own, 'relay') ? host.own : host.above, 'relay')[0]
      if (known !== undefined) {
        const sentence = `A forwarding address of ${host.domain}: not throw-away, but it hides the mailbox of its owner`
        return [{ ...known, variant: 'relay', sentence }]
      }
      return isHiddenByApple(local, host.domain, models) ? HIDDEN_BY_APPLE : NOTHING
    },
  },
  emailImpersonation,
  emailRandomLocal,
  {
    code: 'email.role_account',
    description: 'Names a function such as billing or support rather than a person',
    group: 'note',
    detect: ({ local, models }): readonly Finding[] =>
      models.roles.get(withoutPlus(local)) ? [{ source: 'rules', confidence: 1 }] : NOTHING,
  },
] as const satisfies readonly Signal<'email'>[]

// Less sure lists contain the domains of private people who give names to others.
const CONFIDENCE_MIN = 0.7

const HIDDEN_BY_APPLE = rule(
  'Built like the forwarding addresses of Hide My Email at iCloud: two words, then a digit and a letter',
  'hidden',
)

// Apple generates these: two words and two more characters, such as `tweed_anchor.0v`.
const HIDE_MY_EMAIL = /^([a-z]{3,})[-_.]([a-z]{3,})[-_.]?\d[a-z]$/

function isHiddenByApple(local: string, domain: string, { lexicon }: EmailSubject['models']): boolean {
  if (domain !== 'icloud.com') return false
  const [, first, second] = HIDE_MY_EMAIL.exec(local) ?? []
  return first !== undefined && second !== undefined && lexicon.isWord(first) && lexicon.isWord(second)
}

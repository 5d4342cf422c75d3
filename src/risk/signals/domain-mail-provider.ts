import { hasTag, isFreeMail, NO_EVIDENCE, tagged } from '../look-up/evidence.ts'
import type { Finding, Signal } from './signal.ts'

export const domainMailProvider = {
  code: 'domain.mail_provider',
  description: 'A mailbox provider open to everyone',
  group: 'standing',
  repeats: true,
  detect: ({ own }): readonly Finding<'customer'>[] => {
    if (hasTag(own, 'disposable')) return NO_EVIDENCE
    const listed = tagged(own, 'mail_provider')
    if (listed.length > 0) return listed
    return isFreeMail(own) ? tagged(own, 'freemail').slice(0, 1) : NO_EVIDENCE
  },
} satisfies Signal<'domain'>

import { hasTag, isFreeMail, tagged } from '../look-up/evidence.ts'
import { type EvidenceSignal, NOTHING } from './signal.ts'

export const emailFreeMail = {
  code: 'email.free_mail',
  description: 'A free mailbox anyone can open, not a company address',
  group: 'mailbox',
  detect: ({ host }) =>
    !isFreeMail(host.own) || hasTag(host.own, 'disposable') ? NOTHING : tagged(host.own, 'freemail').slice(0, 1),
} satisfies EvidenceSignal

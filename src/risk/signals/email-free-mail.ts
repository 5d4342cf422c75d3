import { type EvidenceSignal, hasTag, isFreeMail, NOTHING, tagged } from '../signal.ts'

export const emailFreeMail = {
  code: 'email.free_mail',
  description: 'A free mailbox anyone can open, not a company address',
  group: 'mailbox',
  detect: ({ host }) =>
    !isFreeMail(host.own) || hasTag(host.own, 'disposable') ? NOTHING : tagged(host.own, 'freemail').slice(0, 1),
} satisfies EvidenceSignal

import { type Signal, tagged } from '../signal.ts'

export const domainMailProvider = {
  code: 'domain.mail_provider',
  description: 'A mailbox provider open to everyone',
  group: 'standing',
  detect: ({ own }) => (own.some(({ tag }) => tag === 'disposable') ? [] : tagged(own, 'freemail', 'mail_provider')),
} satisfies Signal<'domain'>

import { type Signal, tagged } from '../signal.ts'

export const ipMailProvider = {
  code: 'ip.mail_provider',
  description: 'Mail servers of a large mail provider',
  group: 'standing',
  detect: ({ own }) => tagged(own, 'mail_provider'),
} satisfies Signal<'ip'>

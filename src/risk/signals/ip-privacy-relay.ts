import { type Signal, tagged } from '../signal.ts'

export const ipPrivacyRelay = {
  code: 'ip.privacy_relay',
  description: 'Exit of a privacy relay run by a large provider',
  group: 'anonymity',
  detect: ({ own }) => tagged(own, 'relay'),
} satisfies Signal<'ip'>

import { hasTag, type Signal, tagged } from '../signal.ts'

export const emailPrivacyRelay = {
  code: 'email.privacy_relay',
  description: 'A forwarding address that hides the real mailbox: not throw-away, but its owner is unknown',
  group: 'mailbox',
  // What a relay is does not grow worse with the number of lists that know it.
  detect: ({ host }) => tagged(hasTag(host.own, 'relay') ? host.own : host.above, 'relay').slice(0, 1),
} satisfies Signal<'email'>

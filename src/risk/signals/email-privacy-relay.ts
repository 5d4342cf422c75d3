import { hasTag, type Signal, tagged } from '../signal.ts'

export const emailPrivacyRelay = {
  code: 'email.privacy_relay',
  description: 'A forwarding address that hides the real mailbox: not throw-away, but its owner is unknown',
  group: 'mailbox',
  detect: ({ host }) => tagged(hasTag(host.own, 'relay') ? host.own : host.above, 'relay'),
} satisfies Signal<'email'>

import type { Evidence } from '../../snapshot/types.ts'
import { hasTag, type Signal, tagged } from '../signal.ts'

export const emailPrivacyRelay = {
  code: 'email.privacy_relay',
  description: 'A forwarding address that hides the real mailbox: not throw-away, but its owner is unknown',
  group: 'mailbox',
  // What a relay is does not grow worse with the number of lists that know it.
  detect: ({ host }) => tagged(hasTag(host.own, 'relay') ? host.own : host.above, 'relay').slice(0, 1),
} satisfies Signal<'email'>

/** Lists of throw-away mail are broad: what is known to be a relay they do not make throw-away. */
export function isRelay({ own, above }: { own: readonly Evidence[]; above: readonly Evidence[] }): boolean {
  return hasTag(own, 'relay') || hasTag(above, 'relay')
}

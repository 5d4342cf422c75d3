import type { Tag } from '../../snapshot/types.ts'
import { hasTag, surest } from '../look-up/evidence.ts'
import { type Finding, type Group, NOTHING, type Signal } from './signal.ts'

/** One list settles what an address is, and a second adds nothing. Silent if a tag in `unless` is more precise. */
function known<Name extends string>(code: `ip.${Name}`, group: Group, tag: Tag, description: string, ...unless: Tag[]) {
  return {
    code,
    description,
    group,
    detect: ({ own }): readonly Finding[] => {
      const item = surest(own, tag)
      return item === undefined || unless.some((other) => hasTag(own, other)) ? NOTHING : [item]
    },
  } satisfies Signal<'ip'>
}

export const ipTorExit = known('ip.tor_exit', 'anonymity', 'tor_exit', 'Listed as a Tor exit node')
// An exit is a relay too: reported once.
export const ipTorRelay = known('ip.tor_relay', 'anonymity', 'tor_relay', 'Runs a Tor relay', 'tor_exit')
// Lists of VPN services contain privacy relays too, which are answerable for their users and use a delivery network.
export const ipVpn = known('ip.vpn', 'anonymity', 'vpn', 'In addresses of a VPN service', 'relay', 'cdn')
export const ipProxy = known('ip.proxy', 'anonymity', 'proxy', 'Runs an open proxy')
export const ipPrivacyRelay = known(
  'ip.privacy_relay',
  'anonymity',
  'relay',
  'Exit of a privacy relay run by a large provider',
)

export const ipHijackedNetwork = known(
  'ip.hijacked_network',
  'listing',
  'hijacked',
  'In a network taken over or run by criminals',
)

import { formatIp } from '../../lib/ip.ts'
import { researcherAt, researcherOfNetwork } from '../../lib/research-scanners.ts'
import type { AsnInfo, Evidence, Tag } from '../../snapshot/types.ts'
import { hasTag, surest, tagged } from '../look-up/evidence.ts'
import type { IpSubject } from '../look-up/look-up.ts'
import { NEIGHBOURHOOD_SIGNALS } from './ip-neighbourhood.ts'
import {
  explained,
  type Finding,
  type Group,
  NOTHING,
  rule,
  type Signal,
  THREATS_OF_ADDRESSES,
  tagSignal,
} from './signal.ts'

export const IP_SIGNALS = [
  {
    code: 'ip.not_public',
    description: 'Nothing to check: not an address on the public internet',
    group: 'note',
    detect: ({ special, carried }): readonly Finding[] => {
      if (special === undefined) return NOTHING
      const what = carried?.binding ? `carries ${formatIp(carried.ip)} inside (${carried.how}): ${special}` : special
      return rule(`Nothing to check: ${what}, not on the public internet`)
    },
  },
  {
    code: 'ip.carries_ipv4',
    description: 'Carries an IPv4 address inside, which is looked up too',
    group: 'note',
    detect: ({ special, carried }): readonly Finding[] => {
      if (!carried || special !== undefined) return NOTHING
      const inside = `Carries ${formatIp(carried.ip)} inside (${carried.how})`
      return carried.binding
        ? rule(`${inside}: network and neighbours are those of ${formatIp(carried.ip)}`)
        : rule(`${inside}, as the holder of the prefix wrote it`)
    },
  },
  {
    code: 'ip.listed',
    description: 'Listed by a threat feed',
    group: 'listing',
    detect: ({ own }): readonly Finding<'corroborated' | 'alone'>[] => {
      const found = tagged(own, THREATS_OF_ADDRESSES)
      if (found.length === 0) return NOTHING
      const variant = isCorroborated(found) ? 'corroborated' : 'alone'
      return found.map((item) => ({ ...item, variant }))
    },
  },
  known('ip.hijacked_network', 'listing', 'hijacked', 'In a network taken over or run by criminals'),
  known('ip.tor_exit', 'anonymity', 'tor_exit', 'Listed as a Tor exit node'),
  // An exit is a relay too: reported once.
  known('ip.tor_relay', 'anonymity', 'tor_relay', 'Runs a Tor relay', 'tor_exit'),
  // Lists of VPN services contain privacy relays too, which are answerable for their users and use a delivery network.
  known('ip.vpn', 'anonymity', 'vpn', 'In the address range of a VPN service', 'relay', 'cdn'),
  known('ip.proxy', 'anonymity', 'proxy', 'Runs an open proxy'),
  known('ip.privacy_relay', 'anonymity', 'relay', 'Exit of a privacy relay run by a large provider'),
  {
    code: 'ip.hosting',
    description: 'In a data centre rather than an office or home',
    group: 'network',
    detect: ({ own, asn }): readonly Finding[] => {
      const item = surest(own, 'hosting')
      if (item === undefined) return NOTHING
      const where = () => (asn ? `: AS${asn.number} (${asn.name})` : '')
      const say = () => `In a data centre rather than an office or home${where()}`
      return [explained(item, say)]
    },
  },
  {
    code: 'ip.hosting_network',
    description: 'In the network of a hosting company',
    group: 'network',
    detect: ({ asn, own }): readonly Finding[] => {
      if (!asn || hasTag(own, 'hosting')) return NOTHING
      const item = surest(asn.evidence, 'hosting')
      if (item === undefined) return NOTHING
      return [explained(item, () => `In AS${asn.number} (${asn.name}), the network of a hosting company`)]
    },
  },
  {
    code: 'ip.bad_asn',
    description: 'In a network on a warning list: a hint, not a verdict',
    group: 'network',
    detect: ({ asn, own }): readonly Finding<Warning>[] => {
      if (!asn || asn.evidence.length === 0) return NOTHING
      const taken = surest(asn.evidence, 'hijacked')
      if (taken) return [warning(asn, taken, 'hijacked', 'as taken over or run by criminals')]
      const item = surest(asn.evidence, 'bad_asn')
      if (item === undefined) return NOTHING
      if (item.confidence >= RECORD_CONFIDENCE_MIN)
        return [warning(asn, item, 'record', 'for a poor record: a hint, not a verdict')]
      // If hosting is already known, a list of hosting networks adds nothing.
      if (hasTag(own, 'hosting') || hasTag(asn.evidence, 'hosting')) return NOTHING
      return [warning(asn, item, 'servers', 'as a network of servers: a hint, not a verdict')]
    },
  },
  ...NEIGHBOURHOOD_SIGNALS,
  {
    code: 'ip.scanner',
    description: 'Scans the internet',
    group: 'network',
    detect: ({ own }): readonly Finding<'address' | 'network'>[] => {
      const item = surest(own, 'scanner')
      if (item === undefined || hasTag(own, 'research_scanner')) return NOTHING
      if (item.confidence >= ADDRESS_CONFIDENCE_MIN) return [{ ...item, variant: 'address' }]
      return [{ ...item, variant: 'network', sentence: 'In a network from which somebody scans the internet' }]
    },
  },
  {
    code: 'ip.research_scanner',
    description: 'A research scanner that names itself',
    group: 'standing',
    detect: (subject): readonly Finding[] => {
      const found = tagged(subject.own, 'research_scanner')
      if (found.length > 0) {
        const sentence = sentenceOf(subject, found[0]?.source)
        return found.map((item) => ({ ...item, sentence }))
      }
      const { asn } = subject
      if (!asn || researcherOfNetwork(asn.number) === undefined) return NOTHING
      return rule(sentenceOf(subject, undefined))
    },
  },
  tagSignal('ip.bogon', 'network', 'bogon', 'In address space that is not allocated for use'),
  tagSignal('ip.sinkhole', 'standing', 'sinkhole', 'A sinkhole run by security researchers'),
  tagSignal('ip.resolver', 'standing', 'resolver', 'A public DNS resolver'),
  tagSignal('ip.mail_provider', 'standing', 'mail_provider', 'Mail servers of a large mail provider'),
  {
    code: 'ip.big_provider',
    description: 'Belongs to a large provider',
    group: 'standing',
    detect: ({ own, asn }): readonly Finding[] => {
      const item = surest(own, 'big_provider')
      // If the provider rents out the same addresses, the tenant may be anyone: the provider's name does not count for
      // the tenant.
      if (item === undefined || (item.confidence < OWN_CONFIDENCE_MIN && hasTag(own, 'hosting'))) return NOTHING
      const say = () => `Own infrastructure of a large provider${asn ? `, AS${asn.number} (${asn.name})` : ''}`
      return [explained(item, say)]
    },
  },
  tagSignal('ip.cdn', 'standing', 'cdn', 'Belongs to a content delivery network: many sites share it'),
  tagSignal('ip.known_good', 'standing', 'known_good', 'On a list of addresses that must not be treated as threats'),
] as const satisfies readonly Signal<'ip'>[]

// A source that counts lists has this confidence only if five or more lists name the address.
const SURE_FROM = 0.78

/** True if two publishers name the address, or one that is as sure as several lists together. */
function isCorroborated(found: readonly Evidence[]): boolean {
  const publisher = publisherOf((found[0] as Evidence).source)
  return found.some(({ source, confidence }) => confidence >= SURE_FROM || publisherOf(source) !== publisher)
}

/** Sources of one publisher begin alike (`maltrail-c2`, `maltrail-malware`) and do not corroborate each other. */
function publisherOf(source: string): string {
  const dash = source.indexOf('-')
  return dash < 0 ? source : source.slice(0, dash)
}

/** One list settles what an address is, and a second adds nothing. Silent if a tag in `unless` is more precise. */
function known<Name extends string>(code: `ip.${Name}`, group: Group, tag: Tag, description: string, ...unless: Tag[]) {
  const detect = ({ own }: IpSubject): readonly Finding[] => {
    const item = surest(own, tag)
    return item === undefined || unless.some((other) => hasTag(own, other)) ? NOTHING : [item]
  }
  return { code, description, group, detect }
}

// Lists that mean "servers are here, not people" have a low confidence.
const RECORD_CONFIDENCE_MIN = 0.5

type Warning = 'hijacked' | 'record' | 'servers'

function warning({ number, name }: AsnInfo, item: Evidence, variant: Warning, what: string): Finding<Warning> {
  return explained(item, () => `In AS${number} (${name}), which ${item.source} lists ${what}`, variant)
}

// A list that names a scanner's whole network is less sure of each address than a list of single addresses.
const ADDRESS_CONFIDENCE_MIN = 0.6

function sentenceOf({ ip, carried, asn }: IpSubject, source: string | undefined): string {
  const owner = researcherAt(carried?.ip ?? ip) ?? (asn && researcherOfNetwork(asn.number))
  if (owner !== undefined) return `A research scanner of ${owner}, which names itself: attack lists collect its visits`
  return `A research scanner that names itself, by ${source}: attack lists collect its visits`
}

// Broad lists of a provider's addresses contain rented ones too. If a hosting list contains the address, only a list of
// the provider's own machines, which is surer, makes it the provider's.
const OWN_CONFIDENCE_MIN = 0.9

import type { Density, Tag } from '../../snapshot/types.ts'
import { hasTag, tagged } from '../look-up/evidence.ts'
import type { IpSubject } from '../look-up/look-up.ts'
import { explained, type Finding, NOTHING, type Signal, THREATS_OF_ADDRESSES } from './signal.ts'

export const NEIGHBOURHOOD_SIGNALS = [
  {
    code: 'ip.neighbourhood',
    description: 'Addresses close by are listed by threat feeds',
    group: 'network',
    detect: (subject): readonly Finding<Street>[] => {
      const near = othersNear(subject)
      if (near === 0 || isTunnel(subject)) return NOTHING
      const say = () => {
        if (countsV4(subject)) {
          return `${near} of the 255 other addresses of its /24 ${near === 1 ? 'is' : 'are'} listed by threat feeds`
        }
        return near === 1
          ? 'One prefix of its /48 is listed by threat feeds'
          : `${near} prefixes of its /48 are listed by threat feeds`
      }
      return [explained({ source: 'rules', confidence: near }, say, streetOf(subject))]
    },
  },
  {
    code: 'ip.surroundings',
    description: 'Networks around it contain addresses listed by threat feeds',
    group: 'network',
    detect: (subject): readonly Finding[] => {
      const { around } = subject.density
      if (around === 0 || isTunnel(subject)) return NOTHING
      const say = () => {
        const many = around > 1
        const where = countsV4(subject)
          ? 'of the 255 other networks (/24) of its /16'
          : `other network${many ? 's' : ''} (/48) of its /32`
        return `${around} ${where} ${many ? 'contain' : 'contains'} addresses listed by threat feeds`
      }
      return [explained({ source: 'rules', confidence: around }, say)]
    },
  },
  {
    code: 'ip.network_density',
    description: 'Its network contains many addresses listed by threat feeds',
    group: 'network',
    detect: (subject): readonly Finding[] => {
      const { asn, density } = subject
      const { asnPer10k } = density
      if (!asn || asnPer10k < PER_10K_MIN || isTunnel(subject)) return NOTHING
      const confidence = shrunkPer10k(density)
      if (confidence < PER_10K_MIN) return NOTHING
      const say = () => {
        const listed = Math.round(asnPer10k)
        const verb = listed === 1 ? 'is' : 'are'
        return `${listed} in 10,000 addresses of AS${asn.number} (${asn.name}) ${verb} listed by threat feeds`
      }
      return [explained({ source: 'rules', confidence }, say)]
    },
  },
] as const satisfies readonly Signal<'ip'>[]

const TUNNELS: readonly Tag[] = ['tor_exit', 'tor_relay', 'vpn', 'proxy']

/** The users of a tunnel bring its neighbours onto lists. Its own signal says so already, and is no accusation. */
function isTunnel({ own }: IpSubject): boolean {
  return TUNNELS.some((tag) => hasTag(own, tag))
}

// A network with this many addresses that no hosting list contains: its customers are mostly people.
const ACCESS_ADDRESSES_MIN = 16_384

/** The network of the neighbours: people at home, a known hosting company, or a small unclassified network. */
type Street = 'access' | 'hosting' | 'small'

function streetOf({ own, asn, density }: IpSubject): Street {
  if (hasTag(own, 'hosting') || (asn && hasTag(asn.evidence, 'hosting'))) return 'hosting'
  return density.asnAnnounced >= ACCESS_ADDRESSES_MIN ? 'access' : 'small'
}

/** Listed addresses next to this one, without itself. */
function othersNear({ own, density: { near } }: IpSubject): number {
  if (near > 0 && tagged(own, THREATS_OF_ADDRESSES).length > 0) return near - 1
  // A listing of a whole hijacked /24 includes this address.
  return Math.min(near, 255)
}

/** True if the counted neighbours are IPv4 addresses. */
function countsV4({ ip, carried }: IpSubject): boolean {
  return ip.version === 4 || carried?.binding === true
}

/** Listed addresses per 10,000 in an ordinary network. */
export const ORDINARY_PER_10K = 0.5
/** Smoothing: as if every network announced this many more ordinary addresses; one listed /24 proves nothing. */
const SHRINKING_ADDRESSES = 16_384
const PER_10K_MIN = 1

/** Listed addresses per 10,000 of the AS, smoothed towards the ordinary rate for a small network. */
export function shrunkPer10k({ asnPer10k, asnAnnounced }: Density): number {
  return (asnPer10k * asnAnnounced + ORDINARY_PER_10K * SHRINKING_ADDRESSES) / (asnAnnounced + SHRINKING_ADDRESSES)
}

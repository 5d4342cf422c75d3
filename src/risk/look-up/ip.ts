import { type Carried, carriedIpv4, type Ip, specialAddress } from '../../lib/ip.ts'
import { type Density, type Snapshot, TAGS } from '../../snapshot/types.ts'
import { joined, NO_EVIDENCE } from './evidence.ts'
import type { IpSubject } from './subject.ts'

const NO_DENSITY: Density = { near: 0, around: 0, asnPer10k: 0, asnAnnounced: 0 }

export function lookUpIp(ip: Ip, snapshot: Snapshot): IpSubject {
  const carried = carriedIpv4(ip)
  // An address that contains another has no network itself. A feed may still list it whole.
  const reached = carried?.binding ? carried.ip : ip
  const special = specialAddress(reached)
  if (special !== undefined) return notPublic(ip, carried, special)
  let own = snapshot.ip(reached)
  if (carried?.binding) own = joined(own, snapshot.ip(ip))
  else if (carried && specialAddress(carried.ip) === undefined) {
    // The holder of the prefix wrote this IPv4 address there: it may accuse, and never counts in favour.
    own = joined(
      own,
      snapshot.ip(carried.ip).filter(({ tag }) => TAGS[tag] !== 'reassuring'),
    )
  }
  return { ip, carried, own, asn: snapshot.asn(reached), density: snapshot.density(reached), special }
}

/** An address that is not public has no neighbours, no owner and no history, whatever a feed says. */
function notPublic(ip: Ip, carried: Carried | undefined, special: string): IpSubject {
  return { ip, carried, own: NO_EVIDENCE, asn: undefined, density: NO_DENSITY, special }
}

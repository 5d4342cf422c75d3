import fitted from '../model/weights.json' with { type: 'json' }
import type { IpCode } from '../signals/all.ts'
import { byTag, byVariant, flat, LISTING, logarithm, type Price } from './price.ts'

/** What evidence on an address is worth. */
export const IP_PRICES: Record<IpCode, Price> = {
  'ip.not_public': flat(0),
  'ip.listed': LISTING,
  'ip.hijacked_network': byTag({}, 4),
  'ip.tor_exit': flat(3),
  'ip.tor_relay': flat(1),
  'ip.vpn': flat(1.4),
  'ip.proxy': flat(2.5),
  'ip.privacy_relay': flat(0.3),
  'ip.hosting': flat(fitted.ip.hosting),
  'ip.hosting_network': flat(fitted.ip.hostingNetwork),
  'ip.bad_asn': flat(fitted.ip.badAsn),
  'ip.neighbourhood': logarithm(fitted.ip.near, 2.6, 1),
  // A large network has good and bad customers: with hosting this stays just below medium.
  'ip.network_density': logarithm(fitted.ip.asn, 0.65, 5),
  'ip.scanner': flat(2.2),
  'ip.research_scanner': flat(-2.5),
  'ip.bogon': flat(2),
  'ip.sinkhole': flat(-1.5),
  // Lists of resolvers hold open resolvers of private people too: only as much as the list is sure of.
  'ip.resolver': byTag({}, -5),
  'ip.mail_provider': flat(-4.5),
  'ip.big_provider': byVariant({ own: -3.5, rented: -0.6 }),
  'ip.cdn': flat(-3),
  'ip.known_good': flat(-4),
}

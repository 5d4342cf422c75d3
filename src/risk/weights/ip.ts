import fitted from '../model/weights.json' with { type: 'json' }
import type { IP_SIGNALS } from '../signals/ip.ts'
import { ORDINARY_PER_10K } from '../signals/ip-neighbourhood.ts'
import { byTag, byVariant, flat, LISTING, logarithm, type Price, type Prices } from './price.ts'

// One publisher alone: people check a malware control server before they list it; an attack is one visit to one trap.
// Such a listing is `medium` alone, and `high` if the source is sure and the threat serious.
const SUSPICIOUS = 1.6
const LISTED_ALONE = byTag({ c2: 4.6, malware: 4.5, phishing: 3.6, scam: 3.6, bec: 3.6, attack: 2.4, spam: 2 }, 2.4)
// A listing that has not expired needs a look, however old: just `medium`.
const LISTED_AT_LEAST = 1.4

const listed: Price<'corroborated' | 'alone'> = (finding, facts) => {
  if (finding.tag === 'suspicious') return finding.confidence * SUSPICIOUS
  const price = finding.variant === 'corroborated' ? LISTING : LISTED_ALONE
  return Math.max(LISTED_AT_LEAST, price(finding, facts))
}

/**
 * Beyond these logarithms surroundings add nothing: eighteen of 255 networks around it hold a listed address, or the AS
 * is twelve times as bad as an ordinary one. All large hosting companies are beyond them, but their customers are
 * not equally bad.
 */
export const AROUND_LOG_MAX = Math.log1p(18)
export const DENSITY_LOG_MAX = 2.5

// An honest customer of an access network cannot choose the neighbours: alone, they never make `medium` there. In a
// small network the neighbours are customers of one firm, which can choose: they say more.
const NEAR_ACCESS_MAX = 1.1
const NEAR_MAX = 2.2
const NEAR_SMALL_FACTOR = 1.8

const NEAR: Readonly<Record<'access' | 'hosting' | 'small', Price>> = {
  access: logarithm(fitted.ip.near, NEAR_ACCESS_MAX),
  hosting: logarithm(fitted.ip.near, NEAR_MAX),
  small: logarithm(fitted.ip.near * NEAR_SMALL_FACTOR, NEAR_MAX),
}
const neighbourhood: Price<keyof typeof NEAR> = (finding, facts) => NEAR[finding.variant ?? 'hosting'](finding, facts)

// A network with one listed address in a hundred lives from abuse. Three in a hundred make `medium` with little else.
const NOTORIOUS_LOG = Math.log(75 / ORDINARY_PER_10K)
const NOTORIOUS = 0.5
const NOTORIOUS_MAX = 1.2

const density: Price = ({ confidence }) => {
  const times = Math.log(confidence / ORDINARY_PER_10K)
  const notorious = Math.min(NOTORIOUS_MAX, NOTORIOUS * Math.max(0, times - NOTORIOUS_LOG))
  return fitted.ip.asn * Math.min(DENSITY_LOG_MAX, Math.max(0, times)) + notorious
}

export const IP_PRICES: Prices<(typeof IP_SIGNALS)[number]> = {
  'ip.not_public': flat(0),
  'ip.carries_ipv4': flat(0),
  'ip.listed': listed,
  'ip.hijacked_network': byTag({}, 4),
  // Users of Tor, a VPN or a proxy hide: this needs a second look before a payment, but is no accusation. A privacy
  // relay hides its users from sites and is answerable for them: nearly 0.
  'ip.tor_exit': flat(1.8),
  'ip.tor_relay': flat(1.4),
  'ip.vpn': flat(1.4),
  'ip.proxy': flat(2.2),
  'ip.privacy_relay': flat(0.3),
  // The surroundings of an address rank it among unlisted ones. Bad ones make `medium`, none makes `high` (groups.ts).
  'ip.hosting': flat(fitted.ip.hosting),
  'ip.hosting_network': flat(fitted.ip.hosting),
  'ip.bad_asn': byVariant({ servers: fitted.ip.hosting, record: 0.9, hijacked: 2.2 }),
  'ip.neighbourhood': neighbourhood,
  'ip.surroundings': logarithm(fitted.ip.around, fitted.ip.around * AROUND_LOG_MAX),
  'ip.network_density': density,
  'ip.scanner': byVariant({ address: 1.5, network: 0 }),
  // Attack lists count visits, and a research scanner visits everybody: its own name counts more than its listings.
  'ip.research_scanner': flat(-9),
  'ip.bogon': flat(2),
  // Researchers took it over, and lists continue to name it for its former use.
  'ip.sinkhole': flat(-5),
  // Lists of resolvers contain open resolvers of private people too: scaled by the confidence of the list.
  'ip.resolver': byTag({}, -5),
  'ip.mail_provider': flat(-4.5),
  'ip.big_provider': flat(-3.5),
  'ip.cdn': flat(-3),
  'ip.known_good': flat(-4),
}

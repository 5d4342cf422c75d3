import type { Tag } from '../snapshot/types.ts'
import fitted from './model/weights.json' with { type: 'json' }
import type { Finding, Group } from './signal.ts'
import type { DomainCode, EmailCode, IpCode, SignalCode } from './signals/all.ts'

/**
 * What evidence is worth, in log-odds: +1 makes risk 2.7 times as likely, -1 as much less. Numbers a fit can know
 * come from model/weights.json, which tools/fit.ts writes; the others are set here by policy, with the reason.
 */

type Price = (finding: Finding) => number

/** A source's word at full confidence, scaled by how sure it is and how old its word has grown. */
function byTag(prices: Partial<Record<Tag, number>>, fallback: number): Price {
  return ({ tag, confidence }) => (tag === undefined ? fallback : (prices[tag] ?? fallback)) * confidence
}

/** The same whatever the confidence: being on any such list settles what the thing is. */
function flat(price: number): Price {
  return () => price
}

/** By which case of the signal it is. */
function byVariant(prices: Readonly<Record<string, number>>): Price {
  return ({ variant }) => {
    if (variant === undefined) return 0
    const exact = prices[variant]
    if (exact !== undefined) return exact
    // `typo.household.everyday` falls back on `typo.household`.
    const parent = prices[variant.slice(0, variant.lastIndexOf('.'))]
    return parent ?? 0
  }
}

/** A model's log-odds, trusted in part and never beyond a limit. */
function model(trust: number, limit: number): Price {
  return ({ confidence }) => Math.max(-limit, Math.min(limit, trust * confidence))
}

/** A count, by its logarithm: the second listed neighbour says more than the fiftieth. */
function logarithm(price: number, limit: number, unit: number): Price {
  return ({ confidence }) => Math.min(limit, price * Math.log1p(confidence / unit))
}

/** How sure a feed must be that a listing alone makes `high`: 0.65 for phishing. */
const LISTING = byTag(
  { phishing: 6, malware: 6, c2: 6.5, scam: 5.6, bec: 5.6, attack: 5.5, spam: 4.2, hijacked: 5.5, suspicious: 2.6 },
  4,
)
const PARENT_LISTING: Price = (finding) => 0.85 * LISTING(finding)

const DOMAIN_PRICES: Record<DomainCode, Price> = {
  'domain.listed': LISTING,
  'domain.parent_listed': PARENT_LISTING,
  'domain.sinkhole': flat(1),
  'domain.lookalike': byVariant(fitted.lookalike),
  'domain.combosquat': byVariant(fitted.combosquat),
  'domain.suffix_swap': byVariant(fitted.suffixSwap),
  'domain.brand_subdomain': byVariant({ address: 4.6, combination: 3.2, name: 1.6 }),
  'domain.mixed_script': byVariant({ mixed: 2.4, undecodable: 1.5 }),
  'domain.generated_name': model(fitted.generated.trust, fitted.generated.limit),
  'domain.lexical': model(fitted.lexical.trust, fitted.lexical.limit),
  'domain.ordinary_name': model(-fitted.ordinary.trust, fitted.ordinary.limit),
  'domain.suffix_risk': model(fitted.suffix.trust, 1.6),
  'domain.trusted_suffix': model(-fitted.suffix.trust, 1),
  // Any disposable list at all makes medium: such a mailbox is worth a second look whoever says so.
  'domain.disposable': flat(3.4),
  'domain.dynamic_dns': flat(1.2),
  'domain.free_hosting': flat(0.9),
  'domain.url_shortener': flat(1),
  'domain.parked': flat(0.6),
  'domain.adware': flat(0.4),
  'domain.popular': byTag({ popular_1k: -7, popular_10k: -5.5, popular_100k: -4, popular_1m: -2.6 }, -2),
  'domain.bank': flat(-5),
  'domain.academic': flat(-3.5),
  'domain.government': flat(-4),
  'domain.known_good': flat(-5),
  'domain.official_brand': flat(-3),
  'domain.mail_provider': flat(-3),
}

const EMAIL_PRICES: Record<EmailCode, Price> = {
  'email.listed': byTag({}, 6.5),
  'email.disposable': flat(3.6),
  'email.privacy_relay': flat(2.4),
  'email.free_mail': flat(0.4),
  'email.impersonation': byVariant({ brand: 3.1, officer: 2.6 }),
  'email.random_local': model(0.6, 2),
  'email.role_account': flat(0),
}

const IP_PRICES: Record<IpCode, Price> = {
  'ip.not_public': flat(0),
  'ip.listed': LISTING,
  'ip.hijacked_network': byTag({}, 4.6),
  'ip.tor_exit': flat(3.4),
  'ip.tor_relay': flat(1.2),
  'ip.vpn': flat(1.6),
  'ip.proxy': flat(3),
  'ip.privacy_relay': flat(0.4),
  'ip.hosting': flat(fitted.ip.hosting),
  'ip.hosting_network': flat(fitted.ip.hostingNetwork),
  'ip.bad_asn': flat(fitted.ip.badAsn),
  'ip.neighbourhood': logarithm(fitted.ip.near, 3.2, 1),
  'ip.network_density': logarithm(fitted.ip.asn, 2, 5),
  'ip.scanner': flat(2.6),
  'ip.research_scanner': flat(-2.5),
  'ip.bogon': flat(2.4),
  'ip.sinkhole': flat(-1.5),
  'ip.resolver': flat(-5),
  'ip.mail_provider': flat(-4.5),
  'ip.big_provider': flat(-3.5),
  'ip.known_good': flat(-4),
}

const PRICES: Record<SignalCode, Price> = { ...DOMAIN_PRICES, ...EMAIL_PRICES, ...IP_PRICES }

/** The log-odds one finding of this signal is worth. */
export function worthOf(code: SignalCode, finding: Finding): number {
  return PRICES[code](finding)
}

/** Log-odds before anything is known: most indicators somebody asks about are honest. */
export const BASE_LOG_ODDS = -3

/** The most a group can add. Ten echoes of one feed do not make certainty. */
export const GROUP_MAX: Record<Group, number> = {
  listing: 7,
  name: 4.6,
  hosting: 2,
  mailbox: 4,
  person: 3.4,
  anonymity: 3.6,
  network: 3.8,
  standing: 0,
  note: 0,
}

/** The most a group can take away. */
export const GROUP_MIN: Record<Group, number> = {
  listing: 0,
  name: -2,
  hosting: -1,
  mailbox: 0,
  person: 0,
  anonymity: 0,
  network: 0,
  standing: -9,
  note: 0,
}

/** Each further finding in the same direction within one signal counts this much of the one before. */
export const ECHO = 0.35

/** What good standing may cancel, and how far below the base it may take a score that nothing accuses. */
export const STANDING_CANCELS: readonly Group[] = ['listing', 'name', 'hosting', 'network']
export const STANDING_BELOW_BASE = -1

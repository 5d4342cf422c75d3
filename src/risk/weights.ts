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
function model(trust: number, limit: number, from = 0): Price {
  return ({ confidence }) => Math.max(-limit, Math.min(limit, from + trust * confidence))
}

/**
 * A name a program made up is worth a second look; the surer the model, the nearer to an alarm. Words people string
 * together and names of other languages look made up too, so that these count for less.
 */
function generated({ variant, confidence }: Finding): number {
  if (variant === 'country') return Math.min(1.5, 0.5 + 0.12 * confidence)
  if (variant === 'words') return 1.42
  return Math.min(2.9, 1.42 + 0.3 * Math.max(0, confidence - 3))
}

/** A count, by its logarithm: the second listed neighbour says more than the fiftieth. */
function logarithm(price: number, limit: number, unit: number): Price {
  return ({ confidence }) => Math.min(limit, price * Math.log1p(confidence / unit))
}

/** A feed that is six parts in ten sure of phishing makes `high` by itself. */
const LISTING = byTag(
  { phishing: 5.2, malware: 5.2, c2: 5.6, scam: 4.9, bec: 4.9, attack: 4.8, spam: 3.6, suspicious: 2 },
  3.5,
)
const PARENT_LISTING: Price = (finding) => 0.85 * LISTING(finding)

const DOMAIN_PRICES: Record<DomainCode, Price> = {
  'domain.listed': LISTING,
  'domain.parent_listed': PARENT_LISTING,
  'domain.sinkhole': flat(0.8),
  // A look-alike of a household name is worth a second look even where nothing else is known; real sites lie one
  // letter apart often enough that it is not worth more.
  'domain.lookalike': byVariant({
    'typo.household': 1.6,
    'typo.household.everyday': 1.5,
    'typo.long': 1.45,
    'typo.other': 0.6,
    'typo.other.everyday': 0.2,
    'elsewhere.typo.household': 1,
    'elsewhere.typo.household.everyday': 0.7,
    'elsewhere.typo.long': 0.6,
    'elsewhere.typo.other': 0.3,
    'elsewhere.typo.other.everyday': 0,
    'homoglyph.household': 2.4,
    'homoglyph.long': 2,
    'homoglyph.other': 1.6,
    'homoglyph.other.everyday': 1.2,
    'hyphenation.household': 1.8,
    'hyphenation.long': 1.45,
    'hyphenation.other': 1,
    'dotless.household': 3,
    'dotless.long': 2.2,
    'dotless.other': 2,
  }),
  'domain.combosquat': byVariant({
    'combination.household': 2.9,
    'combination.household.everyday': 1.8,
    'combination.long': 1.8,
    'combination.other': 1.2,
    'affix.household': 1.6,
    'affix.household.everyday': 1,
    'affix.long': 0.6,
    'affix.other': 0.4,
  }),
  'domain.suffix_swap': byVariant({
    'generic.household': 1.7,
    'generic.household.everyday': 1.5,
    'generic.other': 0.4,
    'generic.other.everyday': 0,
    'country.household': 0.4,
    'country.household.everyday': 0.1,
    'country.other': 0,
    'platform.household': 1.8,
    'platform.household.everyday': 0.9,
    'platform.other': 0.4,
    'platform.other.everyday': 0,
  }),
  'domain.brand_subdomain': byVariant({ address: 3.8, combination: 2.6, name: 1.2 }),
  'domain.brand_mention': byVariant({ 'contains.household': fitted.contains, 'contains.long': 0, 'contains.other': 0 }),
  'domain.mixed_script': byVariant({ mixed: 1.9, undecodable: 1.1 }),
  'domain.generated_name': generated,
  'domain.lexical': model(fitted.suspect, 3.6),
  'domain.ordinary_name': model(-fitted.ordinary, 1.8),
  // The suffix counts up to here and no further: alone it never makes high.
  'domain.suffix_risk': model(fitted.suffixRisk, 2.6),
  'domain.trusted_suffix': model(-fitted.suffixTrust, 1.8),
  // Any disposable list at all makes medium: such a mailbox is worth a second look whoever says so.
  'domain.disposable': flat(2.8),
  'domain.dynamic_dns': flat(0.9),
  'domain.free_hosting': flat(0.6),
  'domain.url_shortener': flat(0.7),
  'domain.parked': flat(0.5),
  'domain.adware': flat(0.3),
  'domain.popular': byTag({ popular_1k: -7, popular_10k: -5.5, popular_100k: -4, popular_1m: -2.6 }, -2),
  'domain.bank': flat(-5),
  'domain.academic': flat(-3.5),
  'domain.government': flat(-4),
  'domain.known_good': flat(-5),
  'domain.official_brand': flat(-3),
  'domain.mail_provider': flat(-3),
}

const EMAIL_PRICES: Record<EmailCode, Price> = {
  'email.listed': byTag({}, 5.6),
  'email.disposable': flat(3),
  // Enough for medium even where the relay is run by a famous company.
  'email.privacy_relay': flat(2.4),
  'email.dynamic_dns': flat(2.4),
  'email.free_mail': flat(0.3),
  'email.impersonation': byVariant({ brand: 2.7, officer: 2.4 }),
  'email.random_local': model(0.45, 1.6),
  'email.role_account': flat(0),
}

const IP_PRICES: Record<IpCode, Price> = {
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

const PRICES: Record<SignalCode, Price> = { ...DOMAIN_PRICES, ...EMAIL_PRICES, ...IP_PRICES }

/** The log-odds one finding of this signal is worth. */
export function worthOf(code: SignalCode, finding: Finding): number {
  return PRICES[code](finding)
}

/** Log-odds before anything is known: most indicators somebody asks about are honest. */
export const BASE_LOG_ODDS = -2.2

/** The most a group can add. Ten echoes of one feed do not make certainty. */
export const GROUP_MAX: Record<Group, number> = {
  listing: 6.5,
  name: 3.9,
  wording: 3,
  hosting: 1.6,
  mailbox: 3.4,
  person: 2.9,
  anonymity: 3.2,
  network: 3,
  standing: 0,
  note: 0,
}

/** The most a group can take away. */
export const GROUP_MIN: Record<Group, number> = {
  listing: 0,
  name: 0,
  wording: -2.4,
  hosting: 0,
  mailbox: 0,
  person: 0,
  anonymity: 0,
  network: 0,
  standing: -9,
  note: 0,
}

/** Each further finding in the same direction within one signal counts this much of the one before. */
export const ECHO = 0.35

/** What the signals of a group beside the strongest count: those that see the same thing twice count in part. */
export const GROUP_ECHO: Record<Group, number> = {
  listing: 0.5,
  name: 0.5,
  wording: 1,
  hosting: 1,
  mailbox: 0.5,
  person: 0.6,
  anonymity: 0.5,
  network: 1,
  standing: 1,
  note: 1,
}

/** Two groups that look at the same name: of the two, the weaker counts this much when both raise the risk. */
export const NAME_ECHO = 0.3

/**
 * What good standing may cancel, and how far below the base it may take a score that nothing accuses. An ordinary name
 * does not take off more than that either from what a mailbox, a person or a tunnel is known to be.
 */
export const STANDING_CANCELS: readonly Group[] = ['listing', 'name', 'wording', 'hosting', 'network']
export const STANDING_BELOW_BASE = -1

import fitted from '../model/weights.json' with { type: 'json' }
import type { Finding } from '../signal.ts'
import type { DomainCode } from '../signals/all.ts'
import { byTag, byVariant, flat, LISTING, model, type Price } from './price.ts'

const PARENT_LISTING: Price = (finding) => 0.85 * LISTING(finding)

/**
 * A name a program made up is worth a second look; the surer the model, the nearer to an alarm. Words people string
 * together and names of other languages look made up too, so that these count for less.
 */
function generated({ variant, confidence }: Finding): number {
  if (variant === 'country') return Math.min(1.5, 0.5 + 0.12 * confidence)
  if (variant === 'words') return 1.42
  return Math.min(2.9, 1.42 + 0.3 * Math.max(0, confidence - 3))
}

/** What evidence on a domain is worth. */
export const DOMAIN_PRICES: Record<DomainCode, Price> = {
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
  // A list makes at least medium, whatever else is known: such a mailbox is worth a second look.
  'domain.disposable': byVariant({ listed: 3.2, one_list: 2.4, by_name: 2.4, doubted: 0.2 }),
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

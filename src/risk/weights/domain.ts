import fitted from '../model/weights.json' with { type: 'json' }
import type { Finding } from '../signal.ts'
import type { DomainCode } from '../signals/all.ts'
import { byTag, byVariant, flat, LISTING, model, type Price } from './price.ts'

const PARENT_LISTING: Price = (finding) => 0.85 * LISTING(finding)

/**
 * A name a program made up is worth a second look; the surer the model, the nearer to an alarm. Names of other languages
 * look made up too, so that these count for less.
 */
function generated({ variant, confidence }: Finding): number {
  return variant === 'country' ? Math.min(1.5, 0.4 + 0.2 * confidence) : Math.min(1.6, 1.4 + 0.05 * confidence)
}

/**
 * A name that the eye cannot tell from a brand's was made for that: high by itself. A typing error under the brand's own
 * suffix is worth a second look; real sites lie one letter apart often enough that it is not worth more.
 */
const LOOKALIKE = {
  'homoglyph.best': 3.8,
  'homoglyph.best.everyday': 2.2,
  'homoglyph.household': 3.6,
  'homoglyph.household.everyday': 1.8,
  'homoglyph.long': 3.6,
  'homoglyph.long.everyday': 1.4,
  'homoglyph.other': 3.6,
  'homoglyph.other.everyday': 0.8,
  'typo.best': 1.7,
  'typo.best.everyday': 1.5,
  'typo.household': 1,
  'typo.household.everyday': 0.3,
  'typo.other': 0.3,
  'typo_short.best': 1.5,
  'typo_long.best': 1.9,
  'typo_long.household': 1.5,
  'typo_long.household.everyday': 0.8,
  'typo_long.long': 0.7,
  'typo_elsewhere.best': 0.8,
  'typo_elsewhere.best.everyday': 0.3,
  'typo_elsewhere.household': 0.4,
  'typo_elsewhere.household.everyday': 0,
  'typo_elsewhere.long': 0.3,
  'typo_far.best': 0.3,
  'typo_far.household': 0.1,
  'typo_lure.best': 3.6,
  'typo_lure.household': 1.8,
  'typo_lure.household.dealers': 1.5,
  'typo_beside.best': 1.4,
  'typo_beside.best.dealers': 0.6,
  'hyphenation.best': 1.8,
  'hyphenation.best.everyday': 1.5,
  'hyphenation.household': 1.4,
  'hyphenation.household.everyday': 0,
  'dotless.best': 3.7,
  'dotless.best.everyday': 1.8,
  'dotless.household': 2.6,
  'dotless.household.everyday': 1.8,
}

/**
 * What stands beside a brand. Beside one of the best known, a lure proper is high and any other word worth a second look.
 * Dealers and partners honestly add words to some names, and a brand that is also a word needs more than one sign.
 */
const COMBOSQUAT = {
  'several.best': 3.9,
  'several.best.dealers': 3.7,
  'several.best.everyday': 3.6,
  'several.household': 2.6,
  'several.household.dealers': 2.2,
  'several.household.everyday': 0.5,
  'several.long': 1.8,
  'several.other': 1.6,
  'lure.best': 3.7,
  'lure.best.dealers': 3.6,
  'lure.best.everyday': 2,
  'lure.household': 2,
  'lure.household.dealers': 1.6,
  'lure.household.everyday': 0.2,
  'lure.long': 1.4,
  'lure.other': 1.2,
  'hint.best': 0.3,
  'hint.household': 0.2,
  'amid.best': 3.5,
  'amid.best.dealers': 2.4,
  'amid.best.everyday': 1.5,
  'amid.household': 1.2,
  'amid.household.dealers': 0.6,
  'amid.household.everyday': 0,
  'amid.long': 0.3,
  'amid.other': 0.2,
  'business.best': 3.6,
  'business.best.dealers': 1.5,
  'business.household': 1.1,
  'business.household.dealers': 0.5,
  'business_amid.best': 2,
  'business_amid.best.dealers': 0.7,
  'business_amid.household': 0.4,
  'business_amid.household.dealers': 0.1,
  'weak.best': 2.3,
  'weak.best.dealers': 0.9,
  'weak.household': 0.5,
  'weak.household.dealers': 0.2,
  // The brand's own further names look like this too.
  'own.best': 1,
  'own.best.dealers': 0.4,
  'own.household': 0.2,
  'country.best': 2,
  'country.best.dealers': 0.4,
  'country.household': 0.2,
  'word.best': 2.3,
  'word.best.dealers': 0.4,
  'inside.best': 1.2,
  'inside.best.dealers': 0.2,
  'letters.best': 2.75,
  'letters.best.dealers': 0.3,
  'number.best': 2,
  'number.best.dealers': 0.6,
  'number.household': 0.5,
}

/** Never medium by itself, and nothing where companies rent a place for their own use. */
const FREE_HOSTING: Readonly<Record<string, number>> = { business: 0, publishing: 0.4, open: 0.7, fleeting: 1.1 }

const SUFFIX_SWAP = {
  'lure.best': 3.6,
  'lure.best.dealers': 1.8,
  'lure.best.everyday': 1.4,
  'lure.household': 1.5,
  'lure.household.everyday': 0.2,
  'general.best': 1.8,
  'general.best.everyday': 1.5,
  'general.household': 1.2,
  'general.household.everyday': 0.2,
  'general.long': 0.3,
  'general.other': 0.1,
  'general.long.everyday': 0,
  'general.other.everyday': 0,
  'generic.best': 1.8,
  'generic.best.dealers': 1.4,
  'generic.best.everyday': 0.1,
  'generic.household': 1,
  'generic.household.dealers': 0.6,
  'generic.household.everyday': 0.1,
  'generic.long': 0.3,
  'generic.other': 0.1,
  'generic.long.everyday': 0,
  'generic.other.everyday': 0,
  'country.best': 0.3,
  'country.best.everyday': 0,
  'country.household': 0.1,
  'country.household.everyday': 0,
  'platform.best': 2.8,
  'platform.best.dealers': 1.5,
  'platform.best.everyday': 0.6,
  'platform.household': 0.8,
  'platform.household.everyday': 0,
}

/** What evidence on a domain is worth. */
export const DOMAIN_PRICES: Record<DomainCode, Price> = {
  'domain.listed': LISTING,
  'domain.parent_listed': PARENT_LISTING,
  'domain.sinkhole': flat(0.8),
  'domain.lookalike': byVariant(LOOKALIKE),
  'domain.combosquat': byVariant(COMBOSQUAT),
  'domain.suffix_swap': byVariant(SUFFIX_SWAP),
  'domain.brand_subdomain': byVariant({ address: 4.2, combination: 3.7, name: 0.8 }),
  'domain.brand_mention': byVariant({ 'contains.household': 0.2 }),
  'domain.mixed_script': byVariant({ mixed: 1.9, undecodable: 1.1 }),
  'domain.generated_name': generated,
  'domain.lexical': model(1, 4),
  'domain.ordinary_name': model(-1, 2.8),
  // The suffix counts up to here and no further: alone it never makes medium.
  'domain.suffix_risk': model(1, 1.3),
  'domain.trusted_suffix': model(-1, 2.2),
  'domain.lure': byVariant(fitted.lure),
  // A list makes at least medium, whatever else is known: such a mailbox is worth a second look.
  'domain.disposable': byVariant({ listed: 3.6, one_list: 2.4, by_name: 2.4, doubted: 0.2 }),
  'domain.dynamic_dns': flat(0.9),
  'domain.free_hosting': ({ variant }) => FREE_HOSTING[variant ?? 'open'] ?? 0,
  'domain.url_shortener': flat(0.7),
  'domain.parked': flat(0.5),
  'domain.adware': flat(0.3),
  'domain.popular': byTag({ popular_1k: -7, popular_10k: -5.5, popular_100k: -4, popular_1m: -2.6 }, -2),
  'domain.bank': flat(-5),
  'domain.academic': flat(-3.5),
  'domain.government': flat(-4),
  'domain.known_good': flat(-5),
  'domain.official_brand': flat(-3),
  // A provider stands well; each of its customers stands a little better than a stranger.
  'domain.mail_provider': ({ variant }) => (variant === 'customer' ? -1.2 : -3),
  'domain.public_suffix': flat(0),
  'domain.not_public': flat(0),
}

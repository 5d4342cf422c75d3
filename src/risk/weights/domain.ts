import fitted from '../model/weights.json' with { type: 'json' }
import type { DOMAIN_SIGNALS } from '../signals/all.ts'
import type { CombosquatCase, LookalikeCase, SwapCase } from '../signals/domain-brand.ts'
import type { Finding } from '../signals/signal.ts'
import { type BrandPrices, byBrand, byTag, byVariant, flat, LISTING, model, type Price, type Prices } from './price.ts'

const PARENT_LISTING: Price = (finding, facts) => 0.85 * LISTING(finding, facts)

// A generated name needs a second look: just `medium`, so that it ranks below names with a reason to deceive. Hardly any
// honest name is beyond SURE, and there it is an alarm. Words may be a firm's joke and never are.
const SECOND_LOOK = 1.36
const FAIRLY_SURE = 2.5
const SURE = 4.6
function generated({ variant, confidence }: Finding<'words' | 'letters'>): number {
  if (variant === 'words') return SECOND_LOOK
  const rather = 0.06 * Math.max(0, confidence - FAIRLY_SURE)
  return Math.min(3.2, SECOND_LOOK + rather + 1.2 * Math.max(0, confidence - SURE))
}

// A name that looks identical to a known one was made to deceive: high alone, whatever its fame. A typing error in a
// long name, or under the brand's own suffix, needs a second look; it counts no more, because real sites often differ
// by one letter.
const LOOKALIKE: BrandPrices<LookalikeCase> = {
  homoglyph: {
    best: [3.8, { everyday: 2.2 }],
    household: [3.6, { everyday: 1.8 }],
    long: [3.6, { everyday: 1.6 }],
    other: [3.6, { everyday: 1.6 }],
  },
  typo: { best: [1.7, { everyday: 1.5 }], household: [1, { everyday: 0.3 }], long: 0, other: 1.5 },
  typo_short: { best: 1.5, household: 0, long: 0, other: 0 },
  typo_long: { best: 1.9, household: 1.5, long: 1.5, other: 1.5 },
  typo_sure: { best: 3.6, household: 3.6, long: 3.6, other: 3.6 },
  typo_elsewhere: { best: [0.8, { everyday: 0.3 }], household: [0.4, { everyday: 0.2 }], long: 0, other: 1.4 },
  typo_far: { best: 0.3, household: 0.1, long: 0, other: 0 },
  typo_lure: { best: 3.6, household: [1.8, { dealers: 1.5 }], long: 0, other: 0 },
  typo_lure_long: { best: 3.6, household: 3.6, long: 3.6, other: 3.6 },
  typo_beside: { best: [1.4, { dealers: 0.6 }], household: 0, long: 0, other: 0 },
  hyphenation: { best: [1.8, { everyday: 1.5 }], household: [1.4, { everyday: 0 }], long: 0, other: 0 },
  dotless: { best: [3.7, { everyday: 1.8 }], household: [2.6, { everyday: 1.8 }], long: 2.4, other: 2.4 },
}

/**
 * Words beside a brand. Beside one of the best-known brands, a real lure is high and any other word needs a second
 * look. Dealers and partners honestly add words to some names, and a brand that is also a word needs more than one
 * sign.
 */
const COMBOSQUAT: BrandPrices<CombosquatCase> = {
  several: {
    best: [3.9, { everyday: 3.6, dealers: 3.7 }],
    household: [2.6, { everyday: 0.5, dealers: 2.2 }],
    long: 1.8,
    other: 1.6,
  },
  lure: {
    best: [3.7, { everyday: 2, dealers: 3.6 }],
    household: [2, { everyday: 0.2, dealers: 1.6 }],
    long: 1.4,
    other: 1.2,
  },
  // Nobody but the company asks for its passwords.
  secret: {
    best: [3.9, { everyday: 3.6, dealers: 3.7 }],
    household: [3.6, { everyday: 0.5 }],
    long: [3.6, { everyday: 1.5 }],
    other: [3.6, { everyday: 1.5 }],
  },
  // Honest dealers do not send invoices in the name of the firm.
  payment: {
    best: [3.7, { dealers: 3.6 }],
    household: [3.6, { everyday: 0.5 }],
    long: [3.6, { everyday: 1.5 }],
    other: [3.6, { everyday: 1.5 }],
  },
  hint: { best: 0.3, household: 0.2, long: 0, other: 0 },
  amid: {
    best: [3.5, { everyday: 1.5, dealers: 2.4 }],
    household: [1.2, { everyday: 0, dealers: 0.6 }],
    long: 1.4,
    other: 1.4,
  },
  business: { best: [3.6, { dealers: 1.5 }], household: [1.5, { dealers: 0.8 }], long: 1.4, other: 1.4 },
  department: {
    best: [3.6, { dealers: 1.6 }],
    household: [1.6, { dealers: 1.5 }],
    long: [1.5, { everyday: 0 }],
    other: [1.5, { everyday: 0 }],
  },
  business_amid: { best: [3.4, { dealers: 0.7 }], household: [0.4, { dealers: 0.1 }], long: 0, other: 0 },
  weak: { best: [2.3, { dealers: 0.9 }], household: [0.5, { dealers: 0.2 }], long: 0, other: 0 },
  weak_apart: { best: [3, { dealers: 0.9 }], household: [0.5, { dealers: 0.2 }], long: 0, other: 0 },
  // The brand's own additional names look like this too.
  own: { best: [1, { dealers: 0.4 }], household: 0.2, long: 0, other: 0 },
  // `stihl-de`, `basf-group`: fraud on firms has such names, while the few honest ones are known sites.
  form: {
    best: [1.9, { dealers: 1.7 }],
    household: [1.6, { everyday: 0.2 }],
    long: [1.6, { everyday: 0 }],
    other: [1.5, { everyday: 0 }],
  },
  country: {
    best: [3, { dealers: 1.6 }],
    household: [1.5, { everyday: 0.2 }],
    long: [1.5, { everyday: 0 }],
    other: [1.4, { everyday: 0 }],
  },
  word: { best: [1.3, { dealers: 0.4 }], household: 0, long: 0, other: 0 },
  word_apart: { best: [2.3, { dealers: 0.4 }], household: 0, long: 0, other: 0 },
  inside: { best: [1.2, { dealers: 0.2 }], household: 0, long: 0, other: 0 },
  letters: { best: [2.75, { dealers: 0.3 }], household: 0, long: 0, other: 0 },
  // `dpd-padnu`: a name made for one fraud.
  letters_apart: { best: [3.2, { dealers: 0.3 }], household: [1.4, { dealers: 0.3, everyday: 0 }], long: 0, other: 0 },
  number: { best: [3, { dealers: 0.6 }], household: 0.5, long: 0, other: 0 },
}

const SUFFIX_SWAP: BrandPrices<SwapCase> = {
  lure: { best: [3.6, { everyday: 1.4, dealers: 1.8 }], household: [1.5, { everyday: 0.2 }], long: 0, other: 0 },
  general: {
    best: [1.8, { everyday: 1.5 }],
    household: [1.5, { everyday: 0.2 }],
    long: [0.3, { everyday: 0 }],
    other: [0.1, { everyday: 0 }],
  },
  generic: {
    best: [1.8, { everyday: 0.1, dealers: 1.4 }],
    household: [1, { everyday: 0.1, dealers: 0.6 }],
    long: [0.3, { everyday: 0 }],
    other: [0.1, { everyday: 0 }],
  },
  country: { best: [0.3, { everyday: 0 }], household: [0.1, { everyday: 0 }], long: 0, other: 0 },
  platform: { best: [2.8, { everyday: 0.6, dealers: 1.5 }], household: [0.8, { everyday: 0 }], long: 0, other: 0 },
}

export const DOMAIN_PRICES: Prices<(typeof DOMAIN_SIGNALS)[number]> = {
  'domain.listed': LISTING,
  'domain.parent_listed': PARENT_LISTING,
  'domain.sinkhole': flat(0.8),
  'domain.lookalike': byBrand(LOOKALIKE),
  'domain.combosquat': byBrand(COMBOSQUAT),
  'domain.suffix_swap': byBrand(SUFFIX_SWAP),
  'domain.brand_subdomain': byVariant({ address: 4.2, continued: 2.4, combination: 3.7, name: 0.8 }),
  'domain.brand_mention': byBrand({ contains: { best: 0, household: 0.2, long: 0, other: 0 } }),
  'domain.mixed_script': byVariant({ mixed: 1.9, undecodable: 1.1 }),
  'domain.generated_name': generated,
  'domain.lexical': model(1, 4),
  'domain.ordinary_name': model(-1, 2.8),
  // The limit of the suffix: alone it never makes medium.
  'domain.suffix_risk': model(1, 1.3),
  'domain.trusted_suffix': model(-1, 2.2),
  // An institution beside a demand, under another name than its own, is high alone, and so are the invoices or bank
  // details of some firm; a demand without either needs a second look.
  'domain.lure': byVariant({ ...fitted.lure, institution: 3.8, payment: 1.8, subject: 1.8, firm: 3.6 }),
  // A list makes at least medium, whatever else is known: such a mailbox needs a second look.
  'domain.disposable': byVariant({ listed: 3.6, one_list: 2.4, by_name: 2.4, doubted: 0.2 }),
  'domain.dynamic_dns': flat(0.9),
  // Never medium alone, and 0 where companies rent space for their own use.
  'domain.free_hosting': byVariant({ business: 0, publishing: 0.4, open: 0.8, fleeting: 1.3 }, 0.8),
  'domain.url_shortener': flat(0.7),
  'domain.parked': flat(0.5),
  'domain.adware': flat(0.3),
  'domain.popular': byTag({ popular_1k: -7, popular_10k: -5.5, popular_100k: -4, popular_1m: -2.6 }, -2),
  'domain.bank': flat(-5),
  'domain.academic': flat(-3.5),
  'domain.government': flat(-4),
  'domain.known_good': flat(-5),
  'domain.official_brand': flat(-3),
  // A provider has a good standing. A customer who claims to be nobody else is as low as a company with an ordinary name:
  // fraud from a free mailbox has to claim something.
  'domain.mail_provider': byVariant({ customer: -2 }, -3),
  'domain.public_suffix': flat(0),
  'domain.not_public': flat(0),
}

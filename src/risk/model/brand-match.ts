import type { Brand } from './brand.ts'
import type { Beside, Company } from './brand-beside.ts'
import type { Difference } from './confusables.ts'

export type Imitation =
  | 'official'
  | 'suffix_swap'
  | 'homoglyph'
  | 'hyphenation'
  | 'dotless'
  | 'combination' // beside a lure
  | 'affix' // beside a word such as shop or uk, or a number
  | 'beside' // beside any other word
  | 'typo'
  | 'contains'

export type Fame = 'best' | 'household' | 'other'

/** A brand that a name may imitate. */
export interface BrandMatch {
  readonly how: Imitation
  readonly brand: Brand
  readonly company?: Company
  readonly word?: string
  /** Characters replaced by others that look like them. */
  readonly differences?: readonly Difference[]
}

/** True if the name may want to be mistaken for the brand, rather than be it or merely mention it. */
export function isImitation(match: BrandMatch | undefined): boolean {
  if (match === undefined) return false
  const { how, brand, company } = match
  if (company === 'form' || company === 'country') return !brand.everyday
  if (how === 'affix' || how === 'beside') return brand.best && !brand.everyday && !brand.dealers
  if (how === 'suffix_swap') return brand.best || !brand.everyday
  return how !== 'official' && how !== 'contains'
}

const LURING: ReadonlySet<Company> = new Set(['several', 'lure', 'secret', 'payment', 'hint', 'amid'])
const ADDED: ReadonlySet<Company> = new Set(['weak', 'own', 'form', 'country', 'number'])
const DEPARTMENTS: ReadonlySet<Company> = new Set(['business', 'department', 'business_amid'])

export function isLure(company: Company): boolean {
  return LURING.has(company)
}

/** True if the words beside a brand are there to deceive: a lure, or the name of a department. */
export function isLured(company: Company | undefined): boolean {
  if (company === undefined) return false
  return isLure(company) || DEPARTMENTS.has(company)
}

/** True for words and numbers that a firm of that name may add itself. */
export function isAdded(company: Company): boolean {
  return ADDED.has(company)
}

/** The spelling of a label with non-ASCII letters: with accents, in another alphabet, or mixed. */
export type Letters = 'accented' | 'foreign' | 'mixed'

/** The brand's real site, such as `paypal.com`; undefined for an alias without a site. */
export function siteOf({ label, suffixes }: Brand): string | undefined {
  return suffixes[0] && `${label}.${suffixes.includes('com') ? 'com' : suffixes[0]}`
}

export function fameOf({ best, household }: Brand): Fame {
  return best ? 'best' : household ? 'household' : 'other'
}

export function withCompany(brand: Brand, { company, word }: Beside): BrandMatch {
  return { how: howBeside(company, brand), brand, company, word }
}

function howBeside(company: Company, { best }: Brand): Imitation {
  if (isLured(company)) return 'combination'
  if (isAdded(company)) return 'affix'
  return best ? 'beside' : 'contains'
}

/** True if nothing else in the name can be more telling. */
export function isTelling({ how }: BrandMatch): boolean {
  return how !== 'beside' && how !== 'contains' && how !== 'affix'
}

const HOW_RANKS: Readonly<Record<Imitation, number>> = {
  official: 0,
  suffix_swap: 0,
  contains: 1,
  beside: 2,
  affix: 3,
  typo: 4,
  hyphenation: 5,
  combination: 6,
  dotless: 7,
  homoglyph: 7,
}

/** The order of several brands in one name: the more telling, the better known, the longer first. */
export function rankOf({ how, brand }: BrandMatch): number {
  const fame = (brand.best ? 2 : 0) + (brand.everyday ? 0 : 1)
  return HOW_RANKS[how] * 1000 + fame * 100 + brand.label.length
}

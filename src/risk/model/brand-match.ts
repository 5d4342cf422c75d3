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

export interface BrandMatch {
  readonly how: Imitation
  /** The brand's own name, such as `paypal`. */
  readonly brand: string
  /** The brand's real site, such as `paypal.com`; undefined for an alias without a site. */
  readonly site: string | undefined
  readonly fame: Fame
  readonly household: boolean
  readonly everyday: boolean
  readonly dealers: boolean
  readonly company: Company | undefined
  readonly word: string | undefined
  /** Characters replaced by others that look like them. */
  readonly differences: readonly Difference[]
}

/** True if the name may want to be mistaken for the brand, rather than be it or merely mention it. */
export function isImitation(match: BrandMatch | undefined): boolean {
  if (match === undefined) return false
  if (match.how === 'affix' || match.how === 'beside') return match.fame === 'best' && !match.everyday && !match.dealers
  if (match.how === 'suffix_swap') return match.fame === 'best' || !match.everyday
  return match.how !== 'official' && match.how !== 'contains'
}

const LURING: ReadonlySet<Company> = new Set(['several', 'lure', 'payment', 'hint', 'amid'])
const DEPARTMENTS: ReadonlySet<Company> = new Set(['business', 'business_amid'])

export function isLure(company: Company): boolean {
  return LURING.has(company)
}

/** True if the words beside a brand are there to deceive: a lure, or the name of a department. */
export function isLured(company: Company | undefined): boolean {
  if (company === undefined) return false
  return isLure(company) || DEPARTMENTS.has(company)
}

/** The spelling of a label with non-ASCII letters: with accents, in another alphabet, or mixed. */
export type Letters = 'accented' | 'foreign' | 'mixed'

/** A brand that a name may imitate, before one of several is chosen. */
export interface Candidate {
  readonly how: Imitation
  readonly brand: Brand
  readonly company?: Company
  readonly word?: string
  readonly differences?: readonly Difference[]
}

export function matchOf({ how, brand, company, word, differences }: Candidate): BrandMatch {
  return {
    how,
    brand: brand.label,
    site: brand.suffixes[0] === undefined ? undefined : `${brand.label}.${preferredSuffix(brand)}`,
    fame: fameOf(brand),
    household: brand.household,
    everyday: brand.everyday,
    dealers: brand.dealers,
    company,
    word,
    differences: differences ?? NO_DIFFERENCES,
  }
}

const NO_DIFFERENCES: readonly Difference[] = []

function preferredSuffix(brand: Brand): string {
  return brand.suffixes.includes('com') ? 'com' : (brand.suffixes[0] ?? '')
}

export function fameOf({ best, household }: Brand): Fame {
  return best ? 'best' : household ? 'household' : 'other'
}

export function withCompany(brand: Brand, { company, word }: Beside): Candidate {
  return { how: howBeside(company, brand), brand, company, word }
}

function howBeside(company: Company, { best }: Brand): Imitation {
  if (isLured(company)) return 'combination'
  if (company === 'weak' || company === 'own' || company === 'country' || company === 'number') return 'affix'
  return best ? 'beside' : 'contains'
}

/** True if nothing else in the name can be more telling. */
export function isTelling({ how }: Candidate): boolean {
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
export function rankOf({ how, brand }: Candidate): number {
  const fame = (brand.best ? 2 : 0) + (brand.everyday ? 0 : 1)
  return HOW_RANKS[how] * 1000 + fame * 100 + brand.label.length
}

import type { Company } from './brand-beside.ts'
import type { Difference } from './confusables.ts'

/** The way a name imitates a brand. */
export type Imitation =
  | 'official'
  | 'suffix_swap'
  | 'homoglyph'
  | 'hyphenation'
  | 'dotless'
  /** Beside a lure. */
  | 'combination'
  /** Beside a word such as shop or uk, or a number. */
  | 'affix'
  /** Beside any other word. */
  | 'beside'
  | 'typo'
  | 'contains'

/** How well known a brand is. */
export type Fame = 'best' | 'household' | 'other'

export interface BrandMatch {
  readonly how: Imitation
  /** The brand's own name, such as `paypal`. */
  readonly brand: string
  /** Where the brand really lives, such as `paypal.com`; undefined for an alias without a site. */
  readonly site: string | undefined
  readonly fame: Fame
  /** A household name, the best known included, rather than one brand of many. */
  readonly household: boolean
  /** The brand is also an everyday word, so that others use it innocently. */
  readonly everyday: boolean
  /** Dealers, partners and fans use the name honestly. */
  readonly dealers: boolean
  /** What stands beside the brand, where something does. */
  readonly company: Company | undefined
  /** The most telling word beside the brand, as it stands in the name. */
  readonly word: string | undefined
  /** Characters put in place of others that look like them. */
  readonly differences: readonly Difference[]
}

/** True where somebody may want to be taken for the brand, rather than be it or merely mention it. */
export function isImitation(match: BrandMatch | undefined): boolean {
  if (match === undefined) return false
  if (match.how === 'affix' || match.how === 'beside') return match.fame === 'best' && !match.everyday && !match.dealers
  if (match.how === 'suffix_swap') return match.fame === 'best' || !match.everyday
  return match.how !== 'official' && match.how !== 'contains'
}

const LURING: ReadonlySet<Company> = new Set(['several', 'lure', 'hint', 'amid'])
const DEPARTMENTS: ReadonlySet<Company> = new Set(['business', 'business_amid'])

export function isLure(company: Company): boolean {
  return LURING.has(company)
}

/** True where the words beside a brand are there to deceive: a lure, or the name of a department. */
export function isLured(company: Company | undefined): boolean {
  if (company === undefined) return false
  return isLure(company) || DEPARTMENTS.has(company)
}

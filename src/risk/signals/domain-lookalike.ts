import { isLured } from '../model/brand-match.ts'
import type { Difference } from '../model/confusables.ts'
import { type BrandVariant, brandAndSite, brandFinding, LONG_NAME } from './brand-finding.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

/** Shorter names differ by one letter by chance. */
const SHORT_NAME = 7
const VERY_SHORT_NAME = 5

/** `typo_elsewhere` and `typo_far` are not under the brand's own suffix, the second one letter from a short name. */
export type LookalikeCase =
  | 'homoglyph'
  | 'typo'
  | 'typo_short'
  | 'typo_long'
  | 'typo_elsewhere'
  | 'typo_far'
  | 'typo_lure'
  | 'typo_beside'
  | 'hyphenation'
  | 'dotless'

export const domainLookalike = {
  code: 'domain.lookalike',
  description: 'Easily taken for the domain of a known brand',
  group: 'name',
  detect: ({
    brand,
    label,
    suffix,
    platform,
    unicodeLabel,
    models,
  }): readonly Finding<BrandVariant<LookalikeCase>>[] => {
    if (!brand) return NOTHING
    const name = brandAndSite(brand)
    if (brand.how === 'typo') {
      if (brand.word !== undefined) {
        const sentence = `One typing error away from ${name}, beside the word “${brand.word}”`
        return brandFinding(brand, isLured(brand.company) ? 'typo_lure' : 'typo_beside', sentence)
      }
      // Typing errors occur in the name: a typo-squatter registers under the brand's own suffix.
      const isThere = models.brands.isOfficialSuffix(brand.brand, suffix)
      const length = brand.brand.length
      const here = length >= LONG_NAME ? 'typo_long' : length <= VERY_SHORT_NAME ? 'typo_short' : 'typo'
      const where = isThere ? here : length < SHORT_NAME ? 'typo_far' : 'typo_elsewhere'
      return brandFinding(brand, where, `One typing error away from ${name}`)
    }
    if (brand.how === 'homoglyph') {
      const differences = unicodeLabel === undefined ? brand.differences : lettersOf(unicodeLabel, brand.brand)
      const sentence = `Looks the same as ${name} to the eye${list(differences)}`
      // A word spelt with digits or the letters of another alphabet is no real word, and a long one is no chance.
      const isSpeltOddly =
        unicodeLabel !== undefined || brand.brand.length >= LONG_NAME || differences.some(({ seen }) => isDigit(seen))
      const meant = isSpeltOddly ? { ...brand, everyday: false } : brand
      return brandFinding(meant, 'homoglyph', brand.word ? `${sentence}, beside the word “${brand.word}”` : sentence)
    }
    if (brand.how === 'hyphenation') {
      const sentence = label.includes('-') ? `Spells ${name} with hyphens put in` : `Spells ${name} without its hyphen`
      return brandFinding(brand, 'hyphenation', sentence)
    }
    // A translated page has the address of the original with its dots written as hyphens.
    if (brand.how !== 'dotless' || platform === 'translate.goog') return NOTHING
    const sentence = `Writes ${name} like an address without its dot: “${brand.brand}-${brand.word}”`
    return brandFinding(brand, 'dotless', sentence)
  },
} satisfies Signal<'domain'>

function isDigit(text: string): boolean {
  return text >= '0' && text <= '9'
}

const LISTED_MAX = 3

function list(differences: readonly Difference[]): string {
  if (differences.length === 0 || differences.length > LISTED_MAX) return ''
  return `: ${differences.map(({ seen, meant }) => `“${seen}” in place of “${meant}”`).join(', ')}`
}

/** The letters of another alphabet, or with an accent, that replace the brand's. */
function lettersOf(unicodeLabel: string, brand: string): Difference[] {
  const letters = [...unicodeLabel]
  if (letters.length !== brand.length) return []
  return letters.flatMap((seen, i) =>
    seen === brand[i] || letters.indexOf(seen) < i ? [] : [{ seen, meant: brand[i] ?? '' }],
  )
}

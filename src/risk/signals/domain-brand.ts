import { lureOf } from '../model/brand.ts'
import type { Company } from '../model/brand-beside.ts'
import type { BrandInFront } from '../model/brand-in-front.ts'
import { type BrandMatch, type Fame, fameOf, isLured, siteOf } from '../model/brand-match.ts'
import { doubledAt, isOneEditApart, isPlainSlip } from '../model/brand-typos.ts'
import type { Difference } from '../model/confusables.ts'
import { displaySuffix, isCountrySuffix, welcomesBrands } from '../model/suffixes.ts'
import { type Finding, NOTHING, type Signal } from './signal.ts'

/** Names that imitate or mention a known brand. */
export const BRAND_SIGNALS = [
  {
    code: 'domain.lookalike',
    description: 'Easily mistaken for the domain of a known brand',
    group: 'name',
    detect: (subject): readonly Finding<BrandVariant<LookalikeCase>>[] => {
      const { brand, label, suffix, platform, unicodeLabel, models } = subject
      if (!brand) return NOTHING
      const name = brandAndSite(brand)
      if (brand.how === 'typo') {
        if (brand.word !== undefined) {
          const sentence = `One typing error away from ${name}, beside the word “${brand.word}”`
          const lured = brand.brand.label.length >= LONG_TO_TYPE ? 'typo_lure_long' : 'typo_lure'
          const isPlain = brand.brand.label.length >= LONG_NAME && plainSlipIn(label, brand.brand.label) !== undefined
          const beside = !isPlain ? 'typo_beside' : isTellingForm(brand.company) ? 'typo_sure' : 'typo_long'
          return brandFinding(brand, isLured(brand.company) ? lured : beside, sentence)
        }
        // Typing errors in a short name count mainly under the brand's own suffix, where a typo-squatter registers.
        const isThere = models.brands.isOfficialSuffix(brand.brand.label, suffix)
        const length = brand.brand.label.length
        const here = length <= VERY_SHORT_NAME ? 'typo_short' : 'typo'
        const elsewhere = length < SHORT_NAME ? 'typo_far' : 'typo_elsewhere'
        const isLong =
          length >= LONG_TO_TYPE ||
          (length >= SHORT_NAME && label.length > length && doubledAt(label, brand.brand.label) > 0)
        const mayBeOwn = isCountrySuffix(suffix) && !isThere
        if (!mayBeOwn && hasSureSlip(label, brand.brand.label)) {
          return brandFinding(brand, 'typo_sure', `One typing error away from ${name}`)
        }
        const where = isLong ? 'typo_long' : isThere ? here : elsewhere
        return brandFinding(brand, where, `One typing error away from ${name}`)
      }
      if (brand.how === 'homoglyph') {
        const differences =
          unicodeLabel === undefined ? (brand.differences ?? []) : lettersOf(unicodeLabel, brand.brand.label)
        const sentence = `Looks the same as ${name} to the eye${differencesInWords(differences)}`
        // A word spelt with digits, two letters for one or those of another alphabet is no real word, and a long one is no chance.
        const isSpeltOddly =
          unicodeLabel !== undefined ||
          brand.brand.label.length >= LONG_NAME ||
          ((brand.brand.household || brand.brand.label.length >= LONG_TO_TYPE) &&
            differences.some(({ seen }) => isDigit(seen) || seen.length > 1))
        const meant = isSpeltOddly ? { ...brand, brand: { ...brand.brand, everyday: false } } : brand
        return brandFinding(meant, 'homoglyph', brand.word ? `${sentence}, beside the word “${brand.word}”` : sentence)
      }
      if (brand.how === 'hyphenation') {
        const sentence = label.includes('-')
          ? `Spells ${name} with hyphens put in`
          : `Spells ${name} without its hyphen`
        return brandFinding(brand, 'hyphenation', sentence)
      }
      // A translated page has the address of the original with its dots written as hyphens.
      if (brand.how !== 'dotless' || platform === 'translate.goog') return NOTHING
      const sentence = `Writes ${name} like an address without its dot: “${brand.brand.label}-${brand.word}”`
      return brandFinding(brand, 'dotless', sentence)
    },
  },
  {
    code: 'domain.combosquat',
    description: 'Puts the name of a known brand beside another word, such as login, invoice or pay',
    group: 'name',
    detect: ({ brand, label, suffix, platform }) => {
      if (brand?.how !== 'combination' && brand?.how !== 'affix' && brand?.how !== 'beside') return NOTHING
      const { word } = brand
      // `hondaireland.ie`, `mercedes-benz-bank.de`: a company's branch is at home under the ending of its country.
      const { best, household, dealers } = brand.brand
      const mayBranch =
        brand.company === 'form' ||
        (brand.company === 'country' && (dealers || !best)) ||
        (brand.company === 'business' && (dealers || !household))
      const isBranch = mayBranch && isCountrySuffix(suffix)
      const company = isBranch ? 'own' : (brand.company ?? 'word')
      const name = brandAndSite(brand)
      if (company === 'number') return brandFinding(brand, company, `Adds digits to the name of ${name}`)
      // On platforms nobody pays for a name: fans take `amazonreviews` itself.
      const isApart = label.includes('-') || platform !== undefined
      const where = isApart && isTellingApart(company) ? (`${company}_apart` as const) : company
      if (company === 'letters') return brandFinding(brand, where, `Adds “${word}” to the name of ${name}`)
      return brandFinding(brand, where, `Puts ${name} beside the word “${word}”`)
    },
  },
  {
    code: 'domain.suffix_swap',
    description: 'The name of a known brand under an ending the brand does not use',
    group: 'name',
    detect: ({ brand, suffix, platform }) => {
      if (brand?.how !== 'suffix_swap') return NOTHING
      // Brands publish their own code, documents and help on such platforms.
      if (platform !== undefined && welcomesBrands(platform)) return NOTHING
      // Brands often own their name in many countries, so a country's suffix says less.
      const where: SwapCase =
        platform !== undefined ? 'platform' : isCountrySuffix(suffix) ? 'country' : endingOf(suffix)
      const site = siteOf(brand.brand)
      const own = site ? `; its site is ${site}` : ''
      return brandFinding(brand, where, `The name of ${brand.brand.label} under .${displaySuffix(suffix)}${own}`)
    },
  },
  {
    code: 'domain.brand_subdomain',
    description: "Puts a known brand's address in front of somebody else's domain",
    group: 'name',
    detect: ({ front, label, suffix }): readonly Finding<BrandInFront['how']>[] => {
      if (!front) return NOTHING
      const sentence = `${SENTENCES[front.how](front)}, but belongs to ${label}.${displaySuffix(suffix)}`
      return [{ source: 'rules', confidence: 1, variant: front.how, sentence, resembles: front.site }]
    },
  },
  {
    code: 'domain.brand_mention',
    description: 'Has the name of a known brand somewhere in it',
    group: 'wording',
    detect: ({ brand }) =>
      brand?.how === 'contains'
        ? brandFinding(brand, 'contains', `Has the name of ${brandAndSite(brand)} in it without being its site`)
        : NOTHING,
  },
] as const satisfies readonly Signal<'domain'>[]

/** Joined to a brand, they are often a fan's or a dealer's own name, or an abbreviation. */
type TellingApart = 'letters' | 'word' | 'weak'

function isTellingApart(company: Company): company is TellingApart {
  return company === 'letters' || company === 'word' || company === 'weak'
}

/** The words beside a brand, and whether a hyphen sets them apart. */
export type CombosquatCase = Company | `${TellingApart}_apart`

/** Shorter names differ by one letter by chance. */
const SHORT_NAME = 7
const VERY_SHORT_NAME = 5
/** A name one edit from a known name this long is seldom an independent one. */
const LONG_TO_TYPE = 8

/**
 * A letter typed twice, or two exchanged, in a long name: no new name of a firm differs so from a known one. Names that
 * lack a letter do, and those that begin with other letters: Zimmerman, `enthealth`.
 */
function hasSureSlip(label: string, known: string): boolean {
  const slip = known.length < LONG_NAME ? undefined : plainSlipIn(label, known)
  return slip !== undefined && slip.length >= known.length && slip.startsWith(known.slice(0, 2))
}

/** The label, or a part of it between hyphens, that is one plain slip of the finger away from a known name. */
function plainSlipIn(label: string, known: string): string | undefined {
  return [label, ...label.split('-')].find((text) => isOneEditApart(text, known) && isPlainSlip(text, known))
}

/** Beside a name misspelt, the legal form or a country is there to make it look real. */
function isTellingForm(company: Company | undefined): boolean {
  return company === 'form' || company === 'country'
}

/** `typo_elsewhere` and `typo_far` are not under the brand's own suffix, the second one letter from a short name. */
export type LookalikeCase =
  | 'homoglyph'
  | 'hyphenation'
  | 'dotless'
  | `typo${'' | '_short' | '_long' | '_elsewhere' | '_far' | '_sure' | '_lure' | '_lure_long' | '_beside'}`

function isDigit(text: string): boolean {
  return text >= '0' && text <= '9'
}

const LISTED_MAX = 3

/** `: “rn” in place of “m”`, or nothing if there are too many. */
export function differencesInWords(differences: readonly Difference[]): string {
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

/** The place of the brand's name: a platform, a country's suffix, a lure, or another suffix. */
export type SwapCase = 'platform' | 'country' | 'lure' | 'general' | 'generic'

// Under these suffixes every word was registered long ago; a brand's name there is not a new firm's own idea.
const GENERAL: ReadonlySet<string> = new Set(['com', 'net', 'org', 'info', 'biz', 'co', 'online'])

/** `paypal.support` puts a lure beside the brand; `apple.farm` may well be a farm. */
function endingOf(suffix: string): SwapCase {
  const lure = lureOf(suffix)
  if (lure === 'pressing' || lure === 'business') return 'lure'
  return GENERAL.has(suffix) ? 'general' : 'generic'
}

const SENTENCES: Record<BrandInFront['how'], (front: BrandInFront) => string> = {
  address: ({ brand }) => `Begins like the address of ${brand}`,
  continued: ({ brand }) => `Begins with the address ${brand}, continued by a hyphen`,
  combination: ({ brand, word }) => (word ? `Puts ${brand} beside the word “${word}”` : `Imitates ${brand} in front`),
  name: ({ brand }) => `Has ${brand} in front`,
}

/** Two long names do not differ by one letter by chance. */
const LONG_NAME = 9

export type BrandFame = Fame | 'long'

/** The case of the signal, the fame of the brand, and whether others use its name honestly. */
export type BrandVariant<Case extends string> = `${Case}.${BrandFame}${'' | '.everyday' | '.dealers'}`

function brandFinding<Case extends string>(
  { brand }: BrandMatch,
  what: Case,
  sentence: string,
): readonly Finding<BrandVariant<Case>>[] {
  const fame = !brand.household && brand.label.length >= LONG_NAME ? 'long' : fameOf(brand)
  const others = brand.everyday ? '.everyday' : brand.dealers ? '.dealers' : ''
  return [{ source: 'rules', confidence: 1, variant: `${what}.${fame}${others}`, sentence, resembles: siteOf(brand) }]
}

/** `paypal (paypal.com)`. */
function brandAndSite({ brand }: BrandMatch): string {
  const site = siteOf(brand)
  return site ? `${brand.label} (${site})` : brand.label
}

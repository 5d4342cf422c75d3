import type { Brand } from './brand.ts'
import type { Letters } from './brand-match.ts'
import type { Difference } from './confusables.ts'
import { wordSet } from './word-lists.ts'

/** Names that resemble a brand by chance, and honest spellings. */

/** Shorter names resemble too many others. */
export const DISGUISED_LENGTH_MIN = { best: 4, household: 5, other: 6 }

/**
 * True if the differences deceive the eye. A digit for a letter does, and two letters that look like one. An `i` for an
 * `l` gives other names if the name is short. The reverse (`m` where the brand has `rn`) is usually another name,
 * unless the brand is famous.
 */
export function isDeceiving(label: string, differences: readonly Difference[], brand: Brand): boolean {
  // `fox17` ends in a number, not in letters.
  if (/^\d\d|\d\d$/.test(label) && !brand.best) return false
  return differences.every((difference) => deceives(label, difference, brand))
}

function deceives(label: string, { seen, meant }: Difference, brand: Brand): boolean {
  if (seen >= '0' && seen <= '9') {
    // Digits that look the same; other digits read as letters only in a name that everybody knows.
    return seen === '0' || seen === '1' || (brand.household && label.length >= READ_DIGITS_LENGTH_MIN)
  }
  if (seen === 'ci' && meant === 'd') return false
  if (seen.length < meant.length || (meant >= '0' && meant <= '9')) return brand.best && !brand.everyday
  if (seen.length === meant.length)
    return label.length >= (brand.best ? SWAPPED_LENGTH_MIN.best : SWAPPED_LENGTH_MIN.other)
  return true
}

/** Shorter names with an `i` for an `l`, or a 6 for a b, are too often independent names. */
const SWAPPED_LENGTH_MIN = { best: 5, other: 7 }
const READ_DIGITS_LENGTH_MIN = 6

// Words that best-known brands are named after, or that contain them by chance, with their usual neighbours.
const NAMESAKES: Readonly<Record<string, readonly string[]>> = {
  amazon: words(`
    amazonas amazonia amazonian amazonien amazone amazones amazonica amazonico rainforest jungle river basin forest lodge
    cruise cruises tribe tribes expedition expeditions indigenous parrot parrots manaus
  `),
  amazonaws: words('amazonas'),
  trezor: words('trezory trezoru trezori trezorova trezorove'),
  twitter: words('twitterpated twittering'),
  correos: words('electronico electronicos'),
  klarna: words('klarnar'),
  revolut: words('revolucion revolutie revoluta revolutsiya'),
  discord: words('discordia discorde'),
}

/** True if the name means the word rather than the brand: `amazonas-tours`. */
export function isNamesake(label: string, { label: brand }: Brand): boolean {
  const others = NAMESAKES[brand]
  return others !== undefined && label.split('-').some((piece) => others.includes(piece))
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

// Names of best-known brands that their owners write with accents.
const HONEST_ACCENTS = wordSet('brands with accents')

/** True if a label is meant to be read as a brand: `nestlé` is the owner's spelling, `café` is a word. */
export function mayBeRead(brand: Brand, reading: string, letters: Letters): boolean {
  const { label, best, household, everyday } = brand
  if (letters === 'accented') return best && !everyday && reading === label && !HONEST_ACCENTS.has(label)
  if (letters === 'mixed') return household || label.length >= DISGUISED_LENGTH_MIN.other
  return best
    ? label.length >= (everyday ? 5 : 4)
    : household && !everyday && label.length >= DISGUISED_LENGTH_MIN.other
}

import type { Brand } from './brand.ts'
import type { Letters } from './brand-match.ts'
import type { Difference } from './confusables.ts'
import { wordList, wordSet } from './word-lists.ts'
import type { Lexicon } from './words.ts'

/** Names that resemble a brand by chance, and honest spellings. */

/** Words, alone or two combined: a text that looks like a known name may mean itself. */
export function isOrdinary(text: string, lexicon: Lexicon): boolean {
  if (lexicon.isWord(text)) return true
  const { covered, words } = lexicon.cover(text)
  return covered === text.length && words <= 2
}

const OWN_LETTERS_MAX = 4
const TOKEN_LENGTH_MIN = 7

// True for two names one edit apart that are probably independent: a number (`channel5`), a short part between hyphens
// (`fcc-group`), two words (`pdfreader`, `pdfleader`), or a few letters of one's own beside a word (`dstravel`).
export function isIndependent(label: string, known: string, lexicon: Lexicon): boolean {
  const longer = known.length - label.length
  let start = 0
  while (start < label.length && label[start] === known[start]) start++
  let end = label.length
  while (end > start && end + longer > start && label[end - 1] === known[end + longer - 1]) end--
  if (/[0-9-]/.test(label.slice(start, end) + known.slice(start, end + longer))) return true
  if (label.includes('-')) {
    const dash = label.indexOf('-', end)
    const token = label.slice(label.lastIndexOf('-', start - 1) + 1, dash === -1 ? label.length : dash)
    if (token.length < TOKEN_LENGTH_MIN) return true
  }
  const { length } = label
  const isRepeated = label[start] === label[start - 1] || label[start] === label[start + 1]
  // Letters beside a word. If the known name has a word there, they are that word misspelt: `deepsesk`.
  const isOwn = (there: string) => (there === '' ? !isRepeated : !lexicon.isWord(there))
  for (let at = 1; at < length; at++) {
    if (at <= OWN_LETTERS_MAX && end <= at && lexicon.isCommon(label.slice(at)))
      return isOwn(known.slice(0, at + longer))
    if (at >= length - OWN_LETTERS_MAX && start >= at && lexicon.isCommon(label.slice(0, at))) {
      return isOwn(known.slice(at))
    }
    // The same beginning, or the same end, and another word.
    if (at <= start && lexicon.isWord(label.slice(at)) && lexicon.isWord(known.slice(at))) return true
    if (at >= end && lexicon.isWord(label.slice(0, at)) && lexicon.isWord(known.slice(0, at + longer))) return true
  }
  return false
}

const INFLECTIONS = 'adeinorsy'

/** True if two names differ by an ending of the same word: `restaurant`, `restaurante`. A letter typed twice is none. */
export function isInflected(label: string, known: string): boolean {
  const [shorter, longer] = label.length < known.length ? [label, known] : [known, label]
  const isEnding = (text: string) => INFLECTIONS.includes(text.charAt(text.length - 1))
  if (shorter.length === longer.length) {
    return shorter.slice(0, -1) === longer.slice(0, -1) && isEnding(shorter) && isEnding(longer)
  }
  return longer.startsWith(shorter) && isEnding(longer) && longer.at(-1) !== longer.at(-2)
}

/** Shorter names resemble too many others. */
export const DISGUISED_LENGTH_MIN = { best: 4, household: 5, other: 6 }

/**
 * True if the differences deceive the eye. A digit for a letter does, and two letters that look like one. An `i` for an
 * `l` gives other names if the name is short. The reverse (`m` where the brand has `rn`) is usually another name,
 * unless the brand is famous or long.
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
  if (meant >= '0' && meant <= '9') return brand.best && !brand.everyday
  if (seen.length < meant.length) return (brand.best && !brand.everyday) || label.length >= JOINED_LENGTH_MIN
  if (seen.length === meant.length)
    return label.length >= (brand.best ? SWAPPED_LENGTH_MIN.best : SWAPPED_LENGTH_MIN.other)
  return true
}

/** Shorter names with an `i` for an `l`, or a 6 for a b, are too often independent names. */
const SWAPPED_LENGTH_MIN = { best: 5, other: 7 }
const READ_DIGITS_LENGTH_MIN = 6
/** A shorter name with an `m` for `rn` is usually another name: `bum`, `comer`. */
const JOINED_LENGTH_MIN = 8

const NAMESAKES = new Map(
  wordList('namesakes').map((line) => [line.split(':', 1)[0], line.slice(line.indexOf(':') + 1).split(',')]),
)

/** True if the name means the word rather than the brand: `amazonas-tours`, `amazonriverlodge`. */
export function isNamesake(label: string, { label: brand }: Brand): boolean {
  const others = NAMESAKES.get(brand)
  if (others === undefined) return false
  return label.split('-').some((piece) => {
    const rest = piece.startsWith(brand) ? piece.slice(brand.length) : piece
    return others.includes(piece) || others.some((word) => rest !== '' && rest.startsWith(word))
  })
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

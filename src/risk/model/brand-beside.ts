import { hashBetween, PREFIXES, readText } from '../../lib/text-index.ts'
import {
  type Brand,
  fits,
  LURES_ANYWHERE,
  lureOf,
  OWN_DEPARTMENTS,
  PAYMENTS,
  SALES,
  SECRETS,
  SUPPLIES,
  type Trade,
} from './brand.ts'
import { isDigit } from './local-words.ts'
import type { Lexicon } from './words.ts'

/** The words beside a brand in a name, taken together. */
export type Company =
  | 'several' // several lures, and nothing else
  | 'lure' // one lure, and nothing else
  | 'secret' // a lure that asks for a password or the like, and nothing else
  | 'payment' // a word of invoices or bank details, with or without other lures, and nothing else
  | 'hint' // one pressing word, beside a brand that is also a word
  | 'amid' // lures among other words
  | 'business' // words for a company's departments, and nothing else
  | 'department' // a department or a tool of the company itself: payroll, vpn
  | 'business_amid' // words for a company's departments among other words
  | 'weak' // words that a dealer adds too: shop, online
  | 'own' // words that the company itself may add: careers, news
  | 'form' // its legal form or size: gmbh, group, global
  | 'country' // where the company may have a branch
  | 'word' // any other word
  | 'inside' // other words on both sides of a brand that is joined to them
  | 'letters' // letters that are no word
  | 'number' // digits alone

export interface Beside {
  readonly company: Company
  /** The most telling word, as written in the name. */
  readonly word: string
}

const PIECE_LENGTH_MAX = 40
const WORD_LENGTH_MAX = 16
const SPLIT_LENGTH_MIN = 3

export function besideOf(pieces: readonly string[], brand: Brand, lexicon: Lexicon): Beside {
  const tally = newTally()
  for (const piece of pieces) addPiece(tally, piece, brand.trade, lexicon)
  return { company: companyOf(tally, brand), word: tally.word }
}

type Tally = ReturnType<typeof newTally>

function newTally() {
  return {
    pressing: 0,
    /** Pressing words that ask for a secret or fit the brand's trade. */
    secret: 0,
    /** Pressing words that make sense with the brand alone: they count twice beside a brand that is also a word. */
    doubly: 0,
    payment: 0,
    /** Pressing words that ask for a secret beside any name. */
    asking: 0,
    fitting: 0,
    business: 0,
    /** Business words of sales: a shop in the name of a brand. */
    sale: 0,
    /** Business words for departments that only the company itself has. */
    department: 0,
    weak: 0,
    own: 0,
    form: 0,
    country: 0,
    other: 0,
    letters: 0,
    numbers: 0,
    word: '',
    rank: -1,
  }
}

function companyOf(tally: Tally, brand: Brand): Company {
  if (brand.everyday) return companyOfWord(tally)
  const { pressing, fitting, business, weak, own, form, letters, numbers } = tally
  const others = tally.other + letters
  if (pressing + fitting > 0) {
    // `raiffeisenbank-tirol`: for a shared name, a word of its trade is no lure.
    if (others > 0) return pressing === 0 && brand.dealers ? 'business_amid' : 'amid'
    if (tally.payment > 0) return 'payment'
    if (tally.asking > 0) return 'secret'
    return pressing + fitting + business > 1 ? 'several' : 'lure'
  }
  if (business > 0) return others > 0 ? 'business_amid' : tally.department > 0 ? 'department' : 'business'
  if (letters > 0) return 'letters'
  if (others > 0) return 'word'
  if (weak > 0) return 'weak'
  if (own > 0) return 'own'
  if (form > 0) return 'form'
  if (tally.country > 0) return 'country'
  return numbers > 0 ? 'number' : 'word'
}

/** A brand that is also a word needs a lure that makes sense with the brand alone, or several. */
function companyOfWord({ pressing, fitting, secret, doubly, business, sale, other, letters }: Tally): Company {
  const telling = pressing + fitting
  if (telling === 0) return sale > 0 && other + letters === 0 ? 'business' : 'word'
  if (other + letters > 0) return telling + business > 2 ? 'amid' : 'word'
  if (telling + doubly + business > 1) return 'several'
  return fitting + secret > 0 ? 'lure' : 'hint'
}

/** Trades in which a fitting, pressing word has no other meaning. */
const PLAIN_TRADES: readonly Trade[] = ['b', 'g', 'p']

const RANKS = {
  pressing: 6,
  fitting: 5,
  business: 4,
  other: 3,
  letters: 2,
  weak: 1,
  own: 1,
  form: 1,
  country: 1,
  numbers: 0,
}

function count(tally: Tally, what: keyof typeof RANKS, word: string): void {
  tally[what]++
  if (RANKS[what] > tally.rank) {
    tally.rank = RANKS[what]
    tally.word = word
  }
}

function addWord(tally: Tally, word: string, trade: Trade): boolean {
  const lure = lureOf(word)
  if (lure === 'pressing') {
    count(tally, 'pressing', word)
    if (PAYMENTS.words.get(word) || SUPPLIES.has(word)) tally.payment++
    if (SECRETS.has(word)) {
      tally.secret++
      tally.asking++
    }
    if (fits(word, trade)) {
      tally.secret++
      if (SECRETS.has(word) || PLAIN_TRADES.includes(trade)) tally.doubly++
    }
  } else if (fits(word, trade)) count(tally, 'fitting', word)
  else if (lure !== undefined) {
    count(tally, lure, word)
    if (OWN_DEPARTMENTS.has(word)) tally.department++
    if (SALES.has(word)) tally.sale++
  } else return false
  return true
}

function addPiece(tally: Tally, piece: string, trade: Trade, lexicon: Lexicon) {
  if (addWord(tally, piece, trade)) return
  const text = withoutOuterDigits(piece)
  if (text === '') return count(tally, 'numbers', piece)
  if (text !== piece && addWord(tally, text, trade)) return
  if (isDisguisedLure(text)) return count(tally, 'pressing', text)
  if (text.length < SPLIT_LENGTH_MIN) count(tally, 'letters', piece)
  else if (lexicon.isWord(text)) count(tally, 'other', text)
  else {
    const words = splitWords(text, lexicon)
    if (words.length === 0) count(tally, 'letters', piece)
    for (const word of words) if (!addWord(tally, word, trade)) count(tally, 'other', piece)
  }
}

/** `l0gin`, `supp0rt`: a lure written with digits that look like its letters. */
function isDisguisedLure(text: string): boolean {
  if (!/[a-z][01]+[a-z]/.test(text)) return false
  const letters = text.replaceAll('0', 'o')
  return lureOf(letters.replaceAll('1', 'i')) !== undefined || lureOf(letters.replaceAll('1', 'l')) !== undefined
}

function withoutOuterDigits(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isDigit(text.charCodeAt(start))) start++
  while (end > start && isDigit(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** True if a part of a name is one lure or several joined, or a number. */
export function isMadeOfLures(piece: string, trade: Trade, lexicon: Lexicon): boolean {
  const text = withoutOuterDigits(piece)
  if (text === '') return true
  const words = splitWords(text, lexicon)
  return words.length > 0 && words.every((word) => isStrong(word, trade))
}

export function isMadeOfWords(piece: string, lexicon: Lexicon): boolean {
  const text = withoutOuterDigits(piece)
  return text === '' || lureOf(text) !== undefined || splitWords(text, lexicon).length > 0
}

function isStrong(word: string, trade: Trade): boolean {
  const lure = lureOf(word)
  return lure === 'pressing' || lure === 'business' || fits(word, trade)
}

// For each prefix of the current text, the beginning of its last word and its number of words; -1: words do not make it up.
const FROM = new Int8Array(PIECE_LENGTH_MAX + 1)
const PIECES = new Uint8Array(PIECE_LENGTH_MAX + 1)

function isLureAt(text: string, start: number, end: number, hash: number): boolean {
  return LURES_ANYWHERE.mayHold(hash) && LURES_ANYWHERE.get(text.slice(start, end), hash) === true
}

/** The fewest words that make up the whole text, or none. */
function splitWords(text: string, lexicon: Lexicon): string[] {
  if (text.length > PIECE_LENGTH_MAX) return []
  FROM.fill(-1)
  FROM[0] = 0
  PIECES[0] = 0
  readText(text)
  for (let end = SPLIT_LENGTH_MIN; end <= text.length; end++) {
    for (let start = Math.max(0, end - WORD_LENGTH_MAX); start <= end - SPLIT_LENGTH_MIN; start++) {
      if (FROM[start] === -1) continue
      const hash = hashBetween(PREFIXES, start, end)
      if (!lexicon.isWordHash(hash) && !isLureAt(text, start, end, hash)) continue
      if (FROM[end] === -1 || (PIECES[start] as number) + 1 < (PIECES[end] as number)) {
        FROM[end] = start
        PIECES[end] = (PIECES[start] as number) + 1
      }
    }
  }
  const words: string[] = []
  for (let end = text.length; end > 0; end = FROM[end] as number) {
    if (FROM[end] === -1) return []
    words.unshift(text.slice(FROM[end], end))
  }
  return words
}

/** True if the text splits into words elsewhere than at `start` and `end`: `open season`, not `opensea son`. */
export function readsOtherwise(text: string, start: number, end: number, lexicon: Lexicon): boolean {
  let at = 0
  let meetsStart = start === 0
  let meetsEnd = end === text.length
  let letters = text.length
  while (letters > end && isDigit(text.charCodeAt(letters - 1))) letters--
  for (const word of splitWords(text.slice(0, letters), lexicon)) {
    at += word.length
    if (at === start) meetsStart = true
    if (at === end) meetsEnd = true
  }
  return at > 0 && !(meetsStart && meetsEnd)
}

/** True if [start, end) of a text overlaps or is inside a longer word: `intuit` in `intuition`, `ing` in `tracking`. */
export function isInsideWord(text: string, start: number, end: number, lexicon: Lexicon): boolean {
  readText(text)
  for (let from = Math.max(0, end - WORD_LENGTH_MAX); from < end; from++) {
    const upTo = Math.min(text.length, from + WORD_LENGTH_MAX)
    for (let to = Math.max(start + 1, from + 4); to <= upTo; to++) {
      const crosses = (from < start && to > start) || (from < end && to > end)
      const isInner = from >= start && to <= end
      if (!crosses || isInner || to <= start) continue
      // A word that shares half of the brand may be chance; a word that contains most of it is not.
      const shared = Math.min(to, end) - Math.max(from, start)
      if (shared * 2 <= end - start) continue
      if (lexicon.isWordHash(hashBetween(PREFIXES, from, to))) return true
    }
  }
  return false
}

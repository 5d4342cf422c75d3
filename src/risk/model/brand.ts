import { HashFilter, hashText, TextMap } from '../../lib/text-index.ts'
import { foreignWords } from './lure-languages.ts'
import { wordList, wordSet } from './word-lists.ts'

// Words beside a brand in a name, by meaning. Beside a unique brand name, any of them is telling; beside a brand that
// is also a word, only those that make sense with the brand.
export type Lure =
  | 'pressing' // asks for a secret, presses, or promises money: login, verify, refund
  | 'business' // names of a company's own departments: support, service, customers
  | 'weak' // words that an honest dealer or fan may add too: shop, online, app
  | 'own' // endings of a company's own further names: careers, news
  | 'form' // the legal form or the size of a company: gmbh, group, global
  | 'country' // a country where a company may have a branch: uk, germany

/** Departments and tools that only the company itself has: nobody deals in its payroll. */
export const OWN_DEPARTMENTS = wordSet('beside a brand: department')

/** Sales in the name of a brand, by its fake shops. */
export const SALES = wordSet('beside a brand: sale')

/** The trade of a brand: its letter in brands.txt. */
export type Trade = 'm' | 's' | 'b' | 'c' | 'p' | 't' | 'g' | 'i' | ''

/** Words that ask for a secret or refer to a customer's own case: they make sense beside a site's name alone. */
export const SECRETS = wordSet('beside a brand: asks for a secret')

// Words of invoices and bank details. Beside the name of any firm they are the mark of payment fraud.
const PAYMENT_WORDS = wordList('beside a brand: payment')
export const SUPPLIES = wordSet('beside a brand: supplies')
const EDGE = 4
const filterOf = (texts: readonly string[]) => new HashFilter(HashFilter.fill(texts.map((text) => hashText(text))))
export const PAYMENTS = {
  words: new TextMap(PAYMENT_WORDS.map((word) => [word, true] as const)),
  /** The first and the last letters of the words: most names have neither. */
  edge: EDGE,
  begins: filterOf(PAYMENT_WORDS.map((word) => word.slice(0, EDGE))),
  ends: filterOf(PAYMENT_WORDS.map((word) => word.slice(-EDGE))),
  shortest: Math.min(...PAYMENT_WORDS.map(({ length }) => length)),
  longest: Math.max(...PAYMENT_WORDS.map(({ length }) => length)),
}

/** Words that only make sense beside a brand of that trade. Beside `ledger`, wallet means the wallet. */
const FITTING = new Map<Trade, ReadonlySet<string>>(
  (['m', 's', 'b', 'c', 'p', 't', 'g'] as const).map((trade) => [trade, wordSet(`fits trade ${trade}`)]),
)

// The last entry of a word counts: the lists of words beside a brand come last.
const LURE_WORDS: readonly (readonly [word: string, lure: Lure])[] = [
  ...foreignWords('business', 6, 'thing', 'beside', 'enter'),
  ...foreignWords('pressing', 6, 'ask'),
  ...(['country', 'own', 'form', 'weak', 'business', 'pressing'] as const).flatMap((lure) =>
    wordList(`beside a brand: ${lure}`).map((word) => [word, lure] as const),
  ),
  ...[...PAYMENT_WORDS, ...SUPPLIES].map((word) => [word, 'pressing'] as const),
]
const BY_WORD = new TextMap(LURE_WORDS)

export function lureOf(word: string, hash = hashText(word)): Lure | undefined {
  return BY_WORD.get(word, hash)
}

/** True if the word makes sense mainly beside a brand of this trade. */
export function fits(word: string, trade: Trade): boolean {
  return FITTING.get(trade)?.has(word) === true
}

/** Lures, and the words that fit some trade: each of those is a lure beside a brand of that trade. */
export const LURES_ANYWHERE = new TextMap([
  ...[...FITTING.values()].flatMap((words) => Array.from(words, (word) => [word, true] as const)),
  ...LURE_WORDS.map(([word]) => [word, true] as const),
])

/** One line of brands.txt. */
export interface Brand {
  readonly label: string
  readonly joined: string
  /** One of the best known, which fraud is known to imitate. */
  readonly best: boolean
  /** A household name, the best known included. */
  readonly household: boolean
  /** Also a word, a surname, a place or common initials, so that others use it innocently. */
  readonly everyday: boolean
  /** Dealers, partners and fans use it honestly. */
  readonly dealers: boolean
  readonly trade: Trade
  readonly suffixes: readonly string[]
}

const TRADES = /[msbcptgi]/

/** Reads the committed artefact: `label tier+marks suffix,suffix` a line. */
export function parseBrands(text: string): Brand[] {
  const brands: Brand[] = []
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [label = '', marks = '', suffixes = ''] = line.split(' ')
    brands.push({
      label,
      joined: label.replaceAll('-', ''),
      best: marks.startsWith('0'),
      household: !marks.startsWith('2'),
      everyday: marks.includes('w'),
      dealers: marks.includes('d'),
      trade: (TRADES.exec(marks)?.[0] ?? '') as Trade,
      suffixes: suffixes === '' ? [] : suffixes.split(','),
    })
  }
  return brands
}

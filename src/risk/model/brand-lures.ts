import { TextMap } from '../../lib/text-index.ts'
import { wordList, wordSet } from './word-lists.ts'

// Words beside a brand in a name, by meaning. Beside a unique brand name, any of them is telling; beside a brand that
// is also a word, only those that make sense with the brand.
export type Lure =
  /** Asks for a secret, presses, or promises money: login, verify, refund. */
  | 'pressing'
  /** Names of a company's own departments: support, service, customers. */
  | 'business'
  /** Words that an honest dealer or fan may add too: shop, online, app. */
  | 'weak'
  /** Endings of a company's own further names: group, corp, careers. */
  | 'own'
  /** A country where a company may have a branch: uk, germany. */
  | 'country'

/** The trade of a brand: its letter in brands.txt. */
export type Trade = 'm' | 's' | 'b' | 'c' | 'p' | 't' | 'g' | 'i' | ''

const SECRETS = wordSet('beside a brand: asks for a secret')

/** Words that only make sense beside a brand of that trade. Beside `ledger`, wallet means the wallet. */
const FITTING: Readonly<Record<Exclude<Trade, ''>, ReadonlySet<string>>> = {
  m: wordSet('fits trade m'),
  s: wordSet('fits trade s'),
  b: wordSet('fits trade b'),
  c: wordSet('fits trade c'),
  p: wordSet('fits trade p'),
  t: wordSet('fits trade t'),
  g: wordSet('fits trade g'),
  i: new Set(),
}

const BY_WORD = new TextMap<Lure>(
  (['country', 'own', 'weak', 'business', 'pressing'] as const).flatMap((lure) =>
    wordList(`beside a brand: ${lure}`).map((word) => [word, lure] as const),
  ),
)

export function lureOf(word: string): Lure | undefined {
  return BY_WORD.get(word)
}

/** True if the word makes sense mainly beside a brand of this trade. */
export function fits(word: string, trade: Trade): boolean {
  return trade !== '' && FITTING[trade].has(word)
}

/** True if the word asks for a secret or refers to a customer's own case: it makes sense beside a site's name alone. */
export function asksForSecret(word: string): boolean {
  return SECRETS.has(word)
}

/** True if the word fits some trade: such a word is a lure beside a brand of that trade. */
export function isFitting(word: string): boolean {
  return FITTING_ANYWHERE.has(word)
}

const FITTING_ANYWHERE: ReadonlySet<string> = new Set(Object.values(FITTING).flatMap((set) => [...set]))

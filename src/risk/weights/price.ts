import type { Tag } from '../../snapshot/types.ts'
import type { BrandFame, BrandVariant } from '../signals/domain-brand.ts'
import type { Finding } from '../signals/signal.ts'
import type { FactWorths } from './fact-tables.ts'

/** Ways to price a finding, in log-odds: +1 makes risk 2.7 times as likely, -1 as much less. */

/** The price of a finding of any variant in `Variant`. `facts` are the fitted prices of the facts together. */
export type Price<Variant extends string = string> = (finding: Finding<Variant>, facts: Readonly<FactWorths>) => number

/** A price for every signal, which knows every variant of that signal. */
export type Prices<S extends PricedSignal> = {
  readonly [C in S['code']]: Price<VariantOf<Extract<S, { readonly code: C }>>>
}
interface PricedSignal {
  readonly code: string
  readonly detect: (subject: never) => readonly Finding<string>[]
}
type VariantOf<S extends PricedSignal> =
  ReturnType<S['detect']>[number] extends Finding<infer Variant> ? Variant : never

/** A source's statement at full confidence, scaled by its confidence and its age. */
export function byTag(prices: Partial<Record<Tag, number>>, fallback: number): Price {
  return ({ tag, confidence }) => (tag === undefined ? fallback : (prices[tag] ?? fallback)) * confidence
}

/** One price for any confidence: being on any such list settles what the thing is. */
export function flat(price: number): Price {
  return () => price
}

/** By the case of the signal. A finding without a variant is priced as `otherwise`. */
export function byVariant<Variant extends string>(
  prices: Readonly<Record<Variant, number>>,
  otherwise = 0,
): Price<Variant> {
  return ({ variant }) => (variant === undefined ? otherwise : prices[variant])
}

/** A price, or one with exceptions: for a brand that is also an everyday word, or that dealers use honestly. */
type BrandPrice = number | readonly [price: number, others: { readonly everyday?: number; readonly dealers?: number }]
export type BrandPrices<Case extends string> = Readonly<Record<Case, Readonly<Record<BrandFame, BrandPrice>>>>

/** Every case at every fame has a price; 0 is explicit. */
export function byBrand<Case extends string>(prices: BrandPrices<Case>): Price<BrandVariant<Case>> {
  const flatPrices: Partial<Record<string, number>> = {}
  for (const [name, fames] of Object.entries<Readonly<Record<BrandFame, BrandPrice>>>(prices)) {
    for (const [fame, entry] of Object.entries(fames)) {
      const [price, others] = typeof entry === 'number' ? [entry, {}] : entry
      flatPrices[`${name}.${fame}`] = price
      flatPrices[`${name}.${fame}.everyday`] = others.everyday ?? price
      flatPrices[`${name}.${fame}.dealers`] = others.dealers ?? price
    }
  }
  return byVariant(flatPrices as Record<BrandVariant<Case>, number>)
}

/** A model's log-odds, scaled by trust and limited. */
export function model(trust: number, limit: number, from = 0): Price {
  return ({ confidence }) => Math.max(-limit, Math.min(limit, from + trust * confidence))
}

/** A count, by its logarithm: the second listed neighbour says more than the fiftieth. */
export function logarithm(price: number, limit: number): Price {
  return ({ confidence }) => Math.min(limit, price * Math.log1p(confidence))
}

/** A feed with a confidence of 0.6 for phishing makes `high` alone. */
export const LISTING = byTag(
  { phishing: 5.6, malware: 5.6, c2: 6, scam: 5.3, bec: 5.3, attack: 5.1, spam: 3.6, suspicious: 2 },
  3.5,
)

/** Log-odds without any evidence: most checked indicators are honest. */
export const BASE_LOG_ODDS = -2.2

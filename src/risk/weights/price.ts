import type { Tag } from '../../snapshot/types.ts'
import type { Finding } from '../signal.ts'

/** Ways to put a price on a finding, in log-odds: +1 makes risk 2.7 times as likely, -1 as much less. */

export type Price = (finding: Finding) => number

/** A source's word at full confidence, scaled by how sure it is and how old its word has grown. */
export function byTag(prices: Partial<Record<Tag, number>>, fallback: number): Price {
  return ({ tag, confidence }) => (tag === undefined ? fallback : (prices[tag] ?? fallback)) * confidence
}

/** The same whatever the confidence: being on any such list settles what the thing is. */
export function flat(price: number): Price {
  return () => price
}

/** By which case of the signal it is. */
export function byVariant(prices: Readonly<Record<string, number>>): Price {
  return ({ variant }) => {
    if (variant === undefined) return 0
    const exact = prices[variant]
    if (exact !== undefined) return exact
    // `typo.household.everyday` falls back on `typo.household`.
    const parent = prices[variant.slice(0, variant.lastIndexOf('.'))]
    return parent ?? 0
  }
}

/** A model's log-odds, trusted in part and never beyond a limit. */
export function model(trust: number, limit: number, from = 0): Price {
  return ({ confidence }) => Math.max(-limit, Math.min(limit, from + trust * confidence))
}

/** A count, by its logarithm: the second listed neighbour says more than the fiftieth. */
export function logarithm(price: number, limit: number, unit: number): Price {
  return ({ confidence }) => Math.min(limit, price * Math.log1p(confidence / unit))
}

/** A feed that is six parts in ten sure of phishing makes `high` by itself. */
export const LISTING = byTag(
  { phishing: 5.6, malware: 5.6, c2: 6, scam: 5.3, bec: 5.3, attack: 5.1, spam: 3.6, suspicious: 2 },
  3.5,
)

/** Log-odds before anything is known: most indicators somebody asks about are honest. */
export const BASE_LOG_ODDS = -2.2

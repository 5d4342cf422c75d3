import type { Kind } from '@assay/sdk'
import type { KindCount } from './list.ts'

/** Calculates how many records free units and credit cover, and their cost. Pure; the server decides finally. */

export interface Means {
  readonly unitPricePence: number
  readonly freeUnits: number
  readonly creditPence: number
  readonly overageLeftPence: number
}

export type Cover = ReturnType<typeof cover>

export function cover({ unitPricePence, freeUnits, creditPence, overageLeftPence }: Means, records: number) {
  const free = unitPricePence === 0 ? records : Math.min(records, Math.max(0, freeUnits))
  const affordable = unitPricePence === 0 ? 0 : Math.floor((creditPence + overageLeftPence) / unitPricePence)
  const paid = Math.max(0, Math.min(records - free, affordable))
  const totalPence = paid * unitPricePence
  const fromCreditPence = Math.min(totalPence, creditPence)
  return {
    // A request is either free or charged as a whole: free records are sent in separate requests.
    free,
    paid,
    totalPence,
    fromCreditPence,
    overagePence: totalPence - fromCreditPence,
    creditLeftPence: creditPence - fromCreditPence,
    // For all records; 0 when they are covered.
    shortfallPence: Math.max(0, (records - free) * unitPricePence - creditPence - overageLeftPence),
  }
}

export interface PricedPart {
  readonly kind: Kind
  readonly cover: Cover
  readonly unitPricePence: number
}

/** The records of several kinds, one kind after the other from the same means. */
export function coverKinds(
  means: Omit<Means, 'unitPricePence'>,
  counts: readonly KindCount[],
  priceOf: (kind: Kind) => number,
): { readonly parts: readonly PricedPart[]; readonly cover: Cover } {
  let left = means
  const parts = counts.map(({ kind, records }): PricedPart => {
    const unitPricePence = priceOf(kind)
    const one = cover({ ...left, unitPricePence }, records)
    left = {
      freeUnits: left.freeUnits - (unitPricePence === 0 ? 0 : one.free),
      creditPence: one.creditLeftPence,
      overageLeftPence: left.overageLeftPence - one.overagePence,
    }
    return { kind, cover: one, unitPricePence }
  })
  const sum = (of: (one: Cover) => number) => parts.reduce((total, part) => total + of(part.cover), 0)
  return {
    parts,
    cover: {
      free: sum(({ free }) => free),
      paid: sum(({ paid }) => paid),
      totalPence: sum(({ totalPence }) => totalPence),
      fromCreditPence: sum(({ fromCreditPence }) => fromCreditPence),
      overagePence: sum(({ overagePence }) => overagePence),
      creditLeftPence: left.creditPence,
      shortfallPence: sum(({ shortfallPence }) => shortfallPence),
    },
  }
}

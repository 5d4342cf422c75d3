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

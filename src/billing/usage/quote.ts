import type { Family } from '../../lib/kinds.ts'
import { LIMITS } from '../../limits.ts'
import { type Account, overageLimitOf } from '../ledger/ledger.ts'
import type { Plan } from '../plans.ts'
import { price } from '../pricing.ts'

/** The price of records if they were sent now, in requests of the maximum size. Charges nothing. Pure. */
export function quote(plan: Plan, account: Account, family: Family, records: number) {
  const overageLimitPence = overageLimitOf(account, plan)
  let { includedPence, prepaidPence, freeUnitsUsed, overagePence: owedPence } = account
  let freeUnits = 0
  let fromCreditPence = 0
  let overagePence = 0
  /** The uncovered amount: beyond the credit on a plan without overage, or beyond the overage limit. */
  let shortfallPence = 0
  let requests = 0
  for (let left = records; left > 0; left -= LIMITS.requests.recordsMax) {
    requests++
    const units = Math.min(left, LIMITS.requests.recordsMax)
    const balance = { includedPence, prepaidPence, freeUnitsUsed, overagePence: owedPence, overageLimitPence }
    const priced = price(plan, balance, family, units)
    if (priced.refused) {
      // The request would be refused. The remaining credit still counts towards it after a top-up.
      const creditPence = includedPence + prepaidPence
      fromCreditPence += creditPence
      shortfallPence += priced.totalPence - creditPence
      includedPence = 0
      prepaidPence = 0
      continue
    }
    includedPence -= priced.fromIncludedPence
    prepaidPence -= priced.fromPrepaidPence
    freeUnitsUsed += priced.freeUnits
    freeUnits += priced.freeUnits
    fromCreditPence += priced.billing.charged_from_credit_pence
    overagePence += priced.billing.overage_pence
    owedPence += priced.billing.overage_pence
  }
  return {
    family,
    records,
    requests,
    unit_price_pence: plan.unit_price_pence[family],
    free_units: freeUnits,
    charged_from_credit_pence: fromCreditPence,
    overage_pence: overagePence,
    total_price_pence: fromCreditPence + overagePence + shortfallPence,
    shortfall_pence: shortfallPence,
    remaining_credit_pence: includedPence + prepaidPence,
    covered: shortfallPence === 0,
  }
}

/**
 * The price of a request. Pure; the numbered rules are those of README.md beside this file.
 *
 *  1. total = unit price × units = from credit + overage.
 *  2. Credit is used first, included before prepaid; overage only for the rest, where the plan allows it, and only
 *     until the overage owed reaches the account's limit.
 *  3. The remaining credit is never negative.
 *  4. A request is free as a whole or charged as a whole.
 */
import type { Family } from '../lib/kinds.ts'
import type { Plan } from './plans.ts'

export interface Billing {
  readonly charged: boolean
  readonly is_free: boolean
  readonly unit_price_pence: number
  readonly billable_units: number
  readonly total_price_pence: number
  readonly charged_from_credit_pence: number
  readonly overage_pence: number
  readonly remaining_credit_pence: number
}

/** The fields as JSON without braces. Runs for every request. */
export function billingText(billing: Billing): string {
  return `"charged":${billing.charged},"is_free":${billing.is_free},"unit_price_pence":${billing.unit_price_pence},"billable_units":${billing.billable_units},"total_price_pence":${billing.total_price_pence},"charged_from_credit_pence":${billing.charged_from_credit_pence},"overage_pence":${billing.overage_pence},"remaining_credit_pence":${billing.remaining_credit_pence}`
}

export interface Balance {
  readonly includedPence: number
  readonly prepaidPence: number
  readonly freeUnitsUsed: number
  /** Owed already, and how much may be owed. */
  readonly overagePence: number
  readonly overageLimitPence: number
}

export type Priced =
  | {
      readonly refused: false
      readonly billing: Billing
      readonly fromIncludedPence: number
      readonly fromPrepaidPence: number
      readonly freeUnits: number
    }
  | {
      readonly refused: true
      readonly totalPence: number
      readonly creditPence: number
      /** Overage left under the limit; 0 on plans without overage. */
      readonly overageLeftPence: number
    }

export function price(plan: Plan, balance: Balance, family: Family, units: number): Priced {
  const unitPricePence = plan.unit_price_pence[family]
  const creditPence = balance.includedPence + balance.prepaidPence
  const isFree = unitPricePence === 0 || balance.freeUnitsUsed + units <= plan.free_units
  const totalPence = isFree ? 0 : unitPricePence * units
  const overageLeftPence = plan.overage_allowed ? Math.max(0, balance.overageLimitPence - balance.overagePence) : 0
  if (!isFree && totalPence - creditPence > overageLeftPence) {
    return { refused: true, totalPence, creditPence, overageLeftPence }
  }
  const fromIncludedPence = Math.min(totalPence, balance.includedPence)
  const fromPrepaidPence = Math.min(totalPence - fromIncludedPence, balance.prepaidPence)
  const fromCreditPence = fromIncludedPence + fromPrepaidPence
  return {
    refused: false,
    billing: {
      charged: !isFree,
      is_free: isFree,
      unit_price_pence: unitPricePence,
      billable_units: units,
      total_price_pence: totalPence,
      charged_from_credit_pence: fromCreditPence,
      overage_pence: totalPence - fromCreditPence,
      remaining_credit_pence: creditPence - fromCreditPence,
    },
    fromIncludedPence,
    fromPrepaidPence,
    freeUnits: isFree ? units : 0,
  }
}

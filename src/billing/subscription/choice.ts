/** The effect of choosing a plan. Pure: used by the change itself and by the pages that announce it. */
import { type Paid, priceOf } from '../invoices/invoices.ts'
import type { Plan } from '../plans.ts'

export const BEGINNINGS = ['now', 'when_paid', 'next_month'] as const

/** Invoices the unpaid part of this month's price; the plan begins at once when nothing is unpaid. */
export function purchaseOf(
  plan: Plan,
  paid: Paid,
  terms: { readonly creditBeforePaymentPence: number; readonly onTerms?: boolean },
) {
  const { coveredPence, everPaid } = paid
  const invoicePence = Math.max(0, priceOf(plan, paid) - coveredPence)
  const trusted = !everPaid && coveredPence === 0 && terms.creditBeforePaymentPence > 0
  const begins: (typeof BEGINNINGS)[number] = invoicePence === 0 || terms.onTerms || trusted ? 'now' : 'when_paid'
  return { begins, invoicePence }
}

/** A paid month is kept: a cheaper plan begins with the next month. */
export function waitsForNextMonth(hasMonth: boolean, current: Plan, plan: Plan): boolean {
  return hasMonth && plan.monthly_price_pence < current.monthly_price_pence
}

/** Returns true if there is a subscription to end: one that runs, or one that waits for its payment. */
export function canEnd(
  facts: {
    readonly subscription: { readonly endsAtMs: number | null } | undefined
    readonly deactivated: boolean
    readonly waits: boolean
  },
  nowMs: number,
): boolean {
  if (!facts.subscription) return false
  const { endsAtMs } = facts.subscription
  return facts.waits || !(facts.deactivated || (endsAtMs !== null && endsAtMs <= nowMs))
}

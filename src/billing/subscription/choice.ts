/** What choosing a plan brings about. Pure: the change itself and the pages that announce it say the same. */
import { type Paid, priceOf } from '../invoices/invoices.ts'
import type { Plan } from '../plans.ts'

export const BEGINNINGS = ['now', 'when_paid', 'next_month'] as const

export interface Choice {
  readonly begins: (typeof BEGINNINGS)[number]
  /** What is invoiced at once; 0: nothing. */
  readonly invoicePence: number
}

/** The price that is still missing for this month is invoiced; where nothing is missing the plan begins at once. */
export function purchaseOf(
  plan: Plan,
  paid: Paid,
  terms: { readonly creditBeforePaymentPence: number; readonly onTerms?: boolean },
): Choice {
  const { coveredPence, everPaid } = paid
  const invoicePence = Math.max(0, priceOf(plan, paid) - coveredPence)
  const trusted = !everPaid && coveredPence === 0 && terms.creditBeforePaymentPence > 0
  return { begins: invoicePence === 0 || terms.onTerms || trusted ? 'now' : 'when_paid', invoicePence }
}

/** Whoever has a month that is paid for keeps it: a cheaper plan begins with the next one. */
export function waitsForNextMonth(hasMonth: boolean, present: Plan, plan: Plan): boolean {
  return hasMonth && plan.monthly_price_pence < present.monthly_price_pence
}

/** Whether there is a subscription to end: one that has not ended, or one that waits to be taken up again. */
export function canEnd(
  facts: {
    readonly subscription: { readonly endsAtMs: number | null } | undefined
    readonly deactivated: boolean
    /** A plan waits for its payment. */
    readonly waits: boolean
  },
  nowMs: number,
): boolean {
  if (!facts.subscription) return false
  const { endsAtMs } = facts.subscription
  return facts.waits || !(facts.deactivated || (endsAtMs !== null && endsAtMs <= nowMs))
}

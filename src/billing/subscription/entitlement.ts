/**
 * Entitlement: who is served, why not, what is owed and which credit exists. Pure, from facts alone. Every path that
 * changes a fact recomputes this in its transaction; what is stored elsewhere is a copy for the hot path.
 *
 *  1. The operator's blocks come first: disabled, then not yet approved.
 *  2. Nobody is served while a payment is disputed or an invoice is overdue, whatever was chosen or ended since.
 *  3. A subscription that has ended, or waits for its first payment, is not served.
 *  4. An organisation without a subscription is served by the operator's arrangement.
 *  5. Included credit and overage belong to a month whose price is invoiced on terms or paid in advance. Without that
 *     a paid plan gives neither, nor free units: prepaid credit alone is left. The same holds while an invoice whose
 *     payment was lost in a dispute is unpaid.
 *  6. Before the first payment a paid plan gives the credit the operator's settings allow, no overage, no free units.
 *  7. Overage is limited by the plan, or as the operator says; the owner may lower that.
 */
import type { OrganisationState, StateReason } from '../../access/organisation-state.ts'
import { periodOf } from '../../lib/clock.ts'
import type { Invoice } from '../invoices/invoices.ts'
import { periodEndMs } from '../period.ts'
import type { Plan } from '../plans.ts'

export interface EntitlementFacts {
  readonly disabled: boolean
  readonly awaitingApproval: boolean
  readonly deactivated: boolean
  readonly plan: Plan
  /** `givenAtMs` is null while it waits for its first payment, `endsAtMs` without a chosen end. */
  readonly subscription: { readonly givenAtMs: number | null; readonly endsAtMs: number | null } | undefined
  /** Open invoices, the earliest due first. */
  readonly open: readonly OpenInvoice[]
  readonly disputed: boolean
  /** The price of the current month, and the part that is invoiced on terms, paid or waived, and not refunded. */
  readonly pricePence: number
  readonly coveredPence: number
  /** True once any plan price was paid. */
  readonly everPaid: boolean
  readonly creditBeforePaymentPence: number
  readonly ownerOverageLimitPence: number | null
  readonly operatorOverageLimitPence: number | null
}

type OpenInvoice = Pick<Invoice, 'id' | 'number' | 'kind' | 'total_pence' | 'due_at' | 'in_advance' | 'reopened'>

export interface Entitlement {
  readonly state: OrganisationState
  /** Why it is not active; null while it is. */
  readonly reason: StateReason | null
  /** When that began, if known. */
  readonly sinceMs: number | null
  /** The next time at which this can change without a change of facts; null: never. */
  readonly untilMs: number | null
  readonly owedPence: number
  /** The invoice to pay first: an overdue one, the invoice of a waiting plan, or one whose payment was lost. */
  readonly payFirst: OpenInvoice | null
  /** The month's included credit and the limit of overage; null: as the plan says. */
  readonly monthlyCreditPence: number | null
  readonly overageLimitPence: number | null
}

export function entitlementAt(facts: EntitlementFacts, nowMs: number): Entitlement {
  const owed = facts.open.filter((invoice) => !invoice.in_advance)
  const overdue = owed.find((invoice) => invoice.due_at <= nowMs)
  const waiting = facts.open.find((invoice) => invoice.in_advance && invoice.kind === 'subscription')
  return {
    ...stateOf(facts, overdue, waiting, nowMs),
    untilMs: untilOf(facts, owed, nowMs),
    owedPence: owed.reduce((sum, invoice) => sum + invoice.total_pence, 0),
    payFirst: overdue ?? waiting ?? owed.find((invoice) => invoice.reopened) ?? owed[0] ?? null,
    ...allowanceOf(facts),
  }
}

function stateOf(
  facts: EntitlementFacts,
  overdue: OpenInvoice | undefined,
  waiting: OpenInvoice | undefined,
  nowMs: number,
): Pick<Entitlement, 'state' | 'reason' | 'sinceMs'> {
  const inactive = (reason: StateReason, sinceMs: number | null = null) =>
    ({ state: 'inactive', reason, sinceMs }) as const
  if (facts.disabled) return { state: 'disabled', reason: 'disabled', sinceMs: null }
  if (facts.awaitingApproval) return inactive('awaiting_approval')
  if (facts.disputed) return inactive('disputed')
  if (overdue) return inactive('overdue', overdue.due_at)
  const { subscription } = facts
  const endedAtMs = subscription?.endsAtMs ?? null
  if (endedAtMs !== null && endedAtMs <= nowMs) return inactive(waiting ? 'first_payment' : 'ended', endedAtMs)
  if (facts.deactivated) return inactive(waiting ? 'first_payment' : 'deactivated')
  if (subscription?.givenAtMs === null) return inactive('first_payment')
  return { state: 'active', reason: null, sinceMs: null }
}

/** The chosen end, due dates and, for subscribers, the end of the month. */
function untilOf(facts: EntitlementFacts, owed: readonly OpenInvoice[], nowMs: number): number | null {
  const times = owed.map((invoice) => invoice.due_at)
  if (facts.subscription) {
    times.push(periodEndMs(periodOf(nowMs)))
    if (facts.subscription.endsAtMs !== null) times.push(facts.subscription.endsAtMs)
  }
  const future = times.filter((timeMs) => timeMs > nowMs)
  return future.length === 0 ? null : Math.min(...future)
}

/** The price of the current month is paid or invoiced on terms, and no payment was lost since. */
export function isMonthPaid({ coveredPence, pricePence, open }: EntitlementFacts): boolean {
  return coveredPence >= pricePence && !open.some((invoice) => invoice.reopened)
}

function allowanceOf(facts: EntitlementFacts): Pick<Entitlement, 'monthlyCreditPence' | 'overageLimitPence'> {
  const { plan } = facts
  const paidPlan = facts.subscription !== undefined && facts.pricePence > 0
  if (paidPlan && !isMonthPaid(facts)) return { monthlyCreditPence: 0, overageLimitPence: 0 }
  if (paidPlan && !facts.everPaid) {
    const monthlyCreditPence = Math.min(facts.creditBeforePaymentPence, plan.included_credit_pence)
    return { monthlyCreditPence, overageLimitPence: 0 }
  }
  const { ownerOverageLimitPence: owner, operatorOverageLimitPence: operator } = facts
  if (owner === null) return { monthlyCreditPence: null, overageLimitPence: operator }
  const highest = operator ?? plan.overage_limit_pence ?? Number.MAX_SAFE_INTEGER
  return { monthlyCreditPence: null, overageLimitPence: Math.min(owner, highest) }
}

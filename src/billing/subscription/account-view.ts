/** An account as its owner and the operator see it. */
import { STATE_REASONS, type StateReason } from '../../access/organisation-state.ts'
import { requireOrganisation } from '../../identity/organisation/organisations.ts'
import { iso, isoOrNull } from '../../lib/clock.ts'
import { invoiceView } from '../invoices/invoice-view.ts'
import { planOf, readAccount } from '../ledger/accounts.ts'
import { termsOf } from '../ledger/ledger.ts'
import { periodEndMs, periodStartMs } from '../period.ts'
import { totalOfMonth } from '../usage/usage.ts'
import { canEnd, purchaseOf, waitsForNextMonth } from './choice.ts'
import { entitlementAt, isMonthPaid } from './entitlement.ts'
import {
  type AccountDependencies,
  applyDueChanges,
  overageToInvoice,
  readEntitlement,
  type Subscription,
  subscriptions,
} from './open-account.ts'
import { offeredPlans } from './subscription.ts'

export async function billingView(deps: AccountDependencies, organisationId: string) {
  await applyDueChanges(deps, organisationId)
  const account = await readAccount(deps, organisationId)
  const [{ overagePence }, subscription, organisation] = await Promise.all([
    totalOfMonth(deps.sql, organisationId, account.period),
    subscriptions.find(deps.sql, { organisationId }),
    requireOrganisation(deps.sql, organisationId),
  ])
  const plan = planOf(deps.plans, account)
  return {
    organisation_id: organisationId,
    state: organisation.state,
    plan,
    credit_pence: account.includedPence + account.prepaidPence,
    included_credit_pence: account.includedPence,
    prepaid_credit_pence: account.prepaidPence,
    overage_pence: overagePence,
    overage_owed_pence: account.overagePence,
    free_units: plan.free_units,
    free_units_used: account.freeUnitsUsed,
    free_units_left: Math.max(0, termsOf(account, plan).free_units - account.freeUnitsUsed),
    period: {
      month: account.period,
      starts_at: iso(periodStartMs(account.period)),
      ends_at: iso(periodEndMs(account.period)),
    },
    subscription: subscription ? await subscriptionView(deps, deps.sql, subscription, plan.id) : null,
  }
}

export async function subscriptionView(
  deps: AccountDependencies,
  sql: Parameters<typeof readEntitlement>[0],
  subscription: Subscription,
  planId: string,
) {
  const { entitlement: now, atMs } = await readEntitlement(sql, deps, subscription.organisationId, deps.clock.now())
  const ended = subscription.endsAtMs !== null && subscription.endsAtMs <= atMs
  return {
    status: ended ? 'ended' : statusOf(now.reason),
    plan: planId,
    next_plan: subscription.nextPlanId,
    ends_at: ended ? null : isoOrNull(subscription.endsAtMs),
    started_at: iso(subscription.startedAtMs),
    stopped_at: isoOrNull(ended ? subscription.endsAtMs : now.sinceMs),
    provider: subscription.provider,
  }
}

function statusOf(reason: StateReason | null): 'active' | 'pending' | 'past_due' | 'ended' {
  if (reason === 'first_payment') return 'pending'
  if (reason === 'deactivated') return 'ended'
  return reason === 'overdue' || reason === 'disputed' ? 'past_due' : 'active'
}

export async function standingView(deps: AccountDependencies, organisationId: string) {
  await applyDueChanges(deps, organisationId)
  const { entitlement: now, ...known } = await readEntitlement(deps.sql, deps, organisationId, deps.clock.now())
  const { facts, open, account } = known
  const { plan } = facts
  const limit = plan.overage_allowed ? (now.overageLimitPence ?? plan.overage_limit_pence ?? null) : 0
  const waiting = open.find((invoice) => invoice.in_advance && invoice.kind === 'subscription')
  const first = open.find((invoice) => invoice === now.payFirst)
  return {
    state: now.state,
    served: now.state === 'active',
    reason: now.reason,
    detail: now.reason === null ? null : STATE_REASONS[now.reason],
    owed_pence: now.owedPence,
    pay_first: first ? invoiceView(first) : null,
    waiting_plan: waiting?.lines[0]?.plan_id ?? null,
    month_paid: facts.subscription === undefined || isMonthPaid(facts),
    overage_limit_pence: limit,
    overage_left_pence: limit === null ? null : Math.max(0, limit - account.overagePence),
  }
}

/** The effect of choosing each plan, and of ending the subscription, now. */
export async function choicesView(deps: AccountDependencies, organisationId: string) {
  await applyDueChanges(deps, organisationId)
  const now = await readEntitlement(deps.sql, deps, organisationId, deps.clock.now())
  const { facts, open, paid, account, subscription, atMs } = now
  // Like the change itself, without the operator's blocks.
  const { state } = entitlementAt({ ...facts, disabled: false, awaitingApproval: false }, atMs)
  const running = subscription !== undefined && state === 'active'
  const hasMonth = running && facts.coveredPence >= facts.pricePence
  const nextMonth = iso(periodEndMs(account.period))
  const data = offeredPlans(deps, facts.plan).map((plan) => {
    const later = waitsForNextMonth(hasMonth, facts.plan, plan)
    const { begins, invoicePence } = later
      ? { begins: 'next_month' as const, invoicePence: 0 }
      : purchaseOf(plan, paid, facts)
    return {
      plan: plan.id,
      begins,
      begins_at: later ? nextMonth : null,
      invoice_pence: invoicePence,
      next_invoice_pence: plan.monthly_price_pence,
      next_invoice_at: nextMonth,
    }
  })
  const waits = open.some((invoice) => invoice.in_advance && invoice.kind === 'subscription')
  const ending = canEnd({ ...facts, waits }, atMs)
    ? {
        ends_at: running ? nextMonth : null,
        invoice_now_pence: Math.max(0, await overageToInvoice(deps.sql, account, account.period)),
      }
    : null
  return { data, ending }
}

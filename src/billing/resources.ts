import type { OrganisationState } from '../access/organisation-state.ts'
import { Problem } from '../errors.ts'
import type { Alert } from './alerts/alerts.ts'
import type { Invoice } from './invoices/invoices.ts'
import type { BillingStore, EntryRow } from './ledger/accounts.ts'
import type { Account } from './ledger/ledger.ts'
import { nextPeriod, periodEndMs, periodStartMs } from './period.ts'
import type { Plan } from './plans.ts'
import type { EntryView } from './schema.ts'
import type { Subscription } from './subscription/subscription.ts'

/** What billing routes share: accounts, entries and the rest as the API shows them. */

export async function accountOf(
  deps: { readonly accounts: Pick<BillingStore, 'readAccount'> },
  organisationId: string,
): Promise<Account> {
  const account = await deps.accounts.readAccount(organisationId)
  if (!account) throw new Problem('not_found', { detail: 'The organisation has no billing account.' })
  return account
}

export function periodView(month: string) {
  return {
    month,
    starts_at: new Date(periodStartMs(month)).toISOString(),
    ends_at: new Date(periodEndMs(month)).toISOString(),
  }
}

export function accountView(input: {
  readonly account: Account
  readonly plan: Plan
  readonly state: OrganisationState
  readonly overagePence: number
  readonly subscription: Subscription | undefined
}) {
  const { account, plan } = input
  return {
    organisation_id: account.organisationId,
    state: input.state,
    plan,
    credit_pence: account.includedPence + account.prepaidPence,
    included_credit_pence: account.includedPence,
    prepaid_credit_pence: account.prepaidPence,
    overage_pence: input.overagePence,
    overage_owed_pence: account.overagePence,
    free_units: plan.free_units,
    free_units_used: account.freeUnitsUsed,
    free_units_left: Math.max(0, plan.free_units - account.freeUnitsUsed),
    period: periodView(account.period),
    subscription: input.subscription ? subscriptionView(input.subscription, account.planId) : null,
  }
}

const iso = (timeMs: number | null) => (timeMs === null ? null : new Date(timeMs).toISOString())

export function subscriptionView(subscription: Subscription, planId: string) {
  return {
    status: subscription.status,
    plan: planId,
    next_plan: subscription.nextPlanId,
    ends_at: subscription.endsAtPeriodEnd ? iso(periodEndMs(nextPeriod(subscription.closedPeriod))) : null,
    started_at: iso(subscription.startedAtMs),
    stopped_at: iso(subscription.stoppedAtMs),
    provider: subscription.provider,
  }
}

export function invoiceView(invoice: Invoice) {
  return {
    id: invoice.id,
    number: invoice.number,
    kind: invoice.kind,
    state: invoice.state,
    total_pence: invoice.total_pence,
    lines: invoice.lines,
    issued_at: iso(invoice.issued_at),
    due_at: iso(invoice.due_at),
    settled_at: iso(invoice.settled_at),
  }
}

export function alertView(alert: Alert) {
  return {
    id: alert.id,
    kind: alert.kind,
    threshold_pence: alert.threshold_pence,
    triggered: alert.triggered_at !== null,
    triggered_at: iso(alert.triggered_at),
    created_at: iso(alert.created_at),
  }
}

export function entryView(row: EntryRow): EntryView {
  return {
    id: row.id,
    number: row.seq,
    created_at: new Date(row.created_at).toISOString(),
    kind: row.kind,
    month: row.period,
    plan: row.plan_id,
    family: row.family,
    units: row.units,
    free_units: row.free_units,
    unit_price_pence: row.unit_price_pence,
    included_delta_pence: row.included_delta_pence,
    prepaid_delta_pence: row.prepaid_delta_pence,
    overage_delta_pence: row.overage_delta_pence,
    included_after_pence: row.included_after_pence,
    prepaid_after_pence: row.prepaid_after_pence,
    overage_after_pence: row.overage_after_pence,
    credential_id: row.credential_id,
    request_id: row.request_id,
    reference: row.reference,
    detail: row.detail,
  }
}

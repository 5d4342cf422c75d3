import type { OrganisationState } from '../identity/organisations.ts'
import type { Account } from './ledger.ts'
import { periodEndMs, periodStartMs } from './period.ts'
import type { Plan } from './plans.ts'
import type { EntryView } from './schema.ts'
import type { EntryRow } from './store.ts'

/** Accounts and entries as the API shows them. Pure. */

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

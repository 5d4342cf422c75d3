import type { Job } from '../jobs/runner.ts'
import { DAY_MS, MINUTE_MS } from '../lib/clock.ts'
import { invoiceName } from '../lib/money-text.ts'
import { lowCreditMaxPence, readAlerts, readFigures, watchCredit } from './alerts/alerts.ts'
import { findCollectable, noteTried, openDrafts } from './invoices/invoices.ts'
import type { PaymentProvider } from './payments/provider.ts'
import { type AccountDependencies, applyDueChanges, sendDraft } from './subscription/open-account.ts'
import { rollUpBusy } from './usage/usage.ts'

/** The billing job: usage rollup, month ends, overdue invoices, drafts, saved cards, alerts. Runs on one node. */
const TRY_AGAIN_MS = 3 * DAY_MS
const COLLECTED_AT_ONCE_MAX = 500
const SENT_AT_ONCE_MAX = 500
const LOOKED_AT_TOGETHER = 200
/** An open draft is sent after this long: until then it may be paid by card, or cancelled. */
const DRAFT_MS = 5 * MINUTE_MS

export interface BillingJobDependencies extends AccountDependencies {
  readonly payments: PaymentProvider
  readonly onError: (about: string, error: unknown) => void
}

export function createBillingJob(deps: BillingJobDependencies): Job {
  return { name: 'billing', periodMs: 5 * MINUTE_MS, run: (signal) => runBilling(deps, signal) }
}

/** A failure for one organisation does not stop the others. The run still counts as failed. */
export async function runBilling(deps: BillingJobDependencies, signal?: AbortSignal): Promise<void> {
  let failures = 0
  const { sql, clock } = deps
  const onError: BillingJobDependencies['onError'] = (about, error) => {
    failures++
    deps.onError(about, error)
  }
  /** Looks at the organisations that a query finds after the id $1. */
  const forEach = async (query: string, values: readonly number[], look: (id: string) => Promise<unknown>) => {
    for (let afterId: string | undefined = ''; afterId !== undefined; ) {
      const rows: { id: string }[] = await sql.query(`${query} limit ${LOOKED_AT_TOGETHER}`, [afterId, ...values])
      for (const { id } of rows) {
        if (signal?.aborted) return
        await look(id).catch((error: unknown) => onError(id, error))
      }
      afterId = rows.length < LOOKED_AT_TOGETHER ? undefined : rows.at(-1)?.id
    }
  }
  await rollUpBusy(sql, signal)
  const due = 'select id from organisation where id > $1 and state_until <= $2 order by id'
  await forEach(due, [clock.now()], (id) => applyDueChanges(deps, id))
  await sendDrafts({ ...deps, onError }, signal)
  await collectOpen({ ...deps, onError }, signal)
  const watching = 'select distinct organisation_id as id from billing_alert where organisation_id > $1 order by 1'
  await forEach(watching, [], async (id) => {
    await readAlerts(deps, { organisationId: id, figures: await readFigures(deps, id) })
  })
  // After the alerts, so that low credit is not reported twice. Skips accounts without changes since the last run.
  const low = `select organisation_id as id from billing_account where organisation_id > $1 and updated_at > $2
    and included_pence + prepaid_pence < $3 order by organisation_id`
  await forEach(low, [clock.now() - DAY_MS, lowCreditMaxPence(deps.plans)], (id) => watchCredit(deps, id))
  if (failures > 0) throw new Error(`billing failed for ${failures} organisations or invoices; the log names each`)
}

async function sendDrafts(deps: BillingJobDependencies, signal?: AbortSignal): Promise<void> {
  for (const draft of await openDrafts(deps.sql, deps.clock.now() - DRAFT_MS, SENT_AT_ONCE_MAX)) {
    if (signal?.aborted) return
    await sendDraft(deps, draft).catch((error: unknown) => deps.onError(draft.id, error))
  }
}

async function collectOpen(deps: BillingJobDependencies, signal?: AbortSignal): Promise<void> {
  if (!deps.payments.collect) return
  const nowMs = deps.clock.now()
  const triedBeforeMs = nowMs - TRY_AGAIN_MS
  const open = await findCollectable(deps.sql, {
    provider: deps.payments.name,
    triedBeforeMs,
    limit: COLLECTED_AT_ONCE_MAX,
  })
  for (const invoice of open) {
    if (signal?.aborted) return
    if (!(await noteTried(deps.sql, { id: invoice.id, nowMs, triedBeforeMs }))) continue
    try {
      await deps.payments.collect({
        invoiceId: invoice.id,
        organisationId: invoice.organisation_id,
        amountPence: invoice.total_pence,
        description: `Invoice ${invoiceName(invoice.number)}`,
        payer: invoice.payer,
        paymentMethod: invoice.payment_method,
      })
    } catch (error) {
      deps.onError(invoice.id, error)
    }
  }
}

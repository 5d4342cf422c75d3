import type { Job } from '../jobs/runner.ts'
import { DAY_MS, MINUTE_MS } from '../lib/clock.ts'
import { invoiceName } from '../lib/money-text.ts'
import { watchAlerts, watchCredit } from './alerts/alerts.ts'
import { findCollectable, noteTried, openDrafts } from './invoices/invoices.ts'
import type { PaymentProvider } from './payments/provider.ts'
import { type AccountDependencies, applyAllDueChanges, sendDraft } from './subscription/open-account.ts'
import { rollUpBusy } from './usage/usage.ts'

/** The billing job: usage rollup, month ends, overdue invoices, drafts, saved cards, alerts. Runs on one node. */
const TRY_AGAIN_MS = 3 * DAY_MS
const COLLECTED_AT_ONCE_MAX = 500
const SENT_AT_ONCE_MAX = 500
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
  const onError: BillingJobDependencies['onError'] = (about, error) => {
    failures++
    deps.onError(about, error)
  }
  await rollUpBusy(deps.sql, signal)
  await applyAllDueChanges(deps, { ...(signal && { signal }), onError })
  await sendDrafts({ ...deps, onError }, signal)
  await collectOpen({ ...deps, onError }, signal)
  await watchAlerts({ ...deps, onError }, signal)
  // After the alerts, so that low credit is not reported twice.
  await watchCredit({ ...deps, onError }, signal)
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

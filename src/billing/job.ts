import type { Job } from '../jobs/runner.ts'
import { DAY_MS, MINUTE_MS } from '../lib/clock.ts'
import { watchAlerts, watchCredit } from './alerts/alerts.ts'
import { findCollectable, noteTried } from './invoices/invoices.ts'
import type { PaymentProvider } from './payments/provider.ts'
import { type AccountDependencies, applyAllDueChanges } from './subscription/open-account.ts'
import { rollUpBusy } from './usage/usage.ts'

/** The billing job: usage rollup, month ends, overdue invoices, saved cards, alerts. Runs on one node. */
const TRY_AGAIN_MS = 3 * DAY_MS
const COLLECTED_AT_ONCE_MAX = 500

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
  await collectOpen({ ...deps, onError }, signal)
  await watchAlerts({ ...deps, onError }, signal)
  // After the alerts, so that low credit is not reported twice.
  await watchCredit({ ...deps, onError }, signal)
  if (failures > 0) throw new Error(`billing failed for ${failures} organisations or invoices; the log names each`)
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
        description: `Invoice ${invoice.number}`,
        payer: invoice.payer,
        paymentMethod: invoice.payment_method,
      })
    } catch (error) {
      deps.onError(invoice.id, error)
    }
  }
}

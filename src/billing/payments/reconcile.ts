/** Compares our payments, refunds and disputes with the provider's records. Changes nothing. */
import type { SqlQueries } from '../../db/sql.ts'
import { findPayment, type Payment, paymentsSince } from './payment-table.ts'
import type { ProviderRecords, RecordedDispute, RecordedPayment } from './provider.ts'
import { disputes, isLost, listDisputes } from './return-rows.ts'

export interface Difference {
  readonly reference: string
  /** Null where our side does not have it. */
  readonly organisation_id: string | null
  readonly problem: string
}

/** Undecided disputes of ours are compared whatever their age: they keep a customer from being served. */
const UNDECIDED_MAX = 1000

export async function reconcile(
  sql: SqlQueries,
  input: { readonly provider: string; readonly records: ProviderRecords; readonly sinceMs: number },
) {
  const { provider, records, sinceMs } = input
  const differences: Difference[] = []
  const compared = new Set<string>()
  for (const one of await records.paymentsSince(sinceMs)) {
    compared.add(one.reference)
    const own = await findPayment(sql, { provider, reference: one.reference })
    differences.push(...(await paymentDifferences(sql, own, one)))
  }
  for (const own of await paymentsSince(sql, provider, sinceMs)) {
    if (compared.has(own.reference)) continue
    compared.add(own.reference)
    const one = await records.payment(own.reference)
    if (one) differences.push(...(await paymentDifferences(sql, own, one)))
    else differences.push(differenceOf(own, 'is recorded here, and the provider has no such payment'))
  }
  const disputed = new Map((await records.disputesSince(sinceMs)).map((one) => [one.id, one]))
  for (const own of await listDisputes(sql, { undecided: true }, UNDECIDED_MAX)) {
    const one = own.provider === provider && !disputed.has(own.id) ? await records.dispute(own.id) : undefined
    if (one) disputed.set(one.id, one)
  }
  for (const one of disputed.values()) differences.push(...(await disputeDifferences(sql, provider, one)))
  return { payments: compared.size, disputes: disputed.size, differences }
}

const differenceOf = ({ reference, organisation_id }: Payment, problem: string): Difference => ({
  reference,
  organisation_id,
  problem,
})

async function paymentDifferences(
  sql: SqlQueries,
  own: Payment | undefined,
  { reference, invoiceId, amountPence, currency, refundedPence }: RecordedPayment,
): Promise<Difference[]> {
  if (!own) {
    const problem = `${amountPence} ${currency} for invoice ${invoiceId} were paid, and no payment is recorded here`
    return [{ reference, organisation_id: null, problem }]
  }
  const found: Difference[] = []
  if (own.amount_pence !== amountPence || own.currency !== currency) {
    found.push(differenceOf(own, `is ${amountPence} ${currency} there, and ${own.amount_pence} ${own.currency} here`))
  }
  // An earlier version counted the loss of a dispute as a refund.
  const countsLoss = own.refunded_pence > refundedPence && (await isLost(sql, own))
  if (own.refunded_pence !== refundedPence && !countsLoss) {
    found.push(differenceOf(own, `has ${refundedPence} pence refunded there, and ${own.refunded_pence} here`))
  }
  return found
}

async function disputeDifferences(sql: SqlQueries, provider: string, { id, reference, state }: RecordedDispute) {
  const payment = await findPayment(sql, { provider, reference })
  // A dispute of a payment that is for none of our invoices.
  if (!payment) return []
  const named = await disputes.find(sql, { id, provider })
  const own = named ?? (await disputes.find(sql, { id: reference, provider }))
  if (!own) return [differenceOf(payment, `has the dispute ${id}, ${state} there, which is not recorded here`)]
  if (own.state === state) return []
  return [differenceOf(payment, `has the dispute ${id}, ${state} there and ${own.state} here`)]
}

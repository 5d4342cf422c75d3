import { deletePast } from '../../db/purge.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, integer, orNull, text } from '../../db/table.ts'
import { DAY_MS } from '../../lib/clock.ts'
import type { Invoice } from '../invoices/invoices.ts'

export const PAYMENT_OUTCOMES = ['settled', 'credited', 'unmatched'] as const

export const payments = defineTable({
  name: 'payment',
  key: ['id'],
  time: 'received_at',
  columns: {
    id: text(),
    provider: text(),
    /** The provider's or the operator's name for it. */
    reference: text(),
    /** Null for a payment that matches no invoice. */
    organisation_id: orNull(text()),
    invoice_id: orNull(text()),
    amount_pence: integer(),
    currency: text(),
    outcome: text<(typeof PAYMENT_OUTCOMES)[number]>(),
    /** How much was refunded and how much was lost in disputes. The sum may exceed the amount. */
    refunded_pence: integer(),
    lost_pence: integer(),
    /** Since when a dispute of it is open; null without one. */
    disputed_at: orNull(integer()),
    received_at: integer(),
  },
})
/** Every genuine payment, whatever its outcome. */
export type Payment = EntityOf<typeof payments>

/** How much went back to the payer, and how much of that exceeds the payment. */
export const returnedPence = ({ refunded_pence, lost_pence }: Payment) => refunded_pence + lost_pence
export const overPence = (payment: Payment) => Math.max(0, returnedPence(payment) - payment.amount_pence)

export async function isDisputed(sql: SqlQueries, organisationId: string): Promise<boolean> {
  return (await payments.count(sql, { organisation_id: organisationId }, ' and disputed_at is not null')) > 0
}

/** The provider name of payments recorded by the operator. */
export const BY_HAND = 'operator'

export interface PaymentKey {
  readonly provider: string
  readonly reference: string
  readonly invoiceId?: string
}

/** A provider's references are unique; the operator's are unique within one invoice. */
export function findPayment(sql: SqlQueries, { provider, reference, invoiceId }: PaymentKey) {
  return payments.find(sql, { provider, reference, ...(provider === BY_HAND ? { invoice_id: invoiceId } : {}) })
}

export function paymentsSince(sql: SqlQueries, provider: string, timeMs: number): Promise<Payment[]> {
  return payments.where(sql, 'received_at >= $1 and provider = $2 order by received_at, id', [timeMs, provider])
}

export function settledBy(sql: SqlQueries, { id, payment_reference }: Invoice): Promise<Payment | undefined> {
  const named = payment_reference === null ? {} : { reference: payment_reference }
  return payments.find(sql, { invoice_id: id, outcome: 'settled', ...named })
}

/** Returns true if the message was not processed before, and marks it as processed. */
export async function firstTime(tx: Tx, eventId: string): Promise<boolean> {
  const seen = await tx.query(
    'insert into payment_event (id, received_at) values ($1, $2) on conflict do nothing returning id',
    [eventId, tx.nowMs],
  )
  return seen.length > 0
}

/** A provider repeats a message for days, and a person may have it sent again within a month. */
const EVENTS_KEPT_MS = 90 * DAY_MS

export function purgePaymentEvents(sql: SqlQueries, nowMs: number): Promise<number> {
  return deletePast(sql, { table: 'payment_event', key: 'id', time: 'received_at' }, nowMs - EVENTS_KEPT_MS)
}

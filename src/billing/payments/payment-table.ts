import type { SqlQueries } from '../../db/sql.ts'
import { defineTable, integer, orNull, text } from '../../db/table.ts'

export const PAYMENT_OUTCOMES = ['settled', 'credited', 'unmatched'] as const

/** Every genuine payment, whatever became of it. */
export interface Payment {
  readonly id: string
  readonly provider: string
  /** The provider's or the operator's name for it. */
  readonly reference: string
  /** Null where it matches nothing of ours. */
  readonly organisation_id: string | null
  readonly invoice_id: string | null
  readonly amount_pence: number
  readonly currency: string
  readonly outcome: (typeof PAYMENT_OUTCOMES)[number]
  /** How much of it went back to the payer. */
  readonly refunded_pence: number
  /** Since when the payer disputes it; null while nobody does. */
  readonly disputed_at: number | null
  /** When a dispute of it was decided: its beginning may be told later. */
  readonly dispute_closed_at: number | null
  readonly received_at: number
}

export const payments = defineTable<Payment>({
  name: 'payment',
  key: ['id'],
  time: 'received_at',
  columns: {
    id: text(),
    provider: text(),
    reference: text(),
    organisation_id: orNull(text()),
    invoice_id: orNull(text()),
    amount_pence: integer(),
    currency: text(),
    outcome: text<Payment['outcome']>(),
    refunded_pence: integer(),
    disputed_at: orNull(integer()),
    dispute_closed_at: orNull(integer()),
    received_at: integer(),
  },
})

export async function isDisputed(sql: SqlQueries, organisationId: string): Promise<boolean> {
  const found = await sql.query(
    'select id from payment where organisation_id = $1 and disputed_at is not null limit 1',
    [organisationId],
  )
  return found.length > 0
}

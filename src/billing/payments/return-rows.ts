/**
 * Refunds and disputes of payments, as rows that may exist before their payment. Rows only move forward (a larger total, a
 * later state), so every order and repetition of the messages leaves the same rows.
 */
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, integer, orNull, text } from '../../db/table.ts'
import { BY_HAND, type Payment } from './payment-table.ts'

/**
 * In the order in which a dispute moves through them; the latest reported state counts. An inquiry is a question of the
 * bank, which may become a dispute.
 */
export const DISPUTE_STATES = ['inquiry', 'inquiry_closed', 'open', 'won', 'lost'] as const
export type DisputeState = (typeof DISPUTE_STATES)[number]
export const isLater = (state: DisputeState, than: DisputeState) =>
  DISPUTE_STATES.indexOf(state) > DISPUTE_STATES.indexOf(than)
const isUndecided = (state: DisputeState) => state === 'open' || state === 'inquiry'

export const disputes = defineTable({
  name: 'payment_dispute',
  key: ['id', 'provider'],
  time: 'opened_at',
  columns: {
    /** The provider's name for it; equals `reference` where an earlier version did not store the name. */
    id: text(),
    provider: text(),
    reference: text(),
    /** Null where it is not known: then the whole payment. */
    amount_pence: orNull(integer()),
    state: text<DisputeState>(),
    opened_at: integer(),
    closed_at: orNull(integer()),
  },
})
export type Dispute = EntityOf<typeof disputes>

/** Names the payment in its rows. The operator's references are unique only within one invoice. */
export interface ReturnKey {
  readonly provider: string
  readonly reference: string
}
export const returnKey = ({ id, provider, reference }: Payment): ReturnKey => ({
  provider,
  reference: provider === BY_HAND ? id : reference,
})

/**
 * Stores a total of refunds, and returns the largest so far. Locks the row until the commit: of two messages about one
 * payment that arrive together, the second sees what the first one stored. So every message comes by here, with 0 if it
 * is about something else.
 */
export async function noteRefunded(tx: Tx, { provider, reference }: ReturnKey, pence: number): Promise<number> {
  const rows = await tx.query<{ refunded_pence: number }>(
    `insert into payment_refund (provider, reference, refunded_pence, told_at) values ($1, $2, $3, $4)
     on conflict (provider, reference) do update set
       told_at = case when excluded.refunded_pence > payment_refund.refunded_pence then excluded.told_at
         else payment_refund.told_at end,
       refunded_pence = case when excluded.refunded_pence > payment_refund.refunded_pence then excluded.refunded_pence
         else payment_refund.refunded_pence end
     returning refunded_pence`,
    [provider, reference, pence, tx.nowMs],
  )
  return rows[0]!.refunded_pence
}

export interface ToldDispute {
  readonly id: string
  readonly state: DisputeState
  readonly amountPence: number | null
}

/** Stores the state of a dispute; returns the dispute if its state has changed. */
export async function noteDispute(tx: Tx, key: ReturnKey, told: ToldDispute): Promise<Dispute | undefined> {
  const own = await disputes.find(tx, { id: told.id, provider: key.provider })
  // An earlier version stored an open dispute without its name: the first message with a name is about that one.
  const unnamed = own ? undefined : await disputes.find(tx, { ...key, id: key.reference, state: 'open' })
  if (unnamed) await disputes.delete(tx, { id: unnamed.id, provider: unnamed.provider })
  const known = own ?? unnamed
  const state = known && !isLater(told.state, known.state) ? known.state : told.state
  const amounts = [known?.amount_pence, told.amountPence].filter((pence) => typeof pence === 'number')
  const dispute: Dispute = {
    ...key,
    ...known,
    id: told.id,
    state,
    amount_pence: amounts.length === 0 ? null : Math.max(...amounts),
    opened_at: known?.opened_at ?? tx.nowMs,
    closed_at: isUndecided(state) ? null : (known?.closed_at ?? tx.nowMs),
  }
  await disputes.upsert(tx, [dispute])
  return known?.state === state ? undefined : dispute
}

const PER_PAYMENT_MAX = 100

export function disputesOf(sql: SqlQueries, { provider, reference }: ReturnKey): Promise<Dispute[]> {
  return disputes.list(sql, { provider, reference }, { order: 'opened_at, id', limit: PER_PAYMENT_MAX })
}

export async function isLost(sql: SqlQueries, { provider, reference }: ReturnKey): Promise<boolean> {
  return (await disputes.count(sql, { provider, reference, state: 'lost' })) > 0
}

/** Newest first, of one organisation or of all. */
export async function listDisputes(
  sql: SqlQueries,
  query: { readonly organisationId?: string | undefined; readonly undecided?: boolean | undefined },
  limit: number,
): Promise<(Dispute & { readonly organisation_id: string | null })[]> {
  const { organisationId, undecided = false } = query
  const rows = await sql.query<{ organisation_id: string | null }>(
    `select ${disputes.columns('d')}, p.organisation_id from payment_dispute d
     ${organisationId === undefined ? 'left ' : ''}join payment p on p.provider = d.provider and p.reference = d.reference
     where ${organisationId === undefined ? '1 = 1' : 'p.organisation_id = $1'}
     ${undecided ? `and d.state in ('open', 'inquiry')` : ''} order by d.opened_at desc, d.id limit ${limit}`,
    organisationId === undefined ? [] : [organisationId],
  )
  return rows.map((row) => ({ ...disputes.fromRow(row), organisation_id: row.organisation_id }))
}

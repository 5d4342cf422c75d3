/** Marks of processed provider messages, so that each is processed once. */
import { deleteInSteps, PURGE_BATCH } from '../../db/purge.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { DAY_MS } from '../../lib/clock.ts'

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

/** Deletes the marks of messages that nobody will send again; returns how many. */
export function purgePaymentEvents(sql: SqlQueries, nowMs: number): Promise<number> {
  return deleteInSteps(
    sql,
    `delete from payment_event where id in
       (select id from payment_event where received_at <= $1 order by received_at limit ${PURGE_BATCH})
     returning 1 as one`,
    nowMs - EVENTS_KEPT_MS,
  )
}

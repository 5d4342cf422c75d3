/**
 * Events: what a customer wants to know, written in the transaction of its cause.
 *
 *  1. An event exists exactly when its cause was committed.
 *  2. Its number is taken last in the transaction (Tx.lastly): an event with a higher number was committed later, so a
 *     reader who continues after the last number that they saw misses none.
 *  3. The same transaction puts one message into the outbox for each webhook that wants the event.
 *  4. No event contains an indicator that was checked.
 */
import type { SqlTransaction, Tx } from '../db/sql.ts'
import { randomBase62, toBase62 } from '../lib/ids.ts'
import { events, idOf, type StoredEvent } from './events.ts'
import { queueFor } from './subscribers.ts'
import { type DataOf, type EventType, type PersonalEventType, summaryOf } from './types.ts'

export function emit<T extends EventType>(
  tx: Tx,
  { organisationId, type, data }: { readonly organisationId: string; readonly type: T; readonly data: DataOf<T> },
): void {
  put(tx, organisationId, type, data)
}

/** Writes an event into the inbox of one person. */
export function emitToPerson<T extends PersonalEventType>(
  tx: Tx,
  { personId, type, data }: { readonly personId: string; readonly type: T; readonly data: DataOf<T> },
): void {
  put(tx, personId, type, data)
}

type Unnumbered = Omit<StoredEvent, 'seq' | 'id'>

/** After the audit log, whose rows every other change locks last. */
const RANK = 1

function put<T extends EventType | PersonalEventType>(tx: Tx, owner: string, type: T, data: DataOf<T>): void {
  tx.lastly(writeEvents, unnumbered(owner, type, data, tx.nowMs), RANK)
}

function unnumbered<T extends EventType | PersonalEventType>(owner: string, type: T, data: DataOf<T>, nowMs: number) {
  return { owner, type, data: { ...data, summary: summaryOf(type, data) }, created_at: nowMs } satisfies Unnumbered
}

/** Rules 2 and 3. Counters are locked in the order of their owners. */
async function writeEvents(tx: SqlTransaction, added: readonly Unnumbered[]): Promise<void> {
  const byOwner = [...Map.groupBy(added, ({ owner }) => owner)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [owner, ofOwner] of byOwner) {
    // Each further round emits events for webhooks that the round before has disabled.
    for (let left: readonly Unnumbered[] = ofOwner; left.length > 0; ) {
      const nowMs = left[0]!.created_at
      const disabled = await queueFor(tx, owner, await numberAll(tx, owner, left))
      left = disabled.map((data) => unnumbered(owner, 'webhook.disabled', data, nowMs))
    }
  }
}

async function numberAll(tx: SqlTransaction, owner: string, added: readonly Unnumbered[]): Promise<StoredEvent[]> {
  const rows = await tx.query<{ seq: number }>(
    `insert into event_counter (owner, seq) values ($1, $2)
     on conflict (owner) do update set seq = event_counter.seq + excluded.seq returning seq`,
    [owner, added.length],
  )
  const before = Number(rows[0]?.seq) - added.length
  const numbered = added.map((one, at): StoredEvent => {
    const seq = before + at + 1
    return { ...one, seq, id: idOf(randomBase62(12), toBase62(seq, 8)) }
  })
  for (const one of numbered) await events.insert(tx, one)
  return numbered
}

/** Stored events: reading in their order, an inbox for each person, and the end after 90 days. */
import { deletePast } from '../db/purge.ts'
import type { SqlQueries, Tx } from '../db/sql.ts'
import { defineTable, type EntityOf, integer, json, text } from '../db/table.ts'
import { DAY_MS, iso } from '../lib/clock.ts'
import { fromBase62 } from '../lib/ids.ts'
import { MONEY_EVENTS } from './types.ts'

export const EVENT_DAYS = 90

export const events = defineTable({
  name: 'event',
  key: ['owner', 'seq'],
  columns: {
    owner: text(),
    seq: integer(),
    id: text(),
    type: text(),
    data: json<Readonly<Record<string, unknown>>>(),
    created_at: integer(),
  },
})
export type StoredEvent = EntityOf<typeof events>

/** The id ends with the number, so that a reader can continue after an event that was deleted meanwhile. */
export const idOf = (random: string, number: string) => `evt_${random}${number}`
const EVENT_ID = /^evt_[0-9A-Za-z]{12}([0-9A-Za-z]{8})$/

/** The number in an event's id; undefined for other text. */
export function seqOf(id: string): number | undefined {
  const digits = EVENT_ID.exec(id)?.[1]
  return digits === undefined ? undefined : fromBase62(digits)
}

/** An event as everybody gets it: API, webhooks, inbox. */
export const eventView = ({ id, type, created_at, data }: Omit<StoredEvent, 'owner' | 'seq'>) => ({
  id,
  type,
  timestamp: iso(created_at),
  data,
})
export type EventView = ReturnType<typeof eventView>

/** Events about money need a right of their own. */
export interface Reader {
  readonly seesMoney: boolean
}

const MONEY_TYPES = [...MONEY_EVENTS].map((type) => `'${type}'`).join(', ')
const readableBy = ({ seesMoney }: Reader) => (seesMoney ? '' : `and type not in (${MONEY_TYPES})`)

/** The next events after a number, oldest first, without those that the reader may not see. */
export async function readEvents(
  sql: SqlQueries,
  owner: string,
  { afterSeq, limit, ...reader }: Reader & { readonly afterSeq: number; readonly limit: number },
) {
  const clause = `owner = $1 and seq > $2 ${readableBy(reader)} order by seq limit ${limit + 1}`
  const found = await events.where(sql, clause, [owner, afterSeq])
  return { events: found.slice(0, limit), hasMore: found.length > limit }
}

/** Up to this many are counted and shown as unread. */
export const UNREAD_MAX = 100

/** Above every number, in the 15 digits of a page's end. */
const HIGHEST_SEQ = 999_999_999_999_999

interface Inbox extends Reader {
  readonly personId: string
  /** Undefined where the person may not read the events of the organisation. */
  readonly organisationId: string | undefined
}

const ownersOf = ({ personId, organisationId }: Inbox) =>
  organisationId === undefined ? [personId] : [personId, organisationId]

/** The newest events of the organisation and of the person, each with its read mark; `before`: an earlier page's end. */
export async function readInbox(
  sql: SqlQueries,
  inbox: Inbox,
  { before, limit }: { before?: string | undefined; limit: number },
) {
  const ends = before?.split('.').map(Number)
  const lists = await Promise.all(
    ownersOf(inbox).map(async (owner, at) => {
      const beforeSeq = ends ? (ends[at] ?? 0) : HIGHEST_SEQ
      const isUnread = await unreadBy(sql, inbox.personId, owner)
      return { left: await newest(sql, owner, limit + 1, inbox, beforeSeq), endSeq: beforeSeq, isUnread }
    }),
  )
  const entries: { readonly event: StoredEvent; readonly unread: boolean }[] = []
  const withMore = () => lists.filter(({ left }) => left.length > 0)
  for (let shown = 0; shown < limit && withMore().length > 0; shown++) {
    // Each list stays in the order of its numbers, which its times need not have.
    const list = withMore().reduce((one, other) => (other.left[0]!.created_at > one.left[0]!.created_at ? other : one))
    const event = list.left.shift()!
    list.endSeq = event.seq
    entries.push({ event, unread: list.isUnread(event) })
  }
  return { entries, next: withMore().length > 0 ? lists.map(({ endSeq }) => endSeq).join('.') : null }
}

/**
 * True for events that the person has not read. A person who never opened the inbox has read all from before they
 * joined.
 */
async function unreadBy(sql: SqlQueries, personId: string, owner: string): Promise<(event: StoredEvent) => boolean> {
  const [read] = await sql.query<{ seq: number }>('select seq from event_read where person_id = $1 and owner = $2', [
    personId,
    owner,
  ])
  if (read) return ({ seq }) => seq > Number(read.seq)
  const [joined] = await sql.query<{ created_at: number }>(
    'select created_at from membership where person_id = $1 and organisation_id = $2',
    [personId, owner],
  )
  return ({ created_at }) => created_at >= Number(joined?.created_at ?? 0)
}

const newest = (sql: SqlQueries, owner: string, limit: number, reader: Reader, beforeSeq = HIGHEST_SEQ) =>
  events.where(sql, `owner = $1 and seq < $2 ${readableBy(reader)} order by seq desc limit ${limit}`, [
    owner,
    beforeSeq,
  ])

/** At most `UNREAD_MAX`. */
export async function countUnread(sql: SqlQueries, inbox: Inbox): Promise<number> {
  let unread = 0
  for (const owner of ownersOf(inbox)) {
    const isUnread = await unreadBy(sql, inbox.personId, owner)
    unread += (await newest(sql, owner, UNREAD_MAX, inbox)).filter(isUnread).length
  }
  return Math.min(unread, UNREAD_MAX)
}

export async function markRead(tx: Tx, inbox: Inbox): Promise<void> {
  for (const owner of ownersOf(inbox)) {
    await tx.query(
      `insert into event_read (person_id, owner, seq)
         select $1, owner, seq from event_counter where owner = $2
       on conflict (person_id, owner) do update set seq = excluded.seq`,
      [inbox.personId, owner],
    )
  }
}

export async function wasEmittedSince(sql: SqlQueries, owner: string, type: string, sinceMs: number): Promise<boolean> {
  const rows = await sql.query('select seq from event where owner = $1 and type = $2 and created_at >= $3 limit 1', [
    owner,
    type,
    sinceMs,
  ])
  return rows.length > 0
}

/** The newest events of an owner since a time that the reader may see, at most `limit`, oldest first. */
export async function eventsSince(
  sql: SqlQueries,
  owner: string,
  { sinceMs, limit, ...reader }: Reader & { readonly sinceMs: number; readonly limit: number },
): Promise<StoredEvent[]> {
  const found = await newest(sql, owner, limit, reader)
  return found.filter(({ created_at }) => created_at >= sinceMs).reverse()
}

export function purgeEvents(sql: SqlQueries, nowMs: number): Promise<number> {
  return deletePast(sql, { table: 'event', key: 'owner, seq', time: 'created_at' }, nowMs - EVENT_DAYS * DAY_MS)
}

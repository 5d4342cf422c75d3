/**
 * The outbox: a queue of messages that leave this server.
 *
 *  1. A message is written in the transaction of its cause: both exist or neither.
 *  2. It is sent afterwards, by one node at a time. After a crash it may arrive twice; it is never lost before it
 *     expires.
 *  3. The writer of a message seals secrets that must not be readable in the database (a link that works once). They
 *     are deleted once the message is sent, failed or expired, and so are the facts of a mail: they name people.
 */
import { deleteInSteps, PURGE_BATCH } from '../db/purge.ts'
import { resealed, type SealedColumn } from '../db/reseal.ts'
import type { SqlQueries, Tx } from '../db/sql.ts'
import { defineTable, type EntityOf, integer, json, orNull, type Page, type PageOptions, text } from '../db/table.ts'
import { DAY_MS } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { Ring } from '../lib/seal.ts'

const CHANNELS = ['mail', 'webhook'] as const
export type Channel = (typeof CHANNELS)[number]

/** One attempt to deliver a message, where its channel keeps a log. */
export interface Attempt {
  readonly at: string
  /** The answer's HTTP status; null without an answer. */
  readonly status: number | null
  readonly duration_ms: number
  /** The first characters of the answer. */
  readonly answer: string
  /** Why there was no answer; null with one. */
  readonly error: string | null
}

export const MESSAGE_STATES = ['waiting', 'sent', 'failed', 'expired'] as const
export type MessageState = (typeof MESSAGE_STATES)[number]

const outbox = defineTable({
  name: 'outbox_message',
  key: ['id'],
  columns: {
    id: text(),
    channel: text<Channel>(),
    kind: text(),
    recipient: text(),
    person_id: orNull(text()),
    organisation_id: orNull(text()),
    facts: json<Readonly<Record<string, unknown>>>(),
    sealed: orNull(text()),
    state: text<MessageState>(),
    attempts: integer(),
    created_at: integer(),
    due_at: integer(),
    expires_at: integer(),
    finished_at: orNull(integer()),
    error: orNull(text()),
    attempt_log: orNull(json<readonly Attempt[]>()),
  },
})
export type OutboxMessage = EntityOf<typeof outbox>

export interface NewMessage {
  readonly channel: Channel
  readonly kind: string
  readonly recipient: string
  readonly personId?: string | undefined
  readonly organisationId?: string | undefined
  readonly facts: Readonly<Record<string, unknown>>
  /** The result of `sealSecret`. */
  readonly sealed?: string | undefined
  readonly lifetimeMs: number
}

/** Rule 1. */
export function putMessage(tx: SqlQueries & Pick<Tx, 'nowMs'>, message: NewMessage): Promise<OutboxMessage> {
  return outbox.insert(tx, {
    id: newId('msg'),
    channel: message.channel,
    kind: message.kind,
    recipient: message.recipient,
    person_id: message.personId ?? null,
    organisation_id: message.organisationId ?? null,
    facts: message.facts,
    sealed: message.sealed ?? null,
    state: 'waiting',
    attempts: 0,
    created_at: tx.nowMs,
    due_at: tx.nowMs,
    expires_at: tx.nowMs + message.lifetimeMs,
    finished_at: null,
    error: null,
    attempt_log: null,
  })
}

const PURPOSE = 'messages that leave the server'

/** Rule 3; `recipient` is authenticated, so that a link cannot be moved into another person's message. */
export function sealSecret(ring: Ring, recipient: string, secret: string): string {
  return ring.seal(PURPOSE).seal(secret, recipient)
}

export function openSecret(ring: Ring, { recipient, sealed }: OutboxMessage): Promise<string | undefined> {
  return sealed === null ? Promise.resolve(undefined) : ring.seal(PURPOSE).open(sealed, recipient)
}

/** Counts the messages of these kinds that were written for a recipient since then. */
export async function countSince(sql: SqlQueries, recipient: string, kinds: readonly string[], sinceMs: number) {
  const rows = await sql.query<{ n: number }>(
    `select count(*) as n from outbox_message where recipient = $1 and created_at > $2
     and kind in (${kinds.map((_, at) => `$${at + 3}`).join(', ')})`,
    [recipient, sinceMs, ...kinds],
  )
  return Number(rows[0]?.n ?? 0)
}

/** True when this recipient got a message of this kind about an organisation since then. */
export async function wasToldSince(
  sql: SqlQueries,
  told: Pick<OutboxMessage, 'recipient' | 'organisation_id' | 'kind'>,
  sinceMs: number,
): Promise<boolean> {
  return (await outbox.count(sql, told, ` and created_at >= ${Math.floor(sinceMs)}`)) > 0
}

/** Due messages with or without a link, the longest waiting first, to nobody in `except`. */
export function dueMessages(
  sql: SqlQueries,
  channel: Channel,
  which: {
    readonly nowMs: number
    readonly links: boolean
    readonly limit: number
    readonly except: readonly string[]
  },
): Promise<OutboxMessage[]> {
  const { nowMs, links, limit, except } = which
  const others = except.length === 0 ? '' : `and recipient not in (${except.map((_, at) => `$${at + 4}`).join(', ')})`
  return outbox.where(
    sql,
    `channel = $1 and state = 'waiting' and due_at <= $2
     and sealed is ${links ? 'not null' : 'null'} ${others} order by due_at, id limit $3`,
    [channel, nowMs, limit, ...except],
  )
}

/** Recipients with due messages, the longest waiting first, and since when the first message of each is due. */
export function dueRecipients(sql: SqlQueries, channel: Channel, nowMs: number) {
  return sql.query<{ recipient: string; due_at: number }>(
    `select recipient, min(due_at) as due_at from outbox_message
     where channel = $1 and state = 'waiting' and due_at <= $2 group by recipient order by 2, 1`,
    [channel, nowMs],
  )
}

/** The due messages of one recipient, the longest waiting first. */
export function dueFor(sql: SqlQueries, recipient: string, nowMs: number, limit: number): Promise<OutboxMessage[]> {
  const clause = `recipient = $1 and state = 'waiting' and due_at <= $2 order by due_at limit $3`
  return outbox.where(sql, clause, [recipient, nowMs, limit])
}

/**
 * Claims a due message for an attempt, or ends it when it is too late or failed too often. `waitsMs`: the waits before
 * the second attempt, the third and so on. `elsewhere`: another sender has it.
 */
export async function takeMessage(
  sql: SqlQueries,
  message: OutboxMessage,
  { nowMs, waitsMs }: { readonly nowMs: number; readonly waitsMs: readonly number[] },
): Promise<'taken' | 'elsewhere' | 'expired' | 'failed'> {
  const { id, attempts, error } = message
  const end = async (state: 'expired' | 'failed', why: string) => {
    await finishMessage(sql, id, { state, nowMs, error: error ?? why })
    return state
  }
  if (message.expires_at <= nowMs) return end('expired', 'was not sent in time')
  if (attempts > waitsMs.length) return end('failed', 'failed too often')
  const claimed = await claimMessage(sql, message, nowMs + (waitsMs[attempts] ?? waitsMs.at(-1)!))
  return claimed ? 'taken' : 'elsewhere'
}

/**
 * Records an attempt before it is made, so that only one of two senders continues, and a crash leads to one later retry
 * instead of many. False: another sender has the message. A message becomes due again at its expiry at the latest, to
 * be marked as expired.
 */
async function claimMessage(
  sql: SqlQueries,
  { id, attempts, expires_at }: Pick<OutboxMessage, 'id' | 'attempts' | 'expires_at'>,
  nextTryMs: number,
): Promise<boolean> {
  const claimed = await sql.query(
    `update outbox_message set attempts = attempts + 1, due_at = $3
     where id = $1 and attempts = $2 and state = 'waiting' returning id`,
    [id, attempts, Math.min(nextTryMs, expires_at)],
  )
  return claimed.length > 0
}

/** Undoes the record of an attempt that could not be made: the message is due as before. */
export async function unclaimMessage(
  sql: SqlQueries,
  { id, attempts, due_at }: Pick<OutboxMessage, 'id' | 'attempts' | 'due_at'>,
  error: string,
): Promise<void> {
  await sql.query(
    `update outbox_message set attempts = $2, error = $3, due_at = $4
     where id = $1 and attempts = $2 + 1 and state = 'waiting'`,
    [id, attempts, error, due_at],
  )
}

export async function noteFailure(sql: SqlQueries, id: string, error: string): Promise<void> {
  await sql.query(`update outbox_message set error = $2 where id = $1 and state = 'waiting'`, [id, error])
}

/** Rule 3. */
const WITHOUT_FACTS = `sealed = null, facts = case when channel = 'mail' then '{}' else facts end`

export async function finishMessage(
  sql: SqlQueries,
  id: string,
  end: { readonly state: Exclude<MessageState, 'waiting'>; readonly error?: string; readonly nowMs: number },
): Promise<void> {
  await sql.query(
    `update outbox_message set state = $2, finished_at = $3, error = $4, ${WITHOUT_FACTS} where id = $1 and state = 'waiting'`,
    [id, end.state, end.nowMs, end.error ?? null],
  )
}

/** The attempts that are remembered of a message. */
const LOGGED_MAX = 20

export async function logAttempt(sql: SqlQueries, { id, attempt_log }: OutboxMessage, attempt: Attempt): Promise<void> {
  const log = JSON.stringify([...(attempt_log ?? []), attempt].slice(-LOGGED_MAX))
  await sql.query('update outbox_message set attempt_log = $2 where id = $1', [id, log])
}

/** Sends messages of a recipient again that were sent, failed or expired, but for these kinds. Returns how many. */
export async function requeueMessages(
  tx: Tx,
  which: { readonly recipient: string; readonly id: string } | { readonly recipient: string; readonly sinceMs: number },
  {
    lifetimeMs,
    limit,
    except,
  }: { readonly lifetimeMs: number; readonly limit: number; readonly except: readonly string[] },
): Promise<number> {
  const [narrow, value] =
    'id' in which ? ['id = $2', which.id] : [`state in ('failed', 'expired') and created_at >= $2`, which.sinceMs]
  const others = except.length === 0 ? '' : `and kind not in (${except.map((_, at) => `$${at + 5}`).join(', ')})`
  const rows = await tx.query(
    `update outbox_message set state = 'waiting', attempts = 0, due_at = $3, expires_at = $4, finished_at = null, error = null
     where id in (select id from outbox_message where recipient = $1 and ${narrow} and state <> 'waiting' ${others}
       order by created_at limit ${limit}) returning id`,
    [which.recipient, value, tx.nowMs, tx.nowMs + lifetimeMs, ...except],
  )
  return rows.length
}

/** Longer than a month, so that the notices of this month are still known. */
const KEPT_MS = 32 * DAY_MS
/** Of each channel; about 500 bytes each. */
const FINISHED_MAX = 100_000
/**
 * Counts towards the limit. A monthly notice is remembered by its message; there are no more of them than recipients.
 */
const COUNTED = "kind <> 'credit_low'"

/**
 * Expires messages that were not sent in time, deletes those finished a month ago, and the oldest finished beyond the
 * limit. An organisation that has few keeps them: only those with more than their share lose some.
 */
export async function purgeMessages(sql: SqlQueries, nowMs: number, finishedMax = FINISHED_MAX): Promise<number> {
  // The next attempt of a message is never after its expiry.
  for (const channel of CHANNELS) {
    await deleteInSteps(
      sql,
      `update outbox_message set state = 'expired', finished_at = $1, ${WITHOUT_FACTS} where id in
         (select id from outbox_message where channel = '${channel}' and state = 'waiting' and due_at <= $1
          and expires_at <= $1 limit ${PURGE_BATCH}) returning id`,
      nowMs,
    )
  }
  const removeWhere = (which: string) => `delete from outbox_message where id in
    (select id from outbox_message where ${which} limit ${PURGE_BATCH}) returning id`
  const old = await deleteInSteps(sql, removeWhere('finished_at <= $1'), nowMs - KEPT_MS)
  let beyond = 0
  for (const channel of CHANNELS) {
    const counted = `channel = '${channel}' and ${COUNTED}`
    /** The finish time of the first message beyond the limit. */
    const firstBeyond = async (which: string, limit: number, params: readonly string[] = []) => {
      const [row] = await sql.query<{ finished_at: number }>(
        `select finished_at from outbox_message where finished_at is not null and ${counted} ${which}
         order by finished_at desc limit 1 offset ${limit}`,
        params,
      )
      return row?.finished_at
    }
    if ((await firstBeyond('', finishedMax)) === undefined) continue
    const owners = await sql.query<{ owner: string; n: number }>(
      `select ${OWNER} as owner, count(*) as n from outbox_message where finished_at > 0 and ${counted} group by 1`,
    )
    const share = shareOf(
      owners.map(({ n }) => Number(n)),
      finishedMax,
    )
    for (const { owner } of owners.filter(({ n }) => Number(n) > share)) {
      const lastMs = await firstBeyond(`and ${OWNER} = $1`, share, [owner])
      const theirs = removeWhere(`finished_at <= $1 and ${counted} and ${OWNER} = $2`)
      if (lastMs !== undefined) beyond += await deleteInSteps(sql, theirs, lastMs, owner)
    }
  }
  return old + beyond
}

const OWNER = "coalesce(organisation_id, '')"

/** The most that each may have, so that all together have at most `max`. */
function shareOf(counts: readonly number[], max: number): number {
  let left = max
  for (const [i, count] of counts.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (counts.length - i))
    if (count > share) return share
    left -= count
  }
  return max
}

export function countWaiting(sql: SqlQueries, channel: Channel): Promise<number> {
  return outbox.count(sql, { channel, state: 'waiting' })
}

/** The number of waiting messages, the time of the oldest, and the recipients that an attempt failed for. */
export async function readWaiting(sql: SqlQueries, channel: Channel) {
  const [row] = await sql.query<{ waiting: number; oldest: number | null; failing: number }>(
    `select count(*) as waiting, min(created_at) as oldest, count(distinct case when error is null then null else recipient end) as failing
     from outbox_message where channel = $1 and state = 'waiting'`,
    [channel],
  )
  return row ?? { waiting: 0, oldest: null, failing: 0 }
}

/** The waiting messages, the error of one of them, and the last failed message. */
export async function readOutbox(sql: SqlQueries, channel: Channel) {
  const failed = await outbox.list(sql, { channel, state: 'failed' }, { order: 'finished_at desc', limit: 1 })
  const troubled = await sql.query<{ error: string }>(
    `select error from outbox_message where channel = $1 and state = 'waiting' and error is not null
     order by due_at desc limit 1`,
    [channel],
  )
  return { ...(await readWaiting(sql, channel)), lastFailure: failed[0], waitingFor: troubled[0]?.error }
}

/** Newest first. */
export function listMessages(
  sql: SqlQueries,
  channel: Channel,
  { state, limit }: { readonly state?: MessageState | undefined; readonly limit: number },
): Promise<OutboxMessage[]> {
  const which = { channel, ...(state && { state }) } as const
  return outbox.list(sql, which, { order: 'created_at desc, id desc', limit })
}

/** The messages to one recipient, newest first. */
export function pageOfMessages(sql: SqlQueries, recipient: string, page: PageOptions): Promise<Page<OutboxMessage>> {
  return outbox.page(sql, { recipient }, { ...page, newestFirst: true })
}

/** Ends all messages that wait for a recipient. */
export async function failWaiting(sql: SqlQueries, recipient: string, error: string, nowMs: number): Promise<void> {
  await sql.query(
    `update outbox_message set state = 'failed', finished_at = $2, error = $3, sealed = null
     where recipient = $1 and state = 'waiting'`,
    [recipient, nowMs, error],
  )
}

export const SEALED_MESSAGES: SealedColumn = {
  about: 'links of mail that waits',
  table: 'outbox_message',
  key: ['id'],
  column: 'sealed',
  reads: ['recipient'],
  where: 'sealed is not null',
  reseal: ({ sealed, recipient }, ring) => resealed(ring, PURPOSE, sealed, String(recipient)),
}

/**
 * Messages that leave this server.
 *
 *  1. A message is written in the transaction of its cause: the two exist together or not at all.
 *  2. It is sent afterwards, by one node at a time, and may arrive twice after a crash, never not at all before it expires.
 *  3. What must not be read in the database (a link that works once) is sealed by whoever writes the message.
 */
import type { SqlQueries, Tx } from '../db/sql.ts'
import { defineTable, integer, json, orNull, text } from '../db/table.ts'
import { newId } from '../lib/ids.ts'
import type { Ring } from '../lib/seal.ts'

export type Channel = 'mail'

export interface OutboxMessage {
  readonly id: string
  readonly channel: Channel
  readonly kind: string
  readonly recipient: string
  readonly person_id: string | null
  readonly organisation_id: string | null
  readonly facts: Readonly<Record<string, unknown>>
  readonly sealed: string | null
  readonly state: 'waiting' | 'sent' | 'failed' | 'expired'
  readonly attempts: number
  readonly created_at: number
  readonly due_at: number
  readonly expires_at: number
  readonly finished_at: number | null
  readonly error: string | null
}

export const outbox = defineTable<OutboxMessage>({
  name: 'outbox_message',
  key: ['id'],
  fixed: [
    'channel',
    'kind',
    'recipient',
    'person_id',
    'organisation_id',
    'facts',
    'sealed',
    'created_at',
    'expires_at',
  ],
  columns: {
    id: text(),
    channel: text<Channel>(),
    kind: text(),
    recipient: text(),
    person_id: orNull(text()),
    organisation_id: orNull(text()),
    facts: json(),
    sealed: orNull(text()),
    state: text<OutboxMessage['state']>(),
    attempts: integer(),
    created_at: integer(),
    due_at: integer(),
    expires_at: integer(),
    finished_at: orNull(integer()),
    error: orNull(text()),
  },
})

export interface NewMessage {
  readonly channel: Channel
  readonly kind: string
  readonly recipient: string
  readonly personId?: string | undefined
  readonly organisationId?: string | undefined
  readonly facts: Readonly<Record<string, unknown>>
  /** Made by `sealSecret`. */
  readonly sealed?: string | undefined
  readonly lifetimeMs: number
}

/** Rule 1. */
export function putMessage(tx: Tx, message: NewMessage): Promise<OutboxMessage> {
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
  })
}

const PURPOSE = 'messages that leave the server'

/** Rule 3; `recipient` is bound in, so that a link cannot be moved into somebody else's message. */
export function sealSecret(ring: Ring, recipient: string, secret: string): string {
  return ring.seal(PURPOSE).seal(secret, recipient)
}

export function openSecret(ring: Ring, { recipient, sealed }: OutboxMessage): Promise<string | undefined> {
  return sealed === null ? Promise.resolve(undefined) : ring.seal(PURPOSE).open(sealed, recipient)
}

/** How many messages were written for a recipient since then. */
export function countSince(sql: SqlQueries, recipient: string, sinceMs: number): Promise<number> {
  return outbox.count(sql, { recipient }, ` and created_at > ${Math.floor(sinceMs)}`)
}

/** Webhooks as the writer of events sees them: who wants an event, and its message in the outbox. */
import type { SqlQueries, SqlTransaction } from '../db/sql.ts'
import { defineTable, type EntityOf, flag, integer, orNull, text, words } from '../db/table.ts'
import { DAY_MS, HOUR_MS } from '../lib/clock.ts'
import { LIMITS } from '../limits.ts'
import { failWaiting, type OutboxMessage, putMessage } from '../outbox/outbox.ts'
import { type EventView, eventView, type StoredEvent } from './events.ts'
import type { DataOf } from './types.ts'

/** Reasons, in words. `person`: a member disabled it, which needs no notice. */
export const DISABLED_WHY = {
  person: 'A member disabled it.',
  gone: 'Its receiver answered 410 Gone.',
  failing: 'Nothing could be delivered for 5 days.',
  queue: `${LIMITS.queues.webhookMessagesMax} events waited for it.`,
} as const
export type DisabledWhy = keyof typeof DISABLED_WHY

export const webhooks = defineTable({
  name: 'webhook',
  key: ['id'],
  fixed: ['organisation_id', 'created_at'],
  columns: {
    id: text(),
    organisation_id: text(),
    url: text(),
    events: words<string>(),
    description: text(),
    secrets: text(),
    created_at: integer(),
    updated_at: integer(),
    failing_since: orNull(integer()),
    disabled_at: orNull(integer()),
    disabled_why: orNull(text<DisabledWhy>()),
    tell_owners: flag(),
  },
})
export type Webhook = EntityOf<typeof webhooks>

/** A little longer than the three days over which attempts are made. */
export const LIFETIME_MS = 3 * DAY_MS + HOUR_MS

type At = SqlTransaction & { readonly nowMs: number }

/** Queues an event for a webhook. The message holds the event: a delivery reads nothing else. */
export function queueEvent(tx: At, { id, organisation_id }: Webhook, event: EventView): Promise<OutboxMessage> {
  return putMessage(tx, {
    channel: 'webhook',
    kind: event.type,
    recipient: id,
    organisationId: organisation_id,
    facts: event,
    lifetimeMs: LIFETIME_MS,
  })
}

/** Queues events for the webhooks that want them. Returns the facts about webhooks that were disabled: their queue was full. */
export async function queueFor(tx: SqlTransaction, owner: string, told: readonly StoredEvent[]) {
  const nowMs = told[0]?.created_at ?? 0
  const enabled = await webhooks.list(
    tx,
    { organisation_id: owner, disabled_at: null },
    { order: 'created_at, id', limit: LIMITS.counts.webhooksMax },
  )
  const disabled: DataOf<'webhook.disabled'>[] = []
  for (const webhook of enabled) {
    const wanted = told.filter(({ type }) => webhook.events.includes(type))
    if (wanted.length === 0) continue
    if (await isFull(tx, webhook.id)) {
      const data = await disable({ ...tx, nowMs }, webhook.id, 'queue')
      if (data) disabled.push(data)
    } else for (const one of wanted) await queueEvent({ ...tx, nowMs: one.created_at }, webhook, eventView(one))
  }
  return disabled
}

async function isFull(sql: SqlQueries, webhookId: string): Promise<boolean> {
  const { webhookMessagesMax } = LIMITS.queues
  const [row] = await sql.query<{ n: number }>(
    `select count(*) as n from (select 1 as one from outbox_message
       where recipient = $1 and state = 'waiting' limit ${webhookMessagesMax}) as waiting`,
    [webhookId],
  )
  return Number(row?.n) >= webhookMessagesMax
}

/**
 * Disables a webhook and ends its waiting messages, which can be replayed later. Returns the facts for an event; undefined if
 * it is disabled already.
 */
export async function disable(tx: At, id: string, why: DisabledWhy): Promise<DataOf<'webhook.disabled'> | undefined> {
  const webhook = await webhooks.lock(tx, { id, disabled_at: null })
  if (!webhook) return undefined
  await webhooks.update(tx, webhook, {
    disabled_at: tx.nowMs,
    disabled_why: why,
    updated_at: tx.nowMs,
    tell_owners: why !== 'person',
  })
  await failWaiting(tx, id, 'the webhook was disabled', tx.nowMs)
  return { webhook_id: id, host: new URL(webhook.url).host, reason: DISABLED_WHY[why] }
}

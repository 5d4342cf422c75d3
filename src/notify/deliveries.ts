/**
 * Delivers events to webhooks, from the outbox.
 *
 *  1. An attempt is recorded before it is made: after a crash the message is sent again, with the same webhook-id.
 *  2. Any 2xx is a success. 410 disables the webhook at once. Everything else is tried again after a growing wait, at
 *     most eleven times within three days. A webhook that failed for five days is disabled.
 *  3. A receiver that hangs delays nobody else: an organisation has few places, and webhooks that fail share a part of
 *     all places. An attempt may outlast the run that began it.
 *  4. Only public addresses are called, resolved anew for each attempt; redirects are not followed. An exchange takes at
 *     most ten seconds.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Actor } from '../access/actor.ts'
import { lackedScopes } from '../access/rights.ts'
import { changeIn, type Sql, type Tx } from '../db/sql.ts'
import { emit } from '../events/emit.ts'
import { DISABLED_WHY, disable, LIFETIME_MS, type Webhook, webhooks } from '../events/subscribers.ts'
import { MONEY_EVENTS } from '../events/types.ts'
import { requireOrganisation } from '../identity/organisation/organisations.ts'
import { billingContacts } from '../identity/people/mail-reach.ts'
import type { Job } from '../jobs/runner.ts'
import { type Clock, DAY_MS, HOUR_MS, iso, MINUTE_MS, SECOND_MS } from '../lib/clock.ts'
import { networkWords } from '../lib/network-words.ts'
import type { Resolve } from '../lib/public-address.ts'
import { requestPublic, resolveByDns } from '../lib/public-request.ts'
import type { Ring } from '../lib/seal.ts'
import { LIMITS } from '../limits.ts'
import { putMail } from '../mail/mail.ts'
import {
  type Attempt,
  countWaiting,
  dueFor,
  dueRecipients,
  failWaiting,
  finishMessage,
  logAttempt,
  noteFailure,
  type OutboxMessage,
  requeueMessages,
  takeMessage,
  unclaimMessage,
} from '../outbox/outbox.ts'
import { signedHeaders } from './webhooks.ts'

const PERIOD_MS = 2 * SECOND_MS
const TIMEOUT_MS = 10 * SECOND_MS
/** A run starts further deliveries for this long; then its lock is free for another node. */
const RUN_MS = 20 * SECOND_MS
/** How long a run waits for the deliveries that it began before it looks for others. */
const LOOK_AGAIN_MS = SECOND_MS
/** The waits before the second attempt, the third and so on; nearly three days in all. */
const WAITS_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 20].map((hours) => hours * HOUR_MS),
].map((wait) => TIMEOUT_MS + wait)
const FAILING_MS_MAX = 5 * DAY_MS
const ANSWER_BYTES_MAX = 4096
/** Characters of an answer that the log keeps. */
const ANSWER_KEPT = 500

export type DeliveryOutcome = 'delivered' | 'retried' | 'failed' | 'expired'

export interface DeliveryDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly ring: Ring
  readonly allowLoopback: boolean
  readonly sendsMail: boolean
  readonly onOutcome?: ((outcome: DeliveryOutcome) => void) | undefined
  /** Waiting messages, and for how long the first one for a working webhook has been due. */
  readonly onWaiting?: ((count: number, overdueSeconds: number) => void) | undefined
  readonly onError: (error: unknown) => void
  readonly resolve?: Resolve | undefined
  readonly timeoutMs?: number | undefined
}

/** `close` ends the attempts in progress; they are made again later. */
export function createWebhookJob(deps: DeliveryDependencies): Job & { close(): Promise<void> } {
  const { sql, clock } = deps
  const { timeoutMs = TIMEOUT_MS, resolve = resolveByDns() } = deps
  const sender: Sender = { ...deps, timeoutMs, resolve }
  const stopping = new AbortController()
  const places = createPlaces()
  const underWay = new Set<Promise<void>>()

  async function startDue(): Promise<Promise<void>[]> {
    const recipients = await dueRecipients(sql, 'webhook', clock.now())
    const started: Promise<void>[] = []
    for (const webhook of await findWebhooks(deps, recipients)) {
      const free = places.freeFor(webhook)
      if (free <= 0) continue
      for (const message of await dueFor(sql, webhook.id, clock.now(), free)) {
        const taken = await takeMessage(sql, message, { nowMs: clock.now(), waitsMs: WAITS_MS })
        if (taken === 'expired' || taken === 'failed') deps.onOutcome?.(taken)
        if (taken !== 'taken') continue
        const leave = places.enter(webhook)
        const attempt = deliver(sender, webhook, message, stopping.signal)
          .catch(deps.onError)
          .finally(() => {
            leave()
            underWay.delete(attempt)
          })
        underWay.add(attempt)
        started.push(attempt)
      }
    }
    return started
  }

  return {
    name: 'webhooks',
    periodMs: PERIOD_MS,
    async run(signal) {
      const untilMs = performance.now() + RUN_MS
      while (!signal.aborted && performance.now() < untilMs) {
        const started = await startDue()
        if (started.length === 0) break
        const waiting = new AbortController()
        await Promise.race([
          Promise.all(started),
          delay(LOOK_AGAIN_MS, undefined, { signal: AbortSignal.any([signal, waiting.signal]) }).catch(() => {}),
        ])
        waiting.abort()
      }
      await tellOwners(deps)
      deps.onWaiting?.(await countWaiting(sql, 'webhook'), (await overdueMs(deps)) / 1000)
    },
    async close() {
      stopping.abort()
      await Promise.all(underWay)
    },
  }
}

/** How long the first event has been due for a webhook that works. */
async function overdueMs(deps: DeliveryDependencies): Promise<number> {
  const due = await dueRecipients(deps.sql, 'webhook', deps.clock.now())
  const working = (await findWebhooks(deps, due)).find(({ failing_since }) => failing_since === null)
  const first = due.find(({ recipient }) => recipient === working?.id)
  return first ? deps.clock.now() - Number(first.due_at) : 0
}

/** Rule 3. */
function createPlaces() {
  const { webhookAttemptsMax, webhookAttemptsInAllMax, webhookFailingAttemptsMax } = LIMITS.queues
  const used = new Map<string, number>()
  const count = (name: string) => used.get(name) ?? 0
  const add = (name: string, n: number) => {
    if (count(name) + n === 0) used.delete(name)
    else used.set(name, count(name) + n)
  }
  const namesOf = ({ organisation_id, failing_since }: Webhook) => [
    'all',
    organisation_id,
    ...(failing_since === null ? [] : ['failing']),
  ]
  return {
    freeFor(webhook: Webhook): number {
      return Math.min(
        webhookAttemptsInAllMax - count('all'),
        webhookAttemptsMax - count(webhook.organisation_id),
        webhook.failing_since === null ? webhookAttemptsMax : webhookFailingAttemptsMax - count('failing'),
      )
    },
    enter(webhook: Webhook): () => void {
      const names = namesOf(webhook)
      for (const name of names) add(name, 1)
      return () => {
        for (const name of names) add(name, -1)
      }
    },
  }
}

const FOUND_TOGETHER = 500

/** The enabled webhooks among recipients, in their order. Messages to others are ended. */
async function findWebhooks(
  { sql, clock }: DeliveryDependencies,
  recipients: readonly { readonly recipient: string }[],
): Promise<Webhook[]> {
  const found: Webhook[] = []
  for (let from = 0; from < recipients.length; from += FOUND_TOGETHER) {
    const ids = recipients.slice(from, from + FOUND_TOGETHER).map(({ recipient }) => recipient)
    const marks = ids.map((_, at) => `$${at + 1}`).join(', ')
    const rows = await webhooks.where(sql, `id in (${marks})`, ids)
    const byId = new Map(rows.map((webhook) => [webhook.id, webhook]))
    for (const id of ids) {
      const webhook = byId.get(id)
      if (webhook?.disabled_at === null) found.push(webhook)
      else await failWaiting(sql, id, 'the webhook was disabled or deleted', clock.now())
    }
  }
  return found
}

interface Sender extends DeliveryDependencies {
  readonly resolve: Resolve
  readonly timeoutMs: number
}

/** Rules 2 and 4, for a claimed message. */
async function deliver(deps: Sender, webhook: Webhook, message: OutboxMessage, signal: AbortSignal): Promise<void> {
  const { sql, clock } = deps
  const attempt = await send(deps, webhook, message, signal)
  if (signal.aborted && attempt.status === null) return unclaimMessage(sql, message, 'the server was stopped')
  const status = attempt.status ?? 0
  const isDelivered = status >= 200 && status < 300
  const isLast = message.attempts >= WAITS_MS.length
  await changeIn(sql, clock, async (tx) => {
    await logAttempt(tx, message, attempt)
    if (isDelivered) {
      await finishMessage(tx, message.id, { state: 'sent', nowMs: tx.nowMs })
      await tx.query('update webhook set failing_since = null where id = $1 and failing_since is not null', [
        webhook.id,
      ])
      return
    }
    const error = attempt.error ?? `the receiver answered ${status}`
    if (isLast) await finishMessage(tx, message.id, { state: 'failed', error, nowMs: tx.nowMs })
    else await noteFailure(tx, message.id, error)
    // As it is now: another delivery may have succeeded since.
    const [failing] = await tx.query<{ since: number }>(
      'update webhook set failing_since = coalesce(failing_since, $2) where id = $1 returning failing_since as since',
      [webhook.id, tx.nowMs],
    )
    const sinceMs = failing?.since ?? tx.nowMs
    const why = status === 410 ? 'gone' : tx.nowMs - sinceMs >= FAILING_MS_MAX ? 'failing' : undefined
    const data = why && (await disable(tx, webhook.id, why))
    if (data) emit(tx, { organisationId: webhook.organisation_id, type: 'webhook.disabled', data })
  })
  deps.onOutcome?.(isDelivered ? 'delivered' : isLast ? 'failed' : 'retried')
}

async function send(deps: Sender, webhook: Webhook, message: OutboxMessage, signal: AbortSignal): Promise<Attempt> {
  const nowMs = deps.clock.now()
  const beganMs = performance.now()
  const ended = () => ({ at: iso(nowMs), duration_ms: Math.round(performance.now() - beganMs) })
  try {
    const body = JSON.stringify(message.facts)
    const signed = await signedHeaders(deps.ring, webhook, { id: String(message.facts.id), body, nowMs })
    const { status, text } = await requestPublic(new URL(webhook.url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'assay-webhooks',
        ...signed,
      },
      body,
      bytesMax: ANSWER_BYTES_MAX,
      timeoutMs: deps.timeoutMs,
      allowLoopback: deps.allowLoopback,
      resolve: deps.resolve,
      signal,
    })
    return { ...ended(), status, answer: text.replaceAll('\0', '').slice(0, ANSWER_KEPT), error: null }
  } catch (error) {
    return { ...ended(), status: null, answer: '', error: wordsOf(error as Error) }
  }
}

/** Does not name the address behind a name: it may be one of the operator's network. */
function wordsOf(error: Error): string {
  if (error.name === 'NotPublic') return 'the host is not on the public internet'
  return networkWords(error).slice(0, ANSWER_KEPT)
}

/** Mails owners and admins about webhooks that were disabled, once. */
async function tellOwners({ sql, clock, sendsMail }: DeliveryDependencies): Promise<void> {
  for (const { id } of await webhooks.where(sql, 'tell_owners = 1 limit 100')) {
    await changeIn(sql, clock, async (tx) => {
      const webhook = await webhooks.lock(tx, { id })
      if (!webhook?.tell_owners) return
      await webhooks.update(tx, webhook, { tell_owners: false })
      if (!sendsMail || webhook.disabled_why === null) return
      const { organisation_id: organisationId, url, disabled_why: why } = webhook
      const { name: organisation } = await requireOrganisation(tx, organisationId)
      for (const { personId, email } of await billingContacts(tx, organisationId)) {
        const facts = { organisation, host: new URL(url).host, reason: DISABLED_WHY[why] }
        await putMail(tx, { kind: 'webhook_disabled', to: email, personId, organisationId, facts })
      }
    })
  }
}

/** Sends deliveries again that the actor may read: one, or all that failed since a time. Returns how many. */
export function replay(
  tx: Tx,
  actor: Actor,
  webhookId: string,
  which: { readonly id: string } | { readonly sinceMs: number },
) {
  const except = lackedScopes(actor, ['billing:read']).length > 0 ? [...MONEY_EVENTS] : []
  const limits = { lifetimeMs: LIFETIME_MS, limit: LIMITS.counts.replayedMax, except }
  return requeueMessages(tx, { recipient: webhookId, ...which }, limits)
}

/**
 * Webhooks of an organisation, by the Standard Webhooks specification.
 *
 *  1. A secret is shown once, when it is made; it is stored sealed. After a replacement both secrets sign for a day.
 *  2. Creating or changing a webhook needs a recent proof: it sends data of the organisation elsewhere.
 *  3. Nobody subscribes to events about money, or has them sent again, without the right to read them.
 *  4. The URL is https and names no address inside the operator's network. The address behind the name is checked at
 *     every delivery (lib/public-request.ts).
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { Actor } from '../access/actor.ts'
import { requireGrantable, requireProof } from '../access/rights.ts'
import { resealed, type SealedColumn } from '../db/reseal.ts'
import type { SqlQueries, Tx } from '../db/sql.ts'
import type { Page, PageOptions } from '../db/table.ts'
import { conflict, invalidField, orNotFound } from '../errors.ts'
import { disable, queueEvent, type Webhook, webhooks } from '../events/subscribers.ts'
import { EVENT_TYPES, MONEY_EVENTS } from '../events/types.ts'
import { audit } from '../identity/audit.ts'
import { lockForWriter } from '../identity/organisation/organisations.ts'
import { takeDailyShare } from '../identity/people/throttle.ts'
import { DAY_MS, iso } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { whyNotCallable } from '../lib/public-request.ts'
import type { Ring } from '../lib/seal.ts'
import { LIMITS } from '../limits.ts'
import { failWaiting, type OutboxMessage } from '../outbox/outbox.ts'

const SECRET_BYTES = 32
const GRACE_MS = DAY_MS
const PURPOSE = 'secrets of webhooks'

export interface WebhookRules {
  readonly ring: Ring
  /** In development this machine may receive webhooks, by http. */
  readonly allowLoopback: boolean
}

interface Secrets {
  readonly current: string
  readonly former?: { readonly secret: string; readonly untilMs: number }
}

const sealed = (ring: Ring, id: string, secrets: Secrets) => ring.seal(PURPOSE).seal(JSON.stringify(secrets), id)
const opened = async (ring: Ring, { id, secrets }: Pick<Webhook, 'id' | 'secrets'>) =>
  JSON.parse(await ring.seal(PURPOSE).open(secrets, id)) as Secrets

export const SEALED_WEBHOOK_SECRETS: SealedColumn = {
  about: 'secrets of webhooks',
  table: 'webhook',
  key: ['id'],
  column: 'secrets',
  reseal: ({ id, secrets }, ring) => resealed(ring, PURPOSE, secrets, String(id)),
}

const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

/** The headers of a delivery: one signature for each secret that is valid. */
export async function signedHeaders(
  ring: Ring,
  webhook: Webhook,
  { id, body, nowMs }: { readonly id: string; readonly body: string; readonly nowMs: number },
): Promise<Record<string, string>> {
  const { current, former } = await opened(ring, webhook)
  const valid = former && former.untilMs > nowMs ? [current, former.secret] : [current]
  const seconds = Math.floor(nowMs / 1000)
  const signatures = valid.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') }
}

export interface WantedWebhook {
  readonly url: string
  readonly events: readonly string[]
  readonly description: string
}

/** Rules 3 and 4. */
function requireFine(
  actor: Actor,
  { allowLoopback }: WebhookRules,
  { url, events }: Omit<WantedWebhook, 'description'>,
) {
  const why = URL.canParse(url) ? whyNotCallable(new URL(url), allowLoopback) : 'it is not a URL'
  if (why !== undefined) {
    throw invalidField('/url', `Events are not sent to this address: ${why}. Use an https address on the internet.`)
  }
  const unknown = events.filter((type) => !(EVENT_TYPES as readonly string[]).includes(type))
  if (unknown.length > 0 || events.length === 0) {
    throw invalidField('/events', `Name one or more of: ${EVENT_TYPES.join(', ')}.`)
  }
  requireMoney(actor, events)
}

/** Rule 3. */
function requireMoney(actor: Actor, events: readonly string[]): void {
  if (events.some((type) => MONEY_EVENTS.has(type))) requireGrantable(actor, ['billing:read'])
}

/** Rule 2. */
async function lockFor(tx: Tx, actor: Actor): Promise<void> {
  await lockForWriter(tx, actor)
  requireProof(actor)
}

/** Rule 2, and the webhook under lock: deliveries change it too. */
async function lockWebhook(tx: Tx, actor: Actor, id: string): Promise<Webhook> {
  await lockFor(tx, actor)
  return orNotFound(webhooks.lock(tx, { id, organisation_id: actor.organisationId }), 'There is no such webhook.')
}

const detailOf = ({ url, events }: Webhook) => ({ host: new URL(url).host, events: [...events] })

export async function createWebhook(tx: Tx, actor: Actor, rules: WebhookRules, wanted: WantedWebhook) {
  await lockFor(tx, actor)
  requireFine(actor, rules, wanted)
  const { organisationId } = actor
  const { webhooksMax } = LIMITS.counts
  if ((await webhooks.count(tx, { organisation_id: organisationId })) >= webhooksMax) {
    throw conflict(`There are ${webhooksMax} webhooks. Remove some first.`)
  }
  await takeDailyShare(tx, actor, 'webhooks')
  const id = newId('whk')
  const secret = newSecret()
  const webhook = await webhooks.insert(tx, {
    id,
    organisation_id: organisationId,
    ...wanted,
    events: [...new Set(wanted.events)],
    secrets: sealed(rules.ring, id, { current: secret }),
    created_at: tx.nowMs,
    updated_at: tx.nowMs,
    failing_since: null,
    disabled_at: null,
    disabled_why: null,
    tell_owners: false,
  })
  await audit(tx, actor, 'webhook.create', id, detailOf(webhook))
  return { webhook, secret }
}

/** `isAsRead` throws if the webhook changed since the caller read it. */
export async function changeWebhook(
  tx: Tx,
  actor: Actor,
  rules: WebhookRules,
  id: string,
  wanted: { readonly [Field in keyof WantedWebhook]?: WantedWebhook[Field] | undefined } & {
    readonly enabled?: boolean | undefined
  },
  isAsRead: (before: Webhook) => void,
): Promise<Webhook> {
  const before = await lockWebhook(tx, actor, id)
  isAsRead(before)
  const { url = before.url, events = before.events, description = before.description, enabled } = wanted
  requireFine(actor, rules, { url, events })
  // Events of before may wait, and would go to the new address.
  requireMoney(actor, before.events)
  const changed = await webhooks.update(tx, before, {
    url,
    events: [...new Set(events)],
    description,
    updated_at: tx.nowMs,
    // Another address has not failed yet.
    failing_since: url === before.url ? before.failing_since : null,
  })
  if (enabled !== undefined) return setEnabled(tx, actor, id, enabled)
  await audit(tx, actor, 'webhook.update', id, detailOf(changed))
  return changed
}

export async function setEnabled(tx: Tx, actor: Actor, id: string, enabled: boolean): Promise<Webhook> {
  const before = await lockWebhook(tx, actor, id)
  if (!enabled) await disable(tx, id, 'person')
  if (enabled) {
    const working = { disabled_at: null, disabled_why: null, failing_since: null, tell_owners: false }
    await webhooks.update(tx, before, { ...working, updated_at: tx.nowMs })
  }
  await audit(tx, actor, 'webhook.update', id, { ...detailOf(before), enabled })
  return requireWebhook(tx, actor.organisationId, id)
}

/** Rule 1. */
export async function rotateSecret(tx: Tx, actor: Actor, rules: WebhookRules, id: string) {
  const before = await lockWebhook(tx, actor, id)
  const { current } = await opened(rules.ring, before)
  const secret = newSecret()
  const former = { secret: current, untilMs: tx.nowMs + GRACE_MS }
  const secrets = sealed(rules.ring, id, { current: secret, former })
  const webhook = await webhooks.update(tx, before, { secrets, updated_at: tx.nowMs })
  await audit(tx, actor, 'webhook.rotate_secret', id, detailOf(webhook))
  return { webhook, secret }
}

export async function deleteWebhook(tx: Tx, actor: Actor, id: string): Promise<void> {
  const webhook = await lockWebhook(tx, actor, id)
  await webhooks.delete(tx, { id })
  await failWaiting(tx, id, 'the webhook was deleted', tx.nowMs)
  await audit(tx, actor, 'webhook.delete', id, detailOf(webhook))
}

export const requireWebhook = (sql: SqlQueries, organisationId: string, id: string) =>
  orNotFound(webhooks.find(sql, { id, organisation_id: organisationId }), 'There is no such webhook.')

/** In the order they were made. */
export function listWebhooks(sql: SqlQueries, organisationId: string, page: PageOptions): Promise<Page<Webhook>> {
  return webhooks.page(sql, { organisation_id: organisationId }, page)
}

/** *Send a test*: queues an event that is in no list of events. */
export async function queueTest(tx: Tx, actor: Actor, id: string): Promise<OutboxMessage> {
  const webhook = requireEnabled(await requireWebhook(tx, actor.organisationId, id))
  await takeDailyShare(tx, actor, 'tests')
  const data = { webhook_id: id, summary: 'This is a test. Webhooks of this address work.' }
  return queueEvent(tx, webhook, { id: newId('evt'), type: 'webhook.test', timestamp: iso(tx.nowMs), data })
}

export function requireEnabled(webhook: Webhook): Webhook {
  if (webhook.disabled_at === null) return webhook
  throw conflict('The webhook is disabled. Enable it first.')
}

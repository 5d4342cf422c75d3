import type { Operations } from '@assay/sdk'
import { EVENTS } from '@assay/sdk/tables'
import { type Answer, minute, rowsAnswer } from '../answer.ts'
import { call, connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless } from '../terminal/paint.ts'

type Event = Operations['GET /v1/events']['response']['data'][number]
type EventType = keyof typeof EVENTS

/** Reads to the newest event. */
export async function listEvents(context: Context, options: { after?: string }): Promise<Answer> {
  const { assay } = connect(context)
  const events: Event[] = []
  for (let after = options.after; ; after = events.at(-1)?.id) {
    const query = { limit: 200, ...(after === undefined ? {} : { after }) }
    const page = await assay.call('GET /v1/events', { query, signal: context.interrupted })
    events.push(...page.data)
    if (!page.has_more) break
  }
  return rowsAnswer(context, events, 'There are no further events.', {
    EVENT: ({ id }) => id,
    TIME: ({ timestamp }) => minute(timestamp),
    TYPE: ({ type }) => type,
    SUMMARY: ({ data }) => data.summary,
  })
}

export async function listWebhooks(context: Context): Promise<Answer> {
  const { data } = await call(context, 'GET /v1/webhooks')
  return rowsAnswer(context, data, 'There is no webhook yet. Add one: assay webhooks add URL', {
    WEBHOOK: ({ id }) => id,
    URL: ({ url }) => url,
    STATE: ({ disabled_why: why, failing_since }) =>
      why ? `disabled (${why})` : failing_since ? 'failing' : 'enabled',
    EVENTS: ({ events }) => events.join(' '),
  })
}

export async function listDeliveries(context: Context, id: string): Promise<Answer> {
  const { data } = await call(context, 'GET /v1/webhooks/{webhook_id}/deliveries', { path: { webhook_id: id } })
  return rowsAnswer(context, data, 'There is no delivery yet. Send a test: assay webhooks test WEBHOOK', {
    DELIVERY: (one) => one.id,
    TIME: ({ created_at }) => minute(created_at),
    EVENT: ({ type }) => type,
    STATE: ({ state }) => state,
    STATUS: ({ attempts }) => String(attempts.at(-1)?.status ?? '-'),
    ERROR: ({ error }) => error ?? '-',
  })
}

export async function addWebhook(
  context: Context,
  url: string,
  options: { events?: string; description?: string },
): Promise<Answer> {
  const events = options.events?.split(',').map((type) => type.trim()) ?? Object.keys(EVENTS)
  const unknown = events.find((type) => !Object.hasOwn(EVENTS, type))
  if (unknown !== undefined) {
    throw new CliError(`There is no event ${harmless(unknown)}. There are: ${Object.keys(EVENTS).join(', ')}.`)
  }
  const body = { url, events: events as EventType[], description: options.description ?? '' }
  const made = await call(context, 'POST /v1/webhooks', { body })
  return { value: made, text: () => `Webhook ${made.id} is added. Its secret, shown only once:\n${made.secret}` }
}

export async function removeWebhook(context: Context, id: string): Promise<Answer> {
  await call(context, 'DELETE /v1/webhooks/{webhook_id}', { path: { webhook_id: id } })
  return { value: { id, removed: true }, text: () => `${harmless(id)} is removed.` }
}

export async function rotateSecret(context: Context, id: string): Promise<Answer> {
  const made = await call(context, 'POST /v1/webhooks/{webhook_id}/rotate-secret', { path: { webhook_id: id } })
  const words = 'The former secret signs too for 24 hours. The new one, shown only once:'
  return { value: made, text: () => `${words}\n${made.secret}` }
}

export async function testWebhook(context: Context, id: string): Promise<Answer> {
  const sent = await call(context, 'POST /v1/webhooks/{webhook_id}/test', { path: { webhook_id: id } })
  return { value: sent, text: () => `A test is on its way. See: assay webhooks deliveries ${harmless(id)}` }
}

export async function replayFailed(context: Context, id: string, { since }: { since: string }): Promise<Answer> {
  const asked = { path: { webhook_id: id }, body: { since } }
  let replayed = 0
  for (let more = 1; more > 0; replayed += more) {
    more = (await call(context, 'POST /v1/webhooks/{webhook_id}/replay', asked)).replayed
  }
  return { value: { replayed }, text: () => `${replayed} events are delivered again.` }
}

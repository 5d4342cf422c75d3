import type { Operations } from '@assay/sdk'
import { EVENTS } from '@assay/sdk/tables'
import { type AnswerOptions, given, minuteOf, printAnswer, printRows } from '../answer.ts'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless } from '../terminal/paint.ts'

/** Events of the organisation, and the webhooks that get them. */

type Event = Operations['GET /v1/events']['response']['data'][number]
type EventType = keyof typeof EVENTS

/** Reads to the newest event. */
export async function listEvents(context: Context, options: AnswerOptions & { after?: string }): Promise<void> {
  const { call } = connect(context)
  const events: Event[] = []
  for (let after = options.after; ; after = events.at(-1)?.id) {
    const page = await call('GET /v1/events', { query: { limit: 200, ...given({ after }) } })
    events.push(...page.data)
    if (!page.has_more) break
  }
  printRows(context, events, options, 'There are no further events.', {
    EVENT: ({ id }) => id,
    TIME: ({ timestamp }) => minuteOf(timestamp),
    TYPE: ({ type }) => type,
    SUMMARY: ({ data }) => data.summary,
  })
}

export async function listWebhooks(context: Context, options: AnswerOptions): Promise<void> {
  const { data } = await connect(context).call('GET /v1/webhooks')
  printRows(context, data, options, 'There is no webhook yet. Add one: assay webhooks add URL', {
    WEBHOOK: ({ id }) => id,
    URL: ({ url }) => url,
    STATE: ({ disabled_why: why, failing_since }) =>
      why ? `disabled (${why})` : failing_since ? 'failing' : 'enabled',
    EVENTS: ({ events }) => events.join(' '),
  })
}

export async function listDeliveries(context: Context, id: string, options: AnswerOptions): Promise<void> {
  const { data } = await connect(context).call('GET /v1/webhooks/{webhook_id}/deliveries', {
    path: { webhook_id: id },
  })
  printRows(context, data, options, 'There is no delivery yet. Send a test: assay webhooks test WEBHOOK', {
    DELIVERY: (one) => one.id,
    TIME: ({ created_at }) => minuteOf(created_at),
    EVENT: ({ type }) => type,
    STATE: ({ state }) => state,
    STATUS: ({ attempts }) => attempts.at(-1)?.status,
    ERROR: ({ error }) => error,
  })
}

export async function addWebhook(
  context: Context,
  url: string,
  options: AnswerOptions & { events?: string; description?: string },
): Promise<void> {
  const events = options.events?.split(',').map((type) => type.trim()) ?? Object.keys(EVENTS)
  const unknown = events.find((type) => !Object.hasOwn(EVENTS, type))
  if (unknown !== undefined) {
    throw new CliError(`There is no event ${harmless(unknown)}. There are: ${Object.keys(EVENTS).join(', ')}.`)
  }
  const body = { url, events: events as EventType[], description: options.description ?? '' }
  const made = await connect(context).call('POST /v1/webhooks', { body })
  printAnswer(
    context,
    made,
    options,
    () => `Webhook ${made.id} is added. Its secret, shown only once:\n${made.secret}\n`,
  )
}

export async function removeWebhook(context: Context, id: string, options: AnswerOptions): Promise<void> {
  const asked = { path: { webhook_id: id } }
  await connect(context).call('DELETE /v1/webhooks/{webhook_id}', asked)
  printAnswer(context, { id, removed: true }, options, () => `${harmless(id)} is removed.\n`)
}

export async function rotateSecret(context: Context, id: string, options: AnswerOptions): Promise<void> {
  const asked = { path: { webhook_id: id } }
  const made = await connect(context).call('POST /v1/webhooks/{webhook_id}/rotate-secret', asked)
  const words = 'The former secret signs too for 24 hours. The new one, shown only once:'
  printAnswer(context, made, options, () => `${words}\n${made.secret}\n`)
}

export async function testWebhook(context: Context, id: string, options: AnswerOptions): Promise<void> {
  const asked = { path: { webhook_id: id } }
  const sent = await connect(context).call('POST /v1/webhooks/{webhook_id}/test', asked)
  printAnswer(context, sent, options, () => `A test is on its way. See: assay webhooks deliveries ${harmless(id)}\n`)
}

export async function replayFailed(
  context: Context,
  id: string,
  options: AnswerOptions & { since: string },
): Promise<void> {
  const asked = { path: { webhook_id: id }, body: { since: options.since } }
  const { call } = connect(context)
  let replayed = 0
  for (let more = 1; more > 0; replayed += more) {
    more = (await call('POST /v1/webhooks/{webhook_id}/replay', asked)).replayed
  }
  printAnswer(context, { replayed }, options, () => `${replayed} events are delivered again.\n`)
}

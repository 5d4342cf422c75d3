import type { Operations } from '@assay/sdk'
import { EVENTS } from '@assay/sdk/tables'
import { type AnswerOptions, printAnswer } from '../answer.ts'
import { connect } from '../client.ts'
import { CliError, type Context } from '../context.ts'
import { harmless, tabulate } from '../terminal/paint.ts'

/** Events of the organisation, and the webhooks that get them. */

type Event = Operations['GET /v1/events']['response']['data'][number]
type EventType = keyof typeof EVENTS

/** Reads to the newest event. */
export async function listEvents(context: Context, options: AnswerOptions & { after?: string }): Promise<void> {
  const { assay } = connect(context)
  const events: Event[] = []
  for (let after = options.after; ; after = events.at(-1)?.id) {
    const query = { limit: 200, ...(after === undefined ? {} : { after }) }
    const page = await assay.call('GET /v1/events', { query, signal: context.interrupted })
    events.push(...page.data)
    if (!page.has_more) break
  }
  printAnswer(context, events, options, () => {
    if (events.length === 0) return 'There are no further events.\n'
    const rows = events.map(({ id, timestamp, type, data }) => [
      id,
      timestamp.slice(0, 16).replace('T', ' '),
      type,
      harmless(data.summary),
    ])
    return `${tabulate(['EVENT', 'TIME', 'TYPE', 'SUMMARY'], rows, context.stdout.columns)}\n`
  })
}

export async function listWebhooks(context: Context, options: AnswerOptions): Promise<void> {
  const { data } = await connect(context).assay.call('GET /v1/webhooks', { signal: context.interrupted })
  printAnswer(context, data, options, () => {
    if (data.length === 0) return 'There is no webhook yet. Add one: assay webhooks add URL\n'
    const rows = data.map(({ id, url, events, disabled_why, failing_since }) => [
      id,
      harmless(url),
      disabled_why ? `disabled (${disabled_why})` : failing_since ? 'failing' : 'enabled',
      events.join(' '),
    ])
    return `${tabulate(['WEBHOOK', 'URL', 'STATE', 'EVENTS'], rows, context.stdout.columns)}\n`
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
  const made = await connect(context).assay.call('POST /v1/webhooks', { body, signal: context.interrupted })
  printAnswer(
    context,
    made,
    options,
    () =>
      `Webhook ${made.id} gets ${made.events.length} types of events. Its secret, shown only once:\n${made.secret}\n`,
  )
}

export async function removeWebhook(context: Context, id: string, options: AnswerOptions): Promise<void> {
  const path = { webhook_id: id }
  await connect(context).assay.call('DELETE /v1/webhooks/{webhook_id}', { path, signal: context.interrupted })
  printAnswer(context, { id, removed: true }, options, () => `${harmless(id)} is removed.\n`)
}

export async function rotateSecret(context: Context, id: string, options: AnswerOptions): Promise<void> {
  const made = await connect(context).assay.call('POST /v1/webhooks/{webhook_id}/rotate-secret', {
    path: { webhook_id: id },
    signal: context.interrupted,
  })
  const words = 'The former secret signs too for 24 hours. The new one, shown only once:'
  printAnswer(context, made, options, () => `${words}\n${made.secret}\n`)
}

export async function testWebhook(context: Context, id: string, options: AnswerOptions): Promise<void> {
  const sent = await connect(context).assay.call('POST /v1/webhooks/{webhook_id}/test', {
    path: { webhook_id: id },
    signal: context.interrupted,
  })
  printAnswer(
    context,
    sent,
    options,
    () => `A test is on its way. Its result: assay webhooks deliveries ${harmless(id)}\n`,
  )
}

export async function listDeliveries(context: Context, id: string, options: AnswerOptions): Promise<void> {
  const { data } = await connect(context).assay.call('GET /v1/webhooks/{webhook_id}/deliveries', {
    path: { webhook_id: id },
    signal: context.interrupted,
  })
  printAnswer(context, data, options, () => {
    if (data.length === 0) return `There is no delivery yet. Send a test: assay webhooks test ${harmless(id)}\n`
    const rows = data.map(({ id: delivery, type, state, attempts, error, created_at }) => [
      delivery,
      created_at.slice(0, 16).replace('T', ' '),
      type,
      state,
      String(attempts.at(-1)?.status ?? '-'),
      harmless(error ?? '-'),
    ])
    return `${tabulate(['DELIVERY', 'TIME', 'EVENT', 'STATE', 'STATUS', 'ERROR'], rows, context.stdout.columns)}\n`
  })
}

export async function replayFailed(
  context: Context,
  id: string,
  options: AnswerOptions & { since: string },
): Promise<void> {
  const { assay } = connect(context)
  let replayed = 0
  for (let more = 1; more > 0; replayed += more) {
    const body = { since: options.since }
    const answer = await assay.call('POST /v1/webhooks/{webhook_id}/replay', {
      path: { webhook_id: id },
      body,
      signal: context.interrupted,
    })
    more = answer.replayed
  }
  printAnswer(context, { replayed }, options, () => `${replayed} events are delivered again.\n`)
}

import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { changeIn, type Sql } from '../db/sql.ts'
import { invalidField } from '../errors.ts'
import { DISABLED_WHY, type DisabledWhy, type Webhook } from '../events/subscribers.ts'
import { EVENT_TYPES } from '../events/types.ts'
import { etagOf } from '../http/change.ts'
import {
  answerPage,
  change,
  LIST_LIMITS,
  list,
  type OperationDependencies,
  oneOf,
  operation,
  pageQuery,
  readOne,
  registerOperations,
} from '../http/operation.ts'
import { closed, edited, type PageOperation, pageOperation } from '../http/page-operation.ts'
import {
  Count,
  ETAG_HEADER,
  jsonResponse,
  noContent,
  pageResponse,
  TextOrNull,
  Time,
  TimeOrNull,
  withSample,
} from '../http/schema.ts'
import { READING, WRITING } from '../identity/members/http.ts'
import type { Clock } from '../lib/clock.ts'
import { LIMITS } from '../limits.ts'
import { pageOfMessages } from '../outbox/outbox.ts'
import { replay } from './deliveries.ts'
import { chooseFrequency, FREQUENCIES, readFrequency } from './digest.ts'
import { deliveryView, webhookView } from './view.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  queueTest,
  requireEnabled,
  requireWebhook,
  rotateSecret,
  type WebhookRules,
} from './webhooks.ts'

export interface NotifyDependencies extends OperationDependencies {
  readonly production: boolean
}

const Url = Type.String({ minLength: 1, maxLength: 2000, description: 'The https address that gets the events.' })
const Events = Type.Array(oneOf(EVENT_TYPES), {
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  description: 'The types of events to send.',
})
const Description = Type.String({ maxLength: 200, description: 'A note for people.' })

const { schema, sample } = withSample('Webhook', {
  id: [Type.String(), 'whk_3bCdEfGhIjKlMnOpQrSt'],
  url: [Url, 'https://hooks.company.example/assay'],
  events: [Events, ['invoice.paid', 'key.expiring']],
  description: [Description, 'Bookkeeping'],
  enabled: [Type.Boolean(), true],
  disabled_at: [TimeOrNull('When it was disabled; null while it is enabled.'), null],
  disabled_why: [
    Type.Union([oneOf(Object.keys(DISABLED_WHY) as DisabledWhy[]), Type.Null()], {
      description: Object.entries(DISABLED_WHY)
        .map(([why, words]) => `${why}: ${words}`)
        .join(' '),
    }),
    null,
  ],
  failing_since: [TimeOrNull('The first failure since the last delivery; null while deliveries succeed.'), null],
  created_at: [Time('When it was created.'), '2026-03-02T10:15:30.000Z'],
})
const withSecret = {
  schema: Type.Object(
    { ...schema.properties, secret: Type.String({ description: 'Verifies signatures. It is shown only now.' }) },
    { $id: 'NewWebhook' },
  ),
  sample: { ...sample, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
}

const delivery = withSample('Delivery', {
  id: [Type.String(), 'msg_3bCdEfGhIjKlMnOpQrSt'],
  event_id: [Type.String(), 'evt_3bCdEfGhIjKl0000001A'],
  type: [Type.String(), 'invoice.paid'],
  state: [oneOf(['waiting', 'delivered', 'failed']), 'delivered'],
  attempts: [
    Type.Array(
      Type.Object({
        at: Time('When it was made.'),
        status: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status; null without an answer.' }),
        duration_ms: Count(112),
        answer: Type.String({ description: 'The first characters of the answer.' }),
        error: TextOrNull('Why there was no answer.'),
      }),
      { description: 'The last attempts, oldest first.' },
    ),
    [{ at: '2026-03-02T10:15:31.000Z', status: 200, duration_ms: 112, answer: 'ok', error: null }],
  ],
  error: [TextOrNull('Why the last attempt failed.'), null],
  created_at: [Time('When the event happened.'), '2026-03-02T10:15:30.000Z'],
  next_attempt_at: [TimeOrNull('When it is tried again; null if it is not.'), null],
})

/** A failing delivery is no change that an edit could overwrite. */
const webhookEtag = (webhook: Webhook) => etagOf(JSON.stringify({ ...webhookView(webhook), failing_since: null }))

/** Everything under /v1/webhooks, except the messages of payment providers. */
export function registerWebhooks(app: FastifyInstance, deps: NotifyDependencies): void {
  const { sql, ring } = deps
  const rules: WebhookRules = { ring, allowLoopback: !deps.production }
  registerOperations(app, deps, [
    list(deps, {
      ...READING,
      name: 'GET /v1/webhooks',
      id: 'listWebhooks',
      summary: 'List webhooks',
      about: 'A page of webhooks, in the order they were created.',
      schema,
      sample,
      read: (organisationId, page) => listWebhooks(sql, organisationId, page),
      view: webhookView,
    }),
    change({
      ...WRITING,
      name: 'POST /v1/webhooks',
      id: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'Events are sent by the Standard Webhooks specification, at least once: docs/webhooks.md. Events about money need `billing:read`, too.',
      body: closed(
        { url: Url, events: Events, description: Type.Optional(Description) },
        { url: 'https://hooks.company-of-ours.com/assay', events: ['invoice.paid', 'key.expiring'] },
      ),
      answers: { 201: jsonResponse('The webhook and its secret.', withSecret.schema, withSecret.sample) },
      async handle(tx, { actor, body }) {
        const made = await createWebhook(tx, actor, rules, { description: '', ...body })
        return { status: 201, body: { ...webhookView(made.webhook), secret: made.secret } }
      },
    }),
    readOne({
      ...READING,
      name: 'GET /v1/webhooks/{webhook_id}',
      id: 'readWebhook',
      summary: 'Read one webhook',
      answers: { 200: jsonResponse('The webhook.', schema, sample, ETAG_HEADER) },
      read: ({ organisationId }, params) => requireWebhook(sql, organisationId, params.webhook_id),
      etag: webhookEtag,
      view: webhookView,
    }),
    change({
      ...WRITING,
      edit: true,
      name: 'PATCH /v1/webhooks/{webhook_id}',
      id: 'changeWebhook',
      summary: 'Change, disable or enable a webhook',
      description: 'Disabling ends its waiting deliveries. After enabling, replay those that failed.',
      body: edited(
        {
          url: Type.Optional(Url),
          events: Type.Optional(Events),
          description: Type.Optional(Description),
          enabled: Type.Optional(Type.Boolean()),
        },
        { enabled: true },
      ),
      answers: { 200: jsonResponse('The webhook.', schema, sample, ETAG_HEADER) },
      async handle(tx, { actor, params, body, requireMatch }) {
        const webhook = await changeWebhook(tx, actor, rules, params.webhook_id, body, (before) =>
          requireMatch(webhookEtag(before)),
        )
        return { status: 200, body: webhookView(webhook), headers: { etag: webhookEtag(webhook) } }
      },
    }),
    change({
      ...WRITING,
      name: 'DELETE /v1/webhooks/{webhook_id}',
      id: 'deleteWebhook',
      summary: 'Delete a webhook',
      answers: { 204: noContent('Deleted.') },
      handle: (tx, { actor, params }) => deleteWebhook(tx, actor, params.webhook_id),
    }),
    change({
      ...WRITING,
      name: 'POST /v1/webhooks/{webhook_id}/rotate-secret',
      id: 'rotateWebhookSecret',
      summary: 'Replace the secret of a webhook',
      description: 'For 24 hours every delivery carries a signature of each secret.',
      answers: { 200: jsonResponse('The webhook and its new secret.', withSecret.schema, withSecret.sample) },
      async handle(tx, { actor, params }) {
        const made = await rotateSecret(tx, actor, rules, params.webhook_id)
        return { status: 200, body: { ...webhookView(made.webhook), secret: made.secret } }
      },
    }),
    change({
      scope: 'organisation:write',
      name: 'POST /v1/webhooks/{webhook_id}/test',
      id: 'testWebhook',
      summary: 'Send a test to a webhook',
      description: 'Sends an event of type `webhook.test` at once. The result is in the list of deliveries.',
      answers: { 202: jsonResponse('The delivery, waiting to be sent.', delivery.schema, delivery.sample) },
      problems: ['conflict'],
      handle: async (tx, { actor, params }) => ({
        status: 202,
        body: deliveryView(await queueTest(tx, actor, params.webhook_id)),
      }),
    }),
    operation({
      ...READING,
      name: 'GET /v1/webhooks/{webhook_id}/deliveries',
      id: 'listDeliveries',
      summary: 'List the deliveries of a webhook',
      query: pageQuery({}, LIST_LIMITS),
      answers: { 200: pageResponse('A page of deliveries, newest first.', delivery.schema, delivery.sample) },
      async handle(context) {
        const { id } = await requireWebhook(sql, context.caller.organisationId, context.params.webhook_id)
        return answerPage(context, deps, {
          list: ['deliveries', id],
          limitDefault: LIST_LIMITS.limitDefault,
          read: (from, limit) => pageOfMessages(sql, id, { from, limit }),
          view: deliveryView,
        })
      },
    }),
    change({
      scope: 'organisation:write',
      name: 'POST /v1/webhooks/{webhook_id}/replay',
      id: 'replayDeliveries',
      summary: 'Deliver events again',
      description: `One delivery, or all that failed since a time: at most ${LIMITS.counts.replayedMax}, oldest first, so repeat until it replays none. The \`webhook-id\` stays the same.`,
      body: Type.Object(
        {
          delivery_id: Type.Optional(Type.String({ maxLength: 100, description: 'One delivery.' })),
          since: Type.Optional(
            Type.String({
              maxLength: 40,
              description: 'Failed deliveries since a day (UTC midnight) or an RFC 3339 time.',
            }),
          ),
        },
        { additionalProperties: false, minProperties: 1, maxProperties: 1, examples: [{ since: '2026-03-01' }] },
      ),
      answers: {
        200: jsonResponse('Number of deliveries that wait now.', Type.Object({ replayed: Count(12) }), {
          replayed: 12,
        }),
      },
      problems: ['conflict'],
      async handle(tx, { actor, params, body: { delivery_id, since = '' } }) {
        const webhook = requireEnabled(await requireWebhook(tx, actor.organisationId, params.webhook_id))
        const which = delivery_id === undefined ? { sinceMs: Date.parse(since) } : { id: delivery_id }
        if ('sinceMs' in which && !Number.isFinite(which.sinceMs)) {
          throw invalidField('/since', 'It is not a time, such as 2026-03-01 or 2026-03-01T09:00:00Z.')
        }
        return { status: 200, body: { replayed: await replay(tx, actor, webhook.id, which) } }
      },
    }),
  ])
}

const Digest = Type.Object({ frequency: oneOf(FREQUENCIES) })

/** How often the person signed in gets events by mail. */
export function digestPages({ sql, clock }: { readonly sql: Sql; readonly clock: Clock }): PageOperation[] {
  return [
    pageOperation({
      name: 'GET /api/account/digest',
      access: 'person',
      answer: Digest,
      handle: async ({ who }) => ({ frequency: await readFrequency(sql, who.person.id) }),
    }),
    pageOperation({
      name: 'POST /api/account/digest',
      access: 'person',
      body: closed({ frequency: oneOf(FREQUENCIES) }),
      handle: ({ who, body }) => changeIn(sql, clock, (tx) => chooseFrequency(tx, who.person.id, body.frequency)),
    }),
  ]
}

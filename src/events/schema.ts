import Type, { type TSchema } from 'typebox'
import type { DocumentedRoute } from '../http/openapi-document.ts'
import { named, pascalCase, sampleOf, TextLike, Time } from '../http/schema.ts'
import { EVENT_DAYS } from './events.ts'
import { EVENT_TYPES, EVENTS, type EventType } from './types.ts'

const eventSchema = (type: EventType) =>
  named(
    `${pascalCase(type.replace('.', '_'))}Event`,
    {
      id: TextLike('evt_3bCdEfGhIjKl0000001A'),
      type: Type.Unsafe<EventType>({ type: 'string', enum: [type] }),
      timestamp: Time('When it happened.'),
      data: Type.Object({
        ...EVENTS[type].fields,
        summary: Type.String({ description: 'The event in one sentence.', examples: [summaryLike(type)] }),
      }),
    },
    { description: `${EVENTS[type].about}.` },
  )

function summaryLike(type: EventType): string {
  return EVENTS[type].says(sampleOf(Type.Object(EVENTS[type].fields)) as never)
}

const schemas = EVENT_TYPES.map(eventSchema)
export const EventSchema: TSchema = Type.Union(schemas, { $id: 'AssayEvent', description: 'An event.' })
export const EVENT_SAMPLE = sampleOf(schemas[EVENT_TYPES.indexOf('invoice.paid')]!)

const SIGNED = Type.Object({
  'webhook-id': Type.String({
    $id: 'WebhookIdHeader',
    description: 'Id of the event. A delivery may arrive twice: ignore an id that you have processed.',
  }),
  'webhook-timestamp': Type.String({ $id: 'WebhookTimestamp', description: 'Seconds since 1970 of this attempt.' }),
  'webhook-signature': Type.String({
    $id: 'WebhookSignature',
    description:
      'Signatures, separated by blanks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`.',
  }),
})

/** The deliveries to webhooks, for the `webhooks` of the OpenAPI document; the path is the name of the event. */
export const DELIVERED_EVENTS: readonly DocumentedRoute[] = EVENT_TYPES.map((type, at) => ({
  method: 'POST',
  path: type,
  schema: {
    operationId: `on${pascalCase(type.replace('.', '_'))}`,
    tags: ['Events'],
    summary: EVENTS[type].about,
    security: [],
    headers: SIGNED,
    body: schemas[at]!,
    response: {
      '2XX': {
        $id: 'Delivered',
        description: 'Delivered. Every other response leads to another attempt, over three days.',
      },
      410: { $id: 'Disabled', description: 'Disables the webhook.' },
    },
  },
}))

export const KEPT_FOR = `Events are kept for ${EVENT_DAYS} days.`

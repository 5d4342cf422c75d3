import Type, { type TSchema } from 'typebox'
import { PROBLEMS, type ProblemCode } from '../errors.ts'

/** Schemas every part of the API shares: they validate, type and document at once. */

export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'Address of a page about this problem.' }),
    title: Type.String({ description: 'The problem in general.' }),
    status: Type.Integer({ description: 'The HTTP status again.' }),
    detail: Type.String({ description: 'What is wrong this time and what to do.' }),
    instance: Type.String({ description: 'The request id, as in the header X-Request-Id.' }),
    code: Type.String({ enum: Object.keys(PROBLEMS), description: 'Stable code to program against.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'RFC 6901 pointer to the place in the body.' }),
          code: Type.String(),
          detail: Type.String(),
        }),
        { description: 'For validation: each place that is wrong, the first 100.' },
      ),
    ),
  },
  { $id: 'Problem', title: 'Problem', description: 'RFC 9457 problem details.' },
)

export const BillingFields = {
  charged: Type.Boolean({ description: 'Money moved, from credit or as overage.' }),
  is_free: Type.Boolean({ description: 'A free allowance or a zero-priced plan covered the whole request.' }),
  unit_price_pence: Type.Integer({ minimum: 0, description: 'Price of one unit, in pence.' }),
  billable_units: Type.Integer({ minimum: 1, description: 'Units of this request: one per record.' }),
  total_price_pence: Type.Integer({ minimum: 0, description: 'Total price, in pence.' }),
  charged_from_credit_pence: Type.Integer({ minimum: 0, description: 'Part taken from credit.' }),
  overage_pence: Type.Integer({ minimum: 0, description: 'Part beyond credit.' }),
  remaining_credit_pence: Type.Integer({ minimum: 0, description: 'Credit left after this request.' }),
}

const HEADERS: Partial<Record<ProblemCode, Record<string, { type: 'string'; description: string }>>> = {
  credentials_missing: { 'WWW-Authenticate': { type: 'string', description: 'RFC 6750 challenge.' } },
  method_not_allowed: { Allow: { type: 'string', description: 'Methods this path takes.' } },
  rate_limited: {
    'Retry-After': { type: 'string', description: 'Seconds to wait.' },
    RateLimit: { type: 'string', description: 'Requests left and seconds until more.' },
    'RateLimit-Policy': { type: 'string', description: 'Requests allowed per window.' },
  },
  upstream_unavailable: { 'Retry-After': { type: 'string', description: 'Seconds to wait.' } },
  store_unavailable: { 'Retry-After': { type: 'string', description: 'Seconds to wait.' } },
}

/** The `response` entries of a route for the problems it can answer with, grouped by status. */
export function problemResponses(codes: readonly ProblemCode[]): Record<number, TSchema> {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of codes) {
    const { status } = PROBLEMS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const responses: Record<number, unknown> = {}
  for (const [status, group] of byStatus) {
    responses[status] = {
      description: group.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
      headers: Object.assign({}, ...group.map((code) => HEADERS[code] ?? {})),
      content: {
        'application/problem+json': {
          schema: { $ref: 'Problem#' },
          examples: Object.fromEntries(group.map((code) => [code, { value: exampleOf(code) }])),
        },
      },
    }
  }
  return responses as Record<number, TSchema>
}

function exampleOf(code: ProblemCode): object {
  return {
    type: `http://localhost:8080/problems/${code}`,
    title: PROBLEMS[code].title,
    status: PROBLEMS[code].status,
    detail: `${PROBLEMS[code].title}.`,
    instance: 'req_Xk29fPq0LmZt0000001',
    code,
  }
}

/** One good answer of a route, with an example of it. */
export function jsonResponse(
  description: string,
  schema: TSchema,
  example: unknown,
  headers: Readonly<Record<string, { readonly type: 'string'; readonly description: string }>> = {},
): TSchema {
  return {
    description,
    headers: { 'X-Request-Id': { type: 'string', description: 'Id of this request.' }, ...headers },
    content: { 'application/json': { schema, examples: { example: { value: example } } } },
  } as unknown as TSchema
}

/** An answer in other forms as well; which one, the Accept header says. */
export function withForms(response: TSchema, forms: Readonly<Record<string, string>>): TSchema {
  const { content, ...rest } = response as unknown as { content: object }
  const others = Object.entries(forms).map(([type, example]) => [
    type,
    { schema: { type: 'string' }, examples: { example: { value: example } } },
  ])
  return { ...rest, content: { ...content, ...Object.fromEntries(others) } } as unknown as TSchema
}

/** A page of a list. */
export function pageResponse(description: string, schema: TSchema, example: unknown): TSchema {
  return jsonResponse(
    description,
    Type.Object({ data: Type.Array(schema), next_cursor: NextCursor }),
    { data: [example], next_cursor: null },
    LINK_HEADER,
  )
}

export const LINK_HEADER = {
  Link: { type: 'string', description: 'RFC 8288: `rel="next"` leads to the next page.' },
} as const
export const ETAG_HEADER = { ETag: { type: 'string', description: 'The version; send it back in If-Match.' } } as const
export const REPLAYED_HEADER = {
  'Idempotent-Replayed': { type: 'string', description: '`true` when a stored answer was given again.' },
} as const

const RESOURCE_PROBLEMS: readonly ProblemCode[] = [
  'ambiguous_credentials',
  'invalid_header',
  'credentials_missing',
  'session_missing',
  'api_key_invalid',
  'token_invalid',
  'account_disabled',
  'insufficient_scope',
  'second_factor_needed',
  'forbidden',
  'not_found',
  'rate_limited',
  'internal',
  'store_unavailable',
  'overloaded',
  'shutting_down',
]

/** What any resource may answer, and what these routes add to it. */
export function resourceProblems(...more: readonly ProblemCode[]): Record<number, TSchema> {
  return problemResponses([...new Set([...RESOURCE_PROBLEMS, ...more])])
}

export const CHANGE_PROBLEMS: readonly ProblemCode[] = [
  'malformed_json',
  'invalid_header',
  'request_in_flight',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
  'idempotency_key_reused',
]

/** Any one of the scopes. */
export const security = (scopes: readonly string[]) => [
  { apiKey: [] },
  ...scopes.map((scope) => ({ oauth2: [scope] })),
  { session: [] },
]

const idempotencyKey = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Makes a retry safe: the same key and body within 24 hours give the stored answer, done once.',
  }),
)
export const ChangeHeaders = Type.Object({ 'idempotency-key': idempotencyKey })
export const EditHeaders = Type.Object({
  'idempotency-key': idempotencyKey,
  'if-match': Type.String({ description: 'The ETag of the version this change was made from.' }),
})

export const Cursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: 1000, description: 'Where the page begins: `next_cursor` of the last one.' }),
)
export const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description:
    'Begins the next page; null on the last. A page may be shorter than the limit and still have a next one.',
})
export const Time = (description: string) => Type.String({ format: 'date-time', description })
export const TimeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })
export const TextOrNull = (description?: string) =>
  Type.Union([Type.String(), Type.Null()], description === undefined ? {} : { description })
export const Name = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })
export const Pence = (description: string) => Type.Integer({ minimum: 0, description })

export const noContent = (description: string): TSchema => ({ description }) as unknown as TSchema

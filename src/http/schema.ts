import Type, { type TProperties, type TSchema } from 'typebox'
import { PROBLEMS, Problem, type ProblemCode } from '../errors.ts'
import { LIMITS } from '../limits.ts'

/**
 * Schemas every part of the API shares: one schema validates, types and documents. A schema, parameter or response with
 * an `$id` is a component of that name in the OpenAPI document (openapi-document.ts).
 */

/** An object with this name in openapi.json and the generated clients. */
export function named<Properties extends TProperties>($id: string, properties: Properties, options: object = {}) {
  return Type.Object(properties, { ...options, $id })
}

type Exemplified = Readonly<Record<string, readonly [schema: TSchema, example: unknown]>>

/** A named object and an example of it: each property has its schema and its example side by side. */
export function withSample<Fields extends Exemplified>($id: string, fields: Fields) {
  const part = (at: 0 | 1) => Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field[at]]))
  const properties = part(0) as { [Name in keyof Fields]: Fields[Name][0] }
  return { schema: named($id, properties), sample: part(1) }
}

const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]
const ProblemSchema = named(
  'Problem',
  {
    type: Type.String({ description: 'Address of a page about this problem.' }),
    title: Type.String({ description: 'Title of the problem type.' }),
    status: Type.Integer({ description: 'The HTTP status code.' }),
    detail: Type.String({ description: 'The cause of this error and what to do.' }),
    instance: Type.String({ description: 'The request id, as in the header X-Request-Id.' }),
    code: Type.String({ enum: PROBLEM_CODES, description: 'Stable error code for programs.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'RFC 6901 pointer to the place in the body.' }),
          code: Type.String(),
          detail: Type.String(),
        }),
        { description: 'For validation: the invalid fields, at most 100.' },
      ),
    ),
  },
  { description: 'RFC 9457 problem details.' },
)

export const BillingFields = {
  charged: Type.Boolean({ description: 'True if money was charged, from credit or as overage.' }),
  is_free: Type.Boolean({ description: 'True if a free allowance or a zero-priced plan covered the whole request.' }),
  unit_price_pence: Type.Integer({ minimum: 0, description: 'Price of one unit, in pence.' }),
  billable_units: Type.Integer({ minimum: 1, description: 'Units of this request: one per record.' }),
  total_price_pence: Type.Integer({ minimum: 0, description: 'Total price, in pence.' }),
  charged_from_credit_pence: Type.Integer({ minimum: 0, description: 'Part taken from credit.' }),
  overage_pence: Type.Integer({ minimum: 0, description: 'Part beyond credit.' }),
  remaining_credit_pence: Type.Integer({ minimum: 0, description: 'Credit left after this request.' }),
}

const HEADERS: Partial<Record<ProblemCode, Record<string, { type: 'string'; description: string }>>> = {
  credentials_missing: { 'WWW-Authenticate': { type: 'string', description: 'RFC 6750 challenge.' } },
  method_not_allowed: { Allow: { type: 'string', description: 'Methods that this path allows.' } },
  rate_limited: {
    'Retry-After': { type: 'string', description: 'Seconds to wait.' },
    RateLimit: { type: 'string', description: 'Remaining requests, and seconds until the window resets.' },
    'RateLimit-Policy': { type: 'string', description: 'Requests allowed per window.' },
  },
  upstream_unavailable: { 'Retry-After': { type: 'string', description: 'Seconds to wait.' } },
  store_unavailable: { 'Retry-After': { type: 'string', description: 'Seconds to wait.' } },
}

/** The problems a route can answer with, as responses by status. */
export function problemResponses(codes: readonly ProblemCode[]): Record<number, TSchema> {
  const byStatus = Map.groupBy(
    PROBLEM_CODES.filter((code) => codes.includes(code)),
    (code) => PROBLEMS[code].status,
  )
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, problemResponse(status, group)]))
}

function problemResponse(status: number, codes: readonly ProblemCode[]): TSchema {
  return {
    $id: problemsName(status, codes),
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
    headers: Object.assign({}, ...codes.map((code) => HEADERS[code])),
    content: {
      'application/problem+json': {
        schema: ProblemSchema,
        examples: Object.fromEntries(codes.map((code) => [code, { $id: code, value: exampleOf(code) }])),
      },
    },
  } as unknown as TSchema
}

/**
 * `NotFound`, `RequestInFlightOrConflict`; the problems of every resource have a short name: `Common403OrProofNeeded`.
 */
function problemsName(status: number, codes: readonly ProblemCode[]): string {
  const common = RESOURCE_PROBLEMS.filter((code) => PROBLEMS[code].status === status)
  const short = common.length > 1 && common.every((code) => codes.includes(code))
  const others = short ? codes.filter((code) => !common.includes(code)) : codes
  return [...(short ? [`Common${status}`] : []), ...others.map(pascalCase)].join('Or')
}

/** `not_found`, `payment-risk` → `NotFound`, `PaymentRisk`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[_-])([a-z])/g, (_all, letter: string) => letter.toUpperCase())
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

/** The example of an answer, from the examples of its fields. Without one a field is null, false, its minimum or first word. */
export function sampleOf(schema: TSchema): unknown {
  const { examples, anyOf, enum: words, type, items, properties = {}, required = [], minimum = 0 } = schema as Sampled
  if (examples) return examples[0]
  if (words) return words[0]
  if (type === 'object') {
    const shown = Object.entries(properties).filter(([name, field]) => required.includes(name) || 'examples' in field)
    return Object.fromEntries(shown.map(([name, field]) => [name, sampleOf(field)]))
  }
  if (type === 'array' && items) return [sampleOf(items)]
  // A choice of schemas is one that may be null.
  if (anyOf) return null
  if (type === 'string') throw new Error(`a text needs an example: ${JSON.stringify(schema)}`)
  return type === 'boolean' ? false : minimum
}

interface Sampled {
  readonly examples?: readonly unknown[]
  readonly enum?: readonly string[]
  readonly type?: string
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly minimum?: number
}

/** One successful answer of a route, with an example. */
export function jsonResponse(
  description: string,
  schema: TSchema,
  example: unknown = sampleOf(schema),
  headers: Readonly<Record<string, { readonly type: 'string'; readonly description: string }>> = {},
): TSchema {
  return {
    description,
    headers: { 'X-Request-Id': { type: 'string', description: 'Id of this request.' }, ...headers },
    content: { 'application/json': { schema, example } },
  } as unknown as TSchema
}

/** An answer with other media types; the Accept header chooses. */
export function withForms(response: TSchema, forms: Readonly<Record<string, string>>): TSchema {
  const { content, ...rest } = response as unknown as { content: object }
  const others = Object.entries(forms).map(([type, example]) => [type, { schema: { type: 'string' }, example }])
  return { ...rest, content: { ...content, ...Object.fromEntries(others) } } as unknown as TSchema
}

export function pageResponse(description: string, schema: TSchema, example: unknown = sampleOf(schema)): TSchema {
  return jsonResponse(
    description,
    named(`${(schema as { $id?: string }).$id}Page`, { data: Type.Array(schema), next_cursor: NextCursor }),
    { data: [example], next_cursor: null },
    LINK_HEADER,
  )
}

export const LINK_HEADER = {
  Link: { type: 'string', description: 'RFC 8288: `rel="next"` leads to the next page.' },
} as const
export const ETAG_HEADER = {
  ETag: { type: 'string', description: 'Version of the resource; send it in If-Match.' },
} as const
export const REPLAYED_HEADER = {
  'Idempotent-Replayed': { type: 'string', description: '`true` if the response is a stored one.' },
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
  'maintenance',
]

/** The problems of every resource, plus those of these routes. */
export function resourceProblems(...more: readonly ProblemCode[]): Record<number, TSchema> {
  return problemResponses([...new Set([...RESOURCE_PROBLEMS, ...more])])
}

export const BODY_PROBLEMS = [
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
] as const
export const CHANGE_PROBLEMS = [
  ...BODY_PROBLEMS,
  'invalid_header',
  'request_in_flight',
  'idempotency_key_reused',
] as const

/** Any one of the scopes. */
export const security = (scopes: readonly string[]) => [
  { apiKey: [] },
  ...scopes.map((scope) => ({ oauth2: [scope] })),
  { session: [] },
]

const idempotencyKey = Type.Optional(
  Type.String({
    $id: 'IdempotencyKey',
    minLength: 1,
    maxLength: LIMITS.requests.idempotencyKeyCharactersMax,
    description:
      'Makes a retry safe: the same key and body within 24 hours get the stored response; the request is executed and charged once.',
  }),
)
export const ChangeHeaders = Type.Object({ 'idempotency-key': idempotencyKey })
export const EditHeaders = Type.Object({
  'idempotency-key': idempotencyKey,
  'if-match': Type.String({ $id: 'IfMatch', description: 'ETag of the version that this change is based on.' }),
})

export const Cursor = Type.Optional(
  Type.String({
    $id: 'Cursor',
    minLength: 1,
    maxLength: LIMITS.requests.cursorCharactersMax,
    description: 'Start of the page: `next_cursor` of the previous page.',
  }),
)
export const NextCursor = Type.Union([Type.String(), Type.Null()], {
  description:
    'Cursor of the next page; null on the last page. A page may be shorter than the limit even if another follows.',
})
export const Time = (description: string, sample = '2026-03-01T09:00:00.000Z') =>
  Type.String({ format: 'date-time', description, examples: [sample] })
export const TimeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })
export const TextOrNull = (description?: string) =>
  Type.Union([Type.String(), Type.Null()], description === undefined ? {} : { description })
export const Name = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })
export const NewPassword = Type.String({
  minLength: LIMITS.requests.passwordCharactersMin,
  maxLength: LIMITS.requests.passwordCharactersMax,
})
export const AcceptTerms = Type.Optional(
  Type.Boolean({ description: 'Must be true if the operator has set terms of service.' }),
)
/** Text and numbers like the sample, which is shown in examples of answers. */
export const TextLike = (sample: string, description?: string) =>
  Type.String({ ...(description === undefined ? {} : { description }), examples: [sample] })
export const Count = (sample: number, description?: string) =>
  Type.Integer({ ...(description === undefined ? {} : { description }), examples: [sample] })
/** The description says what null means. */
export const PenceOrNull = (description: string, sample: number | null = null) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description, examples: [sample] })
export const Pence = (description: string, sample = 0) => Type.Integer({ minimum: 0, description, examples: [sample] })

/** An answer that is a file. */
export const fileResponse = (description: string, type: string, example: string): TSchema =>
  ({ description, content: { [type]: { schema: { type: 'string' }, example } } }) as unknown as TSchema
export const noContent = (description: string): TSchema => ({ description }) as unknown as TSchema

export const LogLimit = Type.Optional(
  Type.Integer({
    $id: 'LogLimit',
    minimum: 1,
    maximum: LIMITS.pages.csvRowsMax,
    description: `Entries on a page, fewer if they are very long. As JSON: default ${LIMITS.pages.logRowsDefault}, at most ${LIMITS.pages.logRowsMax}. As CSV: default and at most ${LIMITS.pages.csvRowsMax}.`,
  }),
)

export function logLimit(wanted: number | undefined, asCsv: boolean): number {
  if (asCsv) return wanted ?? LIMITS.pages.csvRowsMax
  if (wanted !== undefined && wanted > LIMITS.pages.logRowsMax) {
    throw new Problem('invalid_query', { detail: `limit: at most ${LIMITS.pages.logRowsMax} entries on a page.` })
  }
  return wanted ?? LIMITS.pages.logRowsDefault
}

export const DAY_OR_TIME = '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?(Z|[+-]\\d{2}:\\d{2}))?$'

/** A point in time as a query parameter: a day, or a time with its zone. */
export const Moment = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: DAY_OR_TIME,
      description: `${description} A day (UTC midnight) or an RFC 3339 time.`,
      examples: ['2026-03-01', '2026-03-01T09:00:00Z'],
    }),
  )

/** A time in milliseconds; 400 for an invalid one, such as the 32nd of a month. */
export function momentOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const timeMs = Date.parse(text)
  if (Number.isFinite(timeMs)) return timeMs
  throw new Problem('invalid_query', { detail: `${name} is not a time of the calendar.` })
}

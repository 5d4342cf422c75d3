/**
 * Every error an API caller can get, listed once. Types, HTTP answers, the OpenAPI document and the documentation pages
 * all derive from this table.
 */
export const PROBLEMS = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  ambiguous_credentials: { status: 400, title: 'Two credentials were sent' },
  invalid_header: { status: 400, title: 'A request header has an invalid value' },
  signature_invalid: { status: 400, title: 'The signature is not valid' },
  invalid_query: { status: 400, title: 'A query parameter has an invalid value' },
  credentials_missing: { status: 401, title: 'No credentials were sent' },
  api_key_invalid: { status: 401, title: 'The API key is not valid' },
  token_invalid: { status: 401, title: 'The access token is not valid' },
  sign_in_failed: { status: 401, title: 'The sign-in failed' },
  session_missing: { status: 401, title: 'Nobody is signed in' },
  credit_exhausted: { status: 402, title: 'The credit does not cover this request' },
  account_disabled: { status: 403, title: 'The account is disabled' },
  account_inactive: { status: 403, title: 'The account is inactive' },
  insufficient_scope: { status: 403, title: 'The credential lacks a scope' },
  bulk_not_in_plan: { status: 403, title: 'The plan does not include bulk checks' },
  second_factor_needed: { status: 403, title: 'The organisation requires a second factor' },
  proof_needed: { status: 403, title: 'The signed-in person must confirm their identity again' },
  forbidden: { status: 403, title: 'The caller may not do this' },
  form_outdated: { status: 403, title: 'The form is out of date' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  request_in_flight: { status: 409, title: 'The same request is still being answered' },
  conflict: { status: 409, title: 'The change conflicts with the current state' },
  precondition_failed: { status: 412, title: 'The resource has changed since it was read' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  validation_failed: { status: 422, title: 'The request is not valid' },
  too_many_records: { status: 422, title: 'Too many records' },
  no_records: { status: 422, title: 'No records' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for another request' },
  precondition_required: { status: 428, title: 'The change must name the version that it is based on' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The request headers are too large' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  payment_unavailable: { status: 502, title: 'The payment provider cannot answer' },
  upstream_unavailable: { status: 502, title: 'The risk service cannot answer' },
  overloaded: { status: 503, title: 'The server is overloaded' },
  store_unavailable: { status: 503, title: 'The ledger cannot be written' },
  shutting_down: { status: 503, title: 'The server is shutting down' },
  maintenance: { status: 503, title: 'The service is closed for maintenance' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** One invalid field of a request: an RFC 6901 pointer, a stable code, a sentence. */
export interface FieldError {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

export interface ProblemOptions {
  /** Shown to the caller: the error and what to do. Never contains a secret or a raw email address. */
  readonly detail?: string
  readonly errors?: readonly FieldError[]
  readonly headers?: Readonly<Record<string, string>>
  /** For the log only. */
  readonly cause?: unknown
}

/** An expected failure with a public text (`detail`) and a private `cause`. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly errors: readonly FieldError[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    const { status, title } = PROBLEMS[code]
    super(`${code}: ${options.detail ?? title}`, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.status = status
    this.title = title
    this.detail = options.detail ?? `${title}.`
    this.errors = options.errors
    this.headers = options.headers ?? {}
  }

  /** For sending to another thread or process. */
  plain(): PlainProblem {
    const { code, detail, errors } = this
    return { code, detail, ...(errors ? { errors } : {}) }
  }
}

export function malformedJson(): Problem {
  return new Problem('malformed_json', { detail: 'The body is not JSON in UTF-8.' })
}

export const conflict = (detail: string) => new Problem('conflict', { detail })
export const forbidden = (detail: string) => new Problem('forbidden', { detail })
export const notFound = (detail: string) => new Problem('not_found', { detail })

/** Returns the result of a look-up; throws 404 with this detail if there is none. */
export async function orNotFound<T>(lookUp: Promise<T | undefined>, detail: string): Promise<T> {
  const found = await lookUp
  if (found === undefined) throw notFound(detail)
  return found
}

/** An invalid field of a body that its schema cannot detect. */
export function invalidField(pointer: string, detail: string): Problem {
  return new Problem('validation_failed', { detail, errors: [{ pointer, code: 'invalid', detail }] })
}

/** The part of a problem that the caller sees. */
export interface PlainProblem {
  readonly code: ProblemCode
  readonly detail: string
  readonly errors?: readonly FieldError[]
}

/** Restores a problem from another thread or process; undefined for any other value. */
export function problemFrom(value: unknown): Problem | undefined {
  const { code, detail, errors } = (value ?? {}) as Partial<PlainProblem>
  if (typeof code !== 'string' || !Object.hasOwn(PROBLEMS, code) || typeof detail !== 'string') return undefined
  return new Problem(code, { detail, ...(Array.isArray(errors) ? { errors } : {}) })
}

import type { Problem } from './generated/api.ts'

/**
 * The errors of the client, as a small family of classes. Program against `code`; the message says what happened and
 * what to do. No error contains a key, a token, a client secret or the body of a foreign answer.
 */

export type ProblemCode = Problem['code']

/** Codes for failures on the client side, in addition to the server's codes. */
export type ClientCode = 'configuration' | 'connection_failed' | 'timeout' | 'unexpected_response' | 'webhook_invalid'

/** One invalid place: an RFC 6901 pointer into the body, a stable code, a sentence. */
export type FieldError = NonNullable<Problem['errors']>[number]

/**
 * The result of a failed request. `refused`: it did nothing and cost nothing. `unknown`: at least one try got no
 * answer, so the request may have been done and charged. Send the same request with the same Idempotency-Key to find
 * out: it is charged once.
 */
export type RequestOutcome = 'refused' | 'unknown'

export interface AssayErrorOptions {
  readonly outcome?: RequestOutcome | undefined
  /** The key of the failed request. */
  readonly idempotencyKey?: string | undefined
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly errors?: readonly FieldError[] | undefined
  readonly cause?: unknown
}

export class AssayError extends Error {
  /** A problem code of the server, a `ClientCode` or an OAuth error code. */
  readonly code: string
  /** HTTP status; undefined when there was no answer. */
  readonly status: number | undefined
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | undefined
  /** The waiting time that the server asks for. */
  readonly retryAfterMs: number | undefined
  /** For validation: each invalid place. */
  readonly errors: readonly FieldError[]
  readonly outcome: RequestOutcome
  /** Send the request again with this key to learn an unknown outcome: within 24 hours it is charged once. */
  readonly idempotencyKey: string | undefined

  constructor(code: string, message: string, options: AssayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.status = options.status
    this.requestId = options.requestId
    this.retryAfterMs = options.retryAfterMs
    this.errors = options.errors ?? []
    this.outcome = options.outcome ?? 'refused'
    this.idempotencyKey = options.idempotencyKey
  }
}

/** The client is configured wrongly: nothing was sent. */
export class ConfigurationError extends AssayError {
  constructor(message: string) {
    super('configuration', message)
  }
}
/** 401, or a refusal by the token endpoint. */
export class AuthenticationError extends AssayError {}
/** 402: the credit does not cover the request and the plan allows no overage. */
export class CreditExhaustedError extends AssayError {}
/** 403: a scope, the plan or the account's state does not allow the request. */
export class PermissionError extends AssayError {}
/** 404 and 405. */
export class NotFoundError extends AssayError {}
/** 409, 412 and 428. */
export class ConflictError extends AssayError {}
/** 400, 413, 415 and 422: the request is invalid, and a retry will not help. */
export class ValidationError extends AssayError {}
/** 429. */
export class RateLimitError extends AssayError {}
/** 5xx: the service or a proxy cannot answer. `outcome` says whether the request may have been charged. */
export class UnavailableError extends AssayError {}
/** No answer came: the network failed or the address is wrong. */
export class ConnectionError extends AssayError {}
/** No answer came before the timeout. */
export class TimeoutError extends AssayError {}

type ErrorClass = new (code: string, message: string, options?: AssayErrorOptions) => AssayError

const CLASS_BY_STATUS: Readonly<Record<number, ErrorClass>> = {
  401: AuthenticationError,
  402: CreditExhaustedError,
  403: PermissionError,
  404: NotFoundError,
  405: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  428: ConflictError,
  429: RateLimitError,
}

function classOf(status: number): ErrorClass {
  const otherwise = status >= 500 ? UnavailableError : status >= 400 ? ValidationError : AssayError
  return CLASS_BY_STATUS[status] ?? otherwise
}

/** The error for an unsuccessful answer. Only the fields of a valid problem document are copied from the body. */
export function errorFromAnswer(status: number, headers: Headers, body: unknown, nowMs: number): AssayError {
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), nowMs)
  const requestId = headers.get('x-request-id') ?? undefined
  const Class = classOf(status)
  if (!isProblem(body)) {
    // A proxy that gave up does not know the result of the request that it passed on.
    const outcome = status >= 500 ? 'unknown' : 'refused'
    return new Class('unexpected_response', foreignAnswer(status), { status, requestId, retryAfterMs, outcome })
  }
  return new Class(body.code, body.detail, { status, requestId, retryAfterMs, errors: body.errors })
}

function foreignAnswer(status: number): string {
  if (status === 0 || (status >= 300 && status < 400)) {
    return 'The address answers with a redirect. Set baseUrl to the final address of the service.'
  }
  return `The address answered ${status}, but not like Assay. Check baseUrl and any proxy in between.`
}

function isProblem(body: unknown): body is Problem {
  if (typeof body !== 'object' || body === null) return false
  const { code, detail } = body as Partial<Record<string, unknown>>
  return typeof code === 'string' && typeof detail === 'string'
}

/** RFC 9110: seconds or a date. */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

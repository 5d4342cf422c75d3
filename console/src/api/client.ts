import { BASE_PATH } from './base.ts'

/** The one way to the server: same origin, JSON in and out, every failure an ApiError in plain words. */

/** What is wrong with one field, as the server names it. */
export interface FieldError {
  readonly pointer: string
  readonly code: string
  readonly detail: string
}

export class ApiError extends Error {
  /** 0 when no answer came. */
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  readonly errors: readonly FieldError[]

  constructor(fields: {
    status: number
    code: string
    detail: string
    requestId?: string | undefined
    retryAfterSeconds?: number | undefined
    errors?: readonly FieldError[] | undefined
  }) {
    super(`${fields.code}: ${fields.detail}`)
    this.name = 'ApiError'
    this.status = fields.status
    this.code = fields.code
    this.detail = fields.detail
    this.requestId = fields.requestId
    this.retryAfterSeconds = fields.retryAfterSeconds
    this.errors = fields.errors ?? []
  }
}

export interface CallOptions {
  readonly body?: unknown
  /** The `csrf` of the last GET of the same resource. */
  readonly csrf?: string | undefined
  readonly signal?: AbortSignal
  /** On whose behalf, for somebody who belongs to several. */
  readonly organisationId?: string | undefined
  /** Makes a repeat safe: the server does the same thing once. */
  readonly idempotencyKey?: string | undefined
  /** The version the change is based on: `etag` of an earlier answer. */
  readonly ifMatch?: string | undefined
}

/** The same answer as text to keep, in another form than JSON. */
export async function callForFile(path: string, accept: string, options: CallOptions = {}): Promise<Blob> {
  const response = await send('GET', path, accept, options)
  if (!response.ok) throw toApiError(response, await response.text())
  return response.blob()
}

export interface Answered<Answer> {
  readonly data: Answer
  readonly etag: string | undefined
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export async function call<Answer>(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
  return (await callForVersion<Answer>(method, path, options)).data
}

/** The same, with the version of what was read. */
export async function callForVersion<Answer>(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<Answered<Answer>> {
  const response = await send(method, path, 'application/json', options)
  const text = await response.text()
  if (!response.ok) throw toApiError(response, text)
  const etag = response.headers.get('etag') ?? undefined
  return { data: text === '' ? (undefined as Answer) : parse<Answer>(response, text), etag }
}

async function send(method: Method, path: string, accept: string, options: CallOptions): Promise<Response> {
  const headers: Record<string, string> = { accept }
  if (options.body !== undefined) headers['content-type'] = 'application/json'
  if (options.csrf !== undefined) headers['x-csrf-token'] = options.csrf
  if (options.organisationId !== undefined) headers['x-organisation-id'] = options.organisationId
  if (options.idempotencyKey !== undefined) headers['idempotency-key'] = options.idempotencyKey
  if (options.ifMatch !== undefined) headers['if-match'] = options.ifMatch
  try {
    return await fetch(BASE_PATH + path, {
      method,
      headers,
      credentials: 'same-origin',
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    })
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new ApiError({
      status: 0,
      code: 'unreachable',
      detail: 'The server cannot be reached. Check the connection and try again.',
    })
  }
}

function parse<Answer>(response: Response, text: string): Answer {
  try {
    return JSON.parse(text) as Answer
  } catch {
    throw new ApiError({
      status: response.status,
      code: 'unreadable_answer',
      detail: 'The server sent an answer this page cannot read. Load the page again.',
      requestId: response.headers.get('x-request-id') ?? undefined,
    })
  }
}

function toApiError(response: Response, text: string): ApiError {
  let body: { code?: unknown; detail?: unknown; instance?: unknown; errors?: unknown } = {}
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) body = parsed
  } catch {
    // A proxy in between may answer with a page of its own: the status alone must do.
  }
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiError({
    status: response.status,
    code: typeof body.code === 'string' ? body.code : `status_${response.status}`,
    detail: typeof body.detail === 'string' ? body.detail : 'The server could not answer. Try again in a moment.',
    requestId: response.headers.get('x-request-id') ?? (typeof body.instance === 'string' ? body.instance : undefined),
    retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : undefined,
    errors: Array.isArray(body.errors) ? (body.errors as FieldError[]) : undefined,
  })
}

/** Whatever was thrown, as something a page can show. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError({
    status: 0,
    code: 'page_failed',
    detail: 'Something went wrong in this page. Load it again.',
  })
}

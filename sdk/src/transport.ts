import type { CredentialHeaders, Credentials } from './credentials.ts'
import type { Effects } from './effects.ts'
import {
  AssayError,
  ConfigurationError,
  ConnectionError,
  errorFromAnswer,
  TimeoutError,
  UnavailableError,
} from './errors.ts'

/** Sends one request and retries it while a retry is safe and can help: the same Idempotency-Key, the same bytes. */

export interface Retrying {
  /** Retries of one request after failures and rate limit refusals. */
  readonly retriesMax: number
  /** First wait; doubles with each retry. */
  readonly waitMs: number
  readonly waitMsMax: number
  /** When the server asks for a longer wait than this, the client does not retry, and the caller gets the error. */
  readonly retryAfterMsMax: number
}

export const RETRYING: Retrying = { retriesMax: 8, waitMs: 250, waitMsMax: 20_000, retryAfterMsMax: 120_000 }

export interface TransportOptions {
  readonly baseUrl: string
  readonly credentials: Credentials
  readonly timeoutMs: number
  readonly retrying: Retrying
  readonly effects: Effects
  readonly onRecovered?: ((recovery: Recovery) => void) | undefined
}

/** A request was answered after a try without an answer. It was done and charged once, by one of the tries. */
export interface Recovery {
  /** Why the earlier try had no answer. */
  readonly error: AssayError
  /** True when the earlier try had been done: its stored answer was returned again. */
  readonly replayed: boolean
  readonly idempotencyKey: string | undefined
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly body?: string | undefined
  /** For another format than JSON: the answer is then a Blob. */
  readonly accept?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  /** Where it differs from the client's. */
  readonly retrying?: Partial<Retrying> | undefined
  readonly onRetry?: (() => void) | undefined
}

export type Transport = ReturnType<typeof createTransport>

export interface Answer {
  /** Parsed JSON, undefined when there is none; with `accept`, a Blob. */
  readonly body: unknown
  readonly headers: Headers
}

export function createTransport(options: TransportOptions) {
  const { effects } = options
  return {
    async send(call: Call): Promise<Answer> {
      const retrying = { ...options.retrying, ...call.retrying }
      const tried: Tried = { given: undefined, refused: undefined, sent: false }
      const idempotencyKey = call.headers?.['idempotency-key']
      const startedAtMs = effects.now()
      let lost: AssayError | undefined
      for (let retries = 0; ; retries++) {
        call.signal?.throwIfAborted()
        // A machine may sleep for days between two tries: the key has expired by then, and a retry would be charged
        // again.
        if (lost && effects.now() - startedAtMs > KEY_KEPT_MS) throw uncertain(lost, lost, idempotencyKey)
        try {
          const answer = await attempt(call, options, tried)
          const replayed = answer.headers.get('idempotent-replayed') === 'true'
          if (lost) options.onRecovered?.({ error: lost, replayed, idempotencyKey })
          return answer
        } catch (error) {
          if (!(error instanceof AssayError)) throw error
          if (error.outcome === 'unknown') lost = error
          if (tried.refused === undefined && options.credentials.renewableAfter(error.code)) {
            tried.refused = tried.given ?? {}
            const renewed = options.credentials.renewed?.(tried.refused)
            await unlessAborted(renewed ?? Promise.resolve(), call.signal).catch((ended: unknown) => {
              throw lost && ended instanceof AssayError ? uncertain(ended, lost, idempotencyKey) : ended
            })
            continue
          }
          const waitMs = retries < retrying.retriesMax ? waitBefore(error, retries, retrying, effects) : undefined
          if (waitMs === undefined) throw lost ? uncertain(error, lost, idempotencyKey) : error
          call.onRetry?.()
          await effects.sleep(waitMs, call.signal)
        }
      }
    },
  }
}

/** The service stores answers for 24 hours; one try takes minutes at most. */
const KEY_KEPT_MS = 23 * 3_600_000

/** The service sends these after it looked for a stored answer: a refusal with one of them says that none is stored. */
const CONCLUSIVE: ReadonlySet<number | undefined> = new Set([400, 402, 413, 415, 422])

/** A refusal by the service itself, which also says that no earlier try under the same key was done or charged. */
export const isConclusive = ({ status, outcome, code }: AssayError) =>
  outcome === 'refused' && CONCLUSIVE.has(status) && code !== 'unexpected_response' && code !== 'idempotency_key_reused'

/** The last error, adjusted because a try before it had no answer. */
function uncertain(error: AssayError, lost: AssayError, idempotencyKey: string | undefined): AssayError {
  if (isConclusive(error)) return error
  const last = error instanceof ConfigurationError ? lost : error
  // The server's statement about costs is true for its own answer, not for the try before it.
  const message =
    last === lost || last.status === undefined
      ? lost.message
      : `${lost.message} A later attempt was answered with ${last.status}.`
  const Class = last.constructor as typeof AssayError
  const { status, requestId, retryAfterMs, cause } = last
  return new Class(last.code, message, { status, requestId, retryAfterMs, cause, outcome: 'unknown', idempotencyKey })
}

function waitBefore(error: AssayError, retries: number, retrying: Retrying, effects: Effects): number | undefined {
  if (!isTransient(error)) return undefined
  const askedMs = error.retryAfterMs ?? 0
  if (askedMs > retrying.retryAfterMsMax) return undefined
  const backoffMs = Math.min(retrying.waitMsMax, retrying.waitMs * 2 ** retries)
  // Jitter between half and whole, on top of the requested wait: many clients must not retry in step.
  const spreadMs = backoffMs * (0.5 + effects.random() / 2)
  return askedMs > 0 ? askedMs + Math.min(spreadMs, 1000) : spreadMs
}

function isTransient(error: AssayError): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  return error.code === 'request_in_flight' || [429, 502, 503, 504].includes(error.status ?? 0)
}

/** The credential of the last try, and a credential that the server refused. */
interface Tried {
  given: CredentialHeaders | undefined
  refused: CredentialHeaders | undefined
  /** True when this try was sent. */
  sent: boolean
}

async function attempt(call: Call, options: TransportOptions, tried: Tried): Promise<Answer> {
  const { effects } = options
  const timeoutMs = call.timeoutMs ?? options.timeoutMs
  const abort = new AbortController()
  let late = false
  const timer = setTimeout(() => {
    late = true
    abort.abort()
  }, timeoutMs)
  const onAbort = () => abort.abort(call.signal?.reason)
  call.signal?.addEventListener('abort', onAbort, { once: true })
  tried.sent = false
  try {
    tried.given = await options.credentials.headers(tried.refused)
    tried.sent = true
    const response = await effects.fetch(`${options.baseUrl}${call.path}`, {
      method: call.method,
      headers: {
        accept: call.accept ?? 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
        ...tried.given,
      },
      ...(call.body === undefined ? {} : { body: call.body }),
      // Following a redirect would send the key to another address.
      redirect: 'manual',
      signal: abort.signal,
    })
    if (response.ok && call.accept !== undefined) return { body: await response.blob(), headers: response.headers }
    const text = await response.text()
    const body = parseJson(text)
    if (!response.ok) throw errorFromAnswer(response.status, response.headers, body, effects.now())
    if (body === undefined && text !== '') {
      const message = 'The address answers, but not with JSON. Check baseUrl.'
      throw new UnavailableError('unexpected_response', message, { status: response.status, outcome: 'unknown' })
    }
    return { body, headers: response.headers }
  } catch (error) {
    if (call.signal?.aborted) throw call.signal.reason
    const outcome = tried.sent && !neverArrived(error) ? 'unknown' : 'refused'
    if (late)
      throw new TimeoutError('timeout', `No answer from ${options.baseUrl} within ${timeoutMs} ms.`, { outcome })
    if (error instanceof AssayError || !isNetworkError(error)) throw error
    const code = codeOf(error)
    const message = `${options.baseUrl} cannot be reached${code === undefined ? '' : ` (${code})`}.`
    throw new ConnectionError('connection_failed', message, { cause: error, outcome })
  } finally {
    clearTimeout(timer)
    call.signal?.removeEventListener('abort', onAbort)
  }
}

function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return value
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** fetch reports every network failure as a TypeError; a truncated stream has other names. */
function isNetworkError(error: unknown): error is Error {
  return error instanceof TypeError || (error instanceof Error && /^(AbortError|NetworkError|Error)$/.test(error.name))
}

/** True when no connection was made. Other runtimes use other names: the outcome then counts as unknown. */
const neverArrived = (error: unknown) => /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(codeOf(error) ?? '')

function codeOf(error: unknown): string | undefined {
  const code = ((error as Error | undefined)?.cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

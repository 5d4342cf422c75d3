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

/** One request, repeated while that can help and is safe: the same Idempotency-Key, the same bytes. */

export interface Retrying {
  /** Repeats of one request after failures and refusals for the rate. */
  readonly retriesMax: number
  /** First wait; doubles each time. */
  readonly waitMs: number
  readonly waitMsMax: number
  /** A server that asks for a longer wait than this is taken at its word, and the error given to the caller. */
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

/** A request was answered after a try without an answer. It was done and charged once, by whichever try. */
export interface Recovery {
  /** Why the earlier try had no answer. */
  readonly error: AssayError
  /** True when the earlier try had been done: its stored answer was given again. */
  readonly replayed: boolean
  readonly idempotencyKey: string | undefined
}

export interface Call {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** JSON text. */
  readonly body?: string | undefined
  /** Of another form than JSON: the answer is then a Blob. */
  readonly accept?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  /** Where it differs from the client's. */
  readonly retrying?: Partial<Retrying> | undefined
  readonly onRetry?: ((retry: Retry) => void) | undefined
}

export interface Retry {
  readonly error: AssayError
  readonly waitMs: number
}

export interface Transport {
  send(call: Call): Promise<Answer>
}

export interface Answer {
  /** Parsed JSON, undefined where there is none; with `accept`, a Blob. */
  readonly body: unknown
  readonly headers: Headers
}

export function createTransport(options: TransportOptions): Transport {
  const { effects } = options
  return {
    async send(call) {
      const retrying = { ...options.retrying, ...call.retrying }
      const tried: Tried = { given: undefined, refused: undefined, sent: false }
      const idempotencyKey = call.headers?.['idempotency-key']
      const startedAtMs = effects.now()
      let lost: AssayError | undefined
      for (let retries = 0; ; retries++) {
        call.signal?.throwIfAborted()
        // A machine may sleep for days between two tries: by then the same key would be charged a second time.
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
          call.onRetry?.({ error, waitMs })
          await effects.sleep(waitMs, call.signal)
        }
      }
    },
  }
}

/** The service keeps answers for 24 hours; one try takes minutes at most. */
const KEY_KEPT_MS = 23 * 3_600_000

/** Given after the stored answers were looked at: a refusal with one of these says that none is stored. */
const CONCLUSIVE: ReadonlySet<number | undefined> = new Set([400, 402, 413, 415, 422])

/** A refusal by the service itself that also says that no earlier try under the same key was done or charged. */
export const isConclusive = ({ status, outcome, code }: AssayError) =>
  outcome === 'refused' && CONCLUSIVE.has(status) && code !== 'unexpected_response' && code !== 'idempotency_key_reused'

/** The last error in the light of a try before it that had no answer. */
function uncertain(error: AssayError, lost: AssayError, idempotencyKey: string | undefined): AssayError {
  if (isConclusive(error)) return error
  const last = error instanceof ConfigurationError ? lost : error
  // What the server says about costs is true of its own answer, not of the try before it.
  const message =
    last === lost || last.status === undefined
      ? lost.message
      : `${lost.message} A later try was answered with ${last.status}.`
  const Class = last.constructor as typeof AssayError
  return new Class(last.code, message, {
    status: last.status,
    requestId: last.requestId,
    retryAfterMs: last.retryAfterMs,
    cause: last.cause,
    outcome: 'unknown',
    idempotencyKey,
  })
}

/** How long to wait before the next try, or undefined when another one cannot help. */
function waitBefore(error: AssayError, retries: number, retrying: Retrying, effects: Effects): number | undefined {
  if (!isTransient(error)) return undefined
  const askedMs = error.retryAfterMs ?? 0
  if (askedMs > retrying.retryAfterMsMax) return undefined
  const backoffMs = Math.min(retrying.waitMsMax, retrying.waitMs * 2 ** retries)
  // Spread between half and whole, on top of what was asked: many clients must not come back in step.
  const spreadMs = backoffMs * (0.5 + effects.random() / 2)
  return askedMs > 0 ? askedMs + Math.min(spreadMs, 1000) : spreadMs
}

function isTransient(error: AssayError): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  if (error.code === 'request_in_flight') return true
  return error.status === 429 || error.status === 502 || error.status === 503 || error.status === 504
}

/** The credential of the last try, and one the server refused. */
interface Tried {
  given: CredentialHeaders | undefined
  refused: CredentialHeaders | undefined
  /** Whether this try left. */
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
      // A redirect would carry the key to wherever it points.
      redirect: 'manual',
      signal: abort.signal,
    })
    if (response.ok && call.accept !== undefined) return { body: await response.blob(), headers: response.headers }
    const text = await response.text()
    const body = parseJson(text)
    if (!response.ok) throw errorFromAnswer(response.status, response.headers, body, effects.now())
    if (body === undefined && text !== '') {
      throw new UnavailableError('unexpected_response', 'The address answers, but not with JSON. Check baseUrl.', {
        status: response.status,
        outcome: 'unknown',
      })
    }
    return { body, headers: response.headers }
  } catch (error) {
    if (call.signal?.aborted) throw call.signal.reason
    const outcome = tried.sent && !neverArrived(error) ? 'unknown' : 'refused'
    if (late)
      throw new TimeoutError('timeout', `No answer from ${options.baseUrl} within ${timeoutMs} ms.`, { outcome })
    if (error instanceof AssayError || !isNetworkError(error)) throw error
    throw new ConnectionError('connection_failed', `${options.baseUrl} cannot be reached${reasonOf(error)}.`, {
      cause: error,
      outcome,
    })
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

/** fetch reports every failure of the network as a TypeError; a stream cut short, under other names. */
function isNetworkError(error: unknown): error is Error {
  return error instanceof TypeError || (error instanceof Error && /^(AbortError|NetworkError|Error)$/.test(error.name))
}

/** No connection was made. Other runtimes have other names for it: then the outcome counts as unknown. */
function neverArrived(error: unknown): boolean {
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN)$/.test(codeOf(error) ?? '')
}

function reasonOf(error: Error): string {
  const code = codeOf(error)
  return code === undefined ? '' : ` (${code})`
}

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

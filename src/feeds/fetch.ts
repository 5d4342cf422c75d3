import { lookup as systemLookup } from 'node:dns/promises'
import type { Agent } from 'undici'
import { parseIp } from '../lib/ip.ts'
import { networkWords } from '../lib/network-words.ts'
import { NotPublic, publicLookup, type Resolve, rejectedBy, requirePublic } from '../lib/public-address.ts'
import { DocumentGone, FeedRefused, FeedUnreachable } from './parse/report.ts'

/**
 * Fetches addresses that come from an operator or a redirect. Nobody may use this server to reach its own network:
 * every name is resolved here, each of its addresses must be public, and the connection goes to the checked address.
 * Size, time and redirects are limited.
 */
export interface FetchOptions {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
  /** Sent only to the origin of the first address: credentials do not follow a redirect to another origin. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

export type Fetched =
  | { readonly status: 'unchanged' }
  | {
      readonly status: 'ok'
      readonly body: AsyncIterable<Uint8Array>
      readonly etag: string | undefined
      readonly lastModified: string | undefined
      header(name: string): string | undefined
    }

export interface Fetcher {
  fetch(address: string, options?: FetchOptions): Promise<Fetched>
  close(): Promise<void>
}

export interface FetcherOptions {
  /** For tests: loopback counts as public, and plain http: is allowed there. */
  readonly allowLoopback?: boolean
  readonly bytesMax?: number
  /** From the request to the last byte. */
  readonly timeoutMs?: number
  readonly lookup?: Resolve
}

type Dispatch = typeof import('undici').request

const BYTES_MAX = 512 * 1024 * 1024
const TIMEOUT_MS = 5 * 60_000
const STALL_MS = 30_000
const REDIRECTS_MAX = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const GONE: ReadonlySet<number> = new Set([404, 410])
/** No connection was made: no name service, no route, no server. */
const UNREACHABLE =
  /^(ENOTFOUND|EAI_AGAIN|ENETDOWN|ENETUNREACH|EHOSTDOWN|EHOSTUNREACH|ECONNREFUSED|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/

export function createFetcher(options: FetcherOptions = {}): Fetcher {
  const { allowLoopback = false, bytesMax = BYTES_MAX, timeoutMs = TIMEOUT_MS } = options
  const lookup = publicLookup(
    options.lookup ?? ((host) => systemLookup(host, { all: true, verbatim: true })),
    allowLoopback,
  )

  // Loaded at the first fetch: most commands, and a server without feeds, never need it.
  let loading: Promise<{ readonly agent: Agent; readonly request: Dispatch }> | undefined
  const client = () => {
    loading ??= import('undici').then((undici) => ({
      request: undici.request,
      agent: new undici.Agent({
        connect: { lookup, timeout: STALL_MS },
        headersTimeout: Math.min(STALL_MS, timeoutMs),
        bodyTimeout: Math.min(STALL_MS, timeoutMs),
        connections: 4,
      }),
    }))
    return loading
  }

  const checkUrl = (url: URL): void => {
    const literal = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
    // An address literal is never resolved, so it is checked here.
    if (parseIp(literal)) requirePublic(url.hostname, literal, allowLoopback)
    if (url.protocol !== 'https:' && !(allowLoopback && url.protocol === 'http:'))
      throw new FeedRefused(`${url.href} is not https:.`)
    if (url.username !== '' || url.password !== '') {
      throw new FeedRefused('An address must not contain a user name or password; put them into "headers".')
    }
  }

  async function send(url: URL, sent: Parameters<Dispatch>[1]) {
    checkUrl(url)
    const { agent, request } = await client()
    return request(url, { dispatcher: agent, ...sent })
  }

  return {
    async fetch(address, fetchOptions = {}) {
      if (!URL.canParse(address)) throw new FeedRefused(`${address} is not a valid URL.`)
      const timeout = AbortSignal.timeout(timeoutMs)
      const signal = fetchOptions.signal ? AbortSignal.any([fetchOptions.signal, timeout]) : timeout
      const origin = new URL(address).origin
      let url = new URL(address)
      for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
        const answer = send(url, {
          signal,
          headers: {
            'user-agent': 'assay (feed fetcher)',
            // Archives are recognised by their first bytes; a second layer of compression would only get in the way.
            'accept-encoding': 'identity',
            ...(fetchOptions.etag !== undefined && { 'if-none-match': fetchOptions.etag }),
            ...(fetchOptions.lastModified !== undefined && { 'if-modified-since': fetchOptions.lastModified }),
            ...(url.origin === origin && fetchOptions.headers),
          },
        })
        const response = await Promise.race([answer, rejectedBy(signal)]).catch((cause: unknown) => {
          throw described(url, cause, timeoutMs)
        })
        // An abandoned body is a stream error that nobody needs; readers get their error from the loop.
        response.body.on('error', () => {})
        const header = (name: string): string | undefined => {
          const value = response.headers[name]
          return Array.isArray(value) ? value[0] : value
        }
        if (response.statusCode !== 200) await response.body.dump({ limit: 65_536 }).catch(() => {})
        if (REDIRECTS.has(response.statusCode)) {
          const location = header('location')
          if (location === undefined || !URL.canParse(location, url.href)) {
            throw new FeedRefused(`${url.href} redirects without a target.`)
          }
          url = new URL(location, url)
          continue
        }
        if (response.statusCode === 304) return { status: 'unchanged' }
        if (response.statusCode !== 200) {
          const message = `${url.href} answered ${response.statusCode}.`
          throw GONE.has(response.statusCode) ? new DocumentGone(message) : new FeedRefused(message)
        }
        const announced = Number(header('content-length'))
        if (announced > bytesMax) {
          response.body.destroy()
          throw new FeedRefused(`${url.href} is ${announced} bytes long; ${bytesMax} are allowed.`)
        }
        return {
          status: 'ok',
          etag: header('etag'),
          lastModified: header('last-modified'),
          header,
          body: bounded(url, response.body, bytesMax, timeoutMs),
        }
      }
      throw new FeedRefused(`${address} redirects more than ${REDIRECTS_MAX} times.`)
    },
    // Connections in progress are dropped: the caller no longer needs them.
    close: async () => (await loading)?.agent.destroy(),
  }
}

async function* bounded(
  url: URL,
  body: AsyncIterable<Uint8Array> & { destroy(): unknown },
  bytesMax: number,
  timeoutMs: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > bytesMax) throw new FeedRefused(`${url.href} is longer than ${bytesMax} bytes.`)
      yield chunk
    }
  } catch (cause) {
    throw cause instanceof FeedRefused ? cause : described(url, cause, timeoutMs)
  } finally {
    body.destroy()
  }
}

function described(url: URL, cause: unknown, timeoutMs: number): Error {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if (error instanceof FeedRefused) return error
    if (error instanceof NotPublic) return new FeedRefused(`${error.message}; only public addresses are fetched.`)
  }
  const { name } = cause as Error
  const why = networkWords(cause as Error) || 'no connection'
  if (isUnreachable(cause)) {
    return new FeedUnreachable(`${url.href} cannot be reached: ${why}.`, url.host, { cause })
  }
  if (name === 'TimeoutError' || /timeout/i.test(name)) {
    return new FeedRefused(`${url.href} took longer than ${timeoutMs} ms, or stalled.`, { cause })
  }
  return new FeedRefused(`${url.href} cannot be fetched: ${why}.`, { cause })
}

/** A name with several addresses fails with one error per address. */
function isUnreachable(cause: unknown): boolean {
  if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(isUnreachable)
  return UNREACHABLE.test((cause as NodeJS.ErrnoException).code ?? '')
}

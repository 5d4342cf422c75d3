import { lookup as systemLookup } from 'node:dns/promises'
import type { Agent } from 'undici'
import { parseIp } from '../../lib/ip.ts'
import { publicLookup, type Resolve, rejectedBy, requirePublic } from '../../lib/public-address.ts'
import { VERSION } from '../../version.ts'

// GET for addresses from registries and redirects: limited in size and time, and only to public addresses. The
// operator's own origin is the exception: it may be anywhere, and without TLS.
export interface ClientOptions {
  readonly ownOrigin?: string | undefined
  readonly resolve?: Resolve | undefined
  /** For tests: servers on this machine count as public, and need no TLS. */
  readonly allowLoopback?: boolean | undefined
}

export interface GetLimits {
  /** From the request to the last byte. */
  readonly timeoutMs: number
  readonly bytesMax: number
}

export type Reply =
  | {
      readonly status: number
      header(name: string): string | undefined
      /** The body for status 200, otherwise empty. */
      readonly body: Buffer
    }
  | {
      readonly failed: string
      /** True if a server answered, even with a body that is too long. */
      readonly answered: boolean
    }

type Request = typeof import('undici').request

interface Loaded {
  readonly request: Request
  readonly ownAgent: Agent
  readonly publicAgent: Agent
}

const CONNECT_TIMEOUT_MS = 10_000
const CONNECTIONS_OWN = 96
const CONNECTIONS_PUBLIC = 4
const DUMPED_BYTES_MAX = 65_536

export class Client {
  readonly #options: ClientOptions
  /** Loaded at the first request: most commands never need it. */
  #loading: Promise<Loaded> | undefined

  constructor(options: ClientOptions) {
    this.#options = options
  }

  isOwn(url: URL): boolean {
    return url.origin === this.#options.ownOrigin
  }

  /** Follows no redirect. Never rejects: a network failure is a reply. */
  async get(url: URL, { timeoutMs, bytesMax }: GetLimits): Promise<Reply> {
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(new Error('timeout')), timeoutMs)
    const progress = { answered: false }
    try {
      this.#check(url)
      const exchange = this.#exchange(url, bytesMax, abort.signal, progress)
      // The client obeys its signal only once it is connected, and an abandoned request may still fail later.
      exchange.catch(() => {})
      return await Promise.race([exchange, rejectedBy(abort.signal)])
    } catch (error) {
      return { failed: reasonOf(error), answered: progress.answered }
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    const loaded = await this.#loading
    await Promise.all([loaded?.ownAgent.destroy(), loaded?.publicAgent.destroy()])
  }

  #check(url: URL): void {
    if (this.isOwn(url)) return
    const { allowLoopback = false } = this.#options
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    // A socket does not resolve an address literal, so it is checked here.
    if (parseIp(literal)) requirePublic(url.hostname, literal, allowLoopback)
    if (url.protocol !== 'https:' && !(allowLoopback && url.protocol === 'http:')) {
      throw new Error(`${url.protocol}//${url.host} is not https:`)
    }
    if (url.username !== '' || url.password !== '') throw new Error(`an address at ${url.host} contains credentials`)
  }

  async #exchange(url: URL, bytesMax: number, signal: AbortSignal, progress: { answered: boolean }): Promise<Reply> {
    this.#loading ??= this.#load()
    const { request, ownAgent, publicAgent } = await this.#loading
    const { statusCode, headers, body } = await request(url, {
      dispatcher: this.isOwn(url) ? ownAgent : publicAgent,
      signal,
      headers: { accept: 'application/rdap+json, application/json', 'user-agent': `assay/${VERSION}` },
    })
    progress.answered = true
    // An abandoned body is also a stream error; a reader of the body gets the error from the loop.
    body.on('error', () => {})
    const header = (name: string): string | undefined => {
      const value = headers[name]
      return Array.isArray(value) ? value[0] : value
    }
    if (statusCode !== 200) {
      await body.dump({ limit: DUMPED_BYTES_MAX })
      return { status: statusCode, header, body: Buffer.alloc(0) }
    }
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > bytesMax) throw new Error(`an answer longer than ${bytesMax} bytes`)
      chunks.push(chunk)
    }
    return { status: statusCode, header, body: Buffer.concat(chunks) }
  }

  async #load(): Promise<Loaded> {
    const { Agent, request } = await import('undici')
    const { resolve = (host: string) => systemLookup(host, { all: true }), allowLoopback = false } = this.#options
    const lookup = publicLookup(resolve, allowLoopback)
    return {
      request,
      ownAgent: new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, connections: CONNECTIONS_OWN }),
      publicAgent: new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS, lookup }, connections: CONNECTIONS_PUBLIC }),
    }
  }
}

/** A name with several addresses fails with one error per address and without its own message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  const message = error instanceof Error ? error.message || error.name : 'unknown error'
  return message.slice(0, 200)
}

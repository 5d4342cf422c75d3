import { Resolver } from 'node:dns/promises'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { publicLookup, type Resolve, requirePublic } from './public-address.ts'

/**
 * One HTTP request to an address that a third party chose:
 *  1. Only https, and only addresses on the public internet: never this machine or the operator's network.
 *  2. Every request resolves the name again and connects to the checked address. Redirects are not followed.
 *  3. Time and size are limited. The time includes the look-up and the last byte.
 */
export interface PublicRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly timeoutMs: number
  readonly bytesMax: number
  /** In development this machine counts as public, and http is allowed. */
  readonly allowLoopback: boolean
  readonly resolve: Resolve
  readonly signal?: AbortSignal | undefined
}

export interface PublicAnswer {
  readonly status: number
  /** At most `bytesMax` bytes of the body. */
  readonly text: string
  /** False when the body is longer. */
  readonly isWhole: boolean
}

/** Why the URL may not be called, as far as it is known without a look-up; undefined for one that may. */
export function whyNotCallable(url: URL, allowLoopback: boolean): string | undefined {
  if (url.protocol !== 'https:' && !(allowLoopback && url.protocol === 'http:')) return 'it is not https'
  if (url.username !== '' || url.password !== '') return 'it contains a user name or password'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!/^[\d.]+$|:/.test(host)) return undefined
  try {
    requirePublic(host, host, allowLoopback)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

export async function requestPublic(url: URL, options: PublicRequest): Promise<PublicAnswer> {
  const { method, headers, body, allowLoopback, resolve, bytesMax } = options
  const refused = whyNotCallable(url, allowLoopback)
  if (refused !== undefined) throw new Error(`${url.host} is not called: ${refused}`)
  const timeout = AbortSignal.timeout(options.timeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  const lookup = publicLookup(resolve, allowLoopback)
  // No agent: a connection that is kept would outlive the check of its address.
  const send = url.protocol === 'https:' ? requestSecure : requestPlain
  const exchange = new Promise<PublicAnswer>((answered, failed) => {
    const sent = send(url, { method, headers, lookup, signal, agent: false }, (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      const answer = (isWhole: boolean) => {
        const text = Buffer.concat(chunks).subarray(0, bytesMax).toString('utf8')
        answered({ status: response.statusCode ?? 0, text, isWhole })
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes <= bytesMax) return
        answer(false)
        response.destroy()
      })
      response.on('end', () => answer(true)).on('error', failed)
    })
    sent.on('error', failed).end(body)
  })
  return exchange.catch((error: unknown) => {
    throw timeout.aborted ? new Error(`no complete answer within ${options.timeoutMs} ms`, { cause: error }) : error
  })
}

const LOOK_UP_MS = 3000

/** Queries the DNS within a time limit. The system's look-up has none, and shares threads with password hashing. */
export function resolveByDns(options: { servers?: readonly string[]; timeoutMs?: number } = {}): Resolve {
  const { servers, timeoutMs = LOOK_UP_MS } = options
  return async (host) => {
    // RFC 6761 §6.3: not a DNS query.
    if (host === 'localhost') return [{ address: '127.0.0.1', family: 4 }]
    const resolver = new Resolver({ timeout: timeoutMs / 2, maxTimeout: timeoutMs / 2, tries: 2 })
    if (servers) resolver.setServers(servers)
    const timer = setTimeout(() => resolver.cancel(), timeoutMs)
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const found = [
        ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
        ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
      ]
      if (found.length === 0 && four.status === 'rejected') throw four.reason
      return found
    } finally {
      clearTimeout(timer)
    }
  }
}

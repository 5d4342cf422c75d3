import { Resolver } from 'node:dns/promises'
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, SECOND_MS } from '../lib/clock.ts'
import { cacheLookUps } from '../lib/look-up-cache.ts'
import { publicLookup, type Resolve, requirePublic } from '../lib/public-address.ts'

/**
 * Reads the public keys of an application where it publishes them (`jwks_uri`). A third party chooses the URL:
 * 1. Only https, and only addresses on the public internet: never this machine or the operator's network.
 * 2. Redirects are not followed. Time, size and the number of reads at the same time are limited: anybody can make us
 *    read, before the application has proved itself.
 * 3. Results are cached for a while, failures too, so that a flood of requests here does not become a flood of requests
 *    to a third party.
 */
export type ReadKeySet = (address: string) => Promise<Response>

const KEPT_MS = 30 * SECOND_MS
const ADDRESSES_MAX = 1000
const BYTES_MAX = 64 * 1024
const TIMEOUT_MS = 3 * SECOND_MS
const READS_MAX = 8

type Read = { readonly status: number; readonly text: string } | { readonly failure: Error }

export interface KeySetReaderOptions {
  readonly clock: Clock
  /** In development this machine counts as public, and http is allowed, with a warning. */
  readonly allowLoopback: boolean
  readonly logger: Pick<FastifyBaseLogger, 'warn'>
  readonly resolve?: Resolve
}

export function createKeySetReader(options: KeySetReaderOptions): ReadKeySet {
  const { clock, resolve = resolveByDns() } = options
  let underWay = 0
  const kept = cacheLookUps<Read>(
    async (address) => {
      // Not cached: it says nothing about this address. The library answers invalid_client, as to every failure here.
      if (underWay >= READS_MAX) throw new Error('too many key sets are being read')
      underWay++
      try {
        return await read(new URL(address), { ...options, resolve })
      } catch (failure) {
        return { failure: failure instanceof Error ? failure : new Error(String(failure)) }
      } finally {
        underWay--
      }
    },
    { clock, ttlMs: KEPT_MS, entriesMax: ADDRESSES_MAX },
  )
  return async (address) => {
    const found = await kept.find(address)
    if ('failure' in found) throw found.failure
    return new Response(found.text, { status: found.status })
  }
}

/** Queries the DNS within a time limit. The system's look-up has none, and shares threads with password hashing. */
export function resolveByDns(options: { servers?: readonly string[]; timeoutMs?: number } = {}): Resolve {
  const { servers, timeoutMs = TIMEOUT_MS } = options
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

async function read(url: URL, { allowLoopback, resolve, logger }: Required<KeySetReaderOptions>): Promise<Read> {
  const secure = url.protocol === 'https:'
  if (!secure && !(allowLoopback && url.protocol === 'http:')) throw new Error('the address of the keys is not https')
  if (!secure) logger.warn({ host: url.host }, 'keys of an application are read over http: refused in production')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // An address literal is never looked up, so it is checked here.
  if (/^[\d.]+$|:/.test(host)) requirePublic(host, host, allowLoopback)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const options = { lookup: publicLookup(resolve, allowLoopback), signal, headers: { accept: 'application/json' } }
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    const get = secure ? getSecure : getPlain
    get(url, options, answered).on('error', failed)
  })
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BYTES_MAX) {
      response.destroy()
      throw new Error(`the key set is longer than ${BYTES_MAX} bytes`)
    }
    chunks.push(chunk)
  }
  const status = response.statusCode ?? 0
  if (status !== 200) throw new Error(`the address of the keys answered ${status}`)
  return { status, text: Buffer.concat(chunks).toString('utf8') }
}

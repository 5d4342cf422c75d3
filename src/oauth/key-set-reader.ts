import type { FastifyBaseLogger } from 'fastify'
import { type Clock, SECOND_MS } from '../lib/clock.ts'
import { cacheLookUps } from '../lib/look-up-cache.ts'
import type { Resolve } from '../lib/public-address.ts'
import { requestPublic, resolveByDns } from '../lib/public-request.ts'

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

async function read(url: URL, { allowLoopback, resolve, logger }: Required<KeySetReaderOptions>): Promise<Read> {
  if (allowLoopback && url.protocol === 'http:') {
    logger.warn({ host: url.host }, 'keys of an application are read over http: refused in production')
  }
  const { status, text, isWhole } = await requestPublic(url, {
    method: 'GET',
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    bytesMax: BYTES_MAX,
    allowLoopback,
    resolve,
  })
  if (!isWhole) throw new Error(`the key set is longer than ${BYTES_MAX} bytes`)
  if (status !== 200) throw new Error(`the address of the keys answered ${status}`)
  return { status, text }
}

import { lookup } from 'node:dns/promises'
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'
import { type Clock, SECOND_MS } from '../lib/clock.ts'
import { publicLookup, type Resolve, requirePublic } from '../lib/public-lookup.ts'
import { rememberLookUps } from '../lib/remembered.ts'

/**
 * Reads the public keys of an application where it publishes them (`jwks_uri`). The address is somebody else's choice:
 *
 *  1. Only https, and only addresses on the public internet: nobody reaches this machine or the operator's network.
 *  2. Redirects are not followed. Time and size are bounded.
 *  3. What was read is kept for a while, failures too: requests that anybody can send do not become as many requests
 *     to somebody else.
 */
export type ReadKeySet = (address: string) => Promise<Response>

const KEPT_MS = 30 * SECOND_MS
const ADDRESSES_MAX = 1000
const BYTES_MAX = 64 * 1024
const TIMEOUT_MS = 3 * SECOND_MS

type Read = { readonly status: number; readonly text: string } | { readonly failure: Error }

export interface KeySetReaderOptions {
  readonly clock: Clock
  /** For development and tests: this machine counts as public, and may be asked by http. */
  readonly allowLoopback: boolean
  readonly resolve?: Resolve
}

export function createKeySetReader({ clock, allowLoopback, resolve = resolveAll }: KeySetReaderOptions): ReadKeySet {
  const kept = rememberLookUps<Read>(
    (address) =>
      read(new URL(address), { allowLoopback, resolve }).catch((failure: unknown) => ({
        failure: failure instanceof Error ? failure : new Error(String(failure)),
      })),
    { clock, ttlMs: KEPT_MS, entriesMax: ADDRESSES_MAX },
  )
  return async (address) => {
    const found = await kept.find(address)
    if ('failure' in found) throw found.failure
    return new Response(found.text, { status: found.status })
  }
}

const resolveAll: Resolve = (host) => lookup(host, { all: true, verbatim: true })

async function read(
  url: URL,
  { allowLoopback, resolve }: { readonly allowLoopback: boolean; readonly resolve: Resolve },
): Promise<Read> {
  const secure = url.protocol === 'https:'
  if (!secure && !(allowLoopback && url.protocol === 'http:')) throw new Error('the address of the keys is not https')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // The name of an address literal is never looked up, so it is checked here.
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

import type { FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { LIMITS } from '../limits.ts'

/** Retry safety (the IETF `Idempotency-Key` header): compares requests, and allows one at a time per key. */

export interface Idempotency {
  readonly key: string
  /** Digest of method, URL and body: reusing a key for another request is the caller's mistake. */
  readonly requestHash: string
}

const { idempotencyKeyCharactersMax } = LIMITS.requests
const VISIBLE = new RegExp(`^[\\x21-\\x7e]{1,${idempotencyKeyCharactersMax}}$`)

export function readIdempotency(request: FastifyRequest): Idempotency | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !VISIBLE.test(key)) {
    throw new Problem('invalid_header', {
      detail: `Idempotency-Key must be 1 to ${idempotencyKeyCharactersMax} visible ASCII characters.`,
    })
  }
  const body = request.rawBody
  return { key, requestHash: sha256Hex(`${request.method} ${request.url}\n${body ? sha256Hex(body) : ''}`) }
}

export type InFlight = ReturnType<typeof createInFlight>

/** Keys of requests in progress on this node. */
export function createInFlight() {
  const held = new Set<string>()
  return {
    /** Throws 409 if the key is in use; else holds it until the returned function is called. */
    hold(organisationId: string, key: string) {
      const entry = `${organisationId} ${key}`
      if (held.has(entry)) {
        throw new Problem('request_in_flight', {
          detail: 'A request with this Idempotency-Key is still being answered. Repeat it in a moment.',
          headers: { 'retry-after': '1' },
        })
      }
      held.add(entry)
      return () => held.delete(entry)
    },
  }
}

/** The stored answer of a key, checked against the current request. */
export function checkReplay<T extends { readonly requestHash: string }>(
  stored: T | undefined,
  idempotency: Idempotency,
): T | undefined {
  if (stored && stored.requestHash !== idempotency.requestHash) {
    throw new Problem('idempotency_key_reused', {
      detail: 'This Idempotency-Key was used for another request within 24 hours. Use a new key for a new request.',
    })
  }
  return stored
}

import type { FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { LIMITS } from '../limits.ts'

/** Retry safety (the IETF `Idempotency-Key` header): what makes two requests the same, and one at a time. */

export interface Idempotency {
  readonly key: string
  /** Digest over method, address and body: the same key with anything else is a mistake of the caller. */
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

/** Keys being answered by this node at this moment. */
export interface InFlight {
  /** Throws 409 when the key is under way; else holds it until the returned function is called. */
  hold(organisationId: string, key: string): () => void
}

export function createInFlight(): InFlight {
  const held = new Set<string>()
  return {
    hold(organisationId, key) {
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

/** The answer stored for a key, checked against what is asked now. */
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

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Turns } from '../access/turns.ts'
import { changeIn, type Sql, type Tx, UniqueViolation } from '../db/sql.ts'
import { findStoredResponse, insertStoredResponses, openAnswer, sealAnswer } from '../db/stored-response.ts'
import { Problem } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import type { Seal } from '../lib/seal.ts'
import { checkReplay, type InFlight, readIdempotency } from './idempotency.ts'

/**
 * A write to a resource: one transaction holds the change, its audit entry and, under an Idempotency-Key, the answer
 * stored for retries.
 */
export interface ChangeDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly inFlight: InFlight
  /** Stored answers are sealed: one of them may contain a new key. */
  readonly seal: Seal
  /** An organisation makes one change at a time on a node: many at once would fill the store's queue for everybody. */
  readonly changeTurns: Turns
}

export interface Changed {
  readonly status: 200 | 201 | 202 | 204
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export async function answerChange(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: ChangeDependencies,
  /** The owner of the idempotency keys: an organisation, or another name for the caller who retries. */
  repeater: string,
  change: (tx: Tx) => Promise<Changed>,
  /** Runs when the change is durable, before the answer is sent. */
  after?: () => void | Promise<void>,
): Promise<FastifyReply> {
  const idempotency = readIdempotency(request)
  const takeTurn = () => request.caller && deps.changeTurns.take(request.caller.organisationId, reply.raw)
  if (!idempotency) {
    await takeTurn()
    const changed = await changeIn(deps.sql, deps.clock, change)
    await after?.()
    return send(reply, changed)
  }
  const release = deps.inFlight.hold(repeater, idempotency.key)
  const name = { organisationId: repeater, key: idempotency.key }
  try {
    await takeTurn()
    for (let attempt = 1; ; attempt++) {
      try {
        const { changed, replayed } = await changeIn(deps.sql, deps.clock, async (tx) => {
          const { nowMs } = tx
          const row = await findStoredResponse(tx, { ...name, nowMs })
          const kept = checkReplay(row && (await openAnswer(deps.seal, row)), idempotency)
          if (kept) return { changed: JSON.parse(kept.body) as Changed, replayed: true }
          const changed = await change(tx)
          await insertStoredResponses(tx, [
            {
              ...name,
              requestHash: '',
              status: changed.status,
              body: sealAnswer(deps.seal, name, {
                requestHash: idempotency.requestHash,
                before: JSON.stringify(changed),
                after: '',
              }),
              createdAtMs: nowMs,
            },
          ])
          return { changed, replayed: false }
        })
        await after?.()
        if (replayed) reply.header('idempotent-replayed', 'true')
        return send(reply, changed)
      } catch (error) {
        // Another node has just answered under this key: the second try finds its answer.
        if (error instanceof UniqueViolation && attempt === 1) continue
        throw error
      }
    }
  } finally {
    release()
  }
}

function send(reply: FastifyReply, { status, body, headers }: Changed): FastifyReply {
  reply.code(status).headers(headers ?? {})
  return body === undefined ? reply.send() : sendJson(reply, body)
}

/** Sent unchanged: the schemas of the routes describe answers, they do not reshape them. */
export function sendJson(reply: FastifyReply, body: unknown): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
}

/** A version tag for something two people may edit: equal content has an equal tag. */
export function etagOf(content: unknown): string {
  return `"${sha256Hex(JSON.stringify(content)).slice(0, 24)}"`
}

/** RFC 9110 §13.1.2: true if the client has this version already. */
export function isKept(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}

/** RFC 9110 §13.1.1: a change names the version it was made from. Call inside the transaction, under lock. */
export function requireMatch(request: FastifyRequest, etag: string): void {
  const given = request.headers['if-match']
  if (given === undefined) {
    throw new Problem('precondition_required', {
      detail: 'Send If-Match with the ETag of the version you read, so that nobody else’s change is overwritten.',
    })
  }
  const tags = given.split(',').map((tag) => tag.trim())
  if (!tags.includes(etag) && !tags.includes('*')) {
    throw new Problem('precondition_failed', {
      detail: 'The resource has changed since it was read. Read it again, then repeat the change.',
      headers: { etag },
    })
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { sha256Hex } from '../lib/hashing.ts'
import type { TimePosition } from '../lib/time-position.ts'

/**
 * Pages of a list. A cursor says where the next page begins; it is opaque, and bound to the organisation and the list
 * it was made for. Its digest needs no secret: what a forged one could reach is the forger's own list.
 */
export interface PageKey {
  readonly organisationId: string
  /** Which list, with its filters: a cursor of one list means nothing in another. */
  readonly list: string
}

const DIGEST_LENGTH = 20

export function makeCursor(key: PageKey, position: string): string {
  return Buffer.from(`${digestOf(key, position)}${position}`).toString('base64url')
}

/** The position a cursor stands for, or 422. */
export function readCursor(key: PageKey, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const position = text.slice(DIGEST_LENGTH)
  if (cursor.length <= 1000 && makeCursor(key, position) === cursor) return position
  throw new Problem('validation_failed', {
    detail: 'The cursor does not belong to this list. Use the one of the last page as it is, with the same filters.',
    errors: [{ pointer: '/cursor', code: 'invalid', detail: 'This is not a cursor of this list.' }],
  })
}

function digestOf({ organisationId, list }: PageKey, position: string): string {
  return sha256Hex(`${organisationId}\n${list}\n${position}`).slice(0, DIGEST_LENGTH)
}

/** RFC 8288: where the next page is, with the same filters. */
export function linkNext(request: FastifyRequest, reply: FastifyReply, baseUrl: string, cursor: string | null): void {
  if (cursor === null) return
  const url = new URL(request.url, 'http://here')
  url.searchParams.set('cursor', cursor)
  reply.header('link', `<${baseUrl}${url.pathname}${url.search}>; rel="next"`)
}

export function timeCursor(key: PageKey, position: TimePosition | undefined): string | null {
  return position ? makeCursor(key, `${position.createdAtMs} ${position.id}`) : null
}

export function readTimeCursor(key: PageKey, cursor: string | undefined): TimePosition | undefined {
  if (cursor === undefined) return undefined
  const [createdAtMs, id = ''] = readCursor(key, cursor).split(' ')
  return { createdAtMs: Number(createdAtMs), id }
}

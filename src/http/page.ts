import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { readJsonText } from '../lib/json-text.ts'
import type { Ring } from '../lib/seal.ts'
import { LIMITS } from '../limits.ts'

/**
 * Pages of a list. A cursor says where the next page begins; it is opaque, signed, and bound to its organisation and
 * list, so every position that reaches the database was written by this service.
 */
export interface PageKey {
  readonly organisationId: string
  /** The list and its filters: a cursor is valid for one list only. */
  readonly list: string
}

export type Shape = readonly ('number' | 'text')[]
export type Position<S extends Shape> = { readonly [K in keyof S]: S[K] extends 'number' ? number : string }

export type Cursors = ReturnType<typeof createCursors>

const PURPOSE = 'cursor'
/** The end of the year 9999: JavaScript dates end soon after, and row numbers stay far below. */
const NUMBER_MAX = 253_402_300_799_999

export function createCursors(ring: Ring) {
  const signed = ({ organisationId, list }: PageKey, text: string) => `${organisationId}\n${list}\n${text}`
  return {
    make(key: PageKey, position: readonly (number | string)[]): string {
      const text = JSON.stringify(position)
      return Buffer.from(`${ring.mac(PURPOSE, signed(key, text))} ${text}`).toString('base64url')
    },
    /** The position in a cursor, or 422. */
    async read<const S extends Shape>(key: PageKey, cursor: string, shape: S): Promise<Position<S>> {
      const [, mac, text] = /^(\S+) (.*)$/.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? []
      if (mac === undefined || text === undefined || cursor.length > LIMITS.requests.cursorCharactersMax)
        throw notOfThisList()
      await ring.know(mac)
      if (!ring.isMac(PURPOSE, signed(key, text), mac)) throw notOfThisList()
      const position = readJsonText(Buffer.from(text))?.value
      if (!hasShape(position, shape)) throw notOfThisList()
      return position
    },
  }
}

/** Validated although it is signed: another version may have made it. */
function hasShape<S extends Shape>(position: unknown, shape: S): position is Position<S> {
  return (
    Array.isArray(position) &&
    position.length === shape.length &&
    shape.every((kind, i) => {
      const part: unknown = position[i]
      if (kind === 'text') return typeof part === 'string' && /^[\x20-\x7e]*$/.test(part)
      return typeof part === 'number' && Number.isInteger(part) && part >= 0 && part <= NUMBER_MAX
    })
  )
}

function notOfThisList(): Problem {
  return new Problem('validation_failed', {
    detail:
      'The cursor does not belong to this list. Use the cursor of the last page unchanged, with the same filters.',
    errors: [{ pointer: '/cursor', code: 'invalid', detail: 'This is not a cursor of this list.' }],
  })
}

/** RFC 8288: links the next page, with the same filters. */
export function linkNext(request: FastifyRequest, reply: FastifyReply, baseUrl: string, cursor: string | null): void {
  if (cursor === null) return
  const url = new URL(request.url, 'http://here')
  url.searchParams.set('cursor', cursor)
  reply.header('link', `<${baseUrl}${url.pathname}${url.search}>; rel="next"`)
}

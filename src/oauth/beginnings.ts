import { AsyncLocalStorage } from 'node:async_hooks'
import Provider from 'oidc-provider'
import type { Sql } from '../db/sql.ts'
import type { Problem } from '../errors.ts'
import { addressKey, waiting } from '../identity/people/throttle.ts'
import { type Clock, MINUTE_MS } from '../lib/clock.ts'
import { RowEstimate } from '../lib/row-estimate.ts'
import { purgeRecords } from './purge.ts'
import type { Sealer } from './seal.ts'

/**
 * What strangers may leave in the store: sign-ins, pushed requests and device codes they began, sessions without a person.
 *
 *  1. An address (IPv6: its /64) has at most `addressRowsMax` such rows, and all addresses together `rowsMax`. A client
 *     that proved itself has `clientRowsMax` of its own.
 *  2. Who has no room gets 429, and nothing is written.
 *  3. On one node the bounds are exact, also for many at once. With several, each other node may add what it has under
 *     way (rule 1, an address), or what it added since the last count (all together).
 *  4. A row is nobody's until somebody signs in for it; from then on it counts no more.
 */
export interface BeginningsBounds {
  readonly addressRowsMax: number
  readonly clientRowsMax: number
  readonly rowsMax: number
}

export const BEGINNINGS_BOUNDS: BeginningsBounds = { addressRowsMax: 200, clientRowsMax: 10_000, rowsMax: 20_000 }

export interface Beginnings {
  /** Whatever is begun inside `work` counts for this address. */
  from<T>(ip: string, work: () => T): T
  /** Who begins this row; null when it is somebody's, or of a kind that strangers cannot begin. */
  beginnerOf(kind: string, personId: string | undefined): string | null
  /** Carries out `write`, which stores the row, if its beginner has room for it; otherwise throws 429. */
  keep<T>(row: { begunBy: string; digest: string; kind: string }, write: () => Promise<T>): Promise<T>
}

const STRANGERS_KINDS = new Set(['PushedAuthorizationRequest', 'Interaction', 'DeviceCode', 'Session'])

export function createBeginnings({
  sql,
  clock,
  sealer,
  bounds,
}: {
  readonly sql: Sql
  readonly clock: Clock
  readonly sealer: Sealer
  readonly bounds: BeginningsBounds
}): Beginnings {
  const address = new AsyncLocalStorage<string>()
  const underWay = new Map<string, number>()
  const ofAddresses = new RowEstimate(bounds.rowsMax, async () => {
    const rows = await sql.query<{ n: number }>(
      `select count(*) as n from (select begun_by from oauth_record where begun_by is not null
         and begun_by like 'address %' order by begun_by limit $1) as begun`,
      [bounds.rowsMax],
    )
    return rows[0]?.n ?? 0
  })

  async function look(begunBy: string, row: { digest: string; kind: string }) {
    const rows = await sql.query<{ held: number; first_end: number | null; known: number }>(
      `select count(*) as held, min(purge_at) as first_end,
         (select count(*) from oauth_record where digest = $2 and kind = $3) as known
       from oauth_record where begun_by = $1`,
      [begunBy, row.digest, row.kind],
    )
    const { held, first_end, known } = rows[0] ?? { held: 0, first_end: null, known: 0 }
    return { held, firstEndMs: first_end ?? clock.now() + MINUTE_MS, known: known > 0 }
  }

  /** Throws when `begunBy` has no room left beside `others`, which it is beginning at this moment. */
  async function requireRoom(
    { begunBy, ...row }: { begunBy: string; digest: string; kind: string },
    others: number,
  ): Promise<{ known: boolean }> {
    const max = begunBy.startsWith('client ') ? bounds.clientRowsMax : bounds.addressRowsMax
    let found = await look(begunBy, row)
    if (!found.known && found.held + others >= max && found.firstEndMs <= clock.now()) {
      await sql.query('delete from oauth_record where begun_by = $1 and purge_at <= $2', [begunBy, clock.now()])
      found = await look(begunBy, row)
    }
    if (found.known || found.held + others < max) return found
    throw tooMany(begunBy, found.firstEndMs - clock.now())
  }

  return {
    from: (ip, work) => address.run(sealer.tag(`address ${addressKey(ip)}`), work),

    beginnerOf(kind, personId) {
      if (!STRANGERS_KINDS.has(kind) || personId !== undefined) return null
      const client = kind === 'PushedAuthorizationRequest' ? Provider.ctx?.oidc.client : undefined
      if (client && client.clientAuthMethod !== 'none') return `client ${client.clientId}`
      const from = address.getStore()
      return from === undefined ? null : `address ${from}`
    },

    async keep(row, write) {
      const { begunBy } = row
      const others = underWay.get(begunBy) ?? 0
      underWay.set(begunBy, others + 1)
      try {
        const { known } = await requireRoom(row, others)
        if (known || begunBy.startsWith('client ')) return await write()
        return await ofAddresses.add(write, {
          full: () => waiting(MINUTE_MS, 'Too many sign-ins have been begun here.'),
          clear: () => purgeRecords(sql, clock.now()),
        })
      } finally {
        const left = (underWay.get(begunBy) ?? 1) - 1
        if (left > 0) underWay.set(begunBy, left)
        else underWay.delete(begunBy)
      }
    },
  }
}

function tooMany(begunBy: string, waitMs: number): Problem {
  return waiting(
    waitMs,
    begunBy.startsWith('client ')
      ? 'This application began too many sign-ins that were never finished.'
      : 'Too many sign-ins that were never finished were begun from this address.',
  )
}

import { AsyncLocalStorage } from 'node:async_hooks'
import Provider from 'oidc-provider'
import type { Sql } from '../db/sql.ts'
import { waiting } from '../identity/people/throttle.ts'
import { addressKey, siteKey } from '../lib/address-key.ts'
import { type Clock, MINUTE_MS } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { RowEstimate } from '../lib/row-estimate.ts'
import { LIMITS } from '../limits.ts'
import { purgeRecords } from './purge.ts'
import type { Sealer } from './seal.ts'

/**
 * Limits the rows that strangers can create: sign-ins, pushed requests and device codes they began, sessions without a
 * person.
 * 1. An address (IPv6: its /64) has at most `addressRowsMax` such rows, a site (IPv6: its /48) `siteRowsMax`, and all
 *    addresses together `rowsMax`. An authenticated client has its own `clientRowsMax`.
 * 2. When `rowsMax` is reached, an address and its site with only a few rows may still add some, up to
 *    `newcomersRowsMax` more: people can sign in during a flood.
 * 3. Beyond a limit the answer is 429, and nothing is written.
 * 4. On one node the limits are exact, also for concurrent requests. With several nodes, each other node may exceed
 *    them by its requests in progress (an address, a site), or by its rows since the last count (all together).
 * 5. A row belongs to nobody until a person signs in for it; from then on it does not count.
 */
export const PENDING_BOUNDS = {
  addressRowsMax: LIMITS.queues.addressRowsMax,
  siteRowsMax: LIMITS.queues.siteRowsMax,
  clientRowsMax: LIMITS.queues.clientRowsMax,
  rowsMax: LIMITS.queues.strangersRowsMax,
  newcomersRowsMax: LIMITS.queues.newcomersRowsMax,
  /** The limits for "a few rows". */
  fewOfAddress: 5,
  fewOfSite: 25,
}
export type PendingBounds = Readonly<Record<keyof typeof PENDING_BOUNDS, number>>
export type PendingRequests = ReturnType<typeof createPendingRequests>

const STRANGERS_KINDS = new Set(['PushedAuthorizationRequest', 'Interaction', 'DeviceCode', 'Session'])

const ADDRESS = 'address '
const TAG_DIGITS = 32

interface HeldRows {
  readonly held: number
  readonly held_of_site: number
  readonly first_end: number | null
  readonly first_end_of_site: number | null
  readonly known: number
}

interface PendingRow {
  readonly begunBy: string
  readonly digest: string
  readonly kind: string
}

export function createPendingRequests(deps: {
  readonly sql: Sql
  readonly clock: Clock
  readonly sealer: Pick<Sealer, 'addressTag'>
  readonly bounds: PendingBounds
}) {
  const { sql, clock, sealer, bounds } = deps
  const address = new AsyncLocalStorage<string>()
  const underWay = new Map<string, number>()

  /** Counts one more row in progress for `key`, until `end`; `others` were there before. */
  function begin(key: string): { others: number; end: () => void } {
    const others = underWay.get(key) ?? 0
    underWay.set(key, others + 1)
    const end = () => {
      const left = (underWay.get(key) ?? 1) - 1
      if (left > 0) underWay.set(key, left)
      else underWay.delete(key)
    }
    return { others, end }
  }

  const ofAddresses = new RowEstimate(bounds.rowsMax, async () => {
    const rows = await sql.query<{ n: number }>(
      `select count(*) as n from (select begun_by from oauth_record where begun_by is not null
         and begun_by like '${ADDRESS}%' order by begun_by limit $1) as begun`,
      [bounds.rowsMax + bounds.newcomersRowsMax],
    )
    return rows[0]?.n ?? 0
  })

  async function look({ begunBy, digest, kind }: PendingRow) {
    const rows = await sql.query<HeldRows>(
      `select count(case when begun_by = $1 then 1 end) as held, count(*) as held_of_site,
         min(case when begun_by = $1 then purge_at end) as first_end, min(purge_at) as first_end_of_site,
         (select count(*) from oauth_record where digest = $4 and kind = $5) as known
       from oauth_record where begun_by between $2 and $3`,
      [begunBy, ...siteOf(begunBy), digest, kind],
    )
    return rows[0] ?? { held: 0, held_of_site: 0, first_end: null, first_end_of_site: null, known: 0 }
  }

  /** Throws if `begunBy` has no room left, counting its and its site's rows in progress. */
  async function requireRoom(row: PendingRow, others: { readonly here: number; readonly ofSite: number }) {
    const { begunBy } = row
    const isClient = begunBy.startsWith('client ')
    const max = isClient ? bounds.clientRowsMax : bounds.addressRowsMax
    const siteMax = isClient ? bounds.clientRowsMax : bounds.siteRowsMax
    const judge = async () => {
      const { known, ...found } = await look(row)
      const held = found.held + others.here
      const heldOfSite = found.held_of_site + others.ofSite
      return {
        known: known > 0,
        newcomer: held < bounds.fewOfAddress && heldOfSite < bounds.fewOfSite,
        hasRoom: known > 0 || (held < max && heldOfSite < siteMax),
        firstEndMs: (held < max ? found.first_end_of_site : found.first_end) ?? clock.now() + MINUTE_MS,
      }
    }
    let judged = await judge()
    if (!judged.hasRoom && judged.firstEndMs <= clock.now()) {
      await sql.query('delete from oauth_record where begun_by between $1 and $2 and purge_at <= $3', [
        ...siteOf(begunBy),
        clock.now(),
      ])
      judged = await judge()
    }
    if (judged.hasRoom) return judged
    throw waiting(
      judged.firstEndMs - clock.now(),
      isClient
        ? 'This application started too many sign-ins that were never finished.'
        : 'Too many unfinished sign-ins were started from this address.',
    )
  }

  return {
    /** Rows begun inside `work` count for this address. */
    from<T>(ip: string, work: () => T): T {
      const tagOf = (key: string) => sha256Hex(sealer.addressTag(key)).slice(0, TAG_DIGITS)
      return address.run(tagOf(siteKey(ip)) + tagOf(addressKey(ip)), work)
    },

    /** The beginner of this row; null if it belongs to a person, or is of a kind that strangers cannot begin. */
    beginnerOf(kind: string, personId: string | undefined): string | null {
      if (!STRANGERS_KINDS.has(kind) || personId !== undefined) return null
      const client = kind === 'PushedAuthorizationRequest' ? Provider.ctx?.oidc.client : undefined
      if (client && client.clientAuthMethod !== 'none') return `client ${client.clientId}`
      const from = address.getStore()
      return from === undefined ? null : ADDRESS + from
    },

    /** Runs `write`, which stores the row, if its beginner is within the limits; otherwise throws 429. */
    async keep<T>(row: PendingRow, write: () => Promise<T>): Promise<T> {
      const { begunBy } = row
      const [site] = siteOf(begunBy)
      const [here, ofSite] = [begin(begunBy), begin(`site of ${site}`)]
      try {
        const { known, newcomer } = await requireRoom(row, { here: here.others, ofSite: ofSite.others })
        if (known || begunBy.startsWith('client ')) return await write()
        return await ofAddresses.add(write, {
          full: () => waiting(MINUTE_MS, 'Too many sign-ins were started on this server.'),
          clear: () => purgeRecords(sql, clock.now()),
          beyond: newcomer ? bounds.newcomersRowsMax : 0,
        })
      } finally {
        here.end()
        ofSite.end()
      }
    },
  }
}

/**
 * The first and the last beginner of the same site. The text of an address begins with the tag of its site. Tags are
 * hexadecimal digits of one length, so that every collation sorts them alike.
 */
function siteOf(begunBy: string): [string, string] {
  if (!begunBy.startsWith(ADDRESS)) return [begunBy, begunBy]
  const site = begunBy.slice(0, ADDRESS.length + TAG_DIGITS)
  return [site + '0'.repeat(TAG_DIGITS), site + 'f'.repeat(TAG_DIGITS)]
}

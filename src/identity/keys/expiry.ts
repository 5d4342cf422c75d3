/**
 * Notices that an API key expires: 14 days and 1 day before, once each. A key that was made for a shorter time, or that
 * was replaced, gets none.
 */
import { changeIn, type Sql } from '../../db/sql.ts'
import { emit } from '../../events/emit.ts'
import { type Clock, DAY_MS, iso } from '../../lib/clock.ts'

const NOTICE_DAYS = [1, 14]
const AT_ONCE = 200

interface Row {
  readonly id: string
  readonly organisation_id: string
  readonly name: string
  readonly created_at: number
  readonly expires_at: number
  readonly told: number
}

export async function tellExpiringKeys(sql: Sql, clock: Clock, signal?: AbortSignal): Promise<void> {
  let after: readonly [expiresAtMs: number, id: string] = [clock.now() + 1, '']
  while (!signal?.aborted) {
    const rows = await sql.query<Row>(
      `select id, organisation_id, name, created_at, expires_at, coalesce(expiry_told, 0) as told from api_key
       where (expires_at, id) > ($1, $2) and expires_at <= $3 and revoked_at is null
         and expires_at >= created_at + lifetime_ms order by expires_at, id limit ${AT_ONCE}`,
      [...after, clock.now() + 14 * DAY_MS],
    )
    for (const key of rows) await tellOf(sql, clock, key)
    if (rows.length < AT_ONCE) return
    const last = rows.at(-1)!
    after = [last.expires_at, last.id]
  }
}

async function tellOf(sql: Sql, clock: Clock, { id, organisation_id, name, created_at, expires_at, told }: Row) {
  const dueMs = NOTICE_DAYS.map((days) => expires_at - days * DAY_MS).find((timeMs) => timeMs <= clock.now())
  if (dueMs === undefined || dueMs <= told || dueMs < created_at) return
  await changeIn(sql, clock, async (tx) => {
    const told = await tx.query(
      `update api_key set expiry_told = $2 where id = $1 and coalesce(expiry_told, 0) < $2 and revoked_at is null
       returning id`,
      [id, dueMs],
    )
    if (told.length === 0) return
    const data = { key_id: id, name, expires_at: iso(expires_at) }
    emit(tx, { organisationId: organisation_id, type: 'key.expiring', data })
  })
}

/**
 * Maintenance: the operator closes the service with a message. Every node keeps the state in memory and reads it again with
 * each heartbeat, and when a change is announced: no request costs a query.
 */
import { operatorIn } from '../access/actor.ts'
import type { Sql, SqlQueries, Tx } from '../db/sql.ts'
import { defineTable, integer, orNull, text } from '../db/table.ts'
import { Problem } from '../errors.ts'
import { audit } from '../identity/audit.ts'
import { type Clock, iso, isoOrNull, SECOND_MS } from '../lib/clock.ts'

const rows = defineTable({
  name: 'maintenance',
  key: ['id'],
  columns: { id: integer(), message: text(), started_at: integer(), until_at: orNull(integer()) },
})

const CHANNEL = 'assay_maintenance'
/** Longer than clients wait by themselves: a person reads the message instead. */
const RETRY_SECONDS = 300

export type Maintenance = Awaited<ReturnType<typeof watchMaintenance>>

/** Undefined while the service is open. */
export const readMaintenance = (sql: SqlQueries) => rows.find(sql, { id: 1 })

export const maintenanceView = (row: Awaited<ReturnType<typeof readMaintenance>>) =>
  row ? { message: row.message, since: iso(row.started_at), until: isoOrNull(row.until_at) } : null

/** Closes the service, or changes the message of a closed one. */
export async function beginMaintenance(tx: Tx, { message, untilMs }: { message: string; untilMs: number | null }) {
  const started_at = (await readMaintenance(tx))?.started_at ?? tx.nowMs
  await rows.upsert(tx, [{ id: 1, message, started_at, until_at: untilMs }])
  await audit(tx, operatorIn(''), 'maintenance.begin', null, { message, until: isoOrNull(untilMs) })
}

export async function endMaintenance(tx: Tx): Promise<void> {
  if ((await rows.delete(tx, { id: 1 })) > 0) await audit(tx, operatorIn(''), 'maintenance.end', null)
}

/** After the commit: tells the running nodes. */
export const announceMaintenance = (sql: Sql) => sql.notify(CHANNEL, '')

export async function watchMaintenance(deps: {
  readonly sql: Sql
  readonly clock: Pick<Clock, 'now'>
  readonly logger: { warn(message: string): void }
}) {
  const { sql, clock, logger } = deps
  let current: Awaited<ReturnType<typeof readMaintenance>>
  async function look(): Promise<void> {
    const before = current
    current = await readMaintenance(sql)
    if (!before && current) logger.warn('Closed for maintenance: requests get 503.')
    if (before && !current) logger.warn('Open again after maintenance.')
  }
  await look()
  // The next heartbeat looks again.
  const unlisten = await sql.listen(CHANNEL, () => void look().catch(() => {}))
  return {
    look,
    isOn: () => current !== undefined,
    refusal(): Problem | undefined {
      if (!current) return undefined
      const left = current.until_at === null ? 0 : Math.ceil((current.until_at - clock.now()) / SECOND_MS)
      const wait = left > 0 ? left : RETRY_SECONDS
      return new Problem('maintenance', { detail: current.message, headers: { 'retry-after': String(wait) } })
    },
    close: unlisten,
  }
}

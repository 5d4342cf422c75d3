import { deleteInSteps, PURGE_BATCH } from '../../db/purge.ts'
import { changeIn, type Sql } from '../../db/sql.ts'
import { type Clock, DAY_MS } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import { endOldImports, forgetFormerSets } from './imports.ts'

/** Ends imports that nobody finished, ends the time of the undo, and deletes the rows of sets that are not needed. */
export async function purgeCounterparties(sql: Sql, clock: Clock): Promise<number> {
  const nowMs = clock.now()
  await changeIn(sql, clock, (tx) => endOldImports(tx, nowMs - DAY_MS))
  await changeIn(sql, clock, (tx) => forgetFormerSets(tx, nowMs - LIMITS.counts.importUndoDays * DAY_MS))
  const sets = await sql.query<{ organisation_id: string; generation: number }>(
    'select organisation_id, generation from counterparty_garbage order by organisation_id, generation limit 1000',
  )
  let deleted = 0
  for (const { organisation_id, generation } of sets) {
    const set = [organisation_id, generation] as const
    for (const [table, key] of [
      ['counterparty_term', 'term, counterparty_id'],
      ['counterparty', 'id'],
    ]) {
      const step = `delete from ${table} where organisation_id = $1 and generation = $2 and (${key}) in
         (select ${key} from ${table} where organisation_id = $1 and generation = $2 limit ${PURGE_BATCH})
         returning 1 as one`
      for (let some = 1; some > 0; deleted += some) some = await deleteInSteps(sql, step, ...set)
    }
    await sql.query('delete from counterparty_garbage where organisation_id = $1 and generation = $2', set)
  }
  return deleted
}

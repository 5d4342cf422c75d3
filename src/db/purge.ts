import type { SqlQueries, SqlValue } from './sql.ts'

export const PURGE_BATCH = 1000
const BATCHES_MAX = 1000

/** Repeats a statement that deletes or ends at most `PURGE_BATCH` rows until none is left: small steps let writers in. */
export async function deleteInSteps(sql: SqlQueries, statement: string, ...params: SqlValue[]): Promise<number> {
  let deleted = 0
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    const rows = await sql.query(statement, params)
    deleted += rows.length
    if (rows.length < PURGE_BATCH) break
  }
  return deleted
}

/** Deletes the rows whose `time` has passed, the oldest first; `time` may be an id that begins with its time. */
export function deletePast(
  sql: SqlQueries,
  { table, key, time }: { readonly table: string; readonly key: string; readonly time: string },
  until: number | string,
): Promise<number> {
  return deleteInSteps(
    sql,
    `delete from ${table} where (${key}) in
       (select ${key} from ${table} where ${time} <= $1 order by ${time} limit ${PURGE_BATCH}) returning 1 as one`,
    until,
  )
}

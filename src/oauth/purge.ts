import type { SqlQueries } from '../db/sql.ts'

const BATCH = 1000
const BATCHES_MAX = 1000

/** Deletes what ended long enough ago, in small steps so that nobody waits for it. Safe to run on several nodes. */
export async function purgeExpired(sql: SqlQueries, nowMs: number): Promise<{ deleted: number }> {
  let deleted = await purgeTable(
    sql,
    `delete from oauth_record where (digest, kind) in
       (select digest, kind from oauth_record where purge_at <= $1 order by purge_at limit ${BATCH}) returning 1 as one`,
    nowMs,
  )
  deleted += await purgeTable(
    sql,
    `delete from console_session where digest in
       (select digest from console_session where expires_at <= $1 order by expires_at limit ${BATCH}) returning 1 as one`,
    nowMs,
  )
  deleted += await purgeTable(
    sql,
    `delete from attempt_window where key in
       (select key from attempt_window where ends_at <= $1 order by ends_at limit ${BATCH}) returning 1 as one`,
    nowMs,
  )
  return { deleted }
}

async function purgeTable(sql: SqlQueries, statement: string, nowMs: number): Promise<number> {
  let deleted = 0
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    const rows = await sql.query(statement, [nowMs])
    deleted += rows.length
    if (rows.length < BATCH) break
  }
  return deleted
}

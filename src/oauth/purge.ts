import { deleteInSteps, PURGE_BATCH } from '../db/purge.ts'
import type { SqlQueries } from '../db/sql.ts'
import { purgeLinks } from '../identity/people/links.ts'
import { purgeSignUps } from '../identity/people/sign-ups.ts'
import { purgeAttempts } from '../identity/people/throttle.ts'

/** Deletes rows that expired long enough ago. Safe to run on several nodes. */
export async function purgeExpired(sql: SqlQueries, nowMs: number): Promise<{ deleted: number }> {
  let deleted = await purgeRecords(sql, nowMs)
  deleted += await deleteInSteps(
    sql,
    `delete from console_session where digest in
       (select digest from console_session where expires_at <= $1 order by expires_at limit ${PURGE_BATCH})
     returning 1 as one`,
    nowMs,
  )
  deleted += await purgeAttempts(sql, nowMs)
  deleted += await purgeLinks(sql, nowMs)
  deleted += await purgeSignUps(sql, nowMs)
  return { deleted }
}

export function purgeRecords(sql: SqlQueries, nowMs: number): Promise<number> {
  return deleteInSteps(
    sql,
    `delete from oauth_record where (digest, kind) in
       (select digest, kind from oauth_record where purge_at <= $1 order by purge_at limit ${PURGE_BATCH})
     returning 1 as one`,
    nowMs,
  )
}

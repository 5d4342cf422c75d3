import { deletePast } from '../db/purge.ts'
import type { SqlQueries } from '../db/sql.ts'
import { purgeLinks } from '../identity/people/links.ts'
import { purgeSignUps } from '../identity/people/sign-ups.ts'
import { purgeAttempts } from '../identity/people/throttle.ts'

const purgeSessions = (sql: SqlQueries, nowMs: number) =>
  deletePast(sql, { table: 'console_session', key: 'digest', time: 'expires_at' }, nowMs)

export const purgeRecords = (sql: SqlQueries, nowMs: number) =>
  deletePast(sql, { table: 'oauth_record', key: 'digest, kind', time: 'purge_at' }, nowMs)

/** Deletes rows that expired long enough ago. Safe to run on several nodes. */
export async function purgeExpired(sql: SqlQueries, nowMs: number): Promise<{ deleted: number }> {
  let deleted = 0
  for (const purge of [purgeRecords, purgeSessions, purgeAttempts, purgeLinks, purgeSignUps]) {
    deleted += await purge(sql, nowMs)
  }
  return { deleted }
}

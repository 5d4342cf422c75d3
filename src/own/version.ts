/** The version of an organisation's knowledge: every change of it calls `touch` in its own transaction. */
import type { Sql, SqlQueries, SqlTransaction } from '../db/sql.ts'

export const OWN_CHANNEL = 'own_knowledge'

/** Adds one to the version, and locks it until the transaction ends. Returns the new version. */
export async function touch(tx: SqlTransaction, organisationId: string): Promise<number> {
  const rows = await tx.query<{ version: number }>(
    `insert into own_knowledge (organisation_id, version) values ($1, 1)
     on conflict (organisation_id) do update set version = own_knowledge.version + 1 returning version`,
    [organisationId],
  )
  return rows[0]!.version
}

/** 0 for an organisation that knows nothing. */
export async function readVersion(sql: SqlQueries, organisationId: string): Promise<number> {
  const rows = await sql.query<{ version: number }>('select version from own_knowledge where organisation_id = $1', [
    organisationId,
  ])
  return rows[0]?.version ?? 0
}

/** Call after the commit: every node reads the version again at the next check. Best effort, nodes also poll. */
export const announceOwnChange = (sql: Sql, organisationId: string): Promise<void> =>
  sql.notify(OWN_CHANNEL, organisationId)

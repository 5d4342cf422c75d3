import type { Sql } from '../../db/sql.ts'

/** Channel that tells every node that an organisation's state changed. */
export const ACCOUNTS_CHANNEL = 'accounts'

export async function announceAccountChange(sql: Sql, organisationId: string): Promise<void> {
  await sql.notify(ACCOUNTS_CHANNEL, organisationId)
}

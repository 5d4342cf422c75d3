import type { Sql } from '../../db/sql.ts'

/** Every running node is told that an organisation may be served from now on, or no longer. */
export const ACCOUNTS_CHANNEL = 'accounts'

export async function announceAccountChange(sql: Sql, organisationId: string): Promise<void> {
  await sql.notify(ACCOUNTS_CHANNEL, organisationId)
}

import type { Sql } from '../db/sql.ts'

/** What every running node is told, so that it does not go on by what it remembers. */
export const OAUTH_CHANNEL = 'oauth'
export const KEYS_CHANGED = 'keys'

export async function announceClientChange(sql: Sql, clientId: string): Promise<void> {
  await sql.notify(OAUTH_CHANNEL, JSON.stringify({ client: clientId }))
}

export async function announceKeyChange(sql: Sql): Promise<void> {
  await sql.notify(OAUTH_CHANNEL, KEYS_CHANGED)
}

/** Somebody was disabled, or lost a membership: look everybody up again. */
export async function announcePersonChange(sql: Sql): Promise<void> {
  await sql.notify(OAUTH_CHANNEL, 'people')
}

import type { Sql } from '../db/sql.ts'

/** Announcements to all nodes, so that they drop cached callers. */
export const OAUTH_CHANNEL = 'oauth'
export const KEYS_CHANGED = 'keys'

export async function announceClientChange(sql: Sql, clientId: string): Promise<void> {
  await sql.notify(OAUTH_CHANNEL, JSON.stringify({ client: clientId }))
}

export async function announceKeyChange(sql: Sql): Promise<void> {
  await sql.notify(OAUTH_CHANNEL, KEYS_CHANGED)
}

/** A person was disabled or lost a membership: drop all cached people. */
export async function announcePersonChange(sql: Sql): Promise<void> {
  await sql.notify(OAUTH_CHANNEL, 'people')
}

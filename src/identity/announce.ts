import type { Sql } from '../db/sql.ts'

/** Announcements to all nodes, so that they drop cached callers. */
export const OAUTH_CHANNEL = 'oauth'
export const KEYS_CHANGED = 'keys'

export const announceClientChange = (sql: Sql, client: string) => sql.notify(OAUTH_CHANNEL, JSON.stringify({ client }))
export const announceKeyChange = (sql: Sql) => sql.notify(OAUTH_CHANNEL, KEYS_CHANGED)
/** A person was disabled or lost a membership: drop all cached people. */
export const announcePersonChange = (sql: Sql) => sql.notify(OAUTH_CHANNEL, 'people')

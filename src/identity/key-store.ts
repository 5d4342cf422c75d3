import { apiKeyDigest, apiKeyHint, newApiKey } from '../access/api-key.ts'
import type { OrganisationState } from '../access/organisation-state.ts'
import type { Scope } from '../access/scopes.ts'
import type { Sql, SqlQueries, SqlTransaction } from '../db/sql.ts'
import { newId } from '../lib/ids.ts'
import type { TimePosition } from '../lib/time-position.ts'

/** A key as its owner may see it: everything but the key. */
export interface ApiKey {
  readonly id: string
  readonly organisation_id: string
  readonly name: string
  readonly hint: string
  readonly scopes: readonly Scope[]
  readonly created_at: number
  readonly expires_at: number | null
  readonly last_used_at: number | null
  readonly revoked_at: number | null
}

type Row = Omit<ApiKey, 'scopes'> & { readonly scopes: string }

const COLUMNS = 'id, organisation_id, name, hint, scopes, created_at, expires_at, last_used_at, revoked_at'

function fromRow(row: Row): ApiKey {
  return { ...row, scopes: row.scopes.split(' ') as Scope[] }
}

export interface NewKey {
  readonly organisationId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly expiresAtMs: number | null
  readonly nowMs: number
}

/** Makes a key; `secret` is the only time it is seen. */
export async function createKey(sql: SqlQueries, input: NewKey): Promise<{ key: ApiKey; secret: string }> {
  const secret = newApiKey()
  const rows = await sql.query<Row>(
    `insert into api_key (id, organisation_id, name, digest, hint, scopes, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
    [
      newId('key'),
      input.organisationId,
      input.name,
      apiKeyDigest(secret),
      apiKeyHint(secret),
      input.scopes.join(' '),
      input.nowMs,
      input.expiresAtMs,
    ],
  )
  return { key: fromRow(rows[0]!), secret }
}

export async function listKeys(sql: SqlQueries, organisationId: string): Promise<ApiKey[]> {
  const rows = await sql.query<Row>(
    `select ${COLUMNS} from api_key where organisation_id = $1 order by created_at, id`,
    [organisationId],
  )
  return rows.map(fromRow)
}

export async function findKey(sql: SqlQueries, id: string): Promise<ApiKey | undefined> {
  const rows = await sql.query<Row>(`select ${COLUMNS} from api_key where id = $1`, [id])
  return rows[0] && fromRow(rows[0])
}

/** Ends a key at once; undefined when it does not exist or already ended. */
export async function revokeKey(
  sql: SqlQueries,
  input: { readonly id: string; readonly nowMs: number },
): Promise<ApiKey | undefined> {
  const rows = await sql.query<Row>(
    `update api_key set revoked_at = $2 where id = $1 and revoked_at is null returning ${COLUMNS}`,
    [input.id, input.nowMs],
  )
  return rows[0] && fromRow(rows[0])
}

/**
 * Replaces a key: a new one with the same name and scopes, and the old one ends after the grace period, during
 * which both work. Undefined when the old one has already ended.
 */
export async function rotateKey(
  sql: Sql,
  input: { readonly id: string; readonly graceMs: number; readonly nowMs: number },
): Promise<{ key: ApiKey; secret: string; old: ApiKey } | undefined> {
  return sql.transaction((tx) => rotateKeyIn(tx, input))
}

/** As rotateKey, as part of a larger change. */
export async function rotateKeyIn(
  tx: SqlTransaction,
  input: { readonly id: string; readonly graceMs: number; readonly nowMs: number },
): Promise<{ key: ApiKey; secret: string; old: ApiKey } | undefined> {
  const rows = await tx.query<Row>(
    `update api_key
     set revoked_at = $3, expires_at = case when expires_at is null or expires_at > $4 then $4 else expires_at end
     where id = $1 and revoked_at is null and (expires_at is null or expires_at > $2) returning ${COLUMNS}`,
    [input.id, input.nowMs, input.graceMs === 0 ? input.nowMs : null, input.nowMs + input.graceMs],
  )
  const old = rows[0] && fromRow(rows[0])
  if (!old) return undefined
  const made = await createKey(tx, {
    organisationId: old.organisation_id,
    name: old.name,
    scopes: old.scopes,
    expiresAtMs: null,
    nowMs: input.nowMs,
  })
  return { ...made, old }
}

/** A page of an organisation's keys, oldest first. */
export async function listKeyPage(
  sql: SqlQueries,
  query: {
    readonly organisationId: string
    readonly after: TimePosition
    readonly limit: number
  },
): Promise<ApiKey[]> {
  const rows = await sql.query<Row>(
    `select ${COLUMNS} from api_key where organisation_id = $1 and (created_at, id) > ($2, $3)
     order by created_at, id limit ${query.limit}`,
    [query.organisationId, query.after.createdAtMs, query.after.id],
  )
  return rows.map(fromRow)
}

export async function updateKey(
  tx: SqlTransaction,
  input: {
    readonly id: string
    readonly name: string
    readonly scopes: readonly Scope[]
    readonly expiresAtMs: number | null
  },
): Promise<ApiKey> {
  const rows = await tx.query<Row>(
    `update api_key set name = $2, scopes = $3, expires_at = $4 where id = $1 returning ${COLUMNS}`,
    [input.id, input.name, input.scopes.join(' '), input.expiresAtMs],
  )
  return fromRow(rows[0]!)
}

/** What authentication needs to know about a key, in one look-up. */
export interface KeyCaller {
  readonly id: string
  readonly organisation_id: string
  readonly scopes: readonly Scope[]
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly state: OrganisationState
}

export async function findKeyByDigest(sql: SqlQueries, digest: string): Promise<KeyCaller | undefined> {
  const rows = await sql.query<Omit<KeyCaller, 'scopes'> & { scopes: string }>(
    `select k.id, k.organisation_id, k.scopes, k.expires_at, k.revoked_at, o.state
     from api_key k join organisation o on o.id = k.organisation_id where k.digest = $1`,
    [digest],
  )
  const row = rows[0]
  return row && { ...row, scopes: row.scopes.split(' ') as Scope[] }
}

/** Notes when keys were last used; the newest time wins whatever order nodes write in. */
export async function touchKeys(sql: Sql, used: ReadonlyMap<string, number>): Promise<void> {
  if (used.size === 0) return
  await sql.transaction(async (tx) => {
    for (const [id, usedAtMs] of [...used].sort(([a], [b]) => (a < b ? -1 : 1))) {
      await tx.query(
        'update api_key set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $2)',
        [id, usedAtMs],
      )
    }
  })
}

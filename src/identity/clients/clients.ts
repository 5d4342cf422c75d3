import { timingSafeEqual } from 'node:crypto'
import { isScope, SCOPES, type Scope } from '../access/scopes.ts'
import type { Sql, SqlQueries, SqlTransaction } from '../db/sql.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { newId, randomBase62 } from '../lib/ids.ts'
import type { TimePosition } from '../lib/time-position.ts'

/**
 * Applications. The kind decides everything a protocol client could ask for otherwise:
 *
 *  1. `service` acts for itself (client credentials); the others act for a person who consented.
 *  2. `service` and `web` prove who they are, by a secret or a key of their own. `spa` and `native` cannot keep a
 *     secret and never have one, whatever is asked.
 *  3. A client has at least one scope, and only scopes its flow may ask for.
 *  4. Redirect addresses are compared exactly; only `native` may use any port of the loopback address.
 */
export const CLIENT_KINDS = {
  service: { about: 'A server acting for itself: client credentials', user: false, confidential: true },
  web: { about: 'A server acting for people: authorization code', user: true, confidential: true },
  spa: { about: 'An application in the browser: authorization code, no secret', user: true, confidential: false },
  native: {
    about: 'A command line, device or installed application: device flow or authorization code, no secret',
    user: true,
    confidential: false,
  },
} as const

/** The public client every server knows: `assay login`. It belongs to no organisation; who signs in picks the payer. */
export const COMMAND_LINE_CLIENT = 'assay-cli'

export type ClientKind = keyof typeof CLIENT_KINDS
export const CLIENT_KIND_NAMES = Object.keys(CLIENT_KINDS) as ClientKind[]

export interface Client {
  readonly id: string
  readonly organisation_id: string
  readonly kind: ClientKind
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly redirect_uris: readonly string[]
  readonly logout_uris: readonly string[]
  readonly authentication: 'client_secret' | 'private_key_jwt' | 'none'
  readonly state: 'active' | 'disabled'
  readonly created_at: number
  readonly updated_at: number
}

/** A client with what authenticates it. */
export interface StoredClient extends Client {
  readonly secretDigest: string | null
  readonly jwks: { readonly keys: readonly Record<string, unknown>[] } | null
  readonly organisationState: string
}

export interface ClientRequest {
  readonly kind: string
  readonly name: string
  readonly scope: string
  readonly redirectUris: readonly string[]
  readonly logoutUris?: readonly string[]
  /** A public JSON Web Key Set: the client authenticates with its own key instead of a secret. */
  readonly jwks?: unknown
}

const REDIRECTS_MAX = 20
const KEYS_MAX = 10
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

/** Which scopes a client of this kind may be registered for. */
export function scopesOfKind(kind: ClientKind): Scope[] {
  const flow = CLIENT_KINDS[kind].user ? 'user' : 'clientCredentials'
  return (Object.keys(SCOPES) as Scope[]).filter((scope) => SCOPES[scope][flow])
}

/** All that is wrong with a registration, one sentence each; none when it may be stored. */
export function clientProblems(request: ClientRequest, { production }: { readonly production: boolean }): string[] {
  const problems: string[] = []
  const name = request.name.trim()
  if (name === '' || [...name].length > 100 || /[\p{Cc}\p{Cs}]/u.test(name)) {
    problems.push('name: give 1 to 100 visible characters')
  }
  if (!Object.hasOwn(CLIENT_KINDS, request.kind)) {
    problems.push(`kind: must be one of ${CLIENT_KIND_NAMES.join(', ')}`)
    return problems
  }
  const kind = request.kind as ClientKind
  const allowed = scopesOfKind(kind)
  const asked = scopeList(request.scope)
  if (asked.length === 0) problems.push('scope: name at least one scope')
  for (const scope of asked) {
    if (!isScope(scope)) problems.push(`scope: ${JSON.stringify(scope)} is not a scope`)
    else if (!allowed.includes(scope)) problems.push(`scope: a ${kind} client may not have ${scope}`)
  }
  if (kind === 'service' && request.redirectUris.length > 0) {
    problems.push('redirect-uri: a service client is never redirected to')
  }
  if ((kind === 'web' || kind === 'spa') && request.redirectUris.length === 0) {
    problems.push(`redirect-uri: a ${kind} client needs at least one`)
  }
  for (const uris of [request.redirectUris, request.logoutUris ?? []]) {
    if (uris.length > REDIRECTS_MAX) problems.push(`redirect-uri: at most ${REDIRECTS_MAX}`)
    for (const uri of uris) {
      const wrong = redirectProblem(uri, kind, production)
      if (wrong) problems.push(`redirect-uri: ${JSON.stringify(uri)} ${wrong}`)
    }
  }
  if (request.jwks !== undefined) {
    if (!CLIENT_KINDS[kind].confidential) problems.push(`jwks: a ${kind} client is public and has no key`)
    const wrong = keySetProblem(request.jwks)
    if (wrong) problems.push(`jwks: ${wrong}`)
  }
  return problems
}

function redirectProblem(uri: string, kind: ClientKind, production: boolean): string | undefined {
  const url = URL.parse(uri)
  if (!url || uri.length > 1000 || /[\s\p{Cc}\p{Cs}*]/u.test(uri)) return 'is not an address'
  if (url.hash || uri.includes('#')) return 'must not have a fragment'
  if (url.username || url.password) return 'must not hold a user name or password'
  if (url.protocol === 'https:') {
    return kind === 'native' && LOOPBACK.has(url.hostname) ? 'must use http on the loopback address' : undefined
  }
  if (url.protocol !== 'http:') return 'must be https, or http on the loopback address'
  if (!LOOPBACK.has(url.hostname)) return 'must be https'
  // Under development an application runs on its author's machine; in production plain http is for native ones only.
  return kind === 'native' || !production
    ? undefined
    : 'must be https: only native clients may use the loopback address'
}

function keySetProblem(jwks: unknown): string | undefined {
  const keys = typeof jwks === 'object' && jwks !== null && 'keys' in jwks ? jwks.keys : undefined
  if (!Array.isArray(keys) || keys.length === 0) return 'give a JSON Web Key Set: {"keys": [ … ]}'
  if (keys.length > KEYS_MAX) return `at most ${KEYS_MAX} keys`
  for (const key of keys) {
    if (typeof key !== 'object' || key === null) return 'each key is an object'
    if (!['RSA', 'EC', 'OKP'].includes(key.kty)) return 'each key is of type RSA, EC or OKP'
    if (PRIVATE_MEMBERS.some((member) => member in key)) return 'holds a private key; give the public half only'
  }
  return undefined
}

export function scopeList(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((scope) => scope !== ''))]
}

/** 256 random bits; the prefix lets a leaked one be recognised. */
export function newClientSecret(): string {
  return `acs_${randomBase62(43)}`
}

/** Compared in constant time. The secret has full entropy, so a plain digest is enough. */
export function isClientSecret(secret: string, digest: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(secret)), Buffer.from(digest.padEnd(64).slice(0, 64)))
}

interface Row {
  readonly id: string
  readonly organisation_id: string
  readonly kind: ClientKind
  readonly name: string
  readonly scopes: string
  readonly redirect_uris: string
  readonly logout_uris: string
  readonly secret_digest: string | null
  readonly jwks: string | null
  readonly state: Client['state']
  readonly created_at: number
  readonly updated_at: number
}

const COLUMNS = `id, organisation_id, kind, name, scopes, redirect_uris, logout_uris, secret_digest, jwks, state,
  created_at, updated_at`

function fromRow(row: Row): Client {
  const { secret_digest: digest, jwks, ...rest } = row
  return {
    ...rest,
    scopes: row.scopes.split(' ') as Scope[],
    redirect_uris: JSON.parse(row.redirect_uris) as string[],
    logout_uris: JSON.parse(row.logout_uris) as string[],
    authentication: jwks !== null ? 'private_key_jwt' : digest !== null ? 'client_secret' : 'none',
  }
}

/** Stores a checked registration; `secret` is the only time it is seen, and only confidential clients have one. */
export async function createClient(
  sql: SqlQueries,
  input: { readonly organisationId: string; readonly request: ClientRequest; readonly nowMs: number },
): Promise<{ client: Client; secret: string | undefined }> {
  const { request } = input
  const kind = request.kind as ClientKind
  const secret = CLIENT_KINDS[kind].confidential && request.jwks === undefined ? newClientSecret() : undefined
  const rows = await sql.query<Row>(
    `insert into oauth_client (id, organisation_id, kind, name, scopes, redirect_uris, logout_uris, secret_digest, jwks,
       state, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'active', $10, $10) returning ${COLUMNS}`,
    [
      newId('cli'),
      input.organisationId,
      kind,
      request.name.trim(),
      scopeList(request.scope).join(' '),
      JSON.stringify([...new Set(request.redirectUris)]),
      JSON.stringify([...new Set(request.logoutUris ?? [])]),
      secret === undefined ? null : sha256Hex(secret),
      request.jwks === undefined ? null : JSON.stringify(request.jwks),
      input.nowMs,
    ],
  )
  return { client: fromRow(rows[0]!), secret }
}

export async function listClients(sql: SqlQueries, organisationId?: string): Promise<Client[]> {
  const rows =
    organisationId === undefined
      ? await sql.query<Row>(`select ${COLUMNS} from oauth_client order by created_at, id`)
      : await sql.query<Row>(`select ${COLUMNS} from oauth_client where organisation_id = $1 order by created_at, id`, [
          organisationId,
        ])
  return rows.map(fromRow)
}

export async function findClient(sql: SqlQueries, id: string): Promise<Client | undefined> {
  const rows = await sql.query<Row>(`select ${COLUMNS} from oauth_client where id = $1`, [id])
  return rows[0] && fromRow(rows[0])
}

export async function findStoredClient(sql: SqlQueries, id: string): Promise<StoredClient | undefined> {
  const rows = await sql.query<Row & { organisation_state: string }>(
    `select c.id, c.organisation_id, c.kind, c.name, c.scopes, c.redirect_uris, c.logout_uris, c.secret_digest, c.jwks,
       c.state, c.created_at, c.updated_at, o.state as organisation_state
     from oauth_client c join organisation o on o.id = c.organisation_id where c.id = $1`,
    [id],
  )
  const row = rows[0]
  if (!row) return undefined
  return {
    ...fromRow(row),
    secretDigest: row.secret_digest,
    jwks: row.jwks === null ? null : (JSON.parse(row.jwks) as StoredClient['jwks']),
    organisationState: row.organisation_state,
  }
}

/** A new secret; the old one stops at once. Undefined when the client does not exist or has no secret. */
export async function rotateClientSecret(
  sql: SqlQueries,
  input: { readonly id: string; readonly nowMs: number },
): Promise<{ client: Client; secret: string } | undefined> {
  const secret = newClientSecret()
  const rows = await sql.query<Row>(
    `update oauth_client set secret_digest = $2, updated_at = $3 where id = $1 and secret_digest is not null
     returning ${COLUMNS}`,
    [input.id, sha256Hex(secret), input.nowMs],
  )
  return rows[0] && { client: fromRow(rows[0]), secret }
}

export async function setClientState(
  sql: SqlQueries,
  input: { readonly id: string; readonly state: Client['state']; readonly nowMs: number },
): Promise<Client | undefined> {
  const rows = await sql.query<Row>(
    `update oauth_client set state = $2, updated_at = $3 where id = $1 returning ${COLUMNS}`,
    [input.id, input.state, input.nowMs],
  )
  return rows[0] && fromRow(rows[0])
}

/** Removes the client and everything ever issued to it. */
export async function deleteClient(sql: Sql, id: string): Promise<boolean> {
  return sql.transaction((tx) => deleteClientIn(tx, id))
}

/** As deleteClient, as part of a larger change. */
export async function deleteClientIn(tx: SqlTransaction, id: string): Promise<boolean> {
  await tx.query('delete from oauth_record where client_id = $1', [id])
  const rows = await tx.query('delete from oauth_client where id = $1 returning id', [id])
  return rows.length > 0
}

/** A page of an organisation's clients, oldest first. */
export async function listClientPage(
  sql: SqlQueries,
  query: {
    readonly organisationId: string
    readonly after: TimePosition
    readonly limit: number
  },
): Promise<Client[]> {
  const rows = await sql.query<Row>(
    `select ${COLUMNS} from oauth_client where organisation_id = $1 and (created_at, id) > ($2, $3)
     order by created_at, id limit ${query.limit}`,
    [query.organisationId, query.after.createdAtMs, query.after.id],
  )
  return rows.map(fromRow)
}

/** Stores a checked change to a client. */
export async function updateClient(
  tx: SqlTransaction,
  input: {
    readonly id: string
    readonly name: string
    readonly scopes: readonly string[]
    readonly redirectUris: readonly string[]
    readonly logoutUris: readonly string[]
    readonly state: Client['state']
    readonly nowMs: number
  },
): Promise<Client> {
  const rows = await tx.query<Row>(
    `update oauth_client set name = $2, scopes = $3, redirect_uris = $4, logout_uris = $5, state = $6, updated_at = $7
     where id = $1 returning ${COLUMNS}`,
    [
      input.id,
      input.name.trim(),
      input.scopes.join(' '),
      JSON.stringify(input.redirectUris),
      JSON.stringify(input.logoutUris),
      input.state,
      input.nowMs,
    ],
  )
  return fromRow(rows[0]!)
}

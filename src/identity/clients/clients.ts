import type { Actor } from '../../access/actor.ts'
import type { OrganisationState } from '../../access/organisation-state.ts'
import { requireGrantable, requireKeyMaker } from '../../access/rights.ts'
import type { Scope } from '../../access/scopes.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import {
  defineTable,
  type EntityOf,
  integer,
  json,
  named,
  orNull,
  type PageOptions,
  text,
  words,
} from '../../db/table.ts'
import { conflict, invalidField, orNotFound } from '../../errors.ts'
import { HOUR_MS, iso } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { newId } from '../../lib/ids.ts'
import { LIMITS } from '../../limits.ts'
import { audit, madeBy, madeByColumns } from '../audit.ts'
import { withdrawInvitations } from '../invitations/withdraw.ts'
import { checkedGraceHours } from '../keys/keys.ts'
import { lockOrganisation } from '../organisation/organisations.ts'
import { takeDailyShare } from '../people/throttle.ts'
import { newClientSecret } from './client-secret.ts'
import {
  CLIENT_KINDS,
  type ClientKind,
  type ClientRequest,
  checkedRegistration,
  type IdTokenAlg,
  type RegistrationRules,
} from './registration.ts'

export const CLIENT_STATES = ['active', 'disabled'] as const
export const CLIENT_AUTHENTICATIONS = ['client_secret', 'private_key_jwt', 'none'] as const

const clients = defineTable({
  name: 'oauth_client',
  key: ['id'],
  fixed: ['organisation_id', 'kind', 'made_by_kind', 'made_by', 'made_by_name', 'created_at', 'last_used_at'],
  columns: {
    id: text(),
    organisation_id: text(),
    kind: text<ClientKind>(),
    name: text(),
    scopes: words<Scope>(),
    redirect_uris: json<readonly string[]>(),
    logout_uris: json<readonly string[]>(),
    secret_digest: orNull(text()),
    jwks: orNull(json<{ readonly keys: readonly Record<string, unknown>[] }>()),
    jwks_uri: orNull(text()),
    former_secret_digest: orNull(text()),
    former_secret_until: orNull(integer()),
    tokens_ended_at: orNull(integer()),
    id_token_signed_response_alg: named('id_token_alg', text<IdTokenAlg>()),
    policy_uri: orNull(text()),
    terms_uri: orNull(text()),
    state: text<(typeof CLIENT_STATES)[number]>(),
    ...madeByColumns,
    created_at: integer(),
    updated_at: integer(),
    last_used_at: orNull(integer()),
  },
})
export type Client = EntityOf<typeof clients>

export function authenticationOf(client: Client): (typeof CLIENT_AUTHENTICATIONS)[number] {
  if (client.jwks !== null || client.jwks_uri !== null) return 'private_key_jwt'
  return client.secret_digest !== null ? 'client_secret' : 'none'
}

const EDITABLE = [
  ...(['name', 'scopes', 'redirect_uris', 'logout_uris', 'policy_uri', 'terms_uri', 'jwks', 'jwks_uri'] as const),
  ...(['id_token_signed_response_alg', 'state'] as const),
]

export function editable(client: Client) {
  const fields = EDITABLE.map((name) => [name, client[name]])
  return Object.fromEntries(fields) as Pick<Client, (typeof EDITABLE)[number]>
}

/** The editable fields for the audit log, with a digest in place of the key set. */
function noted(client: Client) {
  const { jwks, ...rest } = editable(client)
  return jwks === null ? rest : { ...rest, jwks_digest: sha256Hex(JSON.stringify(jwks)).slice(0, 16) }
}

/** When the former secret expires; null without one. */
export function formerSecretUntil(client: Client, nowMs: number): number | null {
  const { former_secret_digest: digest, former_secret_until: untilMs } = client
  return digest !== null && untilMs !== null && untilMs > nowMs ? untilMs : null
}

/** Registers an application. `secret` is returned only here; it is null for clients without a secret. */
export async function createClient(tx: Tx, actor: Actor, request: ClientRequest, rules: RegistrationRules) {
  const { organisationId } = actor
  await lockOrganisation(tx, organisationId)
  requireKeyMaker(actor)
  const registration = checkedRegistration(request, rules)
  requireGrantable(actor, registration.scopes)
  if ((await clients.count(tx, { organisation_id: organisationId })) >= LIMITS.counts.clientsMax) {
    throw conflict(`There are ${LIMITS.counts.clientsMax} applications. Delete some first.`)
  }
  await takeDailyShare(tx, actor, 'applications')
  const { confidential } = CLIENT_KINDS[registration.kind]
  const ownKey = registration.jwks !== null || registration.jwks_uri !== null
  const secret = confidential && !ownKey ? newClientSecret() : null
  const client = await clients.insert(tx, {
    id: newId('cli'),
    organisation_id: organisationId,
    ...registration,
    secret_digest: secret === null ? null : sha256Hex(secret),
    former_secret_digest: null,
    former_secret_until: null,
    tokens_ended_at: null,
    state: 'active',
    ...(await madeBy(tx, actor)),
    created_at: tx.nowMs,
    updated_at: tx.nowMs,
    last_used_at: null,
  })
  await audit(tx, actor, 'client.create', client.id, { kind: client.kind, ...noted(client) })
  return { client, secret }
}

type Editable = Omit<ClientRequest, 'kind'> & Pick<Client, 'state'>

/** The fields to change; null takes a link away. */
export type ClientChange = { readonly [Field in keyof Editable]?: Editable[Field] | undefined }

/** Changes, disables or enables an application. `isAsRead` throws if it changed since the caller read it. */
export async function changeClient(
  tx: Tx,
  actor: Actor,
  clientId: string,
  { state, ...wanted }: ClientChange,
  rules: RegistrationRules,
  isAsRead: (before: Client) => void = () => {},
): Promise<Client> {
  const before = await lockClient(tx, actor, clientId)
  isAsRead(before)
  let after = { ...before, state: state ?? before.state, updated_at: tx.nowMs }
  // An application registered under earlier rules can still be disabled.
  if (Object.values(wanted).some((value) => value !== undefined)) {
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
    const request = { ...before, ...given, ...keysWanted(before, wanted) }
    const { kind: _, ...registration } = checkedRegistration(request, rules)
    requireGrantable(actor, registration.scopes)
    after = { ...after, ...registration }
  }
  await clients.update(tx, before, after)
  await withdrawInvitations(tx, makerOf(before), after.state === 'active' ? after : undefined)
  await audit(tx, actor, 'client.update', clientId, { from: noted(before), to: noted(after) })
  return after
}

/** A new key set or key set address. The kind of authentication cannot be changed. */
function keysWanted(before: Client, { jwks, jwks_uri }: ClientChange): { jwks: unknown; jwks_uri: string | undefined } {
  if (jwks === undefined && jwks_uri === undefined) {
    return { jwks: before.jwks ?? undefined, jwks_uri: before.jwks_uri ?? undefined }
  }
  if (authenticationOf(before) === 'private_key_jwt') return { jwks, jwks_uri }
  throw conflict('This application has no public keys: it was registered without them.')
}

const makerOf = (client: Client) =>
  ({ kind: 'application', id: client.id, organisationId: client.organisation_id }) as const

/**
 * Makes a new secret. The previous one works for the grace period; older ones end at once. After a leak, `endTokens` ends
 * the previous one too, with all access and refresh tokens of the application. Consents remain.
 */
export async function rotateClientSecret(
  tx: Tx,
  actor: Actor,
  clientId: string,
  hours?: number,
  { endTokens = false }: { readonly endTokens?: boolean | undefined } = {},
) {
  if (endTokens && hours) {
    throw invalidField('/grace_hours', 'When the tokens end, the former secret ends too: leave out the grace period.')
  }
  const graceHours = endTokens ? 0 : checkedGraceHours(hours)
  const before = await lockClient(tx, actor, clientId)
  if (authenticationOf(before) !== 'client_secret') {
    throw conflict('This application has no secret: it is public, or uses public keys.')
  }
  const secret = newClientSecret()
  const client = await clients.update(tx, before, {
    secret_digest: sha256Hex(secret),
    former_secret_digest: graceHours === 0 ? null : before.secret_digest,
    former_secret_until: graceHours === 0 ? null : tx.nowMs + graceHours * HOUR_MS,
    tokens_ended_at: endTokens ? tx.nowMs : before.tokens_ended_at,
    updated_at: tx.nowMs,
  })
  if (endTokens) {
    const kinds = `'AccessToken', 'ClientCredentials', 'RefreshToken'`
    await tx.query(`delete from oauth_record where client_id = $1 and kind in (${kinds})`, [clientId])
  }
  const ended = endTokens ? { tokens_ended: true } : {}
  await audit(tx, actor, 'client.rotate_secret', clientId, { name: client.name, grace_hours: graceHours, ...ended })
  return { client, secret }
}

export async function endFormerSecret(tx: Tx, actor: Actor, clientId: string): Promise<Client> {
  const before = await lockClient(tx, actor, clientId)
  const untilMs = formerSecretUntil(before, tx.nowMs)
  if (untilMs === null) throw conflict('This application has no valid former secret.')
  const client = await clients.update(tx, before, {
    former_secret_digest: null,
    former_secret_until: null,
    updated_at: tx.nowMs,
  })
  const about = (former_secret_expires_at: string | null) => ({ name: client.name, former_secret_expires_at })
  await audit(tx, actor, 'client.update', clientId, { from: about(iso(untilMs)), to: about(null) })
  return client
}

/** Removes an application and everything ever issued to it. */
export async function deleteClient(tx: Tx, actor: Actor, clientId: string): Promise<void> {
  const client = await lockClient(tx, actor, clientId)
  await tx.query('delete from oauth_record where client_id = $1', [clientId])
  await clients.delete(tx, { id: clientId })
  await withdrawInvitations(tx, makerOf(client))
  await audit(tx, actor, 'client.delete', clientId, { name: client.name })
}

/** Locks an application; the actor must hold all of its scopes. */
async function lockClient(tx: Tx, actor: Actor, id: string): Promise<Client> {
  await lockOrganisation(tx, actor.organisationId)
  requireKeyMaker(actor)
  const client = await requireClient(tx, { id, organisation_id: actor.organisationId })
  requireGrantable(actor, client.scopes)
  return client
}

type ClientPlace = { readonly id: string; readonly organisation_id?: string }

export const findClient = (sql: SqlQueries, where: ClientPlace) => clients.find(sql, where)

export const requireClient = (sql: SqlQueries, where: ClientPlace) =>
  orNotFound(findClient(sql, where), 'There is no such application.')

/** Oldest first, of one organisation or of all. */
export function listClients(sql: SqlQueries, organisationId: string | undefined, page: PageOptions) {
  return clients.page(sql, organisationId === undefined ? {} : { organisation_id: organisationId }, page)
}

/** A client as the OAuth endpoints need it: with the state of the organisation it belongs to. */
export async function findClientInState(sql: SqlQueries, id: string) {
  const [row] = await sql.query<{ organisation_state: OrganisationState }>(
    `select ${clients.columns('c')}, o.state as organisation_state
     from oauth_client c join organisation o on o.id = c.organisation_id where c.id = $1`,
    [id],
  )
  return row && { client: clients.fromRow(row), organisationState: row.organisation_state }
}

import { timingSafeEqual } from 'node:crypto'
import type { Actor } from '../../access/actor.ts'
import type { OrganisationState } from '../../access/organisation-state.ts'
import { requireGrantable, requireKeyMaker } from '../../access/rights.ts'
import { isScope, SCOPE_NAMES, SCOPES, type Scope } from '../../access/scopes.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, integer, json, orNull, type Page, type PageOptions, text, words } from '../../db/table.ts'
import { type FieldError, invalidField, Problem } from '../../errors.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { newId, randomBase62 } from '../../lib/ids.ts'
import { characterProblem } from '../../lib/name-text.ts'
import { quoted } from '../../lib/quoted.ts'
import { iso } from '../../lib/time-text.ts'
import { LIMITS } from '../../limits.ts'
import { audit } from '../audit.ts'
import { withdrawInvitations } from '../invitations/withdraw.ts'
import { lockOrganisation, nameProblem } from '../organisation/organisations.ts'

/**
 * Applications. The kind decides everything a protocol client could ask for otherwise:
 *
 *  1. `service` acts for itself (client credentials); the others act for a person who consented.
 *  2. `service` and `web` prove who they are, by a secret or a key of their own. `spa` and `native` cannot keep a
 *     secret and never have one, whatever is asked.
 *  3. A client has at least one scope, and only scopes its flow may ask for.
 *  4. Redirect addresses are compared exactly; only `native` may use any port of the loopback address.
 *  5. After a new secret the former one works beside it until its time is over, or somebody ends it.
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

export type ClientKind = keyof typeof CLIENT_KINDS
export const CLIENT_KIND_NAMES = Object.keys(CLIENT_KINDS) as ClientKind[]
export const CLIENT_STATES = ['active', 'disabled'] as const
export const CLIENT_AUTHENTICATIONS = ['client_secret', 'private_key_jwt', 'none'] as const

/** What signs the ID tokens of an application; the first one where nothing else was chosen. */
export const ID_TOKEN_ALGS = ['RS256', 'ES256'] as const
export type IdTokenAlg = (typeof ID_TOKEN_ALGS)[number]

export interface Client {
  readonly id: string
  readonly organisation_id: string
  readonly kind: ClientKind
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly redirect_uris: readonly string[]
  readonly logout_uris: readonly string[]
  readonly secret_digest: string | null
  readonly jwks: { readonly keys: readonly Record<string, unknown>[] } | null
  /** Where the keys are read, instead of `jwks`. */
  readonly jwks_uri: string | null
  readonly former_secret_digest: string | null
  readonly former_secret_until: number | null
  readonly id_token_alg: IdTokenAlg
  /** Pages about it, linked where people are asked to allow it. */
  readonly policy_uri: string | null
  readonly terms_uri: string | null
  readonly state: (typeof CLIENT_STATES)[number]
  readonly created_at: number
  readonly updated_at: number
}

const clients = defineTable<Client>({
  name: 'oauth_client',
  key: ['id'],
  fixed: ['organisation_id', 'kind', 'created_at'],
  columns: {
    id: text(),
    organisation_id: text(),
    kind: text<ClientKind>(),
    name: text(),
    scopes: words<Scope>(),
    redirect_uris: json(),
    logout_uris: json(),
    secret_digest: orNull(text()),
    jwks: orNull(json()),
    jwks_uri: orNull(text()),
    former_secret_digest: orNull(text()),
    former_secret_until: orNull(integer()),
    id_token_alg: text<IdTokenAlg>(),
    policy_uri: orNull(text()),
    terms_uri: orNull(text()),
    state: text<Client['state']>(),
    created_at: integer(),
    updated_at: integer(),
  },
})

/** How a client proves who it is. */
export function authenticationOf(client: Client): (typeof CLIENT_AUTHENTICATIONS)[number] {
  if (client.jwks !== null || client.jwks_uri !== null) return 'private_key_jwt'
  return client.secret_digest !== null ? 'client_secret' : 'none'
}

/** What may be said of a client, and changed, at any time. */
export function editable({
  name,
  scopes,
  redirect_uris,
  logout_uris,
  policy_uri,
  terms_uri,
  jwks,
  jwks_uri,
  id_token_alg,
  state,
}: Client) {
  return {
    name,
    scopes,
    redirect_uris,
    logout_uris,
    policy_uri,
    terms_uri,
    jwks,
    jwks_uri,
    id_token_signed_response_alg: id_token_alg,
    state,
  }
}

/** The same in few words, for the audit log: of a key set only what tells it from another. */
function noted(client: Client) {
  const { jwks, ...rest } = editable(client)
  return jwks === null ? rest : { ...rest, jwks_digest: sha256Hex(JSON.stringify(jwks)).slice(0, 16) }
}

/** Until when the former secret works; null when there is none. */
export function formerSecretUntil(client: Client, nowMs: number): number | null {
  const { former_secret_digest: digest, former_secret_until: untilMs } = client
  return digest !== null && untilMs !== null && untilMs > nowMs ? untilMs : null
}

export interface ClientRequest {
  readonly kind: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly redirectUris?: readonly string[] | undefined
  readonly logoutUris?: readonly string[] | undefined
  /** A public JSON Web Key Set: the client authenticates with its own key instead of a secret. */
  readonly jwks?: unknown
  /** Where the server reads that set, instead of the set itself. */
  readonly jwksUri?: string | undefined
  readonly idTokenAlg?: string | undefined
  readonly policyUri?: string | null | undefined
  readonly termsUri?: string | null | undefined
}

export interface RegistrationRules {
  /** Plain http on the loopback address is for development, except for native clients. */
  readonly production: boolean
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

/** Which scopes a client of this kind may be registered for. */
export function scopesOfKind(kind: ClientKind): Scope[] {
  const flow = CLIENT_KINDS[kind].user ? 'user' : 'clientCredentials'
  return SCOPE_NAMES.filter((scope) => SCOPES[scope][flow])
}

/** All that is wrong with a registration, each with its place; none when it may be stored. */
export function clientProblems(request: ClientRequest, { production }: RegistrationRules): FieldError[] {
  const problems: FieldError[] = []
  const wrong = (field: string, detail: string) => problems.push({ pointer: `/${field}`, code: 'invalid', detail })
  const wrongName = nameProblem(request.name)
  if (wrongName) wrong('name', `The name ${wrongName}.`)
  const kind = CLIENT_KIND_NAMES.find((name) => name === request.kind)
  if (!kind) {
    wrong('kind', `The kind must be one of ${CLIENT_KIND_NAMES.join(', ')}.`)
    return problems
  }
  const wrongScopes = scopesProblem(request.scopes, kind)
  if (wrongScopes) wrong('scopes', wrongScopes)
  const { redirectUris = [], logoutUris = [] } = request
  if (kind === 'service' && redirectUris.length > 0) {
    wrong('redirect_uris', 'A service client is never redirected to, so it has no redirect address.')
  }
  if ((kind === 'web' || kind === 'spa') && redirectUris.length === 0) {
    wrong('redirect_uris', `A ${kind} client needs at least one redirect address.`)
  }
  for (const [field, uris] of [
    ['redirect_uris', redirectUris],
    ['logout_uris', logoutUris],
  ] as const) {
    if (uris.length > LIMITS.counts.redirectUrisMax) wrong(field, `At most ${LIMITS.counts.redirectUrisMax} addresses.`)
    for (const uri of uris) {
      const wrongUri = redirectProblem(uri, kind, production)
      if (wrongUri) wrong(field, sentence(`${quoted(uri)} ${wrongUri}`))
    }
  }
  for (const [field, uri] of [
    ['policy_uri', request.policyUri],
    ['terms_uri', request.termsUri],
  ] as const) {
    const wrongUri = uri === undefined || uri === null ? undefined : linkProblem(uri)
    if (wrongUri) wrong(field, sentence(`${quoted(uri ?? '')} ${wrongUri}`))
  }
  if (request.jwks !== undefined) {
    const wrongKeys = CLIENT_KINDS[kind].confidential
      ? keySetProblem(request.jwks)
      : `a ${kind} client is public and has no key`
    if (wrongKeys) wrong('jwks', `The key set is refused: ${wrongKeys}.`)
  }
  if (request.jwksUri !== undefined) {
    const wrongUri = CLIENT_KINDS[kind].confidential
      ? keySetUriProblem(request.jwksUri, production)
      : `is refused: a ${kind} client is public and has no key`
    if (wrongUri) wrong('jwks_uri', `The address of the key set ${wrongUri}.`)
    if (request.jwks !== undefined) wrong('jwks_uri', 'Give the key set or its address, not both.')
  }
  if (request.idTokenAlg !== undefined && !isIdTokenAlg(request.idTokenAlg)) {
    wrong('id_token_signed_response_alg', `ID tokens are signed by one of ${ID_TOKEN_ALGS.join(', ')}.`)
  }
  return problems
}

function scopesProblem(scopes: readonly string[], kind: ClientKind): string | undefined {
  const allowed: readonly string[] = scopesOfKind(kind)
  if (scopes.length === 0) return 'Name at least one scope.'
  const refused = scopes
    .filter((scope) => !allowed.includes(scope))
    .map((scope) => (isScope(scope) ? `a ${kind} client may not have ${scope}` : `${quoted(scope)} is not a scope`))
  if (refused.length === 0) return undefined
  return `${sentence(refused.join('; '))} Scopes of a ${kind} client: ${allowed.join(', ')}.`
}

const sentence = (words: string) => `${words[0]?.toUpperCase()}${words.slice(1)}.`

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
  return kind === 'native' || !production
    ? undefined
    : 'must be https: only native clients may use the loopback address'
}

const isIdTokenAlg = (text: string): text is IdTokenAlg => ID_TOKEN_ALGS.some((alg) => alg === text)

/** The server itself reads there: what it reaches that way is checked again when it does. */
function keySetUriProblem(uri: string, production: boolean): string | undefined {
  const url = URL.parse(uri)
  if (!url || uri.length > 1000 || /[\s\p{Cc}\p{Cs}]/u.test(uri)) return 'is no address'
  if (url.hash || uri.includes('#')) return 'must not have a fragment'
  if (url.username || url.password) return 'must not hold a user name or password'
  if (url.protocol === 'https:' || (!production && url.protocol === 'http:' && LOOPBACK.has(url.hostname))) {
    return undefined
  }
  return 'must be https'
}

/** People follow it from the consent page. */
function linkProblem(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (!url || uri.length > 1000 || /\s/.test(uri) || characterProblem(uri)) return 'is not an address'
  if (url.protocol !== 'https:') return 'must be https'
  if (url.username || url.password) return 'must not hold a user name or password'
  return undefined
}

function keySetProblem(jwks: unknown): string | undefined {
  const keys = keysIn(jwks)
  if (!keys || keys.length === 0) return 'give a JSON Web Key Set, {"keys": [ … ]}'
  if (keys.length > LIMITS.counts.clientKeysMax) return `at most ${LIMITS.counts.clientKeysMax} keys`
  for (const key of keys) {
    if (!['RSA', 'EC', 'OKP'].includes(String(key.kty))) return 'each key is of type RSA, EC or OKP'
    if (PRIVATE_MEMBERS.some((member) => member in key)) return 'it holds a private key, give the public half only'
  }
  return undefined
}

function keysIn(jwks: unknown): Record<string, unknown>[] | undefined {
  const keys = typeof jwks === 'object' && jwks !== null && 'keys' in jwks ? jwks.keys : undefined
  const isKey = (key: unknown): key is Record<string, unknown> => typeof key === 'object' && key !== null
  return Array.isArray(keys) && keys.every(isKey) ? keys : undefined
}

function checkedRegistration(request: ClientRequest, rules: RegistrationRules) {
  const errors = clientProblems(request, rules)
  if (errors.length > 0) {
    throw new Problem('validation_failed', { detail: errors.map(({ detail }) => detail).join(' '), errors })
  }
  const keys = keysIn(request.jwks)
  return {
    kind: request.kind as ClientKind,
    name: request.name.trim(),
    scopes: [...new Set(request.scopes.filter(isScope))],
    redirect_uris: [...new Set(request.redirectUris)],
    logout_uris: [...new Set(request.logoutUris)],
    jwks: keys ? { keys } : null,
    jwks_uri: request.jwksUri ?? null,
    id_token_alg: (request.idTokenAlg ?? ID_TOKEN_ALGS[0]) as IdTokenAlg,
    policy_uri: request.policyUri ?? null,
    terms_uri: request.termsUri ?? null,
  }
}

/** 256 random bits; the prefix lets a leaked one be recognised. */
export function newClientSecret(): string {
  return `acs_${randomBase62(43)}`
}

/** Compared in constant time. The secret has full entropy, so a plain digest is enough. */
export function isClientSecret(secret: string, digest: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(secret)), Buffer.from(digest.padEnd(64).slice(0, 64)))
}

export interface ClientSecrets {
  readonly digest: string | null | undefined
  readonly formerDigest: string | null | undefined
  readonly formerUntilMs: number | null | undefined
}

/** Whether it is the present secret, or the former one while that works. Takes as long whichever it is. */
export function isSecretOf(
  secret: string,
  { digest, formerDigest, formerUntilMs }: ClientSecrets,
  nowMs: number,
): boolean {
  const present = isClientSecret(secret, digest ?? '')
  const former = isClientSecret(secret, formerDigest ?? '')
  return present || (former && (formerUntilMs ?? 0) > nowMs)
}

/** Registers an application. `secret` is seen this once; only clients that authenticate by a secret have one. */
export async function createClient(
  tx: Tx,
  actor: Actor,
  request: ClientRequest,
  rules: RegistrationRules,
): Promise<{ client: Client; secret: string | null }> {
  const { organisationId } = actor
  await lockOrganisation(tx, organisationId)
  requireKeyMaker(actor)
  const registration = checkedRegistration(request, rules)
  requireGrantable(actor, registration.scopes)
  if ((await clients.count(tx, { organisation_id: organisationId })) >= LIMITS.counts.clientsMax) {
    throw new Problem('conflict', { detail: `There are ${LIMITS.counts.clientsMax} applications. Delete some first.` })
  }
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
    state: 'active',
    created_at: tx.nowMs,
    updated_at: tx.nowMs,
  })
  await audit(tx, actor, 'client.create', client.id, { kind: client.kind, ...noted(client) })
  return { client, secret }
}

export interface ClientChange {
  readonly name?: string | undefined
  readonly scopes?: readonly string[] | undefined
  readonly redirectUris?: readonly string[] | undefined
  readonly logoutUris?: readonly string[] | undefined
  readonly jwks?: unknown
  readonly jwksUri?: string | undefined
  readonly idTokenAlg?: string | undefined
  /** Null takes it away. */
  readonly policyUri?: string | null | undefined
  readonly termsUri?: string | null | undefined
  readonly state?: Client['state'] | undefined
}

/** Changes, disables or enables an application. `isAsRead` refuses when it is not as the caller last saw it. */
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
  // An application that was registered under other rules can still be disabled.
  if (Object.values(wanted).some((value) => value !== undefined)) {
    const request = {
      kind: before.kind,
      name: wanted.name ?? before.name,
      scopes: wanted.scopes ?? before.scopes,
      redirectUris: wanted.redirectUris ?? before.redirect_uris,
      logoutUris: wanted.logoutUris ?? before.logout_uris,
      policyUri: wanted.policyUri === undefined ? before.policy_uri : wanted.policyUri,
      termsUri: wanted.termsUri === undefined ? before.terms_uri : wanted.termsUri,
      idTokenAlg: wanted.idTokenAlg ?? before.id_token_alg,
      ...keysWanted(before, wanted),
    }
    const { kind: _, ...registration } = checkedRegistration(request, rules)
    requireGrantable(actor, registration.scopes)
    after = { ...after, ...registration }
  }
  await clients.update(tx, after)
  await withdrawInvitations(tx, makerOf(before), after.state === 'active' ? after : undefined)
  await audit(tx, actor, 'client.update', clientId, { from: noted(before), to: noted(after) })
  return after
}

/** Another key set, or another address of it. How an application proves itself stays as it was registered. */
function keysWanted(before: Client, { jwks, jwksUri }: ClientChange): Pick<ClientRequest, 'jwks' | 'jwksUri'> {
  if (jwks === undefined && jwksUri === undefined) {
    return { jwks: before.jwks ?? undefined, jwksUri: before.jwks_uri ?? undefined }
  }
  if (authenticationOf(before) === 'private_key_jwt') return { jwks, jwksUri }
  throw new Problem('conflict', { detail: 'This application has no key of its own: it was registered without one.' })
}

const makerOf = (client: Client) =>
  ({ kind: 'application', id: client.id, organisationId: client.organisation_id }) as const

/** A new secret. The former one works for the grace period; one still older stops at once. */
export async function rotateClientSecret(
  tx: Tx,
  actor: Actor,
  clientId: string,
  graceHours: number = LIMITS.counts.graceHoursDefault,
): Promise<{ client: Client; secret: string }> {
  if (!Number.isInteger(graceHours) || graceHours < 0 || graceHours > LIMITS.counts.graceHoursMax) {
    throw invalidField('/grace_hours', `The grace period is 0 to ${LIMITS.counts.graceHoursMax} whole hours.`)
  }
  const before = await lockClient(tx, actor, clientId)
  if (authenticationOf(before) !== 'client_secret') {
    throw new Problem('conflict', { detail: 'This application has no secret: it is public, or has a key of its own.' })
  }
  const secret = newClientSecret()
  const client = await clients.update(tx, {
    ...before,
    secret_digest: sha256Hex(secret),
    former_secret_digest: graceHours === 0 ? null : before.secret_digest,
    former_secret_until: graceHours === 0 ? null : tx.nowMs + graceHours * HOUR_MS,
    updated_at: tx.nowMs,
  })
  await audit(tx, actor, 'client.rotate_secret', clientId, { name: client.name, grace_hours: graceHours })
  return { client, secret }
}

/** Ends the former secret before its time. */
export async function endFormerSecret(tx: Tx, actor: Actor, clientId: string): Promise<Client> {
  const before = await lockClient(tx, actor, clientId)
  const untilMs = formerSecretUntil(before, tx.nowMs)
  if (untilMs === null) throw new Problem('conflict', { detail: 'This application has no former secret that works.' })
  const client = await clients.update(tx, {
    ...before,
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

/** An application whose every scope the actor has. */
async function lockClient(tx: Tx, actor: Actor, id: string): Promise<Client> {
  await lockOrganisation(tx, actor.organisationId)
  requireKeyMaker(actor)
  const client = await requireClient(tx, { id, organisation_id: actor.organisationId })
  requireGrantable(actor, client.scopes)
  return client
}

type ClientPlace = { readonly id: string; readonly organisation_id?: string }

export function findClient(sql: SqlQueries, where: ClientPlace): Promise<Client | undefined> {
  return clients.find(sql, where)
}

export async function requireClient(sql: SqlQueries, where: ClientPlace): Promise<Client> {
  const client = await findClient(sql, where)
  if (!client) throw new Problem('not_found', { detail: 'There is no such application.' })
  return client
}

/** Oldest first; without an organisation those of all. */
export function listClients(
  sql: SqlQueries,
  organisationId: string | undefined,
  page: PageOptions,
): Promise<Page<Client>> {
  return clients.page(sql, organisationId === undefined ? {} : { organisation_id: organisationId }, page)
}

/** A client as the OAuth endpoints need it: with the state of the organisation it belongs to. */
export async function findClientInState(
  sql: SqlQueries,
  id: string,
): Promise<{ client: Client; organisationState: OrganisationState } | undefined> {
  const [row] = await sql.query<{ organisation_state: OrganisationState }>(
    `select ${clients.columns('c')}, o.state as organisation_state
     from oauth_client c join organisation o on o.id = c.organisation_id where c.id = $1`,
    [id],
  )
  return row && { client: clients.fromRow(row), organisationState: row.organisation_state }
}

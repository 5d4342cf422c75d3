/** API keys. Only a digest is stored; the key itself is shown once, to its maker. */
import type { Actor } from '../../access/actor.ts'
import { apiKeyDigest, apiKeyHint, newApiKey } from '../../access/api-key.ts'
import type { Caller } from '../../access/caller.ts'
import type { OrganisationState, StateReason } from '../../access/organisation-state.ts'
import { lackedScopes, requireGrantable, requireKeyMaker } from '../../access/rights.ts'
import { isScope, KEY_SCOPE_NAMES, RISK_SCOPES, type Scope } from '../../access/scopes.ts'
import { paddedList } from '../../db/multi-row.ts'
import type { Sql, SqlQueries, Tx } from '../../db/sql.ts'
import {
  defineTable,
  type EntityOf,
  integer,
  orNull,
  type Page,
  type PageOptions,
  text,
  words,
} from '../../db/table.ts'
import { conflict, forbidden, invalidField, orNotFound } from '../../errors.ts'
import { type Clock, HOUR_MS, isoOrNull, shown } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { quoted } from '../../lib/quoted.ts'
import { LIMITS } from '../../limits.ts'
import { audit, createdBy, madeBy, madeByColumns } from '../audit.ts'
import { withdrawInvitations } from '../invitations/withdraw.ts'
import { checkedName, lockOrganisation } from '../organisation/organisations.ts'
import { takeDailyShare } from '../people/throttle.ts'

const keys = defineTable({
  name: 'api_key',
  key: ['id'],
  // `writeUses` writes the last use.
  fixed: ['organisation_id', 'hint', 'made_by_kind', 'made_by', 'made_by_name', 'created_at', 'last_used_at'],
  columns: {
    id: text(),
    organisation_id: text(),
    name: text(),
    hint: text(),
    scopes: words<Scope>(),
    ...madeByColumns,
    created_at: integer(),
    expires_at: orNull(integer()),
    /** The lifetime it was made with, even if it ends sooner; null: unlimited. */
    lifetime_ms: orNull(integer()),
    last_used_at: orNull(integer()),
    revoked_at: orNull(integer()),
  },
})
export type ApiKey = EntityOf<typeof keys>

export function keyState(key: ApiKey, nowMs: number): 'active' | 'expired' | 'revoked' {
  if (key.revoked_at !== null) return 'revoked'
  return key.expires_at !== null && key.expires_at <= nowMs ? 'expired' : 'active'
}

interface NewKey {
  readonly name: string
  readonly scopes?: readonly string[] | undefined
  readonly expiresAtMs: number | null
}

/** The default scopes are the four risk scopes that the actor has. */
export async function createKey(tx: Tx, actor: Actor, input: NewKey) {
  await lockOrganisation(tx, actor.organisationId)
  requireKeyMaker(actor)
  const scopes = input.scopes ? checkedScopes(input.scopes) : ownDefaultScopes(actor)
  requireGrantable(actor, scopes)
  const made = await insertKey(tx, actor, {
    name: checkedName(input.name),
    scopes,
    expiresAtMs: checkedExpiry(input.expiresAtMs, tx.nowMs),
  })
  await audit(tx, actor, 'key.create', made.key.id, keyDetail(made.key))
  return made
}

/** Changes a working key. `isAsRead` throws if it changed since the caller read it. */
export async function changeKey(
  tx: Tx,
  actor: Actor,
  keyId: string,
  wanted: { [Field in keyof NewKey]?: NewKey[Field] | undefined },
  isAsRead: (before: ApiKey) => void = () => {},
): Promise<ApiKey> {
  const before = await lockKey(tx, actor, keyId)
  isAsRead(before)
  const scopes = wanted.scopes ? checkedScopes(wanted.scopes) : before.scopes
  requireGrantable(actor, [...new Set([...before.scopes, ...scopes])])
  requireWorking(before, tx.nowMs)
  const end = wanted.expiresAtMs === undefined ? undefined : checkedExpiry(wanted.expiresAtMs, tx.nowMs)
  const after = await keys.update(tx, before, {
    ...(end === undefined ? {} : { expires_at: end, lifetime_ms: lifetimeTo(end, tx.nowMs) }),
    name: wanted.name === undefined ? before.name : checkedName(wanted.name),
    scopes,
  })
  await withdrawInvitations(tx, makerOf(before), after)
  await audit(tx, actor, 'key.update', keyId, { from: keyDetail(before), to: keyDetail(after) })
  return after
}

/** The grace period of a replaced key or secret; 422 when it is invalid. */
export function checkedGraceHours(hours: number = LIMITS.counts.graceHoursDefault): number {
  const { graceHoursMax } = LIMITS.counts
  if (Number.isInteger(hours) && hours >= 0 && hours <= graceHoursMax) return hours
  throw invalidField('/grace_hours', `The grace period is 0 to ${graceHoursMax} whole hours.`)
}

/** Makes a new key with the same name, scopes and lifetime. Both work during the grace period. */
export async function rotateKey(tx: Tx, actor: Actor, keyId: string, hours?: number) {
  const graceHours = checkedGraceHours(hours)
  const before = await lockKey(tx, actor, keyId)
  requireGrantable(actor, before.scopes)
  requireWorking(before, tx.nowMs)
  const endsAtMs = tx.nowMs + graceHours * HOUR_MS
  const old = await keys.update(tx, before, {
    expires_at: Math.min(before.expires_at ?? endsAtMs, endsAtMs),
    revoked_at: graceHours === 0 ? tx.nowMs : null,
  })
  const expiresAtMs = before.lifetime_ms === null ? null : tx.nowMs + before.lifetime_ms
  const made = await insertKey(tx, actor, { ...before, expiresAtMs })
  await audit(tx, actor, 'key.rotate', keyId, {
    name: before.name,
    replaced_by: made.key.id,
    grace_hours: graceHours,
    expires_at: isoOrNull(expiresAtMs),
  })
  return { ...made, old }
}

/** Ends a key at once. An already revoked key stays as it is. */
export async function revokeKey(tx: Tx, actor: Actor, keyId: string): Promise<ApiKey> {
  const before = await lockKey(tx, actor, keyId)
  requireGrantable(actor, before.scopes)
  if (before.revoked_at !== null) return before
  const revoked = await keys.update(tx, before, { revoked_at: tx.nowMs })
  await withdrawInvitations(tx, makerOf(before))
  await audit(tx, actor, 'key.revoke', keyId, { name: before.name })
  return revoked
}

const makerOf = (key: ApiKey) => ({ kind: 'api_key', id: key.id, organisationId: key.organisation_id }) as const

/** Oldest first, ended ones included. */
export function listKeys(sql: SqlQueries, organisationId: string, page: PageOptions): Promise<Page<ApiKey>> {
  return keys.page(sql, { organisation_id: organisationId }, page)
}

type KeyPlace = { readonly id: string; readonly organisation_id?: string }

export const findKey = (sql: SqlQueries, where: KeyPlace) => keys.find(sql, where)

export const requireKey = (sql: SqlQueries, where: KeyPlace) => orNotFound(findKey(sql, where), 'There is no such key.')

async function lockKey(tx: Tx, actor: Actor, id: string): Promise<ApiKey> {
  await lockOrganisation(tx, actor.organisationId)
  requireKeyMaker(actor)
  return requireKey(tx, { id, organisation_id: actor.organisationId })
}

/** A new key; its `secret` is returned only here. */
async function insertKey(tx: Tx, actor: Actor, input: NewKey & { readonly scopes: readonly Scope[] }) {
  const { organisationId } = actor
  const working = await keys.count(
    tx,
    { organisation_id: organisationId, revoked_at: null },
    ` and (expires_at is null or expires_at > ${tx.nowMs})`,
  )
  if (working >= LIMITS.counts.keysWorkingMax) {
    throw conflict(`There are ${LIMITS.counts.keysWorkingMax} valid keys. Revoke some first.`)
  }
  await takeDailyShare(tx, actor, 'keys')
  const secret = newApiKey()
  const key = await keys.insert(
    tx,
    {
      id: newId('key'),
      organisation_id: organisationId,
      name: input.name,
      hint: apiKeyHint(secret),
      scopes: input.scopes,
      ...(await madeBy(tx, actor)),
      created_at: tx.nowMs,
      expires_at: input.expiresAtMs,
      lifetime_ms: lifetimeTo(input.expiresAtMs, tx.nowMs),
      last_used_at: null,
      revoked_at: null,
    },
    { digest: apiKeyDigest(secret) },
  )
  return { key, secret }
}

function checkedScopes(names: readonly string[]): Scope[] {
  const wrong = names.filter((name) => !isScope(name) || !KEY_SCOPE_NAMES.includes(name))
  if (wrong.length > 0) {
    const refused = `A key cannot have ${wrong.map(quoted).join(', ')}.`
    throw invalidField('/scopes', `${refused} Scopes of keys: ${KEY_SCOPE_NAMES.join(', ')}.`)
  }
  if (names.length === 0) throw invalidField('/scopes', 'Name at least one scope.')
  return [...new Set(names.filter(isScope))]
}

function ownDefaultScopes(actor: Actor): Scope[] {
  const lacked = lackedScopes(actor, RISK_SCOPES)
  const own = RISK_SCOPES.filter((scope) => !lacked.includes(scope))
  if (own.length > 0) return own
  throw forbidden('You have none of the risk scopes, so you cannot grant them to a key. Ask an owner or admin.')
}

const lifetimeTo = (endMs: number | null, nowMs: number) => (endMs === null ? null : endMs - nowMs)

function checkedExpiry(expiresAtMs: number | null, nowMs: number): number | null {
  if (expiresAtMs === null || expiresAtMs > nowMs) return expiresAtMs
  throw invalidField('/expires_at', 'The expiry must be in the future.')
}

function requireWorking(key: ApiKey, nowMs: number): void {
  if (keyState(key, nowMs) === 'active') return
  throw conflict('The key is revoked or expired and cannot be changed or replaced. Create a new one.')
}

export const keyView = (key: ApiKey) => ({
  ...shown(key, 'id', 'name', 'hint', 'scopes', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'),
  created_by: createdBy(key),
})

const keyDetail = (key: ApiKey) => shown(key, 'name', 'scopes', 'expires_at')

/** The caller behind a key; undefined for an unknown or revoked one. */
export async function findKeyCaller(sql: SqlQueries, secret: string): Promise<Caller | undefined> {
  const [row] = await sql.query<{ state: OrganisationState; state_reason: StateReason | null }>(
    `select ${keys.columns('k')}, o.state, o.state_reason
     from api_key k join organisation o on o.id = k.organisation_id where k.digest = $1`,
    [apiKeyDigest(secret)],
  )
  const key = row && keys.fromRow(row)
  if (!key || key.revoked_at !== null) return undefined
  return {
    organisationId: key.organisation_id,
    credentialId: key.id,
    method: 'api_key',
    scopes: new Set(key.scopes),
    state: row.state,
    stateReason: row.state_reason,
    expiresAtMs: key.expires_at ?? Number.POSITIVE_INFINITY,
  }
}

/** The organisation of each key, also of keys that are no longer valid. */
export async function ownersOfKeys(sql: SqlQueries, digests: readonly string[]) {
  const { marks, values } = paddedList(digests, 1)
  const rows = await sql.query<{ digest: string; keyId: string; organisationId: string }>(
    `select digest, id as "keyId", organisation_id as "organisationId" from api_key where digest in (${marks})`,
    values,
  )
  return new Map(rows.map((row) => [row.digest, row]))
}

/** The newest time wins, in any order of writes. */
const NEWER = 'set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $2)'

async function writeUses(sql: Sql, used: ReadonlyMap<string, number>): Promise<void> {
  if (used.size === 0) return
  await sql.transaction(async (tx) => {
    for (const [id, usedAtMs] of [...used].sort(([a], [b]) => (a < b ? -1 : 1))) {
      await tx.query(`update ${id.startsWith('key_') ? 'api_key' : 'oauth_client'} ${NEWER}`, [id, usedAtMs])
    }
  })
}

const WRITE_MS = 30_000
/** Uses of several are written together. */
const GATHER_MS = 200

/**
 * Notes when keys and applications are used. A write for each request would cost more than the request: a first use is
 * written at once, so that the person who tries a new key sees it; further uses of the key twice a minute.
 */
export function trackUses(sql: Sql, clock: Clock, onError: (error: unknown) => void) {
  const used = new Map<string, number>()
  const written = new Set<string>()
  let soon: NodeJS.Timeout | undefined
  const write = async () => {
    clearTimeout(soon)
    soon = undefined
    const batch = new Map(used)
    used.clear()
    await writeUses(sql, batch).catch(onError)
  }
  const timer = setInterval(() => {
    written.clear()
    return write()
  }, WRITE_MS).unref()
  return {
    used(id: string): void {
      used.set(id, clock.now())
      if (written.has(id)) return
      written.add(id)
      soon ??= setTimeout(write, GATHER_MS).unref()
    },
    async close() {
      clearInterval(timer)
      await write()
    },
  }
}

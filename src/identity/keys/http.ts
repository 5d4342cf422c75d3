import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { actorOf } from '../access/actor.ts'
import { callerOf } from '../access/gate.ts'
import { requireGrantable } from '../access/rights.ts'
import { DEFAULT_KEY_SCOPES, type Scope } from '../access/scopes.ts'
import type { SqlQueries, SqlTransaction } from '../db/sql.ts'
import { invalidField, Problem } from '../errors.ts'
import { answerChange, etagOf, requireMatch, sendJson } from '../http/change.ts'
import { linkNext, type PageKey, readTimeCursor, timeCursor } from '../http/page.ts'
import { resourceValidator } from '../http/validate.ts'
import { HOUR_MS } from '../lib/clock.ts'
import { recordAudit } from './audit.ts'
import { type ApiKey, createKey, findKey, listKeyPage, revokeKey, rotateKeyIn, updateKey } from './key-store.ts'
import { lockOrganisation } from './members.ts'
import { organisationNameProblem } from './organisation/organisations.ts'
import type { OrganisationDependencies } from './routes.ts'
import {
  createKeySchema,
  editKeySchema,
  type KeyBody,
  type KeyPatch,
  type KeyRotateBody,
  listKeysSchema,
  type PageQuery,
  readKeySchema,
  revokeKeySchema,
  rotateKeySchema,
} from './schema.ts'

const KEYS_ACTIVE_MAX = 500
const DEFAULT_GRACE_HOURS = 24

type Change = Parameters<typeof answerChange>[4]

type WithKey = { Params: { key_id: string } }

export function registerKeyRoutes(app: FastifyInstance, deps: OrganisationDependencies): void {
  const validatorCompiler = resourceValidator
  const reading = { validatorCompiler, onRequest: deps.gate({ scopes: ['organisation:read'] }) }
  const writing = {
    validatorCompiler,
    onRequest: deps.gate({ scopes: ['organisation:write'], roles: ['owner', 'admin', 'developer'] }),
  }

  const change = (request: FastifyRequest, reply: FastifyReply, work: Change) =>
    answerChange(request, reply, deps, callerOf(request).organisationId, work, deps.onKeysChanged)

  app.get('/v1/organisation/keys', { ...reading, schema: listKeysSchema }, async (request, reply) => {
    const { organisationId } = callerOf(request)
    const { limit = 50, cursor } = request.query as Static<typeof PageQuery>
    const key: PageKey = { organisationId, list: 'keys' }
    const after = readTimeCursor(key, cursor) ?? { createdAtMs: -1, id: '' }
    const rows = await listKeyPage(deps.sql, { organisationId, after, limit: limit + 1 })
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const next = timeCursor(
      key,
      rows.length > limit && last ? { createdAtMs: last.created_at, id: last.id } : undefined,
    )
    linkNext(request, reply, deps.baseUrl, next)
    return sendJson(reply, { data: page.map((row) => keyView(row, deps.clock.now())), next_cursor: next })
  })

  app.get<WithKey>('/v1/organisation/keys/:key_id', { ...reading, schema: readKeySchema }, async (request, reply) => {
    const key = await ownKey(deps.sql, request)
    return sendJson(reply.header('etag', keyEtag(key)), keyView(key, deps.clock.now()))
  })

  app.post('/v1/organisation/keys', { ...writing, schema: createKeySchema }, async (request, reply) => {
    const caller = callerOf(request)
    const { organisationId } = caller
    const body = request.body as Static<typeof KeyBody>
    const name = checkedName(body.name)
    const scopes = [...new Set((body.scopes ?? DEFAULT_KEY_SCOPES) as Scope[])]
    requireGrantable(caller, scopes)
    return change(request, reply, async (tx, nowMs) => {
      const expiresAtMs = checkedExpiry(body.expires_at, nowMs) ?? null
      await lockOrganisation(tx, organisationId)
      await refuseTooMany(tx, organisationId, nowMs)
      const { key, secret } = await createKey(tx, { organisationId, name, scopes, expiresAtMs, nowMs })
      await recordAudit(tx, {
        organisationId,
        actor: actorOf(request),
        action: 'key.create',
        targetId: key.id,
        detail: { name, scopes, expires_at: body.expires_at ?? null },
        nowMs,
      })
      return { status: 201, body: { ...keyView(key, nowMs), api_key: secret } }
    })
  })

  app.patch<WithKey>('/v1/organisation/keys/:key_id', { ...writing, schema: editKeySchema }, async (request, reply) => {
    const caller = callerOf(request)
    const { organisationId } = caller
    const patch = request.body as Static<typeof KeyPatch>
    if (patch.scopes) requireGrantable(caller, patch.scopes as Scope[])
    return change(request, reply, async (tx, nowMs) => {
      await lockOrganisation(tx, organisationId)
      const before = await ownKey(tx, request)
      requireMatch(request, keyEtag(before))
      requireWorking(before, nowMs)
      const expiresAtMs = checkedExpiry(patch.expires_at, nowMs)
      const after = await updateKey(tx, {
        id: before.id,
        name: patch.name === undefined ? before.name : checkedName(patch.name),
        scopes: patch.scopes ? [...new Set(patch.scopes as Scope[])] : before.scopes,
        expiresAtMs: expiresAtMs === undefined ? before.expires_at : expiresAtMs,
      })
      await recordAudit(tx, {
        organisationId,
        actor: actorOf(request),
        action: 'key.update',
        targetId: before.id,
        detail: { from: editable(before), to: editable(after) },
        nowMs,
      })
      return { status: 200, body: keyView(after, nowMs), headers: { etag: keyEtag(after) } }
    })
  })

  app.post<WithKey>(
    '/v1/organisation/keys/:key_id/rotate',
    { ...writing, schema: rotateKeySchema },
    async (request, reply) => {
      const caller = callerOf(request)
      const { organisationId } = caller
      const { grace_hours: graceHours = DEFAULT_GRACE_HOURS } = request.body as Static<typeof KeyRotateBody>
      return change(request, reply, async (tx, nowMs) => {
        await lockOrganisation(tx, organisationId)
        const before = await ownKey(tx, request)
        // Who rotates a key holds the new one.
        requireGrantable(caller, before.scopes)
        const rotated = await rotateKeyIn(tx, { id: before.id, graceMs: graceHours * HOUR_MS, nowMs })
        if (!rotated) throw new Problem('conflict', { detail: 'The key has ended already. Make a new one.' })
        await recordAudit(tx, {
          organisationId,
          actor: actorOf(request),
          action: 'key.rotate',
          targetId: before.id,
          detail: { replaced_by: rotated.key.id, grace_hours: graceHours },
          nowMs,
        })
        return {
          status: 201,
          body: { ...keyView(rotated.key, nowMs), api_key: rotated.secret, replaces: keyView(rotated.old, nowMs) },
        }
      })
    },
  )

  app.delete<WithKey>(
    '/v1/organisation/keys/:key_id',
    { ...writing, schema: revokeKeySchema },
    async (request, reply) => {
      const { organisationId } = callerOf(request)
      return change(request, reply, async (tx, nowMs) => {
        const key = await ownKey(tx, request)
        const revoked = await revokeKey(tx, { id: key.id, nowMs })
        if (revoked) {
          await recordAudit(tx, {
            organisationId,
            actor: actorOf(request),
            action: 'key.revoke',
            targetId: key.id,
            detail: { name: key.name },
            nowMs,
          })
        }
        return { status: 204 }
      })
    },
  )
}

/** A key of the caller's own organisation; whose else it may be, the answer does not say. */
async function ownKey(sql: SqlQueries, request: FastifyRequest): Promise<ApiKey> {
  const { key_id: id } = request.params as WithKey['Params']
  const key = await findKey(sql, id)
  if (key && key.organisation_id === callerOf(request).organisationId) return key
  throw new Problem('not_found', { detail: 'There is no such key.' })
}

async function refuseTooMany(tx: SqlTransaction, organisationId: string, nowMs: number): Promise<void> {
  const rows = await tx.query<{ count: number }>(
    `select count(*) as count from api_key
     where organisation_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
    [organisationId, nowMs],
  )
  if ((rows[0]?.count ?? 0) < KEYS_ACTIVE_MAX) return
  throw new Problem('conflict', { detail: `There are ${KEYS_ACTIVE_MAX} working keys. End some first.` })
}

function requireWorking(key: ApiKey, nowMs: number): void {
  if (stateOf(key, nowMs) === 'active') return
  throw new Problem('conflict', { detail: 'The key has ended and cannot be changed. Make a new one.' })
}

function checkedName(name: string): string {
  const wrong = organisationNameProblem(name)
  if (wrong) throw invalidField('/name', `The name ${wrong}.`)
  return name.trim()
}

function checkedExpiry(text: string | null | undefined, nowMs: number): number | null | undefined {
  if (text === null || text === undefined) return text
  const expiresAtMs = Date.parse(text)
  if (!(expiresAtMs > nowMs)) throw invalidField('/expires_at', 'The end must be in the future.')
  return expiresAtMs
}

function stateOf(key: ApiKey, nowMs: number): 'active' | 'expired' | 'revoked' {
  if (key.revoked_at !== null) return 'revoked'
  return key.expires_at !== null && key.expires_at <= nowMs ? 'expired' : 'active'
}

const iso = (timeMs: number | null) => (timeMs === null ? null : new Date(timeMs).toISOString())

function editable(key: ApiKey) {
  return { name: key.name, scopes: key.scopes, expires_at: iso(key.expires_at) }
}

const keyEtag = (key: ApiKey) => etagOf([key.id, editable(key), key.revoked_at])

function keyView(key: ApiKey, nowMs: number) {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    state: stateOf(key, nowMs),
    created_at: iso(key.created_at),
    expires_at: iso(key.expires_at),
    last_used_at: iso(key.last_used_at),
    revoked_at: iso(key.revoked_at),
  }
}

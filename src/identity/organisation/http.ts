import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { actorOf } from '../access/actor.ts'
import { callerOf, type Gate, type ResourceGateOptions } from '../access/gate.ts'
import { invalidField, Problem } from '../errors.ts'
import { answerChange, type ChangeDependencies, etagOf, requireMatch, sendJson } from '../http/change.ts'
import { preferredType, sendCsv, toCsv } from '../http/csv.ts'
import { linkNext, type PageKey, readTimeCursor, timeCursor } from '../http/page.ts'
import { resourceValidator } from '../http/validate.ts'
import { type AuditAction, readAudit, recordAudit } from './audit.ts'
import { registerClientRoutes } from './client-routes.ts'
import { registerKeyRoutes } from './key-routes.ts'
import { registerMemberRoutes } from './member-routes.ts'
import { lockOrganisation } from './members.ts'
import {
  findOrganisation,
  type Organisation,
  organisationNameProblem,
  renameOrganisation,
} from './organisation/organisations.ts'
import type { Person } from './people.ts'
import {
  AUDIT_FIELDS,
  type AuditQuery,
  auditSchema,
  editOrganisationSchema,
  type OrganisationPatch,
  readOrganisationSchema,
} from './schema.ts'

export interface OrganisationDependencies extends ChangeDependencies {
  readonly baseUrl: string
  readonly gate: (options: ResourceGateOptions) => Gate
  /** Who is signed in, for accepting invitations; throws 401 when nobody is. Absent without OAuth. */
  readonly requireSession?: ((request: FastifyRequest) => Promise<{ readonly person: Person }>) | undefined
  /** Told after the commit, so that no node goes on by what it remembers. */
  readonly onKeysChanged: () => void
  readonly onClientChanged: (clientId: string) => Promise<void>
  readonly onPeopleChanged: () => Promise<void>
}

export function registerOrganisationRoutes(app: FastifyInstance, deps: OrganisationDependencies): void {
  const validatorCompiler = resourceValidator
  const reading = { validatorCompiler, onRequest: deps.gate({ scopes: ['organisation:read'] }) }
  const writing = { validatorCompiler, onRequest: deps.gate({ scopes: ['organisation:write'] }) }

  app.get('/v1/organisation', { ...reading, schema: readOrganisationSchema }, async (request, reply) => {
    const organisation = await ownOrganisation(deps, callerOf(request).organisationId)
    return sendJson(reply.header('etag', organisationEtag(organisation)), organisationView(organisation))
  })

  app.patch('/v1/organisation', { ...writing, schema: editOrganisationSchema }, async (request, reply) => {
    const { organisationId } = callerOf(request)
    const { name } = request.body as Static<typeof OrganisationPatch>
    const wrong = organisationNameProblem(name)
    if (wrong) throw invalidField('/name', `The name ${wrong}.`)
    return answerChange(request, reply, deps, organisationId, async (tx, nowMs) => {
      await lockOrganisation(tx, organisationId)
      const before = await findOrganisation(tx, organisationId)
      if (!before) throw new Problem('not_found', { detail: 'The organisation is gone.' })
      requireMatch(request, organisationEtag(before))
      const after = await renameOrganisation(tx, { id: organisationId, name, nowMs })
      await recordAudit(tx, {
        organisationId,
        actor: actorOf(request),
        action: 'organisation.update',
        targetId: organisationId,
        detail: { name: { from: before.name, to: after.name } },
        nowMs,
      })
      return { status: 200, body: organisationView(after), headers: { etag: organisationEtag(after) } }
    })
  })

  registerMemberRoutes(app, deps)
  registerKeyRoutes(app, deps)
  registerClientRoutes(app, deps)

  app.get('/v1/organisation/audit', { ...reading, schema: auditSchema }, (request, reply) =>
    answerAudit(request, reply, deps),
  )
}

async function ownOrganisation(deps: OrganisationDependencies, id: string): Promise<Organisation> {
  const organisation = await findOrganisation(deps.sql, id)
  if (!organisation) throw new Problem('not_found', { detail: 'The organisation is gone.' })
  return organisation
}

function organisationView({ id, name, state, created_at }: Organisation) {
  return { id, name, state, created_at: new Date(created_at).toISOString() }
}

const organisationEtag = ({ id, name }: Organisation) => etagOf([id, name])

async function answerAudit(request: FastifyRequest, reply: FastifyReply, deps: OrganisationDependencies) {
  const { organisationId } = callerOf(request)
  const { action, limit = 100, cursor } = request.query as Static<typeof AuditQuery>
  const key: PageKey = { organisationId, list: JSON.stringify(['audit', action]) }
  const { entries, next } = await readAudit(deps.sql, {
    organisationId,
    action: action as AuditAction | undefined,
    before: readTimeCursor(key, cursor),
    limit,
  })
  const nextCursor = timeCursor(key, next)
  linkNext(request, reply, deps.baseUrl, nextCursor)
  reply.header('vary', 'accept')
  const when = (timeMs: number) => new Date(timeMs).toISOString()
  if (preferredType(request, ['application/json', 'text/csv']) === 'text/csv') {
    const rows = entries.map((entry) => [
      entry.id,
      when(entry.created_at),
      entry.actor_kind,
      entry.actor_id,
      entry.actor_name,
      entry.action,
      entry.target_id,
      JSON.stringify(entry.detail),
      entry.ip,
      entry.request_id,
    ])
    return sendCsv(reply, `audit-${organisationId}.csv`, toCsv(AUDIT_FIELDS, rows))
  }
  const data = entries.map((entry) => ({
    id: entry.id,
    created_at: when(entry.created_at),
    actor: { kind: entry.actor_kind, id: entry.actor_id, name: entry.actor_name },
    action: entry.action,
    target_id: entry.target_id,
    detail: entry.detail,
    ip: entry.ip,
    request_id: entry.request_id,
  }))
  return sendJson(reply, { data, next_cursor: nextCursor })
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { actorOf } from '../access/actor.ts'
import { callerOf } from '../access/gate.ts'
import { requireGrantable } from '../access/rights.ts'
import type { Scope } from '../access/scopes.ts'
import type { SqlQueries } from '../db/sql.ts'
import { type FieldError, Problem } from '../errors.ts'
import { answerChange, etagOf, requireMatch, sendJson } from '../http/change.ts'
import { linkNext, type PageKey, readTimeCursor, timeCursor } from '../http/page.ts'
import { resourceValidator } from '../http/validate.ts'
import { recordAudit } from './audit.ts'
import {
  type Client,
  type ClientRequest,
  clientProblems,
  createClient,
  deleteClientIn,
  findClient,
  listClientPage,
  rotateClientSecret,
  updateClient,
} from './clients.ts'
import { lockOrganisation } from './members.ts'
import type { OrganisationDependencies } from './routes.ts'
import {
  type ClientBody,
  type ClientPatch,
  createClientSchema,
  deleteClientSchema,
  editClientSchema,
  listClientsSchema,
  type PageQuery,
  readClientSchema,
  rotateClientSchema,
} from './schema.ts'

const CLIENTS_MAX = 500

type WithClient = { Params: { client_id: string } }

export function registerClientRoutes(app: FastifyInstance, deps: OrganisationDependencies): void {
  const validatorCompiler = resourceValidator
  const production = deps.baseUrl.startsWith('https:')
  const reading = { validatorCompiler, onRequest: deps.gate({ scopes: ['organisation:read'] }) }
  const writing = {
    validatorCompiler,
    onRequest: deps.gate({ scopes: ['organisation:write'], roles: ['owner', 'admin', 'developer'] }),
  }

  app.get('/v1/organisation/clients', { ...reading, schema: listClientsSchema }, async (request, reply) => {
    const { organisationId } = callerOf(request)
    const { limit = 50, cursor } = request.query as Static<typeof PageQuery>
    const key: PageKey = { organisationId, list: 'clients' }
    const after = readTimeCursor(key, cursor) ?? { createdAtMs: -1, id: '' }
    const rows = await listClientPage(deps.sql, { organisationId, after, limit: limit + 1 })
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const next = timeCursor(
      key,
      rows.length > limit && last ? { createdAtMs: last.created_at, id: last.id } : undefined,
    )
    linkNext(request, reply, deps.baseUrl, next)
    return sendJson(reply, { data: page.map(clientView), next_cursor: next })
  })

  app.get<WithClient>(
    '/v1/organisation/clients/:client_id',
    { ...reading, schema: readClientSchema },
    async (request, reply) => {
      const client = await ownClient(deps.sql, request)
      return sendJson(reply.header('etag', clientEtag(client)), clientView(client))
    },
  )

  app.post('/v1/organisation/clients', { ...writing, schema: createClientSchema }, async (request, reply) => {
    const caller = callerOf(request)
    const { organisationId } = caller
    const body = request.body as Static<typeof ClientBody>
    const registration: ClientRequest = {
      kind: body.kind,
      name: body.name,
      scope: body.scopes.join(' '),
      redirectUris: body.redirect_uris ?? [],
      logoutUris: body.logout_uris ?? [],
      ...(body.jwks === undefined ? {} : { jwks: body.jwks }),
    }
    refuseWrong(registration, production)
    requireGrantable(caller, body.scopes as Scope[])
    return answerChange(request, reply, deps, organisationId, async (tx, nowMs) => {
      await lockOrganisation(tx, organisationId)
      const count = await tx.query<{ count: number }>(
        'select count(*) as count from oauth_client where organisation_id = $1',
        [organisationId],
      )
      if ((count[0]?.count ?? 0) >= CLIENTS_MAX) {
        throw new Problem('conflict', { detail: `There are ${CLIENTS_MAX} applications. Delete some first.` })
      }
      const { client, secret } = await createClient(tx, { organisationId, request: registration, nowMs })
      await recordAudit(tx, {
        organisationId,
        actor: actorOf(request),
        action: 'client.create',
        targetId: client.id,
        detail: { kind: client.kind, ...editable(client) },
        nowMs,
      })
      return { status: 201, body: { ...clientView(client), client_secret: secret ?? null } }
    })
  })

  app.patch<WithClient>(
    '/v1/organisation/clients/:client_id',
    { ...writing, schema: editClientSchema },
    async (request, reply) => {
      const caller = callerOf(request)
      const { organisationId } = caller
      const patch = request.body as Static<typeof ClientPatch>
      if (patch.scopes) requireGrantable(caller, patch.scopes as Scope[])
      return answerChange(
        request,
        reply,
        deps,
        organisationId,
        async (tx, nowMs) => {
          await lockOrganisation(tx, organisationId)
          const before = await ownClient(tx, request)
          requireMatch(request, clientEtag(before))
          const wanted = {
            name: patch.name ?? before.name,
            scopes: [...new Set(patch.scopes ?? before.scopes)],
            redirectUris: [...new Set(patch.redirect_uris ?? before.redirect_uris)],
            logoutUris: [...new Set(patch.logout_uris ?? before.logout_uris)],
            state: (patch.state ?? before.state) as Client['state'],
          }
          refuseWrong({ kind: before.kind, ...wanted, scope: wanted.scopes.join(' ') }, production)
          const after = await updateClient(tx, { id: before.id, ...wanted, nowMs })
          await recordAudit(tx, {
            organisationId,
            actor: actorOf(request),
            action: 'client.update',
            targetId: before.id,
            detail: { from: editable(before), to: editable(after) },
            nowMs,
          })
          return { status: 200, body: clientView(after), headers: { etag: clientEtag(after) } }
        },
        () => deps.onClientChanged(request.params.client_id),
      )
    },
  )

  app.post<WithClient>(
    '/v1/organisation/clients/:client_id/rotate-secret',
    { ...writing, schema: rotateClientSchema },
    async (request, reply) => {
      const caller = callerOf(request)
      const { organisationId } = caller
      return answerChange(
        request,
        reply,
        deps,
        organisationId,
        async (tx, nowMs) => {
          const before = await ownClient(tx, request)
          requireGrantable(caller, before.scopes)
          const rotated = await rotateClientSecret(tx, { id: before.id, nowMs })
          if (!rotated) throw new Problem('conflict', { detail: 'This application has no secret to replace.' })
          await recordAudit(tx, {
            organisationId,
            actor: actorOf(request),
            action: 'client.rotate_secret',
            targetId: before.id,
            nowMs,
          })
          return { status: 201, body: { ...clientView(rotated.client), client_secret: rotated.secret } }
        },
        () => deps.onClientChanged(request.params.client_id),
      )
    },
  )

  app.delete<WithClient>(
    '/v1/organisation/clients/:client_id',
    { ...writing, schema: deleteClientSchema },
    async (request, reply) => {
      const { organisationId } = callerOf(request)
      return answerChange(
        request,
        reply,
        deps,
        organisationId,
        async (tx, nowMs) => {
          const client = await ownClient(tx, request)
          await deleteClientIn(tx, client.id)
          await recordAudit(tx, {
            organisationId,
            actor: actorOf(request),
            action: 'client.delete',
            targetId: client.id,
            detail: { name: client.name },
            nowMs,
          })
          return { status: 204 }
        },
        () => deps.onClientChanged(request.params.client_id),
      )
    },
  )
}

async function ownClient(sql: SqlQueries, request: FastifyRequest): Promise<Client> {
  const { client_id: id } = request.params as WithClient['Params']
  const client = await findClient(sql, id)
  if (client && client.organisation_id === callerOf(request).organisationId) return client
  throw new Problem('not_found', { detail: 'There is no such application.' })
}

/** The registration's own sentences, each with the place it is about. */
function refuseWrong(registration: ClientRequest, production: boolean): void {
  const errors: FieldError[] = clientProblems(registration, { production }).map((sentence) => {
    const [field = '', ...words] = sentence.split(': ')
    return { pointer: `/${POINTERS[field] ?? field}`, code: 'invalid', detail: `${words.join(': ')}.` }
  })
  const first = errors[0]
  if (first) throw new Problem('validation_failed', { detail: `${first.pointer.slice(1)}: ${first.detail}`, errors })
}

const POINTERS: Readonly<Record<string, string>> = { scope: 'scopes', 'redirect-uri': 'redirect_uris' }

function editable(client: Client) {
  const { name, scopes, redirect_uris, logout_uris, state } = client
  return { name, scopes, redirect_uris, logout_uris, state }
}

const clientEtag = (client: Client) => etagOf([client.id, editable(client)])

function clientView(client: Client) {
  return {
    id: client.id,
    kind: client.kind,
    ...editable(client),
    authentication: client.authentication,
    created_at: new Date(client.created_at).toISOString(),
    updated_at: new Date(client.updated_at).toISOString(),
  }
}

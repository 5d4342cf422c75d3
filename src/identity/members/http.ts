import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { actorOf } from '../access/actor.ts'
import { callerOf } from '../access/gate.ts'
import { ROLE_NAMES, type Role } from '../access/roles.ts'
import { type SqlQueries, type SqlTransaction, UniqueViolation } from '../db/sql.ts'
import { invalidField, Problem } from '../errors.ts'
import { answerChange, etagOf, requireMatch, sendJson } from '../http/change.ts'
import { linkNext, type PageKey, readTimeCursor, timeCursor } from '../http/page.ts'
import { resourceValidator } from '../http/validate.ts'
import { DAY_MS, MINUTE_MS } from '../lib/clock.ts'
import { type AuditActor, recordAudit } from './audit.ts'
import {
  createInvitation,
  findOpenInvitation,
  type Invitation,
  listInvitations,
  revokeInvitation,
  useInvitation,
} from './invites.ts'
import { findMember, listMembers, lockOrganisation, type Member, refuseLastOwner, requireOwner } from './members.ts'
import { organisationNameProblem } from './organisation/organisations.ts'
import { hashPassword } from './passwords.ts'
import {
  createPerson,
  normaliseSignInEmail,
  type Person,
  removeMembership,
  setMembership,
  signInEmailProblem,
} from './people.ts'
import { addressKey, takeAttempt } from './people-throttle.ts'
import type { OrganisationDependencies } from './routes.ts'
import {
  acceptInvitationSchema,
  createInvitationSchema,
  editMemberSchema,
  type InvitationAcceptBody,
  type InvitationBody,
  type InvitationLookupBody,
  listInvitationsSchema,
  listMembersSchema,
  lookUpInvitationSchema,
  type MemberPatch,
  type PageQuery,
  readMemberSchema,
  removeMemberSchema,
  revokeInvitationSchema,
} from './schema.ts'

const DEFAULT_DAYS = 7
const PER_ADDRESS = { attemptsMax: 60, windowMs: 15 * MINUTE_MS }

type WithMember = { Params: { member_id: string } }

export function registerMemberRoutes(app: FastifyInstance, deps: OrganisationDependencies): void {
  const validatorCompiler = resourceValidator
  const reading = { validatorCompiler, onRequest: deps.gate({ scopes: ['organisation:read'] }) }
  const writing = { validatorCompiler, onRequest: deps.gate({ scopes: ['organisation:write'] }) }
  // Whoever is signed in may leave; removing others is checked where it is known who is removed.
  const leaving = { validatorCompiler, onRequest: deps.gate({ scopes: ['organisation:write'], roles: ROLE_NAMES }) }

  app.get('/v1/organisation/members', { ...reading, schema: listMembersSchema }, async (request, reply) => {
    const { organisationId } = callerOf(request)
    const { limit = 50, cursor } = request.query as Static<typeof PageQuery>
    const key: PageKey = { organisationId, list: 'members' }
    const page = await listMembers(deps.sql, { organisationId, after: readTimeCursor(key, cursor), limit })
    const next = timeCursor(key, page.next)
    linkNext(request, reply, deps.baseUrl, next)
    return sendJson(reply, { data: page.members.map(memberView), next_cursor: next })
  })

  app.get<WithMember>(
    '/v1/organisation/members/:member_id',
    { ...reading, schema: readMemberSchema },
    async (request, reply) => {
      const member = await ownMember(deps.sql, request)
      return sendJson(reply.header('etag', memberEtag(member)), memberView(member))
    },
  )

  app.patch<WithMember>(
    '/v1/organisation/members/:member_id',
    { ...writing, schema: editMemberSchema },
    async (request, reply) => {
      const caller = callerOf(request)
      const { organisationId } = caller
      const role = (request.body as Static<typeof MemberPatch>).role as Role
      return answerChange(
        request,
        reply,
        deps,
        organisationId,
        async (tx, nowMs) => {
          await lockOrganisation(tx, organisationId)
          const before = await ownMember(tx, request)
          requireMatch(request, memberEtag(before))
          requireOwner(caller, [before.role, role])
          if (role !== 'owner') await refuseLastOwner(tx, organisationId, before)
          await setMembership(tx, { personId: before.id, organisationId, role, nowMs })
          await recordAudit(tx, {
            organisationId,
            actor: actorOf(request),
            action: 'member.update',
            targetId: before.id,
            detail: { role: { from: before.role, to: role } },
            nowMs,
          })
          const after = { ...before, role }
          return { status: 200, body: memberView(after), headers: { etag: memberEtag(after) } }
        },
        () => deps.onPeopleChanged(),
      )
    },
  )

  app.delete<WithMember>(
    '/v1/organisation/members/:member_id',
    { ...leaving, schema: removeMemberSchema },
    async (request, reply) => {
      const caller = callerOf(request)
      const { organisationId } = caller
      return answerChange(
        request,
        reply,
        deps,
        organisationId,
        async (tx, nowMs) => {
          await lockOrganisation(tx, organisationId)
          const own = caller.userId === request.params.member_id && caller.method === 'session'
          if (!own && !caller.scopes.has('organisation:write')) {
            throw new Problem('forbidden', { detail: 'Your role lets you leave, not remove others.' })
          }
          const member = await ownMember(tx, request)
          if (!own) requireOwner(caller, [member.role])
          await refuseLastOwner(tx, organisationId, member)
          await removeMembership(tx, { personId: member.id, organisationId })
          await recordAudit(tx, {
            organisationId,
            actor: actorOf(request),
            action: 'member.remove',
            targetId: member.id,
            detail: { name: member.name, role: member.role },
            nowMs,
          })
          return { status: 204 }
        },
        () => deps.onPeopleChanged(),
      )
    },
  )

  app.get('/v1/organisation/invitations', { ...reading, schema: listInvitationsSchema }, async (request, reply) => {
    const { organisationId } = callerOf(request)
    const { limit = 50, cursor } = request.query as Static<typeof PageQuery>
    const key: PageKey = { organisationId, list: 'invitations' }
    const page = await listInvitations(deps.sql, { organisationId, after: readTimeCursor(key, cursor), limit })
    const next = timeCursor(key, page.next)
    linkNext(request, reply, deps.baseUrl, next)
    const nowMs = deps.clock.now()
    return sendJson(reply, { data: page.invitations.map((one) => invitationView(one, nowMs)), next_cursor: next })
  })

  app.post('/v1/organisation/invitations', { ...writing, schema: createInvitationSchema }, async (request, reply) => {
    const caller = callerOf(request)
    const { organisationId } = caller
    const body = request.body as Static<typeof InvitationBody>
    const role = body.role as Role
    requireOwner(caller, [role])
    if (body.email !== undefined) checkEmail(body.email)
    return answerChange(request, reply, deps, organisationId, async (tx, nowMs) => {
      await lockOrganisation(tx, organisationId)
      const { invitation, secret } = await createInvitation(tx, {
        organisationId,
        role,
        email: body.email ?? null,
        nowMs,
        expiresAtMs: nowMs + (body.expires_in_days ?? DEFAULT_DAYS) * DAY_MS,
      })
      await recordAudit(tx, {
        organisationId,
        actor: actorOf(request),
        action: 'invitation.create',
        targetId: invitation.id,
        detail: { role },
        nowMs,
      })
      // Behind #, so that the secret stands in no server's log.
      const link = `${deps.baseUrl}/invitation#${secret}`
      return { status: 201, body: { ...invitationView(invitation, nowMs), link } }
    })
  })

  app.delete<{ Params: { invitation_id: string } }>(
    '/v1/organisation/invitations/:invitation_id',
    { ...writing, schema: revokeInvitationSchema },
    async (request, reply) => {
      const { organisationId } = callerOf(request)
      return answerChange(request, reply, deps, organisationId, async (tx, nowMs) => {
        const revoked = await revokeInvitation(tx, { organisationId, id: request.params.invitation_id, nowMs })
        if (!revoked) throw new Problem('not_found', { detail: 'There is no such open invitation.' })
        await recordAudit(tx, {
          organisationId,
          actor: actorOf(request),
          action: 'invitation.revoke',
          targetId: revoked.id,
          nowMs,
        })
        return { status: 204 }
      })
    },
  )

  app.post('/v1/invitations/lookup', { validatorCompiler, schema: lookUpInvitationSchema }, async (request, reply) => {
    const { token } = request.body as Static<typeof InvitationLookupBody>
    await refuseGuessing(deps, request)
    const found = await findOpenInvitation(deps.sql, token, deps.clock.now())
    return sendJson(reply.header('cache-control', 'no-store'), {
      organisation_name: found.organisation_name,
      role: found.role,
      email_bound: found.email !== null,
      expires_at: new Date(found.expires_at).toISOString(),
    })
  })

  app.post('/v1/invitations/accept', { validatorCompiler, schema: acceptInvitationSchema }, (request, reply) =>
    acceptInvitation(request, reply, deps),
  )
}

async function acceptInvitation(request: FastifyRequest, reply: FastifyReply, deps: OrganisationDependencies) {
  const body = request.body as Static<typeof InvitationAcceptBody>
  await refuseGuessing(deps, request)
  // Looked at first, so that a bad link costs no password hash.
  const seen = await findOpenInvitation(deps.sql, body.token, deps.clock.now())
  const signedIn =
    body.password === undefined && request.headers.cookie !== undefined
      ? await deps.requireSession?.(request)
      : undefined
  const newcomer = signedIn ? undefined : await readNewcomer(body)
  const joined = await deps.sql
    .transaction(async (tx) => {
      const nowMs = deps.clock.now()
      await lockOrganisation(tx, seen.organisation_id)
      const invitation = await findOpenInvitation(tx, body.token, nowMs)
      const person = signedIn?.person ?? (await createPerson(tx, { ...newcomer!, emailVerified: false, nowMs }))
      await join(
        tx,
        invitation,
        person,
        { kind: 'person', id: person.id, ip: request.ip, requestId: request.id },
        nowMs,
      )
      return {
        organisation: { id: invitation.organisation_id, name: invitation.organisation_name },
        role: invitation.role,
      }
    })
    .catch((error: unknown) => {
      if (!(error instanceof UniqueViolation)) throw error
      throw new Problem('conflict', {
        detail: 'There is an account with this email address. Sign in, then open the link again.',
      })
    })
  await deps.onPeopleChanged()
  return sendJson(reply.header('cache-control', 'no-store'), joined)
}

async function join(
  tx: SqlTransaction,
  invitation: Invitation,
  person: Person,
  actor: AuditActor,
  nowMs: number,
): Promise<void> {
  const { organisation_id: organisationId, role } = invitation
  if (invitation.email !== null && invitation.email !== normaliseSignInEmail(person.email)) {
    throw new Problem('forbidden', { detail: 'This invitation is for another email address.' })
  }
  if (await findMember(tx, { organisationId, personId: person.id })) {
    throw new Problem('conflict', { detail: 'You are a member already.' })
  }
  await useInvitation(tx, { id: invitation.id, personId: person.id, nowMs })
  await setMembership(tx, { personId: person.id, organisationId, role, nowMs })
  await recordAudit(tx, {
    organisationId,
    actor,
    action: 'member.join',
    targetId: person.id,
    detail: { role, invitation_id: invitation.id },
    nowMs,
  })
}

async function readNewcomer(body: Static<typeof InvitationAcceptBody>) {
  for (const field of ['email', 'name', 'password'] as const) {
    if (body[field] === undefined) {
      throw invalidField(`/${field}`, `Sign in first, or give email, name and password: ${field} is missing.`)
    }
  }
  checkEmail(body.email!)
  const wrong = organisationNameProblem(body.name!)
  if (wrong) throw invalidField('/name', `The name ${wrong}.`)
  return { email: body.email!, name: body.name!, passwordHash: await hashPassword(body.password!) }
}

function checkEmail(email: string): void {
  const wrong = signInEmailProblem(email)
  if (wrong) throw invalidField('/email', `The address ${wrong}.`)
}

async function refuseGuessing(deps: OrganisationDependencies, request: FastifyRequest): Promise<void> {
  const { waitMs } = await takeAttempt(deps.sql, `invitation ${addressKey(request.ip)}`, PER_ADDRESS, deps.clock.now())
  if (waitMs === 0) return
  const seconds = Math.ceil(waitMs / 1000)
  throw new Problem('rate_limited', {
    detail: `Too many attempts from here. Wait ${seconds} s.`,
    headers: { 'retry-after': String(seconds) },
  })
}

async function ownMember(sql: SqlQueries, request: FastifyRequest): Promise<Member> {
  const { member_id: personId } = request.params as WithMember['Params']
  const member = await findMember(sql, { organisationId: callerOf(request).organisationId, personId })
  if (!member) throw new Problem('not_found', { detail: 'There is no such member.' })
  return member
}

const memberEtag = (member: Member) => etagOf([member.id, member.role])

function memberView(member: Member) {
  const { id, name, email, role, state } = member
  return { id, name, email, role, state, joined_at: new Date(member.created_at).toISOString() }
}

function invitationView(invitation: Invitation, nowMs: number) {
  const { id, role, email, accepted_by } = invitation
  const iso = (timeMs: number | null) => (timeMs === null ? null : new Date(timeMs).toISOString())
  const state =
    invitation.accepted_at !== null
      ? 'accepted'
      : invitation.revoked_at !== null
        ? 'revoked'
        : invitation.expires_at <= nowMs
          ? 'expired'
          : 'open'
  return {
    id,
    role,
    email,
    state,
    created_at: iso(invitation.created_at),
    expires_at: iso(invitation.expires_at),
    accepted_at: iso(invitation.accepted_at),
    accepted_by,
  }
}

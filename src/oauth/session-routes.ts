import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { PROOF_MS } from '../access/rights.ts'
import { ROLES, type Role } from '../access/roles.ts'
import type { Sql } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { type OwnOrganisation, organisationsOf } from '../identity/members/members.ts'
import { factorsOf, waysOf } from '../identity/people/factors/factors.ts'
import { isOperator } from '../identity/people/operators.ts'
import { type FoundSession, isTwoFactor } from '../identity/people/sessions.ts'
import type { Clock } from '../lib/clock.ts'
import { requireCsrf } from './csrf.ts'
import type { Sealer } from './seal.ts'
import { isSecondStep, type PresentSession, type SignInDesk } from './sign-in-desk.ts'

/** The console's own sessions: signing in, who is signed in, signing out. */
export interface SessionDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly sealer: Sealer
  readonly desk: SignInDesk
  readonly baseUrl: string
}

export interface SignedIn extends FoundSession {
  /** Whether they proved lately who they are. */
  readonly proved: boolean
  readonly organisations: readonly OwnOrganisation[]
  readonly csrf: string
}

export interface Sessions {
  /** Who is signed in. For anything but reading, the request must carry the page's token; throws 401 or 403. */
  requireSession(request: FastifyRequest): Promise<SignedIn>
  /** As a caller of one organisation, with the scopes of the role held there; 404 for an organisation not one's own. */
  sessionCaller(request: FastifyRequest, organisationId: string): Promise<Caller & { readonly role: Role }>
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

export function registerSessions(app: FastifyInstance, deps: SessionDependencies): Sessions {
  const { sql, sealer, desk } = deps
  const csrfSubject = (token: string) => `session ${token}`

  async function find(request: FastifyRequest): Promise<(SignedIn & { token: string }) | undefined> {
    const found = await desk.present(request.headers.cookie)
    return found && about(found)
  }

  async function about(found: PresentSession): Promise<SignedIn & { token: string }> {
    const organisations = await organisationsOf(sql, found.person.id)
    const proved = found.provedAtMs > deps.clock.now() - PROOF_MS
    return { ...found, organisations, proved, csrf: sealer.tag(csrfSubject(found.token)) }
  }

  async function require(request: FastifyRequest): Promise<SignedIn & { token: string }> {
    const signedIn = await find(request)
    if (!signedIn) throw new Problem('session_missing', { detail: 'Sign in first.' })
    if (!READING.has(request.method)) await requireCsrf(request, sealer, csrfSubject(signedIn.token))
    return signedIn
  }

  async function answer(reply: FastifyReply, signedIn: SignedIn) {
    const { person, organisations, csrf } = signedIn
    const operator = await isOperator(sql, person.id)
    const ways = waysOf(await factorsOf(sql, person.id))
    return reply.header('cache-control', 'no-store').send({
      user: { id: person.id, email: person.email, name: person.name },
      organisations: organisations.map(({ id, name: title, role, state, requires_second_factor }) => ({
        id,
        name: title,
        role,
        state,
        requires_second_factor,
      })),
      operator,
      second_factor: { ways, given: isTwoFactor(signedIn) },
      csrf,
    })
  }

  app.post('/api/session', { schema: { hide: true } as object }, async (request, reply) => {
    refuseCrossSite(request, deps.baseUrl)
    const signedIn = await desk.signIn(request, reply)
    if (isSecondStep(signedIn)) return reply.header('cache-control', 'no-store').send(signedIn)
    return answer(reply, await about(signedIn))
  })

  app.post('/api/session/second-factor', { schema: { hide: true } as object }, async (request, reply) => {
    refuseCrossSite(request, deps.baseUrl)
    return answer(reply, await about(await desk.finishSignIn(request, reply)))
  })

  app.post('/api/session/passkey/begin', { schema: { hide: true } as object }, async (request, reply) => {
    refuseCrossSite(request, deps.baseUrl)
    return reply.header('cache-control', 'no-store').send(await desk.beginPasskey(request, reply))
  })

  app.post('/api/session/passkey', { schema: { hide: true } as object }, async (request, reply) => {
    refuseCrossSite(request, deps.baseUrl)
    return answer(reply, await about(await desk.signInWithPasskey(request, reply)))
  })

  app.get('/api/session', { schema: { hide: true } as object }, async (request, reply) =>
    answer(reply, await require(request)),
  )

  app.delete('/api/session', { schema: { hide: true } as object }, async (request, reply) => {
    await require(request)
    await desk.signOut(request.headers.cookie)
    return reply.header('set-cookie', desk.cookieGone).code(204).send()
  })

  return {
    requireSession: require,
    async sessionCaller(request, organisationId) {
      const signedIn = await require(request)
      const { person, organisations, expiresAtMs, proved } = signedIn
      const membership = organisations.find(({ id }) => id === organisationId)
      if (!membership) throw new Problem('not_found', { detail: 'There is no such organisation.' })
      requireSecondFactor(membership, signedIn)
      return {
        organisationId,
        credentialId: person.id,
        method: 'session',
        scopes: new Set(ROLES[membership.role].scopes),
        state: membership.state,
        stateReason: membership.state_reason,
        expiresAtMs,
        userId: person.id,
        role: membership.role,
        proved,
      }
    },
  }
}

/** Where an organisation requires a second factor, nothing is done in it without one. */
export function requireSecondFactor(
  organisation: Pick<OwnOrganisation, 'name' | 'requires_second_factor'>,
  session: Pick<FoundSession, 'amr'>,
): void {
  if (!organisation.requires_second_factor || isTwoFactor(session)) return
  throw new Problem('second_factor_needed', {
    detail: `${organisation.name} requires a second factor. Add a passkey or one-time codes on your account page, or confirm with the one you have.`,
  })
}

/** Signing in has no earlier page to take a token from: a browser says where a request comes from. */
function refuseCrossSite(request: FastifyRequest, baseUrl: string): void {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const foreign = origin !== undefined && origin !== new URL(baseUrl).origin
  if (foreign && site !== 'same-origin') {
    throw new Problem('forbidden', { detail: 'Sign in from the pages of this server.' })
  }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { ROLES, type Role } from '../access/roles.ts'
import type { Sql } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { type OwnOrganisation, organisationsOf } from '../identity/members/members.ts'
import { isOperator } from '../identity/people/operators.ts'
import type { FoundSession } from '../identity/people/sessions.ts'
import { requireCsrf } from './csrf.ts'
import type { Sealer } from './seal.ts'
import type { SignInDesk } from './sign-in-desk.ts'

/** The console's own sessions: signing in, who is signed in, signing out. */
export interface SessionDependencies {
  readonly sql: Sql
  readonly sealer: Sealer
  readonly desk: SignInDesk
  readonly baseUrl: string
}

export interface SignedIn extends FoundSession {
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
    if (!found) return undefined
    const organisations = await organisationsOf(sql, found.person.id)
    return { ...found, organisations, csrf: sealer.tag(csrfSubject(found.token)) }
  }

  async function require(request: FastifyRequest): Promise<SignedIn & { token: string }> {
    const signedIn = await find(request)
    if (!signedIn) throw new Problem('session_missing', { detail: 'Sign in first.' })
    if (!READING.has(request.method)) await requireCsrf(request, sealer, csrfSubject(signedIn.token))
    return signedIn
  }

  async function answer(
    reply: FastifyReply,
    { person, organisations, csrf }: Pick<SignedIn, 'person' | 'organisations' | 'csrf'>,
  ) {
    const operator = await isOperator(sql, person.id)
    return reply.header('cache-control', 'no-store').send({
      user: { id: person.id, email: person.email, name: person.name },
      organisations: organisations.map(({ id, name: title, role, state }) => ({ id, name: title, role, state })),
      operator,
      csrf,
    })
  }

  app.post('/api/session', { schema: { hide: true } as object }, async (request, reply) => {
    refuseCrossSite(request, deps.baseUrl)
    const { person, token } = await desk.signIn(request, reply)
    const organisations = await organisationsOf(sql, person.id)
    return answer(reply, { person, organisations, csrf: sealer.tag(csrfSubject(token)) })
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
      const { person, organisations, expiresAtMs } = await require(request)
      const membership = organisations.find(({ id }) => id === organisationId)
      if (!membership) throw new Problem('not_found', { detail: 'There is no such organisation.' })
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
      }
    },
  }
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

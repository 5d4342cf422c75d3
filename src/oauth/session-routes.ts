import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { ROLES, type Role } from '../access/roles.ts'
import { changeIn, type Sql } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { type OwnOrganisation, organisationsOf } from '../identity/members/members.ts'
import { isOperator } from '../identity/people/operators.ts'
import type { Person } from '../identity/people/people.ts'
import { closeSession, findSession, openSession } from '../identity/people/sessions.ts'
import type { SignInFunction } from '../identity/people/sign-in.ts'
import type { Clock } from '../lib/clock.ts'
import { readCookie, writeCookie } from './cookies.ts'
import { requireCsrf, textField } from './csrf.ts'
import type { Sealer } from './seal.ts'

/** The console's own sessions: signing in, who is signed in, signing out. */
export interface SessionDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly sealer: Sealer
  readonly signIn: SignInFunction
  readonly baseUrl: string
  readonly sessionSeconds: number
}

export interface SignedIn {
  readonly person: Person
  readonly organisations: readonly OwnOrganisation[]
  readonly csrf: string
  readonly expiresAtMs: number
}

export interface Sessions {
  /** Who is signed in. For anything but reading, the request must carry the page's token; throws 401 or 403. */
  requireSession(request: FastifyRequest): Promise<SignedIn>
  /** As a caller of one organisation, with the scopes of the role held there; 404 for an organisation not one's own. */
  sessionCaller(request: FastifyRequest, organisationId: string): Promise<Caller & { readonly role: Role }>
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

export function registerSessions(app: FastifyInstance, deps: SessionDependencies): Sessions {
  const { sql, clock, sealer } = deps
  const secure = deps.baseUrl.startsWith('https:')
  const path = new URL(deps.baseUrl).pathname.replace(/\/$/, '') || '/'
  // The prefix makes browsers refuse such a cookie from another host or without TLS; it demands the path "/".
  const name = secure && path === '/' ? '__Host-assay_session' : 'assay_session'
  const csrfSubject = (token: string) => `session ${token}`

  async function find(request: FastifyRequest): Promise<(SignedIn & { token: string }) | undefined> {
    const token = readCookie(request.headers.cookie, name)
    const found = token === undefined ? undefined : await findSession(sql, token, clock.now())
    if (token === undefined || !found) return undefined
    return {
      token,
      person: found.person,
      organisations: await organisationsOf(sql, found.person.id),
      csrf: sealer.tag(csrfSubject(token)),
      expiresAtMs: found.expiresAtMs,
    }
  }

  async function require(request: FastifyRequest): Promise<SignedIn & { token: string }> {
    const signedIn = await find(request)
    if (!signedIn) throw new Problem('session_missing', { detail: 'Sign in first.' })
    if (!READING.has(request.method)) await requireCsrf(request, sealer, csrfSubject(signedIn.token))
    return signedIn
  }

  async function answer(reply: FastifyReply, { person, organisations, csrf }: Omit<SignedIn, 'expiresAtMs'>) {
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
    const email = textField(request.body, 'email', 254)
    const password = textField(request.body, 'password', 1024)
    const signedIn = await deps.signIn({ email, password, ip: request.ip })
    const { person } = signedIn
    const session = await changeIn(sql, clock, (tx) => openSession(tx, signedIn, deps.sessionSeconds * 1000))
    const old = readCookie(request.headers.cookie, name)
    if (old !== undefined) await closeSession(sql, old)
    reply.header('set-cookie', writeCookie(name, session.token, { path, secure, maxAgeSeconds: deps.sessionSeconds }))
    const organisations = await organisationsOf(sql, person.id)
    return answer(reply, { person, organisations, csrf: sealer.tag(csrfSubject(session.token)) })
  })

  app.get('/api/session', { schema: { hide: true } as object }, async (request, reply) =>
    answer(reply, await require(request)),
  )

  app.delete('/api/session', { schema: { hide: true } as object }, async (request, reply) => {
    const { token } = await require(request)
    await closeSession(sql, token)
    return reply
      .header('set-cookie', writeCookie(name, '', { path, secure, maxAgeSeconds: 0 }))
      .code(204)
      .send()
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn } from '../../access/session.ts'
import type { Sql } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { factorsOf, waysOf } from '../people/factors/factors.ts'
import { TICKET_LENGTH_MAX } from '../people/factors/tickets.ts'
import { isOperator } from '../people/operators.ts'
import { isTwoFactor } from '../people/sessions.ts'
import { fieldOf, proofIn, textField } from './fields.ts'
import type { Sessions } from './sessions.ts'
import { isSecondStep } from './sign-in-service.ts'

/** The console's own sessions: signing in, who is signed in, signing out. */
export interface SessionDependencies {
  readonly sql: Sql
  readonly sessions: Sessions
  readonly baseUrl: string
}

export function registerSessions(app: FastifyInstance, deps: SessionDependencies): void {
  const { sql, sessions } = deps

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
    const email = textField(request.body, 'email', 254)
    const password = textField(request.body, 'password', 1024)
    const signedIn = await sessions.signIn(request, reply, { email, password })
    if (isSecondStep(signedIn)) return reply.header('cache-control', 'no-store').send(signedIn)
    return answer(reply, await sessions.describe(signedIn))
  })

  app.post('/api/session/second-factor', { schema: { hide: true } as object }, async (request, reply) => {
    refuseCrossSite(request, deps.baseUrl)
    const ticket = textField(request.body, 'ticket', TICKET_LENGTH_MAX)
    const signedIn = await sessions.finishSignIn(request, reply, { ticket, ...proofIn(request.body) })
    return answer(reply, await sessions.describe(signedIn))
  })

  app.post('/api/session/passkey/begin', { schema: { hide: true } as object }, async (request, reply) => {
    refuseCrossSite(request, deps.baseUrl)
    return reply.header('cache-control', 'no-store').send(await sessions.beginPasskey(request, reply))
  })

  app.post('/api/session/passkey', { schema: { hide: true } as object }, async (request, reply) => {
    refuseCrossSite(request, deps.baseUrl)
    const ticket = textField(request.body, 'ticket', TICKET_LENGTH_MAX)
    const passkey = fieldOf(request.body, 'passkey')
    return answer(reply, await sessions.describe(await sessions.signInWithPasskey(request, reply, { ticket, passkey })))
  })

  app.get('/api/session', { schema: { hide: true } as object }, async (request, reply) =>
    answer(reply, await sessions.requireSession(request)),
  )

  app.delete('/api/session', { schema: { hide: true } as object }, async (request, reply) => {
    await sessions.requireSession(request)
    await sessions.signOut(request.headers.cookie)
    return reply.header('set-cookie', sessions.cookieGone).code(204).send()
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

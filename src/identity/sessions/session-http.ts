import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ORGANISATION_STATES } from '../../access/organisation-state.ts'
import { isTwoFactor, type SignedIn } from '../../access/session.ts'
import type { Sql } from '../../db/sql.ts'
import { forbidden } from '../../errors.ts'
import { oneOf } from '../../http/operation.ts'
import { flags, type PageOperation, pageOperation, Text, texts } from '../../http/page-operation.ts'
import { shown } from '../../lib/clock.ts'
import { RoleSchema } from '../members/http.ts'
import { isOperator } from '../people/changes.ts'
import { factorsOf, WAYS, waysOf } from '../people/factors/factors.ts'
import { TICKET_LENGTH_MAX } from '../people/factors/tickets.ts'
import type { Sessions } from './sessions.ts'
import { isSecondStep } from './sign-in-service.ts'

/** The console's own sessions: sign-in, the signed-in person, sign-out. */
export interface SessionDependencies {
  readonly sql: Sql
  readonly sessions: Sessions
  readonly baseUrl: string
}

export const CredentialsSchema = Type.Object({ email: Text(254), password: Text(1024) }, { $id: 'Credentials' })
export const Ticket = Text(TICKET_LENGTH_MAX)
const CODE_LENGTH_MAX = 100
export const ProofFields = {
  passkey: Type.Optional(Type.Unknown()),
  code: Type.Optional(Text(CODE_LENGTH_MAX)),
  recovery_code: Type.Optional(Text(CODE_LENGTH_MAX)),
}

const WaySchema = oneOf(WAYS, { $id: 'Way' })
export const PasskeyAsked = Type.Object({
  ...texts('ticket'),
  passkey: Type.Unknown({ description: 'Options for the passkey request of the browser.' }),
})
export const ProofAsked = Type.Object({ ways: Type.Array(WaySchema), ...PasskeyAsked.properties })
export const SecondStepSchema = Type.Object(
  { second_factor: ProofAsked },
  { $id: 'SecondStep', description: 'The password was right; a second factor is still needed.' },
)

const SessionSchema = Type.Object(
  {
    user: Type.Object(texts('id', 'email', 'name')),
    organisations: Type.Array(
      Type.Object(
        {
          ...texts('id', 'name', 'created_at'),
          role: RoleSchema,
          state: oneOf(ORGANISATION_STATES),
          requires_second_factor: Type.Boolean({ description: 'True if the organisation requires a second factor.' }),
        },
        { $id: 'Membership' },
      ),
    ),
    operator: Type.Boolean({ description: 'True for operators, who manage every organisation.' }),
    second_factor: Type.Object({ ways: Type.Array(WaySchema), ...flags('given') }),
    ...texts('csrf'),
  },
  { $id: 'Session', description: 'The person signed in to the console.' },
)

export function sessionPages({ sql, sessions, baseUrl }: SessionDependencies): PageOperation[] {
  const access = async (request: FastifyRequest) => refuseCrossSite(request, baseUrl)

  async function view(signedIn: SignedIn) {
    const { person, organisations, csrf } = signedIn
    return {
      user: shown(person, 'id', 'email', 'name'),
      organisations: organisations.map((one) =>
        shown(one, 'id', 'name', 'role', 'state', 'requires_second_factor', 'created_at'),
      ),
      operator: await isOperator(sql, person.id),
      second_factor: { ways: waysOf(await factorsOf(sql, person.id)), given: isTwoFactor(signedIn) },
      csrf,
    }
  }

  return [
    pageOperation({
      name: 'POST /api/session',
      access,
      body: CredentialsSchema,
      answer: Type.Union([SessionSchema, SecondStepSchema]),
      async handle({ request, reply, body }) {
        const session = await sessions.signIn(request, reply, body)
        return isSecondStep(session) ? session : view(await sessions.describe(session))
      },
    }),
    pageOperation({
      name: 'POST /api/session/second-factor',
      access,
      body: Type.Object({ ticket: Ticket, ...ProofFields }),
      answer: SessionSchema,
      handle: async ({ request, reply, body }) =>
        view(await sessions.describe(await sessions.finishSignIn(request, reply, body))),
    }),
    pageOperation({
      name: 'POST /api/session/passkey/begin',
      access,
      answer: PasskeyAsked,
      handle: ({ request, reply }) => sessions.beginPasskey(request, reply),
    }),
    pageOperation({
      name: 'POST /api/session/passkey',
      access,
      body: Type.Object({ ticket: Ticket, passkey: Type.Unknown() }),
      answer: SessionSchema,
      handle: async ({ request, reply, body }) =>
        view(await sessions.describe(await sessions.signInWithPasskey(request, reply, body))),
    }),
    pageOperation({
      name: 'GET /api/session',
      access: 'person',
      answer: SessionSchema,
      handle: ({ who }) => view(who),
    }),
    pageOperation({
      name: 'DELETE /api/session',
      access: 'person',
      async handle({ request, reply }) {
        await sessions.signOut(request.headers.cookie)
        reply.header('set-cookie', sessions.cookieGone)
      },
    }),
  ]
}

/** Sign-in has no earlier page to take a CSRF token from: check where the browser says the request comes from. */
function refuseCrossSite(request: FastifyRequest, baseUrl: string): void {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  const foreign = origin !== undefined && origin !== new URL(baseUrl).origin
  if (foreign && site !== 'same-origin') throw forbidden('Sign in from the pages of this server.')
}

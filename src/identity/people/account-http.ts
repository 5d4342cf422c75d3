import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import { changeIn, type Sql, type Tx } from '../../db/sql.ts'
import { invalidField, Problem } from '../../errors.ts'
import { sendJson } from '../../http/change.ts'
import { NewPassword } from '../../http/schema.ts'
import { resourceValidator } from '../../http/validate.ts'
import type { Afterwards } from '../../lib/afterwards.ts'
import type { Clock } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import type { PlaceOf } from '../../lib/place.ts'
import { iso } from '../../lib/time-text.ts'
import { deviceInWords } from '../../lib/user-agent.ts'
import { LIMITS } from '../../limits.ts'
import { removeMember } from '../members/members.ts'
import {
  askForReset,
  changePassword,
  endOtherSessions,
  endSession,
  listSessions,
  passwordHashOf,
  renamePerson,
  resetByLink,
  verifyByLink,
} from './account.ts'
import { type From, selfIn } from './audit-self.ts'
import { findLink, type LinkMaker, mailLink } from './links.ts'
import { checkedPassword } from './password-choice.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { checkedEmail, type Person } from './people.ts'
import { PER_ACCOUNT } from './sign-in.ts'
import { type ConfirmedSignUp, confirmSignUp, findSignUp } from './sign-ups.ts'
import { forgetAttempts, refuseWait, takeAttemptFrom, takeTry } from './throttle.ts'

/** What people do to their own account on the console's pages, and what the links in mails lead to. */
export interface AccountDependencies extends LinkMaker {
  readonly sql: Sql
  readonly clock: Clock
  readonly sendsMail?: boolean | undefined
  readonly placeOf?: PlaceOf | undefined
  readonly afterwards: Afterwards
  /** Throws when nobody is signed in, or a change lacks the page's token. */
  readonly requireSession: (request: FastifyRequest) => Promise<{ readonly person: Person; readonly id: string }>
  /** Lets the browser be known again; returns the digest by which. */
  readonly knowAgain: (request: FastifyRequest, reply: FastifyReply) => string
  /** Told in the transaction that gives a sign-up its owner. */
  readonly onSignUpConfirmed?: ((tx: Tx, confirmed: ConfirmedSignUp) => Promise<void>) | undefined
  /** Told after the commit, so that no node goes on by what it remembers. */
  readonly onPeopleChanged: () => Promise<void>
}

const closed = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false })
const Nothing = closed({})
const Token = Type.String({ minLength: 1, maxLength: 100 })
const TypedPassword = Type.String({ minLength: 1, maxLength: 1024 })
const WithToken = closed({ token: Token })

interface Route<Body extends TSchema> {
  readonly body: Body
  readonly handle: (request: FastifyRequest, reply: FastifyReply, body: Static<Body>) => Promise<unknown>
}

/** A page-only route; what its handler returns is the answer, nothing is 204. */
function route<Body extends TSchema>(
  app: FastifyInstance,
  method: HTTPMethods,
  url: string,
  { body, handle }: Route<Body>,
  onRequest?: (request: FastifyRequest) => Promise<void>,
): void {
  app.route({
    method,
    url,
    validatorCompiler: resourceValidator,
    schema: { hide: true, params: Type.Object({}), ...(method === 'POST' ? { body } : {}) } as object,
    // Before the body is read and judged: a stranger learns nothing by what is wrong with it.
    ...(onRequest ? { onRequest } : {}),
    async handler(request, reply) {
      reply.header('cache-control', 'no-store')
      const answer = await handle(request, reply, request.body as Static<Body>)
      return answer === undefined ? reply.code(204).send() : sendJson(reply, answer)
    },
  })
}

const fromOf = ({ ip, id }: FastifyRequest): From => ({ ip, requestId: id })

export function registerAccount(app: FastifyInstance, deps: AccountDependencies): void {
  registerOwnAccount(app, deps)
  registerSessionList(app, deps)
  registerLinks(app, deps)
}

function registerOwnAccount(app: FastifyInstance, deps: AccountDependencies): void {
  const { sql, clock, sendsMail = false } = deps
  const signedIn = async (request: FastifyRequest) => void (await deps.requireSession(request))

  route(app, 'GET', '/api/account', {
    body: Nothing,
    async handle(request) {
      const { person } = await deps.requireSession(request)
      const { id, email, email_verified, name } = person
      return { id, email, email_verified, name, sends_mail: sendsMail }
    },
  })

  route(
    app,
    'POST',
    '/api/account/name',
    {
      body: closed({ name: Type.String({ minLength: 1, maxLength: 200 }) }),
      async handle(request, _reply, { name }) {
        const { person } = await deps.requireSession(request)
        const renamed = await changeIn(sql, clock, (tx) => renamePerson(tx, person.id, name, fromOf(request)))
        return { name: renamed.name }
      },
    },
    signedIn,
  )

  route(
    app,
    'POST',
    '/api/account/password',
    {
      body: closed({ present: TypedPassword, password: NewPassword, disconnect: Type.Boolean() }),
      async handle(request, _reply, { present, password, disconnect }) {
        const { person, id: sessionId } = await deps.requireSession(request)
        checkedPassword(password, person)
        if (password === present) throw invalidField('/password', 'Choose another password than the present one.')
        const formerHash = await requirePassword(present, `password of session ${sessionId}`, () =>
          passwordHashOf(sql, person.id),
        )
        const passwordHash = await hashPassword(password)
        await changeIn(sql, clock, (tx) =>
          changePassword(
            tx,
            person.id,
            { passwordHash, formerHash, sessionId, endsGrants: disconnect },
            fromOf(request),
            sendsMail,
          ),
        )
        await deps.onPeopleChanged()
      },
    },
    signedIn,
  )

  /** The hash behind a password that was typed right; guesses have to wait as they do at sign-in. */
  async function requirePassword(
    typed: string,
    run: string,
    hashOf: () => Promise<string | undefined>,
  ): Promise<string> {
    const { waitMs } = await takeTry(sql, run, PER_ACCOUNT, clock.now())
    refuseWait(waitMs, 'The password was wrong too often.')
    const hash = await hashOf()
    if (
      hash === undefined ||
      !(await verifyPassword(typed.slice(0, LIMITS.requests.passwordCharactersMax + 1), hash))
    ) {
      throw invalidField('/present', 'The present password is another.')
    }
    await forgetAttempts(sql, run)
    return hash
  }

  route(
    app,
    'POST',
    '/api/account/verify',
    {
      body: Nothing,
      async handle(request) {
        const { person } = await deps.requireSession(request)
        if (!sendsMail) throw noMail('verify your address')
        if (!person.email_verified) await changeIn(sql, clock, (tx) => mailLink(tx, deps, person.id, 'verify'))
        return { sent_to: person.email }
      },
    },
    signedIn,
  )

  route(
    app,
    'POST',
    '/api/account/organisations/:organisation_id/leave',
    {
      body: Nothing,
      async handle(request) {
        const { person } = await deps.requireSession(request)
        const { organisation_id: organisationId } = request.params as { organisation_id: string }
        const actor = selfIn(person, fromOf(request))(organisationId)
        await changeIn(sql, clock, (tx) => removeMember(tx, actor, person.id))
        await deps.onPeopleChanged()
      },
    },
    signedIn,
  )
}

function registerSessionList(app: FastifyInstance, deps: AccountDependencies): void {
  const { sql, clock } = deps
  const signedIn = async (request: FastifyRequest) => void (await deps.requireSession(request))

  route(app, 'GET', '/api/account/sessions', {
    body: Nothing,
    async handle(request) {
      const { person, id: present } = await deps.requireSession(request)
      const sessions = await listSessions(sql, person.id, clock.now())
      return {
        data: sessions.map(({ id, ip, user_agent, created_at, seen_at }) => ({
          id,
          present: id === present,
          ip,
          place: ip === null ? null : (deps.placeOf?.(ip) ?? null),
          device: deviceInWords(user_agent),
          signed_in_at: iso(created_at),
          seen_at: iso(seen_at),
        })),
      }
    },
  })

  route(
    app,
    'POST',
    '/api/account/sessions/:session_id/end',
    {
      body: Nothing,
      async handle(request) {
        const { person, id: present } = await deps.requireSession(request)
        const { session_id: id } = request.params as { session_id: string }
        if (id === present) throw new Problem('conflict', { detail: 'This is the session you are using: sign out.' })
        await changeIn(sql, clock, (tx) => endSession(tx, person, id, fromOf(request)))
      },
    },
    signedIn,
  )

  route(
    app,
    'POST',
    '/api/account/end-other-sessions',
    {
      body: Nothing,
      async handle(request) {
        const { person, id } = await deps.requireSession(request)
        await changeIn(sql, clock, (tx) => endOtherSessions(tx, person, id, fromOf(request)))
      },
    },
    signedIn,
  )
}

function registerLinks(app: FastifyInstance, deps: AccountDependencies): void {
  const { sql, clock, sendsMail = false } = deps

  async function refuseGuessing(request: FastifyRequest): Promise<void> {
    const { waitMs } = await takeAttemptFrom(
      sql,
      'mailed link',
      request.ip,
      LIMITS.attempts.mailedLinkLooks,
      clock.now(),
    )
    refuseWait(waitMs, 'Too many links were tried from this address.')
  }

  route(app, 'GET', '/api/forgot-password', { body: Nothing, handle: async () => ({ sends_mail: sendsMail }) })

  route(app, 'POST', '/api/forgot-password', {
    body: closed({ email: Type.String({ minLength: 1, maxLength: 254 }) }),
    async handle(request, reply, { email }) {
      if (!sendsMail) throw noMail('choose a new password')
      const address = checkedEmail(email)
      const { waitMs } = await takeAttemptFrom(sql, 'forgot', request.ip, LIMITS.attempts.passwordResets, clock.now())
      refuseWait(waitMs, 'Too many asked for a new password from this address.')
      deps.afterwards.do(() => changeIn(sql, clock, (tx) => askForReset(tx, deps, address)))
      reply.code(202)
      return {}
    },
  })

  route(app, 'POST', '/api/reset-password/lookup', {
    body: WithToken,
    async handle(request, _reply, { token }) {
      await refuseGuessing(request)
      const { email } = await findLink(sql, { token, kind: 'reset' }, clock.now())
      return { email }
    },
  })

  route(app, 'POST', '/api/reset-password', {
    body: closed({ token: Token, password: NewPassword }),
    async handle(request, reply, { token, password }) {
      await refuseGuessing(request)
      // Looked at first, so that a bad link costs no password hash.
      const person = await findLink(sql, { token, kind: 'reset' }, clock.now())
      const passwordHash = await hashPassword(checkedPassword(password, person))
      const deviceDigest = deps.knowAgain(request, reply)
      await changeIn(sql, clock, (tx) =>
        resetByLink(tx, { token, passwordHash, deviceDigest }, fromOf(request), sendsMail),
      )
      await deps.onPeopleChanged()
      return { email: person.email }
    },
  })

  // A look alone changes nothing: programs that scan mail open every link.
  route(app, 'POST', '/api/verify-address/lookup', {
    body: WithToken,
    async handle(request, _reply, { token }) {
      await refuseGuessing(request)
      const { email } = await findLink(sql, { token, kind: 'verify' }, clock.now())
      return { email }
    },
  })

  route(app, 'POST', '/api/verify-address', {
    body: WithToken,
    async handle(request, _reply, { token }) {
      await refuseGuessing(request)
      const { person } = await deps.requireSession(request)
      const { email } = await changeIn(sql, clock, (tx) => verifyByLink(tx, person.id, token, fromOf(request)))
      return { email }
    },
  })

  route(app, 'POST', '/api/confirm-sign-up/lookup', {
    body: WithToken,
    async handle(request, _reply, { token }) {
      await refuseGuessing(request)
      const { email, organisationName, account } = await findSignUp(sql, token, clock.now())
      return { email, organisation: organisationName, has_account: account !== undefined }
    },
  })

  route(app, 'POST', '/api/confirm-sign-up', {
    body: closed({ token: Token, password: Type.Optional(TypedPassword) }),
    async handle(request, _reply, { token, password }) {
      await refuseGuessing(request)
      const { account, passwordHash } = await findSignUp(sql, token, clock.now())
      const provedPassword = !account && (await isPasswordOf(token, passwordHash, password))
      const { person, organisationId, isNew } = await changeIn(sql, clock, async (tx) => {
        const confirmed = await confirmSignUp(tx, { token, provedPassword }, fromOf(request))
        await deps.onSignUpConfirmed?.(tx, confirmed)
        return confirmed
      })
      await deps.onPeopleChanged()
      return { email: person.email, organisation_id: organisationId, is_new: isNew }
    },
  })

  async function isPasswordOf(token: string, hash: string, typed: string | undefined): Promise<boolean> {
    const run = `sign-up ${sha256Hex(token)}`
    const { waitMs } = await takeTry(sql, run, PER_ACCOUNT, clock.now())
    refuseWait(waitMs, 'The password was wrong too often.')
    const right = await verifyPassword((typed ?? '').slice(0, LIMITS.requests.passwordCharactersMax + 1), hash)
    if (!right) throw invalidField('/password', 'This is not the password that was chosen when signing up.')
    await forgetAttempts(sql, run)
    return true
  }
}

/** Told to everybody alike, whatever address they gave. */
function noMail(what: string): Problem {
  return new Problem('conflict', { detail: `This server sends no mail. Ask its operator to ${what}.` })
}

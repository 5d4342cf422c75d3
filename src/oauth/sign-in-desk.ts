/**
 * Signing people in, for the console and the OAuth pages alike.
 *
 *  1. There is one session in a browser, and one cookie. The OAuth library's own session only follows it (follow-session.ts).
 *  2. Signing in always opens a new session under a new cookie, and ends the one that the browser had.
 *  3. A browser is known again by a cookie of its own, which says nothing about who uses it.
 *  4. Whoever has a second factor gets no session for the password alone, but a ticket: bound to the person, the password
 *     it was given for and the browser. That somebody has a factor is told only after the right password. A factor that is
 *     added meanwhile counts: it is looked for again in the transaction that opens the session.
 *  5. The order of locks is organisations, person, factors.
 *  6. Wrong second factors and passkeys are counted and recorded as wrong passwords are.
 */

import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { changeIn, type Sql, type Tx } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { lockPerson } from '../identity/members/members.ts'
import { factorsOf, hasFactor, passkeyWords, takeProof, type Way, waysOf } from '../identity/people/factors/factors.ts'
import {
  askForPasskey,
  checkPasskey,
  notePasskeyUse,
  passkeyAnswer,
  passkeys,
  relyingPartyOf,
  requireRelyingParty,
} from '../identity/people/factors/passkeys.ts'
import {
  makeTicket,
  openTicket,
  spendTicket,
  TICKET_LENGTH_MAX,
  ticketEnded,
} from '../identity/people/factors/tickets.ts'
import { findPersonWithHash } from '../identity/people/people.ts'
import {
  type AuthenticationMethod,
  closeSession,
  type FoundSession,
  findSession,
  openSession,
} from '../identity/people/sessions.ts'
import {
  type CountSignIn,
  forgetWrongFactors,
  recordWrongFactor,
  type SignedIn,
  type SignInFunction,
} from '../identity/people/sign-in.ts'
import { refuseWait, returnAttemptFrom, takeAttemptFrom } from '../identity/people/throttle.ts'
import { type Afterwards, createAfterwards } from '../lib/afterwards.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import type { PlaceOf } from '../lib/place.ts'
import type { Ring } from '../lib/seal.ts'
import { LIMITS } from '../limits.ts'
import { readCookie, writeCookie } from './cookies.ts'
import { fieldOf, textField } from './csrf.ts'
import { byPerson, readProof } from './given-proof.ts'

export interface SignInDeskDependencies {
  readonly sql: Sql
  readonly ring: Ring
  readonly clock: Clock
  readonly signIn: SignInFunction
  readonly baseUrl: string
  readonly sessionSeconds: number
  readonly placeOf?: PlaceOf | undefined
  readonly afterwards?: Afterwards | undefined
  readonly countSignIn?: CountSignIn | undefined
  readonly sendsMail?: boolean | undefined
}

export interface PresentSession extends FoundSession {
  readonly token: string
}

/** Rule 4: what is still to be proved, and how. */
export interface SecondStep {
  readonly second_factor: {
    readonly ways: readonly Way[]
    readonly ticket: string
    /** What the browser asks a passkey with; null for whoever has none, or where browsers know none. */
    readonly passkey: unknown
  }
}

export function isSecondStep(answer: object): answer is SecondStep {
  return 'second_factor' in answer
}

export interface SignInDesk {
  /** Takes `email` and `password` of the body. */
  signIn(request: FastifyRequest, reply: FastifyReply): Promise<PresentSession | SecondStep>
  /** Takes `ticket` of the second step and a proof: `passkey`, `code` or `recovery_code`. */
  finishSignIn(request: FastifyRequest, reply: FastifyReply): Promise<PresentSession>
  /** For signing in with a passkey alone: nobody says who they are, the passkey does. */
  beginPasskey(request: FastifyRequest, reply: FastifyReply): Promise<{ ticket: string; passkey: unknown }>
  /** Takes `ticket` and `passkey`. */
  signInWithPasskey(request: FastifyRequest, reply: FastifyReply): Promise<PresentSession>
  /** Lets the browser be known again; returns by what. */
  knowAgain(request: FastifyRequest, reply: FastifyReply): string
  /** Whose session the browser has. */
  present(cookieHeader: string | undefined): Promise<PresentSession | undefined>
  /** Ends the session of the browser. */
  signOut(cookieHeader: string | undefined): Promise<void>
  /** The header that takes the cookie of the session away. */
  readonly cookieGone: string
}

const DEVICE_COOKIE = 'assay_device'
const DEVICE_SECONDS = 400 * 86_400

export function createSignInDesk(deps: SignInDeskDependencies): SignInDesk {
  const { sql, clock, ring, sessionSeconds } = deps
  const party = relyingPartyOf(deps.baseUrl)
  const afterwards = deps.afterwards ?? createAfterwards(() => {})
  const secure = deps.baseUrl.startsWith('https:')
  const path = new URL(deps.baseUrl).pathname.replace(/\/$/, '') || '/'
  // The prefix makes browsers refuse such a cookie from another host or without TLS; it demands the path "/".
  const name = secure && path === '/' ? '__Host-assay_session' : 'assay_session'

  /** The cookie by which the browser is known again, or a new one. */
  function deviceOf({ headers }: FastifyRequest): { device: string; deviceDigest: string } {
    const device = readCookie(headers.cookie, DEVICE_COOKIE) ?? randomBytes(24).toString('base64url')
    return { device, deviceDigest: sha256Hex(device) }
  }
  const deviceCookie = (device: string) =>
    writeCookie(DEVICE_COOKIE, device, { path, secure, maxAgeSeconds: DEVICE_SECONDS })

  const isOf = (request: FastifyRequest, ticket: { readonly browser: string }) =>
    sha256Hex(readCookie(request.headers.cookie, DEVICE_COOKIE) ?? '') === ticket.browser

  /** Rule 2. `prove` spends what was given as proof in the transaction that opens the session, and says how it was. */
  async function open(
    request: FastifyRequest,
    reply: FastifyReply,
    signedIn: SignedIn,
    prove: (tx: Tx) => Promise<readonly AuthenticationMethod[]>,
  ): Promise<PresentSession> {
    const { device, deviceDigest } = deviceOf(request)
    const { ip, id: requestId } = request
    const session = await changeIn(sql, clock, async (tx) => {
      await lockPerson(tx, signedIn.person.id)
      return openSession(tx, signedIn, {
        lifetimeMs: sessionSeconds * 1000,
        amr: await prove(tx),
        from: { ip, requestId, userAgent: request.headers['user-agent'], deviceDigest, place: deps.placeOf?.(ip) },
        sendsMail: deps.sendsMail,
      })
    })
    deps.countSignIn?.('signed_in')
    const old = readCookie(request.headers.cookie, name)
    if (old !== undefined) await closeSession(sql, old)
    reply.header('set-cookie', [
      writeCookie(name, session.token, { path, secure, maxAgeSeconds: sessionSeconds }),
      deviceCookie(device),
    ])
    return session
  }

  /** Rule 6. `of` names whose factor it was to be, where that is known. */
  async function counted<T>(
    request: FastifyRequest,
    of: () => Promise<string | undefined>,
    attempt: () => Promise<T>,
  ): Promise<T> {
    try {
      return await attempt()
    } catch (error) {
      const code = error instanceof Problem ? error.code : undefined
      if (code === 'rate_limited') deps.countSignIn?.('refused_to_wait')
      if (code !== 'sign_in_failed') throw error
      deps.countSignIn?.('failed')
      const from = { ip: request.ip, requestId: request.id }
      afterwards.do(async () => {
        const personId = await of()
        if (personId !== undefined) await recordWrongFactor({ sql, clock }, personId, from)
      })
      throw error
    }
  }

  return {
    knowAgain(request, reply) {
      const { device, deviceDigest } = deviceOf(request)
      reply.header('set-cookie', deviceCookie(device))
      return deviceDigest
    },

    async signIn(request, reply) {
      const email = textField(request.body, 'email', 254)
      const password = textField(request.body, 'password', 1024)
      const { device, deviceDigest } = deviceOf(request)
      const { ip, id: requestId } = request
      const signedIn = await deps.signIn({ email, password, ip, requestId, deviceDigest })
      const { person, passwordHash } = signedIn
      const factors = await factorsOf(sql, person.id)
      if (!hasFactor(factors)) {
        return open(request, reply, signedIn, async (tx) => {
          if (!hasFactor(await factorsOf(tx, person.id))) return ['pwd']
          throw new Problem('conflict', { detail: 'A second factor was added at this moment. Sign in again.' })
        })
      }
      reply.header('set-cookie', deviceCookie(device))
      const facts = { personId: person.id, password: sha256Hex(passwordHash), browser: deviceDigest }
      const { ticket, challenge } = makeTicket(ring, 'second_step', facts, clock.now())
      const ways = waysOf(factors)
      const passkey = party && ways.includes('passkey') ? await askForPasskey(party, factors.passkeys, challenge) : null
      return { second_factor: { ways: passkey ? ways : ways.filter((way) => way !== 'passkey'), ticket, passkey } }
    },

    async finishSignIn(request, reply) {
      const ticket = await openTicket(
        ring,
        'second_step',
        textField(request.body, 'ticket', TICKET_LENGTH_MAX),
        clock.now(),
      )
      const signedIn = await findPersonWithHash(sql, ticket.personId)
      const same = signedIn && sha256Hex(signedIn.passwordHash) === ticket.password
      if (!same || !isOf(request, ticket)) throw ticketEnded()
      const { personId } = ticket
      return counted(
        request,
        async () => personId,
        async () => {
          const given = await readProof({ sql, clock, party }, request.body, ticket)
          return open(request, reply, signedIn, async (tx) => {
            await spendTicket(tx, ticket)
            const how = await takeProof(tx, ring, byPerson(request, personId), personId, given)
            await forgetWrongFactors(tx, personId)
            return ['pwd', ...how]
          })
        },
      )
    },

    async beginPasskey(request, reply) {
      const { device, deviceDigest } = deviceOf(request)
      reply.header('set-cookie', deviceCookie(device))
      const { ticket, challenge } = makeTicket(ring, 'sign_in', { browser: deviceDigest }, clock.now())
      return { ticket, passkey: await askForPasskey(requireRelyingParty(deps.baseUrl), [], challenge) }
    },

    async signInWithPasskey(request, reply) {
      const ticket = await openTicket(
        ring,
        'sign_in',
        textField(request.body, 'ticket', TICKET_LENGTH_MAX),
        clock.now(),
      )
      if (!isOf(request, ticket)) throw ticketEnded()
      const { waitMs } = await takeAttemptFrom(
        sql,
        'passkey',
        request.ip,
        LIMITS.attempts.passkeysPerAddress,
        clock.now(),
      )
      refuseWait(waitMs, 'There were too many attempts to sign in from this address.')
      const answer = passkeyAnswer<AuthenticationResponseJSON>(fieldOf(request.body, 'passkey'))
      const asked = { challenge: ticket.challenge, alone: true }
      const named = requireRelyingParty(deps.baseUrl)
      const holder = async () => (await passkeys.find(sql, { id: answer.id }))?.person_id
      const session = await counted(request, holder, async () => {
        const used = await checkPasskey(sql, named, answer, asked)
        const signedIn = await findPersonWithHash(sql, used.passkey.person_id)
        if (!signedIn) throw ticketEnded()
        return open(request, reply, signedIn, async (tx) => {
          await spendTicket(tx, ticket)
          await notePasskeyUse(tx, used)
          await forgetWrongFactors(tx, signedIn.person.id)
          return passkeyWords(used)
        })
      })
      await returnAttemptFrom(sql, 'passkey', request.ip)
      return session
    },

    async present(cookieHeader) {
      const token = readCookie(cookieHeader, name)
      const found = token === undefined ? undefined : await findSession(sql, token, clock.now())
      return token === undefined || !found ? undefined : { ...found, token }
    },

    async signOut(cookieHeader) {
      const token = readCookie(cookieHeader, name)
      if (token !== undefined) await closeSession(sql, token)
    },

    cookieGone: writeCookie(name, '', { path, secure, maxAgeSeconds: 0 }),
  }
}

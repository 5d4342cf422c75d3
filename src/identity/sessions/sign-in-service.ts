/**
 * Signing people in, for the console and the OAuth pages alike.
 * 1. A browser has one session and one cookie. The OAuth library's own session only follows it
 *    (src/oauth/follow-session.ts).
 * 2. Signing in always opens a new session under a new cookie, and ends the browser's previous session.
 * 3. A separate cookie recognises a browser; it says nothing about its user.
 * 4. A person with a second factor gets no session for the password alone, but a ticket: bound to the person, the
 *    password it was given for and the browser. The server reveals that a person has a factor only after the right
 *    password. A factor added in between counts: it is looked up again in the transaction that opens the session.
 * 5. The order of locks is organisations, person, factors.
 * 6. Wrong second factors and passkeys are counted and recorded like wrong passwords.
 */

import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { AuthenticationMethod, FoundSession } from '../../access/session.ts'
import { changeIn, type Sql, type Tx } from '../../db/sql.ts'
import { conflict, Problem } from '../../errors.ts'
import { type Afterwards, createAfterwards } from '../../lib/afterwards.ts'
import type { Clock } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import type { PlaceOf } from '../../lib/place.ts'
import type { Ring } from '../../lib/seal.ts'
import { LIMITS } from '../../limits.ts'
import { lockPerson } from '../members/members.ts'
import { fromOf, selfIn } from '../people/audit-self.ts'
import {
  factorsOf,
  type GivenProof,
  hasFactor,
  passkeyWords,
  readProof,
  takeProof,
  type Way,
  waysOf,
} from '../people/factors/factors.ts'
import {
  askForPasskey,
  checkPasskey,
  notePasskeyUse,
  passkeyAnswer,
  passkeys,
  relyingPartyOf,
  requireRelyingParty,
} from '../people/factors/passkeys.ts'
import { makeTicket, openTicket, spendTicket, ticketEnded } from '../people/factors/tickets.ts'
import { findPersonWithHash } from '../people/people.ts'
import { closeSession, findSession, openSession } from '../people/sessions.ts'
import {
  type CountSignIn,
  forgetWrongFactors,
  recordWrongFactor,
  type SignedIn,
  type SignIn,
  type SignInFunction,
  TOO_MANY_SIGN_INS,
} from '../people/sign-in.ts'
import { requireAttemptFrom, returnAttemptFrom } from '../people/throttle.ts'
import { readCookie, writeCookie } from './cookies.ts'

export interface SignInServiceDependencies {
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

/** A browser's request and answer, as far as sign-in needs them. */
export interface BrowserRequest {
  readonly ip: string
  readonly id: string
  readonly headers: {
    readonly cookie?: string | undefined
    readonly 'user-agent'?: string | undefined
    readonly 'x-time-zone'?: string | string[] | undefined
  }
}
export interface BrowserReply {
  header(name: 'set-cookie', value: string | string[]): unknown
}

export interface CurrentSession extends FoundSession {
  readonly token: string
}

/** Rule 4: the proof still needed, and its forms. */
export interface SecondStep {
  readonly second_factor: {
    readonly ways: readonly Way[]
    readonly ticket: string
    /** The browser's passkey request; null if the person has none, or the browser supports none. */
    readonly passkey: unknown
  }
}

export const isSecondStep = (answer: object): answer is SecondStep => 'second_factor' in answer

export type SignInService = ReturnType<typeof createSignInService>

type Prove = (tx: Tx) => Promise<readonly AuthenticationMethod[]>

const DEVICE_COOKIE = 'assay_device'
const DEVICE_SECONDS = 400 * 86_400

export function createSignInService(deps: SignInServiceDependencies) {
  const { sql, clock, ring, sessionSeconds } = deps
  const party = relyingPartyOf(deps.baseUrl)
  const afterwards = deps.afterwards ?? createAfterwards(() => {})
  const secure = deps.baseUrl.startsWith('https:')
  const path = new URL(deps.baseUrl).pathname.replace(/\/$/, '') || '/'
  // The prefix makes browsers refuse such a cookie from another host or without TLS; it requires the path "/".
  const name = secure && path === '/' ? '__Host-assay_session' : 'assay_session'

  /** The cookie that recognises the browser, or a new one. */
  function deviceOf({ headers }: BrowserRequest): { device: string; deviceDigest: string } {
    const device = readCookie(headers.cookie, DEVICE_COOKIE) ?? randomBytes(24).toString('base64url')
    return { device, deviceDigest: sha256Hex(device) }
  }
  const deviceCookie = (device: string) =>
    writeCookie(DEVICE_COOKIE, device, { path, secure, maxAgeSeconds: DEVICE_SECONDS })

  const isOf = (request: BrowserRequest, ticket: { readonly browser: string }) =>
    sha256Hex(readCookie(request.headers.cookie, DEVICE_COOKIE) ?? '') === ticket.browser

  /** Rule 2. `prove` consumes the given proof in the transaction that opens the session, and returns its methods. */
  async function open(request: BrowserRequest, reply: BrowserReply, signedIn: SignedIn, prove: Prove) {
    const { device, deviceDigest } = deviceOf(request)
    const { ip, id: requestId } = request
    const session = await changeIn(sql, clock, async (tx) => {
      await lockPerson(tx, signedIn.person.id)
      return openSession(tx, signedIn, {
        lifetimeMs: sessionSeconds * 1000,
        amr: await prove(tx),
        from: {
          ip,
          requestId,
          userAgent: request.headers['user-agent'],
          deviceDigest,
          place: deps.placeOf?.(ip),
          timeZone: String(request.headers['x-time-zone'] ?? ''),
        },
        mail: deps.sendsMail ? deps : undefined,
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

  /** Rule 6. `of` names the person whose factor was expected, if known. */
  async function counted<T>(request: BrowserRequest, of: () => Promise<string | undefined>, attempt: () => Promise<T>) {
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
        if (personId !== undefined) await recordWrongFactor(sql, clock, personId, from)
      })
      throw error
    }
  }

  return {
    /** Sets the cookie that recognises the browser; returns its digest. */
    knowAgain(request: BrowserRequest, reply: BrowserReply): string {
      const { device, deviceDigest } = deviceOf(request)
      reply.header('set-cookie', deviceCookie(device))
      return deviceDigest
    },

    async signIn(
      request: BrowserRequest,
      reply: BrowserReply,
      { email, password }: Pick<SignIn, 'email' | 'password'>,
    ): Promise<CurrentSession | SecondStep> {
      const { device, deviceDigest } = deviceOf(request)
      const { ip, id: requestId } = request
      const signedIn = await deps.signIn({ email, password, ip, requestId, deviceDigest })
      const { person, passwordHash } = signedIn
      const factors = await factorsOf(sql, person.id)
      if (!hasFactor(factors)) {
        return open(request, reply, signedIn, async (tx) => {
          if (!hasFactor(await factorsOf(tx, person.id))) return ['pwd']
          throw conflict('A second factor has just been added. Sign in again.')
        })
      }
      reply.header('set-cookie', deviceCookie(device))
      const facts = { personId: person.id, password: sha256Hex(passwordHash), browser: deviceDigest }
      const { ticket, challenge } = makeTicket(ring, 'second_step', facts, clock.now())
      const ways = waysOf(factors)
      const passkey = party && ways.includes('passkey') ? await askForPasskey(party, factors.passkeys, challenge) : null
      return { second_factor: { ways: passkey ? ways : ways.filter((way) => way !== 'passkey'), ticket, passkey } }
    },

    async finishSignIn(request: BrowserRequest, reply: BrowserReply, proof: GivenProof & { readonly ticket: string }) {
      const ticket = await openTicket(ring, 'second_step', proof.ticket, clock.now())
      const signedIn = await findPersonWithHash(sql, ticket.personId)
      const same = signedIn && sha256Hex(signedIn.passwordHash) === ticket.password
      if (!same || !isOf(request, ticket)) throw ticketEnded()
      const { personId } = ticket
      const holder = async () => personId
      return counted(request, holder, async () => {
        const asked = { ...ticket, deviceDigest: ticket.browser }
        const given = await readProof({ sql, clock, party }, proof, asked)
        return open(request, reply, signedIn, async (tx) => {
          await spendTicket(tx, ticket)
          const how = await takeProof(tx, deps, selfIn({ id: personId }, fromOf(request)), personId, given)
          await forgetWrongFactors(tx, personId)
          return ['pwd', ...how]
        })
      })
    },

    /** For sign-in with a passkey only: the passkey identifies the person. */
    async beginPasskey(request: BrowserRequest, reply: BrowserReply): Promise<{ ticket: string; passkey: unknown }> {
      const { device, deviceDigest } = deviceOf(request)
      reply.header('set-cookie', deviceCookie(device))
      const { ticket, challenge } = makeTicket(ring, 'sign_in', { browser: deviceDigest }, clock.now())
      return { ticket, passkey: await askForPasskey(requireRelyingParty(deps.baseUrl), [], challenge) }
    },

    async signInWithPasskey(request: BrowserRequest, reply: BrowserReply, given: { ticket: string; passkey: unknown }) {
      const ticket = await openTicket(ring, 'sign_in', given.ticket, clock.now())
      if (!isOf(request, ticket)) throw ticketEnded()
      const limit = LIMITS.attempts.passkeysPerAddress
      await requireAttemptFrom(deps, 'passkey', request.ip, limit, TOO_MANY_SIGN_INS)
      const answer = passkeyAnswer<AuthenticationResponseJSON>(given.passkey)
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

    async current(cookieHeader: string | undefined): Promise<CurrentSession | undefined> {
      const token = readCookie(cookieHeader, name)
      const found = token === undefined ? undefined : await findSession(sql, token, clock.now())
      return token === undefined || !found ? undefined : { ...found, token }
    },

    async signOut(cookieHeader: string | undefined): Promise<void> {
      const token = readCookie(cookieHeader, name)
      if (token !== undefined) await closeSession(sql, token)
    },

    cookieGone: writeCookie(name, '', { path, secure, maxAgeSeconds: 0 }),
  }
}

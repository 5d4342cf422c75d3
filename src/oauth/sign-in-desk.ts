/**
 * Signing people in, for the console and the OAuth pages alike.
 *
 *  1. There is one session in a browser, and one cookie. The OAuth library's own session only follows it (follow-session.ts).
 *  2. Signing in always opens a new session under a new cookie, and ends the one that the browser had.
 *  3. A browser is known again by a cookie of its own, which says nothing about who uses it.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { changeIn, type Sql } from '../db/sql.ts'
import { closeSession, type FoundSession, findSession, openSession } from '../identity/people/sessions.ts'
import type { SignInFunction } from '../identity/people/sign-in.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import type { PlaceOf } from '../lib/place.ts'
import { readCookie, writeCookie } from './cookies.ts'
import { textField } from './csrf.ts'

export interface SignInDeskDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly signIn: SignInFunction
  readonly baseUrl: string
  readonly sessionSeconds: number
  readonly placeOf?: PlaceOf | undefined
  readonly sendsMail?: boolean | undefined
}

export interface PresentSession extends FoundSession {
  readonly token: string
}

export interface SignInDesk {
  /** Takes `email` and `password` of the body. */
  signIn(request: FastifyRequest, reply: FastifyReply): Promise<PresentSession>
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
  const { sql, clock, sessionSeconds } = deps
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
      const session = await changeIn(sql, clock, (tx) =>
        openSession(tx, signedIn, {
          lifetimeMs: sessionSeconds * 1000,
          amr: ['pwd'],
          from: { ip, requestId, userAgent: request.headers['user-agent'], deviceDigest, place: deps.placeOf?.(ip) },
          sendsMail: deps.sendsMail,
        }),
      )
      const old = readCookie(request.headers.cookie, name)
      if (old !== undefined) await closeSession(sql, old)
      reply.header('set-cookie', [
        writeCookie(name, session.token, { path, secure, maxAgeSeconds: sessionSeconds }),
        deviceCookie(device),
      ])
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

import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import type { DeviceCode } from 'oidc-provider'
import Type from 'typebox'
import type { Sql } from '../db/sql.ts'
import { notFound } from '../errors.ts'
import { oneOf } from '../http/operation.ts'
import { type PageOperation, pageOperation, Text, texts, textsOrNull } from '../http/page-operation.ts'
import { requireAttemptFrom, returnAttemptFrom } from '../identity/people/throttle.ts'
import { readCookie, writeCookie } from '../identity/sessions/cookies.ts'
import type { Sessions } from '../identity/sessions/sessions.ts'
import { type Clock, iso } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import type { Lifetimes } from '../lib/lifetimes.ts'
import type { PlaceOf } from '../lib/place.ts'
import { deviceInWords, UNKNOWN_PROGRAM } from '../lib/user-agent.ts'
import { LIMITS } from '../limits.ts'
import { ApplicationSchema, AskedForSchema, applicationOf, askedFor, GoOnSchema } from './consent-page.ts'
import { libraryCookies, newDeviceInteraction, toServiceMs } from './library-internals.ts'
import { PATHS } from './paths.ts'
import type { PendingRequests } from './pending-requests.ts'
import { INTERACTION_SECONDS } from './provider.ts'

/** The API of the device pages: enter the code, see who asks, allow or refuse. */
export interface DeviceDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly library: () => Provider
  readonly pending: PendingRequests
  readonly baseUrl: string
  readonly sessions: Sessions
  readonly lifetimes: Lifetimes
  readonly placeOf?: PlaceOf | undefined
}

const COOKIE = '_assay_device'
const COOKIE_SECONDS = 3600

const DeviceRequestSchema = Type.Object(
  {
    ...texts('user_code'),
    client: ApplicationSchema,
    asked: AskedForSchema,
    request: Type.Object(
      { ...texts('at', 'program'), ...textsOrNull('address', 'place') },
      { description: 'Place, time and program of the request for the code.' },
    ),
  },
  { $id: 'DeviceRequest' },
)
const UserCode = Text(40)

export function devicePages(deps: DeviceDependencies): PageOperation[] {
  const { sql, clock, sessions } = deps
  const secure = deps.baseUrl.startsWith('https:')
  const base = new URL(deps.baseUrl).pathname.replace(/\/$/, '')
  const csrfSubject = (cookie: string) => `device ${cookie}`

  async function requirePage(request: FastifyRequest): Promise<void> {
    const cookie = readCookie(request.headers.cookie, COOKIE)
    await sessions.csrf.require(request, csrfSubject(cookie ?? randomBytes(16).toString('hex')))
  }

  /** The pending code that was typed. Unknown, used and expired codes get the same answer. */
  async function findWaiting(ip: string, typed: string): Promise<{ code: DeviceCode; userCode: string }> {
    const limit = LIMITS.attempts.wrongDeviceCodes
    await requireAttemptFrom(deps, 'device code', ip, limit, 'Too many codes were tried from this address.')
    // People type lower case, omit the dash, or add blanks.
    const userCode = typed.toUpperCase().replace(/[^A-Z]/g, '')
    const code = userCode.length === 8 ? await deps.library().DeviceCode.findByUserCode(userCode) : undefined
    if (!code || code.isExpired || code.error || code.accountId || code.inFlight) {
      throw notFound('No device is waiting with this code. Check it, or start again on the device.')
    }
    await returnAttemptFrom(sql, 'device code', ip)
    return { code, userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}` }
  }

  /** Where, when and with which program the code was requested, so that a person who did not request it refuses. */
  function requestOf({ deviceInfo, iat }: DeviceCode) {
    const { ip, userAgent } = deviceInfo ?? {}
    const address = typeof ip === 'string' && ip !== '' ? ip : null
    const words = deviceInWords(typeof userAgent === 'string' ? userAgent : undefined)
    return {
      at: iso(toServiceMs(iat, clock)),
      address,
      place: address === null ? null : (deps.placeOf?.(address) ?? null),
      // A program that is not in our list of browsers is shown by its own name.
      program: words.startsWith(UNKNOWN_PROGRAM) && typeof userAgent === 'string' && userAgent ? userAgent : words,
    }
  }

  /** Passes the code to the library, which asks for sign-in and consent as needed. */
  async function beginSignIn(request: FastifyRequest, reply: FastifyReply, code: DeviceCode): Promise<string> {
    const provider = deps.library()
    const uid = randomBytes(33).toString('base64url').slice(0, 43)
    const path = `${base}${PATHS.code_verification}/${uid}`
    const interaction = newDeviceInteraction(provider, { uid, returnTo: new URL(path, deps.baseUrl).href, code })
    await deps.pending.from(request.ip, () => interaction.save(INTERACTION_SECONDS))
    const cookies = libraryCookies(provider, request.raw, reply.raw)
    cookies.secure = secure
    const options = { path, httpOnly: true, signed: true, sameSite: 'lax', secure } as const
    cookies.set(provider.cookieName('resume'), uid, { ...options, maxAge: INTERACTION_SECONDS * 1000 })
    return path
  }

  return [
    pageOperation({
      name: 'GET /api/device',
      access: 'anybody',
      answer: Type.Object(texts('csrf')),
      async handle({ request, reply }) {
        const cookie = readCookie(request.headers.cookie, COOKIE) ?? randomBytes(24).toString('base64url')
        const options = { path: `${base}/api/device`, secure, maxAgeSeconds: COOKIE_SECONDS }
        reply.header('set-cookie', writeCookie(COOKIE, cookie, options))
        return { csrf: sessions.csrf.tag(csrfSubject(cookie)) }
      },
    }),
    pageOperation({
      name: 'POST /api/device/lookup',
      access: requirePage,
      body: Type.Object({ user_code: UserCode }),
      answer: DeviceRequestSchema,
      async handle({ request, body }) {
        const { code, userCode } = await findWaiting(request.ip, body.user_code)
        const client = await deps.library().Client.find(code.clientId ?? '')
        if (!client) throw notFound('The application of this code was deleted.')
        const { scope } = code.params ?? {}
        return {
          user_code: userCode,
          client: await applicationOf(sql, client, (await sessions.current(request.headers.cookie))?.person.id),
          asked: askedFor(typeof scope === 'string' ? scope : undefined, deps.lifetimes),
          request: requestOf(code),
        }
      },
    }),
    pageOperation({
      name: 'POST /api/device/confirm',
      access: requirePage,
      body: Type.Object({ user_code: UserCode, decision: oneOf(['allow', 'deny']) }),
      answer: Type.Union([GoOnSchema, Type.Object({ done: Type.Literal('denied') })]),
      async handle({ request, reply, body: { user_code, decision } }) {
        const { code } = await findWaiting(request.ip, user_code)
        if (!(await claimDeviceCode(sql, code.jti, clock.now()))) {
          throw notFound('This code was just used. Start again on the device.')
        }
        try {
          if (decision === 'allow') return { redirect_to: await beginSignIn(request, reply, code) }
          code.error = 'access_denied'
          code.errorDescription = 'the person refused'
          await code.save()
          return { done: 'denied' as const }
        } catch (error) {
          // The code becomes pending again for the next person; if the store stays unreachable, the code expires.
          await releaseDeviceCode(sql, code.jti).catch(() => undefined)
          throw error
        }
      },
    }),
  ]
}

/** One person decides about a code, once: true for the first person who claims it. */
async function claimDeviceCode(sql: Sql, deviceCode: string, nowMs: number): Promise<boolean> {
  const rows = await sql.query(
    `update oauth_record set claimed_at = $2 where digest = $1 and kind = 'DeviceCode' and claimed_at is null
     returning digest`,
    [sha256Hex(deviceCode), nowMs],
  )
  return rows.length > 0
}

async function releaseDeviceCode(sql: Sql, deviceCode: string): Promise<void> {
  const release = `update oauth_record set claimed_at = null where digest = $1 and kind = 'DeviceCode'`
  await sql.query(release, [sha256Hex(deviceCode)])
}

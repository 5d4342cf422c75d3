import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Provider from 'oidc-provider'
import type { DeviceCode, Interaction } from 'oidc-provider'
import type { Sql } from '../db/sql.ts'
import { Problem } from '../errors.ts'
import { refuseWait, returnAttemptFrom, takeAttemptFrom } from '../identity/people/throttle.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import type { Lifetimes } from '../lib/lifetimes.ts'
import type { PlaceOf } from '../lib/place.ts'
import { iso } from '../lib/time-text.ts'
import { deviceInWords, UNKNOWN_PROGRAM } from '../lib/user-agent.ts'
import { LIMITS } from '../limits.ts'
import type { Beginnings } from './beginnings.ts'
import { applicationOf, askedFor } from './consent-page.ts'
import { readCookie, writeCookie } from './cookies.ts'
import { requireCsrf, textField } from './csrf.ts'
import { toServiceMs } from './library-time.ts'
import { PATHS } from './paths.ts'
import { INTERACTION_SECONDS } from './provider.ts'
import type { Sealer } from './seal.ts'
import type { SignInDesk } from './sign-in-desk.ts'

/** What the device pages talk to: type the code, see who asks, allow or refuse. */
export interface DeviceDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly sealer: Sealer
  readonly provider: () => Provider
  readonly beginnings: Beginnings
  readonly baseUrl: string
  readonly desk: SignInDesk
  readonly lifetimes: Lifetimes
  readonly placeOf?: PlaceOf | undefined
}

const COOKIE = '_assay_device'
const COOKIE_SECONDS = 3600

export function registerDevice(app: FastifyInstance, deps: DeviceDependencies): void {
  const { sql, clock, sealer } = deps
  const secure = deps.baseUrl.startsWith('https:')
  const base = new URL(deps.baseUrl).pathname.replace(/\/$/, '')
  const hidden = { schema: { hide: true } as object }
  const csrfSubject = (cookie: string) => `device ${cookie}`

  async function requirePage(request: FastifyRequest): Promise<void> {
    const cookie = readCookie(request.headers.cookie, COOKIE)
    await requireCsrf(request, sealer, csrfSubject(cookie ?? randomBytes(16).toString('hex')))
  }

  /** The code waiting under what was typed. Unknown, used and expired ones are not told apart. */
  async function findWaiting(request: FastifyRequest): Promise<{ code: DeviceCode; userCode: string }> {
    const typed = textField(request.body, 'user_code', 40)
    const { waitMs } = await takeAttemptFrom(
      sql,
      'device code',
      request.ip,
      LIMITS.attempts.wrongDeviceCodes,
      clock.now(),
    )
    refuseWait(waitMs, 'Too many codes were tried from this address.')
    // People type lower case, leave the dash out, or put blanks in.
    const userCode = typed.toUpperCase().replace(/[^A-Z]/g, '')
    const code = userCode.length === 8 ? await deps.provider().DeviceCode.findByUserCode(userCode) : undefined
    if (!code || code.isExpired || code.error || code.accountId || code.inFlight) {
      throw new Problem('not_found', {
        detail: 'No device is waiting under this code. Check it, or start again on the device.',
      })
    }
    await returnAttemptFrom(sql, 'device code', request.ip)
    return { code, userCode: `${userCode.slice(0, 4)}-${userCode.slice(4)}` }
  }

  /** Where, when and with what the code was asked for: whoever did not do that themselves refuses. */
  function requestOf({ deviceInfo, iat }: DeviceCode) {
    const { ip, userAgent } = deviceInfo ?? {}
    const address = typeof ip === 'string' && ip !== '' ? ip : null
    const words = deviceInWords(typeof userAgent === 'string' ? userAgent : undefined)
    return {
      at: iso(toServiceMs(iat, clock)),
      address,
      place: address === null ? null : (deps.placeOf?.(address) ?? null),
      // A program that is not in our list of browsers is called what it calls itself.
      program: words.startsWith(UNKNOWN_PROGRAM) && typeof userAgent === 'string' && userAgent ? userAgent : words,
    }
  }

  app.get('/api/device', hidden, async (request, reply) => {
    const cookie = readCookie(request.headers.cookie, COOKIE) ?? randomBytes(24).toString('base64url')
    return reply
      .header(
        'set-cookie',
        writeCookie(COOKIE, cookie, { path: `${base}/api/device`, secure, maxAgeSeconds: COOKIE_SECONDS }),
      )
      .header('cache-control', 'no-store')
      .send({ csrf: sealer.tag(csrfSubject(cookie)) })
  })

  app.post('/api/device/lookup', hidden, async (request, reply) => {
    await requirePage(request)
    const { code, userCode } = await findWaiting(request)
    const client = await deps.provider().Client.find(code.clientId ?? '')
    if (!client) throw new Problem('not_found', { detail: 'The application behind this code is gone.' })
    const { scope } = code.params ?? {}
    return reply.header('cache-control', 'no-store').send({
      user_code: userCode,
      client: await applicationOf(sql, client, (await deps.desk.present(request.headers.cookie))?.person.id),
      asked: askedFor(typeof scope === 'string' ? scope : undefined, deps.lifetimes),
      request: requestOf(code),
    })
  })

  app.post('/api/device/confirm', hidden, async (request, reply) => {
    await requirePage(request)
    const decision = textField(request.body, 'decision', 10)
    if (decision !== 'allow' && decision !== 'deny') {
      throw new Problem('validation_failed', { detail: 'decision must be allow or deny.' })
    }
    const { code } = await findWaiting(request)
    // Whoever claims the code first decides; a code is good for one person once.
    const claimed = await sql.query(
      `update oauth_record set claimed_at = $2 where digest = $1 and kind = 'DeviceCode' and claimed_at is null
       returning digest`,
      [sha256Hex(code.jti), clock.now()],
    )
    if (claimed.length === 0) {
      throw new Problem('not_found', { detail: 'This code was just used. Start again on the device.' })
    }
    try {
      if (decision === 'allow') return { redirect_to: await beginSignIn(request, reply, code) }
      code.error = 'access_denied'
      code.errorDescription = 'the person refused'
      await code.save()
      return { done: 'denied' }
    } catch (error) {
      // The code waits again for whoever tries next; if the store is gone for good, it ends by itself.
      await sql
        .query(`update oauth_record set claimed_at = null where digest = $1 and kind = 'DeviceCode'`, [
          sha256Hex(code.jti),
        ])
        .catch(() => undefined)
      throw error
    }
  })

  /** Hands the code to the library, which asks for whatever it needs: sign-in, consent. */
  async function beginSignIn(request: FastifyRequest, reply: FastifyReply, code: DeviceCode): Promise<string> {
    const provider = deps.provider()
    const uid = randomBytes(33).toString('base64url').slice(0, 43)
    const path = `${base}${PATHS.code_verification}/${uid}`
    const details = {
      returnTo: new URL(path, deps.baseUrl).href,
      prompt: { name: 'login', reasons: ['device'], details: {} },
      params: code.params ?? {},
      trusted: [],
      deviceCode: code.jti,
      cid: uid,
    }
    // The declared constructor takes nothing; the real one takes an id and its details.
    const interaction: Interaction = Reflect.construct(provider.Interaction, [uid, details])
    await deps.beginnings.from(request.ip, () => interaction.save(INTERACTION_SECONDS))
    const { cookies } = provider.createContext(request.raw, reply.raw)
    cookies.secure = secure
    cookies.set(provider.cookieName('resume'), uid, {
      path,
      httpOnly: true,
      signed: true,
      sameSite: 'lax',
      secure,
      maxAge: INTERACTION_SECONDS * 1000,
    })
    return path
  }
}

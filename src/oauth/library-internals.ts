/**
 * Every part of oidc-provider that we replace or use beyond its documented interface. library-internals.test.ts fails
 * when a new version of the library changes one of these:
 * 1. Its records carry times by this machine's clock, under the names in TIMES.
 * 2. Every request asks the static `Session.get`, and saves a session whose `touched` is set.
 * 3. An interaction is made from an id and its details, and continues with the content of `result`.
 * 4. A client compares secrets by `compareClientSecret` of its prototype.
 * 5. A stored token of a client has the fields of `serviceTokenPayload`.
 * 6. Cookies are signed as `cookieSigner` signs them.
 * 7. It reports refusals by REFUSAL_EVENTS; some of its error codes are corrected (`correctedError`).
 * 8. `ttl.ClientCredentials` is asked before a client's own token is stored (`lifetimeOnceSettled`).
 * 9. A used record has `consumed`, a device code that a person decides about `inFlight` (`useMarks`).
 * 10. A stored code has the `codeChallenge` of its request. The library refuses a wrong verifier, and leaves the code
 *     usable (`isVerifierOf`).
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import type {
  AdapterPayload,
  Client,
  ClientCredentials,
  DeviceCode,
  errors,
  Interaction,
  KoaContextWithOIDC,
  Session,
} from 'oidc-provider'
import { type Clock, SECOND_MS, systemClock } from '../lib/clock.ts'
import type { Ring } from '../lib/seal.ts'

/**
 * The library reads this machine's clock, and another node's clock may differ. Records are therefore stored in the
 * service's time: their times are shifted by the difference on write and shifted back on read. So a code or a token
 * lives as long as it should on every node, even if a machine's clock is changed in between.
 */
const TIMES = ['iat', 'exp', 'iiat', 'authTime', 'loginTs'] as const

/** How far the library's time is behind the service's, in whole seconds as the library counts. */
export const libraryBehindSeconds = (clock: Clock): number => Math.round((clock.now() - systemClock.now()) / 1000)

/** A time of the library, in the service's milliseconds. */
export function toServiceMs(librarySeconds: number, clock: Clock): number {
  return (librarySeconds + libraryBehindSeconds(clock)) * SECOND_MS
}

export function toServiceTime(payload: AdapterPayload, clock: Clock): AdapterPayload {
  return moved(payload, libraryBehindSeconds(clock))
}

export function toLibraryTime(payload: AdapterPayload, clock: Clock): AdapterPayload {
  return moved(payload, -libraryBehindSeconds(clock))
}

function moved(payload: AdapterPayload, seconds: number): AdapterPayload {
  if (seconds === 0) return payload
  const result: AdapterPayload = { ...payload }
  for (const name of TIMES) {
    const time = payload[name]
    if (typeof time === 'number') result[name] = time + seconds
  }
  if (payload.kind === 'PushedAuthorizationRequest' && typeof payload.request === 'string') {
    result.request = movedRequest(payload.request, seconds)
  }
  return result
}

/** The library stores a pushed request as an unsigned token with its own times. */
function movedRequest(token: string, seconds: number): string {
  const [header = '', body = '', signature] = token.split('.')
  if (signature !== '') return token
  const claims: Record<string, unknown> = JSON.parse(Buffer.from(body, 'base64url').toString())
  for (const name of ['iat', 'nbf', 'exp']) {
    const time = claims[name]
    if (typeof time === 'number') claims[name] = time + seconds
  }
  return `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`
}

export type SessionContext = Parameters<Provider['Session']['get']>[0]

/** Replaces the library's session look-up by `get`; `find` is the library's own. */
export function replaceSessionGet(
  provider: Provider,
  get: (ctx: SessionContext, find: (ctx: SessionContext) => Promise<Session>) => Promise<Session>,
): void {
  const sessions = provider.Session
  const find = sessions.get.bind(sessions)
  sessions.get = (ctx) => get(ctx, find)
}

/** A new session without a person, replacing the session of the request. */
export function startSession(provider: Provider, ctx: SessionContext): Session {
  const fresh = new provider.Session()
  ctx.oidc?.entity('Session', fresh)
  return fresh
}

/** The library saves a session only if it changed during the request; this one changed before. */
export function markChanged(session: Session): void {
  Reflect.defineProperty(session, 'touched', { value: true, writable: true })
}

/** The declared constructor takes no arguments; the real one takes an id and its details. */
export function newDeviceInteraction(
  provider: Provider,
  { uid, returnTo, code }: { readonly uid: string; readonly returnTo: string; readonly code: DeviceCode },
): Interaction {
  const details = {
    returnTo,
    prompt: { name: 'login', reasons: ['device'], details: {} },
    params: code.params ?? {},
    trusted: [],
    deviceCode: code.jti,
    cid: uid,
  }
  return Reflect.construct(provider.Interaction, [uid, details])
}

/** Stores the outcome of a page for the library, which continues with it at the returned URL. */
export async function finishInteraction(interaction: Interaction, result: Record<string, unknown>) {
  interaction.result = 'error' in result ? result : { ...interaction.lastSubmission, ...result }
  await interaction.persist()
  // Only the path: the browser may know this server by another name, and its cookies belong to that name.
  return { redirect_to: new URL(interaction.returnTo).pathname }
}

export function libraryCookies(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  return provider.createContext(request, response).cookies
}

export function replaceSecretComparison(provider: Provider, isRight: (client: Client, secret: string) => boolean) {
  const prototype: Client = provider.Client.prototype
  prototype.compareClientSecret = function compare(this: Client, secret: string) {
    return isRight(this, secret)
  }
}

/** The library's stored form of a client's own token. */
export function serviceTokenPayload(token: {
  readonly iat: number
  readonly exp: number
  readonly clientId: string
  readonly scope: string
  readonly extra: object
}): string {
  const { iat, exp, clientId, scope, extra } = token
  return JSON.stringify({ iat, exp, clientId, kind: 'ClientCredentials', scope, extra })
}

/** The lifetime of a client's own token. No other hook sees the token before it is stored, so `settle` completes it here. */
export function lifetimeOnceSettled(
  settle: (ctx: KoaContextWithOIDC, token: ClientCredentials) => void,
  seconds: number,
): (ctx: KoaContextWithOIDC, token: ClientCredentials) => number {
  return (ctx, token) => {
    settle(ctx, token)
    return seconds
  }
}

export function useMarks(row: { readonly consumed_at: number | null; readonly claimed_at: number | null }) {
  return {
    ...(row.consumed_at === null ? {} : { consumed: Math.floor(row.consumed_at / SECOND_MS) }),
    ...(row.claimed_at === null ? {} : { inFlight: true }),
  }
}

export const withoutUse = ({ consumed: _, ...unused }: AdapterPayload): AdapterPayload => unused

/** True if this is the PKCE verifier of a stored code: S256, which every client has to use. */
export function isVerifierOf({ codeChallenge }: AdapterPayload, verifier: unknown): boolean {
  return typeof verifier === 'string' && hash('sha256', verifier, 'base64url') === codeChallenge
}

export type CookieSigner = ReturnType<typeof cookieSigner>

/**
 * Signs the library's cookies in place of its list of keys. With a list it would sign a cookie of a former key again, and
 * set that signature for the whole site instead of the cookie's path. Here every valid key counts as the first one.
 */
export function cookieSigner(ring: Pick<Ring, 'keys'>) {
  const keys = ring.keys('oauth cookies')
  // The algorithm of the library's own signatures, so that cookies it signed before stay valid.
  const signature = (key: string, data: string) => createHmac('sha1', key).update(data).digest('base64url')
  const verify = (data: string, text: string) => {
    const given = Buffer.from(text)
    return keys.some((key) => {
      const expected = Buffer.from(signature(key, data))
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  }
  return {
    sign: (data: string) => signature(keys[0] ?? '', data),
    verify,
    /** The index of the key that signed: 0, or -1 for none. */
    index: (data: string, given: string) => (verify(data, given) ? 0 : -1),
  }
}

/** The error code of the standards, where the library answers with another one. */
export function correctedError(error: string, description: string): string {
  if (error === 'invalid_request' && /is not allowed for this client$/.test(description)) return 'unauthorized_client'
  const unproved =
    description === 'no client authentication mechanism provided' ||
    description === 'client_secret must be provided in the Authorization header'
  return unproved ? 'invalid_client' : error
}

export type Refusal = errors.OIDCProviderError

export const REFUSAL_EVENTS = [
  ...['authorization', 'grant', 'introspection', 'revocation', 'userinfo', 'pushed_authorization_request'],
  ...['device_authorization', 'device_resume', 'code_verification', 'discovery', 'jwks'],
  ...['end_session', 'end_session_confirm', 'end_session_success'],
].map((part) => `${part}.error`)

/** Why each request was refused, until it is answered. */
export function collectRefusals(provider: Provider): WeakMap<object, Refusal> {
  const refusals = new WeakMap<object, Refusal>()
  for (const event of REFUSAL_EVENTS) {
    // The application gets the last one.
    EventEmitter.prototype.on.call(provider, event, (ctx: object, error: Refusal) => refusals.set(ctx, error))
  }
  return refusals
}

/** Without a listener the library's framework writes to the console. */
export function onFrameworkError(provider: Provider, tell: (error: Error) => void): void {
  EventEmitter.prototype.on.call(provider, 'error', tell)
}

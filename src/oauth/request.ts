import { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { errors } from 'oidc-provider'
import { LIMITS } from '../limits.ts'
import { PATHS } from './paths.ts'
import { scopesIn, withoutRepeats } from './policy.ts'

/**
 * The request as the OAuth library sees it. The library builds addresses from Host and X-Forwarded-*, which anybody can
 * set: here they are always set to the issuer's. Common deviations of real clients from the standards are corrected
 * too.
 */
class PinnedRequest extends IncomingMessage {
  /** For the library: the prefix before the path if the issuer has its own path. */
  originalUrl = ''

  // The body is complete: reading must not touch the socket.
  override _read(): void {}
}

export interface RawRequest {
  readonly method: string
  readonly url: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly socket: Socket
  /** The client address, through trusted proxies. */
  readonly ip: string
  readonly body: Buffer | undefined
}

/** Refuses parameters that are too long for a row, before anything is written. */
export function refuseLongParameters(text: string): void {
  if (text.length > LIMITS.requests.oauthParametersCharactersMax) {
    throw new errors.InvalidRequest(
      `the parameters are longer than ${LIMITS.requests.oauthParametersCharactersMax} characters in total`,
    )
  }
  if (text.length <= LIMITS.requests.oauthParameterCharactersMax) return
  for (const [name, value] of new URLSearchParams(text)) {
    if (name.length + value.length > LIMITS.requests.oauthParameterCharactersMax) {
      throw new errors.InvalidRequest(
        `a parameter is longer than ${LIMITS.requests.oauthParameterCharactersMax} characters`,
      )
    }
  }
}

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i
const DROPPED = new Set(['host', 'forwarded', 'accept', 'content-length', 'transfer-encoding', 'content-encoding'])

export function pinRequest(raw: RawRequest, issuer: URL): PinnedRequest {
  const request = new PinnedRequest(raw.socket)
  const headers: NodeJS.Dict<string | string[]> = {}
  for (const [name, value] of Object.entries(raw.headers)) {
    // Without Accept the library answers in JSON, as these endpoints should.
    if (value !== undefined && !DROPPED.has(name) && !name.startsWith('x-forwarded-')) headers[name] = value
  }
  headers.host = issuer.host
  headers['x-forwarded-for'] = raw.ip
  headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1)

  let { url, body } = raw
  const path = url.split('?', 1)[0] ?? ''
  if (raw.method === 'GET' && path === PATHS.authorization) {
    const query = new URLSearchParams(url.slice(path.length + 1))
    const asked = [nameScopesOnce(query), askForConsent(query)]
    if (asked.includes(true)) url = `${path}?${query}`
  }
  // People sign out on this path: with Accept the library shows its errors as pages.
  if (path === PATHS.end_session || path.startsWith(`${PATHS.end_session}/`)) headers.accept = 'text/html'
  // When a sign-in continues, everything is in the store; the library fails on unexpected parameters there.
  if (path.startsWith(`${PATHS.authorization}/`) || path.startsWith(`${PATHS.code_verification}/`)) url = path
  if (raw.method === 'POST' && body !== undefined && FORM.test(String(raw.headers['content-type'] ?? ''))) {
    body = correctForm(body, headers, path)
  }
  if (raw.method === 'POST') {
    headers['content-length'] = String(body?.length ?? 0)
    if (body?.length) request.push(body)
  }
  request.push(null)
  request.method = raw.method
  request.url = url
  request.originalUrl = issuer.pathname.replace(/\/$/, '') + url
  request.headers = headers
  request.httpVersion = '1.1'
  request.httpVersionMajor = 1
  request.httpVersionMinor = 1
  request.complete = true
  return request
}

/** Adds the consent prompt for `offline_access`: without it the library drops that scope silently. */
function askForConsent(parameters: URLSearchParams): boolean {
  if (!scopesIn(parameters.get('scope') ?? undefined).includes('offline_access')) return false
  if (parameters.getAll('prompt').length > 1) return false
  const prompt = scopesIn(parameters.get('prompt') ?? undefined)
  if (prompt.includes('none') || prompt.includes('consent')) return false
  parameters.set('prompt', [...prompt, 'consent'].join(' '))
  return true
}

/** The library would repeat a duplicate scope in tokens and on the consent page. */
function nameScopesOnce(parameters: URLSearchParams): boolean {
  const [scope, ...others] = parameters.getAll('scope')
  if (scope === undefined || others.length > 0) return false
  const once = withoutRepeats(scope)
  if (once === scope) return false
  parameters.set('scope', once)
  return true
}

function correctForm(body: Buffer, headers: NodeJS.Dict<string | string[]>, path: string): Buffer {
  const emptyBasic = basicWithoutSecret(headers.authorization)
  const pushed = path === PATHS.pushed_authorization_request && body.includes('offline_access')
  const form = new URLSearchParams(body.toString('utf8'))
  const scopes = nameScopesOnce(form)
  if (emptyBasic === undefined && !pushed && !scopes) return body
  if (emptyBasic !== undefined) {
    // Some command-line clients send a public client's id as a user name with an empty password.
    delete headers.authorization
    if (!form.has('client_id')) form.set('client_id', emptyBasic)
  }
  if (pushed) askForConsent(form)
  return Buffer.from(form.toString())
}

function basicWithoutSecret(authorization: string | string[] | undefined): string | undefined {
  const encoded =
    typeof authorization === 'string' ? /^basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1] : undefined
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  return /^[\x21-\x39\x3b-\x7e]+:$/.test(text) ? percentDecoded(text.slice(0, -1)) : undefined
}

export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

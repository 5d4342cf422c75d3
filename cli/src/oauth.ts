import { CliError, type Context } from './context.ts'
import { type Login, readLogin, withLoginLock, writeLogin } from './settings.ts'

/** The OAuth parts that a command line needs: RFC 8414 discovery, RFC 8628 device flow, refresh, revocation. */

const ENDPOINTS = [
  'token_endpoint',
  'device_authorization_endpoint',
  'revocation_endpoint',
  'userinfo_endpoint',
] as const
type Endpoints = Readonly<Record<(typeof ENDPOINTS)[number], string>>

export type OAuthAnswer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

const TIMEOUT_MS = 30_000
/** Renewed this long before it expires, so that a token does not expire during a request. */
const RENEW_BEFORE_MS = 60_000

export async function discover(context: Context, url: string): Promise<Endpoints> {
  const { status, body } = await request(context, `${url}/.well-known/oauth-authorization-server`, {})
  for (const name of ENDPOINTS) {
    const endpoint = body[name]
    if (status !== 200 || typeof endpoint !== 'string' || !URL.canParse(endpoint)) {
      throw new CliError(`${url} does not offer a login. Check the address: assay config set url https://…`)
    }
    if (url.startsWith('https:') && !endpoint.startsWith('https:')) {
      throw new CliError(`${url} names an endpoint without TLS; nothing was sent to it.`)
    }
  }
  return body as unknown as Endpoints
}

export function postForm(context: Context, url: string, form: Record<string, string>): Promise<OAuthAnswer> {
  return request(context, url, { method: 'POST', body: new URLSearchParams(form) })
}

export async function request(context: Context, url: string, init: RequestInit): Promise<OAuthAnswer> {
  const signal = AbortSignal.any([context.interrupted, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    const response = await context.fetch(url, { ...init, redirect: 'manual', signal })
    const body: unknown = await response.json().catch(() => undefined)
    return { status: response.status, body: typeof body === 'object' && body !== null ? { ...body } : {} }
  } catch (cause) {
    if (context.interrupted.aborted) throw context.interrupted.reason
    const code = ((cause as Error).cause as { code?: string } | undefined)?.code
    const why = code ? ` (${code})` : ''
    throw new CliError(
      `${new URL(url).origin} cannot be reached${why}. Check that it runs, or the address: assay config set url https://…`,
      { cause },
    )
  }
}

export function loginFrom(body: OAuthAnswer['body'], clientId: string, nowMs: number): Login {
  const { access_token, refresh_token, expires_in, scope } = body
  if (typeof access_token !== 'string') throw new CliError('The service sent no token. Try again: assay login')
  return {
    client_id: clientId,
    access_token,
    ...(typeof refresh_token === 'string' ? { refresh_token } : {}),
    expires_at_ms: nowMs + (typeof expires_in === 'number' ? expires_in : 300) * 1000,
    scope: typeof scope === 'string' ? scope : '',
  }
}

export const LOGIN_ENDED = 'The login is no longer valid. Sign in again: assay login'

export async function currentToken(context: Context, url: string, { refresh }: { refresh: boolean }): Promise<string> {
  const before = readLogin(context, url)
  if (!before) throw new CliError(LOGIN_ENDED)
  if (!refresh && before.expires_at_ms - RENEW_BEFORE_MS > context.now()) return before.access_token
  return withLoginLock(context, async () => {
    const held = readLogin(context, url)
    if (!held) throw new CliError(LOGIN_ENDED)
    // Another command has already renewed the token.
    if (held.access_token !== before.access_token) return held.access_token
    if (!held.refresh_token) {
      writeLogin(context, url, undefined)
      throw new CliError(LOGIN_ENDED)
    }
    const { token_endpoint } = await discover(context, url)
    const answer = await postForm(context, token_endpoint, {
      grant_type: 'refresh_token',
      refresh_token: held.refresh_token,
      client_id: held.client_id,
    })
    if (answer.status !== 200) {
      if (answer.body.error === 'invalid_grant' || answer.body.error === 'invalid_client') {
        writeLogin(context, url, undefined)
        throw new CliError(LOGIN_ENDED)
      }
      throw new CliError(`The login cannot be renewed at the moment (${answer.status}). Try again shortly.`)
    }
    const login = loginFrom(answer.body, held.client_id, context.now())
    writeLogin(context, url, login)
    return login.access_token
  })
}

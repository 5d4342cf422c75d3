import type { Effects } from './effects.ts'
import {
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  parseRetryAfter,
  UnavailableError,
} from './errors.ts'

export type CredentialHeaders = Readonly<Record<string, string>>

/** The source of the headers that authenticate the caller. */
export interface Credentials {
  /** `refused` are headers that the server rejected: return different ones. */
  headers(refused: CredentialHeaders | undefined): Promise<CredentialHeaders>
  /** True when asking again after this refusal can give different headers. */
  renewableAfter(code: string): boolean
  /** Waits, without a time limit, until different headers are available. */
  renewed?(refused: CredentialHeaders): Promise<void>
}

export type TokenProvider = (options: { readonly refresh: boolean }) => string | Promise<string>

/** For a page of the service itself: the browser's cookie authenticates the caller. */
export interface BrowserSession {
  headers(): CredentialHeaders
  /** The session has expired: resolves when the person has signed in again, rejects when the person declines. */
  renewed?(refused: CredentialHeaders): Promise<void>
}

export interface CredentialOptions {
  /** `ask_…`, sent as x-api-key. */
  readonly apiKey?: string | undefined
  /** For a confidential application; the client fetches, caches and renews its tokens. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** Scopes to request with clientId and clientSecret. Default: all scopes that the application is registered for. */
  readonly scopes?: readonly string[] | undefined
  /** Returns a bearer token for each request; called with `refresh: true` after a token was refused. */
  readonly tokenProvider?: TokenProvider | undefined
  readonly session?: BrowserSession | undefined
}

/** A token is renewed this long before it expires, so that no token expires during a request. */
const RENEW_BEFORE_MS = 60_000
const VISIBLE_ASCII = /^[\x21-\x7e]+$/
const SESSION_ENDED: ReadonlySet<string> = new Set(['session_missing', 'credentials_missing', 'form_outdated'])
const TOKEN_ENDED = (code: string) => code === 'token_invalid'

export function createCredentials(options: CredentialOptions, baseUrl: string, effects: Effects): Credentials {
  const { apiKey, clientId, clientSecret, tokenProvider, session } = options
  const ways = [apiKey, clientId ?? clientSecret, tokenProvider, session].filter((way) => way !== undefined)
  if (ways.length !== 1) {
    throw new ConfigurationError('Give exactly one of: apiKey, clientId with clientSecret, tokenProvider, or session.')
  }
  if (apiKey !== undefined) {
    requireVisible(apiKey, 'apiKey')
    return { renewableAfter: () => false, headers: async () => ({ 'x-api-key': apiKey }) }
  }
  if (tokenProvider) {
    return {
      renewableAfter: TOKEN_ENDED,
      async headers(refused) {
        const token = await tokenProvider({ refresh: refused !== undefined })
        requireVisible(token, 'The token from tokenProvider')
        return { authorization: `Bearer ${token}` }
      },
    }
  }
  if (session) {
    return {
      renewableAfter: (code) => session.renewed !== undefined && SESSION_ENDED.has(code),
      headers: async () => session.headers(),
      renewed: async (refused) => session.renewed?.(refused),
    }
  }
  if (!clientId || !clientSecret) throw new ConfigurationError('clientId and clientSecret belong together.')
  const scope = options.scopes?.join(' ')
  return clientCredentials({ clientId, clientSecret, scope, baseUrl }, effects)
}

// Checked here because fetch repeats a bad header value in its error, and the value may be a secret.
function requireVisible(value: unknown, what: string): void {
  if (typeof value !== 'string' || !VISIBLE_ASCII.test(value)) {
    throw new ConfigurationError(`${what} is empty or has a character that credentials cannot have.`)
  }
}

type ClientGrant = Record<'clientId' | 'clientSecret' | 'baseUrl', string> & { readonly scope: string | undefined }
type HeldToken = Awaited<ReturnType<typeof fetchToken>>

/** Holds one token at a time and fetches it once for all waiting requests. */
function clientCredentials(grant: ClientGrant, effects: Effects): Credentials {
  let held: HeldToken | undefined
  let fetching: Promise<HeldToken> | undefined
  return {
    renewableAfter: TOKEN_ENDED,
    async headers(refused) {
      // Drop only the refused token: when many requests were refused, the first one has already fetched a new token.
      if (held && `Bearer ${held.value}` === refused?.authorization) held = undefined
      if (!held || held.renewAtMs <= effects.now()) {
        // Not bound to one caller's signal: other callers wait for the same token.
        fetching ??= fetchToken(grant, effects).finally(() => {
          fetching = undefined
        })
        held = await fetching
      }
      return { authorization: `Bearer ${held.value}` }
    },
  }
}

const TOKEN_TIMEOUT_MS = 30_000

async function fetchToken(grant: ClientGrant, effects: Effects) {
  const metadata = await fetchJson(`${grant.baseUrl}/.well-known/oauth-authorization-server`, {}, effects)
  if (metadata.status !== 200) throw tokenRefusal(metadata, effects)
  const endpoint = tokenEndpoint(metadata.body, grant.baseUrl)
  const id = encodeURIComponent(grant.clientId)
  const secret = encodeURIComponent(grant.clientSecret)
  const answer = await fetchJson(
    endpoint,
    {
      method: 'POST',
      // RFC 6749 §2.3.1: form-encode both parts before joining them.
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...(grant.scope ? { scope: grant.scope } : {}) }),
    },
    effects,
  )
  if (answer.status !== 200) throw tokenRefusal(answer, effects)
  const { access_token: value, expires_in: lifetimeSeconds } = answer.body
  requireVisible(value, 'The token from the token endpoint')
  const lifetimeMs = (typeof lifetimeSeconds === 'number' ? lifetimeSeconds : 300) * 1000
  const renewBeforeMs = Math.min(RENEW_BEFORE_MS, lifetimeMs / 2)
  return { value: value as string, renewAtMs: effects.now() + lifetimeMs - renewBeforeMs }
}

function tokenEndpoint(metadata: Readonly<Record<string, unknown>>, baseUrl: string): string {
  const url = metadata.token_endpoint
  if (typeof url !== 'string' || !URL.canParse(url)) {
    throw new UnavailableError('unexpected_response', 'The service does not publish its token endpoint.')
  }
  if (baseUrl.startsWith('https:') && !url.startsWith('https:')) {
    throw new ConfigurationError('The service names a token endpoint without TLS; the client secret is not sent there.')
  }
  return url
}

type JsonAnswer = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> }

async function fetchJson(url: string, init: RequestInit, effects: Effects): Promise<JsonAnswer> {
  try {
    const signal = AbortSignal.timeout(TOKEN_TIMEOUT_MS)
    const response = await effects.fetch(url, { ...init, redirect: 'manual', signal })
    const body: unknown = await response.json().catch(() => undefined)
    const { status, headers } = response
    return { status, headers, body: typeof body === 'object' && body !== null ? { ...body } : {} }
  } catch (cause) {
    throw new ConnectionError('connection_failed', `${new URL(url).origin} cannot be reached for a token.`, { cause })
  }
}

function tokenRefusal({ status, headers, body }: JsonAnswer, effects: Effects) {
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), effects.now())
  const code = typeof body.error === 'string' ? body.error : 'unexpected_response'
  if (status >= 500 || status === 429) {
    return new UnavailableError(code, 'The token endpoint cannot answer at the moment.', { status, retryAfterMs })
  }
  const said = typeof body.error_description === 'string' ? `: ${body.error_description}` : ''
  return new AuthenticationError(code, `The token endpoint refused the application (${code}${said}).`, { status })
}

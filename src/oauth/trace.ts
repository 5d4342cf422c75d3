import type { FastifyBaseLogger } from 'fastify'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { COMMAND_LINE_CLIENT } from '../identity/clients/command-line.ts'
import { type Clock, MINUTE_MS } from '../lib/clock.ts'
import { OPENID_METADATA_PATH, RESOURCE_METADATA_PATH, SERVER_METADATA_PATH } from './documents.ts'
import { failureOf } from './failures.ts'
import type { Refusal } from './library-internals.ts'
import { DEVICE_GRANT, PATHS } from './paths.ts'
import { clientIdOf } from './token-limits.ts'

export interface TracedFailure {
  readonly requestId: string
  readonly endpoint: string
  readonly error: string
  readonly detail: string
  readonly clientId: string | undefined
  readonly err?: unknown
}

export interface TracedReuse {
  readonly clientId: string | undefined
  readonly what: string
  readonly requestId: string | undefined
  readonly ended: boolean
}

export type CountOAuth = (endpoint: string, outcome: string) => void

const LINES_PER_MINUTE = 300
const DETAIL_CHARACTERS_MAX = 500

const ENDPOINTS: readonly (readonly [path: string, name: string])[] = [
  ...Object.entries(PATHS).map(([name, path]) => [path, name] as const),
  [OPENID_METADATA_PATH, 'discovery'],
  [SERVER_METADATA_PATH, 'discovery'],
  [RESOURCE_METADATA_PATH, 'discovery'],
]

export function endpointOf(path: string): string {
  const found = ENDPOINTS.find(([start]) => path === start || path.startsWith(`${start}/`))
  return found?.[1] ?? 'other'
}

/** RFC 6749, 6750, 7009, 8628, OpenID Connect, and this server's own errors. */
const OUTCOMES: ReadonlySet<string> = new Set([
  ...['ok', 'access_denied', 'account_selection_required', 'authorization_pending', 'consent_required'],
  ...['expired_token', 'insufficient_scope', 'interaction_required', 'login_required', 'registration_not_supported'],
  ...['invalid_client', 'invalid_grant', 'invalid_redirect_uri', 'invalid_request', 'invalid_request_object'],
  ...['invalid_request_uri', 'invalid_scope', 'invalid_token', 'request_not_supported', 'request_uri_not_supported'],
  ...['server_error', 'slow_down', 'temporarily_unavailable', 'unauthorized_client', 'unsupported_grant_type'],
  ...['unmet_authentication_requirements', 'unsupported_response_mode', 'unsupported_response_type'],
  'unsupported_token_type',
])

export const outcomeWord = (outcome: string): string => (OUTCOMES.has(outcome) ? outcome : 'other')

/** The client id as logged: only our own ids. Other text in its place may be anything, even a secret. */
export function clientNamed(id: unknown): string | undefined {
  if (typeof id !== 'string') return undefined
  return id === COMMAND_LINE_CLIENT || /^cli_[0-9A-Za-z]{20}$/.test(id) ? id : undefined
}

export type Trace = ReturnType<typeof createTrace>

/**
 * Outcomes of requests to the OAuth endpoints, for the operator.
 * 1. Every request is counted by endpoint and outcome. Both words are from short lists, whatever the caller sends.
 * 2. Every failure is one line of the log: a mistake of the application as `info`, ours as `error`. It contains no
 *    secret, no token and no request URL, which may hold both.
 * 3. A flood of mistakes writes at most a fixed number of lines a minute, then the number of the others.
 * 4. A device code that is not confirmed yet is part of the flow, not a failure.
 */
export function createTrace(deps: {
  readonly logger: FastifyBaseLogger
  readonly clock: Clock
  readonly count: CountOAuth | undefined
}) {
  const { logger, clock, count } = deps
  let minute = { endsAt: 0, lines: 0, unwritten: 0 }

  function mayWrite(): boolean {
    if (clock.ticks() >= minute.endsAt) {
      const { unwritten } = minute
      minute = { endsAt: clock.ticks() + MINUTE_MS, lines: 0, unwritten: 0 }
      if (unwritten > 0) logger.warn({ failures: unwritten }, 'more OAuth requests were refused than were logged')
    }
    const may = minute.lines < LINES_PER_MINUTE
    if (may) minute.lines++
    else minute.unwritten++
    return may
  }

  return {
    answered: (endpoint: string, outcome: string) => count?.(endpoint, outcomeWord(outcome)),
    failed({ requestId, endpoint, error, detail, clientId, err }: TracedFailure): void {
      if (error === 'authorization_pending') return
      const fields = {
        request_id: requestId,
        endpoint,
        error,
        detail: detail.slice(0, DETAIL_CHARACTERS_MAX),
        ...(clientId === undefined ? {} : { client_id: clientId }),
      }
      if (err !== undefined) logger.error({ ...fields, err }, 'OAuth request failed')
      else if (mayWrite()) logger.info(fields, 'OAuth request refused')
    },
    reused({ clientId, what, requestId, ended }: TracedReuse): void {
      if (!mayWrite()) return
      const named = clientNamed(clientId)
      const fields = {
        ...(requestId === undefined ? {} : { request_id: requestId }),
        ...(named === undefined ? {} : { client_id: named }),
        reused: what,
      }
      if (ended) logger.warn(fields, 'used twice: its grant has ended')
      else logger.info(fields, 'used twice within the grace period')
    },
  }
}

type Refused = { readonly failure: unknown; readonly refusal: Refusal | undefined }

/** Counts an answer of the library, and logs why the request was refused or failed. */
export function traceAnswer(ctx: KoaContextWithOIDC, { failure, refusal }: Refused, trace: Trace): void {
  const endpoint = endpointOf(ctx.path)
  // The final form of a refusal: a token of another kind is simply not active.
  const refused = refusal !== undefined && !(ctx.path === PATHS.introspection && ctx.status === 200)
  if (failure === undefined && !refused) {
    trace.answered(endpoint, 'ok')
    return
  }
  const told = failure === undefined ? undefined : failureOf(failure)
  const { error: answered } = (ctx.body ?? {}) as { error?: unknown }
  const error = told?.error ?? (typeof answered === 'string' ? answered : (refusal?.error ?? 'server_error'))
  trace.answered(endpoint, error)
  trace.failed({
    requestId: ctx.response.get('x-request-id'),
    endpoint,
    error,
    detail: told?.description ?? (refusal ? detailOf(refusal) : ''),
    clientId: clientNamed(ctx.oidc?.client?.clientId ?? claimedClient(ctx)),
    ...(told && told.status >= 500 ? { err: failure } : {}),
  })
}

function claimedClient(ctx: KoaContextWithOIDC): string | undefined {
  const form = new URLSearchParams()
  for (const name of ['client_id', 'client_assertion']) {
    const value = ctx.oidc?.params?.[name]
    if (typeof value === 'string') form.set(name, value)
  }
  return clientIdOf(form, ctx.get('authorization') || undefined)
}

/** The library's details of a refusal: the public text, the private text, and the cause. */
function detailOf({ error_description: told, error_detail: kept, cause }: Refusal): string {
  const parts: unknown[] = [told, kept, ...causesOf(cause)]
  return [...new Set(parts.filter((part) => typeof part === 'string' && part !== ''))].join('; ')
}

function causesOf(cause: unknown): string[] {
  const messages: string[] = []
  for (let one = cause; one instanceof Error && messages.length < 3; one = one.cause) {
    const { error_description: described } = one as { error_description?: unknown }
    messages.push(typeof described === 'string' ? described : one.message)
  }
  return messages
}

/** Called for each answer of the token endpoint. Both words are from short lists, whatever the caller sends. */
export type CountToken = (grant: string, outcome: string) => void

/** The grant types, each with its word in counts and in the log. */
const GRANTS: ReadonlyMap<unknown, string> = new Map([
  ['client_credentials', 'client_credentials'],
  ['authorization_code', 'authorization_code'],
  ['refresh_token', 'refresh_token'],
  [DEVICE_GRANT, 'device_code'],
])

export const grantWord = (grantType: unknown): string => GRANTS.get(grantType) ?? 'other'

export function grantOfForm(body: unknown): string {
  return grantWord(Buffer.isBuffer(body) ? new URLSearchParams(body.toString('latin1')).get('grant_type') : undefined)
}

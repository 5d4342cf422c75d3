import type { FastifyBaseLogger } from 'fastify'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Sql, SqlQueries } from '../db/sql.ts'
import type { SignInService } from '../identity/sessions/sign-in-service.ts'
import { type Clock, SECOND_MS } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import type { Lifetimes } from '../lib/lifetimes.ts'
import { answerDocument, isDocument, keptSeconds } from './documents.ts'
import { failureOf, tellFailure } from './failures.ts'
import { correctedError } from './library-internals.ts'
import type { Pages } from './pages.ts'
import { DEVICE_GRANT, PATHS } from './paths.ts'
import { scopesIn } from './policy.ts'
import type { TokenVerifier } from './verify.ts'

/** Corrects the library's answers where the standards or our promises differ. */

export interface AnswerDependencies {
  readonly issuer: string
  readonly sql: Sql
  readonly clock: Clock
  readonly logger: FastifyBaseLogger
  readonly lifetimes: Lifetimes
  readonly verifier: TokenVerifier
  readonly pages: Pages
  readonly sessions: SignInService
}

/** Names the scopes that work: without those removed from the role or the registration since consent. */
async function nameWhatWorks(ctx: KoaContextWithOIDC, body: Record<string, unknown>, verifier: TokenVerifier) {
  const asked = ctx.oidc.params
  const token =
    ctx.path === PATHS.token && asked?.grant_type !== 'client_credentials'
      ? body.access_token
      : ctx.path === PATHS.introspection && asked?.token
  // Not cached: another node may end the grant at this moment, because the code or token was used twice.
  const caller = typeof token === 'string' ? await verifier.findNow(token) : undefined
  if (!caller || typeof body.scope !== 'string') return
  const scopes: ReadonlySet<string> = caller.scopes
  const scope = scopesIn(body.scope)
    .filter((name) => scopes.has(name))
    .join(' ')
  ctx.body = { ...body, scope }
}

interface OAuthError {
  error: string
  error_description?: string
}

/** Replaces the library's answer with the failure: no redirect, no cookie, nothing half done. */
export function answerFailure(
  ctx: Pick<KoaContextWithOIDC, 'path' | 'response' | 'status' | 'body' | 'set'>,
  error: unknown,
  deps: AnswerDependencies,
): void {
  const failure = failureOf(error)
  const requestId = ctx.response.get('x-request-id')
  const { headers, body } = tellFailure(failure, { path: ctx.path, pages: deps.pages, requestId })
  for (const name of ['location', 'set-cookie', 'www-authenticate']) ctx.response.remove(name)
  ctx.status = failure.status
  ctx.body = body
  ctx.set(headers)
}

export async function correctAnswers(ctx: KoaContextWithOIDC, next: () => Promise<unknown>, deps: AnswerDependencies) {
  try {
    await next()
  } catch (error) {
    // The end of a device sign-in was opened without a begun one: the library fails on the missing session.
    if (!ctx.path.startsWith(`${PATHS.code_verification}/`)) throw error
    deps.logger.info({ err: error }, 'a device sign-in could not continue')
    ctx.redirect(`${new URL(deps.issuer).pathname.replace(/\/$/, '')}/device/done?outcome=failed`)
    return
  }
  if (ctx.oidc?.route === 'end_session_confirm' && ctx.status === 303 && ctx.oidc.params?.logout) {
    ctx.response.append('set-cookie', deps.sessions.cookieGone)
  }
  // The standard lets clients ignore this body; common clients treat an answer that is not JSON as a failure.
  if (ctx.path === PATHS.revocation && ctx.status === 200) ctx.body = {}
  const body = ctx.body as Record<string, unknown> | undefined
  if (typeof body !== 'object' || body === null) return
  if (isDocument(ctx.path) && ctx.status === 200) {
    answerDocument(ctx, keptSeconds(deps.lifetimes.signingKeyPublishedSeconds))
    return
  }
  if (ctx.path === PATHS.device_authorization && ctx.status === 200) {
    ctx.body = { ...body, interval: deps.lifetimes.deviceIntervalSeconds }
    return
  }
  if (typeof body.error !== 'string') {
    // RFC 7662 §2.2: a client that acts for itself is its own subject.
    const ownSubject = ctx.path === PATHS.introspection && body.active === true && body.sub === undefined
    ctx.body = ownSubject ? { ...body, sub: body.client_id } : body
    await nameWhatWorks(ctx, ctx.body as Record<string, unknown>, deps.verifier)
    return
  }
  // RFC 7662 §2.2: a token that is not ours is not active, whatever its form.
  if (ctx.path === PATHS.introspection && body.error === 'unsupported_token_type') {
    ctx.body = { active: false }
    ctx.status = 200
    return
  }
  const answer = { ...body } as unknown as OAuthError
  const corrected = correctedError(answer.error, answer.error_description ?? '')
  if (corrected === 'invalid_client' && (answer.error !== corrected || ctx.path !== PATHS.authorization))
    ctx.status = 401
  answer.error = corrected
  if (corrected === 'invalid_client' && ctx.path !== PATHS.authorization) {
    if (!ctx.response.get('www-authenticate')) ctx.set('www-authenticate', `Basic realm="${deps.issuer}"`)
  }
  if (answer.error === 'authorization_pending' && ctx.oidc.params?.grant_type === DEVICE_GRANT) {
    const early = await notePoll(deps.sql, {
      deviceCode: String(ctx.oidc.params.device_code),
      intervalMs: deps.lifetimes.deviceIntervalSeconds * 1000,
      nowMs: deps.clock.now(),
    })
    if (early) {
      answer.error = 'slow_down'
      answer.error_description = 'polled too early: add five seconds to the interval'
    }
  }
  const { status } = ctx
  ctx.body = answer
  ctx.status = status
}

/**
 * RFC 8628 §3.5: a device waits `interval` seconds between polls, and five more after every poll that came too early.
 * The interval is stored with the code in the database, so that every node applies the same one.
 */
const INTERVAL_GROWTH_MS = 5 * SECOND_MS
const INTERVAL_MS_MAX = 600 * SECOND_MS
/** A device that waits exactly its interval may still arrive a little early. */
const JITTER_MS = 250
/** Records a poll of a pending code; true if it came too early. */
async function notePoll(
  sql: SqlQueries,
  input: { readonly deviceCode: string; readonly intervalMs: number; readonly nowMs: number },
): Promise<boolean> {
  const rows = await sql.query<{ polled_early: number }>(
    `update oauth_record set
       polled_early = case when abs($2 - polled_at) < coalesce(poll_interval_ms, $3) - $5 then 1 else 0 end,
       poll_interval_ms = case when abs($2 - polled_at) < coalesce(poll_interval_ms, $3) - $5
         then coalesce(poll_interval_ms, $3) + $4 else coalesce(poll_interval_ms, $3) end,
       polled_at = $2
     where digest = $1 and kind = 'DeviceCode' and coalesce(poll_interval_ms, 0) <= $6 returning polled_early`,
    [sha256Hex(input.deviceCode), input.nowMs, input.intervalMs, INTERVAL_GROWTH_MS, JITTER_MS, INTERVAL_MS_MAX],
  )
  // No row: the interval is at its maximum, because the device polls too early every time.
  return rows[0]?.polled_early !== 0
}

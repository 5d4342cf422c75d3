import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type Provider from 'oidc-provider'
import type { Sql } from '../db/sql.ts'
import { KEYS_CHANGED, OAUTH_CHANNEL } from '../identity/announce.ts'
import type { Sessions } from '../identity/sessions/sessions.ts'
import { type Clock, SECOND_MS } from '../lib/clock.ts'
import { readJsonText } from '../lib/json-text.ts'
import type { Lifetimes } from '../lib/lifetimes.ts'
import type { Maybe } from '../lib/maybe.ts'
import type { Ring } from '../lib/seal.ts'
import type { Revoked, TokenRow } from './adapter.ts'
import { createClientMetadata } from './client-metadata.ts'
import { RESOURCE_METADATA_PATH } from './documents.ts'
import { createKeySetReader } from './key-set-reader.ts'
import { loadSigningKeys } from './keys.ts'
import { cookieSigner } from './library-internals.ts'
import type { Pages } from './pages.ts'
import { createPendingRequests, PENDING_BOUNDS, type PendingBounds } from './pending-requests.ts'
import { buildProvider } from './provider.ts'
import { purgeExpired } from './purge.ts'
import { registerEndpoints } from './routes.ts'
import { createSealer } from './seal.ts'
import { createServiceTokens } from './service-token.ts'
import { createTokenLimits } from './token-limits.ts'
import { createTokenWriter } from './token-writer.ts'
import type { CountToken } from './trace.ts'
import { type CountOAuth, createTrace } from './trace.ts'
import { createTokenVerifier, type OnClientUsed } from './verify.ts'

/** The complete authorization server: the library, our store, and the routes around them. */

export interface OAuthDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly baseUrl: string
  readonly production: boolean
  readonly ring: Ring
  readonly logger: FastifyBaseLogger
  readonly lifetimes: Lifetimes
  readonly pages: Pages
  readonly sessions: Sessions
  readonly pendingBounds?: PendingBounds
  /** The token limit of the organisation's plan for each of its clients; if absent, the default. */
  readonly tokensPerMinuteOf?: (organisationId: string) => Maybe<number>
  readonly onClientUsed?: OnClientUsed | undefined
  readonly countToken?: CountToken | undefined
  readonly countOAuth?: CountOAuth | undefined
}

export type OAuth = Awaited<ReturnType<typeof registerOAuth>>

/** The maximum age of a cached answer: below the five seconds within which a revocation takes effect everywhere. */
const REMEMBERED_MS = 3 * SECOND_MS
const KEYS_POLL_MS = 2 * SECOND_MS
export async function registerOAuth(app: FastifyInstance, deps: OAuthDependencies) {
  const { sql, clock, logger, baseUrl, lifetimes } = deps
  const sealer = createSealer(deps.ring)
  const trace = createTrace({ logger, clock, count: deps.countOAuth })
  const readKeySet = createKeySetReader({ clock, allowLoopback: !deps.production, logger })
  const verifier = createTokenVerifier({ ...deps, ttlMs: REMEMBERED_MS, entriesMax: 50_000 })
  const clients = createClientMetadata({ sql, clock, ttlMs: REMEMBERED_MS, entriesMax: 10_000 })
  const pending = createPendingRequests({ sql, clock, sealer, bounds: deps.pendingBounds ?? PENDING_BOUNDS })
  const tokenLimits = createTokenLimits({ ...deps, clients })
  const writeToken = createTokenWriter(sql)
  const insertToken = (row: TokenRow) =>
    row.kind === 'ClientCredentials'
      ? tokenLimits.countOwn(row.client_id ?? '', () => writeToken(row))
      : writeToken(row)
  const serviceTokens = createServiceTokens({ ...deps, clients, insertToken })
  const records = {
    sql,
    clock,
    sealer,
    pending,
    insertToken,
    refreshGraceMs: lifetimes.refreshGraceSeconds * 1000,
    onReuse: trace.reused,
    onRevoked(revoked: Revoked) {
      verifier.forget(revoked)
      // Best effort: the other nodes check again within seconds anyway.
      sql
        .notify(OAUTH_CHANNEL, JSON.stringify(revoked))
        .catch((error) => logger.warn({ err: error }, 'revocation not announced'))
    },
  }

  async function build(): Promise<{ provider: Provider; handle: ReturnType<Provider['callback']>; version: string }> {
    const { jwks, version } = await loadSigningKeys(sql, sealer, clock.now())
    const own = { records, clients, verifier, tokenLimits, trace, readKeySet, cookieSigner: cookieSigner(deps.ring) }
    const provider = buildProvider({ ...deps, ...own, issuer: baseUrl, jwks })
    return { provider, handle: provider.callback(), version }
  }

  let current = await build()

  async function followKeys(): Promise<void> {
    const { version } = await loadSigningKeys(sql, sealer, clock.now())
    if (version !== current.version) current = await build()
  }
  const followKeysSafely = () =>
    followKeys().catch((error) => logger.warn({ err: error }, 'the signing keys could not be read again'))

  const keysTimer = setInterval(followKeysSafely, KEYS_POLL_MS).unref()
  const stopListening = await sql.listen(OAUTH_CHANNEL, (payload) => {
    if (payload === KEYS_CHANGED) {
      void followKeysSafely()
      return
    }
    clients.forget()
    verifier.forget(parseRevoked(payload))
  })

  await registerEndpoints(app, {
    ...deps,
    handle: (request, response) => current.handle(request, response),
    pending,
    trace,
    tokenLimits,
    serviceTokens,
  })

  return {
    /** The library, with the current keys. */
    library: () => current.provider,
    pending,
    findByToken: verifier.find,
    findTokenNow: verifier.findNow,
    /** RFC 9728: for the WWW-Authenticate of refused requests. */
    resourceMetadataUrl: `${baseUrl}${RESOURCE_METADATA_PATH}`,
    forget() {
      clients.forget()
      verifier.forget('all')
    },
    purge: () => purgeExpired(sql, clock.now()),
    async close() {
      clearInterval(keysTimer)
      await stopListening()
    },
  }
}

/** A revocation announced by another node; an unknown message clears all caches. */
function parseRevoked(payload: string): Revoked | 'all' {
  const value = (readJsonText(Buffer.from(payload))?.value ?? {}) as Record<string, unknown>
  return ['digest', 'grant', 'client'].some((name) => typeof value[name] === 'string') ? (value as Revoked) : 'all'
}

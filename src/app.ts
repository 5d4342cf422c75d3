import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { isWellFormedApiKey } from './access/api-key.ts'
import type { Authentication } from './access/auth.ts'
import type { Caller } from './access/caller.ts'
import { cacheCallers } from './access/caller-cache.ts'
import {
  type Allowance,
  type FindSessionCaller,
  passAgain,
  type ResourceGateOptions,
  resourceGate,
  riskGate,
  stillTheSame,
} from './access/gate.ts'
import { createRateLimiter } from './access/limits.ts'
import { giveCheckout } from './billing/checkout/checkout.ts'
import { registerOfferRoute } from './billing/checkout/offer-http.ts'
import { PAYMENT_EVENT_OUTCOMES } from './billing/dependencies.ts'
import { registerBilling } from './billing/http.ts'
import { planOf, readAccount } from './billing/ledger/accounts.ts'
import type { Meter } from './billing/ledger/meter.ts'
import type { PaymentProvider } from './billing/payments/provider.ts'
import type { Plans } from './billing/plans.ts'
import type { BillingSettings } from './billing/settings.ts'
import { ACCOUNTS_CHANNEL, announceAccountChange } from './billing/subscription/announce.ts'
import { registerOperatorRoutes } from './billing/subscription/operator-http.ts'
import type { Sql } from './db/sql.ts'
import { findStoredResponse, keptAnswers, openAnswer } from './db/stored-response.ts'
import { Problem } from './errors.ts'
import type { FeedKeys } from './feeds/keys.ts'
import { registerIntelligenceRoutes } from './feeds/routes.ts'
import { createInFlight } from './http/idempotency.ts'
import { registerOpenApi, registerReference } from './http/openapi.ts'
import { createCursors } from './http/page.ts'
import { loadPages, registerPages, sendPage } from './http/pages.ts'
import { createHttpServer, refuseOtherMethods, routeOf } from './http/server.ts'
import { trackUnderWay } from './http/under-way.ts'
import { announceClientChange, announcePersonChange } from './identity/announce.ts'
import { registerIdentity } from './identity/http.ts'
import { findKeyCaller, touchKeys } from './identity/keys/keys.ts'
import { registerAccount } from './identity/people/account-http.ts'
import { registerAccountApplications } from './identity/people/consents-http.ts'
import { registerPersonActs } from './identity/people/operator-http.ts'
import { SIGN_IN_OUTCOMES } from './identity/people/sign-in.ts'
import { createAfterwards } from './lib/afterwards.ts'
import type { Clock } from './lib/clock.ts'
import type { Lifetimes } from './lib/lifetimes.ts'
import { whenThere } from './lib/maybe.ts'
import type { PlaceOf } from './lib/place.ts'
import { rememberLookUps } from './lib/remembered.ts'
import type { Ring } from './lib/seal.ts'
import { LIMITS } from './limits.ts'
import { OAUTH_ROUTES } from './oauth/openapi.ts'
import { type OAuth, registerOAuth } from './oauth/routes.ts'
import { createReadiness, type Readiness, registerHealth } from './ops/health.ts'
import type { Metrics } from './ops/metrics.ts'
import { type StoreWrites, watchStoreWrites } from './ops/store-writes.ts'
import type { Tracing } from './ops/tracing.ts'
import type { RiskEngine } from './risk/engine.ts'
import { registerRiskRoutes } from './risk/routes.ts'
import { registerSampleRoute } from './risk/samples-http.ts'
import type { SnapshotInfo } from './snapshot/types.ts'
import { registerStatusRoute } from './status/http.ts'

/** The composition root: every part is made by a plain call and handed what it needs. */

export interface AppParts {
  readonly sql: Sql
  readonly engine: RiskEngine
  readonly meter: Meter
  readonly plans: Plans
  readonly settings: BillingSettings
  readonly clock: Clock
  readonly logger: FastifyBaseLogger
  readonly baseUrl: string
  readonly trustProxy: boolean | string[]
  readonly metrics?: Metrics
  readonly tracing?: Tracing | undefined
  /** Told of commits by whoever makes many; absent, readiness finds out by itself. */
  readonly storeWrites?: StoreWrites
  /** The snapshot answers come from, where this process holds it. */
  readonly snapshotInfo?: (() => SnapshotInfo) | undefined
  /** Where an address is, where this process holds the snapshot. */
  readonly placeOf?: PlaceOf | undefined
  /** Values of keys for feeds, by variable: the console shows a feed without its key as off. */
  readonly feedKeys?: FeedKeys | undefined
  readonly payments: PaymentProvider
  /** The keys that seal and sign; the same on every node. */
  readonly ring: Ring
  /** Whether this server can send mail; absent, links are shown to whoever makes them. */
  readonly sendsMail?: boolean
  /** Absent, the server knows API keys only: no sign-in, no tokens. */
  readonly oauth?: { readonly lifetimes: Lifetimes }
}

export interface App {
  readonly http: FastifyInstance
  isReady(): Promise<boolean>
  /** The parts that must work, and which of them do. */
  readiness: Readiness['ask']
  /** Requests that have begun and are not answered yet. */
  requestsUnderWay(): number
  /** Deletes expired codes, tokens and sessions; says how many. */
  purgeTokens(): Promise<number>
  /** Resolves when the work that was left for after the answers is done. */
  afterAnswers(): Promise<void>
  /**
   * From now on the node is not ready; after `delayMs`, in which a balancer notices, new requests get 503. Resolves when
   * those under way are answered, or after the grace time.
   */
  drain(graceMs: number, delayMs?: number): Promise<void>
  close(): Promise<void>
}

/** A revoked key or disabled organisation must be noticed within 5 s: this is how old an answer may be. */
const CALLER_TTL_MS = 2000
const CALLERS_MAX = 50_000
const KEY_TOUCH_MS = 30_000

export async function createApp(parts: AppParts): Promise<App> {
  const { sql, clock } = parts
  let leaving = false
  let stopping = false

  const pages = loadPages(parts)
  const http = createHttpServer({
    ...parts,
    isLeaving: () => leaving,
    isStopping: () => stopping,
    sendNotFoundPage: (reply) => sendPage(reply, pages, { status: 404 }),
  })
  const underWay = trackUnderWay(http)
  const traced = parts.tracing?.traceRequests(http)
  http.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request)
    if (traced) traced.within(request, () => observe(route, request, reply, parts.metrics))
    else observe(route, request, reply, parts.metrics)
    done()
  })
  refuseOtherMethods(http)

  const keys = trackKeyUse(sql, clock, parts.logger)
  const findKeyNow = async (apiKey: string) => {
    // A mistyped key never costs a look-up in the database.
    if (!isWellFormedApiKey(apiKey)) return undefined
    const caller = await findKeyCaller(sql, apiKey)
    if (!caller || caller.expiresAtMs <= clock.now()) return undefined
    keys.used(caller.credentialId)
    return caller
  }
  const callers = cacheCallers(findKeyNow, { clock, ttlMs: CALLER_TTL_MS, entriesMax: CALLERS_MAX })
  const allowances = cacheAllowances(parts)
  const tokensPerMinuteOf = (organisationId: string) =>
    whenThere(allowances.find(organisationId), (plan) => plan.tokens_per_minute ?? LIMITS.rates.tokensPerMinuteDefault)
  const { countToken, countSignIn, countOAuth, countPaymentEvent: onPaymentEvent } = parts.metrics ?? {}
  // From 0 on: an alert sees the first one rise, too.
  for (const outcome of PAYMENT_EVENT_OUTCOMES) onPaymentEvent?.(outcome, 0)
  for (const outcome of SIGN_IN_OUTCOMES) countSignIn?.(outcome, 0)
  const afterwards = createAfterwards((err) => parts.logger.warn({ err }, 'work after an answer failed'))
  const oauth =
    parts.oauth &&
    (await registerOAuth(http, {
      ...parts,
      ...parts.oauth,
      pages,
      tokensPerMinuteOf,
      countToken,
      countSignIn,
      countOAuth,
      afterwards,
    }))
  const authentication: Authentication = {
    findByApiKey: callers.find,
    ...(oauth ? { findByToken: oauth.findByToken, resourceMetadataUrl: oauth.resourceMetadataUrl } : {}),
  }
  const now: Authentication = {
    ...authentication,
    findByApiKey: findKeyNow,
    ...(oauth ? { findByToken: oauth.findTokenNow } : {}),
  }
  const limiter = createRateLimiter({ clock, bucketsMax: CALLERS_MAX })

  registerOpenApi(http, { baseUrl: parts.baseUrl, servedElsewhere: OAUTH_ROUTES })
  const storeWrites = parts.storeWrites ?? watchStoreWrites(sql)
  const readiness = createReadiness(
    [
      { part: 'server', problem: async () => (leaving ? 'is shutting down' : undefined) },
      { part: 'store', problem: storeWrites.problem },
      {
        part: 'engine',
        problem: async () =>
          (await parts.engine.intelligence()) ? undefined : 'has no intelligence or cannot be reached',
      },
    ],
    parts.logger,
  )
  registerHealth(http, readiness)
  const inFlight = createInFlight()
  const seal = keptAnswers(parts.ring)
  const findBySession = oauth && sessionCallers(oauth)
  http.addHook('preHandler', stillTheSame({ authentication, findBySession }, CALLER_TTL_MS))
  registerRiskRoutes(http, {
    engine: parts.engine,
    charge: parts.meter.charge,
    foresee: parts.meter.foresee,
    async findStored(organisationId, key) {
      const row = await findStoredResponse(sql, { organisationId, key, nowMs: clock.now() })
      return row && openAnswer(seal, row)
    },
    inFlight,
    gate: (options) => riskGate({ authentication, findBySession, limiter, allowanceOf: allowances.find }, options),
  })
  const resources = {
    ...parts,
    provider: parts.payments.name,
    inFlight,
    seal,
    cursors: createCursors(parts.ring),
    gate: (options: ResourceGateOptions) => resourceGate({ authentication, findBySession, limiter }, options),
    passAgain: (request: FastifyRequest, options: ResourceGateOptions) =>
      passAgain({ authentication: now, findBySession }, request, options),
  }
  // The change itself is durable; the other nodes look again within seconds anyway.
  const notAnnounced = (err: unknown) => parts.logger.warn({ err }, 'a change was not announced')
  const forgetAccounts = () => {
    callers.forget()
    oauth?.forget()
    allowances.forget()
  }
  const stopListening = await sql.listen(ACCOUNTS_CHANNEL, forgetAccounts)
  const announcing = {
    async onAccountChanged(organisationId: string) {
      forgetAccounts()
      await announceAccountChange(sql, organisationId).catch(notAnnounced)
    },
    async onPeopleChanged() {
      oauth?.forget()
      await announcePersonChange(sql).catch(notAnnounced)
    },
  }
  registerBilling(http, { ...resources, ...announcing, onPaymentEvent })
  registerIdentity(http, {
    ...resources,
    ...announcing,
    requireSession: oauth?.requireSession,
    onKeysChanged: callers.forget,
    async onClientChanged(clientId) {
      oauth?.forget()
      await announceClientChange(sql, clientId).catch(notAnnounced)
    },
  })
  registerOfferRoute(http, parts)
  registerSampleRoute(http, parts)
  if (oauth) {
    registerIntelligenceRoutes(http, {
      sql,
      keys: parts.feedKeys,
      snapshotInfo: () => parts.snapshotInfo?.(),
      engineInfo: () => parts.engine.intelligence(),
      requireSession: oauth.requireSession,
    })
    const operating = { ...resources, ...announcing, requireSession: oauth.requireSession }
    registerOperatorRoutes(http, operating)
    registerPersonActs(http, operating)
    registerAccountApplications(http, operating)
    registerAccount(http, {
      ...parts,
      ...announcing,
      ...oauth,
      afterwards,
      onSignUpConfirmed: (tx, { person, organisationId, isNew }) =>
        giveCheckout(tx, { organisationId, personId: person.id, endsClaim: !isNew }),
    })
    registerStatusRoute(http, { ...operating, keys: parts.feedKeys })
  }
  registerReference(http, parts)
  registerPages(http, pages)
  await http.ready()

  return {
    http,
    isReady: async () => (await readiness.ask()).ready,
    readiness: readiness.ask,
    requestsUnderWay: () => underWay.count,
    afterAnswers: afterwards.settled,
    purgeTokens: async () => (await oauth?.purge())?.deleted ?? 0,
    async drain(graceMs, delayMs = 0) {
      leaving = true
      if (delayMs > 0) await delay(delayMs)
      stopping = true
      let timer: NodeJS.Timeout | undefined
      const graceOver = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs)
      })
      await Promise.race([underWay.idle(), graceOver])
      clearTimeout(timer)
    },
    async close() {
      leaving = true
      stopping = true
      await http.close()
      await afterwards.settled()
      await stopListening()
      await oauth?.close()
      await keys.close()
    },
  }
}

/** Whoever is signed in, in the organisation the request names, or in their only one. */
function sessionCallers(oauth: OAuth): FindSessionCaller {
  return async (request) => {
    const named = request.headers['x-organisation-id']
    if (typeof named === 'string') return oauth.sessionCaller(request, named)
    const { organisations } = await oauth.requireSession(request)
    const [only, ...others] = organisations
    if (only && others.length === 0) return oauth.sessionCaller(request, only.id)
    throw new Problem('invalid_header', { detail: 'Say which organisation: send its id in x-organisation-id.' })
  }
}

/** What each organisation's plan allows, re-read every few seconds so that a change of plan is noticed. */
function cacheAllowances(parts: AppParts) {
  const find = async (organisationId: string): Promise<Allowance> =>
    planOf(parts.plans, await readAccount(parts, organisationId))
  return rememberLookUps(find, { clock: parts.clock, ttlMs: CALLER_TTL_MS, entriesMax: CALLERS_MAX })
}

/** Remembers when keys were looked up and writes it down now and then: a write per request would cost more than it. */
function trackKeyUse(sql: Sql, clock: Clock, logger: FastifyBaseLogger) {
  const used = new Map<string, number>()
  const flush = async () => {
    const batch = new Map(used)
    used.clear()
    await touchKeys(sql, batch).catch((err: unknown) => logger.warn({ err }, 'last use of keys not written'))
  }
  const timer = setInterval(flush, KEY_TOUCH_MS)
  timer.unref()
  return {
    used(keyId: string): void {
      used.set(keyId, clock.now())
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

function observe(
  route: string,
  request: { id: string; method: string; caller: Caller | undefined; log: FastifyBaseLogger },
  reply: { statusCode: number; elapsedTime: number },
  metrics: Metrics | undefined,
): void {
  metrics?.observeRequest({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  // What succeeded and was charged stands in the ledger under its request id: the log tells of the rest, unless asked.
  const level = reply.statusCode >= 400 ? 'info' : 'debug'
  if (!isWritten(request.log, level)) return
  request.log[level](
    {
      request_id: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 100) / 100,
      organisation_id: request.caller?.organisationId,
      credential_id: request.caller?.credentialId,
    },
    'request',
  )
}

function isWritten(log: FastifyBaseLogger, level: 'info' | 'debug'): boolean {
  return (log as Partial<Pick<Logger, 'isLevelEnabled'>>).isLevelEnabled?.(level) ?? true
}

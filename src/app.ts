import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { isWellFormedApiKey } from './access/api-key.ts'
import type { Authentication } from './access/auth.ts'
import { cacheCallers } from './access/caller-cache.ts'
import {
  type Allowance,
  type FindSessionCaller,
  type ResourceGateOptions,
  reauthorise,
  recheckCaller,
  resourceGate,
  riskGate,
} from './access/gate.ts'
import { createRateLimiter } from './access/limits.ts'
import type { RequireSession } from './access/session.ts'
import { createTurns } from './access/turns.ts'
import { giveCheckout } from './billing/checkout/checkout.ts'
import { PAYMENT_EVENT_OUTCOMES } from './billing/dependencies.ts'
import { registerBilling } from './billing/http.ts'
import { planOf, readAccount } from './billing/ledger/accounts.ts'
import type { Meter } from './billing/ledger/meter.ts'
import type { PaymentProvider } from './billing/payments/provider.ts'
import type { Plans } from './billing/plans.ts'
import type { BillingSettings } from './billing/settings.ts'
import { ACCOUNTS_CHANNEL, announceAccountChange } from './billing/subscription/open-account.ts'
import type { Replica } from './db/replica.ts'
import type { Sql } from './db/sql.ts'
import { findStoredResponse, keptAnswers, openAnswer } from './db/stored-response.ts'
import { createDocuments } from './documents/documents.ts'
import { Problem } from './errors.ts'
import { registerEvents } from './events/http.ts'
import { DELIVERED_EVENTS } from './events/schema.ts'
import type { FeedKeys } from './feeds/keys.ts'
import { REFUSED_FOR } from './http/connection-limits.ts'
import { createInFlight } from './http/idempotency.ts'
import { registerOpenApi, registerReference } from './http/openapi.ts'
import type { Announcing } from './http/operation.ts'
import { createCursors } from './http/page.ts'
import { registerPageOperations } from './http/page-operation.ts'
import { loadPages, registerPages, sendPage } from './http/pages.ts'
import { logRequest } from './http/request-log.ts'
import { beforeHandlers, createHttpServer, refuseOtherMethods, routeOf } from './http/server.ts'
import type { TurnLimits } from './http/turns.ts'
import { trackUnderWay } from './http/under-way.ts'
import { announceClientChange, announcePersonChange } from './identity/announce.ts'
import { registerIdentity } from './identity/http.ts'
import { findKeyCaller, ownersOfKeys, trackUses } from './identity/keys/keys.ts'
import { isOperator } from './identity/people/changes.ts'
import { SIGN_IN_OUTCOMES } from './identity/people/sign-in.ts'
import { refuseWait, requireAttemptFrom, returnAttemptFrom, takeAttempt } from './identity/people/throttle.ts'
import { createSessions, type Sessions } from './identity/sessions/sessions.ts'
import { registerLeaving } from './leaving/http.ts'
import { createAfterwards } from './lib/afterwards.ts'
import { type Clock, DAY_MS } from './lib/clock.ts'
import type { Lifetimes } from './lib/lifetimes.ts'
import { cacheLookUps } from './lib/look-up-cache.ts'
import { thenSync } from './lib/maybe.ts'
import type { PlaceOf } from './lib/place.ts'
import type { Ring } from './lib/seal.ts'
import { LIMITS } from './limits.ts'
import type { DnsResolver } from './live/dns/resolver.ts'
import { registerWebhooks } from './notify/http.ts'
import { OAUTH_ROUTES } from './oauth/openapi.ts'
import { registerOAuth } from './oauth/server.ts'
import { createReadiness, registerHealth } from './ops/health.ts'
import type { Metrics } from './ops/metrics.ts'
import { type StoreWrites, watchStoreWrites } from './ops/store-writes.ts'
import type { Tracing } from './ops/tracing.ts'
import { registerOwn } from './own/http.ts'
import { announceOwnChange } from './own/version.ts'
import { publicPages, signedInPages } from './page-operations.ts'
import { createFollowUp } from './record/follow-up.ts'
import { registerRecord } from './record/http.ts'
import { createRecorder } from './record/keep.ts'
import { makeRecords } from './record/lists.ts'
import type { RiskEngine } from './risk/engine.ts'
import { registerRiskRoutes } from './risk/routes.ts'
import { shareRates } from './shared-rates.ts'
import type { SnapshotInfo } from './snapshot/types.ts'
import { registerSupport } from './support/http.ts'
import type { Maintenance } from './support/maintenance.ts'
import { createRequestNotes } from './support/requests.ts'

/** The composition root: a plain call creates each part and passes its dependencies. */

export interface AppParts {
  readonly sql: Sql
  readonly replica?: Replica | undefined
  readonly engine: RiskEngine
  readonly meter: Meter
  readonly plans: Plans
  readonly settings: BillingSettings
  readonly clock: Clock
  readonly logger: FastifyBaseLogger
  readonly baseUrl: string
  /** False in development: applications may then be on this machine, by http. */
  readonly production: boolean
  readonly trustProxy: boolean | string[]
  /** How many requests begin at once, and how long the others wait; a default for each. */
  readonly turns?: Partial<TurnLimits>
  readonly metrics?: Metrics
  readonly tracing?: Tracing | undefined
  /** Refuses requests while the operator has closed the service. */
  readonly maintenance?: Pick<Maintenance, 'refusal'> | undefined
  /** Notified of commits by parts that write often; if absent, readiness checks the store itself. */
  readonly storeWrites?: StoreWrites
  /** The snapshot that answers come from, if this process holds it. */
  readonly snapshotInfo?: (() => SnapshotInfo) | undefined
  /** Finds the place of an IP address; only if this process holds the snapshot. */
  readonly placeOf?: PlaceOf | undefined
  /** Feed keys by variable name: the console shows a feed without its key as off. */
  readonly feedKeys?: FeedKeys | undefined
  readonly payments: PaymentProvider
  /** Looks up the records that prove domains; absent where look-ups are off. */
  readonly resolver?: Pick<DnsResolver, 'ask'> | undefined
  /** The keys that seal and sign; identical on every node. */
  readonly ring: Ring
  /** True if this server can send mail; otherwise links are shown to the person who creates them. */
  readonly sendsMail?: boolean
  /** If absent, the server accepts API keys only: no sign-in, no tokens. */
  readonly oauth?: { readonly lifetimes: Lifetimes }
}

/** The maximum age of a cached caller: a revoked key or disabled organisation must be noticed within 5 s. */
const CALLER_TTL_MS = 2000
const CALLERS_MAX = 50_000

export type App = Awaited<ReturnType<typeof createApp>>

export async function createApp(parts: AppParts) {
  const { sql, clock } = parts
  let leaving = false
  let stopping = false

  const pages = loadPages(parts)
  const http = createHttpServer({
    ...parts,
    isLeaving: () => leaving,
    isStopping: () => stopping,
    closedFor: parts.maintenance?.refusal,
    sendNotFoundPage: (reply) => sendPage(reply, pages, { status: 404 }),
    onConnectionRefused: parts.metrics?.countRefusedConnection,
  })
  const underWay = trackUnderWay(http)
  const requests = createRequestNotes({
    sql,
    ownersOfKeys: (digests) => ownersOfKeys(sql, digests),
    onTrouble: (err) => parts.logger.warn({ err }, 'answered requests could not be noted; they wait'),
  })
  const traced = parts.tracing?.traceRequests(http)
  http.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request)
    parts.metrics?.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    if (traced) traced.within(request, () => logRequest(request, route, reply))
    else logRequest(request, route, reply)
    requests.note(request, route, reply)
    done()
  })
  refuseOtherMethods(http)

  // Closed in reverse. When a step below fails, the earlier steps are undone.
  await using opened = new AsyncDisposableStack()
  const uses = trackUses(sql, clock, (err) =>
    parts.logger.warn({ err }, 'last use of keys and applications not written'),
  )
  opened.defer(uses.close)
  opened.defer(requests.close)
  const findKeyNow = async (apiKey: string) => {
    // A mistyped key never costs a database look-up.
    if (!isWellFormedApiKey(apiKey)) return undefined
    const caller = await findKeyCaller(sql, apiKey)
    if (!caller || caller.expiresAtMs <= clock.now()) return undefined
    uses.used(caller.credentialId)
    return caller
  }
  const callers = cacheCallers(findKeyNow, { clock, ttlMs: CALLER_TTL_MS, entriesMax: CALLERS_MAX })
  const allowances = cacheAllowances(parts)
  const tokensPerMinuteOf = (organisationId: string) =>
    thenSync(allowances.find(organisationId), (plan) => plan.tokens_per_minute ?? LIMITS.rates.tokensPerMinuteDefault)
  const { countToken, countSignIn, countOAuth, countPaymentEvent: onPaymentEvent } = parts.metrics ?? {}
  // Start at 0, so that an alert sees the first increase too.
  for (const outcome of PAYMENT_EVENT_OUTCOMES) onPaymentEvent?.(outcome, 0)
  for (const outcome of SIGN_IN_OUTCOMES) countSignIn?.(outcome, 0)
  for (const reason of REFUSED_FOR) parts.metrics?.countRefusedConnection(reason, 0)
  const afterwards = createAfterwards((err) => parts.logger.warn({ err }, 'work after an answer failed'))
  const sessions =
    parts.oauth &&
    createSessions({ ...parts, sessionSeconds: parts.oauth.lifetimes.sessionSeconds, countSignIn, afterwards })
  const oauth =
    parts.oauth &&
    sessions &&
    (await registerOAuth(http, {
      ...parts,
      ...parts.oauth,
      sessions,
      pages,
      tokensPerMinuteOf,
      onClientUsed: uses.used,
      countToken,
      countOAuth,
    }))
  opened.defer(async () => oauth?.close())
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
  opened.defer(await shareRates(sql, limiter))
  const turns = createTurns(LIMITS.queues.readsAtOnceMax)

  registerOpenApi(http, { baseUrl: parts.baseUrl, servedElsewhere: OAUTH_ROUTES, webhooks: DELIVERED_EVENTS })
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
  const findBySession = sessions && sessionCallers(sessions)
  beforeHandlers(http, recheckCaller({ authentication, findBySession }, CALLER_TTL_MS))
  const followUp = createFollowUp(parts, (err) => parts.logger.warn({ err }, 'work of kept checks is left to a job'))
  opened.defer(followUp.close)
  const recorder = createRecorder({
    ...parts,
    onWorkLeft: followUp.soon,
    onListKept: (list) => afterwards.do(() => makeRecords(parts, list).then(followUp.soon)),
  })
  registerRiskRoutes(http, {
    engine: parts.engine,
    keeperOf: recorder.keeperOf,
    charge: parts.meter.charge,
    foresee: parts.meter.foresee,
    async findStored(organisationId, key) {
      const row = await findStoredResponse(sql, { organisationId, key, nowMs: clock.now() })
      return row && openAnswer(seal, row)
    },
    inFlight,
    gate: (options) => riskGate({ authentication, findBySession, limiter, allowanceOf: allowances.find }, options),
  })
  const { replica } = parts
  const documents = createDocuments({ place: sql.place, replica, count: parts.metrics?.countDocument })
  opened.defer(documents.close)
  const shared = {
    ...parts,
    documents,
    reading: replica?.reading ?? (async () => sql),
    requests,
    provider: parts.payments.name,
    inFlight,
    seal,
    changeTurns: createTurns(LIMITS.queues.changesAtOnceMax),
    cursors: createCursors(parts.ring),
    gate: (options: ResourceGateOptions) => resourceGate({ authentication, findBySession, limiter, turns }, options),
    reauthorise: (request: FastifyRequest, options: ResourceGateOptions) =>
      reauthorise({ authentication: now, findBySession }, request, options),
  }
  // The change itself is durable; the other nodes check again within seconds anyway.
  const notAnnounced = (err: unknown) => parts.logger.warn({ err }, 'a change was not announced')
  const forgetAccounts = () => {
    callers.forget()
    oauth?.forget()
    allowances.forget()
    recorder.forget()
  }
  opened.defer(await sql.listen(ACCOUNTS_CHANNEL, forgetAccounts))
  const announcing: Announcing = {
    async onAccountChanged(organisationId) {
      forgetAccounts()
      await announceAccountChange(sql, organisationId).catch(notAnnounced)
    },
    async onPeopleChanged() {
      oauth?.forget()
      await announcePersonChange(sql).catch(notAnnounced)
    },
    onKeysChanged: callers.forget,
    async onClientChanged(clientId) {
      oauth?.forget()
      await announceClientChange(sql, clientId).catch(notAnnounced)
    },
    onOwnChanged: (organisationId) => announceOwnChange(sql, organisationId).catch(notAnnounced),
  }
  const resources = { ...shared, ...announcing }
  registerBilling(http, { ...resources, onPaymentEvent })
  registerIdentity(http, { ...resources, requireSession: sessions?.requireSession })
  registerOwn(http, resources)
  registerRecord(http, resources)
  registerEvents(http, resources)
  registerLeaving(http, resources)
  registerWebhooks(http, resources)
  registerSupport(http, resources)
  registerPageOperations(
    http,
    {
      requireSession: sessions?.requireSession ?? nobodySignsIn,
      isOperator: (personId) => isOperator(sql, personId),
      takeShare(personId, { raw }) {
        limiter.take(personId, LIMITS.rates.pageRequestsPerSecond, 'pages')
        return turns.take(personId, raw)
      },
    },
    [
      ...publicPages({ ...parts, takeFreeTry: freeTriesOf(parts) }),
      ...(sessions && oauth
        ? signedInPages({
            ...resources,
            ...parts.oauth!,
            ...oauth,
            ...sessions,
            sessions,
            keys: parts.feedKeys,
            snapshotInfo: () => parts.snapshotInfo?.(),
            engineInfo: () => parts.engine.intelligence(),
            afterwards,
            onSignUpConfirmed: (tx, { person, organisationId, provedPassword }) =>
              giveCheckout(tx, { organisationId, personId: person.id, endsClaim: !provedPassword }),
          })
        : []),
    ],
  )
  registerReference(http, parts)
  registerPages(http, pages)
  opened.defer(afterwards.settled)
  // Closed first: a request in progress may use every other part.
  opened.defer(() => http.close())
  await http.ready()

  const closers = opened.move()
  return {
    http,
    isReady: async () => (await readiness.ask()).ready,
    readiness: readiness.ask,
    requestsUnderWay: () => underWay.count,
    requestNotesDropped: requests.dropped,
    connections: () => promisify(http.server.getConnections).call(http.server),
    /** Resolves when the work deferred until after the answers is done. */
    afterAnswers: afterwards.settled,
    /** Deletes expired codes, tokens and sessions; returns how many. */
    purgeTokens: async () => (await oauth?.purge())?.deleted ?? 0,
    /**
     * Marks the node as not ready and ends each connection with its next answer, for `delayMs`, in which a balancer
     * notices. Then nobody can connect any more: a balancer without health checks goes to the next node, and none gets a
     * 503. Without a delay there is no other node, and new requests get 503. Resolves when the requests in progress are
     * answered, or after the grace time.
     */
    async drain(graceMs: number, delayMs = 0) {
      leaving = true
      stopping = delayMs === 0
      if (delayMs > 0) {
        await delay(delayMs)
        // Closes idle connections too; Fastify's own close comes later, and finds the server closed.
        http.server.close()
        await delay(ON_THE_WAY_MS)
      }
      await Promise.race([underWay.idle(), delay(graceMs, undefined, { ref: false })])
      stopping = true
    },
    async close() {
      leaving = true
      stopping = true
      await closers.disposeAsync()
    },
  }
}

/** A connection that was accepted last has its request by then. */
const ON_THE_WAY_MS = 250

const nobodySignsIn: RequireSession = () => Promise.reject(new Problem('session_missing', { detail: 'Sign in first.' }))

/** The signed-in person, in the organisation that the request names, or in their only one. */
function sessionCallers(sessions: Sessions): FindSessionCaller {
  return async (request) => {
    const named = request.headers['x-organisation-id']
    if (typeof named === 'string') return sessions.sessionCaller(request, named)
    const { organisations } = await sessions.requireSession(request)
    const [only, ...others] = organisations
    if (only && others.length === 0) return sessions.sessionCaller(request, only.id)
    throw new Problem('invalid_header', { detail: 'Choose the organisation: send its id in x-organisation-id.' })
  }
}

/** Counts free checks of strangers in the database: by address, and of all together, since they cause look-ups. */
function freeTriesOf({ sql, clock, settings: { freeTries } }: AppParts) {
  if (freeTries === 0) return undefined
  const limit = { attemptsMax: freeTries, windowMs: DAY_MS }
  return async (ip: string) => {
    await requireAttemptFrom({ sql, clock }, 'free try', ip, limit, 'You have used the free checks of today.')
    const { waitMs } = await takeAttempt(sql, 'free tries in all', LIMITS.attempts.freeTries, clock.now())
    refuseWait(waitMs, 'All free checks of today are used.')
    return () => returnAttemptFrom(sql, 'free try', ip)
  }
}

/** Caches each organisation's plan limits for a few seconds, so that a change of plan is noticed. */
function cacheAllowances(parts: AppParts) {
  const find = async (organisationId: string): Promise<Allowance> =>
    planOf(parts.plans, await readAccount(parts, organisationId))
  return cacheLookUps(find, { clock: parts.clock, ttlMs: CALLER_TTL_MS, entriesMax: CALLERS_MAX })
}

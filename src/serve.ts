import { join } from 'node:path'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { findUnknownPlans } from './billing/ledger/accounts.ts'
import { createMeter } from './billing/ledger/meter.ts'
import { refundCharge } from './billing/ledger/refund-charge.ts'
import { keepUncertainCharges } from './billing/ledger/uncertain-charges.ts'
import { invoiceProvider, type PaymentProvider } from './billing/payments/provider.ts'
import { loadPlans, type Plans } from './billing/plans.ts'
import { NO_PAYMENT_WORDS, refuseUnknownSignUpPlans, takesMoney } from './billing/settings.ts'
import { type Config, ConfigError, refuseWeakSecret } from './config.ts'
import { trustsAnybody } from './config-values.ts'
import { openReplica } from './db/replica.ts'
import { changeIn, type Sql } from './db/sql.ts'
import { keptAnswers } from './db/stored-response.ts'
import { type Demo, makeDemo } from './demo.ts'
import { eraseAgain, eraseUnder } from './leaving/erase.ts'
import { SECOND_MS } from './lib/clock.ts'
import { createDnsResolver, type DnsResolver } from './live/dns/resolver.ts'
import { addressText, createNodeReporter } from './node-heartbeat.ts'
import { createPurgeFactsJob, createServerJobs, startJobs } from './node-jobs.ts'
import { openConfiguredRing } from './operator/ring.ts'
import { logLinesDropped } from './ops/log-output.ts'
import { createMetrics, type Metrics, readWhenScraped, serveMetrics } from './ops/metrics.ts'
import { watchStoreWrites } from './ops/store-writes.ts'
import { openOwnKnowledge } from './own/source.ts'
import {
  type Closers,
  type EngineParts,
  listen,
  openEngine,
  opening,
  openParts,
  openRemoteEngine,
  type Parts,
} from './parts.ts'
import { sealingOfChecks } from './record/sealed.ts'
import { createOwnIndexes } from './risk/own/indexes.ts'
import { watchMaintenance } from './support/maintenance.ts'
import { tracedMeter } from './tracing-wrappers.ts'
import { billingSettingsOf, lifetimesOf, mailSettingsOf, stripeSettingsOf } from './verb/settings.ts'
import { erasuresFileOf } from './verb/store.ts'
import { VERSION } from './version.ts'

/** A running node: everything `assayd serve` starts, in order of need, and stops in reverse. */
export interface RunningNode {
  readonly url: string
  /** On the first start with an empty database: a demo organisation. */
  readonly demo: Demo | undefined
  stop(): Promise<void>
}

export async function startNode(config: Config, logger: Logger, closers: Closers = new AsyncDisposableStack()) {
  refuseWeakSecret(config)
  return opening(closers, logger, () => openServer(config, logger, closers))
}

async function openServer(config: Config, logger: Logger, closers: Closers): Promise<RunningNode> {
  if (trustsAnybody(config.ASSAY_TRUST_PROXY)) {
    logger.warn('ASSAY_TRUST_PROXY believes anybody: every client can choose its address. Name your proxies instead.')
  }
  const plans = loadPlans(config.ASSAY_PLANS_FILE)
  const settings = billingSettingsOf(config)
  if (
    settings.signUp !== 'closed' &&
    !takesMoney({ settings, provider: stripeSettingsOf(config) ? 'stripe' : 'invoice' })
  ) {
    logger.warn(`plans that cost money are not offered. ${NO_PAYMENT_WORDS}`)
  }
  const parts = await openParts(config, logger, closers)
  const { sql, tracing, time } = parts
  const { clock } = time
  await refuseUnknownPlans(sql, plans)
  refuseUnknownSignUpPlans(settings, plans)
  const ring = await openConfiguredRing(config, {
    sql,
    clock,
    onTrouble: (err) => logger.warn({ err }, 'the sealing keys could not be read again'),
  })
  closers.defer(() => ring.close())
  const readUrl = config.ASSAY_DATABASE_READ_URL
  const replica = readUrl === undefined ? undefined : openReplica({ primary: sql, url: readUrl })
  closers.defer(async () => replica?.close())
  const metrics = createMetrics(VERSION)
  const reporter = createNodeReporter({ sql, clock, keys: config.feedKeys, logger, metrics })
  const url = config.ASSAY_ENGINE_URL
  const knowledge = await openOwnKnowledge({ sql, clock })
  closers.defer(() => knowledge.close())
  const own = createOwnIndexes({ source: knowledge, clock })
  const { engine, live } = await (url ? openRemoteEngine(parts, url, own) : openEngine(parts, own, metrics))
  const payments = await openPayments(config)
  const rules = { plans, settings, provider: payments.name, sendsMail: mailSettingsOf(config) !== undefined }
  const place = { erasuresFile: erasuresFileOf(config), baseUrl: config.baseUrl }
  const erasing = eraseUnder({ ...rules, ...place, sql, clock }, ring)
  const again = await eraseAgain(erasing)
  if (again > 0) logger.warn({ erasures: again }, 'the database was older than its erasures: they were done again')
  const uncertain = keepUncertainCharges({
    folder: join(config.ASSAY_DATA_DIR, 'refunds-owed'),
    refund: (charge) => changeIn(sql, clock, (tx) => refundCharge(tx, rules, charge)),
    logger,
  })
  closers.defer(() => uncertain.close())
  const storeWrites = watchStoreWrites(sql)
  const meter = createMeter({
    onBatch(requests, seconds, charged) {
      metrics.observeBatch(requests, seconds)
      if (charged) storeWrites.wrote()
    },
    sql,
    clock,
    rules,
    uncertain,
    seal: keptAnswers(ring),
    sealing: () => sealingOfChecks(ring),
    onOutcome: metrics.countCharge,
  })
  closers.defer(() => meter.close())
  const resolver = openResolver(parts)
  const maintenance = await watchMaintenance({ sql, clock, logger })
  closers.defer(() => maintenance.close())
  const app = await createApp({
    sql,
    replica,
    engine,
    meter: tracedMeter(tracing, meter),
    ...rules,
    clock,
    logger,
    metrics,
    tracing,
    storeWrites,
    maintenance,
    snapshotInfo: engine.snapshotInfo,
    placeOf: engine.placeOf,
    feedKeys: config.feedKeys,
    baseUrl: config.baseUrl,
    production: config.production,
    trustProxy: config.ASSAY_TRUST_PROXY,
    ring,
    oauth: { lifetimes: lifetimesOf(config) },
    payments,
    resolver,
  })
  closers.defer(() => app.close())
  const { purgeTokens, readiness } = app
  const jobs = createServerJobs(parts, { rules, payments, ring, erasing, metrics, purgeTokens })
  startJobs(parts, jobs, reporter)
  const figures = {
    clockOffsetSeconds: () => time.machineAheadMs() / SECOND_MS,
    queues: () => ({ charges: meter.pending, ...queuesOf(engine, live, sql) }),
    uncertainCharges: () => uncertain.waiting,
    replica,
  }
  readWhenScraped(metrics, {
    ...figures,
    ...app,
    ...reporter,
    async snapshotAgeSeconds() {
      const info = await engine.intelligence()
      return info && (clock.now() - Date.parse(info.built_at)) / 1000
    },
    logLinesDropped,
    isClosed: maintenance.isOn,
    liveServers: async () => (await live?.servers()) ?? [],
    statements: () => sql.times.figures(),
  })
  const demo = config.production ? undefined : await makeDemo({ ...rules, sql, clock })
  await openMetrics(parts, metrics)
  const port = await listen(parts, app.http, config.PORT)
  const { intelligence } = engine
  const node = { role: 'server', host: config.HOST, port, jobs, readiness, intelligence } as const
  const heartbeat = await reporter.start({ ...figures, ...node, beforeBeat: maintenance.look })
  closers.defer(() => heartbeat.close())
  return {
    url: `http://${addressText(config.HOST, port)}`,
    demo,
    async stop() {
      await app.drain(config.ASSAY_SHUTDOWN_GRACE_MS, config.shutdownDelayMs)
      await closers.disposeAsync()
    },
  }
}

/** Few questions, each asked by a person who waits: they need no thread of their own. */
function openResolver({ config, closers }: Parts): DnsResolver | undefined {
  if (config.live === 'off') return undefined
  const resolver = createDnsResolver({ servers: config.ASSAY_DNS_SERVERS })
  closers.defer(async () => resolver.close())
  return resolver
}

function queuesOf(engine: EngineParts['engine'], live: EngineParts['live'], sql: Sql) {
  return { engine: engine.waiting?.() ?? null, live: live?.waiting() ?? null, store: sql.waiting }
}

async function openPayments(config: Config): Promise<PaymentProvider> {
  const stripe = stripeSettingsOf(config)
  if (!stripe) return invoiceProvider
  const { createStripeProvider } = await import('./billing/payments/stripe.ts')
  return createStripeProvider(stripe)
}

async function refuseUnknownPlans(sql: Sql, plans: Plans): Promise<void> {
  const unknown = await findUnknownPlans(sql, plans)
  if (unknown.length > 0) {
    throw new ConfigError([
      `ASSAY_PLANS_FILE: organisations are on the plan ${unknown.join(', ')}, which the file lacks. Put it back, or move them first.`,
    ])
  }
}

async function openMetrics({ config, logger, closers }: Parts, metrics: Metrics): Promise<void> {
  const { ASSAY_METRICS_HOST: host, ASSAY_METRICS_PORT: port } = config
  if (port === 'off') return
  const server = await serveMetrics(metrics, { host, port }).catch((error: Error) => {
    // An explicitly configured port that is taken stops the start; the default one is only a convenience.
    const asked = (['ASSAY_METRICS_HOST', 'ASSAY_METRICS_PORT'] as const).find((name) => config.explicit.has(name))
    if (asked) {
      throw new ConfigError([
        `${asked}: port ${port} of ${host} cannot be opened (${error.message}). Choose another, or ASSAY_METRICS_PORT=off.`,
      ])
    }
    logger.warn(`metrics are off: port ${port} is taken`)
    return undefined
  })
  closers.defer(async () => server?.close())
}

/** `assayd engine`: evaluation only, for remote API nodes. */
export async function startEngine(config: Config, logger: Logger, closers: Closers = new AsyncDisposableStack()) {
  const token = config.ASSAY_ENGINE_TOKEN
  if (!token) {
    throw new ConfigError(['ASSAY_ENGINE_TOKEN: is missing. Example: ASSAY_ENGINE_TOKEN=$(openssl rand -base64 48)'])
  }
  return opening(closers, logger, async () => {
    // For published snapshots and for facts: shared with other nodes, or its own.
    const parts = await openParts(config, logger, closers)
    const { sql, tracing, time } = parts
    const reporter = createNodeReporter({ sql, clock: time.clock, keys: config.feedKeys, logger })
    const { engine, live } = await openEngine(parts, undefined)
    // No other node would purge its own database.
    const jobs = [createPurgeFactsJob(parts)]
    startJobs(parts, jobs, reporter)
    const { createEngineServer } = await import('./risk/engine-server.ts')
    const app = createEngineServer({ engine, token, logger, watch: tracing?.traceRequests })
    closers.defer(() => app.close())
    const port = await listen(parts, app, config.ASSAY_ENGINE_PORT)
    const heartbeat = await reporter.start({
      role: 'engine',
      host: config.HOST,
      port,
      jobs,
      async readiness() {
        const ready = (await engine.intelligence()) !== undefined
        return { ready, parts: [{ part: 'engine', ready }] }
      },
      intelligence: engine.intelligence,
      queues: () => ({ charges: null, ...queuesOf(engine, live, sql) }),
      uncertainCharges: () => 0,
      clockOffsetSeconds: () => time.machineAheadMs() / SECOND_MS,
    })
    closers.defer(() => heartbeat.close())
    return { url: `http://${addressText(config.HOST, port)}`, stop: () => closers.disposeAsync() }
  })
}

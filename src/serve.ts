import { join } from 'node:path'
import type { Logger } from 'pino'
import { type App, createApp } from './app.ts'
import { type NodeWatch, watchNode } from './beating.ts'
import { arrangeOrganisation } from './billing/checkout/sign-up.ts'
import { createBillingJob } from './billing/job.ts'
import { findUnknownPlans } from './billing/ledger/accounts.ts'
import { createAnchorJob } from './billing/ledger/anchor-job.ts'
import { createMeter } from './billing/ledger/meter.ts'
import { refundCharge } from './billing/ledger/refund-charge.ts'
import { keepUncertainCharges } from './billing/ledger/uncertain-charges.ts'
import { purgePaymentEvents } from './billing/payments/payments.ts'
import { invoiceProvider, type PaymentProvider } from './billing/payments/provider.ts'
import { loadPlans } from './billing/plans.ts'
import { refuseUnknownSignUpPlans } from './billing/settings.ts'
import type { PresentDependencies } from './billing/subscription/present.ts'
import { type Config, ConfigError, refuseWeakSecret, trustsAnybody } from './config.ts'
import { migrate } from './db/migrate.ts'
import { type ClockTrouble, openServiceTime } from './db/service-time.ts'
import { changeIn, type Sql } from './db/sql.ts'
import { keptAnswers, purgeStoredResponses } from './db/stored-response.ts'
import { readCatalogue } from './feeds/catalogue.ts'
import { createFetcher } from './feeds/fetch.ts'
import { feedRefreshJob } from './feeds/refresh.ts'
import { isInvitationOpen } from './identity/invitations/invitations.ts'
import { organisations } from './identity/organisation/organisations.ts'
import { noteMailArrived, noteMailRefused } from './identity/people/mail-reach.ts'
import { hashPassword, newPassword } from './identity/people/passwords.ts'
import { openIntelligence } from './intelligence.ts'
import { createJobRunner, type Job } from './jobs/runner.ts'
import { type Clock, MINUTE_MS, SECOND_MS } from './lib/clock.ts'
import { giveStartMemoryBack } from './lib/garbage.ts'
import type { PlaceOf } from './lib/place.ts'
import type { Ring } from './lib/seal.ts'
import { createBootstrapJob } from './live/bootstrap-job.ts'
import { purgeFacts } from './live/fact-store.ts'
import type { FactSource } from './live/facts.ts'
import { openLive } from './live/open.ts'
import { createMailJob } from './mail/job.ts'
import { anchorsFileOf, openConfigured } from './operator/context.ts'
import { openConfiguredRing } from './operator/ring.ts'
import { lifetimesOf, liveSettingsOf, mailSettingsOf, settingsOf, tracingSettingsOf } from './operator/settings.ts'
import { logLinesDropped } from './ops/log-output.ts'
import { createMetrics, type Metrics, serveMetrics } from './ops/metrics.ts'
import { watchStoreWrites } from './ops/store-writes.ts'
import type { Tracing } from './ops/tracing.ts'
import { purgeMessages } from './outbox/outbox.ts'
import type { RiskEngine } from './risk/engine.ts'
import type { SnapshotInfo } from './snapshot/types.ts'
import type { Beating } from './status/nodes.ts'
import { tracedEngine, tracedFetcher, tracedJobs, tracedLive, tracedMeter } from './traced.ts'
import { VERSION } from './version.ts'

/** Shown once and kept nowhere. */
export interface Demo {
  readonly apiKey: string
  readonly email: string
  readonly password: string
}

/** A running node: everything `assayd serve` starts, in the order it is needed, and stops in reverse. */
export interface RunningNode {
  readonly url: string
  /** On the first start with an empty database: what to try things with. */
  readonly demo: Demo | undefined
  stop(): Promise<void>
}

export async function startNode(config: Config, logger: Logger): Promise<RunningNode> {
  refuseWeakSecret(config)
  const closers: (() => Promise<void>)[] = []
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    if (trustsAnybody(config.ASSAY_TRUST_PROXY)) {
      logger.warn('ASSAY_TRUST_PROXY believes anybody: every client can choose its address. Name your proxies instead.')
    }
    const plans = loadPlans(config.ASSAY_PLANS_FILE)
    const tracing = await openConfiguredTracing(config, logger)
    closers.push(async () => tracing?.close())
    const sql = await openConfigured(config, (text) => logger.warn(text))
    closers.push(() => sql.close())
    await bringUpToDate(sql, logger)
    const time = await openServiceTime(sql)
    const { clock } = time
    const looking = time.keepLooking({
      trouble: (trouble) => tellClockTrouble(logger, trouble),
      failure: (err) => logger.warn({ err }, 'the time could not be looked up; it goes on by the last look'),
    })
    closers.push(() => looking.close())
    await refuseUnknownPlans(sql, plans)
    const settings = settingsOf(config)
    refuseUnknownSignUpPlans(settings, plans)

    const ring = await openConfiguredRing(config, {
      sql,
      clock,
      onTrouble: (err) => logger.warn({ err }, 'the sealing keys could not be read again'),
    })
    closers.push(() => ring.close())
    let app: App | undefined
    const watch = watchNode({ sql, clock, keys: config.feedKeys, logger, metrics: () => metrics })
    const clockOffsetSeconds = () => time.machineAheadMs() / SECOND_MS
    const queues = () => ({
      charges: meter.pending,
      engine: engine.waiting?.() ?? null,
      live: live?.waiting() ?? null,
      store: sql.waiting,
    })
    const metrics = createMetrics({
      version: VERSION,
      async snapshotAgeSeconds() {
        const info = await engine.intelligence()
        return info && (clock.now() - Date.parse(info.built_at)) / 1000
      },
      isReady: async () => (await app?.isReady()) ?? false,
      logLinesDropped,
      clockOffsetSeconds,
      liveServers: async () => (await live?.servers()) ?? [],
      requestsUnderWay: () => app?.requestsUnderWay() ?? 0,
      queues,
      uncertainCharges: () => uncertain.waiting,
      statements: () => sql.times.figures(),
      jobs: watch.jobs,
      feeds: watch.feeds,
    })
    // An engine apart looks facts up itself.
    const live = config.ASSAY_ENGINE_URL
      ? undefined
      : openLive(liveSettingsOf(config), { sql, clock, logger, metrics: metrics.live })
    closers.push(async () => live?.close())
    const engine = tracedEngine(
      tracing,
      await openEngine(config, { sql, clock, facts: tracedLive(tracing, live), tracing }, logger),
    )
    closers.push(() => engine.close())
    const payments = await openPayments(config)
    const mail = mailSettingsOf(config)
    const rules = { plans, settings, provider: payments.name, sendsMail: mail !== undefined }
    const uncertain = keepUncertainCharges({
      folder: join(config.ASSAY_DATA_DIR, 'refunds-owed'),
      refund: (charge) => changeIn(sql, clock, (tx) => refundCharge(tx, rules, charge)),
      logger,
    })
    closers.push(() => uncertain.close())
    const storeWrites = watchStoreWrites(sql)
    const meter = createMeter({
      onBatch: metrics.observeBatch,
      sql,
      clock,
      rules,
      uncertain,
      seal: keptAnswers(ring),
      onOutcome(outcome, units) {
        metrics.countCharge(outcome, units)
        // A refusal writes nothing, and a repeated answer may come from memory.
        if (outcome !== 'refused' && outcome !== 'replayed') storeWrites.wrote()
      },
    })
    closers.push(() => meter.close())
    app = await createApp({
      sql,
      engine,
      meter: tracedMeter(tracing, meter),
      plans,
      settings,
      clock,
      logger,
      metrics,
      tracing,
      storeWrites,
      snapshotInfo: engine.snapshotInfo,
      placeOf: engine.placeOf,
      feedKeys: config.feedKeys,
      baseUrl: config.baseUrl,
      trustProxy: config.ASSAY_TRUST_PROXY,
      ring,
      sendsMail: rules.sendsMail,
      oauth: { lifetimes: lifetimesOf(config) },
      payments,
    })
    const running = app
    closers.push(() => running.close())
    const work = startJobs(config, { ...rules, sql, clock, payments, ring }, running, {
      logger,
      metrics,
      tracing,
      watch,
    })
    closers.push(work.stop)
    const demo = config.production ? undefined : await makeDemo({ ...rules, sql, clock })
    await openMetrics(config, metrics, logger, closers)
    await running.http.listen({ host: config.HOST, port: config.PORT })
    const keepMemory = giveStartMemoryBack()
    closers.push(async () => keepMemory())
    const address = running.http.server.address()
    const port = typeof address === 'object' && address ? address.port : config.PORT
    const beating = await watch.start({
      role: 'server',
      host: config.HOST,
      port,
      jobs: work.jobs,
      readiness: running.readiness,
      intelligence: engine.intelligence,
      queues,
      uncertainCharges: () => uncertain.waiting,
      clockOffsetSeconds,
    })
    closers.push(() => beating.close())
    return {
      url: `http://${config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port}`,
      demo,
      async stop() {
        await running.drain(config.ASSAY_SHUTDOWN_GRACE_MS, config.shutdownDelayMs)
        await closeAll()
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** A server migrates its database by itself; no verb but `assayd migrate` does. */
async function bringUpToDate(sql: Sql, logger: Logger): Promise<void> {
  const { applied } = await migrate(sql)
  if (applied.length > 0) logger.info({ applied, engine: sql.engine, program_version: VERSION }, 'database migrated')
}

function tellClockTrouble(logger: Logger, { message, steppedSeconds, aheadSeconds }: ClockTrouble): void {
  logger.warn({ stepped_seconds: steppedSeconds, ahead_seconds: aheadSeconds }, message)
}

/** Loaded only when the operator names a collector. */
async function openConfiguredTracing(config: Config, logger: Logger): Promise<Tracing | undefined> {
  const settings = tracingSettingsOf(config)
  if (!settings) return undefined
  const { openTracing } = await import('./ops/tracing.ts')
  return openTracing(settings, { version: VERSION, logger })
}

async function openPayments(config: Config): Promise<PaymentProvider> {
  const { ASSAY_STRIPE_SECRET_KEY: secretKey, ASSAY_STRIPE_WEBHOOK_SECRET: webhookSecret } = config
  if (!secretKey || !webhookSecret) return invoiceProvider
  const { createStripeProvider } = await import('./billing/payments/stripe.ts')
  return createStripeProvider({ secretKey, webhookSecret, apiBase: config.ASSAY_STRIPE_API_BASE })
}

async function openEngine(
  config: Config,
  {
    sql,
    clock,
    facts,
    tracing,
  }: {
    readonly sql: Sql
    readonly clock: Clock
    readonly facts: FactSource | undefined
    readonly tracing: Tracing | undefined
  },
  logger: Logger,
): Promise<RiskEngine & { snapshotInfo?: () => SnapshotInfo; placeOf?: PlaceOf }> {
  if (config.ASSAY_ENGINE_URL) {
    const { createRemoteEngine } = await import('./risk/remote.ts')
    return createRemoteEngine({
      url: config.ASSAY_ENGINE_URL,
      token: config.ASSAY_ENGINE_TOKEN ?? '',
      timeoutMs: config.ASSAY_ENGINE_TIMEOUT_MS,
      lookUpMs: { single: config.ASSAY_LIVE_BUDGET_MS, bulk: config.ASSAY_LIVE_BULK_BUDGET_MS },
      traceHeaders: tracing?.headers,
    })
  }
  return openIntelligence({
    sql,
    dataDir: config.ASSAY_DATA_DIR,
    threads: config.ASSAY_ENGINE_THREADS,
    clock,
    logger,
    facts,
  })
}

/** Work that goes on by itself, on one node at a time. */
function startJobs(
  config: Config,
  billing: PresentDependencies & { readonly payments: PaymentProvider; readonly ring: Ring },
  app: App,
  {
    logger,
    metrics,
    tracing,
    watch,
  }: {
    readonly logger: Logger
    readonly metrics: Metrics
    readonly tracing: Tracing | undefined
    readonly watch: NodeWatch
  },
): { readonly jobs: readonly Job[]; stop(): Promise<void> } {
  const { sql, clock, ring } = billing
  const jobs: Job[] = [
    {
      name: 'purge',
      periodMs: 10 * MINUTE_MS,
      async run() {
        const answers = await purgeStoredResponses(sql, clock.now())
        const tokens = await app.purgeTokens()
        const messages = await purgePaymentEvents(sql, clock.now())
        const mails = await purgeMessages(sql, clock.now())
        logger.info({ answers, tokens, messages, mails }, 'what has expired is deleted')
      },
    },
    purgeFactsJob(sql, clock),
    createBillingJob({
      ...billing,
      onError: (about, err) => logger.error({ about, err }, 'billing could not be brought up to date'),
    }),
    createAnchorJob({ sql, clock, ring, anchorsFile: anchorsFileOf(config), logger }),
  ]
  const mail = mailSettingsOf(config)
  if (mail) {
    jobs.push(
      createMailJob({
        sql,
        clock,
        ring,
        settings: mail,
        isWanted: async ({ kind }, link) => kind !== 'invitation' || isInvitationOpen(sql, link, clock.now()),
        onRefused: noteMailRefused,
        onSent: noteMailArrived,
        onOutcome: metrics.countMail,
        onWaiting: metrics.setMailWaiting,
        onTrouble: (problem) =>
          problem === undefined
            ? logger.info('Mail is sent again.')
            : logger.warn({ problem }, 'Mail cannot be sent. It waits, and is tried again.'),
      }),
    )
  }
  const fetcher = tracedFetcher(tracing, createFetcher())
  if (config.refreshFeeds && config.live !== 'off' && config.ASSAY_LIVE_RDAP === 'on' && !config.ASSAY_RDAP_URL) {
    const onRefused = (problem: string) =>
      logger.debug({ problem }, "IANA's list of registries was not refreshed; the last one stays")
    jobs.push(createBootstrapJob({ sql, clock, onRefused }))
  }
  if (config.refreshFeeds) {
    jobs.push(
      feedRefreshJob({
        sql,
        clock,
        fetcher,
        dataDir: config.ASSAY_DATA_DIR,
        keys: config.feedKeys,
        catalogue: readCatalogue(config.ASSAY_FEEDS_FILE),
        onOutcome: (outcome) => {
          if (outcome.status === 'failed' || outcome.status === 'held')
            logger.warn({ feed: outcome }, 'feed not refreshed')
          // One line for each of some seventy feeds a day would bury the rest.
          else logger.debug({ feed: outcome }, 'feed refreshed')
        },
        onOffline: (offline) => (offline ? logger.warn(OFFLINE) : logger.info('Feeds can be reached again.')),
      }),
    )
  }
  const runner = createJobRunner({
    sql,
    jobs: tracedJobs(tracing, jobs),
    onError: (job, err) => logger.error({ job, err }, 'a job failed'),
    onRun: watch.onRun,
  })
  runner.start()
  return {
    jobs,
    async stop() {
      await runner.stop()
      await fetcher.close()
    },
  }
}

/** About 400 bytes each. */
const FACTS_MAX = 300_000

function purgeFactsJob(sql: Sql, clock: Clock): Job {
  return {
    name: 'facts',
    periodMs: 10 * MINUTE_MS,
    async run() {
      await purgeFacts(sql, clock.now(), FACTS_MAX)
    },
  }
}

const OFFLINE =
  'No feed can be reached: this server seems to be offline. It answers from the intelligence it has and goes on trying; ASSAY_FEEDS_REFRESH=off stops that.'

/** Only on an empty database: an organisation to try things with. Its key is shown once and kept nowhere. */
function makeDemo(billing: PresentDependencies): Promise<Demo | undefined> {
  // Of several nodes that start at once on an empty database one makes it.
  return billing.sql.tryLock('demo', () => makeDemoOnce(billing))
}

async function makeDemoOnce(billing: PresentDependencies): Promise<Demo | undefined> {
  if ((await organisations.list(billing.sql, {}, { order: 'id', limit: 1 })).length > 0) return undefined
  const password = newPassword()
  const email = 'demo@example.com'
  const passwordHash = await hashPassword(password)
  const { apiKey } = await changeIn(billing.sql, billing.clock, (tx) =>
    arrangeOrganisation(tx, billing, {
      name: 'Demo organisation',
      planId: 'growth',
      keyName: 'demo key',
      owner: { email, name: 'Demo', passwordHash },
    }),
  )
  return { apiKey, email, password }
}

async function refuseUnknownPlans(sql: Sql, plans: ReturnType<typeof loadPlans>): Promise<void> {
  const unknown = await findUnknownPlans(sql, plans)
  if (unknown.length > 0) {
    throw new ConfigError([
      `ASSAY_PLANS_FILE: organisations are on the plan ${unknown.join(', ')}, which the file lacks. Put it back, or move them first.`,
    ])
  }
}

async function openMetrics(
  config: Config,
  metrics: ReturnType<typeof createMetrics>,
  logger: Logger,
  closers: (() => Promise<void>)[],
): Promise<void> {
  if (config.ASSAY_METRICS_PORT === 'off') return
  try {
    const server = await serveMetrics(metrics, { host: config.ASSAY_METRICS_HOST, port: config.ASSAY_METRICS_PORT })
    closers.push(() => server.close())
  } catch (error) {
    // Asked for by name, a port that is taken stops the start; the default one is only a convenience.
    const asked = (['ASSAY_METRICS_HOST', 'ASSAY_METRICS_PORT'] as const).find((name) => config.explicit.has(name))
    if (asked) {
      throw new ConfigError([
        `${asked}: port ${config.ASSAY_METRICS_PORT} of ${config.ASSAY_METRICS_HOST} cannot be opened (${(error as Error).message}). Choose another, or ASSAY_METRICS_PORT=off.`,
      ])
    }
    logger.warn(`metrics are off: port ${config.ASSAY_METRICS_PORT} is taken`)
  }
}

/** `assayd engine`: evaluation only, for API nodes elsewhere. */
export async function startEngine(config: Config, logger: Logger): Promise<{ url: string; stop(): Promise<void> }> {
  if (!config.ASSAY_ENGINE_TOKEN) {
    throw new ConfigError(['ASSAY_ENGINE_TOKEN: is missing. Example: ASSAY_ENGINE_TOKEN=$(openssl rand -base64 48)'])
  }
  const tracing = await openConfiguredTracing(config, logger)
  // To learn which snapshot is current, and to share facts with other nodes.
  const sql = await openConfigured(config, (text) => logger.warn(text))
  await bringUpToDate(sql, logger)
  // The time of the nodes that share these facts.
  const time = await openServiceTime(sql)
  const { clock } = time
  const looking = time.keepLooking({
    trouble: (trouble) => tellClockTrouble(logger, trouble),
    failure: (err) => logger.warn({ err }, 'the time could not be looked up; it goes on by the last look'),
  })
  const live = openLive(liveSettingsOf(config), { sql, clock, logger })
  const watch = watchNode({ sql, clock, keys: config.feedKeys, logger })
  // A database of its own has no node that would do it.
  const jobs = tracedJobs(tracing, [purgeFactsJob(sql, clock)])
  const purge = createJobRunner({
    sql,
    jobs,
    onError: (job, err) => logger.error({ job, err }, 'a job failed'),
    onRun: watch.onRun,
  })
  purge.start()
  const engine = tracedEngine(
    tracing,
    await openIntelligence({
      sql,
      dataDir: config.ASSAY_DATA_DIR,
      threads: config.ASSAY_ENGINE_THREADS,
      clock,
      logger,
      facts: tracedLive(tracing, live),
    }),
  )
  const { createEngineServer } = await import('./risk/engine-server.ts')
  const app = createEngineServer({ engine, token: config.ASSAY_ENGINE_TOKEN, logger, watch: tracing?.traceRequests })
  let beating: Beating | undefined
  let keepMemory: (() => void) | undefined
  const stop = async () => {
    keepMemory?.()
    await beating?.close()
    await app.close()
    await engine.close()
    await purge.stop()
    await live?.close()
    await looking.close()
    await sql.close()
    await tracing?.close()
  }
  try {
    await app.listen({ host: config.HOST, port: config.ASSAY_ENGINE_PORT })
    keepMemory = giveStartMemoryBack()
  } catch (error) {
    await stop()
    throw error
  }
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : config.ASSAY_ENGINE_PORT
  beating = await watch.start({
    role: 'engine',
    host: config.HOST,
    port,
    jobs,
    async readiness() {
      const ready = (await engine.intelligence()) !== undefined
      return { ready, parts: [{ part: 'engine', ready }] }
    },
    intelligence: engine.intelligence,
    queues: () => ({
      charges: null,
      engine: engine.waiting?.() ?? null,
      live: live?.waiting() ?? null,
      store: sql.waiting,
    }),
    uncertainCharges: () => 0,
    clockOffsetSeconds: () => time.machineAheadMs() / SECOND_MS,
  })
  return { url: `http://${config.HOST}:${port}`, stop }
}

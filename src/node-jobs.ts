import { createArchiveJob } from './archive/archive.ts'
import { createBillingJob } from './billing/job.ts'
import { createAnchorJob } from './billing/ledger/anchors-file.ts'
import { createVerifyJob } from './billing/ledger/verify.ts'
import { purgePaymentEvents } from './billing/payments/payment-table.ts'
import type { PaymentProvider } from './billing/payments/provider.ts'
import type { BillingRules } from './billing/subscription/open-account.ts'
import { purgeStoredResponses } from './db/stored-response.ts'
import { purgeEvents } from './events/events.ts'
import { readCatalogue } from './feeds/catalogue.ts'
import { createFetcher } from './feeds/fetch.ts'
import { feedRefreshJob } from './feeds/refresh.ts'
import { isInvitationOpen } from './identity/invitations/invitations.ts'
import { tellExpiringKeys } from './identity/keys/expiry.ts'
import { requireDueFactors } from './identity/organisation/second-factor.ts'
import { timeZoneOf } from './identity/people/devices.ts'
import { noteMailArrived, noteMailRefused } from './identity/people/mail-reach.ts'
import { checkStoredAddresses } from './identity/people/people.ts'
import { createJobRunner, type Job } from './jobs/runner.ts'
import { createErasureJob, type EraseDependencies } from './leaving/erase.ts'
import { MINUTE_MS } from './lib/clock.ts'
import type { Ring } from './lib/seal.ts'
import { createBootstrapJob } from './live/bootstrap-job.ts'
import { purgeFacts } from './live/fact-store.ts'
import { createMailJob } from './mail/job.ts'
import type { NodeReporter } from './node-heartbeat.ts'
import { createWebhookJob } from './notify/deliveries.ts'
import { sendDigests } from './notify/digest.ts'
import type { Metrics } from './ops/metrics.ts'
import { purgeMessages } from './outbox/outbox.ts'
import { purgeCounterparties } from './own/counterparties/purge.ts'
import type { Parts } from './parts.ts'
import { purgeChecks } from './record/erase.ts'
import { indexDigests, tellOfReviews } from './record/follow-up.ts'
import { makeWaitingRecords } from './record/lists.ts'
import { purgeRequests } from './support/requests.ts'
import { tracedFetcher, tracedJobs } from './tracing-wrappers.ts'
import { mailSettingsOf } from './verb/settings.ts'
import { anchorsFileOf, archiveFolderOf } from './verb/store.ts'

/** Runs the jobs on their schedules, each on one node at a time. */
export function startJobs(
  { sql, tracing, logger, closers }: Parts,
  jobs: readonly Job[],
  { onRun }: Pick<NodeReporter, 'onRun'>,
): void {
  /** The last error of each failing job: a job that fails every few seconds for one reason is logged once. */
  const failing = new Map<string, string>()
  const onError = (job: string, err: unknown) => {
    const reason = String(err)
    if (failing.get(job) !== reason) logger.error({ job, err }, 'a job failed')
    failing.set(job, reason)
  }
  const runner = createJobRunner({
    sql,
    jobs: tracedJobs(tracing, jobs),
    onError,
    onRun(run) {
      if (run.error === undefined && failing.delete(run.job)) logger.info({ job: run.job }, 'a job works again')
      return onRun(run)
    },
  })
  runner.start()
  closers.defer(() => runner.stop())
}

export function createServerJobs(
  parts: Parts,
  deps: {
    readonly rules: BillingRules
    readonly payments: PaymentProvider
    readonly ring: Ring
    readonly erasing: EraseDependencies
    readonly metrics: Metrics
    readonly purgeTokens: () => Promise<number>
  },
): readonly Job[] {
  const { config, sql, logger, closers } = parts
  const { clock } = parts.time
  const { ring } = deps
  const jobs: Job[] = [
    {
      name: 'purge',
      periodMs: 10 * MINUTE_MS,
      async run() {
        const answers = await purgeStoredResponses(sql, clock.now())
        const tokens = await deps.purgeTokens()
        const messages = await purgePaymentEvents(sql, clock.now())
        const mails = await purgeMessages(sql, clock.now())
        const counterparties = await purgeCounterparties(sql, clock)
        const checks = await purgeChecks({ sql, ring }, clock.now())
        const events = await purgeEvents(sql, clock.now())
        const requests = await purgeRequests(sql, clock.now())
        const purged = { answers, tokens, messages, mails, counterparties, checks, events, requests }
        logger.info(purged, 'expired rows are deleted')
        const people = await checkStoredAddresses(sql)
        if (people.length > 0) logger.warn({ people: people.slice(0, 100) }, INVALID_ADDRESSES)
      },
    },
    {
      name: 'checks',
      periodMs: MINUTE_MS,
      async run(signal) {
        await makeWaitingRecords({ sql, ring }, signal)
        await indexDigests(sql)
        await tellOfReviews(sql, clock)
      },
    },
    createPurgeFactsJob(parts),
    createBillingJob({
      ...deps.rules,
      sql,
      clock,
      payments: deps.payments,
      onError: (about, err) => logger.error({ about, err }, 'billing could not be brought up to date'),
    }),
    createErasureJob(deps.erasing),
    createAnchorJob({ sql, clock, ring, anchorsFile: anchorsFileOf(config), logger }),
    createVerifyJob({ sql, ring, anchorsFile: anchorsFileOf(config) }),
  ]
  if (config.ASSAY_LEDGER_KEPT_MONTHS > 0) {
    jobs.push(
      createArchiveJob({
        sql,
        clock,
        ring,
        baseUrl: config.baseUrl,
        folder: archiveFolderOf(config),
        keptMonths: config.ASSAY_LEDGER_KEPT_MONTHS,
        onArchived: (archive) => logger.info({ archive }, 'a month of the ledger is archived'),
      }),
    )
  }
  const mail = mailSettingsOf(config)
  const webhooks = createWebhookJob({
    sql,
    clock,
    ring,
    allowLoopback: !config.production,
    sendsMail: mail !== undefined,
    onOutcome: deps.metrics.countWebhook,
    onWaiting: deps.metrics.setWebhooksWaiting,
    onError: (err) => logger.error({ err }, 'a delivery to a webhook could not be recorded'),
  })
  closers.defer(() => webhooks.close())
  jobs.push(webhooks, {
    name: 'notices',
    periodMs: MINUTE_MS,
    async run(signal) {
      await requireDueFactors(sql, clock, signal)
      await tellExpiringKeys(sql, clock, signal)
      if (mail) await sendDigests(sql, clock, signal)
    },
  })
  if (mail) {
    jobs.push(
      createMailJob({
        sql,
        clock,
        ring,
        settings: mail,
        isWanted: async ({ kind }, link) => kind !== 'invitation' || isInvitationOpen(sql, link, clock.now()),
        timeZoneOf: (personId) => timeZoneOf(sql, personId),
        onRefused: noteMailRefused,
        onSent: noteMailArrived,
        onOutcome: deps.metrics.countMail,
      }),
    )
  }
  if (!config.refreshFeeds) return jobs
  if (config.live !== 'off' && config.ASSAY_LIVE_RDAP === 'on' && !config.ASSAY_RDAP_URL) {
    const onRefused = (problem: string) =>
      logger.debug({ problem }, "IANA's list of registries was not refreshed; the last one stays")
    jobs.push(createBootstrapJob({ sql, clock, onRefused }))
  }
  const fetcher = tracedFetcher(parts.tracing, createFetcher())
  closers.defer(() => fetcher.close())
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
        // One line for each of some seventy feeds a day would hide the rest.
        else logger.debug({ feed: outcome }, 'feed refreshed')
      },
      onOffline: (offline) => (offline ? logger.warn(OFFLINE) : logger.info('Feeds can be reached again.')),
    }),
  )
  return jobs
}

const INVALID_ADDRESSES =
  'These people have an address that is not valid, so they get no mail. List them: assayd user list --invalid-addresses'

const OFFLINE =
  'No feed can be reached: this server seems to be offline. It answers with its current intelligence and retries; ASSAY_FEEDS_REFRESH=off stops that.'

/** About 400 bytes each. */
const FACTS_MAX = 300_000

export function createPurgeFactsJob({ sql, time }: Pick<Parts, 'sql' | 'time'>): Job {
  return {
    name: 'facts',
    periodMs: 10 * MINUTE_MS,
    async run() {
      await purgeFacts(sql, time.clock.now(), FACTS_MAX)
    },
  }
}

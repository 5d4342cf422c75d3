import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics for Prometheus, on their own port so that they are never exposed with the API by accident. */
export type Metrics = ReturnType<typeof createMetrics>

/** Sources of the figures that are read at each Prometheus scrape. None of them queries the database. */
export interface MetricSources {
  /** Seconds since the snapshot in use was built; undefined while there is none. */
  readonly snapshotAgeSeconds: () => Promise<number | undefined>
  /** Seconds since a newer snapshot was published that this node does not use; 0 if it uses the newest. */
  readonly snapshotBehindSeconds: () => number
  /** Undefined where this node has no read replica. */
  readonly replica?: { readonly lagSeconds: () => number | undefined } | undefined
  readonly isReady: () => Promise<boolean>
  readonly logLinesDropped: () => number
  /** By how much this machine's clock is ahead of the service's time. */
  readonly clockOffsetSeconds: () => number
  /** Servers that were asked for facts; `closedMs` is 0 for servers that may be asked. */
  readonly liveServers: () => Promise<readonly { readonly server: string; readonly closedMs: number }[]>
  readonly requestsUnderWay: () => number
  readonly requestNotesDropped: () => number
  /** True while the operator has closed the service. */
  readonly isClosed: () => boolean
  readonly connections: () => Promise<number>
  /** Lengths of the queues; null where this node has no such queue. */
  readonly queues: () => Readonly<Record<string, number | null>>
  readonly uncertainCharges: () => number
  readonly statements: () => { readonly statements: number; readonly seconds: number; readonly slow: number }
  /** As of the last heartbeat. */
  readonly jobs: () => readonly {
    readonly name: string
    readonly periodSeconds: number
    /** Undefined if it never succeeded, on any node. */
    readonly succeededAtMs: number | undefined
    readonly failing: boolean
  }[]
  readonly feeds: () => {
    readonly counts: Readonly<Record<string, number>>
    /** The time of the last successful check of each enabled feed. */
    readonly checked: readonly { readonly id: string; readonly atMs: number | undefined }[]
  }
  readonly mail: () => { readonly waiting: number; readonly oldestSeconds: number }
}

type ChargeResult = 'credit' | 'overage' | 'free' | 'refused' | 'replayed'

const LATENCY_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export function createMetrics(version: string) {
  const registry = new Registry()
  const registers = [registry]
  /** Returns a function that counts for one label, or for two. */
  const counterOf = (name: string, help: string, label: string) => {
    const counter = new Counter({ name, help, labelNames: [label], registers })
    return (value: string, times = 1) => counter.inc({ [label]: value }, times)
  }
  const counterOfTwo = (name: string, help: string, first: string, second: string) => {
    const counter = new Counter({ name, help, labelNames: [first, second], registers })
    return (one: string, other: string) => counter.inc({ [first]: one, [second]: other })
  }
  const level = (name: string, help: string) => {
    const gauge = new Gauge({ name, help, registers })
    return (value: number) => gauge.set(value)
  }
  const histogram = (name: string, help: string, buckets: number[], labelNames: string[] = []) =>
    new Histogram({ name, help, buckets, labelNames, registers })
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'assay_build_info',
    help: '1, with the version of the program and of Node.js',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1)
  const answered = 'Time to answer a request, by route and status'
  const observeRequest = answerTimes((collect) => {
    const labelNames = ['method', 'route', 'status']
    const name = 'assay_http_request_seconds'
    new Histogram({ name, help: answered, buckets: LATENCY_BUCKETS, labelNames, registers, collect })
  })
  // Counted here and reported at each scrape: this runs for every check.
  const charged: Record<ChargeResult, number> = { credit: 0, overage: 0, free: 0, refused: 0, replayed: 0 }
  new Counter({
    name: 'assay_charged_units_total',
    help: 'Units by payment type',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset()
      for (const [outcome, units] of Object.entries(charged)) this.inc({ outcome }, units)
    },
  })
  const counted = (name: string, help: string, buckets: readonly number[]) => {
    const times = newCounts({}, buckets)
    new Histogram({ name, help, buckets: [...buckets], registers, collect: seriesOf(() => [times], buckets) })
    return (value: number) => observe(times, buckets, value)
  }
  const observeCommit = counted(
    'assay_charge_commit_seconds',
    'Time to make a batch of charges durable',
    LATENCY_BUCKETS,
  )
  const sizes = [1, 2, 4, 8, 16, 32, 64, 128, 256]
  const observeSize = counted('assay_charge_batch_requests', 'Requests that share one commit', sizes)
  const issuing = 'Answers of the token endpoint, by grant and by outcome: issued, or the OAuth error'
  const oauth = 'Answers of the OAuth endpoints, by endpoint and by outcome: ok, or the OAuth error'
  const mails = 'Attempts to send a mail, by kind and by outcome: sent, delayed, refused, failed, expired'
  const documents = 'Exports, long pages, reports and PDFs, by kind and by outcome: made, cached, refused, failed'
  const deliveries = 'Attempts to deliver an event to a webhook, by outcome: delivered, retried, failed, expired'
  const webhooksWaiting = level(
    'assay_webhook_messages_waiting',
    'Events waiting to be delivered to webhooks, as counted by the node that last delivered some',
  )
  const webhooksOverdue = level(
    'assay_webhook_overdue_seconds',
    'How long the first event for a working webhook has been due: more than some minutes if deliveries are stuck',
  )
  const jobRuns = histogram(
    'assay_job_run_seconds',
    'Duration of scheduled work on this node',
    [0.01, 0.1, 1, 10, 60, 600],
    ['task', 'outcome'],
  )
  // Counted here and reported at each scrape: most checks request three facts.
  const wanted = new Map<string, Map<string, number>>()
  new Counter({
    name: 'assay_live_facts_total',
    help: 'Facts requested by checks, by type and by source',
    labelNames: ['sort', 'found'],
    registers,
    collect() {
      this.reset()
      for (const [sort, counts] of wanted) for (const [found, count] of counts) this.inc({ sort, found }, count)
    },
  })
  const looks = histogram(
    'assay_live_look_seconds',
    'Time of a live look-up, including its wait in the queue',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    ['sort', 'outcome'],
  )
  return {
    registry,
    observeRequest,
    countCharge(outcome: ChargeResult, units: number) {
      charged[outcome] += units
    },
    /** A batch of charges was made durable, or refused. */
    observeBatch(count: number, seconds: number) {
      observeSize(count)
      observeCommit(seconds)
    },
    countPaymentEvent: counterOf(
      'assay_payment_events_total',
      'Messages of the payment provider, by outcome',
      'outcome',
    ),
    countRefusedConnection: counterOf(
      'assay_http_connections_refused_total',
      'Connections refused, by the limit that was reached: of one address, or of all together',
      'reason',
    ),
    countSignIn: counterOf('assay_sign_ins_total', 'Attempts to sign in with a password, by outcome', 'outcome'),
    countToken: counterOfTwo('assay_oauth_tokens_total', issuing, 'grant', 'outcome'),
    countOAuth: counterOfTwo('assay_oauth_requests_total', oauth, 'endpoint', 'outcome'),
    countMail: counterOfTwo('assay_mails_total', mails, 'kind', 'outcome'),
    /** By the name of its maker. */
    countDocument: counterOfTwo('assay_documents_total', documents, 'document', 'outcome'),
    countWebhook: counterOf('assay_webhook_attempts_total', deliveries, 'outcome'),
    /** Waiting deliveries, as found by the job that makes them. */
    setWebhooksWaiting(count: number, overdueSeconds: number) {
      webhooksWaiting(count)
      webhooksOverdue(overdueSeconds)
    },
    /** Runs start at 0, so that an alert sees the first one too. */
    declareJob(job: string) {
      for (const outcome of ['succeeded', 'failed']) jobRuns.zero({ task: job, outcome })
    },
    observeJob: (job: string, outcome: 'succeeded' | 'failed', seconds: number) =>
      jobRuns.observe({ task: job, outcome }, seconds),
    live: {
      countWanted(sort: string, found: string, count: number) {
        const counts = wanted.get(sort) ?? new Map<string, number>()
        counts.set(found, (counts.get(found) ?? 0) + count)
        wanted.set(sort, counts)
      },
      countHeldBack: counterOf('assay_live_held_back_total', 'Facts that were not looked up, by reason', 'reason'),
      observeLook: (sort: string, outcome: string, seconds: number) => looks.observe({ sort, outcome }, seconds),
    },
  }
}

interface Counted {
  readonly labels: Readonly<Record<string, string | number>>
  /** By bucket; values beyond the last bucket only count in the sum. */
  readonly counts: number[]
  count: number
  sum: number
}

/**
 * Values counted in plain numbers, which the histogram gets at each scrape. The library's `observe` joins the labels to a
 * text and looks buckets up by the text of their bound, which costs several microseconds for every request.
 */
function newCounts(labels: Counted['labels'], buckets: readonly number[]): Counted {
  return { labels, counts: buckets.map(() => 0), count: 0, sum: 0 }
}

function observe(counted: Counted, buckets: readonly number[], value: number): void {
  counted.count++
  counted.sum += value
  let bucket = 0
  while (bucket < buckets.length && value > (buckets[bucket] as number)) bucket++
  if (bucket < buckets.length) counted.counts[bucket]!++
}

function seriesOf(all: () => readonly Counted[], buckets: readonly number[]) {
  return function collect(this: Histogram): void {
    const series = all().map(({ labels, counts, count, sum }) => {
      const bucketValues = Object.fromEntries(buckets.map((bound, i) => [bound, counts[i] ?? 0]))
      return { labels, bucketValues, count, sum }
    })
    Object.assign(this, { hashMap: series })
  }
}

function answerTimes(histogramOf: (collect: (this: Histogram) => void) => void) {
  const byRoute = new Map<string, Counted[]>()
  histogramOf(seriesOf(() => [...byRoute.values()].flat(), LATENCY_BUCKETS))
  return (method: string, route: string, status: number, seconds: number): void => {
    const ofRoute = byRoute.get(route) ?? []
    if (ofRoute.length === 0) byRoute.set(route, ofRoute)
    let times = ofRoute.find(({ labels }) => labels.status === status && labels.method === method)
    if (!times) {
      times = newCounts({ method, route, status }, LATENCY_BUCKETS)
      ofRoute.push(times)
    }
    observe(times, LATENCY_BUCKETS, seconds)
  }
}

/** Adds the figures that are read from the parts of the node at each Prometheus scrape. */
export function readWhenScraped({ registry }: Pick<Metrics, 'registry'>, sources: MetricSources): void {
  const registers = [registry]
  /** `collect` sets the values: one, or one for each label. */
  const gauge = (name: string, help: string, labelNames: string[], collect: (to: Gauge) => void | Promise<void>) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        return collect(this)
      },
    })
  /** A counter whose count is kept elsewhere. */
  const total = (name: string, help: string, read: () => number) => {
    let counted = 0
    new Counter({
      name,
      help,
      registers,
      collect() {
        const now = read()
        this.inc(Math.max(0, now - counted))
        counted = now
      },
    })
  }
  const uncertain = 'Charges whose commit is unknown: each is refunded if its commit is found'
  gauge('assay_uncertain_charges', uncertain, [], (to) => to.set(sources.uncertainCharges()))
  const underWay = 'Requests that are not answered yet'
  gauge('assay_http_requests_under_way', underWay, [], (to) => to.set(sources.requestsUnderWay()))
  const open = 'Open connections of callers and proxies'
  gauge('assay_http_connections', open, [], async (to) => to.set(await sources.connections()))
  const queues =
    'Queue lengths: charges for the ledger, slices of lists for the engine, live look-ups, statements for the store'
  gauge('assay_queue_depth', queues, ['queue'], (to) => {
    for (const [queue, depth] of Object.entries(sources.queues())) if (depth !== null) to.set({ queue }, depth)
  })
  total('assay_store_statements_total', 'Statements executed by the store', () => sources.statements().statements)
  total('assay_store_statement_seconds_total', 'Total time of statements', () => sources.statements().seconds)
  total('assay_store_slow_statements_total', 'Statements that took 200 ms or longer', () => sources.statements().slow)
  // The label is `task`: Prometheus uses `job` for its scrape target.
  const succeeded = 'When scheduled work last succeeded, on any node'
  gauge('assay_job_last_success_timestamp_seconds', succeeded, ['task'], (to) => {
    for (const { name, succeededAtMs } of sources.jobs()) {
      if (succeededAtMs !== undefined) to.set({ task: name }, succeededAtMs / 1000)
    }
  })
  gauge('assay_job_failing', '1 if the last run of scheduled work failed, on any node', ['task'], (to) => {
    for (const { name, failing } of sources.jobs()) to.set({ task: name }, failing ? 1 : 0)
  })
  gauge('assay_job_period_seconds', 'Interval of scheduled work', ['task'], (to) => {
    for (const { name, periodSeconds } of sources.jobs()) to.set({ task: name }, periodSeconds)
  })
  gauge('assay_mails_waiting', 'Mails waiting to be sent', [], (to) => to.set(sources.mail().waiting))
  gauge('assay_mail_oldest_waiting_seconds', 'Age of the oldest waiting mail; 0 if none waits', [], (to) =>
    to.set(sources.mail().oldestSeconds),
  )
  gauge('assay_feeds', 'Feeds by state: fresh, unfetched, failing, held, off', ['state'], (to) => {
    for (const [state, count] of Object.entries(sources.feeds().counts)) to.set({ state }, count)
  })
  const fetched = 'When a feed that is on was last fetched or found unchanged'
  gauge('assay_feed_last_success_timestamp_seconds', fetched, ['feed'], (to) => {
    to.reset()
    for (const { id, atMs } of sources.feeds().checked) if (atMs !== undefined) to.set({ feed: id }, atMs / 1000)
  })
  gauge('assay_snapshot_age_seconds', 'Age of the intelligence in use', [], async (to) =>
    to.set((await sources.snapshotAgeSeconds()) ?? Number.NaN),
  )
  const behind = 'Seconds since a newer snapshot was published that this node does not use; 0: it uses the newest'
  gauge('assay_snapshot_behind_seconds', behind, [], (to) => to.set(sources.snapshotBehindSeconds()))
  const lag = 'Seconds that the read replica is behind; NaN: it does not answer. 0 without one'
  gauge('assay_read_replica_lag_seconds', lag, [], (to) =>
    to.set(sources.replica ? (sources.replica.lagSeconds() ?? Number.NaN) : 0),
  )
  gauge('assay_ready', '1 if this node answers requests', [], async (to) => to.set((await sources.isReady()) ? 1 : 0))
  const closed = '1 while the service is closed for maintenance'
  gauge('assay_maintenance', closed, [], (to) => to.set(sources.isClosed() ? 1 : 0))
  const forgotten = 'Answered requests that cannot be found by their id, because too many waited to be noted'
  total('assay_request_notes_dropped_total', forgotten, () => sources.requestNotesDropped())
  total('assay_log_lines_dropped_total', 'Log lines that could not be written', () => sources.logLinesDropped())
  const ahead = "Seconds that this machine's clock is ahead of the service's time; negative: behind"
  gauge('assay_clock_offset_seconds', ahead, [], (to) => to.set(sources.clockOffsetSeconds()))
  const silent = 'Servers that are not asked for facts at the moment, because they failed or said so'
  gauge('assay_live_servers_closed', silent, [], async (to) =>
    to.set((await sources.liveServers()).filter(({ closedMs }) => closedMs > 0).length),
  )
}

/** Fields of a metric that are missing in the library's types. */
interface RegisteredMetric {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
}

/** Every metric of ours, for documents and for tests of their readers. No value is read, so there are no sources. */
export function describeMetrics() {
  const metrics = createMetrics('')
  readWhenScraped(metrics, {} as MetricSources)
  const registered = metrics.registry.getMetricsAsArray() as unknown as RegisteredMetric[]
  return registered
    .filter(({ name }) => name.startsWith('assay_'))
    .map((metric) => {
      const kind = metric instanceof Histogram ? 'histogram' : metric instanceof Counter ? 'counter' : 'gauge'
      return { name: metric.name, kind, labels: metric.labelNames, help: metric.help }
    })
}

export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end()
      return
    }
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await once(server.listen({ host, port }), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

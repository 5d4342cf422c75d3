import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What Prometheus may read, on a port of its own so that it is never exposed with the API by accident. */
export interface Metrics {
  readonly registry: Registry
  observeRequest(labels: { method: string; route: string; status: number }, seconds: number): void
  countCharge(outcome: 'credit' | 'overage' | 'free' | 'refused' | 'replayed', units: number): void
  /** A batch of charges was made durable, or refused. */
  observeBatch(requests: number, seconds: number): void
  /** An answer of the token endpoint: the kind of grant, and `issued` or the error of RFC 6749. */
  countToken(grant: string, outcome: string): void
  /** An attempt to sign in with a password, by what came of it. */
  countSignIn(outcome: string, times?: number): void
  /** An answer of an OAuth endpoint: `ok`, or the error of OAuth. */
  countOAuth(endpoint: string, outcome: string): void
  /** A message of the payment provider, by what came of it. */
  countPaymentEvent(outcome: string, times?: number): void
  /** A try to send a mail, by what came of it. */
  countMail(kind: string, outcome: string): void
  /** How many mails wait, as the job that sends them found. */
  setMailWaiting(count: number): void
  /** A job has run on this node. */
  observeJob(job: string, outcome: 'succeeded' | 'failed', seconds: number): void
  readonly live: {
    countWanted(sort: string, found: string, count: number): void
    observeLook(sort: string, outcome: string, seconds: number): void
  }
}

/** Where the figures come from that are read when Prometheus asks. None of them asks the database. */
export interface MetricSources {
  readonly version: string
  /** Seconds since the snapshot in use was built; undefined while there is none. */
  readonly snapshotAgeSeconds: () => Promise<number | undefined>
  readonly isReady: () => Promise<boolean>
  readonly logLinesDropped: () => number
  /** By how much this machine's clock is ahead of the service's time. */
  readonly clockOffsetSeconds: () => number
  /** Servers that were asked for facts; `closedMs` is 0 for those that may be asked. */
  readonly liveServers: () => Promise<readonly { readonly server: string; readonly closedMs: number }[]>
  readonly requestsUnderWay: () => number
  /** How much waits, by what it waits for; null where this node has no such queue. */
  readonly queues: () => Readonly<Record<string, number | null>>
  readonly uncertainCharges: () => number
  readonly statements: () => { readonly statements: number; readonly seconds: number; readonly slow: number }
  /** As of the last heartbeat. */
  readonly jobs: () => readonly {
    readonly name: string
    readonly periodSeconds: number
    /** Undefined while it never succeeded, on any node. */
    readonly succeededAtMs: number | undefined
  }[]
  readonly feeds: () => {
    readonly counts: Readonly<Record<string, number>>
    /** When each feed that is on was last found in order. */
    readonly checked: readonly { readonly id: string; readonly atMs: number | undefined }[]
  }
}

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'assay_build_info',
    help: '1, with the version of the program and of Node.js',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version: sources.version, node: process.versions.node }, 1)
  const requests = new Histogram({
    name: 'assay_http_request_seconds',
    help: 'Time to answer a request, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const charges = new Counter({
    name: 'assay_charged_units_total',
    help: 'Units by how they were paid for',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const commits = new Histogram({
    name: 'assay_charge_commit_seconds',
    help: 'Time to make a batch of charges durable',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const batches = new Histogram({
    name: 'assay_charge_batch_requests',
    help: 'Requests that share one commit',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [registry],
  })
  new Gauge({
    name: 'assay_uncertain_charges',
    help: 'Charges whose commit is unknown: each is refunded once it is known to have happened',
    registers: [registry],
    collect() {
      this.set(sources.uncertainCharges())
    },
  })
  const paymentEvents = new Counter({
    name: 'assay_payment_events_total',
    help: 'Messages of the payment provider, by what came of them',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const signIns = new Counter({
    name: 'assay_sign_ins_total',
    help: 'Attempts to sign in with a password, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const tokens = new Counter({
    name: 'assay_oauth_tokens_total',
    help: 'Answers of the token endpoint, by grant and by outcome: issued, or the OAuth error',
    labelNames: ['grant', 'outcome'],
    registers: [registry],
  })
  const oauthAnswers = new Counter({
    name: 'assay_oauth_requests_total',
    help: 'Answers of the OAuth endpoints, by endpoint and by outcome: ok, or the OAuth error',
    labelNames: ['endpoint', 'outcome'],
    registers: [registry],
  })
  const mails = new Counter({
    name: 'assay_mails_total',
    help: 'Tries to send a mail, by kind and by outcome: sent, delayed, refused, failed, expired',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  const mailsWaiting = new Gauge({
    name: 'assay_mails_waiting',
    help: 'Mails that wait to be sent, as the node that last sent some found',
    registers: [registry],
  })
  new Gauge({
    name: 'assay_http_requests_under_way',
    help: 'Requests that have begun and are not answered yet',
    registers: [registry],
    collect() {
      this.set(sources.requestsUnderWay())
    },
  })
  new Gauge({
    name: 'assay_queue_depth',
    help: 'What waits: charges for the ledger, slices of lists for the engine, questions of live look-ups, statements for the store',
    labelNames: ['queue'],
    registers: [registry],
    collect() {
      for (const [queue, depth] of Object.entries(sources.queues())) if (depth !== null) this.set({ queue }, depth)
    },
  })
  totals(
    registry,
    'assay_store_statements_total',
    'Statements that the store answered',
    () => sources.statements().statements,
  )
  totals(
    registry,
    'assay_store_statement_seconds_total',
    'Time that statements took, together',
    () => sources.statements().seconds,
  )
  totals(
    registry,
    'assay_store_slow_statements_total',
    'Statements that took 200 ms or longer',
    () => sources.statements().slow,
  )
  const jobRuns = new Histogram({
    name: 'assay_job_run_seconds',
    help: 'Time that scheduled work took on this node',
    labelNames: ['task', 'outcome'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers: [registry],
  })
  new Gauge({
    name: 'assay_job_last_success_timestamp_seconds',
    help: 'When scheduled work last succeeded, on any node',
    // `job` is the word of Prometheus for what it scrapes.
    labelNames: ['task'],
    registers: [registry],
    collect() {
      for (const { name, succeededAtMs } of sources.jobs()) {
        if (succeededAtMs !== undefined) this.set({ task: name }, succeededAtMs / 1000)
      }
    },
  })
  new Gauge({
    name: 'assay_job_period_seconds',
    help: 'How often scheduled work is done',
    labelNames: ['task'],
    registers: [registry],
    collect() {
      for (const { name, periodSeconds } of sources.jobs()) this.set({ task: name }, periodSeconds)
    },
  })
  new Gauge({
    name: 'assay_feeds',
    help: 'Feeds by how they fare: fresh, unfetched, failing, held, off',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(sources.feeds().counts)) this.set({ state }, count)
    },
  })
  new Gauge({
    name: 'assay_feed_last_success_timestamp_seconds',
    help: 'When a feed that is on was last fetched or found unchanged',
    labelNames: ['feed'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { id, atMs } of sources.feeds().checked) if (atMs !== undefined) this.set({ feed: id }, atMs / 1000)
    },
  })
  new Gauge({
    name: 'assay_snapshot_age_seconds',
    help: 'Age of the intelligence in use',
    registers: [registry],
    async collect() {
      const seconds = await sources.snapshotAgeSeconds()
      this.set(seconds ?? Number.NaN)
    },
  })
  new Gauge({
    name: 'assay_ready',
    help: '1 when this node answers requests',
    registers: [registry],
    async collect() {
      this.set((await sources.isReady()) ? 1 : 0)
    },
  })
  totals(registry, 'assay_log_lines_dropped_total', 'Log lines that could not be written', sources.logLinesDropped)
  new Gauge({
    name: 'assay_clock_offset_seconds',
    help: "How far this machine's clock is ahead of the service's time; behind when negative",
    registers: [registry],
    collect() {
      this.set(sources.clockOffsetSeconds())
    },
  })
  // Counted here and told when asked: most checks want three facts.
  const wanted = new Map<string, Map<string, number>>()
  new Counter({
    name: 'assay_live_facts_total',
    help: 'Facts that checks wanted, by sort and by where they were found',
    labelNames: ['sort', 'found'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [sort, counts] of wanted) for (const [found, count] of counts) this.inc({ sort, found }, count)
    },
  })
  const looks = new Histogram({
    name: 'assay_live_look_seconds',
    help: 'Time an observer took to look, waiting for its turn included',
    labelNames: ['sort', 'outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  new Gauge({
    name: 'assay_live_servers_closed',
    help: 'Servers that are not asked for facts at the moment, because they failed or said so',
    registers: [registry],
    async collect() {
      this.set((await sources.liveServers()).filter(({ closedMs }) => closedMs > 0).length)
    },
  })
  return {
    registry,
    observeRequest(labels, seconds) {
      requests.observe(labels, seconds)
    },
    countCharge(outcome, units) {
      charges.inc({ outcome }, units)
    },
    observeBatch(count, seconds) {
      batches.observe(count)
      commits.observe(seconds)
    },
    countToken(grant, outcome) {
      tokens.inc({ grant, outcome })
    },
    countSignIn(outcome, times = 1) {
      signIns.inc({ outcome }, times)
    },
    countOAuth(endpoint, outcome) {
      oauthAnswers.inc({ endpoint, outcome })
    },
    countPaymentEvent(outcome, times = 1) {
      paymentEvents.inc({ outcome }, times)
    },
    countMail(kind, outcome) {
      mails.inc({ kind, outcome })
    },
    setMailWaiting(count) {
      mailsWaiting.set(count)
    },
    observeJob(job, outcome, seconds) {
      jobRuns.observe({ task: job, outcome }, seconds)
    },
    live: {
      countWanted(sort, found, count) {
        const counts = wanted.get(sort) ?? new Map<string, number>()
        counts.set(found, (counts.get(found) ?? 0) + count)
        wanted.set(sort, counts)
      },
      observeLook(sort, outcome, seconds) {
        looks.observe({ sort, outcome }, seconds)
      },
    },
  }
}

interface MetricDescription {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  readonly help: string
}

/** Every metric of ours, for documents and for tests of what reads them. */
export function describeMetrics(): MetricDescription[] {
  const { registry } = createMetrics(NO_SOURCES)
  return registry
    .getMetricsAsArray()
    .map((metric) => describe(metric as unknown as RegisteredMetric))
    .filter(({ name }) => name.startsWith('assay_'))
}

/** What the library keeps of a metric beside what its types say. */
interface RegisteredMetric {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly string[]
}

function describe(metric: RegisteredMetric): MetricDescription {
  const kind = metric instanceof Histogram ? 'histogram' : metric instanceof Counter ? 'counter' : 'gauge'
  return { name: metric.name, kind, labels: metric.labelNames, help: metric.help }
}

const NO_SOURCES: MetricSources = {
  version: '',
  snapshotAgeSeconds: async () => undefined,
  isReady: async () => false,
  logLinesDropped: () => 0,
  clockOffsetSeconds: () => 0,
  liveServers: async () => [],
  requestsUnderWay: () => 0,
  queues: () => ({}),
  uncertainCharges: () => 0,
  statements: () => ({ statements: 0, seconds: 0, slow: 0 }),
  jobs: () => [],
  feeds: () => ({ counts: {}, checked: [] }),
}

/** A counter that is counted elsewhere. */
function totals(registry: Registry, name: string, help: string, read: () => number): void {
  let counted = 0
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      const total = read()
      this.inc(Math.max(0, total - counted))
      counted = total
    },
  })
}

export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    if (request.url !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404).end()
      return
    }
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

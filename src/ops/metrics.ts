import { createServer, type Server } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What Prometheus may read, on a port of its own so that it is never exposed with the API by accident. */
export interface Metrics {
  readonly registry: Registry
  observeRequest(labels: { method: string; route: string; status: number }, seconds: number): void
  countCharge(outcome: 'credit' | 'overage' | 'free' | 'refused' | 'replayed', units: number): void
  readonly live: {
    countWanted(sort: string, found: string, count: number): void
    observeLook(sort: string, outcome: string, seconds: number): void
  }
}

export function createMetrics(sources: {
  /** Seconds since the snapshot in use was built; undefined while there is none. */
  readonly snapshotAgeSeconds: () => Promise<number | undefined>
  readonly isReady: () => Promise<boolean>
  readonly logLinesDropped: () => number
  /** By how much this machine's clock is ahead of the service's time. */
  readonly clockOffsetSeconds: () => number
  /** Servers that were asked for facts; `closedMs` is 0 for those that may be asked. */
  readonly liveServers: () => Promise<readonly { readonly server: string; readonly closedMs: number }[]>
}): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
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
  let linesCounted = 0
  new Counter({
    name: 'assay_log_lines_dropped_total',
    help: 'Log lines that could not be written',
    registers: [registry],
    collect() {
      const lines = sources.logLinesDropped()
      this.inc(lines - linesCounted)
      linesCounted = lines
    },
  })
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

import { hostname } from 'node:os'
import { newestMigration } from './db/migrate.ts'
import type { Replica } from './db/replica.ts'
import type { Sql } from './db/sql.ts'
import { type FeedKeys, standingOfFeed } from './feeds/keys.ts'
import { publishedSnapshots } from './feeds/publish.ts'
import { createFeedStore } from './feeds/store.ts'
import type { Job, JobRunnerOptions } from './jobs/runner.ts'
import { listRuns, recordRun } from './jobs/runs.ts'
import type { Clock } from './lib/clock.ts'
import { newId } from './lib/ids.ts'
import type { Readiness } from './ops/health.ts'
import { logLinesDropped } from './ops/log-output.ts'
import type { MetricSources, Metrics } from './ops/metrics.ts'
import { scrubWords } from './ops/scrub.ts'
import { readWaiting } from './outbox/outbox.ts'
import type { IntelligenceInfo } from './risk/engine.ts'
import { type NodeFigures, type Queues, SLOW_SHOWN } from './status/figures.ts'
import { type NodeRow, startHeartbeat } from './status/nodes.ts'
import { countFeeds } from './status/status.ts'
import { VERSION } from './version.ts'

export type NodeReporter = ReturnType<typeof createNodeReporter>

interface StartedNode {
  readonly role: NodeRow['role']
  readonly host: string
  readonly port: number
  readonly jobs: readonly Job[]
  readonly readiness: Readiness['ask']
  readonly intelligence: () => Promise<IntelligenceInfo | undefined>
  readonly queues: () => Queues
  readonly uncertainCharges: () => number
  readonly clockOffsetSeconds: () => number
  readonly replica?: Pick<Replica, 'lagSeconds'> | undefined
  /** Reads what every node must know soon. */
  readonly beforeBeat?: () => Promise<void>
}

/** Reports a node to the others: its heartbeat and the runs of its jobs. */
export function createNodeReporter(deps: {
  readonly sql: Sql
  readonly clock: Clock
  readonly keys: FeedKeys
  readonly logger: { warn(fields: object, message: string): void }
  readonly metrics?: Pick<Metrics, 'observeJob' | 'declareJob'>
}) {
  const { sql, clock, logger } = deps
  const id = newId('nod')
  const migration = newestMigration()
  let name = hostname()
  const startedAtMs = clock.now()
  let jobs: ReturnType<MetricSources['jobs']> = []
  let snapshotBehindSeconds = 0
  let feeds: ReturnType<MetricSources['feeds']> = { counts: {}, checked: [] }
  let mail: ReturnType<MetricSources['mail']> = { waiting: 0, oldestSeconds: 0 }

  /** Reads the database values of the metrics once per heartbeat: a scrape costs no query. */
  async function readForMetrics(own: readonly Job[]): Promise<void> {
    const [runs, states, { waiting, oldest }] = await Promise.all([
      listRuns(sql),
      createFeedStore(sql).list(),
      readWaiting(sql, 'mail'),
    ])
    mail = { waiting, oldestSeconds: oldest === null ? 0 : Math.max(0, clock.now() - oldest) / 1000 }
    jobs = own.map(({ name, periodMs }) => {
      const run = runs.find((one) => one.name === name)
      const failing = (run?.error ?? null) !== null
      return { name, periodSeconds: periodMs / 1000, succeededAtMs: run?.succeeded_at ?? undefined, failing }
    })
    feeds = {
      counts: countFeeds(states, deps.keys),
      checked: states
        .filter((state) => standingOfFeed(state, deps.keys) !== 'off')
        .map((state) => ({ id: state.feed.id, atMs: state.checkedAtMs })),
    }
  }

  async function figuresOf(node: StartedNode): Promise<NodeFigures> {
    await node.beforeBeat?.()
    await readForMetrics(node.jobs)
    const [newest] = await publishedSnapshots(sql)
    const [{ ready, parts }, snapshot] = await Promise.all([node.readiness(), node.intelligence()])
    const isBehind = newest !== undefined && snapshot !== undefined && newest.version !== snapshot.version
    snapshotBehindSeconds = isBehind ? Math.max(0, clock.now() - newest.publishedAtMs) / 1000 : 0
    const { statements, seconds, slow } = sql.times.figures()
    return {
      address: addressText(node.host, node.port),
      pid: process.pid,
      runtime: process.versions.node,
      migration,
      ready,
      parts,
      snapshot: snapshot ? { version: snapshot.version, built_at: snapshot.built_at } : null,
      queues: node.queues(),
      uncertain_charges: node.uncertainCharges(),
      memory_bytes: process.memoryUsage.rss(),
      jobs: node.jobs.map((job) => ({ name: job.name, period_seconds: job.periodMs / 1000 })),
      log_lines_dropped: logLinesDropped(),
      clock_offset_seconds: node.clockOffsetSeconds(),
      ...(node.replica && { replica: { lag_seconds: node.replica.lagSeconds() ?? null } }),
      statements: {
        count: statements,
        mean_ms: statements === 0 ? 0 : Math.round((seconds * 1e6) / statements) / 1000,
        slow_count: slow,
        slow: sql.times.slow().slice(0, SLOW_SHOWN),
      },
    }
  }

  return {
    /** For the metrics: as of the last heartbeat. */
    jobs: () => jobs,
    feeds: () => feeds,
    snapshotBehindSeconds: () => snapshotBehindSeconds,
    mail: () => mail,
    async onRun({ job, ms, error: cause }: Parameters<NonNullable<JobRunnerOptions['onRun']>>[0]) {
      deps.metrics?.observeJob(job, cause === undefined ? 'succeeded' : 'failed', ms / 1000)
      const finishedAtMs = clock.now()
      const startedAtMs = finishedAtMs - Math.round(ms)
      // Redacted as in the log: an error may quote a secret.
      const error = cause === undefined ? undefined : scrubWords(cause instanceof Error ? cause.message : String(cause))
      await recordRun(sql, name, { job, startedAtMs, finishedAtMs, error }).catch((err: unknown) =>
        logger.warn({ err, job }, 'the run of a job could not be recorded'),
      )
    },
    async start(node: StartedNode) {
      name = `${hostname()}:${node.port}`
      for (const job of node.jobs) deps.metrics?.declareJob(job.name)
      const heartbeat = startHeartbeat({
        sql,
        clock,
        node: { id, name, role: node.role, version: VERSION, started_at: startedAtMs },
        figures: () => figuresOf(node),
        onTrouble: (err) => logger.warn({ err }, 'the heartbeat of this node failed; it will retry'),
      })
      await heartbeat.beat()
      return heartbeat
    },
  }
}

export function addressText(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

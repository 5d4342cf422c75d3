import { hostname } from 'node:os'
import type { Sql } from './db/sql.ts'
import type { FeedKeys } from './feeds/keys.ts'
import { standingOfFeed } from './feeds/standing.ts'
import { createFeedStore } from './feeds/store.ts'
import type { Job } from './jobs/runner.ts'
import { listRuns, recordRun } from './jobs/runs.ts'
import type { Clock } from './lib/clock.ts'
import { newId } from './lib/ids.ts'
import type { Readiness } from './ops/health.ts'
import { logLinesDropped } from './ops/log-output.ts'
import type { MetricSources, Metrics } from './ops/metrics.ts'
import { scrubWords } from './ops/scrub.ts'
import type { IntelligenceInfo } from './risk/engine.ts'
import { type NodeFigures, type Queues, SLOW_SHOWN } from './status/figures.ts'
import { type Beating, keepBeating, type NodeRow } from './status/nodes.ts'
import { countFeeds } from './status/status.ts'
import { VERSION } from './version.ts'

/** What a node tells of itself: its heartbeat, its jobs, and what the metrics know of both. */
export interface NodeWatch {
  /** For the metrics: as of the last heartbeat. */
  readonly jobs: MetricSources['jobs']
  readonly feeds: MetricSources['feeds']
  /** To be told of every run of a job on this node. */
  onRun(run: { readonly job: string; readonly ms: number; readonly error: unknown }): Promise<void>
  start(node: StartedNode): Promise<Beating>
}

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
}

export function watchNode(deps: {
  readonly sql: Sql
  readonly clock: Clock
  readonly keys: FeedKeys
  readonly logger: { warn(fields: object, message: string): void }
  readonly metrics?: (() => Pick<Metrics, 'observeJob'>) | undefined
}): NodeWatch {
  const { sql, clock, logger } = deps
  const id = newId('nod')
  let name = hostname()
  const startedAtMs = clock.now()
  let jobs: ReturnType<MetricSources['jobs']> = []
  let feeds: ReturnType<MetricSources['feeds']> = { counts: {}, checked: [] }

  /** What the metrics show of the database, read once a beat: a scrape asks nobody. */
  async function look(own: readonly Job[]): Promise<void> {
    const [runs, states] = await Promise.all([listRuns(sql), createFeedStore(sql).list()])
    jobs = own.map((job) => ({
      name: job.name,
      periodSeconds: job.periodMs / 1000,
      succeededAtMs: runs.find((run) => run.name === job.name)?.succeeded_at ?? undefined,
    }))
    feeds = {
      counts: countFeeds(states, deps.keys),
      checked: states
        .filter((state) => standingOfFeed(state, deps.keys) !== 'off')
        .map((state) => ({ id: state.feed.id, atMs: state.checkedAtMs })),
    }
  }

  async function figuresOf(node: StartedNode): Promise<NodeFigures> {
    await look(node.jobs)
    const [{ ready, parts }, snapshot] = await Promise.all([node.readiness(), node.intelligence()])
    const { statements, seconds, slow } = sql.times.figures()
    return {
      address: `${node.host.includes(':') ? `[${node.host}]` : node.host}:${node.port}`,
      pid: process.pid,
      runtime: process.versions.node,
      ready,
      parts,
      snapshot: snapshot ? { version: snapshot.version, built_at: snapshot.built_at } : null,
      queues: node.queues(),
      uncertain_charges: node.uncertainCharges(),
      memory_bytes: process.memoryUsage.rss(),
      jobs: node.jobs.map((job) => ({ name: job.name, period_seconds: job.periodMs / 1000 })),
      log_lines_dropped: logLinesDropped(),
      clock_offset_seconds: node.clockOffsetSeconds(),
      statements: {
        count: statements,
        mean_ms: statements === 0 ? 0 : Math.round((seconds * 1e6) / statements) / 1000,
        slow_count: slow,
        slow: sql.times.slow().slice(0, SLOW_SHOWN),
      },
    }
  }

  return {
    jobs: () => jobs,
    feeds: () => feeds,
    async onRun({ job, ms, error }) {
      deps.metrics?.().observeJob(job, error === undefined ? 'succeeded' : 'failed', ms / 1000)
      const finishedAtMs = clock.now()
      const text = error === undefined ? undefined : errorText(error)
      await recordRun(sql, name, { job, startedAtMs: finishedAtMs - Math.round(ms), finishedAtMs, error: text }).catch(
        (err: unknown) => logger.warn({ err, job }, 'the run of a job was not written down'),
      )
    },
    async start(node) {
      name = `${hostname()}:${node.port}`
      const beating = keepBeating({
        sql,
        clock,
        node: { id, name, role: node.role, version: VERSION, started_at: startedAtMs },
        figures: () => figuresOf(node),
        onTrouble: (err) => logger.warn({ err }, 'this node cannot tell of itself; it goes on trying'),
      })
      await beating.beat()
      return beating
    },
  }
}

/** As the log would write it: an error may quote what nobody is to read. */
function errorText(error: unknown): string {
  return scrubWords(error instanceof Error ? error.message : String(error))
}

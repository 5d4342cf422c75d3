import { databaseState } from '../db/database-state.ts'
import type { Sql } from '../db/sql.ts'
import type { SlowStatement } from '../db/statement-times.ts'
import { type FeedKeys, type FeedStanding, standingOfFeed } from '../feeds/keys.ts'
import { publishedSnapshots } from '../feeds/publish.ts'
import { createFeedStore, type FeedState } from '../feeds/store.ts'
import { type JobRun, listRuns } from '../jobs/runs.ts'
import { type Clock, iso, isoOrNull, MINUTE_MS, SECOND_MS } from '../lib/clock.ts'
import { readOutbox } from '../outbox/outbox.ts'
import { maintenanceView, readMaintenance } from '../support/maintenance.ts'
import { SLOW_SHOWN } from './figures.ts'
import { listNodes, type NodeRow, SILENT_MS } from './nodes.ts'

/** The state of the service for an operator, from the database alone: every node and the verb can show it. */
export interface StatusDependencies {
  readonly sql: Sql
  readonly clock: Pick<Clock, 'now'>
  readonly keys?: FeedKeys | undefined
  readonly sendsMail?: boolean | undefined
}

export type Status = Awaited<ReturnType<typeof readStatus>>

export async function readStatus({ sql, clock, keys, sendsMail = false }: StatusDependencies) {
  const [nodes, runs, feeds, database, [published], mail, webhooks, maintenance] = await Promise.all([
    listNodes(sql),
    listRuns(sql),
    createFeedStore(sql).list(),
    databaseState(sql),
    publishedSnapshots(sql),
    readOutbox(sql, 'mail'),
    readOutbox(sql, 'webhook'),
    readMaintenance(sql),
  ])
  const { lastFailure: failed } = mail
  const nowMs = clock.now()
  const running = nodes.filter(({ seen_at }) => isRunning(seen_at, nowMs))
  return {
    at: iso(nowMs),
    /** Null while the service is open. */
    maintenance: maintenanceView(maintenance),
    database: { ...database, migrated_at: isoOrNull(database.migrated_at) },
    /** Null where no snapshot was published: nodes then answer from the snapshot of the release. */
    published_snapshot: published ? { version: published.version, built_at: iso(published.builtAtMs) } : null,
    nodes: nodes.map((node) => nodeView(node, nowMs)),
    jobs: jobViews(runs, running, nowMs),
    feeds: { ...countFeeds(feeds, keys), troubled: troubledFeeds(feeds, keys) },
    mail: {
      set_up: sendsMail,
      waiting: mail.waiting,
      oldest_waiting_at: isoOrNull(mail.oldest),
      /** The mail server's answer to a waiting mail; null when there is no error. */
      trouble: mail.waitingFor ?? null,
      last_failure: failed ? { kind: failed.kind, at: isoOrNull(failed.finished_at), error: failed.error } : null,
    },
    webhooks: {
      waiting: webhooks.waiting,
      /** Webhooks whose last attempt failed and that have events waiting. */
      failing: webhooks.failing,
      oldest_waiting_at: isoOrNull(webhooks.oldest),
    },
    slow_statements: slowOf(nodes),
  }
}

const isRunning = (seenAtMs: number, nowMs: number) => nowMs - seenAtMs <= SILENT_MS

function nodeView({ id, name, role, version, started_at, seen_at, figures }: NodeRow, nowMs: number) {
  const { statements, jobs: _, ...rest } = figures
  const { slow: __, ...counts } = statements
  const running = isRunning(seen_at, nowMs)
  return {
    id,
    name,
    role,
    version,
    /** `silent`: it has not been seen for three beats, and did not announce that it stops. */
    state: running ? (rest.ready ? ('ready' as const) : ('not_ready' as const)) : ('silent' as const),
    started_at: iso(started_at),
    seen_at: iso(seen_at),
    ...rest,
    statements: counts,
  }
}

/** A job is late after this time: nodes run their jobs once a period, at any moment of it. */
const lateAfterMs = (periodSeconds: number) => 2 * periodSeconds * SECOND_MS + 10 * MINUTE_MS

function jobViews(runs: readonly JobRun[], running: readonly NodeRow[], nowMs: number) {
  const periods = new Map(running.flatMap(({ figures }) => figures.jobs.map((job) => [job.name, job] as const)))
  const sinceMs = Math.min(...running.map(({ started_at }) => started_at))
  // A job that no node runs any more was switched off: its last run says nothing.
  const names = new Set(running.length > 0 ? periods.keys() : runs.map(({ name }) => name))
  return [...names].sort().map((name) => {
    const run = runs.find((one) => one.name === name)
    const period = periods.get(name)?.period_seconds ?? null
    // Without any success, count from the start of the nodes.
    const lastMs = Math.max(run?.succeeded_at ?? 0, Math.min(sinceMs, nowMs))
    const late = period !== null && nowMs - lastMs > lateAfterMs(period)
    return {
      name,
      period_seconds: period,
      state: run?.error ? ('failing' as const) : late ? ('late' as const) : run ? ('fine' as const) : ('new' as const),
      last_run_at: isoOrNull(run?.finished_at),
      last_run_ms: run ? run.finished_at - run.started_at : null,
      last_success_at: isoOrNull(run?.succeeded_at),
      last_failure_at: isoOrNull(run?.failed_at),
      error: run?.error ?? null,
      node: run?.node ?? null,
    }
  })
}

export function countFeeds(feeds: readonly FeedState[], keys: FeedKeys | undefined) {
  const counts: Record<FeedStanding, number> = { fresh: 0, unfetched: 0, failing: 0, held: 0, off: 0 }
  for (const state of feeds) counts[standingOfFeed(state, keys)]++
  return counts
}

function troubledFeeds(feeds: readonly FeedState[], keys: FeedKeys | undefined) {
  return feeds.flatMap((state) => {
    const standing = standingOfFeed(state, keys)
    if (standing !== 'failing' && standing !== 'held') return []
    return {
      id: state.feed.id,
      name: state.feed.name,
      state: standing,
      reason:
        standing === 'held'
          ? `held back: ${state.held?.rows} rows after ${state.held?.previous_rows}; accept it with assayd feeds sync --accept`
          : (state.lastError ?? ''),
      failures: state.failures,
      last_success_at: isoOrNull(state.checkedAtMs),
      last_failure_at: isoOrNull(state.lastErrorAtMs),
      next_try_at: iso(state.nextDueAtMs),
    }
  })
}

/** Joins the figures of one statement on several nodes. */
function slowOf(nodes: readonly NodeRow[]): (SlowStatement & { readonly nodes: number })[] {
  const byText = Map.groupBy(
    nodes.flatMap(({ figures }) => figures.statements.slow),
    ({ text }) => text,
  )
  return [...byText]
    .map(([text, all]) => {
      const count = all.reduce((sum, one) => sum + one.count, 0)
      return {
        text,
        count,
        worst_ms: Math.max(...all.map((one) => one.worst_ms)),
        mean_ms: Math.round(all.reduce((sum, one) => sum + one.mean_ms * one.count, 0) / count),
        nodes: all.length,
      }
    })
    .sort((one, other) => other.worst_ms - one.worst_ms)
    .slice(0, SLOW_SHOWN)
}

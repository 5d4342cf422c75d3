import { existsSync, mkdirSync, mkdtempDisposableSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from '../db/sql.ts'
import type { Job } from '../jobs/runner.ts'
import { type Clock, DAY_MS, MINUTE_MS, systemClock } from '../lib/clock.ts'
import type { CompileResult } from '../snapshot/compile.ts'
import type { Feed } from './catalogue.ts'
import type { Fetcher } from './fetch.ts'
import { isLocal } from './files.ts'
import { BACK_OFF_MS, type FeedOutcome, refreshFeed } from './ingest.ts'
import { type FeedKeys, isOn } from './keys.ts'
import { publishedSnapshots, publishSnapshot } from './publish.ts'
import { copyFile } from './rows.ts'
import { createFeedStore, type FeedState, type FeedStore, listDateOf } from './store.ts'
import { createFeedWorker, type FeedWorker } from './worker.ts'

export interface FeedDependencies {
  readonly sql: Sql
  readonly dataDir: string
  readonly clock: Clock
  readonly fetcher: Fetcher
  readonly keys?: FeedKeys
  readonly leaveOut?: readonly string[]
  /** The thread for the heavy work, if there is one; otherwise a thread is started and ended again. */
  readonly worker?: FeedWorker
}

async function onThread<T>(given: FeedWorker | undefined, work: (worker: FeedWorker) => Promise<T>): Promise<T> {
  if (given) return work(given)
  const worker = createFeedWorker()
  await using _ = { [Symbol.asyncDispose]: () => worker.close() }
  return await work(worker)
}

/** Refreshes feeds one after the other; none can fail the rest. A feed that `signal` interrupts counts as not tried. */
export async function syncFeeds(
  dependencies: FeedDependencies,
  states: readonly FeedState[],
  options: {
    readonly accept?: boolean
    readonly signal?: AbortSignal
    readonly onOutcome?: (outcome: FeedOutcome) => void
    /** Called before each feed: true to leave it for a later round, in which it is still due. */
    readonly isForLater?: (feed: Feed) => boolean
  } = {},
): Promise<FeedOutcome[]> {
  const store = createFeedStore(dependencies.sql)
  const outcomes: FeedOutcome[] = []
  return onThread(dependencies.worker, async (worker) => {
    for (const state of states) {
      if (options.signal?.aborted) break
      if (options.isForLater?.(state.feed)) continue
      const outcome = await refreshFeed({ ...dependencies, store, worker }, state, {
        accept: options.accept ?? false,
        signal: options.signal,
      }).catch((error: unknown) => {
        if (options.signal?.aborted) return undefined
        throw error
      })
      if (!outcome) break
      outcomes.push(outcome)
      options.onOutcome?.(outcome)
    }
    return outcomes
  })
}

/** Gets the copies that other nodes fetched; returns the feeds whose copy could not be got. */
async function bringCopies(store: FeedStore, dataDir: string, states: readonly FeedState[]): Promise<FeedState[]> {
  const missing: FeedState[] = []
  for (const state of states) {
    if (!(await store.bringCopy(state, copyFile(dataDir, state.feed.id)))) missing.push(state)
  }
  return missing
}

/** Compiles the last good copies of all enabled feeds with the bundled sources, and makes the result current. */
export async function compileAndPublish({
  sql,
  dataDir,
  clock,
  keys = {},
  leaveOut = [],
  worker: given,
}: Omit<FeedDependencies, 'fetcher'>): Promise<CompileResult & { readonly feeds: number }> {
  const store = createFeedStore(sql)
  const states = (await store.list()).filter((state) => isOn(state, keys) && state.fetchedAtMs !== undefined)
  await bringCopies(store, dataDir, states)
  const feeds = states
    .filter((state) => existsSync(copyFile(dataDir, state.feed.id)))
    .map((state) => ({
      feed: state.feed,
      copy: copyFile(dataDir, state.feed.id),
      asOfMs: listDateOf(state) ?? 0,
    }))
  const folder = join(dataDir, 'snapshots')
  mkdirSync(folder, { recursive: true })
  using workDir = mkdtempDisposableSync(join(folder, '.compiling-'))
  const file = join(workDir.path, 'snapshot')
  const nowMs = clock.now()
  const result = await onThread(given, (worker) => worker.run({ task: 'compile', feeds, leaveOut, file, nowMs }))
  await publishSnapshot({ sql, dataDir, file, clock })
  return { ...result, feeds: feeds.length }
}

/** The lock of the scheduled refresh, which an operator's own refresh takes as well. */
export const FEEDS_JOB = 'feeds'

/** Short, because a fresh server waits up to one period before its first check. */
const CHECK_PERIOD_MS = MINUTE_MS

/** The feed is due; or its last check lies in the future, by a clock that was set back since. */
function isDue({ nextDueAtMs, checkedAtMs = 0, lastErrorAtMs = 0 }: FeedState, nowMs: number): boolean {
  return nextDueAtMs <= nowMs || checkedAtMs > nowMs || lastErrorAtMs > nowMs
}

/** An outcome for a log: without sample lines, which may contain e-mail addresses. */
export type LoggedOutcome = Omit<FeedOutcome, 'samples'>

export interface FeedJobOptions extends FeedDependencies {
  /** Feeds of the catalogue, saved in the database when the job first runs, so that no start waits for it. */
  readonly catalogue?: readonly Feed[]
  readonly onOutcome?: (outcome: LoggedOutcome) => void
  /** Called once when no feed can be reached any more, and once when one is reached again. */
  readonly onOffline?: (offline: boolean) => void
}

/** The scheduled refresh: due feeds, and a new snapshot when a feed changed or a day's ageing has passed. */
export function feedRefreshJob(options: FeedJobOptions): Job {
  const { sql, dataDir, clock, keys = {} } = options
  const onOutcome = ({ samples: _, ...outcome }: FeedOutcome) => options.onOutcome?.(outcome)
  const reach = createReach(clock, options.onOffline)
  let catalogue = options.catalogue
  return {
    name: FEEDS_JOB,
    periodMs: CHECK_PERIOD_MS,
    async run(signal) {
      removeLeftovers(dataDir)
      const nowMs = clock.now()
      const store = createFeedStore(sql)
      if (catalogue) {
        // Feeds that were loaded from a folder stay unchanged: a start knows no folder.
        await store.save(catalogue, undefined, nowMs, { keepLocal: true })
        catalogue = undefined
      }
      const on = (await store.list()).filter((state) => isOn(state, keys))
      const [newest] = await publishedSnapshots(sql)
      const aged = newest !== undefined && Math.floor(newest.publishedAtMs / DAY_MS) < Math.floor(nowMs / DAY_MS)
      const due = on.filter((state) => isDue(state, nowMs))
      // A feed without its copy would be missing in the next snapshot: it is fetched in this round too.
      if (due.length > 0 || aged) {
        const fetched = on.filter(
          (state) => !due.includes(state) && state.fetchedAtMs !== undefined && state.failures === 0 && !state.held,
        )
        due.push(...(await bringCopies(store, dataDir, fetched)))
      }
      const round = reach.round(onOutcome)
      // Local files are read without a network and say nothing about it.
      const local = new Set(due.filter(({ feed }) => feed.address.every(isLocal)).map(({ feed }) => feed.id))
      const hosts = new Map(due.map(({ feed }) => [feed.id, hostOf(feed)]))
      await onThread(options.worker, async (worker) => {
        const outcomes = await syncFeeds({ ...options, worker }, due, {
          signal,
          isForLater: round.isForLater,
          onOutcome: (outcome) =>
            local.has(outcome.id) ? onOutcome(outcome) : round.take(outcome, hosts.get(outcome.id)),
        })
        round.end()
        if (signal.aborted) return
        const changed = outcomes.some(({ status }) => status === 'updated')
        if (changed || aged) await compileAndPublish({ ...options, worker })
      })
    },
  }
}

/** If this many hosts are unreachable and none answers, the server itself is offline. */
const OFFLINE_HOSTS = 3

function hostOf({ address: [first = ''] }: Feed): string | undefined {
  return isLocal(first) ? undefined : URL.parse(first)?.host
}

interface Unreached {
  sinceMs: number
  /** Feeds that failed because of this host, by way of a redirect too: their own host can be another. */
  readonly feeds: Set<string>
  told: boolean
}

// Distinguishes a server without a network from feeds that fail, so that the outage is reported once and not for every
// feed. An unreachable host is not asked during the back-off, and is reported once until it is reached again.
function createReach(clock: Clock, onOffline: FeedJobOptions['onOffline'] = () => {}) {
  let wasOffline = false
  const unreached = new Map<string, Unreached>()
  const isLeftAlone = (host: string): boolean => {
    const agoMs = clock.now() - (unreached.get(host)?.sinceMs ?? Number.NEGATIVE_INFINITY)
    // A clock that was set back causes no wait.
    return agoMs >= 0 && agoMs < BACK_OFF_MS
  }
  return {
    round(tell: (outcome: FeedOutcome) => void) {
      const withheld: FeedOutcome[] = []
      const hosts = new Set<string>()
      let reached = false
      const isOffline = () => !reached && hosts.size >= (wasOffline ? 1 : OFFLINE_HOSTS)
      const tellWithheld = () => {
        for (const outcome of withheld.splice(0)) {
          const host = outcome.unreachableHost === undefined ? undefined : unreached.get(outcome.unreachableHost)
          if (host?.told) continue
          if (host) host.told = true
          tell(outcome)
        }
      }
      return {
        /** An unreachable host is not tried again for each of its feeds. */
        isForLater(feed: Feed): boolean {
          const host = hostOf(feed)
          return host !== undefined && (isOffline() || isLeftAlone(host))
        },
        take(outcome: FeedOutcome, ownHost: string | undefined): void {
          const { id, unreachableHost } = outcome
          for (const [host, { feeds }] of unreached) {
            if (host !== unreachableHost && (host === ownHost || feeds.has(id))) unreached.delete(host)
          }
          if (unreachableHost === undefined) reached = true
          else {
            hosts.add(unreachableHost)
            const known = unreached.get(unreachableHost) ?? { sinceMs: 0, feeds: new Set(), told: false }
            known.sinceMs = clock.now()
            known.feeds.add(id)
            unreached.set(unreachableHost, known)
          }
          withheld.push(outcome)
          if (reached) tellWithheld()
        },
        end(): void {
          // A round in which no feed was due says nothing about the network.
          if (!reached && hosts.size === 0) return
          const offline = isOffline()
          if (!offline) tellWithheld()
          if (offline !== wasOffline) onOffline(offline)
          wasOffline = offline
        },
      }
    },
  }
}

const LEFTOVER_MS = DAY_MS

/** Removes work folders of a killed process. Files have the system clock's time, whatever clock the server uses. */
function removeLeftovers(dataDir: string): void {
  for (const [folder, prefix] of [
    ['feeds', '.spool-'],
    ['snapshots', '.compiling-'],
  ] as const) {
    const parent = join(dataDir, folder)
    if (!existsSync(parent)) continue
    for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix))) {
      const path = join(parent, name)
      const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY }
      if (systemClock.now() - mtimeMs > LEFTOVER_MS) rmSync(path, { recursive: true, force: true })
    }
  }
}

import type { Logger } from 'pino'
import type { Sql } from '../db/sql.ts'
import { type Clock, HOUR_MS, MINUTE_MS } from '../lib/clock.ts'
import { readBootstrap } from './bootstrap-job.ts'
import { createLive, type Live, type LiveMetrics } from './live.ts'
import type { ObserverSettings, Observers } from './observers.ts'
import { createThreadedObservers } from './threaded-observers.ts'

export interface LiveSettings extends ObserverSettings {
  readonly mode: 'auto' | 'on' | 'off'
  readonly bulkBudgetMs: number
}

export interface OpenLive extends Live {
  readonly servers: Observers['servers']
}

export interface LiveDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: LiveMetrics | undefined
}

/** The look-ups of a running node; undefined where they are off. */
export function openLive(settings: LiveSettings, deps: LiveDependencies): OpenLive | undefined {
  const { sql, clock, logger, metrics } = deps
  const { mode, sorts } = settings
  if (mode === 'off' || sorts.length === 0) return undefined
  const observers = createThreadedObservers(settings, {
    onCrash: (err) => logger.error({ err }, 'the thread for live look-ups has died'),
  })
  let quietUntil = Number.NEGATIVE_INFINITY
  const live = createLive({
    ...settings,
    observers,
    sql,
    clock,
    metrics,
    onSwitch: (on) => logger.info(on ? ON : OFF),
    onTrouble(err) {
      if (clock.ticks() < quietUntil) return
      quietUntil = clock.ticks() + MINUTE_MS
      logger.warn({ err }, 'facts could not be read from or written to the database')
    },
  })
  // The list of registries in the database is newer than the list of the release.
  const readList = async () => {
    const list = await readBootstrap(sql, clock.now()).catch(() => undefined)
    if (list) observers.useBootstrap(list.text)
  }
  const timer = setInterval(() => void readList(), HOUR_MS).unref()
  void readList()
  return {
    ...live,
    servers: observers.servers,
    close() {
      clearInterval(timer)
      return live.close()
    },
  }
}

const ON = 'Live look-ups are on: a resolver answers.'
const OFF =
  'Live look-ups are off: no resolver answers. Checks use the loaded intelligence; ASSAY_LIVE=off stops the test every minute.'

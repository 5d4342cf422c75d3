import type { Sql } from '../db/sql.ts'
import type { Job } from '../jobs/runner.ts'
import { type Clock, DAY_MS, HOUR_MS } from '../lib/clock.ts'
import { readFacts, writeFacts } from './fact-store.ts'
import { refreshBootstrap } from './rdap/bootstrap.ts'
import { Client } from './rdap/client.ts'

/** IANA's list of registries' servers, fetched once a day by one node and stored in the database for all. */

const WHERE = { sort: 'bootstrap', name: 'rdap' } as const
/** Stored long: an old list is better than the list of the release. */
const KEEP_MS = 400 * DAY_MS

export async function readBootstrap(sql: Sql, nowMs: number): Promise<{ text: string; seenMs: number } | undefined> {
  const [row] = await readFacts(sql, [WHERE], nowMs)
  return row && { text: row.value, seenMs: row.seenMs }
}

export function createBootstrapJob({ sql, clock, url, onRefused }: BootstrapJobOptions): Job {
  return {
    name: 'registries',
    periodMs: HOUR_MS,
    async run() {
      const nowMs = clock.now()
      const known = await readBootstrap(sql, nowMs)
      if (known && nowMs - known.seenMs < DAY_MS) return
      const client = new Client({})
      await using _ = { [Symbol.asyncDispose]: () => client.close() }
      const fetched = await refreshBootstrap(client, url)
      if ('problem' in fetched) return onRefused(fetched.problem)
      const value = JSON.stringify(fetched)
      await writeFacts(sql, [{ ...WHERE, value, seenMs: nowMs, expiresMs: nowMs + KEEP_MS }])
    },
  }
}

export interface BootstrapJobOptions {
  readonly sql: Sql
  readonly clock: Clock
  readonly url?: string | undefined
  readonly onRefused: (problem: string) => void
}

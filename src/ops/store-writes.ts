import type { Sql } from '../db/sql.ts'
import { SECOND_MS, systemClock } from '../lib/clock.ts'

export type StoreWrites = ReturnType<typeof watchStoreWrites>

/**
 * Checks if the store can be written: a full disk and a read-only replica still answer every query. Writes one test row
 * at most once in `everyMs`, however many callers ask, and not while another write is in progress. `nowMs` is a clock
 * that never goes back. Half a second by default: a second after the store has failed, the first answer must be right.
 */
export function watchStoreWrites(
  sql: Sql,
  { everyMs = SECOND_MS / 2, nowMs = () => performance.now() }: { everyMs?: number; nowMs?: () => number } = {},
) {
  let known: { readonly problem: unknown; readonly atMs: number } | undefined
  let trying: Promise<unknown> | undefined

  async function tryToWrite(): Promise<unknown> {
    const atMs = nowMs()
    const problem = await sql
      .query(
        `insert into readiness (name, written_at) values ('probe', $1)
         on conflict (name) do update set written_at = excluded.written_at`,
        [systemClock.now()],
      )
      .then(
        () => undefined,
        (error: unknown) => error ?? 'failed',
      )
    trying = undefined
    // A commit in the meantime is newer than the beginning of this attempt.
    if (known === undefined || known.atMs <= atMs) known = { problem, atMs: nowMs() }
    return known.problem
  }

  return {
    /** A change was committed just now: no test write is needed. */
    wrote() {
      known = { problem: undefined, atMs: nowMs() }
    },
    /** The fault; undefined when writing works. */
    problem(): Promise<unknown> {
      if (known && nowMs() - known.atMs < everyMs) return Promise.resolve(known.problem)
      trying ??= tryToWrite()
      return trying
    },
  }
}

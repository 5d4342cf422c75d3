/**
 * Reads from a standby of the PostgreSQL in use.
 *
 *  1. A read sees everything that was committed before it, by whichever node: the primary says how far its log has come,
 *     and the standby answers only if it has replayed that much.
 *  2. A read waits WAIT_MS_MAX for that at most; then the primary answers. So does it for every statement that fails on
 *     the standby.
 *  3. A standby that does not answer, is of another database, or is more than LAG_SECONDS_MAX behind is not asked. Its
 *     state is read every second.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { openLazily } from './open.ts'
import type { SqlQueries } from './sql.ts'

const LAG_SECONDS_MAX = 10
const WAIT_MS_MAX = 250
const POLL_MS = 10
const LOOK_MS = 1000

export type Replica = ReturnType<typeof openReplica>

export function openReplica({ primary, url }: { readonly primary: SqlQueries; readonly url: string }) {
  const standby = openLazily({ engine: 'postgres', url }, { connectionsMax: 5 })
  let lagSeconds: number | undefined

  async function look(): Promise<void> {
    lagSeconds = await lagOf(primary, standby).catch(() => undefined)
  }
  const isUsable = () => lagSeconds !== undefined && lagSeconds <= LAG_SECONDS_MAX
  const stopping = new AbortController()
  const looking = (async () => {
    while (!stopping.signal.aborted) {
      await look()
      await delay(LOOK_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
    }
  })()

  return {
    url,
    reading: async (): Promise<SqlQueries> => (isUsable() ? readerOf(primary, standby) : primary),
    isUsable,
    /** As of the last look; undefined if the standby does not answer or is of another database. */
    lagSeconds: () => lagSeconds,
    look,
    async close() {
      stopping.abort()
      await looking
      await standby.close()
    },
  }
}

/** The standby, if it has everything that is committed now; otherwise the primary. */
export async function readerOf(primary: SqlQueries, standby: SqlQueries): Promise<SqlQueries> {
  const at = await positionOf(primary)
  try {
    const untilMs = performance.now() + WAIT_MS_MAX
    while (!(await hasReplayed(standby, at))) {
      if (performance.now() >= untilMs) return primary
      await delay(POLL_MS)
    }
  } catch {
    return primary
  }
  return {
    engine: standby.engine,
    query: (text, params) => standby.query<never>(text, params).catch(() => primary.query<never>(text, params)),
  }
}

interface Position {
  readonly lsn: string
  /** Of the database: a position in the log of another one says nothing. */
  readonly id: string
}

const ID = `(select system_identifier from pg_control_system()) || ' ' || current_database()`

async function positionOf(primary: SqlQueries): Promise<Position> {
  const [position] = await primary.query<Position>(`select pg_current_wal_flush_lsn()::text as lsn, ${ID} as id`)
  return position!
}

const REPLAYED = `coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) and pg_is_in_recovery()`

async function hasReplayed(standby: SqlQueries, { lsn, id }: Position): Promise<boolean> {
  const [row] = await standby.query<{ replayed: boolean }>(`select ${REPLAYED} and ${ID} = $2 as replayed`, [lsn, id])
  return row!.replayed
}

async function lagOf(primary: SqlQueries, standby: SqlQueries): Promise<number | undefined> {
  const { lsn, id } = await positionOf(primary)
  const [row] = await standby.query<{ seconds: number | null }>(
    `select case when ${ID} <> $2 or not pg_is_in_recovery() then null when ${REPLAYED} then 0
       else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 end as seconds`,
    [lsn, id],
  )
  return row?.seconds === null ? undefined : Math.max(0, row!.seconds)
}

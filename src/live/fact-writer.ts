import type { Sql } from '../db/sql.ts'
import { type FactRow, writeFacts } from './fact-store.ts'

/** So few at a time that a charge never waits long for them. */
const ROWS_AT_ONCE = 256
const WAIT_MS = 250
/** Beyond that what was seen is kept in memory only. */
const WAITING_MAX = 50_000

/** Writes facts down a little later, many at a time: nobody waits for it, and a fact that is lost is looked up again. */
export function createFactWriter(options: {
  readonly sql: Sql
  readonly onTrouble?: ((error: unknown) => void) | undefined
}) {
  const waiting = new Map<string, FactRow>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined
  let closed = false

  function schedule(): void {
    if (timer || writing || closed || waiting.size === 0) return
    timer = setTimeout(() => void flush(), WAIT_MS)
    timer.unref()
  }

  /** Writes all that waits now. */
  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    await writing
    writing = writeAll().finally(() => {
      writing = undefined
      schedule()
    })
    await writing
  }

  async function writeAll(): Promise<void> {
    for (let left = waiting.size; left > 0; left -= ROWS_AT_ONCE) {
      const rows = [...take(ROWS_AT_ONCE)]
      try {
        await writeFacts(options.sql, rows)
      } catch (error) {
        options.onTrouble?.(error)
        return
      }
    }
  }

  function* take(count: number): Generator<FactRow> {
    for (const [key, row] of waiting) {
      if (count-- === 0) return
      waiting.delete(key)
      yield row
    }
  }

  return {
    add(row: FactRow): void {
      if (closed || waiting.size >= WAITING_MAX) return
      waiting.set(`${row.sort} ${row.name}`, row)
      schedule()
    },
    flush,
    async close() {
      await flush()
      closed = true
      clearTimeout(timer)
    },
  }
}

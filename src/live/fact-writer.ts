import type { Sql } from '../db/sql.ts'
import { type FactRow, keyOf, writeFacts } from './fact-store.ts'

/** A batch small enough that a charge never waits long for it. */
const ROWS_AT_ONCE = 256
const WAIT_MS = 250
/** Beyond this limit facts are cached in memory only. */
const WAITING_MAX = 50_000

/** Writes facts to the database a little later, in batches: nobody waits for it, and a lost fact is looked up again. */
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
      const rows = [...waiting.values().take(ROWS_AT_ONCE)]
      for (const row of rows) waiting.delete(keyOf(row))
      try {
        await writeFacts(options.sql, rows)
      } catch (error) {
        options.onTrouble?.(error)
        return
      }
    }
  }

  return {
    add(row: FactRow): void {
      if (closed || waiting.size >= WAITING_MAX) return
      waiting.set(keyOf(row), row)
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

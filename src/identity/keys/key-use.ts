import type { Sql } from '../../db/sql.ts'
import type { Clock } from '../../lib/clock.ts'
import { touchKeys } from './keys.ts'

const WRITE_MS = 30_000

/** Notes when keys are used, and writes the times twice a minute: a write for each request would cost more than it. */
export function trackKeyUse(sql: Sql, clock: Clock, onError: (error: unknown) => void) {
  const used = new Map<string, number>()
  const write = async () => {
    const batch = new Map(used)
    used.clear()
    await touchKeys(sql, batch).catch(onError)
  }
  const timer = setInterval(write, WRITE_MS).unref()
  return {
    used(keyId: string): void {
      used.set(keyId, clock.now())
    },
    async close() {
      clearInterval(timer)
      await write()
    },
  }
}

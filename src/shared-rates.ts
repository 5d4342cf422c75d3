import type { RateLimiter, Taken } from './access/limits.ts'
import type { Sql } from './db/sql.ts'
import { newId } from './lib/ids.ts'

/**
 * Rates count the cluster: every few milliseconds each node tells the others what it let through, and takes what they let
 * through from its own buckets. No request waits for it. Between two tellings the nodes together may let through more
 * than the rate; they owe it afterwards, so that over seconds the rate holds for all of them together.
 */
const EVERY_MS = 30
const CHANNEL = 'assay_rates'
/** A notice of PostgreSQL holds 8,000 bytes. */
const ENTRIES_MAX = 80

/** SQLite has one node. Returns how to end it. */
export async function shareRates(sql: Sql, limiter: RateLimiter): Promise<() => Promise<void>> {
  if (sql.engine !== 'postgres') return async () => {}
  const node = newId('nod')
  const head = JSON.stringify([node]).slice(0, -1)
  const unlisten = await sql.listen(CHANNEL, (payload) => {
    // A node hears itself, too.
    if (payload.startsWith(head)) return
    const [, taken] = JSON.parse(payload) as [string, Taken[]]
    limiter.takenElsewhere(taken)
  })
  // From here on the limiter notes what is taken.
  limiter.taken()
  let telling: Promise<void> | undefined
  const tell = async () => {
    const taken = limiter.taken()
    for (let at = 0; at < taken.length; at += ENTRIES_MAX) {
      // While the database is out of reach nobody is charged, and each node keeps to the rate by itself.
      await sql.notify(CHANNEL, JSON.stringify([node, taken.slice(at, at + ENTRIES_MAX)])).catch(() => {})
    }
  }
  const timer = setInterval(() => {
    telling ??= tell().finally(() => {
      telling = undefined
    })
  }, EVERY_MS).unref()
  return async () => {
    clearInterval(timer)
    await telling
    await unlisten()
  }
}

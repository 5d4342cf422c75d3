import type { SqlQueries } from '../db/sql.ts'
import { SECOND_MS } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'

/**
 * RFC 8628 §3.5: a device waits `interval` seconds between polls, and five more after every poll that came too early.
 * The interval is stored with the code in the database, so that every node applies the same one.
 */
const INTERVAL_GROWTH_MS = 5 * SECOND_MS
const INTERVAL_MS_MAX = 600 * SECOND_MS
/** A device that waits exactly its interval may still arrive a little early. */
const JITTER_MS = 250

/** Records a poll of a pending code; true if it came too early. */
export async function notePoll(
  sql: SqlQueries,
  input: { readonly deviceCode: string; readonly intervalMs: number; readonly nowMs: number },
): Promise<boolean> {
  const rows = await sql.query<{ polled_early: number }>(
    `update oauth_record set
       polled_early = case when abs($2 - polled_at) < coalesce(poll_interval_ms, $3) - $5 then 1 else 0 end,
       poll_interval_ms = case when abs($2 - polled_at) < coalesce(poll_interval_ms, $3) - $5
         then coalesce(poll_interval_ms, $3) + $4 else coalesce(poll_interval_ms, $3) end,
       polled_at = $2
     where digest = $1 and kind = 'DeviceCode' and coalesce(poll_interval_ms, 0) <= $6 returning polled_early`,
    [sha256Hex(input.deviceCode), input.nowMs, input.intervalMs, INTERVAL_GROWTH_MS, JITTER_MS, INTERVAL_MS_MAX],
  )
  // No row: the interval is at its maximum, because the device polls too early every time.
  return rows[0]?.polled_early !== 0
}

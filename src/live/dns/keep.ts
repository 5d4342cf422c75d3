import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'

/** How long DNS answers are cached. */

const KEEP_MS_MIN = 5 * MINUTE_MS
const KEEP_MS_MAX = DAY_MS

/** A missing name may be registered any minute, and Node does not report how long its absence may be cached. */
export const KEEP_ABSENT_MS = HOUR_MS / 2

/** The shortest TTL of the records, within limits; the minimum where no TTL is known. */
export function keepMs(ttlsS: readonly number[]): number {
  if (ttlsS.length === 0) return KEEP_MS_MIN
  return Math.min(KEEP_MS_MAX, Math.max(KEEP_MS_MIN, Math.min(...ttlsS) * SECOND_MS))
}

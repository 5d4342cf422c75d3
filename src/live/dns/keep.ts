import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'

/** How long what the DNS said is kept. */

const KEEP_MS_MIN = 5 * MINUTE_MS
const KEEP_MS_MAX = DAY_MS

/** A name that does not exist may be registered any minute, and how long its absence may be kept Node does not tell. */
export const KEEP_ABSENT_MS = HOUR_MS / 2

/** By the shortest of the times the records allow; the least there is where none is known. */
export function keepMs(ttlsS: readonly number[]): number {
  if (ttlsS.length === 0) return KEEP_MS_MIN
  return Math.min(KEEP_MS_MAX, Math.max(KEEP_MS_MIN, Math.min(...ttlsS) * SECOND_MS))
}

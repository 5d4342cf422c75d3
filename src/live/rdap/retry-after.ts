import { HOUR_MS, SECOND_MS } from '../../lib/clock.ts'

const UNSAID_MS = 10 * SECOND_MS

/** How long a server asks us to wait (RFC 9110 §10.2.3): seconds or a date; at most an hour. */
export function retryAfterMs(header: string | undefined, nowMs: number): number {
  const written = header?.trim() ?? ''
  const untilMs = /^[a-z]{3,9},? /i.test(written) ? Date.parse(written) - nowMs : Number.NaN
  const waitMs = /^\d{1,9}$/.test(written) ? Number(written) * SECOND_MS : untilMs
  if (Number.isNaN(waitMs)) return UNSAID_MS
  return Math.min(Math.max(waitMs, SECOND_MS), HOUR_MS)
}

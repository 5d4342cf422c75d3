import { DAY_MS } from '../../lib/clock.ts'
import { isoDay } from '../../lib/time-text.ts'

/** Words for facts: times as people say them, and quoted text of strangers. */

const DAYS_IN_DAYS = 60
const DAYS_IN_MONTHS = 730
const MONTH_DAYS = 30.44

/** `6 days ago (2026-11-09)`, `14 months ago (2025-09-20)`, `in 1998`. */
export function past(timeMs: number, nowMs: number): string {
  const days = Math.floor((nowMs - timeMs) / DAY_MS)
  if (days < 1) return `today (${isoDay(timeMs)})`
  if (days < DAYS_IN_DAYS) return `${counted(days, 'day')} ago (${isoDay(timeMs)})`
  if (days < DAYS_IN_MONTHS) return `${counted(Math.floor(days / MONTH_DAYS), 'month')} ago (${isoDay(timeMs)})`
  return `in ${isoDay(timeMs).slice(0, 4)}`
}

/** `in 9 days (2026-11-25)`. */
export function soon(timeMs: number, nowMs: number): string {
  const days = Math.floor((timeMs - nowMs) / DAY_MS)
  return days < 1 ? `today (${isoDay(timeMs)})` : `in ${counted(days, 'day')} (${isoDay(timeMs)})`
}

export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return count === 1 ? `1 ${noun}` : `${count} ${plural}`
}

const TEXT_LENGTH_MAX = 60

/** Text from a stranger's server, on one line and not too long. */
export function quoted(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim()
  return line.length > TEXT_LENGTH_MAX ? `${line.slice(0, TEXT_LENGTH_MAX).trimEnd()}…` : line
}

import type { SqlQueries } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { sha256Hex } from '../../lib/hashing.ts'

/** Counting attempts in a window, in the database, so that every node sees the same count. */
export interface Limit {
  readonly attemptsMax: number
  readonly windowMs: number
}

/**
 * Takes one attempt; returns how long to wait when there are none left. Counted before the work, so that many at once
 * do not slip through. After a clock was set back, a window that ends later than it could is made as short as a new one.
 */
export async function takeAttempt(
  sql: SqlQueries,
  key: string,
  { attemptsMax, windowMs }: Limit,
  nowMs: number,
): Promise<{ waitMs: number }> {
  const rows = await sql.query<{ attempts: number; ends_at: number }>(
    `insert into attempt_window (key, attempts, ends_at) values ($1, 1, $3)
     on conflict (key) do update set
       attempts = case when attempt_window.ends_at <= $2 then 1 else attempt_window.attempts + 1 end,
       ends_at = case when attempt_window.ends_at > $2 and attempt_window.ends_at <= $3
         then attempt_window.ends_at else excluded.ends_at end
     returning attempts, ends_at`,
    [sha256Hex(key), nowMs, nowMs + windowMs],
  )
  const { attempts, ends_at } = rows[0]!
  return { waitMs: attempts > attemptsMax ? Math.max(1, ends_at - nowMs) : 0 }
}

/** 429 when there is something to wait for; `what` says what there was too much of. */
export function refuseWait(waitMs: number, what: string): void {
  if (waitMs === 0) return
  const seconds = Math.ceil(waitMs / 1000)
  throw new Problem('rate_limited', {
    detail: `${what} Wait ${seconds} s, then try again.`,
    headers: { 'retry-after': String(seconds) },
  })
}

/** Gives an attempt back: it was a good one. */
export async function returnAttempt(sql: SqlQueries, key: string): Promise<void> {
  await sql.query('update attempt_window set attempts = attempts - 1 where key = $1 and attempts > 0', [sha256Hex(key)])
}

export async function forgetAttempts(sql: SqlQueries, key: string): Promise<void> {
  await sql.query('delete from attempt_window where key = $1', [sha256Hex(key)])
}

/** Whose attempts are counted together: an IPv4 address, or the /64 an IPv6 host can move about in. */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = ip.split('%')[0]!.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...first, ...Array(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

import { type Actor, isUnlimited } from '../../access/actor.ts'
import { deletePast } from '../../db/purge.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { addressKey, siteKey } from '../../lib/address-key.ts'
import { type Clock, MINUTE_MS } from '../../lib/clock.ts'
import { sha256Hex } from '../../lib/hashing.ts'
import { RowEstimate } from '../../lib/row-estimate.ts'
import { type AttemptLimit, LIMITS } from '../../limits.ts'

/** Rate limits counted in windows in the database, so that all nodes share the count. */
const CROWDED_WAIT_MS = MINUTE_MS
const CLOCKS_APART_MS = MINUTE_MS

interface Window {
  readonly attempts: number
  readonly ends_at: number
}

async function findWindow(sql: SqlQueries, digest: string): Promise<Window | undefined> {
  const rows = await sql.query<Window>('select attempts, ends_at from attempt_window where key = $1', [digest])
  return rows[0]
}

/**
 * Takes up to `wanted` of the attempts left, and returns when the window ends. Counted before the work, so that concurrent
 * attempts cannot exceed the limit. A window that ends too late, because the clock was set back, is shortened.
 */
export async function takeAttempts(
  sql: SqlQueries,
  key: string,
  limit: AttemptLimit,
  nowMs: number,
  { wanted, isNew = (write) => write() }: { readonly wanted: number; readonly isNew?: Admission },
): Promise<{ taken: number; endsAtMs: number }> {
  const { attemptsMax, windowMs } = limit
  const digest = sha256Hex(key)
  const found = await findWindow(sql, digest)
  if (found && isUsedUp(found, limit, nowMs)) return { taken: 0, endsAtMs: found.ends_at }
  const take = async () => {
    const rows = await sql.query<Window>(
      `insert into attempt_window (key, attempts, ends_at) values ($1, $4, $3)
       on conflict (key) do update set
         attempts = case when attempt_window.ends_at <= $2 then excluded.attempts
           else attempt_window.attempts + excluded.attempts end,
         ends_at = case when attempt_window.ends_at > $2 and attempt_window.ends_at <= $3
           then attempt_window.ends_at else excluded.ends_at end
       where attempt_window.ends_at <= $2 or attempt_window.ends_at > $3 or attempt_window.attempts < $5
       returning attempts, ends_at`,
      [digest, nowMs, nowMs + windowMs, wanted, attemptsMax],
    )
    return rows[0]
  }
  const window = found ? await take() : await isNew(take)
  if (window) {
    const over = Math.max(0, window.attempts - attemptsMax)
    return { taken: Math.max(0, wanted - over), endsAtMs: window.ends_at }
  }
  // A concurrent caller took the last attempt.
  const theirs = await findWindow(sql, digest)
  return { taken: 0, endsAtMs: theirs?.ends_at ?? nowMs + windowMs }
}

/**
 * Counts one more thing that an organisation creates today; 429 with the bound and its end when the bound is reached.
 * Counted in the transaction that creates it. The operator and the program itself have no bound.
 */
export async function takeDailyShare(tx: Tx, actor: Actor, what: keyof typeof LIMITS.daily): Promise<void> {
  if (isUnlimited(actor)) return
  const limit = LIMITS.daily[what]
  const key = `daily ${what} ${actor.organisationId}`
  const { taken, endsAtMs } = await takeAttempts(tx, key, limit, tx.nowMs, { wanted: 1 })
  if (taken > 0) return
  throw waiting(
    endsAtMs - tx.nowMs,
    `This organisation has created ${limit.attemptsMax} ${what} within a day, which is the limit.`,
  )
}

/** Throws if no more windows may be written. */
type Admission = <T>(write: () => Promise<T>) => Promise<T>

/** Takes one attempt of an anonymous caller; returns how long to wait without attempts left. */
export async function takeAttempt(sql: SqlQueries, key: string, limit: AttemptLimit, nowMs: number) {
  const { taken, endsAtMs } = await takeAttempts(sql, key, limit, nowMs, { wanted: 1, isNew: admission(sql, nowMs) })
  return { waitMs: taken > 0 ? 0 : Math.max(1, endsAtMs - nowMs) }
}

/** Refuses another window when anonymous callers have too many. */
const admission =
  (sql: SqlQueries, nowMs: number): Admission =>
  (write) =>
    windowsOf(sql).add(write, {
      full: () => waiting(CROWDED_WAIT_MS, 'Too many attempts at the same time.'),
      clear: () => purgeAttempts(sql, nowMs),
    })

/** After this many failures in a row each further one doubles the wait, up to a limit. */
export interface Growth {
  readonly freeMax: number
  readonly firstWaitMs: number
  readonly waitMsMax: number
  /** The run ends after this long without a failure. */
  readonly forgottenMs: number
}

export function waitAfter(failures: number, growth: Growth): number {
  if (failures < growth.freeMax) return 0
  return Math.min(growth.waitMsMax, growth.firstWaitMs * 2 ** Math.min(40, failures - growth.freeMax))
}

/**
 * Takes one attempt of a run of failures, before the work and in one statement; it counts as failed until `forgetAttempts`
 * ends the run. Returns the number of the failure in the run, or how long to wait.
 */
export async function takeTry(sql: SqlQueries, key: string, growth: Growth, nowMs: number) {
  const digest = sha256Hex(key)
  const { forgottenMs } = growth
  // A run that ends too late was written before the clock was set back: its wait is over. Nodes' clocks differ
  // by less than the tolerance, and one of many concurrent requests may write a time that was read before another's.
  const take = () =>
    sql.query<{ attempts: number }>(
      `insert into attempt_window (key, attempts, ends_at) values ($1, 1, $3)
       on conflict (key) do update set ends_at = excluded.ends_at,
         attempts = case when attempt_window.ends_at <= $2 then 1 else attempt_window.attempts + 1 end
       where attempt_window.ends_at <= $2 or attempt_window.ends_at > $4
         or attempt_window.ends_at - ${forgottenMs} + ${waitInSql('attempt_window.attempts', growth)} <= $2
       returning attempts`,
      [digest, nowMs, nowMs + forgottenMs, nowMs + forgottenMs + CLOCKS_APART_MS],
    )
  const before = await findWindow(sql, digest)
  const [taken] = before ? await take() : await admission(sql, nowMs)(take)
  if (taken) return { waitMs: 0, failures: taken.attempts }
  const run = (await findWindow(sql, digest)) ?? before
  const failures = run?.attempts ?? growth.freeMax
  const sinceMs = (run?.ends_at ?? nowMs + forgottenMs) - forgottenMs
  return { waitMs: Math.max(1, sinceMs + waitAfter(failures, growth) - nowMs), failures }
}

/** `waitAfter` as an expression over the number of failures. */
function waitInSql(failures: string, growth: Growth): string {
  const steps: string[] = []
  for (let n = growth.freeMax; waitAfter(n, growth) < growth.waitMsMax; n++) {
    steps.push(`when ${failures} = ${n} then ${waitAfter(n, growth)}`)
  }
  return `case when ${failures} < ${growth.freeMax} then 0 ${steps.join(' ')} else ${growth.waitMsMax} end`
}

/** Networks (/64) that a site may exhaust before it waits as a whole: providers divide a /48 among customers. */
const NETWORKS_PER_SITE = 64

/** Takes one attempt from an address. An IPv6 site is also counted as a whole: it has 65,536 networks. */
export async function takeAttemptFrom(sql: SqlQueries, what: string, ip: string, limit: AttemptLimit, nowMs: number) {
  const { address, site } = keysOf(what, ip)
  if (!site) return takeAttempt(sql, address, limit, nowMs)
  const siteLimit = { ...limit, attemptsMax: limit.attemptsMax * NETWORKS_PER_SITE }
  // The site first: while it waits, no window for another of its networks is written.
  const all = await waitFor(sql, site, siteLimit, nowMs)
  if (all.waitMs > 0) return all
  // The address before the site: an exhausted address takes no attempts from its neighbours.
  const own = await takeAttempt(sql, address, limit, nowMs)
  return own.waitMs > 0 ? own : takeAttempt(sql, site, siteLimit, nowMs)
}

/** Takes one attempt from an address, or throws 429 with `why` as the reason. */
export async function requireAttemptFrom(
  { sql, clock }: { readonly sql: SqlQueries; readonly clock: Clock },
  what: string,
  ip: string,
  limit: AttemptLimit,
  why: string,
): Promise<void> {
  refuseWait((await takeAttemptFrom(sql, what, ip, limit, clock.now())).waitMs, why)
}

export async function returnAttemptFrom(sql: SqlQueries, what: string, ip: string): Promise<void> {
  const { address, site } = keysOf(what, ip)
  await Promise.all([returnAttempt(sql, address), site && returnAttempt(sql, site)])
}

function keysOf(what: string, ip: string): { readonly address: string; readonly site?: string } {
  const [address, site] = [addressKey(ip), siteKey(ip)]
  return { address: `${what} ${address}`, ...(site === address ? {} : { site: `${what} ${site}` }) }
}

/** How long a caller would have to wait; takes no attempt. */
export async function waitFor(sql: SqlQueries, key: string, limit: AttemptLimit, nowMs: number) {
  const window = await findWindow(sql, sha256Hex(key))
  return { waitMs: window && isUsedUp(window, limit, nowMs) ? window.ends_at - nowMs : 0 }
}

function isUsedUp({ attempts, ends_at }: Window, { attemptsMax, windowMs }: AttemptLimit, nowMs: number): boolean {
  return attempts >= attemptsMax && ends_at > nowMs && ends_at <= nowMs + windowMs
}

/** One estimate per store, shared by all limits. */
const estimates = new WeakMap<SqlQueries, RowEstimate>()

function windowsOf(sql: SqlQueries): RowEstimate {
  const known = estimates.get(sql)
  if (known) return known
  const made = new RowEstimate(LIMITS.counts.attemptWindowsMax, async () => {
    const rows = await sql.query<{ n: number }>(
      'select count(*) as n from (select ends_at from attempt_window order by ends_at limit $1) as windows',
      [LIMITS.counts.attemptWindowsMax],
    )
    return rows[0]?.n ?? 0
  })
  estimates.set(sql, made)
  return made
}

/** Throws 429 with `what` as the reason if `waitMs` is positive. */
export function refuseWait(waitMs: number, what: string): void {
  if (waitMs > 0) throw waiting(waitMs, what)
}

export function waiting(waitMs: number, what: string): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  const time = seconds < 7200 ? `${seconds} s` : `${Math.ceil(seconds / 3600)} hours`
  return new Problem('rate_limited', {
    detail: `${what} Wait ${time}, then try again.`,
    headers: { 'retry-after': String(seconds) },
  })
}

async function returnAttempt(sql: SqlQueries, key: string): Promise<void> {
  await sql.query('update attempt_window set attempts = attempts - 1 where key = $1 and attempts > 0', [sha256Hex(key)])
}

export async function forgetAttempts(sql: SqlQueries, key: string): Promise<void> {
  await sql.query('delete from attempt_window where key = $1', [sha256Hex(key)])
}

export function purgeAttempts(sql: SqlQueries, nowMs: number): Promise<number> {
  return deletePast(sql, { table: 'attempt_window', key: 'key', time: 'ends_at' }, nowMs)
}

/** Time is an argument everywhere, so a test can hold it still or move a month in one line. */
export interface Clock {
  /** Milliseconds since the epoch, UTC: for times that are stored and compared with stored times. */
  now(): number
  /**
   * Milliseconds since some moment. They only go forward, at the pace of real time, even when somebody sets the
   * machine's clock: for the age of something in memory, and for waiting times.
   */
  ticks(): number
}

/** This machine's clock. Somebody may set it: the service's own time is in service-clock.ts. */
export const systemClock: Clock = { now: () => Date.now(), ticks: () => performance.now() }

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The billing period a moment falls in: a calendar month in UTC, as `YYYY-MM`. */
export function periodOf(timeMs: number): string {
  const day = Math.floor(timeMs / DAY_MS)
  // Asked for every charge, nearly always about today.
  if (day !== latest.day) latest = { day, period: new Date(timeMs).toISOString().slice(0, 7) }
  return latest.period
}

let latest = { day: Number.NaN, period: '' }

/** A moment in the format of every answer: RFC 3339, UTC, with milliseconds. */
export function iso(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

/** Adds years to a time, or subtracts them if negative: same day, same time of day. */
export function yearsLater(timeMs: number, years: number): number {
  const time = new Date(timeMs)
  return time.setUTCFullYear(time.getUTCFullYear() + years)
}

export function isoOrNull(timeMs: number | null | undefined): string | null {
  return timeMs === null || timeMs === undefined ? null : iso(timeMs)
}

type Shown<Row> = {
  [Name in keyof Row]: Name extends `${string}_at` ? (null extends Row[Name] ? string | null : string) : Row[Name]
}

/** Columns of a row (by default all) as an answer shows them: times as text. */
export function shown<Row extends object, Name extends string & keyof Row>(row: Row, ...names: Name[]) {
  const chosen = names.length > 0 ? names : (Object.keys(row) as Name[])
  const cells = chosen.map((name) => [name, name.endsWith('_at') ? isoOrNull(row[name] as number | null) : row[name]])
  return Object.fromEntries(cells) as Shown<Pick<Row, Name>>
}

const DAY_WORDS = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The day of a moment in UTC, as in "5 March 2026". */
export const dayWords = (timeMs: number) => DAY_WORDS.format(timeMs)

/** The day of a moment in UTC, as `YYYY-MM-DD`. */
export function isoDay(timeMs: number): string {
  return iso(timeMs).slice(0, 10)
}

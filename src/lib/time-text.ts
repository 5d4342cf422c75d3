/** A moment in the format of every answer: RFC 3339, UTC, with milliseconds. */
export function iso(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

export function isoOrNull(timeMs: number | null | undefined): string | null {
  return timeMs === null || timeMs === undefined ? null : iso(timeMs)
}

/** The day of a moment in UTC, as `YYYY-MM-DD`. */
export function isoDay(timeMs: number): string {
  return iso(timeMs).slice(0, 10)
}

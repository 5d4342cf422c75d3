/** A moment in the format of every answer: RFC 3339, UTC, with milliseconds. */
export function iso(timeMs: number): string {
  return new Date(timeMs).toISOString()
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

/** The day of a moment in UTC, as `YYYY-MM-DD`. */
export function isoDay(timeMs: number): string {
  return iso(timeMs).slice(0, 10)
}

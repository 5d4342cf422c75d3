import { iso } from '../lib/clock.ts'
import { textTable } from '../lib/text-table.ts'
import type { Answer } from './verb.ts'

type Cell = string | number | null | undefined

/** Rows as aligned columns, each with its title and its cell; `empty` when there are no rows. */
export function table<Row>(rows: readonly Row[], empty: string, columns: Readonly<Record<string, (row: Row) => Cell>>) {
  if (rows.length === 0) return empty
  const cells = Object.values(columns)
  return textTable(
    Object.keys(columns),
    rows.map((row) => cells.map((cell) => String(cell(row) ?? '-'))),
  )
}

/** The answer of a verb that lists rows: the view of each for programs, a table for people. */
export function listAnswer<Row>(
  rows: readonly Row[],
  view: (row: Row) => unknown,
  empty: string,
  columns: Readonly<Record<string, (row: Row) => Cell>>,
): Answer {
  return { value: rows.map((row) => view(row)), text: table(rows, empty, columns) }
}

/** To the minute, in UTC; null for `table` to show as missing. */
export function dateText(timeMs: number | null): string | null {
  return timeMs === null ? null : iso(timeMs).slice(0, 16).replace('T', ' ')
}

export const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`

/** One line for each field. */
export function fieldLines(fields: object, width = 0): string[] {
  return Object.entries(fields).map(
    ([name, value]) => `${`${name}: `.padEnd(width)}${Array.isArray(value) ? value.join(' ') : (value ?? '-')}`,
  )
}

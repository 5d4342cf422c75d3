import Type from 'typebox'
import { Problem } from '../errors.ts'

/** How many entries of a log stand on a page: more as CSV, which programs write and read, than as JSON. */
const ROWS_DEFAULT = 100
const ROWS_MAX = 1000
const CSV_ROWS_MAX = 10_000

export const LogLimit = Type.Optional(
  Type.Integer({
    $id: 'LogLimit',
    minimum: 1,
    maximum: CSV_ROWS_MAX,
    description: `On a page. As JSON: default ${ROWS_DEFAULT}, at most ${ROWS_MAX}. As CSV: default and at most ${CSV_ROWS_MAX}.`,
  }),
)

export function logLimit(wanted: number | undefined, asCsv: boolean): number {
  if (asCsv) return wanted ?? CSV_ROWS_MAX
  if (wanted !== undefined && wanted > ROWS_MAX) {
    throw new Problem('invalid_query', { detail: `limit: at most ${ROWS_MAX} entries on a page.` })
  }
  return wanted ?? ROWS_DEFAULT
}

import type { SqlQueries } from '../db/sql.ts'
import { type CsvCell, csvLine } from '../lib/csv.ts'
import { LIMITS } from '../limits.ts'
import type { Made, Maker } from './maker.ts'

/** Rows of a list read together: at the greatest length of a row, a page of them takes some milliseconds. */
export const ROWS_AT_ONCE = 25

/** Where a page of a log begins, as its cursor holds it. */
export type Position = readonly (number | string)[]

export interface LogInput<Query, At> {
  readonly query: Query
  readonly form: 'csv' | 'json'
  readonly after: At | undefined
  readonly rowsMax: number
  /** The page ends early when it is this long: rows may be a thousand times as long as usual. */
  readonly bytesMax: number
}

/** An export reads more rows together, up to the number that is probably left: some filters make each read sort all rows. */
const EXPORT_ROWS_FIRST = 100
const EXPORT_ROWS_AT_ONCE = 1000

/**
 * A page of a log, as CSV or as the rows of a JSON array. Rows are read a few at a time, so that neither the number nor
 * the length of the stored rows decides how much memory a page takes. The head is the position of the next page.
 */
export function logMaker<Query, Row, At extends Position>(
  about: Pick<Maker<never, never>, 'module' | 'name'> & {
    /** The titles of a CSV file, where they depend on the query by a function. */
    readonly fields: readonly string[] | ((query: Query) => readonly string[])
    /** Of a CSV file; default a comma. */
    readonly separator?: (query: Query) => string | undefined
    readonly view: (row: Row) => object
    readonly cells: (row: Row, query: Query) => readonly CsvCell[]
    readonly read: (
      sql: SqlQueries,
      query: Query,
      page: { readonly after: At | undefined; readonly limit: number },
    ) => Promise<{ readonly rows: readonly Row[]; readonly next: At | undefined }>
  },
): Maker<LogInput<Query, At>, At | undefined> {
  const { module, name, fields, separator, view, cells, read } = about
  return {
    module,
    name,
    async make(sql, { query, form, after, rowsMax, bytesMax }): Promise<Made<At | undefined>> {
      const line = (row: readonly CsvCell[]) => csvLine(row, separator?.(query))
      const texts = form === 'csv' ? [line(typeof fields === 'function' ? fields(query) : fields)] : []
      let from = after
      let left = rowsMax
      const isExport = rowsMax > LIMITS.pages.rowsMax
      let atOnce = isExport ? EXPORT_ROWS_FIRST : ROWS_AT_ONCE
      let characters = 0
      for (;;) {
        const limit = Math.min(left, atOnce)
        const { rows, next } = await read(sql, query, { after: from, limit })
        const text =
          form === 'csv'
            ? rows.map((row) => line(cells(row, query))).join('')
            : rows.map((row) => JSON.stringify(view(row))).join(',')
        if (text !== '') texts.push(text)
        left -= rows.length
        characters += text.length
        // A short page with a next one has looked at as many rows as one request may.
        if (next === undefined || rows.length < limit || left === 0 || characters >= bytesMax) {
          return { head: next, bytes: new TextEncoder().encode(texts.join(form === 'csv' ? '' : ',')) }
        }
        from = next
        const fitting = Math.ceil(((bytesMax - characters) / characters) * (rowsMax - left))
        if (isExport) atOnce = Math.max(ROWS_AT_ONCE, Math.min(EXPORT_ROWS_AT_ONCE, fitting))
      }
    },
  }
}

import type { Operations } from '@assay/sdk'
import { dayOfDotted } from './day.ts'
import type { ListTable } from './list.ts'

/** A file with entries of an own list: in the columns of an export, or one indicator on each line. */

type Entry = Operations['POST /v1/own-lists/{list}/imports']['body']['entries'][number]

const ENDS = /^(?:expires(?: at| on)?|expiry(?: date)?|until|ends)$/

/** The entries for the API, and the line of each. The service names the invalid ones. */
export function ownEntries({ columns, rows, guess }: Pick<ListTable, 'columns' | 'rows' | 'guess'>) {
  const titles = columns.map((title) => title.trim().toLowerCase().replaceAll('_', ' '))
  const titled = titles.indexOf('indicator')
  const places = [titled < 0 ? (guess?.column ?? 0) : titled, titles.indexOf('reason'), titles.findIndex(isEnds)]
  const read = rows.map(({ line, cells }) => ({ line, values: places.map((at) => cells[at]?.trim() ?? '') }))
  const filled = read.filter(({ values }) => values.some((value) => value !== ''))
  const entries = filled.map(
    ({ values: [indicator = '', reason, ends = ''] }): Entry => ({
      indicator,
      reason: reason || null,
      // A day means the whole day.
      expires_at: (dayOfDotted(ends) ?? ends).replace(/^\d{4}-\d{2}-\d{2}$/, '$&T23:59:59Z') || null,
    }),
  )
  return { entries, lines: filled.map(({ line }) => line) }
}

const isEnds = (title: string) => ENDS.test(title)

/** The service names an entry by its place; a person looks for its line. */
export function lineProblems(
  errors: readonly { readonly pointer: string; readonly detail: string }[],
  lines: readonly number[],
): string[] {
  return errors.map(({ pointer, detail }) => {
    const line = lines[Number(/^\/entries\/(\d+)/.exec(pointer)?.[1])]
    return line === undefined ? detail : `line ${line}: ${detail}`
  })
}

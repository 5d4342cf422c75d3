import type { Answered } from './answered.ts'
import { hasScore, standingIn, type Table } from './table.ts'

/** Which rows a report shows, in which order: filtering and sorting without touching the rows themselves. */

export const FILTERS = ['all', 'high', 'medium', 'low', 'none'] as const
/** `none`: rows without a level. */
export type Filter = (typeof FILTERS)[number]
export const SORTS = ['row', 'record', 'score'] as const
export type SortBy = (typeof SORTS)[number]

export interface ViewOptions {
  readonly filter: Filter
  readonly search: string
  readonly sortBy: SortBy
  readonly descending: boolean
}

/** Every column of each row in lower case, made when somebody searches. */
export function textsOf(table: Table): readonly string[] {
  return table.cells.map((cells) => cells.join('\n').toLowerCase())
}

export function selectRows(
  table: Table,
  answered: Answered,
  { filter, search, sortBy, descending }: ViewOptions,
  texts: () => readonly string[],
): Uint32Array {
  const rows = table.cells.length
  const found = new Uint32Array(rows)
  const searched = search === '' ? undefined : texts()
  const reasonHas = answered.reasons.map((reason) => reason.toLowerCase().includes(search))
  let size = 0
  for (let row = 0; row < rows; row++) {
    if (filter !== 'all') {
      const standing = standingIn(table, answered, row)
      if (filter === 'none' ? hasScore(standing) : filter !== standing) continue
    }
    const reason = answered.reasonOf[table.records[row] ?? -1] ?? 0
    if (searched && !searched[row]?.includes(search) && !reasonHas[reason]) {
      if (!table.problems.get(row)?.toLowerCase().includes(search)) continue
    }
    found[size++] = row
  }
  const view = found.subarray(0, size)
  if (sortBy === 'row') return descending ? view.reverse() : view
  const sign = descending ? -1 : 1
  const compare = sortBy === 'score' ? byScore(table, answered, sign) : byRecord(table, sign)
  // Equals stay in the order of the file.
  return view.sort((a, b) => compare(a, b) || a - b)
}

/** Rows without a score come last either way. */
function byScore(table: Table, answered: Answered, sign: number) {
  const scores = Int16Array.from(table.cells, (_, row) => {
    const score = answered.scores[table.records[row] ?? -1] ?? 0
    return hasScore(standingIn(table, answered, row)) ? score * sign : 1000
  })
  return (a: number, b: number) => (scores[a] ?? 0) - (scores[b] ?? 0)
}

function byRecord({ values, records, cells, list }: Table, sign: number) {
  const names = cells.map((row, at) => (values[records[at] ?? -1] ?? row[list.column] ?? '').toLowerCase())
  return (a: number, b: number) => sign * compareText(names[a] ?? '', names[b] ?? '')
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

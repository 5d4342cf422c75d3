import { isNothingToCheck } from '@assay/reader/indicator'
import type { Risk } from '@assay/sdk'
import { nextSteps } from '../check/words.ts'
import { withoutPrefix } from './journal.ts'
import { type Answered, kindOf, type List, type RecordState, type Rows, stateOf } from './list.ts'
import { readRows } from './store.ts'

/** The whole file with the state of each row: the report shows, filters and writes it. */
export interface ReportTable extends Pick<Rows, 'lines' | 'cells' | 'records' | 'problems' | 'values'> {
  readonly list: List
  readonly firstRow: Uint32Array
  readonly columnOf: Uint16Array
}

/** The value that a row is about. A cell may hold several values, and a row of the file several checked cells. */
export const checkedValue = (
  { list, values, records, cells, columnOf }: ReportTable,
  row: number,
): string | undefined => (list.more && values[records[row] ?? -1]) || cells[row]?.[columnOf[row] ?? 0]

export async function readReportTable(list: List): Promise<ReportTable> {
  const lines = new Uint32Array(list.rows)
  const records = new Int32Array(list.rows)
  const firstRow = new Uint32Array(list.times.length)
  const columnOf = new Uint16Array(list.rows).fill(list.column)
  const cells: (readonly string[])[] = []
  const values: string[] = []
  const problems = new Map<number, string>()
  for await (const piece of readRows(list.id)) {
    const start = cells.length
    lines.set(piece.lines, start)
    records.set(piece.records, start)
    if (piece.columnOf) columnOf.set(piece.columnOf, start)
    for (const row of piece.cells) cells.push(row)
    for (const value of piece.values) values.push(value)
    for (const [at, problem] of piece.problems) problems.set(start + at, problem)
  }
  // From the end, so that the first row is written last.
  for (let row = list.rows - 1; row >= 0; row--) if (records[row]! >= 0) firstRow[records[row]!] = row
  return { list, lines, cells, records, problems, firstRow, columnOf, values }
}

/** `unread`: nothing in the row could be sent. */
export type RowState = RecordState | 'unread'

export interface ReportRow {
  readonly state: RowState
  readonly level: string
  /** Undefined when a score would have no meaning. */
  readonly score: number | undefined
  readonly reason: string
  readonly toDo: string
  /** Names the first row of the same record. */
  readonly note: string
}

function stateIn(table: ReportTable, { standings }: Answered, row: number): RowState {
  const record = table.records[row] ?? -1
  if (record >= 0) return stateOf(standings[record])
  return isNothingToCheck(table.problems.get(row)) ? 'nothing' : 'unread'
}

export const hasScore = (state: RowState): state is Risk => state === 'low' || state === 'medium' || state === 'high'

export function reportRow(table: ReportTable, answered: Answered, row: number): ReportRow {
  const record = table.records[row] ?? -1
  const state = stateIn(table, answered, row)
  const first = table.firstRow[record]
  const note = record >= 0 && first !== row ? `Same as row ${table.lines[first ?? 0]}` : ''
  const known = answered.reasons[answered.reasonOf[record] ?? 0] ?? ''
  if (hasScore(state)) {
    const score = answered.scores[record]
    return { state, level: state, score, reason: known, toDo: nextSteps(kindOf(table.list, record), state).short, note }
  }
  const { level, reason, toDo } = WITHOUT_LEVEL[state]
  return {
    state,
    level,
    score: undefined,
    reason: reason || known || withoutPrefix(table.problems.get(row) ?? ''),
    toDo,
    note,
  }
}

const WITHOUT_LEVEL: Readonly<Record<Exclude<RowState, Risk>, Pick<ReportRow, 'level' | 'reason' | 'toDo'>>> = {
  unread: { level: 'not checked', reason: '', toDo: 'Correct the entry, then check it.' },
  refused: { level: 'not checked', reason: '', toDo: 'Correct the entry, then check it.' },
  nothing: {
    level: 'nothing to check',
    reason: '',
    toDo: 'Check it in another way: nothing is known about it here.',
  },
  waiting: { level: 'not checked yet', reason: 'It is waiting in the queue.', toDo: 'Continue this list.' },
  left: { level: 'not checked', reason: 'It was left out.', toDo: 'Check it on its own if you need an answer.' },
}

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

export const textsOf = (table: ReportTable): readonly string[] =>
  table.cells.map((cells) => cells.join('\n').toLowerCase())

export function selectRows(
  table: ReportTable,
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
      const state = stateIn(table, answered, row)
      if (filter === 'none' ? hasScore(state) : filter !== state) continue
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
  // Equal rows stay in the order of the file.
  return view.sort((a, b) => compare(a, b) || a - b)
}

/** Rows without a score come last in both directions. */
function byScore(table: ReportTable, answered: Answered, sign: number) {
  const scores = Int16Array.from(table.cells, (_, row) => {
    const score = answered.scores[table.records[row] ?? -1] ?? 0
    return hasScore(stateIn(table, answered, row)) ? score * sign : 1000
  })
  return (a: number, b: number) => (scores[a] ?? 0) - (scores[b] ?? 0)
}

function byRecord(table: ReportTable, sign: number) {
  const { values, records } = table
  const names = table.cells.map((_, at) => (values[records[at] ?? -1] ?? checkedValue(table, at) ?? '').toLowerCase())
  return (a: number, b: number) => sign * compareText(names[a] ?? '', names[b] ?? '')
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

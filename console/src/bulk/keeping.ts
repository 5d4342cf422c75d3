import type { ReadList, Table } from '@assay/reader/list'
import type { Kind } from '@assay/sdk'
import type { List, Rows } from './list.ts'

/** A list that was read, as it is kept: whole, in pieces that a browser writes and reads quickly. */

const PIECE_ROWS = 5000

export function listOf(input: {
  readonly id: string
  readonly owner: string
  readonly name: string
  readonly kind: Kind
  readonly column: number
  readonly table: Table
  readonly read: ReadList
  readonly createdAtMs: number
}): List {
  const { table, read, ...rest } = input
  // Titles are read from the first rows only; a later row may be longer.
  const width = table.rows.reduce((most, { cells }) => Math.max(most, cells.length), table.columns.length)
  return {
    ...rest,
    columns: Array.from({ length: width }, (_, at) => table.columns[at] ?? `Column ${at + 1}`),
    rows: read.rows.length,
    times: Uint32Array.from(read.distinct, ({ times }) => times),
    unread: read.unread,
    blank: read.blank,
    legs: [],
  }
}

export function* piecesOf(listId: string, { rows, distinct }: ReadList): Generator<Rows, void, undefined> {
  let firstRecord = 0
  for (let start = 0; start < rows.length; start += PIECE_ROWS) {
    const piece = rows.slice(start, start + PIECE_ROWS)
    // Records are numbered in the order in which they stand first.
    const next = piece.reduce((end, { place = -1 }) => Math.max(end, place + 1), firstRecord)
    yield {
      listId,
      number: start / PIECE_ROWS,
      lines: Uint32Array.from(piece, ({ row }) => row.line),
      cells: piece.map(({ row }) => row.cells),
      records: Int32Array.from(piece, ({ place = -1 }) => place),
      problems: new Map(piece.flatMap(({ problem }, at) => (problem === undefined ? [] : [[at, problem]]))),
      firstRecord,
      values: distinct.slice(firstRecord, next).map(({ indicator }) => indicator.value),
    }
    firstRecord = next
  }
}

import {
  type CheckedColumn,
  type ColumnGuess,
  guessColumn,
  hasTitles,
  headingNotes,
  headingRows,
  kindsIn,
  readCell,
  titleNotes,
  widthOf,
} from './columns.ts'
import type { Row } from './csv.ts'
import { decode } from './encoding.ts'
import { type Format, fileFormat, looksLikeMail } from './format.ts'
import { type Indicator, indicatorKey, isIndicator, isNothingToCheck } from './indicator.ts'
import { type ListBounds, ListProblem, tooManyRows } from './problem.ts'
import { createRowReader } from './rows.ts'

/** A whole list in memory: a file or a paste, its original columns and rows, and the content of each row. */

/** For a page: the whole list stays in its memory. */
const PAGE_BOUNDS: ListBounds = {
  rowsMax: 500_000,
  otherwise: 'Split it, or use the command line, which accepts CSV of any length.',
}
const FILE_BYTES_MAX = 100 * 1024 * 1024

export interface ListTable {
  /** Titles, or "Column 2" where a column has none. */
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly guess: ColumnGuess | undefined
  readonly notes: readonly string[]
  /** The sheets of a workbook with several sheets, and the one that was read. */
  readonly sheets?: readonly string[]
  readonly sheet?: string
}

/** The common part of a browser's File and Node's Blob: the content is not read before its size is known. */
export type Source = { readonly size: number; arrayBuffer(): Promise<ArrayBuffer> }

/** Reads a paste or a file: CSV or text in any encoding, or a sheet of a workbook. Rejects with a ListProblem. */
export async function readTable(
  source: string | Uint8Array | Source,
  options: { readonly sheet?: string | undefined } = {},
): Promise<ListTable> {
  const { rows, notes, separator: _, ...sheets } = await readRows(source, options)
  return { ...tableOf(rows, notes), ...sheets }
}

type ReadRows = Pick<ListTable, 'rows' | 'notes' | 'sheets' | 'sheet'> & { readonly separator?: string | undefined }

/** Like readTable: all rows as they are, titles among them. */
export async function readRows(
  source: string | Uint8Array | Source,
  options: { readonly sheet?: string | undefined; readonly isTableOnly?: boolean } = {},
): Promise<ReadRows> {
  if (typeof source === 'string') return looksLikeMail(source) ? readMails(source) : readText(source, options)
  if (!(source instanceof Uint8Array)) {
    if (source.size > FILE_BYTES_MAX) throw new ListProblem('This file is over 100 MB. Split it first.')
    return readRows(new Uint8Array(await source.arrayBuffer()), options)
  }
  const format = await fileFormat(source)
  if (format !== 'text') return readDocument(format, source, PAGE_BOUNDS, options.sheet)
  const { text, notes } = decode(source)
  const read = await readText(text, options)
  return { ...read, notes: [...notes, ...read.notes] }
}

const readMails = async (source: string | Uint8Array) => (await import('./mailbox.ts')).readMails(source)

/** Reads a format that is read as a whole. Each reader is loaded only when it is needed. */
export async function readDocument(
  format: Exclude<Format, 'text'>,
  bytes: Uint8Array,
  bounds: ListBounds,
  sheet?: string,
): Promise<ReadRows> {
  if (format === 'workbook') return readWorkbook(bytes, bounds, sheet)
  if (sheet !== undefined) throw notAWorkbook()
  return format === 'pdf' ? (await import('./pdf.ts')).readPdf(bytes) : readMails(bytes)
}

export const notAWorkbook = () => new ListProblem('This is not a workbook: it has no sheets to choose from.')

/** The rows of the sheet with this name or number (from 1); by default the sheet with the most indicators. */
async function readWorkbook(bytes: Uint8Array, bounds: ListBounds, wanted: string | undefined): Promise<ReadRows> {
  const { readXlsx } = await import('./xlsx.ts')
  const { name, sheets, rows } = readXlsx(bytes, bounds, { wanted, worth })
  if (sheets.length === 1) return { rows, notes: [] }
  const others = sheets.filter((other) => other !== name).map((other) => `“${other}”`)
  const note = `The workbook has ${sheets.length} sheets: “${name}” was read, not ${others.join(', ')}.`
  return { rows, notes: wanted === undefined ? [note] : [], sheets, sheet: name }
}

function worth(all: readonly Row[]): number {
  const rows = all.slice(headingRows(all))
  const column = guessColumn(rows)?.column
  return column === undefined ? 0 : (kindsIn(rows, column)[0]?.cells ?? 0)
}

const CHUNK_LENGTH = 1 << 20

/** So that the page stays responsive. */
const pause = () => new Promise((resolve) => setTimeout(resolve))

async function readText(text: string, options: { readonly isTableOnly?: boolean }): Promise<ReadRows> {
  const reader = createRowReader(options)
  const rows: Row[] = []
  for (let at = 0; at < text.length; at += CHUNK_LENGTH) {
    for (const row of reader.write(text.slice(at, at + CHUNK_LENGTH))) rows.push(row)
    if (rows.length > PAGE_BOUNDS.rowsMax + 1) throw tooManyRows(PAGE_BOUNDS)
    await pause()
  }
  for (const row of reader.end()) rows.push(row)
  if (rows.length > PAGE_BOUNDS.rowsMax + 1) throw tooManyRows(PAGE_BOUNDS)
  return { rows, notes: reader.notes(), separator: reader.separator?.() }
}

export function tableOf(all: readonly Row[], notes: readonly string[] = []): ListTable {
  const heading = headingRows(all)
  const rows = all.slice(heading)
  const [first] = rows
  if (!first)
    throw new ListProblem(notes.length > 0 ? `There is nothing to check. ${notes.join(' ')}` : 'This list is empty.')
  const guess = guessColumn(rows)
  const titled = guess ? hasTitles(rows, guess.column) : first.cells.length > 1
  const columns = Array.from(
    { length: widthOf(rows) },
    (_, at) => (titled && first.cells[at]?.trim()) || `Column ${at + 1}`,
  )
  const titles = titled && guess ? titleNotes(rows, guess.column) : []
  return {
    columns,
    rows: titled ? rows.slice(1) : rows,
    guess,
    notes: [...notes, ...headingNotes(all, heading), ...titles],
  }
}

/** A row with several values stands here once for each of them. */
export interface ReadRow {
  readonly row: Row
  readonly column: number
  /** The index of its indicator in `ReadList.distinct`. */
  readonly place: number | undefined
  /** The line where the same indicator appears first, if it is an earlier line. */
  readonly firstLine: number | undefined
  readonly problem: string | undefined
}

export interface ReadList {
  readonly rows: readonly ReadRow[]
  readonly distinct: readonly { readonly indicator: Indicator; readonly line: number; readonly times: number }[]
  readonly duplicates: number
  /** Values that are not indicators, and of them those that are private or that nobody can register. */
  readonly unread: number
  readonly nothing: number
  readonly blank: number
}

/** Rows processed without a pause: few enough that the page stays responsive. */
const SLICE_ROWS = 5000

/** Reads the columns of a table. A row in which all of them are empty is blank. */
export async function readList(
  table: ListTable,
  checked: CheckedColumn | readonly CheckedColumn[],
  signal?: AbortSignal,
): Promise<ReadList> {
  const columns = [checked].flat()
  const rows: ReadRow[] = []
  const distinct: { indicator: Indicator; line: number; times: number }[] = []
  const places = new Map<string, number>()
  let blank = 0
  let unread = 0
  let nothing = 0
  for (const row of table.rows) {
    if (rows.length % SLICE_ROWS === 0) {
      if (rows.length > 0) await pause()
      signal?.throwIfAborted()
    }
    const found = columns.flatMap((place) => readCell(row, place).map((one) => ({ one, column: place.column })))
    if (found.length === 0) {
      blank++
      const column = columns[0]?.column ?? 0
      rows.push({ row, column, place: undefined, firstLine: undefined, problem: 'The cell is empty.' })
    }
    for (const { one, column } of found) {
      if (!isIndicator(one)) {
        unread++
        if (isNothingToCheck(one.problem)) nothing++
        rows.push({ row, column, place: undefined, firstLine: undefined, problem: one.problem })
        continue
      }
      const key = indicatorKey(one)
      const place = places.get(key) ?? distinct.length
      const earlier = distinct[place]
      if (earlier) earlier.times++
      else {
        places.set(key, place)
        distinct.push({ indicator: one, line: row.line, times: 1 })
      }
      rows.push({ row, column, place, firstLine: earlier?.line, problem: undefined })
    }
  }
  return { rows, distinct, duplicates: rows.length - distinct.length - unread - blank, unread, nothing, blank }
}

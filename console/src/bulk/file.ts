import { csvRow } from '@assay/reader/csv'
import type { Answered } from './list.ts'
import { type ReportTable, reportRow } from './table.ts'

const ADDED = ['Level', 'Score', 'Main reason', 'What to do', 'Note']
const CSV_CHUNK_ROWS = 10_000

type Cells = readonly (string | number)[]

export type Format = 'csv' | 'xlsx'

export async function reportFile(
  format: Format,
  table: ReportTable,
  answered: Answered,
  rows: Uint32Array,
): Promise<{ readonly content: Blob; readonly name: string }> {
  const name = `${table.list.name.replace(/\.[a-z]{3,4}$/i, '').replace(/[^\p{L}\p{N}._ -]+/gu, '-')}-checked.${format}`
  const lines = linesOf(table, answered, rows)
  if (format === 'csv') return { name, content: csvOf(lines) }
  // Loaded only when a workbook is requested.
  const { writeXlsx, XLSX_MIME_TYPE } = await import('@assay/reader/xlsx')
  return { name, content: new Blob([writeXlsx(lines) as Uint8Array<ArrayBuffer>], { type: XLSX_MIME_TYPE }) }
}

function csvOf(lines: Iterable<Cells>): Blob {
  // The byte order mark makes spreadsheets read the file as UTF-8.
  const parts = ['\ufeff']
  let chunk = ''
  let size = 0
  for (const cells of lines) {
    chunk += csvRow(cells)
    if (++size % CSV_CHUNK_ROWS > 0) continue
    parts.push(chunk)
    chunk = ''
  }
  return new Blob([...parts, chunk], { type: 'text/csv;charset=utf-8' })
}

function* linesOf(table: ReportTable, answered: Answered, rows: Uint32Array): Generator<Cells, void, undefined> {
  const { columns } = table.list
  yield [...columns, ...addedTitles(columns)]
  for (const row of rows) {
    const { level, score, reason, toDo, note } = reportRow(table, answered, row)
    const own = table.cells[row] ?? []
    yield [...columns.map((_, column) => own[column] ?? ''), level, score ?? '', reason, toDo, note]
  }
}

/** A list may already have a column "Score", or be one of our reports that is checked again. */
export function addedTitles(columns: readonly string[]): string[] {
  const taken = new Set(columns.map((title) => title.trim().toLowerCase()))
  return ADDED.map((title) => {
    let free = title
    for (let number = 1; taken.has(free.toLowerCase()); number++) {
      free = `${title} (Assay${number === 1 ? '' : ` ${number}`})`
    }
    return free
  })
}

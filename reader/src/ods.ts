import { CELL_LENGTH_MAX, COLUMNS_MAX, type Row } from './csv.ts'
import { type ListBounds, ListProblem, tooManyRows } from './problem.ts'
import { type Archive, tooLarge, walkFile } from './unzip.ts'

/** A workbook whose sheets can be read one by one, by their place. */
export interface OpenWorkbook {
  readonly sheets: readonly string[]
  read(at: number, rowsWanted?: number): Row[]
}

/** Limits repeated cells: a file of a few bytes can hold millions. */
export const CELLS_MAX = 20_000_000
const CONTENT = 'content.xml'
const SHEETS_MAX = 100

/** Opens a workbook of LibreOffice (OpenDocument); undefined for another archive. */
export function openOds(archive: Archive, bounds: ListBounds): OpenWorkbook | undefined {
  const sheets: string[] = []
  const found = walkFile(archive, CONTENT, ({ name, closes, attribute }) => {
    if (name === 'table' && !closes && sheets.length < SHEETS_MAX) sheets.push(attribute('name') ?? '')
  })
  if (!found || sheets.length === 0) return undefined
  return { sheets, read: (at, rowsWanted = Number.POSITIVE_INFINITY) => readSheet(archive, bounds, at, rowsWanted) }
}

function readSheet(archive: Archive, bounds: ListBounds, wanted: number, rowsWanted: number): Row[] {
  const rows: Row[] = []
  let sheet = -1
  let line = 0
  let rowTimes = 1
  let cellTimes = 1
  let cells: string[] = []
  let blanks = 0
  let text = ''
  let paragraphs = 0
  let inText = false
  let inNote = false
  let cellsLeft = CELLS_MAX
  const endCell = () => {
    // Empty cells are kept only before another one: every row ends with thousands of them.
    if (text === '') blanks += cellTimes
    else {
      if (cells.length + blanks + cellTimes > COLUMNS_MAX) {
        throw new ListProblem(`there are more than ${COLUMNS_MAX} columns.`, line + 1)
      }
      while (blanks-- > 0) cells.push('')
      blanks = 0
      for (let i = 0; i < cellTimes; i++) cells.push(text)
    }
    text = ''
    paragraphs = 0
  }
  const endRow = () => {
    const isEmpty = cells.length === 0
    for (let i = 0; !isEmpty && i < rowTimes; i++) {
      cellsLeft -= cells.length
      if (cellsLeft < 0) throw tooLarge()
      rows.push({ line: line + i + 1, cells })
      if (rows.length > bounds.rowsMax + 1) throw tooManyRows(bounds)
    }
    line += rowTimes
    cells = []
    blanks = 0
    return rows.length < rowsWanted
  }
  walkFile(
    archive,
    CONTENT,
    ({ name, closes, empty, attribute }) => {
      if (name === 'table' && !closes) sheet++
      if (sheet !== wanted) return sheet < wanted
      const repeated = (what: string) => Math.max(1, Number(attribute(`number-${what}-repeated`)) || 1)
      if (name === 'annotation') inNote = !closes && !empty
      else if (name === 'p' && !inNote) {
        if (!closes && paragraphs++ > 0) text += '\n'
        inText = !closes && !empty
      } else if (name === 'table-row') {
        if (!closes) rowTimes = repeated('rows')
        if (closes || empty) return endRow()
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        if (!closes) cellTimes = repeated('columns')
        if (closes || empty) endCell()
      } else if (inText && (name === 's' || name === 'tab' || name === 'line-break')) text += ' '
      return true
    },
    (part) => {
      if (!inText || inNote || sheet !== wanted) return
      text += part
      if (text.length > CELL_LENGTH_MAX) throw tooLarge()
    },
  )
  return rows
}

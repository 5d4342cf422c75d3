import { ListProblem } from './problem.ts'

/** Parses RFC 4180 in pieces. A list with one record per line is a CSV with one column. */
export type Row = { readonly line: number; readonly cells: readonly string[]; readonly isTitles?: boolean }

/** Reads a text in pieces of any size into rows. */
export interface RowReader {
  write(text: string): Row[]
  end(): Row[]
  /** After `end`. */
  notes(): string[]
  /** Of a table, after `end`. */
  separator?(): string | undefined
}

export const CELL_LENGTH_MAX = 65_536
export const COLUMNS_MAX = 1000
/** The separator is detected within this many characters at the start. */
const HEAD_LENGTH = 16_384
const HEAD_LINES = 20

export const SEPARATORS = [',', ';', '\t', '|'] as const

/** Accepts the text in pieces of any size and returns the complete rows. Blank lines are left out. */
export function createCsvReader(): Omit<RowReader, 'notes'> {
  let head: string | undefined = ''
  let separator = ','
  let ends = /[\r\n,]/g
  let line = 1
  let rowLine = 1
  let cells: string[] = []
  let cell = ''
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  let afterReturn = false

  const add = (text: string) => {
    cell += text
    if (cell.length <= CELL_LENGTH_MAX) return
    throw new ListProblem(
      `a value is longer than ${CELL_LENGTH_MAX} characters. Is a quotation mark missing? Correct the line and try again.`,
      rowLine,
    )
  }
  const endCell = () => {
    line += lineBreaks(cell)
    cells.push(unguarded(cell))
    cell = ''
    state = 'start'
    if (cells.length > COLUMNS_MAX) throw new ListProblem(`there are more than ${COLUMNS_MAX} columns.`, rowLine)
  }
  const endRow = (rows: Row[]) => {
    endCell()
    if (cells.length > 1 || cells[0]?.trim() !== '') rows.push({ line: rowLine, cells })
    cells = []
  }

  function take(text: string): Row[] {
    const rows: Row[] = []
    let at = afterReturn && text.startsWith('\n') ? 1 : 0
    if (text !== '') afterReturn = false
    while (at < text.length) {
      if (state === 'quoted') {
        const quote = text.indexOf('"', at)
        const end = quote < 0 ? text.length : quote
        add(text.slice(at, end))
        if (quote >= 0) state = 'closed'
        at = end + 1
        continue
      }
      if (text[at] === '"' && (state === 'start' || state === 'closed')) {
        // A doubled quotation mark is one literal quotation mark.
        if (state === 'closed') add('"')
        state = 'quoted'
        at++
        continue
      }
      ends.lastIndex = at
      const end = ends.exec(text)?.index ?? text.length
      if (end > at) {
        add(text.slice(at, end))
        state = 'plain'
      }
      if (end === text.length) break
      if (text[end] === separator) endCell()
      else {
        endRow(rows)
        rowLine = ++line
        afterReturn = text[end] === '\r' && end + 1 === text.length
      }
      at = end + (text.startsWith('\r\n', end) ? 2 : 1)
    }
    return rows
  }

  function begin(text: string): Row[] {
    head = undefined
    const body = text.startsWith('\ufeff') ? text.slice(1) : text
    const hint = /^sep=(.)\r?\n/i.exec(body)
    separator = hint?.[1] ?? separatorOf(body)
    ends = new RegExp(`[\\r\\n\\u{${separator.charCodeAt(0).toString(16)}}]`, 'gu')
    if (hint) rowLine = line = 2
    return take(body.slice(hint?.[0].length ?? 0))
  }

  return {
    write(text) {
      if (head === undefined) return take(text)
      head += text
      return head.length < HEAD_LENGTH ? [] : begin(head)
    },
    end() {
      const rows = head === undefined ? [] : begin(head)
      if (state === 'quoted') {
        throw new ListProblem('a quotation mark is opened and never closed. Correct the line and try again.', rowLine)
      }
      if (cells.length > 0 || state !== 'start') endRow(rows)
      return rows
    },
    separator: () => separator,
  }
}

const lineBreaks = (text: string) => (/[\r\n]/.test(text) ? text.split(/\r\n|\r|\n/).length - 1 : 0)

/**
 * The separator that occurs in most of the first lines as often as in the first line. Lines above the titles may have
 * none: then the number that at least half of the lines have counts.
 */
function separatorOf(text: string): string {
  const lines = text
    .slice(0, HEAD_LENGTH)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .slice(0, HEAD_LINES)
  const scored = SEPARATORS.map((separator) => {
    const counts = lines.map((line) => line.split(separator).length - 1)
    const times = (wanted: number) => counts.filter((count) => count === wanted).length
    const usual = counts.find((count) => count > 0 && times(count) * 2 >= counts.length) ?? 0
    const first = counts[0] || usual
    return { separator, first, alike: first === 0 ? 0 : times(first) }
  })
  return scored.reduce((best, one) =>
    one.alike > best.alike || (one.alike === best.alike && one.first > best.first) ? one : best,
  ).separator
}

// A spreadsheet runs a cell with such a start as a formula. An apostrophe before it makes it text again.
const FORMULA = /^'*\s*[=+\-@|\t\r]/

const unguarded = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell)

/** One row in a form that spreadsheets of every country can read. Parsing it again gives the same cells. */
export const csvRow = (cells: readonly (string | number)[], lineEnd = '\r\n') => cells.map(csvCell).join(',') + lineEnd

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  // Quote other separators too: a reader that guesses the separator then ignores them.
  return /[",;|\t\r\n]|^sep=/i.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

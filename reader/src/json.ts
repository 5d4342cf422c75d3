import { guessColumn, isTable, kindOfTitle } from './columns.ts'
import { COLUMNS_MAX, type Row, type RowReader } from './csv.ts'
import { createLogReader } from './log.ts'
import { ListProblem } from './problem.ts'

/** Reads JSON, and JSON lines: records become rows and their fields columns. Events of a sensor are read as a log. */

const LENGTH_MAX = 32 * 1024 * 1024
const DEPTH_MAX = 4

/** The reader for a text with this beginning; undefined if it is not JSON. */
export function jsonReaderFor(head: string, isTableOnly: boolean): RowReader | undefined {
  if (!/^\s*(?:\[\s*["{[\]]|\{\s*["}])/.test(head)) return undefined
  const lines = head.trimStart().split(/\r?\n/).slice(0, -1)
  const sample = lines.flatMap((line) => parsed(line) ?? [])
  if (sample.length * 2 <= lines.length || lines.length < 2) return createWholeReader(isTableOnly)
  return isTableOnly || isList(sample) ? createLinesReader() : createLogReader()
}

/** One column of indicators is a list, and so are several with the usual titles. Others are parts of an event. */
function isList(records: readonly unknown[]): boolean {
  const columns = new Columns()
  const body = records.map((record, at) => columns.row(record, at + 1))
  const rows = [columns.titles(), ...body]
  const guess = guessColumn(rows)
  const title = rows[0]?.cells[guess?.column ?? 0]
  return isTable(rows) && (guess?.sure || kindOfTitle(title?.replace(/^.*\./, '')) !== undefined)
}

function parsed(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function createWholeReader(isTableOnly: boolean): RowReader {
  let text = ''
  let notes: string[] = []
  return {
    write(part) {
      text += part
      if (text.length > LENGTH_MAX) throw new ListProblem('This JSON is over 32 MB. Save it as JSON lines or as CSV.')
      return []
    },
    end() {
      const records = recordsIn(text)
      const columns = new Columns()
      const rows = records.map((record, at) => columns.row(record, at + 1))
      const table = columns.isUntitled ? rows : [columns.titles(), ...rows]
      if (isTableOnly || columns.isUntitled || isList(records.slice(0, SAMPLE))) return table
      const log = createLogReader()
      for (const record of records) log.write(`${JSON.stringify(record)}\n`)
      const found = log.end()
      if (found.length === 0) return table
      notes = log.notes()
      return found
    },
    notes: () => notes,
  }
}

const SAMPLE = 200

/** The elements of the longest array. */
function recordsIn(text: string): readonly unknown[] {
  try {
    const whole: unknown = JSON.parse(text)
    return longestArray(whole, 0) ?? [whole]
  } catch (error) {
    throw new ListProblem(`This is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
}

function longestArray(value: unknown, depth: number): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null || depth === DEPTH_MAX) return undefined
  const arrays = Object.values(value).map((inner) => longestArray(inner, depth + 1) ?? [])
  const longest = arrays.reduce((most, one) => (one.length > most.length ? one : most), [])
  return longest.length > 0 ? longest : undefined
}

/** A record on each line: titles are those of the first records, so that a file of any length fits. */
function createLinesReader(): RowReader {
  const columns = new Columns()
  let rest = ''
  let line = 0
  let first: Row[] | undefined = []
  const rowsIn = (lines: readonly string[]) =>
    lines.flatMap((text): Row[] => {
      line++
      if (text.trim() === '') return []
      const record = parsed(text)
      if (!record) throw new ListProblem('this is not valid JSON. Correct the line and try again.', line)
      return [columns.row(record, line)]
    })
  const titled = (rows: Row[]) => {
    if (!first) return rows
    first.push(...rows)
    if (first.length < SAMPLE) return []
    const all = [columns.titles(), ...first]
    columns.close()
    first = undefined
    return all
  }
  return {
    write(part) {
      // Only the new part is split: a long line comes in thousands of parts.
      const [first = '', ...lines] = part.split(/\r?\n/)
      const whole = rest + first
      if (whole.length > LENGTH_MAX) throw new ListProblem('this is over 32 MB of JSON. Shorten the line.', line + 1)
      rest = lines.pop() ?? whole
      return titled(rowsIn(part.includes('\n') ? [whole, ...lines] : []))
    },
    end() {
      const rows = titled(rowsIn([rest]))
      return first ? [columns.titles(), ...first] : rows
    },
    notes: () =>
      columns.left > 0 ? [`${columns.left} values are left out: their fields do not occur in the first records.`] : [],
  }
}

class Columns {
  readonly #places = new Map<string, number>()
  #closed = false
  left = 0

  get isUntitled(): boolean {
    return this.#places.size === 1 && this.#places.has('')
  }

  /** No further columns. */
  close(): void {
    this.#closed = true
  }

  titles(): Row {
    return { line: 1, cells: [...this.#places.keys()], isTitles: true }
  }

  row(record: unknown, line: number): Row {
    const cells: string[] = []
    for (const [name, value] of fieldsOf(record, '', 0)) {
      const column = this.#places.get(name) ?? this.#places.size
      if (column === this.#places.size) {
        if (this.#closed || column === COLUMNS_MAX) {
          this.left++
          continue
        }
        this.#places.set(name, column)
      }
      while (cells.length < column) cells.push('')
      cells[column] = cells[column] ? `${cells[column]}; ${value}` : value
    }
    return { line, cells }
  }
}

function fieldsOf(value: unknown, name: string, depth: number): (readonly [name: string, value: string])[] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [[name, String(value)]]
  if (depth === DEPTH_MAX) return [[name, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([key, inner]) =>
    fieldsOf(inner, Array.isArray(value) ? name : name === '' ? key : `${name}.${key}`, depth + 1),
  )
}

import { guessColumn, hasTitles, kindOfTitle, kindsIn, SAMPLE_ROWS } from '@assay/reader/columns'
import type { Row } from '@assay/reader/csv'
import { isIndicator, type Recognised } from '@assay/reader/indicator'
import { recogniseAs } from '@assay/reader/recognise'
import { createDistinct, type Kind } from '@assay/sdk'
import { CliError, type Context } from '../context.ts'
import { harmless } from '../terminal/paint.ts'
import type { Input } from './input.ts'

/** The records of a file: which column they stand in, what they are, and how many. */
export interface Plan extends Place {
  /** Rows with something in the column. */
  readonly records: number
  /** Distinct indicators among them: what is sent. */
  readonly distinct: number
  /** Rows with nothing in the column. */
  readonly blank: number
}

interface Place {
  readonly kind: Kind
  /** From 0. */
  readonly column: number
  readonly hasHeader: boolean
}

export interface FileRecord {
  readonly line: number
  readonly text: string
  readonly found: Recognised
}

export interface PlanOptions {
  readonly column?: string | undefined
  readonly kind?: Kind | undefined
}

/** Reads the file once, without sending anything. */
export async function planInput(input: Input, options: PlanOptions, context: Context): Promise<Plan> {
  const { name } = input
  const sample: Row[] = []
  let place: Place | undefined
  let distinct: ReturnType<typeof createDistinct> | undefined
  const sums = { records: 0, distinct: 0, blank: 0 }
  let firstProblem = ''
  const add = (row: Row) => {
    const record = recordOf(row, place!, name)
    if (!record) {
      sums.blank++
      return
    }
    sums.records++
    if (!isIndicator(record.found)) firstProblem ||= `line ${record.line}: ${record.found.problem}`
    else if (distinct?.isNew(record.found.value)) sums.distinct++
  }
  const settle = () => {
    if (sample.length === 0) throw noRecords(name)
    place = findPlace(name, sample, options)
    distinct = createDistinct(place.kind)
    for (const row of place.hasHeader ? sample.slice(1) : sample) add(row)
  }
  for await (const row of input.rows()) {
    context.interrupted.throwIfAborted()
    if (place) add(row)
    else if (sample.push(row) === SAMPLE_ROWS) settle()
  }
  if (!place) settle()
  if (sums.records === 0) throw noRecords(name)
  if (sums.distinct === 0) throw new CliError(`${name} has nothing that can be checked: ${firstProblem}`)
  return { ...place!, ...sums }
}

const noRecords = (name: string) =>
  new CliError(`${name} has no records. Give one a line, or a CSV with a column of them.`)

export async function* readRecords(input: Input, plan: Plan): AsyncGenerator<FileRecord> {
  let first = plan.hasHeader
  for await (const row of input.rows()) {
    const record = first ? undefined : recordOf(row, plan, input.name)
    first = false
    if (record) yield record
  }
}

/** Undefined for a row with nothing in the column. */
function recordOf({ line, cells }: Row, { column, kind }: Place, name: string): FileRecord | undefined {
  const text = cells[column]?.trim() ?? ''
  if (text !== '') return { line, text, found: recogniseAs(kind, text) }
  if (cells.length <= column && cells.some((cell) => cell.trim() !== '')) {
    throw new CliError(
      `${name}, line ${line}: the row has ${cells.length} columns, and column ${column + 1} is wanted. Repair the line and try again.`,
    )
  }
  return undefined
}

function findPlace(name: string, rows: readonly Row[], options: PlanOptions): Place {
  const first = rows[0]?.cells ?? []
  const { column, hasHeader } = findColumn(name, rows, first, options.column)
  const kind = options.kind ?? (hasHeader ? kindOfTitle(first[column]) : undefined)
  return { column, hasHeader, kind: kind ?? kindOf(name, rows, column) }
}

function findColumn(name: string, rows: readonly Row[], first: readonly string[], wanted: string | undefined) {
  const at = (column: number) => ({ column, hasHeader: hasTitles(rows, column) })
  if (wanted !== undefined) {
    const named = first.findIndex((title) => title.trim().toLowerCase() === wanted.trim().toLowerCase())
    if (named >= 0) return { column: named, hasHeader: true }
    const number = /^[1-9]\d{0,3}$/.test(wanted) ? Number(wanted) : 0
    if (number >= 1 && number <= first.length) return at(number - 1)
    throw new CliError(`${name} has no column ${JSON.stringify(wanted)}. Its columns: ${listed(first)}.`)
  }
  const guess = guessColumn(rows)
  if (guess?.sure) return at(guess.column)
  if (!guess && first.length === 1) return at(0)
  throw new CliError(`${name} has several columns: ${listed(first)}. Say which one: --column NAME`)
}

function listed(cells: readonly string[]): string {
  const shown = cells.slice(0, 12).map((cell) => harmless(cell.trim()).slice(0, 40) || '(empty)')
  return shown.join(', ') + (cells.length > shown.length ? ', …' : '')
}

/** The kind most of the first records have: a few bad ones must not decide. */
function kindOf(name: string, rows: readonly Row[], column: number): Kind {
  const [best, second] = kindsIn(rows, column)
  if (!best) throw new CliError(`${name} has no email addresses, domains or IP addresses in column ${column + 1}.`)
  if (second && second.cells * 4 > best.cells) {
    throw new CliError(`${name} holds records of several kinds. Say which to check: --kind email, domain or ip`)
  }
  return best.kind
}

import {
  guessColumn,
  hasTitles,
  headingNotes,
  headingRows,
  kindOfColumn,
  readCell,
  SAMPLE_ROWS,
  titleNotes,
  widthOf,
} from '@assay/reader/columns'
import type { Row } from '@assay/reader/csv'
import { isIndicator, type Recognised } from '@assay/reader/indicator'
import { createDistinct, type Kind } from '@assay/sdk'
import { CliError, type Context } from '../context.ts'
import { harmless } from '../terminal/paint.ts'
import type { Input } from './input.ts'

/** The records of a file: their column, their kind and their number. */
export interface Plan extends Place {
  /** Rows with a value in the column. */
  readonly records: number
  /** Distinct indicators in these rows: the number that is sent. */
  readonly distinct: number
  readonly duplicates: number
  readonly invalid: number
  readonly problems: readonly string[]
  readonly blank: number
}

/** At most this many invalid rows are explained before the run; the results explain all. */
const PROBLEMS_TOLD = 3

/** `skipped` rows stand above the records: titles, and what a program wrote above them. */
type Place = {
  readonly kind: Kind
  readonly column: number
  readonly skipped: number
  readonly notes: readonly string[]
}

type PlanOptions = { readonly column?: string | undefined; readonly kind?: Kind | undefined }

export type FileRecord = { readonly line: number; readonly found: Recognised }

export async function planInput(input: Input, options: PlanOptions, context: Context): Promise<Plan> {
  const { name } = input
  const sample: Row[] = []
  let place: Place | undefined
  let distinct: ReturnType<typeof createDistinct> | undefined
  const sums = { records: 0, distinct: 0, duplicates: 0, invalid: 0, blank: 0 }
  const problems: string[] = []
  const add = (row: Row) => {
    const found = readCell(row, place!)
    if (found.length === 0) sums.blank++
    for (const one of found) {
      sums.records++
      if (isIndicator(one)) sums[distinct?.isNew(one.value) ? 'distinct' : 'duplicates']++
      else if (++sums.invalid <= PROBLEMS_TOLD) problems.push(`line ${row.line}: ${one.problem}`)
    }
  }
  const settle = () => {
    if (sample.length === 0) throw noRecords(name)
    place = findPlace(name, sample, options)
    distinct = createDistinct(place.kind)
    for (const row of sample.slice(place.skipped)) add(row)
  }
  for await (const rows of input.rows()) {
    context.interrupted.throwIfAborted()
    for (const row of rows) {
      if (place) add(row)
      else if (sample.push(row) === SAMPLE_ROWS) settle()
    }
  }
  if (!place) settle()
  if (sums.records === 0) throw noRecords(name)
  if (sums.distinct === 0) throw new CliError(`${name} contains nothing that can be checked: ${problems[0]}`)
  return { ...place!, ...sums, problems }
}

const noRecords = (name: string) =>
  new CliError(`${name} has no records. Give one per line, or a CSV with a column of them.`)

export async function* readRecords(input: Input, plan: Plan): AsyncGenerator<FileRecord> {
  let skipped = 0
  for await (const rows of input.rows()) {
    for (const row of rows) {
      if (skipped < plan.skipped) skipped++
      else for (const found of readCell(row, plan)) yield { line: row.line, found }
    }
  }
}

function findPlace(name: string, all: readonly Row[], options: PlanOptions): Place {
  const heading = headingRows(all)
  const rows = all.slice(heading)
  const { column, hasHeader } = findColumn(name, rows, rows[0]?.cells ?? [], options.column)
  const found = kindOfColumn(rows, column)
  const kind = options.kind ?? found?.kind
  if (!kind) throw new CliError(`${name} has no email addresses, domains or IP addresses in column ${column + 1}.`)
  if (!options.kind && found?.mixed) {
    throw new CliError(`${name} contains records of several kinds. Choose one: --kind email, domain or ip`)
  }
  const notes = [...headingNotes(all, heading), ...(hasHeader ? titleNotes(rows, column) : [])]
  return { column, kind, skipped: heading + Number(hasHeader), notes }
}

function findColumn(name: string, rows: readonly Row[], first: readonly string[], wanted: string | undefined) {
  const at = (column: number) => ({ column, hasHeader: hasTitles(rows, column) })
  if (wanted !== undefined) {
    const named = first.findIndex((title) => title.trim().toLowerCase() === wanted.trim().toLowerCase())
    if (named >= 0) return { column: named, hasHeader: true }
    const number = /^[1-9]\d{0,3}$/.test(wanted) ? Number(wanted) : 0
    if (number >= 1 && number <= widthOf(rows)) return at(number - 1)
    throw new CliError(`${name} has no column ${JSON.stringify(wanted)}. Its columns: ${listed(first)}.`)
  }
  const guess = guessColumn(rows)
  if (guess?.sure) return at(guess.column)
  if (!guess && first.length === 1) return at(0)
  throw new CliError(`${name} has several columns: ${listed(first)}. Choose one: --column NAME`)
}

function listed(cells: readonly string[]): string {
  const shown = cells.slice(0, 12).map((cell) => harmless(cell.trim()).slice(0, 40) || '(empty)')
  return shown.join(', ') + (cells.length > shown.length ? ', …' : '')
}

import {
  type CheckedColumn,
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
import { isIndicator, isNothingToCheck, type Recognised } from '@assay/reader/indicator'
import { createDistinct, KIND_NAMES, type Kind } from '@assay/sdk'
import { CliError, type Context } from '../context.ts'
import { harmless } from '../terminal/paint.ts'
import type { Input } from './input.ts'

/** The records of a file: their columns, their kinds and their number. */
export interface Plan extends Place {
  readonly rows: number
  /** Values in the columns. */
  readonly records: number
  /** Distinct indicators among them, in all and of each kind that occurs: the number that is sent. */
  readonly distinct: number
  readonly kinds: readonly { readonly kind: Kind; readonly distinct: number }[]
  readonly duplicates: number
  /** Not valid, and not sent. */
  readonly invalid: number
  /** Private, or a name that nobody can register: not sent either. */
  readonly nothing: number
  readonly problems: readonly string[]
  readonly blank: number
}

/** At most this many invalid rows are explained before the run; the results explain all. */
const PROBLEMS_TOLD = 3

/** `skipped` rows stand above the records: titles, and what a program wrote above them. */
type Place = {
  readonly checked: readonly CheckedColumn[]
  readonly skipped: number
  readonly notes: readonly string[]
}

type PlanOptions = { readonly column?: readonly string[] | undefined; readonly kind?: Kind | undefined }

type FileRecord = { readonly line: number; readonly found: Recognised }

export async function planInput(input: Input, options: PlanOptions, context: Context): Promise<Plan> {
  const { name } = input
  const sample: Row[] = []
  let place: Place | undefined
  const seen = new Map<Kind, { isNew: (value: string) => boolean; distinct: number }>()
  const sums = { rows: 0, records: 0, distinct: 0, duplicates: 0, invalid: 0, nothing: 0, blank: 0 }
  const problems: string[] = []
  const addIndicator = (kind: Kind, value: string) => {
    const own = seen.get(kind) ?? { isNew: createDistinct(kind).isNew, distinct: 0 }
    seen.set(kind, own)
    const isNew = own.isNew(value)
    if (isNew) own.distinct++
    sums[isNew ? 'distinct' : 'duplicates']++
  }
  const add = (row: Row) => {
    const found = valuesIn(row, place!)
    sums.rows++
    if (found.length === 0) sums.blank++
    for (const one of found) {
      sums.records++
      if (isIndicator(one)) addIndicator(one.kind, one.value)
      else {
        sums[isNothingToCheck(one.problem) ? 'nothing' : 'invalid']++
        if (problems.length < PROBLEMS_TOLD) problems.push(`line ${row.line}: ${one.problem}`)
      }
    }
  }
  const settle = () => {
    if (sample.length === 0) throw noRecords(input)
    place = findPlace(name, sample, options)
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
  if (sums.records === 0) throw noRecords(input)
  if (sums.distinct === 0) throw new CliError(`${name} contains nothing that can be checked: ${problems[0]}`)
  const kinds = KIND_NAMES.flatMap((kind) => ({ kind, distinct: seen.get(kind)?.distinct ?? 0 }))
  return { ...place!, ...sums, kinds: kinds.filter(({ distinct }) => distinct > 0), problems }
}

const noRecords = ({ name, notes }: Input) =>
  new CliError(
    notes.length > 0
      ? `${name}: there is nothing to check. ${harmless(notes.join(' '))}`
      : `${name} has no records. Give one per line, or a CSV with a column of them.`,
  )

const valuesIn = (row: Row, { checked }: Place) => checked.flatMap((column) => readCell(row, column))

export async function* readRecords(input: Input, plan: Plan): AsyncGenerator<FileRecord> {
  let skipped = 0
  for await (const rows of input.rows()) {
    for (const row of rows) {
      if (skipped < plan.skipped) skipped++
      else for (const found of valuesIn(row, plan)) yield { line: row.line, found }
    }
  }
}

function findPlace(name: string, all: readonly Row[], options: PlanOptions): Place {
  const heading = headingRows(all)
  const rows = all.slice(heading)
  const titles = rows[0]?.cells ?? []
  const chosen = options.column ?? [String(guessedColumn(name, rows, titles) + 1)]
  const named = chosen.map((wanted) => titles.findIndex((title) => plain(title) === plain(wanted)))
  const columns = chosen.map((wanted, at) => (named[at]! >= 0 ? named[at]! : Number(/^[1-9]\d{0,3}$/.exec(wanted)) - 1))
  const missing = chosen.find((_, at) => columns[at]! < 0 || columns[at]! >= widthOf(rows))
  if (missing !== undefined) {
    throw new CliError(`${name} has no column ${JSON.stringify(missing)}. Its columns: ${listed(titles)}.`)
  }
  const checked = columns.map((column) => {
    const found = options.kind ? { kind: options.kind } : kindOfColumn(rows, column)
    if (found) return { column, ...found }
    throw new CliError(`${name} has no email addresses, domains or IP addresses in column ${column + 1}.`)
  })
  const isTitled = named.some((at) => at >= 0) || columns.some((column) => hasTitles(rows, column))
  const notes = isTitled ? columns.flatMap((column) => titleNotes(rows, column)) : []
  return { checked, skipped: heading + Number(isTitled), notes: [...headingNotes(all, heading), ...notes] }
}

const plain = (title: string) => title.trim().toLowerCase()

function guessedColumn(name: string, rows: readonly Row[], titles: readonly string[]): number {
  const guess = guessColumn(rows)
  if (guess?.sure) return guess.column
  if (!guess && titles.length === 1) return 0
  throw new CliError(`${name} has several columns: ${listed(titles)}. Choose with --column NAME, once for each.`)
}

function listed(cells: readonly string[]): string {
  const shown = cells.slice(0, 12).map((cell) => harmless(cell.trim()).slice(0, 40) || '(empty)')
  return shown.join(', ') + (cells.length > shown.length ? ', …' : '')
}

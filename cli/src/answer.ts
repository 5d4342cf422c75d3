import { ANSWER_FIELDS } from '@assay/sdk/tables'
import { CliError, type Context } from './context.ts'
import { harmless, tabulate } from './terminal/paint.ts'

const CHECK_FIELDS: Readonly<Record<string, { readonly names: string } | undefined>> = ANSWER_FIELDS

/** Answers for programs: `--json` prints the whole answer, `--field` one part of it. */
export interface AnswerOptions {
  readonly json?: boolean
  readonly field?: string
  /** `requireField` has validated the field: a field missing from an answer is null. */
  readonly checked?: boolean
}

/** The result of a verb: once for programs, once for people. */
export interface Answer {
  readonly value: unknown
  readonly text: () => string
  readonly exitCode?: number
}

/** Undefined when the output is for a person. */
export function answerText(value: unknown, { json, field, checked }: AnswerOptions): string | undefined {
  if (field !== undefined) return `${plain(partOf(value, field, checked))}\n`
  return json ? `${JSON.stringify(value)}\n` : undefined
}

/** Rows as a table for people, or the sentence `empty`. */
export function rowsAnswer<Row>(
  context: Context,
  rows: readonly Row[],
  empty: string,
  columns: Readonly<Record<string, (row: Row) => string | null>>,
): Answer {
  return { value: rows, text: () => (rows.length === 0 ? empty : tableOf(context, rows, columns)) }
}

export function tableOf<Row>(
  { stdout }: Context,
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row, place: number) => string | null>>,
): string {
  const cells = Object.values(columns)
  const lines = rows.map((row, place) => cells.map((cell) => harmless(cell(row, place) ?? '-')))
  return tabulate(Object.keys(columns), lines, stdout.columns)
}

/** A time of the service, to the minute or to the day. */
export const minute = (time: string) => time.slice(0, 16).replace('T', ' ')
export const day = (time: string | null) => time?.slice(0, 10) ?? null

function partOf(value: unknown, field: string, checked = false): unknown {
  let part = value
  for (const name of field.split('.')) {
    // An unknown part is null, and so is everything below it.
    if (part === null) return null
    const names = typeof part === 'object' ? Object.keys(part as object) : []
    if (!names.includes(name)) {
      if (checked) return null
      throw noField(field, names)
    }
    part = (part as Record<string, unknown>)[name]
  }
  return part
}

/** Refuses a field that no check answer has, before anything is sent and paid. */
export function requireField(field: string): void {
  let path = ''
  for (const name of field.split('.')) {
    const names = CHECK_FIELDS[path]?.names.split(' ') ?? []
    if (path === '') names.unshift('indicator', 'kind')
    const listed = names.includes('*') && /^\d+$/.test(name)
    if (!listed && !names.includes(name)) throw noField(field, names.includes('*') ? ['0', '1', '…'] : names)
    path = `${path === '' ? '' : `${path}.`}${listed ? '*' : name}`
  }
}

function noField(field: string, names: readonly string[]): CliError {
  const known = names.length > 0 ? ` Its fields: ${names.join(', ')}.` : ''
  return new CliError(`The answer has no field ${JSON.stringify(field)}.${known}`)
}

const plain = (part: unknown) => (typeof part === 'string' ? harmless(part) : JSON.stringify(part))

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

/** Undefined when the output is for a person. */
export function answerText(value: unknown, { json, field, checked }: AnswerOptions): string | undefined {
  if (field !== undefined) return `${plain(partOf(value, field, checked))}\n`
  return json ? `${JSON.stringify(value)}\n` : undefined
}

export function printAnswer({ stdout }: Context, value: unknown, options: AnswerOptions, text: () => string): void {
  stdout.write(answerText(value, options) ?? text())
}

/** A table of answers: a function for each column. `empty` says that there are none. */
export function printRows<Row>(
  context: Context,
  rows: readonly Row[],
  options: AnswerOptions,
  empty: string,
  columns: Readonly<Record<string, (row: Row) => string | number | null | undefined>>,
): void {
  const cells = Object.values(columns)
  const lines = rows.map((row) => cells.map((cell) => harmless(String(cell(row) ?? '-'))))
  printAnswer(context, rows, options, () =>
    rows.length === 0 ? `${empty}\n` : `${tabulate(Object.keys(columns), lines, context.stdout.columns)}\n`,
  )
}

/** `2026-03-02 10:15`. */
export const minuteOf = (time: string): string => time.slice(0, 16).replace('T', ' ')

/** The values that were given, for a request. */
export const given = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]: Exclude<Values[Name], undefined>
  }

interface Page<Row> {
  readonly data: readonly Row[]
  readonly next_cursor: string | null
}

/** Reads page after page, up to `max` rows. */
export async function readPages<Row>(
  read: (page: { limit: number; cursor?: string }) => Promise<Page<Row>>,
  max: number,
): Promise<{ readonly rows: readonly Row[]; readonly isAll: boolean }> {
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    if (rows.length >= max) return { rows: rows.slice(0, max), isAll: false }
    const page: Page<Row> = await read({ limit: 200, ...(cursor === '' ? {} : { cursor }) })
    rows.push(...page.data)
    cursor = page.next_cursor
  }
  return { rows, isAll: true }
}

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

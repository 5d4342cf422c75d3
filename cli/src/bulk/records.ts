import { createDistinct, type Kind } from '@assay/sdk'
import { CliError, type Context } from '../context.ts'
import { recogniseKind } from '../indicator.ts'
import { harmless } from '../terminal/paint.ts'
import { readRows } from './csv.ts'
import type { Input } from './input.ts'

/** The records of a file: which column they stand in, what they are, and how many. */
export interface Plan {
  readonly kind: Kind
  /** From 0. */
  readonly column: number
  readonly hasHeader: boolean
  readonly records: number
  readonly distinct: number
  /** Rows with nothing in the column. */
  readonly blank: number
}

export interface FileRecord {
  readonly line: number
  readonly text: string
}

/** Names under which columns of each kind go, in any case. */
const NAMES: Readonly<Record<string, Kind>> = {
  email: 'email',
  emails: 'email',
  'e-mail': 'email',
  email_address: 'email',
  'email address': 'email',
  domain: 'domain',
  domains: 'domain',
  hostname: 'domain',
  host: 'domain',
  ip: 'ip',
  ips: 'ip',
  ip_address: 'ip',
  'ip address': 'ip',
}
const SAMPLE_RECORDS = 100

/** Reads the file once, without sending anything. */
export async function planInput(
  input: Input,
  options: { readonly column?: string | undefined; readonly kind?: Kind | undefined },
  context: Context,
): Promise<Plan> {
  let place: { column: number; hasHeader: boolean; kind: Kind | undefined } | undefined
  let kind = options.kind
  const sample: string[] = []
  let distinct: ReturnType<typeof createDistinct> | undefined
  let distinctRecords = 0
  let records = 0
  let blank = 0
  const settleKind = () => {
    kind ??= place?.kind ?? kindOf(sample, input.name)
    distinct = createDistinct(kind)
    for (const text of sample) if (distinct.isNew(text)) distinctRecords++
  }
  for await (const { line, fields } of readRows(input.name, input.text())) {
    context.interrupted.throwIfAborted()
    if (!place) {
      place = findColumn(input.name, fields, options.column)
      if (place.hasHeader) continue
    }
    const text = fields[place.column]?.trim() ?? ''
    if (text === '') {
      if (fields.length <= place.column && fields.some((field) => field.trim() !== '')) {
        throw new CliError(
          `${input.name}, line ${line}: the row has ${fields.length} columns, and column ${place.column + 1} is wanted. Repair the line and try again.`,
        )
      }
      blank++
      continue
    }
    records++
    if (distinct) {
      if (distinct.isNew(text)) distinctRecords++
    } else {
      sample.push(text)
      if (sample.length >= SAMPLE_RECORDS) settleKind()
    }
  }
  if (records === 0)
    throw new CliError(`${input.name} has no records. Give one a line, or a CSV with a column of them.`)
  if (!distinct) settleKind()
  return { kind: kind!, column: place!.column, hasHeader: place!.hasHeader, records, distinct: distinctRecords, blank }
}

export async function* readRecords(input: Input, plan: Plan): AsyncGenerator<FileRecord> {
  let first = plan.hasHeader
  for await (const { line, fields } of readRows(input.name, input.text())) {
    if (first) {
      first = false
      continue
    }
    const text = fields[plan.column]?.trim() ?? ''
    if (text !== '') yield { line, text }
  }
}

function findColumn(name: string, first: readonly string[], wanted: string | undefined) {
  const header = first.map((field) => field.trim().toLowerCase())
  const kindAt = (column: number) => NAMES[header[column] ?? '']
  if (wanted !== undefined) {
    const named = header.indexOf(wanted.trim().toLowerCase())
    if (named >= 0) return { column: named, hasHeader: true, kind: kindAt(named) }
    const number = /^[1-9]\d{0,3}$/.test(wanted) ? Number(wanted) : 0
    if (number >= 1 && number <= first.length) {
      // By number: the first row is a header when its cell does not look like a record.
      const cell = first[number - 1]?.trim() ?? ''
      return { column: number - 1, hasHeader: !/[.:@]/.test(cell), kind: kindAt(number - 1) }
    }
    throw new CliError(`${name} has no column ${JSON.stringify(wanted)}. Its columns: ${listed(first)}.`)
  }
  if (first.length === 1) return { column: 0, hasHeader: kindAt(0) !== undefined, kind: kindAt(0) }
  const known = header.flatMap((_, column) => (kindAt(column) ? [column] : []))
  if (known.length === 1) return { column: known[0]!, hasHeader: true, kind: kindAt(known[0]!) }
  throw new CliError(`${name} has several columns: ${listed(first)}. Say which one: --column NAME`)
}

function listed(fields: readonly string[]): string {
  const shown = fields.slice(0, 12).map((field) => harmless(field.trim()).slice(0, 40) || '(empty)')
  return shown.join(', ') + (fields.length > shown.length ? ', …' : '')
}

/** The kind most of the first records have: a few bad ones must not decide. */
function kindOf(sample: readonly string[], name: string): Kind {
  const votes = new Map<Kind, number>()
  for (const text of sample) votes.set(recogniseKind(text), (votes.get(recogniseKind(text)) ?? 0) + 1)
  const [best, second] = [...votes].sort((a, b) => b[1] - a[1])
  if (!best || (second && second[1] * 4 > best[1])) {
    throw new CliError(`${name} holds records of several kinds. Say which to check: --kind email, domain or ip`)
  }
  return best[0]
}

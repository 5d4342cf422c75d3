/** Lists of counterparties and of an import's findings as documents: JSON pages and CSV files. */
import { logMaker } from '../../documents/log.ts'
import { shown } from '../../lib/clock.ts'
import type { KeptAccount } from '../accounts/digest.ts'
import { LISTS, type ListField } from './content.ts'
import {
  CONTENT_FIELDS,
  type ContentField,
  type CounterpartyQuery,
  changedFields,
  listCounterparties,
} from './counterparties.ts'
import {
  type DifferenceQuery,
  type FileFormat,
  type ImportColumn,
  type ImportDifference,
  type RowRemarks,
  readDifferences,
  readRemarks,
} from './imports.ts'
import type { Counterparty } from './register.ts'

export const accountView = ({ kind, country, last4 }: Omit<KeptAccount, 'digest'>) => ({ kind, country, last4 })

export function counterpartyView(one: Counterparty) {
  return {
    ...shown(one, 'id', 'state', 'created_at', 'updated_at', ...CONTENT_FIELDS),
    accounts: one.accounts.map(accountView),
  }
}

type Shown = Pick<Counterparty, ContentField>
const isList = (field: ContentField): field is ListField => LISTS.some((list) => list === field)

const textsOf = (one: Shown, field: ListField): readonly string[] =>
  field === 'accounts' ? one.accounts.map(({ last4 }) => `…${last4}`) : one[field]

/** The columns of a file: as they came with the last import, and after them the fields that it did not have. */
function columnsOf(imported: readonly ImportColumn[]): readonly (ImportColumn & { readonly field: ContentField })[] {
  const came = imported.flatMap(({ title, field }) => (field === null ? [] : [{ title, field }]))
  const others = CONTENT_FIELDS.filter((field) => !came.some((column) => column.field === field))
  return [...came, ...others.map((field) => ({ title: field, field }))]
}

/** One value for each of several columns of the same field; the last of them gets the rest. */
function cellsOf(one: Shown, columns: ReturnType<typeof columnsOf>, { days }: FileFormat = {}): (string | null)[] {
  return columns.map(({ field }, at) => {
    // A year alone stays as it is.
    if (field === 'since' && days === 'dd.mm.yyyy') return one.since?.split('-').toReversed().join('.') ?? null
    if (!isList(field)) return one[field]
    const place = columns.slice(0, at).filter((column) => column.field === field).length
    const isLast = !columns.slice(at + 1).some((column) => column.field === field)
    const texts = textsOf(one, field)
    return (isLast ? texts.slice(place) : texts.slice(place, place + 1)).join('; ')
  })
}

export interface ExportQuery extends CounterpartyQuery {
  readonly columns: readonly ImportColumn[]
  readonly format: FileFormat
}

type TimeAndId = readonly [createdAtMs: number, id: string]

export const counterpartyLog = logMaker<ExportQuery, Counterparty, TimeAndId>({
  module: import.meta.url,
  name: 'counterpartyLog',
  fields: ({ columns }) => columnsOf(columns).map(({ title }) => title),
  view: counterpartyView,
  separator: ({ format }) => format.separator,
  cells: (one, { columns, format }) => cellsOf(one, columnsOf(columns), format),
  async read(sql, query, { after, limit }) {
    const from = after && { createdAtMs: after[0], id: after[1] }
    const { rows, next } = await listCounterparties(sql, query, { from, limit })
    return { rows, next: next && [next.createdAtMs, next.id] }
  },
})

export const DIFFERENCE_FIELDS = ['difference', 'changed', ...CONTENT_FIELDS] as const

const changesOf = ({ before, after }: ImportDifference) => (before && after ? changedFields(before, after) : [])

export const differenceLog = logMaker<DifferenceQuery, ImportDifference, TimeAndId>({
  module: import.meta.url,
  name: 'differenceLog',
  fields: DIFFERENCE_FIELDS,
  view: (one) => ({
    difference: one.difference,
    changed: changesOf(one),
    before: one.before && counterpartyView(one.before),
    after: one.after && counterpartyView(one.after),
  }),
  cells: (one) => [one.difference, changesOf(one).join(' '), ...cellsOf((one.after ?? one.before)!, columnsOf([]))],
  async read(sql, query, { after, limit }) {
    const { rows, next } = await readDifferences(sql, query, { after: after?.[1] ?? '', limit })
    return { rows, next: next === undefined ? undefined : [0, next] }
  },
})

export const REMARK_FIELDS = ['row', 'invalid', 'remarks'] as const

export const remarkLog = logMaker<{ readonly importId: string }, RowRemarks, readonly [row: number]>({
  module: import.meta.url,
  name: 'remarkLog',
  fields: REMARK_FIELDS,
  view: remarkView,
  cells: ({ row_number, invalid, remarks }) => [row_number, invalid, remarks.map(({ detail }) => detail).join(' ')],
  async read(sql, { importId }, { after, limit }) {
    const rows = await readRemarks(sql, importId, { after: after?.[0] ?? -1, limit })
    return { rows, next: rows.length === limit ? [rows.at(-1)!.row_number] : undefined }
  },
})

export function remarkView({ row_number, invalid, remarks }: RowRemarks) {
  return { row: row_number, invalid, remarks }
}

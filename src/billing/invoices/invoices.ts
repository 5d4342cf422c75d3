/** Invoices in the database. Who settles one, and what follows, stands in subscription.ts. */
import type { SqlQueries, SqlTransaction } from '../../db/sql.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { TimePosition } from '../../lib/time-position.ts'

export const INVOICE_DUE_DAYS = 14

export interface InvoiceLine {
  readonly kind: 'plan' | 'upgrade' | 'overage' | 'top_up'
  readonly month: string
  readonly description: string
  readonly amount_pence: number
}

export interface Invoice {
  readonly id: string
  readonly organisation_id: string
  readonly number: number
  readonly kind: 'subscription' | 'top_up'
  readonly state: 'open' | 'paid' | 'void'
  readonly lines: readonly InvoiceLine[]
  readonly total_pence: number
  readonly overage_pence: number
  readonly issued_at: number
  readonly due_at: number
  readonly settled_at: number | null
  readonly payment_reference: string | null
  readonly tried_at: number | null
}

type Row = Omit<Invoice, 'lines'> & { readonly lines: string }
const COLUMNS = `id, organisation_id, number, kind, state, lines, total_pence, overage_pence, issued_at, due_at, settled_at,
  payment_reference, tried_at`

const fromRow = (row: Row): Invoice => ({ ...row, lines: JSON.parse(row.lines) as InvoiceLine[] })

/** Under the account's lock, so that numbers have no gap and no twin. Nothing to pay makes no invoice. */
export async function issueInvoice(
  tx: SqlTransaction,
  input: {
    readonly organisationId: string
    readonly kind: Invoice['kind']
    readonly lines: readonly InvoiceLine[]
    readonly issuedAtMs: number
    readonly dueAtMs?: number
  },
): Promise<Invoice | undefined> {
  const lines = input.lines.filter((line) => line.amount_pence > 0)
  if (lines.length === 0) return undefined
  const total = lines.reduce((sum, line) => sum + line.amount_pence, 0)
  const overage = lines.filter((line) => line.kind === 'overage').reduce((sum, line) => sum + line.amount_pence, 0)
  const rows = await tx.query<Row>(
    `insert into invoice (id, organisation_id, number, kind, state, lines, total_pence, overage_pence, issued_at, due_at)
     select $1, $2, coalesce(max(number), 0) + 1, $3, 'open', $4, $5, $6, $7, $8 from invoice where organisation_id = $2
     returning ${COLUMNS}`,
    [
      newId(input.kind === 'top_up' ? 'top' : 'bil'),
      input.organisationId,
      input.kind,
      JSON.stringify(lines),
      total,
      overage,
      input.issuedAtMs,
      input.dueAtMs ?? input.issuedAtMs + INVOICE_DUE_DAYS * DAY_MS,
    ],
  )
  return fromRow(rows[0]!)
}

export async function findInvoice(sql: SqlQueries, id: string): Promise<Invoice | undefined> {
  const rows = await sql.query<Row>(`select ${COLUMNS} from invoice where id = $1`, [id])
  return rows[0] && fromRow(rows[0])
}

/** Newest first. */
export async function listInvoices(
  sql: SqlQueries,
  query: {
    readonly organisationId?: string | undefined
    readonly state?: Invoice['state'] | undefined
    readonly kind?: Invoice['kind'] | undefined
    readonly before?: TimePosition | undefined
    readonly limit: number
  },
): Promise<{ invoices: Invoice[]; next: TimePosition | undefined }> {
  const params: (string | number)[] = []
  const mark = (value: string | number) => `$${params.push(value)}`
  const where = ['1 = 1']
  if (query.organisationId !== undefined) where.push(`organisation_id = ${mark(query.organisationId)}`)
  if (query.state !== undefined) where.push(`state = ${mark(query.state)}`)
  if (query.kind !== undefined) where.push(`kind = ${mark(query.kind)}`)
  if (query.before) where.push(`(issued_at, id) < (${mark(query.before.createdAtMs)}, ${mark(query.before.id)})`)
  const rows = await sql.query<Row>(
    `select ${COLUMNS} from invoice where ${where.join(' and ')} order by issued_at desc, id desc limit ${query.limit + 1}`,
    params,
  )
  const invoices = rows.slice(0, query.limit).map(fromRow)
  const last = invoices.at(-1)
  return {
    invoices,
    next: rows.length > query.limit && last ? { createdAtMs: last.issued_at, id: last.id } : undefined,
  }
}

/** Open invoices of a subscription that should have been paid by then. */
export async function findOverdue(sql: SqlQueries, organisationId: string, byMs: number): Promise<Invoice[]> {
  const rows = await sql.query<Row>(
    `select ${COLUMNS} from invoice where organisation_id = $1 and state = 'open' and kind = 'subscription'
     and due_at <= $2 order by due_at, id`,
    [organisationId, byMs],
  )
  return rows.map(fromRow)
}

/** Invoices whose lines are about a month. */
export async function invoicesOfMonth(sql: SqlQueries, organisationId: string, month: string): Promise<Invoice[]> {
  const rows = await sql.query<Row>(
    `select ${COLUMNS} from invoice where organisation_id = $1 and lines like $2 order by issued_at, id`,
    [organisationId, `%"month":"${month}"%`],
  )
  return rows.map(fromRow)
}

export async function closeInvoice(
  tx: SqlTransaction,
  input: {
    readonly id: string
    readonly state: 'paid' | 'void'
    readonly reference: string | null
    readonly nowMs: number
  },
): Promise<Invoice> {
  const rows = await tx.query<Row>(
    `update invoice set state = $2, settled_at = $3, payment_reference = $4 where id = $1 returning ${COLUMNS}`,
    [input.id, input.state, input.nowMs, input.reference],
  )
  return fromRow(rows[0]!)
}

export async function noteTried(
  sql: SqlQueries,
  input: { readonly id: string; readonly nowMs: number },
): Promise<void> {
  await sql.query('update invoice set tried_at = $2 where id = $1', [input.id, input.nowMs])
}

/** Open invoices of subscriptions with a saved card that was not tried lately. */
export async function findCollectable(
  sql: SqlQueries,
  input: { readonly provider: string; readonly triedBeforeMs: number; readonly limit: number },
): Promise<(Invoice & { readonly payer: string; readonly payment_method: string })[]> {
  const rows = await sql.query<Row & { payer: string; payment_method: string }>(
    `select ${COLUMNS.split(',')
      .map((column) => `i.${column.trim()}`)
      .join(
        ', ',
      )}, s.payer, s.payment_method from invoice i join subscription s on s.organisation_id = i.organisation_id
     where i.state = 'open' and i.kind = 'subscription' and s.provider = $1 and s.payer is not null
       and s.payment_method is not null and (i.tried_at is null or i.tried_at < $2)
     order by i.due_at, i.id limit $3`,
    [input.provider, input.triedBeforeMs, input.limit],
  )
  return rows.map((row) => ({ ...row, lines: JSON.parse(row.lines) as InvoiceLine[] }))
}

/** Invoices. The effects of a payment are in payments/ and subscription/. */
import { paddedList } from '../../db/multi-row.ts'
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, flag, integer, json, orNull, type Page, text } from '../../db/table.ts'
import { notFound } from '../../errors.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { invoiceNumberIn } from '../../lib/money-text.ts'
import type { TimePosition } from '../../lib/time-position.ts'
import type { Plan } from '../plans.ts'
import { type Customer, customerOf } from './terms.ts'

const DUE_DAYS = 14
export const dueAtMs = (issuedAtMs: number) => issuedAtMs + DUE_DAYS * DAY_MS
export const INVOICE_KINDS = ['subscription', 'top_up'] as const
export const INVOICE_STATES = ['open', 'paid', 'void'] as const
export const LINE_KINDS = ['plan', 'upgrade', 'overage', 'top_up'] as const

const invoices = defineTable({
  name: 'invoice',
  key: ['id'],
  time: 'issued_at',
  columns: {
    id: text(),
    organisation_id: text(),
    /** One series for all invoices of the operator, without a gap. */
    number: integer(),
    kind: text<(typeof INVOICE_KINDS)[number]>(),
    state: text<(typeof INVOICE_STATES)[number]>(),
    /** Paid in advance: it takes effect when paid, so nobody owes it and it is never overdue. */
    in_advance: flag(),
    /** Neither sent nor paid yet. A draft that is cancelled gives its number back. */
    draft: flag(),
    /** Its payment was lost in a dispute, and it was not paid again since. */
    reopened: flag(),
    total_pence: integer(),
    overage_pence: integer(),
    refunded_pence: integer(),
    customer: json<Customer>(),
    issued_at: integer(),
    due_at: integer(),
    settled_at: orNull(integer()),
    /** Names the payment. */
    payment_reference: orNull(text()),
    /** When a saved card was last tried. */
    tried_at: orNull(integer()),
  },
  // Only endDraft changes it, without the account's lock.
  fixed: ['draft'],
})
type InvoiceRow = EntityOf<typeof invoices>

const lineRows = defineTable({
  name: 'invoice_line',
  key: ['invoice_id', 'position'],
  columns: {
    invoice_id: text(),
    position: integer(),
    kind: text<(typeof LINE_KINDS)[number]>(),
    month: text(),
    /** Of the price of a plan: which plan, and its whole price when it was invoiced. */
    plan_id: orNull(text()),
    plan_price_pence: orNull(integer()),
    description: text(),
    amount_pence: integer(),
  },
})
export type InvoiceLine = Omit<EntityOf<typeof lineRows>, 'invoice_id' | 'position'>

export interface Invoice extends InvoiceRow {
  readonly lines: readonly InvoiceLine[]
}

async function withLines(sql: SqlQueries, rows: readonly InvoiceRow[]): Promise<Invoice[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const { marks, values } = paddedList(ids, 1)
  const found = await lineRows.where(sql, `invoice_id in (${marks}) order by invoice_id, position`, values)
  const byInvoice = Map.groupBy(found, (line) => line.invoice_id)
  return rows.map((row) => ({
    ...row,
    lines: (byInvoice.get(row.id) ?? []).map(({ invoice_id: _, position: __, ...line }) => line),
  }))
}

/** Issues an invoice, under the account's lock; returns undefined when nothing is to be paid. */
export async function issueInvoice(
  tx: Tx,
  input: {
    readonly organisationId: string
    readonly kind: Invoice['kind']
    readonly lines: readonly InvoiceLine[]
    readonly inAdvance: boolean
    readonly issuedAtMs: number
    readonly draft?: boolean
  },
): Promise<Invoice | undefined> {
  const lines = input.lines.filter((line) => line.amount_pence > 0)
  if (lines.length === 0) return undefined
  const id = newId(input.kind === 'top_up' ? 'top' : 'bil')
  const row = await invoices.insert(tx, {
    id,
    organisation_id: input.organisationId,
    number: await nextNumber(tx),
    kind: input.kind,
    state: 'open',
    in_advance: input.inAdvance,
    draft: input.inAdvance && (input.draft ?? false),
    reopened: false,
    total_pence: sum(lines),
    overage_pence: sum(lines.filter((line) => line.kind === 'overage')),
    refunded_pence: 0,
    customer: await customerOf(tx, input.organisationId),
    issued_at: input.issuedAtMs,
    due_at: dueAtMs(input.issuedAtMs),
    settled_at: null,
    payment_reference: null,
    tried_at: null,
  })
  await writeLines(tx, id, lines)
  return { ...row, lines }
}

async function writeLines(tx: Tx, invoice_id: string, lines: readonly InvoiceLine[]): Promise<void> {
  const rows = lines.map((line, position) => ({ ...line, invoice_id, position }))
  await lineRows.upsert(tx, rows)
}

const sum = (lines: readonly InvoiceLine[]) => lines.reduce((total, line) => total + line.amount_pence, 0)

/**
 * The counter's row is locked until the commit, so that the series has no gap and no duplicate. Cancelled drafts at the
 * end of the series are deleted and give their numbers back: a loop that makes and cancels invoices leaves nothing behind.
 */
async function nextNumber(tx: Tx): Promise<number> {
  const write = (number: string, ...values: number[]) =>
    tx.query<{ last_number: number }>(
      `update invoice_series set last_number = ${number} where name = 'invoice' returning last_number`,
      values,
    )
  const [counted] = await write('last_number + 1')
  let number = counted!.last_number
  while (await deleteCancelledDraft(tx, number - 1)) number--
  if (number < counted!.last_number) await write('$1', number)
  return number
}

async function deleteCancelledDraft(tx: Tx, number: number): Promise<boolean> {
  const found = await invoices.lock(tx, { number, state: 'void', draft: true })
  if (!found) return false
  await lineRows.delete(tx, { invoice_id: found.id })
  await invoices.delete(tx, { id: found.id })
  return true
}

/** The invoice is sent or paid now, so its number stays with it. Returns false if it was before. */
export async function endDraft(sql: SqlQueries, { id, draft }: Pick<Invoice, 'id' | 'draft'>): Promise<boolean> {
  if (!draft) return false
  const ended = await sql.query('update invoice set draft = 0 where id = $1 and draft = 1 returning id', [id])
  // It may be gone: cancelled, and another invoice has its number.
  if (ended.length === 0) await requireInvoice(sql, id)
  return ended.length > 0
}

export async function openDrafts(sql: SqlQueries, beforeMs: number, limit: number): Promise<Invoice[]> {
  const clause = `draft = 1 and state = 'open' and issued_at <= $1 order by issued_at, id limit ${limit}`
  return withLines(sql, await invoices.where(sql, clause, [beforeMs]))
}

/** Writes an invoice back; `month` moves its lines to another month. */
export async function updateInvoice(tx: Tx, invoice: Invoice, month?: string): Promise<Invoice> {
  const { lines, ...row } = invoice
  const written = await invoices.update(tx, row, row)
  if (month === undefined) return { ...written, lines }
  const moved = lines.map((line) => ({ ...line, month }))
  await writeLines(tx, row.id, moved)
  return { ...written, lines: moved }
}

/** By its id, or by its name, such as INV-1. */
export async function findInvoice(sql: SqlQueries, id: string): Promise<Invoice | undefined> {
  const number = invoiceNumberIn(id)
  const row = await invoices.find(sql, number === undefined ? { id } : { number })
  return row && (await withLines(sql, [row]))[0]
}

export async function requireInvoice(sql: SqlQueries, id: string, organisationId?: string): Promise<Invoice> {
  const invoice = await findInvoice(sql, id)
  if (invoice && (organisationId === undefined || invoice.organisation_id === organisationId)) return invoice
  throw notFound(`There is no invoice ${id}.`)
}

/** Owed invoices first, then the pending plan, then top-ups; each group by due date. */
export async function openInvoices(sql: SqlQueries, organisationId: string): Promise<Invoice[]> {
  const open = { organisation_id: organisationId, state: 'open' as const }
  return withLines(sql, await invoices.list(sql, open, { order: 'in_advance, kind, due_at, number', limit: 1000 }))
}

export function countOpenTopUps(sql: SqlQueries, organisationId: string): Promise<number> {
  return invoices.count(sql, { organisation_id: organisationId, state: 'open', kind: 'top_up' })
}

/** Newest first. */
export async function listInvoices(
  sql: SqlQueries,
  query: {
    readonly organisationId?: string | undefined
    readonly state?: Invoice['state'] | undefined
    readonly kind?: Invoice['kind'] | undefined
    readonly from?: TimePosition | undefined
    readonly limit: number
  },
): Promise<Page<Invoice>> {
  const { organisationId, state, kind, from, limit } = query
  const where = {
    ...(organisationId === undefined ? {} : { organisation_id: organisationId }),
    ...(state === undefined ? {} : { state }),
    ...(kind === undefined ? {} : { kind }),
  }
  const page = await invoices.page(sql, where, { from, limit, newestFirst: true })
  return { rows: await withLines(sql, page.rows), next: page.next }
}

export interface Paid {
  /** Of a month's price: what is invoiced on terms, paid or waived by the operator, and not refunded. */
  readonly coveredPence: number
  /** The prices that plans had when this month was invoiced: a new price list does not take a month back. */
  readonly agreedPence: ReadonlyMap<string, number>
  /** True once any plan price was paid. */
  readonly everPaid: boolean
}

export async function paidFor(sql: SqlQueries, organisationId: string, month: string): Promise<Paid> {
  // A refund reduces the price first, then the overage.
  const kept = 'i.refunded_pence < i.total_pence - i.overage_pence'
  const covers = `l.month = $2 and ${kept} and (i.state = 'paid' or i.in_advance = 0)`
  const rows = await sql.query<{ plan_id: string | null; covered: number; agreed: number | null; paid: number }>(
    `select l.plan_id, cast(coalesce(sum(case when ${covers} then l.amount_pence else 0 end), 0) as bigint) as covered,
       max(case when ${covers} then l.plan_price_pence end) as agreed,
       max(case when i.state = 'paid' and ${kept} then 1 else 0 end) as paid
     from invoice i join invoice_line l on l.invoice_id = i.id
     where i.organisation_id = $1 and i.kind = 'subscription' and l.kind in ('plan', 'upgrade') group by l.plan_id`,
    [organisationId, month],
  )
  const agreed = rows.flatMap(({ plan_id: planId, agreed: pence }) =>
    planId === null || pence === null ? [] : [[planId, pence] as const],
  )
  return {
    coveredPence: rows.reduce((total, row) => total + row.covered, 0),
    agreedPence: new Map(agreed),
    everPaid: rows.some((row) => row.paid === 1),
  }
}

/** The price of a plan for a month: as already invoiced, or the current one. */
export function priceOf(plan: Plan, { agreedPence }: Pick<Paid, 'agreedPence'>): number {
  return agreedPence.get(plan.id) ?? plan.monthly_price_pence
}

/** All overage that ever stood on an invoice, cancelled ones included: cancelling forgives it. */
export async function invoicedOverage(sql: SqlQueries, organisationId: string): Promise<number> {
  const rows = await sql.query<{ pence: number }>(
    `select cast(coalesce(sum(overage_pence), 0) as bigint) as pence from invoice where organisation_id = $1`,
    [organisationId],
  )
  return rows[0]?.pence ?? 0
}

/** Owed invoices of customers with a saved card that was not tried recently. Pending plans are left to their buyers. */
export async function findCollectable(
  sql: SqlQueries,
  input: { readonly provider: string; readonly triedBeforeMs: number; readonly limit: number },
) {
  const rows = await sql.query<{ payer: string; payment_method: string }>(
    `select ${invoices.columns('i')}, s.payer, s.payment_method
     from invoice i join subscription s on s.organisation_id = i.organisation_id
     where i.state = 'open' and i.in_advance = 0 and s.provider = $1 and s.payer is not null
       and s.payment_method is not null and (i.tried_at is null or i.tried_at < $2)
     order by i.due_at, i.id limit $3`,
    [input.provider, input.triedBeforeMs, input.limit],
  )
  const found = await withLines(sql, rows.map(invoices.fromRow))
  return found.map((invoice, i) => ({ ...invoice, payer: rows[i]!.payer, payment_method: rows[i]!.payment_method }))
}

/**
 * Noted before a card is tried, so that a lost answer does not lead to trying it again and again. Returns false when
 * the invoice was paid, cancelled or tried meanwhile.
 */
export async function noteTried(
  sql: SqlQueries,
  input: { readonly id: string; readonly nowMs: number; readonly triedBeforeMs: number },
): Promise<boolean> {
  const noted = await sql.query(
    `update invoice set tried_at = $2 where id = $1 and state = 'open' and (tried_at is null or tried_at < $3)
     returning id`,
    [input.id, input.nowMs, input.triedBeforeMs],
  )
  return noted.length > 0
}

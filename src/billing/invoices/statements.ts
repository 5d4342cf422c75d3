/** The statement of a month: opening balance, movements, closing balance. It agrees with the ledger, entry by entry. */
import type { SqlQueries } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { periodOf } from '../../lib/clock.ts'
import type { Family } from '../../lib/kinds.ts'
import { lastSeqThrough } from '../ledger/books.ts'
import { type Account, accountTime, type EntryKind } from '../ledger/ledger.ts'
import { isPeriod, previousPeriod } from '../period.ts'

export interface Balances {
  readonly included_credit_pence: number
  readonly prepaid_credit_pence: number
  readonly overage_owed_pence: number
}

export interface StatementUsage {
  readonly family: Family
  readonly unit_price_pence: number
  readonly requests: number
  readonly units: number
  readonly free_units: number
  readonly charged_from_credit_pence: number
  readonly overage_pence: number
  readonly total_price_pence: number
}

export interface StatementMovement {
  readonly kind: EntryKind
  readonly entries: number
  readonly included_delta_pence: number
  readonly prepaid_delta_pence: number
  readonly overage_delta_pence: number
}

export interface InvoicedLine {
  readonly invoice_id: string
  readonly number: number
  readonly state: string
  readonly kind: string
  readonly description: string
  readonly amount_pence: number
}

export interface Statement {
  readonly month: string
  /** `open` until the month ends. */
  readonly state: 'open' | 'closed'
  readonly first_entry: number | null
  readonly last_entry: number | null
  readonly opening: Balances
  readonly usage: readonly StatementUsage[]
  readonly movements: readonly StatementMovement[]
  readonly closing: Balances
  /** Invoice lines about this month. */
  readonly invoiced: readonly InvoicedLine[]
  readonly plan_price_pence: number
  readonly overage_pence: number
  readonly total_due_pence: number
}

export async function readStatement(
  sql: SqlQueries,
  input: { readonly account: Account; readonly month: string; readonly nowMs: number },
): Promise<Statement> {
  const { account, month } = input
  const { organisationId } = account
  const current = periodOf(accountTime(account, input.nowMs))
  if (!isPeriod(month) || month > current || month < periodOf(account.createdAtMs)) {
    throw new Problem('not_found', { detail: 'There is no statement of this month: give a month as YYYY-MM.' })
  }
  const stored = await sql.query<{ entry_seq: number }>(
    'select entry_seq from billing_account where organisation_id = $1',
    [organisationId],
  )
  const entrySeq = stored[0]?.entry_seq ?? 0
  const beforeSeq = await lastSeqThrough(sql, organisationId, entrySeq, previousPeriod(month))
  const lastSeq = await lastSeqThrough(sql, organisationId, entrySeq, month)
  const range = [organisationId, beforeSeq, lastSeq]
  const [opening, closing, usage, movements, invoiced] = await Promise.all([
    balancesAt(sql, organisationId, beforeSeq),
    balancesAt(sql, organisationId, lastSeq),
    sql.query<Omit<StatementUsage, 'total_price_pence'>>(
      `select family, unit_price_pence, ${sum("case when kind = 'refund' then -1 else 1 end", 'requests')},
         ${sum("case when kind = 'refund' then -units else units end", 'units')}, ${sum('free_units', 'free_units')},
         ${sum('-included_delta_pence - prepaid_delta_pence', 'charged_from_credit_pence')},
         ${sum('overage_delta_pence', 'overage_pence')}
       from ledger_entry where organisation_id = $1 and seq > $2 and seq <= $3 and kind in ('charge', 'refund')
       group by family, unit_price_pence order by family, unit_price_pence`,
      range,
    ),
    sql.query<StatementMovement>(
      `select kind, count(*) as entries, ${sum('included_delta_pence', 'included_delta_pence')},
         ${sum('prepaid_delta_pence', 'prepaid_delta_pence')}, ${sum('overage_delta_pence', 'overage_delta_pence')}
       from ledger_entry where organisation_id = $1 and seq > $2 and seq <= $3 group by kind order by kind`,
      range,
    ),
    // A pending plan has no month yet, and nobody owes it.
    sql.query<InvoicedLine>(
      `select l.invoice_id, i.number, i.state, l.kind, l.description, l.amount_pence
       from invoice i join invoice_line l on l.invoice_id = i.id
       where i.organisation_id = $1 and l.month = $2 and not (i.kind = 'subscription' and i.in_advance = 1 and i.state = 'open')
       order by i.issued_at, i.id, l.position`,
      [organisationId, month],
    ),
  ])
  const planPricePence = invoiced
    .filter((line) => line.state !== 'void' && (line.kind === 'plan' || line.kind === 'upgrade'))
    .reduce((total, line) => total + line.amount_pence, 0)
  const overagePence = usage.reduce((total, row) => total + row.overage_pence, 0)
  return {
    month,
    state: month < current ? 'closed' : 'open',
    first_entry: lastSeq > beforeSeq ? beforeSeq + 1 : null,
    last_entry: lastSeq > beforeSeq ? lastSeq : null,
    opening,
    usage: usage.map((row) => ({ ...row, total_price_pence: row.charged_from_credit_pence + row.overage_pence })),
    movements,
    closing,
    invoiced,
    plan_price_pence: planPricePence,
    overage_pence: overagePence,
    total_due_pence: planPricePence + overagePence,
  }
}

function sum(expression: string, name: string): string {
  return `cast(coalesce(sum(${expression}), 0) as bigint) as ${name}`
}

async function balancesAt(sql: SqlQueries, organisationId: string, seq: number): Promise<Balances> {
  const rows = await sql.query<{
    included_after_pence: number
    prepaid_after_pence: number
    overage_after_pence: number
  }>(
    `select included_after_pence, prepaid_after_pence, overage_after_pence from ledger_entry
     where organisation_id = $1 and seq = $2`,
    [organisationId, seq],
  )
  const row = rows[0]
  return {
    included_credit_pence: row?.included_after_pence ?? 0,
    prepaid_credit_pence: row?.prepaid_after_pence ?? 0,
    overage_owed_pence: row?.overage_after_pence ?? 0,
  }
}

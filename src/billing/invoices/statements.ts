/** The statement of a month: opening balance, movements, closing balance. It agrees with the ledger, entry by entry. */
import type { SqlQueries } from '../../db/sql.ts'
import { reportMaker } from '../../documents/maker.ts'
import { notFound } from '../../errors.ts'
import { periodOf } from '../../lib/clock.ts'
import { lastSeqThrough } from '../ledger/books.ts'
import { type Account, accounts, accountTime, entries } from '../ledger/ledger.ts'
import { isPeriod, previousPeriod } from '../period.ts'
import type { Balances, Statement } from './statement-view.ts'

interface StatementInput {
  readonly account: Account
  readonly month: string
  readonly nowMs: number
}

/** Made as a document, because it sums up all entries of a month. */
export const statementReport = reportMaker(import.meta.url, 'statementReport', readStatement)

async function readStatement(sql: SqlQueries, input: StatementInput): Promise<Statement> {
  const { account, month } = input
  const { organisationId } = account
  const current = periodOf(accountTime(account, input.nowMs))
  if (!isPeriod(month) || month > current || month < periodOf(account.createdAtMs)) {
    throw notFound('There is no statement for this month. Write the month as YYYY-MM.')
  }
  const entrySeq = (await accounts.find(sql, { organisationId }))?.entrySeq ?? 0
  const beforeSeq = await lastSeqThrough(sql, organisationId, entrySeq, previousPeriod(month))
  const lastSeq = await lastSeqThrough(sql, organisationId, entrySeq, month)
  const range = [organisationId, beforeSeq, lastSeq]
  const [opening, closing, usage, movements, invoiced] = await Promise.all([
    balancesAt(sql, organisationId, beforeSeq),
    balancesAt(sql, organisationId, lastSeq),
    sql.query<Omit<Statement['usage'][number], 'total_price_pence'>>(
      `select family, unit_price_pence, ${sum("case when kind = 'refund' then -1 else 1 end", 'requests')},
         ${sum("case when kind = 'refund' then -units else units end", 'units')}, ${sum('free_units', 'free_units')},
         ${sum('-included_delta_pence - prepaid_delta_pence', 'charged_from_credit_pence')},
         ${sum('overage_delta_pence', 'overage_pence')}
       from ledger_entry where organisation_id = $1 and seq > $2 and seq <= $3 and kind in ('charge', 'refund')
       group by family, unit_price_pence order by family, unit_price_pence`,
      range,
    ),
    sql.query<Statement['movements'][number]>(
      `select kind, count(*) as entries, ${sum('included_delta_pence', 'included_delta_pence')},
         ${sum('prepaid_delta_pence', 'prepaid_delta_pence')}, ${sum('overage_delta_pence', 'overage_delta_pence')}
       from ledger_entry where organisation_id = $1 and seq > $2 and seq <= $3 group by kind order by kind`,
      range,
    ),
    // A pending plan has no month yet, and nobody owes it.
    sql.query<Statement['invoiced'][number]>(
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
  const entry = await entries.find(sql, { organisationId, seq })
  return {
    included_credit_pence: entry?.includedAfterPence ?? 0,
    prepaid_credit_pence: entry?.prepaidAfterPence ?? 0,
    overage_owed_pence: entry?.overageAfterPence ?? 0,
  }
}

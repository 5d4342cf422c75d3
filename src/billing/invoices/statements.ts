/** The statement of a month: opening balance, movements, closing balance. It agrees with the ledger, entry by entry. */
import type { SqlQueries } from '../../db/sql.ts'
import { reportMaker } from '../../documents/maker.ts'
import { notFound } from '../../errors.ts'
import { periodOf } from '../../lib/clock.ts'
import type { Family } from '../../lib/kinds.ts'
import { type Account, accountTime, entries } from '../ledger/ledger.ts'
import { type MonthCount, type MonthRow, readMonth } from '../ledger/months.ts'
import { isPeriod } from '../period.ts'
import type { Balances, Statement } from './statement-view.ts'

interface StatementInput {
  readonly account: Account
  readonly month: string
  readonly nowMs: number
}

/** Made as a document: entries that are not summed up yet may be many. */
export const statementReport = reportMaker(import.meta.url, 'statementReport', readStatement)

async function readStatement(sql: SqlQueries, input: StatementInput): Promise<Statement> {
  const { account, month } = input
  const { organisationId } = account
  const current = periodOf(accountTime(account, input.nowMs))
  if (!isPeriod(month) || month > current || month < periodOf(account.createdAtMs)) {
    throw notFound('There is no statement for this month. Write the month as YYYY-MM.')
  }
  const { rows, beforeSeq } = await readMonth(sql, organisationId, month)
  const lastSeq = beforeSeq + rows.reduce((sum, { entries }) => sum + entries, 0)
  const [opening, closing, invoiced] = await Promise.all([
    balancesAt(sql, organisationId, beforeSeq),
    balancesAt(sql, organisationId, lastSeq),
    // A pending plan has no month yet, and nobody owes it.
    sql.query<Statement['invoiced'][number]>(
      `select l.invoice_id, i.number, i.state, l.kind, l.description, l.amount_pence
       from invoice i join invoice_line l on l.invoice_id = i.id
       where i.organisation_id = $1 and l.month = $2 and not (i.kind = 'subscription' and i.in_advance = 1 and i.state = 'open')
       order by i.issued_at, i.id, l.position`,
      [organisationId, month],
    ),
  ])
  const usage = [...Map.groupBy(rows.filter(isUsage), (row) => `${row.family} ${row.unit_price_pence}`).values()]
    .map(usageOf)
    .sort((a, b) => (a.family < b.family ? -1 : a.family > b.family ? 1 : a.unit_price_pence - b.unit_price_pence))
  const movements = [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, of]) => ({
    kind,
    entries: total(of, 'entries'),
    included_delta_pence: total(of, 'included_delta_pence'),
    prepaid_delta_pence: total(of, 'prepaid_delta_pence'),
    overage_delta_pence: total(of, 'overage_delta_pence'),
  }))
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
    usage,
    movements,
    closing,
    invoiced,
    plan_price_pence: planPricePence,
    overage_pence: overagePence,
    total_due_pence: planPricePence + overagePence,
  }
}

const isUsage = ({ kind }: MonthRow) => kind === 'charge' || kind === 'refund'
const total = (rows: readonly MonthRow[], name: MonthCount) => rows.reduce((sum, row) => sum + row[name], 0)

/** Requests of one family at one price, without those that were refunded. */
function usageOf(rows: readonly MonthRow[]): Statement['usage'][number] {
  const [first] = rows
  const [charges, refunds] = [
    rows.filter(({ kind }) => kind === 'charge'),
    rows.filter(({ kind }) => kind === 'refund'),
  ]
  const credit = 0 - total(rows, 'included_delta_pence') - total(rows, 'prepaid_delta_pence')
  const overage = total(rows, 'overage_delta_pence')
  return {
    family: first?.family as Family,
    unit_price_pence: first?.unit_price_pence ?? 0,
    requests: total(charges, 'entries') - total(refunds, 'entries'),
    units: total(charges, 'units') - total(refunds, 'units'),
    free_units: total(rows, 'free_units'),
    charged_from_credit_pence: credit,
    overage_pence: overage,
    total_price_pence: credit + overage,
  }
}

async function balancesAt(sql: SqlQueries, organisationId: string, seq: number): Promise<Balances> {
  const entry = await entries.find(sql, { organisationId, seq })
  return {
    included_credit_pence: entry?.includedAfterPence ?? 0,
    prepaid_credit_pence: entry?.prepaidAfterPence ?? 0,
    overage_owed_pence: entry?.overageAfterPence ?? 0,
  }
}

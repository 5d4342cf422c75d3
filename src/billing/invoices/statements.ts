/** The statement of a month: opening balance, movements, closing balance. It agrees with the ledger, entry by entry. */
import type { SqlQueries } from '../../db/sql.ts'
import type { Maker } from '../../documents/maker.ts'
import { Problem } from '../../errors.ts'
import { periodOf } from '../../lib/clock.ts'
import { POSTED } from '../ledger/archives.ts'
import { lastSeqThrough } from '../ledger/books.ts'
import { type Account, accounts, accountTime, entries } from '../ledger/ledger.ts'
import { isPeriod, previousPeriod } from '../period.ts'
import { type Amounts, amountsOf, sumsOf } from '../usage/usage.ts'
import type { Balances, Statement } from './statement-view.ts'

interface StatementInput {
  readonly account: Account
  readonly month: string
  readonly nowMs: number
}

/** Made as a document, because it sums up all entries of a month. The head is the answer. */
export const statementReport: Maker<StatementInput, Statement> = {
  module: import.meta.url,
  name: 'statementReport',
  make: async (sql, input) => ({ head: await readStatement(sql, input), bytes: new Uint8Array() }),
}

async function readStatement(sql: SqlQueries, input: StatementInput): Promise<Statement> {
  const { account, month } = input
  const { organisationId } = account
  const current = periodOf(accountTime(account, input.nowMs))
  if (!isPeriod(month) || month > current || month < periodOf(account.createdAtMs)) {
    throw new Problem('not_found', { detail: 'There is no statement for this month. Write the month as YYYY-MM.' })
  }
  const entrySeq = (await accounts.find(sql, { organisationId }))?.entrySeq ?? 0
  const beforeSeq = await lastSeqThrough(sql, organisationId, entrySeq, previousPeriod(month))
  const lastSeq = await lastSeqThrough(sql, organisationId, entrySeq, month)
  const range = [organisationId, beforeSeq, lastSeq]
  const [opening, closing, usage, movements, invoiced] = await Promise.all([
    balancesAt(sql, organisationId, beforeSeq),
    balancesAt(sql, organisationId, lastSeq),
    sql.query<Amounts & Pick<Statement['usage'][number], 'family' | 'unit_price_pence'>>(
      `select family, unit_price_pence, ${sumsOf('entries')} from ${POSTED} where kind in ('charge', 'refund')
       group by family, unit_price_pence order by family, unit_price_pence`,
      range,
    ),
    sql.query<Statement['movements'][number]>(
      `select kind, ${['entries', 'included_delta_pence', 'prepaid_delta_pence', 'overage_delta_pence'].map(sum).join(', ')}
       from ${POSTED} group by kind order by kind`,
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
    usage: usage.map(({ family, unit_price_pence, ...row }) => ({ family, unit_price_pence, ...amountsOf(row) })),
    movements,
    closing,
    invoiced,
    plan_price_pence: planPricePence,
    overage_pence: overagePence,
    total_due_pence: planPricePence + overagePence,
  }
}

const sum = (column: string) => `cast(sum(${column}) as bigint) as ${column}`

async function balancesAt(sql: SqlQueries, organisationId: string, seq: number): Promise<Balances> {
  const entry = await entries.find(sql, { organisationId, seq })
  return {
    included_credit_pence: entry?.includedAfterPence ?? 0,
    prepaid_credit_pence: entry?.prepaidAfterPence ?? 0,
    overage_owed_pence: entry?.overageAfterPence ?? 0,
  }
}

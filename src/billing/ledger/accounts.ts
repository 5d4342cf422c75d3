/** Accounts and the ledger in the database. */
import { paddedList } from '../../db/multi-row.ts'
import { type Dialect, type Rows, runStatements, type Statement } from '../../db/routine.ts'
import type { Sql, SqlQueries, SqlTransaction } from '../../db/sql.ts'
import { defineTable, integer, named, orNull, text } from '../../db/table.ts'
import { Problem } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Family } from '../../lib/kinds.ts'
import type { Plan, Plans } from '../plans.ts'
import { type Account, type Entry, type EntryKind, rollPeriod } from './ledger.ts'

export const accounts = defineTable({
  name: 'billing_account',
  key: ['organisationId'],
  fixed: ['createdAtMs'],
  columns: {
    organisationId: named('organisation_id', text()),
    planId: named('plan_id', text()),
    period: text(),
    includedPence: named('included_pence', integer()),
    prepaidPence: named('prepaid_pence', integer()),
    overagePence: named('overage_pence', integer()),
    includedUsedPence: named('included_used_pence', integer()),
    freeUnitsUsed: named('free_units_used', integer()),
    entrySeq: named('entry_seq', integer()),
    entryHash: named('entry_hash', orNull(text())),
    monthlyCreditPence: named('monthly_credit_pence', orNull(integer())),
    overageLimitPence: named('overage_limit_pence', orNull(integer())),
    createdAtMs: named('created_at', integer()),
    updatedAtMs: named('updated_at', integer()),
  },
})

export const entries = defineTable({
  name: 'ledger_entry',
  key: ['organisationId', 'seq'],
  columns: {
    organisationId: named('organisation_id', text()),
    seq: integer(),
    id: text(),
    kind: text<EntryKind>(),
    period: text(),
    planId: named('plan_id', text()),
    family: orNull(text<Family>()),
    units: integer(),
    freeUnits: named('free_units', integer()),
    unitPricePence: named('unit_price_pence', integer()),
    includedDeltaPence: named('included_delta_pence', integer()),
    prepaidDeltaPence: named('prepaid_delta_pence', integer()),
    overageDeltaPence: named('overage_delta_pence', integer()),
    includedAfterPence: named('included_after_pence', integer()),
    prepaidAfterPence: named('prepaid_after_pence', integer()),
    overageAfterPence: named('overage_after_pence', integer()),
    credentialId: named('credential_id', orNull(text())),
    requestId: named('request_id', orNull(text())),
    reference: orNull(text()),
    detail: orNull(text()),
    createdAtMs: named('created_at', integer()),
    hash: orNull(text()),
  },
})

/** Locks the accounts of these organisations in the order of their ids. */
export function accountsToLock(
  dialect: Dialect,
  organisationIds: readonly string[],
  { skipLocked }: { readonly skipLocked: boolean },
): Statement {
  const { marks, values } = paddedList(organisationIds, 1)
  const lock = skipLocked ? dialect.forUpdateSkipLocked : dialect.forUpdate
  return {
    text: `select ${accounts.columns()} from billing_account where organisation_id in (${marks}) order by organisation_id${lock}`,
    params: values,
  }
}

export function accountsById(rows: Rows): Map<string, Account> {
  return new Map(rows.map(accounts.fromRow).map((account) => [account.organisationId, account]))
}

export const noAccount = (organisationId: string) =>
  new Problem('not_found', { detail: `There is no organisation ${organisationId}.` })

/** The account, locked until the transaction ends. */
export async function lockAccount(tx: SqlTransaction, organisationId: string): Promise<Account> {
  const account = await accounts.lock(tx, { organisationId })
  if (!account) throw noAccount(organisationId)
  return account
}

export async function writeAccount(tx: SqlTransaction, account: Account, posted: readonly Entry[]): Promise<void> {
  await runStatements(tx, [...entries.toInsert(tx, posted), ...accounts.toUpsert(tx, [account])])
}

/** Entries of one organisation after `afterSeq`, oldest first. */
export async function readEntries(
  sql: SqlQueries,
  { organisationId, afterSeq, limit }: { organisationId: string; afterSeq: number; limit: number },
): Promise<Entry[]> {
  const rows = await sql.query(
    `select ${entries.columns()} from ledger_entry where organisation_id = $1 and seq > $2 order by seq limit $3`,
    [organisationId, afterSeq, limit],
  )
  return rows.map(entries.fromRow)
}

export function planOf(plans: Plans, account: Pick<Account, 'planId' | 'organisationId'>): Plan {
  const plan = plans.get(account.planId)
  if (!plan) throw new Error(`${account.organisationId} is on the plan "${account.planId}", which plans.json lacks`)
  return plan
}

export interface AccountReader {
  readonly sql: Sql
  readonly clock: Clock
  readonly plans: Plans
}

/** The current account, including the start of a new month. */
export async function readAccount({ sql, clock, plans }: AccountReader, organisationId: string): Promise<Account> {
  const account = await accounts.find(sql, { organisationId })
  if (!account) throw noAccount(organisationId)
  return atTime(account, plans, clock.now())
}

/** `readAccount` for many organisations, by id. */
export async function readAccounts(
  { sql, clock, plans }: AccountReader,
  organisationIds: readonly string[],
): Promise<Map<string, Account>> {
  if (organisationIds.length === 0) return new Map()
  const { marks, values } = paddedList(organisationIds, 1)
  const rows = await sql.query(
    `select ${accounts.columns()} from billing_account where organisation_id in (${marks})`,
    values,
  )
  const found = rows.map((row) => atTime(accounts.fromRow(row), plans, clock.now()))
  return new Map(found.map((account) => [account.organisationId, account]))
}

function atTime(account: Account, plans: Plans, nowMs: number): Account {
  return rollPeriod(account, planOf(plans, account), nowMs, () => newId('ent')).account
}

/** Plans that accounts use now or later and that plans.json lacks: with one, the server refuses to start. */
export async function findUnknownPlans(sql: SqlQueries, plans: Plans): Promise<string[]> {
  const used = [
    ...(await valuesIn(sql, 'billing_account', 'plan_id')),
    ...(await valuesIn(sql, 'subscription', 'next_plan_id')),
  ]
  return [...new Set(used)].filter((id) => !plans.has(id)).sort()
}

/** The distinct values of an indexed column. Costs one index step per value, however many rows there are. */
async function valuesIn(sql: SqlQueries, table: string, column: string): Promise<string[]> {
  const rows = await sql.query<{ value: string }>(
    `with recursive step (value) as (
       select min(${column}) from ${table}
       union all
       select (select min(t.${column}) from ${table} t where t.${column} > step.value) from step where step.value is not null
     )
     select value from step where value is not null`,
  )
  return rows.map((row) => row.value)
}

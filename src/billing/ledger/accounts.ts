/** Accounts and the ledger in the database. */
import { paddedList } from '../../db/multi-row.ts'
import { type Dialect, type Rows, runStatements, type Statement } from '../../db/routine.ts'
import type { Sql, SqlQueries, SqlTransaction, SqlValue } from '../../db/sql.ts'
import { notFound } from '../../errors.ts'
import { type Clock, HOUR_MS } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Family } from '../../lib/kinds.ts'
import type { Plan, Plans } from '../plans.ts'
import { archivedSeq } from './archives.ts'
import { type Account, accounts, type Entry, type EntryKind, entries, rollPeriod } from './ledger.ts'

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

export const noAccount = (organisationId: string) => notFound(`There is no organisation ${organisationId}.`)

export async function lockAccount(tx: SqlTransaction, organisationId: string): Promise<Account> {
  const account = await accounts.lock(tx, { organisationId })
  if (!account) throw noAccount(organisationId)
  return account
}

export async function writeAccount(tx: SqlTransaction, account: Account, posted: readonly Entry[]): Promise<void> {
  await runStatements(tx, [...entries.toInsert(tx, posted), ...accounts.toUpsert(tx, [account])])
}

/** Entries of one organisation after `afterSeq`, oldest first. */
export function readEntries(
  sql: SqlQueries,
  { organisationId, afterSeq, limit }: { organisationId: string; afterSeq: number; limit: number },
): Promise<Entry[]> {
  const clause = 'organisation_id = $1 and seq > $2 order by seq limit $3'
  return entries.where(sql, clause, [organisationId, afterSeq, limit])
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

export async function readAccounts({ sql, clock, plans }: AccountReader, organisationIds: readonly string[]) {
  if (organisationIds.length === 0) return new Map()
  const { marks, values } = paddedList(organisationIds, 1)
  const found = await accounts.where(sql, `organisation_id in (${marks})`, values)
  return new Map(found.map((account) => [account.organisationId, atTime(account, plans, clock.now())]))
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

const CLOCK_SLACK_MS = HOUR_MS
const ENTRIES_LOOKED_AT_MAX = 20_000

export interface EntryQuery {
  readonly organisationId: string
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly kind?: EntryKind | undefined
  readonly family?: Family | undefined
  /** Only entries with a smaller number. */
  readonly beforeSeq?: number | undefined
  readonly limit: number
}

/**
 * The ledger for its organisation, newest first. Every page costs the same, at any position:
 * 1. Pages follow the number of the entry, never an offset.
 * 2. Times are turned into numbers first, through the index on time; nodes' clocks may differ, so the bounds get some
 *    slack and the time is compared again.
 * 3. A filter that few entries pass looks at a bounded number of entries; such a page may be short, even empty, and
 *    still have a next one.
 */
export async function readEntryPage(sql: SqlQueries, query: EntryQuery) {
  const { organisationId, limit } = query
  const [inArchives, lowSeq, highSeq] = await Promise.all([
    archivedSeq(sql, organisationId),
    query.fromMs === undefined ? 1 : seqNear(sql, organisationId, query.fromMs - CLOCK_SLACK_MS, 'after'),
    query.toMs === undefined
      ? accounts.find(sql, { organisationId }).then((account) => account?.entrySeq)
      : seqNear(sql, organisationId, query.toMs + CLOCK_SLACK_MS, 'before'),
  ])
  if (lowSeq === undefined || highSeq === undefined) return { entries: [], nextBeforeSeq: undefined }
  const beforeSeq = Math.min(query.beforeSeq ?? Number.MAX_SAFE_INTEGER, highSeq + 1)
  // The index on kind finds rare kinds without reading the charges between them.
  const indexed = query.kind !== undefined && query.kind !== 'charge' && query.family === undefined
  // Few entries are left where charges are archived.
  const isSparse = indexed || beforeSeq <= inArchives
  const floorSeq = isSparse ? lowSeq : Math.max(lowSeq, beforeSeq - ENTRIES_LOOKED_AT_MAX)
  const params: SqlValue[] = [organisationId, floorSeq, beforeSeq]
  const mark = (value: SqlValue) => `$${params.push(value)}`
  let where = 'organisation_id = $1 and seq >= $2 and seq < $3'
  // Repeated as a literal: otherwise the planner does not see that the partial index applies.
  if (query.kind !== undefined) where += ` and kind = ${mark(query.kind)}${indexed ? ` and kind <> 'charge'` : ''}`
  if (query.family !== undefined) where += ` and family = ${mark(query.family)}`
  if (query.fromMs !== undefined) where += ` and created_at >= ${mark(query.fromMs)}`
  if (query.toMs !== undefined) where += ` and created_at < ${mark(query.toMs)}`
  const found = await entries.where(sql, `${where} order by seq desc limit ${limit + 1}`, params)
  const page = await withReasons(sql, organisationId, found.slice(0, limit))
  if (found.length > limit) return { entries: page, nextBeforeSeq: page.at(-1)?.seq }
  return { entries: page, nextBeforeSeq: floorSeq > lowSeq ? floorSeq : undefined }
}

/** With the operator's reasons for credits, from the audit log. */
async function withReasons(sql: SqlQueries, organisationId: string, page: readonly Entry[]): Promise<readonly Entry[]> {
  const ids = page.flatMap(({ id, kind, detail }) => (kind === 'credit' && detail === null ? [id] : []))
  if (ids.length === 0) return page
  const { marks, values } = paddedList(ids, 2)
  const rows = await sql.query<{ id: string; detail: string }>(
    `select target_id as id, detail from audit_entry
     where organisation_id = $1 and action = 'credit.add' and target_id in (${marks})`,
    [organisationId, ...values],
  )
  const reasons = new Map(rows.map(({ id, detail }) => [id, (JSON.parse(detail) as { reason?: string }).reason]))
  return page.map((entry) => ({ ...entry, detail: entry.detail ?? reasons.get(entry.id) ?? null }))
}

/** The number of the first entry at or after a time, or of the last before it. */
async function seqNear(sql: SqlQueries, organisationId: string, timeMs: number, side: 'after' | 'before') {
  const [compare, order] = side === 'after' ? ['>=', 'asc'] : ['<', 'desc']
  const rows = await sql.query<{ seq: number }>(
    `select seq from ledger_entry where organisation_id = $1 and created_at ${compare} $2
     order by organisation_id ${order}, created_at ${order} limit 1`,
    [organisationId, timeMs],
  )
  return rows[0]?.seq
}

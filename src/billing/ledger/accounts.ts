/** Accounts and ledger in the database. Every change locks the account, posts entries and writes both together. */
import { type Column, columnNames, paddedList, rowsToInsert } from '../../db/multi-row.ts'
import { type Dialect, type Rows, runStatements, type Statement } from '../../db/routine.ts'
import type { Sql, SqlQueries, SqlTransaction } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { type Clock, periodOf } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import type { Plan, Plans } from '../plans.ts'
import { type Account, type Entry, emptyAccount, grantIncluded, movePlan, post, rollPeriod } from './ledger.ts'

export const CREDIT_PENCE_MAX = 1_000_000_000
const PREPAID_PENCE_MAX = 1_000_000_000_000

interface AccountRow {
  organisation_id: string
  plan_id: string
  period: string
  included_pence: number
  prepaid_pence: number
  overage_pence: number
  included_used_pence: number
  free_units_used: number
  entry_seq: number
  created_at: number
  updated_at: number
}

const ACCOUNT: readonly Column<Account>[] = [
  { name: 'organisation_id', type: 'text', of: (account) => account.organisationId },
  { name: 'plan_id', type: 'text', of: (account) => account.planId },
  { name: 'period', type: 'text', of: (account) => account.period },
  { name: 'included_pence', type: 'bigint', of: (account) => account.includedPence },
  { name: 'prepaid_pence', type: 'bigint', of: (account) => account.prepaidPence },
  { name: 'overage_pence', type: 'bigint', of: (account) => account.overagePence },
  { name: 'included_used_pence', type: 'bigint', of: (account) => account.includedUsedPence },
  { name: 'free_units_used', type: 'bigint', of: (account) => account.freeUnitsUsed },
  { name: 'entry_seq', type: 'bigint', of: (account) => account.entrySeq },
  { name: 'created_at', type: 'bigint', of: (account) => account.createdAtMs },
  { name: 'updated_at', type: 'bigint', of: (account) => account.updatedAtMs },
]
const ACCOUNT_COLUMNS = columnNames(ACCOUNT)
const ACCOUNT_CHANGES = `on conflict (organisation_id) do update set ${ACCOUNT.filter(
  ({ name }) => name !== 'organisation_id' && name !== 'created_at',
)
  .map(({ name }) => `${name} = excluded.${name}`)
  .join(', ')}`

export function accountOf(row: AccountRow): Account {
  return {
    organisationId: row.organisation_id,
    planId: row.plan_id,
    period: row.period,
    includedPence: row.included_pence,
    prepaidPence: row.prepaid_pence,
    overagePence: row.overage_pence,
    includedUsedPence: row.included_used_pence,
    freeUnitsUsed: row.free_units_used,
    entrySeq: row.entry_seq,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  }
}

/** Locks the accounts of these organisations in the order of their ids. */
export function accountsToLock(
  dialect: Dialect,
  organisationIds: readonly string[],
  { skipLocked }: { readonly skipLocked: boolean },
): Statement {
  const { marks, values } = paddedList(organisationIds, 1)
  const lock = skipLocked ? dialect.forUpdateSkipLocked : dialect.forUpdate
  return {
    text: `select ${ACCOUNT_COLUMNS} from billing_account where organisation_id in (${marks}) order by organisation_id${lock}`,
    params: values,
  }
}

export function accountsById(rows: Rows): Map<string, Account> {
  return new Map((rows as object[] as AccountRow[]).map((row) => [row.organisation_id, accountOf(row)]))
}

/** The accounts of these organisations, locked in the order of their ids. */
export async function lockAccounts(
  tx: SqlTransaction,
  organisationIds: readonly string[],
  options: { readonly skipLocked: boolean },
): Promise<Map<string, Account>> {
  const { text, params } = accountsToLock(tx, organisationIds, options)
  return accountsById(await tx.query(text, params))
}

export function accountsToWrite(dialect: Dialect, accounts: readonly Account[]): Statement[] {
  return rowsToInsert(dialect, {
    table: 'billing_account',
    columns: ACCOUNT,
    rows: accounts,
    onConflict: ACCOUNT_CHANGES,
  })
}

export function writeAccounts(tx: SqlTransaction, accounts: readonly Account[]): Promise<void> {
  return runStatements(tx, accountsToWrite(tx, accounts))
}

const ENTRY: readonly Column<Entry>[] = [
  { name: 'organisation_id', type: 'text', of: (entry) => entry.organisationId },
  { name: 'seq', type: 'bigint', of: (entry) => entry.seq },
  { name: 'id', type: 'text', of: (entry) => entry.id },
  { name: 'kind', type: 'text', of: (entry) => entry.kind },
  { name: 'period', type: 'text', of: (entry) => entry.period },
  { name: 'plan_id', type: 'text', of: (entry) => entry.planId },
  { name: 'family', type: 'text', of: (entry) => entry.family },
  { name: 'units', type: 'bigint', of: (entry) => entry.units },
  { name: 'free_units', type: 'bigint', of: (entry) => entry.freeUnits },
  { name: 'unit_price_pence', type: 'bigint', of: (entry) => entry.unitPricePence },
  { name: 'included_delta_pence', type: 'bigint', of: (entry) => entry.includedDeltaPence },
  { name: 'prepaid_delta_pence', type: 'bigint', of: (entry) => entry.prepaidDeltaPence },
  { name: 'overage_delta_pence', type: 'bigint', of: (entry) => entry.overageDeltaPence },
  { name: 'included_after_pence', type: 'bigint', of: (entry) => entry.includedAfterPence },
  { name: 'prepaid_after_pence', type: 'bigint', of: (entry) => entry.prepaidAfterPence },
  { name: 'overage_after_pence', type: 'bigint', of: (entry) => entry.overageAfterPence },
  { name: 'credential_id', type: 'text', of: (entry) => entry.credentialId },
  { name: 'request_id', type: 'text', of: (entry) => entry.requestId },
  { name: 'reference', type: 'text', of: (entry) => entry.reference },
  { name: 'detail', type: 'text', of: (entry) => entry.detail },
  { name: 'created_at', type: 'bigint', of: (entry) => entry.createdAtMs },
]
export const ENTRY_COLUMNS = columnNames(ENTRY)

export interface EntryRow {
  organisation_id: string
  seq: number
  id: string
  kind: Entry['kind']
  period: string
  plan_id: string
  family: Entry['family']
  units: number
  free_units: number
  unit_price_pence: number
  included_delta_pence: number
  prepaid_delta_pence: number
  overage_delta_pence: number
  included_after_pence: number
  prepaid_after_pence: number
  overage_after_pence: number
  credential_id: string | null
  request_id: string | null
  reference: string | null
  detail: string | null
  created_at: number
}

export function entriesToWrite(dialect: Dialect, entries: readonly Entry[]): Statement[] {
  return rowsToInsert(dialect, { table: 'ledger_entry', columns: ENTRY, rows: entries })
}

export function writeEntries(tx: SqlTransaction, entries: readonly Entry[]): Promise<void> {
  return runStatements(tx, entriesToWrite(tx, entries))
}

/** Entries of one organisation after `afterSeq`, oldest first. */
export function readEntries(
  queries: SqlQueries,
  {
    organisationId,
    afterSeq,
    limit,
  }: { readonly organisationId: string; readonly afterSeq: number; readonly limit: number },
): Promise<EntryRow[]> {
  return queries.query<EntryRow>(
    `select ${ENTRY_COLUMNS} from ledger_entry where organisation_id = $1 and seq > $2 order by seq limit $3`,
    [organisationId, afterSeq, limit],
  )
}

/** Accounts in the order of their ids, a page at a time. */
export async function readAccounts(
  queries: SqlQueries,
  { afterId, limit }: { readonly afterId: string; readonly limit: number },
): Promise<Account[]> {
  const rows = await queries.query<AccountRow>(
    `select ${ACCOUNT_COLUMNS} from billing_account where organisation_id > $1 order by organisation_id limit $2`,
    [afterId, limit],
  )
  return rows.map(accountOf)
}

export function planOf(plans: Plans, account: Pick<Account, 'planId' | 'organisationId'>): Plan {
  const plan = plans.get(account.planId)
  if (!plan) throw new Error(`${account.organisationId} is on the plan "${account.planId}", which plans.json lacks`)
  return plan
}

export interface Credit {
  readonly organisationId: string
  readonly pence: number
  /** Shown on statements. */
  readonly reason: string
  /** Names the payment: posting it a second time changes nothing. */
  readonly reference?: string
  readonly credentialId?: string
}

export interface BillingStore {
  /** Gives a new organisation its account, inside the transaction that creates it. */
  openAccount(
    tx: SqlTransaction,
    input: { readonly organisationId: string; readonly planId: string; readonly nowMs: number },
  ): Promise<Account>
  creditAccount(credit: Credit): Promise<{ account: Account; repeated: boolean }>
  changePlan(input: { readonly organisationId: string; readonly planId: string }): Promise<Account>
  /** Posts what a month that has begun since brings about; without one it changes nothing. */
  rollAccount(organisationId: string): Promise<void>
  /** The account as it stands now, a month that has begun since included; undefined when there is none. */
  readAccount(organisationId: string): Promise<Account | undefined>
}

export function createBillingStore(deps: {
  readonly sql: Sql
  readonly plans: Plans
  readonly clock: Clock
}): BillingStore {
  const { sql, plans, clock } = deps
  const newEntryId = () => newId('ent')

  function knownPlan(planId: string): Plan {
    const plan = plans.get(planId)
    if (plan) return plan
    throw new Problem('validation_failed', {
      detail: `There is no plan "${planId}"; there are: ${[...plans.keys()].join(', ')}.`,
    })
  }

  /** Locks the account, brings it to the present month, and writes what `change` posts. */
  function changeAccount<T>(
    organisationId: string,
    change: (
      account: Account,
      tx: SqlTransaction,
      nowMs: number,
    ) => Promise<{ readonly account: Account; readonly entries: readonly Entry[]; readonly value: T }>,
  ): Promise<T> {
    return sql.transaction(async (tx) => {
      const locked = (await lockAccounts(tx, [organisationId], { skipLocked: false })).get(organisationId)
      if (!locked) throw new Problem('not_found', { detail: `There is no billing account for ${organisationId}.` })
      const nowMs = clock.now()
      const rolled = rollPeriod(locked, planOf(plans, locked), nowMs, newEntryId)
      const changed = await change(rolled.account, tx, nowMs)
      await Promise.all([
        writeEntries(tx, [...rolled.entries, ...changed.entries]),
        writeAccounts(tx, [changed.account]),
      ])
      return changed.value
    })
  }

  return {
    async openAccount(tx, { organisationId, planId, nowMs }) {
      const { account, entries } = grantIncluded(
        emptyAccount(organisationId, planId, nowMs),
        knownPlan(planId),
        nowMs,
        newEntryId,
      )
      await Promise.all([writeAccounts(tx, [account]), writeEntries(tx, entries)])
      return account
    },

    async creditAccount({ organisationId, pence, reason, reference, credentialId }) {
      if (!Number.isInteger(pence) || pence < 1 || pence > CREDIT_PENCE_MAX) {
        throw new Problem('validation_failed', {
          detail: `A credit is a whole number of pence from 1 to ${CREDIT_PENCE_MAX}.`,
        })
      }
      if (reason.trim() === '' || reason.length > 500) {
        throw new Problem('validation_failed', { detail: 'A credit needs a reason of at most 500 characters.' })
      }
      return changeAccount<{ account: Account; repeated: boolean }>(organisationId, async (account, tx, nowMs) => {
        if (reference !== undefined) {
          const posted = await tx.query('select id from ledger_entry where organisation_id = $1 and reference = $2', [
            organisationId,
            reference,
          ])
          if (posted.length > 0) return { account, entries: [], value: { account, repeated: true } }
        }
        if (account.prepaidPence + pence > PREPAID_PENCE_MAX) {
          throw new Problem('validation_failed', { detail: `The credit would exceed ${PREPAID_PENCE_MAX} pence.` })
        }
        const posted = post(
          account,
          {
            id: newEntryId(),
            kind: 'credit',
            prepaidDeltaPence: pence,
            detail: reason,
            reference: reference ?? null,
            credentialId: credentialId ?? null,
          },
          nowMs,
        )
        return { account: posted.account, entries: [posted.entry], value: { account: posted.account, repeated: false } }
      })
    },

    async changePlan({ organisationId, planId }) {
      const plan = knownPlan(planId)
      return changeAccount(organisationId, async (account, _tx, nowMs) => {
        if (account.planId === planId) return { account, entries: [], value: account }
        const moved = movePlan(account, plan, nowMs, newEntryId)
        return { account: moved.account, entries: [moved.entry], value: moved.account }
      })
    },

    async rollAccount(organisationId) {
      const rows = await sql.query<{ period: string }>(
        'select period from billing_account where organisation_id = $1',
        [organisationId],
      )
      if (!rows[0] || rows[0].period >= periodOf(clock.now())) return
      await changeAccount(organisationId, async (account) => ({ account, entries: [], value: undefined }))
    },

    async readAccount(organisationId) {
      const rows = await sql.query<AccountRow>(
        `select ${ACCOUNT_COLUMNS} from billing_account where organisation_id = $1`,
        [organisationId],
      )
      if (!rows[0]) return undefined
      const account = accountOf(rows[0])
      return rollPeriod(account, planOf(plans, account), clock.now(), newEntryId).account
    },
  }
}

/** Plans that accounts are on and plans.json does not have: the server refuses to start with one. */
export async function findUnknownPlans(queries: SqlQueries, plans: Plans): Promise<string[]> {
  const rows = await queries.query<{ plan_id: string }>('select distinct plan_id from billing_account order by plan_id')
  return rows.map((row) => row.plan_id).filter((id) => !plans.has(id))
}

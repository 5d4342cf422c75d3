/**
 * An account held open for one change: locked, brought to the present month, written once at the end. Whatever touches
 * a subscription or an invoice holds the account's lock, so that such changes happen one after another.
 */
import type { SqlQueries, SqlTransaction } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Plan, Plans } from '../plans.ts'
import { lockAccounts, planOf, writeAccounts, writeEntries } from './accounts.ts'
import { type Account, type Entry, type Movement, movePlan, post, rollPeriod } from './ledger.ts'

export interface Books {
  readonly account: Account
  readonly plan: Plan
  /** The last entry that was in the ledger when the books were opened. */
  readonly writtenSeq: number
  post(movement: Omit<Movement, 'id'>): void
  movePlan(plan: Plan): void
  /** Writes what was posted; nothing may be posted afterwards. */
  write(): Promise<void>
}

export async function openBooks(
  tx: SqlTransaction,
  plans: Plans,
  organisationId: string,
  nowMs: number,
): Promise<Books> {
  const locked = (await lockAccounts(tx, [organisationId], { skipLocked: false })).get(organisationId)
  if (!locked) throw new Problem('not_found', { detail: 'The organisation has no billing account.' })
  const newEntryId = () => newId('ent')
  const rolled = rollPeriod(locked, planOf(plans, locked), nowMs, newEntryId)
  let account = rolled.account
  const entries: Entry[] = [...rolled.entries]
  return {
    writtenSeq: locked.entrySeq,
    get account() {
      return account
    },
    get plan() {
      return planOf(plans, account)
    },
    post(movement) {
      const posted = post(account, { ...movement, id: newEntryId() }, nowMs)
      account = posted.account
      entries.push(posted.entry)
    },
    movePlan(plan) {
      const moved = movePlan(account, plan, nowMs, newEntryId)
      account = moved.account
      entries.push(moved.entry)
    },
    async write() {
      await Promise.all([writeEntries(tx, entries), writeAccounts(tx, [account])])
    },
  }
}

/** The number of the last entry of a month or an earlier one; entries are in the order of their months. */
export async function lastSeqThrough(
  sql: SqlQueries,
  organisationId: string,
  entrySeq: number,
  period: string,
): Promise<number> {
  let low = 0
  let high = entrySeq
  for (let middle = high; low < high; middle = Math.ceil((low + high) / 2)) {
    const rows = await sql.query<{ period: string }>(
      'select period from ledger_entry where organisation_id = $1 and seq = $2',
      [organisationId, middle],
    )
    if ((rows[0]?.period ?? period) <= period) low = middle
    else high = middle - 1
  }
  return low
}

/** Overage that requests of one month added, whatever was settled meanwhile: from balances, not from every entry. */
export async function overageOfPeriod(
  sql: SqlQueries,
  organisationId: string,
  entrySeq: number,
  range: { readonly before: string; readonly period: string },
): Promise<number> {
  const beforeSeq = await lastSeqThrough(sql, organisationId, entrySeq, range.before)
  const lastSeq = await lastSeqThrough(sql, organisationId, entrySeq, range.period)
  if (lastSeq <= beforeSeq) return 0
  const balances = await sql.query<{ seq: number; overage_after_pence: number }>(
    'select seq, overage_after_pence from ledger_entry where organisation_id = $1 and seq in ($2, $3)',
    [organisationId, beforeSeq, lastSeq],
  )
  const after = (seq: number) => balances.find((row) => row.seq === seq)?.overage_after_pence ?? 0
  const settled = await sql.query<{ pence: number }>(
    `select cast(coalesce(sum(overage_delta_pence), 0) as bigint) as pence from ledger_entry
     where organisation_id = $1 and kind = 'settle' and kind <> 'charge' and seq > $2 and seq <= $3`,
    [organisationId, beforeSeq, lastSeq],
  )
  return after(lastSeq) - after(beforeSeq) - (settled[0]?.pence ?? 0)
}

/**
 * An account opened for one change: locked, brought to the current month, written once at the end. Every change to a
 * subscription or an invoice holds the account's lock, so that such changes happen one after another.
 */
import type { SqlQueries, Tx } from '../../db/sql.ts'
import { newId } from '../../lib/ids.ts'
import type { Plan, Plans } from '../plans.ts'
import { lockAccount, planOf, readEntries, writeAccount } from './accounts.ts'
import {
  type Account,
  accountTime,
  changeMonthlyCredit,
  type Entry,
  entries,
  type Movement,
  movePlan,
  post,
  rollPeriod,
} from './ledger.ts'

const newEntryId = () => newId('ent')

export class Books {
  /** The last entry of the ledger when the books were opened. */
  readonly writtenSeq: number
  readonly #tx: Tx
  readonly #plans: Plans
  readonly #entries: Entry[] = []
  #before: Account
  #account: Account

  constructor(tx: Tx, plans: Plans, account: Account) {
    this.#tx = tx
    this.#plans = plans
    this.#before = account
    this.#account = account
    this.writtenSeq = account.entrySeq
  }

  get account(): Account {
    return this.#account
  }

  get plan(): Plan {
    return planOf(this.#plans, this.#account)
  }

  #take({ account, entries }: { readonly account: Account; readonly entries: readonly Entry[] }): void {
    this.#account = account
    this.#entries.push(...entries)
  }

  /** Returns the id of the entry. */
  post(movement: Omit<Movement, 'id'>): string {
    const { account, entry } = post(this.#account, { ...movement, id: newEntryId() }, this.#tx.nowMs)
    this.#take({ account, entries: [entry] })
    return entry.id
  }

  /** Rolls into the current month, with this plan and this included credit (null: the plan's). */
  roll(plan: Plan, monthlyCreditPence: number | null): void {
    this.#take(rollPeriod({ ...this.#account, monthlyCreditPence }, plan, this.#tx.nowMs, newEntryId))
  }

  movePlan(plan: Plan): void {
    if (plan.id === this.#account.planId) return
    const { account, entry } = movePlan(this.#account, plan, this.#tx.nowMs, newEntryId)
    this.#take({ account, entries: [entry] })
  }

  /** Sets the copies of the entitlement that a charge reads. */
  setAllowance(monthlyCreditPence: number | null, overageLimitPence: number | null): void {
    if (monthlyCreditPence !== this.#account.monthlyCreditPence) {
      this.#take(changeMonthlyCredit(this.#account, this.plan, monthlyCreditPence, this.#tx.nowMs, newEntryId))
    }
    if (overageLimitPence !== this.#account.overageLimitPence) {
      this.#account = { ...this.#account, overageLimitPence }
    }
  }

  /** Another record changes at this moment: later changes must not get an earlier time. */
  touch(): void {
    this.#account = { ...this.#account, updatedAtMs: this.#tx.nowMs }
  }

  /** Writes the posted entries; nothing may be posted afterwards. */
  async write(): Promise<void> {
    if (this.#account === this.#before) return
    await writeAccount(this.#tx, this.#account, this.#entries)
    this.#before = this.#account
  }
}

export async function openBooks(tx: Tx, plans: Plans, organisationId: string): Promise<{ tx: Tx; books: Books }> {
  const account = await lockAccount(tx, organisationId)
  const at = { ...tx, nowMs: accountTime(account, tx.nowMs) }
  return { tx: at, books: new Books(at, plans, account) }
}

/** True if an entry with this reference exists: a payment or a refund is posted once. */
export async function isPosted(sql: SqlQueries, organisationId: string, reference: string): Promise<boolean> {
  return (await entries.find(sql, { organisationId, reference })) !== undefined
}

/**
 * The number of the last entry of a month or an earlier one; entries are in the order of their months. Archived charges are
 * of the month of the next entry that is there (archives.ts, rule 2).
 */
export async function lastSeqThrough(sql: SqlQueries, organisationId: string, entrySeq: number, period: string) {
  let low = 0
  let high = entrySeq
  for (let middle = high; low < high; middle = Math.ceil((low + high) / 2)) {
    const [entry] = await readEntries(sql, { organisationId, afterSeq: middle - 1, limit: 1 })
    if ((entry?.period ?? period) <= period) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * All overage that requests ever added, up to the end of a month: the balance then, plus earlier settlements and
 * reversals. Reads every entry of the rare kinds, and no charges.
 */
export async function overageThrough(sql: SqlQueries, organisationId: string, entrySeq: number, period: string) {
  const lastSeq = await lastSeqThrough(sql, organisationId, entrySeq, period)
  if (lastSeq === 0) return 0
  const rows = await sql.query<{ after: number; moved: number }>(
    `select overage_after_pence as after, (select cast(coalesce(sum(m.overage_delta_pence), 0) as bigint)
       from ledger_entry m where m.organisation_id = $1 and m.kind = 'settle' and m.kind <> 'charge' and m.seq <= $2) as moved
     from ledger_entry where organisation_id = $1 and seq = $2`,
    [organisationId, lastSeq],
  )
  return (rows[0]?.after ?? 0) - (rows[0]?.moved ?? 0)
}

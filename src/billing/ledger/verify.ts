/**
 * Proves the ledger: for every organisation the entries are numbered without a gap, every running balance follows from
 * the one before, every charge obeys the pricing rules, and the last balance is the account's. Works while the server
 * runs: an account is read first, and then only the entries up to the number it names.
 */
import type { Sql } from '../../db/sql.ts'
import { accounts as accountTable, readEntries } from './accounts.ts'
import type { Account, Entry } from './ledger.ts'

const ACCOUNTS_PER_PAGE = 500
const ENTRIES_PER_PAGE = 2000

export interface LedgerDifference {
  readonly organisationId: string
  /** The entry that does not fit; undefined when the account row itself is at fault. */
  readonly seq: number | undefined
  readonly entryId: string | undefined
  readonly problem: string
}

export type LedgerReport =
  | { readonly clean: true; readonly accounts: number; readonly entries: number }
  | { readonly clean: false; readonly difference: LedgerDifference }

export async function verifyLedger(sql: Sql): Promise<LedgerReport> {
  const stray = await findStrayEntry(sql)
  if (stray) return { clean: false, difference: stray }
  let accounts = 0
  let entries = 0
  let afterId = ''
  for (;;) {
    const rows = await sql.query(
      `select ${accountTable.columns()} from billing_account where organisation_id > $1 order by organisation_id limit $2`,
      [afterId, ACCOUNTS_PER_PAGE],
    )
    const page = rows.map(accountTable.fromRow)
    for (const account of page) {
      const difference = await verifyAccount(sql, account)
      if (difference) return { clean: false, difference }
      accounts++
      entries += account.entrySeq
      afterId = account.organisationId
    }
    if (page.length < ACCOUNTS_PER_PAGE) return { clean: true, accounts, entries }
  }
}

/**
 * An entry no account counts. Each statement sees accounts and entries of one moment, so a charge in between does not
 * matter, and looks at one place of the index per organisation, so a long ledger does not either.
 */
async function findStrayEntry(sql: Sql): Promise<LedgerDifference | undefined> {
  const beyond = await sql.query<{ organisation_id: string; seq: number }>(
    `select organisation_id, entry_seq + 1 as seq from billing_account a
     where (select max(e.seq) from ledger_entry e where e.organisation_id = a.organisation_id) > a.entry_seq
     order by organisation_id limit 1`,
  )
  const orphaned = await sql.query<{ organisation_id: string; seq: number }>(
    `with recursive holder (id) as (
       select min(organisation_id) from ledger_entry
       union all
       select (select min(e.organisation_id) from ledger_entry e where e.organisation_id > holder.id)
       from holder where holder.id is not null
     )
     select id as organisation_id, 1 as seq from holder
     where id is not null and not exists (select 1 from billing_account a where a.organisation_id = holder.id) limit 1`,
  )
  const first = beyond[0] ?? orphaned[0]
  if (!first) return undefined
  const { organisation_id: organisationId, seq } = first
  const [entry] = await readEntries(sql, { organisationId, afterSeq: seq - 1, limit: 1 })
  return { organisationId, seq: entry?.seq ?? seq, entryId: entry?.id, problem: 'the entry is counted by no account' }
}

interface Running {
  includedPence: number
  prepaidPence: number
  overagePence: number
  includedUsedPence: number
  freeUnitsUsed: number
  period: string
  seq: number
}

async function verifyAccount(sql: Sql, account: Account): Promise<LedgerDifference | undefined> {
  const running: Running = {
    includedPence: 0,
    prepaidPence: 0,
    overagePence: 0,
    includedUsedPence: 0,
    freeUnitsUsed: 0,
    period: '',
    seq: 0,
  }
  const { organisationId } = account
  while (running.seq < account.entrySeq) {
    const limit = Math.min(ENTRIES_PER_PAGE, account.entrySeq - running.seq)
    const page = await readEntries(sql, { organisationId, afterSeq: running.seq, limit })
    for (const entry of page) {
      if (entry.seq > account.entrySeq) break
      const problem = entryProblem(running, entry)
      if (problem) return { organisationId, seq: entry.seq, entryId: entry.id, problem }
    }
    if (page.length < limit) {
      const problem = `entry ${running.seq + 1} is missing; the account counts ${account.entrySeq}`
      return { organisationId, seq: running.seq + 1, entryId: undefined, problem }
    }
  }
  const problem = accountProblem(running, account)
  return problem ? { organisationId, seq: undefined, entryId: undefined, problem } : undefined
}

/** Checks one entry against the balances before it, and moves them on. */
function entryProblem(running: Running, entry: Entry): string | undefined {
  if (entry.seq !== running.seq + 1) return `entry ${running.seq + 1} is missing`
  if (entry.period < running.period) return `the period ${entry.period} comes after ${running.period}`
  if (entry.period !== running.period) {
    running.period = entry.period
    running.includedUsedPence = 0
    running.freeUnitsUsed = 0
  }
  running.seq = entry.seq
  running.includedPence += entry.includedDeltaPence
  running.prepaidPence += entry.prepaidDeltaPence
  running.overagePence += entry.overageDeltaPence
  running.freeUnitsUsed += entry.freeUnits
  if (entry.kind === 'charge' || entry.kind === 'refund') running.includedUsedPence -= entry.includedDeltaPence
  return (
    balanceProblem('included credit', running.includedPence, entry.includedAfterPence) ??
    balanceProblem('prepaid credit', running.prepaidPence, entry.prepaidAfterPence) ??
    balanceProblem('overage', running.overagePence, entry.overageAfterPence) ??
    KIND_PROBLEMS[entry.kind](entry)
  )
}

function balanceProblem(name: string, expected: number, found: number): string | undefined {
  if (expected !== found) return `the ${name} after the entry is ${found}, the entries add up to ${expected}`
  if (found < 0) return `the ${name} is negative: ${found}`
  return undefined
}

const moved = (entry: Entry) => [entry.includedDeltaPence, entry.prepaidDeltaPence, entry.overageDeltaPence]

const KIND_PROBLEMS: Record<Entry['kind'], (entry: Entry) => string | undefined> = {
  charge(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    if (entry.family === null || entry.units < 1) return 'a charge names its family and at least one unit'
    if (entry.freeUnits !== 0) {
      if (entry.freeUnits !== entry.units) return `${entry.freeUnits} of ${entry.units} units are free, not all or none`
      return included !== 0 || prepaid !== 0 || overage !== 0 ? 'a free request moved money' : undefined
    }
    if (included > 0 || prepaid > 0 || overage < 0) return 'a charge moved money the wrong way'
    const total = entry.unitPricePence * entry.units
    if (overage - included - prepaid !== total)
      return `the parts add up to ${overage - included - prepaid}, not ${total}`
    if (prepaid < 0 && entry.includedAfterPence > 0) return 'prepaid credit was used before included credit'
    const creditLeft = entry.includedAfterPence + entry.prepaidAfterPence
    return overage > 0 && creditLeft > 0 ? `overage was owed while ${creditLeft} of credit was left` : undefined
  },
  refund(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    return included < 0 || prepaid < 0 || overage > 0 || entry.freeUnits > 0
      ? 'a refund moved money the wrong way'
      : undefined
  },
  grant(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    return included <= 0 || prepaid !== 0 || overage !== 0 ? 'a grant adds included credit and nothing else' : undefined
  },
  expire(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    if (included >= 0 || prepaid !== 0 || overage !== 0) return 'an expiry takes included credit and nothing else'
    return entry.includedAfterPence === 0 ? undefined : 'an expiry left included credit behind'
  },
  credit(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    return prepaid <= 0 || included !== 0 || overage !== 0 ? 'a credit adds prepaid credit and nothing else' : undefined
  },
  settle(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    return included !== 0 || prepaid !== 0 || overage === 0
      ? 'a settlement, or taking one back, moves overage and nothing else'
      : undefined
  },
  reversal(entry) {
    const [included = 0, prepaid = 0, overage = 0] = moved(entry)
    return included !== 0 || prepaid > 0 || overage < 0
      ? 'a payment that went back takes prepaid credit or adds overage, and nothing else'
      : undefined
  },
  plan(entry) {
    const [, prepaid = 0, overage = 0] = moved(entry)
    return prepaid !== 0 || overage !== 0 ? 'a change of plan moves included credit only' : undefined
  },
}

function accountProblem(running: Running, account: Account): string | undefined {
  // A month may begin without any entry (a plan with no included credit): then nothing of it is used yet.
  const samePeriod = running.period === account.period
  const expected: [string, number, number][] = [
    ['included_pence', account.includedPence, running.includedPence],
    ['prepaid_pence', account.prepaidPence, running.prepaidPence],
    ['overage_pence', account.overagePence, running.overagePence],
    ['included_used_pence', account.includedUsedPence, samePeriod ? running.includedUsedPence : 0],
    ['free_units_used', account.freeUnitsUsed, samePeriod ? running.freeUnitsUsed : 0],
  ]
  for (const [column, found, sum] of expected) {
    if (found !== sum) return `the account's ${column} is ${found}, its entries add up to ${sum}`
  }
  return running.period > account.period ? `the account is behind its entries: ${account.period}` : undefined
}

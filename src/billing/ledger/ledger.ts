/**
 * The arithmetic of accounts and entries, pure. An account changes only by posting an entry, so balance and ledger
 * always agree. Posting also hashes the entry, so every entry is in the organisation's chain.
 */
import { defineTable, type EntityOf, integer, named, orNull, text } from '../../db/table.ts'
import { periodOf } from '../../lib/clock.ts'
import { link } from '../../lib/hash-chain.ts'
import type { Family } from '../../lib/kinds.ts'
import { periodStartMs } from '../period.ts'
import type { Plan } from '../plans.ts'

export const ENTRY_KINDS = ['grant', 'expire', 'charge', 'credit', 'plan', 'refund', 'settle', 'reversal'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

const ACCOUNT = {
  name: 'billing_account',
  key: ['organisationId'],
  columns: {
    organisationId: named('organisation_id', text()),
    planId: named('plan_id', text()),
    period: text(),
    includedPence: named('included_pence', integer()),
    prepaidPence: named('prepaid_pence', integer()),
    /** Owed for requests beyond the credit. */
    overagePence: named('overage_pence', integer()),
    /** Included credit and free units used in this period. */
    includedUsedPence: named('included_used_pence', integer()),
    freeUnitsUsed: named('free_units_used', integer()),
    /** Number and hash of the last entry; no hash if no entry has one. */
    entrySeq: named('entry_seq', integer()),
    entryHash: named('entry_hash', orNull(text())),
    /** Copies of the entitlement: the month's included credit and the overage limit; null: those of the plan. */
    monthlyCreditPence: named('monthly_credit_pence', orNull(integer())),
    overageLimitPence: named('overage_limit_pence', orNull(integer())),
    createdAtMs: named('created_at', integer()),
    updatedAtMs: named('updated_at', integer()),
  },
} as const
export const accounts = defineTable({ ...ACCOUNT, fixed: ['createdAtMs'] })
/**
 * An account as a charge writes it, with the plan that it has. SQLite rewrites the index of a column that is set, even
 * to the same value: one more page in every commit.
 */
export const chargedAccounts = defineTable({ ...ACCOUNT, fixed: ['createdAtMs', 'planId'] })

export type Account = EntityOf<typeof accounts>

/** The hash covers all of them except itself, in this order: another order would give another hash. */
const ENTRY_COLUMNS = {
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
  /** Covers the previous hash and every other field; null in entries older than the hash chain. */
  hash: orNull(text()),
}
export const entries = defineTable({ name: 'ledger_entry', key: ['organisationId', 'seq'], columns: ENTRY_COLUMNS })
export type Entry = EntityOf<typeof entries>

type Unhashed = Omit<Entry, 'hash'>
const HASHED = Object.keys(ENTRY_COLUMNS).filter((name) => name !== 'hash') as (keyof Unhashed)[]

export function hashedFields(entry: Unhashed): (string | number | null)[] {
  return HASHED.map((field) => entry[field])
}

/** The fields of an entry that do not come from the account; amounts that are not given do not change. */
export type Movement = Pick<Entry, 'id' | 'kind'> &
  Partial<
    Pick<Entry, 'family' | 'units' | 'freeUnits' | 'unitPricePence' | 'credentialId' | 'requestId'> &
      Pick<Entry, 'includedDeltaPence' | 'prepaidDeltaPence' | 'overageDeltaPence' | 'reference' | 'detail'>
  >

export function post(account: Account, movement: Movement, nowMs: number) {
  const includedDeltaPence = movement.includedDeltaPence ?? 0
  const prepaidDeltaPence = movement.prepaidDeltaPence ?? 0
  const overageDeltaPence = movement.overageDeltaPence ?? 0
  const freeUnits = movement.freeUnits ?? 0
  const usage = movement.kind === 'charge' || movement.kind === 'refund'
  const seq = account.entrySeq + 1
  const after = {
    ...account,
    includedPence: account.includedPence + includedDeltaPence,
    prepaidPence: account.prepaidPence + prepaidDeltaPence,
    overagePence: account.overagePence + overageDeltaPence,
    includedUsedPence: usage ? account.includedUsedPence - includedDeltaPence : account.includedUsedPence,
    freeUnitsUsed: account.freeUnitsUsed + freeUnits,
    entrySeq: seq,
    updatedAtMs: nowMs,
  }
  if (after.includedPence < 0 || after.prepaidPence < 0 || after.overagePence < 0) {
    throw new RangeError(`a ${movement.kind} would make a balance of ${account.organisationId} negative`)
  }
  const entry = {
    organisationId: account.organisationId,
    seq,
    id: movement.id,
    kind: movement.kind,
    period: account.period,
    planId: account.planId,
    family: movement.family ?? null,
    units: movement.units ?? 0,
    freeUnits,
    unitPricePence: movement.unitPricePence ?? 0,
    includedDeltaPence,
    prepaidDeltaPence,
    overageDeltaPence,
    includedAfterPence: after.includedPence,
    prepaidAfterPence: after.prepaidPence,
    overageAfterPence: after.overagePence,
    credentialId: movement.credentialId ?? null,
    requestId: movement.requestId ?? null,
    reference: movement.reference ?? null,
    detail: movement.detail ?? null,
    createdAtMs: nowMs,
    hash: '',
  }
  entry.hash = link(account.entryHash ?? '', hashedFields(entry))
  after.entryHash = entry.hash
  return { account: after, entry }
}

export function emptyAccount(organisationId: string, planId: string, nowMs: number): Account {
  return {
    organisationId,
    planId,
    period: periodOf(nowMs),
    includedPence: 0,
    prepaidPence: 0,
    overagePence: 0,
    includedUsedPence: 0,
    freeUnitsUsed: 0,
    entrySeq: 0,
    entryHash: null,
    monthlyCreditPence: null,
    overageLimitPence: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
}

/**
 * The time of an account change: never before the last change, nor before the start of its month. So a clock that was
 * set back grants no month twice, and entries are in time order.
 */
export function accountTime(account: Pick<Account, 'period' | 'updatedAtMs'>, nowMs: number): number {
  return Math.max(nowMs, account.updatedAtMs, periodStartMs(account.period))
}

function monthlyCreditOf(account: Account, plan: Plan): number {
  return account.monthlyCreditPence ?? plan.included_credit_pence
}

/** The account's current terms: free units come with the included credit, which has to be paid for. */
export function termsOf(account: Account, plan: Plan): Plan {
  return account.monthlyCreditPence === null ? plan : { ...plan, free_units: 0 }
}

export function overageLimitOf(account: Account, plan: Plan): number {
  return account.overageLimitPence ?? plan.overage_limit_pence ?? Number.MAX_SAFE_INTEGER
}

/** Posts the included credit of the account's month, if there is any. */
export function grantIncluded(account: Account, plan: Plan, nowMs: number, newEntryId: () => string) {
  const entries: Entry[] = []
  const credit = monthlyCreditOf(account, plan)
  if (credit === 0) return { account, entries }
  const granted = post(account, { id: newEntryId(), kind: 'grant', includedDeltaPence: credit }, nowMs)
  entries.push(granted.entry)
  return { account: granted.account, entries }
}

/**
 * Brings an account to the period of `nowMs`: the rest of the included credit expires, the new month's is granted, free
 * units start again. Months without use add no entries.
 */
export function rollPeriod(account: Account, plan: Plan, nowMs: number, newEntryId: () => string) {
  const period = periodOf(nowMs)
  if (period <= account.period) return { account, entries: [] }
  const entries: Entry[] = []
  let current = account
  if (current.includedPence > 0) {
    const expired = post(
      current,
      { id: newEntryId(), kind: 'expire', includedDeltaPence: -current.includedPence },
      nowMs,
    )
    entries.push(expired.entry)
    current = expired.account
  }
  current = { ...current, planId: plan.id, period, includedUsedPence: 0, freeUnitsUsed: 0, updatedAtMs: nowMs }
  const granted = grantIncluded(current, plan, nowMs, newEntryId)
  return { account: granted.account, entries: [...entries, ...granted.entries] }
}

/**
 * Moves an account to another plan within its period. Included credit already used this month counts against the new
 * plan's, so switching back and forth never creates credit.
 */
export function movePlan(account: Account, plan: Plan, nowMs: number, newEntryId: () => string) {
  const moved = { ...account, planId: plan.id }
  return post(
    moved,
    {
      id: newEntryId(),
      kind: 'plan',
      includedDeltaPence: leftOf(moved, plan) - account.includedPence,
      detail: `${account.planId} to ${plan.id}`,
    },
    nowMs,
  )
}

/** Changes the month's included credit; credit already used stays used. */
export function changeMonthlyCredit(
  account: Account,
  plan: Plan,
  monthlyCreditPence: number | null,
  nowMs: number,
  newEntryId: () => string,
): { account: Account; entries: Entry[] } {
  const changed = { ...account, monthlyCreditPence }
  const delta = leftOf(changed, plan) - account.includedPence
  if (delta === 0) return { account: changed, entries: [] }
  const kind = delta > 0 ? 'grant' : 'plan'
  const posted = post(changed, { id: newEntryId(), kind, includedDeltaPence: delta }, nowMs)
  return { account: posted.account, entries: [posted.entry] }
}

function leftOf(account: Account, plan: Plan): number {
  return Math.max(0, monthlyCreditOf(account, plan) - account.includedUsedPence)
}

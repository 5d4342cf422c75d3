/**
 * The arithmetic of accounts and entries, pure. An account changes only by posting an entry, so balance and ledger
 * always agree. Posting also hashes the entry, so every entry is in the organisation's chain.
 */
import { periodOf } from '../../lib/clock.ts'
import { link } from '../../lib/hash-chain.ts'
import type { Family } from '../../lib/kinds.ts'
import { periodStartMs } from '../period.ts'
import type { Plan } from '../plans.ts'

export const ENTRY_KINDS = ['grant', 'expire', 'charge', 'credit', 'plan', 'refund', 'settle', 'reversal'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

export interface Account {
  readonly organisationId: string
  readonly planId: string
  readonly period: string
  readonly includedPence: number
  readonly prepaidPence: number
  /** Owed for requests beyond the credit. */
  readonly overagePence: number
  /** Included credit and free units used in this period. */
  readonly includedUsedPence: number
  readonly freeUnitsUsed: number
  /** Number and hash of the last entry; no hash if no entry has one. */
  readonly entrySeq: number
  readonly entryHash: string | null
  /** Copies of the standing: the month's included credit and the overage limit; null: the plan's. */
  readonly monthlyCreditPence: number | null
  readonly overageLimitPence: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export interface Entry {
  readonly organisationId: string
  readonly seq: number
  readonly id: string
  readonly kind: EntryKind
  readonly period: string
  readonly planId: string
  readonly family: Family | null
  readonly units: number
  readonly freeUnits: number
  readonly unitPricePence: number
  readonly includedDeltaPence: number
  readonly prepaidDeltaPence: number
  readonly overageDeltaPence: number
  readonly includedAfterPence: number
  readonly prepaidAfterPence: number
  readonly overageAfterPence: number
  readonly credentialId: string | null
  readonly requestId: string | null
  readonly reference: string | null
  readonly detail: string | null
  readonly createdAtMs: number
  /** Covers the previous hash and every other field; null in entries older than the hash chain. */
  readonly hash: string | null
}

type Unhashed = Omit<Entry, 'hash'>

/** Every field except the hash, in hashing order: another order would give another hash. */
const HASHED = Object.keys({
  organisationId: true,
  seq: true,
  id: true,
  kind: true,
  period: true,
  planId: true,
  family: true,
  units: true,
  freeUnits: true,
  unitPricePence: true,
  includedDeltaPence: true,
  prepaidDeltaPence: true,
  overageDeltaPence: true,
  includedAfterPence: true,
  prepaidAfterPence: true,
  overageAfterPence: true,
  credentialId: true,
  requestId: true,
  reference: true,
  detail: true,
  createdAtMs: true,
} satisfies Record<keyof Unhashed, true>) as (keyof Unhashed)[]

export function hashedFields(entry: Unhashed): (string | number | null)[] {
  return HASHED.map((field) => entry[field])
}

/** The fields of an entry that do not come from the account; amounts that are not given do not change. */
export interface Movement {
  readonly id: string
  readonly kind: EntryKind
  readonly family?: Family | null
  readonly units?: number
  readonly freeUnits?: number
  readonly unitPricePence?: number
  readonly includedDeltaPence?: number
  readonly prepaidDeltaPence?: number
  readonly overageDeltaPence?: number
  readonly credentialId?: string | null
  readonly requestId?: string | null
  readonly reference?: string | null
  readonly detail?: string | null
}

export interface Posted {
  readonly account: Account
  readonly entry: Entry
}

export function post(account: Account, movement: Movement, nowMs: number): Posted {
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

/** An account before its first entry. */
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

/** The included credit of the account's month. */
function monthlyCreditOf(account: Account, plan: Plan): number {
  return account.monthlyCreditPence ?? plan.included_credit_pence
}

/** The account's current terms: free units come with the included credit, which has to be paid for. */
export function termsOf(account: Account, plan: Plan): Plan {
  return account.monthlyCreditPence === null ? plan : { ...plan, free_units: 0 }
}

/** The maximum debt beyond the credit. */
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
export function rollPeriod(
  account: Account,
  plan: Plan,
  nowMs: number,
  newEntryId: () => string,
): { account: Account; entries: Entry[] } {
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
export function movePlan(account: Account, plan: Plan, nowMs: number, newEntryId: () => string): Posted {
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

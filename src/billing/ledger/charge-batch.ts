/**
 * The charges of one batch as one transaction: lock the accounts, price the requests in order of arrival, write
 * entries, balances and (under an idempotency key) answers. Two rounds of statements; nothing in between waits.
 */
import {
  inactiveWords,
  type OrganisationState,
  STATE_REASONS,
  type StateReason,
} from '../../access/organisation-state.ts'
import {
  type ChargedCheck,
  type ChargedList,
  checkIdOf,
  checksToInsert,
  listsToInsert,
  type SealingKey,
} from '../../db/kept-checks.ts'
import { paddedList } from '../../db/multi-row.ts'
import { type Dialect, inParts, type Rounds, type Routine, type Rows, type Statement } from '../../db/routine.ts'
import type { SqlQueries } from '../../db/sql.ts'
import {
  keptBody,
  responsesByName,
  responsesToFind,
  responsesToInsert,
  type StoredResponse,
  storedResponseName,
} from '../../db/stored-response.ts'
import type { ProblemCode } from '../../errors.ts'
import type { ToKeep } from '../../lib/charge.ts'
import { periodOf } from '../../lib/clock.ts'
import { idSeries } from '../../lib/ids.ts'
import type { Family } from '../../lib/kinds.ts'
import { LIMITS } from '../../limits.ts'
import type { Plan } from '../plans.ts'
import { billingText, type Priced, price } from '../pricing.ts'
import { accountsById, accountsToLock, planOf } from './accounts.ts'
import {
  type Account,
  accounts as accountTable,
  accountTime,
  chargedAccounts,
  type Entry,
  entries as entryTable,
  overageLimitOf,
  post,
  rollPeriod,
  termsOf,
} from './ledger.ts'

export interface BatchInput {
  readonly charges: readonly Charge[]
  /** Of each charge with a `record`, in the same order; absent if no charge has one. */
  readonly texts?: readonly (string | undefined)[] | undefined
  /** JSON, always the same text: each thread parses it once, not for every batch. */
  readonly plans: string
  readonly nowMs: number
  /** Seals what goes on record; present if a charge has something to keep. */
  readonly sealing?: SealingKey | undefined
  /** True to wait for an account that is locked elsewhere; otherwise its charges return as `locked`. */
  readonly waitForLocks: boolean
}

export interface Charge {
  readonly organisationId: string
  readonly family: Family
  readonly units: number
  readonly credentialId: string
  readonly requestId: string
  /** With the answer to store, sealed around its billing fields. */
  readonly keep?: { readonly key: string; readonly sealed: string }
  /** Goes on record if the charge succeeds, with its text. */
  readonly record?: ToKeep['row'] | undefined
}

export type Paid = 'free' | 'credit' | 'overage'

/**
 * The outcome of each charge, in their order. `billing` is the text of the billing fields, `seq` the entry's number.
 */
export type ChargeOutcome =
  | {
      readonly is: 'charged'
      readonly billing: string
      readonly paid: Paid
      readonly seq: number
      /** Further units of any family that the account can pay for. */
      readonly unitsLeft: number
    }
  /** An answer exists under this key. Opening it shows if it answers the same request. */
  | { readonly is: 'kept'; readonly requestHash: string; readonly body: string }
  | { readonly is: 'refused'; readonly code: ProblemCode; readonly detail: string }
  | { readonly is: 'locked' }
  /** A pending change decides if the account is served: apply it first. */
  | { readonly is: 'due' }
  | { readonly is: 'failed'; readonly message: string }

export const chargeBatch: Routine<BatchInput, ChargeOutcome[]> = {
  module: import.meta.url,
  name: 'chargeBatch',
  apart: ['plans', 'texts'],
  // JSON, and a line for each text: JSON would escape the quotes of every billing text.
  format: {
    write(outcomes) {
      let texts = ''
      const others = outcomes.map((outcome) => {
        if (outcome.is !== 'charged') return outcome
        texts += `\n${outcome.billing}`
        return [outcome.paid, outcome.seq, outcome.unitsLeft] as const
      })
      return JSON.stringify(others) + texts
    },
    read(text) {
      const [json = '', ...texts] = text.split('\n')
      let next = 0
      return (JSON.parse(json) as (readonly [Paid, number, number] | ChargeOutcome)[]).map((outcome) => {
        if ('is' in outcome) return outcome
        const [paid, seq, unitsLeft] = outcome
        return { is: 'charged', billing: texts[next++] ?? '', paid, seq, unitsLeft }
      })
    },
  },
  start: charge,
  joining: {
    join(batches) {
      const last = batches.at(-1)
      if (!last || batches.some(({ waitForLocks }) => waitForLocks !== last.waitForLocks)) return undefined
      const { sealing } = batches.findLast((batch) => batch.sealing) ?? last
      const texts = sealing && batches.flatMap((batch) => batch.texts ?? batch.charges.map(() => undefined))
      return { ...last, sealing, texts, charges: batches.flatMap(({ charges }) => charges) }
    },
    part: (outcomes, batches) =>
      inParts(
        outcomes,
        batches.map(({ charges }) => charges.length),
      ),
  },
}

const newEntryId = idSeries('ent')

/**
 * Why a charge would be refused now, by the same rules and without a lock; undefined if it would not be, or if a
 * pending change may alter the answer. The charge itself decides.
 */
export async function foreseeRefusal(
  { sql, plans, nowMs }: { readonly sql: SqlQueries; readonly plans: string; readonly nowMs: number },
  charge: Charge,
): Promise<(ChargeOutcome & { is: 'refused' }) | undefined> {
  const { organisationId } = charge
  const { text, params } = organisationsToRead([organisationId])
  const [account, organisations] = await Promise.all([
    accountTable.find(sql, { organisationId }),
    sql.query(text, params),
  ])
  if (!account || account.period < periodOf(accountTime(account, nowMs))) return undefined
  const batch = new Batch(
    { plans, nowMs, waitForLocks: true },
    new Map([[organisationId, account]]),
    organisationsById(organisations),
    new Map(),
  )
  const outcome = batch.charge(charge)
  return outcome.is === 'refused' ? outcome : undefined
}

function* charge(input: BatchInput, dialect: Dialect): Rounds<ChargeOutcome[]> {
  const { charges, nowMs, waitForLocks } = input
  const ids = [...new Set(charges.map(({ organisationId }) => organisationId))].sort()
  const wanted: { organisationId: string; key: string }[] = []
  for (const { organisationId, keep } of charges) if (keep) wanted.push({ organisationId, key: keep.key })
  // The statements run in this order, so the reads see the rows that the locks waited for.
  const [locked, organisations, kept] = yield [
    accountsToLock(dialect, ids, { skipLocked: !waitForLocks }),
    organisationsToRead(ids),
    ...responsesToFind(wanted, nowMs),
  ]
  const batch = new Batch(
    input,
    accountsById(locked ?? []),
    organisationsById(organisations ?? []),
    responsesByName(kept ?? []),
  )
  const output = charges.map((one, i): ChargeOutcome => {
    try {
      return batch.charge(one, input.texts?.[i])
    } catch (error) {
      return { is: 'failed', message: error instanceof Error ? error.message : String(error) }
    }
  })
  return { last: batch.writes(dialect), output }
}

class Batch {
  readonly #entries: Entry[] = []
  readonly #responses: StoredResponse[] = []
  readonly #checks: ChargedCheck[] = []
  readonly #lists: ChargedList[] = []
  readonly #changed = new Set<string>()
  readonly #broughtToNow = new Set<string>()
  readonly #plans: ReadonlyMap<string, Plan>
  readonly #nowMs: number
  readonly #sealing: SealingKey | undefined
  readonly #waitForLocks: boolean
  readonly #accounts: Map<string, Account>
  readonly #organisations: ReadonlyMap<string, OrganisationRow>
  readonly #kept: Map<string, StoredResponse>

  constructor(
    { plans, nowMs, sealing, waitForLocks }: Omit<BatchInput, 'charges'>,
    accounts: Map<string, Account>,
    organisations: ReadonlyMap<string, OrganisationRow>,
    kept: Map<string, StoredResponse>,
  ) {
    this.#plans = plansFrom(plans)
    this.#nowMs = nowMs
    this.#sealing = sealing
    this.#waitForLocks = waitForLocks
    this.#accounts = accounts
    this.#organisations = organisations
    this.#kept = kept
  }

  charge(one: Charge, text?: string): ChargeOutcome {
    const { organisationId, keep } = one
    const organisation = this.#organisations.get(organisationId)
    const account = this.#accounts.get(organisationId)
    if (organisation && !account && !this.#waitForLocks) return { is: 'locked' }
    if (!organisation || !account) return refused('account_inactive', inactiveWords(null))
    const nowMs = accountTime(account, this.#nowMs)
    if (organisation.state_until !== null && organisation.state_until <= nowMs) return { is: 'due' }
    if (organisation.state === 'disabled') return refused('account_disabled', STATE_REASONS.disabled)
    if (organisation.state !== 'active') return refused('account_inactive', inactiveWords(organisation.state_reason))
    const answered = keep && this.#kept.get(storedResponseName(organisationId, keep.key))
    if (answered) return { is: 'kept', requestHash: answered.requestHash, body: answered.body }
    return this.#price(one, text, this.#bringToNow(account, nowMs), nowMs, organisation.unconfirmed === 1)
  }

  writes(dialect: Dialect): Statement[] {
    const changed: Account[] = []
    for (const id of this.#changed) {
      const account = this.#accounts.get(id)
      if (account) changed.push(account)
    }
    return [
      ...entryTable.toInsert(dialect, this.#entries),
      ...chargedAccounts.toUpsert(dialect, changed),
      ...responsesToInsert(dialect, this.#responses),
      ...checksToInsert(dialect, this.#sealing, this.#checks),
      ...listsToInsert(dialect, this.#lists),
    ]
  }

  #price(
    one: Charge,
    kept: string | undefined,
    account: Account,
    nowMs: number,
    isUnconfirmed: boolean,
  ): ChargeOutcome {
    const terms = termsOf(account, planOf(this.#plans, account))
    const plan = isUnconfirmed ? { ...terms, free_units: Math.min(terms.free_units, UNCONFIRMED_MAX) } : terms
    const balance = { ...account, overageLimitPence: overageLimitOf(account, plan) }
    const priced = price(plan, balance, one.family, one.units)
    if (priced.refused) {
      return refused('credit_exhausted', plan.free_units < terms.free_units ? UNCONFIRMED : exhausted(plan, priced))
    }
    const { billing } = priced
    const posted = post(
      account,
      {
        id: newEntryId(),
        kind: 'charge',
        family: one.family,
        units: one.units,
        freeUnits: priced.freeUnits,
        unitPricePence: billing.unit_price_pence,
        includedDeltaPence: 0 - priced.fromIncludedPence,
        prepaidDeltaPence: 0 - priced.fromPrepaidPence,
        overageDeltaPence: billing.overage_pence,
        credentialId: one.credentialId,
        requestId: one.requestId,
      },
      nowMs,
    )
    const text = billingText(billing)
    if (one.keep) this.#keep(one.organisationId, one.keep, text)
    if (one.record) this.#record(one, { row: one.record, text: kept ?? '' }, text)
    this.#accounts.set(one.organisationId, posted.account)
    this.#changed.add(one.organisationId)
    this.#entries.push(posted.entry)
    const paid = billing.is_free ? 'free' : billing.overage_pence > 0 ? 'overage' : 'credit'
    return { is: 'charged', billing: text, paid, seq: posted.entry.seq, unitsLeft: unitsLeft(plan, posted.account) }
  }

  #keep(organisationId: string, { key, sealed }: NonNullable<Charge['keep']>, billing: string) {
    const body = keptBody(sealed, billing)
    const response = { organisationId, key, requestHash: '', status: 200, body, createdAtMs: this.#nowMs }
    this.#responses.push(response)
    this.#kept.set(storedResponseName(organisationId, key), response)
  }

  #record({ organisationId, credentialId, requestId, keep }: Charge, { row, text }: ToKeep, billing: string) {
    const id = checkIdOf(requestId)
    const charged = { organisationId, id, credentialId, repeatKey: keep?.key ?? null, billing, text }
    if ('score' in row) this.#checks.push({ ...charged, check: row })
    else this.#lists.push({ ...charged, list: row })
  }

  #bringToNow(account: Account, nowMs: number): Account {
    const { organisationId } = account
    if (this.#broughtToNow.has(organisationId)) return account
    this.#broughtToNow.add(organisationId)
    const rolled = rollPeriod(account, planOf(this.#plans, account), nowMs, newEntryId)
    if (rolled.account === account) return account
    this.#accounts.set(organisationId, rolled.account)
    this.#changed.add(organisationId)
    this.#entries.push(...rolled.entries)
    return rolled.account
  }
}

/** Units of the dearest family that one more request may have; more of them may be free or cheaper. */
function unitsLeft(plan: Plan, account: Account): number {
  const { unit_price_pence: prices, overage_allowed, free_units } = plan
  const dearestPence = Math.max(prices['payment-risk'], prices['supply-chain-risk'], prices['infrastructure-risk'])
  const overagePence = overage_allowed ? Math.max(0, overageLimitOf(account, plan) - account.overagePence) : 0
  const pence = account.includedPence + account.prepaidPence + overagePence
  const paidUnits = dearestPence === 0 ? Number.MAX_SAFE_INTEGER : Math.floor(pence / dearestPence)
  return Math.max(free_units - account.freeUnitsUsed, paidUnits)
}

const UNCONFIRMED_MAX = LIMITS.counts.unconfirmedChecksMax
const UNCONFIRMED = `Nobody has confirmed this sign-up, so ${UNCONFIRMED_MAX} checks a month are free. Open the link that was mailed, or send it again on the page of the sign-up. Then the free checks of the plan are yours.`

let parsedPlans: { readonly text: string; readonly byId: ReadonlyMap<string, Plan> } | undefined

function plansFrom(text: string): ReadonlyMap<string, Plan> {
  if (parsedPlans?.text !== text) {
    parsedPlans = { text, byId: new Map((JSON.parse(text) as Plan[]).map((plan) => [plan.id, plan])) }
  }
  return parsedPlans.byId
}

function exhausted(plan: Plan, { totalPence, creditPence, overageLeftPence }: Priced & { refused: true }): string {
  const left = `The request costs ${totalPence} pence, but only ${creditPence} are left`
  return plan.overage_allowed
    ? `${left}, with ${overageLeftPence} of overage. Top up, pay open invoices, or ask for a higher overage limit.`
    : `${left}. Top up, or choose a plan with overage.`
}

function refused(code: ProblemCode, detail: string): ChargeOutcome {
  return { is: 'refused', code, detail }
}

interface OrganisationRow {
  readonly id: string
  readonly state: OrganisationState
  readonly state_reason: StateReason | null
  readonly state_until: number | null
  readonly unconfirmed: number
}

function organisationsToRead(organisationIds: readonly string[]): Statement {
  const { marks, values } = paddedList(organisationIds, 1)
  return {
    text: `select id, state, state_reason, state_until, unconfirmed from organisation where id in (${marks})`,
    params: values,
  }
}

function organisationsById(rows: Rows): Map<string, OrganisationRow> {
  return new Map((rows as object[] as OrganisationRow[]).map((row) => [row.id, row]))
}

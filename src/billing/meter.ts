/**
 * The metering group commit. Charges that arrive while a batch is being made durable gather into the next one.
 *
 *  1. A charge's promise resolves after its entry, its balance and (under an idempotency key) its answer are durable,
 *     all in one transaction; it rejects when none of them is.
 *  2. Within a batch, accounts are locked in the order of their ids and requests are priced in the order they came.
 *  3. A request that fails (refused, render throws) fails alone.
 *  4. An account locked elsewhere leaves the batch and waits in a lane of its own, for a bounded time.
 *  5. Everything that waits is bounded in number and in time; beyond the bound the answer is 503 and nothing is charged.
 *  6. A commit whose answer was lost is looked up before anybody is answered. Where even that is impossible the caller
 *     gets 503, and what turns out to have been charged is refunded when the store is back.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { paddedList } from '../db/multi-row.ts'
import { CommitUnknown, type Sql, type SqlTransaction, StoreUnavailable, UniqueViolation } from '../db/sql.ts'
import {
  findStoredResponses,
  insertStoredResponses,
  type StoredResponse,
  storedResponseName,
} from '../db/stored-response.ts'
import { Problem } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { newId, type RandomBytes } from '../lib/ids.ts'
import type { Family } from '../lib/kinds.ts'
import { type Account, type Entry, post, rollPeriod } from './ledger.ts'
import type { Plans } from './plans.ts'
import { type Billing, price } from './pricing.ts'
import { lockAccounts, planOf, writeAccounts, writeEntries } from './store.ts'

export interface ChargeRequest {
  readonly organisationId: string
  readonly family: Family
  readonly units: number
  readonly credentialId: string
  readonly requestId: string
  readonly idempotency?: { readonly key: string; readonly requestHash: string } | undefined
  /** Builds the answer from its billing fields. May be called more than once; only the last result counts. */
  render(billing: Billing): string
}

export interface ChargeResult {
  readonly body: string
  /** Of this request; for a replayed answer undefined, its fields stand in the body. */
  readonly billing: Billing | undefined
  readonly replayed: boolean
}

export interface Meter {
  charge(request: ChargeRequest): Promise<ChargeResult>
  /** Requests waiting or being made durable. */
  readonly pending: number
  /** Refuses new charges and resolves when those under way are answered. */
  close(): Promise<void>
}

export interface MeterLimits {
  readonly batchMax: number
  readonly pendingMax: number
  /** How long a request may wait before its batch begins. */
  readonly waitMsMax: number
  /** How long a lane waits for an account locked elsewhere. */
  readonly lockTimeoutMs: number
  /** How many lanes wait at a time: each holds a connection. */
  readonly lanesMax: number
  /** How often, and how far apart, a lost commit is looked up before the callers are answered. */
  readonly lookupsMax: number
  readonly lookupPauseMs: number
}

const DEFAULT_LIMITS: MeterLimits = {
  batchMax: 256,
  pendingMax: 20_000,
  waitMsMax: 10_000,
  lockTimeoutMs: 2000,
  lanesMax: 4,
  lookupsMax: 20,
  lookupPauseMs: 250,
}
const UNITS_MAX = 10_000
const UNSETTLED_MAX = 1000

export interface MeterDependencies {
  readonly sql: Sql
  readonly plans: Plans
  readonly clock: Clock
  readonly limits?: Partial<MeterLimits>
}

interface Item {
  readonly request: ChargeRequest
  readonly resolve: (result: ChargeResult) => void
  readonly reject: (error: unknown) => void
  readonly sinceMs: number
}

type Outcome =
  | { readonly item: Item; readonly result: ChargeResult; readonly entry: Entry | undefined }
  | { readonly item: Item; readonly error: unknown }
  | { readonly item: Item; readonly locked: true }

/** What one transaction is about to make durable. */
interface Draft {
  readonly outcomes: Outcome[]
  readonly entries: Entry[]
}

const RETRY_SOON = { 'retry-after': '1' }

function unavailable(detail: string, cause?: unknown): Problem {
  return new Problem('store_unavailable', { detail, headers: RETRY_SOON, cause })
}

export function createMeter({ sql, plans, clock, limits: given = {} }: MeterDependencies): Meter {
  const limits = { ...DEFAULT_LIMITS, ...given }
  const queue: Item[] = []
  const lanes = new Map<string, Item[]>()
  const lanesWaiting: string[] = []
  /** Drafts whose commit may have happened although their callers were told 503. */
  const unsettled: Draft[] = []
  let lanesRunning = 0
  let pending = 0
  let running = false
  let settling = false
  let closing: Promise<void> | undefined
  let idle = () => {}
  const random = pooledRandom()
  const newEntryId = () => newId('ent', random)

  function charge(request: ChargeRequest): Promise<ChargeResult> {
    if (!Number.isInteger(request.units) || request.units < 1 || request.units > UNITS_MAX) {
      return Promise.reject(new RangeError(`a charge is for 1 to ${UNITS_MAX} units, not ${request.units}`))
    }
    if (closing) {
      const detail = 'The server is shutting down. Repeat the request; nothing was charged.'
      return Promise.reject(new Problem('shutting_down', { detail, headers: RETRY_SOON }))
    }
    if (pending >= limits.pendingMax) {
      return Promise.reject(unavailable('Too many requests wait for the ledger. Repeat the request in a moment.'))
    }
    pending++
    return new Promise<ChargeResult>((resolve, reject) => {
      const item = { request, resolve, reject, sinceMs: performance.now() }
      const lane = lanes.get(request.organisationId)
      if (lane) {
        lane.push(item)
        return
      }
      queue.push(item)
      if (!running) {
        running = true
        // After this turn of the event loop, so that requests read together are charged together.
        setImmediate(() => void runQueue())
      }
    })
  }

  async function runQueue(): Promise<void> {
    while (queue.length > 0) await settle(inTime(queue.splice(0, limits.batchMax)), false)
    running = false
  }

  /** Answers those who have waited too long already, and returns the others. */
  function inTime(items: Item[]): Item[] {
    const oldestMs = performance.now() - limits.waitMsMax
    return items.filter((item) => {
      if (item.sinceMs >= oldestMs) return true
      finish({ item, error: unavailable('The ledger is too busy. Repeat the request; nothing was charged.') })
      return false
    })
  }

  function finish(outcome: Outcome): void {
    if ('locked' in outcome) {
      joinLane(outcome.item)
      return
    }
    pending--
    if ('error' in outcome) outcome.item.reject(outcome.error)
    else outcome.item.resolve(outcome.result)
    if (pending === 0) idle()
  }

  /** Charges all items, answers every one of them, never throws. */
  async function settle(items: Item[], inLane: boolean): Promise<void> {
    if (items.length === 0) return
    try {
      const { outcomes } = await commit(items, inLane)
      for (const outcome of outcomes) finish(outcome)
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        const problem = unavailable('The ledger cannot be written now; nothing was charged. Repeat the request.', error)
        for (const item of items) finish({ item, error: problem })
      } else if (items.length === 1) {
        for (const item of items) finish({ item, error })
      } else {
        // One of them makes the database refuse the batch: find it, so that it fails alone.
        const half = items.length >> 1
        await settle(items.slice(0, half), inLane)
        await settle(items.slice(half), inLane)
      }
    }
  }

  async function commit(items: Item[], inLane: boolean): Promise<Draft> {
    for (let attempt = 1; ; attempt++) {
      let draft: Draft | undefined
      try {
        return await sql.transaction(
          async (tx) => {
            draft = await write(tx, items, inLane)
            return draft
          },
          inLane ? { lockTimeoutMs: limits.lockTimeoutMs } : undefined,
        )
      } catch (error) {
        if (error instanceof CommitUnknown && draft) {
          if (await lookUpSoon(draft)) return draft
        } else if (error instanceof UniqueViolation && items.length === 1 && attempt === 1) {
          // Another writer stored an answer under this key a moment ago: the second try finds it.
          continue
        }
        throw error
      }
    }
  }

  async function write(tx: SqlTransaction, items: Item[], inLane: boolean): Promise<Draft> {
    const nowMs = clock.now()
    const ids = [...new Set(items.map((item) => item.request.organisationId))].sort()
    const wanted: { organisationId: string; key: string }[] = []
    for (const { request } of items) {
      if (request.idempotency) wanted.push({ organisationId: request.organisationId, key: request.idempotency.key })
    }
    // Sent together; the statements run in this order, so the two reads see what the locks waited for.
    const [accounts, states, stored] = await Promise.all([
      lockAccounts(tx, ids, { skipLocked: !inLane }),
      readStates(tx, ids),
      findStoredResponses(tx, wanted, nowMs),
    ])
    const outcomes: Outcome[] = []
    const entries: Entry[] = []
    const responses: StoredResponse[] = []
    const changed = new Set<string>()

    function chargeOne(item: Item): Outcome {
      const { request } = item
      const { organisationId, idempotency } = request
      const state = states.get(organisationId)
      if (state === 'disabled') {
        return { item, error: new Problem('account_disabled', { detail: 'The operator has disabled this account.' }) }
      }
      const locked = accounts.get(organisationId)
      if (state === 'active' && !locked && !inLane) return { item, locked: true }
      if (state !== 'active' || !locked) {
        return { item, error: new Problem('account_inactive', { detail: 'The account has no active subscription.' }) }
      }
      const name = idempotency && storedResponseName(organisationId, idempotency.key)
      const answered = name === undefined ? undefined : stored.get(name)
      if (answered) {
        if (answered.requestHash === idempotency?.requestHash) {
          return { item, result: { body: answered.body, billing: undefined, replayed: true }, entry: undefined }
        }
        const detail = 'The Idempotency-Key was used for another request within 24 hours. Use a new key.'
        return { item, error: new Problem('idempotency_key_reused', { detail }) }
      }
      const account = bringToNow(locked)
      const priced = price(planOf(plans, account), account, request.family, request.units)
      if (priced.refused) {
        const detail = `The request costs ${priced.totalPence} pence and ${priced.creditPence} are left. Top up, or choose a plan with overage.`
        return { item, error: new Problem('credit_exhausted', { detail }) }
      }
      const { billing } = priced
      const body = request.render(billing)
      const posted = post(
        account,
        {
          id: newEntryId(),
          kind: 'charge',
          family: request.family,
          units: request.units,
          freeUnits: priced.freeUnits,
          unitPricePence: billing.unit_price_pence,
          includedDeltaPence: 0 - priced.fromIncludedPence,
          prepaidDeltaPence: 0 - priced.fromPrepaidPence,
          overageDeltaPence: billing.overage_pence,
          credentialId: request.credentialId,
          requestId: request.requestId,
        },
        nowMs,
      )
      if (idempotency && name !== undefined) {
        const response = {
          organisationId,
          key: idempotency.key,
          requestHash: idempotency.requestHash,
          status: 200,
          body,
          createdAtMs: nowMs,
        }
        responses.push(response)
        stored.set(name, response)
      }
      accounts.set(organisationId, posted.account)
      changed.add(organisationId)
      entries.push(posted.entry)
      return { item, result: { body, billing, replayed: false }, entry: posted.entry }
    }

    const broughtToNow = new Set<string>()
    function bringToNow(account: Account): Account {
      if (broughtToNow.has(account.organisationId)) return account
      broughtToNow.add(account.organisationId)
      const rolled = rollPeriod(account, planOf(plans, account), nowMs, newEntryId)
      if (rolled.account === account) return account
      accounts.set(account.organisationId, rolled.account)
      changed.add(account.organisationId)
      entries.push(...rolled.entries)
      return rolled.account
    }

    for (const item of items) {
      try {
        outcomes.push(chargeOne(item))
      } catch (error) {
        outcomes.push({ item, error })
      }
    }
    await Promise.all([
      writeEntries(tx, entries),
      writeAccounts(
        tx,
        [...changed].map((id) => accounts.get(id)).filter((account) => account !== undefined),
      ),
      insertStoredResponses(tx, responses),
    ])
    return { outcomes, entries }
  }

  function joinLane(item: Item): void {
    const { organisationId } = item.request
    const lane = lanes.get(organisationId)
    if (lane) {
      lane.push(item)
      return
    }
    lanes.set(organisationId, [item])
    lanesWaiting.push(organisationId)
    startLanes()
  }

  function startLanes(): void {
    while (lanesRunning < limits.lanesMax) {
      const organisationId = lanesWaiting.shift()
      if (organisationId === undefined) return
      lanesRunning++
      void runLane(organisationId)
    }
  }

  async function runLane(organisationId: string): Promise<void> {
    const lane = lanes.get(organisationId) ?? []
    while (lane.length > 0) await settle(inTime(lane.splice(0, limits.batchMax)), true)
    lanes.delete(organisationId)
    lanesRunning--
    startLanes()
  }

  /** Whether a draft was committed; waits for a commit still going on, because that holds the account's lock. */
  function lookUp(draft: Draft): Promise<boolean> {
    const first = draft.entries[0]
    // Without an entry nothing was at stake: refusals and replays hold either way.
    if (!first) return Promise.resolve(true)
    return sql.transaction(
      async (tx) => {
        await lockAccounts(tx, [first.organisationId], { skipLocked: false })
        const rows = await tx.query<{ id: string }>(
          'select id from ledger_entry where organisation_id = $1 and seq = $2',
          [first.organisationId, first.seq],
        )
        return rows[0]?.id === first.id
      },
      { lockTimeoutMs: limits.lockTimeoutMs },
    )
  }

  async function lookUpSoon(draft: Draft): Promise<boolean> {
    for (let lookups = 1; lookups <= limits.lookupsMax; lookups++) {
      try {
        return await lookUp(draft)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        await delay(limits.lookupPauseMs)
      }
    }
    // Bounded: beyond this many the operator's log and `ledger verify` remain, and the balance is still consistent.
    if (unsettled.length < UNSETTLED_MAX) unsettled.push(draft)
    if (!settling) {
      settling = true
      void settleLater()
    }
    return false
  }

  /** Refunds what was charged to callers who were told 503, once the store can be asked again. */
  async function settleLater(): Promise<void> {
    for (let draft = unsettled[0]; draft && !closing; draft = unsettled[0]) {
      try {
        if (await lookUp(draft)) await refund(draft)
        unsettled.shift()
      } catch {
        await delay(limits.lookupPauseMs, undefined, { ref: false })
      }
    }
    settling = false
  }

  async function refund(draft: Draft): Promise<void> {
    const owed: Entry[] = []
    for (const outcome of draft.outcomes) {
      // Under an idempotency key the answer is kept: the retry gets what was paid for.
      if ('result' in outcome && outcome.entry && !outcome.item.request.idempotency) owed.push(outcome.entry)
    }
    for (const charged of owed) {
      await sql.transaction(async (tx) => {
        const reference = `refund ${charged.id}`
        const account = (await lockAccounts(tx, [charged.organisationId], { skipLocked: false })).get(
          charged.organisationId,
        )
        const done = await tx.query('select id from ledger_entry where organisation_id = $1 and reference = $2', [
          charged.organisationId,
          reference,
        ])
        if (!account || done.length > 0) return
        const nowMs = clock.now()
        const rolled = rollPeriod(account, planOf(plans, account), nowMs, newEntryId)
        // Included credit and free units of a month that is over would have expired with it.
        const sameMonth = rolled.account.period === charged.period
        const posted = post(
          rolled.account,
          {
            id: newEntryId(),
            kind: 'refund',
            family: charged.family,
            units: charged.units,
            unitPricePence: charged.unitPricePence,
            freeUnits: sameMonth ? 0 - charged.freeUnits : 0,
            includedDeltaPence: sameMonth ? 0 - charged.includedDeltaPence : 0,
            prepaidDeltaPence: 0 - charged.prepaidDeltaPence,
            overageDeltaPence: 0 - Math.min(charged.overageDeltaPence, rolled.account.overagePence),
            credentialId: charged.credentialId,
            requestId: charged.requestId,
            reference,
            detail: 'the answer could not be delivered',
          },
          nowMs,
        )
        await Promise.all([writeEntries(tx, [...rolled.entries, posted.entry]), writeAccounts(tx, [posted.account])])
      })
    }
  }

  async function drain(): Promise<void> {
    if (pending === 0) return
    await new Promise<void>((resolve) => {
      idle = resolve
    })
  }

  return {
    charge,
    get pending() {
      return pending
    },
    close() {
      closing ??= drain()
      return closing
    },
  }
}

/** Random bytes drawn from the system a few thousand at a time: an entry's id would cost a call of its own. */
function pooledRandom(): RandomBytes {
  let pool = new Uint8Array(0)
  let used = 0
  return (size) => {
    if (used + size > pool.length) {
      pool = randomBytes(Math.max(size, 8192))
      used = 0
    }
    used += size
    return pool.subarray(used - size, used)
  }
}

async function readStates(tx: SqlTransaction, organisationIds: readonly string[]): Promise<Map<string, string>> {
  const { marks, values } = paddedList(organisationIds, 1)
  const rows = await tx.query<{ id: string; state: string }>(
    `select id, state from organisation where id in (${marks})`,
    values,
  )
  return new Map(rows.map((row) => [row.id, row.state]))
}

/**
 * The metering group commit. Charges that arrive while a batch is being made durable gather into the next one.
 * 1. A charge's promise resolves after its entry, its balance, its check on record (where checks are kept) and (under an
 *    idempotency key) its answer are durable, all in one transaction; it rejects when none of them is.
 * 2. Within a batch, accounts are locked in the order of their ids and requests are priced in order of arrival.
 * 3. A failing request does not fail the others.
 * 4. An account locked elsewhere leaves the batch and waits in its own lane, for a bounded time.
 * 5. Every queue is bounded in number and in time; beyond the limit the answer is 503 and nothing is charged.
 * 6. A commit whose answer was lost is looked up before any caller is answered. If that is impossible within five
 *    seconds of the request, the charge is recorded outside the store, the caller gets 503, and a committed charge is
 *    refunded when the store is back, even after a restart.
 * 7. No charge uses an outdated entitlement: pending changes of an account are applied first.
 * 8. A refusal is foreseen from the database alone. Memory only knows which accounts need not be asked about: those
 *    whose last charge left enough. If that is outdated, the charge refuses.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { SealingKey } from '../../db/kept-checks.ts'
import { CommitUnknown, type Sql, StoreUnavailable, UniqueViolation } from '../../db/sql.ts'
import { openAnswer, sealAnswer } from '../../db/stored-response.ts'
import { Problem } from '../../errors.ts'
import type { AnswerText, ChargeRequest } from '../../lib/charge.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Maybe } from '../../lib/maybe.ts'
import type { Seal } from '../../lib/seal.ts'
import { TwoGenerationCache } from '../../lib/two-generation-cache.ts'
import { LIMITS } from '../../limits.ts'
import { applyDueChanges, type BillingRules } from '../subscription/open-account.ts'
import { lockAccount, readEntries } from './accounts.ts'
import {
  type BatchInput,
  type Charge,
  type ChargeOutcome,
  chargeBatch,
  foreseeRefusal,
  type Paid,
} from './charge-batch.ts'
import type { UncertainCharges } from './uncertain-charges.ts'

export interface ChargeResult {
  readonly body: string
  /** True if this is the stored answer of an earlier charged request with the same key. */
  readonly replayed: boolean
  /** The billing fields, if the answer is a new one. */
  readonly billing?: string
}

export type Meter = ReturnType<typeof createMeter>

type ForeseenRequest = Omit<ChargeRequest, 'answer' | 'idempotency'>

export interface MeterLimits {
  readonly batchMax: number
  readonly pendingMax: number
  /** How long a request may wait before its batch begins. */
  readonly waitMsMax: number
  /** How long a lane waits for an account locked elsewhere. */
  readonly lockTimeoutMs: number
  /** How many lanes wait at the same time: each holds a connection. */
  readonly lanesMax: number
  /** How often, and at which interval, a lost commit is looked up before the callers are answered. */
  readonly lookupsMax: number
  readonly lookupPauseMs: number
  /** How long after its arrival a request whose commit was lost is answered at the latest. */
  readonly answerMsMax: number
}

const DEFAULT_LIMITS: MeterLimits = {
  batchMax: 256,
  pendingMax: LIMITS.queues.chargesWaitingMax,
  waitMsMax: LIMITS.queues.chargeWaitMsMax,
  lockTimeoutMs: 2000,
  lanesMax: 4,
  lookupsMax: 20,
  lookupPauseMs: 250,
  answerMsMax: 4000,
}

export interface MeterDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly rules: BillingRules
  /** Records charges that may need a refund: outside the store, which is unreachable then. */
  readonly uncertain: Pick<UncertainCharges, 'add'>
  readonly limits?: Partial<MeterLimits>
  /** Seals answers stored for retries: they contain the indicators of the request. */
  readonly seal: Seal
  /** The key that seals checks on record now. */
  readonly sealing?: () => SealingKey
  readonly onOutcome?: (outcome: Paid | 'replayed' | 'refused', units: number) => void
  /** `charged`: the batch wrote something. */
  readonly onBatch?: (requests: number, seconds: number, charged: boolean) => void
}

interface Item {
  readonly request: ChargeRequest
  readonly resolve: (result: ChargeResult) => void
  readonly reject: (error: unknown) => void
  readonly sinceMs: number
  /** The answer without its billing fields; set when its batch begins. */
  text: AnswerText
  /** Under an idempotency key: the text to store. */
  sealed: string | undefined
}

const ACCOUNTS_MAX = 50_000
const UNDIVIDED_MAX = 16
/** From one batch to the next. */
const PEAK_KEPT = 0.98

const NO_TEXT: AnswerText = { before: '', after: '' }

/** The content of one transaction before its commit: an outcome for each item. */
interface Draft {
  readonly items: readonly Item[]
  readonly outcomes: readonly ChargeOutcome[]
}

const RETRY_SOON = { 'retry-after': '1' }

function unavailable(detail: string, cause?: unknown): Problem {
  return new Problem('store_unavailable', { detail, headers: RETRY_SOON, cause })
}

function storeProblem(error: unknown): unknown {
  if (!(error instanceof StoreUnavailable)) return error
  return unavailable('The ledger cannot be written now; nothing was charged. Repeat the request.', error)
}

export function createMeter(deps: MeterDependencies) {
  const { sql, clock, rules, uncertain, seal, sealing, limits: given = {}, onOutcome, onBatch } = deps
  const limits = { ...DEFAULT_LIMITS, ...given }
  const queue: Item[] = []
  const lanes = new Map<string, Item[]>()
  const lanesWaiting: string[] = []
  /** Organisations whose pending changes are applied before their lane is charged. */
  const due = new Set<string>()
  let lanesRunning = 0
  let pending = 0
  /** Batches in progress, their charges, and whether another begins at the end of this turn of the event loop. */
  let batches = 0
  let committing = 0
  /** The recent maximum of charges in progress. */
  let peak = 0
  let starting = false
  let closing: Promise<void> | undefined
  let idle = () => {}
  const plans = JSON.stringify([...rules.plans.values()])
  /** By organisation: units that its last charge left; 0 after a refusal. */
  const unitsLeft = new TwoGenerationCache<number>(ACCOUNTS_MAX)

  function charge(request: ChargeRequest): Promise<ChargeResult> {
    if (!Number.isInteger(request.units) || request.units < 1 || request.units > LIMITS.requests.recordsMax) {
      return Promise.reject(
        new RangeError(`a charge is for 1 to ${LIMITS.requests.recordsMax} units, not ${request.units}`),
      )
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
      const item: Item = { request, resolve, reject, sinceMs: performance.now(), text: NO_TEXT, sealed: undefined }
      const lane = lanes.get(request.organisationId)
      if (lane) {
        lane.push(...withText([item]))
        return
      }
      queue.push(item)
      startSoon()
    })
  }

  /** After this turn of the event loop, so that requests read together are charged together. */
  function startSoon(): void {
    if (starting || !isWorthStarting()) return
    starting = true
    setImmediate(startBatch)
  }

  /**
   * A commit costs more than many charges, so a second batch waits until it has as many charges as are being committed, or
   * until a commit ends.
   */
  function isWorthStarting(): boolean {
    return queue.length > 0 && batches < sql.routinesAtOnce && queue.length >= Math.min(committing, limits.batchMax)
  }

  function startBatch(): void {
    starting = false
    if (!isWorthStarting()) return
    batches++
    peak = Math.max(pending, peak * PEAK_KEPT)
    // Half of the charges: while another thread commits them, this one works for the other half. A small batch is not
    // divided, nor one that this thread itself prices and sends.
    const half = sql.routinesAtOnce > 1 ? Math.max(UNDIVIDED_MAX, Math.ceil(peak / 2)) : limits.batchMax
    const items = withText(inTime(queue.splice(0, Math.min(limits.batchMax, half))))
    committing += items.length
    startSoon()
    void settle(items, false).then((answer) => {
      batches--
      committing -= items.length
      const others = queue.length > 0
      startBatch()
      // Writing answers takes time: start the next batch's disk write first.
      if (others) setImmediate(answer)
      else answer()
    })
  }

  /** Answers requests that have waited too long, and returns the others. */
  function inTime(items: Item[]): Item[] {
    const oldestMs = performance.now() - limits.waitMsMax
    return items.filter((item) => {
      if (item.sinceMs >= oldestMs) return true
      fail(item, unavailable('The ledger is too busy. Repeat the request; nothing was charged.'))
      return false
    })
  }

  /**
   * Builds the answers of a batch one after the other, which costs a fraction of building them between other work.
   * Returns the items that have an answer.
   */
  function withText(batch: Item[]): Item[] {
    return batch.filter((item) => {
      try {
        const { organisationId, idempotency, answer } = item.request
        item.text = answer()
        if (idempotency) {
          const { key, requestHash } = idempotency
          item.sealed = sealAnswer(seal, { organisationId, key }, { requestHash, ...item.text })
        }
        return true
      } catch (error) {
        fail(item, error)
        return false
      }
    })
  }

  function done(): void {
    if (--pending === 0) idle()
  }

  function fail(item: Item, error: unknown): void {
    item.reject(error)
    done()
  }

  function finish(item: Item, outcome: ChargeOutcome): void {
    switch (outcome.is) {
      case 'due':
        due.add(item.request.organisationId)
        joinLane(item)
        return
      case 'locked':
        joinLane(item)
        return
      case 'charged': {
        const { before, after } = item.text
        item.resolve({ body: `${before}${outcome.billing}${after}`, replayed: false, billing: outcome.billing })
        unitsLeft.set(item.request.organisationId, outcome.unitsLeft)
        onOutcome?.(outcome.paid, item.request.units)
        break
      }
      case 'kept':
        void repeat(item, outcome).then(done)
        return
      case 'refused':
        unitsLeft.set(item.request.organisationId, 0)
        item.reject(refusal(outcome, item.request.units))
        break
      case 'failed':
        item.reject(new Error(outcome.message))
        break
    }
    done()
  }

  /** Answers with the stored answer of the key, if the request is the same. Never throws. */
  async function repeat({ request, resolve, reject }: Item, row: ChargeOutcome & { is: 'kept' }): Promise<void> {
    const { organisationId, idempotency, units } = request
    try {
      const kept = await openAnswer(seal, { organisationId, key: idempotency?.key ?? '', ...row })
      if (kept.requestHash === idempotency?.requestHash) {
        resolve({ body: kept.body, replayed: true })
        onOutcome?.('replayed', units)
        return
      }
      const detail = 'The Idempotency-Key was used for another request within 24 hours. Use a new key.'
      reject(new Problem('idempotency_key_reused', { detail }))
      onOutcome?.('refused', units)
    } catch (error) {
      reject(error)
    }
  }

  function refusal({ code, detail }: ChargeOutcome & { is: 'refused' }, units: number): Problem {
    onOutcome?.('refused', units)
    return new Problem(code, { detail })
  }

  /** Charges all items; the returned function answers every one of them. Never throws. */
  async function settle(items: Item[], inLane: boolean): Promise<() => void> {
    if (items.length === 0) return () => {}
    try {
      const outcomes = await commit(items, inLane)
      return () => {
        for (let i = 0; i < items.length; i++) finish(items[i]!, outcomes[i]!)
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        return () => {
          for (const item of items) fail(item, storeProblem(error))
        }
      }
      const [only, ...others] = items
      if (only && others.length === 0) return () => fail(only, error)
      // One item makes the database refuse the batch: split to find it, so that the others succeed.
      const half = items.length >> 1
      const first = await settle(items.slice(0, half), inLane)
      const second = await settle(items.slice(half), inLane)
      return () => {
        first()
        second()
      }
    }
  }

  async function commit(items: readonly Item[], inLane: boolean): Promise<readonly ChargeOutcome[]> {
    const options = inLane ? { lockTimeoutMs: limits.lockTimeoutMs } : undefined
    for (let attempt = 1; ; attempt++) {
      try {
        const sinceMs = performance.now()
        const outcomes = await sql.run(chargeBatch, batchOf(items, inLane), options)
        const charged = outcomes.some(({ is }) => is === 'charged')
        onBatch?.(items.length, (performance.now() - sinceMs) / 1000, charged)
        return outcomes
      } catch (error) {
        if (error instanceof CommitUnknown) {
          const outcomes = error.output as ChargeOutcome[]
          if (await lookUpSoon({ items, outcomes })) return outcomes
        } else if (error instanceof UniqueViolation && items.length === 1 && attempt === 1) {
          // Another writer has just stored an answer under this key: the second try finds it.
          continue
        }
        throw error
      }
    }
  }

  function batchOf(items: readonly Item[], inLane: boolean): BatchInput {
    let keeps = false
    const charges = items.map(({ request, text, sealed }): Charge => {
      const { organisationId, family, units, credentialId, requestId, idempotency } = request
      const charge = { organisationId, family, units, credentialId, requestId, record: text.keep?.row }
      if (text.keep) keeps = true
      return idempotency && sealed !== undefined ? { ...charge, keep: { key: idempotency.key, sealed } } : charge
    })
    const kept = keeps ? { texts: items.map(({ text }) => text.keep?.text), sealing: sealing?.() } : {}
    return { charges, plans, nowMs: clock.now(), waitForLocks: inLane, ...kept }
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
    while (lane.length > 0) {
      const items = inTime(lane.splice(0, limits.batchMax))
      const answer = await bringToNow(organisationId).then(
        () => settle(items, true),
        (error: unknown) => () => {
          for (const item of items) fail(item, storeProblem(error))
        },
      )
      answer()
    }
    lanes.delete(organisationId)
    lanesRunning--
    startLanes()
  }

  async function bringToNow(organisationId: string): Promise<void> {
    if (!due.delete(organisationId)) return
    await applyDueChanges({ ...rules, sql, clock }, organisationId)
  }

  /** Returns true if a draft was committed; waits for a commit in progress, because that holds the account's lock. */
  function lookUp(draft: Draft): Promise<boolean> {
    const [first] = chargedOf(draft)
    // Without a charge there is nothing to look up: refusals and replays are valid either way.
    if (!first) return Promise.resolve(true)
    const { organisationId, seq, requestId } = first
    return sql.transaction(
      async (tx) => {
        await lockAccount(tx, organisationId)
        const [entry] = await readEntries(tx, { organisationId, afterSeq: seq - 1, limit: 1 })
        return entry?.seq === seq && entry.requestId === requestId
      },
      { lockTimeoutMs: limits.lockTimeoutMs },
    )
  }

  async function lookUpSoon(draft: Draft): Promise<boolean> {
    const oldestMs = Math.min(...draft.items.map(({ sinceMs }) => sinceMs))
    // Requests that had waited long before their commit get one look-up too.
    const leftMs = Math.max(limits.lookupPauseMs, oldestMs + limits.answerMsMax - performance.now())
    const late = delay(leftMs, undefined, { ref: false })
    for (let lookups = 1; lookups <= limits.lookupsMax; lookups++) {
      const found = await Promise.race([late, lookUp(draft).catch(notReached)])
      if (found === undefined) break
      if (found !== 'not reached') return found
      await delay(limits.lookupPauseMs)
    }
    // Under an idempotency key the answer is stored: the retry gets the paid answer.
    uncertain.add(chargedOf(draft).filter(({ kept }) => !kept))
    return false
  }

  async function foreseeInStore(request: ForeseenRequest) {
    try {
      const outcome = await foreseeRefusal({ sql, plans, nowMs: clock.now() }, request)
      return outcome && refusal(outcome, request.units)
    } catch (error) {
      throw storeProblem(error)
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
    /**
     * Why a charge would be refused now, to avoid useless work; undefined if it would not be, or if only the charge
     * itself can decide. Synchronous while the last charge left enough; otherwise the database decides.
     */
    foresee(request: ForeseenRequest): Maybe<Problem | undefined> {
      const left = unitsLeft.get(request.organisationId)
      return left !== undefined && left >= request.units ? undefined : foreseeInStore(request)
    },
    get pending() {
      return pending
    },
    /** Refuses new charges and resolves when those in progress are answered. */
    close() {
      closing ??= drain()
      return closing
    },
  }
}

function notReached(error: unknown): 'not reached' {
  if (error instanceof StoreUnavailable) return 'not reached'
  throw error
}

/** The charges of a draft: organisation, entry number, and whether the answer is stored for a retry. */
function chargedOf({ items, outcomes }: Draft) {
  return outcomes.flatMap((outcome, i) => {
    const request = items[i]?.request
    if (!request || outcome.is !== 'charged') return []
    const { organisationId, requestId, idempotency } = request
    return [{ organisationId, requestId, seq: outcome.seq, kept: idempotency !== undefined }]
  })
}

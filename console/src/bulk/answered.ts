import type { BillingSum } from '@assay/sdk'
import {
  type Batch,
  codeOf,
  isUnderWay,
  KEPT_MS,
  type Leg,
  type List,
  recordsOf,
  STANDINGS,
  type Standing,
  standingOf,
} from './list.ts'

/** The answers to every record of a list, built from its batches. The same arrays grow as batches arrive. */
export interface Answered {
  readonly standings: Uint8Array
  readonly scores: Uint8Array
  readonly reasonOf: Uint32Array
  readonly reasons: readonly string[]
  readonly rows: Readonly<Record<Standing, number>>
  readonly done: number
  readonly cost: Cost
  readonly legs: readonly Leg[]
  readonly batches: ReadonlyMap<string, Batch>
}

export type Cost = Pick<BillingSum, 'free_units' | 'total_price_pence' | 'overage_pence' | 'remaining_credit_pence'>

export const batchKey = ({ runId, number }: Pick<Batch, 'runId' | 'number'>) => `${runId} ${number}`

export function answeredOf(
  list: List,
  batches: readonly Batch[],
): { readonly view: Answered; add(batch: Batch): void } {
  const records = list.times.length
  const reasonNumbers = new Map([['', 0]])
  const view = {
    standings: new Uint8Array(records),
    scores: new Uint8Array(records),
    reasonOf: new Uint32Array(records),
    reasons: [''],
    rows: Object.fromEntries(STANDINGS.map((name) => [name, 0])) as Record<Standing, number>,
    done: 0,
    cost: {
      free_units: 0,
      total_price_pence: 0,
      overage_pence: 0,
      remaining_credit_pence: undefined as number | undefined,
    },
    legs: list.legs,
    batches: new Map<string, Batch>(),
  }
  for (const times of list.times) view.rows.waiting += times
  /** The leg that `remaining_credit_pence` belongs to. */
  let latestLeg = -1

  const reasonNumber = (reason: string) => {
    const known = reasonNumbers.get(reason)
    if (known !== undefined) return known
    const number = view.reasons.push(reason) - 1
    reasonNumbers.set(reason, number)
    return number
  }
  const settle = (record: number, standing: Standing, score: number, reason: number) => {
    view.standings[record] = codeOf(standing)
    view.scores[record] = score
    view.reasonOf[record] = reason
    view.rows.waiting -= list.times[record] ?? 0
    view.rows[standing] += list.times[record] ?? 0
    view.done++
  }
  const add = (batch: Batch) => {
    const before = view.batches.get(batchKey(batch))
    view.batches.set(batchKey(batch), batch)
    const leg = list.legs.find(({ runId }) => runId === batch.runId)
    if (!leg || before?.answers) return
    const records = recordsOf(leg, batch.number)
    const { answers } = batch
    if (answers) {
      const reasons = answers.reasons.map(reasonNumber)
      for (const [at, record] of records.entries()) {
        const reason = reasons[answers.reasonOf[at] ?? 0] ?? 0
        settle(record, standingOf(answers.standings[at]), answers.scores[at] ?? 0, reason)
      }
      const { cost } = view
      cost.free_units += answers.billing.free_units
      cost.total_price_pence += answers.billing.total_price_pence
      cost.overage_pence += answers.billing.overage_pence
      // A top-up or a new month may be between two legs.
      const legNumber = list.legs.indexOf(leg)
      const before = legNumber > latestLeg ? undefined : cost.remaining_credit_pence
      if (legNumber >= latestLeg) cost.remaining_credit_pence = least(before, answers.billing.remaining_credit_pence)
      latestLeg = Math.max(latestLeg, legNumber)
    } else if (batch.givenUp === 'left') {
      for (const record of records) settle(record, 'left', 0, 0)
    }
  }
  for (const batch of batches) add(batch)
  return { view, add }
}

/** Concurrent batches are answered in any order: the credit after the later one is smaller. */
function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}

export interface Doubt {
  readonly records: number
  readonly sinceMs: number
  /** Batches in progress since before this time. */
  readonly beforeMs: number
}

/** Records that were in progress so long ago that the server no longer knows whether they were charged. */
export function doubtOf(batches: Iterable<Batch>, nowMs: number): Doubt | undefined {
  const beforeMs = nowMs - KEPT_MS
  const old = [...batches].filter((batch) => isUnderWay(batch) && batch.begunAtMs < beforeMs)
  if (old.length === 0) return undefined
  const records = old.reduce((sum, { size }) => sum + size, 0)
  return { records, sinceMs: Math.max(...old.map(({ begunAtMs }) => begunAtMs)), beforeMs }
}

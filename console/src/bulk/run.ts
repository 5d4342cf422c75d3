import { AssayError, KINDS, whyNothingToCheck } from '@assay/sdk'
import { asAssayError } from '../api/client.ts'
import type { OrganisationApi } from '../api/organisation.ts'
import { type DoneBatch, type Job, saveBatch } from './store.ts'

/**
 * Sends a list in batches. Each batch has an idempotency key of its own that never changes, so a batch that was
 * answered is never charged again, whoever lost the answer: the network, a reload, another tab.
 */

export const BATCH_SIZE = 1000
const SENDERS = 2
const TRIES_MAX = 3
const WAIT_MS = 500
const WAIT_MS_MAX = 30_000
const CORRECTIONS_MAX = 50

export const NOT_CHECKED = -1
export const REFUSED = -2

export type Phase = 'running' | 'paused' | 'finished'

export interface Run {
  readonly job: Job
  readonly phase: Phase
  /** One memory, a new view of it with every change, so that tables know to look again. */
  readonly scores: Int16Array
  /** 1 for private addresses and names nobody can register: a low score says nothing about them. */
  readonly reserved: Uint8Array
  readonly batchesTotal: number
  readonly batchesDone: number
  readonly recordsDone: number
  /** Batches that were given up after several tries; nothing of them was charged. */
  readonly failed: readonly { readonly index: number; readonly error: AssayError }[]
  /** What stopped the whole list: no credit left, signed out. */
  readonly stoppedBy: AssayError | undefined
  readonly pricePence: number
  readonly freeUnits: number
  readonly leftPence: number | undefined
}

export interface Runner {
  readonly subscribe: (listener: () => void) => () => void
  readonly current: () => Run
  /** Sends every batch that has no answer yet, those given up earlier included. */
  go(api: OrganisationApi): Promise<void>
  pause(): void
}

export function createRunner(job: Job, known: readonly DoneBatch[]): Runner {
  const batchesTotal = Math.ceil(job.records.length / job.batchSize)
  const scores = new Int16Array(job.records.length).fill(NOT_CHECKED)
  const reserved = Uint8Array.from(job.records, (record) => (whyNothingToCheck(job.kind, record) === undefined ? 0 : 1))
  const done = new Map<number, DoneBatch>()
  const failed = new Map<number, AssayError>()
  const listeners = new Set<() => void>()
  let phase: Phase = 'paused'
  let stoppedBy: AssayError | undefined
  let latestLeft: number | undefined
  let stop = new AbortController()

  function take(batch: DoneBatch): void {
    done.set(batch.index, batch)
    scores.set(batch.scores, batch.index * job.batchSize)
    latestLeft = latestLeft === undefined ? batch.leftPence : Math.min(latestLeft, batch.leftPence)
  }
  for (const batch of known) take(batch)
  if (done.size === batchesTotal) phase = 'finished'

  function look(): Run {
    let recordsDone = 0
    let pricePence = 0
    let freeUnits = 0
    for (const batch of done.values()) {
      recordsDone += batch.scores.length
      pricePence += batch.pricePence
      freeUnits += batch.freeUnits
    }
    return {
      job,
      phase,
      scores: scores.subarray(),
      reserved,
      batchesTotal,
      batchesDone: done.size,
      recordsDone,
      failed: [...failed].map(([index, error]) => ({ index, error })),
      stoppedBy,
      pricePence,
      freeUnits,
      leftPence: latestLeft,
    }
  }
  let seen = look()
  const tell = () => {
    seen = look()
    for (const listener of listeners) listener()
  }

  async function send(api: OrganisationApi, index: number, signal: AbortSignal): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const batch = await checkBatch(api, job, index, signal)
        await saveBatch(batch)
        take(batch)
        failed.delete(index)
        return
      } catch (thrown) {
        if (signal.aborted) return
        const error = asAssayError(thrown)
        if (stopsAll(error)) {
          stoppedBy = error
          stop.abort()
          return
        }
        if (!mayPass(error) || tries === TRIES_MAX) {
          failed.set(index, error)
          return
        }
        const wantedMs = (error.retryAfterMs ?? 0) || WAIT_MS * 2 ** (tries - 1)
        await rest(Math.min(wantedMs, WAIT_MS_MAX), signal)
      }
    }
  }

  return {
    current: () => seen,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async go(api) {
      if (phase === 'running') return
      stop = new AbortController()
      const { signal } = stop
      phase = 'running'
      stoppedBy = undefined
      failed.clear()
      tell()
      const waiting = Array.from({ length: batchesTotal }, (_, index) => index).filter((index) => !done.has(index))
      const work = async () => {
        for (let index = waiting.shift(); index !== undefined && !signal.aborted; index = waiting.shift()) {
          await send(api, index, signal)
          tell()
        }
      }
      await Promise.all(Array.from({ length: SENDERS }, work))
      phase = done.size === batchesTotal ? 'finished' : 'paused'
      tell()
    },
    pause: () => stop.abort(),
  }
}

/** Nothing that is sent after these would fare better. */
function stopsAll({ status }: AssayError): boolean {
  return status === 401 || status === 402 || status === 403
}

function mayPass({ status, code }: AssayError): boolean {
  return status === undefined || status === 429 || status >= 500 || code === 'request_in_flight'
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** One batch; records the server finds invalid are left out, and the rest is sent again. */
async function checkBatch(api: OrganisationApi, job: Job, index: number, signal: AbortSignal): Promise<DoneBatch> {
  const { family, plural } = KINDS[job.kind]
  const start = index * job.batchSize
  const all = job.records.slice(start, start + job.batchSize)
  const scores = new Int16Array(all.length).fill(NOT_CHECKED)
  let places = all.map((_, place) => place)
  for (let corrections = 0; ; corrections++) {
    if (places.length === 0) return { jobId: job.id, index, scores, pricePence: 0, freeUnits: 0, leftPence: Infinity }
    try {
      const answer = await api.call(`POST /v1/${family}/bulk`, {
        body: { [plural]: places.map((place) => all[place]) } as never,
        idempotencyKey: `${job.id}-${index}${corrections === 0 ? '' : `-${corrections}`}`,
        signal,
      })
      for (const [at, place] of places.entries()) scores[place] = answer.results[at]?.risk_score ?? NOT_CHECKED
      return {
        jobId: job.id,
        index,
        scores,
        pricePence: answer.total_price_pence,
        freeUnits: answer.is_free ? answer.billable_units : 0,
        leftPence: answer.remaining_credit_pence,
      }
    } catch (error) {
      const bad = error instanceof AssayError && error.status === 422 ? badPlaces(error) : []
      if (bad.length === 0 || corrections === CORRECTIONS_MAX) throw error
      const refused = new Set(bad)
      for (const at of refused) {
        const place = places[at]
        if (place !== undefined) scores[place] = REFUSED
      }
      places = places.filter((_, at) => !refused.has(at))
    }
  }
}

function badPlaces(error: AssayError): number[] {
  return error.errors.flatMap(({ pointer }) => {
    const at = /^\/\w+\/(\d+)$/.exec(pointer)?.[1]
    return at === undefined ? [] : [Number(at)]
  })
}

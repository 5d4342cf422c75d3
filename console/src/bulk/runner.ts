import type { AssayError, CheckRun } from '@assay/sdk'
import { createListeners } from '../api/session.ts'
import { journalOf, type Sender } from './journal.ts'
import {
  type Answered,
  answeredOf,
  type Batch,
  type Doubt,
  doubtOf,
  isUnderWay,
  type Leg,
  type List,
  sizeOf,
} from './list.ts'
import { alone, isHeld, tellTabs, whenFree } from './other-tabs.ts'
import { asProblem, closeLegs, giveUpBatches, type KeptList, readList, readRows } from './store.ts'

/** Small, so that answers come early and a lost request is soon retried. */
export const BATCH_SIZE = 1000
const CONCURRENCY = 2
/** Nobody waits for a single answer: keep retrying while the service is busy or unavailable. */
const PATIENCE = { retriesMax: 8, retryAfterMsMax: 120_000 }

/** `elsewhere`: another tab sends it. `stopped`: paused by a person, an error or the price of the remaining records. */
export type Phase = 'running' | 'elsewhere' | 'stopped' | 'finished'

export interface Run {
  readonly list: List
  readonly phase: Phase
  /** The same data in a new object after every change, so that tables notice it. */
  readonly answered: Answered
  readonly retrying: boolean
  readonly problem: AssayError | undefined
  readonly doubt: Doubt | undefined
  /** Records that were sent and have no answer yet, also after a stop. */
  readonly underWay: number
  /** Records that will still be sent for the agreed price. For a stopped list, only those in progress. */
  readonly agreed: Agreed
  /** The other records without an answer: they need a new price. */
  readonly rest: number
}

type Agreed = { readonly records: number; readonly free: number; readonly pence: number }

export class Runner {
  readonly id: string
  readonly #owner: string
  readonly #listeners = createListeners()
  #list: List
  #answered: ReturnType<typeof answeredOf>
  #running = false
  #elsewhere = false
  #retrying = false
  #problem: AssayError | undefined
  #stop = new AbortController()
  #reading: Promise<void> | undefined
  #unread = false
  #seen: Run

  constructor({ list, batches }: KeptList) {
    this.id = list.id
    this.#owner = list.owner
    this.#list = list
    this.#answered = answeredOf(list, batches)
    this.#seen = this.#look()
  }

  readonly current = (): Run => this.#seen

  readonly subscribe = this.#listeners.subscribe

  /** Sends the records just agreed to. Only a click of a person spends money: an opened page sends nothing. */
  go(sender: Sender): Promise<void> {
    return this.#run(() => this.#sendLegs(sender))
  }

  /** Asks for the answers to records sent before. Free units and prices may have changed since: nothing new is sent. */
  goOn(sender: Sender): Promise<void> {
    return this.#run(async () => {
      await closeLegs(this.id, { idle: true })
      const kept = await readList(this.id)
      if (kept) this.#show(kept)
      await this.#sendLegs(sender)
    })
  }

  async #run(send: () => Promise<void>): Promise<void> {
    this.#tell()
    if (this.#running || this.#seen.doubt) return
    this.#stop = new AbortController()
    this.#running = true
    this.#problem = undefined
    this.#tell()
    try {
      await alone(this.id, async () => {
        try {
          await send()
        } finally {
          // Records that were not sent need a new price. If this fails, `goOn` and the next legs do it.
          await closeLegs(this.id, { idle: true }).catch(() => {})
        }
      })
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#problem = asProblem(error)
    }
    this.#running = false
    this.#retrying = false
    await this.refresh()
    this.#tellTabs()
  }

  pause(): void {
    if (this.#running) this.#stop.abort()
    else if (this.#elsewhere) tellTabs({ owner: this.#owner, id: this.id, what: 'pause' })
  }

  /** Decides about records that were in progress too long ago. */
  async decide({ beforeMs }: Doubt, choice: 'left' | 'again'): Promise<void> {
    await giveUpBatches(this.id, beforeMs, choice)
    await closeLegs(this.id, { idle: true })
    await this.refresh()
    this.#tellTabs()
  }

  /** Another tab may announce changes faster than they can be read: those that arrive meanwhile are read together. */
  refresh(): Promise<void> {
    this.#unread = true
    this.#reading ??= (async () => {
      try {
        while (this.#unread) {
          this.#unread = false
          await this.#read()
        }
      } catch (error) {
        this.#problem ??= asProblem(error)
      }
      this.#reading = undefined
      this.#tell()
    })()
    return this.#reading
  }

  async #read(): Promise<void> {
    const kept = await readList(this.id)
    const isHeldElsewhere = await isHeld(this.id)
    if (!kept || this.#running) return
    this.#show(kept)
    if (isHeldElsewhere && !this.#elsewhere) void whenFree(this.id).then(() => this.refresh())
    this.#elsewhere = isHeldElsewhere
  }

  #show({ list, batches }: KeptList): void {
    this.#list = list
    this.#answered = answeredOf(list, batches)
  }

  async #sendLegs(sender: Sender): Promise<void> {
    const list = this.#list
    for (const leg of list.legs) {
      if (leg.closed) continue
      let retries = 0
      const run = sender.api.checks(leg.kind ?? list.kind).checkMany(valuesOf(list.id, leg), {
        journal: journalOf(list, leg, sender, (batch) => this.#take(batch)),
        explain: true,
        batchSize: leg.batchSize,
        concurrency: CONCURRENCY,
        retrying: PATIENCE,
        signal: this.#stop.signal,
        onProgress: (progress) => {
          if (progress.retries === retries) return
          retries = progress.retries
          this.#retrying = true
          this.#tell()
        },
      })
      await drain(run)
      await closeLegs(list.id, { idle: false })
    }
  }

  #take(batch: Batch): void {
    this.#answered.add(batch)
    if (batch.answers) this.#retrying = false
    this.#tell()
    if (batch.answers) this.#tellTabs()
  }

  #look(): Run {
    const list = this.#list
    const answered = { ...this.#answered.view }
    const left = list.times.length - answered.done
    const phase = this.#running ? 'running' : this.#elsewhere ? 'elsewhere' : left === 0 ? 'finished' : 'stopped'
    const underWay = [...answered.batches.values()].filter(isUnderWay)
    const agreed = agreedIn(list.legs, (leg) =>
      phase === 'stopped'
        ? sum(underWay.filter(({ runId }) => runId === leg.runId))
        : waitingIn(leg.ranges, answered.standings),
    )
    return {
      list,
      phase,
      answered,
      retrying: this.#retrying,
      problem: this.#problem,
      doubt: this.#running ? undefined : doubtOf(answered.batches.values(), Date.now()),
      underWay: sum(underWay),
      agreed,
      rest: left - agreed.records,
    }
  }

  #tell(): void {
    this.#seen = this.#look()
    this.#listeners.tell()
  }

  #tellTabs(): void {
    tellTabs({ owner: this.#owner, id: this.id, what: 'changed' })
  }
}

async function drain(run: CheckRun): Promise<void> {
  const records = run[Symbol.asyncIterator]()
  for (let next = await records.next(); !next.done; next = await records.next());
}

const sum = (batches: readonly Batch[]) => batches.reduce((records, { size }) => records + size, 0)

function waitingIn(ranges: Leg['ranges'], standings: Uint8Array): number {
  let waiting = 0
  for (const [from, to] of ranges) for (const state of standings.subarray(from, to)) if (state === 0) waiting++
  return waiting
}

function agreedIn(legs: readonly Leg[], countOf: (leg: Leg) => number): Agreed {
  let records = 0
  let free = 0
  let pence = 0
  for (const leg of legs) {
    if (leg.closed) continue
    const waiting = countOf(leg)
    records += waiting
    if (leg.unitPricePence === 0) free += waiting
    pence += waiting * leg.unitPricePence
  }
  return { records, free, pence }
}

async function* valuesOf(listId: string, { ranges }: Leg): AsyncGenerator<string, void, undefined> {
  let left = sizeOf(ranges)
  for await (const { firstRecord, values } of readRows(listId)) {
    for (const [from, to] of ranges) {
      const own = values.slice(Math.max(0, from - firstRecord), Math.max(0, to - firstRecord))
      left -= own.length
      yield* own
    }
    if (left === 0) return
  }
}

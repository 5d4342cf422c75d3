import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { problemFrom } from '../errors.ts'
import { systemClock } from '../lib/clock.ts'
import { FairQueue } from '../lib/fair-shares.ts'
import type { Kind } from '../lib/kinds.ts'
import { LIMITS } from '../limits.ts'
import type { OpenSnapshot } from '../snapshot/read.ts'
import { EngineBusy, EngineUnavailable, type List, type ListOptions, type RiskEngine } from './engine.ts'
import { isShort, joinOutcomes, type ListOutcome, type ListStep, listBy, readFactTexts, workOnList } from './list.ts'
import { createLocalEngine, type LocalEngineOptions, requireSnapshot, type SnapshotSource } from './local.ts'
import { bufferOf, OwnIndex } from './own/own-index.ts'
import { bytesOf, ParsedLists, SharedBodies, type SharedBody } from './parsed-lists.ts'
import { createScorer, type Scorer } from './score.ts'
import type { Forget, SliceAnswer, SliceRequest, ThreadData } from './worker-thread.ts'

/**
 * Processes lists on threads that share the memory of the snapshot and the body, which this thread does not even parse;
 * short lists run in this thread.
 * 1. One call is answered from one snapshot, the one current at its arrival, even if it is replaced in between.
 * 2. Organisations take turns, slice by slice. At most `slicesMax` slices are queued, and at most a share of them for
 *    one organisation; a call that would exceed either is refused as busy. A list that was already read for an API node
 *    is admitted again: the connections of the node limit their number.
 * 3. A slice whose thread dies is processed in this thread; a dead thread is replaced, until `crashesMax` in a row have
 *    died without an answer: from then on this thread does the work, as it does without threads.
 * 4. Work in this thread is done a few records at a time, one slice after the other, so that requests are answered in
 *    between.
 */

export interface WorkerEngineOptions extends LocalEngineOptions {
  readonly snapshots: SnapshotSource<OpenSnapshot>
  readonly threads: number
  readonly sliceLength?: number
  readonly slicesMax?: number
  /** The limit of slices per organisation; default a quarter. */
  readonly shareMax?: number
  readonly crashesMax?: number
  /** Called with the reason when a thread died. */
  readonly onCrash?: (error: unknown) => void
  /** The thread's program; tests of crashes use another one. */
  readonly program?: URL
}

/** With the facts of the whole list. */
type SliceWork = Omit<SliceRequest, 'id' | 'shared'>

interface Slice {
  readonly id: number
  /** Undefined for the task `read`. */
  readonly snapshot: OpenSnapshot | undefined
  readonly work: SliceWork
  readonly resolve: (outcome: ListOutcome) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  has: OpenSnapshot | undefined
  busy: Slice | undefined
}

/** An index of what an organisation knows, in shared memory while lists use it. */
interface SharedOwn {
  readonly body: SharedBody
  lists: number
}

/** Few enough that even the slowest to parse take a few milliseconds. */
const RECORDS_PER_TURN = 25
const TRY_THREADS_AGAIN_MS = 60_000
/** Smaller batches are not sent to another thread. */
const BULK_RECORDS_MIN = 200

export function createWorkerEngine(options: WorkerEngineOptions): RiskEngine {
  const { listPartsMin, listPartsPerThread } = LIMITS.queues
  const { slicesMax = Math.max(listPartsMin, listPartsPerThread * options.threads) } = options
  const { sliceLength = 500, crashesMax = 5 } = options
  const { shareMax = Math.ceil(slicesMax / 4), program = new URL('./worker-thread.ts', import.meta.url) } = options
  const here = createLocalEngine(options)
  const threads = new Set<Thread>()
  const waiting = new FairQueue<Slice>()
  const bodies = new SharedBodies()
  const sharedOwn = new Map<OwnIndex, SharedOwn>()
  /** Slices whose thread died. */
  const rescued: Slice[] = []
  const listsHere = new ParsedLists()
  let workingHere = false
  let scorerHere: { readonly snapshot: OpenSnapshot; readonly scorer: Scorer } | undefined
  let nextId = 1
  let crashes = 0
  let lastCrashMs = 0
  let closed = false

  function start(): Thread {
    const thread: Thread = {
      worker: new Worker(program, {
        workerData: { tables: options.models.tables } satisfies ThreadData,
        // A scoring thread fills any space for new objects, and keeps its memory: 100 MB over a million records. The records
        // of a list outlive that space. Below 2 GB V8 lets the dead ones grow to as much as the live ones, otherwise to
        // three times as much: 70 MB.
        resourceLimits: { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 2000 },
      }),
      has: undefined,
      busy: undefined,
    }
    threads.add(thread)
    // Idle threads must not keep the process alive.
    thread.worker.unref()
    thread.worker.on('message', (answer: SliceAnswer) => {
      const slice = thread.busy
      if (slice?.id !== answer.id) return
      thread.busy = undefined
      thread.worker.unref()
      crashes = 0
      if ('problem' in answer) slice.reject(problemFrom(answer.problem))
      else slice.resolve(answer)
      dispatch()
    })
    // After an error comes exit, which rescues the slice.
    thread.worker.on('error', (error) => options.onCrash?.(error))
    thread.worker.on('exit', () => lost(thread))
    return thread
  }

  function lost(thread: Thread): void {
    if (!threads.delete(thread)) return
    crashes++
    lastCrashMs = performance.now()
    const slice = thread.busy
    thread.busy = undefined
    if (slice) rescued.push(slice)
    dispatch()
  }

  function dispatch(): void {
    if (closed) return
    if (crashes >= crashesMax && performance.now() - lastCrashMs > TRY_THREADS_AGAIN_MS) crashes = 0
    for (const thread of threads) if (!thread.busy) hand(thread)
    while (waiting.size > 0 && threads.size < options.threads && crashes < crashesMax) startOne()
    if (!workingHere) void workHere()
  }

  /** The machine may be unable to start another thread. */
  function startOne(): void {
    try {
      hand(start())
    } catch (error) {
      crashes++
      lastCrashMs = performance.now()
      options.onCrash?.(error)
    }
  }

  function hand(thread: Thread): void {
    const slice = waiting.shift()
    if (!slice) return
    thread.busy = slice
    const { id, work, snapshot } = slice
    const shared = snapshot && snapshot !== thread.has ? snapshot.shared : undefined
    thread.has = snapshot ?? thread.has
    thread.worker.ref()
    const request: SliceRequest = { ...work, id, shared, facts: work.facts?.slice(work.from, work.to) }
    thread.worker.postMessage(request)
  }

  async function workHere(): Promise<void> {
    workingHere = true
    for (;;) {
      const slice = rescued.shift() ?? (threads.size === 0 ? waiting.shift() : undefined)
      if (!slice) break
      try {
        slice.resolve(await workInTurns(slice))
      } catch (error) {
        slice.reject(error)
      }
    }
    workingHere = false
  }

  async function workInTurns({ snapshot, work }: Slice): Promise<ListOutcome> {
    const outcomes: ListOutcome[] = []
    const { kind, task, body, from, to, nowMs } = work
    const own = work.own && new OwnIndex(bytesOf(work.own))
    await nextTurn()
    const all = listsHere.recordsOf(kind, body).slice(from, to)
    for (let at = 0; at < all.length; at += RECORDS_PER_TURN) {
      await nextTurn()
      if (closed) throw stopped()
      const records = all.slice(at, at + RECORDS_PER_TURN)
      const facts = work.facts && readFactTexts(work.facts.slice(from + at, from + at + records.length))
      outcomes.push(workOnList({ kind, records, task, facts, nowMs, own }, () => scorerOf(snapshot)))
    }
    return joinOutcomes(outcomes, RECORDS_PER_TURN)
  }

  function scorerOf(snapshot: OpenSnapshot | undefined): Scorer {
    if (!snapshot) throw new Error('a slice is to be scored without a snapshot')
    if (scorerHere?.snapshot !== snapshot) scorerHere = { snapshot, scorer: createScorer(snapshot, options.models) }
    return scorerHere.scorer
  }

  function admit({ organisationId, records, readBefore }: ListOptions): void {
    if (readBefore) return
    const count = slicesOf(records)
    const own = waiting.lengthOf(organisationId)
    if (own + count > shareMax) throw new EngineBusy('organisation', shareMax * sliceLength)
    // An organisation with nothing queued is admitted even if others fill the queue, up to twice the limit.
    const room = own === 0 ? 2 * slicesMax : slicesMax
    if (waiting.size + count > room) throw new EngineBusy('everybody', slicesMax * sliceLength)
  }

  /** Runs one task on a whole list, in slices on threads. */
  async function workApart(
    { kind, task, body, facts, own }: Pick<SliceWork, 'kind' | 'body'> & ListStep,
    { organisationId, records }: ListOptions,
  ): Promise<ListOutcome> {
    requireOpen()
    const snapshot = task === 'read' || task === 'names' ? undefined : requireSnapshot(options.snapshots)
    const nowMs = (options.clock ?? systemClock).now()
    const shared = own && shareOwn(own)
    const outcomes: Promise<ListOutcome>[] = []
    const count = slicesOf(records)
    for (let i = 0; i < count; i++) {
      // The exact number of records is known only after parsing.
      const to = i === count - 1 ? undefined : (i + 1) * sliceLength
      const work: SliceWork = { kind, task, body, from: i * sliceLength, to, facts, nowMs, own: shared?.body }
      outcomes.push(
        new Promise((resolve, reject) => {
          waiting.push(organisationId, { id: nextId++, snapshot, work, resolve, reject })
        }),
      )
    }
    dispatch()
    // Also after a failure: the body must not be given back while a thread reads it.
    await Promise.allSettled(outcomes)
    if (shared) shared.lists--
    return joinOutcomes(await Promise.all(outcomes), sliceLength)
  }

  /** One copy of an index in shared memory for all lists that use it; the last one stays for the next list. */
  function shareOwn(own: OwnIndex): SharedOwn {
    const shared = sharedOwn.get(own) ?? { body: bodies.take(bufferOf(own)), lists: 0 }
    sharedOwn.set(own, shared)
    shared.lists++
    for (const [other, { body, lists }] of sharedOwn) {
      if (lists > 0) continue
      sharedOwn.delete(other)
      bodies.giveBack(body)
    }
    return shared
  }

  async function openApart(kind: Kind, bytes: Buffer, listOptions: ListOptions): Promise<List> {
    // A list that was read is not refused afterwards: the same share limits lists read at the same time.
    admit(listOptions)
    const body = bodies.take(bytes)
    const close = () => {
      for (const { worker } of threads) worker.postMessage({ forget: body.id } satisfies Forget)
      listsHere.forget(body.id)
      bodies.giveBack(body)
    }
    try {
      const work = (step: ListStep) => workApart({ kind, body, ...step }, listOptions)
      const { organisationId } = listOptions
      return await listBy(work, { kind, organisationId, facts: options.facts, own: options.own, close })
    } catch (error) {
      close()
      throw error
    }
  }

  const slicesOf = (records: number) => Math.max(1, Math.ceil(records / sliceLength))

  const stopped = () => new EngineUnavailable('The engine is shutting down.')
  const requireOpen = () => {
    if (closed) throw stopped()
  }

  return {
    evaluate: (kind, indicators, evaluateOptions) => {
      requireOpen()
      return here.evaluate(kind, indicators, evaluateOptions)
    },
    openList: async (kind, body, listOptions) => {
      requireOpen()
      const short = isShort(body, listOptions.records, BULK_RECORDS_MIN)
      return short ? here.openList(kind, body, listOptions) : openApart(kind, body, listOptions)
    },
    intelligence: here.intelligence,
    waiting: () => waiting.size + rescued.length,
    close: async () => {
      closed = true
      const under = [...waiting.clear(), ...rescued.splice(0)]
      const all = [...threads]
      threads.clear()
      for (const { busy } of all) if (busy) under.push(busy)
      for (const slice of under) slice.reject(stopped())
      await Promise.all(all.map(({ worker }) => worker.terminate()))
    },
  }
}

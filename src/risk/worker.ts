import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Kind } from '../lib/kinds.ts'
import type { OpenSnapshot } from '../snapshot/read.ts'
import {
  EngineUnavailable,
  type EvaluateOptions,
  type Evaluation,
  type EvaluationSet,
  type RiskEngine,
  type SignalReport,
} from './engine.ts'
import type { Indicator } from './indicator.ts'
import { createLocalEngine, intelligenceOf, type SnapshotSource } from './local.ts'
import type { Models } from './model/models.ts'
import { createScorer } from './score.ts'
import type { ScoreAnswer, ScoreRequest } from './worker-thread.ts'

/**
 * Scores bulk batches on worker threads that share the snapshot's memory, and small ones in this thread.
 *
 * 1. One call is answered from one snapshot, the one current when it came, whatever is swapped in meanwhile.
 * 2. At most `slicesMax` slices wait; a call that would exceed that is refused as busy.
 * 3. A slice whose thread dies is scored in this thread; a thread that died is replaced, until `crashesMax` in a
 *    row have died without an answer: from then on this thread does the work, in turns.
 */

export interface WorkerEngineOptions {
  readonly snapshots: SnapshotSource<OpenSnapshot>
  readonly models: Models
  readonly threads: number
  /** Batches below this many records are not worth a trip to another thread. */
  readonly bulkMin?: number
  readonly sliceLength?: number
  readonly slicesMax?: number
  readonly crashesMax?: number
  /** The thread's program; another one in tests of what happens when it dies. */
  readonly program?: URL
}

interface Slice {
  readonly id: number
  readonly snapshot: OpenSnapshot
  readonly kind: Kind
  readonly indicators: readonly Indicator[]
  readonly options: EvaluateOptions
  readonly resolve: (evaluations: readonly Evaluation[]) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  has: OpenSnapshot | undefined
  busy: Slice | undefined
}

const NO_SIGNALS: readonly SignalReport[] = []

export function createWorkerEngine(options: WorkerEngineOptions): RiskEngine {
  const bulkMin = options.bulkMin ?? 200
  const sliceLength = options.sliceLength ?? 500
  const slicesMax = options.slicesMax ?? 400
  const crashesMax = options.crashesMax ?? 5
  const program = options.program ?? new URL('./worker-thread.ts', import.meta.url)
  const here = createLocalEngine({ snapshots: options.snapshots, models: options.models })
  const threads = new Set<Thread>()
  const waiting: Slice[] = []
  let nextId = 1
  let crashes = 0
  let closed = false

  function start(): Thread {
    const thread: Thread = { worker: new Worker(program), has: undefined, busy: undefined }
    threads.add(thread)
    // Idle threads must not keep the process alive.
    thread.worker.unref()
    thread.worker.on('message', (answer: ScoreAnswer) => {
      const slice = thread.busy
      if (slice?.id !== answer.id) return
      thread.busy = undefined
      thread.worker.unref()
      crashes = 0
      slice.resolve(evaluationsOf(answer))
      dispatch()
    })
    // An error is followed by exit, where the slice is rescued.
    thread.worker.on('error', () => {})
    thread.worker.on('exit', () => lost(thread))
    return thread
  }

  function lost(thread: Thread): void {
    if (!threads.delete(thread)) return
    crashes++
    const slice = thread.busy
    thread.busy = undefined
    if (slice) void scoreHere(slice)
    dispatch()
  }

  function dispatch(): void {
    if (closed) return
    for (const thread of threads) {
      if (waiting.length === 0) return
      if (!thread.busy) hand(thread)
    }
    while (waiting.length > 0 && threads.size < options.threads && crashes < crashesMax) hand(start())
    if (threads.size === 0) for (const slice of waiting.splice(0)) void scoreHere(slice)
  }

  function hand(thread: Thread): void {
    const slice = waiting.shift()
    if (!slice) return
    thread.busy = slice
    const { id, kind, indicators } = slice
    const shared = thread.has === slice.snapshot ? undefined : slice.snapshot.shared
    thread.has = slice.snapshot
    thread.worker.ref()
    const request: ScoreRequest = { id, shared, kind, indicators, explain: slice.options.explain }
    thread.worker.postMessage(request)
  }

  async function scoreHere(slice: Slice): Promise<void> {
    try {
      // A turn of the event loop between slices, so that other requests are answered meanwhile.
      await nextTurn()
      const scorer = createScorer(slice.snapshot, options.models)
      slice.resolve(scorer.evaluate(slice.kind, slice.indicators, slice.options))
    } catch (error) {
      slice.reject(error)
    }
  }

  async function evaluateBulk(
    kind: Kind,
    indicators: readonly Indicator[],
    evaluateOptions: EvaluateOptions,
  ): Promise<EvaluationSet> {
    const snapshot = options.snapshots.current()
    if (!snapshot) throw new EngineUnavailable('No intelligence is loaded yet.', { retryAfterSeconds: 5 })
    const count = Math.ceil(indicators.length / sliceLength)
    if (waiting.length + count > slicesMax) throw new EngineUnavailable('Too many bulk checks are waiting.')
    const answers: Promise<readonly Evaluation[]>[] = []
    for (let at = 0; at < indicators.length; at += sliceLength) {
      const slice = indicators.slice(at, at + sliceLength)
      answers.push(
        new Promise((resolve, reject) => {
          waiting.push({ id: nextId++, snapshot, kind, indicators: slice, options: evaluateOptions, resolve, reject })
        }),
      )
    }
    dispatch()
    const evaluations = (await Promise.all(answers)).flat()
    return { evaluations, intelligence: intelligenceOf(snapshot) }
  }

  return {
    evaluate: async (kind, indicators, evaluateOptions) => {
      if (closed) throw new EngineUnavailable('The engine is shutting down.')
      return indicators.length < bulkMin
        ? here.evaluateNow(kind, indicators, evaluateOptions)
        : evaluateBulk(kind, indicators, evaluateOptions)
    },
    intelligence: here.intelligence,
    close: async () => {
      closed = true
      const stopped = new EngineUnavailable('The engine is shutting down.')
      for (const slice of waiting.splice(0)) slice.reject(stopped)
      const all = [...threads]
      threads.clear()
      for (const { busy } of all) busy?.reject(stopped)
      await Promise.all(all.map(({ worker }) => worker.terminate()))
    },
  }
}

function evaluationsOf({ scores, signals }: ScoreAnswer): Evaluation[] {
  return Array.from(scores, (score, i) => ({ score, signals: signals?.[i] ?? NO_SIGNALS }))
}

import { Worker } from 'node:worker_threads'
import { SECOND_MS } from '../lib/clock.ts'
import type { Observation } from './facts.ts'
import type { ObserverSettings, Observers, ThreadAnswer, ThreadCall } from './observers.ts'
import type { ServerState } from './server-gate.ts'

/**
 * Observers on their own thread: a list of 10,000 names means tens of thousands of packets, which must not take the
 * serving thread's time. Questions and answers travel in batches.
 *
 * When the thread dies its questions fail; the next question starts a new thread, at most one a second.
 */

const DIED: Observation<string> = { outcome: 'failed', why: 'the thread for live look-ups died', retryMs: SECOND_MS }
const RESTART_MS = SECOND_MS

export function createThreadedObservers(
  settings: ObserverSettings,
  options: { readonly onCrash: (error: unknown) => void; readonly program?: URL },
): Observers {
  const program = options.program ?? new URL('./observer-thread.ts', import.meta.url)
  const waiting = new Map<number, (says: unknown) => void>()
  let unsent: ThreadCall[] = []
  let worker: Worker | undefined
  let bootstrap: string | undefined
  let nextId = 1
  let diedAt = Number.NEGATIVE_INFINITY
  let closed = false

  function thread(): Worker | undefined {
    if (worker || closed || performance.now() - diedAt < RESTART_MS) return worker
    const started = startWorker()
    if (!started) return undefined
    worker = started
    started.on('message', receive)
    started.on('error', options.onCrash)
    started.on('exit', () => lost(started))
    // Facts in progress must not keep the process alive. A listener added later would hold it again.
    started.unref()
    if (bootstrap !== undefined) sendBootstrap(started, bootstrap)
    return started
  }

  /** A machine may have no free thread. */
  function startWorker(): Worker | undefined {
    try {
      return new Worker(program, { workerData: settings })
    } catch (error) {
      diedAt = performance.now()
      options.onCrash(error)
      return undefined
    }
  }

  function sendBootstrap(to: Worker, text: string): void {
    to.postMessage([[0, 'useBootstrap', text]] satisfies ThreadCall[])
  }

  function receive(answers: readonly ThreadAnswer[]): void {
    for (const [id, says] of answers) {
      waiting.get(id)?.(says)
      waiting.delete(id)
    }
  }

  function lost(gone: Worker): void {
    if (worker !== gone) return
    worker = undefined
    diedAt = performance.now()
    failAll()
  }

  function failAll(): void {
    const resolvers = [...waiting.values()]
    waiting.clear()
    for (const resolve of resolvers) resolve(undefined)
  }

  function sendUnsent(): void {
    const batch = unsent
    unsent = []
    const to = thread()
    if (to) to.postMessage(batch)
    else failAll()
  }

  /** The answer of the thread, or `otherwise` when it dies. */
  function call<Says>(otherwise: Says, toCall: (id: number) => ThreadCall): Promise<Says> {
    if (closed) return Promise.resolve(otherwise)
    const id = nextId++
    return new Promise((resolve) => {
      waiting.set(id, (says) => resolve((says as Says | undefined) ?? otherwise))
      // Calls of the same turn travel in one message.
      if (unsent.push(toCall(id)) === 1) queueMicrotask(sendUnsent)
    })
  }

  // Start now, so that the first check does not wait for the thread.
  thread()
  return {
    sorts: new Set(settings.sorts),
    observe: (sort, name, asker) => call<Observation<string>>(DIED, (id) => [id, 'observe', sort, name, asker]),
    answers: () => call(false, (id) => [id, 'answers']),
    servers: () => call<readonly ServerState[]>([], (id) => [id, 'servers']),
    useBootstrap(text) {
      bootstrap = text
      if (worker) sendBootstrap(worker, text)
    },
    async close() {
      closed = true
      const last = worker
      worker = undefined
      await last?.terminate()
      failAll()
    },
  }
}

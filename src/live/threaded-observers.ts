import { Worker } from 'node:worker_threads'
import { SECOND_MS } from '../lib/clock.ts'
import type { Observation } from './facts.ts'
import type { FromThread, ObserverSettings, Observers, ThreadQuestion, ToThread } from './observers.ts'
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
  const questions = new Map<number, (observation: Observation<string>) => void>()
  const asks = new Map<number, (says: boolean | readonly ServerState[] | undefined) => void>()
  let unsent: ThreadQuestion[] = []
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
    if (bootstrap !== undefined) send(started, { bootstrap })
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

  function send(to: Worker, message: ToThread): void {
    to.postMessage(message)
  }

  function receive(message: FromThread): void {
    if ('says' in message) {
      asks.get(message.id)?.(message.says)
      asks.delete(message.id)
      return
    }
    for (const [id, observation] of message.answers) {
      questions.get(id)?.(observation)
      questions.delete(id)
    }
  }

  function lost(gone: Worker): void {
    if (worker !== gone) return
    worker = undefined
    diedAt = performance.now()
    failAll()
  }

  function failAll(): void {
    const resolvers = [...questions.values()]
    questions.clear()
    for (const resolve of resolvers) resolve(DIED)
    const waiting = [...asks.values()]
    asks.clear()
    for (const resolve of waiting) resolve(undefined)
  }

  function sendUnsent(): void {
    const batch = unsent
    unsent = []
    const to = thread()
    if (to) send(to, { questions: batch })
    else failAll()
  }

  function ask(what: 'answers' | 'servers'): Promise<boolean | readonly ServerState[] | undefined> {
    const to = thread()
    if (!to) return Promise.resolve(undefined)
    const id = nextId++
    return new Promise((resolve) => {
      asks.set(id, resolve)
      send(to, { asks: what, id })
    })
  }

  // Start now, so that the first check does not wait for the thread.
  thread()
  return {
    sorts: new Set(settings.sorts),
    observe(sort, name, asker) {
      if (closed) return Promise.resolve(DIED)
      const id = nextId++
      return new Promise((resolve) => {
        questions.set(id, resolve)
        unsent.push([id, sort, name, asker])
        // Questions of the same turn travel in one message.
        if (unsent.length === 1) queueMicrotask(sendUnsent)
      })
    },
    answers: async () => (await ask('answers')) === true,
    async servers() {
      const says = await ask('servers')
      return typeof says === 'object' ? says : []
    },
    useBootstrap(text) {
      bootstrap = text
      if (worker) send(worker, { bootstrap: text })
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

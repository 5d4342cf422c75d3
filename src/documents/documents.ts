import { Worker } from 'node:worker_threads'
import { overloaded, tooManyDocuments } from '../access/limits.ts'
import type { Replica } from '../db/replica.ts'
import { type DatabasePlace, StoreUnavailable } from '../db/sql.ts'
import { problemFrom } from '../errors.ts'
import { FairQueue } from '../lib/fair-shares.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { LIMITS } from '../limits.ts'
import type { MakeAnswer, MakeRequest, ThreadData } from './document-thread.ts'
import type { Made, Maker } from './maker.ts'

/**
 * Makes documents (exports, long pages, PDFs) on a thread of its own, so that the serving thread only sends them.
 * 1. One document is made at a time. Organisations take turns, each with one queue for each kind of document.
 * 2. A queue goes on when the answer to its last document was sent or its connection closed: one organisation has at
 *    most one document of a kind in memory, however slowly it reads.
 * 3. A queue holds at most `documentsWaitingMax` requests (429), all queues together `documentsWaitingInAllMax` (503); a
 *    request with an empty queue is still admitted up to twice that number.
 * 4. The thread starts with the first document, and ends when idle. When it dies or takes too long, its document fails
 *    and the next one gets a new thread.
 */
export type Documents = ReturnType<typeof createDocuments>

export interface Turn {
  readonly organisationId: string
  /** Calls back when the answer was sent, or can no longer be sent (`sent` is false). */
  readonly whenSent: (done: (sent: boolean) => void) => void
}

export interface DocumentsOptions {
  readonly place: DatabasePlace
  readonly replica?: Pick<Replica, 'isUsable' | 'url'> | undefined
  readonly count?: ((document: string, outcome: DocumentOutcome) => void) | undefined
  /** The thread's program; tests of crashes use another one. */
  readonly program?: URL
  readonly makeMsMax?: number
}

type DocumentOutcome = 'made' | 'cached' | 'refused' | 'failed'

interface Job {
  /** Its organisation and kind. */
  readonly queueKey: string
  readonly request: MakeRequest
  /** The digest of a document that is cached. */
  readonly digest: string | undefined
  readonly turn: Turn
  /** Set when it is made, unless it is cached. */
  bytes?: Uint8Array<ArrayBuffer>
  resolve(made: Made<unknown>): void
  reject(error: unknown): void
}

const CACHE_BYTES_MAX = 32 * 1024 * 1024
const IDLE_MS = 60_000
const MAKE_MS_MAX = 60_000

export function createDocuments(options: DocumentsOptions) {
  const { count, makeMsMax = MAKE_MS_MAX } = options
  const program = options.program ?? new URL('./document-thread.ts', import.meta.url)
  const queue = new FairQueue<Job>()
  /** Queues whose last document is being made or sent. */
  const held = new Set<string>()
  const cache = createByteCache(CACHE_BYTES_MAX)
  let running: Job | undefined
  let worker: Worker | undefined
  let timer: NodeJS.Timeout | undefined

  function admit(queueKey: string): void {
    const { documentsWaitingMax: ownMax, documentsWaitingInAllMax: allMax } = LIMITS.queues
    const own = queue.lengthOf(queueKey)
    if (own >= ownMax) throw tooManyDocuments(ownMax)
    if (queue.size >= (own === 0 ? 2 * allMax : allMax)) throw overloaded('Too many documents are waiting to be made.')
  }

  function next(): void {
    if (running) return
    const job = queue.shift((queueKey) => !held.has(queueKey))
    if (job) begin(job)
    else setTimer(IDLE_MS, () => end())
  }

  function begin(job: Job): void {
    held.add(job.queueKey)
    job.turn.whenSent((sent) => {
      held.delete(job.queueKey)
      // Freed now. Left to the garbage collection, a few files make V8 stop this thread for tens of milliseconds.
      if (sent) job.bytes?.buffer.transfer(0)
      queue.moveToEnd(job.queueKey)
      next()
    })
    const known = job.digest === undefined ? undefined : cache.get(job.digest)
    if (known) {
      count?.(job.request.name, 'cached')
      job.resolve(known)
      next()
      return
    }
    running = job
    try {
      worker ??= start()
      worker.postMessage({ ...job.request, fromReplica: options.replica?.isUsable() } satisfies MakeRequest)
      setTimer(makeMsMax, () => end(new Error(`${job.request.name} was not made within ${makeMsMax} ms`)))
    } catch (error) {
      // The machine may have no free thread.
      finish({ error })
    }
  }

  function start(): Worker {
    const started = new Worker(program, {
      workerData: { place: options.place, replicaUrl: options.replica?.url } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
    })
    started.on('message', (answer: MakeAnswer) => worker === started && finish(answer))
    started.on('error', (error) => worker === started && end(error))
    started.on('exit', () => worker === started && end())
    // A document in progress must not keep the process alive; its connection does.
    started.unref()
    return started
  }

  /** Ends the thread. The document in progress fails. */
  function end(error = new Error('the documents thread ended')): Promise<unknown> {
    const ended = worker?.terminate()
    worker = undefined
    clearTimeout(timer)
    if (running) finish({ error })
    return ended ?? Promise.resolve()
  }

  function finish(answer: MakeAnswer | { readonly error: unknown }): void {
    const job = running
    running = undefined
    if (!job) return
    count?.(job.request.name, 'bytes' in answer ? 'made' : 'failed')
    if ('bytes' in answer) {
      if (job.digest === undefined) job.bytes = answer.bytes
      else cache.set(job.digest, answer)
      job.resolve(answer)
    } else job.reject(errorOf(answer))
    next()
  }

  function setTimer(ms: number, then: () => void): void {
    clearTimeout(timer)
    timer = setTimeout(then, ms).unref()
  }

  return {
    make<Input, Head>({ module, name, cached }: Maker<Input, Head>, input: Input, turn: Turn): Promise<Made<Head>> {
      const queueKey = `${turn.organisationId} ${name}`
      try {
        admit(queueKey)
      } catch (error) {
        count?.(name, 'refused')
        return Promise.reject(error)
      }
      const digest = cached ? sha256Hex(`${name} ${JSON.stringify(input)}`) : undefined
      return new Promise((resolve, reject) => {
        const request = { module, name, input }
        queue.push(queueKey, {
          queueKey,
          request,
          digest,
          turn,
          resolve: resolve as (made: Made<unknown>) => void,
          reject,
        })
        next()
      })
    },
    async close() {
      queue.clear()
      await end()
      clearTimeout(timer)
    },
  }
}

function errorOf(answer: Exclude<MakeAnswer, Made<unknown>> | { readonly error: unknown }): unknown {
  if ('error' in answer) return answer.error
  if ('problem' in answer) return problemFrom(answer.problem)
  const { message, unavailable } = answer.failure
  return unavailable ? new StoreUnavailable(message) : new Error(message)
}

/** The most recently used documents, within a number of bytes. */
function createByteCache(bytesMax: number) {
  const kept = new Map<string, Made<unknown>>()
  let size = 0
  return {
    get(digest: string) {
      const made = kept.get(digest)
      if (!made) return undefined
      // The map is ordered by last use: re-insert at the end.
      kept.delete(digest)
      kept.set(digest, made)
      return made
    },
    set(digest: string, made: Made<unknown>) {
      kept.set(digest, made)
      size += made.bytes.length
      for (const [oldest, old] of kept) {
        if (size <= bytesMax) break
        kept.delete(oldest)
        size -= old.bytes.length
      }
    },
  }
}

import { platform, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type PlainProblem, Problem } from '../errors.ts'
import type { Kind } from '../lib/kinds.ts'
import { snapshotFromShared } from '../snapshot/read.ts'
import { type ListOutcome, type ListWork, type Texts, workOnList } from './list.ts'
import { loadModels } from './model/load.ts'
import { readTexts } from './request.ts'
import { createScorer, type Scorer } from './score.ts'
import { bytesOf, type SharedBody } from './shared-bodies.ts'

/** One working thread: loads the models once, then works on slices of lists against the memory it is handed. */

export interface SliceRequest {
  readonly id: number
  /** Sent when the thread has another snapshot than this slice needs. */
  readonly shared: SharedArrayBuffer | undefined
  readonly kind: Kind
  readonly task: ListWork['task']
  readonly body: SharedBody
  readonly from: number
  /** Up to the end where there is none. */
  readonly to: number | undefined
}

/** The outcome of a slice, or why the body holds no list. */
export type SliceAnswer =
  | (ListOutcome & { readonly id: number })
  | { readonly id: number; readonly problem: PlainProblem }

/** The body with this id is done with. */
export interface Forget {
  readonly forget: number
}

/** Lists parsed and kept for their next slices; one that fell out is parsed again. */
const PARSED_MAX = 8
/** Lists yield to the requests that are answered meanwhile, which matters where there are few cores. */
const NICENESS = 5

if (!parentPort) throw new Error('worker-thread.ts runs on a worker thread only')
const port = parentPort
// Elsewhere this would be about the whole process.
if (platform() === 'linux') setPriority(NICENESS)
const models = loadModels()
const parsed = new Map<number, Texts>()
let scorer: Scorer | undefined

port.on('message', (request: SliceRequest | Forget) => {
  if ('forget' in request) {
    parsed.delete(request.forget)
    return
  }
  if (request.shared) scorer = createScorer(snapshotFromShared(request.shared), models)
  port.postMessage(answerTo(request))
})

function answerTo({ id, kind, task, body, from, to }: SliceRequest): SliceAnswer {
  let texts: Texts
  try {
    texts = textsOf(kind, body)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { id, problem: error.plain() }
  }
  return { id, ...workOnList({ kind, texts: texts.slice(from, to), task }, scorerHere) }
}

function textsOf(kind: Kind, body: SharedBody): Texts {
  const texts = parsed.get(body.id) ?? readTexts(kind, bytesOf(body))
  // Last used, last to fall out.
  parsed.delete(body.id)
  parsed.set(body.id, texts)
  for (const id of parsed.keys()) {
    if (parsed.size <= PARSED_MAX) break
    parsed.delete(id)
  }
  return texts
}

function scorerHere(): Scorer {
  if (!scorer) throw new Error('a slice came before any snapshot')
  return scorer
}

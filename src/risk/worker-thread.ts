import { parentPort } from 'node:worker_threads'
import { snapshotFromShared } from '../snapshot/read.ts'
import { type ListOutcome, type ListWork, workOnList } from './list.ts'
import { loadModels } from './model/load.ts'
import { createScorer, type Scorer } from './score.ts'

/** One working thread: loads the models once, then works on slices of lists against the memory it is handed. */

export interface SliceRequest extends ListWork {
  readonly id: number
  /** Sent when the thread has another snapshot than this slice needs. */
  readonly shared: SharedArrayBuffer | undefined
}

export interface SliceAnswer extends ListOutcome {
  readonly id: number
}

if (!parentPort) throw new Error('worker-thread.ts runs on a worker thread only')
const port = parentPort
const models = loadModels()
let scorer: Scorer | undefined

port.on('message', (request: SliceRequest) => {
  if (request.shared) scorer = createScorer(snapshotFromShared(request.shared), models)
  const answer: SliceAnswer = { id: request.id, ...workOnList(request, scorerHere) }
  port.postMessage(answer)
})

function scorerHere(): Scorer {
  if (!scorer) throw new Error('a slice came before any snapshot')
  return scorer
}

import { parentPort } from 'node:worker_threads'
import type { Kind } from '../lib/kinds.ts'
import { snapshotFromShared } from '../snapshot/read.ts'
import type { SignalReport } from './engine.ts'
import type { Indicator } from './indicator.ts'
import { loadModels } from './model/load.ts'
import { createScorer, type Scorer } from './score.ts'

/** One scoring thread: loads the models once, then scores slices against the memory it is handed. */

export interface ScoreRequest {
  readonly id: number
  /** Sent when the thread has another snapshot than this slice needs. */
  readonly shared: SharedArrayBuffer | undefined
  readonly kind: Kind
  readonly indicators: readonly Indicator[]
  readonly explain: boolean
}

export interface ScoreAnswer {
  readonly id: number
  readonly scores: Uint8Array
  readonly signals: readonly (readonly SignalReport[])[] | undefined
}

if (!parentPort) throw new Error('worker-thread.ts runs on a worker thread only')
const port = parentPort
const models = loadModels()
let scorer: Scorer | undefined

port.on('message', (request: ScoreRequest) => {
  if (request.shared) scorer = createScorer(snapshotFromShared(request.shared), models)
  if (!scorer) throw new Error('a slice came before any snapshot')
  const evaluations = scorer.evaluate(request.kind, request.indicators, { explain: request.explain })
  const scores = Uint8Array.from(evaluations, ({ score }) => score)
  const answer: ScoreAnswer = {
    id: request.id,
    scores,
    signals: request.explain ? evaluations.map(({ signals }) => signals) : undefined,
  }
  port.postMessage(answer, [scores.buffer])
})

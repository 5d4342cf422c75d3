import { parentPort, workerData } from 'node:worker_threads'
import { type PlainProblem, Problem } from '../errors.ts'
import type { Kind } from '../lib/kinds.ts'
import { yieldToOthers } from '../lib/niceness.ts'
import { snapshotFromShared } from '../snapshot/read.ts'
import { type ListOutcome, type ListRecord, type ListWork, readFactTexts, workOnList } from './list.ts'
import { loadModels } from './model/load.ts'
import type { Tables } from './model/tables.ts'
import { OwnIndex } from './own/own-index.ts'
import { bytesOf, ParsedLists, type SharedBody } from './parsed-lists.ts'
import { createScorer, type Scorer } from './score.ts'

/** One worker thread: loads the models once, then processes slices of lists in shared memory. */

/** The start data of a thread. */
export interface ThreadData {
  readonly tables: Tables
}

export interface SliceRequest {
  readonly id: number
  /** Sent if the thread has another snapshot than this slice needs. */
  readonly shared: SharedArrayBuffer | undefined
  readonly kind: Kind
  readonly task: ListWork['task']
  /** The facts of each record as JSON, in order. */
  readonly facts?: readonly string[] | undefined
  readonly nowMs: number
  /** The index of what the organisation knows. */
  readonly own?: SharedBody | undefined
  readonly body: SharedBody
  readonly from: number
  /** Up to the end if undefined. */
  readonly to: number | undefined
}

/** The outcome of a slice, or the problem of a body that contains no list. */
export type SliceAnswer =
  | (ListOutcome & { readonly id: number })
  | { readonly id: number; readonly problem: PlainProblem }

/** The body with this id is no longer needed. */
export interface Forget {
  readonly forget: number
}

/** Lists yield the CPU to requests. */
const NICENESS = 5

if (!parentPort) throw new Error('worker-thread.ts runs on a worker thread only')
const port = parentPort
yieldToOthers(NICENESS)
const models = loadModels((workerData as ThreadData).tables)
const lists = new ParsedLists()
let scorer: Scorer | undefined

port.on('message', (request: SliceRequest | Forget) => {
  if ('forget' in request) return lists.forget(request.forget)
  if (request.shared) scorer = createScorer(snapshotFromShared(request.shared), models)
  port.postMessage(answerTo(request))
})

function answerTo({ id, kind, task, body, from, to, facts, nowMs, own: shared }: SliceRequest): SliceAnswer {
  let records: readonly ListRecord[]
  try {
    records = lists.recordsOf(kind, body)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { id, problem: error.plain() }
  }
  const known = facts && readFactTexts(facts)
  const own = shared && new OwnIndex(bytesOf(shared))
  return { id, ...workOnList({ kind, records: records.slice(from, to), task, facts: known, nowMs, own }, scorerHere) }
}

function scorerHere(): Scorer {
  if (!scorer) throw new Error('a slice came before any snapshot')
  return scorer
}

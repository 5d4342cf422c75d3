import { parentPort, workerData } from 'node:worker_threads'
import { openLazily } from '../db/open.ts'
import { readerOf } from '../db/replica.ts'
import { type DatabasePlace, StoreUnavailable } from '../db/sql.ts'
import { type PlainProblem, Problem } from '../errors.ts'
import { yieldToOthers } from '../lib/niceness.ts'
import type { Made, Maker } from './maker.ts'

/** The thread that makes documents, one at a time, over connections of its own. */

export interface ThreadData {
  readonly place: DatabasePlace
  /** A standby of that database. */
  readonly replicaUrl?: string | undefined
}

export interface MakeRequest {
  readonly module: string
  readonly name: string
  readonly input: unknown
  readonly fromReplica?: boolean | undefined
}

export type MakeAnswer =
  | Made<unknown>
  | { readonly problem: PlainProblem }
  | { readonly failure: { readonly message: string; readonly unavailable: boolean } }

/** Documents yield the CPU to requests. */
const NICENESS = 5

if (!parentPort) throw new Error('document-thread.ts runs on a worker thread only')
const port = parentPort
const { place, replicaUrl: url } = workerData as ThreadData
yieldToOthers(NICENESS)
const sql = openLazily(place)
const standby = url === undefined ? undefined : openLazily({ engine: 'postgres', url })

port.on('message', async (request: MakeRequest) => {
  const answer = await answerTo(request)
  port.postMessage(answer, 'bytes' in answer ? [answer.bytes.buffer] : [])
})

async function answerTo({ module, name, input, fromReplica }: MakeRequest): Promise<MakeAnswer> {
  try {
    const makers = (await import(module)) as Record<string, Maker<unknown, unknown> | undefined>
    const maker = makers[name]
    if (!maker) throw new Error(`${module} exports no ${name}`)
    return await maker.make(fromReplica && standby ? await readerOf(sql, standby) : sql, input)
  } catch (error) {
    if (error instanceof Problem) return { problem: error.plain() }
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { failure: { message, unavailable: error instanceof StoreUnavailable } }
  }
}

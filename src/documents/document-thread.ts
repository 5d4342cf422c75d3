import { parentPort, workerData } from 'node:worker_threads'
import { openReader } from '../db/open.ts'
import { type DatabasePlace, type SqlQueries, StoreUnavailable } from '../db/sql.ts'
import { type PlainProblem, Problem } from '../errors.ts'
import { yieldToOthers } from '../lib/niceness.ts'
import type { Made, Maker } from './maker.ts'

/** The thread that makes documents, one at a time, over a connection of its own. */

export interface ThreadData {
  readonly place: DatabasePlace
}

export interface MakeRequest {
  readonly module: string
  readonly name: string
  readonly input: unknown
}

export type MakeAnswer =
  | Made<unknown>
  | { readonly problem: PlainProblem }
  | { readonly failure: { readonly message: string; readonly unavailable: boolean } }

/** Documents yield the CPU to requests. */
const NICENESS = 5

if (!parentPort) throw new Error('document-thread.ts runs on a worker thread only')
const port = parentPort
const { place } = workerData as ThreadData
yieldToOthers(NICENESS)
let opened: Promise<SqlQueries> | undefined

/** Opens its connection with the first statement; after a failure the next statement tries again. */
const sql: SqlQueries = {
  engine: place.engine,
  async query(text, params) {
    opened ??= openReader(place).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return (await opened).query(text, params)
  },
}

port.on('message', async (request: MakeRequest) => {
  const answer = await answerTo(request)
  port.postMessage(answer, 'bytes' in answer ? [answer.bytes.buffer] : [])
})

async function answerTo({ module, name, input }: MakeRequest): Promise<MakeAnswer> {
  try {
    const makers = (await import(module)) as Record<string, Maker<unknown, unknown> | undefined>
    const maker = makers[name]
    if (!maker) throw new Error(`${module} exports no ${name}`)
    return await maker.make(sql, input)
  } catch (error) {
    if (error instanceof Problem) return { problem: error.plain() }
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { failure: { message, unavailable: error instanceof StoreUnavailable } }
  }
}

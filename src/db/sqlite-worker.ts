/**
 * The thread that holds SQLite's one writing connection, so that the event loop never waits for the disk. It answers
 * requests strictly in order; who may send when is decided by the queue in sqlite.ts. Requests made together come in one
 * message and are answered in one, because a message costs more than most statements.
 */
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { SqlValue } from './sql.ts'
import { StatementCache } from './sqlite-statements.ts'

export interface WorkerOptions {
  readonly file: string
  readonly busyTimeoutMs: number
}

export type WorkerRequest =
  | {
      readonly id: number
      readonly op: 'query' | 'query in transaction'
      readonly text: string
      readonly params: readonly SqlValue[]
    }
  | { readonly id: number; readonly op: 'begin'; readonly lockTimeoutMs: number }
  | { readonly id: number; readonly op: 'commit' | 'rollback' | 'close' }

export interface WorkerFailure {
  readonly message: string
  readonly errcode: number | undefined
}

export type WorkerReply =
  | { readonly id: number; readonly rows: Record<string, SqlValue>[] }
  | { readonly id: number; readonly failure: WorkerFailure }

const options = workerData as WorkerOptions
const port = parentPort
if (!port) throw new Error('sqlite-worker runs only as a worker thread')

const NONE: Record<string, SqlValue>[] = []
let database: DatabaseSync | undefined
let statements: StatementCache | undefined
let busyTimeoutMs = options.busyTimeoutMs

function open(): void {
  database = new DatabaseSync(options.file, { timeout: options.busyTimeoutMs, enableForeignKeyConstraints: true })
  database.exec('pragma journal_mode = wal')
  // FULL: a commit that was answered survives a power cut, not only a crash of the process.
  database.exec('pragma synchronous = full')
  database.exec('pragma journal_size_limit = 67108864')
  statements = new StatementCache(database)
}

function run(request: WorkerRequest): Record<string, SqlValue>[] {
  if (!database || !statements) throw new Error('the database is closed')
  switch (request.op) {
    case 'query in transaction':
      // Statements are sent before `begin` was answered: when it failed, or SQLite rolled back by itself because the
      // disk is full, they must not run on their own.
      if (!database.isTransaction) throw new Error('the transaction is over')
      return statements.all(request.text, request.params)
    case 'query':
      return statements.all(request.text, request.params)
    case 'begin':
      if (request.lockTimeoutMs !== busyTimeoutMs) {
        busyTimeoutMs = request.lockTimeoutMs
        database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
      }
      database.exec('begin immediate')
      return NONE
    case 'commit':
      database.exec('commit')
      return NONE
    case 'rollback':
      // A full disk makes SQLite roll back by itself; a second rollback would be an error.
      if (database.isTransaction) database.exec('rollback')
      return NONE
    case 'close':
      database.close()
      database = undefined
      return NONE
  }
}

function failureOf(error: unknown): WorkerFailure {
  const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined
  return { message: error instanceof Error ? error.message : String(error), errcode }
}

function answer(request: WorkerRequest): WorkerReply {
  try {
    return { id: request.id, rows: run(request) }
  } catch (error) {
    return { id: request.id, failure: failureOf(error) }
  }
}

port.on('message', (requests: readonly WorkerRequest[]) => {
  port.postMessage(requests.map(answer))
  if (requests.some((request) => request.op === 'close')) port.close()
})

try {
  open()
  port.postMessage([{ id: 0, rows: NONE }] satisfies WorkerReply[])
} catch (error) {
  port.postMessage([{ id: 0, failure: failureOf(error) }] satisfies WorkerReply[])
  port.close()
}

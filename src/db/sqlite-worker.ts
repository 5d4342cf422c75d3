/**
 * The thread that holds SQLite's one writing connection, so that the event loop never waits for the disk. It answers
 * requests strictly in order; who may send when is decided by the queue in sqlite.ts. Requests made together come in one
 * message and are answered in one, because a message costs more than most statements.
 */
import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { Dialect, Routine, Rows, Statement } from './routine.ts'
import { checkParams, type SqlValue } from './sql.ts'
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
  | {
      readonly id: number
      readonly op: 'routine'
      readonly module: string
      readonly name: string
      /** JSON. */
      readonly input: string
      readonly lockTimeoutMs: number
    }
  | { readonly id: number; readonly op: 'begin'; readonly lockTimeoutMs: number }
  | { readonly id: number; readonly op: 'commit' | 'rollback' | 'close' }

export interface WorkerFailure {
  /** Of the error's class, which does not travel. */
  readonly name: string
  readonly message: string
  readonly errcode: number | undefined
}

export type WorkerReply =
  /** Rows, or what a routine returned, as JSON. */
  { readonly id: number; readonly result: unknown } | { readonly id: number; readonly failure: WorkerFailure }

const options = workerData as WorkerOptions
const port = parentPort
if (!port) throw new Error('sqlite-worker runs only as a worker thread')

const NONE: Rows = []
const DIALECT: Dialect = { engine: 'sqlite', forUpdate: '', forUpdateSkipLocked: '' }
const load = createRequire(import.meta.url)
const routines = new Map<string, Routine<unknown, unknown>>()
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

function begin(lockTimeoutMs: number): void {
  if (lockTimeoutMs !== busyTimeoutMs) {
    busyTimeoutMs = lockTimeoutMs
    database?.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
  }
  database?.exec('begin immediate')
}

// A full disk makes SQLite roll back by itself; a second rollback would be an error.
function rollback(): void {
  if (database?.isTransaction) database.exec('rollback')
}

function routineOf(module: string, name: string): Routine<unknown, unknown> {
  const id = `${name} ${module}`
  const known = routines.get(id)
  if (known) return known
  const exported = load(fileURLToPath(module)) as Record<string, Routine<unknown, unknown> | undefined>
  const routine = exported[name]
  if (!routine) throw new Error(`${module} exports no ${name}`)
  routines.set(id, routine)
  return routine
}

function runRoutine(request: Extract<WorkerRequest, { op: 'routine' }>): string {
  const cache = statements
  if (!database || !cache) throw new Error('the database is closed')
  const routine = routineOf(request.module, request.name)
  const read = ({ text, params }: Statement) => {
    checkParams(params)
    return cache.all(text, params)
  }
  begin(request.lockTimeoutMs)
  try {
    const rounds = routine.start(JSON.parse(request.input), DIALECT)
    let step = rounds.next()
    while (!step.done) step = rounds.next(step.value.map(read))
    for (const { text, params } of step.value.last) {
      checkParams(params)
      cache.run(text, params)
    }
    const output = JSON.stringify(step.value.output)
    database.exec('commit')
    return output
  } catch (error) {
    rollback()
    throw error
  }
}

function run(request: WorkerRequest): unknown {
  if (!database || !statements) throw new Error('the database is closed')
  switch (request.op) {
    case 'query in transaction':
      // Statements are sent before `begin` was answered: when it failed, or SQLite rolled back by itself because the
      // disk is full, they must not run on their own.
      if (!database.isTransaction) throw new Error('the transaction is over')
      return statements.all(request.text, request.params)
    case 'query':
      return statements.all(request.text, request.params)
    case 'routine':
      return runRoutine(request)
    case 'begin':
      begin(request.lockTimeoutMs)
      return NONE
    case 'commit':
      database.exec('commit')
      return NONE
    case 'rollback':
      rollback()
      return NONE
    case 'close':
      database.close()
      database = undefined
      return NONE
  }
}

function failureOf(error: unknown): WorkerFailure {
  const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined
  return error instanceof Error
    ? { name: error.name, message: error.message, errcode }
    : { name: 'Error', message: String(error), errcode }
}

function answer(request: WorkerRequest): WorkerReply {
  try {
    return { id: request.id, result: run(request) }
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
  port.postMessage([{ id: 0, result: NONE }] satisfies WorkerReply[])
} catch (error) {
  port.postMessage([{ id: 0, failure: failureOf(error) }] satisfies WorkerReply[])
  port.close()
}

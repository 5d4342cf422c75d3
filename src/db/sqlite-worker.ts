/**
 * The thread that holds SQLite's one writing connection, so that the event loop never waits for the disk. It answers
 * requests strictly in order; the queue in sqlite.ts decides who may send. Requests made together come in one message
 * and are answered in one, because a message costs more than most statements. After `close` it takes another `open`.
 */
import { createRequire } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { parentPort, receiveMessageOnPort } from 'node:worker_threads'
import type { Dialect, Routine } from './routine.ts'
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
      /** JSON, and the fields of the routine's `apart`. */
      readonly input: string
      readonly apart: object
      readonly lockTimeoutMs: number
    }
  | { readonly id: number; readonly op: 'open'; readonly options: WorkerOptions }
  | { readonly id: number; readonly op: 'begin'; readonly lockTimeoutMs: number }
  | { readonly id: number; readonly op: 'commit' | 'rollback' | 'drop traces' | 'close' }

export interface WorkerFailure {
  /** The name of the error's class: the class itself does not travel between threads. */
  readonly name: string
  readonly message: string
  readonly errcode: number | undefined
}

export type WorkerReply =
  /** Rows, or the result of a routine, as JSON. */
  { readonly id: number; readonly result: unknown } | { readonly id: number; readonly failure: WorkerFailure }

const port = parentPort
if (!port) throw new Error('sqlite-worker runs only as a worker thread')

const DIALECT: Dialect = { engine: 'sqlite', forUpdate: '', forUpdateSkipLocked: '' }
const load = createRequire(import.meta.url)
const routines = new Map<string, Routine<unknown, unknown>>()
let database: DatabaseSync
let statements: StatementCache
let busyTimeoutMs: number

function open(options: WorkerOptions): void {
  busyTimeoutMs = options.busyTimeoutMs
  database = new DatabaseSync(options.file, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  try {
    configure()
  } catch (error) {
    database.close()
    throw error
  }
}

function configure(): void {
  database.exec('pragma journal_mode = wal')
  // FULL: a commit that was answered survives a power cut, not only a crash of the process.
  database.exec('pragma synchronous = full')
  database.exec('pragma journal_size_limit = 67108864')
  // Deleted rows are overwritten, so that the file does not keep them readable.
  database.exec('pragma secure_delete = on')
  statements = new StatementCache(database)
}

function begin(lockTimeoutMs: number): void {
  if (lockTimeoutMs !== busyTimeoutMs) {
    busyTimeoutMs = lockTimeoutMs
    database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
  }
  database.exec('begin immediate')
}

// A full disk makes SQLite roll back automatically; a second rollback would be an error.
function rollback(): void {
  if (database.isTransaction) database.exec('rollback')
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

type RoutineRequest = Extract<WorkerRequest, { op: 'routine' }>

const inputOf = ({ input, apart }: RoutineRequest): unknown => Object.assign(JSON.parse(input) as object, apart)

const textOf = ({ format }: Routine<unknown, unknown>, output: unknown): string =>
  format ? format.write(output) : JSON.stringify(output)

/** Runs a routine. `finish` creates the replies before the commit, so that nothing can fail after it. */
function runRoutine<T>(
  routine: Routine<unknown, unknown>,
  input: unknown,
  lockTimeoutMs: number,
  finish: (output: unknown) => T,
): T {
  begin(lockTimeoutMs)
  try {
    const rounds = routine.start(input, DIALECT)
    let step = rounds.next()
    while (!step.done) {
      step = rounds.next(
        step.value.map(({ text, params }) => {
          checkParams(params)
          return statements.all(text, params)
        }),
      )
    }
    for (const { text, params } of step.value.last) {
      checkParams(params)
      statements.run(text, params)
    }
    const finished = finish(step.value.output)
    database.exec('commit')
    return finished
  } catch (error) {
    rollback()
    throw error
  }
}

/** Runs waiting routines as one transaction where they can be joined; otherwise one after the other. */
function answerRoutines(requests: readonly RoutineRequest[]): WorkerReply[] {
  const joined = requests.length > 1 ? answerJoined(requests) : undefined
  return joined ?? requests.map(answer)
}

function answerJoined(requests: readonly RoutineRequest[]): WorkerReply[] | undefined {
  try {
    const [{ module, name, lockTimeoutMs }] = requests as [RoutineRequest]
    const routine = routineOf(module, name)
    const inputs = requests.map(inputOf)
    const { joining } = routine
    const input = joining?.join(inputs)
    if (!joining || input === undefined) return undefined
    return runRoutine(routine, input, lockTimeoutMs, (output) => {
      const outputs = joining.part(output, inputs)
      return requests.map(({ id }, i) => ({ id, result: textOf(routine, outputs[i]) }))
    })
  } catch {
    // Nothing was committed. One or all of the routines are at fault: run each separately.
    return undefined
  }
}

function run(request: WorkerRequest): unknown {
  switch (request.op) {
    case 'query in transaction':
      // Statements are sent before `begin` was answered. They must not run outside a transaction when `begin` failed,
      // or when SQLite rolled back automatically because the disk is full.
      if (!database.isTransaction) throw new Error('the transaction is over')
      return statements.all(request.text, request.params)
    case 'query':
      return statements.all(request.text, request.params)
    case 'routine': {
      const routine = routineOf(request.module, request.name)
      return runRoutine(routine, inputOf(request), request.lockTimeoutMs, (output) => textOf(routine, output))
    }
    case 'open':
      return open(request.options)
    case 'begin':
      return begin(request.lockTimeoutMs)
    case 'commit':
      return database.exec('commit')
    case 'rollback':
      return rollback()
    case 'drop traces':
      // Without waiting for readers: every other writer would wait, too.
      database.exec('pragma busy_timeout = 0; pragma wal_checkpoint(truncate)')
      return database.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
    case 'close':
      return database.close()
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

function goesWith(first: RoutineRequest, other: WorkerRequest | undefined): other is RoutineRequest {
  return (
    other?.op === 'routine' &&
    other.module === first.module &&
    other.name === first.name &&
    other.lockTimeoutMs === first.lockTimeoutMs
  )
}

function answerAll(requests: readonly WorkerRequest[]): WorkerReply[] {
  const replies: WorkerReply[] = []
  for (let i = 0; i < requests.length; ) {
    const first = requests[i]!
    i++
    if (first.op !== 'routine') {
      replies.push(answer(first))
      continue
    }
    const together = [first]
    for (let next = requests[i]; goesWith(first, next); next = requests[i]) {
      together.push(next)
      i++
    }
    replies.push(...answerRoutines(together))
  }
  return replies
}

port.on('message', (first: readonly WorkerRequest[]) => {
  // Requests that came while the last transaction was being made durable are already here: take them all.
  const requests = [...first]
  for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) {
    requests.push(...(more.message as readonly WorkerRequest[]))
  }
  port.postMessage(answerAll(requests))
})

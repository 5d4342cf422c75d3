/**
 * SQLite behind the port of sql.ts. One writing connection on a worker thread serves turns in the order of the
 * requests; reads outside a transaction use a separate read-only connection in this thread. Several processes may have
 * the file open: the wait for a busy database is bounded.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { type Clock, HOUR_MS, systemClock } from '../lib/clock.ts'
import { tryFileLock } from './file-lock.ts'
import type { Routine, Rows } from './routine.ts'
import {
  checkParams,
  type Sql,
  type SqlQueries,
  type SqlTransaction,
  type SqlValue,
  StoreUnavailable,
  type TransactionOptions,
  UniqueViolation,
} from './sql.ts'
import { StatementCache } from './sqlite-statements.ts'
import type { WorkerFailure, WorkerOptions, WorkerReply, WorkerRequest } from './sqlite-worker.ts'
import { StatementTimes } from './statement-times.ts'

export interface SqliteOptions {
  readonly file: string
  /** How long to wait for another process that is writing. */
  readonly busyTimeoutMs?: number
  /** How long a transaction may wait for its turn in this process. */
  readonly turnTimeoutMs?: number
  readonly waitingMax?: number
  readonly clock?: Clock
}

type WorkerCall = WorkerRequest extends infer R ? (R extends WorkerRequest ? Omit<R, 'id'> : never) : never

// Primary result codes that mean the store, not the statement, is at fault: busy, locked, read-only, I/O error,
// corrupt, full, cannot open, locking protocol, not a database.
const UNAVAILABLE_CODES = new Set([5, 6, 8, 10, 11, 13, 14, 15, 26])
// SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY, _ROWID.
const UNIQUE_CODES = new Set([2067, 1555, 2579])
// Enough that the thread always finds the next routine waiting, few enough that a turn is short.
const ROUTINES_AT_ONCE = 4
const FREE_THREADS_MAX = 4
// A reader waits only for a checkpoint or a recovery.
const READ_BUSY_MS = 1000
const NOTICE_POLL_MS = 1000
const NOTICE_INSERT = 'insert into store_notice (channel, payload, origin, created_at) values ($1, $2, $3, $4)'

function storeError(failure: WorkerFailure): Error {
  if (failure.errcode === undefined) {
    // The two errors of checkParams: a value that cannot be stored is the caller's mistake on either thread.
    if (failure.name === 'RangeError') return new RangeError(failure.message)
    return failure.name === 'TypeError' ? new TypeError(failure.message) : new Error(failure.message)
  }
  if (UNIQUE_CODES.has(failure.errcode)) return new UniqueViolation(failure.message)
  if (UNAVAILABLE_CODES.has(failure.errcode & 0xff)) return new StoreUnavailable(`SQLite: ${failure.message}`)
  return new Error(`SQLite: ${failure.message}`)
}

function mainThreadError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error))
  const { name, message } = error
  return 'errcode' in error ? storeError({ name, message, errcode: Number(error.errcode) }) : error
}

/** The worker thread's client: one promise per request, all rejected when the thread dies. */
class Writer {
  /** Starting a thread takes as long as hundreds of commits, so the next database gets one that is free. */
  static readonly #free: Writer[] = []
  readonly #worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url))
  readonly #pending = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  #outbox: WorkerRequest[] = []
  #lastId = 0
  #gone: StoreUnavailable | undefined

  private constructor() {
    this.#worker.on('message', (replies: readonly WorkerReply[]) => {
      for (const reply of replies) {
        const waiting = this.#pending.get(reply.id)
        if (!waiting) continue
        this.#pending.delete(reply.id)
        if ('result' in reply) waiting.resolve(reply.result)
        else waiting.reject(storeError(reply.failure))
      }
      if (this.#pending.size === 0) this.#worker.unref()
    })
    this.#worker.on('error', (error) => this.#fail(new StoreUnavailable('the SQLite thread failed', { cause: error })))
    this.#worker.on('exit', () => this.#fail(new StoreUnavailable('the SQLite thread ended')))
  }

  static async open(options: WorkerOptions): Promise<Writer> {
    const writer = Writer.#free.pop() ?? new Writer()
    try {
      await writer.call({ op: 'open', options })
      return writer
    } catch (error) {
      await writer.#release()
      throw error
    }
  }

  call(request: WorkerCall): Promise<unknown> {
    if (this.#gone) return Promise.reject(this.#gone)
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      // An idle writer does not keep the process alive; an unanswered request does.
      if (this.#pending.size === 0) this.#worker.ref()
      this.#pending.set(id, { resolve, reject })
      // Requests made in the same tick travel in one message.
      if (this.#outbox.length === 0) queueMicrotask(() => this.#send())
      this.#outbox.push({ ...request, id })
    })
  }

  #send(): void {
    const requests = this.#outbox
    this.#outbox = []
    this.#worker.postMessage(requests)
  }

  async close(): Promise<void> {
    if (this.#gone) return
    await this.call({ op: 'close' })
    await this.#release()
  }

  async #release(): Promise<void> {
    if (this.#gone) return
    if (Writer.#free.length < FREE_THREADS_MAX) Writer.#free.push(this)
    else await this.#worker.terminate()
  }

  #fail(error: StoreUnavailable): void {
    this.#gone ??= error
    const place = Writer.#free.indexOf(this)
    if (place >= 0) Writer.#free.splice(place, 1)
    for (const waiting of this.#pending.values()) waiting.reject(this.#gone)
    this.#pending.clear()
  }
}

/**
 * The queue of writers: first come, first served, with a limit on their number and on the wait. A routine is a single
 * message, so several routines in a row may share a turn; a transaction of many messages has its own turn.
 */
class Turns {
  readonly #waiting: {
    readonly shared: boolean
    readonly grant: () => void
    readonly refuse: (error: Error) => void
    readonly sinceMs: number
  }[] = []
  readonly #timeoutMs: number
  readonly #waitingMax: number
  #holders = 0
  #shared = false
  #timer: NodeJS.Timeout | undefined

  constructor(timeoutMs: number, waitingMax: number) {
    this.#timeoutMs = timeoutMs
    this.#waitingMax = waitingMax
  }

  get waiting(): number {
    return this.#waiting.length
  }

  take(shared = false): Promise<void> | undefined {
    if (this.#holders === 0 || (shared && this.#shared && this.#waiting.length === 0)) {
      this.#shared = shared
      this.#holders++
      return undefined
    }
    if (this.#waiting.length >= this.#waitingMax) {
      return Promise.reject(new StoreUnavailable(`${this.#waitingMax} transactions are waiting already`))
    }
    this.#timer ??= setInterval(() => this.#expire(), Math.max(1, Math.min(1000, this.#timeoutMs / 4))).unref()
    return new Promise((grant, refuse) => this.#waiting.push({ shared, grant, refuse, sinceMs: performance.now() }))
  }

  release(): void {
    this.#holders--
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      if (this.#holders > 0 && !(next.shared && this.#shared)) break
      this.#waiting.shift()
      this.#shared = next.shared
      this.#holders++
      next.grant()
    }
    if (this.#waiting.length === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  #expire(): void {
    const oldestMs = performance.now() - this.#timeoutMs
    while (this.#waiting[0] && this.#waiting[0].sinceMs < oldestMs) {
      this.#waiting.shift()?.refuse(new StoreUnavailable(`no write lock within ${this.#timeoutMs} ms`))
    }
  }
}

/** Creates an empty private file if there is none: SQLite gives its companion files the same rights. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    throw new StoreUnavailable(`SQLite: ${(error as Error).message}`, { cause: error })
  }
}

/** The writing connection of a file that is known to be a database. */
async function openWriter(options: WorkerOptions): Promise<Writer> {
  let writer: Writer | undefined
  try {
    makePrivate(options.file)
    writer = await Writer.open(options)
    await writer.call({
      op: 'query',
      text: `create table if not exists store_notice (id integer primary key autoincrement, channel text not null,
        payload text not null, origin text not null, created_at bigint not null)`,
      params: [],
    })
    return writer
  } catch (error) {
    await writer?.close()
    if (!(error instanceof StoreUnavailable)) throw error
    throw new StoreUnavailable(
      `The database ${options.file} cannot be opened (${error.message}). If the file is damaged, put a backup in its place.`,
      { cause: error },
    )
  }
}

/** Reads through a connection of its own, on the calling thread. */
export function openSqliteReader(file: string): SqlQueries {
  let statements: StatementCache | undefined
  return {
    engine: 'sqlite',
    async query<Row extends object>(text: string, params: readonly SqlValue[] = []): Promise<Row[]> {
      checkParams(params)
      try {
        statements ??= new StatementCache(new DatabaseSync(file, { readOnly: true, timeout: READ_BUSY_MS }))
        return statements.all(text, params) as Row[]
      } catch (error) {
        throw mainThreadError(error)
      }
    },
  }
}

const READS = /^\s*(?:select|with)\b/i
const WRITES = /\b(?:insert|update|delete|replace)\b/i

export async function openSqlite(options: SqliteOptions): Promise<Sql> {
  const { file, busyTimeoutMs = 5000, turnTimeoutMs = 10_000, waitingMax = 10_000, clock = systemClock } = options
  const writer = await openWriter({ file, busyTimeoutMs })
  const reader = new DatabaseSync(file, { readOnly: true, timeout: Math.min(busyTimeoutMs, READ_BUSY_MS) })
  const reads = new StatementCache(reader)
  const turns = new Turns(turnTimeoutMs, waitingMax)
  const times = new StatementTimes()
  const readTexts = new Map<string, boolean>()
  const origin = randomUUID()
  const listeners = new Map<string, Set<(payload: string) => void>>()
  let closing: Promise<void> | undefined
  let noticeTimer: NodeJS.Timeout | undefined
  let noticeSeen = 0

  function assertOpen(): void {
    if (closing) throw new StoreUnavailable('the database is closed')
  }

  function isRead(text: string): boolean {
    let read = readTexts.get(text)
    if (read === undefined) {
      read = READS.test(text) && !WRITES.test(text)
      if (readTexts.size >= 1000) readTexts.clear()
      readTexts.set(text, read)
    }
    return read
  }

  function readRows(text: string, params: readonly SqlValue[]): Rows {
    const sinceMs = performance.now()
    try {
      return reads.all(text, params)
    } catch (error) {
      throw mainThreadError(error)
    } finally {
      times.took(text, sinceMs)
    }
  }

  async function query<Row extends object>(text: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    assertOpen()
    checkParams(params)
    if (isRead(text)) return readRows(text, params) as Row[]
    await turns.take()
    const sinceMs = performance.now()
    try {
      return (await writer.call({ op: 'query', text, params })) as Row[]
    } finally {
      times.took(text, sinceMs)
      turns.release()
    }
  }

  async function transaction<T>(
    fn: (tx: SqlTransaction) => Promise<T>,
    { lockTimeoutMs = busyTimeoutMs }: TransactionOptions = {},
  ): Promise<T> {
    assertOpen()
    await turns.take()
    let failure: Error | undefined
    let over = false
    const spoil = (error: Error): never => {
      failure ??= error
      throw error
    }
    // Sent without waiting: the thread answers in order, so the first statement saves a round trip.
    const begun = writer.call({ op: 'begin', lockTimeoutMs }).catch(spoil)
    begun.catch(() => {})
    const tx: SqlTransaction = {
      engine: 'sqlite',
      forUpdate: '',
      forUpdateSkipLocked: '',
      async query<Row extends object>(text: string, params: readonly SqlValue[] = []): Promise<Row[]> {
        if (over) throw new Error('the transaction is over')
        if (failure) throw failure
        try {
          checkParams(params)
        } catch (error) {
          spoil(error as Error)
        }
        const sinceMs = performance.now()
        const answer = writer.call({ op: 'query in transaction', text, params })
        answer.catch(() => {})
        await begun
        try {
          return (await answer.catch(spoil)) as Row[]
        } finally {
          times.took(text, sinceMs)
        }
      },
    }
    try {
      const result = await fn(tx)
      over = true
      await begun
      if (failure) throw failure
      const sinceMs = performance.now()
      await writer.call({ op: 'commit' })
      times.took('commit', sinceMs)
      return result
    } catch (error) {
      over = true
      await writer.call({ op: 'rollback' }).catch(() => {})
      throw error
    } finally {
      turns.release()
    }
  }

  async function run<Input, Output>(
    { module, name, apart, format }: Routine<Input, Output>,
    input: Input,
    { lockTimeoutMs = busyTimeoutMs }: TransactionOptions = {},
  ): Promise<Output> {
    assertOpen()
    await turns.take(true)
    const sinceMs = performance.now()
    try {
      const beside: Partial<Input> = {}
      const rest: Partial<Input> = { ...input }
      for (const field of apart ?? []) {
        beside[field] = input[field]
        rest[field] = undefined
      }
      const call = { op: 'routine', module, name, input: JSON.stringify(rest), apart: beside, lockTimeoutMs } as const
      const output = (await writer.call(call)) as string
      return format ? format.read(output) : (JSON.parse(output) as Output)
    } finally {
      times.took(name, sinceMs)
      turns.release()
    }
  }

  async function tryLock<T>(name: string, fn: () => Promise<T>): Promise<T | undefined> {
    assertOpen()
    let failure: { readonly error: unknown } | undefined
    const lock = tryFileLock(join(`${file}-locks`, `${encodeURIComponent(name)}.lock`), () =>
      fn().catch((error: unknown) => {
        failure = { error }
        throw error
      }),
    )
    // An error that the work itself threw is not the store's.
    const held = await lock.catch((error: unknown) => {
      throw failure ? failure.error : mainThreadError(error)
    })
    return held?.result
  }

  async function dropTraces(): Promise<void> {
    assertOpen()
    await turns.take()
    await writer.call({ op: 'drop traces' }).finally(() => turns.release())
  }

  function deliver(channel: string, payload: string): void {
    for (const listener of listeners.get(channel) ?? []) queueMicrotask(() => listener(payload))
  }

  async function notify(channel: string, payload: string): Promise<void> {
    await transaction(async (tx) => {
      const nowMs = clock.now()
      await Promise.all([
        tx.query('delete from store_notice where created_at < $1', [nowMs - HOUR_MS]),
        tx.query(NOTICE_INSERT, [channel, payload, origin, nowMs]),
      ])
    })
    deliver(channel, payload)
  }

  function lookForNotices(): void {
    try {
      const rows = readRows(
        'select id, channel, payload, origin from store_notice where id > $1 order by id limit 1000',
        [noticeSeen],
      )
      for (const row of rows) {
        noticeSeen = Number(row.id)
        if (row.origin !== origin) deliver(String(row.channel), String(row.payload))
      }
    } catch {
      // Notices are best effort; a caller that needs certainty polls.
    }
  }

  async function listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>> {
    assertOpen()
    if (!noticeTimer) {
      noticeSeen = Number(readRows('select coalesce(max(id), 0) as id from store_notice', [])[0]?.id ?? 0)
      noticeTimer = setInterval(lookForNotices, NOTICE_POLL_MS).unref()
    }
    const ofChannel = listeners.get(channel) ?? new Set()
    listeners.set(channel, ofChannel)
    // Wrapped, so that one function listening twice is two listeners.
    const wrapped = (payload: string) => listener(payload)
    ofChannel.add(wrapped)
    return async () => {
      ofChannel.delete(wrapped)
    }
  }

  async function closeAll(): Promise<void> {
    clearInterval(noticeTimer)
    listeners.clear()
    // Take the last turn: everything requested before the close is finished first.
    await turns.take()
    turns.release()
    reader.close()
    await writer.close()
  }

  return {
    engine: 'sqlite',
    place: { engine: 'sqlite', file },
    routinesAtOnce: ROUTINES_AT_ONCE,
    query,
    transaction,
    run,
    tryLock,
    notify,
    listen,
    dropTraces,
    times,
    get waiting() {
      return turns.waiting
    },
    close() {
      closing ??= closeAll()
      return closing
    },
  }
}

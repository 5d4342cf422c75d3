/** PostgreSQL behind the port of sql.ts: a pool, one connection for notices, and one connection for each lock held. */
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { VERSION } from '../version.ts'
import { driveRounds, type LastRound, type Routine } from './routine.ts'
import { watchSilence } from './silence.ts'
import {
  CommitUnknown,
  checkParams,
  type Sql,
  type SqlTransaction,
  type SqlValue,
  StoreUnavailable,
  type TransactionOptions,
  UniqueViolation,
} from './sql.ts'
import { StatementTimes } from './statement-times.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/name?sslmode=verify-full` */
  readonly url: string
  /**
   * A pooler in front of the same database, such as pgbouncer in transaction mode, for statements and transactions. What
   * belongs to a session (locks, notices) goes to `url`; a session's named statements and timeouts are not used.
   */
  readonly poolerUrl?: string | undefined
  readonly connectionsMax?: number
  readonly connectTimeoutMs?: number
  /** How many callers may wait for a free connection. */
  readonly waitingMax?: number
}

const ATTEMPTS_MAX = 5
const NAMED_STATEMENTS_MAX = 200
const COUNTED_TEXTS_MAX = 1000
const CONNECTION_SECONDS_MAX = 3600
const NOTICE_BYTES_MAX = 7999
const RECONNECT_MS_MAX = 5000
const STATEMENT_TIMEOUT_MS = 30_000

// Serialization failure and deadlock: a retry of the same work often succeeds.
const RETRIED = new Set(['40001', '40P01'])
// Lock not available, not accepting connections, statement cancelled by its timeout, read-only, idle too long in a
// transaction, no such database.
const UNAVAILABLE = new Set(['55P03', '55000', '57014', '25006', '25P03', '3D000'])
// Connection, authorization, resources (disk, memory, connections), operator intervention, system and corruption.
const UNAVAILABLE_CLASSES = new Set(['08', '28', '53', '57', '58', 'XX'])

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error ? error.code : undefined
}

export function storeError(error: unknown): Error {
  if (error instanceof StoreUnavailable || error instanceof RangeError || error instanceof TypeError) return error
  const state = sqlState(error)
  const message = error instanceof Error ? error.message || error.name : String(error)
  if (state === '23505') return new UniqueViolation(message, { cause: error })
  if (state === undefined || UNAVAILABLE.has(state) || UNAVAILABLE_CLASSES.has(state.slice(0, 2))) {
    return new StoreUnavailable(`PostgreSQL: ${message}`, { cause: error })
  }
  return error as Error
}

/** Nothing came back, not even a refusal. */
const NO_ANSWER = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH'])

function isNoAnswer(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException
  return message === 'timeout expired' || NO_ANSWER.has(code ?? '')
}

/** True when the server may have executed a statement although its answer was lost. */
function answerLost(error: unknown): boolean {
  const state = sqlState(error)
  return state === undefined || state.startsWith('08') || state.startsWith('57P')
}

const noAnswer = () => new StoreUnavailable('PostgreSQL does not answer')

function integer(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`the integer ${text} does not fit into a number exactly`)
  }
  return value
}

const INT8 = 20
const NUMERIC = 1700
export const types: pg.CustomTypesConfig = {
  // A sum of bigints is a numeric: it must be parsed to the same kind of number.
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC
      ? integer
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
}

/**
 * Frequent statements get a name, so that each connection parses and plans them once. A connection keeps a limited
 * number of names, the most recently used, and has the server forget the others. A text that becomes frequent late is
 * named too.
 */
class StatementNames {
  readonly #seen = new Map<string, number>()
  readonly #ofConnection = new WeakMap<
    pg.PoolClient,
    { readonly names: Map<string, string>; readonly dropped: string[] }
  >()
  #last = 0

  /** The name to use on this connection. The connection may have to give up another name for it. */
  of(client: pg.PoolClient, text: string): string | undefined {
    const kept = this.#ofConnection.get(client) ?? { names: new Map<string, string>(), dropped: [] }
    this.#ofConnection.set(client, kept)
    const { names, dropped } = kept
    const known = names.get(text)
    if (known !== undefined) {
      // The map is ordered by last use: re-insert at the end.
      names.delete(text)
      names.set(text, known)
      return known
    }
    if (!this.#isFrequent(text)) return undefined
    const name = `assay_${++this.#last}`
    names.set(text, name)
    const [oldest] = names.size > NAMED_STATEMENTS_MAX ? names : []
    if (oldest && names.delete(oldest[0])) dropped.push(oldest[1])
    return name
  }

  /**
   * Has the server forget the dropped names, before the connection's next use. Only outside a transaction: the server
   * does not know a name that was given in an already failed transaction, and its error would spoil the next
   * transaction.
   */
  forgetDropped(client: pg.PoolClient): void {
    const kept = this.#ofConnection.get(client)
    for (const name of kept?.dropped.splice(0) ?? []) client.query(`deallocate ${name}`).catch(() => {})
  }

  #isFrequent(text: string): boolean {
    const count = (this.#seen.get(text) ?? 0) + 1
    if (count > 3) return true
    if (this.#seen.size >= COUNTED_TEXTS_MAX) this.#seen.clear()
    this.#seen.set(text, count)
    return count === 3
  }
}

/** The socket of a connection, which the library's types leave out. */
function streamOf(client: pg.PoolClient): Duplex {
  return (client as pg.PoolClient & { readonly connection: { readonly stream: Duplex } }).connection.stream
}

export async function openPostgres(options: PostgresOptions): Promise<Sql> {
  const { url, poolerUrl, connectionsMax = 10, connectTimeoutMs = 5000, waitingMax = 10_000 } = options
  const connection: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types,
    application_name: `assayd ${VERSION}`,
  }
  const pooled: pg.ClientConfig = { ...connection, connectionString: poolerUrl ?? url }
  const pool = new pg.Pool({
    ...pooled,
    pipeline: true,
    max: connectionsMax,
    idleTimeoutMillis: 30_000,
    // The memory that the server and the driver hold for a connection ends with the connection.
    maxLifetimeSeconds: CONNECTION_SECONDS_MAX,
    // A pooler refuses these; behind one they are settings of the role.
    ...(poolerUrl === undefined
      ? { statement_timeout: STATEMENT_TIMEOUT_MS, idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS }
      : {}),
    // Longer than the server's own timeout: only a silent connection reaches this limit.
    query_timeout: STATEMENT_TIMEOUT_MS + 5000,
  })
  // The pool replaces an idle connection that breaks; without a listener the error would end the process.
  pool.on('error', () => {})
  const connected = new Set<pg.PoolClient>()
  const waiting = new Set<(error: Error) => void>()
  const silence = watchSilence({
    isAwaited: () => pool.totalCount > pool.idleCount || pool.waitingCount > 0,
    answers,
    // Every waiting caller gets its error now. A commit under way becomes a CommitUnknown, as after a broken connection.
    onSilent() {
      for (const client of connected) streamOf(client).destroy()
      for (const reject of waiting) reject(noAnswer())
      waiting.clear()
    },
  })
  pool.on('connect', (client) => {
    connected.add(client)
    streamOf(client).on('data', silence.heard)
  })
  pool.on('remove', (client) => connected.delete(client))
  const names = new StatementNames()
  const times = new StatementTimes()
  let closing: Promise<void> | undefined
  let inFlight = 0
  let drained = () => {}

  /** Counts the work in progress, so that close waits for it. */
  async function whileOpen<T>(work: () => Promise<T>): Promise<T> {
    if (closing) throw new StoreUnavailable('the database is closed')
    inFlight++
    try {
      return await work()
    } finally {
      if (--inFlight === 0) drained()
    }
  }

  /** True if a new connection gets any answer in this time: a refusal is an answer too. */
  async function answers(withinMs: number): Promise<boolean> {
    const client = new pg.Client({ ...pooled, connectionTimeoutMillis: withinMs })
    client.on('error', () => {})
    // A statement too: a pooler in front of the server may take connections while the server is silent.
    const asked = client.connect().then(() => client.query('select 1'))
    const answer = asked.then(
      () => true,
      (error: unknown) => !isNoAnswer(error),
    )
    const answered = await Promise.race([answer, delay(withinMs, false, { ref: false })])
    client.end().catch(() => {})
    return answered
  }

  function connect(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      if (silence.isNow) throw noAnswer()
      if (pool.waitingCount >= waitingMax)
        throw new StoreUnavailable(`${waitingMax} callers are already waiting for a connection`)
      waiting.add(reject)
      pool.connect((error, client, release) => {
        // Absent: the caller already got the error of a silent server.
        if (!waiting.delete(reject)) release()
        else if (error) reject(storeError(error))
        else {
          names.forgetDropped(client!)
          resolve(client!)
        }
      })
    })
  }

  async function run<Row extends object>(client: pg.PoolClient, text: string, params: readonly SqlValue[]) {
    const name = poolerUrl === undefined ? names.of(client, text) : undefined
    const values = params as SqlValue[]
    const sinceMs = performance.now()
    try {
      const result = await client.query<Row>(name === undefined ? { text, values } : { name, text, values })
      return result.rows
    } finally {
      times.took(text, sinceMs)
    }
  }

  async function queryOnce<Row extends object>(text: string, params: readonly SqlValue[]): Promise<Row[]> {
    checkParams(params)
    const client = await connect()
    let broken = false
    const onError = () => {
      broken = true
    }
    client.on('error', onError)
    try {
      return await run<Row>(client, text, params)
    } catch (error) {
      broken ||= sqlState(error) === undefined
      throw storeError(error)
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  async function query<Row extends object>(text: string, params: readonly SqlValue[] = []): Promise<Row[]> {
    return whileOpen(() => queryOnce<Row>(text, params))
  }

  async function attempt<T>(
    fn: (tx: SqlTransaction) => Promise<LastRound<T>>,
    lockTimeoutMs: number | undefined,
  ): Promise<T> {
    const client = await connect()
    let failure: Error | undefined
    let over = false
    let broken = false
    const onError = () => {
      broken = true
    }
    const spoil = (error: Error): never => {
      failure ??= error
      throw error
    }
    client.on('error', onError)
    const stream = streamOf(client)
    let gathering = false
    // The driver writes each statement by itself, and a write costs more than a statement: those of one turn go together.
    const gather = () => {
      if (gathering) return
      gathering = true
      stream.cork()
      process.nextTick(() => {
        gathering = false
        stream.uncork()
      })
    }
    gather()
    // The connection is pipelined: `begin` travels together with the first statement.
    const begun = client
      .query(lockTimeoutMs === undefined ? 'begin' : `begin; set local lock_timeout = ${lockTimeoutMs}`)
      .catch((error) => spoil(storeError(error)))
    begun.catch(() => {})
    const tx: SqlTransaction = {
      engine: 'postgres',
      forUpdate: ' for update',
      forUpdateSkipLocked: ' for update skip locked',
      async query<Row extends object>(text: string, params: readonly SqlValue[] = []): Promise<Row[]> {
        if (over) throw new Error('the transaction is over')
        if (failure) throw failure
        try {
          checkParams(params)
          gather()
          return await run<Row>(client, text, params)
        } catch (error) {
          return spoil(storeError(error))
        }
      },
    }
    let committing = false
    let output: T | undefined
    try {
      const round = await fn(tx)
      output = round.output
      await begun
      if (failure) throw failure
      gather()
      // Sent behind the last statements without waiting for them: after one that failed, `commit` rolls back.
      const written = round.last.map(({ text, params }) => tx.query(text, params).catch(() => {}))
      over = true
      if (failure) throw failure
      committing = true
      let sinceMs = performance.now()
      // The commit's time starts when the earlier statements are done.
      const begin = () => {
        sinceMs = performance.now()
      }
      const [answer] = await Promise.all([client.query('commit'), Promise.all(written).then(begin)])
      times.took('commit', sinceMs)
      committing = false
      if (answer.command !== 'COMMIT') throw failure ?? new Error('PostgreSQL rolled back instead of committing')
      return round.output
    } catch (error) {
      over = true
      broken ||= committing
      if (committing && answerLost(error)) {
        throw new CommitUnknown('PostgreSQL: the connection broke during the commit', { cause: error, output })
      }
      if (!broken) {
        await client.query('rollback').catch(() => {
          broken = true
        })
      }
      // Retry a deadlock even if `fn` caught or changed the error.
      if (failure && RETRIED.has(sqlState(failure) ?? '')) throw failure
      throw committing ? storeError(error) : error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  function transaction<T>(fn: (tx: SqlTransaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return repeatedly(async (tx) => ({ output: await fn(tx), last: [] }), options)
  }

  function runRoutine<Input, Output>(routine: Routine<Input, Output>, input: Input, options: TransactionOptions = {}) {
    return repeatedly((tx) => driveRounds(tx, routine, input), options)
  }

  async function repeatedly<T>(
    fn: (tx: SqlTransaction) => Promise<LastRound<T>>,
    { lockTimeoutMs }: TransactionOptions,
  ): Promise<T> {
    if (lockTimeoutMs !== undefined && !(Number.isInteger(lockTimeoutMs) && lockTimeoutMs > 0)) {
      throw new RangeError(`lockTimeoutMs must be a positive integer, not ${lockTimeoutMs}`)
    }
    for (let attempts = 1; ; attempts++) {
      try {
        return await whileOpen(() => attempt(fn, lockTimeoutMs))
      } catch (error) {
        const state = sqlState(error)
        if (state === undefined || !RETRIED.has(state)) throw error
        if (attempts >= ATTEMPTS_MAX) {
          throw new StoreUnavailable(`PostgreSQL: the transaction failed ${attempts} times`, { cause: error })
        }
        await delay(attempts * (5 + Math.random() * 10))
      }
    }
  }

  async function tryLock<T>(name: string, fn: () => Promise<T>): Promise<T | undefined> {
    if (closing) throw new StoreUnavailable('the database is closed')
    // A session lock on its own connection: the server releases it when this process dies.
    const client = new pg.Client(connection)
    client.on('error', () => {})
    let held: boolean
    try {
      await client.connect()
      const result = await client.query<{ held: boolean }>(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as held',
        [name],
      )
      held = result.rows[0]?.held === true
    } catch (error) {
      await client.end().catch(() => {})
      throw storeError(error)
    }
    try {
      return held ? await fn() : undefined
    } finally {
      await client.end().catch(() => {})
    }
  }

  const listeners = new Map<string, Set<(payload: string) => void>>()
  let noticeClient: pg.Client | undefined
  let noticeConnecting: Promise<void> | undefined
  /** How many notices of this node are still to come back, by channel and payload: it has heard them already. */
  const echoes = new Map<string, number>()
  const keyOf = (channel: string, payload: string) => `${channel} ${payload}`

  function expectEcho(key: string, more: 1 | -1): void {
    const count = (echoes.get(key) ?? 0) + more
    if (count > 0) echoes.set(key, count)
    else echoes.delete(key)
  }

  /** Connects once for all who ask at the same time. */
  function connectNotices(): Promise<void> {
    noticeConnecting ??= openNoticeClient().finally(() => {
      noticeConnecting = undefined
    })
    return noticeConnecting
  }

  async function openNoticeClient(): Promise<void> {
    const client = new pg.Client(connection)
    echoes.clear()
    client.on('notification', ({ channel, payload = '' }) => {
      const key = keyOf(channel, payload)
      if (echoes.has(key)) expectEcho(key, -1)
      else for (const listener of listeners.get(channel) ?? []) listener(payload)
    })
    client.on('error', () => {})
    client.on('end', () => {
      if (noticeClient !== client) return
      noticeClient = undefined
      if (!closing) void keepListening()
    })
    try {
      await client.connect()
      for (const channel of listeners.keys()) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      await client.end().catch(() => {})
      throw storeError(error)
    }
    noticeClient = client
    if (closing) await client.end()
  }

  async function keepListening(): Promise<void> {
    for (let waitMs = 50; !closing && !noticeClient; waitMs = Math.min(waitMs * 2, RECONNECT_MS_MAX)) {
      try {
        await connectNotices()
      } catch {
        // Notices are best effort and listeners poll; the next attempt follows soon.
        await delay(waitMs, undefined, { ref: false })
      }
    }
  }

  async function listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>> {
    if (closing) throw new StoreUnavailable('the database is closed')
    const ofChannel = listeners.get(channel) ?? new Set()
    listeners.set(channel, ofChannel)
    const wrapped = (payload: string) => listener(payload)
    ofChannel.add(wrapped)
    try {
      if (noticeConnecting) await noticeConnecting
      if (noticeClient) await noticeClient.query(`listen ${pg.escapeIdentifier(channel)}`)
      else await connectNotices()
    } catch (error) {
      ofChannel.delete(wrapped)
      throw storeError(error)
    }
    return async () => {
      ofChannel.delete(wrapped)
      if (ofChannel.size > 0 || listeners.get(channel) !== ofChannel) return
      listeners.delete(channel)
      echoes.clear()
      await noticeClient?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => {})
    }
  }

  async function notify(channel: string, payload: string): Promise<void> {
    if (Buffer.byteLength(payload) > NOTICE_BYTES_MAX) {
      throw new RangeError(`a notice contains at most ${NOTICE_BYTES_MAX} bytes: send an id, not the data`)
    }
    const key = keyOf(channel, payload)
    const isHeard = noticeClient !== undefined && listeners.has(channel)
    if (isHeard) expectEcho(key, 1)
    try {
      await query('select pg_notify($1, $2)', [channel, payload])
    } catch (error) {
      if (isHeard) expectEcho(key, -1)
      throw error
    }
    // A caller who changes something and then asks this node gets the change.
    if (isHeard) for (const listener of listeners.get(channel) ?? []) queueMicrotask(() => listener(payload))
  }

  async function closeAll(): Promise<void> {
    listeners.clear()
    await noticeConnecting?.catch(() => {})
    await noticeClient?.end().catch(() => {})
    if (inFlight > 0) {
      await new Promise<void>((resolve) => {
        drained = resolve
      })
    }
    silence.close()
    await pool.end()
  }

  const sql: Sql = {
    engine: 'postgres',
    place: { engine: 'postgres', url },
    routinesAtOnce: 1,
    dropTraces: () => Promise.resolve(),
    query,
    transaction,
    run: runRoutine,
    tryLock,
    notify,
    listen,
    times,
    get waiting() {
      return pool.waitingCount
    },
    close() {
      closing ??= closeAll()
      return closing
    },
  }
  try {
    await query('select 1 as ready')
  } catch (error) {
    await sql.close()
    throw error
  }
  return sql
}

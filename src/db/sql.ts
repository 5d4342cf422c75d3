/**
 * The storage port. Every store.ts is written once, in the SQL both engines share: `$1` placeholders,
 * `on conflict`, `returning`, text ids, `bigint` pence and milliseconds, JSON as text, booleans as 0/1.
 *
 *  1. `query` outside a transaction is one statement, durable when its promise resolves.
 *  2. `transaction` commits when `fn` resolves and rolls back when it throws; the caller gets the error unchanged.
 *  3. A transaction sees its own writes; nobody else sees them before the commit.
 *  4. Writers are serialised on the rows they lock; `fn` may run again after a serialization failure,
 *     so it must have no effect outside the transaction.
 *  5. When the store cannot be reached or cannot write, the error is a StoreUnavailable; when a commit was sent and
 *     its answer never came, the narrower CommitUnknown, because then the transaction may or may not have happened.
 *  6. A statement that fails spoils its transaction: later statements in it are refused, and the transaction rolls
 *     back with that first error even when `fn` caught it.
 *  7. A second row under a unique key is a UniqueViolation.
 *  8. Integers come back as numbers up to 2^53 - 1; a larger one is an error, never a rounded number.
 *  9. `run` is a transaction whose work is a routine (routine.ts), under these rules.
 * 10. Text with U+0000 is refused before it reaches the database (PostgreSQL cannot hold it), as are numbers that are
 *     not finite; a lone surrogate is stored as U+FFFD.
 */
import type { Clock } from '../lib/clock.ts'
import type { Routine, SqlQueries, SqlTransaction, SqlValue } from './routine.ts'
import type { StatementTimes } from './statement-times.ts'

export type { SqlQueries, SqlTransaction, SqlValue } from './routine.ts'

/** A transaction with its time: every row that it writes carries this time. */
export interface Tx extends SqlTransaction {
  readonly nowMs: number
  /**
   * Collects `item` until everything else in the transaction is done; then `write` gets all items collected for it. For
   * rows that many transactions lock: locked last and in one order, they are held briefly and cannot deadlock. Writers
   * run in the order of their `rank`, default 0.
   */
  lastly<T>(write: (tx: SqlTransaction, items: readonly T[]) => Promise<void>, item: T, rank?: number): void
}

/** Runs `fn` as one transaction at the clock's current time. */
export function changeIn<T>(sql: Sql, clock: Pick<Clock, 'now'>, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return sql.transaction(async (tx) => {
    const kept = new Map<unknown, unknown[]>()
    const writes: { readonly rank: number; readonly run: () => Promise<void> }[] = []
    const value = await fn({
      ...tx,
      nowMs: clock.now(),
      lastly(write, item, rank = 0) {
        const items = kept.get(write) ?? []
        if (items.length === 0) {
          kept.set(write, items)
          writes.push({ rank, run: () => write(tx, items as (typeof item)[]) })
        }
        items.push(item)
      },
    })
    for (const { run } of writes.sort((a, b) => a.rank - b.rank)) await run()
    return value
  })
}

export interface TransactionOptions {
  /** How long to wait for a row (SQLite: the file) that another transaction has locked. */
  readonly lockTimeoutMs?: number | undefined
}

export type DatabasePlace =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string }

export interface Sql extends SqlQueries {
  /** Where another thread finds the same database. */
  readonly place: DatabasePlace
  transaction<T>(fn: (tx: SqlTransaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * How many routines on the same rows to run at the same time: on SQLite a few, because waiting routines share a
   * commit; on PostgreSQL one, because the second would wait for the locks of the first.
   */
  readonly routinesAtOnce: number
  /** Runs a routine as one transaction, with as few trips to the database as its rounds allow. */
  run<Input, Output>(routine: Routine<Input, Output>, input: Input, options?: TransactionOptions): Promise<Output>
  /** Runs `fn` while holding a lock of that name across all nodes; undefined when another holds it. */
  tryLock<T>(name: string, fn: () => Promise<T>): Promise<T | undefined>
  /** Notifies every node (this one included) of a change; best effort, listeners also poll. */
  notify(channel: string, payload: string): Promise<void>
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>
  /** How long statements took since the start, and how many callers wait for a connection or a turn to write. */
  readonly times: StatementTimes
  readonly waiting: number
  /** After an erasure: SQLite empties its write-ahead log, unless somebody reads from it. PostgreSQL does so by itself. */
  dropTraces(): Promise<void>
  close(): Promise<void>
}

/** The database cannot be reached, is read-only, full, or timed out: nothing was committed. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable'
}

/** A commit was sent and the connection broke before the answer: the transaction may or may not have happened. */
export class CommitUnknown extends StoreUnavailable {
  override name = 'CommitUnknown'
  /** The transaction's result, if it was committed. */
  readonly output: unknown

  constructor(message: string, options?: { cause?: unknown; output?: unknown }) {
    super(message, options)
    this.output = options?.output
  }
}

export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
}

/** Rule 10: throws for a value that one of the engines could not hold. */
export function checkParams(params: readonly SqlValue[]): void {
  for (let i = 0; i < params.length; i++) {
    const value = params[i]
    if (typeof value === 'string') {
      if (value.includes('\0'))
        throw new RangeError(`parameter $${i + 1} contains U+0000, which the store cannot represent`)
    } else if (typeof value === 'number') {
      const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value)
      if (!exact) throw new RangeError(`parameter $${i + 1} is a number the store cannot represent exactly: ${value}`)
    } else if (value !== null && !(value instanceof Uint8Array)) {
      throw new TypeError(`parameter $${i + 1} is of type ${typeof value}; use text, a number, null or bytes`)
    }
  }
}

const VALUES_LISTS_MAX = 500
const valuesLists = new Map<string, string>()

/** `($1,$2),($3,$4)` for a multi-row insert of `rows` rows with `columns` columns, numbered from `first`. */
export function valuesList(rows: number, columns: number, first = 1): string {
  const name = `${rows} ${columns} ${first}`
  const known = valuesLists.get(name)
  if (known !== undefined) return known
  let next = first
  const tuples: string[] = []
  for (let row = 0; row < rows; row++) {
    const marks: string[] = []
    for (let column = 0; column < columns; column++) marks.push(`$${next++}`)
    tuples.push(`(${marks.join(',')})`)
  }
  const list = tuples.join(',')
  if (valuesLists.size < VALUES_LISTS_MAX) valuesLists.set(name, list)
  return list
}

/**
 * A condition: the column contains the text, in any case and alphabet. PostgreSQL's `lower` knows only the letters of its
 * locale, so there each letter is looked for in both forms; SQLite's `like` ignores the case of ASCII at a tenth of the cost.
 */
export function containsText({ engine }: SqlQueries, column: string, text: string, mark: (value: string) => string) {
  if (engine === 'postgres') return `${column} ~ ${mark(Array.from(text, bothForms).join(''))}`
  const part = mark(`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`)
  return `${/^[ -~]*$/.test(text) ? column : `lower(${column})`} like ${part} escape '\\'`
}

function bothForms(letter: string): string {
  const forms = new Set([letter, letter.toLowerCase(), letter.toUpperCase()])
  return `(?:${[...forms].map((form) => form.replace(/[!-/:-@[-`{-~]/g, '\\$&')).join('|')})`
}

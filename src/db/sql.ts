/**
 * The storage port. Every store.ts is written once, in the SQL both engines share: `$1` placeholders,
 * `on conflict`, `returning`, text ids, `bigint` pence and milliseconds, JSON as text, booleans as 0/1.
 *
 *  1. `query` outside a transaction is one statement, durable when its promise resolves.
 *  2. `transaction` commits when `fn` resolves and rolls back when it throws; the error comes through unchanged.
 *  3. A transaction sees its own writes; nobody else sees them before the commit.
 *  4. Writers are serialised on the rows they lock; `fn` may run again after a serialization failure,
 *     so it must have no effect outside the transaction.
 *  5. When the store cannot be reached or cannot write, the error is a StoreUnavailable.
 */
export type SqlValue = string | number | null | Uint8Array

export interface SqlQueries {
  readonly engine: 'sqlite' | 'postgres'
  query<Row extends object = Record<string, SqlValue>>(text: string, params?: readonly SqlValue[]): Promise<Row[]>
}

export interface SqlTransaction extends SqlQueries {
  /**
   * Appended to a `select … order by id` inside a transaction to lock the rows read: `for update` on PostgreSQL,
   * nothing on SQLite, where a transaction already is the only writer.
   */
  readonly forUpdate: string
  /** As forUpdate, but rows locked by somebody else are left out instead of waited for. */
  readonly forUpdateSkipLocked: string
}

export interface Sql extends SqlQueries {
  transaction<T>(fn: (tx: SqlTransaction) => Promise<T>, options?: { readonly lockTimeoutMs?: number }): Promise<T>
  /** Runs `fn` while holding a lock of that name across all nodes; undefined when another holds it. */
  tryLock<T>(name: string, fn: () => Promise<T>): Promise<T | undefined>
  /** Tells every node (this one included) that something changed; best effort, listeners also poll. */
  notify(channel: string, payload: string): Promise<void>
  listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>>
  /** A consistent copy of the whole database into a file (SQLite only; PostgreSQL has its own tools). */
  backup?(file: string): Promise<void>
  close(): Promise<void>
}

/** The database cannot be reached, is read-only, full, or timed out: nothing was committed. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StoreUnavailable'
  }
}

/** `($1,$2),($3,$4)` for a multi-row insert of `rows` rows with `columns` columns, numbered from `first`. */
export function valuesList(rows: number, columns: number, first = 1): string {
  let next = first
  const tuples: string[] = []
  for (let row = 0; row < rows; row++) {
    const marks: string[] = []
    for (let column = 0; column < columns; column++) marks.push(`$${next++}`)
    tuples.push(`(${marks.join(',')})`)
  }
  return tuples.join(',')
}

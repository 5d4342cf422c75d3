/** Parameters, results and the runner of a statement. The rules for them are in sql.ts. */

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
  /** Like forUpdate, but skips rows locked by another transaction instead of waiting. */
  readonly forUpdateSkipLocked: string
}

/** What a statement is given and what runs it. The rules that hold for these stand in sql.ts. */

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

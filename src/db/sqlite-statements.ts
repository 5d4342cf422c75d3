import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { SqlValue } from './sql.ts'

const STATEMENTS_MAX = 256

interface Prepared {
  readonly statement: StatementSync
  /** The parameter at each `?`; undefined when the parameters are in order, once each. */
  readonly order: readonly number[] | undefined
  /** The names of its columns, once it has found rows. */
  names: readonly string[]
}

/**
 * Cache of the prepared statements of one connection, the most recently used. `$1` is rewritten to a bare `?`: SQLite
 * looks numbered and named parameters up one by one, which is quadratic and 50 times slower for a statement of 4,000
 * values.
 */
export class StatementCache {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(database: DatabaseSync) {
    this.#database = database
    // SQLite's own makes only ASCII small. No index may use it.
    database.function('lower', { deterministic: true }, (text) => (text === null ? null : String(text).toLowerCase()))
  }

  all(text: string, params: readonly SqlValue[]): Record<string, SqlValue>[] {
    const prepared = this.#prepare(text)
    const rows = prepared.statement.all(...valuesOf(params, prepared.order)) as unknown as SqlValue[][]
    const [first] = rows
    if (first === undefined) return []
    // A migration adds columns to a `select *`.
    if (prepared.names.length !== first.length) prepared.names = prepared.statement.columns().map(({ name }) => name)
    return asObjects(rows, prepared.names)
  }

  /** For a statement whose rows nobody reads: a quarter cheaper. */
  run(text: string, params: readonly SqlValue[]): void {
    const { statement, order } = this.#prepare(text)
    statement.run(...valuesOf(params, order))
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text)
    if (known) {
      this.#prepared.delete(text)
      this.#prepared.set(text, known)
      return known
    }
    const order: number[] = []
    const rewritten = text.replace(/\$(\d+)/g, (_, digits: string) => {
      order.push(Number(digits) - 1)
      return '?'
    })
    const inOrder = order.every((index, position) => index === position)
    const statement = this.#database.prepare(rewritten)
    statement.setReturnArrays(true)
    const prepared: Prepared = { statement, order: inOrder ? undefined : order, names: [] }
    this.#prepared.set(text, prepared)
    if (this.#prepared.size > STATEMENTS_MAX) this.#prepared.delete(this.#prepared.keys().next().value!)
    return prepared
  }
}

/** The objects that Node makes are hash tables: made and read at half the speed. */
function asObjects(rows: readonly SqlValue[][], names: readonly string[]): Record<string, SqlValue>[] {
  return rows.map((values) => {
    const row: Record<string, SqlValue> = {}
    for (let i = 0; i < names.length; i++) row[names[i] as string] = values[i] as SqlValue
    return row
  })
}

function valuesOf(params: readonly SqlValue[], order: readonly number[] | undefined): SqlValue[] {
  return order ? order.map((index) => params[index] ?? null) : (params as SqlValue[])
}

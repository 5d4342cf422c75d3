/**
 * Reads a whole database as of one moment while others write to it. Rows come in pieces, so that the size of a table
 * does not matter, and nobody is locked out: SQLite's log and PostgreSQL's row versions keep what the reader still
 * needs.
 */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { DatabasePlace } from './open.ts'
import { storeError, types } from './postgres.ts'
import type { SqlQueries, SqlValue } from './sql.ts'
import { StatementCache } from './sqlite-statements.ts'

export interface WholeRead extends SqlQueries {
  /** The rows of a statement as arrays of values: up to a few thousand at a time, fewer where they are long. */
  pieces(text: string): AsyncIterable<readonly (readonly SqlValue[])[]>
}

const PIECE_ROWS = 2000
/** About the size limit of a piece: an answer stored for a retry may have megabytes. */
const PIECE_CHARACTERS = 1 << 20
/** The number of rows to read first from a PostgreSQL table, before the length of its rows is known. */
const FIRST_ROWS = 20
const CONNECT_TIMEOUT_MS = 10_000

export function readWhole<T>(place: DatabasePlace, fn: (read: WholeRead) => Promise<T>): Promise<T> {
  return place.engine === 'sqlite' ? readSqlite(place.file, fn) : readPostgres(place.url, fn)
}

async function readSqlite<T>(file: string, fn: (read: WholeRead) => Promise<T>): Promise<T> {
  using database = new DatabaseSync(file, { readOnly: true, timeout: CONNECT_TIMEOUT_MS })
  database.exec('begin')
  return await fn({
    ...queriesOf(database),
    async *pieces(text) {
      const statement = database.prepare(text)
      statement.setReturnArrays(true)
      let piece: SqlValue[][] = []
      let characters = 0
      for (const one of statement.iterate()) {
        const row = one as unknown as SqlValue[]
        piece.push(row)
        characters += lengthOf(row)
        if (piece.length < PIECE_ROWS && characters < PIECE_CHARACTERS) continue
        yield piece
        piece = []
        characters = 0
      }
      if (piece.length > 0) yield piece
    },
  })
}

async function readPostgres<T>(url: string, fn: (read: WholeRead) => Promise<T>): Promise<T> {
  return withClient(url, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    return fn({
      ...queriesOf(client),
      async *pieces(text) {
        await client.query(`declare piece no scroll cursor for ${text}`)
        for (let count = FIRST_ROWS; ; ) {
          const { rows } = await client.query<SqlValue[]>({ text: `fetch ${count} from piece`, rowMode: 'array' })
          if (rows.length === 0) break
          yield rows
          const longest = rows.reduce((most, row) => Math.max(most, lengthOf(row)), 1)
          count = Math.max(1, Math.min(PIECE_ROWS, Math.floor(PIECE_CHARACTERS / longest)))
        }
        await client.query('close piece')
      },
    })
  })
}

/** The statements of one connection, outside the pool and the writer. */
export function queriesOf(connection: DatabaseSync | pg.Client): SqlQueries {
  if (connection instanceof pg.Client) {
    return {
      engine: 'postgres',
      query: async <Row extends object>(text: string, params: readonly SqlValue[] = []) =>
        (await connection.query<Row>(text, params as SqlValue[])).rows,
    }
  }
  const statements = new StatementCache(connection)
  return {
    engine: 'sqlite',
    query: async <Row extends object>(text: string, params: readonly SqlValue[] = []) =>
      statements.all(text, params) as Row[],
  }
}

function lengthOf(row: readonly SqlValue[]): number {
  let length = row.length
  for (const value of row) if (typeof value === 'string') length += value.length
  return length
}

/** A separate connection without the pool's time limits: this work takes longer than any request may. */
export async function withClient<T>(url: string, fn: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types,
    application_name: 'assayd backup',
  })
  // The promise of the running work reports the error; without a listener the error would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    // A role or a database may have its own limits; older servers do not know the transaction limit.
    await client.query(
      `select set_config(name, '0', false) from pg_settings where name in
       ('statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout', 'transaction_timeout')`,
    )
    return await fn(client)
  } catch (error) {
    throw error instanceof pg.DatabaseError || isConnectionError(error) ? storeError(error) : error
  } finally {
    await client.end().catch(() => {})
  }
}

const isConnectionError = (error: unknown) =>
  error instanceof Error && ('syscall' in error || /^Connection terminated|^timeout e/.test(error.message))

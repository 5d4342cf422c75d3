/**
 * Writes a whole database into an empty place: it appears complete, or not at all. PostgreSQL gets one transaction;
 * SQLite gets a file with another name, which the caller renames.
 */
import { DatabaseSync } from 'node:sqlite'
import { syncPath } from '../lib/whole-file.ts'
import { MIGRATION_TABLE, type Migration, statementsOf } from './migrate.ts'
import { rowsToInsert } from './multi-row.ts'
import type { DatabasePlace } from './open.ts'
import type { TableShape } from './shape.ts'
import type { SqlQueries, SqlValue } from './sql.ts'
import { queriesOf, withClient } from './whole-read.ts'

export interface WholeWrite extends SqlQueries {
  insert(table: TableShape, rows: readonly (readonly SqlValue[])[]): Promise<void>
}

/** Creates the empty tables of these migrations and lets `fn` fill them. */
export function writeWhole<T>(
  place: DatabasePlace,
  migrations: readonly Migration[],
  fn: (write: WholeWrite) => Promise<T>,
): Promise<T> {
  const fill = (write: SqlQueries) => fillWith(write, migrations, fn)
  return place.engine === 'sqlite' ? writeSqlite(place.file, fill) : writePostgres(place.url, fill)
}

async function fillWith<T>(write: SqlQueries, migrations: readonly Migration[], fn: (write: WholeWrite) => Promise<T>) {
  await write.query(MIGRATION_TABLE)
  for (const migration of migrations) {
    for (const statement of statementsOf(migration, write.engine)) await write.query(statement)
  }
  return fn({
    ...write,
    async insert(table, rows) {
      const columns = table.columns.map(({ name, type }, i) => ({
        name,
        type,
        of: (row: readonly SqlValue[]) => row[i] as string | number | null,
      }))
      for (const { text, params } of rowsToInsert(write, { table: table.name, columns, rows })) {
        await write.query(text, params)
      }
    },
  })
}

async function writeSqlite<T>(file: string, fn: (write: SqlQueries) => Promise<T>): Promise<T> {
  // Nobody relies on this file before it has its name: until then a journal or a sync would only cost time.
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true })
  try {
    database.exec('pragma journal_mode = off')
    database.exec('pragma synchronous = off')
    database.exec('begin')
    const result = await fn(queriesOf(database))
    database.exec('commit')
    return result
  } finally {
    database.close()
    syncPath(file, 'r+')
  }
}

export class PlaceNotEmpty extends Error {
  override name = 'PlaceNotEmpty'
  readonly tables: readonly string[]
  constructor(tables: readonly string[]) {
    super(`the database already contains tables: ${tables.join(', ')}`)
    this.tables = tables
  }
}

async function writePostgres<T>(url: string, fn: (write: SqlQueries) => Promise<T>): Promise<T> {
  return withClient(url, async (client) => {
    await client.query('begin')
    // A node that starts in the meantime waits for this lock, as it waits for another node that migrates.
    await client.query(`select pg_advisory_xact_lock(hashtextextended('migrate', 0))`)
    const write = queriesOf(client)
    const tables = await tablesIn(write)
    if (tables.length > 0) throw new PlaceNotEmpty(tables)
    const result = await fn(write)
    await client.query('commit')
    return result
  })
}

/** The tables of a PostgreSQL database in the schema where Assay would create its own. */
export async function tablesIn(sql: SqlQueries): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema() order by tablename`,
  )
  return rows.map(({ name }) => name)
}

/** Drops constraints that only new rows must meet (`not valid`) while `fn` inserts older rows that violate them. */
export async function withoutRulesForNewRows(sql: SqlQueries, fn: () => Promise<void>): Promise<void> {
  if (sql.engine === 'sqlite') return fn()
  const rules = await sql.query<{ owner: string; name: string; definition: string }>(
    `select conrelid::regclass::text as owner, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where not convalidated and connamespace = current_schema()::regnamespace`,
  )
  for (const { owner, name } of rules) await sql.query(`alter table ${owner} drop constraint ${name}`)
  await fn()
  for (const { owner, name, definition } of rules) {
    await sql.query(`alter table ${owner} add constraint ${name} ${definition}`)
  }
}

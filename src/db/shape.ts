/** The tables that a list of migrations creates, found by creating them in memory: identical on both engines. */
import { DatabaseSync } from 'node:sqlite'
import { MIGRATION_TABLE, type Migration, statementsOf } from './migrate.ts'

export interface TableShape {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: 'text' | 'bigint' }[]
}

/**
 * Tables whose content is created again automatically: the current intelligence and the copies that other nodes fetch,
 * facts looked up, notices between processes, the proof that writing works, the reports of nodes about themselves.
 */
const MADE_AGAIN = new Set([
  'snapshot',
  'snapshot_chunk',
  'feed_copy',
  'live_fact',
  'store_notice',
  'readiness',
  'node',
])

/** The tables that a backup needs, each after the tables that its rows refer to. */
export function shapesOf(migrations: readonly Migration[]): TableShape[] {
  using database = new DatabaseSync(':memory:')
  database.exec(MIGRATION_TABLE)
  for (const migration of migrations) {
    for (const statement of statementsOf(migration, 'sqlite')) database.exec(statement)
  }
  const names = list(database, `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`)
  const shapes: TableShape[] = []
  const place = (name: string): void => {
    if (MADE_AGAIN.has(name) || shapes.some((shape) => shape.name === name)) return
    for (const other of list(database, `select "table" as name from pragma_foreign_key_list('${name}')`)) {
      if (other !== name) place(other)
    }
    shapes.push({ name, columns: columnsOf(database, name) })
  }
  for (const name of names) place(name)
  return shapes
}

function list(database: DatabaseSync, text: string): string[] {
  return database
    .prepare(text)
    .all()
    .map(({ name }) => String(name))
}

function columnsOf(database: DatabaseSync, table: string): TableShape['columns'] {
  const rows = database.prepare(`select name, lower(type) as type from pragma_table_info('${table}')`).all()
  return rows.map(({ name, type }) => {
    if (type === 'text') return { name: String(name), type }
    if (type === 'bigint' || type === 'integer') return { name: String(name), type: 'bigint' }
    throw new Error(`${table}.${name} is of type ${type}, which a backup does not know`)
  })
}

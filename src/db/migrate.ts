/**
 * Forward-only migrations: `migrations/NNNN_name.sql`, applied in order, each in a transaction, under a lock, so that
 * any number of nodes may start at the same time. Each applied migration is recorded with a checksum of its file.
 *
 * The files are shared by both engines. A statement ends with a `;` at the end of a line. Where the engines cannot
 * share a statement, it is written between two marker lines, once per engine, and may contain any number of `;`:
 *
 *     -- only sqlite
 *     create trigger … begin …; end;
 *     -- end
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../lib/clock.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { VERSION } from '../version.ts'
import type { Sql, SqlQueries } from './sql.ts'

export interface Migration {
  readonly name: string
  readonly text: string
}

const WAIT_MS = 50
const WAITS_MAX = 1200

export function readMigrations(folder = fileURLToPath(new URL('./migrations/', import.meta.url))): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
  const numbers = new Set<string>()
  return files.map((file) => {
    const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1]
    if (number === undefined) throw new Error(`${file}: a migration is named NNNN_words.sql`)
    if (numbers.has(number)) throw new Error(`${file}: another migration has the number ${number}`)
    numbers.add(number)
    return { name: file.slice(0, -4), text: readFileSync(`${folder}/${file}`, 'utf8').replaceAll('\r\n', '\n') }
  })
}

/** The state of the database that a program knows. Its version number stays the same until the next release. */
export const newestMigration = (): string => readMigrations().at(-1)!.name

export function statementsOf(migration: Migration, engine: Sql['engine']): string[] {
  const statements: string[] = []
  let lines: string[] = []
  let only: string | undefined
  const flush = () => {
    const text = lines.join('\n').trim()
    lines = []
    if (text !== '' && (only === undefined || only === engine)) statements.push(text)
  }
  for (const line of migration.text.split('\n')) {
    const marker = /^-- (only (sqlite|postgres)|end)$/.exec(line)
    if (marker) {
      if ((marker[1] === 'end') !== (only !== undefined)) throw new Error(`${migration.name}: unpaired "${line}"`)
      flush()
      only = marker[2]
      continue
    }
    if (/^\s*--/.test(line)) continue
    lines.push(line)
    if (only === undefined && /;\s*$/.test(line)) flush()
  }
  if (only !== undefined) throw new Error(`${migration.name}: "-- only ${only}" has no "-- end"`)
  flush()
  return statements
}

/** The database does not fit this program. The message says what to do. */
export class SchemaRefused extends Error {
  override name = 'SchemaRefused'
}

interface Recorded {
  readonly name: string
  readonly checksum: string
  /** Absent in a database from before versions were recorded. */
  readonly program_version?: string | null
}

export type SchemaState = Awaited<ReturnType<typeof readSchema>>

/**
 * The applied migrations (empty where there is no Assay database yet) and those that the database lacks, in order. Throws
 * SchemaRefused for a database that this program must not touch.
 */
export async function readSchema(sql: SqlQueries, migrations: readonly Migration[] = readMigrations()) {
  const recorded = await readRecorded(sql)
  refuseForeign(recorded, migrations)
  const done = new Set(recorded.map(({ name }) => name))
  return {
    applied: recorded.map(({ name }) => name),
    missing: migrations.map(({ name }) => name).filter((name) => !done.has(name)),
  }
}

const HAS_RECORD = {
  sqlite: `select 1 as there from sqlite_master where name = 'schema_migration'`,
  // Only the schema where tables would be created: a schema further along the search path may belong to another
  // installation.
  postgres: `select 1 as there from pg_tables where schemaname = current_schema() and tablename = 'schema_migration'`,
}

async function readRecorded(sql: SqlQueries): Promise<Recorded[]> {
  if ((await sql.query(HAS_RECORD[sql.engine])).length === 0) return []
  return sql.query<Recorded & object>('select * from schema_migration order by name')
}

function refuseForeign(recorded: readonly Recorded[], migrations: readonly Migration[]): void {
  const known = new Map(migrations.map((migration) => [migration.name, checksumOf(migration)]))
  const unknown = recorded.filter(({ name }) => !known.has(name)).at(-1)
  if (unknown) {
    const writer = unknown.program_version ? `by Assay ${unknown.program_version}` : 'by a newer version of Assay'
    throw new SchemaRefused(
      `The database was written ${writer}; this is Assay ${VERSION}, which does not know the migration ${unknown.name}. ` +
        'Run the newer version, or restore a backup made before the upgrade.',
    )
  }
  const altered = recorded.find(({ name, checksum }) => known.get(name) !== checksum)
  if (altered) {
    throw new SchemaRefused(
      `The migration ${altered.name} was altered after it was applied to this database. ` +
        'Put the file back as released and make the change in a new migration.',
    )
  }
}

const checksumOf = (migration: Migration): string => sha256Hex(migration.text)

/** The table of applied migrations, as it is before the first migration. */
export const MIGRATION_TABLE = `create table if not exists schema_migration
  (name text primary key, checksum text not null, applied_at bigint not null)`

export async function migrate(sql: Sql, migrations: readonly Migration[] = readMigrations()) {
  for (let waits = 0; waits < WAITS_MAX; waits++) {
    const result = await sql.tryLock('migrate', () => applyPending(sql, migrations))
    if (result) return result
    // Another node is migrating: wait for it, then find nothing to do.
    await delay(WAIT_MS)
  }
  throw new Error('another process has been migrating this database for a minute; it may be stuck')
}

async function applyPending(sql: Sql, migrations: readonly Migration[]): Promise<{ applied: string[] }> {
  const { applied, missing } = await readSchema(sql, migrations)
  if (applied.length > 0 && missing.includes(CHAIN)) await refuseBesideOld(sql)
  if (missing.length > 0) await sql.query(MIGRATION_TABLE)
  for (const migration of migrations) if (missing.includes(migration.name)) await applyOne(sql, migration)
  return { applied: [...missing] }
}

/** From here on entries are a hash chain, and a node of 1.0.0 could no longer charge. */
const CHAIN = '0017_chain'

/** Later versions have their number in the name of their connections. */
async function refuseBesideOld(sql: Sql): Promise<void> {
  if (sql.engine !== 'postgres') return
  const [old] = await sql.query<{ n: number }>(
    `select count(*) as n from pg_stat_activity where datname = current_database() and application_name = 'assayd'`,
  )
  if (old!.n === 0) return
  throw new SchemaRefused(
    `Nodes of Assay 1.0.0 still use this database (${old!.n} connections). Stop all of them first: ` +
      'they could no longer charge after the migration. Nothing was changed.',
  )
}

/** The first migration whose record contains the program version. */
const VERSIONED_FROM = '0023_program_version'

async function applyOne(sql: Sql, migration: Migration): Promise<void> {
  const { name } = migration
  try {
    await sql.transaction(async (tx) => {
      for (const statement of statementsOf(migration, sql.engine)) await tx.query(statement)
      const insert = 'insert into schema_migration (name, checksum, applied_at) values ($1, $2, $3)'
      await tx.query(insert, [name, checksumOf(migration), systemClock.now()])
      if (name >= VERSIONED_FROM) {
        await tx.query('update schema_migration set program_version = $1 where name = $2', [VERSION, name])
      }
    })
  } catch (error) {
    throw new Error(`the migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

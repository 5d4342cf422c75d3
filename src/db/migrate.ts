/**
 * Forward-only migrations: `migrations/NNNN_name.sql`, applied in order, each in a transaction, under a lock that makes
 * any number of nodes starting at once safe. What was applied is recorded with a checksum of the file.
 *
 * The files are shared by both engines. A statement ends with a `;` at the end of a line. Where the engines cannot
 * share a statement, it stands between two marker lines, once per engine, and may hold any number of `;`:
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
import type { Sql } from './sql.ts'

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

/** The statements of a migration for one engine. */
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

export async function migrate(sql: Sql, migrations = readMigrations()): Promise<{ applied: string[] }> {
  for (let waits = 0; waits < WAITS_MAX; waits++) {
    const result = await sql.tryLock('migrate', () => applyPending(sql, migrations))
    if (result) return result
    // Another node is migrating: wait for it, then find nothing left to do.
    await delay(WAIT_MS)
  }
  throw new Error('another process has been migrating this database for a minute; is it stuck?')
}

async function applyPending(sql: Sql, migrations: readonly Migration[]): Promise<{ applied: string[] }> {
  await sql.query(`create table if not exists schema_migration
    (name text primary key, checksum text not null, applied_at bigint not null)`)
  const recorded = await sql.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration order by name',
  )
  const known = new Map(migrations.map((migration) => [migration.name, sha256Hex(migration.text)]))
  for (const { name, checksum } of recorded) {
    const expected = known.get(name)
    if (expected === undefined) {
      throw new Error(
        `the database has the migration ${name}, which this version does not know: it was written by a newer version. ` +
          'Start that version, or restore a backup made before the upgrade.',
      )
    }
    if (expected !== checksum) {
      throw new Error(
        `the migration ${name} was altered after it was applied to this database. ` +
          'Put the file back as released and make the change in a new migration.',
      )
    }
  }
  const done = new Set(recorded.map((row) => row.name))
  const applied: string[] = []
  for (const migration of migrations) {
    if (done.has(migration.name)) continue
    await applyOne(sql, migration, known.get(migration.name) ?? '')
    applied.push(migration.name)
  }
  return { applied }
}

async function applyOne(sql: Sql, migration: Migration, checksum: string): Promise<void> {
  try {
    await sql.transaction(async (tx) => {
      for (const statement of statementsOf(migration, sql.engine)) await tx.query(statement)
      await tx.query('insert into schema_migration (name, checksum, applied_at) values ($1, $2, $3)', [
        migration.name,
        checksum,
        systemClock.now(),
      ])
    })
  } catch (error) {
    throw new Error(`the migration ${migration.name} failed: ${(error as Error).message}`, { cause: error })
  }
}

import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, inject } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import type { Sql } from '../../src/db/sql.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { FULL } from './full.ts'
import { administer, databaseUrl } from './postgres.ts'
import { Recording } from './query-plans.ts'

/** The place of a store, so that a test can open it twice, as two nodes would. */
export type StorePlace =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string }

export type OpenPlaceOptions = { readonly busyTimeoutMs?: number; readonly connectionsMax?: number }

export function openPlace(place: StorePlace, options: OpenPlaceOptions = {}): Promise<Sql> {
  // A busy machine may be slow to connect or to write: allow more time, because this is no fault of the store.
  return place.engine === 'sqlite'
    ? openSqlite({ file: place.file, busyTimeoutMs: 30_000, turnTimeoutMs: 60_000, ...options })
    : openPostgres({ url: place.url, poolerUrl: throughPooler(place.url), connectTimeoutMs: 30_000, ...options })
}

/** `npm run test:cluster` runs the rules through a pooler. */
function throughPooler(url: string): string | undefined {
  const port = inject('poolerPort')
  return port === undefined ? undefined : Object.assign(new URL(url), { port: String(port) }).href
}

export interface CreatedPlace {
  readonly place: StorePlace
  /** Deletes the database. */
  remove(): Promise<void>
}

/** A new, empty database on that engine. */
export function createPlace(engine: StorePlace['engine']): Promise<CreatedPlace> {
  // From a template that nobody may connect to: copying a database waits for its connections.
  return engine === 'sqlite' ? createSqlitePlace() : createPostgresPlace('template0')
}

/** A new database of the current schema, as `migrate` leaves an empty one. */
export async function createMigratedPlace(engine: StorePlace['engine']): Promise<CreatedPlace> {
  const migrated = inject('migrated')
  if (engine === 'postgres') return createPostgresPlace(migrated.postgres)
  const created = await createSqlitePlace()
  await copyFile(migrated.sqlite, created.place.file)
  return created
}

async function createSqlitePlace() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-sqlite-'))
  return {
    place: { engine: 'sqlite' as const, file: join(folder, 'assay.db') },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function createPostgresPlace(template: string) {
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copied file by file: a copy through the write-ahead log takes twice the work, and so does dropping it.
  await administer(server, `create database ${name} template ${template} strategy file_copy`)
  return {
    place: { engine: 'postgres' as const, url: databaseUrl(server, name) },
    remove: () => administer(server, `drop database ${name} with (force)`),
  }
}

type Engine = StorePlace['engine']

export const ENGINES: readonly Engine[] = ['sqlite', 'postgres']

/** The engines of the rule suites: SQLite in `npm test`, both in `npm run test:full`. */
export const RULE_ENGINES: readonly Engine[] = FULL ? ENGINES : ['sqlite']

/**
 * `open` opens one more store on the suite's own database (the first call creates it); at the end of the suite every
 * store is closed and the database deleted.
 */
type Suite = (open: (options?: OpenPlaceOptions) => Promise<Sql>, engine: Engine) => void

/**
 * Runs a suite on both engines: for behaviour that depends on the engine (the storage port, locks, races between nodes,
 * time).
 */
export function describeEachStore(name: string, suite: Suite): void {
  describeStores(ENGINES, name, suite)
}

/**
 * Runs a suite of rules, which are written once in the SQL that both engines share. When it runs on SQLite alone,
 * PostgreSQL still plans every statement of the suite: a statement that PostgreSQL refuses fails the suite.
 */
export function describeRules(name: string, suite: Suite): void {
  describeStores(RULE_ENGINES, name, suite)
}

function describeStores(engines: readonly Engine[], name: string, suite: Suite): void {
  describe.each(engines)(`${name} on %s`, (engine) => {
    let ready: Promise<CreatedPlace> | undefined
    const opened: Sql[] = []
    const recording = new Recording()

    afterAll(async () => {
      for (const sql of opened) await sql.close()
      await (await ready)?.remove()
      for (const planner of new Set([engine, 'postgres' as const])) await recording.expectIndexed(planner)
    })

    suite(async (options) => {
      ready ??= createMigratedPlace(engine)
      const sql = await openPlace((await ready).place, options)
      opened.push(sql)
      return recording.of(sql)
    }, engine)
  })
}

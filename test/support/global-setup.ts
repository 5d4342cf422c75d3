import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { startPgbouncer } from '../cluster/programs.ts'
import { needsBuild } from './fresh-build.ts'
import { launchBrowserServer } from './launch-browser.ts'
import { administer, databaseUrl, startPostgres } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    browserEndpoint: string
    /** Databases of the current schema without rows: stores of tests start as copies of them. */
    migrated: { readonly sqlite: string; readonly postgres: string }
    /** The folder of the filled database for checking query plans. */
    filledFolder: string
    /** Of a pgbouncer in front of the PostgreSQL, in \`npm run test:cluster\`. */
    poolerPort: number | undefined
  }
}

/**
 * This server need not survive a power cut, and lives for minutes: tests of that, and of standbys, start their own.
 * Vacuuming visits hundreds of databases, none of which grows.
 */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'checkpoint_timeout=3600',
  'autovacuum=off',
]

/**
 * One real PostgreSQL and one real browser for the whole run. The run fails if either is unavailable: neither is ever
 * skipped.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, browser] = await Promise.all([
    startPostgres({ settings: SETTINGS }),
    needsBuild(project) ? launchBrowserServer() : undefined,
  ])
  if (browser) project.provide('browserEndpoint', browser.wsEndpoint())
  project.provide('postgresUrl', postgres.url)
  const pooler = process.env.POOLER ? await startPgbouncer(postgres.url) : undefined
  project.provide('poolerPort', pooler?.port)
  const folder = mkdtempSync(join(tmpdir(), 'assay-filled-'))
  project.provide('filledFolder', folder)
  const migrated = { sqlite: join(folder, 'migrated.db'), postgres: 'migrated' }
  await Promise.all([migrateSqlite(migrated.sqlite), migratePostgres(postgres.url, migrated.postgres)])
  project.provide('migrated', migrated)
  return async () => {
    rmSync(folder, { recursive: true, force: true })
    await browser?.close()
    await pooler?.close()
    await postgres.stop()
  }
}

async function migrateSqlite(file: string): Promise<void> {
  const sql = await openSqlite({ file })
  await migrate(sql)
  await sql.close()
}

async function migratePostgres(server: string, name: string): Promise<void> {
  await administer(server, `create database ${name} template template0`)
  const sql = await openPostgres({ url: databaseUrl(server, name) })
  await migrate(sql)
  await sql.close()
  // Copying a database waits for its connections, so none is allowed.
  await administer(server, `alter database ${name} allow_connections false`)
}

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, inject } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import type { Sql } from '../../src/db/sql.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { Recording } from './query-plans.ts'

/** Where a store lives, so that a test can open it twice, as two nodes would. */
export type StorePlace =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string }

export type OpenPlaceOptions = { readonly busyTimeoutMs?: number; readonly connectionsMax?: number }

export function openPlace(place: StorePlace, options: OpenPlaceOptions = {}): Promise<Sql> {
  // A machine under load may take its time to begin a connection, or to write: here that is no fault of the store.
  return place.engine === 'sqlite'
    ? openSqlite({ file: place.file, busyTimeoutMs: 30_000, turnTimeoutMs: 60_000, ...options })
    : openPostgres({ url: place.url, connectTimeoutMs: 30_000, ...options })
}

/** A new, empty database on that engine, and how to get rid of it. */
export async function createPlace(
  engine: StorePlace['engine'],
): Promise<{ place: StorePlace; remove(): Promise<void> }> {
  if (engine === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'assay-sqlite-'))
    return {
      place: { engine, file: join(folder, 'assay.db') },
      async remove() {
        rmSync(folder, { recursive: true, force: true })
      },
    }
  }
  const server = inject('postgresUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // From the template nobody may connect to: making a copy of the other one waits for whoever is in there.
  await administer(server, `create database ${name} template template0`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { place: { engine, url: url.href }, remove: () => administer(server, `drop database ${name} with (force)`) }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Runs a suite once on each engine. `open` opens one more store on the suite's own database (the first call creates
 * and migrates it); every store is closed and the database removed when the suite is over.
 */
export function describeEachStore(
  name: string,
  suite: (open: (options?: OpenPlaceOptions) => Promise<Sql>, engine: StorePlace['engine']) => void,
): void {
  describe.each(['sqlite', 'postgres'] as const)(`${name} on %s`, (engine) => {
    let ready: ReturnType<typeof prepare> | undefined
    const opened: Sql[] = []
    const recording = new Recording()

    async function prepare() {
      const created = await createPlace(engine)
      const sql = await openPlace(created.place)
      await migrate(sql)
      await sql.close()
      return created
    }

    afterAll(async () => {
      for (const sql of opened) await sql.close()
      await (await ready)?.remove()
      await recording.expectIndexed(engine)
    })

    suite(async (options) => {
      ready ??= prepare()
      const sql = await openPlace((await ready).place, options)
      opened.push(sql)
      return recording.of(sql)
    }, engine)
  })
}

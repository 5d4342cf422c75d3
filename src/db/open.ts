import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabasePlace, Sql, SqlQueries } from './sql.ts'
import { openSqlite, openSqliteReader } from './sqlite.ts'

export type { DatabasePlace } from './sql.ts'

export interface StoreOptions {
  /** `postgres://…`; absent means a SQLite file in the data folder. */
  readonly databaseUrl?: string
  readonly poolerUrl?: string | undefined
  readonly dataDir: string
}

export async function openStore({ databaseUrl, poolerUrl, dataDir }: StoreOptions): Promise<Sql> {
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres({ url: databaseUrl, poolerUrl })
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return openSqlite({ file: sqliteFile(dataDir) })
}

/** One connection, for a thread that only reads. */
export async function openReader(place: DatabasePlace): Promise<SqlQueries> {
  if (place.engine === 'sqlite') return openSqliteReader(place.file)
  const { openPostgres } = await import('./postgres.ts')
  return openPostgres({ url: place.url, connectionsMax: 1 })
}

export const sqliteFile = (dataDir: string): string => join(dataDir, 'assay.db')

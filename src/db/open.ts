import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from './sql.ts'
import { openSqlite } from './sqlite.ts'

export interface StoreOptions {
  /** `postgres://…`; absent means a SQLite file in the data folder. */
  readonly databaseUrl?: string
  readonly dataDir: string
}

/** The place of one database: a PostgreSQL URL or a SQLite file. */
export type DatabasePlace =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string }

export async function openStore({ databaseUrl, dataDir }: StoreOptions): Promise<Sql> {
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres({ url: databaseUrl })
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return openSqlite({ file: sqliteFile(dataDir) })
}

export const sqliteFile = (dataDir: string): string => join(dataDir, 'assay.db')

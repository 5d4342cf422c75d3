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

/** Only for reading. Opens with the first statement; after a failure the next statement tries again. */
export function openLazily(place: DatabasePlace, { connectionsMax = 1 } = {}) {
  const open = async (): Promise<SqlQueries & Partial<Pick<Sql, 'close'>>> => {
    if (place.engine === 'sqlite') return openSqliteReader(place.file)
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres({ url: place.url, connectionsMax })
  }
  let opened: ReturnType<typeof open> | undefined
  const sql: SqlQueries = {
    engine: place.engine,
    async query(text, params) {
      opened ??= open().catch((error: unknown) => {
        opened = undefined
        throw error
      })
      return (await opened).query(text, params)
    },
  }
  return { ...sql, close: async () => (await opened?.catch(() => {}))?.close?.() }
}

export const sqliteFile = (dataDir: string): string => join(dataDir, 'assay.db')

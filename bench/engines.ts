import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../src/db/postgres.ts'
import type { Sql } from '../src/db/sql.ts'
import { openSqlite } from '../src/db/sqlite.ts'
import { startPostgres } from '../test/support/postgres.ts'

/** Measures on an empty SQLite file, then on an empty PostgreSQL. */
export async function onBothEngines<Figure>(measure: (sql: Sql) => Promise<readonly Figure[]>): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const postgres = await startPostgres()
  try {
    const figures: Figure[] = []
    for (const open of [
      () => openSqlite({ file: join(folder, 'assay.db') }),
      () => openPostgres({ url: postgres.url }),
    ]) {
      const sql = await open()
      figures.push(...(await measure(sql)))
      await sql.close()
    }
    return figures
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

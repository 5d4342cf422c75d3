/** Runs as its own process: opens the store named by its argument, migrates it, and reports the applied migrations. */
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import type { StorePlace } from './stores.ts'

const place = JSON.parse(process.argv[2] ?? '') as StorePlace
const sql = await (place.engine === 'sqlite' ? openSqlite({ file: place.file }) : openPostgres({ url: place.url }))
const { applied } = await migrate(sql)
await sql.close()
process.send?.(applied)
process.disconnect?.()

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { refuseHalfRestored } from '../backup/place.ts'
import type { Config } from '../config.ts'
import { readSchema, type SchemaState } from '../db/migrate.ts'
import { type DatabasePlace, openStore, sqliteFile } from '../db/open.ts'
import { openServiceTime } from '../db/service-time.ts'
import { changeIn, type Sql, type Tx } from '../db/sql.ts'
import type { Clock } from '../lib/clock.ts'
import { keepPrivate, tellTightened } from '../lib/private-folder.ts'
import type { Ring } from '../lib/seal.ts'
import { VERSION } from '../version.ts'
import { VerbError } from './context.ts'
import type { Opener } from './verb.ts'

/** Verbs open the store themselves, with or without a running server. */
export interface Store {
  readonly sql: Sql
  readonly clock: Clock
  /** One transaction at the current time. */
  readonly change: <T>(fn: (tx: Tx) => Promise<T>) => Promise<T>
  readonly anchorsFile: string
}

/** Opens the keys of the server for a verb: only the program knows all ways to seal a database. */
export interface RingOpener {
  readonly openRing: (store: Store) => Promise<Ring>
}

/**
 * Opens the configured store, and creates a missing one. `warn`: called if others could read the data folder, or still
 * can.
 */
export function openConfigured(config: Config, warn: (text: string) => void = () => {}): Promise<Sql> {
  refuseHalfRestored(config.ASSAY_DATA_DIR)
  for (const text of tellTightened(keepPrivate(config.ASSAY_DATA_DIR))) warn(text)
  return openStore({
    dataDir: config.ASSAY_DATA_DIR,
    ...(config.ASSAY_DATABASE_URL ? { databaseUrl: config.ASSAY_DATABASE_URL } : {}),
    poolerUrl: config.ASSAY_DATABASE_POOLER_URL,
  })
}

export function placeOf({ ASSAY_DATABASE_URL: url, ASSAY_DATA_DIR: folder }: Config): DatabasePlace {
  return url ? { engine: 'postgres', url } : { engine: 'sqlite', file: sqliteFile(folder) }
}

/** The place of the database for a sentence, without the password that a URL may contain. */
export function databaseText({ ASSAY_DATABASE_URL: url, ASSAY_DATA_DIR: folder }: Config): string {
  if (!url) return `${resolve(sqliteFile(folder))} (ASSAY_DATA_DIR)`
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: '', pathname: '' }
  return `${host}${pathname} (ASSAY_DATABASE_URL)`
}

const noDatabase = (config: Config) =>
  new VerbError(
    `There is no database at ${databaseText(config)}. Is this the right place? \`assayd migrate\` or \`assayd serve\` makes one.`,
  )

/** Opens an existing store of any version that this program knows; always closes it. */
export async function withDatabase<T>(config: Config, fn: (sql: Sql, schema: SchemaState) => Promise<T>): Promise<T> {
  // Checked first: opening a missing SQLite file would create it.
  if (!config.ASSAY_DATABASE_URL && !existsSync(sqliteFile(config.ASSAY_DATA_DIR))) {
    refuseHalfRestored(config.ASSAY_DATA_DIR)
    throw noDatabase(config)
  }
  const sql = await openConfigured(config)
  await using _ = { [Symbol.asyncDispose]: () => sql.close() }
  const schema = await readSchema(sql)
  if (schema.applied.length === 0) throw noDatabase(config)
  return await fn(sql, schema)
}

/** Opens the configured store, which must be up to date, and always closes it. */
export const withStore: Opener<Store> = (context, run) => {
  const config = context.config()
  return withDatabase(config, async (sql, { missing }) => {
    if (missing.length > 0) {
      throw new VerbError(
        `The database at ${databaseText(config)} lacks ${missing.length} ${missing.length === 1 ? 'migration' : 'migrations'} ` +
          `of Assay ${VERSION}. Make a backup (\`assayd backup\`), then bring it up to date: \`assayd migrate\``,
      )
    }
    const { clock } = await openServiceTime(sql, { machine: context.machine })
    return run({ sql, clock, change: (work) => changeIn(sql, clock, work), anchorsFile: anchorsFileOf(config) })
  })
}

export function anchorsFileOf(config: Config): string {
  return join(config.ASSAY_DATA_DIR, 'anchors.log')
}

export function erasuresFileOf(config: Config): string {
  return config.ASSAY_ERASURES_FILE ?? join(config.ASSAY_DATA_DIR, 'erasures.log')
}

export function archiveFolderOf(config: Config): string {
  return config.ASSAY_ARCHIVE_DIR ?? join(config.ASSAY_DATA_DIR, 'archive')
}

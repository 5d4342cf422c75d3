/**
 * Restores a backup into an empty place.
 *
 *  1. Only an empty lock file is written until the checksum is right, the place is empty and this version knows every
 *     migration.
 *  2. The database appears whole or not at all: one transaction, or a file that is renamed when it is complete.
 *  3. A mark is in the data folder from before the first write until after the last: while it exists no server and no
 *     verb starts. The same restore, run again, removes the remains and begins again.
 */
import { existsSync, rmSync } from 'node:fs'
import { type Migration, readMigrations, readSchema } from '../db/migrate.ts'
import type { DatabasePlace } from '../db/open.ts'
import { shapesOf } from '../db/shape.ts'
import { readWhole } from '../db/whole-read.ts'
import { PlaceNotEmpty, tablesIn, type WholeWrite, withoutRulesForNewRows, writeWhole } from '../db/whole-write.ts'
import { clearOnSignal } from '../lib/on-signal.ts'
import { keepPrivate } from '../lib/private-folder.ts'
import { giveFreeName } from '../lib/whole-file.ts'
import { VERSION } from '../version.ts'
import { type Container, firstBytes, type Heading, requirePassphrase } from './container.ts'
import { type Counts, readContent } from './content.ts'
import {
  aloneIn,
  clearRemains,
  foundIn,
  growingFile,
  readMark,
  refuseForeignOwner,
  removeMark,
  setMark,
  writeKeptFile,
} from './place.ts'
import { BackupRefused, plainly } from './refused.ts'

export interface RestoreOptions {
  readonly container: Container
  readonly passphrase: string | undefined
  readonly place: DatabasePlace
  readonly dataDir: string
}

/** Undefined: an earlier run had done everything except remove its mark. */
export async function restoreBackup(options: RestoreOptions): Promise<Counts | undefined> {
  const { container, dataDir } = options
  requirePassphrase(container.heading, options.passphrase)
  const migrations = migrationsOf(container.heading)
  refuseForeignOwner(dataDir)
  return aloneIn(dataDir, () => restoreAlone(options, migrations))
}

async function restoreAlone(options: RestoreOptions, migrations: readonly Migration[]): Promise<Counts | undefined> {
  const { container, place, dataDir } = options
  const mark = readMark(dataDir)
  const there = await whatIsThere(place)
  if (mark === container.checksum && (await isRestored(place, container))) {
    // A run that was killed between the two names of the file has left the first name.
    rmSync(growingFile(dataDir), { force: true })
    removeMark(dataDir)
    return undefined
  }
  if (there.length > 0) throw notEmpty(there)
  if (mark === undefined) {
    const found = foundIn(dataDir)
    if (found.length > 0) throw notEmpty(found.map((name) => `${dataDir}/${name}`))
  } else clearRemains(dataDir)
  keepPrivate(dataDir)
  setMark(dataDir, container.checksum)
  const clear = () => {
    clearRemains(dataDir)
    removeMark(dataDir)
  }
  // On PostgreSQL nobody knows at a signal if the commit has been sent: the next run decides.
  using _ = clearOnSignal(() => {
    if (place.engine === 'sqlite' && !existsSync(place.file)) clear()
  })
  let counts: Counts
  try {
    counts = await load(options, migrations)
  } catch (error) {
    // The database may exist although only the answer to its commit was lost: then the other files must stay.
    if (await isRestored(place, container).catch(() => true)) {
      throw plainly(error, 'The last step of the restore failed. Run the same command again to complete it')
    }
    // Only files of this run exist: unlike a killed run it can clean up.
    clear()
    if (error instanceof PlaceNotEmpty) throw notEmpty(error.tables)
    throw plainly(error, 'The backup was not restored; everything was rolled back')
  }
  removeMark(dataDir)
  return counts
}

async function isRestored(place: DatabasePlace, { checksum }: Pick<Container, 'checksum'>): Promise<boolean> {
  if (place.engine === 'sqlite' && !isDatabase(place.file)) return false
  const [row] = await readWhole(place, (read) =>
    read.query<{ origin: string | number | null }>(ORIGIN[place.engine].read),
  )
  return row?.origin === ORIGIN[place.engine].of(checksum)
}

const SQLITE_MAGIC = 'SQLite format 3\0'

const isDatabase = (file: string) =>
  existsSync(file) && firstBytes(file, SQLITE_MAGIC.length).toString('latin1') === SQLITE_MAGIC

/** Identifies a database's backup, written in the transaction of its rows: a comment, or SQLite's user_version. */
const ORIGIN = {
  sqlite: {
    of: (checksum: string) => Number.parseInt(checksum.slice(0, 7), 16),
    read: 'select user_version as origin from pragma_user_version()',
    write: (checksum: string) => `pragma user_version = ${ORIGIN.sqlite.of(checksum)}`,
  },
  postgres: {
    of: (checksum: string) => `restored from the backup ${checksum}`,
    read: `select obj_description(c.oid, 'pg_class') as origin from pg_class c
           where c.relname = 'schema_migration' and c.relnamespace = current_schema()::regnamespace`,
    write: (checksum: string) => `comment on table schema_migration is '${ORIGIN.postgres.of(checksum)}'`,
  },
}

async function load({ container, passphrase, place, dataDir }: RestoreOptions, migrations: readonly Migration[]) {
  const growing: DatabasePlace = place.engine === 'sqlite' ? { ...place, file: growingFile(dataDir) } : place
  const counts = await fillDatabase(growing, container.lines(passphrase), migrations, {
    onFile: (name, text) => writeKeptFile(dataDir, name, text),
    checksum: container.checksum,
  })
  if (place.engine === 'sqlite') giveFreeName(growingFile(dataDir), place.file)
  return counts
}

/**
 * Creates a database from the content; `onFile` gets the files of the data folder. With a checksum
 * the database records which backup it comes from.
 */
export function fillDatabase(
  place: DatabasePlace,
  lines: AsyncIterable<readonly string[]>,
  migrations: readonly Migration[],
  { onFile, checksum }: { readonly onFile: (name: string, text: string) => void; readonly checksum?: string },
): Promise<Counts> {
  return writeWhole(place, migrations, async (write) => {
    let counts: Counts | undefined
    await withoutRulesForNewRows(write, async () => {
      await emptyTables(write, migrations)
      counts = await readContent(lines, loaderOf(write, migrations, onFile))
    })
    if (!counts) throw new Error('the content was not read')
    // The migration records came with the rows: they must match exactly these migrations.
    const { missing } = await readSchema(write, migrations)
    if (missing.length > 0) throw new BackupRefused(`The backup has no record of its migration ${missing[0]}.`)
    // Copies of feeds are not in a backup: all feeds are due immediately.
    await write.query('update feed set next_due_at = 0')
    if (checksum !== undefined) await write.query(ORIGIN[place.engine].write(checksum))
    if (place.engine === 'postgres') await write.query('analyze')
    return counts
  })
}

function loaderOf(write: WholeWrite, migrations: readonly Migration[], onFile: (name: string, text: string) => void) {
  const expected = shapesOf(migrations)
  let next = 0
  return {
    file: onFile,
    table(name: string, columns: readonly string[]) {
      const shape = expected[next++]
      if (name !== shape?.name || columns.join() !== shape.columns.map((column) => column.name).join()) {
        throw new BackupRefused(`The backup has the table ${name} in a form that its migrations do not create.`)
      }
    },
    async rows(rows: Parameters<WholeWrite['insert']>[1]) {
      const shape = expected[next - 1]
      if (shape) await write.insert(shape, rows)
    },
  }
}

/** Migrations insert a few rows; the rows of the backup replace them. */
async function emptyTables(write: WholeWrite, migrations: readonly Migration[]): Promise<void> {
  for (const { name } of shapesOf(migrations).reverse()) {
    // Check first: the ledger refuses every delete, even of no rows.
    if ((await write.query(`select 1 as there from ${name} limit 1`)).length > 0)
      await write.query(`delete from ${name}`)
  }
}

/** The migrations of a backup, as this version has them. Refuses a backup of a newer version. */
export function migrationsOf({ version, migrations: names }: Heading): Migration[] {
  if (isNewer(version)) {
    throw new BackupRefused(
      `The backup was made by Assay ${version}, which is newer than this Assay ${VERSION}. ` +
        `Install Assay ${version} or a later one, and run the same command with it.`,
    )
  }
  const known = new Map(readMigrations().map((migration) => [migration.name, migration]))
  return names.map((name) => {
    const migration = known.get(name)
    if (!migration) {
      throw new BackupRefused(
        `The backup was made by Assay ${version}; this is Assay ${VERSION}, which does not know the migration ${name}. ` +
          `Use Assay ${version} or a later one.`,
      )
    }
    return migration
  })
}

/** By the numbers of the versions: `1.10.0` is newer than `1.9.0`, and `1.9.0-rc.1` is not. */
function isNewer(version: string): boolean {
  const [theirs = '', ours = ''] = [version, VERSION].map((one) => one.split('-', 1)[0])
  return theirs.localeCompare(ours, 'en', { numeric: true }) > 0
}

async function whatIsThere(place: DatabasePlace): Promise<string[]> {
  if (place.engine === 'sqlite') return existsSync(place.file) ? [place.file] : []
  return readWhole(place, tablesIn)
}

const SHOWN_MAX = 5

function notEmpty(found: readonly string[]): BackupRefused {
  const more = found.length > SHOWN_MAX ? ` and ${found.length - SHOWN_MAX} more` : ''
  return new BackupRefused(
    `A backup can only be restored into an empty place, but this already exists: ${found.slice(0, SHOWN_MAX).join(', ')}${more}. ` +
      'Choose another ASSAY_DATA_DIR or ASSAY_DATABASE_URL, or move the existing data away.',
  )
}

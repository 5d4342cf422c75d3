/** Makes a backup while the service runs: all its content is of one moment. */
import { readMigrations, readSchema } from '../db/migrate.ts'
import type { DatabasePlace } from '../db/open.ts'
import { readSecrets } from '../db/ring.ts'
import { shapesOf, type TableShape } from '../db/shape.ts'
import { readWhole, type WholeRead } from '../db/whole-read.ts'
import { iso } from '../lib/clock.ts'
import { VERSION } from '../version.ts'
import { type Heading, type Written, writeContainer } from './container.ts'
import { type Counts, endOf, line, linesOf } from './content.ts'
import { keptFiles } from './place.ts'
import { refuseExisting } from './refused.ts'

export interface BackupMade extends Written {
  readonly heading: Heading
  readonly counts: Counts
}

export interface BackupOptions {
  readonly place: DatabasePlace
  readonly dataDir: string
  readonly file: string
  readonly nowMs: number
  readonly passphrase: string | undefined
}

/** The first migration with a ring of sealing keys, and so with names of secrets. */
const SECRETS_FROM = '0016_secret'

export async function makeBackup({ place, dataDir, file, nowMs, passphrase }: BackupOptions): Promise<BackupMade> {
  refuseExisting(file)
  // Read the files first: the server repairs a difference automatically if the database is newer than the files, not if
  // the files are newer.
  const files = [...keptFiles(dataDir)]
  return readWhole(place, async (read) => {
    const migrations = readMigrations()
    const { applied } = await readSchema(read, migrations)
    const shapes = shapesOf(migrations.filter(({ name }) => applied.includes(name)))
    const secrets = applied.includes(SECRETS_FROM) ? (await readSecrets(read)).map(({ id }) => id) : null
    const heading = { version: VERSION, made_at: iso(nowMs), engine: place.engine, migrations: applied, secrets }
    const tables: Record<string, number> = {}
    const written = await writeContainer(file, heading, contentOf(read, files, shapes, tables), passphrase)
    return { ...written, counts: endOf({ files: files.length, tables }) }
  })
}

async function* contentOf(
  read: WholeRead,
  files: readonly { readonly name: string; readonly text: string }[],
  shapes: readonly TableShape[],
  tables: Record<string, number>,
): AsyncGenerator<string> {
  for (const { name, text } of files) yield line({ file: name, text }, `The file ${name}`)
  for (const { name, columns } of shapes) {
    const names = columns.map((column) => column.name)
    let rows = 0
    yield line({ table: name, columns: names }, name)
    yield* linesOf(name, read.pieces(`select ${names.join(', ')} from ${name}`), (more) => {
      rows += more
    })
    yield line({ rows }, name)
    tables[name] = rows
  }
  yield line({ end: endOf({ files: files.length, tables }) }, 'The end')
}

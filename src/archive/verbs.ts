import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { JSONWebKeySet } from 'jose'
import { plainly } from '../backup/refused.ts'
import { type Archive, archives } from '../billing/ledger/archives.ts'
import { iso } from '../lib/clock.ts'
import { counted } from '../lib/counted.ts'
import type { Ring } from '../lib/seal.ts'
import { type VerbContext, VerbError } from '../verb/context.ts'
import { listAnswer, sizeText } from '../verb/output.ts'
import { archiveFolderOf, type Store, withStore } from '../verb/store.ts'
import {
  flag,
  LIST_ROWS_MAX,
  optional,
  readJsonFile,
  several,
  verbsOf,
  wholeNumber,
  withoutStore,
} from '../verb/verb.ts'
import { archiveNow, KEPT_MONTHS_MIN, planArchives } from './archive.ts'
import { ArchiveRefused, verifyArchiveFiles } from './archive-file.ts'

const MONTHS = '--keep-months'
/** Measured: an entry in a file, and an entry with its indexes in a database. */
const BYTES_IN_FILE = 60
const BYTES_IN_DATABASE = 400

/** `assayd archive`: months of the ledger as files. */
export function registerArchiveVerbs(
  program: Command,
  context: VerbContext,
  { openRing }: { readonly openRing: (store: Store) => Promise<Ring> },
): void {
  const archive = verbsOf(program, context, withStore)(
    'archive',
    'move the charges of past months from the database into signed files; the server does so with ASSAY_LEDGER_KEPT_MONTHS',
    {
      months: optional(
        `${MONTHS} <number>`,
        'whole months that stay in the database; default ASSAY_LEDGER_KEPT_MONTHS',
        wholeNumber(MONTHS, KEPT_MONTHS_MIN, 600),
      ),
      dryRun: flag('--dry-run', 'only say which months would go, and how large they are'),
    },
  ).runs(async (store, { months, dryRun }) => {
    const config = context.config()
    const keptMonths = months ?? config.ASSAY_LEDGER_KEPT_MONTHS
    if (keptMonths === 0)
      throw new VerbError(`How many months stay in the database? For a year: assayd archive ${MONTHS} 12`)
    context.giveWay?.()
    if (dryRun) return planned(await planArchives({ ...store, keptMonths }))
    const folder = archiveFolderOf(config)
    const ring = await openRing(store)
    const made = await archiveNow({ ...store, ring, baseUrl: config.baseUrl, folder, keptMonths }).catch(
      (error: unknown) => {
        throw error instanceof ArchiveRefused
          ? new VerbError(error.message)
          : plainly(error, `The archive in ${folder} cannot be written`)
      },
    )
    if (!made) throw new VerbError('A server is archiving now. Try again later.')
    return {
      value: made.map(view),
      text: [
        ...made.map(
          ({ month, entries, file, bytes }) =>
            `${month}: ${counted(entries, 'entry is', 'entries are')} in ${join(folder, file)}, ${sizeText(bytes)}.`,
        ),
        made.length === 0 ? NOTHING : 'Copy the files to a second place: no backup contains them.',
      ],
    }
  })

  verbsOf(archive, context, withStore)('list', 'show the archives, oldest first, and if their files are here', {}).runs(
    async ({ sql }) => {
      const folder = archiveFolderOf(context.config())
      const rows = await archives.list(sql, {}, { order: 'number', limit: LIST_ROWS_MAX })
      const isHere = (file: string) => existsSync(join(folder, file))
      return listAnswer(rows, (row) => ({ ...view(row), is_here: isHere(row.file) }), 'Nothing is archived yet.', {
        ARCHIVE: (row) => row.number,
        MONTH: (row) => row.month,
        ENTRIES: (row) => row.entries,
        SIZE: (row) => sizeText(row.bytes),
        ROWS: (row) => (row.removedAtMs === null ? 'being removed' : 'removed'),
        FILE: (row) => `${row.file}${isHere(row.file) ? '' : ` (not in ${folder})`}`,
      })
    },
  )

  verbsOf(archive, context, withoutStore)(
    'verify',
    'prove that files are whole, unchanged and continue each other, without a database',
    {
      files: several('<file...>', 'the archives'),
      keys: optional('--keys <file>', 'the answer of GET /v1/receipts/keys: verifies the signatures'),
    },
  ).runs(async (_, { files, keys }) => {
    context.giveWay?.()
    const set = keys === undefined ? undefined : (readJsonFile(resolve(keys), '--keys') as JSONWebKeySet)
    try {
      const verified = await verifyArchiveFiles(
        (files ?? []).map((file) => resolve(file)),
        set,
      )
      const entries = verified.reduce((sum, one) => sum + one.entries, 0)
      const months = verified.map(({ month }) => month)
      const range = months.length === 1 ? months[0] : `${months[0]} to ${months.at(-1)}`
      return {
        value: verified,
        text: [
          `${counted(verified.length, 'archive adds', 'archives add')} up: ${range}, ${counted(entries, 'entry', 'entries')}, each in its chain, and all balances.`,
          set
            ? 'The signatures are right.'
            : 'The signatures were NOT checked: add --keys <file> with the answer of GET /v1/receipts/keys.',
        ],
      }
    } catch (error) {
      if (!(error instanceof ArchiveRefused)) throw plainly(error, 'An archive cannot be read')
      return { value: { refused: error.message }, text: error.message, exitCode: 2 }
    }
  })
}

const NOTHING = 'Nothing is due: no month has charges that are old enough.'

const view = ({ number, month, madeAtMs, file, bytes, entries, content }: Archive) => ({
  number,
  month,
  made_at: iso(madeAtMs),
  file,
  bytes,
  entries,
  sha256_of_lines: content,
})

const planned = (months: Awaited<ReturnType<typeof planArchives>>) =>
  listAnswer(
    months,
    ({ month, entries }) => ({
      month,
      entries,
      bytes: entries * BYTES_IN_FILE,
      freed_bytes: entries * BYTES_IN_DATABASE,
    }),
    NOTHING,
    {
      MONTH: ({ month }) => month,
      ENTRIES: ({ entries }) => entries,
      'FILE, ABOUT': ({ entries }) => sizeText(entries * BYTES_IN_FILE),
      'FREE IN THE DATABASE, ABOUT': ({ entries }) => sizeText(entries * BYTES_IN_DATABASE),
    },
  )

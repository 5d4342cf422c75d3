/**
 * The data folder for backup and restore: the files that a backup contains, the files that must not exist before a
 * restore, and the mark of a restore in progress.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { tryFileLock } from '../db/file-lock.ts'
import { beginWholeFile } from '../lib/whole-file.ts'
import { BackupRefused } from './refused.ts'

const ANCHORS = 'anchors.log'
const REFUNDS = 'refunds-owed'
const MARK = 'restoring'
const LOCK = 'restore.lock'
const FILE_BYTES_MAX = 64 * 1024 * 1024

/** The database of a restore until it is complete and gets its name. */
export const growingFile = (folder: string): string => join(folder, 'assay.db.restoring')

/** One restore at a time in a folder: the lock ends with its process. */
export async function aloneIn<T>(folder: string, fn: () => Promise<T>): Promise<T> {
  const held = await tryFileLock(join(folder, LOCK), fn)
  if (!held) throw new BackupRefused(`A restore into ${folder} is running. Wait until it has ended.`)
  return held.result
}

/** A user other than the owner of the folder (and of the server) would leave files that the server cannot open. */
export function refuseForeignOwner(folder: string): void {
  const uid = process.getuid?.()
  if (uid !== 0 || !existsSync(folder)) return
  const owner = statSync(folder).uid
  if (owner === uid) return
  throw new BackupRefused(
    `${folder} belongs to another user (${owner}), who could not read the restored files. Run the command as that user: sudo -u '#${owner}' …`,
  )
}

/**
 * Files that are not in the database: copies of anchors, and refunds owed. Snapshots and copies of feeds are fetched
 * again; the secret is stored elsewhere on purpose.
 */
export function* keptFiles(folder: string): Generator<{ readonly name: string; readonly text: string }> {
  const refunds = existsSync(join(folder, REFUNDS)) ? readdirSync(join(folder, REFUNDS)).sort() : []
  const names = [ANCHORS, ...refunds.map((name) => `${REFUNDS}/${name}`)]
  for (const name of names.filter((one) => isKept(one))) {
    const text = readIfThere(join(folder, name))
    if (text !== undefined) yield { name, text }
  }
}

export function writeKeptFile(folder: string, name: string, text: string): void {
  if (!isKept(name) || text.length > FILE_BYTES_MAX)
    throw new BackupRefused(`The backup contains an unexpected file: ${name}`)
  writeWhole(join(folder, name), text)
}

/** A name from a backup must not lead to any other file. */
const isKept = (name: string) => name === ANCHORS || /^refunds-owed\/[\w-]+\.json$/.test(name)

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    // A refund may have been paid since the folder was read.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function writeWhole(file: string, text: string): void {
  using output = beginWholeFile(file, { mode: 0o600 })
  output.put(Buffer.from(text))
  output.keep()
}

/** Files of Assay in the folder, except the secret, which may be put there before a restore. */
export function foundIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^(?:assay\.db.*|anchors\.log|refunds-owed|snapshots|feeds)$/.test(name))
    .sort()
}

/** The checksum of the backup that is being restored into this folder; undefined if there is none. */
export function readMark(folder: string): string | undefined {
  return readIfThere(join(folder, MARK))?.trim()
}

export function setMark(folder: string, checksum: string): void {
  writeWhole(join(folder, MARK), `${checksum}\n`)
}

export function removeMark(folder: string): void {
  rmSync(join(folder, MARK), { force: true })
}

export function clearRemains(folder: string): void {
  for (const name of ['', '-journal', '-wal', '-shm']) rmSync(`${growingFile(folder)}${name}`, { force: true })
  for (const name of [ANCHORS, REFUNDS]) rmSync(join(folder, name), { recursive: true, force: true })
}

export function refuseHalfRestored(folder: string): void {
  if (readMark(folder) === undefined) return
  throw new BackupRefused(
    `A restore into ${folder} was not finished. Run the same \`assayd restore\` again to continue.`,
  )
}

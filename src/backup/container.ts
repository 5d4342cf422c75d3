/**
 * The file of a backup:
 *
 *     assay-backup 1⏎
 *     {"version":…}⏎             what it is, readable without a passphrase
 *     zstd of the content         in sealed chunks where there is a passphrase
 *     32 bytes                    SHA-256 of everything before
 *
 * The checksum distinguishes a damaged or cut file from a whole one. Only a passphrase proves that nobody altered the
 * file on purpose.
 */
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, createReadStream, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { DAY_MS, MINUTE_MS, systemClock } from '../lib/clock.ts'
import { readJsonText } from '../lib/json-text.ts'
import { clearOnSignal } from '../lib/on-signal.ts'
import { beginWholeFile } from '../lib/whole-file.ts'
import { VERSION } from '../version.ts'
import { LINE_CHARACTERS_MAX } from './content.ts'
import { BackupRefused, plainly, refuseExisting } from './refused.ts'
import { ChunkRefused, KEY_COST, type KeyMaking, keyOf, openChunks, sealChunks } from './sealed-chunks.ts'

const MAGIC = 'assay-backup 1\n'
const HEAD_BYTES_MAX = 256 * 1024
const SUM_BYTES = 32

export interface Heading {
  readonly version: string
  readonly made_at: string
  readonly engine: 'sqlite' | 'postgres'
  readonly migrations: readonly string[]
  /**
   * The names of the secrets that open the sealed data in it, the current one last; empty where nothing was sealed yet;
   * null where the database is from before secrets had names. The secret itself is never inside.
   */
  readonly secrets: readonly string[] | null
  /** Null: anybody who has the file can read it. */
  readonly encryption: KeyMaking | null
}

export interface Written {
  readonly bytes: number
  readonly checksum: string
}

/** Writes the file whole, or not at all; an existing file is never touched. */
export async function writeContainer(
  file: string,
  heading: Omit<Heading, 'encryption'>,
  content: AsyncIterable<string>,
  passphrase: string | undefined,
): Promise<Written & { readonly heading: Heading }> {
  const encryption = passphrase === undefined ? null : { ...KEY_COST, salt: randomBytes(32).toString('base64') }
  const whole: Heading = { ...heading, encryption }
  const head = Buffer.from(`${MAGIC}${JSON.stringify(whole)}\n`)
  const key = encryption && passphrase !== undefined ? await keyOf(passphrase, encryption) : undefined
  refuseExisting(file)
  /** Reports a fault of the file as such, and not as a fault of the database. */
  const onDisk = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw plainly(error, `--to: ${file} cannot be written`)
    }
  }
  removeLeftovers(dirname(file))
  using output = onDisk(() => beginWholeFile(file, { mode: 0o600, replace: false }))
  using _ = clearOnSignal(output.discard)
  try {
    const sum = createHash('sha256')
    let bytes = 0
    const put = (chunk: Uint8Array) => {
      sum.update(chunk)
      bytes += chunk.length
      onDisk(() => output.put(chunk))
    }
    const seal = key ? sealChunks(key, head) : asItIs
    put(head)
    await pipeline(
      Readable.from(content),
      createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
      seal,
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) put(chunk)
      },
    )
    const digest = sum.digest()
    onDisk(() => output.put(digest))
    refuseExisting(file)
    onDisk(output.keep)
    return { heading: whole, bytes: bytes + SUM_BYTES, checksum: digest.toString('hex') }
  } catch (error) {
    throw plainly(error, 'The database cannot be read')
  }
}

/**
 * Removes the parts of backups whose process was killed or lost its power. A backup in progress is written all the
 * time; its process may be on another machine, or look the same from another container.
 */
function removeLeftovers(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const [, pid] = /\.(\d+)\.partial$/.exec(name) ?? []
      const file = join(folder, name)
      const found = pid === undefined ? undefined : statSync(file, { throwIfNoEntry: false })
      if (!found?.isFile() || firstBytes(file, MAGIC.length).toString() !== MAGIC) continue
      const idleMs = systemClock.now() - found.mtimeMs
      if (idleMs > DAY_MS || (idleMs > MINUTE_MS && !isRunning(Number(pid)))) rmSync(file, { force: true })
    }
  } catch {
    // A folder that cannot be read must not stop a backup; a wrong folder is reported when the file is written.
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function* asItIs(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* chunks
}

export interface Container extends Written {
  readonly heading: Heading
  /** The content, line by line, in batches. Throws a BackupRefused if it does not open or is not whole. */
  lines(passphrase: string | undefined): AsyncIterable<readonly string[]>
}

/** A passphrase is accepted only for an encrypted backup: elsewhere it would prove nothing. */
export function requirePassphrase({ encryption }: Heading, passphrase: string | undefined): void {
  if (encryption && passphrase === undefined) {
    throw new BackupRefused('This backup is encrypted. Name the file with its passphrase: --passphrase-file <file>')
  }
  if (!encryption && passphrase !== undefined) {
    throw new BackupRefused(
      'This backup is not encrypted, so a passphrase cannot prove its origin. If you trust the file, leave --passphrase-file out.',
    )
  }
}

export async function openContainer(file: string): Promise<Container> {
  const bytes = sizeOf(file)
  const head = readHead(file)
  const checksum = await checkSum(file, bytes)
  const heading = readHeading(file, head)
  return {
    heading,
    bytes,
    checksum,
    async *lines(passphrase) {
      const { encryption } = heading
      requirePassphrase(heading, passphrase)
      const key = encryption && passphrase !== undefined ? await keyOf(passphrase, encryption) : undefined
      const body = createReadStream(file, { start: head.length, end: bytes - SUM_BYTES - 1 })
      const opened = Readable.from((key ? openChunks(key, head) : asItIs)(body))
      const unpacked = createZstdDecompress()
      // The loop below reports the error: it sees the stream destroyed with the cause.
      pipeline(opened, unpacked).catch(() => {})
      try {
        yield* splitLines(unpacked)
      } catch (error) {
        if (error instanceof ChunkRefused && error.number === 0) {
          throw new BackupRefused('The passphrase does not open this backup.', { cause: error })
        }
        if (error instanceof BackupRefused) throw error
        const why = error instanceof ChunkRefused ? error.message : (error as Error).message
        throw new BackupRefused(`The backup ${file} was altered or is incomplete (${why}).`, { cause: error })
      }
    },
  }
}

function sizeOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new BackupRefused(`--from: there is no file ${file}.`)
  return found.size
}

/** The two lines at the head, as bytes. */
function readHead(file: string): Buffer {
  const buffer = firstBytes(file, HEAD_BYTES_MAX)
  const end = buffer.indexOf('\n', MAGIC.length)
  if (buffer.subarray(0, MAGIC.length).toString() !== MAGIC || end < 0) {
    throw new BackupRefused(
      `--from: ${file} is not a backup that Assay ${VERSION} knows. If a newer version made it, use that version.`,
    )
  }
  return buffer.subarray(0, end + 1)
}

export function firstBytes(file: string, count: number): Buffer {
  const buffer = Buffer.alloc(count)
  const descriptor = openSync(file, 'r')
  using _ = { [Symbol.dispose]: () => closeSync(descriptor) }
  return buffer.subarray(0, readSync(descriptor, buffer, 0, count, 0))
}

function readHeading(file: string, head: Buffer): Heading {
  const heading = readJsonText(head.subarray(MAGIC.length))?.value as Partial<Heading> | null | undefined
  if (typeof heading?.version === 'string' && Array.isArray(heading.migrations)) return heading as Heading
  throw new BackupRefused(`--from: the heading of ${file} does not name a version and its migrations.`)
}

async function checkSum(file: string, bytes: number): Promise<string> {
  const sum = createHash('sha256')
  let kept: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    const joined = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
    const cut = Math.max(0, joined.length - SUM_BYTES)
    sum.update(joined.subarray(0, cut))
    kept = joined.subarray(cut)
  }
  const found = sum.digest()
  if (bytes < SUM_BYTES || !found.equals(kept)) {
    throw new BackupRefused(
      `The checksum of ${file} does not match: the file is damaged, or its copy is incomplete. Copy it again.`,
    )
  }
  return found.toString('hex')
}

async function* splitLines(source: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  /** The line that is not complete yet, in pieces: joining it for every chunk would take time by the square of its length. */
  let pieces: string[] = []
  let length = 0
  for await (const chunk of source) {
    const text = decoder.decode(chunk, { stream: true })
    const end = text.lastIndexOf('\n')
    if (end >= 0) {
      const whole = pieces.join('') + text.slice(0, end)
      pieces = []
      length = 0
      yield whole.split('\n')
    }
    pieces.push(text.slice(end + 1))
    length += text.length - end - 1
    if (length > LINE_CHARACTERS_MAX) {
      throw new BackupRefused(
        `The backup has a row of more than ${LINE_CHARACTERS_MAX} characters, which Assay never writes: it was altered. Use another backup.`,
      )
    }
  }
  if (length > 0 || decoder.decode() !== '') throw new Error('the last line is incomplete')
}

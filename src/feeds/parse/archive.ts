import { crc32, createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib'
import { LIST_MS_MIN } from './list-date.ts'
import { FeedRefused } from './report.ts'
import { readBytes } from './text.ts'

// The container of a feed, recognised by its first bytes and never by its name: plain, gzip, or a zip of any number of
// files. Unpacking is limited in bytes and in ratio, so that a bomb fails only its own feed.
const UNPACKED_BYTES_MAX = 2 * 1024 ** 3
const ZIP_BYTES_MAX = 256 * 1024 * 1024
const ZIP_ENTRIES_MAX = 1000
/** Text lists compress tenfold, repetitive ones a hundredfold; deflate's own limit is 1032. */
const RATIO_MAX = 250
/** Small files may have any ratio. */
const RATIO_FREE_BYTES = 16 * 1024 * 1024

export interface Packed {
  readonly name: string
  /** The date of the file inside an archive. */
  readonly modifiedMs?: number | undefined
  readonly input: AsyncIterable<Uint8Array>
}

export async function* unpack(input: AsyncIterable<Uint8Array>, name = ''): AsyncGenerator<Packed> {
  const { head, rest } = await peek(input, 8)
  if (head[0] === 0x1f && head[1] === 0x8b) {
    const modifiedMs = head.length < 8 ? undefined : plausible(head.readUInt32LE(4) * 1000)
    yield { name, modifiedMs, input: throughZlib(createGunzip(), rest, 'gzip') }
  } else if (head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5)) yield* unzip(rest)
  else yield { name, input: rest }
}

/** The first bytes, and the whole stream from the start. */
export async function peek(input: AsyncIterable<Uint8Array>, bytes: number) {
  const iterator = input[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < bytes) {
    const next = await iterator.next()
    if (next.done) break
    chunks.push(next.value)
    length += next.value.length
  }
  async function* rest() {
    try {
      yield* chunks
      for (;;) {
        const next = await iterator.next()
        if (next.done) return
        yield next.value
      }
    } finally {
      await iterator.return?.()
    }
  }
  return { head: Buffer.concat(chunks).subarray(0, bytes), rest: rest() }
}

async function* throughZlib(stream: Gunzip | InflateRaw, input: AsyncIterable<Uint8Array>, what: string) {
  let taken = 0
  let given = 0
  async function feed(): Promise<void> {
    try {
      for await (const chunk of input) {
        taken += chunk.length
        if (!stream.write(chunk)) {
          await new Promise<void>((resolve) => {
            stream.once('drain', resolve)
            stream.once('close', resolve)
          })
        }
        if (stream.destroyed) return
      }
      stream.end()
    } catch (error) {
      stream.destroy(error as Error)
    }
  }
  const feeding = feed()
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      given += chunk.length
      if (given > UNPACKED_BYTES_MAX || (given > RATIO_FREE_BYTES && given > taken * RATIO_MAX)) {
        const unpacked = `unpacks to more than ${given} bytes from ${taken}`
        throw new FeedRefused(`The ${what} data ${unpacked}; it looks like a zip bomb.`)
      }
      yield chunk
    }
  } catch (cause) {
    if (cause instanceof FeedRefused) throw cause
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    if (!code.startsWith('Z_')) throw cause
    const state = code === 'Z_BUF_ERROR' ? 'cut off' : 'damaged'
    throw new FeedRefused(`The ${what} data is ${state} (${(cause as Error).message}).`, { cause })
  } finally {
    stream.destroy()
    await feeding
  }
}

/** Stored and deflated entries, found through the central directory; no encryption, no zip64. */
async function* unzip(input: AsyncIterable<Uint8Array>): AsyncGenerator<Packed> {
  const bytes = await readBytes(input, ZIP_BYTES_MAX)
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (count === 0xffff || at === 0xffffffff) throw new FeedRefused('The zip file uses zip64, which is not supported.')
  if (count > ZIP_ENTRIES_MAX)
    throw new FeedRefused(`The zip file has ${count} entries; ${ZIP_ENTRIES_MAX} are allowed.`)
  let unpackedBytes = 0
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50)
      throw new FeedRefused('The zip file is damaged.')
    const flags = bytes.readUInt16LE(at + 8)
    const method = bytes.readUInt16LE(at + 10)
    const modifiedMs = dosDay(bytes.readUInt16LE(at + 14))
    const checksum = bytes.readUInt32LE(at + 16)
    const packedSize = bytes.readUInt32LE(at + 20)
    const size = bytes.readUInt32LE(at + 24)
    const nameLength = bytes.readUInt16LE(at + 28)
    const local = bytes.readUInt32LE(at + 42)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    if (name.endsWith('/')) continue
    if (flags & 1) throw new FeedRefused(`The zip entry ${name} is encrypted.`)
    if (method !== 0 && method !== 8) throw new FeedRefused(`The zip entry ${name} uses compression method ${method}.`)
    unpackedBytes += size
    if (unpackedBytes > UNPACKED_BYTES_MAX) throw new FeedRefused('The zip file unpacks to more than is allowed.')
    if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== 0x04034b50)
      throw new FeedRefused('The zip file is damaged.')
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    if (from + packedSize > bytes.length) throw new FeedRefused(`The zip entry ${name} is cut off.`)
    const packed = bytes.subarray(from, from + packedSize)
    const content = method === 0 ? once(packed) : throughZlib(createInflateRaw(), once(packed), 'zip')
    yield { name, modifiedMs, input: verified(name, checksum, content) }
  }
}

/** The day of a zip entry: years since 1980, month and day. Archives that are made reproducibly have an old one. */
function dosDay(bits: number): number | undefined {
  return plausible(Date.UTC(1980 + (bits >> 9), ((bits >> 5) & 15) - 1, bits & 31))
}

function plausible(dateMs: number): number | undefined {
  return dateMs >= LIST_MS_MIN ? dateMs : undefined
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function* verified(name: string, checksum: number, input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let actual = 0
  for await (const chunk of input) {
    actual = crc32(chunk, actual)
    yield chunk
  }
  if (actual !== checksum) throw new FeedRefused(`The zip entry ${name} does not match its checksum.`)
}

function findEnd(bytes: Buffer): number {
  // The end record is 22 bytes and a comment of at most 65,535.
  for (let at = bytes.length - 22; at >= 0 && at > bytes.length - 22 - 65_536; at--) {
    if (bytes.readUInt32LE(at) === 0x06054b50) return at
  }
  throw new FeedRefused('The zip file is cut off: it has no directory.')
}

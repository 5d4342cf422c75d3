import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CliError, type Context } from '../context.ts'

/** A file as text, whatever it was saved by: UTF-8 or UTF-16, with or without a byte-order mark. */
export interface Input {
  /** As the person named it. */
  readonly name: string
  text(): AsyncIterable<string>
  remove(): Promise<void>
}

export async function openInput(context: Context, file: string): Promise<Input> {
  if (file !== '-') return fileInput(file, file, async () => {})
  // Read twice (once to count, once to check), so it is kept for as long as the run takes, for nobody else to read.
  const folder = await mkdtemp(join(tmpdir(), 'assay-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const copy = join(folder, 'input')
    const handle = await open(copy, 'wx', 0o600)
    const onInterrupt = () => context.stdin.destroy(new Error('interrupted'))
    context.interrupted.addEventListener('abort', onInterrupt, { once: true })
    try {
      for await (const part of context.stdin) {
        context.interrupted.throwIfAborted()
        await handle.write(part as Buffer)
      }
    } finally {
      context.interrupted.removeEventListener('abort', onInterrupt)
      await handle.close()
    }
    return fileInput(copy, 'standard input', remove)
  } catch (error) {
    await remove()
    throw error
  }
}

function fileInput(path: string, name: string, remove: () => Promise<void>): Input {
  const encoding = encodingOf(path, name)
  return {
    name,
    remove,
    async *text() {
      const decoder = new TextDecoder(encoding, { fatal: true })
      let bytes = 0
      try {
        for await (const part of createReadStream(path, { highWaterMark: 1 << 18 })) {
          const text = decoder.decode(part as Buffer, { stream: true })
          bytes += (part as Buffer).length
          if (text !== '') yield text
        }
        const last = decoder.decode()
        if (last !== '') yield last
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        throw new CliError(
          `${name} is not ${encoding.toUpperCase()} text (somewhere after byte ${bytes}). Save it as UTF-8 and try again.`,
        )
      }
    },
  }
}

const HEAD_BYTES = 4096

function encodingOf(path: string, name: string): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const head = readHead(path, name)
  if (head.length === 0) throw new CliError(`${name} is empty. Give a file with one record a line, or a CSV.`)
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (const [i, byte] of head.entries()) if (byte === 0) zeros[i % 2]!++
  // Every other byte of Latin text in UTF-16 is zero; in UTF-8 none ever is.
  if (zeros[0] === 0 && zeros[1] === 0) return 'utf-8'
  if (zeros[0] === 0) return 'utf-16le'
  if (zeros[1] === 0) return 'utf-16be'
  throw new CliError(`${name} is not a text file. Give a CSV, or one record a line.`)
}

function readHead(path: string, name: string): Buffer {
  try {
    if (statSync(path).isDirectory()) throw new CliError(`${name} is a folder. Give a file.`)
    const handle = openSync(path, 'r')
    try {
      const head = Buffer.alloc(HEAD_BYTES)
      return head.subarray(0, readSync(handle, head, 0, HEAD_BYTES, 0))
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    if (error instanceof CliError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CliError(`There is no file ${name}. Check its name.`)
    if (code === 'EACCES') throw new CliError(`${name} may not be read by you. Check its permissions.`)
    throw new CliError(`${name} cannot be read (${message}).`)
  }
}

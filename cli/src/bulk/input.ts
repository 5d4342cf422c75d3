import { closeSync, createReadStream, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCsvReader, type Row } from '@assay/reader/csv'
import { createDecoder, createDetector } from '@assay/reader/encoding'
import { fileFormat } from '@assay/reader/list'
import { ListProblem } from '@assay/reader/problem'
import { CliError, type Context } from '../context.ts'

/** A file as rows, whatever it was saved by. It is read twice: once to count, once to check. */
export interface Input {
  /** As the person named it. */
  readonly name: string
  readonly rows: () => AsyncIterable<Row>
  remove(): Promise<void>
}

export async function openInput(context: Context, file: string): Promise<Input> {
  if (file !== '-') return fileInput(file, file, async () => {})
  // Kept for as long as the run takes, for nobody else to read.
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
    return await fileInput(copy, 'standard input', remove)
  } catch (error) {
    await remove()
    throw error
  }
}

async function fileInput(path: string, name: string, remove: () => Promise<void>): Promise<Input> {
  const head = readHead(path, name)
  if (head.length === 0) throw new CliError(`${name} is empty. Give a file with one record a line, or a CSV.`)
  return {
    name,
    remove,
    rows: await telling(name, async () => (fileFormat(head) === 'xlsx' ? readWorkbook(path) : textRows(path, name))),
  }
}

async function readWorkbook(path: string): Promise<Input['rows']> {
  if (statSync(path).size > WORKBOOK_BYTES_MAX) throw new ListProblem('This workbook is over 100 MB. Save it as CSV.')
  const { readXlsx } = await import('@assay/reader/xlsx')
  const { rows } = readXlsx(readFileSync(path), WORKBOOK_ROWS_MAX)
  return async function* () {
    yield* rows
  }
}

async function textRows(path: string, name: string): Promise<Input['rows']> {
  const parts = (): AsyncIterable<Buffer> => createReadStream(path, { highWaterMark: 1 << 18 })
  const detector = createDetector()
  for await (const part of parts()) detector.write(part)
  const encoding = detector.end()
  return async function* () {
    const decoder = createDecoder(encoding)
    const reader = createCsvReader()
    for await (const part of parts()) yield* await telling(name, () => reader.write(decoder.write(part)))
    yield* await telling(name, () => [...reader.write(decoder.end()), ...reader.end()])
  }
}

/** A problem of the list, said with the name of the file. */
async function telling<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ListProblem)) throw error
    throw new CliError(`${name}${error.message.startsWith('line ') ? ', ' : ': '}${error.message}`)
  }
}

const WORKBOOK_BYTES_MAX = 100 * 1024 * 1024
const WORKBOOK_ROWS_MAX = 1_048_576
const HEAD_BYTES = 16

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

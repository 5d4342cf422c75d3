import { closeSync, createReadStream, openSync, readFileSync, readSync, rmSync, statSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from '@assay/reader/csv'
import { createDecoder, createDetector } from '@assay/reader/encoding'
import { FORMAT_BYTES, type Format, fileFormat } from '@assay/reader/format'
import { notAWorkbook, readDocument } from '@assay/reader/list'
import { ListProblem } from '@assay/reader/problem'
import { createRowReader } from '@assay/reader/rows'
import { CliError, type Context } from '../context.ts'
import { fileProblem } from '../file-problem.ts'
import { harmless } from '../terminal/paint.ts'

/** A file as rows, in any supported format. It is read twice: once to count, once to check. */
export interface Input {
  readonly name: string
  /** Complete when the rows were read once. */
  readonly notes: readonly string[]
  /** In groups of rows: waiting for each row would take longer than reading it. */
  readonly rows: () => AsyncIterable<readonly Row[]>
  remove(): Promise<void>
}

/** `sheet` is the sheet of a workbook, by its name or its number from 1. */
export async function openInput(context: Context, file: string, sheet?: string): Promise<Input> {
  if (file !== '-') return { name: file, remove: async () => {}, ...(await readInput(file, file, sheet)) }
  // Stored for the duration of the run, readable only by the owner.
  const folder = await mkdtemp(join(tmpdir(), 'assay-'))
  const remove = async () => {
    await rm(folder, { recursive: true, force: true })
    // Last: a second Ctrl-C during the removal must still find the handler.
    process.off('exit', removeNow)
  }
  // Also when a second Ctrl-C ends the process immediately: the list must not stay on disk.
  const removeNow = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeNow)
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
    return { name: STANDARD_INPUT, remove, ...(await readInput(copy, STANDARD_INPUT, sheet)) }
  } catch (error) {
    await remove()
    throw error
  }
}

const STANDARD_INPUT = 'standard input'

type Content = Pick<Input, 'notes' | 'rows'>

async function readInput(path: string, name: string, sheet: string | undefined): Promise<Content> {
  const head = readHead(path, name)
  if (head.length === 0) throw new CliError(`${name} is empty. Give a file with one record per line, or a CSV.`)
  return telling(name, async () => {
    const whole = () => {
      if (statSync(path).size <= DOCUMENT_BYTES_MAX) return readFileSync(path)
      throw new ListProblem('This file is over 100 MB. Split it, or save the list as CSV.')
    }
    const format = await fileFormat(head, whole)
    if (format !== 'text') return documentContent(format, whole(), sheet)
    if (sheet !== undefined) throw notAWorkbook()
    return textContent(path, name)
  })
}

async function documentContent(
  format: Exclude<Format, 'text'>,
  bytes: Uint8Array,
  sheet: string | undefined,
): Promise<Content> {
  const { rows, notes, sheets } = await readDocument(format, bytes, DOCUMENT_BOUNDS, sheet)
  return {
    notes: sheets ? notes.map((note) => `${note} Another one: --sheet NAME`) : notes,
    rows: async function* () {
      yield rows
    },
  }
}

async function textContent(path: string, name: string): Promise<Content> {
  const parts = (): AsyncIterable<Buffer> => createReadStream(path, { highWaterMark: 1 << 18 })
  const detector = createDetector()
  for await (const part of parts()) detector.write(part)
  const { encoding, notes } = detector.end()
  const told = [...notes]
  return {
    notes: told,
    rows: async function* () {
      const decoder = createDecoder(encoding)
      const reader = createRowReader()
      for await (const part of parts()) yield await telling(name, () => reader.write(decoder.write(part)))
      yield await telling(name, () => [...reader.write(decoder.end()), ...reader.end()])
      if (told.length === notes.length) told.push(...reader.notes())
    },
  }
}

/** Adds the name of the file to a problem with the list. */
async function telling<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ListProblem)) throw error
    throw new CliError(`${name}${error.message.startsWith('line ') ? ', ' : ': '}${harmless(error.message)}`)
  }
}

const DOCUMENT_BYTES_MAX = 100 * 1024 * 1024
const DOCUMENT_BOUNDS = { rowsMax: 1_048_576, otherwise: 'Save it as CSV: a CSV may have any length.' }

function readHead(path: string, name: string): Buffer {
  try {
    if (statSync(path).isDirectory()) throw new CliError(`${name} is a folder. Give a file.`)
    const handle = openSync(path, 'r')
    try {
      const head = Buffer.alloc(FORMAT_BYTES)
      return head.subarray(0, readSync(handle, head, 0, FORMAT_BYTES, 0))
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    throw error instanceof CliError ? error : fileProblem(error, name)
  }
}

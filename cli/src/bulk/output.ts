import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { CheckedRecord, Kind } from '@assay/sdk'
import { CliError, type Context } from '../context.ts'

/** Where the results go: rows of CSV or lines of JSON, to standard output or into a file. */
export interface ResultWriter {
  write(line: number, record: CheckedRecord): Promise<void> | void
  /** Resolves when the last row is where it belongs. */
  close(): Promise<void>
}

export type OutputTarget = { readonly format: 'csv' | 'jsonl'; readonly file: string | undefined }

export function readTarget(text: string): OutputTarget {
  if (text === 'csv' || text === 'jsonl') return { format: text, file: undefined }
  const extension = /\.(csv|jsonl)$/i.exec(text)?.[1]?.toLowerCase()
  if (extension === 'csv' || extension === 'jsonl') return { format: extension, file: text }
  throw new CliError(`--out takes csv, jsonl, or a file that ends in .csv or .jsonl, not ${JSON.stringify(text)}.`)
}

const BUFFER_LENGTH = 1 << 16

export function openOutput(context: Context, target: OutputTarget, kind: Kind, explain: boolean): ResultWriter {
  const sink = target.file === undefined ? standardOutput(context) : fileSink(target.file)
  const render = target.format === 'csv' ? csvRow : jsonLine
  let buffer = target.format === 'csv' ? `line,${kind},risk,risk_score,problem${explain ? ',reasons' : ''}\n` : ''
  return {
    write(line, record) {
      buffer += render(line, record, kind, explain)
      if (buffer.length < BUFFER_LENGTH) return
      const text = buffer
      buffer = ''
      return sink.write(text)
    },
    async close() {
      await sink.write(buffer)
      await sink.close()
    },
  }
}

function standardOutput({ stdout }: Context) {
  return {
    async write(text: string) {
      if (text !== '' && !stdout.write(text)) await stdout.drained()
    },
    close: () => stdout.flushed(),
  }
}

function fileSink(file: string) {
  const said = (error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOSPC' ? 'the disk is full' : message
    return new CliError(`${file} cannot be written: ${why}. Make room or name another file.`)
  }
  let handle: number
  try {
    handle = openSync(file, 'w')
  } catch (error) {
    throw said(error)
  }
  return {
    async write(text: string) {
      try {
        const bytes = Buffer.from(text)
        for (let written = 0; written < bytes.length; ) written += writeSync(handle, bytes, written)
      } catch (error) {
        throw said(error)
      }
    },
    async close() {
      try {
        fsyncSync(handle)
      } catch (error) {
        // A pipe or a terminal has nothing to keep.
        if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw said(error)
      }
      closeSync(handle)
    },
  }
}

function csvRow(line: number, record: CheckedRecord, _kind: Kind, explain: boolean): string {
  const cells = record.error
    ? [String(line), cell(record.indicator), '', '', cell(record.error.message)]
    : [String(line), cell(record.indicator), record.risk, String(record.risk_score), '']
  if (explain) cells.push(cell(record.error ? '' : (record.signals ?? []).map((signal) => signal.code).join(' ')))
  return `${cells.join(',')}\n`
}

/** Quoted where needed. A spreadsheet takes a cell that begins like a formula for one: an apostrophe disarms it. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function jsonLine(line: number, record: CheckedRecord, kind: Kind): string {
  const { indicator } = record
  if (record.error) {
    const { code, message } = record.error
    return `${JSON.stringify({ line, [kind]: indicator, error: { code, detail: message } })}\n`
  }
  const { risk, risk_score, signals } = record
  return `${JSON.stringify({ line, [kind]: indicator, risk, risk_score, ...(signals ? { signals } : {}) })}\n`
}

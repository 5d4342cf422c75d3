import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { csvRow } from '@assay/reader/csv'
import type { CheckedRecord, Kind } from '@assay/sdk'
import { CliError, type Context } from '../context.ts'

/** Writes results as CSV rows, JSON lines or a workbook, to standard output or into a file. */
export type ResultWriter = { write(line: number, record: CheckedRecord): Promise<void> | void; close(): Promise<void> }

export type OutputTarget =
  | { readonly format: 'csv' | 'jsonl'; readonly file: string | undefined }
  | { readonly format: 'xlsx'; readonly file: string }

export function readTarget(text: string): OutputTarget {
  if (text === 'csv' || text === 'jsonl') return { format: text, file: undefined }
  const extension = /\.(csv|jsonl|xlsx)$/i.exec(text)?.[1]?.toLowerCase()
  if (extension === 'csv' || extension === 'jsonl' || extension === 'xlsx') return { format: extension, file: text }
  throw new CliError(
    `--out takes csv, jsonl, or a file that ends in .csv, .jsonl or .xlsx, not ${JSON.stringify(text)}.`,
  )
}

const BUFFER_LENGTH = 1 << 16

export function openOutput(context: Context, target: OutputTarget, kind: Kind, explain: boolean): ResultWriter {
  const sink = target.file === undefined ? standardOutput(context) : fileSink(target.file)
  const titles = ['line', kind, 'risk', 'risk_score', 'problem', ...(explain ? ['decision', 'rule', 'reasons'] : [])]
  if (target.format === 'xlsx') return workbookWriter(context, target.file, sink, titles, explain)
  const csv = target.format === 'csv'
  let buffer = csv ? csvRow(titles, '\n') : ''
  return {
    write(line, record) {
      buffer += csv ? csvRow(cellsOf(line, record, explain), '\n') : jsonLine(line, record, kind)
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

/** A workbook is written as a whole: its rows are kept in memory until the last one has arrived. */
function workbookWriter(
  { stderr }: Context,
  file: string,
  sink: Sink,
  titles: readonly string[],
  explain: boolean,
): ResultWriter {
  const rows: (readonly (string | number)[])[] = [titles]
  return {
    write(line, record) {
      rows.push(cellsOf(line, record, explain))
    },
    async close() {
      const { writeXlsx } = await import('@assay/reader/xlsx')
      const cut: string[] = []
      await sink.write(writeXlsx(rows, (cell) => cut.push(cell)))
      await sink.close()
      if (cut.length === 0) return
      const cells = cut.length > 3 ? `${cut.slice(0, 3).join(', ')}, …` : cut.join(', ')
      stderr.write(
        `${file}: a workbook cell has at most 32,767 characters, longer ones are cut (${cells}). CSV has the full text.\n`,
      )
    },
  }
}

type Sink = { write(content: string | Uint8Array): Promise<void>; close(): Promise<void> }

function standardOutput({ stdout }: Context): Sink {
  return {
    async write(text) {
      if (text !== '' && !stdout.write(String(text))) await stdout.drained()
    },
    close: () => stdout.flushed(),
  }
}

function fileSink(file: string): Sink {
  const said = (error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOSPC' ? 'the disk is full' : message
    return new CliError(`${file} cannot be written: ${why}. Free some space or name another file.`)
  }
  let handle: number
  try {
    handle = openSync(file, 'w')
  } catch (error) {
    throw said(error)
  }
  return {
    async write(content) {
      try {
        const bytes = Buffer.from(content)
        for (let written = 0; written < bytes.length; ) written += writeSync(handle, bytes, written)
      } catch (error) {
        throw said(error)
      }
    },
    async close() {
      try {
        fsyncSync(handle)
      } catch (error) {
        // A pipe or a terminal cannot be synced to disk.
        if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw said(error)
      }
      closeSync(handle)
    },
  }
}

function cellsOf(line: number, record: CheckedRecord, explain: boolean): (string | number)[] {
  const { indicator, error } = record
  const reasons = error ? '' : (record.signals ?? []).map((signal) => signal.code).join(' ')
  const answer = error ? ['', '', error.message] : [record.risk, record.risk_score, '']
  const { outcome = '', rule = '' } = (error ? undefined : record.decision) ?? {}
  return [line, indicator, ...answer, ...(explain ? [outcome, rule, reasons] : [])]
}

function jsonLine(line: number, record: CheckedRecord, kind: Kind): string {
  const { indicator } = record
  if (record.error) {
    const { code, message } = record.error
    return `${JSON.stringify({ line, [kind]: indicator, error: { code, detail: message } })}\n`
  }
  // Undefined fields are left out.
  const { risk, risk_score, signals, decision } = record
  return `${JSON.stringify({ line, [kind]: indicator, risk, risk_score, signals, decision })}\n`
}

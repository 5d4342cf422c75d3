import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { csvRow } from '@assay/reader/csv'
import type { CheckedRecord, Kind } from '@assay/sdk'
import { CliError, type Context } from '../context.ts'

/** Writes results as CSV rows, JSON lines or a workbook, to standard output or into a file. */
export interface ResultWriter {
  write(result: Result): Promise<void> | void
  close(): Promise<void>
}

/** Without a kind for a text that may be anything. */
export type Result = { readonly line: number; readonly kind: Kind | undefined; readonly record: CheckedRecord }

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

/** A run of one kind has a column with its name; one of several has the columns `kind` and `indicator`. */
export function openOutput(
  context: Context,
  target: OutputTarget,
  kinds: readonly Kind[],
  explain: boolean,
): ResultWriter {
  const sink = target.file === undefined ? standardOutput(context) : fileSink(target.file)
  const cellsOf = ({ line, kind, record }: Result): (string | number)[] => [
    line,
    ...(kinds.length > 1 ? [kind ?? '', record.indicator] : [record.indicator]),
    ...answerCells(record, explain),
  ]
  const indicator = kinds.length > 1 ? ['kind', 'indicator'] : kinds
  const titles = [
    'line',
    ...indicator,
    'risk',
    'risk_score',
    'problem',
    ...(explain ? ['decision', 'rule', 'reasons'] : []),
  ]
  if (target.format === 'xlsx') return workbookWriter(context, target.file, sink, titles, cellsOf)
  const csv = target.format === 'csv'
  let buffer = csv ? csvRow(titles, '\n') : ''
  return {
    write(result) {
      buffer += csv ? csvRow(cellsOf(result), '\n') : jsonLine(result, kinds)
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
  cellsOf: (result: Result) => (string | number)[],
): ResultWriter {
  const rows: (readonly (string | number)[])[] = [titles]
  return {
    write(result) {
      rows.push(cellsOf(result))
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

function answerCells(record: CheckedRecord, explain: boolean): (string | number)[] {
  const { error } = record
  const reasons = error ? '' : (record.signals ?? []).map((signal) => signal.code).join(' ')
  const answer = error ? ['', '', error.message] : [record.risk, record.risk_score, '']
  const { outcome = '', rule = '' } = (error ? undefined : record.decision) ?? {}
  return [...answer, ...(explain ? [outcome, rule, reasons] : [])]
}

function jsonLine({ line, kind, record }: Result, kinds: readonly Kind[]): string {
  const [only] = kinds.length === 1 ? kinds : []
  const head = { line, [kind ?? only ?? 'indicator']: record.indicator }
  if (record.error) {
    const { code, message } = record.error
    return `${JSON.stringify({ ...head, error: { code, detail: message } })}\n`
  }
  // Undefined fields are left out.
  const { risk, risk_score, signals, decision } = record
  return `${JSON.stringify({ ...head, risk, risk_score, signals, decision })}\n`
}

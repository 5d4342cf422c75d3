import { dedupeKey, type Kind } from '@assay/sdk'
import { problemOf, recognise } from '../check/recognise.ts'

/** A file or a paste, read into records to check. Nothing is sent and nothing is spent here. */

export const ROWS_MAX = 500_000
export const FILE_BYTES_MAX = 100 * 1024 * 1024
const SAMPLE_ROWS = 200
const INVALID_SHOWN_MAX = 200
/** Rows looked at in one go: short enough that the page stays alive in between. */
const SLICE_ROWS = 5000

/** Why a list cannot be read, in words for whoever brought it. */
export class ListProblem extends Error {}

export function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    throw new ListProblem('This is a spreadsheet or an archive. Save it as CSV and drop that file.')
  }
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new ListProblem(
      'This file is not in UTF-8, so its letters would be misread. Save it as “CSV UTF-8” and drop it again.',
    )
  }
  if (text.includes('\0')) throw new ListProblem('This is not a text file. Save the list as CSV and drop that file.')
  return text
}

export interface Table {
  readonly columns: readonly string[]
  /** Cells of each row, without the header. */
  readonly rows: readonly (readonly string[])[]
  /** Number of the first of them in the file, counted from 1. */
  readonly firstRow: number
  /** Where the indicators stand, and of which kind most are; undefined when no column holds any. */
  readonly guess: { readonly column: number; readonly kind: Kind } | undefined
}

export interface OpenList {
  readonly name: string
  readonly table: Table
}

export function readTable(text: string): Table {
  const rows = parseCsv(text)
  if (rows.length === 0) throw new ListProblem('There is nothing in this list.')
  const first = rows[0] ?? []
  const guess = guessColumn(rows)
  const headed = isHeader(first, guess)
  const width = rows.slice(0, SAMPLE_ROWS).reduce((most, row) => Math.max(most, row.length), 1)
  const columns = Array.from({ length: width }, (_, index) => (headed && first[index]?.trim()) || `Column ${index + 1}`)
  return { columns, rows: headed ? rows.slice(1) : rows, firstRow: headed ? 2 : 1, guess }
}

function isHeader(first: readonly string[], guess: Table['guess']): boolean {
  if (!guess) return first.length > 1
  return 'problem' in recognise(first[guess.column] ?? '')
}

function guessColumn(rows: readonly (readonly string[])[]): Table['guess'] {
  const sample = rows.slice(0, SAMPLE_ROWS)
  const counts = new Map<string, number>()
  let best: { column: number; kind: Kind; hits: number } | undefined
  for (const row of sample) {
    for (const [column, cell] of row.entries()) {
      const found = recognise(cell)
      if ('problem' in found) continue
      const key = `${column} ${found.kind}`
      const hits = (counts.get(key) ?? 0) + 1
      counts.set(key, hits)
      // The leftmost column wins a draw.
      if (!best || hits > best.hits) best = { column, kind: found.kind, hits }
    }
  }
  return best && { column: best.column, kind: best.kind }
}

/** RFC 4180, with the separator the file uses. Blank lines are left out. */
export function parseCsv(text: string): string[][] {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text
  const separator = guessSeparator(body)
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const endRow = () => {
    if (row.length > 1 || row[0]?.trim()) rows.push(row)
    row = []
    if (rows.length > ROWS_MAX + 1) {
      throw new ListProblem(
        `This list has more than ${ROWS_MAX.toLocaleString('en-GB')} rows. Split it, or use the command line, which takes lists of any length.`,
      )
    }
  }
  while (at < body.length) {
    let cell: string
    if (body[at] === '"') {
      let end = at + 1
      for (;;) {
        end = body.indexOf('"', end)
        if (end < 0) throw new ListProblem(`A quotation mark in row ${rows.length + 1} is never closed.`)
        if (body[end + 1] !== '"') break
        end += 2
      }
      cell = body.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
      while (at < body.length && body[at] !== separator && body[at] !== '\n' && body[at] !== '\r') at++
    } else {
      const start = at
      while (at < body.length) {
        const character = body[at]
        if (character === separator || character === '\n' || character === '\r') break
        at++
      }
      cell = body.slice(start, at)
    }
    row.push(cell)
    if (body[at] === separator) {
      at++
      if (at === body.length) row.push('')
      continue
    }
    if (body[at] === '\r' && body[at + 1] === '\n') at++
    at++
    endRow()
  }
  if (row.length > 0) endRow()
  return rows
}

function guessSeparator(text: string): string {
  const end = text.search(/[\r\n]/)
  const line = end < 0 ? text.slice(0, 10_000) : text.slice(0, end)
  const counts = [',', ';', '\t'].map((separator) => ({ separator, count: line.split(separator).length }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).separator
}

export interface Prepared {
  /** Each indicator once, in the order of the file. */
  readonly records: readonly string[]
  /** Row of the file in which each stands first. */
  readonly rowOf: readonly number[]
  /** How often each stands in the file. */
  readonly times: readonly number[]
  readonly duplicates: number
  readonly blank: number
  readonly invalid: number
  readonly invalidRows: readonly { readonly row: number; readonly value: string; readonly problem: string }[]
}

export async function prepare(
  table: Table,
  { column, kind }: { readonly column: number; readonly kind: Kind },
  signal: AbortSignal,
): Promise<Prepared> {
  const records: string[] = []
  const rowOf: number[] = []
  const times: number[] = []
  const seen = new Map<string, number>()
  const invalidRows: { row: number; value: string; problem: string }[] = []
  let invalid = 0
  let blank = 0
  let duplicates = 0
  for (let start = 0; start < table.rows.length; start += SLICE_ROWS) {
    if (start > 0) await new Promise((resolve) => setTimeout(resolve))
    signal.throwIfAborted()
    const end = Math.min(table.rows.length, start + SLICE_ROWS)
    for (let index = start; index < end; index++) {
      const value = (table.rows[index]?.[column] ?? '').trim()
      if (value === '') {
        blank++
        continue
      }
      const problem = problemOf(kind, value)
      if (problem !== undefined) {
        invalid++
        if (invalidRows.length < INVALID_SHOWN_MAX) invalidRows.push({ row: index + table.firstRow, value, problem })
        continue
      }
      const key = dedupeKey(kind, value)
      const earlier = seen.get(key)
      if (earlier !== undefined) {
        duplicates++
        times[earlier] = (times[earlier] ?? 0) + 1
        continue
      }
      seen.set(key, records.length)
      records.push(value)
      rowOf.push(index + table.firstRow)
      times.push(1)
    }
  }
  return { records, rowOf, times, duplicates, blank, invalid, invalidRows }
}

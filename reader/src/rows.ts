import { guessColumn, kindsIn } from './columns.ts'
import { createCsvReader, type Row, type RowReader } from './csv.ts'
import { jsonReaderFor } from './json.ts'
import { createLogReader, looksLikeLog } from './log.ts'

const HEAD_LENGTH = 65_536

/** Reads a table, a log or JSON, whichever the beginning of the text looks like. */
export function createRowReader(): RowReader {
  let head = ''
  let reader: RowReader | undefined
  const begin = () => {
    reader = readerFor(head)
    return reader.write(head)
  }
  return {
    write(text) {
      if (reader) return reader.write(text)
      head += text
      return head.length < HEAD_LENGTH ? [] : begin()
    },
    end() {
      const rows = reader ? [] : begin()
      for (const row of reader?.end() ?? []) rows.push(row)
      return rows
    },
    notes: () => reader?.notes() ?? [],
  }
}

function readerFor(head: string): RowReader {
  const text = head.startsWith('\ufeff') ? head.slice(1) : head
  const ofJson = jsonReaderFor(text)
  if (ofJson) return ofJson
  if (looksLikeLog(text) && !isTable(text)) return createLogReader()
  return { ...createCsvReader(), notes: () => [] }
}

const ROWS_TESTED = 100

/** True if one column holds an indicator in most rows: a table that a program wrote, with a column of times. */
function isTable(head: string): boolean {
  const rows = csvRows(head)
  const guess = guessColumn(rows)
  if (!guess?.sure || (rows[0]?.cells.length ?? 0) < 2) return false
  return (kindsIn(rows, guess.column)[0]?.cells ?? 0) * 2 > rows.length
}

function csvRows(head: string): Row[] {
  // The last line may be cut.
  const lines = head.slice(0, head.lastIndexOf('\n') + 1) || head
  const reader = createCsvReader()
  try {
    return [...reader.write(lines), ...reader.end()].slice(0, ROWS_TESTED)
  } catch {
    return []
  }
}

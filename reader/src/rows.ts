import { headingRows, isEvents, isTable } from './columns.ts'
import { createCsvReader, type Row, type RowReader } from './csv.ts'
import { jsonReaderFor } from './json.ts'
import { createEventReader, createLogReader, logReaderFor, namesFields } from './log.ts'

const HEAD_LENGTH = 65_536

/** Reads a table, a log or JSON, whichever the beginning of the text looks like; a table only if the caller says so. */
export function createRowReader({ isTableOnly = false } = {}): RowReader {
  let head = ''
  let reader: RowReader | undefined
  const begin = () => {
    reader = readerFor(head, isTableOnly)
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
    separator: () => reader?.separator?.(),
  }
}

function readerFor(head: string, isTableOnly: boolean): RowReader {
  const text = head.startsWith('\ufeff') ? head.slice(1) : head
  return jsonReaderFor(text, isTableOnly) ?? (isTableOnly ? undefined : logOf(text)) ?? createTableReader()
}

/** The reader for a text that is no table; undefined for a table, and for a text without addresses. */
function logOf(text: string): RowReader | undefined {
  if (namesFields(text)) return createLogReader()
  const rows = csvRows(text)
  if (isTable(rows)) return undefined
  const heading = headingRows(rows)
  return isEvents(rows.slice(heading)) ? createEventReader(heading) : logReaderFor(text)
}

const createTableReader = (): RowReader => ({ ...createCsvReader(), notes: () => [] })

const ROWS_TESTED = 100

/** The rows that end in the head. Line breaks behind them end the last one, and make the CSV reader begin. */
function csvRows(head: string): Row[] {
  const lines = head.length < HEAD_LENGTH ? head : head.slice(0, head.lastIndexOf('\n'))
  try {
    return createCsvReader().write(`${lines}\n`.padEnd(HEAD_LENGTH, '\n')).slice(0, ROWS_TESTED)
  } catch {
    return []
  }
}

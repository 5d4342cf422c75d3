/**
 * The content of a backup, as lines of JSON:
 *
 *     {"file":"anchors.log","text":"…"}                         files of the data folder
 *     {"table":"organisation","columns":["id",…]}               a table,
 *     ["org_…",…]                                               its rows,
 *     {"rows":12}                                               and how many there were
 *     {"end":{"tables":31,"rows":4711,"files":1}}
 */
import type { SqlValue } from '../db/sql.ts'
import { BackupRefused } from './refused.ts'

export interface Counts {
  readonly files: number
  readonly rows: number
  readonly tables: Readonly<Record<string, number>>
}

const BATCH_CHARACTERS = 1 << 16
/** The longest line: more than a file of the data folder, or the stored answer to the largest list, can have. */
export const LINE_CHARACTERS_MAX = 128 * 1024 * 1024

/** Lines of the rows of a table, joined to texts large enough for a write. */
export async function* linesOf(
  table: string,
  pieces: AsyncIterable<readonly (readonly SqlValue[])[]>,
  counted: (rows: number) => void,
): AsyncGenerator<string> {
  let batch = ''
  for await (const rows of pieces) {
    counted(rows.length)
    for (const row of rows) {
      batch += line(row, `A row of ${table}`)
      if (batch.length < BATCH_CHARACTERS) continue
      yield batch
      batch = ''
    }
  }
  if (batch !== '') yield batch
}

/** Refuses to write a line that could not be restored. */
export function line(value: object, what: string): string {
  const text = JSON.stringify(value)
  if (text.length <= LINE_CHARACTERS_MAX) return `${text}\n`
  throw new BackupRefused(
    `${what} has more than ${LINE_CHARACTERS_MAX} characters, which a backup cannot hold. Delete or shorten it, then make the backup again.`,
  )
}

export interface ContentReader {
  file(name: string, text: string): void
  /** Throws for an unexpected table or columns. */
  table(name: string, columns: readonly string[]): void
  rows(rows: readonly (readonly SqlValue[])[]): Promise<void>
}

/** Reads to the end, checks the counts on the way, and returns them. */
export async function readContent(batches: AsyncIterable<readonly string[]>, reader: ContentReader): Promise<Counts> {
  const tables: Record<string, number> = {}
  let table: string | undefined
  let files = 0
  let ended = false
  const take = (entry: Record<string, unknown>) => {
    if (ended) throw damaged('there is data after its end')
    if (typeof entry.file === 'string') {
      files++
      reader.file(entry.file, String(entry.text))
    } else if (typeof entry.table === 'string' && table === undefined) {
      table = entry.table
      tables[table] = 0
      reader.table(table, entry.columns as string[])
    } else if (typeof entry.rows === 'number' && table !== undefined) {
      if (entry.rows !== tables[table]) throw damaged(`${table} has ${tables[table]} rows instead of ${entry.rows}`)
      table = undefined
    } else if (typeof entry.end === 'object' && table === undefined) {
      ended = true
      if (JSON.stringify(entry.end) !== JSON.stringify(endOf({ files, tables }))) throw damaged('its counts differ')
    } else throw damaged('a line is in the wrong place')
  }
  for await (const lines of batches) {
    let rows: SqlValue[][] = []
    const flush = async () => {
      if (rows.length === 0) return
      if (table === undefined || ended) throw damaged('a row belongs to no table')
      tables[table] = (tables[table] ?? 0) + rows.length
      const piece = rows
      rows = []
      await reader.rows(piece)
    }
    for (const text of lines) {
      const value = JSON.parse(text) as SqlValue[] | Record<string, unknown>
      if (Array.isArray(value)) {
        rows.push(value)
        continue
      }
      await flush()
      take(value)
    }
    await flush()
  }
  if (!ended) throw damaged('its end is missing')
  return { files, tables, rows: sum(tables) }
}

export function endOf({ files, tables }: Pick<Counts, 'files' | 'tables'>): Counts & object {
  return { files, rows: sum(tables), tables }
}

const sum = (tables: Counts['tables']) => Object.values(tables).reduce((all, rows) => all + rows, 0)

const damaged = (why: string) => new BackupRefused(`The content of the backup was changed: ${why}.`)

import { CliError } from '../context.ts'

/** RFC 4180, read piece by piece. A list with one record a line is a CSV with one column. */
export interface Row {
  /** Where the row begins, from 1. */
  readonly line: number
  readonly fields: readonly string[]
}

const FIELD_LENGTH_MAX = 65_536
const FIELDS_MAX = 1000

export async function* readRows(name: string, text: AsyncIterable<string>): AsyncGenerator<Row> {
  let separator: string | undefined
  let head = ''
  const machine = createMachine(name)
  for await (let part of text) {
    if (separator === undefined) {
      // What separates the columns shows in the first line.
      head += part
      if (!/[\r\n]/.test(head) && head.length < FIELD_LENGTH_MAX) continue
      separator = separatorOf(head)
      part = head
    }
    yield* machine.feed(part, separator)
  }
  if (separator === undefined) {
    separator = separatorOf(head)
    yield* machine.feed(head, separator)
  }
  yield* machine.end()
}

/** A comma unless the first line has none and another separator in its place, as spreadsheets write in many countries. */
function separatorOf(head: string): string {
  const line = (/^[^\r\n]*/.exec(head)?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '')
  if (line.includes(',')) return ','
  if (line.includes('\t')) return '\t'
  return line.includes(';') ? ';' : ','
}

function createMachine(name: string) {
  let line = 1
  let rowLine = 1
  let fields: string[] = []
  let field = ''
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start'
  let afterReturn = false

  const endField = () => {
    fields.push(field)
    field = ''
    state = 'start'
    if (fields.length > FIELDS_MAX) throw new CliError(`${name}, line ${rowLine}: more than ${FIELDS_MAX} columns.`)
  }
  const endRow = (): Row | undefined => {
    endField()
    const row = { line: rowLine, fields }
    fields = []
    const blank = row.fields.length === 1 && row.fields[0]?.trim() === ''
    return blank ? undefined : row
  }

  return {
    *feed(text: string, separator: string): Generator<Row> {
      for (let i = 0; i < text.length; i++) {
        const char = text[i]!
        if (afterReturn) {
          afterReturn = false
          if (char === '\n') continue
        }
        const breaks = char === '\n' || char === '\r'
        if (breaks) {
          line++
          afterReturn = char === '\r'
        }
        if (state === 'quoted') {
          if (char === '"') state = 'closed'
          else field += breaks ? '\n' : char
        } else if (state === 'closed' && char === '"') {
          field += '"'
          state = 'quoted'
        } else if (breaks) {
          const row = endRow()
          rowLine = line
          if (row) yield row
        } else if (char === separator) {
          endField()
        } else if (state === 'start' && char === '"') {
          state = 'quoted'
        } else {
          field += char
          if (state === 'start') state = 'plain'
        }
        if (field.length > FIELD_LENGTH_MAX) {
          throw new CliError(
            `${name}, line ${rowLine}: a value is longer than ${FIELD_LENGTH_MAX} characters. Is a quotation mark missing?`,
          )
        }
      }
    },
    *end(): Generator<Row> {
      if (state === 'quoted') {
        throw new CliError(
          `${name}, line ${rowLine}: a quotation mark is opened and never closed. Repair the line and try again.`,
        )
      }
      if (field === '' && fields.length === 0 && state === 'start') return
      const row = endRow()
      if (row) yield row
    },
  }
}

import type { Tag } from '../../snapshot/types.ts'
import type { Parser, Valued } from './indicators.ts'
import { dateOf } from './list-date.ts'
import { eachLine } from './text.ts'

/** Tables: one row per line, columns by name (from the header line) or by number from 0. */
export interface CsvOptions {
  readonly delimiter?: string | undefined
  /** True if the first line names the columns; it may begin with `#`. */
  readonly header?: boolean | undefined
  readonly columns: {
    readonly value: string | number
    /** The prefix length of a network, where it has a separate column. */
    readonly prefix?: string | number | undefined
    readonly first_seen?: string | number | undefined
    readonly last_seen?: string | number | undefined
    readonly confidence?: string | number | undefined
    readonly tag?: string | number | undefined
    /** A popularity rank, or the bucket that contains it: gives the popular_… tags. */
    readonly rank?: string | number | undefined
  }
  /** The tag for each text in the tag column; rows with another text keep the feed's own tags. */
  readonly tag_values?: Readonly<Record<string, Tag>> | undefined
}

type ColumnName = keyof CsvOptions['columns']

export const parseCsv: Parser<CsvOptions & Valued> = (input, indicators, options) => {
  const delimiter = options.delimiter ?? ','
  let places: Partial<Record<ColumnName, number>> | undefined = options.header ? undefined : locate(options)
  return eachLine(input, indicators.report, (line) => {
    if (!places) {
      const names = splitCsv(line.replace(/^#\s*/, ''), delimiter).map((name) => name.trim().toLowerCase())
      places = locate(options, names)
      return
    }
    if (line.startsWith('#')) return
    const fields = splitCsv(line, delimiter)
    const text = fields[places.value ?? -1]?.trim()
    if (text === undefined || text === '') return indicators.report.reject('missing_field', line)
    const prefix = fields[places.prefix ?? -1]?.trim() ?? ''
    const value = prefix === '' ? text : `${text}/${prefix}`
    const firstSeenMs = dateOf(fields[places.first_seen ?? -1])
    const lastSeenMs = dateOf(fields[places.last_seen ?? -1])
    const confidence = share(fields[places.confidence ?? -1])
    const tag = options.tag_values?.[fields[places.tag ?? -1]?.trim() ?? ''] ?? popularity(fields[places.rank ?? -1])
    indicators.take(options.values, value, { firstSeenMs, lastSeenMs, confidence, tag })
  })
}

function popularity(rank: string | undefined): Tag | undefined {
  const place = Number(rank)
  if (rank === undefined || !Number.isInteger(place) || place < 1) return undefined
  if (place <= 1_000) return 'popular_1k'
  if (place <= 10_000) return 'popular_10k'
  if (place <= 100_000) return 'popular_100k'
  return place <= 1_000_000 ? 'popular_1m' : undefined
}

function locate(options: CsvOptions, names: readonly string[] = []): Partial<Record<ColumnName, number>> {
  const places: Partial<Record<ColumnName, number>> = {}
  for (const [column, place] of Object.entries(options.columns) as [ColumnName, string | number | undefined][]) {
    if (place === undefined) continue
    places[column] = typeof place === 'number' ? place : names.indexOf(place.toLowerCase())
  }
  return places
}

/** Fields of one line; quotes as in RFC 4180, tolerant of blanks around them. */
export function splitCsv(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter)
  const fields: string[] = []
  let field = ''
  let quoted = false
  for (let i = 0; i < line.length; i++) {
    const character = line[i]!
    if (quoted) {
      if (character !== '"') field += character
      else if (line[i + 1] === '"') {
        field += '"'
        i++
      } else quoted = false
    } else if (character === '"' && field.trim() === '') {
      field = ''
      quoted = true
    } else if (character === delimiter) {
      fields.push(field)
      field = ''
    } else field += character
  }
  fields.push(field)
  return fields
}

function share(value: string | undefined): number | undefined {
  if (value === undefined || value.trim() === '') return undefined
  const number = Number(value)
  if (!Number.isFinite(number) || number < 0 || number > 100) return undefined
  return number > 1 ? number / 100 : number
}

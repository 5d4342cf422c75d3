import type { Tag } from '../../snapshot/types.ts'
import type { Parser, Valued } from './indicators.ts'
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

/** Milliseconds of an ISO or slashed date (UTC by default) or of a Unix time; undefined for anything else. */
export function dateOf(value: unknown): number | undefined {
  if (typeof value === 'number') return unixMs(value)
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const text = value.trim()
  if (/^\d{9,13}(\.\d+)?$/.test(text)) return unixMs(Number(text))
  const match = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?/.exec(text)
  if (!match) return undefined
  if (/[zZ]$|[+-]\d{2}:?\d{2}$/.test(text)) {
    const exact = Date.parse(text)
    if (!Number.isNaN(exact)) return exact
  }
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = match
  const midnight = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  // The 31st of a month with 30 days would become the first of the next.
  if (midnight.getUTCMonth() !== Number(month) - 1 || midnight.getUTCDate() !== Number(day)) return undefined
  return midnight.getTime() + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
}

function unixMs(value: number): number | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined
  return value > 1e11 ? value : value * 1000
}

function share(value: string | undefined): number | undefined {
  if (value === undefined || value.trim() === '') return undefined
  const number = Number(value)
  if (!Number.isFinite(number) || number < 0 || number > 100) return undefined
  return number > 1 ? number / 100 : number
}

import { TAGS } from '../../snapshot/types.ts'
import type { Feed, FeedFormat } from '../catalogue.ts'
import { peek, unpack } from './archive.ts'
import { parseAsnTable } from './asn.ts'
import { dateOf, parseCsv } from './csv.ts'
import { Indicators, type Parser } from './indicators.ts'
import { parseJson, parseJsonLines } from './json.ts'
import { parseCounts, parseHosts, parseList, parseMaltrail } from './lists.ts'
import { parseMispEvent, parseMispWarningList } from './misp.ts'
import { parseMmdb } from './mmdb.ts'
import { FeedRefused, type FeedRow, ParseReport } from './report.ts'
import { parseStixBundle } from './stix.ts'

export interface FeedDocument {
  readonly name: string
  /** The address of the document, which may contain its day; default its name. */
  readonly address?: string
  readonly input: AsyncIterable<Uint8Array>
}

/** Rows of all documents of a feed. Invalid lines are counted; a document that is not a list at all is an error. */
export async function parseFeed(
  feed: Pick<Feed, 'format' | 'kinds' | 'tags'>,
  documents: AsyncIterable<FeedDocument>,
  sink: (row: FeedRow) => void,
  report = new ParseReport(),
): Promise<ParseReport> {
  const declared: ReadonlySet<string> = new Set(feed.kinds)
  const areNew = feed.tags.includes('newly_registered')
  let dates: ListDates = {}
  const indicators = new Indicators(
    (row) => {
      if (declared.has(row.kind)) sink(areNew ? dated(row, dates) : row)
      else {
        report.rows--
        report.reject('wrong_kind', `${row.kind} ${row.value}`)
      }
    },
    report,
    {
      stripWww: 'strip_www' in feed.format && feed.format.strip_www === true,
      condemns: feed.tags.some((tag) => TAGS[tag] === 'threat'),
    },
  )
  for await (const document of documents) {
    for await (const packed of unpack(document.input, document.name)) {
      try {
        const { address = document.name } = document
        const listed = areNew ? await datesOfList([packed.name, address], packed.input) : undefined
        dates = listed?.dates ?? {}
        await parserOf(feed.format)(listed?.input ?? packed.input, indicators, feed.format)
      } catch (error) {
        if (error instanceof FeedRefused && document.name !== '') {
          throw new FeedRefused(`${document.name}: ${error.message}`, { cause: error })
        }
        throw error
      }
    }
  }
  return report
}

function dated(row: FeedRow, { firstSeenMs, lastSeenMs }: ListDates): FeedRow {
  return { ...row, firstSeenMs: row.firstSeenMs ?? firstSeenMs, lastSeenMs: row.lastSeenMs ?? lastSeenMs }
}

type OptionsOf<Type, Format = FeedFormat> = Format extends { readonly type: infer Types }
  ? Type extends Types
    ? Format
    : never
  : never

const PARSERS: { readonly [Type in FeedFormat['type']]: Parser<OptionsOf<Type>> } = {
  list: parseList,
  netset: parseList,
  hosts: parseHosts,
  csv: parseCsv,
  counts: parseCounts,
  json: parseJson,
  'json-lines': parseJsonLines,
  'misp-warninglist': parseMispWarningList,
  'misp-feed': parseMispEvent,
  stix: parseStixBundle,
  taxii: parseStixBundle,
  maltrail: parseMaltrail,
  mmdb: parseMmdb,
  'asn-table': parseAsnTable,
}

function parserOf({ type }: FeedFormat): Parser<FeedFormat> {
  return PARSERS[type] as Parser<FeedFormat>
}

/**
 * The day of a list of newly registered names. A daily list has the day in its address or file name, and its names were
 * registered on that day. A list of the last days has a date in a comment at its head, and the date says when the list
 * was created.
 */
type ListDates = Pick<FeedRow, 'firstSeenMs' | 'lastSeenMs'>

const HEAD_BYTES = 4096

async function datesOfList(names: readonly string[], input: AsyncIterable<Uint8Array>) {
  for (const name of names) {
    const firstSeenMs = dayInName(name)
    if (firstSeenMs !== undefined) return { dates: { firstSeenMs }, input }
  }
  const { head, rest } = await peek(input, HEAD_BYTES)
  const lastSeenMs = dayInHead(Buffer.from(head).toString('latin1'))
  return { dates: lastSeenMs === undefined ? {} : { lastSeenMs }, input: rest }
}

/** A day such as `2026-11-14`, `2026_11_14` or `20261114`, first in the file's own name, then in that of its folder. */
function dayInName(name: string): number | undefined {
  for (const part of name.split(/[/\\?&]/).reverse()) {
    // WhoisDS writes `2026-11-14.zip` into its addresses as base64.
    const decoded = Buffer.from(part, 'base64').toString('latin1')
    const match = DAY.exec(part) ?? DAY.exec(/^[\d-]{10}\.zip$/.test(decoded) ? decoded : '')
    const day = match ? dateOf(`${match[1]}-${match[2]}-${match[3]}`) : undefined
    if (day !== undefined) return day
  }
  return undefined
}

const DAY = /(?<!\d)(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?!\d)/

/** The date of the first comment that says when the list was created. */
function dayInHead(head: string): number | undefined {
  for (const line of head.split(/[\r\n]+/)) {
    if (!/^\s*[#;!]/.test(line) || !/updated?|modified|compil|generated|created|date/i.test(line)) continue
    const iso = /(20\d\d-\d\d-\d\d)/.exec(line)?.[1]
    const [, day, month = '', year] = /(\d{1,2}) ([A-Z][a-z]{2})[a-z]* (20\d\d)/.exec(line) ?? []
    const found = dateOf(iso ?? `${year}-${MONTHS.indexOf(month) + 1}-${day}`)
    if (found !== undefined) return found
  }
  return undefined
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

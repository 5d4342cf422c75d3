import { TAGS } from '../../snapshot/types.ts'
import type { Feed, FeedFormat } from '../catalogue.ts'
import { unpack } from './archive.ts'
import { parseAsnTable } from './asn.ts'
import { parseCsv } from './csv.ts'
import { Indicators, type Parser } from './indicators.ts'
import { parseJson, parseJsonLines } from './json.ts'
import { datesOfList, type ListDates } from './list-day.ts'
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

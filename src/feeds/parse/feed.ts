import { TAGS } from '../../snapshot/types.ts'
import type { Feed } from '../catalogue.ts'
import { unpack } from './archive.ts'
import { parseAsnTable } from './asn-table.ts'
import { parseCsv } from './csv.ts'
import { Indicators } from './indicators.ts'
import { parseJson, parseJsonLines } from './json.ts'
import { datesOfList, type ListDates } from './list-day.ts'
import { parseCounts, parseHosts, parseList } from './lists.ts'
import { parseMaltrail } from './maltrail.ts'
import { parseMispEvent, parseMispWarningList } from './misp.ts'
import { parseMmdb } from './mmdb.ts'
import { FeedRefused, type FeedRow, ParseReport } from './report.ts'
import { parseStixBundle } from './stix.ts'

/** One document of a feed, as fetched. */
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
      if (declared.has(row.kind)) sink(areNew ? { ...dates, ...row } : row)
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
        await parseDocument(feed.format, listed?.input ?? packed.input, indicators)
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

function parseDocument(
  format: Feed['format'],
  input: AsyncIterable<Uint8Array>,
  indicators: Indicators,
): Promise<void> {
  switch (format.type) {
    case 'list':
    case 'netset':
      return parseList(input, format.values, indicators)
    case 'hosts':
      return parseHosts(input, indicators)
    case 'csv':
      return parseCsv(input, format.values, format, indicators)
    case 'counts':
      return parseCounts(input, format.values, format, indicators)
    case 'json':
      return parseJson(input, format.values, format, indicators)
    case 'json-lines':
      return parseJsonLines(input, format.values, format, indicators)
    case 'misp-warninglist':
      return parseMispWarningList(input, indicators)
    case 'misp-feed':
      return parseMispEvent(input, indicators)
    case 'stix':
    case 'taxii':
      return parseStixBundle(input, indicators)
    case 'maltrail':
      return parseMaltrail(input, format, indicators)
    case 'mmdb':
      return parseMmdb(input, format, indicators)
    case 'asn-table':
      return parseAsnTable(input, format, indicators)
  }
}

import { TAGS } from '../../snapshot/types.ts'
import type { Feed, FeedFormat } from '../catalogue.ts'
import { type Packed, peek, unpack } from './archive.ts'
import { parseAsnTable } from './asn.ts'
import { parseCsv } from './csv.ts'
import { Indicators, type Parser } from './indicators.ts'
import { parseJson, parseJsonLines } from './json.ts'
import { dayInHead, dayInName, type ListDate, type ListDocument } from './list-date.ts'
import { parseCounts, parseHosts, parseList, parseMaltrail } from './lists.ts'
import { parseMispEvent, parseMispWarningList } from './misp.ts'
import { parseMmdb } from './mmdb.ts'
import { FeedRefused, type FeedRow, ParseReport } from './report.ts'
import { parseStixBundle } from './stix.ts'

export interface FeedDocument extends ListDocument {
  readonly name: string
  /** The address of the document, which may contain its day; default its name. */
  readonly address?: string
  readonly input: AsyncIterable<Uint8Array>
}

/** Rows of all documents of a feed. Invalid lines are counted; a document that is not a list at all is an error. */
export async function parseFeed(
  feed: Pick<Feed, 'format' | 'kinds' | 'tags'>,
  documents: AsyncIterable<FeedDocument>,
  sink: (row: FeedRow, list: ListDate) => void,
  report = new ParseReport(),
): Promise<ParseReport> {
  const declared: ReadonlySet<string> = new Set(feed.kinds)
  const areNew = feed.tags.includes('newly_registered')
  let dayMs: number | undefined
  let headMs: number | undefined
  const indicators = new Indicators(
    (row) => {
      if (declared.has(row.kind)) {
        sink(areNew ? { ...row, ...newRowDates(row, dayMs, headMs) } : row, indicators.list)
      } else {
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
        const dates = await readDates([packed.name, address], areNew, packed, feed.format.type === 'mmdb')
        dayMs = dates.dayMs
        headMs = dates.headMs
        const { input, ...known } = document
        indicators.list = { document: known, statedMs: dates.statedMs ?? known.modifiedMs, newestRowMs: undefined }
        report.lists.push(indicators.list)
        await parserOf(feed.format)(dates.input, indicators, feed.format)
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

/**
 * A daily list of newly registered names has the day in its name, and its names were registered on that day. A list of
 * the last days states in its head when it was made.
 */
function newRowDates({ firstSeenMs, lastSeenMs }: FeedRow, dayMs: number | undefined, headMs: number | undefined) {
  return { firstSeenMs: firstSeenMs ?? dayMs, lastSeenMs: lastSeenMs ?? headMs }
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

const HEAD_BYTES = 4096

/** The dates that a document states, and its input from the start. */
async function readDates(names: readonly string[], areNew: boolean, packed: Packed, isBinary: boolean) {
  // In the file's own name, then in that of its folder, which for other lists may be the version of an interface.
  const parts = names.flatMap((name) =>
    name
      .split(/[/\\?&]/)
      .reverse()
      .slice(0, areNew ? undefined : 1),
  )
  for (const part of parts) {
    const dayMs = dayInName(part)
    if (dayMs !== undefined) return { dayMs, statedMs: dayMs, input: packed.input }
  }
  if (isBinary) return { statedMs: packed.modifiedMs, input: packed.input }
  const { head, rest } = await peek(packed.input, HEAD_BYTES)
  const headMs = dayInHead(Buffer.from(head).toString('latin1'))
  return { headMs, statedMs: headMs ?? packed.modifiedMs, input: rest }
}

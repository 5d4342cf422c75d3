import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { parseIp } from '../lib/ip.ts'
import type { Compiler, CompilerSource } from '../snapshot/compile.ts'
import type { Tag } from '../snapshot/types.ts'
import type { Feed } from './catalogue.ts'
import type { ListDate } from './parse/list-date.ts'
import { type FeedRow, ParseReport } from './parse/report.ts'
import { eachLine } from './parse/text.ts'

/** A row completed from the feed's catalogue entry: copies store it and the compiler reads it. */
export interface DatedRow {
  readonly kind: FeedRow['kind']
  readonly value: string
  /** Empty for AS ranges. */
  readonly tag: Tag | ''
  /** As the feed states it. Our own first sighting is not such a date and is not stored, except for new names. */
  readonly firstSeenMs: number | undefined
  /** As the feed states it, else the date of the list. */
  readonly lastSeenMs: number
  readonly confidence: number
  readonly asn: number
  readonly asnName: string
  /** The country of an AS; empty where the feed does not say. */
  readonly country: string
}

/** The date of a list that is known before its rows are read; undefined if only its rows can tell. */
export function listMs(feed: Pick<Feed, 'as_of'>, { statedMs }: ListDate, nowMs: number): number | undefined {
  return feed.as_of === undefined ? statedMs : Math.min(nowMs, Date.parse(feed.as_of))
}

/** One dated row per tag. `currentMs` is the date of the list. A future date is a publisher's wrong clock: now. */
export function dateRow(feed: Feed, row: FeedRow, nowMs: number, currentMs: number): DatedRow[] {
  const lastSeenMs = Math.min(row.lastSeenMs ?? Math.max(currentMs, row.firstSeenMs ?? 0), nowMs)
  const dated = {
    kind: row.kind,
    value: row.value,
    firstSeenMs: row.firstSeenMs === undefined ? undefined : Math.min(row.firstSeenMs, lastSeenMs),
    lastSeenMs,
    confidence: feed.confidence * (row.confidence ?? 1),
    asn: row.asn ?? 0,
    asnName: row.asnName ?? '',
    country: row.country ?? '',
  }
  if (row.kind === 'asn_range') return [{ ...dated, tag: '' }]
  return (row.tag ? [row.tag] : feed.tags).map((tag) => {
    if (tag !== 'newly_registered') return { ...dated, tag }
    // A list of the last days has no day for each name: use the day of the list that first contained the name.
    return settled({ ...dated, tag, firstSeenMs: dated.firstSeenMs ?? lastSeenMs })
  })
}

/** A name is new from the day of its registration, and is not new again because a list still contains it. */
export function settled(row: DatedRow): DatedRow {
  return row.tag === 'newly_registered' ? { ...row, lastSeenMs: row.firstSeenMs ?? row.lastSeenMs } : row
}

export function sourceOf(feed: Feed, asOf: number): CompilerSource {
  const { id, name, licence, half_life_days: halfLifeDays, expiry_days: expiryDays, origin, kinds } = feed
  return { id, name, licence, asOfMs: asOf, halfLifeDays, expiryDays, origin, announces: kinds.includes('asn_range') }
}

export function compileRow(compiler: Compiler, source: string, row: DatedRow): void {
  if (row.kind === 'asn_range') {
    const dash = row.value.indexOf('-')
    const first = parseIp(row.value.slice(0, dash))
    const last = parseIp(row.value.slice(dash + 1))
    if (first && last) compiler.addAsnRange({ first, last }, row.asn, row.asnName)
    if (row.country !== '') compiler.addAsnCountry(row.asn, row.country)
    return
  }
  if (row.tag === '') return
  const { kind, value, tag, firstSeenMs, lastSeenMs, confidence } = row
  compiler.add({ kind, value, source, tag, firstSeenMs, lastSeenMs, confidence })
}

// The last good copy of a feed: its rows in normal form, one per line, tab-separated, compressed. The compiler reads
// this copy, so a feed that fails still supplies its rows until they expire.
export function copyFile(dataDir: string, feedId: string): string {
  return join(dataDir, 'feeds', `${feedId}.rows.zst`)
}

const BATCH_CHARACTERS = 1 << 20

export async function writeCopy(file: string, rows: Iterable<DatedRow>): Promise<void> {
  mkdirSync(dirname(file), { recursive: true })
  const partial = `${file}.${process.pid}.partial`
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } })
  try {
    await pipeline(batches(rows), compress, createWriteStream(partial, { flush: true }))
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

function* batches(rows: Iterable<DatedRow>): Generator<string> {
  let batch = ''
  for (const row of rows) {
    batch += line(row)
    if (batch.length < BATCH_CHARACTERS) continue
    yield batch
    batch = ''
  }
  yield batch
}

export async function readCopy(file: string, take: (row: DatedRow) => void): Promise<void> {
  if (!existsSync(file)) return
  await eachLine(createReadStream(file).pipe(createZstdDecompress()), new ParseReport(), (text) => {
    const [kind, value, tag, first, last, confidence, asn = '0', asnName = '', country = ''] = text.split('\t')
    take({
      kind: kind as DatedRow['kind'],
      value: value ?? '',
      tag: (tag ?? '') as Tag | '',
      firstSeenMs: first === '' ? undefined : Number(first),
      lastSeenMs: Number(last),
      confidence: Number(confidence),
      asn: Number(asn),
      asnName,
      country,
    })
  })
}

function line(row: DatedRow): string {
  const base = `${row.kind}\t${row.value}\t${row.tag}\t${row.firstSeenMs ?? ''}\t${row.lastSeenMs}\t${row.confidence}`
  if (row.kind !== 'asn_range') return `${base}\n`
  const network = `${row.asn}\t${row.asnName.replace(/\s+/g, ' ')}`
  return row.country === '' ? `${base}\t${network}\n` : `${base}\t${network}\t${row.country}\n`
}

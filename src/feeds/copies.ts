import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { Tag } from '../snapshot/types.ts'
import { ParseReport } from './parse/report.ts'
import { eachLine } from './parse/text.ts'
import type { DatedRow } from './rows.ts'

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

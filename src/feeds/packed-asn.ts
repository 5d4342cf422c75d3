import { gunzipSync, gzipSync } from 'node:zlib'
import { ipv6 } from '../lib/ip.ts'
import type { Compiler } from '../snapshot/compile.ts'

/**
 * The ranges of AS numbers in the form of an install: 5 MB instead of 33 MB of text in their package. Gzipped: length
 * of the header (u32) · header (JSON, padded to 4) · IPv4 rows (first, last, AS number) · IPv6 rows (four words, four
 * words, AS number), each word a u32. Little-endian throughout, like the snapshot.
 */
export type AsnSink = Pick<Compiler, 'addAsnRange' | 'addAsnRangeV4'>

export interface RowCount {
  readonly rows: number
  readonly junk: number
}

interface Header {
  readonly version: string
  readonly rowsV4: number
  readonly rowsV6: number
  readonly junk: number
  readonly names: readonly (readonly [asn: number, name: string])[]
}

const WORDS_V4 = 3
const WORDS_V6 = 9

export function packAsnRanges(version: string, read: (sink: AsnSink) => RowCount): Buffer {
  const names = new Map<number, string>()
  const v4: number[] = []
  const v6: number[] = []
  const { junk } = read({
    addAsnRangeV4(first, last, asn, name) {
      v4.push(first, last, asn)
      names.set(asn, name)
    },
    addAsnRange({ first: a, last: b }, asn, name) {
      v6.push(a.w0, a.w1, a.w2, a.w3, b.w0, b.w1, b.w2, b.w3, asn)
      names.set(asn, name)
    },
  })
  const header: Header = {
    version,
    rowsV4: v4.length / WORDS_V4,
    rowsV6: v6.length / WORDS_V6,
    junk,
    names: [...names],
  }
  const text = Buffer.from(JSON.stringify(header))
  const padding = Buffer.alloc(-text.length & 3, ' ')
  const headerBytes = text.length + padding.length
  return gzipSync(Buffer.concat([bytesOf([headerBytes]), text, padding, bytesOf(v4), bytesOf(v6)]), { level: 9 })
}

/** Passes every row to `sink`. Undefined when the file holds the ranges of another version. */
export function readPackedAsnRanges(packed: Uint8Array, version: string, sink: AsnSink): RowCount | undefined {
  const { buffer, byteOffset, length } = gunzipSync(packed)
  const bytes = buffer.slice(byteOffset, byteOffset + length)
  const headerBytes = new Uint32Array(bytes, 0, 1)[0] as number
  const header = JSON.parse(Buffer.from(bytes, 4, headerBytes).toString('utf8')) as Header
  if (header.version !== version) return undefined
  const names = new Map(header.names)
  const words = new Uint32Array(bytes, 4 + headerBytes)
  let at = 0
  const next = () => words[at++] as number
  for (let row = 0; row < header.rowsV4; row++) {
    const [first, last, asn] = [next(), next(), next()]
    sink.addAsnRangeV4(first, last, asn, names.get(asn) ?? '')
  }
  for (let row = 0; row < header.rowsV6; row++) {
    const first = ipv6(next(), next(), next(), next())
    const last = ipv6(next(), next(), next(), next())
    const asn = next()
    sink.addAsnRange({ first, last }, asn, names.get(asn) ?? '')
  }
  return { rows: header.rowsV4 + header.rowsV6, junk: header.junk }
}

function bytesOf(words: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(words).buffer)
}

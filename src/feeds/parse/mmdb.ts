import { Reader, type Response } from 'mmdb-lib'
import { formatIp, type Ip, type IpRange, ipv4, ipv6, prefixRange } from '../../lib/ip.ts'
import { isRecord } from '../../lib/json-text.ts'
import type { Indicators, Parser } from './indicators.ts'
import { FeedRefused } from './report.ts'
import { readBytes } from './text.ts'

/** MaxMind DB files: every network in the tree, as listed prefixes or as the ranges of AS numbers. */
export interface MmdbOptions {
  /** Field with the AS number; if set, the file maps addresses to AS numbers instead of listing them. */
  readonly asn?: string | undefined
  readonly asn_name?: string | undefined
  /** Only networks whose record has this field set to true (`is_tor_exit_node`, …). */
  readonly where?: string | undefined
}

const NODES_MAX = 50_000_000

export const parseMmdb: Parser<MmdbOptions> = async (input, indicators, options) => {
  const bytes = await readBytes(input)
  try {
    indicators.list.statedMs = new Reader<Response>(bytes).metadata.buildEpoch.getTime()
    for (const [range, prefix, record] of walkNetworks(bytes)) take(range, prefix, record, options, indicators)
  } catch (cause) {
    if (cause instanceof FeedRefused) throw cause
    throw new FeedRefused(`It is not a readable MMDB file (${(cause as Error).message}).`, { cause })
  }
}

function take(range: IpRange, prefix: number, record: unknown, options: MmdbOptions, indicators: Indicators): void {
  if (options.asn !== undefined) {
    const asn = isRecord(record) ? Number(record[options.asn]) : Number.NaN
    if (!Number.isInteger(asn) || asn < 1) return
    const name = isRecord(record) ? record[options.asn_name ?? 'autonomous_system_organization'] : ''
    indicators.asnRange(range, asn, typeof name === 'string' ? name : '')
    return
  }
  if (options.where !== undefined && !(isRecord(record) && record[options.where] === true)) return
  indicators.ip(`${formatIp(range.first)}/${prefix}`)
}

/** Depth-first over the search tree. The library looks up one address; this visits each network once. */
export function* walkNetworks(bytes: Buffer): Generator<[range: IpRange, prefix: number, record: unknown]> {
  const reader = new Reader<Response>(bytes)
  const { nodeCount, recordSize, nodeByteSize, ipVersion, searchTreeSize } = reader.metadata
  if (nodeCount > NODES_MAX || searchTreeSize > bytes.length) {
    throw new FeedRefused('The search tree of the MMDB file is larger than the file.')
  }
  if (recordSize !== 24 && recordSize !== 28 && recordSize !== 32) {
    throw new FeedRefused(`The MMDB file has records of ${recordSize} bits.`)
  }
  const child = (node: number, side: 0 | 1): number => {
    const at = node * nodeByteSize
    if (recordSize === 24) return bytes.readUIntBE(at + side * 3, 3)
    if (recordSize === 32) return bytes.readUInt32BE(at + side * 4)
    const middle = bytes[at + 3]!
    return side === 0
      ? (middle >>> 4) * 0x1000000 + bytes.readUIntBE(at, 3)
      : (middle & 15) * 0x1000000 + bytes.readUIntBE(at + 4, 3)
  }
  const depthMax = ipVersion === 4 ? 32 : 128
  const records = new Map<number, unknown>()
  const stack: { node: number; depth: number; words: [number, number, number, number] }[] = [
    { node: 0, depth: 0, words: [0, 0, 0, 0] },
  ]
  let visited = 0
  while (stack.length > 0) {
    const { node, depth, words } = stack.pop()!
    if (node === nodeCount) continue
    if (node < nodeCount) {
      // A damaged tree may point back at itself.
      if (depth >= depthMax || ++visited > NODES_MAX)
        throw new FeedRefused('The search tree of the MMDB file is damaged.')
      const right: [number, number, number, number] = [...words]
      right[depth >>> 5]! |= 1 << (31 - (depth & 31))
      stack.push({ node: child(node, 1), depth: depth + 1, words: right })
      stack.push({ node: child(node, 0), depth: depth + 1, words })
      continue
    }
    const [w0, w1, w2, w3] = words
    let found: { first: Ip; prefix: number } | undefined
    if (ipVersion === 4) found = { first: ipv4(w0), prefix: depth }
    // IPv4 is below the first 96 zero bits; writers repeat it in other places (mapped, 6to4), which are ignored.
    else if (depth >= 96 && w0 === 0 && w1 === 0 && w2 === 0) found = { first: ipv4(w3), prefix: depth - 96 }
    else if (w0 !== 0 && w0 >>> 16 !== 0x2002 && w0 !== 0x20010000)
      found = { first: ipv6(w0, w1, w2, w3), prefix: depth }
    if (!found) continue
    if (!records.has(node)) {
      if (records.size > 100_000) records.clear()
      // A look-up of the network's first address decodes its record through the library.
      records.set(node, reader.get(formatIp(found.first)))
    }
    yield [prefixRange(found.first, found.prefix), found.prefix, records.get(node)]
  }
}

import { inflateSync } from 'node:zlib'

/**
 * The font inside a WOFF file (W3C WOFF 1.0): its tables inflated, behind the header of a TrueType file. The PDF
 * library reads WOFF too, but it inflates a table again for every glyph.
 */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('this is not a WOFF font')
  const count = woff.readUInt16BE(12)
  const header = Buffer.alloc(12 + 16 * count)
  woff.copy(header, 0, 4, 8)
  header.writeUInt16BE(count, 4)
  const parts: Buffer[] = [header]
  let end = header.length
  for (let i = 0; i < count; i++) {
    const from = 44 + 20 * i
    const to = 12 + 16 * i
    const offset = woff.readUInt32BE(from + 4)
    const packedLength = woff.readUInt32BE(from + 8)
    const length = woff.readUInt32BE(from + 12)
    const stored = woff.subarray(offset, offset + packedLength)
    const inflated = packedLength < length ? inflateSync(stored) : stored
    const table = withoutNames(woff.toString('latin1', from, from + 4), inflated)
    woff.copy(header, to, from, from + 4)
    header.writeUInt32BE(woff.readUInt32BE(from + 16), to + 4)
    header.writeUInt32BE(end, to + 8)
    header.writeUInt32BE(table.length, to + 12)
    const padding = Buffer.alloc(-table.length & 3)
    parts.push(table, padding)
    end += table.length + padding.length
  }
  return Buffer.concat(parts)
}

/** The table `post` in its third version, which leaves out the names of glyphs: nobody needs them, and reading takes long. */
function withoutNames(tag: string, table: Buffer): Buffer {
  if (tag !== 'post') return table
  const short = Buffer.from(table.subarray(0, 32))
  short.writeUInt32BE(0x00030000, 0)
  return short
}

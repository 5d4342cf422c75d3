import { ipv6 } from '../../lib/ip.ts'
import type { AsnSink, RowCount } from '../packed-asn.ts'

/**
 * `first,last,asn,name` with decimal addresses, as @ip-location-db/asn ships them: half a million rows and 32 MB, so it
 * is read byte by byte and the name is decoded once per AS. Returns rows taken and rows that made no sense.
 */
export function readAsnRangesV4(bytes: Uint8Array, sink: AsnSink): RowCount {
  const reader = new AsnRows(bytes)
  let rows = 0
  let junk = 0
  while (reader.more()) {
    const first = reader.decimal()
    const last = reader.decimal()
    const asn = reader.decimal()
    const name = reader.name(asn)
    if (first < 0 || last < first || last > 0xffffffff || asn < 1 || asn > 0xffffffff) junk++
    else {
      sink.addAsnRangeV4(first, last, asn, name)
      rows++
    }
  }
  return { rows, junk }
}

/** As readAsnRangesV4 for 128-bit decimal addresses. */
export function readAsnRangesV6(bytes: Uint8Array, sink: AsnSink): RowCount {
  const reader = new AsnRows(bytes)
  let rows = 0
  let junk = 0
  const first = new Uint32Array(4)
  const last = new Uint32Array(4)
  while (reader.more()) {
    const valid = reader.decimal128(first)
    const validLast = reader.decimal128(last)
    const asn = reader.decimal()
    const name = reader.name(asn)
    if (!valid || !validLast || asn < 1 || asn > 0xffffffff) junk++
    else {
      sink.addAsnRange(
        {
          first: ipv6(first[0]!, first[1]!, first[2]!, first[3]!),
          last: ipv6(last[0]!, last[1]!, last[2]!, last[3]!),
        },
        asn,
        name,
      )
      rows++
    }
  }
  return { rows, junk }
}

const COMMA = 44
const NEWLINE = 10
const RETURN = 13
const QUOTE = 34

class AsnRows {
  readonly #bytes: Uint8Array
  readonly #names = new Map<number, string>()
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  more(): boolean {
    return this.#at < this.#bytes.length
  }

  /** The number up to the next comma, or -1; the end of the line is left for name() to take. */
  decimal(): number {
    const bytes = this.#bytes
    let value = 0
    const start = this.#at
    for (; this.#at < bytes.length; this.#at++) {
      const byte = bytes[this.#at]!
      if (byte === COMMA) break
      if (byte === NEWLINE) return -1
      value = byte >= 48 && byte <= 57 ? value * 10 + byte - 48 : Number.NaN
    }
    const empty = this.#at === start
    this.#at++
    return empty || Number.isNaN(value) ? -1 : value
  }

  /** Four words, most significant first; false when it is no number of 128 bits. */
  decimal128(words: Uint32Array): boolean {
    const bytes = this.#bytes
    // Sixteen-bit limbs: a limb times ten and a carry stay far below 2^53.
    const limbs = [0, 0, 0, 0, 0, 0, 0, 0]
    let valid = this.#at < bytes.length && bytes[this.#at] !== COMMA
    while (this.#at < bytes.length) {
      // Nine digits at a time.
      let chunk = 0
      let scale = 1
      let byte = 0
      for (; this.#at < bytes.length && scale < 1e9; this.#at++) {
        byte = bytes[this.#at]!
        if (byte === COMMA || byte === NEWLINE) break
        if (byte < 48 || byte > 57) valid = false
        chunk = chunk * 10 + byte - 48
        scale *= 10
      }
      let carry = chunk
      for (let i = 7; i >= 0; i--) {
        const sum = limbs[i]! * scale + carry
        limbs[i] = sum % 65536
        carry = Math.floor(sum / 65536)
      }
      if (carry !== 0) valid = false
      if (byte === NEWLINE) return false
      if (bytes[this.#at] === COMMA) break
    }
    this.#at++
    for (let w = 0; w < 4; w++) words[w] = limbs[w * 2]! * 65536 + limbs[w * 2 + 1]!
    return valid
  }

  /** The rest of the line, quoted or not. */
  name(asn: number): string {
    const bytes = this.#bytes
    const start = this.#at
    let end = bytes.indexOf(NEWLINE, start)
    if (end < 0) end = bytes.length
    this.#at = end + 1
    const known = this.#names.get(asn)
    if (known !== undefined) return known
    if (end > start && bytes[end - 1] === RETURN) end--
    let name = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')
    if (bytes[start] === QUOTE) name = name.slice(1, -1).replaceAll('""', '"')
    this.#names.set(asn, name)
    return name
  }
}

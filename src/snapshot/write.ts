import { createHash } from 'node:crypto'
import { isoDay } from '../lib/clock.ts'
import { beginWholeFile } from '../lib/whole-file.ts'
import {
  align8,
  FORMAT_VERSION,
  infoOf,
  MAGIC,
  PREAMBLE_BYTES,
  SECTION_NAMES,
  type Sections,
  type SnapshotHeader,
} from './format.ts'

export function nameSections(numbers: Uint32Array, names: ReadonlyMap<number, string>) {
  const asnNameStarts = new Uint32Array(numbers.length + 1)
  const encoded = Array.from(numbers, (number) => Buffer.from(names.get(number) ?? '', 'utf8'))
  let at = 0
  for (const [i, name] of encoded.entries()) {
    asnNameStarts[i] = at
    at += name.length
  }
  asnNameStarts[numbers.length] = at
  return { asnNameStarts, asnNames: new Uint8Array(Buffer.concat(encoded)) }
}

/** The letters of every ASN's country, zeros if unknown. */
export function countrySection(numbers: Uint32Array, countryOf: (asn: number) => string | undefined): Uint8Array {
  const letters = new Uint8Array(numbers.length * 2)
  for (const [i, number] of numbers.entries()) {
    const country = countryOf(number)
    if (country === undefined) continue
    letters[i * 2] = country.charCodeAt(0)
    letters[i * 2 + 1] = country.charCodeAt(1)
  }
  return letters
}

export function writeFile(file: string, sections: Sections, partial: Omit<SnapshotHeader, 'version' | 'sections'>) {
  const identity = createHash('sha256')
  identity.update(JSON.stringify([FORMAT_VERSION, partial.sources, partial.tags, partial.counts]))
  const entries: Record<string, { offset: number; length: number }> = {}
  let offset = 0
  for (const name of SECTION_NAMES) {
    const section = sections[name]
    entries[name] = { offset, length: section.length }
    identity.update(bytesOf(section))
    offset = align8(offset + section.byteLength)
  }
  const header: SnapshotHeader = {
    version: `${isoDay(partial.built_at_ms)}-${identity.digest('hex').slice(0, 8)}`,
    ...partial,
    sections: entries,
  }
  const json = Buffer.from(JSON.stringify(header), 'utf8')
  const headerBytes = align8(PREAMBLE_BYTES + json.length)
  const bytes = headerBytes + offset + 32
  const head = Buffer.alloc(headerBytes, 0x20)
  head.write(MAGIC, 0, 'latin1')
  head.writeUInt32LE(FORMAT_VERSION, 8)
  head.writeUInt32LE(headerBytes - PREAMBLE_BYTES, 12)
  head.writeDoubleLE(bytes, 16)
  json.copy(head, PREAMBLE_BYTES)

  using output = beginWholeFile(file)
  const checksum = createHash('sha256')
  const put = (chunk: Uint8Array) => {
    checksum.update(chunk)
    output.put(chunk)
  }
  put(head)
  for (const name of SECTION_NAMES) {
    const chunk = bytesOf(sections[name])
    put(chunk)
    const padding = align8(chunk.length) - chunk.length
    if (padding > 0) put(new Uint8Array(padding))
  }
  output.put(checksum.digest())
  output.keep()
  return { info: infoOf(header), bytes }
}

function bytesOf(section: Uint8Array | Uint16Array | Uint32Array | Float32Array): Uint8Array {
  return new Uint8Array(section.buffer, section.byteOffset, section.byteLength)
}

/** Countries of AS numbers. Rows of one AS may disagree, so each row is a vote. */
export class CountryVotes {
  readonly #votes = new Map<number, { readonly country: string; votes: number }[]>()

  /** False if it is no country code. */
  add(asn: number, country: string): boolean {
    if (!/^[A-Z]{2}$/.test(country)) return false
    const list = this.#votes.get(asn)
    const known = list?.find((each) => each.country === country)
    if (known) known.votes++
    else if (list) list.push({ country, votes: 1 })
    else this.#votes.set(asn, [{ country, votes: 1 }])
    return true
  }

  /** The country with the most votes; on a tie the first in the alphabet, so that the order of rows does not matter. */
  of(asn: number): string | undefined {
    const [most] = (this.#votes.get(asn) ?? []).sort((a, b) => b.votes - a.votes || (a.country < b.country ? -1 : 1))
    return most?.country
  }
}

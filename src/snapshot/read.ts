import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { DAY_MS } from '../lib/clock.ts'
import { hash64Into } from '../lib/hashing.ts'
import type { Ip } from '../lib/ip.ts'
import {
  align8,
  CHECKSUM_BYTES,
  type ElementType,
  FORMAT_VERSION,
  infoOf,
  LATER_SECTIONS,
  MAGIC,
  PREAMBLE_BYTES,
  SECTION_NAMES,
  SECTIONS,
  type Sections,
  type SnapshotHeader,
  SnapshotRefused,
  UNKNOWN_DAY,
} from './format.ts'
import { LOOKS_VERSION, Looks, looksOf, popularityOf } from './looks.ts'
import { homeSlot } from './table.ts'
import {
  type AsnInfo,
  type Density,
  type Evidence,
  type KnownNames,
  type ListedNames,
  type Snapshot,
  type SnapshotInfo,
  TAGS,
  type Tag,
} from './types.ts'

/** A snapshot, and what another thread needs to open the same memory: post `shared`, call snapshotFromShared. */
export interface OpenSnapshot extends Snapshot {
  readonly shared: SharedArrayBuffer
  /** Rows left out by the compiler, by reason. */
  readonly dropped: Readonly<Record<string, number>>
  readonly bytes: number
  /** The hash table of a kind, slots of three words in ascending order of key: for comparing two snapshots. */
  slots(kind: 'domain' | 'email'): Uint32Array
}

const NONE: readonly Evidence[] = Object.freeze([])
const NO_DENSITY: Density = Object.freeze({ near: 0, around: 0, asnPer10k: 0, asnAnnounced: 0 })
const READ_BYTES = 64 * 1024 * 1024

/** Reads and checks a file. Throws SnapshotRefused if it is incomplete, altered, or of another format. */
export function openSnapshot(file: string): OpenSnapshot {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (cause) {
    throw new SnapshotRefused(file, 'it cannot be opened', { cause })
  }
  using _ = { [Symbol.dispose]: () => closeSync(descriptor) }
  const size = fstatSync(descriptor).size
  if (size < PREAMBLE_BYTES + CHECKSUM_BYTES) throw new SnapshotRefused(file, `it is cut off after ${size} bytes`)
  const preamble = new Uint8Array(PREAMBLE_BYTES)
  readSync(descriptor, preamble, 0, PREAMBLE_BYTES, 0)
  checkPreamble(file, preamble, size)
  const shared = new SharedArrayBuffer(align8(size))
  const bytes = new Uint8Array(shared, 0, size)
  // Hashing each chunk right after its read keeps the bytes in the CPU cache, which halves the time to open.
  const checksum = createHash('sha256')
  const body = size - CHECKSUM_BYTES
  for (let at = 0; at < size; ) {
    const got = readSync(descriptor, bytes, at, Math.min(READ_BYTES, size - at), at)
    if (got === 0) throw new SnapshotRefused(file, `it is cut off after ${at} bytes`)
    const hashed = Math.min(at + got, body)
    if (hashed > at) checksum.update(bytes.subarray(at, hashed))
    at += got
  }
  if (!checksum.digest().equals(Buffer.from(bytes.slice(body)))) {
    throw new SnapshotRefused(file, 'its checksum does not match its contents, so it was altered or damaged')
  }
  return snapshotFromShared(shared, file)
}

function checkPreamble(file: string, preamble: Uint8Array, size: number): void {
  const view = new DataView(preamble.buffer)
  if (Buffer.from(preamble.subarray(0, 8)).toString('latin1') !== MAGIC) {
    throw new SnapshotRefused(file, 'it is not a snapshot')
  }
  const version = view.getUint32(8, true)
  if (version !== FORMAT_VERSION) {
    throw new SnapshotRefused(
      file,
      `it has format ${version} and this release reads format ${FORMAT_VERSION}; ${version > FORMAT_VERSION ? 'upgrade the server' : 'compile it again'}`,
    )
  }
  const length = view.getFloat64(16, true)
  if (length !== size) throw new SnapshotRefused(file, `it has ${size} bytes and should have ${length}`)
  if (PREAMBLE_BYTES + view.getUint32(12, true) > size) throw new SnapshotRefused(file, 'its header is cut off')
}

/** A snapshot over memory that openSnapshot has read and checked, in this thread or another. */
export function snapshotFromShared(shared: SharedArrayBuffer, file = 'in memory'): OpenSnapshot {
  const view = new DataView(shared)
  const headerBytes = view.getUint32(12, true)
  const size = view.getFloat64(16, true)
  const header = JSON.parse(Buffer.from(shared, PREAMBLE_BYTES, headerBytes).toString('utf8')) as SnapshotHeader
  const base = PREAMBLE_BYTES + headerBytes
  const sections: Partial<Record<keyof Sections, Sections[keyof Sections]>> = {}
  for (const name of SECTION_NAMES) {
    const entry = header.sections[name]
    if (!entry && !LATER_SECTIONS.has(name)) throw new SnapshotRefused(file, `it has no section ${name}`)
    sections[name] = sectionView(SECTIONS[name], shared, base + (entry?.offset ?? 0), entry?.length ?? 0)
  }
  return new SharedSnapshot(shared, size, header, sections as Sections)
}

function sectionView(element: ElementType, shared: SharedArrayBuffer, offset: number, length: number) {
  if (element === 'u8') return new Uint8Array(shared, offset, length)
  if (element === 'u16') return new Uint16Array(shared, offset, length)
  return element === 'u32' ? new Uint32Array(shared, offset, length) : new Float32Array(shared, offset, length)
}

class SharedSnapshot implements OpenSnapshot {
  readonly shared: SharedArrayBuffer
  readonly bytes: number
  readonly info: SnapshotInfo
  readonly listedNames: ListedNames
  readonly knownNames: KnownNames
  readonly dropped: Readonly<Record<string, number>>
  readonly #sections: Sections
  readonly #domainHomes: number
  readonly #emailHomes: number
  /** Few sources name single mailboxes: if none does, skip the look-up. */
  readonly #namesEmails: boolean
  readonly #tags: readonly (Tag | undefined)[]
  readonly #evidence: (Evidence | undefined)[]
  readonly #sets: (readonly Evidence[] | undefined)[]
  readonly #asns: (AsnInfo | undefined)[]
  /** For every /16, the position of its listed /24 in near4Keys. */
  readonly #near4Index: Uint32Array
  /** IPv4 addresses every ASN announces. */
  readonly #announced: Float64Array
  readonly #key = new Uint32Array(2)

  constructor(shared: SharedArrayBuffer, bytes: number, header: SnapshotHeader, sections: Sections) {
    this.shared = shared
    this.bytes = bytes
    this.info = infoOf(header)
    const { listedStretches: grams, listedForms: forms } = sections
    this.listedNames = { names: 0, weight: 0, ...(grams.length > 0 && header.listed_names), grams, forms }
    this.knownNames =
      header.looks?.version === LOOKS_VERSION
        ? new Looks(sections, header.looks.names, (site) => popularityOf(this.domain(site)))
        : looksOf(new Set())
    this.dropped = header.dropped
    this.#sections = sections
    this.#domainHomes = header.domain_homes
    this.#emailHomes = header.email_homes
    this.#namesEmails = sections.emails.some((word) => word !== 0)
    // An unknown tag of a later release is ignored.
    this.#tags = header.tags.map((tag) => (tag in TAGS ? (tag as Tag) : undefined))
    this.#evidence = new Array(sections.evidence.length / 5)
    this.#sets = new Array(sections.setStarts.length - 1)
    this.#asns = new Array(sections.asnNumbers.length)
    // Both are calculated from the file in a few milliseconds.
    this.#near4Index = indexOfBlocks(sections.near4Keys)
    this.#announced = announcedBy(sections)
  }

  slots(kind: 'domain' | 'email'): Uint32Array {
    return kind === 'domain' ? this.#sections.domains : this.#sections.emails
  }

  domain(name: string): readonly Evidence[] {
    return this.#set(this.#find(this.#sections.domains, this.#domainHomes, name))
  }

  email(address: string): readonly Evidence[] {
    return this.#namesEmails ? this.#set(this.#find(this.#sections.emails, this.#emailHomes, address)) : NONE
  }

  ip(ip: Ip): readonly Evidence[] {
    const s = this.#sections
    if (ip.version === 4) {
      const at = findV4(s.v4First, s.v4Last, s.v4Index, ip.w3)
      return at < 0 ? NONE : this.#set(s.v4Set[at]!)
    }
    const at = findV6(s.v6First, s.v6Last, s.v6Index, ip)
    return at < 0 ? NONE : this.#set(s.v6Set[at]!)
  }

  asn(ip: Ip): AsnInfo | undefined {
    const at = this.#asnIndex(ip)
    return at < 0 ? undefined : this.#asn(at)
  }

  density(ip: Ip): Density {
    const s = this.#sections
    const v4 = ip.version === 4
    const near = v4 ? nearV4(s, this.#near4Index, ip) : nearV6(s, ip)
    const around = (v4 ? blocksV4(this.#near4Index, ip) : blocksV6(s, ip)) - (near > 0 ? 1 : 0)
    const at = this.#asnIndex(ip)
    if (at < 0) return near === 0 && around === 0 ? NO_DENSITY : { near, around, asnPer10k: 0, asnAnnounced: 0 }
    return { near, around, asnPer10k: s.asnPer10k[at]!, asnAnnounced: this.#announced[at]! }
  }

  #asnIndex(ip: Ip): number {
    const s = this.#sections
    if (ip.version === 4) {
      const at = findV4(s.asn4First, s.asn4Last, s.asn4Index, ip.w3)
      return at < 0 ? -1 : s.asn4Asn[at]!
    }
    const at = findV6(s.asn6First, s.asn6Last, s.asn6Index, ip)
    return at < 0 ? -1 : s.asn6Asn[at]!
  }

  #asn(index: number): AsnInfo {
    let info = this.#asns[index]
    if (!info) {
      const s = this.#sections
      const from = s.asnNameStarts[index]!
      info = Object.freeze({
        number: s.asnNumbers[index]!,
        name: Buffer.from(s.asnNames.subarray(from, s.asnNameStarts[index + 1]!)).toString('utf8'),
        country: countryAt(s.asnCountries, index),
        evidence: this.#set(s.asnSets[index]!),
      })
      this.#asns[index] = info
    }
    return info
  }

  #find(slots: Uint32Array, homes: number, text: string): number {
    hash64Into(text, this.#key)
    const low = this.#key[0]!
    const high = this.#key[1]!
    for (let at = homeSlot(high, homes) * 3; ; at += 3) {
      const set = slots[at + 2]!
      if (set === 0) return 0
      const slotHigh = slots[at]!
      if (slotHigh === high && slots[at + 1] === low) return set
      if (slotHigh > high) return 0
    }
  }

  #set(set: number): readonly Evidence[] {
    if (set === 0) return NONE
    let evidence = this.#sets[set]
    if (!evidence) {
      const s = this.#sections
      const list: Evidence[] = []
      for (let i = s.setStarts[set]!; i < s.setStarts[set + 1]!; i++) {
        const item = this.#record(s.setItems[i]!)
        if (item) list.push(item)
      }
      evidence = Object.freeze(list)
      this.#sets[set] = evidence
    }
    return evidence
  }

  #record(index: number): Evidence | undefined {
    let evidence = this.#evidence[index]
    if (!evidence) {
      const words = this.#sections.evidence
      const at = index * 5
      const tag = this.#tags[words[at + 1]!]
      if (!tag) return undefined
      evidence = Object.freeze({
        source: this.info.sources[words[at]!]!.id,
        tag,
        ...(words[at + 2] !== UNKNOWN_DAY && { firstSeenMs: words[at + 2]! * DAY_MS }),
        lastSeenMs: words[at + 3]! * DAY_MS,
        confidence: words[at + 4]! / 10_000,
      })
      this.#evidence[index] = evidence
    }
    return evidence
  }
}

function countryAt(letters: Uint8Array, index: number): string | undefined {
  const first = letters[index * 2] ?? 0
  return first === 0 ? undefined : String.fromCharCode(first, letters[index * 2 + 1]!)
}

function findV4(first: Uint32Array, last: Uint32Array, index: Uint32Array, value: number): number {
  const top = value >>> 16
  // The matching range is the first whose end is not below the address; it may begin in this block or end beyond it.
  const at = firstFrom(last, 1, value, index[top]!, index[top + 1]!)
  return at < last.length && first[at]! <= value ? at : -1
}

/** The first entry from `low` to `high` whose word is `value` or more; every entry has `stride` words. */
function firstFrom(words: Uint32Array, stride: 1 | 2, value: number, low: number, high: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1
    if (words[middle * stride]! < value) low = middle + 1
    else high = middle
  }
  return low
}

function findV6(first: Uint32Array, last: Uint32Array, index: Uint32Array, ip: Ip): number {
  const top = ip.w0 >>> 16
  let low = index[top]!
  let high = index[top + 1]!
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareWords(last, middle * 4, ip) < 0) low = middle + 1
    else high = middle
  }
  return low * 4 < last.length && compareWords(first, low * 4, ip) <= 0 ? low : -1
}

function compareWords(words: Uint32Array, at: number, ip: Ip): number {
  return words[at]! - ip.w0 || words[at + 1]! - ip.w1 || words[at + 2]! - ip.w2 || words[at + 3]! - ip.w3
}

function indexOfBlocks(keys: Uint32Array): Uint32Array {
  const index = new Uint32Array(65_537)
  let at = 0
  for (let top = 0; top < 65_536; top++) {
    while (at < keys.length && keys[at]! >>> 8 < top) at++
    index[top] = at
  }
  index[65_536] = keys.length
  return index
}

function announcedBy(s: Sections): Float64Array {
  const announced = new Float64Array(s.asnNumbers.length)
  for (let i = 0; i < s.asn4First.length; i++) announced[s.asn4Asn[i]!]! += s.asn4Last[i]! - s.asn4First[i]! + 1
  return announced
}

function nearV4(s: Sections, index: Uint32Array, ip: Ip): number {
  const block = ip.w3 >>> 8
  const at = firstFrom(s.near4Keys, 1, block, index[block >>> 8]!, index[(block >>> 8) + 1]!)
  return s.near4Keys[at] === block ? s.near4Counts[at]! : 0
}

/** The number of /24 in the address's /16 that contain a listed address. */
function blocksV4(index: Uint32Array, ip: Ip): number {
  return index[(ip.w3 >>> 16) + 1]! - index[ip.w3 >>> 16]!
}

/** The number of /48 in the address's /32 that contain a listed prefix. */
function blocksV6(s: Sections, ip: Ip): number {
  const count = s.near6Counts.length
  return firstFrom(s.near6Keys, 2, ip.w0 + 1, 0, count) - firstFrom(s.near6Keys, 2, ip.w0, 0, count)
}

function nearV6(s: Sections, ip: Ip): number {
  const keys = s.near6Keys
  // Few /48 of one /32 are listed: they are walked.
  for (let at = firstFrom(keys, 2, ip.w0, 0, s.near6Counts.length); keys[at * 2] === ip.w0; at++) {
    if (keys[at * 2 + 1] === ip.w1 >>> 16) return s.near6Counts[at]!
  }
  return 0
}

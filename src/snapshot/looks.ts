import { parse } from 'tldts'
import { hash64Into, hashFinish } from '../lib/hashing.ts'
import { asciiSkeleton, skeletonHash, spellingOf, spelt } from '../lib/look.ts'
import { hashBetween, hashText, PREFIXES, readText } from '../lib/text-index.ts'
import { GrowingWords, sortOrder } from './radix.ts'
import { homeSlot } from './table.ts'
import type { Evidence, KnownNames, KnownSite, Tag } from './types.ts'

/**
 * The names of well-known sites by their look: 8.9 bytes a name in the table, one in a filter of looks, and six in a filter
 * of the parts that an edit leaves unchanged.
 * A slot is the hash of the look and one word with the spelling and the suffix, so the name itself need not be stored:
 * it is spelt from the look that is asked for, and then looked up among the sites. An index of an organisation's own
 * names is built in the same way, over a set of them.
 */

/** A file with another version was made by another lib/look.ts: its looks are ignored. */
export const LOOKS_VERSION = 2

const SUFFIX_BITS = 12
const SUFFIXES_MAX = 2 ** SUFFIX_BITS - 1
const SPELLINGS_MAX = 2 ** (32 - SUFFIX_BITS)
/** Bits of a filter for each entry. A part sets three of them: one in a hundred seems to be there and is not. */
const FILTER_BITS = { look: 8, part: 12 }
const FILL = 0.9
const LABEL_LENGTH_MIN = 5
const LABEL_LENGTH_MAX = 40
/** Names from this length on are found with one edit too. */
export const NEAR_LENGTH_MIN = 8

export interface LookSections {
  /** Two words a slot, in the order of the first: the mixed hash of a look; spelling and suffix, never 0. */
  readonly lookSlots: Uint32Array
  /** A bit for each look. */
  readonly lookBits: Uint32Array
  /** Three bits for each part of a look (partHashes). */
  readonly lookParts: Uint32Array
  /** Suffixes, the most frequent first, one a line. */
  readonly lookSuffixes: Uint8Array
}

export function isLookedAt(tag: Tag): boolean {
  return tag === 'bank' || tag.startsWith('popular_')
}

/** A site's own evidence, as `isPopular` of a known site; undefined if it is none. */
export function popularityOf(evidence: readonly Evidence[]): boolean | undefined {
  let found: boolean | undefined
  for (const { tag } of evidence) if (isLookedAt(tag)) found = found === true || tag !== 'popular_1m'
  return found
}

const PART_HASHES = new Int32Array(4)

// One edit leaves most of a name unchanged. Four parts are kept, so that one of them is unchanged wherever the edit is: all
// letters but the first ones; the second half and two letters in front; the first half and two at the end; all but the
// last ones. The longer a part, the fewer other names have it.
export const PARTS = 4
const EDGE = 3

/** Half of a name, without its middle: two letters exchanged there touch only one half. */
function halfOf(length: number): number {
  return (length - 1) >> 1
}

/**
 * Writes the hashes of the parts of a name of `length`, by the hashes of prefixes of a text of `own` letters that has one
 * of them: the name itself, or one that is an edit away.
 */
export function partHashes(prefixes: Int32Array, length: number, own: number, out: Int32Array): void {
  const half = halfOf(length)
  const salt = Math.imul(length, 0x9e3779b1)
  out[0] = hashBetween(prefixes, own - length + EDGE, own) ^ salt
  out[1] = Math.imul(hashBetween(prefixes, own - half, own), 3) ^ (prefixes[2] as number) ^ (salt + 1)
  out[2] = Math.imul(prefixes[half] as number, 5) ^ hashBetween(prefixes, own - 2, own) ^ (salt + 2)
  out[3] = (prefixes[length - EDGE] as number) ^ (salt + 3)
}

/** The places in a text of `own` letters where an edit can leave the parts `first` to `last` of a name of `length`. */
export function placesOfEdit(length: number, own: number, first: number, last: number) {
  const half = halfOf(length)
  const from = first === 0 ? 0 : first === 1 ? 2 : first === 2 ? half : length - EDGE
  const end = length > own ? own + 1 : own
  const to = last === 0 ? EDGE + 1 : last === 1 ? own - half + 1 : last === 2 ? own - 1 : end
  return { from, to }
}

/** Collects names in any order. */
export class LooksBuilder {
  readonly #hashes = new GrowingWords()
  readonly #spellings = new GrowingWords()
  /** A second hash: of a hundred thousand looks, two have the same first one. */
  readonly #checks = new GrowingWords()
  readonly #key = new Uint32Array(2)
  readonly #suffixOf = new GrowingWords()
  readonly #parts = new GrowingWords()
  readonly #suffixes = new Map<string, { readonly number: number; names: number }>()

  /** Adds a registrable name. Hosts, names on platforms and names too short or long to imitate are left out. */
  add(name: string): void {
    const { domain, isPrivate, domainWithoutSuffix: label, publicSuffix: suffix } = parse(name, OPTIONS)
    if (domain !== name || isPrivate || !label || !suffix || name.includes('xn--')) return
    if (label.length < LABEL_LENGTH_MIN || label.length > LABEL_LENGTH_MAX) return
    const spelling = spellingOf(label, SPELLINGS_MAX)
    if (spelling < 0) return
    const known = this.#suffixes.get(suffix) ?? { number: this.#suffixes.size, names: 0 }
    this.#suffixes.set(suffix, known)
    known.names++
    this.#hashes.push(hashFinish(skeletonHash(label)))
    this.#spellings.push(spelling)
    hash64Into(label, this.#key)
    this.#checks.push(this.#key[0] as number)
    this.#suffixOf.push(known.number)
    // Names that differ in a number are independent.
    if (label.length < NEAR_LENGTH_MIN || /[0-9]/.test(label)) return
    const look = asciiSkeleton(label)
    readText(look)
    partHashes(PREFIXES, look.length, look.length, PART_HASHES)
    for (const hash of PART_HASHES) this.#parts.push(hashFinish(hash))
  }

  /** One entry for each label, under its most frequent suffix: equal names give equal sections, in any order. */
  build(): { readonly sections: LookSections; readonly names: number } {
    const suffixes = [...this.#suffixes].sort(([a, x], [b, y]) => y.names - x.names || (a < b ? -1 : 1))
    const rankOf = new Uint32Array(suffixes.length)
    for (const [rank, [, { number }]] of suffixes.entries()) rankOf[number] = rank
    const hashes = this.#hashes.view()
    const spellings = this.#spellings.view()
    const ranks = this.#suffixOf.view().map((number) => rankOf[number] as number)
    const checks = this.#checks.view()
    const order = sortOrder([hashes, spellings, checks, ranks], hashes.length).filter((row, i, rows) => {
      const before = rows[i - 1]
      const isSame = before !== undefined && hashes[before] === hashes[row] && checks[before] === checks[row]
      return !isSame && (ranks[row] as number) < SUFFIXES_MAX
    })
    const homes = homesFor(order.length)
    const slots = new Uint32Array((homes + order.length + 1) * 2)
    const bits = bitsFor(order.length * FILTER_BITS.look)
    let next = 0
    for (const row of order) {
      const hash = hashes[row] as number
      const slot = Math.max(next, homeSlot(hash, homes))
      slots[2 * slot] = hash
      slots[2 * slot + 1] = (((spellings[row] as number) << SUFFIX_BITS) | ((ranks[row] as number) + 1)) >>> 0
      next = slot + 1
      setBit(bits, hash)
    }
    const parts = bitsFor(this.#parts.length * FILTER_BITS.part)
    for (const part of this.#parts.view()) {
      setBit(parts, part)
      setBit(parts, mixedAgain(part))
      setBit(parts, mixedAgain(mixedAgain(part)))
    }
    const text = suffixes.slice(0, SUFFIXES_MAX).map(([suffix]) => suffix)
    return {
      sections: {
        // One empty slot after the last ends every probe.
        lookSlots: slots.slice(0, (Math.max(next, homes) + 1) * 2),
        lookBits: bits,
        lookParts: parts,
        lookSuffixes: new Uint8Array(Buffer.from(text.join('\n'))),
      },
      names: order.length,
    }
  }
}

const OPTIONS = { allowPrivateDomains: true }

function homesFor(names: number): number {
  return Math.max(1, Math.ceil(names / FILL))
}

function bitsFor(bits: number): Uint32Array {
  return new Uint32Array(Math.max(1, Math.ceil(bits / 32)))
}

function mixedAgain(mixed: number): number {
  return hashFinish(mixed ^ 0x5bd1e995)
}

function setBit(bits: Uint32Array, mixed: number): void {
  const bit = bitOf(bits, mixed)
  bits[bit >>> 5] = ((bits[bit >>> 5] as number) | (1 << (bit & 31))) >>> 0
}

// The table uses the upper bits of a mixed hash, so a filter mixes them again.
function bitOf(bits: Uint32Array, mixed: number): number {
  return ((Math.imul(mixed, 0x9e3779b1) >>> 0) * (bits.length / 2 ** 27)) >>> 0
}

function hasBit(bits: Uint32Array, mixed: number): boolean {
  const bit = bitOf(bits, mixed)
  return ((bits[bit >>> 5] as number) & (1 << (bit & 31))) !== 0
}

export class Looks implements KnownNames {
  readonly #slots: Uint32Array
  readonly #bits: Uint32Array
  readonly #parts: Uint32Array
  readonly #suffixText: Uint8Array
  readonly #homes: number
  readonly #popularity: (site: string) => boolean | undefined
  #suffixes: readonly string[] | undefined

  constructor(sections: LookSections, names: number, popularity: (site: string) => boolean | undefined) {
    this.#slots = sections.lookSlots
    this.#bits = sections.lookBits
    this.#parts = sections.lookParts
    this.#suffixText = sections.lookSuffixes
    this.#homes = homesFor(names)
    this.#popularity = popularity
  }

  mayHold(hash: number): boolean {
    const mixed = hashFinish(hash)
    return hasBit(this.#bits, mixed) && this.#first(mixed) >= 0
  }

  mayHoldPart(hash: number): boolean {
    const first = hashFinish(hash)
    if (!hasBit(this.#parts, first)) return false
    const second = mixedAgain(first)
    return hasBit(this.#parts, second) && hasBit(this.#parts, mixedAgain(second))
  }

  /** The place of the first slot of a mixed hash, or -1. */
  #first(mixed: number): number {
    const slots = this.#slots
    for (let at = 2 * homeSlot(mixed, this.#homes); slots[at + 1] !== 0 && (slots[at] as number) <= mixed; at += 2) {
      if (slots[at] === mixed) return at
    }
    return -1
  }

  withLook(look: string): readonly KnownSite[] {
    const mixed = hashFinish(hashText(look))
    const slots = this.#slots
    const first = hasBit(this.#bits, mixed) ? this.#first(mixed) : -1
    let found: KnownSite[] | undefined
    for (let at = first; at >= 0 && slots[at] === mixed && slots[at + 1] !== 0; at += 2) {
      const word = slots[at + 1] as number
      const label = spelt(look, word >>> SUFFIX_BITS)
      const site = `${label}.${this.#suffix((word & SUFFIXES_MAX) - 1)}`
      // Another look may have the same hash.
      const isPopular = asciiSkeleton(label) === look ? this.#popularity(site) : undefined
      if (isPopular === undefined || found?.some((one) => one.label === label)) continue
      found ??= []
      found.push({ label, site, isPopular })
    }
    return found ?? NONE
  }

  #suffix(rank: number): string {
    this.#suffixes ??= Buffer.from(this.#suffixText).toString('utf8').split('\n')
    return this.#suffixes[rank] ?? ''
  }
}

const NONE: readonly KnownSite[] = Object.freeze([])

/** An index over a small set of names. */
export function looksOf(names: ReadonlySet<string>): KnownNames {
  const builder = new LooksBuilder()
  for (const name of names) builder.add(name)
  const built = builder.build()
  return new Looks(built.sections, built.names, (site) => names.has(site) || undefined)
}

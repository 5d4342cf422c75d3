import { hashFinish } from './hashing.ts'

/**
 * Look-ups of short texts, and of parts of a text without cutting them out. Most look-ups find nothing, so a miss has
 * to be cheap. With a Map, V8 would first hash every text just cut out of another: several times as slow.
 *
 * | Structure  | Finds                          | Memory of an entry        | A miss costs         | Wrong                 |
 * |------------|--------------------------------|---------------------------|----------------------|-----------------------|
 * | HashFilter | a hash may be there, or is not | 8 to 16 bits              | one bit in the cache | 1 in 8, one way only  |
 * | HashTable  | numbers under a hash           | 16 to 32 bytes, and a bit | as HashFilter        | 1 hit in some 50,000  |
 * | Beginnings | 1 to 3 under a beginning       | 8 to 16 bytes             | two bits (4 letters) | as HashTable          |
 * | TextMap    | a value under a text           | as a Map, and a bit       | hashing the text     | never                 |
 *
 * In the first three a hash of 32 bits replaces the text. A model of words can bear a wrong hit and a verdict must not,
 * so callers that condemn compare the text. Tables are words of shared memory, which threads pass to each other.
 */

export type SharedWords = Int32Array<SharedArrayBuffer>

export function sharedWords(length: number): SharedWords {
  return new Int32Array(new SharedArrayBuffer(length * 4))
}

const BASE = 0x9e3779b1
const LENGTH_MAX = 256

/** The worth of a character in a hash, by the number of characters behind it. */
export const POWERS = new Int32Array(LENGTH_MAX + 1)
POWERS[0] = 1
for (let i = 1; i <= LENGTH_MAX; i++) POWERS[i] = Math.imul(POWERS[i - 1] as number, BASE)

export const HASH_START = 0

/** The hash of a text one character longer. */
export function hashStep(hash: number, unit: number): number {
  return (Math.imul(hash, BASE) + unit) | 0
}

/** The hash of two texts put together, the second of `length` characters. */
export function hashJoin(first: number, second: number, length: number): number {
  return (Math.imul(first, POWERS[length] as number) + second) | 0
}

/** The hash of a text, or of a text that follows another whose hash is given. */
export function hashText(text: string, before = HASH_START): number {
  let hash = before
  for (let i = 0; i < text.length; i++) hash = hashStep(hash, text.charCodeAt(i))
  return hash
}

/** The hash of a text in ASCII. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = HASH_START
  for (let i = start; i < end; i++) hash = hashStep(hash, bytes[i] as number)
  return hash
}

/** The hash of text[start, end) from the hashes of all prefixes, as prefixHashes writes them. */
export function hashBetween(prefixes: Int32Array, start: number, end: number): number {
  return ((prefixes[end] as number) - Math.imul(prefixes[start] as number, POWERS[end - start] as number)) | 0
}

/**
 * The characters of the text read last, and the hash of each of its prefixes, the empty one first. A dozen models read
 * the same name, and a character of a string costs several times as much as one of an array.
 */
export const CHARACTERS = new Uint16Array(LENGTH_MAX)
export const PREFIXES = new Int32Array(LENGTH_MAX + 1)
let readLast = ''

/** Fills CHARACTERS and PREFIXES, which the next text overwrites: read them before calling anything that reads another. */
export function readText(text: string): void {
  if (text !== readLast) readFrom(0, text)
}

/**
 * As readText, for a text in ASCII whose bytes begin at `at`. A character of a string costs several times as much as a byte.
 */
export function readBytes(text: string, bytes: Uint8Array, at: number): void {
  if (text === readLast) return
  readLast = text
  const length = Math.min(text.length, LENGTH_MAX)
  let hash = HASH_START
  for (let i = 0; i < length; i++) {
    const unit = bytes[at + i] as number
    hash = hashStep(hash, unit)
    CHARACTERS[i] = unit
    PREFIXES[i + 1] = hash
  }
}

/** As readText, for a text whose beginning may be the text read last. */
export function readLonger(text: string, beginning: string): void {
  if (text !== readLast) readFrom(beginning === readLast ? beginning.length : 0, text)
}

/** As readText, for a text at the beginning of another, which may be the text read last. */
export function readBeginning(text: string, longer: string): void {
  if (longer !== readLast) readText(text)
}

function readFrom(start: number, text: string): void {
  readLast = text
  const length = Math.min(text.length, LENGTH_MAX)
  let hash = PREFIXES[start] as number
  for (let i = start; i < length; i++) {
    const unit = text.charCodeAt(i)
    hash = hashStep(hash, unit)
    CHARACTERS[i] = unit
    PREFIXES[i + 1] = hash
  }
}

/** A power of two, at most half of it used. */
function capacityFor(entries: number): number {
  let capacity = 16
  while (capacity < entries * 2) capacity *= 2
  return capacity
}

export class HashFilter {
  readonly #bits: Int32Array
  readonly #shift: number

  constructor(bits: Int32Array) {
    this.#bits = bits
    // The uppermost bits of the hash; a table uses the lowest.
    this.#shift = Math.clz32(32 * bits.length - 1)
  }

  static fill(hashes: readonly number[]): SharedWords {
    const bits = sharedWords(capacityFor(hashes.length) / 8)
    const shift = Math.clz32(32 * bits.length - 1)
    for (const hash of hashes) {
      const bit = hashFinish(hash) >>> shift
      bits[bit >>> 5] = (bits[bit >>> 5] as number) | (1 << (bit & 31))
    }
    return bits
  }

  /** False is certain. */
  mayHold(hash: number): boolean {
    return this.mayHoldMixed(hashFinish(hash))
  }

  /** Like mayHold, for a hash that went through hashFinish. */
  mayHoldMixed(mixed: number): boolean {
    const bit = mixed >>> this.#shift
    return ((this.#bits[bit >>> 5] as number) & (1 << (bit & 31))) !== 0
  }
}

/** Open addressing: a hash and its number side by side. Numbers are positive; a hash may have several. */
export class HashTable {
  readonly #slots: Int32Array
  readonly #mask: number
  readonly #filter: HashFilter

  constructor(slots: Int32Array, filter = HashTable.fillFilter(slots)) {
    this.#slots = slots
    this.#mask = slots.length / 2 - 1
    this.#filter = new HashFilter(filter)
  }

  static fill(entries: readonly (readonly [hash: number, value: number])[]): SharedWords {
    const capacity = capacityFor(entries.length)
    const slots = sharedWords(2 * capacity)
    for (const [hash, value] of entries) {
      let slot = hashFinish(hash) & (capacity - 1)
      while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & (capacity - 1)
      slots[2 * slot] = hash
      slots[2 * slot + 1] = value
    }
    return slots
  }

  static fillTexts(texts: Iterable<string>): SharedWords {
    return HashTable.fill([...new Map(Array.from(texts, (text) => [hashText(text), 1]))])
  }

  static fillFilter(slots: Int32Array): SharedWords {
    const hashes: number[] = []
    for (let at = 0; at < slots.length; at += 2) if (slots[at + 1] !== 0) hashes.push(slots[at] as number)
    return HashFilter.fill(hashes)
  }

  /** The first number under a hash; 0 for none. */
  get(hash: number): number {
    const slot = this.slotOf(hash)
    return slot < 0 ? 0 : this.valueAt(slot)
  }

  hasHash(hash: number): boolean {
    return this.slotOf(hash) >= 0
  }

  has(text: string): boolean {
    return this.slotOf(hashText(text)) >= 0
  }

  /** The first slot of a hash, or -1. */
  slotOf(hash: number): number {
    const mixed = hashFinish(hash)
    return this.#filter.mayHoldMixed(mixed) ? this.#find(hash, mixed & this.#mask) : -1
  }

  /** The next slot of the same hash, or -1. */
  nextSlot(hash: number, slot: number): number {
    return this.#find(hash, (slot + 1) & this.#mask)
  }

  valueAt(slot: number): number {
    return this.#slots[2 * slot + 1] as number
  }

  #find(hash: number, from: number): number {
    const slots = this.#slots
    for (let slot = from; ; slot = (slot + 1) & this.#mask) {
      if (slots[2 * slot + 1] === 0) return -1
      if (slots[2 * slot] === hash) return slot
    }
  }
}

/** All beginnings of texts, each with a value from 1 to 3, searched letter by letter until no text continues so. */
export interface Beginnings {
  /** Beginnings of up to four letters, two bits each, in memory small enough to stay in the cache: most searches end there. */
  readonly near: Uint8Array
  /** All beginnings: the value is in the two lowest bits of the hash, so that a probe is one memory access. */
  readonly all: Int32Array
}

/** `ends` are texts with the value at their end; every shorter beginning has the value `begun`. */
export function fillBeginnings(ends: readonly (readonly [text: string, value: number])[], begun: number): SharedWords {
  const values = new Map<number, number>()
  for (const [text, value] of ends) {
    let hash = HASH_START
    for (let i = 0; i < text.length; i++) {
      hash = hashStep(hash, text.charCodeAt(i))
      if (!values.has(hash)) values.set(hash, begun)
    }
    values.set(hash, value)
  }
  const capacity = capacityFor(values.size)
  const words = sharedWords(capacity)
  for (const [hash, value] of values) {
    let slot = hashFinish(hash) & (capacity - 1)
    while (words[slot] !== 0) slot = (slot + 1) & (capacity - 1)
    words[slot] = (hash & ~3) | value
  }
  return words
}

function valueIn(words: Int32Array, hash: number): number {
  const mask = words.length - 1
  let slot = hashFinish(hash) & mask
  for (;;) {
    const word = words[slot] as number
    if (word === 0) return 0
    if ((word & ~3) === (hash & ~3)) return word & 3
    slot = (slot + 1) & mask
  }
}

export const NO_LETTERS = 0
const LETTER_BITS = 5
const LETTERS_END = 1 << (4 * LETTER_BITS)
const A = 97
const Z = 122

/** The letters of a beginning extended by one character: up to four packed in a number; all longer ones are equal. */
export function lettersOn(letters: number, unit: number): number {
  return letters < LETTERS_END && unit >= A && unit <= Z ? (letters << LETTER_BITS) | (unit - A + 1) : LETTERS_END
}

export function beginningsOver(all: Int32Array): Beginnings {
  const near = new Uint8Array(LETTERS_END / 4)
  const fill = (hash: number, letters: number) => {
    for (let unit = A; unit <= Z; unit++) {
      const longer = hashStep(hash, unit)
      const at = lettersOn(letters, unit)
      const value = at < LETTERS_END ? valueIn(all, longer) : 0
      if (value === 0) continue
      near[at >>> 2] = (near[at >>> 2] as number) | (value << (2 * (at & 3)))
      fill(longer, at)
    }
  }
  fill(HASH_START, NO_LETTERS)
  return { near, all }
}

// The value of a beginning, by its hash and its letters; 0 where no text begins this way. Takes the parts of Beginnings
// separately: read once before a loop, they cost the loop nothing.
export function beginningAt(near: Uint8Array, all: Int32Array, hash: number, letters: number): number {
  return letters < LETTERS_END ? ((near[letters >>> 2] as number) >>> (2 * (letters & 3))) & 3 : valueIn(all, hash)
}

/** A map for look-ups that mostly find nothing. */
export class TextMap<V> {
  readonly #values: ReadonlyMap<string, V>
  readonly #filter: HashFilter

  constructor(entries: Iterable<readonly [text: string, value: V]>) {
    this.#values = new Map(entries)
    this.#filter = new HashFilter(HashFilter.fill(Array.from(this.#values.keys(), (text) => hashText(text))))
  }

  get(text: string, hash = hashText(text)): V | undefined {
    return this.mayHold(hash) ? this.#values.get(text) : undefined
  }

  /** False if no text has this hash. */
  mayHold(hash: number): boolean {
    return this.#filter.mayHold(hash)
  }
}

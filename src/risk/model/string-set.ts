import { hashFinish } from '../../lib/hashing.ts'
import { newTable, type Table } from './tables.ts'

/**
 * Sets of short strings probed by a polynomial hash, so that every substring of a name can be looked up without
 * cutting it out. 32-bit hashes stand for the strings: one probe in some 50,000 may answer wrongly at the sizes used
 * here, which a model of words can bear and a verdict must not, so callers that condemn compare the text.
 */

const BASE = 0x9e3779b1
const LENGTH_MAX = 256

const POWERS = new Int32Array(LENGTH_MAX + 1)
POWERS[0] = 1
for (let i = 1; i <= LENGTH_MAX; i++) POWERS[i] = Math.imul(POWERS[i - 1] as number, BASE)

export const HASH_START = 0

/** The hash of a string one character longer. */
export function hashStep(hash: number, unit: number): number {
  return (Math.imul(hash, BASE) + unit) | 0
}

/** The hash of two strings put together, the second of `length` characters. */
export function hashJoin(first: number, second: number, length: number): number {
  return (Math.imul(first, POWERS[length] as number) + second) | 0
}

/** The hash of a text, or of a text behind another whose hash is given. */
export function hashText(text: string, before = HASH_START): number {
  let hash = before
  for (let i = 0; i < text.length; i++) hash = hashStep(hash, text.charCodeAt(i))
  return hash
}

/** The hash of text[start, end) from the hashes of all prefixes, as prefixHashes writes them. */
export function hashBetween(prefixes: Int32Array, start: number, end: number): number {
  return ((prefixes[end] as number) - Math.imul(prefixes[start] as number, POWERS[end - start] as number)) | 0
}

/** Writes the hash of every prefix of `text`, the empty one first. */
export function prefixHashes(text: string, out: Int32Array): void {
  let hash = HASH_START
  out[0] = hash
  for (let i = 0; i < text.length; i++) {
    hash = hashStep(hash, text.charCodeAt(i))
    out[i + 1] = hash
  }
}

export interface StringSet {
  hasHash(hash: number): boolean
  has(text: string): boolean
}

export function createStringSet(texts: Iterable<string>): StringSet {
  return stringSetOver(fillStringSet(texts))
}

export function stringSetOver(slots: Int32Array): StringSet {
  const table = hashTableOver(slots)
  const hasHash = (hash: number) => table.get(hash) !== 0
  return { hasHash, has: (text) => hasHash(hashText(text)) }
}

export function fillStringSet(texts: Iterable<string>): Table {
  return fillHashTable(new Map(Array.from(texts, (text) => [hashText(text), 1])))
}

export interface HashTable {
  /** The value stored under a hash; 0 for none. */
  get(hash: number): number
}

/** Open addressing: a key and its value side by side. Values are positive. */
export function fillHashTable(entries: ReadonlyMap<number, number>): Table {
  const capacity = capacityFor(entries.size)
  const slots = newTable(2 * capacity)
  for (const [hash, value] of entries) {
    let slot = hashFinish(hash) & (capacity - 1)
    while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & (capacity - 1)
    slots[2 * slot] = hash
    slots[2 * slot + 1] = value
  }
  return slots
}

export function hashTableOver(slots: Int32Array): HashTable {
  const mask = slots.length / 2 - 1
  const present = fillPresence(keysOf(slots))
  return {
    get(hash) {
      const mixed = hashFinish(hash)
      if (!isPresent(present, mixed)) return 0
      let slot = mixed & mask
      for (;;) {
        const value = slots[2 * slot + 1] as number
        if (value === 0 || slots[2 * slot] === hash) return value
        slot = (slot + 1) & mask
      }
    },
  }
}

/** The hashes in a table of keys and values side by side. */
export function keysOf(slots: Int32Array): number[] {
  const keys: number[] = []
  for (let at = 0; at < slots.length; at += 2) if (slots[at + 1] !== 0) keys.push(slots[at] as number)
  return keys
}

/** A bit for each hash, in memory small enough to stay near: most of what is looked up is not there. */
export function fillPresence(hashes: readonly number[]): Table {
  const bits = newTable(capacityFor(hashes.length) / 8)
  for (const hash of hashes) {
    const bit = bitOf(bits, hashFinish(hash))
    bits[bit >>> 5] = (bits[bit >>> 5] as number) | (1 << (bit & 31))
  }
  return bits
}

/** Whether a hash may be there, by what hashFinish makes of it; false is certain. */
export function isPresent(bits: Int32Array, mixed: number): boolean {
  const bit = bitOf(bits, mixed)
  return ((bits[bit >>> 5] as number) & (1 << (bit & 31))) !== 0
}

/** The uppermost bits of the hash; the lowest are those that a table goes by. */
function bitOf(bits: Int32Array, mixed: number): number {
  return mixed >>> Math.clz32(32 * bits.length - 1)
}

/** As a hash table for values 1 to 3, kept in the key's own word: one look into memory a probe. */
export function fillFlagTable(entries: ReadonlyMap<number, number>): Table {
  const capacity = capacityFor(entries.size)
  const words = newTable(capacity)
  for (const [hash, value] of entries) {
    let slot = hashFinish(hash) & (capacity - 1)
    while (words[slot] !== 0) slot = (slot + 1) & (capacity - 1)
    words[slot] = (hash & ~3) | value
  }
  return words
}

/** The value stored under a hash; 0 for none. */
function flagAt(words: Int32Array, hash: number): number {
  const mask = words.length - 1
  let slot = hashFinish(hash) & mask
  for (;;) {
    const word = words[slot] as number
    if (word === 0) return 0
    if ((word & ~3) === (hash & ~3)) return word & 3
    slot = (slot + 1) & mask
  }
}

/** All beginnings of texts, each with a value from 1 to 3, searched letter by letter until no text goes on so. */
export interface Beginnings {
  /** Those of up to three letters, in memory small enough to stay near: most searches end there. */
  readonly near: Uint8Array
  readonly all: Int32Array
}

export const NO_LETTERS = 0
const LETTER_BITS = 5
const LETTERS_END = 1 << (3 * LETTER_BITS)
const A = 97
const Z = 122

/** The letters of a beginning one character longer: up to three side by side in a number; longer ones are all the same. */
export function lettersOn(letters: number, unit: number): number {
  return letters < LETTERS_END && unit >= A && unit <= Z ? (letters << LETTER_BITS) | (unit - A + 1) : LETTERS_END
}

export function beginningsOver(all: Int32Array): Beginnings {
  const near = new Uint8Array(LETTERS_END)
  const fill = (hash: number, letters: number) => {
    for (let unit = A; unit <= Z; unit++) {
      const longer = hashStep(hash, unit)
      const at = lettersOn(letters, unit)
      if (at >= LETTERS_END) return
      near[at] = flagAt(all, longer)
      fill(longer, at)
    }
  }
  fill(HASH_START, NO_LETTERS)
  return { near, all }
}

/**
 * The value of a beginning, by its hash and by its letters; 0 where no text begins so. Takes the parts of Beginnings one by
 * one: read once in front of a loop, they cost it nothing.
 */
export function beginningAt(near: Uint8Array, all: Int32Array, hash: number, letters: number): number {
  return letters < LETTERS_END ? (near[letters] as number) : flagAt(all, hash)
}

/** A power of two, at most half of it taken. */
export function capacityFor(entries: number): number {
  let capacity = 16
  while (capacity < entries * 2) capacity *= 2
  return capacity
}

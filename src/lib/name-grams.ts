import { hashFinish } from './hashing.ts'

/**
 * The stretches of 2 to 5 characters of a name, and those of 6, its edges included, as 32-bit hashes. The snapshot's
 * compiler, fitting and scoring share the counts of them, so a change to these functions requires counting and fitting
 * again.
 */

const GRAM_MIN = 2
const GRAM_MAX = 5
const BOUNDARY = 0x5e
const NAME_LENGTH_MAX = 63
const HASH_START = 0x811c9dc5

/** The characters of the current name between its edges, which count too: written by spell, read immediately. */
const SPELT = new Uint16Array(NAME_LENGTH_MAX + 2).fill(BOUNDARY)

/** Writes the name to SPELT and returns its length there. */
function spell(name: string): number {
  const length = Math.min(name.length, NAME_LENGTH_MAX)
  for (let i = 0; i < length; i++) SPELT[i + 1] = name.charCodeAt(i)
  SPELT[length + 1] = BOUNDARY
  return length + 2
}

function hashOn(hash: number, at: number): number {
  return Math.imul(hash ^ (SPELT[at] as number), 0x01000193)
}

export const GRAMS_MAX = (NAME_LENGTH_MAX + 1) * (GRAM_MAX - GRAM_MIN + 1)

/** Writes the hashes to `out`, in the order of the beginnings of the stretches, and returns their number. */
export function nameGrams(name: string, out: Uint32Array): number {
  let count = 0
  const length = spell(name)
  for (let start = 0; start + GRAM_MIN <= length; start++) {
    let hash = HASH_START
    const end = Math.min(length, start + GRAM_MAX)
    for (let i = start; i < end; i++) {
      hash = hashOn(hash, i)
      const size = i - start + 1
      if (size >= GRAM_MIN) out[count++] = hashFinish(hash ^ (size << 24))
    }
  }
  return count
}

/** Stretches of this length are nearly whole words: far more of them exist, and each says more. */
const LONG_GRAM = 6
export const LONG_GRAMS_MAX = NAME_LENGTH_MAX + 2 - LONG_GRAM + 1

/** Writes the hashes of the long stretches to `out` and returns their number. */
export function longGrams(name: string, out: Uint32Array): number {
  let count = 0
  const length = spell(name)
  for (let start = 0; start + LONG_GRAM <= length; start++) {
    let hash = HASH_START
    for (let i = start; i < start + LONG_GRAM; i++) hash = hashOn(hash, i)
    out[count++] = hashFinish(hash ^ (LONG_GRAM << 24))
  }
  return count
}

/** Calls `visit` with each stretch that nameGrams hashes, in the same order: where it begins and ends in the name. */
export function visitGrams(name: string, visit: (start: number, end: number) => void): void {
  const length = Math.min(name.length, NAME_LENGTH_MAX)
  for (let start = -1; start < length; start++) {
    const end = Math.min(length, start + GRAM_MAX - 1)
    for (let i = start; i <= end; i++) {
      if (i - start + 1 >= GRAM_MIN) visit(Math.max(0, start), Math.min(length, i + 1))
    }
  }
}

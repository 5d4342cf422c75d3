import { hashFinish } from './hashing.ts'
import { CHARACTERS, readText } from './text-index.ts'

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
  readText(name)
  for (let i = 0; i < length; i++) SPELT[i + 1] = CHARACTERS[i] as number
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

/**
 * The form of a name: its length and its numbers of digits and hyphens. A person who needs names by the hundred has a
 * program choose them, and they look alike: six letters under one suffix this spring, five digits under another.
 *
 * Forms are counted by bucket. The snapshot's compiler, fitting and scoring share these counts, so a change to this
 * function requires counting and fitting again.
 */
export const FORM_BUCKETS = 2 ** 16

/** Buckets of a name, in this order: its form under its suffix, its suffix, its form, and all names. */
export const FORM_KEYS = 4

const LENGTH_MAX = 18
const DIGITS_MAX = 6
const HYPHENS_MAX = 2
const ANY_FORM = 0

/** Writes the buckets of a name to `out`. */
export function formBuckets(label: string, suffix: string, out: Uint32Array): void {
  const form = formOf(label)
  let hash = 0x811c9dc5
  const none = hash
  for (let i = 0; i < suffix.length; i++) hash = Math.imul(hash ^ suffix.charCodeAt(i), 0x01000193)
  out[0] = bucketOf(hash, form)
  out[1] = bucketOf(hash, ANY_FORM)
  out[2] = bucketOf(none, form)
  out[3] = bucketOf(none, ANY_FORM)
}

function bucketOf(hash: number, form: number): number {
  return hashFinish(Math.imul(hash ^ form, 0x9e3779b1)) & (FORM_BUCKETS - 1)
}

function formOf(label: string): number {
  let digits = 0
  let hyphens = 0
  readText(label)
  for (let i = 0; i < label.length; i++) {
    const unit = CHARACTERS[i] as number
    if (unit === 45) hyphens++
    else if (unit >= 48 && unit <= 57) digits++
  }
  const length = Math.min(label.length, LENGTH_MAX)
  return (
    1 + (length * (DIGITS_MAX + 1) + Math.min(digits, DIGITS_MAX)) * (HYPHENS_MAX + 1) + Math.min(hyphens, HYPHENS_MAX)
  )
}

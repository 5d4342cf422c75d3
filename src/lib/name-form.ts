import { hashFinish } from './hashing.ts'

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
  for (let i = 0; i < label.length; i++) {
    const unit = label.charCodeAt(i)
    if (unit === 45) hyphens++
    else if (unit >= 48 && unit <= 57) digits++
  }
  const length = Math.min(label.length, LENGTH_MAX)
  return (
    1 + (length * (DIGITS_MAX + 1) + Math.min(digits, DIGITS_MAX)) * (HYPHENS_MAX + 1) + Math.min(hyphens, HYPHENS_MAX)
  )
}

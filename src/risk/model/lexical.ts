import type { NameShape } from './name.ts'
import { hashFinish } from './string-set.ts'
import { isCountrySuffix } from './suffixes.ts'

/**
 * The lexical model: logistic regression over hashed character n-grams and shape of the name somebody chose, with
 * the suffix kept apart so that it can be capped and shown for what it is. tools/fit.ts writes its numbers.
 */
export interface LexicalModel {
  /** Log-odds that a name like this was registered for fraud, as far as the name alone tells. */
  name(label: string, shape: NameShape): number
  /** Log-odds the suffix adds; within ±SUFFIX_LOG_ODDS_MAX. */
  suffix(suffix: string): number
}

/** The suffix must never decide: most names under any suffix are honest. */
export const SUFFIX_LOG_ODDS_MAX = 1.5

export interface LexicalModelFile {
  readonly trained: unknown
  readonly bits: number
  readonly scale: number
  readonly bias: number
  /** Base64 of one signed byte a bucket. */
  readonly weights: string
  readonly suffixes: Readonly<Record<string, number>>
  /** For a suffix too rare to have a number of its own. */
  readonly rareSuffix: { readonly generic: number; readonly country: number }
}

const GRAM_MIN = 2
const GRAM_MAX = 5
const BOUNDARY = 0x5e
export const FEATURES_MAX = 320

/** Writes the hashes of a name's features to `out` and gives their number. Shared by fitting and scoring. */
export function nameFeatures(label: string, shape: NameShape, out: Uint32Array): number {
  let count = 0
  const length = Math.min(label.length, 63)
  for (let start = -1; start < length; start++) {
    let hash = 0x811c9dc5
    const end = Math.min(length, start + GRAM_MAX - 1)
    for (let i = start; i <= end; i++) {
      const unit = i < 0 || i >= length ? BOUNDARY : label.charCodeAt(i)
      hash = Math.imul(hash ^ unit, 0x01000193)
      const size = i - start + 1
      if (size >= GRAM_MIN && size <= GRAM_MAX) out[count++] = hashFinish(hash ^ (size << 24))
    }
  }
  const letters = Math.max(1, shape.length - shape.digits - shape.hyphens)
  count = bin(out, count, 1, Math.min(shape.length, 30))
  count = bin(out, count, 2, Math.min(shape.digits, 8))
  count = bin(out, count, 3, Math.min(shape.hyphens, 5))
  count = bin(out, count, 4, Math.round((8 * shape.vowels) / letters))
  count = bin(out, count, 5, Math.min(shape.consonantRun, 8))
  count = bin(out, count, 6, Math.min(shape.turns, 6))
  count = bin(out, count, 7, Math.round((6 * shape.covered) / Math.max(1, shape.length)))
  count = bin(out, count, 8, Math.min(shape.words, 6))
  count = bin(
    out,
    count,
    9,
    Math.round((6 * shape.covered) / Math.max(1, shape.length)) * 8 + Math.min(7, shape.length >> 2),
  )
  count = bin(out, count, 10, Math.min(shape.hyphens, 3) * 8 + Math.min(shape.words, 7))
  count = bin(out, count, 11, Math.min(shape.digits, 4) * 8 + Math.min(7, shape.length >> 2))
  return count
}

function bin(out: Uint32Array, count: number, family: number, value: number): number {
  out[count] = hashFinish(Math.imul((family << 8) | value, 0x9e3779b1) ^ 0x5bd1e995)
  return count + 1
}

export function createLexicalModel(file: LexicalModelFile): LexicalModel {
  const bytes = Buffer.from(file.weights, 'base64')
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const buckets = 2 ** file.bits
  if (weights.length !== buckets) throw new Error(`lexical model: ${weights.length} weights for ${buckets} buckets`)
  const mask = buckets - 1
  const suffixes = new Map(Object.entries(file.suffixes))
  const features = new Uint32Array(FEATURES_MAX)
  return {
    name(label, shape) {
      const count = nameFeatures(label, shape, features)
      let sum = 0
      for (let i = 0; i < count; i++) sum += weights[(features[i] as number) & mask] as number
      return file.bias + (file.scale * sum) / Math.sqrt(count)
    },
    suffix(suffix) {
      const value = suffixes.get(suffix) ?? file.rareSuffix[isCountrySuffix(suffix) ? 'country' : 'generic']
      return Math.max(-SUFFIX_LOG_ODDS_MAX, Math.min(SUFFIX_LOG_ODDS_MAX, value))
    },
  }
}

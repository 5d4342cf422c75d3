import type { NameShape } from './name.ts'
import { hashFinish } from './string-set.ts'
import { isCountrySuffix, mayVouchForNames } from './suffixes.ts'

/**
 * The lexical model: what the name somebody chose, and the suffix under it, say about fraud. Two comparisons are made
 * at once: against names that were registered lately by anybody (`fresh`) and against names of organisations that have
 * been there for long (`established`). A new honest firm differs from both kinds of fraud only a little, and a model
 * that knows established names alone takes everything new for fraud.
 *
 * Each comparison is a logistic regression over hashed character n-grams and the shape of the name, plus a number for
 * the suffix. tools/fit.ts writes the numbers.
 */
export interface LexicalModel {
  assess(label: string, shape: NameShape, suffix: string): Wording
  /** The numbers behind it, one a comparison, before they are trusted and mixed. For fitting. */
  numbers(label: string, shape: NameShape, suffix: string): { readonly name: Versus; readonly suffix: Versus }
  /** The stretches of the name that speak most for fraud, the strongest first. For explanations. */
  telling(label: string): string[]
}

/** Log-odds of fraud against everything that is not fraud, the two kinds of honest names mixed as people ask about them. */
export interface Wording {
  /** By the name alone, under a suffix that says nothing. */
  readonly name: number
  /** What the suffix adds to it; within SUFFIX_LIMITS. */
  readonly suffix: number
}

/** The suffix may move a score, never decide it: most names under any suffix are honest. */
const SUFFIX_LIMITS = { country: { min: -2.2, max: 1.1 }, generic: { min: -1, max: 1.1 } } as const

/** A name worth so much needs no suffix to accuse it. */
const ENOUGH_BY_NAME = 4

/** How far from the average a suffix has to be to be spoken of. */
const SUFFIX_SILENCE = 0.3

/** A country's own firms register under its suffix; under a generic one anybody does. */
export function limitedSuffix(suffix: string, logOdds: number, name: number): number {
  const { min, max } = SUFFIX_LIMITS[isCountrySuffix(suffix) ? 'country' : 'generic']
  const limited = Math.max(mayVouchForNames(suffix) ? min : 0, Math.min(max, logOdds))
  // It makes a name worth a second look; the worse the name is by itself, the less it adds.
  return limited > 0 && name > 0 ? limited * Math.max(0, 1 - name / ENOUGH_BY_NAME) : limited
}

/** One number a comparison. */
export interface Versus {
  readonly fresh: number
  readonly established: number
}

export interface LexicalModelFile {
  readonly trained: unknown
  readonly bits: number
  readonly scale: number
  readonly bias: Versus
  /** Base64 of two signed bytes a bucket: against fresh names, against established ones. */
  readonly weights: string
  readonly suffixes: Readonly<Record<string, readonly [fresh: number, established: number]>>
  /** For a suffix too rare to have numbers of its own. */
  readonly rareSuffix: { readonly generic: readonly [number, number]; readonly country: readonly [number, number] }
  /** How far each number is trusted on names of later months. */
  readonly trust: { readonly name: Versus; readonly suffix: Versus }
  /** The share of fresh names among the honest ones people ask about. */
  readonly freshShare: number
  /** From the mixed log-odds to those of weights.ts, where 0 says nothing. */
  readonly slope: number
  readonly centre: number
}

const GRAM_MIN = 2
const GRAM_MAX = 5
const BOUNDARY = 0x5e
export const FEATURES_MAX = 320

/** The features of the name last asked about: two models look at the same name, one after the other. */
export const SHARED_FEATURES = new Uint32Array(FEATURES_MAX)
let featuresOf: string | undefined
let featureCount = 0

/** Writes the hashes of a name's features to SHARED_FEATURES, to be read at once, and gives their number. */
export function sharedFeatures(label: string, shape: NameShape): number {
  if (label !== featuresOf) {
    featureCount = nameFeatures(label, shape, SHARED_FEATURES)
    featuresOf = label
  }
  return featureCount
}

/** Writes the hashes of a name's features to `out` and gives their number. Shared by fitting and scoring. */
export function nameFeatures(label: string, shape: NameShape, out: Uint32Array): number {
  let count = gramFeatures(label, out)
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

/** The stretches of 2 to 5 characters, the edges of the name included, in the order of their beginnings. */
function gramFeatures(label: string, out: Uint32Array): number {
  let count = 0
  const length = Math.min(label.length, 63)
  for (let start = -1; start < length; start++) {
    let hash = 0x811c9dc5
    const end = Math.min(length, start + GRAM_MAX - 1)
    for (let i = start; i <= end; i++) {
      const unit = i < 0 || i >= length ? BOUNDARY : label.charCodeAt(i)
      hash = Math.imul(hash ^ unit, 0x01000193)
      const size = i - start + 1
      if (size >= GRAM_MIN) out[count++] = hashFinish(hash ^ (size << 24))
    }
  }
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
  if (weights.length !== 2 * buckets) throw new Error(`lexical model: ${weights.length} weights for ${buckets} buckets`)
  const mask = buckets - 1
  const suffixes = new Map(Object.entries(file.suffixes))
  const { trust, bias, freshShare, slope, centre } = file
  /** Fraud against the honest names of both kinds, mixed. */
  const mixed = (fresh: number, established: number) =>
    -slope * Math.log(freshShare * Math.exp(-fresh) + (1 - freshShare) * Math.exp(-established)) - centre

  function numbers(label: string, shape: NameShape, suffix: string) {
    const count = sharedFeatures(label, shape)
    let fresh = 0
    let established = 0
    for (let i = 0; i < count; i++) {
      const at = ((SHARED_FEATURES[i] as number) & mask) << 1
      fresh += weights[at] as number
      established += weights[at + 1] as number
    }
    const share = file.scale / Math.sqrt(count)
    const [suffixFresh, suffixEstablished] =
      suffixes.get(suffix) ?? file.rareSuffix[isCountrySuffix(suffix) ? 'country' : 'generic']
    return {
      name: { fresh: bias.fresh + share * fresh, established: bias.established + share * established },
      suffix: { fresh: suffixFresh, established: suffixEstablished },
    }
  }

  return {
    numbers,
    assess(label, shape, suffix) {
      const found = numbers(label, shape, suffix)
      const fresh = trust.name.fresh * found.name.fresh
      const established = trust.name.established * found.name.established
      const name = mixed(fresh, established)
      // On a platform nobody chose a suffix.
      if (suffix === '') return { name, suffix: 0 }
      const whole = mixed(
        fresh + trust.suffix.fresh * found.suffix.fresh,
        established + trust.suffix.established * found.suffix.established,
      )
      const bySuffix = limitedSuffix(suffix, whole - name, name)
      // A suffix that is like most is not worth a sentence; its little is told with the name.
      return Math.abs(bySuffix) < SUFFIX_SILENCE ? { name: name + bySuffix, suffix: 0 } : { name, suffix: bySuffix }
    },
    telling: (label) => tellingStretches(label, (at) => (weights[at] as number) + (weights[at + 1] as number), mask),
  }
}

const TELLING_MAX = 2
const TELLING_LENGTH_MIN = 3

/** Runs of characters whose n-grams weigh most, none inside another. */
function tellingStretches(label: string, weightAt: (at: number) => number, mask: number): string[] {
  const features = new Uint32Array(FEATURES_MAX)
  gramFeatures(label, features)
  const length = Math.min(label.length, 63)
  const weighed: { readonly start: number; readonly end: number; readonly weight: number }[] = []
  let at = 0
  for (let start = -1; start < length; start++) {
    const end = Math.min(length, start + GRAM_MAX - 1)
    for (let i = start; i <= end; i++) {
      if (i - start + 1 < GRAM_MIN) continue
      const weight = weightAt(((features[at++] as number) & mask) << 1)
      const from = Math.max(0, start)
      const to = Math.min(length, i + 1)
      if (to - from < TELLING_LENGTH_MIN || weight <= 0 || label.slice(from, to).includes('-')) continue
      weighed.push({ start: from, end: to, weight })
    }
  }
  weighed.sort((a, b) => b.weight - a.weight)
  const chosen: { start: number; end: number }[] = []
  for (const { start, end } of weighed) {
    if (chosen.length === TELLING_MAX) break
    if (chosen.every((other) => end <= other.start || start >= other.end)) chosen.push({ start, end })
  }
  return chosen.map(({ start, end }) => label.slice(start, end))
}

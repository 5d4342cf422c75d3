import { hashFinish } from '../../lib/hashing.ts'
import { FORM_KEYS, formBuckets, GRAMS_MAX, LONG_GRAMS_MAX, longGrams, nameGrams } from '../../lib/name-grams.ts'
import { LISTED_BUCKETS, LISTED_LONG_BUCKETS, WEIGHT_STEPS } from '../../snapshot/listed-names.ts'
import type { ListedNames } from '../../snapshot/types.ts'
import { SUFFIX_LIMITS } from '../weights/wording.ts'
import type { NameShape } from './name.ts'
import { createJudge, type JudgeFile } from './network.ts'
import { isCountrySuffix, VOUCHES_FOR_NOBODY } from './suffixes.ts'

/**
 * The lexical model: log-odds of fraud from the chosen name and its suffix. It makes two comparisons: with names that
 * anybody registered recently (`fresh`) and with names of organisations that have existed for long (`established`). A
 * new honest firm differs only a little from fraud in both comparisons, and a model that knows only established names
 * treats everything new as fraud. Each comparison is made twice:
 * 1. By a logistic regression over hashed n-grams and the shape of the name. lab/fit.ts writes it. It knows the sources
 *    whose licence allows a fit, as of the day of the fit.
 * 2. By the lists in use, which know current fraud (`learn`). Their snapshot has the frequency of each n-gram in listed
 *    names, and the model's file has its frequency in honest names. Long n-grams, nearly words, are compared with both
 *    kinds of honest names together, because few names have any of them. Forms of names under a suffix (a certain
 *    number of letters and digits, as a program chose them for this month's fraud) are compared with fresh names. The
 *    judge weighs the six numbers (network.ts).
 */
export interface LexicalModel {
  /**
   * `madeUp`: log-odds of a generated name (dga.ts); `whole` and `form`: the registered name and its shape, if `label` is
   * beside a brand.
   */
  assess(label: string, shape: NameShape, suffix: string, madeUp: number, whole?: string, form?: NameShape): Wording
  /** Returns a model that also compares names with these listed ones. */
  learn(listed: ListedNames): LexicalModel
  /** The inputs of the judge. For fitting. */
  inputs(
    label: string,
    shape: NameShape,
    suffix: string,
    madeUp: number,
    whole?: string,
    form?: NameShape,
  ): Float64Array
  /** True if lists contain many names of this form under the suffix. For explanations. */
  isFormListed(whole: string, suffix: string): boolean
}

/** Log-odds of fraud against everything else, with both kinds of honest names mixed as people check them. */
export interface Wording {
  /** By the name, under .com or as if under an ordinary suffix. */
  readonly name: number
  /** Log-odds that its suffix adds, within SUFFIX_LIMITS: more telling for some names than for others. */
  readonly suffix: number
}

/** The minimum distance from the average before a suffix is mentioned. */
const SUFFIX_SILENCE = 0.3

/** A country's own firms register under its suffix; anybody registers under a generic one. */
export function suffixLimits(suffix: string): readonly [min: number, max: number] {
  const { min, max } = SUFFIX_LIMITS[isCountrySuffix(suffix) ? 'country' : 'generic']
  return [VOUCHES_FOR_NOBODY.has(suffix) ? 0 : min, max]
}

export interface LexicalModelFile {
  readonly trained: unknown
  readonly bits: number
  readonly scale: number
  readonly bias: { readonly fresh: number; readonly established: number }
  /** Base64 of two signed bytes a bucket: against fresh names, against established ones. */
  readonly weights: string
  /** Base64 of two bytes a bucket of listed n-grams: their frequency in fresh and in established names, as -log. */
  readonly honest: string
  readonly honestStep: number
  /** Base64 of one byte a bucket of long n-grams: its frequency in honest names, in the same steps; 255 for never. */
  readonly honestLong: string
  /** The number of fresh names, and base64 of one byte a bucket of forms: their share, in the same steps. */
  readonly freshForms: { readonly names: number; readonly shares: string }
  readonly suffixes: Readonly<Record<string, readonly [fresh: number, established: number]>>
  /** For a suffix too rare to have its own numbers. */
  readonly rareSuffix: { readonly generic: readonly [number, number]; readonly country: readonly [number, number] }
  /** Without lists to learn from, and with many listed names. */
  readonly judges: { readonly alone: JudgeFile; readonly learnt: JudgeFile }
}

const SHAPE_FEATURES = 11
export const FEATURES_MAX = GRAMS_MAX + SHAPE_FEATURES

/** The features of the last name: two models read the same name, one after the other. */
export const SHARED_FEATURES = new Uint32Array(FEATURES_MAX)
let featuresOf: string | undefined
let featureCount = 0

/** Writes the hashes of a name's features to SHARED_FEATURES, to be read immediately, and returns their number. */
export function sharedFeatures(label: string, shape: NameShape): number {
  if (label !== featuresOf) {
    featureCount = nameFeatures(label, shape, SHARED_FEATURES)
    featuresOf = label
  }
  return featureCount
}

/** Writes the hashes of a name's features to `out` and returns their number. Shared by fitting and scoring. */
export function nameFeatures(label: string, shape: NameShape, out: Uint32Array): number {
  let count = nameGrams(label, out)
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

/** Smoothing: a rare n-gram counts as if this many more listed names had it as often as honest names do. */
const DOUBTFUL_NAMES = 500
const STRETCH_MAX = 3
const RATIO_STEP = STRETCH_MAX / 127

export function createLexicalModel(file: LexicalModelFile): LexicalModel {
  const weights = signedBytes(file.weights)
  if (weights.length !== 2 * 2 ** file.bits) {
    throw new Error(`lexical model: ${weights.length} weights for ${2 ** file.bits} buckets`)
  }
  const learn = (listed: ListedNames) => {
    if (listed.grams.length === 0) return alone
    const table = joined(weights, ratiosOf(listed, file))
    const lists = { long: longRatiosOf(listed, file), forms: formCountsOf(listed, file) }
    return modelOf(file, table, lists, file.judges.learnt, learn)
  }
  const alone = modelOf(file, joined(weights, undefined), undefined, file.judges.alone, learn)
  return alone
}

function signedBytes(base64: string): Int8Array {
  const bytes = Buffer.from(base64, 'base64')
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** How much more often listed names have an n-gram than honest names: log-ratios in steps, two a bucket. */
function ratiosOf({ grams, weight }: ListedNames, file: LexicalModelFile): Int8Array {
  if (grams.length !== LISTED_BUCKETS + LISTED_LONG_BUCKETS) {
    throw new Error(`lexical model: ${grams.length} buckets of listed names`)
  }
  const honest = Buffer.from(file.honest, 'base64')
  const shares = Float64Array.from({ length: 256 }, (_, byte) => Math.exp(-byte * file.honestStep))
  const ratios = new Int8Array(honest.length)
  for (let i = 0; i < ratios.length; i++) {
    const share = shares[honest[i] as number] as number
    const listed = (grams[i >> 1] as number) / WEIGHT_STEPS
    const ratio = Math.log((listed + DOUBTFUL_NAMES * share) / ((weight + DOUBTFUL_NAMES) * share))
    ratios[i] = inSteps(ratio)
  }
  return ratios
}

function inSteps(ratio: number): number {
  return Math.round(Math.max(-STRETCH_MAX, Math.min(STRETCH_MAX, ratio)) / RATIO_STEP)
}

/** Rare n-grams say little: each is counted as if this many more listed and honest names had it. */
const BORROWED_NAMES = 2
export const NEVER = 255

/** Log-ratios of long n-grams, against honest names of both kinds: one a bucket. */
function longRatiosOf({ grams, weight }: ListedNames, file: LexicalModelFile): Int8Array {
  const honest = Buffer.from(file.honestLong, 'base64')
  const expected = Float64Array.from({ length: 256 }, (_, byte) =>
    byte === NEVER ? 0 : weight * Math.exp(-byte * file.honestStep),
  )
  const ratios = new Int8Array(honest.length)
  for (let i = 0; i < ratios.length; i++) {
    const listed = (grams[LISTED_BUCKETS + i] as number) / WEIGHT_STEPS
    const ratio = Math.log((listed + BORROWED_NAMES) / ((expected[honest[i] as number] as number) + BORROWED_NAMES))
    ratios[i] = inSteps(ratio)
  }
  return ratios
}

type FormCounts = NonNullable<ReturnType<typeof formCountsOf>>

function formCountsOf({ forms }: ListedNames, { freshForms, honestStep }: LexicalModelFile) {
  // A snapshot of an earlier release has no counts.
  if (forms.length === 0) return undefined
  const shares = Buffer.from(freshForms.shares, 'base64')
  if (forms.length !== shares.length) throw new Error(`lexical model: ${forms.length} buckets of forms`)
  return {
    listed: Float64Array.from(forms, (count) => count / WEIGHT_STEPS),
    fresh: Float64Array.from(shares, (byte) => (byte === NEVER ? 0 : freshForms.names * Math.exp(-byte * honestStep))),
  }
}

/** Smoothing: as if each suffix had this many more names, with the overall distribution of forms. */
const BORROWED_FORMS = 100
const FORM_MAX = 2
const FORM_BUCKETS_OF = new Uint32Array(FORM_KEYS)

// How much more often listed names under this suffix have the name's form than fresh names, in log-odds, relative to
// all suffixes: the rarity of long names in lists says nothing about this suffix.
function formLogOdds(label: string, suffix: string, counts: FormCounts): number {
  const { here, everywhere } = formRatios(label, suffix, counts)
  return Math.max(-FORM_MAX, Math.min(FORM_MAX, Math.log(here / everywhere)))
}

/** How much more often listed names have the name's form than fresh names: under its suffix, and under all. */
function formRatios(label: string, suffix: string, { listed, fresh }: FormCounts) {
  formBuckets(label, suffix, FORM_BUCKETS_OF)
  const [both, underSuffix, ofForm, all] = FORM_BUCKETS_OF as unknown as readonly [number, number, number, number]
  const usual = (counts: Float64Array) => ((counts[ofForm] as number) + 1) / ((counts[all] as number) + 1)
  const own = (counts: Float64Array) =>
    ((counts[both] as number) + BORROWED_FORMS * usual(counts)) / ((counts[underSuffix] as number) + BORROWED_FORMS)
  return { here: own(listed) / own(fresh), everywhere: usual(listed) / usual(fresh) }
}

/** A form listed this many times as often is mentioned. */
const FORM_TELLS_MIN = 2

/**
 * A byte a number, so that scoring looks up each n-gram once: two of the fit, then two of lists. Without lists the table
 * is half as large, and more of it stays in the cache.
 */
function joined(weights: Int8Array, ratios: Int8Array | undefined): Int16Array | Int32Array {
  const table = new (ratios === undefined ? Int16Array : Int32Array)(weights.length / 2)
  const mask = ratios === undefined ? 0 : ratios.length - 1
  for (let bucket = 0; bucket < table.length; bucket++) {
    const at = 2 * bucket
    const fit = ((weights[at] as number) & 0xff) | (((weights[at + 1] as number) & 0xff) << 8)
    const listed =
      ratios === undefined ? 0 : ((ratios[at & mask] as number) & 0xff) | ((ratios[(at & mask) + 1] as number) << 8)
    table[bucket] = fit | (listed << 16)
  }
  return table
}

// The inputs of the judge: two comparisons by the fit, four by lists, the log-odds of a generated name, the sort of
// suffix, the form of the name, and from here on the two numbers of the suffix. The regressions know the form, too, but
// what a long name or a hyphen says depends on everything else.
export const SUFFIX_INPUTS_AT = 13
const INPUTS = SUFFIX_INPUTS_AT + 2
const SUFFIX_NUMBER_MAX = 3
const MADE_UP_MAX = 6

interface SuffixFacts {
  readonly suffix: string
  readonly isCountry: boolean
  /** How much fraud is under it, against fresh and established names. */
  readonly fresh: number
  readonly established: number
  /** The limits of its effect. */
  readonly min: number
  readonly max: number
}

function modelOf(
  file: LexicalModelFile,
  table: Int16Array | Int32Array,
  lists: { readonly long: Int8Array; readonly forms: FormCounts | undefined } | undefined,
  judgeFile: JudgeFile,
  learn: LexicalModel['learn'],
): LexicalModel {
  const judge = createJudge(judgeFile)
  const mask = 2 ** file.bits - 1
  const inputs = new Float64Array(INPUTS)
  // Everything about a suffix, in one look-up.
  const known = new Map(Object.entries(file.suffixes).map(([suffix, numbers]) => [suffix, suffixOf(suffix, numbers)]))
  const ordinary = suffixOf('', judgeFile.ordinary)

  function suffixOf(suffix: string, [fresh, established]: readonly [number, number]): SuffixFacts {
    const limited = (number: number) => Math.max(-SUFFIX_NUMBER_MAX, Math.min(SUFFIX_NUMBER_MAX, number))
    const [min, max] = suffixLimits(suffix)
    const isCountry = suffix !== '' && isCountrySuffix(suffix)
    return { suffix, isCountry, fresh: limited(fresh), established: limited(established), min, max }
  }

  function factsOf(suffix: string): SuffixFacts {
    const { country, generic } = file.rareSuffix
    return known.get(suffix) ?? suffixOf(suffix, isCountrySuffix(suffix) ? country : generic)
  }

  function setSuffix({ fresh, established }: SuffixFacts): void {
    inputs[SUFFIX_INPUTS_AT] = fresh
    inputs[SUFFIX_INPUTS_AT + 1] = established
  }

  function describe(
    label: string,
    shape: NameShape,
    facts: SuffixFacts,
    madeUp: number,
    whole: string,
    form: NameShape,
  ): void {
    const { suffix } = facts
    const count = sharedFeatures(label, shape)
    // Lists are counted by n-grams alone.
    const listed = lists === undefined ? 0 : count - SHAPE_FEATURES
    let fresh = 0
    let established = 0
    let listedFresh = 0
    let listedEstablished = 0
    for (let i = 0; i < listed; i++) {
      const four = table[(SHARED_FEATURES[i] as number) & mask] as number
      fresh += (four << 24) >> 24
      established += (four << 16) >> 24
      listedFresh += (four << 8) >> 24
      listedEstablished += four >> 24
    }
    for (let i = listed; i < count; i++) {
      const four = table[(SHARED_FEATURES[i] as number) & mask] as number
      fresh += (four << 24) >> 24
      established += (four << 16) >> 24
    }
    const root = Math.sqrt(count)
    inputs[0] = file.bias.fresh + (file.scale * fresh) / root
    inputs[1] = file.bias.established + (file.scale * established) / root
    inputs[2] = lists === undefined ? 0 : (RATIO_STEP * listedFresh) / root
    inputs[3] = lists === undefined ? 0 : (RATIO_STEP * listedEstablished) / root
    inputs[4] = lists === undefined ? 0 : RATIO_STEP * longSum(label, lists.long)
    inputs[5] = lists?.forms === undefined || suffix === '' ? 0 : formLogOdds(whole, suffix, lists.forms)
    inputs[6] = Math.max(-MADE_UP_MAX, Math.min(MADE_UP_MAX, madeUp))
    inputs[7] = suffix === 'com' ? 1 : 0
    inputs[8] = facts.isCountry ? 1 : 0
    inputs[9] = form.length
    inputs[10] = form.hyphens
    inputs[11] = form.digits
    inputs[12] = form.vowels
  }

  return {
    assess(label, shape, suffix, madeUp, whole = label, form = shape) {
      const facts = factsOf(suffix)
      describe(label, shape, facts, madeUp, whole, form)
      const isCom = suffix === 'com'
      setSuffix(isCom ? facts : ordinary)
      const name = judge.logOdds(inputs)
      // Everybody registers under .com, and on a platform nobody chose a suffix.
      if (isCom || suffix === '') return { name, suffix: 0 }
      setSuffix(facts)
      const bySuffix = Math.max(facts.min, Math.min(facts.max, judge.logOddsAgain(inputs, SUFFIX_INPUTS_AT) - name))
      // An ordinary suffix is not mentioned; its small effect counts with the name.
      return Math.abs(bySuffix) < SUFFIX_SILENCE ? { name: name + bySuffix, suffix: 0 } : { name, suffix: bySuffix }
    },
    learn,
    inputs(label, shape, suffix, madeUp, whole = label, form = shape) {
      const facts = factsOf(suffix)
      describe(label, shape, facts, madeUp, whole, form)
      setSuffix(facts)
      return inputs.slice()
    },
    isFormListed(whole, suffix) {
      if (lists?.forms === undefined || suffix === '') return false
      const { here, everywhere } = formRatios(whole, suffix, lists.forms)
      return Math.min(here, here / everywhere) >= FORM_TELLS_MIN
    },
  }
}

const LONG_FEATURES = new Uint32Array(LONG_GRAMS_MAX)

/** The sum over the long n-grams of a name, in steps. Unknown n-grams count 0. */
function longSum(label: string, table: Int8Array): number {
  const count = longGrams(label, LONG_FEATURES)
  let sum = 0
  let known = 0
  for (let i = 0; i < count; i++) {
    const value = table[(LONG_FEATURES[i] as number) & (LISTED_LONG_BUCKETS - 1)] as number
    if (value === 0) continue
    sum += value
    known++
  }
  return known === 0 ? 0 : sum / Math.sqrt(known)
}

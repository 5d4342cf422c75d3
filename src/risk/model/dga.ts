import { CHARACTERS, readText } from '../../lib/text-index.ts'
import { SHARED_FEATURES, sharedFeatures } from './lexical.ts'
import type { NameShape } from './name.ts'
import { createLayer } from './network.ts'
import { isHomeSuffix } from './suffixes.ts'

export interface GeneratedNameFile {
  readonly trained: unknown
  /** Base64 of one byte a trigram: log-likelihood in `step`s below 0. */
  readonly trigrams: string
  readonly step: number
  /** Base64 of one signed byte a bucket of hashed n-grams: evidence for a program. */
  readonly grams: string
  readonly gramScale: number
  readonly hidden: readonly (readonly number[])[]
  readonly output: readonly number[]
}

/**
 * Under .com people register any free string of letters, and under a country's own suffix its language looks generated;
 * elsewhere a generated name stands out sooner.
 */
const LOG_ODDS_MIN = { com: 1.4, home: 1, elsewhere: 0.2, words: 1.2, fewWords: 2.5 }
/** Firms combine words, too, in fewer letters than this. */
const MANY_WORDS_LENGTH = 20

/** True if a name looks generated, beyond the credit of its suffix. `suffix` is empty on a platform. */
export function isMadeUp(logOdds: number, shape: NameShape, suffix: string, suffixLogOdds = 0): boolean {
  return logOdds + Math.min(0, suffixLogOdds) >= LOG_ODDS_MIN[placeOf(shape, suffix)]
}

function placeOf(shape: NameShape, suffix: string): keyof typeof LOG_ODDS_MIN {
  if (isStrungOfWords(shape)) return shape.length < MANY_WORDS_LENGTH ? 'fewWords' : 'words'
  if (suffix === 'com') return 'com'
  return isHomeSuffix(suffix) ? 'home' : 'elsewhere'
}

export function isStrungOfWords({ words, covered, length }: NameShape): boolean {
  return words >= 3 && covered >= 0.8 * length
}

export const SYMBOLS = 38
export const INPUTS = 18
export const BOUNDARY = 37

const SYMBOL_OF = new Uint8Array(128).fill(36)
for (let i = 0; i < 36; i++) SYMBOL_OF[(i < 26 ? 97 : 48 - 26) + i] = i

export function symbolOf(unit: number): number {
  return unit < 128 ? (SYMBOL_OF[unit] as number) : 36
}

/** The log-likelihood of each byte, in `step`s below 0. Of single precision, as the model was fitted. */
export function levelsOf(step: number): Float64Array {
  return Float64Array.from({ length: 256 }, (_, byte) => Math.fround(-byte * step))
}

/** The network's inputs, about -2 to 2 each. `levels` has the log-likelihood of each byte of `trigrams`. */
export function generatedNameInputs(
  label: string,
  shape: NameShape,
  trigrams: Uint8Array,
  levels: Float64Array,
  grams: Int8Array | Float64Array,
  gramScale: number,
  out: Float64Array,
): void {
  let sum = 0
  let rare = 0
  let worst = 0
  let pairWorst = 0
  let previous = 0
  let first = BOUNDARY
  let second = BOUNDARY
  const length = label.length
  readText(label)
  for (let i = 0; i <= length; i++) {
    const third = i === length ? BOUNDARY : symbolOf(CHARACTERS[i] as number)
    const value = levels[trigrams[(first * SYMBOLS + second) * SYMBOLS + third] as number] as number
    sum += value
    if (value < -5) rare++
    if (value < worst) worst = value
    if (value + previous < pairWorst) pairWorst = value + previous
    previous = value
    first = second
    second = third
  }
  const letters = Math.max(1, length - shape.digits - shape.hyphens)
  const mean = sum / (length + 1)
  out[0] = mean + 3.2
  out[1] = rare / (length + 1) - 0.2
  out[2] = (worst + 7) / 2
  out[3] = (pairWorst + 11) / 3
  out[4] = (length - 11) / 6
  out[5] = Math.max(0, length - 20) / 6
  out[6] = (3 * shape.digits) / Math.max(1, length)
  out[7] = (shape.vowels / letters - 0.38) * 5
  out[8] = (shape.consonantRun - 2.5) / 2
  out[9] = (shape.covered / Math.max(1, length) - 0.6) * 2.5
  out[10] = (shape.words - 1.5) / 1.5
  out[11] = (shape.distinct / Math.max(1, length) - 0.75) * 4
  out[12] = Math.min(shape.turns, 6) / 2
  out[13] = shape.hyphens > 0 ? 1 : 0
  out[14] = gramSum(label, shape, grams, gramScale) / 2
  // A firm combines words of its trade; a program takes any words, including the small words of a sentence.
  out[15] = Math.min(shape.glueWords, 4) / 2
  out[16] = Math.max(0, shape.words - 3) / 2
  out[17] = (shape.longestWord - 6) / 4
}

/** Log-odds by the n-grams alone. The number of buckets is a power of two. */
export function gramSum(label: string, shape: NameShape, grams: Int8Array | Float64Array, scale: number): number {
  const count = sharedFeatures(label, shape)
  const mask = grams.length - 1
  let sum = 0
  for (let i = 0; i < count; i++) sum += grams[(SHARED_FEATURES[i] as number) & mask] as number
  return (scale * sum) / Math.sqrt(count)
}

/**
 * The probability that a program generated a name: the likelihood of its letters in ordinary names, its shape and how
 * words cover it, and n-grams that programs use, through a small network of rectified units fitted on names generated
 * at random and on ordinary ones (lab/fit.ts).
 */
export function createGeneratedNameModel(file: GeneratedNameFile) {
  const trigrams = Uint8Array.from(Buffer.from(file.trigrams, 'base64'))
  if (trigrams.length !== SYMBOLS ** 3) throw new Error(`generated-name model: ${trigrams.length} trigrams`)
  const levels = levelsOf(file.step)
  const width = file.hidden.length
  const layer = createLayer(file.hidden, INPUTS)
  const output = Float64Array.from(file.output)
  const gramBytes = Buffer.from(file.grams, 'base64')
  const grams = new Int8Array(gramBytes.buffer, gramBytes.byteOffset, gramBytes.length)
  const inputs = new Float64Array(INPUTS)
  return {
    logOdds(label: string, shape: NameShape): number {
      generatedNameInputs(label, shape, trigrams, levels, grams, file.gramScale, inputs)
      layer.begin(inputs)
      let sum = output[width] as number
      for (let unit = 0; unit < width; unit++) {
        sum += Math.max(0, layer.given[unit] as number) * (output[unit] as number)
      }
      return sum
    },
  }
}

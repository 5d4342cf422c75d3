import type { NameShape } from './name.ts'

/**
 * How likely a program made a name up: the likelihood of its letters in ordinary names, its shape and how words
 * cover it, through a small network fitted on names generated at random and on ordinary ones (tools/fit.ts).
 */
export interface GeneratedNameModel {
  /** Log-odds that a program made the name up. */
  logOdds(label: string, shape: NameShape): number
}

export interface GeneratedNameFile {
  readonly trained: unknown
  /** Base64 of one byte a trigram: log-likelihood in `step`s below 0. */
  readonly trigrams: string
  readonly step: number
  readonly hidden: readonly (readonly number[])[]
  readonly output: readonly number[]
}

export const SYMBOLS = 38
export const INPUTS = 14
const BOUNDARY = 37

export function symbolOf(unit: number): number {
  if (unit >= 97 && unit <= 122) return unit - 97
  if (unit >= 48 && unit <= 57) return unit - 48 + 26
  return 36
}

/** Calls `visit` with the table index of every trigram of the label, its edges included. */
export function visitTrigrams(label: string, visit: (index: number) => void): void {
  let first = BOUNDARY
  let second = BOUNDARY
  for (let i = 0; i <= label.length; i++) {
    const third = i === label.length ? BOUNDARY : symbolOf(label.charCodeAt(i))
    visit((first * SYMBOLS + second) * SYMBOLS + third)
    first = second
    second = third
  }
}

/** The network's inputs, about -2 to 2 each. `likelihoods` holds a log-likelihood a trigram. */
export function generatedNameInputs(
  label: string,
  shape: NameShape,
  likelihoods: Float32Array,
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
  for (let i = 0; i <= length; i++) {
    const third = i === length ? BOUNDARY : symbolOf(label.charCodeAt(i))
    const value = likelihoods[(first * SYMBOLS + second) * SYMBOLS + third] as number
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
}

export function createGeneratedNameModel(file: GeneratedNameFile): GeneratedNameModel {
  const bytes = Buffer.from(file.trigrams, 'base64')
  if (bytes.length !== SYMBOLS ** 3) throw new Error(`generated-name model: ${bytes.length} trigrams`)
  const likelihoods = Float32Array.from(bytes, (byte) => -byte * file.step)
  const width = file.hidden.length
  const hidden = Float64Array.from(file.hidden.flat())
  const output = Float64Array.from(file.output)
  const inputs = new Float64Array(INPUTS)
  return {
    logOdds(label, shape) {
      generatedNameInputs(label, shape, likelihoods, inputs)
      return network(inputs, hidden, output, width)
    },
  }
}

/** One hidden layer of rectified units; the last weight of every unit and of the output is its bias. */
export function network(inputs: Float64Array, hidden: Float64Array, output: Float64Array, width: number): number {
  let sum = output[width] as number
  for (let unit = 0; unit < width; unit++) {
    const at = unit * (INPUTS + 1)
    let value = hidden[at + INPUTS] as number
    for (let i = 0; i < INPUTS; i++) value += (hidden[at + i] as number) * (inputs[i] as number)
    if (value > 0) sum += value * (output[unit] as number)
  }
  return sum
}

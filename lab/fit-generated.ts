import {
  BOUNDARY,
  type GeneratedNameFile,
  generatedNameInputs,
  gramSum,
  INPUTS,
  levelsOf,
  SYMBOLS,
  symbolOf,
} from '../src/risk/model/dga.ts'
import { FEATURES_MAX, nameFeatures } from '../src/risk/model/lexical.ts'
import { shapeOf } from '../src/risk/model/name.ts'
import type { Lexicon } from '../src/risk/model/words.ts'
import { randomFrom, type Sample, shuffled } from './fit-data.ts'

const HIDDEN = 32
const EPOCHS = 16
const RATE = 0.02
const STEP = 0.05
/** So many made-up names to an honest one. */
const MADE_UP_SHARE = 0.6

/** Trigram likelihoods from ordinary names, then a small network that tells them from names made up at random. */
export function fitGenerated(
  good: readonly Sample[],
  words: readonly string[],
  lexicon: Lexicon,
  trained: unknown,
  without = '',
): GeneratedNameFile {
  const random = randomFrom(7)
  const madeUp = (count: number) => madeUpNames(words, count, random, without)
  // What each half of the names says is asked about the other: on its own half a table flatters every name.
  const parts = halves(shuffled(good, random))
  const [one, other] = parts.map((half) => tablesOf(half, madeUp, lexicon, random)) as [Tables, Tables]
  const all = tablesOf(good, madeUp, lexicon, random)
  const examples = parts.flatMap((half, i) => {
    const tables = i === 0 ? other : one
    const honest = half.filter(({ label }) => label.length >= 5)
    return [
      ...honest.map(({ label, weight }) => ({ label, tables, target: 0, weight })),
      ...madeUp(Math.round(honest.length * MADE_UP_SHARE)).map((label) => ({
        label,
        tables,
        target: 1,
        weight: 1,
      })),
    ]
  })
  const hidden = new Float64Array(HIDDEN * (INPUTS + 1))
  const output = new Float64Array(HIDDEN + 1)
  for (let i = 0; i < hidden.length; i++) hidden[i] = (random() - 0.5) * 0.8
  for (let i = 0; i < HIDDEN; i++) output[i] = (random() - 0.5) * 0.8
  // Each name is read once, not in every epoch.
  const allInputs = new Float64Array(examples.length * INPUTS)
  const levels = levelsOf(STEP)
  const inputsOf = (i: number) => allInputs.subarray(i * INPUTS, (i + 1) * INPUTS)
  examples.forEach(({ label, tables: { bytes, grams, gramScale } }, i) => {
    generatedNameInputs(label, shapeOf(label, lexicon), bytes, levels, grams, gramScale, inputsOf(i))
  })
  const order = examples.map((_, i) => i)
  const active = new Float64Array(HIDDEN)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    const rate = RATE / (1 + epoch)
    for (const example of shuffled(order, random)) {
      const { target, weight } = examples[example] as (typeof examples)[number]
      const inputs = inputsOf(example)
      let sum = output[HIDDEN] as number
      for (let unit = 0; unit < HIDDEN; unit++) {
        const at = unit * (INPUTS + 1)
        let value = hidden[at + INPUTS] as number
        for (let i = 0; i < INPUTS; i++) value += (hidden[at + i] as number) * (inputs[i] as number)
        active[unit] = value > 0 ? value : 0
        sum += (active[unit] as number) * (output[unit] as number)
      }
      const error = (1 / (1 + Math.exp(-sum)) - target) * weight * rate
      for (let unit = 0; unit < HIDDEN; unit++) {
        const before = output[unit] as number
        output[unit] = before - error * (active[unit] as number)
        if (active[unit] === 0) continue
        const at = unit * (INPUTS + 1)
        for (let i = 0; i < INPUTS; i++)
          hidden[at + i] = (hidden[at + i] as number) - error * before * (inputs[i] as number)
        hidden[at + INPUTS] = (hidden[at + INPUTS] as number) - error * before
      }
      output[HIDDEN] = (output[HIDDEN] as number) - error
    }
  }
  const rounded = (value: number) => Number(value.toPrecision(5))
  return {
    trained,
    step: STEP,
    trigrams: Buffer.from(all.bytes).toString('base64'),
    grams: Buffer.from(all.grams.buffer).toString('base64'),
    gramScale: Number(all.gramScale.toPrecision(6)),
    hidden: Array.from({ length: HIDDEN }, (_, unit) =>
      Array.from(hidden.subarray(unit * (INPUTS + 1), (unit + 1) * (INPUTS + 1)), rounded),
    ),
    output: Array.from(output, rounded),
  }
}

/** What is counted of honest names, and of them against made-up ones. */
interface Tables {
  readonly bytes: Uint8Array
  readonly grams: Int8Array
  readonly gramScale: number
}

function tablesOf(
  honest: readonly Sample[],
  madeUp: (count: number) => string[],
  lexicon: Lexicon,
  random: () => number,
): Tables {
  const bytes = trigramBytes(honest.map(({ label }) => label))
  const { grams, scale } = fitGrams(honest, madeUp(Math.round(honest.length * MADE_UP_SHARE)), lexicon, random)
  return { bytes, grams, gramScale: scale }
}

const GRAM_BITS = 17
const GRAM_EPOCHS = 3

/** Logistic regression over hashed n-grams: names programs make up against ordinary ones. */
function fitGrams(
  honest: readonly Sample[],
  madeUp: readonly string[],
  lexicon: Lexicon,
  random: () => number,
): { readonly grams: Int8Array; readonly scale: number } {
  const weights = new Float64Array(2 ** GRAM_BITS)
  const squares = new Float64Array(2 ** GRAM_BITS).fill(1e-6)
  const features = new Uint32Array(FEATURES_MAX)
  const examples = [
    ...honest.map(({ label }) => ({ label, target: 0 })),
    ...madeUp.map((label) => ({ label, target: 1 })),
  ]
  for (let epoch = 0; epoch < GRAM_EPOCHS; epoch++) {
    for (const { label, target } of shuffled(examples, random)) {
      const shape = shapeOf(label, lexicon)
      const error = 1 / (1 + Math.exp(-gramSum(label, shape, weights, 1))) - target
      const count = nameFeatures(label, shape, features)
      const gradient = error / Math.sqrt(count)
      for (let i = 0; i < count; i++) {
        const at = (features[i] as number) & (weights.length - 1)
        squares[at] = (squares[at] as number) + gradient * gradient
        weights[at] = (weights[at] as number) - (0.05 * gradient) / Math.sqrt(squares[at] as number)
      }
    }
  }
  const sizes = Float64Array.from(weights, Math.abs).sort()
  const scale = (sizes[Math.floor(sizes.length * 0.9995)] as number) / 127
  return {
    grams: Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / scale)))),
    scale,
  }
}

function halves<T>(items: readonly T[]): [T[], T[]] {
  const middle = items.length >> 1
  return [items.slice(0, middle), items.slice(middle)]
}

/** Calls `visit` with the table index of every trigram of the label, its edges included. */
function visitTrigrams(label: string, visit: (index: number) => void): void {
  let first = BOUNDARY
  let second = BOUNDARY
  for (let i = 0; i <= label.length; i++) {
    const third = i === label.length ? BOUNDARY : symbolOf(label.charCodeAt(i))
    visit((first * SYMBOLS + second) * SYMBOLS + third)
    first = second
    second = third
  }
}

/** Log-likelihood of each symbol after two others, smoothed by shorter contexts, in STEPs below 0. */
function trigramBytes(labels: readonly string[]): Uint8Array {
  const three = new Float64Array(SYMBOLS ** 3)
  for (const label of labels)
    visitTrigrams(label, (index) => {
      three[index] = (three[index] as number) + 1
    })
  const two = new Float64Array(SYMBOLS ** 2)
  const one = new Float64Array(SYMBOLS)
  const contexts = new Float64Array(SYMBOLS ** 2)
  const shortContexts = new Float64Array(SYMBOLS)
  let all = 0
  three.forEach((count, index) => {
    const last = index % SYMBOLS
    const middle = Math.floor(index / SYMBOLS) % SYMBOLS
    const context = Math.floor(index / SYMBOLS)
    two[middle * SYMBOLS + last] = (two[middle * SYMBOLS + last] as number) + count
    one[last] = (one[last] as number) + count
    contexts[context] = (contexts[context] as number) + count
    shortContexts[middle] = (shortContexts[middle] as number) + count
    all += count
  })
  return Uint8Array.from(three, (count, index) => {
    const last = index % SYMBOLS
    const middle = Math.floor(index / SYMBOLS) % SYMBOLS
    const context = Math.floor(index / SYMBOLS)
    const short =
      ((two[middle * SYMBOLS + last] as number) + (8 * ((one[last] as number) + 1)) / (all + SYMBOLS)) /
      ((shortContexts[middle] as number) + 8)
    const probability = (count + 6 * short) / ((contexts[context] as number) + 6)
    return Math.min(255, Math.round(-Math.log(probability) / STEP))
  })
}

/** Three words in fewer letters are what a firm calls itself. */
const SALAD_LENGTH_MIN = 15

type Kind = readonly [share: number, make: () => string]

/** Kinds of names as generators make them; no malware family's own code or output. */
function kindsFrom(words: readonly string[], random: () => number): Readonly<Record<string, Kind>> {
  const pick = (from: string | readonly string[]) => from[Math.floor(random() * from.length)] as string
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1))
  const string = (alphabet: string, length: number) => Array.from({ length }, () => pick(alphabet)).join('')
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const consonants = 'bcdfghjklmnpqrstvwxz'
  const subset = (size: number) =>
    shuffled([...letters], random)
      .slice(0, size)
      .join('')
  const joined = (low: number, high: number, next: (i: number) => string) => {
    const length = between(low, high)
    let name = ''
    for (let i = 0; name.length < length; i++) name += next(i)
    return name.slice(0, length)
  }
  const syllable = () =>
    pick(consonants) +
    pick('aeiouy') +
    (random() < 0.35 ? pick(consonants) : '') +
    (random() < 0.12 ? pick('aeiou') : '')
  const common = words.slice(0, 6000)
  const frequent = words.slice(0, 120)
  const frequentLetters = common.join('')
  const wordSalad = (next: () => string) => {
    let name = ''
    const size = between(3, 6)
    for (let i = 0; i < size || name.length < SALAD_LENGTH_MIN; i++) name += next()
    return name.slice(0, 40)
  }
  return {
    letters: [0.13, () => string(letters, between(6, 24))],
    // Struck on a keyboard, or by a program that knows no vowels.
    consonants: [
      0.03,
      () =>
        shuffled([...consonants], random)
          .join('')
          .slice(0, between(8, 18)),
    ],
    'few letters': [0.1, () => string(letters, between(5, 8))],
    'letters and digits': [0.12, () => string(`${letters}0123456789`, between(6, 40))],
    'letters, then digits': [0.03, () => string(letters, between(5, 12)) + string('0123456789', between(1, 4))],
    hexadecimal: [0.05, () => string('0123456789abcdef', between(8, 60))],
    'base 32': [0.03, () => string(`${letters}234567`, between(10, 40))],
    'half of the letters': [0.09, () => string(subset(between(8, 16)), between(8, 18))],
    // Letters as often as a language has them, in no order.
    'frequent letters': [0.05, () => string(frequentLetters, between(7, 16))],
    // Each letter after one that it follows in words.
    'letters that follow': [0.04, () => joined(6, 14, () => pick(common).slice(1, 3))],
    syllables: [0.09, () => joined(6, 14, syllable)],
    'syllables of three': [0.03, () => joined(6, 12, () => pick(consonants) + pick('aeiou') + pick(consonants))],
    'vowel after consonant': [0.04, () => joined(5, 12, (i) => pick(i % 2 === 0 ? consonants : 'aeiou'))],
    'words in a row': [0.09, () => wordSalad(() => pick(common))],
    // Text run together: half of it are the few words every sentence has.
    'text in a row': [0.08, () => wordSalad(() => (random() < 0.5 ? pick(frequent) : pick(words)))],
  }
}

/** `without` leaves a kind out, to see if the others are enough to know it. */
function madeUpNames(words: readonly string[], count: number, random: () => number, without: string): string[] {
  const kinds = Object.entries(kindsFrom(words, random)).filter(([name]) => name !== without)
  const names: string[] = []
  while (names.length < count) {
    let at = random()
    for (const [, [share, make]] of kinds) {
      at -= share
      if (at < 0) {
        names.push(make())
        break
      }
    }
  }
  return names
}

/** Names of each kind, for the check with a kind left out. */
export function namesByKind(words: readonly string[]): { readonly kind: string; readonly names: readonly string[] }[] {
  return Object.entries(kindsFrom(words, randomFrom(11))).map(([kind, [, make]]) => ({
    kind,
    names: Array.from({ length: 500 }, make),
  }))
}

import {
  FORM_BUCKETS,
  FORM_KEYS,
  formBuckets,
  GRAMS_MAX,
  LONG_GRAMS_MAX,
  longGrams,
  nameGrams,
} from '../src/lib/name-grams.ts'
import { FEATURES_MAX, type LexicalModelFile, NEVER, nameFeatures } from '../src/risk/model/lexical.ts'
import { shapeOf } from '../src/risk/model/name.ts'
import { isCountrySuffix } from '../src/risk/model/suffixes.ts'
import type { Lexicon } from '../src/risk/model/words.ts'
import { LISTED_BUCKETS, LISTED_LONG_BUCKETS } from '../src/snapshot/listed-names.ts'
import { type Group, randomFrom, type Sample, shuffled } from './fit-data.ts'

const LEXICAL_SETTINGS = {
  seed: 20260531,
  bits: 19,
  epochs: 5,
  // Fresh names differ from fraud by less, and take longer to learn.
  rates: [0.2, 0.08],
  decay: 1e-6,
}

export type LexicalNumbers = Omit<LexicalModelFile, 'judges'>

/** A name of the last month, of which only the suffix is counted. */
export interface RecentName {
  readonly group: Group
  readonly suffix: string
}

/**
 * Two logistic regressions over the same hashed features by AdaGrad: fraud against fresh names, and fraud against
 * established ones. The suffix enters as a known number, so that the name learns what the suffix does not say. The
 * groups weigh the same.
 */
export function fitLexical(
  samples: readonly Sample[],
  recent: readonly RecentName[],
  lexicon: Lexicon,
  trained: unknown,
  settings = LEXICAL_SETTINGS,
): LexicalNumbers {
  const random = randomFrom(settings.seed)
  const buckets = 2 ** settings.bits
  const weights = [new Float64Array(buckets), new Float64Array(buckets)] as const
  const squares = [new Float64Array(buckets).fill(1e-6), new Float64Array(buckets).fill(1e-6)] as const
  const bias: [number, number] = [0, 0]
  const suffixes = fitSuffixes(samples, recent)
  const features = new Uint32Array(FEATURES_MAX)
  const total: Record<Group, number> = { bad: 0, fresh: 0, established: 0 }
  for (const { group, weight } of samples) total[group] += weight

  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    for (const { label, suffix, group, weight } of shuffled(samples, random)) {
      const count = nameFeatures(label, shapeOf(label, lexicon), features)
      const share = 1 / Math.sqrt(count)
      const importance = (weight * samples.length) / 3 / total[group]
      const offset = suffixes.numbers.get(suffix) ?? suffixes.rare[isCountrySuffix(suffix) ? 'country' : 'generic']
      for (const versus of [0, 1] as const) {
        if (group === (versus === 0 ? 'established' : 'fresh')) continue
        const table = weights[versus]
        const seen = squares[versus]
        let sum = 0
        for (let i = 0; i < count; i++) sum += table[(features[i] as number) & (buckets - 1)] as number
        const odds = bias[versus] + sum * share + offset[versus]
        const error = (1 / (1 + Math.exp(-odds)) - (group === 'bad' ? 1 : 0)) * importance
        for (let i = 0; i < count; i++) {
          const at = (features[i] as number) & (buckets - 1)
          const gradient = error * share + settings.decay * (table[at] as number)
          seen[at] = (seen[at] as number) + gradient * gradient
          table[at] =
            (table[at] as number) - ((settings.rates[versus] as number) * gradient) / Math.sqrt(seen[at] as number)
        }
        bias[versus] -= 0.002 * error
      }
    }
  }
  return { ...quantised(settings.bits, weights, bias, suffixes, trained), ...honestFrequencies(samples) }
}

interface Suffixes {
  readonly numbers: ReadonlyMap<string, readonly [number, number]>
  readonly rare: { readonly generic: readonly [number, number]; readonly country: readonly [number, number] }
}

// Registries become cheap and dear again: a name of the last month weighs as much as so many of all times.
const RECENT_WEIGHT = 60
// A suffix borrows this many names from the average of its sort, so that a rare one is not judged by chance.
const BORROWED_NAMES = 30
const SUFFIX_NAMES_MIN = 25
// What a registry whose new names nobody publishes is like for new firms is guessed from its established ones.
const GUESSED_SHARE = 1

/** Log-ratios of a suffix's share of fraud to its share of fresh and of established names. */
function fitSuffixes(samples: readonly Sample[], recent: readonly RecentName[]): Suffixes {
  const shares = suffixShares(samples, recent)
  const counts = new Map<string, number>()
  for (const { suffix } of samples) counts.set(suffix, (counts.get(suffix) ?? 0) + 1)
  const sortOf = (suffix: string) => (isCountrySuffix(suffix) ? 'country' : 'generic')
  const average = { generic: emptyShares(), country: emptyShares() }
  const rareSums = { generic: emptyShares(), country: emptyShares() }
  for (const suffix of counts.keys()) {
    for (const group of GROUPS) {
      const share = shares[group].get(suffix) ?? 0
      average[sortOf(suffix)][group] += share
      if ((counts.get(suffix) ?? 0) < SUFFIX_NAMES_MIN) rareSums[sortOf(suffix)][group] += share
    }
  }
  const ratio = (bad: number, other: number) => Math.log(bad / other)
  const numbersOf = (suffix: string, own: Record<Group, number>): readonly [number, number] => {
    const all = average[sortOf(suffix)]
    const names = 2e4
    const smooth = (group: Group) => own[group] + (BORROWED_NAMES / names) * all[group]
    const established = ratio(smooth('bad'), smooth('established'))
    if (own.fresh > 0) return [rounded(ratio(smooth('bad'), smooth('fresh'))), rounded(established)]
    return [rounded(GUESSED_SHARE * established), rounded(established)]
  }
  const numbers = new Map<string, readonly [number, number]>()
  for (const [suffix, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (count < SUFFIX_NAMES_MIN) continue
    const own = { bad: 0, fresh: 0, established: 0 }
    for (const group of GROUPS) own[group] = shares[group].get(suffix) ?? 0
    numbers.set(suffix, numbersOf(suffix, own))
  }
  return {
    numbers,
    rare: { generic: numbersOf('generic', rareSums.generic), country: numbersOf('xx', rareSums.country) },
  }
}

const GROUPS = ['bad', 'fresh', 'established'] as const satisfies readonly Group[]

function emptyShares(): Record<Group, number> {
  return { bad: 0, fresh: 0, established: 0 }
}

/** Each suffix's share of a group's names, sets weighing what they weigh. */
function suffixShares(samples: readonly Sample[], recent: readonly RecentName[]): Record<Group, Map<string, number>> {
  const shares = { bad: new Map<string, number>(), fresh: new Map(), established: new Map() }
  const total = emptyShares()
  const counted = [...samples, ...recent.map((name) => ({ ...name, suffixWeight: RECENT_WEIGHT }))]
  for (const { group, suffix, suffixWeight } of counted) {
    shares[group].set(suffix, (shares[group].get(suffix) ?? 0) + suffixWeight)
    total[group] += suffixWeight
  }
  for (const group of GROUPS) {
    for (const [suffix, weight] of shares[group]) shares[group].set(suffix, weight / total[group])
  }
  return shares
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

function quantised(
  bits: number,
  weights: readonly [Float64Array, Float64Array],
  bias: readonly [number, number],
  suffixes: Suffixes,
  trained: unknown,
): Omit<LexicalNumbers, HonestNumbers> {
  // The few largest weights are cut, so that one byte resolves the many.
  const sizes = Float64Array.from([...weights[0], ...weights[1]], Math.abs).sort()
  const limit = sizes[Math.floor(sizes.length * 0.9995)] as number
  const scale = limit / 127
  const byte = (weight: number) => Math.max(-127, Math.min(127, Math.round(weight / scale)))
  const bytes = new Int8Array(2 * weights[0].length)
  for (let i = 0; i < weights[0].length; i++) {
    bytes[2 * i] = byte(weights[0][i] as number)
    bytes[2 * i + 1] = byte(weights[1][i] as number)
  }
  return {
    trained,
    bits,
    scale: Number(scale.toPrecision(8)),
    bias: { fresh: Number(bias[0].toPrecision(6)), established: Number(bias[1].toPrecision(6)) },
    weights: Buffer.from(bytes.buffer).toString('base64'),
    suffixes: Object.fromEntries(suffixes.numbers),
    rareSuffix: suffixes.rare,
  }
}

const HONEST_STEP = 0.05
// A stretch that no honest name has is still as likely as if this many had it.
const BORROWED_HONEST = 2

type HonestNumbers = 'honest' | 'honestStep' | 'honestLong' | 'freshForms'

/** How often honest names have each stretch of letters and each form, in the buckets that listed names are counted in. */
function honestFrequencies(samples: readonly Sample[]): Pick<LexicalModelFile, HonestNumbers> {
  const buckets = LISTED_BUCKETS
  const counts = { fresh: new Float64Array(buckets), established: new Float64Array(buckets) }
  const total = { fresh: BORROWED_HONEST, established: BORROWED_HONEST }
  const long = new Float64Array(LISTED_LONG_BUCKETS)
  let names = 0
  const grams = new Uint32Array(GRAMS_MAX)
  const found = new Uint32Array(LONG_GRAMS_MAX)
  for (const { label, group, weight } of samples) {
    if (group === 'bad') continue
    total[group] += weight
    names++
    const longSize = longGrams(label, found)
    for (let i = 0; i < longSize; i++) {
      const at = (found[i] as number) & (LISTED_LONG_BUCKETS - 1)
      long[at] = (long[at] as number) + 1
    }
    const size = nameGrams(label, grams)
    for (let i = 0; i < size; i++) {
      const at = (grams[i] as number) & (buckets - 1)
      counts[group][at] = (counts[group][at] as number) + weight
    }
  }
  const bytes = new Uint8Array(2 * buckets)
  const byte = (group: 'fresh' | 'established', at: number) => {
    const share = ((counts[group][at] as number) + BORROWED_HONEST) / total[group]
    return Math.max(0, Math.min(255, Math.round(-Math.log(share) / HONEST_STEP)))
  }
  for (let at = 0; at < buckets; at++) {
    bytes[2 * at] = byte('fresh', at)
    bytes[2 * at + 1] = byte('established', at)
  }
  return {
    honest: Buffer.from(bytes.buffer).toString('base64'),
    honestStep: HONEST_STEP,
    honestLong: sharesOf(long, names),
    freshForms: freshForms(samples),
  }
}

function freshForms(samples: readonly Sample[]): LexicalModelFile['freshForms'] {
  const fresh = samples.filter(({ group }) => group === 'fresh')
  const counts = new Float64Array(FORM_BUCKETS)
  const buckets = new Uint32Array(FORM_KEYS)
  for (const { label, suffix } of fresh) {
    formBuckets(label, suffix, buckets)
    for (const at of buckets) counts[at] = (counts[at] as number) + 1
  }
  return { names: fresh.length, shares: sharesOf(counts, fresh.length) }
}

/** Base64 of one byte a bucket: the share of the names that have it, in steps of -log; NEVER where none has. */
function sharesOf(counts: Float64Array, names: number): string {
  const bytes = Uint8Array.from(counts, (count) =>
    count === 0 ? NEVER : Math.max(0, Math.min(NEVER - 1, Math.round(-Math.log(count / names) / HONEST_STEP))),
  )
  return Buffer.from(bytes.buffer).toString('base64')
}

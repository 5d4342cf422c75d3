import { FEATURES_MAX, type LexicalModelFile, nameFeatures } from '../src/risk/model/lexical.ts'
import { shapeOf } from '../src/risk/model/name.ts'
import { isCountrySuffix } from '../src/risk/model/suffixes.ts'
import type { Lexicon } from '../src/risk/model/words.ts'
import { randomFrom, type Sample, shuffled } from './fit-data.ts'

const SUFFIX_SAMPLES_MIN = 25

export const LEXICAL_SETTINGS = {
  seed: 20260531,
  bits: 18,
  epochs: 3,
  rate: 0.04,
  decay: 2e-6,
  /** A share of examples is shown without its suffix, so that the name learns to stand alone. */
  suffixHiddenShare: 0.5,
  /** A share of each name's features is hidden, so that no few n-grams are leant on alone. */
  featureHiddenShare: 0,
}

/** Logistic regression over hashed features by AdaGrad; classes weigh the same in all. */
export function fitLexical(
  samples: readonly Sample[],
  lexicon: Lexicon,
  trained: unknown,
  settings = LEXICAL_SETTINGS,
): LexicalModelFile {
  const random = randomFrom(settings.seed)
  const buckets = 2 ** settings.bits
  const weights = new Float64Array(buckets)
  const squares = new Float64Array(buckets).fill(1e-6)
  const suffixNames = frequentSuffixes(samples)
  const suffixWeights = new Float64Array(suffixNames.size)
  const suffixSquares = new Float64Array(suffixNames.size).fill(1e-2)
  let bias = 0
  let biasSquares = 1
  const features = new Uint32Array(FEATURES_MAX)
  const total = { bad: 0, good: 0 }
  for (const { bad, weight } of samples) total[bad ? 'bad' : 'good'] += weight
  const balance = { bad: samples.length / 2 / total.bad, good: samples.length / 2 / total.good }

  for (let epoch = 0; epoch < settings.epochs; epoch++) {
    for (const sample of shuffled(samples, random)) {
      const all = nameFeatures(sample.label, shapeOf(sample.label, lexicon), features)
      const count = settings.featureHiddenShare > 0 ? hideSome(features, all, settings.featureHiddenShare, random) : all
      const share = 1 / Math.sqrt(count)
      let sum = bias
      for (let i = 0; i < count; i++) sum += (weights[(features[i] as number) & (buckets - 1)] as number) * share
      const suffix =
        random() < settings.suffixHiddenShare
          ? undefined
          : (suffixNames.get(sample.suffix) ?? suffixNames.get(rareSuffix(sample.suffix)))
      if (suffix !== undefined) sum += suffixWeights[suffix] as number
      const importance = sample.weight * balance[sample.bad ? 'bad' : 'good']
      const error = (1 / (1 + Math.exp(-sum)) - (sample.bad ? 1 : 0)) * importance
      const step = error * share
      for (let i = 0; i < count; i++) {
        const at = (features[i] as number) & (buckets - 1)
        const gradient = step + settings.decay * (weights[at] as number)
        squares[at] = (squares[at] as number) + gradient * gradient
        weights[at] = (weights[at] as number) - (settings.rate * gradient) / Math.sqrt(squares[at] as number)
      }
      if (suffix !== undefined) {
        const gradient = error + 2e-4 * (suffixWeights[suffix] as number)
        suffixSquares[suffix] = (suffixSquares[suffix] as number) + gradient * gradient
        suffixWeights[suffix] =
          (suffixWeights[suffix] as number) - (0.1 * gradient) / Math.sqrt(suffixSquares[suffix] as number)
      }
      biasSquares += error * error
      bias -= (0.1 * error) / Math.sqrt(biasSquares)
    }
  }
  return quantised(settings.bits, weights, bias, suffixNames, suffixWeights, trained)
}

/** Moves a random share of the features to the front and gives how many they are. */
function hideSome(features: Uint32Array, count: number, hiddenShare: number, random: () => number): number {
  let kept = 0
  for (let i = 0; i < count; i++) {
    if (random() >= hiddenShare) features[kept++] = features[i] as number
  }
  return kept
}

function frequentSuffixes(samples: readonly Sample[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { suffix } of samples) counts.set(suffix, (counts.get(suffix) ?? 0) + 1)
  const names = [...counts].filter(([, count]) => count >= SUFFIX_SAMPLES_MIN).map(([name]) => name)
  return new Map([GENERIC, COUNTRY, ...names.sort()].map((name, i) => [name, i]))
}

// Rare suffixes are learnt together, as two that no registry has.
const GENERIC = '*'
const COUNTRY = '**'

function rareSuffix(suffix: string): string {
  return isCountrySuffix(suffix) ? COUNTRY : GENERIC
}

function quantised(
  bits: number,
  weights: Float64Array,
  bias: number,
  suffixNames: ReadonlyMap<string, number>,
  suffixWeights: Float64Array,
  trained: unknown,
): LexicalModelFile {
  // The few largest weights are cut, so that one byte resolves the many.
  const sizes = Float64Array.from(weights, Math.abs).sort()
  const limit = sizes[Math.floor(sizes.length * 0.9995)] as number
  const scale = limit / 127
  const bytes = Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight / scale))))
  const suffixes: Record<string, number> = {}
  const suffixWeight = (name: string) => Math.round((suffixWeights[suffixNames.get(name) ?? -1] ?? 0) * 100) / 100
  for (const name of suffixNames.keys()) if (!name.startsWith('*')) suffixes[name] = suffixWeight(name)
  return {
    trained,
    bits,
    scale: Number(scale.toPrecision(8)),
    bias: Number(bias.toPrecision(6)),
    weights: Buffer.from(bytes.buffer).toString('base64'),
    suffixes,
    rareSuffix: { generic: suffixWeight(GENERIC), country: suffixWeight(COUNTRY) },
  }
}

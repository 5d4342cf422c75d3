import { hostParts } from '../src/lib/domain.ts'
import { LEVEL_FLOORS } from '../src/risk/engine.ts'
import type { Models } from '../src/risk/model/models.ts'
import { shapeOf } from '../src/risk/model/name.ts'
import { NAME_CENTRE, NAME_SILENCE } from '../src/risk/signals/domain-lexical.ts'
import { SUFFIX_CENTRE, SUFFIX_SILENCE } from '../src/risk/signals/domain-suffix.ts'
import { BASE_LOG_ODDS } from '../src/risk/weights.ts'
import type { Sample } from './fit-data.ts'
import { type Row, regression } from './fit-regression.ts'

/** What the wording of a name is worth, in the log-odds of weights.ts. */
export interface WordingWeights {
  readonly suspect: number
  readonly ordinary: number
  readonly suffixRisk: number
  readonly suffixTrust: number
  readonly contains: number
}

// Of honest names nobody has heard of, at most this share may reach `high` by wording alone.
const HIGH_SHARE = 0.008
const HIGH_LOG_ODDS = scoreLogOdds(LEVEL_FLOORS.high) - BASE_LOG_ODDS

function scoreLogOdds(score: number): number {
  return Math.log(score / (100 - score))
}

/**
 * Logistic regression over what the signals report on names the n-gram model has not seen, then one scale for all so
 * that the agreed share of honest names is high. Classes weigh the same.
 */
export function fitWording(samples: readonly Sample[], models: Models): { weights: WordingWeights; report: string } {
  const rows = samples.map(({ label, suffix, domain, bad, weight }) => {
    const name = models.lexical.name(label, shapeOf(label, models.lexicon)) - NAME_CENTRE
    const ending = models.lexical.suffix(suffix) - SUFFIX_CENTRE
    const brand = models.brands.match(label, hostParts(domain).suffix)
    return {
      inputs: [
        Math.max(0, name - NAME_SILENCE),
        Math.max(0, -name - NAME_SILENCE),
        Math.max(0, ending - SUFFIX_SILENCE),
        Math.max(0, -ending - SUFFIX_SILENCE),
        brand?.how === 'contains' && brand.household ? 1 : 0,
      ],
      bad,
      weight,
    } satisfies Row
  })
  const fitted = regression(rows)
  const sums = rows
    .filter(({ bad }) => !bad)
    .map(({ inputs }) => inputs.reduce((sum, input, i) => sum + input * (fitted[i] as number), 0))
    .sort((a, b) => b - a)
  const scale = HIGH_LOG_ODDS / (sums[Math.floor(sums.length * HIGH_SHARE)] as number)
  const [suspect, ordinary, suffixRisk, suffixTrust, contains] = fitted.map((value) => Math.abs(value * scale))
  const rounded = (value: number | undefined) => Math.round((value ?? 0) * 100) / 100
  return {
    weights: {
      suspect: rounded(suspect),
      ordinary: rounded(ordinary),
      suffixRisk: rounded(suffixRisk),
      suffixTrust: rounded(suffixTrust),
      contains: rounded(contains),
    },
    report: `regression ${fitted.map((value) => value.toFixed(2)).join(' ')}, scale ${scale.toFixed(2)}`,
  }
}

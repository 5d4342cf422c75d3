import type { Clock } from '../lib/clock.ts'
import { type Family, KINDS, type Kind } from '../lib/kinds.ts'
import { cacheLookUps } from '../lib/look-up-cache.ts'
import {
  EngineBusy,
  EngineUnavailable,
  type IntelligenceInfo,
  type Known,
  type Level,
  levelOf,
  type RiskEngine,
  type SignalReport,
} from './engine.ts'
import { RECOMMENDED_ACTIONS } from './handling.ts'
import { isProblem, parseIndicator } from './indicator.ts'

// The public examples on the front page. None of them harms anybody: the look-alike belongs to the company it imitates,
// the company's site is known everywhere, and the exit nodes of Tor announce themselves.
export const SAMPLE_INDICATORS: readonly (readonly [Kind, string])[] = [
  ['email', 'accounts@go0gle.com'],
  ['ip', '185.220.101.1'],
  ['domain', 'siemens.com'],
]

export interface Sample {
  readonly kind: Kind
  readonly indicator: string
  readonly family: Family
  readonly risk: Level
  readonly risk_score: number
  readonly recommended_action: string
  readonly known: Known
  readonly summary: string
  readonly signals: readonly SignalReport[]
}

export interface Samples {
  readonly samples: readonly Sample[]
  readonly intelligence: IntelligenceInfo
}

/** The minimum interval for asking the engine for its snapshot. */
const LOOK_MS = 5000

/** Cached until the snapshot changes: a stranger's requests cause no work. Undefined while the engine cannot answer. */
export function createSamples(engine: RiskEngine, clock: Clock): () => Promise<Samples | undefined> {
  let kept: Samples | undefined
  const look = async (): Promise<Samples | undefined> => {
    const now = await engine.intelligence()
    if (!now) return undefined
    if (kept?.intelligence.version !== now.version) kept = await evaluateSamples(engine)
    return kept
  }
  const remembered = cacheLookUps(() => look().catch(undefinedWhileDown), { clock, ttlMs: LOOK_MS, entriesMax: 1 })
  return async () => remembered.find('samples')
}

async function evaluateSamples(engine: RiskEngine): Promise<Samples> {
  const samples: Sample[] = []
  let intelligence: IntelligenceInfo | undefined
  for (const [kind, text] of SAMPLE_INDICATORS) {
    const indicator = parseIndicator(kind, text)
    if (isProblem(indicator)) throw new Error(`the sample ${text} is not valid: ${indicator.detail}`)
    const answer = await engine.evaluate(kind, [indicator], { explain: true, lookUp: false })
    const { score, signals, known = 'nothing', summary = '' } = answer.evaluations[0]!
    const { family } = KINDS[kind]
    const risk = levelOf(score)
    const recommended_action = RECOMMENDED_ACTIONS[family][risk]
    samples.push({
      kind,
      indicator: text,
      family,
      risk,
      risk_score: score,
      recommended_action,
      known,
      summary,
      signals,
    })
    // The first one: if the snapshot was replaced in between, the next check finds another version and asks again.
    intelligence ??= answer.intelligence
  }
  if (!intelligence) throw new Error('there are no samples')
  return { samples, intelligence }
}

function undefinedWhileDown(error: unknown): undefined {
  if (error instanceof EngineUnavailable || error instanceof EngineBusy) return undefined
  throw error
}

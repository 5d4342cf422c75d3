import Type, { type Static } from 'typebox'
import { Problem } from '../errors.ts'
import { oneOf } from '../http/operation.ts'
import { counts, type PageOperation, pageOperation, texts, textsOrNull } from '../http/page-operation.ts'
import type { Clock } from '../lib/clock.ts'
import { KINDS, type Kind } from '../lib/kinds.ts'
import { cacheLookUps } from '../lib/look-up-cache.ts'
import {
  EngineBusy,
  EngineUnavailable,
  type IntelligenceInfo,
  LEVEL_FLOORS,
  type Level,
  levelOf,
  RECOMMENDED_ACTIONS,
  type RiskEngine,
} from './engine.ts'
import { isProblem, parseIndicator } from './indicator.ts'

// The public examples on the front page. None of them harms anybody: the look-alike belongs to the company it imitates,
// the company's site is known everywhere, and the exit nodes of Tor announce themselves.
export const SAMPLE_INDICATORS: readonly (readonly [Kind, string])[] = [
  ['email', 'accounts@go0gle.com'],
  ['ip', '185.220.101.1'],
  ['domain', 'siemens.com'],
]

const SampleSchema = Type.Object(
  {
    kind: oneOf(Object.keys(KINDS) as Kind[]),
    risk: oneOf(Object.keys(LEVEL_FLOORS) as Level[]),
    ...texts('indicator', 'family', 'recommended_action', 'known', 'summary'),
    ...counts('risk_score'),
    signals: Type.Array(
      Type.Object({
        ...texts('code', 'description', 'source'),
        ...counts('effect'),
        ...textsOrNull('first_seen', 'last_seen'),
      }),
    ),
  },
  { $id: 'Sample' },
)

export type Sample = Static<typeof SampleSchema>

interface Samples {
  readonly samples: Sample[]
  readonly intelligence: IntelligenceInfo
}

/** The minimum interval for asking the engine for its snapshot. */
const LOOK_MS = 5000

/** Cached until the snapshot changes: a stranger's requests cause no work. Undefined while the engine cannot answer. */
export function createSamples(engine: RiskEngine, clock: Clock): () => Promise<Samples | undefined> {
  let kept: Samples | undefined
  const look = async (): Promise<Samples | undefined> => {
    try {
      const now = await engine.intelligence()
      if (!now) return undefined
      if (kept?.intelligence.version !== now.version) kept = await evaluateSamples(engine)
      return kept
    } catch (error) {
      if (error instanceof EngineUnavailable || error instanceof EngineBusy) return undefined
      throw error
    }
  }
  const remembered = cacheLookUps(look, { clock, ttlMs: LOOK_MS, entriesMax: 1 })
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
    const told = { known, summary, signals: [...signals] }
    samples.push({ kind, indicator: text, family, risk, risk_score: score, recommended_action, ...told })
    // The first one: if the snapshot was replaced in between, the next check finds another version and asks again.
    intelligence ??= answer.intelligence
  }
  if (!intelligence) throw new Error('there are no samples')
  return { samples, intelligence }
}

export function samplePages(deps: { readonly engine: RiskEngine; readonly clock: Clock }): PageOperation[] {
  const samples = createSamples(deps.engine, deps.clock)
  return [
    pageOperation({
      name: 'GET /api/samples',
      access: 'anybody',
      answer: Type.Object({
        samples: Type.Array(SampleSchema),
        intelligence: Type.Object(texts('version', 'built_at')),
      }),
      cached: 'public, max-age=60',
      async handle() {
        const answers = await samples()
        if (answers) return answers
        throw new Problem('upstream_unavailable', { detail: 'The samples cannot be answered at the moment.' })
      },
    }),
  ]
}

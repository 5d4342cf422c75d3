import Type from 'typebox'
import { Problem } from '../errors.ts'
import { oneOf } from '../http/operation.ts'
import { counts, type PageOperation, pageOperation, texts, textsOrNull } from '../http/page-operation.ts'
import type { Clock } from '../lib/clock.ts'
import { KINDS, type Kind } from '../lib/kinds.ts'
import type { RiskEngine } from './engine.ts'
import { createSamples } from './samples.ts'

const SampleSchema = Type.Object(
  {
    kind: oneOf(Object.keys(KINDS) as Kind[]),
    risk: oneOf(['low', 'medium', 'high']),
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

/** Sample answers for the front page: for anybody, and never charged. */
export function samplePages({
  engine,
  clock,
}: {
  readonly engine: RiskEngine
  readonly clock: Clock
}): PageOperation[] {
  const samples = createSamples(engine, clock)
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

import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { RiskEngine } from './engine.ts'
import { createSamples } from './samples.ts'

/** Sample answers for the front page: for anybody, and never charged. */
export function registerSampleRoute(
  app: FastifyInstance,
  { engine, clock }: { readonly engine: RiskEngine; readonly clock: Clock },
): void {
  const samples = createSamples(engine, clock)
  app.get('/api/samples', { schema: { hide: true } as object }, async (_request, reply) => {
    const answers = await samples()
    if (!answers) throw new Problem('upstream_unavailable', { detail: 'The samples cannot be answered at the moment.' })
    return reply.header('cache-control', 'public, max-age=60').send(answers)
  })
}

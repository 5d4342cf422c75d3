import { timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { BULK_BODY_BYTES_MAX } from '../access/limits.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { KIND_NAMES, type Kind } from '../lib/kinds.ts'
import { EngineUnavailable, type RiskEngine } from './engine.ts'
import { isProblem, parseIndicator } from './indicator.ts'
import { RECORDS_MAX } from './request.ts'

/** What `assayd engine` serves: the same evaluation, for API nodes that hold the shared token. Nothing is billed here. */
export function createEngineServer(deps: {
  readonly engine: RiskEngine
  readonly token: string
  readonly logger: FastifyBaseLogger
}): FastifyInstance {
  // Normal forms may be longer than what was submitted (A-labels): twice the public limit is ample.
  const app = Fastify({
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 2 * BULK_BODY_BYTES_MAX,
  })
  const expected = Buffer.from(sha256Hex(`Bearer ${deps.token}`))

  app.get('/livez', () => ({ status: 'live' }))
  app.get('/readyz', async (_request, reply) => {
    const intelligence = await deps.engine.intelligence()
    return reply.code(intelligence ? 200 : 503).send({ status: intelligence ? 'ready' : 'not ready', intelligence })
  })

  app.register(async (guarded) => {
    guarded.addHook('onRequest', async (request, reply) => {
      const offered = Buffer.from(sha256Hex(request.headers.authorization ?? ''))
      if (!timingSafeEqual(offered, expected)) await reply.code(401).send({ error: 'the shared token is wrong' })
    })
    guarded.get('/v1/intelligence', async (_request, reply) => {
      const intelligence = await deps.engine.intelligence()
      return intelligence ?? reply.code(503).send({ error: 'no intelligence is loaded' })
    })
    guarded.post<{ Body: { kind: Kind; indicators: string[]; explain: boolean } }>(
      '/v1/evaluate',
      { schema: { body: EVALUATE_BODY } },
      async (request, reply) => {
        const { kind, indicators, explain } = request.body
        const parsed = indicators.map((text) => parseIndicator(kind, text))
        const bad = parsed.findIndex(isProblem)
        if (bad >= 0) return reply.code(422).send({ error: `indicator ${bad} is not in normal form` })
        try {
          return await deps.engine.evaluate(kind, parsed as Exclude<(typeof parsed)[number], { code: string }>[], {
            explain,
          })
        } catch (error) {
          if (!(error instanceof EngineUnavailable)) throw error
          return reply.code(503).header('retry-after', String(error.retryAfterSeconds)).send({ error: error.message })
        }
      },
    )
  })
  return app
}

const EVALUATE_BODY = {
  type: 'object',
  required: ['kind', 'indicators', 'explain'],
  additionalProperties: false,
  properties: {
    kind: { type: 'string', enum: KIND_NAMES },
    indicators: { type: 'array', minItems: 1, maxItems: RECORDS_MAX, items: { type: 'string' } },
    explain: { type: 'boolean' },
  },
}

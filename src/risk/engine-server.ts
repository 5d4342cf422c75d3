import { timingSafeEqual } from 'node:crypto'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify'
import Type, { type Static } from 'typebox'
import { Problem } from '../errors.ts'
import { sha256Hex } from '../lib/hashing.ts'
import { KIND_NAMES, type Kind } from '../lib/kinds.ts'
import { LIMITS } from '../limits.ts'
import { EngineBusy, EngineUnavailable, type List, type RiskEngine } from './engine.ts'
import { type Indicator, isProblem, parseIndicator } from './indicator.ts'
import { IndexCache } from './own/index-cache.ts'
import { OwnIndex } from './own/own-index.ts'
import { OwnNeeded, resultsFrame } from './remote.ts'

/** The server of `assayd engine`: evaluates for API nodes that have the shared token. Nothing is billed here. */
export function createEngineServer(deps: {
  readonly engine: RiskEngine
  readonly token: string
  readonly logger: FastifyBaseLogger
  /** Observes each request, for traces. */
  readonly watch?: ((app: FastifyInstance) => unknown) | undefined
}): FastifyInstance {
  const app = Fastify({
    loggerInstance: deps.logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.requests.bulkBodyBytesMax,
  })
  deps.watch?.(app)
  const expected = Buffer.from(sha256Hex(`Bearer ${deps.token}`))
  const own = createReceivedOwn()

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
    guarded.setErrorHandler((error, request, reply) => {
      if (error instanceof EngineBusy) {
        const { of: busy, recordsMax, message } = error
        return reply.code(busy === 'organisation' ? 429 : 503).send({ error: message, busy, recordsMax })
      }
      if (error instanceof OwnNeeded) return reply.code(409).send({ error: error.message, own_needed: true })
      if (error instanceof Problem) return reply.code(error.status).send({ problem: error.plain() })
      if (error instanceof EngineUnavailable) {
        return reply.code(503).header('retry-after', String(error.retryAfterSeconds)).send({ error: error.message })
      }
      const status = (error as FastifyError).statusCode ?? 500
      if (status >= 500) request.log.error({ request_id: request.id, err: error }, 'the engine failed')
      return reply.code(status).send({ error: status >= 500 ? 'the engine failed' : (error as FastifyError).message })
    })
    guarded.post<{ Body: Static<typeof EvaluateBody>; Querystring: Static<typeof OwnQuery> }>(
      '/v1/evaluate',
      { schema: { body: EvaluateBody, querystring: OwnQuery }, bodyLimit: OWN_BODY_BYTES_MAX },
      async (request, reply) => {
        const { kind, indicators, explain, look_up: lookUp, organisation: organisationId } = request.body
        const parsed: Indicator[] = []
        for (const [i, text] of indicators.entries()) {
          const one = parseIndicator(kind, text)
          if (isProblem(one)) return reply.code(422).send({ error: `indicator ${i} is not in normal form` })
          parsed.push(one)
        }
        return deps.engine.evaluate(kind, parsed, { explain, lookUp, organisationId, own: own.of(request) })
      },
    )
    guarded.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer', bodyLimit: OWN_BODY_BYTES_MAX },
      async (request: FastifyRequest, bytes: Buffer) => {
        const body = own.take(request as FastifyRequest<OwnCall>, bytes)
        return request.routeOptions.url === '/v1/evaluate' ? JSON.parse(body.toString('utf8')) : body
      },
    )
    guarded.post<ListCall>('/v1/read-list', { schema: { querystring: ListQuery } }, (request) =>
      withList(deps.engine, request, async ({ length, invalid }) => ({ length, invalid: invalid ?? null })),
    )
    guarded.post<ListCall>(
      '/v1/evaluate-list',
      { schema: { querystring: ListQuery }, bodyLimit: OWN_BODY_BYTES_MAX },
      async (request, reply) => {
        const known = own.of(request)
        return withList(deps.engine, request, async (list) => {
          const { results, ...background } = await list.evaluate({ explain: request.query.explain, own: known })
          const { before, after } = resultsFrame(list.length, background)
          return reply.header('content-type', 'application/json; charset=utf-8').send(`${before}${results}${after}`)
        })
      },
    )
  })
  return app
}

/** A list, and the compiled knowledge of its organisation behind it. */
const OWN_BODY_BYTES_MAX = LIMITS.requests.bulkBodyBytesMax + LIMITS.counts.ownIndexBytesMax

/** The knowledge of organisations, as API nodes sent it: compiled, behind the body of a request, once for each version. */
function createReceivedOwn() {
  const kept = new IndexCache(LIMITS.counts.ownIndexBytesMax)
  const sent = new WeakMap<object, OwnIndex>()
  return {
    /** Takes the index from the end of a body; returns the rest of the body. */
    take({ raw, query }: FastifyRequest<OwnCall>, body: Buffer): Buffer {
      // The query is not validated yet.
      const length = Number(query.own_bytes ?? 0)
      if (!(length > 0 && length <= body.length) || query.organisation === undefined) return body
      // A copy: it must not hold the body in memory, and begin at a multiple of four.
      const index = new OwnIndex(new Uint8Array(body.subarray(body.length - length)))
      kept.set(query.organisation, index)
      sent.set(raw, index)
      return body.subarray(0, body.length - length)
    },
    /** Undefined if the organisation knows nothing, and for an API node of an earlier release. */
    of({ raw, query }: FastifyRequest<OwnCall>): OwnIndex | undefined {
      if (query.own_version === undefined || query.organisation === undefined) return undefined
      const index = sent.get(raw) ?? kept.get(query.organisation)
      if (index?.version !== query.own_version)
        throw new OwnNeeded('this version of what the organisation knows is needed')
      return index
    },
  }
}

/** More indicators are sent as a list. */
const INDICATORS_MAX = 100

const KindName = Type.Unsafe<Kind>({ type: 'string', enum: KIND_NAMES })

const OrganisationId = Type.String({ minLength: 1, maxLength: 64 })

const EvaluateBody = Type.Object(
  {
    kind: KindName,
    indicators: Type.Array(Type.String(), { minItems: 1, maxItems: INDICATORS_MAX }),
    explain: Type.Boolean(),
    look_up: Type.Boolean({ default: true }),
    organisation: Type.Optional(OrganisationId),
  },
  { additionalProperties: false },
)

const ownFields = {
  own_version: Type.Optional(Type.Integer({ minimum: 1 })),
  own_bytes: Type.Optional(Type.Integer({ minimum: 1 })),
}
const OwnQuery = Type.Object({ organisation: Type.Optional(OrganisationId), ...ownFields })

interface OwnCall {
  readonly Querystring: Static<typeof OwnQuery>
}

const ListQuery = Type.Object(
  {
    ...ownFields,
    kind: KindName,
    organisation: OrganisationId,
    records: Type.Integer({ minimum: 0 }),
    explain: Type.Boolean({ default: false }),
    read_before: Type.Boolean({ default: false }),
  },
  { additionalProperties: false },
)

interface ListCall {
  readonly Body: unknown
  readonly Querystring: Static<typeof ListQuery>
}

async function withList<T>(
  engine: RiskEngine,
  { query, body }: FastifyRequest<ListCall>,
  use: (list: List) => Promise<T>,
): Promise<T> {
  const { kind, organisation, records, read_before: readBefore } = query
  if (!(body instanceof Buffer)) throw new Problem('unsupported_media_type')
  const list = await engine.openList(kind, body, { organisationId: organisation, records, readBefore })
  try {
    return await use(list)
  } finally {
    list.close()
  }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Gate } from '../access/gate.ts'
import { BODY_BYTES_MAX, BULK_BODY_BYTES_MAX } from '../access/limits.ts'
import type { Scope } from '../access/scopes.ts'
import { Problem } from '../errors.ts'
import { checkReplay, type Idempotency, type InFlight, readIdempotency } from '../http/idempotency.ts'
import { type Family, KIND_NAMES, KINDS, type Kind } from '../lib/kinds.ts'
import { EngineUnavailable, type EvaluationSet, levelOf, type RiskEngine } from './engine.ts'
import { RECOMMENDED_ACTIONS } from './handling.ts'
import { type Indicator, targetOf } from './indicator.ts'
import { readBulk, readSingle, type Submitted } from './request.ts'
import { bulkSchema, SHARED_RISK_SCHEMAS, singleSchema } from './schema.ts'

export interface ChargeRequest {
  readonly organisationId: string
  readonly credentialId: string
  readonly requestId: string
  readonly family: Family
  readonly units: number
  readonly idempotency?: Idempotency
  /** Called once, before the charge. */
  readonly answer: () => AnswerText
}

/** The body around its billing fields, which are known only when the charge is: `{…,` and `,…}`. */
export interface AnswerText {
  readonly before: string
  readonly after: string
}

export interface RiskDependencies {
  readonly engine: RiskEngine
  /** Resolves when the charge is durable. */
  readonly charge: (request: ChargeRequest) => Promise<{ readonly body: string; readonly replayed: boolean }>
  readonly findStored: (
    organisationId: string,
    key: string,
  ) => Promise<{ readonly requestHash: string; readonly body: string } | undefined>
  readonly inFlight: InFlight
  readonly gate: (options: { scopes: readonly Scope[]; bulk: boolean }) => Gate
}

export function registerRiskRoutes(app: FastifyInstance, deps: RiskDependencies): void {
  for (const schema of SHARED_RISK_SCHEMAS) app.addSchema(schema)
  for (const kind of KIND_NAMES) {
    const { family, scope } = KINDS[kind]
    // request.ts reads bodies: it names every bad place, which one pass of a schema validator does not.
    const unvalidated = { validatorCompiler: () => () => true }
    app.post(
      `/v1/${family}`,
      {
        ...unvalidated,
        schema: singleSchema(kind),
        bodyLimit: BODY_BYTES_MAX,
        onRequest: deps.gate({ scopes: [scope], bulk: false }),
      },
      (request, reply) => answer(request, reply, deps, single(kind, request.body)),
    )
    app.post(
      `/v1/${family}/bulk`,
      {
        ...unvalidated,
        schema: bulkSchema(kind),
        bodyLimit: BULK_BODY_BYTES_MAX,
        onRequest: deps.gate({ scopes: [scope, 'risk:bulk'], bulk: true }),
      },
      (request, reply) => answer(request, reply, deps, bulk(kind, request.body)),
    )
  }
}

/** What differs between a single check and a bulk one. */
interface Check {
  readonly kind: Kind
  readonly indicators: readonly Indicator[]
  readonly answer: (set: EvaluationSet, explain: boolean) => AnswerText
}

function single(kind: Kind, body: unknown): Check {
  const { indicator } = readSingle(kind, body)
  const { family, sourceType } = KINDS[kind]
  return {
    kind,
    indicators: [indicator],
    answer({ evaluations, intelligence }, explain) {
      const { score, signals } = evaluations[0]!
      const level = levelOf(score)
      const more = { signals, intelligence, recommended_action: RECOMMENDED_ACTIONS[family][level] }
      return {
        // By hand: apart from the target these are words of ours, and this is written for every request.
        before: `{"endpoint":"${family}","risk":"${level}","risk_score":${score},"source_type":"${sourceType}","target":${JSON.stringify(targetOf(indicator))},`,
        after: explain ? `,${JSON.stringify(more).slice(1)}` : '}',
      }
    },
  }
}

function bulk(kind: Kind, body: unknown): Check {
  const records: readonly Submitted[] = readBulk(kind, body)
  return {
    kind,
    indicators: records.map((record) => record.indicator),
    answer({ evaluations }, explain) {
      const results = evaluations.map(({ score, signals }, i) => ({
        [kind]: records[i]!.text,
        risk: levelOf(score),
        risk_score: score,
        ...(explain ? { signals } : {}),
      }))
      return { before: `{"results":${JSON.stringify(results)},`, after: '}' }
    },
  }
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: RiskDependencies,
  check: Check,
): Promise<FastifyReply> {
  const caller = request.caller
  if (!caller) throw new Error('the gate let a request through without a caller')
  const explain = readExplain(request)
  const idempotency = readIdempotency(request)
  const release = idempotency && deps.inFlight.hold(caller.organisationId, idempotency.key)
  try {
    if (idempotency) {
      const stored = checkReplay(await deps.findStored(caller.organisationId, idempotency.key), idempotency)
      if (stored) return send(reply, stored.body, true)
    }
    let set: EvaluationSet
    try {
      set = await deps.engine.evaluate(check.kind, check.indicators, { explain })
    } catch (error) {
      throw engineProblem(error)
    }
    const { body, replayed } = await deps.charge({
      organisationId: caller.organisationId,
      credentialId: caller.credentialId,
      requestId: request.id,
      family: KINDS[check.kind].family,
      units: check.indicators.length,
      ...(idempotency ? { idempotency } : {}),
      answer: () => check.answer(set, explain),
    })
    return send(reply, body, replayed)
  } finally {
    release?.()
  }
}

function engineProblem(error: unknown): Problem {
  const wait = error instanceof EngineUnavailable ? error.retryAfterSeconds : 1
  return new Problem('upstream_unavailable', {
    detail: 'The risk engine cannot answer at the moment. Nothing was charged; try again shortly.',
    headers: { 'retry-after': String(wait) },
    cause: error,
  })
}

function readExplain(request: FastifyRequest): boolean {
  const value = (request.query as { explain?: unknown }).explain
  if (value === undefined || value === 'false') return false
  if (value === 'true') return true
  throw new Problem('invalid_query', { detail: 'explain must be true or false.' })
}

function send(reply: FastifyReply, body: string, replayed: boolean): FastifyReply {
  if (replayed) reply.header('idempotent-replayed', 'true')
  return reply.header('content-type', 'application/json; charset=utf-8').send(body)
}

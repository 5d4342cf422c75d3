import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import type { Gate } from '../http/gate.ts'
import { checkReplay, type Idempotency, type InFlight, readIdempotency } from '../http/idempotency.ts'
import { BODY_BYTES_MAX, BULK_BODY_BYTES_MAX } from '../http/limits.ts'
import type { Scope } from '../identity/scopes.ts'
import { type Family, KIND_NAMES, KINDS, type Kind } from '../lib/kinds.ts'
import { EngineUnavailable, type EvaluationSet, levelOf, type RiskEngine } from './engine.ts'
import { RECOMMENDED_ACTIONS } from './handling.ts'
import { type Indicator, targetOf } from './indicator.ts'
import { readBulk, readSingle, type Submitted } from './request.ts'
import { bulkSchema, SHARED_RISK_SCHEMAS, singleSchema } from './schema.ts'

/** The billing fields of an answer, as SPEC.md names them. What they mean is not this feature's business. */
export interface BillingFields {
  readonly charged: boolean
  readonly is_free: boolean
  readonly unit_price_pence: number
  readonly billable_units: number
  readonly total_price_pence: number
  readonly charged_from_credit_pence: number
  readonly overage_pence: number
  readonly remaining_credit_pence: number
}

export interface ChargeRequest {
  readonly organisationId: string
  readonly credentialId: string
  readonly requestId: string
  readonly family: Family
  readonly units: number
  readonly idempotency?: Idempotency
  /** Builds the body once the price is known; it is made durable together with the charge. */
  readonly render: (billing: BillingFields) => string
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
  readonly result: (set: EvaluationSet, billing: BillingFields, explain: boolean) => object
}

function single(kind: Kind, body: unknown): Check {
  const { indicator } = readSingle(kind, body)
  const { family, sourceType } = KINDS[kind]
  return {
    kind,
    indicators: [indicator],
    result({ evaluations, intelligence }, billing, explain) {
      const { score, signals } = evaluations[0]!
      const level = levelOf(score)
      return {
        endpoint: family,
        risk: level,
        risk_score: score,
        source_type: sourceType,
        target: targetOf(indicator),
        ...billing,
        ...(explain ? { signals, intelligence, recommended_action: RECOMMENDED_ACTIONS[family][level] } : {}),
      }
    },
  }
}

function bulk(kind: Kind, body: unknown): Check {
  const records: readonly Submitted[] = readBulk(kind, body)
  return {
    kind,
    indicators: records.map((record) => record.indicator),
    result({ evaluations }, billing, explain) {
      const results = evaluations.map(({ score, signals }, i) => ({
        [kind]: records[i]!.text,
        risk: levelOf(score),
        risk_score: score,
        ...(explain ? { signals } : {}),
      }))
      return { results, ...billing }
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
    const set = await evaluate(deps.engine, check, explain)
    const { body, replayed } = await deps.charge({
      organisationId: caller.organisationId,
      credentialId: caller.credentialId,
      requestId: request.id,
      family: KINDS[check.kind].family,
      units: check.indicators.length,
      ...(idempotency ? { idempotency } : {}),
      render: (billing) => JSON.stringify(check.result(set, billing, explain)),
    })
    return send(reply, body, replayed)
  } finally {
    release?.()
  }
}

async function evaluate(engine: RiskEngine, check: Check, explain: boolean): Promise<EvaluationSet> {
  try {
    return await engine.evaluate(check.kind, check.indicators, { explain })
  } catch (error) {
    const wait = error instanceof EngineUnavailable ? error.retryAfterSeconds : 1
    throw new Problem('upstream_unavailable', {
      detail: 'The risk engine cannot answer at the moment. Nothing was charged; try again shortly.',
      headers: { 'retry-after': String(wait) },
      cause: error,
    })
  }
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

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf, type Gate } from '../access/gate.ts'
import { overloaded, tooManyWaiting } from '../access/limits.ts'
import type { Scope } from '../access/scopes.ts'
import { Problem } from '../errors.ts'
import { checkReplay, type InFlight, readIdempotency } from '../http/idempotency.ts'
import type { AnswerText, ChargeRequest } from '../lib/charge.ts'
import { KIND_NAMES, KINDS, type Kind } from '../lib/kinds.ts'
import { LIMITS } from '../limits.ts'
import { coverageOfOne } from './coverage.ts'
import { EngineBusy, EngineUnavailable, type List, levelOf, type RiskEngine } from './engine.ts'
import { NO_FACTS } from './facts-report.ts'
import { RECOMMENDED_ACTIONS } from './handling.ts'
import { targetOf } from './indicator.ts'
import { internationalName } from './international.ts'
import { bulkBounds, invalidRecords, readSingle, recordsOf } from './request.ts'
import { bulkSchema, singleSchema } from './schema.ts'

export interface RiskDependencies {
  readonly engine: RiskEngine
  /** Resolves when the charge is durable. */
  readonly charge: (request: ChargeRequest) => Promise<{ readonly body: string; readonly replayed: boolean }>
  /** Why a charge would be refused if it came now; undefined when it would not be, or when only the charge can say. */
  readonly foresee: (request: Omit<ChargeRequest, 'answer' | 'idempotency'>) => Promise<Problem | undefined>
  readonly findStored: (
    organisationId: string,
    key: string,
  ) => Promise<{ readonly requestHash: string; readonly body: string } | undefined>
  readonly inFlight: InFlight
  readonly gate: (options: { scopes: readonly Scope[]; bulk: boolean }) => Gate
}

export function registerRiskRoutes(app: FastifyInstance, deps: RiskDependencies): void {
  for (const kind of KIND_NAMES) {
    const { family, scope } = KINDS[kind]
    // request.ts reads bodies: it names every bad place, which one pass of a schema validator does not.
    const unvalidated = { validatorCompiler: () => () => true }
    app.post(
      `/v1/${family}`,
      {
        ...unvalidated,
        schema: singleSchema(kind),
        bodyLimit: LIMITS.requests.bodyBytesMax,
        onRequest: deps.gate({ scopes: [scope], bulk: false }),
      },
      (request, reply) => answer(request, reply, deps, single(kind, request.body, deps.engine)),
    )
    app.post(
      `/v1/${family}/bulk`,
      {
        ...unvalidated,
        schema: bulkSchema(kind),
        bodyLimit: LIMITS.requests.bulkBodyBytesMax,
        config: { jsonBounds: bulkBounds(kind), jsonUnparsed: true },
        onRequest: deps.gate({ scopes: [scope, 'risk:bulk'], bulk: true }),
      },
      (request, reply) => answer(request, reply, deps, bulk(kind, request, deps)),
    )
  }
}

/** What differs between a single check and a bulk one. */
interface Check {
  readonly kind: Kind
  /** Refuses what is not valid, where that takes the engine to tell. To be closed when the answer is known. */
  readonly open: () => Promise<Opened>
}

interface Opened {
  readonly units: number
  /** Evaluates; what it gives writes the answer. */
  readonly evaluate: (explain: boolean) => Promise<() => AnswerText>
  readonly close?: () => void
}

function single(kind: Kind, body: unknown, engine: RiskEngine): Check {
  const { indicator } = readSingle(kind, body)
  const { family, sourceType } = KINDS[kind]
  const opened: Opened = {
    units: 1,
    async evaluate(explain) {
      const answer = await asking(engine.evaluate(kind, [indicator], { explain }))
      return () => {
        const evaluation = answer.evaluations[0]!
        const { score, signals } = evaluation
        const level = levelOf(score)
        const { base_score, intelligence } = answer
        const coverage = coverageOfOne(answer.coverage, kind, evaluation)
        const recommended_action = RECOMMENDED_ACTIONS[family][level]
        // An engine of an earlier release knows no facts.
        const { facts = NO_FACTS } = evaluation
        const resembles = evaluation.resembles?.length ? evaluation.resembles : undefined
        const international = explain ? internationalName(indicator) : undefined
        const more = {
          signals,
          intelligence,
          recommended_action,
          base_score,
          coverage,
          facts,
          resembles,
          international,
        }
        return {
          // By hand: apart from the target these are words of ours, and this is written for every request.
          before: `{"endpoint":"${family}","risk":"${level}","risk_score":${score},"source_type":"${sourceType}","target":${JSON.stringify(targetOf(indicator))},`,
          after: explain ? `,${JSON.stringify(more).slice(1)}` : '}',
        }
      }
    },
  }
  return { kind, open: async () => opened }
}

function bulk(kind: Kind, request: FastifyRequest, { engine }: RiskDependencies): Check {
  const { organisationId } = callerOf(request)
  const records = recordsOf(request.jsonMarks)
  return {
    kind,
    async open() {
      const list = await asking(engine.openList(kind, takeBody(request), { organisationId, records }))
      if (list.invalid) {
        list.close()
        throw invalidRecords(kind, list.length, list.invalid)
      }
      return openedList(list)
    },
  }
}

function openedList(list: List): Opened {
  return {
    units: list.length,
    async evaluate(explain) {
      const { results, base_score, coverage, intelligence } = await asking(list.evaluate({ explain }))
      const more = { base_score, coverage, intelligence }
      return () => ({
        before: `{"results":[${results}],`,
        after: explain ? `,${JSON.stringify(more).slice(1)}` : '}',
      })
    },
    close: () => list.close(),
  }
}

/** The body, which the request lets go of: it may be long, and the answer may take a while. */
function takeBody(request: FastifyRequest): Buffer {
  const body = request.body instanceof Buffer ? request.body : NO_BODY
  request.body = undefined
  request.rawBody = undefined
  return body
}

/** What came without any body is no object either. */
const NO_BODY = Buffer.from('null')

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: RiskDependencies,
  check: Check,
): Promise<FastifyReply> {
  const caller = callerOf(request)
  const explain = readExplain(request)
  const idempotency = readIdempotency(request)
  const release = idempotency && deps.inFlight.hold(caller.organisationId, idempotency.key)
  let opened: Opened | undefined
  try {
    const findStored = async () =>
      idempotency && checkReplay(await deps.findStored(caller.organisationId, idempotency.key), idempotency)
    // What was paid for is given again however busy the engine is.
    const stored = await findStored()
    if (stored) return send(reply, stored.body, true)
    opened = await check.open()
    const cost = {
      organisationId: caller.organisationId,
      credentialId: caller.credentialId,
      requestId: request.id,
      family: KINDS[check.kind].family,
      units: opened.units,
    }
    // One record costs less to evaluate than to ask about beforehand.
    const refusal = opened.units > 1 ? await deps.foresee(cost) : undefined
    if (refusal) {
      // Another node may have spent the credit on this very request a moment ago.
      const paid = await findStored()
      if (paid) return send(reply, paid.body, true)
      throw refusal
    }
    const { body, replayed } = await deps.charge({
      ...cost,
      ...(idempotency ? { idempotency } : {}),
      answer: await opened.evaluate(explain),
    })
    return send(reply, body, replayed)
  } finally {
    opened?.close?.()
    release?.()
  }
}

/** What the engine answers, or the problem to tell the caller. */
function asking<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw engineProblem(error)
  })
}

function engineProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof EngineBusy) {
    return error.of === 'organisation'
      ? tooManyWaiting(error.recordsMax)
      : overloaded('Too many bulk checks are waiting.')
  }
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

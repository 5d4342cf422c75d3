import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { callerOf, type Gate } from '../access/gate.ts'
import { overloaded, tooManyWaiting } from '../access/limits.ts'
import type { Scope } from '../access/scopes.ts'
import { Problem } from '../errors.ts'
import { checkReplay, type Idempotency, type InFlight, readIdempotency } from '../http/idempotency.ts'
import { countBody } from '../http/server.ts'
import { type AnswerText, type ChargeRequest, checkText } from '../lib/charge.ts'
import { KIND_NAMES, KINDS, type Kind } from '../lib/kinds.ts'
import { type Maybe, thenSync } from '../lib/maybe.ts'
import { LIMITS } from '../limits.ts'
import { coverageOfOne } from './coverage.ts'
import {
  EngineBusy,
  EngineUnavailable,
  type EvaluationSet,
  levelOf,
  RECOMMENDED_ACTIONS,
  type RiskEngine,
} from './engine.ts'
import { NO_FACTS } from './facts-report.ts'
import { indicatorText, internationalName, targetOf } from './indicator.ts'
import type { ChangedSince, Keeper } from './keeper.ts'
import { bulkBounds, invalidRecords, readSingle, recordsOf, type Submitted } from './request.ts'
import { bulkSchema, singleSchema } from './schema.ts'

interface StoredAnswer {
  readonly requestHash: string
  readonly body: string
}

type Cost = Omit<ChargeRequest, 'answer' | 'idempotency'>

export interface RiskDependencies {
  readonly engine: RiskEngine
  /** Resolves when the charge is durable. */
  readonly charge: (request: ChargeRequest) => Promise<Answered>
  /** Why a charge would be refused now; undefined if it would not be, or if only the charge itself can decide. */
  readonly foresee: (cost: Cost) => Maybe<Problem | undefined>
  readonly findStored: (organisationId: string, key: string) => Promise<StoredAnswer | undefined>
  /** Puts checks of this caller on record; undefined if they are not kept. */
  readonly keeperOf?: (caller: Caller, requestId: string) => Maybe<Keeper | undefined>
  readonly inFlight: InFlight
  readonly gate: (options: { scopes: readonly Scope[]; bulk: boolean }) => Gate
}

export function registerRiskRoutes(app: FastifyInstance, deps: RiskDependencies): void {
  for (const kind of KIND_NAMES) {
    const { family, scope } = KINDS[kind]
    // request.ts parses bodies: it names every invalid place, which one pass of a schema validator does not.
    const unvalidated = { validatorCompiler: () => () => true }
    app.post(
      `/v1/${family}`,
      {
        ...unvalidated,
        schema: singleSchema(kind),
        bodyLimit: LIMITS.requests.bodyBytesMax,
        onRequest: deps.gate({ scopes: [scope], bulk: false }),
      },
      (request, reply) => answer(request, reply, deps, single(kind, request, deps)),
    )
    app.post(
      `/v1/${family}/bulk`,
      {
        ...unvalidated,
        schema: bulkSchema(kind),
        bodyLimit: LIMITS.requests.bulkBodyBytesMax,
        config: { jsonUnparsed: true },
        preParsing: countBody(bulkBounds(kind)),
        onRequest: deps.gate({ scopes: [scope, 'risk:bulk'], bulk: true }),
      },
      (request, reply) => answer(request, reply, deps, bulk(kind, request, deps)),
    )
  }
}

/** The difference between a single check and a bulk one: evaluates and charges. */
type Check = (explain: boolean, repeatable: Repeatable | undefined) => Maybe<Answered>

interface Answered {
  readonly body: string
  readonly replayed: boolean
  /** The billing fields, if the answer is a new one. */
  readonly billing?: string
}

interface Repeatable {
  readonly idempotency: Idempotency
  /** The paid answer under the key. */
  readonly findPaid: () => Promise<Answered | undefined>
}

function single(kind: Kind, request: FastifyRequest, deps: RiskDependencies): Check {
  const { engine, charge, foresee, keeperOf } = deps
  const submitted = readSingle(kind, request.body)
  const { indicator } = submitted
  return (explain, repeatable) => {
    const cost = costOf(kind, request, 1)
    const { organisationId } = cost
    const answered = (keeper: Keeper | undefined) => {
      const chargedWith = (set: EvaluationSet, changes: ChangedSince | undefined) => {
        const answer = () => singleAnswer(kind, submitted, set, { explain, keeper, changes })
        return charge({ ...cost, idempotency: repeatable?.idempotency, answer })
      }
      const charged = (set: EvaluationSet) => chargedWith(set, undefined)
      const evaluated = (reasons: boolean) =>
        asking(() => engine.evaluate(kind, [indicator], { explain: reasons, organisationId }))
      const set = evaluated(explain)
      if (!keeper) return thenSync(set, charged)
      // The reasons for a risk go on record even if nobody asks for them now. Most answers are low, and reasons cost a
      // quarter of a check.
      if (!explain) {
        return thenSync(set, (one) =>
          levelOf(scoreOf(one)) === 'low' ? charged(one) : thenSync(evaluated(true), charged),
        )
      }
      return thenSync(set, (one) =>
        keeper
          .changedSince(kind, indicatorText(indicator), one.evaluations[0]!)
          .then((changes) => chargedWith(one, changes)),
      )
    }
    const kept = () => thenSync(keeperOf?.(callerOf(request), request.id), answered)
    const refusal = foresee(cost)
    // Usually neither the refusal nor the evaluation needs a wait, and then there is no promise before the charge.
    if (!refusal) return kept()
    return refuseUnlessPaid(refusal, repeatable).then((paid) => paid ?? kept())
  }
}

const scoreOf = ({ evaluations }: EvaluationSet): number => evaluations[0]!.score

/** Throws the foreseen refusal, before any work is done; returns the answer if it is already paid for. */
async function refuseUnlessPaid(foreseen: Maybe<Problem | undefined>, repeatable: Repeatable | undefined) {
  const refusal = await foreseen
  // Another node may have just spent the credit on this very request.
  const paid = refusal && (await repeatable?.findPaid())
  if (refusal && !paid) throw refusal
  return paid
}

export function singleAnswer(
  kind: Kind,
  { text, indicator }: Submitted,
  set: EvaluationSet,
  { explain, keeper, changes }: { explain: boolean; keeper?: Keeper | undefined; changes?: ChangedSince | undefined },
): AnswerText {
  const { family, sourceType } = KINDS[kind]
  const evaluation = set.evaluations[0]!
  // Reasons were asked for if it says what is known.
  const { score, signals, decision, known } = evaluation
  const level = levelOf(score)
  // Built by hand: except the target these are our own words, and this is written for every request.
  const before = `{"endpoint":"${family}","risk":"${level}","risk_score":${score},"source_type":"${sourceType}","target":${JSON.stringify(targetOf(indicator))},`
  const kept = (whole?: { readonly before: string; readonly after: string }) =>
    keeper?.keep(
      { kind, level, score, outcome: decision?.outcome ?? null, intelligence: set.intelligence.version },
      indicatorText(indicator),
      checkText(text, whole?.before, whole?.after),
    )
  if (!explain && !known) return { before, after: '}', keep: kept() }
  const more = {
    signals,
    intelligence: set.intelligence,
    recommended_action: RECOMMENDED_ACTIONS[family][level],
    base_score: set.base_score,
    coverage: coverageOfOne(set.coverage, kind, evaluation),
    // An engine of an earlier release returns no facts.
    facts: evaluation.facts ?? NO_FACTS,
    resembles: evaluation.resembles?.length ? evaluation.resembles : undefined,
    counterparty: evaluation.counterparty,
    international: internationalName(indicator),
    decision,
    check_id: keeper?.checkId,
    changed_since: changes,
  }
  const reasons = `,${JSON.stringify(more).slice(1)}`
  return { before, after: explain ? reasons : '}', keep: kept({ before, after: reasons }) }
}

function bulk(kind: Kind, request: FastifyRequest, deps: RiskDependencies): Check {
  const { engine, charge, foresee, keeperOf } = deps
  return async (explain, repeatable) => {
    const { organisationId } = callerOf(request)
    const records = recordsOf(request.jsonMarks)
    const list = await asking(() => engine.openList(kind, takeBody(request), { organisationId, records }))
    try {
      if (list.invalid) throw invalidRecords(kind, list.length, list.invalid)
      const cost = costOf(kind, request, list.length)
      const paid = await refuseUnlessPaid(foresee(cost), repeatable)
      if (paid) return paid
      const evaluated = await asking(() => list.evaluate({ explain }))
      const { base_score, coverage, intelligence } = evaluated
      const keeper = await keeperOf?.(callerOf(request), request.id)
      const results = keeper && explain ? await keeper.withChanges(kind, evaluated.results) : evaluated.results
      const more = { base_score, coverage, intelligence, check_id: keeper?.checkId }
      const shared = JSON.stringify(explain ? { base_score, intelligence } : {})
      const keep = await keeper?.keepList({ kind, intelligence: intelligence.version, results, shared })
      const answer = () => ({
        before: `{"results":[${results}],`,
        after: explain ? `,${JSON.stringify(more).slice(1)}` : '}',
        keep,
      })
      const answered = await charge({ ...cost, idempotency: repeatable?.idempotency, answer })
      if (!answered.replayed) keeper?.listKept()
      return answered
    } finally {
      list.close()
    }
  }
}

function costOf(kind: Kind, request: FastifyRequest, units: number): Cost {
  const { organisationId, credentialId } = callerOf(request)
  return { organisationId, credentialId, requestId: request.id, family: KINDS[kind].family, units }
}

/** Takes the body and releases it from the request: it may be long, and the answer may take a while. */
function takeBody(request: FastifyRequest): Buffer {
  const body = request.body instanceof Buffer ? request.body : NO_BODY
  request.body = undefined
  request.rawBody = undefined
  return body
}

/** A missing body is not an object either. */
const NO_BODY = Buffer.from('null')

async function answer(request: FastifyRequest, reply: FastifyReply, deps: RiskDependencies, check: Check) {
  const explain = readExplain(request)
  const idempotency = readIdempotency(request)
  const { body, replayed, billing } = await (idempotency
    ? answerOnce(request, deps, idempotency, (repeatable) => check(explain, repeatable))
    : check(explain, undefined))
  request.billing = billing
  if (replayed) reply.header('idempotent-replayed', 'true')
  reply.header('content-type', 'application/json; charset=utf-8')
  return body
}

/** Answers a retried request with the paid answer, however busy the engine is. */
async function answerOnce(
  request: FastifyRequest,
  { inFlight, findStored }: RiskDependencies,
  idempotency: Idempotency,
  check: (repeatable: Repeatable) => Maybe<Answered>,
): Promise<Answered> {
  const { organisationId } = callerOf(request)
  const release = inFlight.hold(organisationId, idempotency.key)
  const findPaid = async () => {
    const stored = checkReplay(await findStored(organisationId, idempotency.key), idempotency)
    return stored && { body: stored.body, replayed: true }
  }
  try {
    return (await findPaid()) ?? (await check({ idempotency, findPaid }))
  } finally {
    release()
  }
}

export function asking<T>(ask: () => Maybe<T>): Maybe<T> {
  try {
    const answer = ask()
    return answer instanceof Promise ? answer.catch(engineFailed) : answer
  } catch (error) {
    return engineFailed(error)
  }
}

function engineFailed(error: unknown): never {
  if (error instanceof Problem) throw error
  if (error instanceof EngineBusy && error.of === 'organisation') throw tooManyWaiting(error.recordsMax)
  if (error instanceof EngineBusy) throw overloaded('Too many bulk checks are waiting.')
  const wait = error instanceof EngineUnavailable ? error.retryAfterSeconds : 1
  throw new Problem('upstream_unavailable', {
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

import { Pool } from 'undici'
import { Problem, problemFrom } from '../errors.ts'
import { systemClock } from '../lib/clock.ts'
import type { Kind } from '../lib/kinds.ts'
import { LIMITS } from '../limits.ts'
import {
  type Background,
  EngineBusy,
  EngineUnavailable,
  type EvaluatedList,
  type EvaluationSet,
  type IntelligenceInfo,
  type InvalidRecords,
  type List,
  type RiskEngine,
} from './engine.ts'
import { indicatorText } from './indicator.ts'
import { isShort, workOnList } from './list.ts'
import type { OwnIndexes } from './own/indexes.ts'
import { bufferOf } from './own/own-index.ts'
import { readRecords } from './request.ts'

/**
 * The engine over HTTP.
 * 1. An answer is complete or it is EngineUnavailable: never a part of one, never a guess.
 * 2. A request is tried at most twice, and only within its time limit; evaluating twice is harmless.
 * 3. After `failuresToOpen` failures in a row the breaker opens: for `openMs` every request fails immediately, then one
 *    request tests if the engine is back.
 * 4. The pool limits requests in progress; beyond its queue they are refused as busy immediately.
 * 5. An engine that answers "busy", or with the errors of a list, works: its answer is passed on, neither retried nor
 *    counted as a failure.
 * 6. A request names the version of what the organisation knows. An engine without that version says so, and gets the
 *    request again with the compiled index behind it: once for each version, by whichever engine is asked.
 */
export interface RemoteEngineOptions {
  readonly url: string
  readonly token: string
  readonly timeoutMs: number
  /** Additional time for the engine's live look-ups. */
  readonly lookUpMs?: { readonly single: number; readonly bulk: number }
  readonly failuresToOpen?: number
  readonly openMs?: number
  readonly ticks?: () => number
  /** Additional headers of each request, by which the engine continues a trace. */
  readonly own?: OwnIndexes | undefined
  readonly traceHeaders?: (() => Readonly<Record<string, string>>) | undefined
}

const { engineRequestsMax } = LIMITS.queues
/** From about this many records on, a request gets ten times the time. */
const BULK_RECORDS = 100
const TRIES = 2

/** Sending a long register takes longer than a check. */
const ATTACHED_TIMES = 10

/** The engine does not have this version of what the organisation knows. */
export class OwnNeeded extends Error {}

type OwnCall<T> = [
  resource: string,
  query: URLSearchParams,
  body: string | Buffer,
  limitMs: number,
  read: (text: string) => T,
]

/** `read` parses the text of an answer, or throws. */
type Call<T> = [resource: string, body: string | Buffer | null, limitMs: number, read: (text: string) => T]

export function createRemoteEngine(options: RemoteEngineOptions): RiskEngine {
  const { token, timeoutMs, failuresToOpen = 5, openMs = 1000, ticks = systemClock.ticks } = options
  const base = new URL(options.url)
  const path = `${base.pathname.replace(/\/$/, '')}/v1`
  const pool = new Pool(base.origin, {
    connections: 16,
    pipelining: 1,
    connectTimeout: timeoutMs,
    keepAliveTimeout: 30_000,
  })
  const authorization = `Bearer ${token}`
  let underWay = 0
  let failures = 0
  let openUntil = 0
  let probing = false

  async function send<T>(...call: Call<T>): Promise<T> {
    if (openUntil > ticks() || (openUntil > 0 && probing)) throw new EngineUnavailable('the circuit breaker is open')
    if (underWay >= engineRequestsMax) throw new EngineBusy('everybody', engineRequestsMax)
    const probe = openUntil > 0
    probing ||= probe
    underWay++
    try {
      const answer = await tryTwice(...call)
      failures = 0
      openUntil = 0
      return answer
    } catch (error) {
      if (isAnswer(error)) {
        failures = 0
        openUntil = 0
        throw error
      }
      failures++
      if (failures >= failuresToOpen) openUntil = ticks() + openMs
      if (error instanceof EngineUnavailable) throw error
      throw new EngineUnavailable(`the engine did not answer: ${(error as Error).message}`, { cause: error })
    } finally {
      underWay--
      if (probe) probing = false
    }
  }

  async function tryTwice<T>(...[resource, body, limitMs, read]: Call<T>): Promise<T> {
    const signal = AbortSignal.timeout(limitMs)
    const method = body === null ? 'GET' : 'POST'
    const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream'
    const headers = { ...options.traceHeaders?.(), authorization, 'content-type': type }
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await pool.request({ method, path: `${path}/${resource}`, headers, body, signal })
        const text = await response.body.text()
        if (response.statusCode === 200) return read(text)
        throw refusalOf(response.statusCode, text)
      } catch (error) {
        if (attempt >= TRIES || signal.aborted || isAnswer(error)) throw error
      }
    }
  }

  /** Asks with the version of the organisation's knowledge, and again with its index if the engine needs it. */
  async function sendOwn<T>(organisation: string | undefined, call: OwnCall<T>): Promise<T> {
    const [resource, query, body, limitMs, read] = call
    const known = await ownOf(organisation)
    if (!known) return send(`${resource}?${query}`, body, limitMs, read)
    query.set('own_version', String(known.version))
    try {
      return await send(`${resource}?${query}`, body, limitMs, read)
    } catch (error) {
      if (!(error instanceof OwnNeeded)) throw error
    }
    query.delete('own_version')
    // The index may have left the memory since.
    const own = await ownOf(organisation)
    if (!own) return send(`${resource}?${query}`, body, limitMs, read)
    const attached = new URLSearchParams(query)
    attached.set('own_version', String(own.version))
    attached.set('own_bytes', String(own.memory.byteLength))
    const both = Buffer.concat([typeof body === 'string' ? Buffer.from(body) : body, bufferOf(own)])
    return send(`${resource}?${attached}`, both, limitMs * ATTACHED_TIMES, read)
  }

  const ownOf = (organisationId: string | undefined) =>
    organisationId === undefined ? undefined : options.own?.find(organisationId)
  const lookUpMs = options.lookUpMs ?? { single: 0, bulk: 0 }

  return {
    async evaluate(kind, indicators, { explain, lookUp, organisationId: organisation }) {
      const texts = indicators.map(indicatorText)
      const body = JSON.stringify({ kind, indicators: texts, explain, look_up: lookUp, organisation })
      const limitMs = (indicators.length < BULK_RECORDS ? timeoutMs : timeoutMs * 10) + lookUpMs.single
      const read = (text: string) => {
        const answer: unknown = JSON.parse(text)
        if (!isEvaluationSet(answer, indicators.length)) throw notUnderstood()
        return answer
      }
      const query = new URLSearchParams(organisation === undefined ? {} : { organisation })
      return sendOwn(organisation, ['evaluate', query, body, limitMs, read])
    },
    async openList(kind, body, listOptions) {
      const { organisationId: organisation, records } = listOptions
      const query = new URLSearchParams({ kind, organisation, records: String(records) })
      const short = isShort(body, records, BULK_RECORDS)
      // Even for a short list, the engine waits for its facts as long as for any list.
      const limitMs = (short ? timeoutMs : timeoutMs * 10) + lookUpMs.bulk
      const { length, invalid } = short
        ? readHere(kind, body)
        : await send(`read-list?${query}`, body, limitMs, readRead)
      return {
        length,
        invalid,
        async evaluate({ explain }) {
          query.set('explain', String(explain))
          query.set('read_before', String(!short))
          const read = (text: string) => readResults(text, length)
          return sendOwn(organisation, ['evaluate-list', query, body, limitMs, read])
        },
        close() {},
      }
    },
    async intelligence() {
      try {
        return await send('intelligence', null, timeoutMs, (text) => {
          const answer: unknown = JSON.parse(text)
          if (!isIntelligence(answer)) throw notUnderstood()
          return answer
        })
      } catch {
        return undefined
      }
    },
    close: () => pool.destroy(),
  }
}

const notUnderstood = () => new EngineUnavailable('the engine sent a response that this version does not understand')

function readHere(kind: Kind, body: Buffer): Read {
  return workOnList({ kind, records: readRecords(kind, body), task: 'read', nowMs: 0 }, () => {
    throw new Error('a separate engine does the scoring')
  })
}

type Read = Pick<List, 'length' | 'invalid'>

/** True if the error shows that the engine works. */
const isAnswer = (error: unknown) =>
  error instanceof EngineBusy || error instanceof Problem || error instanceof OwnNeeded

function refusalOf(status: number, text: string): Error {
  const unavailable = new EngineUnavailable(`the engine answered ${status}`)
  try {
    const { busy, recordsMax, problem, own_needed: ownNeeded } = JSON.parse(text) as Record<string, unknown>
    if (ownNeeded === true) return new OwnNeeded('the engine does not have what the organisation knows')
    if (problem) return problemFrom(problem) ?? unavailable
    if ((busy !== 'organisation' && busy !== 'everybody') || typeof recordsMax !== 'number') return unavailable
    return new EngineBusy(busy, recordsMax)
  } catch {
    return unavailable
  }
}

function readRead(text: string): Read {
  const { length, invalid } = JSON.parse(text) as { length?: number; invalid?: InvalidRecords | null }
  if (length === undefined || !(Number.isInteger(length) && length > 0)) throw notUnderstood()
  if (invalid === null) return { length, invalid: undefined }
  if (!Number.isInteger(invalid?.count) || !Array.isArray(invalid?.first)) throw notUnderstood()
  return { length, invalid }
}

/** The text around the results of a list: their number and their basis, readable without parsing the results. */
export function resultsFrame(records: number, background: Background): { before: string; after: string } {
  return { before: `${frameStart(records)}${JSON.stringify(background)}${RESULTS}`, after: FRAME_END }
}

const frameStart = (records: number) => `{"records":${records},"background":`
// No text of a background contains this: within a JSON string the quotation marks would be escaped.
const RESULTS = ',"results":['
const FRAME_END = ']}'

function readResults(text: string, records: number): EvaluatedList {
  const start = frameStart(records)
  const at = text.indexOf(RESULTS)
  if (!text.startsWith(start) || at < 0 || !text.endsWith(FRAME_END)) throw notUnderstood()
  const background: unknown = JSON.parse(text.slice(start.length, at))
  if (!isBackground(background)) throw notUnderstood()
  return { ...background, results: text.slice(at + RESULTS.length, -FRAME_END.length) }
}

function isEvaluationSet(value: unknown, count: number): value is EvaluationSet {
  const { evaluations } = (value ?? {}) as Partial<EvaluationSet>
  return (
    Array.isArray(evaluations) &&
    evaluations.length === count &&
    evaluations.every(
      ({ score, signals }) => Number.isInteger(score) && score >= 0 && score <= 100 && Array.isArray(signals),
    ) &&
    isBackground(value)
  )
}

function isBackground(value: unknown): value is Background {
  const { base_score, coverage, intelligence } = (value ?? {}) as Partial<Background>
  return (
    Number.isInteger(base_score) && typeof coverage === 'object' && coverage !== null && isIntelligence(intelligence)
  )
}

function isIntelligence(value: unknown): value is IntelligenceInfo {
  const { version, built_at } = (value ?? {}) as Partial<IntelligenceInfo>
  return typeof version === 'string' && typeof built_at === 'string'
}

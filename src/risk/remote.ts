import { Pool } from 'undici'
import { systemClock } from '../lib/clock.ts'
import type { Kind } from '../lib/kinds.ts'
import {
  EngineUnavailable,
  type EvaluateOptions,
  type EvaluationSet,
  type IntelligenceInfo,
  type RiskEngine,
} from './engine.ts'
import { type Indicator, indicatorText } from './indicator.ts'

/**
 * The engine over HTTP.
 *
 *  1. An answer is complete or it is EngineUnavailable: never a part of one, never a guess.
 *  2. A request is tried at most twice, and only within its time limit; evaluating twice is harmless.
 *  3. After `failuresToOpen` failures in a row the breaker opens: for `openMs` every request fails at once,
 *     then one goes through to see whether the engine is back.
 *  4. Requests under way are bounded by the pool; beyond its queue they fail at once.
 */
export interface RemoteEngineOptions {
  readonly url: string
  readonly token: string
  readonly timeoutMs: number
  readonly failuresToOpen?: number
  readonly openMs?: number
  readonly ticks?: () => number
}

/** From this many records on, a request gets ten times the time. */
const BULK_RECORDS = 100
const QUEUE_MAX = 2000
const TRIES = 2

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
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  let underWay = 0
  let failures = 0
  let openUntil = 0
  let probing = false

  async function send(
    method: 'GET' | 'POST',
    resource: string,
    body: string | null,
    limitMs: number,
  ): Promise<unknown> {
    if (openUntil > ticks() || (openUntil > 0 && probing)) throw new EngineUnavailable('the circuit breaker is open')
    if (underWay >= QUEUE_MAX) throw new EngineUnavailable('too many requests wait for the engine')
    const probe = openUntil > 0
    probing ||= probe
    underWay++
    try {
      const answer = await tryTwice(method, resource, body, limitMs)
      failures = 0
      openUntil = 0
      return answer
    } catch (error) {
      failures++
      if (failures >= failuresToOpen) openUntil = ticks() + openMs
      if (error instanceof EngineUnavailable) throw error
      throw new EngineUnavailable(`the engine did not answer: ${(error as Error).message}`, { cause: error })
    } finally {
      underWay--
      if (probe) probing = false
    }
  }

  async function tryTwice(
    method: 'GET' | 'POST',
    resource: string,
    body: string | null,
    limitMs: number,
  ): Promise<unknown> {
    const signal = AbortSignal.timeout(limitMs)
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await pool.request({ method, path: `${path}/${resource}`, headers, body, signal })
        const text = await response.body.text()
        if (response.statusCode === 200) return JSON.parse(text)
        throw new EngineUnavailable(`the engine answered ${response.statusCode}`)
      } catch (error) {
        if (attempt >= TRIES || signal.aborted) throw error
      }
    }
  }

  return {
    async evaluate(kind: Kind, indicators: readonly Indicator[], { explain }: EvaluateOptions) {
      const body = JSON.stringify({ kind, indicators: indicators.map(indicatorText), explain })
      const limitMs = indicators.length >= BULK_RECORDS ? timeoutMs * 10 : timeoutMs
      const answer = await send('POST', 'evaluate', body, limitMs)
      if (!isEvaluationSet(answer, indicators.length)) {
        throw new EngineUnavailable('the engine gave an answer this version does not understand')
      }
      return answer
    },
    async intelligence() {
      try {
        return (await send('GET', 'intelligence', null, timeoutMs)) as IntelligenceInfo
      } catch {
        return undefined
      }
    },
    close: () => pool.destroy(),
  }
}

function isEvaluationSet(value: unknown, count: number): value is EvaluationSet {
  const { evaluations, intelligence } = (value ?? {}) as Partial<EvaluationSet>
  return (
    Array.isArray(evaluations) &&
    evaluations.length === count &&
    evaluations.every(
      ({ score, signals }) => Number.isInteger(score) && score >= 0 && score <= 100 && Array.isArray(signals),
    ) &&
    typeof intelligence?.version === 'string'
  )
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { beginWaiting, endWaiting, noteNewest } from './under-way.ts'

/**
 * Limits the requests per turn of the event loop. Thousands of connections may have a request ready at the same time;
 * handled together, they would block the event loop for seconds, and nothing else, health included, would be answered.
 * 1. At most `requestsPerTurn` requests begin in one turn of the event loop; the others queue in order of arrival.
 * 2. Health never waits.
 * 3. A request that waited longer than `waitMsMax` is late: it is refused before any work is done for it. No request is
 *    refused earlier: a waiting client sends nothing, and a refusal costs nearly half of an answer, so refusing
 *    immediately would leave less time for answers.
 */
export interface TurnLimits {
  readonly requestsPerTurn: number
  readonly waitMsMax: number
}

const DEFAULT_LIMITS: TurnLimits = { requestsPerTurn: 16, waitMsMax: 2000 }

type Handle = (request: IncomingMessage, response: ServerResponse) => void

interface Waiting {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly sinceMs: number
}

/** Installs itself before the server's existing request handlers. */
export function takeTurns(server: Server, given: Partial<TurnLimits> = {}) {
  const limits = { ...DEFAULT_LIMITS, ...given }
  const handlers = server.listeners('request') as Handle[]
  const handle: Handle = (request, response) => {
    for (const one of handlers) one.call(server, request, response)
  }
  const late = new WeakSet<IncomingMessage>()
  let waiting: Waiting[] = []
  let begun = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(nextTurn)
  }

  function nextTurn(): void {
    scheduled = false
    begun = 0
    if (waiting.length === 0) return
    const turn = waiting.splice(0, limits.requestsPerTurn)
    const oldestMs = performance.now() - limits.waitMsMax
    begun = turn.length
    schedule()
    for (const { request, response, sinceMs } of turn) {
      endWaiting(request)
      // The client has closed the connection.
      if (request.socket.destroyed) continue
      if (sinceMs < oldestMs) late.add(request)
      handle(request, response)
    }
  }

  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    schedule()
    noteNewest(request)
    if (isHealth(request)) return handle(request, response)
    if (begun >= limits.requestsPerTurn || waiting.length > 0) {
      beginWaiting(request)
      waiting.push({ request, response, sinceMs: performance.now() })
      return
    }
    begun++
    handle(request, response)
  })
  server.on('close', () => {
    waiting = []
  })
  /** True if the request waited too long. */
  const isLate = (request: IncomingMessage) => late.has(request)
  return { isLate }
}

export function isHealth({ url = '' }: { readonly url?: string | undefined }): boolean {
  return /^\/(livez|readyz)(\?|$)/.test(url)
}

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Counts requests in progress, so that a shutdown can wait for them. A caller who hangs up never gets an answer: the
 * end of the connection removes its requests. Listeners are per connection, because one per request is expensive.
 */
const REQUESTS = Symbol('requests under way')
const WAITING = Symbol('requests that wait for their turn')
const COUNTED = Symbol('counted as under way')
const ENDED = Symbol('the caller sends nothing more')
const NEWEST = Symbol('the newest request')
const ON_ANSWER = Symbol('called after an answer')
type CountedRequest = IncomingMessage & { [COUNTED]?: true }
type CountedSocket = Socket & {
  [REQUESTS]?: number
  [WAITING]?: number
  [ENDED]?: true
  [NEWEST]?: IncomingMessage
  [ON_ANSWER]?: () => void
}

export function trackUnderWay(app: FastifyInstance) {
  let count = 0
  let onIdle: (() => void) | undefined

  function leave(requests: number): void {
    count -= requests
    if (count === 0) onIdle?.()
  }

  app.addHook('onRequest', (request, _reply, done) => {
    const socket = request.raw.socket as CountedSocket
    const others = socket[REQUESTS]
    if (others === undefined) {
      const leaveAll = () => {
        if (!socket[ENDED]) leave(socket[REQUESTS] ?? 0)
        socket[ENDED] = true
      }
      // The caller sends nothing more. Most have hung up; one that still waits gets its answer, unless a shutdown is first.
      socket.once('end', leaveAll)
      socket.once('close', () => {
        leaveAll()
        socket[REQUESTS] = 0
      })
    }
    socket[REQUESTS] = (others ?? 0) + 1
    socket[NEWEST] = request.raw
    const counted: CountedRequest = request.raw
    counted[COUNTED] = true
    if (!socket[ENDED]) count++
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    const socket = request.raw.socket as CountedSocket
    const { [COUNTED]: counted }: CountedRequest = request.raw
    // After a hang-up nothing is left to count, and a request refused before counting was never counted.
    if (counted && socket[REQUESTS]) {
      socket[REQUESTS]--
      if (!socket[ENDED]) leave(1)
    }
    socket[ON_ANSWER]?.()
    done()
  })

  return {
    get count() {
      return count
    },
    async idle() {
      const { promise, resolve } = Promise.withResolvers<void>()
      onIdle = resolve
      if (count > 0) await promise
    },
  }
}

/** Call for every request, including those refused before they are counted. */
export function noteNewest(request: IncomingMessage): void {
  const socket: CountedSocket = request.socket
  socket[NEWEST] = request
}

/** A queued request is a request without an answer. */
export function beginWaiting(request: IncomingMessage): void {
  const socket: CountedSocket = request.socket
  socket[WAITING] = (socket[WAITING] ?? 0) + 1
}

/** Call right before the request is handled. */
export function endWaiting(request: IncomingMessage): void {
  const socket: CountedSocket = request.socket
  socket[WAITING] = (socket[WAITING] ?? 1) - 1
}

/**
 * For a connection with input that is not HTTP: calls back once, when every complete request before it has its answer,
 * so that no caller mistakes the refusal for the answer to an earlier request. `unanswered` is false if the broken
 * input was the body of an answered request.
 */
export function afterAnswers(socket: CountedSocket, then: (unanswered: boolean) => void): void {
  // Node reports the same error again with every later chunk.
  if (socket[ON_ANSWER]) return
  const bodyBroke = socket[NEWEST]?.complete === false
  let told = false
  const look = () => {
    const under = (socket[REQUESTS] ?? 0) + (socket[WAITING] ?? 0)
    if (told || under > (bodyBroke ? 1 : 0)) return
    told = true
    then(!bodyBroke || under === 1)
  }
  socket[ON_ANSWER] = look
  look()
}

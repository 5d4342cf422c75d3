import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Refused before the count, a request was never counted. */
    isUnderWay: boolean
  }
}

/**
 * Counts requests in progress, so that a shutdown can wait for them. A caller who hangs up never gets an answer: the
 * end of the connection removes its requests. Listeners are per connection, because one per request is expensive.
 */
interface Connection {
  isFollowed: boolean
  requests: number
  /** Requests that wait for their turn. */
  waiting: number
  /** The caller sends nothing more. */
  hasEnded: boolean
  newest: IncomingMessage | undefined
  /** Called after an answer. */
  onAnswer: (() => void) | undefined
}

/**
 * One property, set when the connection opens. Properties that come one by one would give sockets many hidden classes,
 * and Node's own code would find each property of a socket several times slower: 4 µs a request.
 */
const CONNECTION = Symbol('requests of the connection')
type CountedSocket = Socket & { [CONNECTION]?: Connection }

function connectionOf(socket: CountedSocket): Connection {
  const state = socket[CONNECTION]
  if (state) return state
  const made = { isFollowed: false, requests: 0, waiting: 0, hasEnded: false, newest: undefined, onAnswer: undefined }
  socket[CONNECTION] = made
  return made
}

export function trackUnderWay(app: FastifyInstance) {
  let count = 0
  let onIdle: (() => void) | undefined

  function leave(requests: number): void {
    count -= requests
    if (count === 0) onIdle?.()
  }

  function follow(socket: Socket, connection: Connection): void {
    connection.isFollowed = true
    const leaveAll = () => {
      if (!connection.hasEnded) leave(connection.requests)
      connection.hasEnded = true
    }
    // The caller sends nothing more. Most have hung up; one that still waits gets its answer, unless a shutdown is first.
    socket.once('end', leaveAll)
    socket.once('close', () => {
      leaveAll()
      connection.requests = 0
    })
  }

  app.server.on('connection', connectionOf)
  app.decorateRequest('isUnderWay', false)
  app.addHook('onRequest', (request, _reply, done) => {
    const { socket } = request.raw
    const connection = connectionOf(socket)
    if (!connection.isFollowed) follow(socket, connection)
    connection.requests++
    connection.newest = request.raw
    request.isUnderWay = true
    if (!connection.hasEnded) count++
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    const connection = connectionOf(request.raw.socket)
    // After a hang-up nothing is left to count.
    if (request.isUnderWay && connection.requests > 0) {
      connection.requests--
      if (!connection.hasEnded) leave(1)
    }
    connection.onAnswer?.()
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
  connectionOf(request.socket).newest = request
}

/** A queued request is a request without an answer. */
export function beginWaiting(request: IncomingMessage): void {
  connectionOf(request.socket).waiting++
}

/** Call right before the request is handled. */
export function endWaiting(request: IncomingMessage): void {
  connectionOf(request.socket).waiting--
}

/**
 * For a connection with input that is not HTTP: calls back once, when every complete request before it has its answer,
 * so that no caller mistakes the refusal for the answer to an earlier request. `unanswered` is false if the broken
 * input was the body of an answered request.
 */
export function afterAnswers(socket: Socket, then: (unanswered: boolean) => void): void {
  const connection = connectionOf(socket)
  // Node reports the same error again with every later chunk.
  if (connection.onAnswer) return
  const bodyBroke = connection.newest?.complete === false
  let told = false
  const look = () => {
    const under = connection.requests + connection.waiting
    if (told || under > (bodyBroke ? 1 : 0)) return
    told = true
    then(!bodyBroke || under === 1)
  }
  connection.onAnswer = look
  look()
}

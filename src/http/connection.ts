import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'
import { browserHeaders } from './browser-headers.ts'
import { PROBLEM_TYPE, problemBody } from './problem.ts'
import { afterAnswers } from './under-way.ts'

/** HTTP rules that Node does not enforce, or enforces with an answer that is not a problem document. */

/** Why an ambiguous request is refused. */
export function ambiguousHttp({ httpVersion, rawHeaders, headers }: IncomingMessage): Problem | undefined {
  const hosts = countHosts(rawHeaders)
  // RFC 9112 §3.2.
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) {
    return new Problem('invalid_header', { detail: `Send one Host header, not ${hosts}.` })
  }
  // RFC 9112 §6.1: an HTTP/1.0 proxy may have seen the end of the body elsewhere.
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
    return new Problem('invalid_header', {
      detail: 'HTTP/1.0 has no Transfer-Encoding. Send Content-Length.',
      headers: { connection: 'close' },
    })
  }
  return undefined
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

const CLOSE_MS_MAX = 2000

export interface RefusalOptions {
  readonly baseUrl: string
  readonly logger: FastifyBaseLogger
  readonly newRequestId: () => string
}

/**
 * Ends connections without a request when the server closes. Node counts a connection as busy until its first request,
 * and no longer looks for late ones: a caller who sends nothing would delay the end of the server.
 */
export function closeSilent(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  let isClosing = false
  app.server.on('connection', (socket: Socket) => {
    if (isClosing) return socket.destroy()
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', (done) => {
    isClosing = true
    for (const socket of silent) socket.destroy()
    done()
  })
}

/**
 * Input that did not parse as HTTP gets a problem too, written by hand, after the answers to the requests before it.
 */
export function refuseRaw(error: Error & { code?: string }, socket: Socket, options: RefusalOptions): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  afterAnswers(socket, (unanswered) => {
    if (!unanswered || !socket.writable) {
      socket.end()
      return
    }
    const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    const detail = late ? 'The request did not arrive in time.' : 'The request is not valid HTTP.'
    const problem =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? new Problem('headers_too_large', { detail: 'The request headers are over 16 KiB.' })
        : new Problem('invalid_header', { detail })
    const requestId = options.newRequestId()
    options.logger.info({ request_id: requestId, status: problem.status, reason: error.code }, 'not a request')
    socket.end(rawProblem(problem, { baseUrl: options.baseUrl, requestId }))
    // A caller who never closes its side must not hold the connection.
    setTimeout(() => socket.destroy(), CLOSE_MS_MAX).unref()
  })
}

/** A whole answer as text, for a connection without a request; it closes the connection. */
export function rawProblem(problem: Problem, about: { baseUrl: string; requestId: string }): string {
  const body = JSON.stringify(problemBody(problem, about))
  const headers = {
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': about.requestId,
    ...browserHeaders(about.baseUrl),
    ...problem.headers,
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${head.join('')}\r\n${body}`
}

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { overloaded, tooManyConnections } from '../access/limits.ts'
import type { Problem } from '../errors.ts'
import { addressKey } from '../lib/address-key.ts'
import { SECOND_MS } from '../lib/clock.ts'
import { freeFileHandles } from '../lib/file-handles.ts'
import { LIMITS } from '../limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The address behind a proxy that the request is counted for. */
    countedFor: string | undefined
  }
}

/**
 * Bounds the open connections.
 * 1. One address has at most `addressMax` of them. Connections of a trusted proxy belong to nobody: there an address
 *    has at most `addressMax` requests in progress.
 * 2. All together are at most `max`, so that the node keeps file handles for its database, feeds and look-ups.
 * 3. A connection beyond that is refused before anything is read from it, and closed immediately.
 */
export interface ConnectionLimits {
  readonly addressMax: number
  readonly max: number
}

/** The limit that was reached. */
export const REFUSED_FOR = ['address', 'all'] as const
export type RefusedFor = (typeof REFUSED_FOR)[number]

interface Options {
  readonly limits?: ConnectionLimits | undefined
  readonly isProxy: (address: string) => boolean
  /** The answer on a connection without a request. */
  readonly rawAnswer: (problem: Problem) => string
  readonly logger: FastifyBaseLogger
  readonly onRefused?: ((reason: RefusedFor) => void) | undefined
}

const IN_PROGRESS = Symbol('requests in progress of a proxy, by their address')
type ProxySocket = Socket & { [IN_PROGRESS]?: string[] | undefined }

/** Installs itself before the server's existing connection handlers. */
export function limitConnections(server: Server, options: Options) {
  const { limits = systemLimits(), isProxy, rawAnswer, logger, onRefused } = options
  const handlers = server.listeners('connection') as ((socket: Socket) => void)[]
  const refusals: Record<RefusedFor, Problem> = {
    address: tooManyConnections(limits.addressMax),
    all: overloaded('The server has too many connections.'),
  }
  const log = refusedLog(logger)
  const byAddress = new Map<string, number>()
  let open = 0

  function take(key: string): boolean {
    const count = byAddress.get(key) ?? 0
    if (count >= limits.addressMax) return false
    byAddress.set(key, count + 1)
    return true
  }

  function release(key: string): void {
    const count = byAddress.get(key) ?? 0
    if (count > 1) byAddress.set(key, count - 1)
    else byAddress.delete(key)
  }

  function refused(reason: RefusedFor, address: string): Problem {
    onRefused?.(reason)
    log(reason, address)
    return refusals[reason]
  }

  function refuse(socket: Socket, reason: RefusedFor, address: string): void {
    // So few bytes fit into the buffer of a new connection: they are sent before it is closed.
    socket.on('error', () => {}).write(rawAnswer(refused(reason, address)))
    socket.destroy()
  }

  server.removeAllListeners('connection')
  server.on('connection', (socket: ProxySocket) => {
    const address = socket.remoteAddress ?? ''
    const key = addressKey(address)
    if (open >= limits.max) return refuse(socket, 'all', key)
    const forwards = isProxy(address)
    if (!forwards && !take(key)) return refuse(socket, 'address', key)
    open++
    // For every connection: sockets with one hidden class are faster (under-way.ts).
    socket[IN_PROGRESS] = forwards ? [] : undefined
    socket.once('close', () => {
      open--
      if (!forwards) release(key)
      for (const one of socket[IN_PROGRESS]?.splice(0) ?? []) release(one)
    })
    for (const handle of handlers) handle.call(server, socket)
  })

  return {
    /** Counts a request that a proxy forwarded. Returns the refusal if its address has too many in progress. */
    begin(request: FastifyRequest): Problem | undefined {
      const { [IN_PROGRESS]: inProgress }: ProxySocket = request.raw.socket
      if (!inProgress || request.headers['x-forwarded-for'] === undefined) return undefined
      if (request.ip === request.raw.socket.remoteAddress) return undefined
      const key = addressKey(request.ip)
      if (!take(key)) return refused('address', key)
      request.countedFor = key
      inProgress.push(key)
      return undefined
    },
    /** Call after the answer. */
    end({ raw, countedFor: key }: FastifyRequest): void {
      if (key === undefined) return
      const { [IN_PROGRESS]: inProgress = [] }: ProxySocket = raw.socket
      const at = inProgress.indexOf(key)
      // After a hang-up nothing is left to release.
      if (at < 0) return
      inProgress.splice(at, 1)
      release(key)
    },
  }
}

/** File handles that connections leave to the database, feeds and look-ups. */
const HANDLES_KEPT = 128

/** As many connections as the limits and the free file handles of this process allow. */
function systemLimits(): ConnectionLimits {
  const { addressConnectionsMax, connectionsMax } = LIMITS.queues
  const free = freeFileHandles() ?? Number.POSITIVE_INFINITY
  const kept = Math.min(HANDLES_KEPT, Math.floor(free / 2))
  return { addressMax: addressConnectionsMax, max: Math.max(1, Math.min(connectionsMax, free - kept)) }
}

const LOG_MS = 10 * SECOND_MS

const WORDS: Record<RefusedFor, string> = {
  address:
    'connections refused: one address has too many. If it is your proxy or balancer, name it in ASSAY_TRUST_PROXY',
  all: 'connections refused: the node has too many. Raise its limit of open files, or add a node',
}

/** One line in ten seconds for each reason, with the number of connections since the line before. */
function refusedLog(logger: FastifyBaseLogger): (reason: RefusedFor, address: string) => void {
  const counts = { address: 0, all: 0 }
  const nextMs = { address: 0, all: 0 }
  return (reason, address) => {
    counts[reason]++
    const nowMs = performance.now()
    if (nowMs < nextMs[reason]) return
    nextMs[reason] = nowMs + LOG_MS
    logger.warn({ address, connections: counts[reason] }, WORDS[reason])
    counts[reason] = 0
  }
}

import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Requests under way, so that a shutdown can wait for them. A caller who hangs up never gets an answer: the end of the
 * connection takes its requests off. One listener for a connection, because one for every request is dear.
 */
export interface UnderWay {
  readonly count: number
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

const REQUESTS = Symbol('requests under way')
type CountedSocket = Socket & { [REQUESTS]?: number }

export function trackUnderWay(app: FastifyInstance): UnderWay {
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
      socket.once('close', () => {
        leave(socket[REQUESTS] ?? 0)
        socket[REQUESTS] = 0
      })
    }
    socket[REQUESTS] = (others ?? 0) + 1
    count++
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    const socket = request.raw.socket as CountedSocket
    // After a hang-up there is nothing left to count.
    if (socket[REQUESTS]) {
      socket[REQUESTS]--
      leave(1)
    }
    done()
  })

  return {
    get count() {
      return count
    },
    idle() {
      if (count === 0) return Promise.resolve()
      return new Promise((resolve) => {
        onIdle = resolve
      })
    },
  }
}

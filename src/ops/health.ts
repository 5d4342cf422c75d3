import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

/** A part that must work for requests to be answered. */
export interface ReadinessCheck {
  readonly part: string
  /** The fault; undefined when the part works. It goes to the log: it may name a host or a file. */
  readonly problem: () => Promise<unknown>
}

/** Public: the name of a part, and whether it is ready. */
export interface PartReadiness {
  readonly part: string
  readonly ready: boolean
}
export type Readiness = ReturnType<typeof createReadiness>

const CHECK_TIMEOUT_MS = 2000

/** Checks every part. The cause of a problem is logged when the problem begins; its end is logged too. */
export function createReadiness(checks: readonly ReadinessCheck[], logger: FastifyBaseLogger) {
  const failing = new Set<string>()

  async function ask({ part, problem }: ReadinessCheck): Promise<PartReadiness> {
    const late = delay(CHECK_TIMEOUT_MS, 'did not answer in time', { ref: false })
    const cause = await Promise.race([problem().catch((error: unknown) => error ?? 'failed'), late])
    const ready = cause === undefined
    if (!ready && !failing.has(part)) {
      failing.add(part)
      logger.error(cause instanceof Error ? { part, err: cause } : { part, cause }, 'not ready')
    }
    if (ready && failing.delete(part)) logger.info({ part }, 'ready again')
    return { part, ready }
  }

  return {
    async ask() {
      const parts = await Promise.all(checks.map(ask))
      return { ready: parts.every((part) => part.ready), parts }
    },
  }
}

/** /livez: the process runs. /readyz: it can answer, or which part cannot. */
export function registerHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get('/livez', () => ({ status: 'live' }))
  app.get('/readyz', async (_request, reply) => {
    const { ready, parts } = await readiness.ask()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', parts })
  })
}

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

export interface Readiness {
  ask(): Promise<{ readonly ready: boolean; readonly parts: readonly PartReadiness[] }>
}

const CHECK_TIMEOUT_MS = 2000

/** Checks every part. The cause of a problem is logged when the problem begins; its end is logged too. */
export function createReadiness(checks: readonly ReadinessCheck[], logger: FastifyBaseLogger): Readiness {
  const failing = new Set<string>()

  async function ask({ part, problem }: ReadinessCheck): Promise<PartReadiness> {
    const cause = await inTime(problem().catch((error: unknown) => error ?? 'failed'))
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

async function inTime(answer: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('did not answer in time'), CHECK_TIMEOUT_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
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

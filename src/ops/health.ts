import type { FastifyInstance } from 'fastify'

/** One thing that must work for requests to be answered. */
export interface ReadinessCheck {
  readonly part: string
  /** A sentence on what is wrong, or undefined when all is well. */
  readonly problem: () => Promise<string | undefined>
}

const CHECK_TIMEOUT_MS = 2000

/** /livez: the process turns. /readyz: it can answer, or which part cannot. */
export function registerHealth(app: FastifyInstance, checks: readonly ReadinessCheck[]): void {
  app.get('/livez', { schema: { hide: true } as object }, () => ({ status: 'live' }))
  app.get('/readyz', { schema: { hide: true } as object }, async (_request, reply) => {
    const parts = await Promise.all(checks.map(run))
    const ready = parts.every((part) => part.ready)
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', parts })
  })
}

async function run(check: ReadinessCheck): Promise<{ part: string; ready: boolean; detail?: string }> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('did not answer in time'), CHECK_TIMEOUT_MS)
  })
  const detail = await Promise.race([check.problem().catch((error: Error) => error.message), late])
  clearTimeout(timer)
  return detail === undefined ? { part: check.part, ready: true } : { part: check.part, ready: false, detail }
}

import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

/** Charged requests are in the ledger under their id: at level info, log only the others. */
export function logRequest(request: FastifyRequest, route: string, reply: FastifyReply): void {
  const level = reply.statusCode >= 400 ? 'info' : 'debug'
  if (!isWritten(request.log, level)) return
  request.log[level](
    {
      request_id: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 100) / 100,
      organisation_id: request.caller?.organisationId,
      credential_id: request.caller?.credentialId,
    },
    'request',
  )
}

function isWritten(log: FastifyBaseLogger, level: 'info' | 'debug'): boolean {
  return (log as Partial<Pick<Logger, 'isLevelEnabled'>>).isLevelEnabled?.(level) ?? true
}

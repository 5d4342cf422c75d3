import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Browser applications on other origins may call the API with their own key or token. Cookies are never sent (`*`
 * forbids it), so a console session cannot be used from another origin.
 */
const SHOWN_HEADERS =
  'ETag, Idempotent-Replayed, Link, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id'
const SENT_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-Match, X-Api-Key'
const METHODS = 'GET, POST, PUT, PATCH, DELETE'
const PREFLIGHT_SECONDS = '7200'

/** Returns true if it answered the request, which was a preflight. */
export function allowOtherOrigins(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.headers.origin === undefined || !request.url.startsWith('/v1/')) return false
  reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', SHOWN_HEADERS)
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false
  reply
    .code(204)
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', SENT_HEADERS)
    .header('access-control-max-age', PREFLIGHT_SECONDS)
    .send()
  return true
}

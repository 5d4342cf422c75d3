import type { FastifyReply } from 'fastify'

/** Sends a printable page. Its names come from other people, so it may load and run nothing. */
export function sendPrintable(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    .send(page)
}

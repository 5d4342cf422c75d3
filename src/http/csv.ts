import type { FastifyReply, FastifyRequest } from 'fastify'

/** The best of these media types for the caller's Accept header; the first if all or none match. */
export function preferredType<const T extends string>(request: FastifyRequest, offered: readonly [T, ...T[]]): T {
  const accept = request.headers.accept
  if (accept === undefined) return offered[0]
  const wanted = accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.trim().toLowerCase().split(';')
    const q = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((value) => value !== undefined)
    return { type: type.trim(), q: q === undefined ? 1 : Number(q) }
  })
  let best: { type: T; q: number } = { type: offered[0], q: 0 }
  for (const type of offered) {
    const group = `${type.split('/')[0]}/*`
    const match =
      wanted.find((one) => one.type === type) ??
      wanted.find((one) => one.type === group) ??
      wanted.find((one) => one.type === '*/*')
    if (match && match.q > best.q) best = { type, q: match.q }
  }
  return best.type
}

export function sendCsv(reply: FastifyReply, fileName: string, content: string | Buffer): FastifyReply {
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .send(content)
}

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

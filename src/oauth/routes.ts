import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { createRateLimiter } from '../access/limits.ts'
import { isKept } from '../http/change.ts'
import { addressKey } from '../lib/address-key.ts'
import type { Clock } from '../lib/clock.ts'
import type { Lifetimes } from '../lib/lifetimes.ts'
import { LIMITS } from '../limits.ts'
import {
  documentHeaders,
  keptSeconds,
  OPENID_METADATA_PATH,
  RESOURCE_METADATA_PATH,
  SERVER_METADATA_PATH,
} from './documents.ts'
import { type Failure, failureOf, isForPeople, tellFailure } from './failures.ts'
import type { Pages } from './pages.ts'
import { PATHS } from './paths.ts'
import type { PendingRequests } from './pending-requests.ts'
import { scopesOfFlow } from './policy.ts'
import { pinRequest, refuseLongParameters } from './request.ts'
import type { ServiceTokens } from './service-token.ts'
import { clientIdOf, type TokenLimits } from './token-limits.ts'
import { type CountToken, clientNamed, endpointOf, grantOfForm, outcomeWord, type Trace } from './trace.ts'

/** The endpoints of OAuth and OpenID Connect, each passed to the library or answered here. */

interface EndpointDependencies {
  readonly baseUrl: string
  readonly clock: Clock
  readonly lifetimes: Lifetimes
  readonly pages: Pages
  readonly countToken?: CountToken | undefined
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  readonly pending: PendingRequests
  readonly trace: Trace
  readonly tokenLimits: TokenLimits
  readonly serviceTokens: ServiceTokens
}

const ADDRESSES_MAX = 10_000

export async function registerEndpoints(app: FastifyInstance, deps: EndpointDependencies): Promise<void> {
  const { baseUrl, lifetimes, trace, tokenLimits, serviceTokens } = deps
  const issuer = new URL(baseUrl)
  const basePath = issuer.pathname.replace(/\/$/, '')

  /** Reports a failure to the caller, the log and the metrics. */
  function refuse(request: FastifyRequest, reply: FastifyReply, failure: Failure, err?: unknown): FastifyReply {
    const path = pathOf(request)
    const endpoint = endpointOf(path)
    const { body, headers } = request
    const sent = Buffer.isBuffer(body) ? body.toString('latin1') : request.url.slice(path.length + 1)
    trace.answered(endpoint, failure.error)
    trace.failed({
      requestId: request.id,
      endpoint,
      error: failure.error,
      detail: failure.description,
      clientId: clientNamed(clientIdOf(new URLSearchParams(sent), headers.authorization)),
      ...(failure.status >= 500 ? { err } : {}),
    })
    const told = tellFailure(failure, { path, pages: deps.pages, requestId: request.id })
    return reply.code(failure.status).headers(told.headers).send(told.body)
  }

  /** Resolves when the library has finished the request, even if the client has disconnected. */
  async function answer(request: FastifyRequest, reply: FastifyReply, url = request.url): Promise<{ status: number }> {
    const { method, headers, ip } = request
    const body = Buffer.isBuffer(request.body) ? request.body : undefined
    const pinned = pinRequest({ method, url, headers, socket: request.raw.socket, ip, body }, issuer)
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    // No form-action: a form post answer goes to the application. The library adds the digest of its own script.
    reply.raw.setHeader(
      'content-security-policy',
      "default-src 'none'; script-src; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    )
    reply.raw.setHeader('x-content-type-options', 'nosniff')
    reply.raw.setHeader('referrer-policy', 'no-referrer')
    // RFC 6749 §5.1 requires it beside Cache-Control.
    if (request.method === 'POST') reply.raw.setHeader('pragma', 'no-cache')
    reply.hijack()
    try {
      await deps.pending.from(request.ip, () => deps.handle(pinned, reply.raw))
      return { status: reply.raw.statusCode }
    } catch (error) {
      // Failures were answered before; an error that reaches this code must not end the process.
      request.log.error({ request_id: request.id, err: error }, 'OAuth request failed')
      reply.raw.destroy()
      return { status: 500 }
    }
  }

  const limiter = createRateLimiter({ clock: deps.clock, bucketsMax: ADDRESSES_MAX })

  /** A pending request keeps a row until it expires, and anybody may begin one: limit their rate and their size. */
  const limited = {
    async onRequest(request: FastifyRequest): Promise<void> {
      limiter.take(addressKey(request.ip), LIMITS.rates.signInStartsPerSecond, 'sign-ins')
    },
    async preHandler({ url, body }: FastifyRequest): Promise<void> {
      const query = url.indexOf('?')
      if (query >= 0) refuseLongParameters(url.slice(query + 1))
      if (Buffer.isBuffer(body)) refuseLongParameters(body.toString('latin1'))
    },
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: LIMITS.requests.oauthBodyBytesMax },
      (_request, body, done) => done(null, body),
    )
    // Errors before the library handles the request use the OAuth error format.
    scope.setErrorHandler((error, request, reply) => {
      const failure = failureOf(error)
      if (pathOf(request) === PATHS.token) deps.countToken?.(grantOfForm(request.body), outcomeWord(failure.error))
      return refuse(request, reply, failure, error)
    })
    for (const path of [OPENID_METADATA_PATH, SERVER_METADATA_PATH]) {
      mount(scope, path, ['GET'])
      // RFC 8414 §3.1: for an issuer with a path, between the host and that path. A proxy forwards it unchanged.
      if (basePath !== '') mount(scope, path + basePath, ['GET'], { as: path })
    }
    mount(scope, PATHS.jwks, ['GET'])
    mount(scope, `${PATHS.authorization}/:uid`, ['GET'])
    mount(scope, PATHS.token, [], { elsewhere: ['POST'] })
    scope.post(PATHS.token, hidden, async (request, reply) => {
      const { headers, body } = request
      if (!Buffer.isBuffer(body)) {
        await answer(request, reply)
        return reply
      }
      if (headers['content-type'] === FORM_TYPE && headers.origin === undefined) {
        const issued = await serviceTokens.issue({ body, authorization: headers.authorization })
        if (issued) {
          deps.countToken?.('client_credentials', 'issued')
          trace.answered('token', 'ok')
          return reply.headers(TOKEN_HEADERS).send(issued)
        }
      }
      const reserved = await tokenLimits.reserve({ body, authorization: headers.authorization })
      const { status } = await answer(request, reply)
      if (status !== 200) reserved.giveBack()
      return reply
    })
    mount(scope, PATHS.device_authorization, ['POST'], limited)
    mount(scope, PATHS.revocation, ['POST'])
    mount(scope, PATHS.introspection, ['POST'])
    mount(scope, PATHS.pushed_authorization_request, ['POST'], limited)
    mount(scope, PATHS.userinfo, ['GET', 'POST'])
    mount(scope, PATHS.end_session, ['GET'], { elsewhere: ['POST'], ...limited })
    mount(scope, `${PATHS.end_session}/confirm`, ['POST'])
    mount(scope, `${PATHS.end_session}/success`, ['GET'])
    mount(scope, `${PATHS.code_verification}/:uid(^[\\w-]{43}$)`, ['GET'])
    mount(scope, PATHS.authorization, ['GET'], { elsewhere: ['POST'], ...limited })
    // OpenID Connect allows POST here. A browser sends our cookies with the GET that follows, not with a cross-site
    // POST.
    for (const path of [PATHS.authorization, PATHS.end_session]) {
      scope.post(path, { ...hidden, ...limited }, (request, reply) => {
        const query = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '')
        return reply.header('cache-control', 'no-store').redirect(`${basePath}${path}?${query}`, 303)
      })
    }
    const resource = {
      resource: baseUrl,
      authorization_servers: [baseUrl],
      scopes_supported: scopesOfFlow('clientCredentials'),
      bearer_methods_supported: ['header'],
      resource_name: 'Assay',
      resource_documentation: `${baseUrl}/docs`,
    }
    // RFC 9728 §3.1: as with the metadata of the server.
    for (const path of new Set([RESOURCE_METADATA_PATH, RESOURCE_METADATA_PATH + basePath])) {
      mount(scope, path, [], { elsewhere: ['GET', 'HEAD'], open: true })
      scope.get(path, hidden, (request, reply) => {
        trace.answered(endpointOf(path), 'ok')
        const headers = documentHeaders(resource, keptSeconds(lifetimes.signingKeyPublishedSeconds))
        reply.headers({ ...headers, 'access-control-allow-origin': '*' })
        return isKept(request.headers['if-none-match'], headers.etag) ? reply.code(304).send() : reply.send(resource)
      })
    }
  })

  function mount(
    scope: FastifyInstance,
    url: string,
    methods: HTTPMethods[],
    options: { elsewhere?: HTTPMethods[]; as?: string; open?: boolean } & Partial<typeof limited> = {},
  ): void {
    const { elsewhere = [], as, open = false, ...hooks } = options
    const served = [...methods, ...(methods.includes('GET') ? (['HEAD'] as const) : []), 'OPTIONS' as const]
    const allow = [...new Set([...served, ...elsewhere])].join(', ')
    const others = (['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const).filter(
      (method) => !served.includes(method) && !elsewhere.includes(method),
    )
    scope.route({
      method: served,
      url,
      ...hidden,
      ...hooks,
      async handler(request, reply) {
        // The library answers only preflight requests of browsers.
        const preflight = request.headers['access-control-request-method'] !== undefined && !isForPeople(url)
        if (request.method === 'OPTIONS' && (!preflight || open)) {
          const headers = { allow, ...(open ? FOR_EVERY_ORIGIN : {}) }
          return reply.code(204).headers(headers).send()
        }
        await answer(request, reply, as ?? request.url)
        return reply
      },
    })
    scope.route({
      method: [...others],
      url,
      ...hidden,
      config: { refuses: true },
      // Before the body is read: a wrong method is refused with any body.
      onRequest: async (request, reply) =>
        refuse(request, reply, {
          status: 405,
          headers: { allow },
          error: 'invalid_request',
          code: 'method_not_allowed',
          description: `use ${[...methods, ...elsewhere].filter((method) => method !== 'HEAD').join(' or ')}`,
        }),
      handler: () => undefined,
    })
  }
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? ''

const FORM_TYPE = 'application/x-www-form-urlencoded'
const TOKEN_HEADERS = {
  'cache-control': 'no-store',
  pragma: 'no-cache',
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
}

const FOR_EVERY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': '*',
  'access-control-max-age': '3600',
}

const hidden = { schema: { hide: true } as object }

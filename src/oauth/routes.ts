import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type Provider from 'oidc-provider'
import type { FindCaller } from '../access/caller.ts'
import { createRateLimiter } from '../access/limits.ts'
import type { Sql } from '../db/sql.ts'
import { isKept } from '../http/change.ts'
import { KEYS_CHANGED, OAUTH_CHANNEL } from '../identity/announce.ts'
import { type CountSignIn, createSignIn } from '../identity/people/sign-in.ts'
import { addressKey } from '../identity/people/throttle.ts'
import type { Afterwards } from '../lib/afterwards.ts'
import { type Clock, SECOND_MS } from '../lib/clock.ts'
import { DEFAULT_LIFETIMES, type Lifetimes } from '../lib/lifetimes.ts'
import type { Maybe } from '../lib/maybe.ts'
import type { PlaceOf } from '../lib/place.ts'
import type { Ring } from '../lib/seal.ts'
import { LIMITS } from '../limits.ts'
import type { Revoked, TokenRow } from './adapter.ts'
import { BEGINNINGS_BOUNDS, type BeginningsBounds, createBeginnings } from './beginnings.ts'
import { createClientMetadata } from './client-metadata.ts'
import { registerDevice } from './device-routes.ts'
import {
  documentHeaders,
  keptSeconds,
  OPENID_METADATA_PATH,
  RESOURCE_METADATA_PATH,
  SERVER_METADATA_PATH,
} from './documents.ts'
import { registerFactors } from './factor-routes.ts'
import { type Failure, failureOf, isForPeople, tellFailure } from './failures.ts'
import { registerInteractions } from './interaction-routes.ts'
import { createKeySetReader } from './key-set-reader.ts'
import { loadSigningKeys } from './keys.ts'
import type { Pages } from './pages.ts'
import { PATHS } from './paths.ts'
import { scopesOfFlow } from './policy.ts'
import { buildProvider } from './provider.ts'
import { purgeExpired } from './purge.ts'
import { pinRequest, refuseLongParameters } from './request.ts'
import { createSealer } from './seal.ts'
import { createServiceTokens } from './service-token.ts'
import { registerSessions, type Sessions } from './session-routes.ts'
import { createSignInDesk, type SignInDesk } from './sign-in-desk.ts'
import { type CountToken, errorWord, grantOfForm } from './token-count.ts'
import { clientIdOf, createTokenLimits } from './token-limits.ts'
import { createTokenWriter } from './token-writer.ts'
import { type CountOAuth, clientNamed, createTrace, endpointOf } from './trace.ts'
import { createTokenVerifier } from './verify.ts'

export interface OAuthDependencies {
  readonly sql: Sql
  readonly clock: Clock
  readonly baseUrl: string
  readonly ring: Ring
  readonly logger: FastifyBaseLogger
  readonly lifetimes?: Lifetimes
  readonly pages: Pages
  readonly beginnings?: BeginningsBounds
  /** What the organisation's plan allows each of its clients; absent, every client has the default. */
  readonly tokensPerMinuteOf?: (organisationId: string) => Maybe<number>
  readonly countToken?: CountToken | undefined
  readonly countOAuth?: CountOAuth | undefined
  /** Where an address is; absent, nobody knows. */
  readonly placeOf?: PlaceOf | undefined
  /** Whether this server can send mail. */
  readonly sendsMail?: boolean | undefined
  readonly countSignIn?: CountSignIn | undefined
  readonly afterwards?: Afterwards | undefined
}

export interface OAuth extends Sessions, Pick<SignInDesk, 'knowAgain'> {
  readonly findByToken: FindCaller
  readonly findTokenNow: FindCaller
  /** RFC 9728: for the WWW-Authenticate of refused requests. */
  readonly resourceMetadataUrl: string
  /** Looks every application and token up again, on this node, from now on. */
  forget(): void
  /** Deletes what has expired; also runs by itself now and then. */
  purge(): Promise<{ deleted: number }>
  close(): Promise<void>
}

/** How old a remembered answer may get: under the five seconds within which a revocation takes effect everywhere. */
const REMEMBERED_MS = 3 * SECOND_MS
const KEYS_POLL_MS = 2 * SECOND_MS
const ADDRESSES_MAX = 10_000

export async function registerOAuth(app: FastifyInstance, deps: OAuthDependencies): Promise<OAuth> {
  const { sql, clock, logger, baseUrl } = deps
  const issuer = new URL(baseUrl)
  const lifetimes = deps.lifetimes ?? DEFAULT_LIFETIMES
  const basePath = issuer.pathname.replace(/\/$/, '')
  const sealer = createSealer(deps.ring)
  const trace = createTrace({ logger, clock, count: deps.countOAuth })
  const readKeySet = createKeySetReader({ clock, allowLoopback: issuer.protocol === 'http:' })
  const verifier = createTokenVerifier({ sql, clock, ttlMs: REMEMBERED_MS, entriesMax: 50_000 })
  const clients = createClientMetadata({ sql, clock, ttlMs: REMEMBERED_MS, entriesMax: 10_000 })
  const signIn = createSignIn({ sql, clock, afterwards: deps.afterwards, countSignIn: deps.countSignIn })
  const desk = createSignInDesk({
    sql,
    ring: deps.ring,
    clock,
    signIn,
    baseUrl,
    sessionSeconds: lifetimes.sessionSeconds,
    placeOf: deps.placeOf,
    afterwards: deps.afterwards,
    countSignIn: deps.countSignIn,
    sendsMail: deps.sendsMail,
  })

  const beginnings = createBeginnings({ sql, clock, sealer, bounds: deps.beginnings ?? BEGINNINGS_BOUNDS })
  const tokenLimits = createTokenLimits({
    sql,
    clock,
    clients,
    accessTokenSeconds: lifetimes.accessTokenSeconds,
    tokensPerMinuteOf: deps.tokensPerMinuteOf,
  })
  const writeToken = createTokenWriter(sql)
  const insertToken = (row: TokenRow) =>
    row.kind === 'ClientCredentials' ? tokenLimits.countOwn(row.clientId, () => writeToken(row)) : writeToken(row)
  const serviceTokens = createServiceTokens({
    clients,
    clock,
    insertToken,
    accessTokenSeconds: lifetimes.accessTokenSeconds,
  })

  const records = {
    sql,
    clock,
    sealer,
    beginnings,
    insertToken,
    refreshGraceMs: lifetimes.refreshGraceSeconds * 1000,
    onReuse: trace.reused,
    onRevoked(revoked: Revoked) {
      verifier.forget(revoked)
      // Best effort: the other nodes look again within seconds anyway.
      sql
        .notify(OAUTH_CHANNEL, JSON.stringify(revoked))
        .catch((error) => logger.warn({ err: error }, 'revocation not announced'))
    },
  }

  async function build(): Promise<{ provider: Provider; handle: ReturnType<Provider['callback']>; version: string }> {
    const { jwks, version } = await loadSigningKeys(sql, sealer, clock.now())
    const provider = buildProvider({
      issuer: baseUrl,
      sql,
      clock,
      logger,
      lifetimes,
      records,
      clients,
      verifier,
      tokenLimits,
      pages: deps.pages,
      countToken: deps.countToken,
      trace,
      readKeySet,
      desk,
      cookieSigner: sealer.cookies,
      jwks,
    })
    return { provider, handle: provider.callback(), version }
  }

  let current = await build()

  async function followKeys(): Promise<void> {
    const { version } = await loadSigningKeys(sql, sealer, clock.now())
    if (version !== current.version) current = await build()
  }
  const followKeysSafely = () =>
    followKeys().catch((error) => logger.warn({ err: error }, 'the signing keys could not be read again'))

  const keysTimer = setInterval(followKeysSafely, KEYS_POLL_MS).unref()
  const stopListening = await sql.listen(OAUTH_CHANNEL, (payload) => {
    if (payload === KEYS_CHANGED) {
      void followKeysSafely()
      return
    }
    clients.forget()
    verifier.forget(parseRevoked(payload))
  })

  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    await answer(request, reply)
    return reply
  }

  /** Tells the caller of a failure, and the log and the metrics too. */
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

  /** Ends when the library is done with the request, also when nobody waits for the answer any more. */
  async function answer(request: FastifyRequest, reply: FastifyReply, url = request.url): Promise<{ status: number }> {
    const pinned = pinRequest(
      {
        method: request.method,
        url,
        headers: request.headers,
        socket: request.raw.socket,
        ip: request.ip,
        body: Buffer.isBuffer(request.body) ? request.body : undefined,
      },
      issuer,
    )
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    // No form-action: an answer by form post goes to the application. The library adds the digest of its own script.
    reply.raw.setHeader(
      'content-security-policy',
      "default-src 'none'; script-src; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    )
    reply.raw.setHeader('x-content-type-options', 'nosniff')
    reply.raw.setHeader('referrer-policy', 'no-referrer')
    // RFC 6749 §5.1 asks for it beside Cache-Control.
    if (request.method === 'POST') reply.raw.setHeader('pragma', 'no-cache')
    reply.hijack()
    try {
      await beginnings.from(request.ip, () => current.handle(pinned, reply.raw))
      return { status: reply.raw.statusCode }
    } catch (error) {
      // Failures are answered before; what reaches here must not end the process.
      request.log.error({ request_id: request.id, err: error }, 'OAuth request failed')
      reply.raw.destroy()
      return { status: 500 }
    }
  }

  const limiter = createRateLimiter({ clock, bucketsMax: ADDRESSES_MAX })

  /** What anybody may begin leaves a row until it expires: so many a second, and none of them long. */
  const limited = {
    async onRequest(request: FastifyRequest): Promise<void> {
      limiter.take(addressKey(request.ip), LIMITS.rates.beginningsPerSecond, 'beginnings')
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
    // Whatever is wrong before the library sees the request is said in its language.
    scope.setErrorHandler((error, request, reply) => {
      const failure = failureOf(error)
      if (pathOf(request) === PATHS.token) deps.countToken?.(grantOfForm(request.body), errorWord(failure.error))
      return refuse(request, reply, failure, error)
    })
    for (const path of [OPENID_METADATA_PATH, SERVER_METADATA_PATH]) {
      mount(scope, path, ['GET'])
      // RFC 8414 §3.1: of an issuer with a path, between the host and that path. A proxy sends it here as it is.
      if (basePath !== '') mount(scope, path + basePath, ['GET'], { as: path })
    }
    mount(scope, PATHS.jwks, ['GET'])
    mount(scope, `${PATHS.authorization}/:uid`, ['GET'])
    mount(scope, PATHS.token, [], { elsewhere: ['POST'] })
    scope.post(PATHS.token, hidden, async (request, reply) => {
      const { headers, body } = request
      if (!Buffer.isBuffer(body)) return serve(request, reply)
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
    // OpenID Connect allows POST here. A browser sends our cookies with the GET that follows, not with a foreign POST.
    for (const path of [PATHS.authorization, PATHS.end_session]) {
      scope.post(path, { ...hidden, ...limited }, (request, reply) => {
        const query = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : ''
        return reply
          .header('cache-control', 'no-store')
          .redirect(`${basePath}${path}?${new URLSearchParams(query)}`, 303)
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
    {
      elsewhere = [],
      as,
      open = false,
      ...hooks
    }: { elsewhere?: HTTPMethods[]; as?: string; open?: boolean } & Partial<typeof limited> = {},
  ): void {
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
        // The library answers only what a browser asks before it calls from another origin.
        const preflight = request.headers['access-control-request-method'] !== undefined && !isForPeople(url)
        if (request.method === 'OPTIONS' && (!preflight || open)) {
          return reply
            .code(204)
            .headers({ allow, ...(open ? FOR_EVERY_ORIGIN : {}) })
            .send()
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
      // Before the body is read: a wrong method is refused whatever it carries.
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

  registerInteractions(app, { sql, clock, sealer, desk, lifetimes, provider: () => current.provider })
  registerDevice(app, {
    sql,
    clock,
    sealer,
    desk,
    baseUrl,
    beginnings,
    lifetimes,
    placeOf: deps.placeOf,
    provider: () => current.provider,
  })
  const sessions = registerSessions(app, { sql, clock, sealer, desk, baseUrl })
  registerFactors(app, {
    sql,
    clock,
    ring: deps.ring,
    signIn,
    sessions,
    desk,
    baseUrl,
    sendsMail: deps.sendsMail ?? false,
  })

  return {
    ...sessions,
    knowAgain: desk.knowAgain,
    findByToken: verifier.find,
    findTokenNow: verifier.findNow,
    resourceMetadataUrl: `${baseUrl}${RESOURCE_METADATA_PATH}`,
    forget() {
      clients.forget()
      verifier.forget('all')
    },
    purge: () => purgeExpired(sql, clock.now()),
    async close() {
      clearInterval(keysTimer)
      await stopListening()
    },
  }
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? ''
}

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

/** What another node announced; anything not understood makes this one look everything up again. */
function parseRevoked(payload: string): Revoked | 'all' {
  try {
    const value: unknown = JSON.parse(payload)
    if (typeof value === 'object' && value !== null) {
      if ('digest' in value && typeof value.digest === 'string') return { digest: value.digest }
      if ('grant' in value && typeof value.grant === 'string') return { grant: value.grant }
      if ('client' in value && typeof value.client === 'string') return { client: value.client }
    }
  } catch {
    return 'all'
  }
  return 'all'
}

import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type preParsingHookHandler,
} from 'fastify'
import findMyWay from 'find-my-way'
import type { Caller } from '../access/caller.ts'
import { overloaded } from '../access/limits.ts'
import { malformedJson, PROBLEMS, Problem, type ProblemCode } from '../errors.ts'
import { type Clock, SECOND_MS, systemClock } from '../lib/clock.ts'
import { timedIdSeries } from '../lib/ids.ts'
import { readJsonText } from '../lib/json-text.ts'
import type { Maybe } from '../lib/maybe.ts'
import { LIMITS } from '../limits.ts'
import { browserHeaders } from './browser-headers.ts'
import { ambiguousHttp, closeSilent, rawProblem, refuseRaw } from './connection.ts'
import { type ConnectionLimits, limitConnections, type RefusedFor } from './connection-limits.ts'
import { allowOtherOrigins } from './cors.ts'
import { boundedJson, type JsonBounds, ordinaryJsonRefusal } from './json-bounds.ts'
import { problemPage, sendProblem } from './problem.ts'
import { trustedProxies } from './trusted-proxies.ts'
import { isHealth, type TurnLimits, takeTurns } from './turns.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The unparsed body, for digests. */
    rawBody: Buffer | undefined
    /** Brackets, commas, colons and strings in the body, if counted. */
    jsonMarks: number
    /** Set by the gate of the route. */
    caller: Caller | undefined
    /** The path template, if the path exists but not with this method. */
    pathFound: string | undefined
    /** The billing fields of a charged answer, as text. */
    billing: string | undefined
    problemCode: string | undefined
  }
  interface FastifyContextConfig {
    /** The route gets the bytes, to parse them on another thread or node. */
    jsonUnparsed?: true
    /** The route only answers that its methods are not allowed. */
    refuses?: true
  }
}

export interface HttpOptions {
  readonly baseUrl: string
  /** Trusted senders of X-Forwarded-For: all, none, or proxies at these addresses. */
  readonly trustProxy: boolean | string[]
  readonly logger: FastifyBaseLogger
  /** Request ids begin with its time; default the machine's. */
  readonly clock?: Pick<Clock, 'now'> | undefined
  /** True from the start of the shutdown: callers are asked to send their next request to another node. */
  readonly isLeaving: () => boolean
  /** True from the moment new requests are refused. */
  readonly isStopping: () => boolean
  /** Why requests other than for pages and health are refused; undefined while they are served. */
  readonly closedFor?: (() => Problem | undefined) | undefined
  readonly turns?: Partial<TurnLimits> | undefined
  readonly connections?: ConnectionLimits | undefined
  /** Called for every refused connection, for the metrics. */
  readonly onConnectionRefused?: ((reason: RefusedFor) => void) | undefined
  /** Sent to a browser that asks for a page at an unknown path. */
  readonly sendNotFoundPage?: (reply: FastifyReply) => FastifyReply
}

/** The bare server: request ids, JSON bodies, problems for every error, 405 with Allow. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const shownHeaders = browserHeaders(options.baseUrl)
  const { clock = systemClock } = options
  const newRequestId = timedIdSeries('req', () => clock.now())
  const isProxy = trustedProxies(options.trustProxy)
  const app = Fastify({
    // Longer parameters match nothing either; the default answers 500 to them.
    routerOptions: { maxParamLength: LIMITS.requests.pathParameterCharactersMax },
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    trustProxy: options.trustProxy === false ? false : isProxy,
    bodyLimit: LIMITS.requests.bodyBytesMax,
    // In progress at shutdown: answered here with a problem, not with the framework's own 503.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: true, allErrors: false } },
    clientErrorHandler(error, socket) {
      refuseRaw(error, socket, { ...options, newRequestId })
    },
    // Node's own refusal has no body; see ambiguousHttp.
    http: {
      requireHostHeader: false,
      headersTimeout: LIMITS.requests.headersSecondsMax * SECOND_MS,
      // The default looks for late headers every 30 s.
      connectionsCheckingInterval: SECOND_MS,
    },
    frameworkErrors(error, request, reply) {
      reply.headers(shownHeaders)
      reply.header('x-request-id', request.id)
      sendProblem(request, reply, error, options)
    },
  })

  // One logger for all: a child logger per request is expensive, and each line names its request. Fastify checks the
  // methods of a logger for every request if it comes from a childLoggerFactory.
  Object.assign(app.log, { child: () => app.log })
  // A client may close its sending side after the request. Node would then close the connection without the answer, and
  // the check would be charged. This setting of Node's server is missing in its types.
  Object.assign(app.server, { httpAllowHalfOpen: true })
  const turns = takeTurns(app.server, options.turns)
  const connections = limitConnections(app.server, {
    limits: options.connections,
    isProxy,
    rawAnswer: (problem) => rawProblem(problem, { baseUrl: options.baseUrl, requestId: newRequestId() }),
    logger: options.logger,
    onRefused: options.onConnectionRefused,
  })
  closeSilent(app)
  // Answers are built field by field, and tests hold them against their schemas: a serializer compiled from each schema
  // would only make the start a sixth slower.
  app.setSerializerCompiler(() => JSON.stringify)
  app.decorateRequest('rawBody', undefined).decorateRequest('caller', undefined).decorateRequest('pathFound', undefined)
  app.decorateRequest('jsonMarks', 0)
  app.decorateRequest('billing', undefined).decorateRequest('problemCode', undefined)
  app.decorateRequest('countedFor', undefined)
  // One plain call for all synchronous work: each further hook, and each promise, costs every request.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(shownHeaders).header('x-request-id', request.id)
    // Closing the connection with this answer avoids closing it during the next request.
    if (options.isLeaving()) reply.header('connection', 'close')
    // Before any refusal: a browser application must be able to read the error.
    if (allowOtherOrigins(request, reply)) return
    if (turns.isLate(request.raw)) return done(overloaded('The server is overloaded.'))
    if (options.isStopping() && !isHealth(request)) return done(shuttingDown())
    const closed = options.closedFor?.()
    if (closed && /^\/(v1|api|oauth)\//.test(request.url)) return done(closed)
    done(connections.begin(request) ?? ambiguousHttp(request.raw))
  })
  if (options.trustProxy !== false) {
    app.addHook('onResponse', (request, _reply, done) => {
      connections.end(request)
      done()
    })
  }
  // RFC 9110 §10.1.1 lets a server ignore an expectation it does not know; Node would answer without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  acceptJson(app)
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error, options))
  app.setNotFoundHandler((request, reply) => {
    if (options.sendNotFoundPage && wantsPage(request)) return options.sendNotFoundPage(reply)
    return sendProblem(request, reply, new Problem('not_found', { detail: 'There is nothing at this path.' }), options)
  })
  app.get<{ Params: { code: string } }>('/problems/:code', (request, reply) => {
    const { code } = request.params
    if (!Object.hasOwn(PROBLEMS, code)) throw new Problem('not_found', { detail: 'There is no such problem code.' })
    return reply.type('text/html; charset=utf-8').send(problemPage(code as ProblemCode))
  })
  return app
}

function shuttingDown(): Problem {
  return new Problem('shutting_down', {
    detail: 'This server is shutting down. Nothing was charged; try again to reach another server.',
    headers: { 'retry-after': '1' },
  })
}

/** Browsers accept text/html explicitly; under the API's own paths they get a problem too. */
function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' || /^\/(v1|api|oauth|\.well-known|assets)(\/|$)/.test(url)) return false
  return headers.accept?.includes('text/html') ?? false
}

function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    request.rawBody = bytes
    const refusal = request.jsonMarks > 0 ? undefined : ordinaryJsonRefusal(bytes)
    if (refusal) {
      done(refusal)
      return
    }
    if (request.routeOptions.config.jsonUnparsed) {
      done(null, bytes)
      return
    }
    // Some clients name the type of a body that they do not send.
    if (bytes.length === 0 && !request.routeOptions.schema?.body) {
      done(null, undefined)
      return
    }
    const json = readJsonText(bytes)
    if (json) done(null, json.value)
    else done(malformedJson())
  })
}

/** For a route with a larger limit: counts a JSON body on its way to the parser. */
export function countBody(bounds: JsonBounds): preParsingHookHandler {
  return (request, _reply, payload, done) => {
    const type = (request.headers['content-type'] ?? '').trim()
    if (!/^application\/json\s*(;|$)/i.test(type)) return done(null, payload)
    const counting = boundedJson(payload, bounds, request.routeOptions.bodyLimit, (marks) => {
      request.jsonMarks = marks
    })
    done(null, counting)
  }
}

/** Runs before the handler of each route that is added later. A hook would cost every request three functions. */
export function beforeHandlers(
  app: FastifyInstance,
  before: (request: FastifyRequest, reply: FastifyReply) => Maybe<void>,
) {
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function (request, reply) {
      const wait = before(request, reply)
      return wait instanceof Promise
        ? wait.then(() => handler.call(this, request, reply))
        : handler.call(this, request, reply)
    }
  })
}

/** Call first: answers 405 with `Allow` on every path that exists under another method. */
export function refuseOtherMethods(app: FastifyInstance): void {
  const methodsByPath = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.refuses) return
    const methods = methodsByPath.get(url) ?? new Set<string>()
    for (const one of [method].flat()) methods.add(one.toUpperCase())
    methodsByPath.set(url, methods)
  })
  // Built on first use: it would double the routes at every start.
  let paths: ReturnType<typeof pathsWith> | undefined
  // Before the body is read: a wrong method is refused with any body.
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.is404) return done()
    paths ??= pathsWith(methodsByPath)
    const found = paths.find('GET', request.url)?.store as Path | undefined
    if (!found) return done()
    request.pathFound = found.url
    const allow = [...found.methods].sort().join(', ')
    done(new Problem('method_not_allowed', { detail: `Use ${allow}.`, headers: { allow } }))
  })
}

interface Path {
  readonly url: string
  readonly methods: ReadonlySet<string>
}

/** The template of the requested path, for any method; `unmatched` if the path is unknown. */
export function routeOf({ routeOptions, pathFound }: Pick<FastifyRequest, 'routeOptions' | 'pathFound'>): string {
  return routeOptions.url ?? pathFound ?? 'unmatched'
}

/** Finds the methods of a path, for any request method. */
function pathsWith(methodsByPath: ReadonlyMap<string, Set<string>>) {
  const router = findMyWay({ maxParamLength: LIMITS.requests.pathParameterCharactersMax })
  for (const [url, methods] of methodsByPath) {
    if (!url.includes('*')) router.on('GET', url, () => undefined, { url, methods } satisfies Path)
  }
  return router
}

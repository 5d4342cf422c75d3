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
import { idSeries } from '../lib/ids.ts'
import { readJsonText } from '../lib/json-text.ts'
import { LIMITS } from '../limits.ts'
import { browserHeaders } from './browser-headers.ts'
import { ambiguousHttp, refuseRaw } from './connection.ts'
import { allowOtherOrigins } from './cors.ts'
import { boundedJson, type JsonBounds, ordinaryJsonRefusal } from './json-bounds.ts'
import { problemPage, sendProblem } from './problem.ts'
import { isHealth, type TurnLimits, takeTurns } from './turns.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, for digests over it. */
    rawBody: Buffer | undefined
    /** Brackets, commas, colons and strings in it, where they were counted. */
    jsonMarks: number
    /** Set by the gate of the route. */
    caller: Caller | undefined
    /** When the gate let it pass, by performance.now(). */
    passedAtMs?: number
    /** The template of its path, where that does not take its method. */
    pathFound: string | undefined
  }
  interface FastifyContextConfig {
    /** The route is given the bytes, to have them parsed elsewhere. */
    jsonUnparsed?: true
    /** The route only says that its methods are not allowed. */
    refuses?: true
  }
}

export interface HttpOptions {
  readonly baseUrl: string
  /** Whose X-Forwarded-For to believe: anybody's, nobody's, or that of proxies at these addresses. */
  readonly trustProxy: boolean | string[]
  readonly logger: FastifyBaseLogger
  /** True from the moment the server was told to stop: callers are asked to go elsewhere with their next request. */
  readonly isLeaving: () => boolean
  /** True from the moment new requests are refused. */
  readonly isStopping: () => boolean
  readonly turns?: TurnLimits | undefined
  /** Shown to a person whose browser asks for a page at a path where there is none. */
  readonly sendNotFoundPage?: (reply: FastifyReply) => FastifyReply
}

/** The bare server: request ids, JSON bodies, problems for everything that goes wrong, 405 with Allow. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  const shownHeaders = browserHeaders(options.baseUrl)
  const newRequestId = idSeries('req')
  const app = Fastify({
    // Longer ones name nothing either; the default answers 500 to them.
    routerOptions: { maxParamLength: LIMITS.requests.pathParameterCharactersMax },
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all: a child per request is dear, and lines name their request themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: newRequestId,
    trustProxy: options.trustProxy,
    bodyLimit: LIMITS.requests.bodyBytesMax,
    // Under way at shutdown: answered here with a problem, not with the framework's own 503.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: true, allErrors: false } },
    clientErrorHandler(error, socket) {
      refuseRaw(error, socket, { ...options, newRequestId })
    },
    // Node's own refusal has no body; see ambiguousHttp.
    http: { requireHostHeader: false },
    frameworkErrors(error, request, reply) {
      reply.headers(shownHeaders)
      reply.header('x-request-id', request.id)
      sendProblem(request, reply, error, options)
    },
  })

  const turns = takeTurns(app.server, options.turns)
  // Answers are built field by field, and tests hold them against their schemas: a serializer compiled from each schema
  // would add nothing but a sixth of the time to start.
  app.setSerializerCompiler(() => JSON.stringify)
  app.decorateRequest('rawBody', undefined)
  app.decorateRequest('jsonMarks', 0)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('passedAtMs', 0)
  app.decorateRequest('pathFound', undefined)
  // One plain call for everything that waits for nothing: each further hook, and each promise, costs every request.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(shownHeaders).header('x-request-id', request.id)
    // A connection that ends with an answer cannot be closed under the next request.
    if (options.isLeaving()) reply.header('connection', 'close')
    // Before anything is refused: a browser application is to be able to read why.
    if (allowOtherOrigins(request, reply)) return
    if (turns.isLate(request.raw)) return done(overloaded('The server has more to do than it can.'))
    if (options.isStopping() && !isHealth(request)) return done(shuttingDown())
    done(ambiguousHttp(request.raw))
  })
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
    detail: 'This server is shutting down. Nothing was charged; try again, another will answer.',
    headers: { 'retry-after': '1' },
  })
}

/** Browsers ask for text/html by name; under the API's own paths even they get a problem. */
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
    const json = readJsonText(bytes)
    if (json) done(null, json.value)
    else done(malformedJson())
  })
}

/** For a route whose bodies may hold more than others: counts a JSON body on its way to the parser. */
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

/** To be called first: answers 405 with `Allow` on every path that exists under another method. */
export function refuseOtherMethods(app: FastifyInstance): void {
  const methodsByPath = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.refuses) return
    const methods = methodsByPath.get(url) ?? new Set<string>()
    for (const one of [method].flat()) methods.add(one.toUpperCase())
    methodsByPath.set(url, methods)
  })
  // Built when somebody needs it: every start would pay for as many routes again.
  let paths: ReturnType<typeof pathsWith> | undefined
  // Before the body is read: a wrong method is refused whatever it carries.
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

/** The template of the path that was asked for, whether or not it takes the method; `unmatched` for none of ours. */
export function routeOf({ routeOptions, pathFound }: Pick<FastifyRequest, 'routeOptions' | 'pathFound'>): string {
  return routeOptions.url ?? pathFound ?? 'unmatched'
}

/** Finds what methods a path has, whatever the method of the request. */
function pathsWith(methodsByPath: ReadonlyMap<string, Set<string>>) {
  const router = findMyWay({ maxParamLength: LIMITS.requests.pathParameterCharactersMax })
  for (const [url, methods] of methodsByPath) {
    if (!url.includes('*')) router.on('GET', url, () => undefined, { url, methods } satisfies Path)
  }
  return router
}

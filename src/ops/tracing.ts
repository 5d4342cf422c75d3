/**
 * Traces for an OpenTelemetry collector. The packages are loaded only when the operator configures a collector.
 *
 *  1. A span contains routes, kinds, numbers and our ids; never an indicator, an address of a caller, a secret, or the
 *     message of an error, which may quote one.
 *  2. A slow or unreachable collector costs only spans: the queue is limited, and spans without room are dropped. The
 *     log says once that the collector is unreachable, and once that it is back.
 *  3. A caller's `traceparent` is continued if it has the form of W3C Trace Context; anything else is ignored.
 */
import type { Context, Span, SpanOptions } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TraceSampler } from '../lib/trace-samplers.ts'
import { currentTrace, type TraceContext } from './trace-context.ts'

export interface TracingSettings {
  /** The address that spans are sent to: OTLP over HTTP, as JSON. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Attributes of this service from the operator, in addition to its name and version. */
  readonly resource: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly sampler: TraceSampler
  /** For the samplers that end in `traceidratio`. */
  readonly ratio: number
}

type Attributes = Readonly<Record<string, string | number | boolean>>

export type Tracing = Awaited<ReturnType<typeof openTracing>>

interface CurrentSpan extends TraceContext {
  readonly context: Context
}

interface Logger {
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
}

const QUEUE_MAX = 2048
const BATCH_MAX = 512
const SEND_EVERY_MS = 5000
const SEND_MS_MAX = 5000
const ATTRIBUTE_CHARACTERS_MAX = 256

export async function openTracing(
  settings: TracingSettings,
  { version, logger }: { readonly version: string; readonly logger: Logger },
) {
  const [{ ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: SEND_MS_MAX,
  })
  let away = false
  const telling: InstanceType<typeof OTLPTraceExporter>['export'] = (spans, done) =>
    exporter.export(spans, (result) => {
      const failed = result.code !== 0
      if (failed && !away)
        logger.warn({ err: result.error }, 'traces cannot be sent; the service continues without them')
      if (!failed && away) logger.info({}, 'traces can be sent again')
      away = failed
      // Already reported here: the library would write the same to the console, each time.
      done({ code: 0 })
    })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      ...settings.resource,
      'service.name': settings.serviceName,
      'service.version': version,
    }),
    sampler: samplerOf(),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_CHARACTERS_MAX, attributeCountLimit: 32, eventCountLimit: 0 },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: { export: telling, shutdown: () => exporter.shutdown(), forceFlush: () => exporter.forceFlush() },
        maxQueueSize: QUEUE_MAX,
        maxExportBatchSize: BATCH_MAX,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_MS_MAX,
      }),
    ],
  })
  const tracer = provider.getTracer('assay', version)

  function samplerOf() {
    const { sampler, ratio } = settings
    const root = sampler.endsWith('always_off')
      ? new sdk.AlwaysOffSampler()
      : sampler.endsWith('traceidratio')
        ? new sdk.TraceIdRatioBasedSampler(ratio)
        : new sdk.AlwaysOnSampler()
    return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root
  }

  function begin(name: string, options: SpanOptions, parent = currentContext()): { span: Span; current: CurrentSpan } {
    const span = tracer.startSpan(name, options, parent)
    const { traceId, spanId } = span.spanContext()
    return { span, current: { traceId, spanId, context: trace.setSpan(ROOT_CONTEXT, span) } }
  }

  const currentContext = () => (currentTrace.getStore() as CurrentSpan | undefined)?.context ?? ROOT_CONTEXT

  async function ending<T>(span: Span, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown')
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }

  /** The caller's span, if its header is one that we may continue. */
  function callersContext(header: unknown): Context {
    const [, traceId, spanId, flags] = (typeof header === 'string' && TRACEPARENT.exec(header)) || []
    if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return ROOT_CONTEXT
    const traceFlags = Number.parseInt(flags, 16) & 1
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
  }

  return {
    /** Runs `fn` in a span below the current one; the span ends when `fn` is done. */
    span<T>(name: string, attributes: Attributes, fn: () => Promise<T>): Promise<T> {
      const { span, current } = begin(name, { attributes })
      return ending(span, currentTrace.run(current, fn))
    },
    /** Like span, for work that is often done synchronously: then there is no span. */
    wait<T extends object>(name: string, attributes: Attributes, fn: () => T | Promise<T>): T | Promise<T> {
      const startTime = new Date()
      const answer = fn()
      if (!(answer instanceof Promise)) return answer
      return ending(begin(name, { attributes, startTime }).span, answer)
    },
    /** A span for each request from now on. `within` runs a function as part of a request. */
    traceRequests(app: FastifyInstance) {
      const spans = new WeakMap<object, ReturnType<typeof begin>>()
      const within = ({ raw }: FastifyRequest, fn: () => void): void => {
        const begun = spans.get(raw)
        if (begun) currentTrace.run(begun.current, fn)
        else fn()
      }
      app.addHook('onRequest', (request, _reply, done) => {
        const { method, headers, routeOptions } = request
        const route = routeOptions.url ?? 'unmatched'
        if (route === '/livez' || route === '/readyz') return done()
        const attributes = { 'http.request.method': method, 'http.route': route, 'assay.request_id': request.id }
        const options = { kind: SpanKind.SERVER, attributes }
        spans.set(request.raw, begin(`${method} ${route}`, options, callersContext(headers.traceparent)))
        within(request, done)
      })
      // Set the trace again: after reading a body Node has lost it.
      app.addHook('preHandler', (request, _reply, done) => within(request, done))
      app.addHook('onResponse', (request, reply, done) => {
        const span = spans.get(request.raw)?.span
        if (span) {
          span.setAttribute('http.response.status_code', reply.statusCode)
          const { caller, pathFound } = request as {
            caller?: { readonly organisationId: string } | undefined
            pathFound?: string | undefined
          }
          if (pathFound !== undefined) span.setAttribute('http.route', pathFound)
          if (caller) span.setAttribute('assay.organisation_id', caller.organisationId)
          if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        }
        done()
      })
      return { within }
    },
    /** Headers with which another service of ours continues the trace. */
    headers(): Record<string, string> {
      const span = trace.getSpan(currentContext())?.spanContext()
      if (!span) return {}
      return { traceparent: `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}` }
    },
    async close() {
      // The exporter itself reports a collector that it could not reach.
      await provider.shutdown().catch(() => {})
    },
  }
}

/** W3C Trace Context: the only version. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

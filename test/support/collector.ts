import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An OpenTelemetry collector on loopback: accepts OTLP over HTTP as JSON, and stores everything it receives. */
interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly status: { readonly code: number }
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface Collector {
  readonly url: string
  spans(): readonly ReceivedSpan[]
  /** Everything it received, headers included, to search for data that must not be there. */
  text(): string
  resource(): Readonly<Record<string, unknown>>
  close(): Promise<void>
}

type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> }
type Span = Omit<ReceivedSpan, 'attributes'> & { readonly attributes: readonly Attribute[] }
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  }[]
}

export async function startCollector(): Promise<Collector> {
  const received: { readonly headers: string; readonly body: string }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({ headers: JSON.stringify(request.headers), body: Buffer.concat(chunks).toString() })
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sent = () => received.flatMap(({ body }) => (JSON.parse(body) as Sent).resourceSpans)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => received.map(({ headers, body }) => headers + body).join('\n'),
    resource: () => plain(sent()[0]?.resource.attributes ?? []),
    spans: () =>
      sent()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map((span) => ({ ...span, attributes: plain(span.attributes) })),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function plain(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

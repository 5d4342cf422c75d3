import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The fault of a request:
 * `pass` it on; answer with a status instead; `cut` the connection before the server sees it; or `lose` the answer
 * after the server sent it, the case in which a careless client pays twice.
 */
export type Fault = 'pass' | 'cut' | 'lose' | { readonly status: number; readonly headers?: Record<string, string> }

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  readonly body: string
  readonly number: number
}

export interface FaultProxy {
  readonly url: string
  readonly requests: readonly SeenRequest[]
  close(): Promise<void>
}

/** A real HTTP server between a client and the service, with faults on demand. */
export async function startFaultProxy(
  target: string,
  faultOf: (request: SeenRequest) => Fault | Promise<Fault>,
): Promise<FaultProxy> {
  const requests: SeenRequest[] = []
  const server = createServer((incoming, outgoing) => {
    // The client may close in the middle of its request, the service in the middle of its answer: cut the connection.
    passOn(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  // Never cut an idle connection: clients would count a failure that no test requested.
  server.keepAliveTimeout = 0

  async function passOn(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await readBody(incoming)
    const request: SeenRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      key: header(incoming, 'idempotency-key'),
      body: body.toString(),
      number: requests.length,
    }
    requests.push(request)
    const fault = await faultOf(request)
    if (fault === 'cut') {
      incoming.socket.destroy()
      return
    }
    if (typeof fault === 'object') {
      outgoing.writeHead(fault.status, fault.headers ?? {}).end()
      return
    }
    const headers = new Headers()
    for (const name of ['content-type', 'x-api-key', 'authorization', 'idempotency-key', 'accept']) {
      const value = header(incoming, name)
      if (value !== undefined) headers.set(name, value)
    }
    const answer = await fetch(`${target}${incoming.url}`, {
      method: request.method,
      headers,
      redirect: 'manual',
      ...(body.length > 0 ? { body } : {}),
    })
    const text = await answer.text()
    if (fault === 'lose') {
      incoming.socket.destroy()
      return
    }
    const answerHeaders = Object.fromEntries(answer.headers)
    delete answerHeaders['content-length']
    delete answerHeaders['content-encoding']
    delete answerHeaders['transfer-encoding']
    delete answerHeaders.connection
    outgoing.writeHead(answer.status, answerHeaders).end(text)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function header(message: IncomingMessage, name: string): string | undefined {
  const value = message.headers[name]
  return Array.isArray(value) ? value[0] : value
}

async function readBody(message: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

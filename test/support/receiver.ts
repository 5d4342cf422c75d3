import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A receiver of webhooks on this machine. It answers 200 unless a test says otherwise. */
export interface Receiver {
  readonly url: string
  readonly received: { readonly body: string; readonly headers: IncomingHttpHeaders }[]
  /** A status with headers; `hang`: never answers. */
  answer: { readonly status: number; readonly headers?: Record<string, string>; readonly text?: string } | 'hang'
  /** Ends every connection: attempts that hang fail. */
  hangUp(): void
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      receiver.received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers })
      const { answer } = receiver
      if (answer !== 'hang') response.writeHead(answer.status, answer.headers).end(answer.text ?? 'thanks')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: { status: 200 },
    hangUp: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

export interface Balancer {
  readonly url: string
  /** The nodes to poll, as they are started and stopped. */
  readonly nodes: Set<string>
  /** The nodes that were ready at the last poll. */
  readonly ready: ReadonlySet<string>
  close(): Promise<void>
}

const LOOK_MS = 50
const WAITS_MAX = 2000

/**
 * A small load balancer, as operators put in front of the nodes: it reads /readyz, passes each request to the next
 * ready node, and retries nothing. The caller sees every failure of a node.
 */
export async function startBalancer(): Promise<Balancer> {
  const nodes = new Set<string>()
  const ready = new Set<string>()
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  let closed = false

  const look = (node: string): Promise<boolean> =>
    new Promise((resolve) => {
      const asked = get(`${node}/readyz`, { timeout: 1000, agent: false }, (answer) => {
        answer.resume()
        resolve(answer.statusCode === 200)
      })
      asked.on('timeout', () => asked.destroy())
      asked.on('error', () => resolve(false))
    })
  const watching = (async () => {
    while (!closed) {
      await Promise.all(
        [...nodes].map(async (node) => {
          if (await look(node)) ready.add(node)
          else ready.delete(node)
        }),
      )
      for (const node of ready) if (!nodes.has(node)) ready.delete(node)
      await delay(LOOK_MS)
    }
  })()

  async function nextNode(): Promise<string> {
    for (let waits = 0; waits < WAITS_MAX; waits++) {
      const candidates = [...ready]
      const node = candidates[turn++ % candidates.length]
      if (node !== undefined) return node
      await delay(5)
    }
    throw new Error('no node was ready for a long time')
  }

  async function passOn(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const node = await nextNode()
    const { host: _, connection: __, ...headers } = incoming.headers
    const onward = request(`${node}${incoming.url}`, { method: incoming.method ?? 'GET', headers, agent }, (answer) => {
      const { connection: ___, 'keep-alive': ____, ...answerHeaders } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, answerHeaders)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }

  const server = createServer((incoming, outgoing) => {
    passOn(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nodes,
    ready,
    async close() {
      closed = true
      await watching
      agent.destroy()
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
    },
  }
}

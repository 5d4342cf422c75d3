import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLogger } from '../ops/logging.ts'
import { addressesOf, listenOn } from './listen.ts'
import { createHttpServer } from './server.ts'

let app: ReturnType<typeof createHttpServer>
beforeEach(() => {
  app = createHttpServer({
    baseUrl: 'http://localhost',
    trustProxy: false,
    logger: createLogger({ level: 'silent', out: { write: () => {} } }),
    connections: { addressMax: 1, max: 10 },
    isLeaving: () => false,
    isStopping: () => false,
  })
  app.get('/one', () => 'one')
})
afterEach(() => app.close())

/** Everything the server says to a client that closes its sending side. */
async function say(host: string, port: number, text: string): Promise<string> {
  const socket = connect({ host, port, localAddress: host, allowHalfOpen: true })
  let said = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    said += chunk
  })
  socket.on('error', () => {}).end(text)
  await once(socket, 'close')
  return said
}

const REQUEST = 'GET /one HTTP/1.1\r\nHost: x\r\n\r\n'

it('opens one server on every address, with its limits and refusals', async () => {
  const { port, close } = await listenOn(app, ['127.0.0.1', '127.0.0.2'], 0)
  for (const host of ['127.0.0.1', '127.0.0.2']) {
    await expect.poll(() => say(host, port, REQUEST)).toMatch(/^HTTP\/1\.1 200 .*one$/s)
    await expect.poll(() => say(host, port, 'NONSENSE\r\n\r\n')).toContain('"code":"invalid_header"')
    const held = connect({ host, port, localAddress: host })
    await once(held, 'connect')
    await expect.poll(() => say(host, port, '')).toContain(' 429 ')
    held.destroy()
  }
  await close()
})

it('leaves out an address that the machine lacks', async () => {
  const { port, close } = await listenOn(app, ['127.0.0.1', '192.0.2.1'], 0)
  expect(await say('127.0.0.1', port, REQUEST)).toContain(' 200 ')
  await close()
})

it('knows the addresses of names and of addresses, each once', async () => {
  expect(await addressesOf('127.0.0.1')).toEqual(['127.0.0.1'])
  const [first, ...others] = await addressesOf('localhost')
  expect(first).toBe('127.0.0.1')
  expect(others.filter((address) => address !== '::1')).toEqual([])
})

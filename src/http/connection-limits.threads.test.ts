import { connect, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { FULL } from '../../test/support/full.ts'
import { createLogger } from '../ops/logging.ts'
import { createHttpServer, type HttpOptions } from './server.ts'

const sockets: Socket[] = []
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const close of closers.splice(0)) await close()
})

async function start(options: Pick<HttpOptions, 'connections'> & Partial<HttpOptions>) {
  const lines: string[] = []
  const refused: string[] = []
  const released = Promise.withResolvers<void>()
  const app = createHttpServer({
    baseUrl: 'http://localhost',
    trustProxy: false,
    logger: createLogger({ level: 'warn', out: { write: (line) => lines.push(line) } }),
    isLeaving: () => false,
    isStopping: () => false,
    onConnectionRefused: (reason) => refused.push(reason),
    ...options,
  })
  app.get('/quick', async () => 'quick')
  app.get('/slow', async () => {
    await released.promise
    return 'slow'
  })
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  closers.push(async () => {
    released.resolve()
    await app.close()
  })
  const held = () =>
    new Promise<number>((resolve) => {
      app.server.getConnections((_error, count) => resolve(count))
    })
  return { app, port, held, refused, release: released.resolve, logged: () => lines.map((line) => JSON.parse(line)) }
}

/** A connection that has sent `text`; `said` is what came back. */
function open(port: number, text: string, { allowHalfOpen = false } = {}) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen })
  sockets.push(socket)
  const line = { socket, said: '', closed: new Promise((resolve) => socket.once('close', resolve)) }
  socket.setEncoding('utf8').on('error', () => {})
  socket.on('data', (chunk) => {
    line.said += chunk
  })
  socket.write(text)
  return line
}

const SLOW_HEADERS = 'GET /quick HTTP/1.1\r\nHost: x\r\n'
const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`
const forwarded = (path: string, address: string) => get(path, `X-Forwarded-For: ${address}\r\n`)

it('one address gets so many connections, and the next are told why and closed', async () => {
  const server = await start({ connections: { addressMax: 3, max: 100 } })
  const first = Array.from({ length: 3 }, () => open(server.port, SLOW_HEADERS))
  await expect.poll(server.held).toBe(3)
  for (let count = 0; count < 20; count++) {
    const next = open(server.port, '')
    await next.closed
    expect(next.said).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/)
    expect(next.said).toMatch(/retry-after: 1\r\n/)
    expect(next.said).toContain('One address may have 3 connections at a time')
  }
  expect(await server.held()).toBe(3)
  expect(server.refused).toEqual(Array(20).fill('address'))
  expect(server.logged()).toMatchObject([{ level: 'warn', address: '127.0.0.1', connections: 1 }])
  expect(server.logged()[0].msg).toContain('ASSAY_TRUST_PROXY')
  first[0]!.socket.destroy()
  await expect.poll(server.held).toBe(2)
  const admitted = open(server.port, get('/quick'))
  await admitted.closed
  expect(admitted.said).toContain('quick')
})

it('all together get so many, and the next are told to come again', async () => {
  const server = await start({ connections: { addressMax: 100, max: 2 } })
  open(server.port, SLOW_HEADERS)
  open(server.port, SLOW_HEADERS)
  await expect.poll(server.held).toBe(2)
  const next = open(server.port, '')
  await next.closed
  expect(next.said).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
  expect(next.said).toContain('"code":"overloaded"')
  expect(server.refused).toEqual(['all'])
  expect(server.logged()[0].msg).toContain('open files')
})

it('behind a trusted proxy the requests in progress of a forwarded address count, not connections', async () => {
  const server = await start({ trustProxy: ['127.0.0.0/8', '::1/128'], connections: { addressMax: 2, max: 100 } })
  const ask = async (text: string) => {
    const line = open(server.port, text)
    await line.closed
    return Number(/^HTTP\/1\.1 (\d+)/.exec(line.said)?.[1])
  }
  const slow = Array.from({ length: 2 }, () => open(server.port, forwarded('/slow', '203.0.113.9')))
  for (let count = 0; count < 5; count++) open(server.port, SLOW_HEADERS)
  await expect.poll(server.held).toBe(7)
  await expect.poll(() => ask(forwarded('/quick', '203.0.113.9'))).toBe(429)
  expect(await ask(forwarded('/quick', '203.0.113.10'))).toBe(200)
  expect(await ask(get('/quick'))).toBe(200)
  // A broken connection and an answer both make room; a refusal leaves the count as it was.
  slow[0]!.socket.resetAndDestroy()
  await expect.poll(() => ask(forwarded('/quick', '203.0.113.9'))).toBe(200)
  expect(await ask(forwarded('/quick', '203.0.113.9'))).toBe(200)
  server.release()
  await slow[1]!.closed
  expect(slow[1]!.said).toContain('slow')
  expect(server.logged()[0]).toMatchObject({ address: '203.0.113.9' })
})

it('addresses that are not the proxy’s cannot choose theirs', async () => {
  const server = await start({ trustProxy: ['10.0.0.0/8', '2001:db8::1'], connections: { addressMax: 1, max: 100 } })
  open(server.port, SLOW_HEADERS)
  await expect.poll(server.held).toBe(1)
  const next = open(server.port, '')
  await next.closed
  expect(next.said).toContain(' 429 ')
})

it.runIf(FULL)(
  'of 1,500 connections with slow headers 500 are held, for ten seconds',
  { timeout: 60_000 },
  async () => {
    const server = await start({ connections: undefined })
    const lines = Array.from({ length: 1500 }, () => open(server.port, SLOW_HEADERS))
    await expect.poll(() => server.refused.length, { timeout: 20_000 }).toBe(1000)
    expect(await server.held()).toBe(500)
    await expect.poll(server.held, { timeout: 30_000 }).toBe(0)
    await Promise.all(lines.map(({ closed }) => closed))
    expect(lines.filter(({ said }) => said.includes('did not arrive in time'))).toHaveLength(500)
  },
)

it.runIf(FULL)(
  'a caller who never closes its side does not hold a refused connection',
  { timeout: 30_000 },
  async () => {
    const server = await start({ connections: undefined })
    const line = open(server.port, 'NONSENSE\r\n\r\n', { allowHalfOpen: true })
    await expect.poll(() => line.said).toContain('not valid HTTP')
    await expect.poll(server.held, { timeout: 10_000 }).toBe(0)
  },
)

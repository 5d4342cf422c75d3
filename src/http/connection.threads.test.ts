import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../ops/logging.ts'
import { createHttpServer, type HttpOptions, refuseOtherMethods, routeOf } from './server.ts'
import { trackUnderWay } from './under-way.ts'

/** The rules of HTTP for a connection, tested through a bare socket. */
describe('a connection', () => {
  const lines: string[] = []
  const logger = createLogger({ level: 'info', out: { write: (line) => lines.push(line) } })
  const serverWith = (options: Pick<HttpOptions, 'turns'> = {}) =>
    createHttpServer({
      baseUrl: 'http://localhost',
      trustProxy: false,
      logger,
      isLeaving: () => false,
      isStopping: () => false,
      ...options,
    })
  const app = serverWith()
  refuseOtherMethods(app)
  trackUnderWay(app)
  let port = 0
  let reached = Promise.withResolvers<void>()
  let released = Promise.withResolvers<void>()

  const routes: string[] = []
  beforeAll(async () => {
    app.addHook('onResponse', async (request) => void routes.push(routeOf(request)))
    app.get('/slow', async () => {
      reached.resolve()
      await released.promise
      return { answer: 'slow' }
    })
    app.get('/things/:id', () => 'one')
    app.post('/things/own', () => 'own')
    app.post('/echo', async (request) => ({ answer: 'echo', body: request.body }))
    port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  })
  afterAll(() => app.close())

  it('over which nothing was ever sent does not hold the end of the server', async () => {
    const other = serverWith()
    const { port: at } = new URL(await other.listen({ host: '127.0.0.1', port: 0 }))
    const accepted = once(other.server, 'connection')
    const socket = connect(Number(at), '127.0.0.1')
    const closed = once(socket, 'close')
    await accepted
    await other.close()
    await closed
  })

  /** Everything the server says until it closes the connection. */
  async function say(
    text: string,
    then?: (write: (more: string) => void) => Promise<void>,
    at: number = port,
  ): Promise<string> {
    const socket = connect(at, '127.0.0.1')
    let said = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      said += chunk
    })
    const closed = once(socket, 'close')
    socket.write(text)
    await then?.((more) => socket.write(more))
    await closed
    return said
  }

  const statuses = (said: string) => [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)

  it('refuses what is no HTTP after requests that still wait for their turn', async () => {
    const one = serverWith({ turns: { requestsPerTurn: 1, waitMsMax: 60_000 } })
    trackUnderWay(one)
    one.get('/quick', async () => ({ answer: 'quick' }))
    const address = new URL(await one.listen({ host: '127.0.0.1', port: 0 }))
    const request = 'GET /quick HTTP/1.1\r\nHost: x\r\n\r\n'
    const said = await say(`${request.repeat(3)}NONSENSE\r\n\r\n`, undefined, Number(address.port))
    expect(statuses(said)).toEqual(['200', '200', '200', '400'])
    await one.close()
  })

  it('answers a client that closes its sending side after the request', async () => {
    reached = Promise.withResolvers()
    released = Promise.withResolvers()
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.end('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await Promise.all([once(socket, 'finish'), reached.promise])
    // The server has read the end of the stream when it has answered a request that came after it.
    await say('GET /things/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    released.resolve()
    const said = (await socket.toArray()).join('')
    expect(statuses(said)).toEqual(['200'])
    expect(said).toContain('{"answer":"slow"}')
  })

  it.each([
    ['two Host headers', 'Host: x\r\nHost: y', '400'],
    ['no Host header', 'X-Other: x', '400'],
  ])('says nothing more when the body of a request with %s breaks', async (_what, headers, status) => {
    const head = `POST /echo HTTP/1.1\r\n${headers}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    expect(statuses(await say(`${head}NOT A CHUNK\r\n`))).toEqual([status])
  })

  it('refuses what is no HTTP after the answers to what came before it, not in their place', async () => {
    reached = Promise.withResolvers()
    released = Promise.withResolvers()
    const said = await say('GET /slow HTTP/1.1\r\nHost: x\r\n\r\nNONSENSE\r\n\r\n', async (write) => {
      await reached.promise
      // A second piece makes Node tell of the same fault again.
      write('MORE\r\n\r\n')
      released.resolve()
    })
    expect(statuses(said)).toEqual(['200', '400'])
    expect(said.indexOf('slow')).toBeLessThan(said.indexOf('not valid HTTP'))
  })

  it('refuses a request whose body breaks, and does not wait for its end', async () => {
    const head =
      'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    const said = await say(`${head}2\r\n{}\r\nnonsense\r\n`)
    expect(statuses(said)).toEqual(['400'])
    expect(said).toMatch(/x-request-id: req_\w+\r\n/i)
  })

  it('says nothing more when the body of a request breaks that was refused already', async () => {
    const head = 'DELETE /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
    const socket = connect(port, '127.0.0.1')
    let said = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      said += chunk
    })
    const closed = once(socket, 'close')
    socket.write(head)
    await once(socket, 'data')
    socket.write('nonsense\r\n')
    await closed
    expect(statuses(said)).toEqual(['405'])
  })

  it.each([
    ['no Host', 'GET /slow HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 'GET /slow HTTP/1.1\r\nHost: x\r\nHOST: y\r\nConnection: close\r\n\r\n'],
    [
      'chunks from HTTP/1.0',
      'POST /echo HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('answers 400 to %s', async (_what, request) => {
    const said = await say(request)
    expect(statuses(said)).toEqual(['400'])
    expect(said).toContain('"code":"invalid_header"')
  })

  it('answers a request with an expectation it does not know', async () => {
    const said = await say(
      'POST /echo HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    )
    expect(statuses(said)).toEqual(['200'])
  })

  it.each([
    ['QUERY', '/slow', '405'],
    ['TRACE', '/slow', '405'],
    ['QUERY', '/nowhere', '415'],
    ['DELETE', '/things/a%2Fb?c=/slow', '405'],
    ['PROPFIND', '/things/1', '405'],
    ['PUT', '/things/1/2', '404'],
    ['DELETE', '/things/own', '405'],
  ])('answers %s %s with %s', async (method, path, status) => {
    routes.length = 0
    expect(statuses(await say(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`))).toEqual([status])
    // Its log line and its metric. The answer may come first.
    const route = status !== '405' ? 'unmatched' : path.replace(/(?<=^\/things\/)(?!own).*/, ':id')
    await expect.poll(() => routes).toEqual([route])
  })

  it('names its id when the path cannot be read', async () => {
    const said = await say('GET /%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(statuses(said)).toEqual(['404'])
    const [, id] = /x-request-id: (req_\w+)/.exec(said) ?? []
    expect(said).toContain(`"instance":"${id}"`)
  })

  it('that ends in the middle of a body is no error of the server', async () => {
    lines.length = 0
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{')
    const next = say('POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await next
    socket.resetAndDestroy()
    await expect.poll(() => app.server.listening && connections()).toBe(0)
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })

  const connections = () =>
    new Promise<number>((resolve) => {
      app.server.getConnections((_error, count) => resolve(count))
    })
})

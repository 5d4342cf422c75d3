import { connect } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trackUnderWay } from './under-way.ts'

describe('pending requests', () => {
  const app = Fastify()
  const underWay = trackUnderWay(app)
  let url: URL
  let reached = () => {}
  let answer = () => {}

  beforeAll(async () => {
    app.get('/plain', async () => 'ok')
    app.get('/fails', async () => {
      throw new Error('on purpose')
    })
    app.get('/by-hand', (_request, reply) => {
      reply.hijack()
      reply.raw.end('ok')
    })
    app.get('/slow', async () => {
      reached()
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return 'ok'
    })
    url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  })
  afterAll(() => app.close())

  const get = (path: string) => fetch(new URL(path, url)).then((response) => response.text())
  const whenReached = () =>
    new Promise<void>((resolve) => {
      reached = resolve
    })

  it('are counted until they are answered, well, badly or by hand', async () => {
    for (const path of ['/plain', '/fails', '/nowhere', '/by-hand']) await get(path)
    await underWay.idle()
    expect(underWay.count).toBe(0)
  })

  it('keep a shutdown waiting', async () => {
    const there = whenReached()
    const slow = get('/slow')
    await there
    expect(underWay.count).toBe(1)
    const idle = underWay.idle()
    answer()
    await slow
    await idle
    expect(underWay.count).toBe(0)
  })

  it('are forgotten when the caller hangs up, and not counted twice when the answer comes after all', async () => {
    const there = whenReached()
    const socket = connect(Number(url.port), '127.0.0.1')
    socket.end('GET /slow HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    await there
    socket.destroy()
    await underWay.idle()
    answer()
    await get('/plain')
    await underWay.idle()
    expect(underWay.count).toBe(0)
  })
})

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pino from 'pino'
import { afterEach, expect, test } from 'vitest'
import { createHttpServer } from './server.ts'
import { takeTurns } from './turns.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Real requests that came over connections of their own and wait, to be given to a server all at once. */
async function gather(paths: readonly string[]) {
  const pairs: { request: IncomingMessage; response: ServerResponse }[] = []
  const all = Promise.withResolvers<void>()
  const front = createServer((request, response) => {
    pairs.push({ request, response })
    if (pairs.length === paths.length) all.resolve()
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  closers.push(() => {
    front.closeAllConnections()
    front.close()
  })
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  const answers = paths.map((path) => fetch(`${url}${path}`))
  await all.promise
  pairs.sort((a, b) => paths.indexOf(a.request.url ?? '') - paths.indexOf(b.request.url ?? ''))
  return {
    answers: Promise.all(answers),
    pairs,
    giveTo(server: Server) {
      for (const { request, response } of pairs) server.emit('request', request, response)
    },
  }
}

test('of requests that come at once so many begin in a turn, in their order, and health at once', async () => {
  const begun: string[] = []
  const server = createServer((request, response) => {
    begun.push(request.url ?? '')
    response.end()
  })
  takeTurns(server, { requestsPerTurn: 3, waitMsMax: 60_000 })
  const burst = await gather(['/0', '/1', '/2', '/3', '/4', '/5', '/6', '/7', '/livez', '/readyz'])
  burst.giveTo(server)
  expect(begun).toEqual(['/0', '/1', '/2', '/livez', '/readyz'])
  await nextTurn()
  expect(begun.slice(5)).toEqual(['/3', '/4', '/5'])
  await nextTurn()
  expect(begun.slice(8)).toEqual(['/6', '/7'])
  for (const { status } of await burst.answers) expect(status).toBe(200)
})

test('nothing is done for a caller who hung up while waiting', async () => {
  const begun: string[] = []
  const server = createServer((request, response) => {
    begun.push(request.url ?? '')
    response.end()
  })
  takeTurns(server, { requestsPerTurn: 1, waitMsMax: 60_000 })
  const burst = await gather(['/0', '/1', '/2'])
  const gone = expect(burst.answers).rejects.toThrow()
  burst.giveTo(server)
  burst.pairs[1]?.request.socket.destroy()
  await gone
  for (let turns = 0; turns < 3; turns++) await nextTurn()
  expect(begun).toEqual(['/0', '/2'])
})

test('503 overloaded with Retry-After before anything else for who waited too long; health is answered', async () => {
  // Any wait is too long.
  const app = createHttpServer({
    baseUrl: 'http://localhost',
    trustProxy: false,
    logger: pino({ level: 'silent' }),
    isLeaving: () => false,
    isStopping: () => false,
    turns: { requestsPerTurn: 1, waitMsMax: -1 },
  })
  closers.push(() => app.close())
  let reached = 0
  app.get('/livez', () => 'live')
  app.get('/:name', () => {
    reached++
    return 'here'
  })
  await app.ready()
  const burst = await gather(['/a', '/b', '/c', '/livez'])
  burst.giveTo(app.server)
  const answers = await burst.answers
  expect(answers.map(({ status }) => status)).toEqual([200, 503, 503, 200])
  expect(reached).toBe(1)
  const refused = answers[1]
  expect(refused?.headers.get('retry-after')).toBe('1')
  expect(refused?.headers.get('content-type')).toContain('application/problem+json')
  expect(await refused?.json()).toMatchObject({
    code: 'overloaded',
    detail: expect.stringContaining('Nothing was charged'),
  })
})

import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Attack } from './attack.ts'
import { operationOf } from './document.ts'
import { judge, logFaults } from './oracles.ts'
import { exchange, LAST_REQUEST, readAnswers, render } from './wire.ts'
import type { Planted, Tenant, World } from './world.ts'

/** Each oracle fires on an answer that breaks it, and on no other. */

const BASE = 'http://localhost'
const PLANTED: readonly Planted[] = [
  { text: 'ask_of_the_victim', what: 'API key', sort: 'secret', organisationId: 'org_victim' },
  { text: 'Quiet Harbour', what: 'name of an organisation', sort: 'private', organisationId: 'org_victim' },
  { text: 'person0@example.com', what: 'email address', sort: 'private', organisationId: 'org_victim' },
]
// Only these are asked for when an answer is judged.
const world = { baseUrl: BASE, planted: PLANTED } as World

const attack: Attack = {
  about: 'a test',
  bytes: [render({ method: 'GET', target: '/v1/plans', headers: [['Host', 'localhost']] })],
  methods: ['GET'],
  target: operationOf('listPlans'),
  clear: true,
}

const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'req_Xk29fPq0LmZt0000001',
  'x-content-type-options': 'nosniff',
}

function answer(status: number, body: string, headers: Record<string, string | undefined> = {}): string {
  const lines = Object.entries({ ...HEADERS, ...headers, 'content-length': String(Buffer.byteLength(body)) })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} x`, ...lines, '', body].join('\r\n')
}

const GOOD = answer(200, '{"data":[]}')
const LIVE = answer(200, '{"status":"live"}', { connection: 'close' })

function problem(status: number, code: string, change: Record<string, unknown> = {}, headers = {}): string {
  const titles: Record<string, string> = { not_found: 'Not found', internal: 'Something went wrong on our side' }
  const body = {
    type: `${BASE}/problems/${code}`,
    title: titles[code],
    status,
    detail: 'There is nothing.',
    instance: HEADERS['x-request-id'],
    code,
    ...change,
  }
  return answer(status, JSON.stringify(body), { 'content-type': 'application/problem+json', ...headers })
}

const faults = (received: string, changed: Partial<Attack> = {}) => {
  const sent = { ...attack, ...changed }
  return judge(world, sent, readAnswers(Buffer.from(received, 'latin1'), [...sent.methods, 'GET']))
}
const elsewhere = { target: undefined }

describe('a good answer', () => {
  it('has no fault', () => {
    expect(faults(GOOD + LIVE)).toEqual([])
    expect(faults(problem(404, 'not_found') + LIVE, elsewhere)).toEqual([])
  })
})

describe('a fault is found', () => {
  it.each<[string, RegExp, string, Partial<Attack>?]>([
    ['a failure', /^failed: 500/, problem(500, 'internal') + LIVE],
    ['a status that is not documented', /status is not documented/, problem(404, 'not_found') + LIVE],
    ['a field that is not documented', /additional/i, answer(200, '{"data":[],"more":1}') + LIVE],
    ['a field that is missing', /required/, answer(200, '{}') + LIVE],
    ['another content type', /content type text\/plain/, answer(200, 'x', { 'content-type': 'text/plain' }) + LIVE],
    ['no request id', /x-request-id/, answer(200, '{"data":[]}', { 'x-request-id': undefined }) + LIVE],
    [
      'no security header',
      /x-content-type-options/,
      answer(200, '{"data":[]}', { 'x-content-type-options': undefined }) + LIVE,
    ],
    ['a page without a policy', /policy/, answer(200, '<p>', { 'content-type': 'text/html' }) + LIVE, elsewhere],
    ['a code of another status', /^problem: code/, problem(400, 'not_found') + LIVE, elsewhere],
    ['another instance', /another instance/, problem(404, 'not_found', { instance: 'x' }) + LIVE, elsewhere],
    ['401 without a challenge', /www-authenticate/, problem(401, 'token_invalid') + LIVE, elsewhere],
    ['405 without Allow', /allow/, problem(405, 'method_not_allowed') + LIVE, elsewhere],
    ['429 without Retry-After', /retry-after/, problem(429, 'rate_limited') + LIVE, elsewhere],
    ['a refusal in a form of its own', /neither a problem/, answer(400, '') + LIVE, elsewhere],
    [
      'an error no standard knows',
      /^oauth: .* says/,
      answer(400, '{"error":"odd"}') + LIVE,
      { target: { oauth: '/oauth/revoke' } },
    ],
    [
      'a token that may be cached',
      /cache/,
      answer(200, '{"access_token":"x"}') + LIVE,
      { target: { oauth: '/oauth/token' } },
    ],
    ['a stack', /^leak: /, answer(200, '{"data":"at x (server.ts:12)"}') + LIVE, elsewhere],
    [
      'a secret, even the own',
      /^leak: API key of the caller/,
      answer(200, '{"data":"ask_of_the_victim"}') + LIVE,
      { ...elsewhere, caller: { organisationId: 'org_victim' } as Tenant },
    ],
    ['the name of another tenant', /^leak: name/, answer(200, '{"data":"Quiet Harbour"}') + LIVE, elsewhere],
    [
      'an address in a refusal',
      /email address/,
      problem(404, 'not_found', { detail: 'No a@b.example.' }) + LIVE,
      elsewhere,
    ],
    ['an answer too many', /^smuggled: 3 answers/, GOOD + GOOD + LIVE],
    ['an answer too few', /^lost: /, GOOD],
    ['the last request answered otherwise', /^smuggled: the last/, GOOD + GOOD],
    ['a header twice', /twice/, `${GOOD.replace('x-request-id', 'a: b\r\na: c\r\nx-request-id')}${LIVE}`],
    ['an answer cut short', /cut short/, GOOD.slice(0, -2)],
  ])('%s', (_what, pattern, received, changed = {}) => {
    expect(faults(received, changed)).toEqual(expect.arrayContaining([expect.stringMatching(pattern)]))
  })

  it('a server that stays silent', async () => {
    const exchanged = await exchange(port, [LAST_REQUEST], { methods: ['GET'], waitMs: 50 })
    expect(exchanged.fault).toMatch(/no end within 50 ms/)
  })
  let silent: Server
  let port = 0
  beforeAll(async () => {
    silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    port = typeof address === 'object' && address ? address.port : 0
  })
  afterAll(() => silent.close())
})

describe('a log line is found', () => {
  const log = (text: string) => logFaults({ logs: () => text, planted: PLANTED })
  it.each([
    ['with a secret', 'a line with ask_of_the_victim', 1],
    ['with an address', 'a line with person0@example.com', 1],
    ['with what was sent', 'a line with Planted@x', 1],
    ['that is an error', '{"level":"error","request_id":"req_1","msg":"x"}', 1],
    ['not when it holds nothing', '{"level":"info","msg":"request"}', 0],
  ])('%s', (_what, text, count) => expect(log(text)).toHaveLength(count))
})

import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { createTestEngine } from '../support/engine.ts'
import { FULL } from '../support/full.ts'
import { ALL_OPERATIONS } from '../support/openapi.ts'
import { memberOf } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** Odd addresses and headers, to every route there is: never a 500, and never an address that a stranger chose. */

interface Route {
  readonly method: string
  readonly path: string
  readonly queries: readonly string[]
}

const ROUTES: readonly Route[] = [
  ...ALL_OPERATIONS.map(({ method, path, parameters = [] }) => ({
    method,
    path,
    queries: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
  })),
  ...[
    '/',
    '/docs',
    '/docs/',
    '/openapi.json',
    '/problems/{code}',
    '/assets/{name}',
    '/livez',
    '/readyz',
    '/console',
    '/console/{page}',
    '/sign-in',
    '/interaction/{uid}',
    '/device/{code}',
    '/nothing/{here}',
    '/api/session',
    '/api/intelligence',
    '/api/samples',
    '/guides/{name}',
    '/api/operator',
    '/api/offer',
    '/api/interaction/{uid}',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-protected-resource',
    '/oauth/jwks',
  ].map((path) => ({ method: 'GET', path, queries: [] })),
]

const ODD_NAMES = [
  '%00',
  'x%00y',
  '%',
  '%ff',
  '%ED%A0%80',
  'a'.repeat(101),
  'b'.repeat(5000),
  '..%2f..',
  '%0d%0aX:y',
  '__proto__',
]
const ODD_QUERIES = ['%00', 'x%00y', '%', '%ff', '', 'z'.repeat(9000), '-1', '1e308', 'NaN', '__proto__']
const ODD_HEADERS: readonly Record<string, string>[] = [
  { host: 'a b' },
  { host: '' },
  { host: '[::1' },
  { host: 'evil.example:99999999' },
  { host: '\u00e9' },
  { host: '%00' },
  { forwarded: 'for="_gazonk";host=evil.example;proto=javascript' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp' },
  { 'x-forwarded-host': 'a b', 'x-forwarded-proto': '"' },
  { 'x-forwarded-for': 'not an address, , ::::, 999.1.1.1' },
  { 'x-forwarded-for': `1.1.1.1, ${'9'.repeat(4000)}` },
  { 'x-forwarded-for': '', 'x-forwarded-host': '', 'x-forwarded-proto': '' },
  { 'x-organisation-id': '\u00ff'.repeat(300) },
  { 'if-match': '"\u00ff"', 'idempotency-key': '\u00ff' },
  { 'if-match': `"${'9'.repeat(400)}"`, 'idempotency-key': 'k'.repeat(2000) },
  { accept: '*/*;q=x, text/\u00ff', 'accept-encoding': ';;q=9, br;q=0.0000' },
  { origin: 'null', cookie: 'assay_session=%00; __proto__=%; =; ;' },
  { range: 'bytes=9-1', 'if-none-match': '\u00ff', 'if-modified-since': 'yesterday' },
  { 'content-length': '0', 'content-type': 'application/json' },
  { 'content-type': '\u00ff/;;=' },
]

describeRules('odd requests', (open) => {
  let sql: Sql
  let server: TestServer
  let apiKey: string
  let cookie: string
  const lines: string[] = []

  beforeAll(async () => {
    sql = await open()
    // A clock that runs ahead with every look, so that no rate limit stands before what is to be seen.
    let nowMs = Date.now()
    const ahead = () => {
      nowMs += 20
      return nowMs
    }
    const clock = { now: ahead, ticks: ahead }
    server = await startTestServer({
      sql,
      engine: createTestEngine(),
      clock,
      oauth: true,
      // As behind a proxy on this machine: what it forwards is believed.
      trustProxy: ['127.0.0.1'],
      log: { write: (line) => line.includes('"level":"error"') && lines.push(line) },
    })
    const made = await server.organisation({ plan: 'zero' })
    apiKey = made.apiKey
    const { email } = await memberOf(server, sql, { organisationId: made.id, role: 'owner', nowMs })
    const signedIn = await server.post('/api/session', { email, password: 'correct horse battery staple' })
    cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  })
  afterAll(() => server.close())

  function send(
    method: string,
    path: string,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string }> {
    const { hostname, port } = new URL(server.url)
    return new Promise((resolve, reject) => {
      const asked = request({ hostname, port, method, path, headers, setHost: headers.host === undefined })
      asked.on('error', reject)
      asked.on('response', (answer) => {
        let text = JSON.stringify(answer.headers)
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      })
      asked.end()
    })
  }

  /** As a key where keys are asked for, elsewhere as a person who is signed in. */
  async function ask({ method }: Route, path: string, headers: Record<string, string> = {}): Promise<void> {
    const credential = path.startsWith('/v1/') ? { 'x-api-key': apiKey } : { cookie }
    const { status, text } = await send(method, path, { ...credential, ...headers })
    const about = `${method} ${path.slice(0, 100)} ${JSON.stringify(headers).slice(0, 200)}: ${text.slice(0, 300)} ${lines.at(-1)}`
    expect(status, about).not.toBe(500)
    expect(status, about).toBeGreaterThanOrEqual(200)
    expect(text, about).not.toContain('evil.example')
  }

  async function each<T>(values: readonly T[], run: (value: T) => Promise<void>): Promise<void> {
    // In the short form three of seven, so that each route meets others.
    const tried = FULL ? values : values.filter((_, at) => at % 7 < 3)
    for (let i = 0; i < tried.length; i += 16) await Promise.all(tried.slice(i, i + 16).map(run))
  }

  const plain = (path: string) => path.replaceAll(/\{[^}]*\}/g, 'x')

  it('with anything as a name in the path', async () => {
    const all = ROUTES.filter(({ path }) => path.includes('{')).flatMap((route) =>
      ODD_NAMES.map((name) => [route, route.path.replaceAll(/\{[^}]*\}/g, () => name)] as const),
    )
    await each(all, ([route, path]) => ask(route, path))
  })

  it('with anything as a query, once or twice', async () => {
    const all = ROUTES.flatMap((route) =>
      (route.method === 'GET' || route.queries.length > 0 ? [...route.queries, 'other%00'] : []).flatMap((name) =>
        [...ODD_QUERIES, `a&${name}=b`, `&${name}[]=x&${name}[y]=z`].map(
          (value) => [route, `${plain(route.path)}?${name}=${value}`] as const,
        ),
      ),
    )
    await each(all, ([route, path]) => ask(route, path))
  })

  it('with odd headers, whoever is said to have forwarded them', async () => {
    // Of the changes one stands for all: they read their headers in one place.
    const routes = ROUTES.filter(({ method, path }) => method === 'GET' || path === '/v1/organisation')
    const all = routes.flatMap((route) => ODD_HEADERS.map((headers) => [route, headers] as const))
    await each(all, ([route, headers]) => ask(route, plain(route.path), headers))
  })

  it('with a whole address, an asterisk or nothing much as the target', async () => {
    const raw = (target: string, method = 'GET') =>
      new Promise<string>((resolve, reject) => {
        const { hostname, port } = new URL(server.url)
        const socket = connect(Number(port), hostname)
        let text = ''
        socket.setEncoding('latin1')
        socket.on('data', (chunk) => {
          text += chunk
        })
        socket.on('end', () => resolve(text))
        socket.on('error', reject)
        socket.end(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      })
    const targets = [
      'http://evil.example/docs',
      'http://evil.example/v1/plans',
      'http://evil.example',
      'https://[::1/console',
      '//evil.example/docs',
      '//evil.example/console',
      '/\\evil.example/',
      '*',
      '?',
      '/?',
      '/%',
      '/docs?%',
      '/docs/../docs',
      `/${'x/'.repeat(3000)}`,
      '/v1/plans#x',
      '/v1/plans;x=y',
    ]
    for (const target of targets) {
      for (const method of ['GET', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND']) {
        const answer = await raw(target, method)
        expect(answer, `${method} ${target} ${lines.at(-1)}`).toMatch(/^HTTP\/1\.1 [234]\d\d /)
        expect(answer, `${method} ${target}`).not.toMatch(/evil\.example/)
      }
    }
  })
})

import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { API_OPERATIONS } from '../support/openapi.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { createMigratedPlace, openPlace } from '../support/stores.ts'

/** Whatever a browser can be made to show, it is told to run nothing of its own accord, frame nothing, guess nothing. */

let server: TestServer
let apiKey: string
let invoiceId: string
const clock = new ManualClock(systemClock.now())
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const { place, remove } = await createMigratedPlace('sqlite')
  const sql = await openPlace(place)
  server = await startTestServer({
    sql,
    engine: createTestEngine(),
    clock,
    oauth: true,
    baseUrl: 'https://assay.example.com',
  })
  closers.push(
    () => remove(),
    () => sql.close(),
    () => server.close(),
  )
  const scopes = ['billing:read', 'billing:write', 'organisation:read', 'organisation:write'] as const
  apiKey = (await server.organisation({ scopes })).apiKey
  invoiceId = (await server.post('/v1/billing/top-ups', { amount_pence: 5000 }, apiKey)).json.id
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

function expectSafe(headers: Headers, about: string): void {
  expect(headers.get('x-content-type-options'), about).toBe('nosniff')
  expect(headers.get('x-frame-options'), about).toBe('DENY')
  expect(headers.get('referrer-policy'), about).toMatch(/^(same-origin|no-referrer)$/)
  expect(headers.get('strict-transport-security'), about).toMatch(/^max-age=\d{7,}$/)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy, about).toContain("frame-ancestors 'none'")
  expect(policy, about).not.toContain('unsafe-eval')
  expect(policy, about).not.toMatch(/script-src[^;]*unsafe-inline/)
  if (!headers.get('content-type')?.startsWith('application/pdf')) {
    expect(policy, about).toContain("default-src 'none'")
    expect(policy, about).toContain("base-uri 'none'")
  }
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  // Long enough for the heaviest: no share is ever used up.
  clock.advance(1000)
  return fetch(`${server.url}${path}`, { method, redirect: 'manual', headers: { 'x-api-key': apiKey, ...headers } })
}

describe('the headers that browsers heed', () => {
  it('stand on every resource, known or not, in every form', async () => {
    const paths = API_OPERATIONS.filter(({ method }) => method === 'GET').map(({ path }) =>
      path.replace('{invoice_id}', invoiceId).replaceAll(/\{[^}]*\}/g, 'x'),
    )
    expect(paths.length).toBeGreaterThan(15)
    for (const path of paths) {
      for (const accept of ['application/json', 'text/html', 'application/pdf', 'text/csv']) {
        const answer = await get(path, { accept })
        expectSafe(answer.headers, `${accept} ${path} ${answer.status}`)
        await answer.arrayBuffer()
      }
      expectSafe((await get(path, { 'x-api-key': '' })).headers, `${path} without a key`)
    }
    const forms = await Promise.all(
      ['text/html', 'application/pdf'].map((accept) => get(`/v1/billing/invoices/${invoiceId}`, { accept })),
    )
    expect(forms.map(({ status }) => status)).toEqual([200, 200])
  })

  it('stand on pages, files, redirects and whatever goes wrong', async () => {
    const page = await (await get('/console')).text()
    const asset = /assets\/[\w.-]+\.js/.exec(page)?.[0]
    const paths = [
      '/',
      '/console',
      '/console/anything',
      '/sign-in',
      '/pricing',
      '/checkout',
      '/invitation',
      '/device',
      '/done',
      `/interaction/${'x'.repeat(43)}`,
      '/docs',
      '/docs/',
      '/docs/js/scalar.js',
      '/openapi.json',
      `/${asset}`,
      '/assets/nothing.js',
      '/problems/internal',
      '/problems/nothing',
      '/nothing',
      '/%',
      '/%ff',
      '/livez',
      '/readyz',
      '/api/session',
      '/api/offer',
      '/api/nothing',
      '/oauth/authorize?client_id=nobody',
      '/oauth/logout',
      '/oauth/logout/success',
      '/oauth/jwks',
      '/oauth/nothing',
      '/.well-known/openid-configuration',
      '/.well-known/oauth-protected-resource',
      '/.well-known/nothing',
    ]
    for (const path of paths) {
      for (const [method, accept] of [
        ['GET', 'text/html'],
        ['GET', '*/*'],
        ['HEAD', '*/*'],
        ['PUT', '*/*'],
      ] as const) {
        const answer = await get(path, { accept }, method)
        expectSafe(answer.headers, `${method} ${path} ${accept} ${answer.status}`)
        await answer.arrayBuffer()
      }
    }
    expect(asset).toBeDefined()
  })

  it('stand on what is not even HTTP', async () => {
    const { hostname, port } = new URL(server.url)
    const answer = await new Promise<string>((resolve, reject) => {
      let text = ''
      const socket = connect(Number(port), hostname, () => socket.end('GARBAGE\r\n\r\n'))
      socket.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      socket.on('end', () => resolve(text)).on('error', reject)
    })
    const lines = (answer.split('\r\n\r\n')[0] ?? '').split('\r\n').slice(1)
    expectSafe(new Headers(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string])), answer)
  })
})

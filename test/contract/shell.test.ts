import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROBLEMS } from '../../src/errors.ts'
import { startBrowser } from '../support/browser.ts'
import { createTestEngine } from '../support/engine.ts'
import { FULL } from '../support/full.ts'
import { freePort } from '../support/ports.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { createMigratedPlace, openPlace } from '../support/stores.ts'

/** Pages beside the endpoints: the reference, the pages of problems, other origins. */

let server: TestServer
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const { place, remove } = await createMigratedPlace('sqlite')
  const sql = await openPlace(place)
  server = await startTestServer({ sql, engine: createTestEngine(), port: await freePort() })
  closers.push(
    () => remove(),
    () => sql.close(),
    () => server.close(),
  )
})
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

describe('the reference page', () => {
  it.runIf(FULL)(
    'shows the endpoints, sends requests, asks no other server for anything, and runs no text as code',
    async () => {
      const browser = await startBrowser()
      const page = await browser.newPage()
      try {
        page.setDefaultTimeout(60_000)
        const elsewhere: string[] = []
        const faults: string[] = []
        page.on('request', (request) => {
          if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url()))
            elsewhere.push(request.url())
        })
        page.on('pageerror', (error) => faults.push(error.message))
        // The browser's console shows what the policy refuses: the page tries nothing of that kind.
        page.on('console', (message) => {
          if (/Content Security Policy/i.test(message.text())) faults.push(message.text())
        })
        const opened = await page.goto(`${server.url}/docs`)
        const scripts = /script-src[^;]*/.exec(opened?.headers()['content-security-policy'] ?? '')?.[0]
        expect(scripts).toMatch(/^script-src 'self' 'sha256-[^']+'$/)
        await page.getByText('Check an email address before a payment').first().waitFor()
        const waysBack = page.getByRole('navigation', { name: 'Assay' }).getByRole('link')
        expect(await waysBack.allInnerTexts()).toEqual(['Assay', 'Guides', 'Console'])
        const answered = page.waitForResponse((response) => response.url().includes('/v1/payment-risk'))
        await page
          .getByRole('button', { name: /Test Request/ })
          .first()
          .click()
        await page.getByRole('button', { name: /^Send/ }).first().click()
        // No key was given; the answer is shown all the same.
        expect((await answered).status()).toBe(401)
        await page.getByText('401').first().waitFor()
        expect(elsewhere).toEqual([])
        expect(faults).toEqual([])
      } finally {
        await page.close()
      }
    },
  )
})

describe('/openapi.json', () => {
  const ask = (headers: Record<string, string>, method = 'GET') => inject({ method, url: '/openapi.json', headers })
  const inject = (options: { method: string; url: string; headers: Record<string, string> }) =>
    server.app.http.inject(options as never)

  it('is sent in the encoding that the client takes, each with a strong tag of its own', async () => {
    const plain = await ask({})
    const gzip = await ask({ 'accept-encoding': 'gzip' })
    const br = await ask({ 'accept-encoding': 'gzip, br' })
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect([plain, gzip, br].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br'])
    for (const { headers } of [plain, gzip, br]) {
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers.vary).toBe('accept-encoding')
      expect(headers.etag).toMatch(/^"[^"]+"$/)
    }
    expect(new Set([plain, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3)
  })
  it('is not sent again to who has it, in this encoding', async () => {
    const { headers } = await ask({ 'accept-encoding': 'br' })
    const again = { 'if-none-match': `"other", W/${headers.etag}` }
    const kept = await ask({ ...again, 'accept-encoding': 'br' })
    expect([kept.statusCode, kept.body, kept.headers.etag]).toEqual([304, '', headers.etag])
    expect((await ask({ ...again, 'accept-encoding': 'gzip' })).statusCode).toBe(200)
  })
  it('answers HEAD with the headers alone', async () => {
    const [got, head] = [await ask({}), await ask({}, 'HEAD')]
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers.etag).toBe(got.headers.etag)
    expect(head.headers['content-length']).toBe(got.headers['content-length'])
  })
  it('has the version of the interface, names what it repeats, and stays small', async () => {
    const { body } = await ask({})
    const document = JSON.parse(body)
    expect(document.info.version).toBe('1.0.0')
    expect(document.security).toEqual([{ apiKey: [] }, { oauth2: [] }])
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['ApiKey', 'Invoice', 'Plan', 'Problem', 'RiskResult', 'Token']),
    )
    expect(document.components.parameters.Explain.schema).toEqual({ type: 'boolean' })
    const operations = Object.values<object>(document.paths).reduce((sum, path) => sum + Object.keys(path).length, 0)
    expect(body.length / operations).toBeLessThan(3200)
  })
})

describe('every problem', () => {
  it.each(Object.keys(PROBLEMS))('%s has the page its type points at', async (code) => {
    const answer = await server.send(`/problems/${code}`)
    expect(answer.status).toBe(200)
    expect(answer.text).toContain(code)
  })
  it('that does not exist has none', async () => {
    expect((await server.send('/problems/constructor')).status).toBe(404)
  })
})

describe('another origin', () => {
  it('may ask beforehand, and read the answer, without cookies', async () => {
    const asked = await server.send('/v1/payment-risk', {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-headers')).toContain('X-Api-Key')
    const { apiKey } = await server.organisation()
    const answer = await server.post('/v1/payment-risk', { email: 'a@b.example' }, apiKey, {
      origin: 'https://app.example',
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })
  it('gets nothing of the sort from pages and sessions', async () => {
    const answer = await server.send('/console', { headers: { origin: 'https://app.example' } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })
})

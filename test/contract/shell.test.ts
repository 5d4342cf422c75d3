import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { PROBLEMS } from '../../src/errors.ts'
import { startBrowser } from '../support/browser.ts'
import { createTestEngine } from '../support/engine.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { createPlace, openPlace } from '../support/stores.ts'

/** What stands around the endpoints: the reference page, the pages of problems, other origins. */

let server: TestServer
const closers: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const { place, remove } = await createPlace('sqlite')
  const sql = await openPlace(place)
  await migrate(sql)
  server = await startTestServer({ sql, engine: createTestEngine() })
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
  it('shows the endpoints and asks no other server for anything', async () => {
    const browser = await startBrowser()
    try {
      const page = await browser.newPage()
      page.setDefaultTimeout(60_000)
      const elsewhere: string[] = []
      const faults: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url())
      })
      page.on('pageerror', (error) => faults.push(error.message))
      await page.goto(`${server.url}/docs`)
      await page.getByText('Check an email address before a payment').first().waitFor()
      expect(elsewhere).toEqual([])
      expect(faults).toEqual([])
    } finally {
      await browser.close()
    }
  }, 150_000)
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

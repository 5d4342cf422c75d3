import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

describeRules('an invoice as a document', (open) => {
  let sql: Sql
  let server: TestServer
  let apiKey: string
  let strangerKey: string
  let invoiceId: string
  const logged: string[] = []
  const clock = new ManualClock('2026-03-01T09:00:00Z')

  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({
      sql,
      engine: createTestEngine(),
      clock,
      log: { write: (line) => logged.push(line) },
      settings: {
        issuer: { name: 'Issuer & Sons', address: '1 High Street\nLondon', taxId: 'GB123456789' },
        paymentInstructions: 'Example Bank\nAccount 12345678',
      },
    })
    const scopes = ['billing:read', 'billing:write', 'organisation:read'] as const
    apiKey = (await server.organisation({ scopes, name: '北京 <示例>' })).apiKey
    strangerKey = (await server.organisation({ scopes })).apiKey
    const topUp = await server.post('/v1/billing/top-ups', { amount_pence: 5000 }, apiKey)
    expect(topUp.status).toBe(201)
    invoiceId = topUp.json.id
  })
  afterAll(() => server.close())

  const read = (accept: string, key = apiKey) =>
    fetch(`${server.url}/v1/billing/invoices/${invoiceId}`, { headers: { accept, 'x-api-key': key } })

  it('is JSON unless the caller asks for another form', async () => {
    for (const accept of ['*/*', 'application/json', 'image/png']) {
      const answer = await read(accept)
      expect(answer.headers.get('content-type')).toContain('application/json')
      expect(await answer.json()).toMatchObject({ id: invoiceId, state: 'open', total_pence: 5000 })
    }
  })

  it('is a page to print that runs nothing, and says how to pay', async () => {
    const answer = await read('text/html')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.headers.get('vary')).toContain('accept')
    const page = await answer.text()
    for (const text of ['Issuer &amp; Sons', '北京 &lt;示例&gt;', '£50.00', 'Account 12345678'])
      expect(page).toContain(text)
    expect(page).not.toContain('<示例>')
  })

  it('is a PDF, the same one each time', async () => {
    const [first, second] = await Promise.all([read('application/pdf'), read('application/pdf')])
    expect(first.headers.get('content-type')).toBe('application/pdf')
    expect(first.headers.get('content-disposition')).toMatch(/filename="[\w-]+\.pdf"/)
    expect(first.headers.get('cache-control')).toBe('no-store')
    const bytes = Buffer.from(await first.arrayBuffer())
    expect(bytes.toString('latin1', 0, 5)).toBe('%PDF-')
    expect(bytes.equals(Buffer.from(await second.arrayBuffer()))).toBe(true)
  })

  it('is sent once, in whatever form, and no list as CSV is sent twice either', async () => {
    // A PDF and a CSV file each take a fifth of a second's share.
    clock.advance(1000)
    for (const accept of ['application/json', 'text/html', 'application/pdf']) await (await read(accept)).arrayBuffer()
    for (const path of ['/v1/billing/ledger', '/v1/billing/usage', '/v1/organisation/audit']) {
      const answer = await server.send(path, { headers: { accept: 'text/csv', 'x-api-key': apiKey } })
      expect(answer.headers.get('content-type')).toContain('text/csv')
    }
    expect(logged.filter((line) => line.includes('already sent'))).toEqual([])
  })

  it.each(['application/json', 'text/html', 'application/pdf'])(
    '404 for another organisation as %s',
    async (accept) => {
      const answer = await read(accept, strangerKey)
      expect(answer.status).toBe(404)
      expect(await answer.text()).not.toContain('北京')
    },
  )
})

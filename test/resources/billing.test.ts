import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/access/scopes.ts'
import type { Sql } from '../../src/db/sql.ts'
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

const SCOPES: Scope[] = ['risk:payment', 'risk:supply-chain', 'risk:infrastructure', 'risk:bulk', 'billing:read']

describeRules('billing resources', (open) => {
  let sql: Sql
  let server: TestServer
  const clock = new ManualClock('2026-03-10T12:00:00Z')

  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(), clock })
  })
  afterAll(() => server.close())

  const get = (path: string, apiKey: string, accept?: string) => {
    clock.advance(20)
    return server.send(path, { headers: { 'x-api-key': apiKey, ...(accept ? { accept } : {}) } })
  }
  const check = (apiKey: string, domain = 'company.example') => server.post('/v1/supply-chain-risk', { domain }, apiKey)

  it('lists the plans for anybody', async () => {
    const answer = await server.send('/v1/plans')
    expect(answer.status).toBe(200)
    expect(answer.json.data.map((plan: { id: string }) => plan.id)).toContain('growth')
  })

  it('shows plan, state, credit, overage, free units and period', async () => {
    const { id, apiKey } = await server.organisation({ plan: 'growth', creditPence: 1, scopes: SCOPES })
    expect((await server.post('/v1/payment-risk/bulk', { emails: Array(35).fill('a@b.example') }, apiKey)).status).toBe(
      200,
    )
    const answer = await get('/v1/billing', apiKey)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.json).toMatchObject({
      organisation_id: id,
      state: 'active',
      plan: { id: 'growth' },
      credit_pence: 0,
      included_credit_pence: 0,
      prepaid_credit_pence: 0,
      overage_pence: 4,
      overage_owed_pence: 4,
      free_units_left: 0,
      period: { month: '2026-03', starts_at: '2026-03-01T00:00:00.000Z', ends_at: '2026-04-01T00:00:00.000Z' },
    })
  })

  it('lists the ledger page by page, newest first, with a Link to the next', async () => {
    const { apiKey } = await server.organisation({ scopes: SCOPES })
    for (let i = 0; i < 5; i++) await check(apiKey)
    const numbers: number[] = []
    let path: string | undefined = '/v1/billing/ledger?limit=2'
    for (let pages = 0; path && pages < 10; pages++) {
      const answer = await get(path, apiKey)
      expect(answer.status).toBe(200)
      numbers.push(...answer.json.data.map((entry: { number: number }) => entry.number))
      const link = answer.headers.get('link')
      expect(link === null).toBe(answer.json.next_cursor === null)
      path = link ? /^<http:\/\/localhost:8080(.*)>; rel="next"$/.exec(link)?.[1] : undefined
    }
    expect(numbers).toEqual([6, 5, 4, 3, 2, 1])
  })

  it('filters the ledger by time, kind and family', async () => {
    const { apiKey } = await server.organisation({ scopes: SCOPES })
    await check(apiKey)
    clock.advance(DAY_MS)
    const from = new Date(clock.now()).toISOString()
    await check(apiKey)
    await server.post('/v1/infrastructure-risk', { ip: '9.9.9.9' }, apiKey)
    const count = async (query: string) => (await get(`/v1/billing/ledger?${query}`, apiKey)).json.data.length
    expect(await count(`from=${from}`)).toBe(2)
    expect(await count(`to=${from}`)).toBe(2)
    expect(await count('kind=credit')).toBe(1)
    expect(await count('kind=charge')).toBe(3)
    expect(await count('family=infrastructure-risk')).toBe(1)
    expect(await count(`family=supply-chain-risk&from=${from}`)).toBe(1)
    expect(await count('from=2030-01-01')).toBe(0)
    expect(await count('to=2020-01-01')).toBe(0)
  })

  it('gives the ledger as CSV when asked, and no cell begins a formula', async () => {
    const { id, apiKey } = await server.organisation({ scopes: SCOPES })
    await server.accounts.credit(id, 5, { reason: '=HYPERLINK("http://x","y")' })
    await server.accounts.credit(id, 5, { reason: '  +1, "two"\nlines' })
    const answer = await get('/v1/billing/ledger', apiKey, 'text/csv')
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toContain('.csv"')
    expect(answer.text).toContain(`"'=HYPERLINK(""http://x"",""y"")"`)
    expect(answer.text).toContain(`"'  +1, ""two""\nlines"`)
    expect(answer.text.split('\r\n')[0]).toMatch(/^id,number,created_at,kind/)
  })

  it('shows usage by hour and day, family and credential, adding up to the ledger', async () => {
    clock.set('2026-05-04T09:30:00Z')
    const { apiKey, keyId } = await server.organisation({ scopes: SCOPES })
    await check(apiKey)
    await server.post('/v1/infrastructure-risk/bulk', { ips: ['9.9.9.9', '8.8.8.8'] }, apiKey)
    clock.advance(HOUR_MS)
    await check(apiKey)
    clock.advance(DAY_MS)
    await check(apiKey)
    const days = (await get('/v1/billing/usage?granularity=day', apiKey)).json
    expect(
      days.data.map((row: { starts_at: string; units: number }) => [row.starts_at.slice(0, 10), row.units]),
    ).toEqual([
      ['2026-05-04', 4],
      ['2026-05-05', 1],
    ])
    expect(days.totals).toEqual({
      requests: 4,
      units: 5,
      free_units: 0,
      charged_from_credit_pence: 8,
      overage_pence: 0,
      total_price_pence: 8,
    })
    const hours = (
      await get('/v1/billing/usage?granularity=hour&group_by=family&from=2026-05-04&to=2026-05-05', apiKey)
    ).json
    expect(hours.data).toHaveLength(3)
    expect(hours.data[0]).toMatchObject({
      starts_at: '2026-05-04T09:00:00.000Z',
      family: 'infrastructure-risk',
      units: 2,
    })
    const months = (await get('/v1/billing/usage?granularity=month&group_by=credential&from=2026-01-01', apiKey)).json
    expect(months.data).toMatchObject([{ credential_id: keyId, units: 5, starts_at: '2026-05-01T00:00:00.000Z' }])
    // Page by page the same rows, and the totals of the whole range on every page.
    const first = (await get('/v1/billing/usage?granularity=day&limit=1', apiKey)).json
    const second = (await get(`/v1/billing/usage?granularity=day&limit=1&cursor=${first.next_cursor}`, apiKey)).json
    expect([...first.data, ...second.data]).toEqual(days.data)
    expect(second.totals).toEqual(days.totals)
    expect(second.next_cursor).toBeNull()
    const csv = await get('/v1/billing/usage?group_by=family', apiKey, 'text/csv')
    expect(csv.text.split('\r\n')).toHaveLength(5)
  })

  it('quotes what records would cost, and charges nothing', async () => {
    const { apiKey } = await server.organisation({ plan: 'growth', creditPence: 0, scopes: SCOPES })
    const quote = await server.post('/v1/billing/quote', { family: 'payment-risk', records: 40 }, apiKey)
    expect(quote.json).toEqual({
      family: 'payment-risk',
      records: 40,
      requests: 1,
      unit_price_pence: 3,
      free_units: 0,
      charged_from_credit_pence: 100,
      overage_pence: 20,
      total_price_pence: 120,
      shortfall_pence: 0,
      remaining_credit_pence: 0,
      covered: true,
    })
    expect((await get('/v1/billing', apiKey)).json.credit_pence).toBe(100)
    const real = await server.post('/v1/payment-risk/bulk', { emails: Array(40).fill('a@b.example') }, apiKey)
    expect(real.json).toMatchObject({ charged_from_credit_pence: 100, overage_pence: 20, total_price_pence: 120 })
    const poor = await server.organisation({ plan: 'free', creditPence: 10, scopes: SCOPES })
    const ask = (records: number) =>
      server.post('/v1/billing/quote', { family: 'payment-risk', records }, poor.apiKey).then((answer) => answer.json)
    expect(await ask(5)).toMatchObject({ free_units: 5, total_price_pence: 0, covered: true })
    expect(await ask(6)).toMatchObject({ free_units: 0, total_price_pence: 18, shortfall_pence: 8, covered: false })
  })

  it('a member who may check may ask for price and payer, and nothing else of billing', async () => {
    const checks = await server.organisation({ scopes: ['risk:payment'] })
    const quote = await server.post('/v1/billing/quote', { family: 'payment-risk', records: 40 }, checks.apiKey)
    expect(quote.json).toMatchObject({ total_price_pence: 120 })
    expect((await get('/v1/organisation', checks.apiKey)).json).toMatchObject({ id: checks.id })
    for (const path of ['/v1/billing', '/v1/billing/usage', '/v1/organisation/members', '/v1/organisation/keys']) {
      expect((await get(path, checks.apiKey)).status, path).toBe(403)
    }
    const other = await server.organisation({ scopes: ['organisation:write'] })
    const refused = await server.post('/v1/billing/quote', { family: 'payment-risk', records: 1 }, other.apiKey)
    expect([refused.status, refused.json.code]).toEqual([403, 'insufficient_scope'])
    expect((await get('/v1/organisation', other.apiKey)).status).toBe(403)
  })

  describe('what is refused', () => {
    const BAD_QUOTES: [string, unknown, string][] = [
      ['no body field', {}, 'missing_field'],
      ['an unknown field', { family: 'payment-risk', records: 1, extra: 1 }, 'unknown_field'],
      ['an unknown family', { family: 'x', records: 1 }, 'not_allowed'],
      ['zero records', { family: 'payment-risk', records: 0 }, 'out_of_range'],
      ['a negative number', { family: 'payment-risk', records: -1 }, 'out_of_range'],
      ['a fraction', { family: 'payment-risk', records: 1.5 }, 'wrong_type'],
      ['a number in quotes', { family: 'payment-risk', records: '1' }, 'wrong_type'],
      ['a huge number', { family: 'payment-risk', records: 1e300 }, 'out_of_range'],
      ['an array', [], 'wrong_type'],
    ]
    it.each(BAD_QUOTES)('422 for a quote with %s', async (_name, body, code) => {
      const { apiKey } = await server.organisation({ scopes: SCOPES })
      const answer = await server.post('/v1/billing/quote', body, apiKey)
      expect(answer.status).toBe(422)
      expect(answer.json.code).toBe('validation_failed')
      expect(answer.json.errors.map((error: { code: string }) => error.code)).toContain(code)
    })

    it.each([
      '/v1/billing/ledger?kind=gift',
      '/v1/billing/ledger?limit=0',
      '/v1/billing/ledger?limit=1.5',
      '/v1/billing/ledger?limit=1001',
      '/v1/billing/ledger?from=yesterday',
      '/v1/billing/ledger?from=2026-13-45',
      '/v1/billing/ledger?unknown=1',
      '/v1/billing/ledger?limit=1&limit=2',
      '/v1/billing/usage?granularity=second',
      '/v1/billing/usage?from=2026-02-01&to=2026-01-01',
      '/v1/billing/usage?granularity=hour&from=2020-01-01',
    ])('400 for %s', async (path) => {
      const { apiKey } = await server.organisation({ scopes: SCOPES })
      const answer = await get(path, apiKey)
      expect(answer.status).toBe(400)
      expect(answer.json.code).toBe('invalid_query')
    })

    it('422 for the cursor of another organisation, of another list, or altered', async () => {
      const one = await server.organisation({ scopes: SCOPES })
      const other = await server.organisation({ scopes: SCOPES })
      await check(one.apiKey)
      const cursor: string = (await get('/v1/billing/ledger?limit=1', one.apiKey)).json.next_cursor
      const altered = Buffer.from(`${Buffer.from(cursor, 'base64url').toString()}9`).toString('base64url')
      for (const [path, key] of [
        [`/v1/billing/ledger?limit=1&cursor=${cursor}`, other.apiKey],
        [`/v1/billing/ledger?limit=1&kind=charge&cursor=${cursor}`, one.apiKey],
        [`/v1/billing/usage?cursor=${cursor}`, one.apiKey],
        [`/v1/billing/ledger?cursor=${altered}`, one.apiKey],
        ['/v1/billing/ledger?cursor=x', one.apiKey],
      ] as const) {
        const answer = await get(path, key)
        expect(answer.status, path).toBe(422)
        expect(answer.json.code).toBe('validation_failed')
      }
    })

    it('401 without a credential, 403 without the scope, 403 while disabled; while inactive billing is readable', async () => {
      expect((await server.send('/v1/billing')).status).toBe(401)
      const narrow = await server.organisation()
      const refused = await get('/v1/billing', narrow.apiKey)
      expect(refused.status).toBe(403)
      expect(refused.json).toMatchObject({
        code: 'insufficient_scope',
        detail: expect.stringContaining('billing:read'),
      })
      const { id, apiKey } = await server.organisation({ scopes: SCOPES })
      await server.accounts.say(id, 'deactivate')
      expect((await get('/v1/billing', apiKey)).json.state).toBe('inactive')
      expect((await check(apiKey)).status).toBe(403)
      clock.advance(10_000)
      await server.accounts.say(id, 'disable')
      expect((await get('/v1/billing', apiKey)).json.code).toBe('account_disabled')
    })

    it('405 with Allow for a wrong method, 415 for a form', async () => {
      const { apiKey } = await server.organisation({ scopes: SCOPES })
      const wrong = await server.post('/v1/billing', {}, apiKey)
      expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      const form = await server.post('/v1/billing/quote', 'a=b', apiKey, {
        'content-type': 'application/x-www-form-urlencoded',
      })
      expect(form.status).toBe(415)
    })
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { listInvoices } from '../../src/billing/invoices/invoices.ts'
import { settleByHand } from '../../src/billing/payments/payments.ts'
import { loadPlans, parsePlans } from '../../src/billing/plans.ts'
import type { BillingSettings } from '../../src/billing/settings.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { plan } from '../support/plans.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** Announcements before a sign-up or a choice of plan, and that the choice then does exactly that. */
describeRules('choosing a plan', (open) => {
  let sql: Sql
  const servers: TestServer[] = []
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  const plans = loadPlans()
  beforeAll(async () => {
    sql = await open()
  })
  afterAll(() => Promise.all(servers.map((server) => server.close())))

  async function serve(
    settings: Partial<BillingSettings>,
    payments?: Parameters<typeof startTestServer>[0]['payments'],
    sold = plans,
  ) {
    const server = await startTestServer({
      sql,
      engine: createTestEngine(),
      clock,
      plans: sold,
      settings,
      ...(payments ? { payments } : {}),
    })
    servers.push(server)
    return server
  }

  async function customer(server: TestServer, plan: string) {
    const { id, apiKey } = await server.organisation({
      plan,
      creditPence: 0,
      scopes: ['billing:read', 'billing:write'],
    })
    const headers = { 'x-api-key': apiKey }
    return {
      choices: async () => {
        const { data } = (await server.send('/v1/billing/plans', { headers })).json
        return Object.fromEntries(
          data.map((one: Record<string, unknown>) => [one.plan, [one.begins, one.begins_at, one.invoice_pence]]),
        )
      },
      id,
      apiKey,
      read: async (path: string) => (await server.send(path, { headers })).json,
      choose: async (body: object) => (await server.post('/v1/billing/subscription', body, apiKey)).json,
      settle: async () => {
        for (const invoice of (await listInvoices(sql, { organisationId: id, state: 'open', limit: 10 })).rows) {
          await changeIn(sql, clock, (tx) =>
            settleByHand(tx, server.accounts.rules, operatorIn(id), { invoice, reference: null }),
          )
        }
      },
    }
  }

  it('sign-up settings are told to anybody, without a credential', async () => {
    const open = await (await serve({})).send('/api/sign-up')
    expect(open.status).toBe(200)
    expect(open.headers.get('cache-control')).toBe('public, max-age=300')
    expect(open.json).toEqual({
      sign_up: 'open',
      plans: [...plans.keys()],
      by_card: false,
      sells: true,
      terms: null,
      privacy_url: null,
      begins_unpaid: false,
      contact: 'billing@operator.example',
      next_month_at: '2026-04-01T00:00:00.000Z',
      free_tries: 0,
    })
    const closed = await serve(
      { signUp: 'closed', signUpPlans: ['growth'], paymentInstructions: 'Example Bank' },
      { name: 'stripe', startPayment: async () => null },
    )
    const answer = await closed.send('/api/sign-up')
    expect(answer.json).toMatchObject({ sign_up: 'closed', plans: ['growth'], by_card: true })
    expect(answer.text).not.toContain('Example Bank')
  })

  it('nothing that costs money is sold before the operator has said how it is paid', async () => {
    const server = await serve({ contact: null, production: true })
    const offer = (await server.send('/api/sign-up')).json
    expect([offer.sells, offer.plans]).toEqual([false, ['free']])
    const { choices, choose, apiKey } = await customer(server, 'free')
    expect(Object.keys(await choices())).toEqual(['free'])
    const why = 'The operator has set up no way to pay: card payment, ASSAY_PAYMENT_INSTRUCTIONS or ASSAY_CONTACT.'
    expect(await choose({ plan: 'growth' })).toMatchObject({
      code: 'forbidden',
      detail: `Growth cannot be bought here yet. ${why}`,
    })
    expect((await server.post('/v1/billing/top-ups', { amount_pence: 500 }, apiKey)).json).toMatchObject({
      code: 'forbidden',
      detail: `Credit cannot be bought here yet. ${why}`,
    })
    const signUp = {
      organisation_name: 'A',
      name: 'B',
      email: 'b@a.example',
      password: 'four unrelated words',
      accept_terms: true,
    }
    expect((await server.post('/v1/checkout', { ...signUp, plan: 'prepaid' })).json.detail).toContain(why)
    expect((await server.post('/v1/checkout', { ...signUp, plan: 'free' })).status).toBe(201)
    // The operator still gives any plan, and a customer keeps it.
    expect(Object.keys(await (await customer(server, 'growth')).choices())).toEqual(['free', 'growth'])
  })

  it('free checks are counted by address and day in the database, charged to nobody, and explained', async () => {
    const first = await serve({ freeTries: 2 })
    const ask = (server: TestServer, indicator: string) => server.post('/api/try', { kind: 'domain', indicator })
    expect((await ask(await serve({}), 'example.com')).status).toBe(404)
    expect((await ask(first, 'no domain')).status).toBe(422)
    expect((await ask(first, 'example.com')).json).toMatchObject({
      risk: expect.stringMatching(/^(low|medium|high)$/),
      charged: false,
      is_free: true,
      total_price_pence: 0,
      signals: expect.any(Array),
      coverage: expect.any(Object),
    })
    const again = await serve({ freeTries: 2 })
    expect((await ask(again, 'example.org')).status).toBe(200)
    const refused = await ask(again, 'example.net')
    expect([refused.status, refused.json.detail]).toEqual([
      429,
      'You have used the free checks of today. Wait 24 hours, then try again.',
    ])
    expect(await sql.query("select count(*) as n from ledger_entry where kind = 'charge'")).toEqual([{ n: 0 }])
    expect(await sql.query('select count(*) as n from kept_check')).toEqual([{ n: 0 }])
    clock.advance(24 * 3_600_000)
    expect((await ask(again, 'example.net')).status).toBe(200)
  })

  it('a choice says when it begins and what is invoiced, and does that', async () => {
    const { choices, choose, settle } = await customer(await serve({}), 'free')
    expect(await choices()).toEqual({
      free: ['now', null, 0],
      prepaid: ['now', null, 0],
      growth: ['when_paid', null, 9900],
      enterprise: ['when_paid', null, 99_000],
    })
    expect((await choose({ plan: 'growth' })).invoice).toMatchObject({ total_pence: 9900, in_advance: true })
    await settle()
    expect(await choices()).toEqual({
      free: ['next_month', '2026-04-01T00:00:00.000Z', 0],
      prepaid: ['next_month', '2026-04-01T00:00:00.000Z', 0],
      growth: ['now', null, 0],
      enterprise: ['when_paid', null, 89_100],
    })
    expect((await choose({ plan: 'free' })).subscription).toMatchObject({ plan: 'growth', next_plan: 'free' })
    // Ended in a month that is paid for: the same plan again costs nothing, the dearer one the difference.
    await choose({ end: 'now' })
    expect(await choices()).toMatchObject({
      free: ['now', null, 0],
      growth: ['now', null, 0],
      enterprise: ['when_paid', null, 89_100],
    })
  })

  it('where credit is given before the first payment, a plan begins at once and is invoiced', async () => {
    const { choices, choose } = await customer(await serve({ creditBeforePaymentPence: 500 }), 'free')
    expect((await choices()).growth).toEqual(['now', null, 9900])
    const { subscription, invoice } = await choose({ plan: 'growth' })
    expect(subscription).toMatchObject({ status: 'active', plan: 'growth' })
    expect(invoice).toMatchObject({ total_pence: 9900, in_advance: false })
  })

  it('plans that the operator gives are left out, and the present one is not', async () => {
    const server = await serve({ signUpPlans: ['free'] })
    expect(Object.keys(await (await customer(server, 'growth')).choices())).toEqual(['free', 'growth'])
    const { choices, choose } = await customer(server, 'free')
    expect(Object.keys(await choices())).toEqual(['free'])
    expect(await choose({ plan: 'enterprise' })).toMatchObject({ status: 403, code: 'forbidden' })
  })

  it('says what the next month costs and when, and what an end brings about, and does just that', async () => {
    const sold = parsePlans(
      [
        plan('free', {}),
        plan('growth', { monthly_price_pence: 9900, included_credit_pence: 4, overage_allowed: true }),
      ],
      'test',
    )
    const server = await serve({}, undefined, sold)
    const { id, read, choose, settle } = await customer(server, 'free')
    expect((await read('/v1/billing/plans')).ending).toBeNull()
    await choose({ plan: 'growth' })
    await settle()
    const { data, ending } = await read('/v1/billing/plans')
    expect(data).toMatchObject([
      { plan: 'free', next_invoice_pence: 0 },
      { plan: 'growth', invoice_pence: 0, next_invoice_pence: 9900, next_invoice_at: '2026-04-01T00:00:00.000Z' },
    ])
    expect(ending).toEqual({ ends_at: '2026-04-01T00:00:00.000Z', invoice_now_pence: 0 })
    const { secret } = await server.accounts.key(id, 'checks', ['risk:payment'])
    for (let i = 0; i < 3; i++) await server.post('/v1/payment-risk', { email: `a${i}@company.example` }, secret)
    const price = (await read('/v1/billing')).overage_pence
    expect(price).toBeGreaterThan(0)
    expect((await read('/v1/billing/plans')).ending.invoice_now_pence).toBe(price)

    const before = clock.now()
    clock.advance(Date.parse('2026-04-01T00:00:00Z') - before)
    const [due] = (await read('/v1/billing/invoices')).data
    expect(due).toMatchObject({ total_pence: 9900 + price, issued_at: '2026-04-01T00:00:00.000Z' })
    await settle()
    await server.post('/v1/payment-risk', { email: 'b@company.example' }, secret)
    for (let i = 0; i < 2; i++) await server.post('/v1/payment-risk', { email: `c${i}@company.example` }, secret)
    const now = (await read('/v1/billing/plans')).ending.invoice_now_pence
    expect(now).toBe(price)
    expect((await choose({ end: 'now' })).invoice).toMatchObject({ total_pence: now })
    expect((await read('/v1/billing/plans')).ending).toBeNull()
  })
})

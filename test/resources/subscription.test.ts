import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import type { Scope } from '../../src/access/scopes.ts'
import { listInvoices, requireInvoice } from '../../src/billing/invoices/invoices.ts'
import { runBilling } from '../../src/billing/job.ts'
import { verifyLedger } from '../../src/billing/ledger/verify.ts'
import { settleByHand } from '../../src/billing/payments/payments.ts'
import { invoiceProvider } from '../../src/billing/payments/provider.ts'
import { type Plan, parsePlans } from '../../src/billing/plans.ts'
import { cancelInvoice } from '../../src/billing/subscription/subscription.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { createKey } from '../../src/identity/keys/keys.ts'
import { takeAttempts } from '../../src/identity/people/throttle.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { PASSWORD, signIn } from '../support/people.ts'
import { type Answer, startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** The money behind the answers, over months, with a clock that is moved by hand. */

const plan = (id: string, price: number, included: number, overage = true): Plan => ({
  id,
  name: id,
  monthly_price_pence: price,
  included_credit_pence: included,
  unit_price_pence: { 'payment-risk': 10, 'supply-chain-risk': 5, 'infrastructure-risk': 1 },
  free_units: 0,
  overage_allowed: overage,
  requests_per_second: 100_000,
  bulk_allowed: true,
})
const PLANS = parsePlans(
  [plan('basic', 0, 0, false), plan('growth', 1000, 100), plan('large', 5000, 1000), plan('same', 1000, 200)],
  'the plans of this test',
)
const BILLING: Scope[] = ['billing:read', 'billing:write', 'organisation:read', 'risk:supply-chain', 'risk:bulk']

describeRules('subscriptions', (open) => {
  let sql: Sql
  let server: TestServer
  const clock = new ManualClock('2026-01-10T12:00:00Z')
  let customers = 0

  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(), clock, oauth: true, plans: PLANS })
  })
  afterAll(async () => {
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
    await server.close()
  })

  const job = () =>
    runBilling({
      ...server.accounts.deps,
      payments: invoiceProvider,
      onError: (about, error) => {
        throw new Error(about, { cause: error })
      },
    })
  const order = (overrides: object = {}) => ({
    organisation_name: 'Buyer Ltd',
    name: 'Buyer',
    email: `buyer${++customers}@company.example`,
    password: PASSWORD,
    plan: 'growth',
    accept_terms: true,
    ...overrides,
  })

  async function subscribe(planId = 'growth') {
    clock.advance(10 * 60_000)
    const body = order({ plan: planId })
    const begun = await server.post('/v1/checkout', body)
    expect(begun.status).toBe(201)
    const { id, claim_token: token, organisation_id: organisationId } = begun.json
    // A paid plan begins when its first invoice is paid.
    expect(begun.json.state).toBe(PLANS.get(planId)!.monthly_price_pence > 0 ? 'pending' : 'complete')
    for (const { id: invoiceId } of (await listInvoices(sql, { organisationId, state: 'open', limit: 10 })).rows) {
      await settle(invoiceId)
    }
    const claimed = await server.post(`/v1/checkout/${id}/claim`, { claim_token: token })
    expect(claimed.status).toBe(200)
    const { secret } = await changeIn(sql, clock, (tx) =>
      createKey(tx, operatorIn(organisationId), { name: 'billing', scopes: BILLING, expiresAtMs: null }),
    )
    const send = (
      method: string,
      path: string,
      payload?: unknown,
      headers: Record<string, string> = {},
    ): Promise<Answer> => {
      clock.advance(20)
      return server.send(path, {
        method,
        ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
        headers: {
          'x-api-key': secret,
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      })
    }
    return {
      organisationId,
      email: body.email,
      apiKey: claimed.json.api_key as string,
      checkout: { id, token },
      send,
      billing: async () => (await send('GET', '/v1/billing')).json,
      invoices: async (query = '') => (await send('GET', `/v1/billing/invoices${query}`)).json.data,
      statement: async (month: string) => (await send('GET', `/v1/billing/statements/${month}`)).json,
      change: (payload: object) => send('POST', '/v1/billing/subscription', payload),
      check: (units: number) =>
        server.post(
          '/v1/supply-chain-risk/bulk',
          { domains: Array(units).fill('company.example') },
          claimed.json.api_key,
        ),
    }
  }
  type Customer = Awaited<ReturnType<typeof subscribe>>

  const settle = (invoiceId: string) =>
    changeIn(sql, clock, async (tx) => {
      const invoice = await requireInvoice(tx, invoiceId)
      return settleByHand(tx, server.accounts.rules, operatorIn(invoice.organisation_id), { invoice, reference: null })
    })
  async function settleAll(customer: Customer) {
    for (const invoice of await customer.invoices('?state=open')) await settle(invoice.id)
  }

  /** Opening and movements give closing, closing is the next opening, and all of it is what the entries say. */
  async function expectStatementsAddUp(customer: Customer, months: readonly string[]) {
    const rows = await sql.query<Record<string, number & string>>(
      'select * from ledger_entry where organisation_id = $1 order by seq',
      [customer.organisationId],
    )
    let previous: { closing: object } | undefined
    for (const month of months) {
      const statement = await customer.statement(month)
      const entries = rows.filter((row) => row.period === month)
      const sum = (column: string) => entries.reduce((total, row) => total + Number(row[column]), 0)
      const moved = (column: string) =>
        statement.movements.reduce((total: number, row: Record<string, number>) => total + (row[column] ?? 0), 0)
      for (const [pot, delta] of [
        ['included_credit_pence', 'included_delta_pence'],
        ['prepaid_credit_pence', 'prepaid_delta_pence'],
        ['overage_owed_pence', 'overage_delta_pence'],
      ] as const) {
        expect(moved(delta), `${month} ${pot}`).toBe(sum(delta))
        expect(statement.opening[pot] + moved(delta), `${month} ${pot}`).toBe(statement.closing[pot])
      }
      const units = statement.usage.reduce((total: number, row: { units: number }) => total + row.units, 0)
      expect(units).toBe(
        entries.filter((row) => row.kind === 'charge').reduce((total, row) => total + Number(row.units), 0),
      )
      if (previous) expect(statement.opening).toEqual(previous.closing)
      previous = statement
    }
  }

  it('three months: subscribe, key, checks, top-up, overage, upgrade, downgrade, unpaid, paid again, cancel', async () => {
    clock.set('2026-01-10T12:00:00Z')
    const customer = await subscribe('growth')
    // January: 100 pence included, 40 checks of 5 pence: 100 from credit, 100 overage.
    expect(await customer.billing()).toMatchObject({
      state: 'active',
      credit_pence: 100,
      subscription: { status: 'active', plan: 'growth', provider: 'invoice' },
    })
    expect((await customer.check(40)).json).toMatchObject({ charged_from_credit_pence: 100, overage_pence: 100 })
    const topUp = await customer.send('POST', '/v1/billing/top-ups', { amount_pence: 300 })
    expect(topUp.status).toBe(201)
    expect((await customer.billing()).credit_pence).toBe(0)
    await settle(topUp.json.id)
    expect((await settle(topUp.json.id)).repeated).toBe(true)
    expect((await customer.billing()).credit_pence).toBe(300)
    expect((await customer.check(10)).json).toMatchObject({
      charged_from_credit_pence: 50,
      remaining_credit_pence: 250,
    })
    await settleAll(customer)

    // February: the job closes January; its overage and February's price are invoiced, dated the first.
    clock.set('2026-02-01T00:07:00Z')
    await job()
    await job()
    const [february, ...older] = await customer.invoices()
    expect(older).toHaveLength(2)
    expect(february).toMatchObject({
      state: 'open',
      total_pence: 1100,
      issued_at: '2026-02-01T00:00:00.000Z',
      lines: [
        { kind: 'overage', month: '2026-01', amount_pence: 100 },
        { kind: 'plan', month: '2026-02', amount_pence: 1000 },
      ],
    })
    expect((await customer.billing()).overage_owed_pence).toBe(100)
    await settle(february.id)
    expect((await customer.billing()).overage_owed_pence).toBe(0)

    // Upgrade in mid-period: given when the difference is paid; the credit used counts against the new plan's.
    clock.set('2026-02-14T10:00:00Z')
    await customer.check(10)
    const upgraded = await customer.change({ plan: 'large' })
    expect(upgraded.json).toMatchObject({
      subscription: { plan: 'growth', next_plan: null },
      invoice: { total_pence: 4000, lines: [{ kind: 'upgrade', month: '2026-02' }] },
    })
    expect(await customer.billing()).toMatchObject({ plan: { id: 'growth' }, included_credit_pence: 50 })
    await settle(upgraded.json.invoice.id)
    expect(await customer.billing()).toMatchObject({ plan: { id: 'large' }, included_credit_pence: 950 })
    // Downgrade: with the next month.
    const downgraded = await customer.change({ plan: 'growth' })
    expect(downgraded.json).toMatchObject({ subscription: { plan: 'large', next_plan: 'growth' }, invoice: null })
    expect((await customer.billing()).included_credit_pence).toBe(950)
    await settleAll(customer)

    // March: on the cheaper plan; not paid when due: inactive, and risk endpoints say so.
    clock.set('2026-03-02T00:00:00Z')
    expect(await customer.billing()).toMatchObject({ plan: { id: 'growth' }, included_credit_pence: 100 })
    const [march] = await customer.invoices('?state=open')
    expect(march).toMatchObject({ total_pence: 1000, due_at: '2026-03-15T00:00:00.000Z' })
    clock.set('2026-03-15T00:00:01Z')
    expect(await customer.billing()).toMatchObject({ state: 'inactive', subscription: { status: 'past_due' } })
    clock.advance(5000)
    expect((await customer.check(1)).json.code).toBe('account_inactive')
    expect((await customer.change({ plan: 'large' })).status).toBe(409)
    await settle(march.id)
    expect(await customer.billing()).toMatchObject({ state: 'active', subscription: { status: 'active' } })
    clock.advance(5000)
    expect((await customer.check(1)).status).toBe(200)

    // Cancel at the end of the month; take it back; cancel again.
    expect((await customer.change({ end: 'period_end' })).json.subscription.ends_at).toBe('2026-04-01T00:00:00.000Z')
    expect((await customer.change({ plan: 'growth' })).json.subscription.ends_at).toBeNull()
    await customer.change({ end: 'period_end' })
    clock.set('2026-04-01T00:00:30Z')
    await job()
    expect(await customer.billing()).toMatchObject({
      state: 'inactive',
      subscription: { status: 'ended', stopped_at: '2026-04-01T00:00:00.000Z' },
    })
    expect(await customer.invoices('?state=open')).toEqual([])
    await expectStatementsAddUp(customer, ['2026-01', '2026-02', '2026-03', '2026-04'])
    expect(await customer.statement('2026-01')).toMatchObject({
      state: 'closed',
      plan_price_pence: 1000,
      overage_pence: 100,
      total_due_pence: 1100,
    })
    expect(await customer.statement('2026-02')).toMatchObject({ plan_price_pence: 5000, overage_pence: 0 })

    // And back by subscribing, once the month is paid.
    const back = (await customer.change({ plan: 'growth' })).json
    expect(back).toMatchObject({ subscription: { status: 'ended' }, invoice: { total_pence: 1000 } })
    await settle(back.invoice.id)
    expect(await customer.billing()).toMatchObject({ state: 'active', subscription: { status: 'active' } })
    clock.advance(5000)
    expect((await customer.check(1)).status).toBe(200)
  })

  it('done late, months end as they would have in time', async () => {
    clock.set('2026-05-03T00:00:00Z')
    const [prompt, late] = [await subscribe('growth'), await subscribe('growth')]
    const both = [prompt, late]
    for (const customer of both) {
      await customer.check(50)
      await customer.change({ plan: 'large' })
      await settleAll(customer)
      await customer.change({ plan: 'growth' })
    }
    for (const day of [
      '2026-06-01T00:05:00Z',
      '2026-06-20T00:00:00Z',
      '2026-07-01T00:05:00Z',
      '2026-08-02T00:00:00Z',
    ]) {
      clock.set(day)
      await prompt.billing()
    }
    const facts = async (customer: Customer) =>
      (await customer.invoices()).map((invoice: Record<string, unknown>) => [
        invoice.state,
        invoice.lines,
        (invoice.issued_at as string).endsWith('-01T00:00:00.000Z') ? invoice.issued_at : null,
      ])
    expect(await facts(late)).toEqual(await facts(prompt))
    expect((await late.billing()).subscription.stopped_at).toBe('2026-06-15T00:00:00.000Z')
  })

  it('ended now: inactive at once, the overage so far invoiced once', async () => {
    clock.set('2026-09-05T00:00:00Z')
    const customer = await subscribe('growth')
    await settleAll(customer)
    await customer.check(30)
    const ended = await customer.change({ end: 'now' })
    expect(ended.json).toMatchObject({ subscription: { status: 'ended' }, invoice: { total_pence: 50 } })
    expect((await customer.billing()).state).toBe('inactive')
    clock.set('2026-10-02T00:00:00Z')
    await job()
    expect(await customer.invoices()).toHaveLength(2)
    expect((await customer.change({ end: 'now' })).status).toBe(409)
  })

  it('taken up again in a month that is paid for, only what the new plan costs more is due', async () => {
    clock.set('2026-10-05T00:00:00Z')
    const customer = await subscribe('growth')
    await customer.change({ end: 'now' })
    expect((await customer.change({ plan: 'growth' })).json.invoice).toBeNull()
    await customer.change({ end: 'now' })
    expect((await customer.change({ plan: 'large' })).json.invoice.total_pence).toBe(4000)
  })

  it('a cancelled invoice forgives its overage; money that comes for it all the same becomes credit', async () => {
    clock.set('2026-11-03T00:00:00Z')
    const customer = await subscribe('growth')
    await settleAll(customer)
    await customer.check(30)
    clock.set('2026-12-01T00:01:00Z')
    const [invoice] = await customer.invoices('?state=open')
    await changeIn(sql, clock, async (tx) => {
      const found = await requireInvoice(tx, invoice.id)
      return cancelInvoice(tx, server.accounts.rules, operatorIn(found.organisation_id), found)
    })
    expect(await customer.billing()).toMatchObject({ overage_owed_pence: 0, prepaid_credit_pence: 0 })
    await settle(invoice.id)
    await settle(invoice.id)
    expect((await customer.billing()).prepaid_credit_pence).toBe(invoice.total_pence)
  })

  it('two top-ups settled at once, by two operators, post each once', async () => {
    const customer = await subscribe('basic')
    const topUp = (await customer.send('POST', '/v1/billing/top-ups', { amount_pence: 70 })).json
    const results = await Promise.all([settle(topUp.id), settle(topUp.id), settle(topUp.id)])
    expect(results.filter((one) => !one.repeated)).toHaveLength(1)
    expect((await customer.billing()).credit_pence).toBe(70)
  })

  it('the statement also comes as CSV and as a page to print, and only for months there are', async () => {
    const customer = await subscribe('basic')
    const month = new Date(clock.now()).toISOString().slice(0, 7)
    const csv = await customer.send('GET', `/v1/billing/statements/${month}`, undefined, { accept: 'text/csv' })
    expect(csv.text.split('\r\n')[0]).toBe(
      'section,item,units,unit_price_pence,included_pence,prepaid_pence,overage_pence,total_pence',
    )
    const page = await customer.send('GET', `/v1/billing/statements/${month}`, undefined, { accept: 'text/html' })
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.text).toContain(`<h1>Statement for ${month}</h1>`)
    for (const other of ['1999-01', '2100-01', 'last', '2026-13']) {
      expect((await customer.send('GET', `/v1/billing/statements/${other}`)).status).toBe(404)
    }
  })

  it('alerts say whether and since when a threshold is crossed', async () => {
    const customer = await subscribe('growth')
    const made = await customer.send('POST', '/v1/billing/alerts', { kind: 'credit_below', threshold_pence: 60 })
    expect([made.status, made.json.triggered]).toEqual([201, false])
    await customer.send('POST', '/v1/billing/alerts', { kind: 'overage_above', threshold_pence: 0 })
    await customer.check(10)
    const alerts = async () => (await customer.send('GET', '/v1/billing/alerts')).json.data
    const first = await alerts()
    expect(first.map((one: { triggered: boolean }) => one.triggered)).toEqual([true, false])
    clock.advance(DAY_MS)
    expect((await alerts())[0].triggered_at).toBe(first[0].triggered_at)
    await customer.check(20)
    expect((await alerts()).map((one: { triggered: boolean }) => one.triggered)).toEqual([true, true])
    await server.accounts.credit(customer.organisationId, 500, { reason: 'gift' })
    expect((await alerts())[0]).toMatchObject({ triggered: false, triggered_at: null })
    expect((await customer.send('DELETE', `/v1/billing/alerts/${made.json.id}`)).status).toBe(204)
    expect(await alerts()).toHaveLength(1)
    expect((await customer.send('DELETE', `/v1/billing/alerts/${made.json.id}`)).status).toBe(404)
  })

  describe('checkout', () => {
    it('shows the key once: not on reload, not to two at once, not to who lacks the token', async () => {
      clock.advance(DAY_MS)
      const begun = (await server.post('/v1/checkout', order())).json
      expect(begun).toMatchObject({ state: 'pending', amount_due_pence: 1000, key_shown: false })
      const path = `/v1/checkout/${begun.id}`
      const token = { claim_token: begun.claim_token }
      expect((await server.post(`${path}/claim`, token)).status).toBe(409)
      const [first] = (await listInvoices(sql, { organisationId: begun.organisation_id, limit: 1 })).rows
      const howTo = await server.post(`${path}/how-to-pay`, token)
      expect(howTo.json).toMatchObject({ by_card: false, amount_pence: 1000, reference: `INV-${first?.number}` })
      await settle(first?.id ?? '')
      expect((await server.post(`${path}/claim`, { claim_token: 'x' })).status).toBe(404)
      const claims = await Promise.all([1, 2, 3].map(() => server.post(`${path}/claim`, token)))
      expect(claims.map((answer) => answer.status).sort()).toEqual([200, 409, 409])
      const shown = claims.find((answer) => answer.status === 200)
      expect(shown?.json.curl).toContain(shown?.json.api_key)
      expect((await server.post(`${path}/claim`, token)).json.code).toBe('conflict')
      expect((await server.post(`${path}/state`, token)).json.key_shown).toBe(true)
      const keys = await sql.query('select id from api_key where organisation_id = $1', [begun.organisation_id])
      expect(keys).toHaveLength(1)
      expect((await server.post('/v1/payment-risk', { email: 'a@b.example' }, shown?.json.api_key)).status).toBe(200)
    })

    it('429 when too many sign up at the same time, wherever they are', async () => {
      const hour = { attemptsMax: 5000, windowMs: 3_600_000 }
      await takeAttempts(sql, 'checkouts in all', hour, clock.now(), { wanted: 5000 })
      const count = () => sql.query('select count(*) as n from organisation')
      const before = await count()
      const refused = await server.post('/v1/checkout', order())
      expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await count()).toEqual(before)
      clock.advance(3_600_000)
      expect((await server.post('/v1/checkout', order())).status).toBe(201)
    })

    it('submitted twice with one Idempotency-Key makes one organisation; the owner can sign in', async () => {
      const body = order()
      const headers = { 'idempotency-key': 'order-1' }
      const first = await server.post('/v1/checkout', body, undefined, headers)
      const second = await server.post('/v1/checkout', body, undefined, headers)
      expect(second.text).toBe(first.text)
      expect(second.headers.get('idempotent-replayed')).toBe('true')
      const again = await server.post('/v1/checkout', body)
      expect([again.status, again.json.code]).toEqual([409, 'conflict'])
      const owner = await signIn(server, body.email)
      expect((await owner.send('GET', '/v1/billing')).json.organisation_id).toBe(first.json.organisation_id)
    })

    it.each([
      ['an unknown plan', { plan: 'gold' }, '/plan'],
      ['a short password', { password: 'short' }, '/password'],
      ['no email address', { email: 'nobody' }, '/email'],
      ['an empty name', { organisation_name: '  ' }, '/organisation_name'],
      ['an unknown field', { role: 'owner' }, '/role'],
    ])('422 for %s, and nothing is made', async (_name, overrides, pointer) => {
      const count = async () => (await sql.query('select id from organisation')).length
      const before = await count()
      const answer = await server.post('/v1/checkout', order(overrides))
      expect(answer.status).toBe(422)
      expect(answer.json.errors[0].pointer).toBe(pointer)
      expect(answer.text).not.toContain('company.example')
      expect(await count()).toBe(before)
    })
  })

  describe('what is refused', () => {
    it.each([0, -1, 1.5, '100', 1e15, null, 100_000_001])('422 for a top-up of %s', async (amount) => {
      const customer = await subscribe('basic')
      const answer = await customer.send('POST', '/v1/billing/top-ups', { amount_pence: amount })
      expect([answer.status, answer.json.code]).toEqual([422, 'validation_failed'])
      expect(await customer.invoices()).toEqual([])
    })

    it.each([{}, { plan: 'gold' }, { plan: 'growth', end: 'now' }, { end: 'soon' }, { plan: 7 }])(
      '422 for the subscription change %j',
      async (body) => {
        const customer = await subscribe('basic')
        expect((await customer.change(body)).status).toBe(422)
        expect((await customer.billing()).plan.id).toBe('basic')
      },
    )

    it('a double submit of a top-up makes one invoice', async () => {
      const customer = await subscribe('basic')
      const headers = { 'idempotency-key': 'top-up-1' }
      const first = await customer.send('POST', '/v1/billing/top-ups', { amount_pence: 500 }, headers)
      const second = await customer.send('POST', '/v1/billing/top-ups', { amount_pence: 500 }, headers)
      expect(second.text).toBe(first.text)
      expect(await customer.invoices()).toHaveLength(1)
      const other = await customer.send('POST', '/v1/billing/top-ups', { amount_pence: 501 }, headers)
      expect(other.json.code).toBe('idempotency_key_reused')
    })
  })
})

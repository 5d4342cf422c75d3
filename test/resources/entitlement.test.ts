import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, operatorIn, systemIn } from '../../src/access/actor.ts'
import { requireInvoice } from '../../src/billing/invoices/invoices.ts'
import { verifyLedger } from '../../src/billing/ledger/verify.ts'
import { settleByHand } from '../../src/billing/payments/payments.ts'
import { refundByHand } from '../../src/billing/payments/refunds-and-disputes.ts'
import { createStripeProvider } from '../../src/billing/payments/stripe.ts'
import { loadPlans, type Plans } from '../../src/billing/plans.ts'
import type { BillingSettings } from '../../src/billing/settings.ts'
import { cancelInvoice, requestTopUp } from '../../src/billing/subscription/subscription.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { PASSWORD } from '../support/people.ts'
import { type Answer, startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'
import { STRIPE_KEY, startStripeServer, WEBHOOK_SECRET } from '../support/stripe-server.ts'

/** Ways round paying, and ways to lose what was paid for: each was open once, and stays shut. */

const PLANS = loadPlans()
let strangers = 0

const withPrice = (planId: string, monthly_price_pence: number): Plans =>
  new Map([...PLANS].map(([id, plan]) => [id, id === planId ? { ...plan, monthly_price_pence } : plan]))

describeRules('entitlement', (open) => {
  let sql: Sql
  const clock = new ManualClock('2026-07-10T12:00:00Z')
  const servers: TestServer[] = []
  let server: TestServer

  const start = async (settings: Partial<BillingSettings> = {}, more: object = {}) => {
    const made = await startTestServer({
      sql,
      engine: createTestEngine(),
      clock,
      oauth: true,
      plans: PLANS,
      settings,
      ...more,
    })
    servers.push(made)
    return made
  }
  beforeAll(async () => {
    sql = await open()
    server = await start()
  })
  afterAll(async () => {
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
    for (const one of servers) await one.close()
  })

  const order = (plan: string, more: object = {}) => ({
    organisation_name: 'Stranger Ltd',
    name: 'Stranger',
    email: `stranger${++strangers}@company.example`,
    password: PASSWORD,
    plan,
    accept_terms: true,
    ...more,
  })

  async function customerOf(on: TestServer, organisationId: string) {
    const { secret } = await on.accounts.key(organisationId, 'all', [
      'billing:read',
      'billing:write',
      'organisation:read',
      'risk:payment',
      'risk:supply-chain',
      'risk:bulk',
    ])
    const send = (method: string, path: string, body?: object): Promise<Answer> => {
      clock.advance(15)
      return on.send(path, {
        method,
        ...(body ? { body: JSON.stringify(body) } : {}),
        headers: { 'x-api-key': secret, ...(body ? { 'content-type': 'application/json' } : {}) },
      })
    }
    const settle = (invoiceId: string, reference: string | null = null) =>
      changeIn(sql, clock, async (tx) => {
        const invoice = await requireInvoice(tx, invoiceId)
        return settleByHand(tx, on.accounts.rules, operatorIn(organisationId), { invoice, reference })
      })
    const invoices = async (query = '') => (await send('GET', `/v1/billing/invoices${query}`)).json.data
    const refund = (invoiceId: string, pence: number) =>
      changeIn(sql, clock, async (tx) => {
        const invoice = await requireInvoice(tx, invoiceId)
        return refundByHand(tx, on.accounts.rules, operatorIn(organisationId), { invoice, pence })
      })
    return {
      id: organisationId,
      refund,
      send,
      settle,
      invoices,
      choose: (plan: string) => send('POST', '/v1/billing/subscription', { plan }),
      end: (when: 'now' | 'period_end') => send('POST', '/v1/billing/subscription', { end: when }),
      billing: async () => (await send('GET', '/v1/billing')).json,
      standing: async () => (await send('GET', '/v1/billing/standing')).json,
      check: (records = 1) =>
        send('POST', '/v1/supply-chain-risk/bulk', { domains: Array(records).fill('company.example') }),
      async payAll() {
        for (const invoice of await invoices('?state=open')) await settle(invoice.id)
        // Settled behind the server's back: it looks again within seconds.
        clock.advance(3000)
      },
    }
  }

  async function signUp(plan: string, on = server, more: object = {}) {
    clock.advance(5 * 60_000)
    const begun = await on.post('/v1/checkout', order(plan, more))
    expect(begun.status).toBe(201)
    return { begun: begun.json, ...(await customerOf(on, begun.json.organisation_id)) }
  }
  async function subscriber(plan: string, on = server) {
    const one = await signUp(plan, on)
    await one.payAll()
    return one
  }

  it('past due, ended and subscribed anew is still past due', async () => {
    clock.set('2026-07-10T12:00:00Z')
    const one = await subscriber('growth')
    clock.set('2026-08-20T00:00:00Z')
    expect(await one.standing()).toMatchObject({ served: false, reason: 'overdue', owed_pence: 9900 })
    expect((await one.end('now')).status).toBe(200)
    const chosen = await one.choose('enterprise')
    expect([chosen.status, chosen.json.code]).toEqual([409, 'conflict'])
    expect(chosen.json.detail).toMatch(/^Invoice INV-\d+ is overdue\. Pay it first/)
    expect((await one.check()).status).toBe(403)
  })

  it('a sign-up that waits for its payment is served by no detour, however often it ends and chooses', async () => {
    const stripe = await startStripeServer()
    const payments = createStripeProvider({ secretKey: STRIPE_KEY, webhookSecret: WEBHOOK_SECRET, apiBase: stripe.url })
    const byCard = await start({}, { payments })
    for (const on of [server, byCard]) {
      const one = await signUp('growth', on)
      for (const plan of ['enterprise', 'growth', 'enterprise']) {
        expect((await one.check(10)).json.code).toBe('account_inactive')
        await one.end('now')
        expect((await one.choose(plan)).json.invoice.state).toBe('open')
        expect(await one.standing()).toMatchObject({ served: false, reason: 'first_payment', waiting_plan: plan })
      }
      expect((await one.check(10)).json.code).toBe('account_inactive')
      expect(await one.billing()).toMatchObject({ credit_pence: 0 })
    }
    await stripe.close()
  })

  it('paying first is not bypassed by upgrading: the dearer plan and its credit come with the payment', async () => {
    const one = await signUp('free')
    const chosen = (await one.choose('enterprise')).json
    expect(chosen.invoice).toMatchObject({ total_pence: 99_000, state: 'open' })
    expect(await one.billing()).toMatchObject({ state: 'active', plan: { id: 'free' }, credit_pence: 0 })
    expect((await one.choose('enterprise')).json.invoice.id).toBe(chosen.invoice.id)
    await one.settle(chosen.invoice.id)
    expect(await one.billing()).toMatchObject({ plan: { id: 'enterprise' }, credit_pence: 150_000 })
  })

  it('ended at the end of the month and paid late, it stays ended and no new month is invoiced', async () => {
    clock.set('2026-09-10T12:00:00Z')
    const one = await subscriber('growth')
    clock.set('2026-10-02T00:00:00Z')
    await one.end('period_end')
    clock.set('2026-11-02T00:00:00Z')
    expect(await one.standing()).toMatchObject({ reason: 'overdue' })
    await one.payAll()
    expect(await one.billing()).toMatchObject({ state: 'inactive', subscription: { status: 'ended' } })
    expect(await one.invoices('?state=open')).toEqual([])
  })

  it('disabled and enabled again, an organisation has the state from before', async () => {
    const deactivated = await subscriber('growth')
    await server.accounts.say(deactivated.id, 'deactivate')
    const pastDue = await subscriber('growth')
    clock.set('2026-12-20T00:00:00Z')
    expect(await pastDue.standing()).toMatchObject({ reason: 'overdue' })
    for (const [one, reason] of [
      [deactivated, 'deactivated'],
      [pastDue, 'overdue'],
    ] as const) {
      await server.accounts.say(one.id, 'disable')
      clock.advance(3000)
      expect((await one.check()).json.code).toBe('account_disabled')
      await server.accounts.say(one.id, 'enable')
      clock.advance(3000)
      expect(await one.standing()).toMatchObject({ state: 'inactive', reason })
      expect((await one.check()).json.code).toBe('account_inactive')
    }
  })

  it('a month that is paid for is not asked for again: growth, ended, free, growth', async () => {
    const one = await subscriber('growth')
    await one.check(100)
    await one.end('now')
    expect((await one.choose('free')).json.invoice).toBeNull()
    expect((await one.choose('growth')).json.invoice).toBeNull()
    expect(await one.billing()).toMatchObject({ plan: { id: 'growth' }, credit_pence: 12_000 - 200 })
    expect(await one.invoices()).toHaveLength(1)
  })

  it('overage from before the first subscription is invoiced with it', async () => {
    clock.set('2027-01-20T00:00:00Z')
    const { id } = await server.organisation({ plan: 'growth', creditPence: 0 })
    const one = await customerOf(server, id)
    await one.check(7000)
    expect((await one.billing()).overage_owed_pence).toBe(2000)
    clock.set('2027-02-03T00:00:00Z')
    const { invoice } = (await one.choose('growth')).json
    await one.settle(invoice.id)
    expect((await one.invoices('?state=open')).map((open: { lines: object }) => open.lines)).toEqual([
      [expect.objectContaining({ kind: 'overage', month: '2027-01', amount_pence: 2000 })],
    ])
  })

  it('a month that began while inactive has no price and no credit; choosing the plan buys it', async () => {
    clock.set('2027-03-05T00:00:00Z')
    const one = await subscriber('growth')
    clock.set('2027-05-20T00:00:00Z')
    expect(await one.standing()).toMatchObject({ reason: 'overdue' })
    await one.payAll()
    expect(await one.billing()).toMatchObject({ state: 'active', credit_pence: 0 })
    expect(await one.standing()).toMatchObject({ served: true, month_paid: false, overage_limit_pence: 0 })
    expect(await one.invoices('?state=open')).toEqual([])
    expect((await one.check()).status).toBe(402)
    const { invoice } = (await one.choose('growth')).json
    expect(invoice).toMatchObject({ total_pence: 9900, lines: [{ month: '2027-05' }] })
    await one.settle(invoice.id)
    expect((await one.billing()).credit_pence).toBe(12_000)
  })

  it('a new price list does not take back a month that is paid for', async () => {
    const one = await subscriber('growth')
    const dearer = await start({}, { plans: withPrice('growth', 20_000) })
    const same = await customerOf(dearer, one.id)
    await same.send('POST', '/v1/billing/top-ups', { amount_pence: 5 })
    expect(await same.billing()).toMatchObject({ credit_pence: 12_000 })
    expect((await same.choose('growth')).json.invoice).toBeNull()
    expect(await same.standing()).toMatchObject({ served: true, month_paid: true })
  })

  it('a top-up that nobody pays can be cancelled; what was given has to be paid', async () => {
    const one = await subscriber('growth')
    const topUp = (await one.send('POST', '/v1/billing/top-ups', { amount_pence: 500 })).json
    clock.set('2027-07-02T00:00:00Z')
    const cancel = (id: string) => one.send('POST', `/v1/billing/invoices/${id}/cancel`)
    expect((await cancel(topUp.id)).json.state).toBe('void')
    expect((await cancel(topUp.id)).status).toBe(409)
    const [renewal] = await one.invoices('?state=open')
    const refused = await cancel(renewal.id)
    expect([refused.status, refused.json.code]).toEqual([409, 'conflict'])
    expect(refused.json.detail).toContain('must be paid')
  })

  it('paid and subscribed again, checks are answered at once, not after a while', async () => {
    const one = await subscriber('free')
    await one.end('now')
    expect((await one.check()).status).toBe(403)
    expect((await one.choose('free')).status).toBe(200)
    expect((await one.check()).status).toBe(200)
  })

  it('the 403 says what to do: pay where an invoice is overdue, choose where the subscription ended', async () => {
    clock.set('2027-08-02T00:00:00Z')
    const [unpaid, ended] = [await subscriber('growth'), await subscriber('free')]
    await ended.end('now')
    clock.set('2027-09-20T00:00:00Z')
    await unpaid.billing()
    clock.advance(3000)
    expect((await unpaid.check()).json.detail).toMatch(/overdue.*Pay it/)
    expect((await ended.check()).json.detail).toMatch(/ended.*Choose a plan/)
  })

  describe('the operator decides', () => {
    it('who may sign up', async () => {
      const closed = await start({ signUp: 'closed' })
      expect((await closed.post('/v1/checkout', order('free'))).json).toMatchObject({
        code: 'forbidden',
        detail: 'Sign-up is closed here. Ask the operator for an account.',
      })
      const approval = await start({ signUp: 'approval' })
      const one = await signUp('free', approval)
      expect(one.begun.state).toBe('pending')
      const claim = () => approval.post(`/v1/checkout/${one.begun.id}/claim`, { claim_token: one.begun.claim_token })
      expect((await claim()).status).toBe(409)
      expect((await one.check()).json.detail).toContain('not approved')
      await approval.accounts.say(one.id, 'approve')
      clock.advance(3000)
      expect((await claim()).status).toBe(200)
      expect((await one.check()).status).toBe(200)
    })

    it('which plans strangers may choose, at sign-up and later', async () => {
      const few = await start({ signUpPlans: ['free', 'growth'] })
      expect((await few.post('/v1/checkout', order('enterprise'))).json.code).toBe('forbidden')
      const one = await signUp('free', few)
      const chosen = await one.choose('enterprise')
      expect([chosen.status, chosen.json.code]).toEqual([403, 'forbidden'])
      expect(chosen.json.detail).toContain('free, growth')
      await few.accounts.setPlan(one.id, 'enterprise')
      expect((await one.billing()).plan.id).toBe('enterprise')
    })

    it('how much credit a plan gives before its first payment', async () => {
      const trusting = await start({ creditBeforePaymentPence: 300 })
      const one = await signUp('enterprise', trusting)
      expect(await one.billing()).toMatchObject({ state: 'active', credit_pence: 300 })
      expect((await one.check(301)).status).toBe(402)
      expect((await one.check(100)).status).toBe(200)
      await one.payAll()
      expect((await one.billing()).credit_pence).toBe(150_000 - 100)
    })

    it('how far overage may run: the owner lowers the limit, the operator raises it', async () => {
      const one = await subscriber('growth')
      expect((await one.check(6000)).json.remaining_credit_pence).toBe(0)
      const lower = (pence: number | null) =>
        one.send('PUT', '/v1/billing/overage-limit', { overage_limit_pence: pence })
      expect((await lower(200_000)).status).toBe(422)
      expect((await lower(50)).status).toBe(200)
      expect((await one.check(20)).status).toBe(200)
      const refused = await one.check(20)
      expect([refused.status, refused.json.code]).toEqual([402, 'credit_exhausted'])
      expect(refused.json.detail).toContain('10 of overage')
      await lower(null)
      expect((await one.check(20)).status).toBe(200)
      expect(await one.standing()).toMatchObject({ overage_limit_pence: 100_000, overage_left_pence: 99_920 })
    })
  })

  it('without card payment an invoice says how it is paid: bank details and a reference', async () => {
    const bank = await start({ paymentInstructions: 'Example Bank\nAccount 12345678' })
    const one = await signUp('growth', bank)
    const [invoice] = await one.invoices()
    expect((await one.send('POST', `/v1/billing/invoices/${invoice.id}/payment`)).json).toEqual({ url: null })
    expect((await one.send('GET', `/v1/billing/invoices/${invoice.id}/payment`)).json).toMatchObject({
      by_card: false,
      instructions: 'Example Bank\nAccount 12345678',
      reference: `INV-${invoice.number}`,
      amount_pence: 9900,
    })
  })

  it('invoices of all organisations are numbered in one series without a gap', async () => {
    const [one, other] = [await signUp('growth'), await signUp('growth')]
    const [[first], [second]] = [await one.invoices(), await other.invoices()]
    expect(second.number).toBe(first.number + 1)
    const rows = await sql.query<{ number: number }>('select number from invoice order by number')
    expect(rows.map((row) => row.number)).toEqual(rows.map((_, i) => i + 1))
  })

  it('a top-up that is made and cancelled, again and again, leaves one invoice and one number', async () => {
    const [one, other] = [await signUp('free'), await signUp('free')]
    const cancel = (id: string) => one.send('POST', `/v1/billing/invoices/${id}/cancel`)
    const { number, id } = (await topUp(one, 500)).json
    for (let last = id, i = 0; i < 20; i++) {
      expect((await cancel(last)).json).toMatchObject({ state: 'void', number })
      const again = await topUp(one, 500 + i)
      expect([again.status, again.json.number]).toEqual([201, number])
      last = again.json.id
    }
    expect(await one.invoices()).toHaveLength(1)
    expect((await one.send('GET', `/v1/billing/invoices/${id}`)).status).toBe(404)

    // Told how to pay it, somebody may have written its number down.
    const [sent] = await one.invoices()
    expect((await one.send('GET', `/v1/billing/invoices/${sent.id}/payment`)).json.reference).toBe(`INV-${number}`)
    await cancel(sent.id)
    const next = (await topUp(other, 500)).json
    expect(next.number).toBe(number + 1)
    expect((await one.send('GET', `/v1/billing/invoices/${sent.id}`)).json).toMatchObject({ state: 'void', number })
    // A plan that is chosen and another one after it.
    const chosen = (await one.choose('growth')).json.invoice
    expect((await one.choose('enterprise')).json.invoice.number).toBe(chosen.number)
    const rows = await sql.query<{ number: number }>('select number from invoice order by number')
    expect(rows.map((row) => row.number)).toEqual(rows.map((_, i) => i + 1))
  })

  it('429 after a hundred invoices that an organisation has made in a day; the operator may make more', async () => {
    const one = await signUp('free')
    const make = (actor: Actor) =>
      changeIn(sql, clock, async (tx) => {
        const { rules } = server.accounts
        await cancelInvoice(tx, rules, actor, await requestTopUp(tx, rules, actor, { amountPence: 5 }))
      })
    const customer: Actor = { ...systemIn(one.id), kind: 'person', id: 'usr_customer' }
    for (let i = 0; i < 100; i++) await make(customer)
    const refused = await topUp(one, 5)
    expect([refused.status, refused.json.code]).toEqual([429, 'rate_limited'])
    expect(refused.json.detail).toContain('has made 100 invoices by top-ups and changes of plan, the most in 24 hours')
    expect((await one.choose('growth')).status).toBe(429)
    await make(operatorIn(one.id))
    clock.advance(DAY_MS)
    expect((await topUp(one, 5)).status).toBe(201)
  })

  it('credit bought at checkout is there with the payment, and the first call of a prepaid customer works', async () => {
    const one = await signUp('prepaid', server, { top_up_pence: 1000 })
    expect(one.begun).toMatchObject({ state: 'pending', amount_due_pence: 1000 })
    await one.payAll()
    expect((await one.check()).json).toMatchObject({ charged: true, remaining_credit_pence: 998 })
    const wrong = await server.post('/v1/checkout', order('growth', { top_up_pence: 1000 }))
    expect(wrong.json.errors[0].pointer).toBe('/top_up_pence')
  })

  it('a second payment of a paid invoice becomes credit, by the operator’s hand too', async () => {
    const one = await subscriber('growth')
    const [invoice] = await one.invoices()
    expect(await one.settle(invoice.id)).toMatchObject({ repeated: true })
    expect(await one.settle(invoice.id, 'bank 77')).toMatchObject({ repeated: false, payment: { outcome: 'credited' } })
    expect(await one.settle(invoice.id, 'bank 77')).toMatchObject({ repeated: true })
    expect((await one.billing()).prepaid_credit_pence).toBe(9900)
  })

  it('a hundred unpaid top-ups do not hide an overdue invoice', async () => {
    clock.set('2028-01-10T12:00:00Z')
    const one = await subscriber('growth')
    for (let i = 0; i < 100; i++) expect((await topUp(one, 1)).status).toBe(201)
    expect((await topUp(one, 1)).status).toBe(409)
    clock.set('2028-02-20T00:00:00Z')
    expect(await one.standing()).toMatchObject({ served: false, reason: 'overdue', owed_pence: 9900 })
  })
  const topUp = (one: { send: (method: string, path: string, body?: object) => Promise<Answer> }, pence: number) =>
    one.send('POST', '/v1/billing/top-ups', { amount_pence: pence })

  it('paid in one month and approved in the next, the plan has the month in which it begins', async () => {
    clock.set('2028-03-28T12:00:00Z')
    const byApproval = await start({ signUp: 'approval' })
    const one = await signUp('growth', byApproval)
    await one.payAll()
    clock.set('2028-04-02T12:00:00Z')
    await byApproval.accounts.say(one.id, 'approve')
    clock.advance(3000)
    expect(await one.billing()).toMatchObject({ state: 'active', credit_pence: 12_000 })
    const onTerms = await start({ signUp: 'approval', creditBeforePaymentPence: 500 })
    const other = await signUp('growth', onTerms)
    clock.set('2028-05-05T12:00:00Z')
    await onTerms.accounts.say(other.id, 'approve')
    clock.advance(3000)
    expect(await other.standing()).toMatchObject({ served: true, reason: null })
  })

  it('one bank reference may pay the invoices of two organisations', async () => {
    const [one, two] = [await signUp('growth'), await signUp('growth')]
    for (const each of [one, two]) {
      const [invoice] = await each.invoices()
      expect(await each.settle(invoice.id, 'BACS 3 April')).toMatchObject({
        repeated: false,
        invoice: { state: 'paid' },
      })
    }
  })

  it('a waiting plan that the price list no longer has turns into credit when it is paid', async () => {
    const one = await signUp('free')
    const { invoice } = (await one.choose('enterprise')).json
    const fewer: Plans = new Map([...PLANS].filter(([id]) => id !== 'enterprise'))
    await changeIn(sql, clock, async (tx) => {
      const found = await requireInvoice(tx, invoice.id)
      return settleByHand(tx, { ...server.accounts.rules, plans: fewer }, operatorIn(one.id), {
        invoice: found,
        reference: null,
      })
    })
    expect(await one.billing()).toMatchObject({ plan: { id: 'free' }, prepaid_credit_pence: 99_000 })
  })

  it('a refunded upgrade leaves the month that is paid for, on the plan chosen then', async () => {
    const one = await subscriber('growth')
    const { invoice } = (await one.choose('enterprise')).json
    await one.settle(invoice.id)
    await one.refund(invoice.id, 89_100)
    expect(await one.standing()).toMatchObject({ month_paid: false })
    expect((await one.choose('growth')).json).toMatchObject({ invoice: null, subscription: { next_plan: null } })
    expect(await one.billing()).toMatchObject({ plan: { id: 'growth' }, credit_pence: 12_000 })
  })

  it('a refund that reaches the price takes the month back, also where the invoice holds overage', async () => {
    clock.set('2028-06-03T12:00:00Z')
    const one = await subscriber('growth')
    await one.check(7000)
    clock.set('2028-07-03T12:00:00Z')
    const [renewal] = await one.invoices('?state=open')
    await one.settle(renewal.id)
    await one.refund(renewal.id, 9900)
    expect(await one.standing()).toMatchObject({ month_paid: false })
  })

  it('a month invoiced while a plan waited is not paid twice: what is beyond its price becomes credit', async () => {
    clock.set('2029-01-20T12:00:00Z')
    const one = await subscriber('growth')
    clock.set('2029-03-06T12:00:00Z')
    await one.payAll()
    // March began while an invoice was overdue: nothing of it is invoiced, so the plan waits for its whole price.
    const { invoice } = (await one.choose('enterprise')).json
    expect(invoice.total_pence).toBe(99_000)
    clock.set('2029-04-02T12:00:00Z')
    expect(await one.invoices('?state=open&kind=subscription')).toHaveLength(2)
    await one.settle(invoice.id)
    expect(await one.billing()).toMatchObject({ plan: { id: 'enterprise' }, prepaid_credit_pence: 9900 })
    await one.refund(invoice.id, 99_000)
    expect(await one.billing()).toMatchObject({ prepaid_credit_pence: 0 })
  })
})

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { runBilling } from '../../src/billing/job.ts'
import { verifyLedger } from '../../src/billing/ledger/verify.ts'
import { listOddPayments } from '../../src/billing/payments/payments.ts'
import { reconcile } from '../../src/billing/payments/reconcile.ts'
import { closeDispute } from '../../src/billing/payments/refunds-and-disputes.ts'
import { listDisputes } from '../../src/billing/payments/return-rows.ts'
import { createStripeProvider } from '../../src/billing/payments/stripe.ts'
import { parsePlans } from '../../src/billing/plans.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { createKey } from '../../src/identity/keys/keys.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { PASSWORD } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'
import {
  STRIPE_KEY,
  type StripeServer,
  signatureOf,
  startStripeServer,
  stripeEvent,
  WEBHOOK_SECRET,
} from '../support/stripe-server.ts'

/** Payments through our client of the API, against a server here that follows the published API. */

const PLANS = parsePlans(
  [
    {
      id: 'growth',
      name: 'Growth',
      monthly_price_pence: 1000,
      included_credit_pence: 100,
      unit_price_pence: { 'payment-risk': 10, 'supply-chain-risk': 5, 'infrastructure-risk': 1 },
      free_units: 0,
      overage_allowed: true,
      requests_per_second: 1000,
      bulk_allowed: true,
    },
    {
      id: 'nothing',
      name: 'Nothing',
      monthly_price_pence: 0,
      included_credit_pence: 0,
      unit_price_pence: { 'payment-risk': 10, 'supply-chain-risk': 5, 'infrastructure-risk': 1 },
      free_units: 5,
      overage_allowed: false,
      requests_per_second: 1000,
      bulk_allowed: true,
    },
  ],
  'the plans of this test',
)

describeRules('payments by Stripe', (open) => {
  let sql: Sql
  let server: TestServer
  let stripe: StripeServer
  let payments: ReturnType<typeof createStripeProvider>
  let customers = 0
  const clock = new ManualClock('2026-01-10T12:00:00Z')

  beforeAll(async () => {
    sql = await open()
    stripe = await startStripeServer()
    payments = createStripeProvider({ secretKey: STRIPE_KEY, webhookSecret: WEBHOOK_SECRET, apiBase: stripe.url })
    server = await startTestServer({ sql, engine: createTestEngine(), clock, oauth: true, plans: PLANS, payments })
  })
  afterAll(async () => {
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
    await server.close()
    await stripe.close()
  })

  const deliver = (body: string, signature = signatureOf(body, clock.now())) =>
    server.post('/v1/webhooks/stripe', body, undefined, { 'stripe-signature': signature })

  async function begin(plan = 'growth') {
    clock.advance(10 * 60_000)
    const begun = await server.post('/v1/checkout', {
      organisation_name: 'Buyer Ltd',
      name: 'Buyer',
      email: `card${++customers}@company.example`,
      password: PASSWORD,
      plan,
      accept_terms: true,
    })
    expect(begun.status).toBe(201)
    const { id, claim_token, organisation_id: organisationId } = begun.json
    const ask = (what: string) => server.post(`/v1/checkout/${id}/${what}`, { claim_token })
    return { id, organisationId, begun: begun.json, ask }
  }

  async function pay(checkout: Awaited<ReturnType<typeof begin>>) {
    const { url } = (await checkout.ask('payment')).json
    const session = stripe.sessions.get(new URL(url).pathname.split('/').at(-1) ?? '')!
    const intent = `pi_for_${session.id}`
    return {
      completed: stripeEvent('checkout.session.completed', {
        ...session,
        payment_status: 'paid',
        payment_intent: intent,
        customer: `cus_${checkout.organisationId}`,
      }),
      succeeded: stripeEvent('payment_intent.succeeded', {
        id: intent,
        object: 'payment_intent',
        amount: session.amount_total,
        amount_received: session.amount_total,
        customer: `cus_${checkout.organisationId}`,
        payment_method: 'pm_card',
        metadata: session.metadata,
      }),
      failed: stripeEvent('payment_intent.payment_failed', {
        id: intent,
        object: 'payment_intent',
        metadata: session.metadata,
      }),
    }
  }

  const billingKey = async (organisationId: string) => {
    const scopes = ['billing:read', 'billing:write', 'organisation:read'] as const
    const { secret } = await changeIn(sql, clock, (tx) =>
      createKey(tx, operatorIn(organisationId), { name: 'billing', scopes, expiresAtMs: null }),
    )
    return secret
  }

  const facts = async (organisationId: string) => {
    const [state] = await sql.query<{ state: string }>('select state from organisation where id = $1', [organisationId])
    const invoices = await sql.query<{ state: string }>(
      'select state from invoice where organisation_id = $1 order by number',
      [organisationId],
    )
    const keys = await sql.query('select id from api_key where organisation_id = $1', [organisationId])
    const entries = await sql.query('select id from ledger_entry where organisation_id = $1', [organisationId])
    return {
      state: state?.state,
      invoices: invoices.map((one) => one.state),
      keys: keys.length,
      entries: entries.length,
    }
  }

  it('checkout, hosted page, webhook, key: in this order, each once', async () => {
    const checkout = await begin()
    expect(checkout.begun.state).toBe('pending')
    expect((await checkout.ask('claim')).json.code).toBe('conflict')
    expect(await facts(checkout.organisationId)).toMatchObject({ state: 'inactive', invoices: ['open'], keys: 0 })
    const first = await checkout.ask('payment')
    expect(first.json.url).toMatch(/^https:\/\/checkout\.stripe\.com\/c\/pay\/cs_test_/)
    // A reload of the page asks again and comes to the same page of Stripe.
    expect((await checkout.ask('payment')).json.url).toBe(first.json.url)
    const sent = stripe.requests.at(-1)!
    expect(Object.fromEntries(sent.body)).toMatchObject({
      mode: 'payment',
      'line_items[0][price_data][unit_amount]': '1000',
      'line_items[0][price_data][currency]': 'gbp',
      'payment_intent_data[setup_future_usage]': 'off_session',
    })
    const events = await pay(checkout)
    expect((await deliver(events.completed)).status).toBe(200)
    expect((await checkout.ask('state')).json.state).toBe('complete')
    const claimed = await checkout.ask('claim')
    expect(claimed.status).toBe(200)
    expect((await checkout.ask('claim')).status).toBe(409)
    clock.advance(5000)
    expect(
      (await server.post('/v1/supply-chain-risk', { domain: 'company.example' }, claimed.json.api_key)).status,
    ).toBe(200)
    expect((await checkout.ask('payment')).status).toBe(409)
  })

  it('duplicates, any order, failures before and after: the invoice is paid once and nothing is granted twice', async () => {
    const orders: ('completed' | 'succeeded' | 'failed')[][] = [
      ['completed', 'completed', 'completed'],
      ['succeeded', 'completed'],
      ['failed', 'completed', 'succeeded', 'failed'],
      ['succeeded', 'succeeded', 'failed', 'completed', 'completed'],
    ]
    for (const order of orders) {
      const checkout = await begin()
      const events = await pay(checkout)
      for (const name of order) expect((await deliver(events[name])).status, order.join()).toBe(200)
      expect(await facts(checkout.organisationId), order.join()).toEqual({
        state: 'active',
        invoices: ['paid'],
        keys: 0,
        entries: 1,
      })
    }
    const checkout = await begin()
    const events = await pay(checkout)
    await Promise.all(
      [events.completed, events.succeeded, events.completed, events.succeeded].map((one) => deliver(one)),
    )
    expect(await facts(checkout.organisationId)).toEqual({ state: 'active', invoices: ['paid'], keys: 0, entries: 1 })
  })

  it("a message signed now is taken while the service's time is an hour ahead of a clock that was set back", async () => {
    const checkout = await begin()
    const { completed } = await pay(checkout)
    const nowMs = clock.now() - 3_600_000
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      vi.setSystemTime(nowMs)
      expect((await deliver(completed, signatureOf(completed, nowMs - 600_000))).status).toBe(400)
      expect((await deliver(completed, signatureOf(completed, nowMs))).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
    expect(await facts(checkout.organisationId)).toMatchObject({ state: 'active', invoices: ['paid'] })
  })

  describe('a message that is not genuine is refused and changes nothing', () => {
    it.each([
      ['no signature', (_body: string) => ''],
      ['another secret', (body: string) => signatureOf(body, clock.now(), 'whsec_other')],
      ['another body', (body: string) => signatureOf(`${body} `, clock.now())],
      ['replayed after ten minutes', (body: string) => signatureOf(body, clock.now() - 10 * 60_000)],
      ['nonsense', () => 't=now,v1=00'],
    ])('400 for %s', async (_name, sign) => {
      const checkout = await begin()
      const { completed } = await pay(checkout)
      const answer = await deliver(completed, sign(completed))
      expect([answer.status, answer.json.code]).toEqual([400, 'signature_invalid'])
      expect(await facts(checkout.organisationId)).toMatchObject({ state: 'inactive', invoices: ['open'] })
    })

    it('a genuine message about another amount or an unknown invoice is taken and settles nothing', async () => {
      const checkout = await begin()
      const { completed } = await pay(checkout)
      const event = JSON.parse(completed)
      const less = stripeEvent('checkout.session.completed', { ...event.data.object, amount_total: 1 })
      const unknown = stripeEvent('checkout.session.completed', {
        ...event.data.object,
        metadata: { invoice_id: 'bil_unknown' },
      })
      const unpaid = stripeEvent('checkout.session.completed', { ...event.data.object, payment_status: 'unpaid' })
      for (const body of [less, unknown, unpaid, stripeEvent('customer.created', { id: 'cus_1' })]) {
        expect((await deliver(body)).status).toBe(200)
      }
      expect(await facts(checkout.organisationId)).toMatchObject({ state: 'inactive', invoices: ['open'] })
    })
  })

  it('a plan that costs nothing needs no payment', async () => {
    const checkout = await begin('nothing')
    expect(checkout.begun).toMatchObject({ state: 'complete', amount_due_pence: 0 })
    expect((await checkout.ask('payment')).status).toBe(409)
    expect((await checkout.ask('claim')).status).toBe(200)
  })

  it('later invoices are charged to the saved card, once; a top-up is paid on the hosted page', async () => {
    clock.set('2026-02-10T00:00:00Z')
    const checkout = await begin()
    const events = await pay(checkout)
    await deliver(events.completed)
    await deliver(events.succeeded)
    clock.set('2026-03-01T00:05:00Z')
    const failed: unknown[] = []
    const job = () =>
      runBilling({
        ...server.accounts.deps,
        provider: payments.name,
        payments,
        onError: (_about, error) => void failed.push(error),
      })
    const before = stripe.requests.length
    await job()
    await job()
    const intents = stripe.requests.slice(before).filter((one) => one.path === '/v1/payment_intents')
    const mine = intents.filter((one) => one.body.get('metadata[organisation_id]') === checkout.organisationId)
    expect(mine).toHaveLength(1)
    expect(Object.fromEntries(mine[0]!.body)).toMatchObject({
      amount: '1000',
      customer: `cus_${checkout.organisationId}`,
      payment_method: 'pm_card',
      off_session: 'true',
      confirm: 'true',
    })
    const invoiceId = mine[0]!.body.get('metadata[invoice_id]')
    const settled = stripeEvent('payment_intent.succeeded', {
      id: 'pi_monthly',
      object: 'payment_intent',
      amount_received: 1000,
      customer: `cus_${checkout.organisationId}`,
      payment_method: 'pm_card',
      metadata: { invoice_id: invoiceId },
    })
    await deliver(settled)
    await deliver(settled)
    expect((await facts(checkout.organisationId)).invoices).toEqual(['paid', 'paid'])
    expect(failed).toEqual([])

    const secret = await billingKey(checkout.organisationId)
    const topUp = (await server.post('/v1/billing/top-ups', { amount_pence: 700 }, secret)).json
    const page = await server.send(`/v1/billing/invoices/${topUp.id}/payment`, {
      method: 'POST',
      headers: { 'x-api-key': secret },
    })
    const session = stripe.sessions.get(new URL(page.json.url).pathname.split('/').at(-1) ?? '')!
    expect(session.customer).toBe(`cus_${checkout.organisationId}`)
    const paid = stripeEvent('checkout.session.completed', {
      ...session,
      payment_status: 'paid',
      payment_intent: 'pi_top',
    })
    await deliver(paid)
    await deliver(paid)
    const billing = await server.send('/v1/billing', { headers: { 'x-api-key': secret } })
    expect(billing.json.prepaid_credit_pence).toBe(700)
  })

  const billingJob = () =>
    runBilling({
      ...server.accounts.deps,
      provider: payments.name,
      payments,
      onError: (_about, error) => {
        throw error
      },
    })

  /** A customer who subscribed and paid by card, and reads their billing. */
  async function customer() {
    const checkout = await begin()
    const events = await pay(checkout)
    await deliver(events.succeeded)
    const secret = await billingKey(checkout.organisationId)
    const read = async (path: string) => {
      clock.advance(20)
      return (await server.send(path, { headers: { 'x-api-key': secret } })).json
    }
    const intent = JSON.parse(events.succeeded).data.object
    return {
      ...checkout,
      secret,
      intent,
      standing: () => read('/v1/billing/standing'),
      billing: () => read('/v1/billing'),
      actions: async () =>
        (await read('/v1/organisation/audit')).data.map((entry: { action: string }) => entry.action) as string[],
    }
  }

  it('a second genuine payment of a paid invoice becomes credit, is logged and audited', async () => {
    const one = await customer()
    const second = stripeEvent('payment_intent.succeeded', { ...one.intent, id: `${one.intent.id}_again` })
    await deliver(second)
    await deliver(second)
    expect((await one.billing()).prepaid_credit_pence).toBe(1000)
    expect((await one.actions()).filter((action) => action === 'payment.credited')).toHaveLength(1)
  })

  it('a payment in another currency settles nothing and is listed as unmatched', async () => {
    const checkout = await begin()
    const { succeeded } = await pay(checkout)
    const intent = JSON.parse(succeeded).data.object
    const euros = { ...intent, id: `${intent.id}_eur`, currency: 'eur' }
    expect((await deliver(stripeEvent('payment_intent.succeeded', euros))).status).toBe(200)
    expect(await facts(checkout.organisationId)).toMatchObject({ state: 'inactive', invoices: ['open'] })
    const unmatched = await sql.query('select outcome, currency from payment where reference = $1', [euros.id])
    expect(unmatched).toEqual([{ outcome: 'unmatched', currency: 'eur' }])
  })

  it('a refund in full takes the month back: a ledger entry, no credit, an audit line', async () => {
    const one = await customer()
    expect((await one.billing()).included_credit_pence).toBe(100)
    const refunded = stripeEvent('charge.refunded', {
      id: 'ch_1',
      object: 'charge',
      payment_intent: one.intent.id,
      amount_refunded: 1000,
    })
    await deliver(refunded)
    await deliver(refunded)
    expect(await one.billing()).toMatchObject({ state: 'active', included_credit_pence: 0 })
    expect(await one.standing()).toMatchObject({ month_paid: false, overage_limit_pence: 0 })
    const kinds = await sql.query<{ kind: string }>(
      `select kind from ledger_entry where organisation_id = $1 and kind = 'reversal'`,
      [one.organisationId],
    )
    expect(kinds).toHaveLength(1)
    expect(await one.actions()).toContain('payment.refund')
  })

  it('a dispute stops the account; won it runs again, lost the invoice is unpaid again and its card is left alone', async () => {
    const [winner, loser] = [await customer(), await customer()]
    const dispute = (one: typeof loser, type: string, status: string) =>
      deliver(stripeEvent(type, { id: `dp_${one.id}`, object: 'dispute', payment_intent: one.intent.id, status }))
    await dispute(winner, 'charge.dispute.created', 'needs_response')
    expect(await winner.standing()).toMatchObject({ state: 'inactive', reason: 'disputed' })
    await dispute(winner, 'charge.dispute.closed', 'won')
    // Told once more, and late: it is decided.
    await dispute(winner, 'charge.dispute.created', 'needs_response')
    expect(await winner.standing()).toMatchObject({ state: 'active' })

    await dispute(loser, 'charge.dispute.created', 'needs_response')
    await dispute(loser, 'charge.dispute.closed', 'lost')
    expect(await loser.standing()).toMatchObject({ owed_pence: 1000 })
    const before = stripe.requests.length
    await billingJob()
    const charged = stripe.requests.slice(before).map((sent) => sent.body.get('metadata[organisation_id]'))
    expect(charged).not.toContain(loser.organisationId)
    clock.advance(15 * DAY_MS)
    expect(await loser.standing()).toMatchObject({ state: 'inactive', reason: 'overdue', pay_first: { state: 'open' } })
    await deliver(stripeEvent('payment_intent.succeeded', { ...loser.intent, id: `${loser.intent.id}_at_last` }))
    expect(await loser.standing()).toMatchObject({ state: 'active', owed_pence: 0 })
    expect((await loser.actions()).filter((action) => action === 'payment.dispute')).toHaveLength(2)
  })

  const disputed = (one: { intent: { id: string } }, id: string, status: string, more: object = {}) =>
    deliver(stripeEvent('charge.dispute.updated', { id, payment_intent: one.intent.id, status, ...more }))
  const refunded = (intent: string, pence: number) =>
    deliver(stripeEvent('charge.refunded', { id: 'ch', payment_intent: intent, amount_refunded: pence }))

  it('a second dispute of a payment counts, though the first one was won', async () => {
    const one = await customer()
    await disputed(one, `dp_a${one.id}`, 'won')
    await disputed(one, `dp_b${one.id}`, 'needs_response')
    expect(await one.standing()).toMatchObject({ state: 'inactive', reason: 'disputed' })
    await disputed(one, `dp_b${one.id}`, 'lost')
    // The first one is told again.
    await disputed(one, `dp_a${one.id}`, 'needs_response')
    expect(await one.standing()).toMatchObject({ state: 'active', owed_pence: 1000, month_paid: false })
  })

  it('402 on a plan with overage after a lost dispute, until the month is paid again', async () => {
    clock.set('2026-05-20T00:00:00Z')
    const one = await customer()
    const key = await changeIn(sql, clock, (tx) =>
      createKey(tx, operatorIn(one.organisationId), { name: 'checks', expiresAtMs: null }),
    )
    const check = async () => {
      clock.advance(3000)
      return (await server.post('/v1/payment-risk', { email: 'a@b.example' }, key.secret)).status
    }
    clock.set('2026-06-01T00:05:00Z')
    await billingJob()
    const bill = (await server.send('/v1/billing/invoices?state=open', { headers: { 'x-api-key': one.secret } })).json
    const june = { id: `pi_june_${one.id}`, amount_received: 1000, metadata: { invoice_id: bill.data[0].id } }
    await deliver(stripeEvent('payment_intent.succeeded', june))
    expect(await check()).toBe(200)
    await disputed({ intent: june }, `dp_c${one.id}`, 'lost')
    expect(await one.standing()).toMatchObject({
      state: 'active',
      month_paid: false,
      overage_limit_pence: 0,
      pay_first: { id: bill.data[0].id },
    })
    expect((await one.billing()).credit_pence).toBe(0)
    expect(await check()).toBe(402)
    await deliver(stripeEvent('payment_intent.succeeded', { ...june, id: `${june.id}_again` }))
    expect(await check()).toBe(200)
  })

  it('an inquiry of the bank is told to the operator and stops nothing, until it becomes a dispute', async () => {
    const one = await customer()
    const id = `dp_q${one.id}`
    await disputed(one, id, 'warning_needs_response')
    expect(await one.standing()).toMatchObject({ state: 'active' })
    const own = await listDisputes(sql, { organisationId: one.organisationId, undecided: true }, 10)
    expect(own).toMatchObject([{ id, state: 'inquiry', organisation_id: one.organisationId }])
    await disputed(one, id, 'warning_closed')
    expect(await listDisputes(sql, { organisationId: one.organisationId, undecided: true }, 10)).toEqual([])
    await disputed(one, id, 'needs_response')
    expect(await one.standing()).toMatchObject({ reason: 'disputed' })
  })

  it('totals of refunds are cumulative: a late smaller one changes nothing, before and after the payment', async () => {
    const { apiKey } = await server.organisation({ plan: 'nothing', scopes: ['billing:read', 'billing:write'] })
    const prepaid = async () =>
      (await server.send('/v1/billing', { headers: { 'x-api-key': apiKey } })).json.prepaid_credit_pence
    const before = await prepaid()
    const invoice = (await server.post('/v1/billing/top-ups', { amount_pence: 1000 }, apiKey)).json
    const paid = { id: `pi_${invoice.id}`, amount_received: 1000, metadata: { invoice_id: invoice.id } }
    for (const pence of [700, 300]) await refunded(paid.id, pence)
    await deliver(stripeEvent('payment_intent.succeeded', paid))
    expect((await prepaid()) - before).toBe(300)
    await refunded(paid.id, 500)
    expect((await prepaid()) - before).toBe(300)
  })

  it('a refund above the amount is taken, and listed for the operator', async () => {
    const one = await customer()
    expect((await refunded(one.intent.id, 1200)).status).toBe(200)
    expect(await one.standing()).toMatchObject({ month_paid: false })
    const listed = await listOddPayments(sql, 100)
    expect(listed.find(({ reference }) => reference === one.intent.id)).toMatchObject({
      amount_pence: 1000,
      refunded_pence: 1200,
    })
  })

  it('reconciling names what differs from the records of Stripe, and nothing else', async () => {
    const one = await customer()
    const created = Math.floor(clock.now() / 1000)
    const { records, name } = payments
    const metadata = one.intent.metadata
    const intent = { id: one.intent.id, status: 'succeeded', created, currency: 'gbp', amount_received: 1000, metadata }
    const compare = async () => {
      const { differences } = await reconcile(sql, { provider: name, records: records!, sinceMs: clock.now() - 1000 })
      return differences
        .filter(({ reference }) => reference.includes(one.intent.id))
        .map(({ reference, problem }) => `${reference} ${problem}`)
    }
    expect(await compare()).toEqual([`${intent.id} is recorded here, and the provider has no such payment`])
    stripe.records.payment_intents.push({ ...intent, latest_charge: { id: 'ch_1', amount_refunded: 0 } })
    // More than one page.
    for (let i = 0; i < 120; i++) stripe.records.payment_intents.push({ id: `pi_other${i}`, created })
    expect(await compare()).toEqual([])

    stripe.records.payment_intents.push({ ...intent, id: `${intent.id}_2` })
    stripe.records.payment_intents[0] = { ...intent, latest_charge: { id: 'ch_1', amount_refunded: 400 } }
    stripe.records.disputes.push({ id: 'dp_r', created, payment_intent: intent.id, status: 'lost', amount: 600 })
    expect((await compare()).sort()).toEqual([
      `${intent.id} has 400 pence refunded there, and 0 here`,
      `${intent.id} has the dispute dp_r, lost there, which is not recorded here`,
      `${intent.id}_2 1000 gbp for invoice ${metadata.invoice_id} were paid, and no payment is recorded here`,
    ])
    await refunded(intent.id, 400)
    await disputed(one, 'dp_r', 'needs_response', { amount: 600 })
    await deliver(stripeEvent('payment_intent.succeeded', { ...one.intent, id: `${intent.id}_2` }))
    expect(await compare()).toEqual([`${intent.id} has the dispute dp_r, lost there and open here`])
    await changeIn(sql, clock, (tx) => closeDispute(tx, server.accounts.rules, { id: 'dp_r', outcome: 'lost' }))
    expect(await compare()).toEqual([])
    expect(await one.standing()).toMatchObject({ owed_pence: 1000, month_paid: false })
  })

  it('messages in any order come to the same: a refund before its payment, the end of a dispute before its beginning', async () => {
    const checkout = await begin()
    const { succeeded } = await pay(checkout)
    const { id: intent } = JSON.parse(succeeded).data.object
    await deliver(stripeEvent('charge.refunded', { id: 'ch_9', payment_intent: intent, amount_refunded: 1000 }))
    await deliver(succeeded)
    const secret = await billingKey(checkout.organisationId)
    const billing = await server.send('/v1/billing', { headers: { 'x-api-key': secret } })
    expect(billing.json).toMatchObject({ credit_pence: 0 })

    const one = await customer()
    for (const type of ['charge.dispute.closed', 'charge.dispute.created']) {
      await deliver(stripeEvent(type, { id: 'dp_2', payment_intent: one.intent.id, status: 'won' }))
    }
    expect(await one.standing()).toMatchObject({ state: 'active' })
  })

  it('a top-up that was spent and charged back is owed at once, with or without a subscription', async () => {
    const { id, apiKey } = await server.organisation({
      plan: 'nothing',
      creditPence: 0,
      scopes: ['billing:read', 'billing:write', 'risk:payment'],
    })
    const invoice = (await server.post('/v1/billing/top-ups', { amount_pence: 60 }, apiKey)).json
    const paid = { id: `pi_${invoice.id}`, amount_received: 60, metadata: { invoice_id: invoice.id } }
    await deliver(stripeEvent('payment_intent.succeeded', paid))
    for (let i = 0; i < 8; i++) await server.post('/v1/payment-risk', { email: 'a@b.example' }, apiKey)
    for (const [type, status] of [
      ['charge.dispute.created', 'needs_response'],
      ['charge.dispute.closed', 'lost'],
    ] as const) {
      await deliver(stripeEvent(type, { id: 'dp_3', payment_intent: paid.id, status }))
    }
    const standing = await server.send('/v1/billing/standing', { headers: { 'x-api-key': apiKey } })
    expect(standing.json).toMatchObject({ owed_pence: 30 })
    expect((await facts(id)).invoices).toEqual(['paid', 'open'])
  })

  it('a plan that waits is not charged to the saved card behind the buyer’s back', async () => {
    const one = await customer()
    await server.post('/v1/billing/subscription', { end: 'now' }, one.secret)
    clock.set('2026-09-05T00:00:00Z')
    const chosen = await server.post('/v1/billing/subscription', { plan: 'growth' }, one.secret)
    const before = stripe.requests.length
    await billingJob()
    const charged = stripe.requests.slice(before).map((sent) => sent.body.get('metadata[invoice_id]'))
    expect(charged).not.toContain(chosen.json.invoice.id)
  })

  it('the checkout page and the console each get a payment page of their own, and a repeat the same one', async () => {
    const checkout = await begin()
    const secret = await billingKey(checkout.organisationId)
    const list = await server.send('/v1/billing/invoices', { headers: { 'x-api-key': secret } })
    const path = `/v1/billing/invoices/${list.json.data[0].id}/payment`
    const fromConsole = async () =>
      (await server.send(path, { method: 'POST', headers: { 'x-api-key': secret } })).json.url
    const fromCheckout = (await checkout.ask('payment')).json.url
    const console = await fromConsole()
    expect(console).toMatch(/^https:/)
    expect(console).not.toBe(fromCheckout)
    expect(await fromConsole()).toBe(console)
  })

  it.each([
    ['an intent without an amount', 'payment_intent.succeeded', { id: 'pi_x', metadata: { invoice_id: 'bil_x' } }],
    ['a refund without an amount', 'charge.refunded', { id: 'ch_x', payment_intent: 'pi_x' }],
    ['an event without an object', 'payment_intent.succeeded', null],
    [
      'an invoice with U+0000 in its id',
      'payment_intent.succeeded',
      { id: 'pi_x', amount_received: 1, metadata: { invoice_id: '\0' } },
    ],
    [
      'a refund of a payment with U+0000',
      'charge.refunded',
      { id: 'ch_x', payment_intent: 'pi_\0', amount_refunded: 1 },
    ],
  ])('422 for %s, signed as it is', async (_name, type, object) => {
    const answer = await deliver(stripeEvent(type, object as never))
    expect([answer.status, answer.json.code]).toEqual([422, 'validation_failed'])
  })

  it('502 while Stripe cannot answer, and the next try succeeds', async () => {
    clock.advance(DAY_MS)
    const checkout = await begin()
    // The client itself tries three times.
    stripe.failNext(3)
    const down = await checkout.ask('payment')
    expect([down.status, down.json.code]).toEqual([502, 'payment_unavailable'])
    expect(down.text).not.toContain(STRIPE_KEY)
    expect((await checkout.ask('payment')).status).toBe(200)
  })

  it('404 at the webhook where payments do not go through Stripe', async () => {
    const plain = await startTestServer({ sql, engine: createTestEngine(), clock, plans: PLANS })
    expect((await plain.post('/v1/webhooks/stripe', '{}')).status).toBe(404)
    await plain.close()
  })

  it('a saved card that is refused is no failure of the job; a provider that is away is one', async () => {
    clock.set('2026-10-10T00:00:00Z')
    const checkout = await begin()
    const events = await pay(checkout)
    await deliver(events.completed)
    await deliver(events.succeeded)
    clock.set('2026-11-01T00:05:00Z')
    const failed: unknown[] = []
    const deps = { ...server.accounts.deps, provider: payments.name, payments }
    const job = () => runBilling({ ...deps, onError: (_about, error) => void failed.push(error) })
    stripe.refusesCards = true
    const before = stripe.requests.length
    await job().finally(() => {
      stripe.refusesCards = false
    })
    const intents = stripe.requests.slice(before).filter((one) => one.path === '/v1/payment_intents')
    expect(intents.some((one) => one.body.get('metadata[organisation_id]') === checkout.organisationId)).toBe(true)
    expect(failed).toEqual([])
    expect((await facts(checkout.organisationId)).invoices).toEqual(['paid', 'open'])
    // It is tried again after three days.
    clock.set('2026-11-05T00:05:00Z')
    // The client would repeat each call and wait in between, for every organisation.
    stripe.failNext(1000, { forGood: true })
    await expect(job()).rejects.toThrow('billing failed for')
    stripe.failNext(0)
    expect(failed.length).toBeGreaterThan(0)
  })
})

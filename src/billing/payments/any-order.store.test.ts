/**
 * A payment's messages in any order: paid, refunded, inquired about, disputed, decided, each told once or several times. The
 * end is derived from the set of messages alone; every order and repetition of them must come to it.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { testAccounts, testMeter } from '../../../test/support/accounts.ts'
import { ManualClock } from '../../../test/support/clock.ts'
import { FULL } from '../../../test/support/full.ts'
import { runs } from '../../../test/support/runs.ts'
import { createPlace, describeEachStore, ENGINES, openPlace } from '../../../test/support/stores.ts'
import { operatorIn } from '../../access/actor.ts'
import { migrate, readMigrations } from '../../db/migrate.ts'
import { changeIn, type Sql, type Tx } from '../../db/sql.ts'
import { createOrganisation } from '../../identity/organisation/organisations.ts'
import { endDraft, type Invoice, listInvoices, requireInvoice } from '../invoices/invoices.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { parsePlans } from '../plans.ts'
import { applyDueChanges, readEntitlement, subscriptions } from '../subscription/open-account.ts'
import { cancelInvoice, openAccount, requestTopUp, signUp } from '../subscription/subscription.ts'
import { findPayment, payments } from './payment-table.ts'
import { receivePayment } from './payments.ts'
import { followPayment } from './refunds-and-disputes.ts'
import { DISPUTE_STATES, type DisputeState, disputes } from './return-rows.ts'

const AMOUNT = 10
const INCLUDED = 12
const plan = (id: string, price: number, included: number) => ({
  id,
  name: id,
  monthly_price_pence: price,
  included_credit_pence: included,
  unit_price_pence: { 'payment-risk': 1, 'supply-chain-risk': 1, 'infrastructure-risk': 1 },
  free_units: 0,
  overage_allowed: true,
  overage_limit_pence: 6,
  requests_per_second: 1,
  bulk_allowed: true,
})
const PLANS = parsePlans([plan('prepaid', 0, 0), plan('basic', AMOUNT, INCLUDED)], 'the plans of this test')

/** The money pays a plan, credit, or an invoice cancelled meanwhile, or its amount fits no invoice. */
const KINDS = ['plan', 'top_up', 'cancelled', 'unmatched'] as const

type Message =
  | { readonly is: 'paid'; readonly paymentMethod: string | null }
  | { readonly is: 'refunded'; readonly pence: number }
  | { readonly is: 'disputed'; readonly name: string; readonly state: DisputeState; readonly pence: number | null }

const paid: Message[] = [
  { is: 'paid', paymentMethod: null },
  { is: 'paid', paymentMethod: 'pm_card' },
]
const refunds = fc.array(
  fc.integer({ min: 1, max: AMOUNT + 4 }).map((pence): Message => ({ is: 'refunded', pence })),
  { maxLength: 3 },
)
const dispute = (name: string) =>
  fc
    .record({
      states: fc.subarray([...DISPUTE_STATES], { minLength: 1, maxLength: 3 }),
      pence: fc.option(fc.integer({ min: 1, max: AMOUNT + 2 }), { nil: null }),
    })
    .map(({ states, pence }) => states.map((state): Message => ({ is: 'disputed', name, state, pence })))
const messages = fc
  .tuple(refunds, fc.oneof(fc.constant([]), dispute('first')), fc.oneof(fc.constant([]), dispute('second')))
  .map((groups) => [...paid, ...groups.flat()])

/** Every message at least once, some again, in any order. */
const order = (all: readonly Message[]) =>
  fc
    .tuple(fc.shuffledSubarray([...all], { minLength: all.length }), fc.shuffledSubarray([...all]), fc.nat(all.length))
    .map(([once, again, at]) => [...once.slice(0, at), ...again, ...once.slice(at)])

const history = messages.chain((all) =>
  fc.record({ kind: fc.constantFrom(...KINDS), all: fc.constant(all), orders: fc.tuple(order(all), order(all)) }),
)

/** The end of a payment, from its messages as a set. */
function expected(kind: (typeof KINDS)[number], all: readonly Message[]) {
  const refunded = Math.max(0, ...all.map((one) => (one.is === 'refunded' ? one.pence : 0)))
  const states = new Map<string, DisputeState>()
  let named = 0
  let isWhole = false
  for (const one of all) {
    if (one.is !== 'disputed') continue
    const before = states.get(one.name) ?? 'inquiry'
    states.set(one.name, DISPUTE_STATES[Math.max(DISPUTE_STATES.indexOf(before), DISPUTE_STATES.indexOf(one.state))]!)
  }
  for (const [name, state] of states) {
    if (state !== 'lost') continue
    const { pence } = all.find((one) => one.is === 'disputed' && one.name === name) as { pence: number | null }
    named += pence ?? 0
    isWhole ||= pence === null
  }
  const amount = kind === 'unmatched' ? AMOUNT - 1 : AMOUNT
  const lost = Math.max(named, isWhole ? amount - refunded : 0)
  const isLost = [...states.values()].includes('lost')
  const disputed = [...states.values()].includes('open')
  const back = Math.min(amount, refunded + lost)
  const unpaidAgain = kind === 'plan' && isLost && back === amount
  const hasMonth = kind === 'plan' && back < AMOUNT
  const invoice = { plan: unpaidAgain ? 'open' : 'paid', top_up: 'paid', cancelled: 'void', unmatched: 'open' }[kind]
  return {
    payment: { refunded, lost, disputed },
    disputes: Object.fromEntries(states),
    reason: disputed ? 'disputed' : null,
    invoice: {
      state: invoice,
      reopened: unpaidAgain,
      refunded: invoice === 'paid' ? back : 0,
    },
    owed: unpaidAgain ? AMOUNT : 0,
    included: hasMonth ? INCLUDED : 0,
    prepaid: kind === 'top_up' || kind === 'cancelled' ? AMOUNT - back : 0,
    overage: 0,
    overageLimit: kind === 'plan' && !hasMonth ? 0 : 6,
    card: kind !== 'plan' ? undefined : isLost ? null : 'pm_card',
  }
}

describeEachStore('the messages of a payment', (open, engine) => {
  let sql: Sql
  const clock = new ManualClock('2026-03-05T00:00:00Z')
  let count = 0
  beforeAll(async () => {
    sql = await open()
  })
  const change = <T>(fn: (tx: Tx) => Promise<T>) => changeIn(sql, clock, fn)
  const accountsOf = () => testAccounts({ sql, clock, plans: PLANS })

  async function organisation(kind: (typeof KINDS)[number]): Promise<{ id: string; invoice: Invoice }> {
    const { rules } = accountsOf()
    return change(async (tx) => {
      const { id } = await createOrganisation(tx, { name: 'Test', awaitingApproval: false })
      const account = { organisationId: id, planId: kind === 'plan' ? 'basic' : 'prepaid' }
      if (kind === 'plan') return { id, invoice: (await signUp(tx, rules, { ...account, topUpPence: 0 }))! }
      await openAccount(tx, rules, account)
      const invoice = await requestTopUp(tx, rules, operatorIn(id), { amountPence: AMOUNT })
      // Somebody was told how to pay it.
      await endDraft(tx, invoice)
      if (kind === 'cancelled') await cancelInvoice(tx, rules, operatorIn(id), invoice)
      return { id, invoice }
    })
  }

  function deliver(message: Message, { reference, invoice, amountPence = AMOUNT }: Payment): Promise<unknown> {
    const { rules } = accountsOf()
    const which = { provider: 'test', reference }
    return change((tx) => {
      if (message.is === 'refunded') {
        return followPayment(tx, rules, which, { kind: 'refunded', refundedPence: message.pence })
      }
      if (message.is === 'paid') {
        const { paymentMethod } = message
        const money = { amountPence, currency: 'gbp', payer: 'cus_1', paymentMethod }
        return receivePayment(tx, rules, { ...which, ...money, invoiceId: invoice.id })
      }
      const { name, state, pence } = message
      return followPayment(tx, rules, which, {
        kind: 'disputed',
        id: `${name} of ${reference}`,
        state,
        amountPence: pence,
      })
    })
  }
  interface Payment {
    readonly reference: string
    readonly invoice: Invoice
    readonly amountPence?: number
  }

  async function end(id: string, { reference, invoice }: Payment): Promise<ReturnType<typeof expected>> {
    const { rules, deps, read } = accountsOf()
    await applyDueChanges(deps, id)
    const { entitlement } = await readEntitlement(sql, rules, id, clock.now())
    const account = await read(id)
    const payment = (await findPayment(sql, { provider: 'test', reference }))!
    const told = await disputes.list(sql, { provider: 'test', reference }, { order: 'id', limit: 10 })
    const { state, reopened, refunded_pence } = await requireInvoice(sql, invoice.id)
    return {
      payment: {
        refunded: payment.refunded_pence,
        lost: payment.lost_pence,
        disputed: payment.disputed_at !== null,
      },
      disputes: Object.fromEntries(told.map((one) => [one.id.split(' ')[0]!, one.state])),
      reason: entitlement.reason as 'disputed' | null,
      invoice: { state, reopened, refunded: refunded_pence },
      owed: entitlement.owedPence,
      included: account.includedPence,
      prepaid: account.prepaidPence,
      overage: account.overagePence,
      overageLimit: entitlement.overageLimitPence ?? 6,
      card: (await subscriptions.find(sql, { organisationId: id }))?.paymentMethod,
    }
  }

  it('in every order and repetition end the same', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ kind, all, orders }) => {
        for (const one of orders) {
          const { id, invoice } = await organisation(kind)
          const amountPence = kind === 'unmatched' ? AMOUNT - 1 : AMOUNT
          const payment = { reference: `pi_${++count}`, invoice, amountPence }
          for (const message of one) await deliver(message, payment)
          expect(await end(id, payment)).toEqual(expected(kind, all))
        }
      }),
      // The rule is the same on both engines: on PostgreSQL `npm run test:full` tries as many histories.
      { numRuns: runs(engine === 'postgres' && !FULL ? 20 : 80) },
    )
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
  }, 120_000)

  it('at the same moment end the same: neither misses the other', async () => {
    const all: Message[] = [
      { is: 'refunded', pence: 3 },
      { is: 'paid', paymentMethod: null },
      { is: 'refunded', pence: 7 },
      { is: 'disputed', name: 'first', state: 'open', pence: null },
    ]
    for (const kind of KINDS) {
      const { id, invoice } = await organisation(kind)
      const amountPence = kind === 'unmatched' ? AMOUNT - 1 : AMOUNT
      const payment = { reference: `pi_${++count}`, invoice, amountPence }
      await Promise.all(all.map((message) => deliver(message, payment)))
      const { card: _, ...ends } = await end(id, payment)
      expect(ends).toEqual({ ...expected(kind, all), card: undefined })
    }
  })

  it('about credit that was spent leave it owed, once', async () => {
    const { id, invoice } = await organisation('top_up')
    const meter = testMeter({ sql, clock, rules: accountsOf().rules })
    const payment = { reference: `pi_${++count}`, invoice }
    await deliver(paid[0]!, payment)
    await meter.charge({
      organisationId: id,
      family: 'payment-risk',
      units: 4,
      credentialId: 'key_test',
      requestId: `req_${id}`,
      answer: () => ({ before: '{', after: '}' }),
    })
    await meter.close()
    for (const pence of [5, 3, 5, AMOUNT, 8]) await deliver({ is: 'refunded', pence }, payment)
    expect(await end(id, payment)).toMatchObject({ prepaid: 0, overage: 4, owed: 4 })
  })
})

describe.each(ENGINES)('a database of 1.1.0 on %s', (engine) => {
  it('keeps its disputes: open ones end with the next message, lost ones leave the month unpaid', async () => {
    const { place, remove } = await createPlace(engine)
    const sql = await openPlace(place)
    const all = readMigrations()
    const at = all.findIndex(({ name }) => name.includes('returned_payments'))
    await migrate(sql, all.slice(0, at))
    const [JANUARY, now] = [Date.parse('2026-01-10T00:00:00Z'), Date.parse('2026-01-12T00:00:00Z')]
    const run = (text: string, ...values: (string | number | null)[]) => sql.query(text, values)
    const fill = async (
      id: string,
      invoiceState: string,
      refunded: number,
      disputed: number | null,
      closed: number | null,
    ) => {
      await run(
        `insert into organisation (id, name, state, created_at, updated_at) values ($1, $1, 'active', $2, $2)`,
        id,
        JANUARY,
      )
      await run(
        `insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence,
           included_used_pence, free_units_used, entry_seq, created_at, updated_at)
         values ($1, 'basic', '2026-01', 0, 0, 0, 0, 0, 0, $2, $2)`,
        id,
        JANUARY,
      )
      await run(
        `insert into subscription (organisation_id, provider, started_at, given_at, closed_period, updated_at)
         values ($1, 'stripe', $2, $2, '2025-12', $2)`,
        id,
        JANUARY,
      )
      const number = (await run('select 1 as one from invoice')).length + 1
      await run(
        `insert into invoice (id, organisation_id, number, kind, state, total_pence, overage_pence, issued_at, due_at, in_advance)
         values ($1, $2, $3, 'subscription', $4, 10, 0, $5, $6, 0)`,
        `bil_${id}`,
        id,
        number,
        invoiceState,
        JANUARY,
        JANUARY + 14 * 86_400_000,
      )
      await run(`insert into invoice_line values ($1, 0, 'plan', '2026-01', 'basic', 10, 'Basic', 10)`, `bil_${id}`)
      await run(
        `insert into payment values ($1, 'stripe', $2, $3, $4, 10, 'gbp', 'settled', $5, $6, $7, $8)`,
        `pay_${id}`,
        `pi_${id}`,
        id,
        `bil_${id}`,
        refunded,
        disputed,
        closed,
        JANUARY,
      )
    }
    await fill('open', 'paid', 0, JANUARY, null)
    await fill('lost', 'open', 10, null, JANUARY)
    await fill('won', 'paid', 0, null, JANUARY)
    for (const [reference, kind] of [
      ['pi_early', 'disputed'],
      ['pi_early', 'dispute_lost'],
      ['pi_early', 'refunded'],
      ['pi_later', 'disputed'],
    ] as const) {
      await run(`insert into payment_aftermath values ('stripe', $1, $2, $3, $4)`, reference, kind, 3, JANUARY)
    }
    await migrate(sql)

    const clock = new ManualClock(now)
    const { rules, deps } = testAccounts({ sql, clock, plans: PLANS })
    const standing = async (id: string) => {
      await applyDueChanges(deps, id)
      const { entitlement } = await readEntitlement(sql, rules, id, now)
      return [entitlement.reason, entitlement.overageLimitPence]
    }
    const states = async () =>
      (await disputes.list(sql, {}, { order: 'id', limit: 10 })).map(({ id, state }) => [id, state])
    expect(await states()).toEqual([
      ['pi_early', 'lost'],
      ['pi_later', 'open'],
      ['pi_lost', 'lost'],
      ['pi_open', 'open'],
      ['pi_won', 'won'],
    ])
    expect(await standing('lost')).toEqual([null, 0])
    expect((await standing('open'))[0]).toBe('disputed')
    const follow = (reference: string, id: string, state: DisputeState) =>
      changeIn(sql, clock, (tx) => {
        const told = { kind: 'disputed', id, state, amountPence: null } as const
        return followPayment(tx, rules, { provider: 'stripe', reference }, told)
      })
    await follow('pi_open', 'dp_1', 'won')
    expect((await standing('open'))[0]).toBe(null)
    // A second dispute of a payment whose first one was won counts.
    await follow('pi_won', 'dp_2', 'open')
    expect((await standing('won'))[0]).toBe('disputed')
    await follow('pi_lost', 'dp_3', 'lost')
    expect(await payments.find(sql, { id: 'pay_lost' })).toMatchObject({ refunded_pence: 10, lost_pence: 0 })
    const { rows } = await listInvoices(sql, { organisationId: 'lost', limit: 5 })
    expect(rows).toMatchObject([{ state: 'open', reopened: true, draft: false }])
    await sql.close()
    await remove()
  })
})

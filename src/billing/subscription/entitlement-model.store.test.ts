/**
 * Entitlement against a model: who is served, what is owed and which credit exists, after random histories of sign-up,
 * choosing, ending, paying in time, late and twice, refunds, disputes, the operator's word, month ends, top-ups,
 * checks and clocks that are set back. The model derives everything from a list of bills; the program keeps copies for its hot path.
 */
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { testAccounts, testMeter } from '../../../test/support/accounts.ts'
import { ManualClock } from '../../../test/support/clock.ts'
import { runs } from '../../../test/support/runs.ts'
import { describeRules } from '../../../test/support/stores.ts'
import { operatorIn, systemIn } from '../../access/actor.ts'
import { changeIn, type Sql, type Tx } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { createOrganisation, organisations } from '../../identity/organisation/organisations.ts'
import { DAY_MS, periodOf } from '../../lib/clock.ts'
import { type Invoice, listInvoices } from '../invoices/invoices.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { receivePayment } from '../payments/payments.ts'
import { followPayment } from '../payments/refunds-and-disputes.ts'
import type { DisputeState } from '../payments/return-rows.ts'
import { nextPeriod, periodEndMs } from '../period.ts'
import { type Plan, parsePlans } from '../plans.ts'
import { applyDueChanges, readEntitlement, withCurrentAccount } from './open-account.ts'
import {
  addCredit,
  cancelInvoice,
  changeSubscription,
  OPERATOR_WORDS,
  openAccount,
  requestTopUp,
  setOperatorWord,
  signUp,
} from './subscription.ts'

const plan = (id: string, terms: Partial<Plan>): Plan => ({
  id,
  name: id,
  monthly_price_pence: 0,
  included_credit_pence: 0,
  unit_price_pence: { 'payment-risk': 1, 'supply-chain-risk': 1, 'infrastructure-risk': 1 },
  free_units: 0,
  overage_allowed: false,
  requests_per_second: 1,
  bulk_allowed: true,
  ...terms,
})
// Small numbers, so that every edge is met within a few steps.
const PLANS = parsePlans(
  [
    plan('free', { free_units: 4 }),
    plan('prepaid', {}),
    plan('basic', {
      monthly_price_pence: 10,
      included_credit_pence: 12,
      overage_allowed: true,
      overage_limit_pence: 6,
    }),
    plan('twin', { monthly_price_pence: 10, included_credit_pence: 9, free_units: 2 }),
    plan('large', {
      monthly_price_pence: 30,
      included_credit_pence: 40,
      overage_allowed: true,
      overage_limit_pence: 15,
    }),
  ],
  'the plans of this test',
)
const PLAN_IDS = [...PLANS.keys()]

interface Bill {
  readonly topUp: boolean
  readonly total: number
  readonly overage: number
  readonly planId: string | undefined
  readonly dueMs: number
  month: string
  advance: boolean
  state: 'open' | 'paid' | 'void'
  refunded: number
  /** Its payment was lost in a dispute, and it was not paid again. */
  reopened: boolean
  /** Paid beyond the price of its month, and given as credit. */
  excess: number
}

interface Payment {
  readonly bill: Bill
  readonly became: 'settled' | 'credited'
  refunded: number
  lost: number
  /** Settles its bill; not after it was lost. */
  settles: boolean
  disputed: boolean
  disputes: number
}

/** The expected state, from bills and choices alone. */
class Model {
  readonly bills: Bill[] = []
  readonly payments: Payment[] = []
  subscription: { given: boolean; endsMs: number | null; nextPlan: string | null } | undefined
  disabled = false
  deactivated = false
  used = 0
  freeUsed = 0
  prepaid = 0
  overage = 0
  overageEver = 0
  overageEverBefore = 0
  month: string
  planId: string
  nowMs: number
  readonly creditBeforePayment: number

  constructor(planId: string, creditBeforePayment: number, nowMs: number) {
    this.planId = planId
    this.creditBeforePayment = creditBeforePayment
    this.nowMs = nowMs
    this.month = periodOf(nowMs)
  }

  get plan(): Plan {
    return PLANS.get(this.planId)!
  }

  covered(month = this.month): number {
    return sum(
      this.bills.filter(
        (b) => b.planId && b.month === month && b.refunded < b.total - b.overage && (b.state === 'paid' || !b.advance),
      ),
      (b) => b.total - b.overage,
    )
  }

  get everPaid(): boolean {
    return this.bills.some((b) => b.planId && b.state === 'paid' && b.refunded < b.total - b.overage)
  }

  get waiting(): Bill | undefined {
    return this.bills.find((b) => b.state === 'open' && b.advance && !b.topUp)
  }

  get inDebt(): boolean {
    const overdue = this.bills.some((b) => b.state === 'open' && !b.advance && b.dueMs <= this.nowMs)
    return overdue || this.payments.some((p) => p.disputed)
  }

  get running(): boolean {
    if (this.inDebt || this.deactivated) return false
    const { subscription: s } = this
    return s === undefined || (s.given && (s.endsMs === null || s.endsMs > this.nowMs))
  }

  get served(): boolean {
    return !this.disabled && this.running
  }

  get owed(): number {
    return sum(
      this.bills.filter((b) => b.state === 'open' && !b.advance),
      (b) => b.total,
    )
  }

  /** Included credit of this month, and how much overage may be owed. */
  get allowance(): { credit: number; limit: number } {
    const { plan } = this
    const paidPlan = this.subscription !== undefined && plan.monthly_price_pence > 0
    if (paidPlan && !this.monthPaid) return { credit: 0, limit: 0 }
    if (paidPlan && !this.everPaid) {
      return { credit: Math.min(this.creditBeforePayment, plan.included_credit_pence), limit: 0 }
    }
    return { credit: plan.included_credit_pence, limit: plan.overage_allowed ? plan.overage_limit_pence! : 0 }
  }

  /** Free units of a paid plan have to be paid for, as its credit. */
  get freeUnits(): number {
    const { plan } = this
    if (!this.subscription || plan.monthly_price_pence === 0) return plan.free_units
    return this.everPaid && this.monthPaid ? plan.free_units : 0
  }

  get monthPaid(): boolean {
    const unpaidAgain = this.bills.some((b) => b.state === 'open' && b.reopened)
    return this.covered() >= this.plan.monthly_price_pence && !unpaidAgain
  }

  get included(): number {
    return Math.max(0, this.allowance.credit - this.used)
  }

  waitUntil(endMs: number): void {
    while (periodOf(endMs) > this.month) this.endMonth()
    this.nowMs = endMs
  }

  endMonth(): void {
    this.nowMs = periodEndMs(this.month)
    const { subscription: s, month } = this
    this.month = nextPeriod(month)
    if (s) {
      const runs = this.served
      this.planId = s.nextPlan ?? this.planId
      s.nextPlan = null
      const price = runs ? this.plan.monthly_price_pence : 0
      this.issue({ overage: this.unbilled(), price, planId: price > 0 ? this.planId : undefined, advance: false })
    }
    this.used = 0
    this.freeUsed = 0
    this.overageEverBefore = this.overageEver
  }

  unbilled(ever = this.overageEver): number {
    return ever - sum(this.bills, (b) => b.overage)
  }

  issue(what: {
    overage?: number
    price?: number
    planId?: string | undefined
    advance: boolean
    topUp?: boolean
  }): void {
    const { overage = 0, price = 0, planId, advance, topUp = false } = what
    const total = overage + price
    if (total <= 0) return
    const dueMs = this.nowMs + 14 * DAY_MS
    this.bills.push({
      topUp,
      total,
      overage,
      planId,
      dueMs,
      month: this.month,
      advance,
      state: 'open',
      refunded: 0,
      reopened: false,
      excess: 0,
    })
  }

  choose(planId: string): 'ok' | 'conflict' {
    if (this.inDebt) return 'conflict'
    const { waiting } = this
    if (waiting?.planId === planId) return 'ok'
    if (waiting) waiting.state = 'void'
    const { subscription: s } = this
    const price = PLANS.get(planId)!.monthly_price_pence
    if (s && this.running) {
      s.endsMs = null
      const hasMonth = this.covered() >= this.plan.monthly_price_pence
      s.nextPlan = hasMonth && price < this.plan.monthly_price_pence ? planId : null
      if (s.nextPlan) return 'ok'
    }
    this.buy(planId)
    return 'ok'
  }

  buy(planId: string): void {
    const missing = PLANS.get(planId)!.monthly_price_pence - this.covered()
    const trusted = !this.everPaid && this.covered() === 0 && this.creditBeforePayment > 0
    if (missing > 0) this.issue({ price: missing, planId, advance: !trusted })
    if (missing > 0 && !trusted) return
    if (!this.subscription) this.issue({ overage: this.unbilled(this.overageEverBefore), advance: false })
    this.subscription = { given: true, endsMs: null, nextPlan: null }
    this.deactivated = false
    this.planId = planId
  }

  end(when: 'now' | 'period_end'): 'ok' | 'conflict' {
    const { subscription: s, waiting } = this
    if (!s) return 'conflict'
    const ended = s.endsMs !== null && s.endsMs <= this.nowMs
    if ((ended || this.deactivated) && !waiting) return 'conflict'
    if (waiting) waiting.state = 'void'
    s.nextPlan = null
    if (when === 'period_end' && this.running) {
      s.endsMs = periodEndMs(this.month)
      return 'ok'
    }
    s.endsMs = Math.min(s.endsMs ?? this.nowMs, this.nowMs)
    this.issue({ overage: this.unbilled(), advance: false })
    return 'ok'
  }

  pay(bill: Bill): void {
    const settles = bill.state === 'open'
    const became = settles ? 'settled' : 'credited'
    this.payments.push({ bill, became, refunded: 0, lost: 0, settles, disputed: false, disputes: 0 })
    if (!settles || bill.topUp) this.prepaid += bill.total
    if (!settles) return
    const before = this.covered()
    bill.state = 'paid'
    bill.reopened = false
    this.overage -= Math.min(bill.overage, this.overage)
    if (!bill.advance || bill.topUp) return
    bill.excess = Math.max(0, Math.min(bill.total, before + bill.total - PLANS.get(bill.planId!)!.monthly_price_pence))
    this.prepaid += bill.excess
    bill.month = this.month
    this.buy(bill.planId!)
  }

  cancel(bill: Bill): void {
    bill.state = 'void'
    this.overage -= Math.min(bill.overage, this.overage)
  }

  takeBack(taken: number): void {
    if (taken > 0) {
      const spent = Math.max(0, taken - this.prepaid)
      this.prepaid -= taken - spent
      this.overage += spent
      this.overageEver += spent
      this.issue({ overage: spent, advance: false })
    }
  }

  /** More of a payment was refunded, or lost in a dispute. */
  goesBack(payment: Payment, { refunded = 0, lost = 0 }: { refunded?: number; lost?: number }): void {
    const { bill } = payment
    const isCredit = payment.became === 'credited' || bill.topUp
    const whole = refunded > 0 && payment.refunded + refunded === bill.total
    const before = payment.refunded + payment.lost
    payment.refunded += refunded
    payment.lost += lost
    const after = payment.refunded + payment.lost
    this.takeBack(isCredit ? Math.min(bill.total, after) - Math.min(bill.total, before) : whole ? bill.excess : 0)
    if (!payment.settles) return
    bill.refunded = Math.min(bill.total, after)
    if (isCredit || payment.lost === 0 || after < bill.total) return
    payment.settles = false
    bill.refunded = 0
    bill.state = 'open'
    bill.reopened = true
    bill.advance = false
    this.overage += bill.overage
  }

  check(units: number): string {
    if (!this.served) return this.disabled ? 'account_disabled' : 'account_inactive'
    if (this.freeUsed + units <= this.freeUnits) {
      this.freeUsed += units
      return 'ok'
    }
    const { included, prepaid } = this
    const beyond = Math.max(0, units - included - prepaid)
    if (beyond > Math.max(0, this.allowance.limit - this.overage)) return 'credit_exhausted'
    const fromIncluded = Math.min(units, included)
    this.used += fromIncluded
    this.prepaid -= Math.min(units - fromIncluded, prepaid)
    this.overage += beyond
    this.overageEver += beyond
    return 'ok'
  }
}

const sum = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((total, one) => total + of(one), 0)

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('check' as const), units: fc.integer({ min: 1, max: 14 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(0.5, 3, 13, 15, 20, 45) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('setBack' as const), days: fc.constantFrom(1 / 24, 0.5, 13) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('choose' as const), planId: fc.constantFrom(...PLAN_IDS) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      when: fc.constantFrom('now' as const, 'period_end' as const),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pay' as const), which: fc.nat(20), open: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('topUp' as const), pence: fc.integer({ min: 1, max: 20 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(20), operator: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refund' as const), which: fc.nat(20), part: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('dispute' as const), which: fc.nat(20), asks: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('resolve' as const),
      which: fc.nat(20),
      won: fc.boolean(),
      part: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('word' as const),
      word: fc.constantFrom(...(Object.keys(OPERATOR_WORDS) as (keyof typeof OPERATOR_WORDS)[])),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('credit' as const), pence: fc.integer({ min: 1, max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('look' as const) }) },
)

const history = fc.record({
  begins: fc.constantFrom('arranged' as const, 'signs up' as const, 'signs up' as const),
  planId: fc.constantFrom(...PLAN_IDS),
  creditBeforePayment: fc.constantFrom(0, 0, 5),
  steps: fc.array(step, { minLength: 3, maxLength: 22 }),
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

const HISTORIES = { sqlite: 80, postgres: 24 }
/** A history that fails is made smaller only for so long: the test shows it instead of running out of time. */
const TIME_MS_MAX = process.env.HISTORIES ? 3_600_000 : 120_000
/** The number of histories at a time, each with an organisation and a clock of its own: they wait for the disk together. */
const AT_ONCE = 8

describeRules('entitlement and its model', (open, engine) => {
  const histories = Number(process.env.HISTORIES ?? runs(HISTORIES[engine]))

  let sql: Sql
  beforeAll(async () => {
    sql = await open()
  })

  /** Batches that wait together share a transaction and its time; the histories here have each a clock of its own. */
  let charging: Promise<unknown> = Promise.resolve()
  function chargeAlone<T>(charge: () => Promise<T>): Promise<T> {
    const charged = charging.then(charge)
    charging = charged.catch(() => {})
    return charged
  }

  async function live({ begins, planId, creditBeforePayment, steps }: History): Promise<void> {
    const clock = new ManualClock('2026-01-20T09:00:00Z')
    const accounts = testAccounts({
      sql,
      clock,
      plans: PLANS,
      settings: { creditBeforePaymentPence: creditBeforePayment },
    })
    const { rules } = accounts
    const meter = testMeter({ sql, clock, rules })
    const change = <T>(fn: (tx: Tx) => Promise<T>) => changeIn(sql, clock, fn)
    const model = new Model(planId, creditBeforePayment, clock.now())
    const { id } = await change(async (tx) => {
      const made = await createOrganisation(tx, { name: 'Test', awaitingApproval: false })
      const account = { organisationId: made.id, planId }
      if (begins === 'signs up') await signUp(tx, rules, { ...account, topUpPence: 0 })
      else await openAccount(tx, rules, account)
      return made
    })
    if (begins === 'signs up') {
      model.subscription = { given: false, endsMs: null, nextPlan: null }
      model.buy(planId)
    }
    const customer = { ...systemIn(id), kind: 'person' as const, id: 'usr_customer' }
    const references: string[] = []
    const codeOf = (promise: Promise<unknown>) =>
      promise.then(
        () => 'ok',
        (error) => {
          if (error instanceof Problem) return error.code
          throw error
        },
      )
    const invoices = async (): Promise<Invoice[]> => {
      const { rows } = await listInvoices(sql, { organisationId: id, limit: 200 })
      return rows.toSorted((a, b) => a.number - b.number)
    }
    /** The invoices' ids, in the order of the model's bills. */
    const ids: string[] = []
    /** The invoice of a bill; undefined if it was cancelled as a draft and its number was given to another. */
    const invoiceOf = async (index: number): Promise<Invoice | undefined> =>
      (await invoices()).find((one) => one.id === ids[index])
    const matchBills = async () => {
      for (const invoice of await invoices()) if (!ids.includes(invoice.id)) ids.push(invoice.id)
      expect(ids).toHaveLength(model.bills.length)
    }
    let requests = 0

    for (const one of steps) {
      if (one.do === 'wait') {
        clock.advance(one.days * DAY_MS)
        // After a clock was set back, time stands still until the clock has caught up.
        model.waitUntil(Math.max(model.nowMs, clock.now()))
      }
      if (one.do === 'setBack') {
        await change((tx) => withCurrentAccount(tx, rules, id, async () => undefined))
        clock.step(-one.days * DAY_MS)
        // Where nothing was recorded meanwhile, it may as well be earlier: until there, everything is as it was.
        const { period, updatedAtMs } = await accounts.read(id)
        model.nowMs = Math.max(clock.now(), updatedAtMs)
        expect(periodOf(model.nowMs)).toBe(period)
      }
      // Changes that become due are made by the job or by the next step, whichever comes first.
      if (one.do === 'look') await change((tx) => withCurrentAccount(tx, rules, id, async () => undefined))
      if (one.do === 'check') {
        const { units } = one
        const charge = chargeAlone(() =>
          meter.charge({
            organisationId: id,
            family: 'payment-risk',
            units,
            credentialId: 'key_test',
            requestId: `req_${++requests}`,
            answer: () => ({ before: '{', after: '}' }),
          }),
        )
        expect(await codeOf(charge)).toBe(model.check(units))
      }
      if (one.do === 'choose') {
        const chosen = change((tx) => changeSubscription(tx, rules, customer, { plan: one.planId }))
        expect(await codeOf(chosen)).toBe(model.choose(one.planId))
      }
      if (one.do === 'end') {
        const ended = change((tx) => changeSubscription(tx, rules, customer, { end: one.when }))
        expect(await codeOf(ended)).toBe(model.end(one.when))
      }
      if (one.do === 'topUp') {
        await change((tx) => requestTopUp(tx, rules, customer, { amountPence: one.pence }))
        model.issue({ price: one.pence, advance: true, topUp: true })
      }
      if (one.do === 'credit') {
        await change((tx) => addCredit(tx, rules, operatorIn(id), { pence: one.pence, reason: 'gift' }))
        model.prepaid += one.pence
      }
      if (one.do === 'word') {
        await change((tx) => setOperatorWord(tx, rules, operatorIn(id), one.word))
        if (one.word === 'disable' || one.word === 'enable') model.disabled = one.word === 'disable'
        if (one.word === 'deactivate' || one.word === 'activate') model.deactivated = one.word === 'deactivate'
      }
      // From here on the steps name an invoice or a payment, so what is due has to stand there first.
      if (one.do === 'pay' || one.do === 'cancel') {
        await change((tx) => withCurrentAccount(tx, rules, id, async () => undefined))
        const all = model.bills.flatMap((bill, i) =>
          one.do === 'pay' && !one.open ? [i] : bill.state === 'open' ? [i] : [],
        )
        const index = all[one.which % (all.length || 1)]
        const bill = index === undefined ? undefined : model.bills[index]
        if (model.bills.length > ids.length) await matchBills()
        const invoice = index === undefined ? undefined : await invoiceOf(index)
        expect(invoice === undefined && bill !== undefined && bill.state !== 'void').toBe(false)
        if (bill && invoice && one.do === 'pay') {
          const reference = `pay_${references.length}_${id}`
          const received = {
            provider: 'test',
            reference,
            invoiceId: invoice.id,
            amountPence: bill.total,
            currency: 'gbp',
          }
          for (const repeated of [false, true]) {
            expect(await change((tx) => receivePayment(tx, rules, received))).toMatchObject({ repeated })
          }
          references.push(reference)
          model.pay(bill)
        }
        if (bill && invoice && one.do === 'cancel') {
          const actor = one.operator ? operatorIn(id) : customer
          const may = one.operator || bill.advance
          const cancelled = change((tx) => cancelInvoice(tx, rules, actor, invoice))
          expect(await codeOf(cancelled)).toBe(may ? 'ok' : 'conflict')
          if (may) model.cancel(bill)
        }
      }
      if (one.do === 'refund' || one.do === 'dispute' || one.do === 'resolve') {
        const fitting = model.payments.flatMap((p, i) => {
          const left = p.refunded + p.lost < p.bill.total
          return (one.do === 'resolve' ? p.disputed : !p.disputed && left) ? [i] : []
        })
        const index = fitting[one.which % (fitting.length || 1)]
        const payment = index === undefined ? undefined : model.payments[index]
        if (payment && index !== undefined) {
          const follow = (what: Parameters<typeof followPayment>[3]) =>
            change((tx) => followPayment(tx, rules, { provider: 'test', reference: references[index]! }, what))
          const left = payment.bill.total - payment.refunded - payment.lost
          const dispute = (state: DisputeState, amountPence: number | null = null) =>
            follow({ kind: 'disputed', id: `${references[index]} ${payment.disputes}`, state, amountPence })
          if (one.do === 'refund') {
            const pence = one.part ? Math.ceil(left / 2) : left
            model.goesBack(payment, { refunded: pence })
            await follow({ kind: 'refunded', refundedPence: payment.refunded })
          } else if (one.do === 'dispute') {
            payment.disputes += 1
            payment.disputed = !one.asks
            await dispute(one.asks ? 'inquiry' : 'open')
          } else {
            const lost = one.won ? 0 : one.part ? Math.ceil(left / 2) : left
            await dispute(one.won ? 'won' : 'lost', lost)
            if (lost > 0) model.goesBack(payment, { lost })
            payment.disputed = false
          }
        }
      }
      await expectAgreement(one.do === 'wait')
    }
    await meter.close()

    async function expectAgreement(stale: boolean): Promise<void> {
      // After a wait nothing is looked at, so that the next step may be the first to find what is due.
      if (stale) return
      await applyDueChanges(accounts.deps, id)
      await matchBills()
      const { entitlement } = await readEntitlement(sql, rules, id, clock.now())
      const account = await accounts.read(id)
      const { state } = (await organisations.find(sql, { id }))!
      expect({
        served: entitlement.state === 'active',
        copy: state === 'active',
        plan: account.planId,
        owed: entitlement.owedPence,
        included: account.includedPence,
        prepaid: account.prepaidPence,
        overage: account.overagePence,
      }).toEqual({
        served: model.served,
        copy: model.served,
        plan: model.planId,
        owed: model.owed,
        included: model.included,
        prepaid: model.prepaid,
        overage: model.overage,
      })
      await expectNoMonthPricedTwice()
    }

    /** Of what is paid or owed for a month, nobody pays more than the dearest plan they had or chose in it. */
    async function expectNoMonthPricedTwice(): Promise<void> {
      const asked = new Map<string, number>()
      for (const invoice of await invoices()) {
        if (invoice.in_advance && invoice.state !== 'paid') continue
        for (const line of invoice.lines) {
          if (line.kind !== 'plan' && line.kind !== 'upgrade') continue
          if (invoice.refunded_pence >= invoice.total_pence - invoice.overage_pence) continue
          asked.set(line.month, (asked.get(line.month) ?? 0) + line.amount_pence)
        }
      }
      for (const bill of model.bills) asked.set(bill.month, (asked.get(bill.month) ?? 0) - bill.excess)
      for (const [month, pence] of asked) expect({ month, dearest: pence <= 30 }).toEqual({ month, dearest: true })
    }
  }

  test(
    `agrees with the model after each of ${histories} histories`,
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(history, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (histories) => {
          await Promise.all(histories.map(live))
        }),
        {
          numRuns: Math.ceil(histories / AT_ONCE),
          interruptAfterTimeLimit: TIME_MS_MAX,
          markInterruptAsFailure: true,
        },
      )
      expect(await verifyLedger(sql)).toMatchObject({ clean: true })
    },
    2 * TIME_MS_MAX,
  )
})

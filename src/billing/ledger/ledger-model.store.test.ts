/** The ledger against a model of a few lines, under random interleavings of everything that can happen to an account. */
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { testAccounts, testMeter } from '../../../test/support/accounts.ts'
import { brokenRun } from '../../../test/support/broken-run.ts'
import { ManualClock } from '../../../test/support/clock.ts'
import { plan } from '../../../test/support/plans.ts'
import { runs } from '../../../test/support/runs.ts'
import { describeEachStore } from '../../../test/support/stores.ts'
import { type Sql, StoreUnavailable } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { DAY_MS, periodOf } from '../../lib/clock.ts'
import { FAMILIES, type Family } from '../../lib/kinds.ts'
import { parsePlans } from '../plans.ts'
import { readEntries } from './accounts.ts'
import type { Meter } from './meter.ts'
import { verifyLedger } from './verify.ts'

// One kind of check is free.
const unit_price_pence = { 'payment-risk': 3, 'supply-chain-risk': 2, 'infrastructure-risk': 0 }
// Small numbers, so that every edge is met within a few requests.
const plans = parsePlans(
  [
    plan('credit', { unit_price_pence }),
    plan('allowance', { unit_price_pence, free_units: 5 }),
    plan('included', { unit_price_pence, included_credit_pence: 20 }),
    plan('overage', { unit_price_pence, included_credit_pence: 11, free_units: 2, overage_allowed: true }),
  ],
  'test',
)

/** A history that fails is made smaller only for so long: the test shows it instead of running out of time. */
const IN_TIME = { interruptAfterTimeLimit: 60_000 }

interface Ask {
  readonly family: Family
  readonly units: number
  readonly key: number | undefined
}
type Fault = 'none' | 'before commit' | 'answer lost' | 'crash after commit'

class Model {
  planId = 'credit'
  period = ''
  included = 0
  prepaid = 0
  overage = 0
  includedUsed = 0
  freeUsed = 0
  readonly answers = new Map<number, { ask: string; body: string; atMs: number }>()

  roll(nowMs: number): void {
    if (periodOf(nowMs) <= this.period) return
    this.period = periodOf(nowMs)
    this.included = plans.get(this.planId)!.included_credit_pence
    this.includedUsed = 0
    this.freeUsed = 0
  }

  charge({ family, units, key }: Ask, nowMs: number): string {
    const known = key === undefined ? undefined : this.answers.get(key)
    if (known && known.atMs > nowMs - DAY_MS) {
      return known.ask === `${family} ${units}` ? known.body : 'idempotency_key_reused'
    }
    this.roll(nowMs)
    const terms = plans.get(this.planId)!
    const each = terms.unit_price_pence[family]
    const free = each === 0 || this.freeUsed + units <= terms.free_units
    const total = free ? 0 : each * units
    const credit = Math.min(total, this.included + this.prepaid)
    if (credit < total && !terms.overage_allowed) return 'credit_exhausted'
    const fromIncluded = Math.min(credit, this.included)
    this.included -= fromIncluded
    this.includedUsed += fromIncluded
    this.prepaid -= credit - fromIncluded
    this.overage += total - credit
    this.freeUsed += free ? units : 0
    const body = JSON.stringify([!free, free, each, units, total, credit, total - credit, this.included + this.prepaid])
    if (key !== undefined) this.answers.set(key, { ask: `${family} ${units}`, body, atMs: nowMs })
    return body
  }

  changePlan(planId: string, nowMs: number): void {
    this.roll(nowMs)
    if (planId !== this.planId)
      this.included = Math.max(0, plans.get(planId)!.included_credit_pence - this.includedUsed)
    this.planId = planId
  }
}

const ask = fc.record({
  family: fc.constantFrom(...FAMILIES),
  units: fc.integer({ min: 1, max: 6 }),
  key: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 2 }),
})
const asks = fc.array(ask, { minLength: 1, maxLength: 8 })
const fault = fc.constantFrom<Fault>('none', 'none', 'before commit', 'answer lost', 'crash after commit')
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('charge' as const), asks, fault }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('credit' as const), pence: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('plan' as const), planId: fc.constantFrom(...plans.keys()) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(0.4, 1, 9, 31, 62) }) },
)

/** A store that breaks once at the chosen moment; after a crash it stays dead, as a killed process would. */
function breakable(sql: Sql): Sql & { next: Fault } {
  let dead = false
  const broken: Sql & { next: Fault } = {
    ...sql,
    next: 'none',
    async transaction(fn, options) {
      if (dead) throw new StoreUnavailable('dead')
      return sql.transaction(fn, options)
    },
    async run(...args) {
      if (dead) throw new StoreUnavailable('dead')
      const now = broken.next
      broken.next = 'none'
      if (now === 'none') return sql.run(...args)
      if (now === 'before commit') return brokenRun(sql, now, ...args)
      if (now === 'crash after commit') dead = true
      return brokenRun(sql, 'answer lost, committed', ...args)
    },
  }
  return broken
}

describeEachStore('the ledger and its model', (open) => {
  let sql: Sql
  let other: Sql
  let organisations = 0
  beforeAll(async () => {
    sql = await open()
    other = await open()
  })

  async function organisation(billing: ReturnType<typeof testAccounts>): Promise<string> {
    const organisationId = `org_${++organisations}`
    await billing.open(organisationId, 'credit')
    return organisationId
  }

  function charge(
    meter: Meter,
    organisationId: string,
    { family, units, key }: Ask,
    requestId: string,
  ): Promise<string> {
    const answer = meter.charge({
      organisationId,
      family,
      units,
      credentialId: 'key_test',
      requestId,
      idempotency: key === undefined ? undefined : { key: `k${key}`, requestHash: `${family} ${units}` },
      answer: () => ({ before: '{', after: '}' }),
    })
    return answer.then(
      ({ body }) => JSON.stringify(Object.values(JSON.parse(body))),
      (error) => {
        if (error instanceof Problem) return error.code
        throw error
      },
    )
  }

  test('answers and balances are the model’s after any history of charges, retries, credit, months and crashes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 15 }), async (steps) => {
        const clock = new ManualClock('2026-01-25T00:00:00Z')
        const billing = testAccounts({ sql, plans, clock })
        const organisationId = await organisation(billing)
        const model = new Model()
        model.roll(clock.now())
        const start = () => {
          const store = breakable(sql)
          const limits = { lookupsMax: 2, lookupPauseMs: 1 }
          return { store, meter: testMeter({ sql: store, rules: billing.rules, clock, limits }) }
        }
        let node = start()
        for (const one of steps) {
          if (one.do === 'wait') clock.advance(one.days * DAY_MS)
          if (one.do === 'plan') {
            await billing.setPlan(organisationId, one.planId)
            model.changePlan(one.planId, clock.now())
          }
          if (one.do === 'credit') {
            await billing.credit(organisationId, one.pence)
            model.roll(clock.now())
            model.prepaid += one.pence
          }
          if (one.do === 'charge') {
            const [first] = one.asks
            const request = { organisationId, credentialId: 'key_test', requestId: 'req_x' }
            const foreseen = first && (await node.meter.foresee({ ...request, ...first }))
            node.store.next = one.fault
            const answers = await Promise.all(one.asks.map((each) => charge(node.meter, organisationId, each, 'req_x')))
            if (one.fault === 'before commit') {
              expect(answers.every((answer) => answer === 'store_unavailable')).toBe(true)
            } else {
              const expected = one.asks.map((each) => model.charge(each, clock.now()))
              // A refusal that is foreseen is the refusal of the charge, also right after credit came or a month began.
              if (foreseen && first.key === undefined) expect(expected[0]).toBe(foreseen.code)
              // Nothing to look up when no entry was written: then even a dying node may still answer.
              if (one.fault !== 'crash after commit') expect(answers).toEqual(expected)
              else if (answers[0] !== 'store_unavailable') expect(answers).toEqual(expected)
            }
            if (one.fault === 'crash after commit') {
              await node.meter.close()
              node = start()
            }
          }
          // Reading shows the current month without writing it; so does the model.
          model.roll(clock.now())
          expect(await billing.read(organisationId)).toMatchObject({
            planId: model.planId,
            period: model.period,
            includedPence: model.included,
            prepaidPence: model.prepaid,
            overagePence: model.overage,
            includedUsedPence: model.includedUsed,
            freeUnitsUsed: model.freeUsed,
          })
        }
        await node.meter.close()
      }),
      { ...IN_TIME, numRuns: runs(30) },
    )
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
  })

  test('two nodes at once, in any interleaving: every answer has its entry, every failure none, every key one', async () => {
    const act = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({ do: fc.constant('charge' as const), ask, node: fc.nat(1), fault: fc.boolean() }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('credit' as const), pence: fc.integer({ min: 1, max: 30 }) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant('plan' as const), planId: fc.constantFrom(...plans.keys()) }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('month' as const) }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 60 }), fc.scheduler(), async (acts, scheduler) => {
        const clock = new ManualClock('2026-01-25T00:00:00Z')
        const billing = testAccounts({ sql, plans, clock })
        const organisationId = await organisation(billing)
        const stores = [breakable(sql), breakable(other)]
        const meters = stores.map((store) => testMeter({ sql: store, rules: billing.rules, clock }))
        const answers: { requestId: string; key: number | undefined; answer: string }[] = []
        let credited = 0
        const all = acts.map(async (one, i) => {
          await scheduler.schedule(Promise.resolve(), `${i} ${one.do}`)
          if (one.do === 'month') clock.advance(31 * DAY_MS)
          if (one.do === 'plan') await billing.setPlan(organisationId, one.planId)
          if (one.do === 'credit') {
            await billing.credit(organisationId, one.pence)
            credited += one.pence
          }
          if (one.do === 'charge') {
            if (one.fault && i % 5 === 0) stores[one.node]!.next = i % 2 ? 'before commit' : 'answer lost'
            const answer = await charge(meters[one.node]!, organisationId, one.ask, `req_${i}`)
            answers.push({ requestId: `req_${i}`, key: one.ask.key, answer })
          }
        })
        await scheduler.waitAll()
        await Promise.all(all)
        await Promise.all(meters.map((meter) => meter.close()))

        const entries = await readEntries(sql, { organisationId, afterSeq: 0, limit: 1000 })
        const charges = new Map(
          entries.filter((entry) => entry.kind === 'charge').map((entry) => [entry.requestId, entry]),
        )
        let spent = 0
        for (const { requestId, key, answer } of answers) {
          const entry = charges.get(requestId)
          if (!answer.startsWith('[')) expect(entry).toBeUndefined()
          else if (key === undefined) expect(entry).toBeDefined()
          if (!entry) continue
          const [, free, unitPrice, units, total, credit, overage, remaining] = JSON.parse(answer)
          expect(entry).toMatchObject({ units, unitPricePence: unitPrice, overageDeltaPence: overage })
          expect(0 - entry.includedDeltaPence - entry.prepaidDeltaPence).toBe(credit)
          expect(entry.includedAfterPence + entry.prepaidAfterPence).toBe(remaining)
          expect(total).toBe(free ? 0 : unitPrice * units)
          spent -= entry.prepaidDeltaPence
        }
        // One entry per request, none from nowhere, and one per key: the clock moves by whole months or not at all.
        expect(entries.filter((entry) => entry.kind === 'charge')).toHaveLength(charges.size)
        expect([...charges.keys()].filter((id) => !answers.some(({ requestId }) => requestId === id))).toEqual([])
        const keyed = answers.filter(({ requestId, key }) => key !== undefined && charges.has(requestId))
        const uses = keyed.map(({ requestId, key }) => `${key} at ${charges.get(requestId)?.createdAtMs}`)
        expect(new Set(uses).size).toBe(uses.length)
        expect((await billing.read(organisationId)).prepaidPence).toBe(credited - spent)
      }),
      { ...IN_TIME, numRuns: runs(15) },
    )
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
  })
})

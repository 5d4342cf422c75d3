import { describe, expect, test } from 'vitest'
import { loadPlans } from '../plans.ts'
import { type Account, emptyAccount, grantIncluded, movePlan, post, rollPeriod } from './ledger.ts'

const plans = loadPlans()
const growth = plans.get('growth')!
const enterprise = plans.get('enterprise')!
const free = plans.get('free')!
const january = Date.parse('2026-01-15T00:00:00Z')
const id = () => 'ent_x'
const opened: Account = grantIncluded(emptyAccount('org_a', 'growth', january), growth, january, id).account
const spend = (account: Account, pence: number) =>
  post(account, { id: 'ent_x', kind: 'charge', includedDeltaPence: -pence }, january).account

describe('the ledger', () => {
  test('an account on a plan with included credit opens with it, one without opens with no entry', () => {
    expect(opened).toMatchObject({ includedPence: growth.included_credit_pence, entrySeq: 1, period: '2026-01' })
    expect(grantIncluded(emptyAccount('org_a', 'free', january), free, january, id).entries).toEqual([])
  })

  test('at the month end what is left of included credit expires, the new is granted, prepaid stays', () => {
    const rich = { ...spend(opened, 2000), prepaidPence: 77, freeUnitsUsed: 5 }
    const { account, entries } = rollPeriod(rich, growth, Date.parse('2026-02-01T00:00:00Z'), id)
    expect(entries.map((entry) => [entry.kind, entry.period, entry.includedDeltaPence])).toEqual([
      ['expire', '2026-01', -10_000],
      ['grant', '2026-02', 12_000],
    ])
    expect(account).toMatchObject({ includedPence: 12_000, prepaidPence: 77, includedUsedPence: 0, freeUnitsUsed: 0 })
  })

  test('the last millisecond of a month belongs to it, and a clock that goes back changes nothing', () => {
    expect(rollPeriod(opened, growth, Date.parse('2026-01-31T23:59:59.999Z'), id).account).toBe(opened)
    expect(rollPeriod(opened, growth, Date.parse('2025-12-31T23:59:59.999Z'), id).account).toBe(opened)
  })

  test('months without use grant nothing for themselves', () => {
    const { account, entries } = rollPeriod(opened, growth, Date.parse('2026-06-01T00:00:00Z'), id)
    expect(entries).toHaveLength(2)
    expect(account).toMatchObject({ includedPence: 12_000, period: '2026-06' })
  })

  test('changing the plan to and fro never makes credit', () => {
    const used = spend(opened, 5000)
    const up = movePlan(used, enterprise, january, id).account
    expect(up).toMatchObject({ planId: 'enterprise', includedPence: 145_000 })
    const back = movePlan(up, growth, january, id).account
    expect(back).toMatchObject({ planId: 'growth', includedPence: 7000 })
    const down = movePlan(movePlan(spend(up, 100_000), free, january, id).account, growth, january, id).account
    expect(down).toMatchObject({ includedPence: 0, includedUsedPence: 105_000 })
  })

  test('no entry can make a balance negative', () => {
    expect(() => spend(opened, 12_001)).toThrow(RangeError)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plan as testPlan } from '../../test/support/plans.ts'
import { FAMILIES } from '../lib/kinds.ts'
import { price } from './pricing.ts'

const plan = testPlan('test', {
  unit_price_pence: { 'payment-risk': 3, 'supply-chain-risk': 2, 'infrastructure-risk': 0 },
})
const NO_LIMIT = { overagePence: 0, overageLimitPence: Number.MAX_SAFE_INTEGER }
const empty = { includedPence: 0, prepaidPence: 0, freeUnitsUsed: 0, ...NO_LIMIT }

describe('pricing', () => {
  test('rule 1: the total is unit price times units, and the parts add up to it', () => {
    const priced = price({ ...plan, overage_allowed: true }, { ...empty, prepaidPence: 10 }, 'payment-risk', 5)
    expect(priced).toMatchObject({
      billing: {
        charged: true,
        is_free: false,
        unit_price_pence: 3,
        billable_units: 5,
        total_price_pence: 15,
        charged_from_credit_pence: 10,
        overage_pence: 5,
        remaining_credit_pence: 0,
      },
    })
  })

  test('rule 2: included credit is used before prepaid credit, and no overage while credit covers the request', () => {
    const priced = price(
      { ...plan, overage_allowed: true },
      { ...empty, includedPence: 2, prepaidPence: 10 },
      'payment-risk',
      2,
    )
    expect(priced).toMatchObject({ fromIncludedPence: 2, fromPrepaidPence: 4, billing: { overage_pence: 0 } })
  })

  test('rule 2: a plan without overage refuses a request its credit does not cover, even by a penny', () => {
    expect(price(plan, { ...empty, prepaidPence: 5 }, 'payment-risk', 2)).toEqual({
      refused: true,
      overageLeftPence: 0,
      totalPence: 6,
      creditPence: 5,
    })
    expect(price(plan, { ...empty, prepaidPence: 6 }, 'payment-risk', 2)).toMatchObject({
      refused: false,
      billing: { remaining_credit_pence: 0 },
    })
  })

  test('rule 4: a request within the free allowance is free as a whole and uses one free unit per record', () => {
    const priced = price(
      { ...plan, free_units: 10 },
      { ...empty, prepaidPence: 7, freeUnitsUsed: 6 },
      'payment-risk',
      4,
    )
    expect(priced).toMatchObject({
      freeUnits: 4,
      billing: {
        charged: false,
        is_free: true,
        unit_price_pence: 3,
        billable_units: 4,
        total_price_pence: 0,
        charged_from_credit_pence: 0,
        overage_pence: 0,
        remaining_credit_pence: 7,
      },
    })
  })

  test('rule 4: a request beyond the free allowance is charged as a whole and uses no free unit', () => {
    const priced = price(
      { ...plan, free_units: 10 },
      { ...empty, prepaidPence: 100, freeUnitsUsed: 7 },
      'payment-risk',
      4,
    )
    expect(priced).toMatchObject({ freeUnits: 0, billing: { is_free: false, total_price_pence: 12 } })
  })

  test('rule 4: a zero price is free however many units were used', () => {
    expect(price(plan, { ...empty, freeUnitsUsed: 5000 }, 'infrastructure-risk', 10_000)).toMatchObject({
      freeUnits: 10_000,
      billing: { is_free: true, charged: false, billable_units: 10_000 },
    })
  })

  test('rules 1 to 4 hold for any plan, balance and request', () => {
    const pence = fc.integer({ min: 0, max: 1000 })
    fc.assert(
      fc.property(
        fc.record({ price: pence, freeUnits: pence, overage: fc.boolean() }),
        fc.record({
          includedPence: pence,
          prepaidPence: pence,
          freeUnitsUsed: pence,
          overagePence: pence,
          overageLimitPence: pence,
        }),
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom(...FAMILIES),
        (terms, balance, units, family) => {
          const prices = {
            'payment-risk': terms.price,
            'supply-chain-risk': terms.price,
            'infrastructure-risk': terms.price,
          }
          const any = { ...plan, unit_price_pence: prices, free_units: terms.freeUnits, overage_allowed: terms.overage }
          const priced = price(any, balance, family, units)
          const credit = balance.includedPence + balance.prepaidPence
          if (priced.refused) {
            const left = terms.overage ? Math.max(0, balance.overageLimitPence - balance.overagePence) : 0
            expect(priced.overageLeftPence).toBe(left)
            expect(priced.totalPence).toBeGreaterThan(credit + left)
            return
          }
          const { billing } = priced
          expect(billing.total_price_pence).toBe(billing.charged_from_credit_pence + billing.overage_pence)
          expect(billing.total_price_pence).toBe(billing.is_free ? 0 : billing.unit_price_pence * units)
          expect(billing.charged).toBe(billing.total_price_pence > 0)
          expect(billing.charged).toBe(!billing.is_free)
          expect(billing.remaining_credit_pence).toBe(credit - billing.charged_from_credit_pence)
          expect(billing.remaining_credit_pence).toBeGreaterThanOrEqual(0)
          if (billing.overage_pence > 0) {
            expect(billing.remaining_credit_pence).toBe(0)
            expect(balance.overagePence + billing.overage_pence).toBeLessThanOrEqual(balance.overageLimitPence)
          }
          if (priced.fromPrepaidPence > 0) expect(priced.fromIncludedPence).toBe(balance.includedPence)
        },
      ),
    )
  })
})

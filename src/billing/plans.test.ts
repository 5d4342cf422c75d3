import { describe, expect, test } from 'vitest'
import { loadPlans, parsePlans } from './plans.ts'

const shipped = [...loadPlans().values()]
const [free] = shipped

describe('plans', () => {
  test('the shipped plans are the four the documentation names', () => {
    expect(shipped.map((plan) => plan.id)).toEqual(['free', 'prepaid', 'growth', 'enterprise'])
    expect(free).toMatchObject({ free_units: 1000, included_credit_pence: 0, overage_allowed: false })
    expect(loadPlans().get('prepaid')).toMatchObject({
      free_units: 0,
      included_credit_pence: 0,
      overage_allowed: false,
    })
    expect(loadPlans().get('growth')).toMatchObject({ overage_allowed: true, overage_limit_pence: 100_000 })
    expect(loadPlans().get('growth')?.included_credit_pence).toBeGreaterThan(0)
    expect(loadPlans().get('enterprise')).toMatchObject({ overage_allowed: true, overage_limit_pence: 1_000_000 })
  })

  test('a plan may leave the limit of overage out, and may set it to nothing', () => {
    expect(free).not.toHaveProperty('overage_limit_pence')
    const none = { ...free, overage_allowed: true, overage_limit_pence: 0 }
    expect(parsePlans([none], 'plans.json').get('free')).toEqual(none)
  })

  test.each([
    [{}, /must contain an array/],
    [[], /1 to 1000 plans/],
    [[1], /plan number 1: must be object/],
    [[{ ...free, free_units: -1 }], /plan "free": free_units must be >= 0/],
    [[{ ...free, monthly_price_pence: 1.5 }], /plan "free": monthly_price_pence must be integer/],
    [
      [{ ...free, unit_price_pence: { ...free?.unit_price_pence, 'payment-risk': '3' } }],
      /unit_price_pence\.payment-risk/,
    ],
    [[{ ...free, overage_limit_pence: -1 }], /plan "free": overage_limit_pence must be >= 0/],
    [[{ ...free, overage_limit_pence: null }], /plan "free": overage_limit_pence must be integer/],
    [[{ ...free, unit_price_pence: {} }], /plan "free": unit_price_pence .*payment-risk/],
    [[{ ...free, monthly_price: 1 }], /plan "free": .*\(monthly_price\)/],
    [[{ ...free, id: 'Not Good' }], /plan "Not Good": id/],
    [[{ ...free, requests_per_second: 0 }], /requests_per_second must be >= 1/],
    [[free, free], /plan "free": id is used by two plans/],
  ])('a wrong list is refused with the plan and the field: %j', (value, message) => {
    expect(() => parsePlans(value, 'plans.json')).toThrow(message)
    expect(() => parsePlans(value, 'plans.json')).toThrow(/^plans\.json: /)
  })

  test('a file that is missing or not JSON is named', () => {
    expect(() => loadPlans('/nonexistent/plans.json')).toThrow('/nonexistent/plans.json: ')
  })
})

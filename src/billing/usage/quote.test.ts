import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyAccount } from '../ledger/ledger.ts'
import type { Plan } from '../plans.ts'
import { price } from '../pricing.ts'
import { quote } from './quote.ts'

const plan: Plan = {
  id: 'p',
  name: 'p',
  monthly_price_pence: 0,
  included_credit_pence: 0,
  unit_price_pence: { 'payment-risk': 3, 'supply-chain-risk': 2, 'infrastructure-risk': 0 },
  free_units: 10,
  overage_allowed: false,
  requests_per_second: 1,
  bulk_allowed: true,
}

describe('a quote', () => {
  it('is what sending the records would cost, request by request', () => {
    fc.assert(
      fc.property(
        fc.record({
          records: fc.integer({ min: 1, max: 50_000 }),
          includedPence: fc.integer({ min: 0, max: 100_000 }),
          prepaidPence: fc.integer({ min: 0, max: 100_000 }),
          freeUnits: fc.integer({ min: 0, max: 30_000 }),
          overage: fc.boolean(),
          owedPence: fc.integer({ min: 0, max: 100_000 }),
          limitPence: fc.option(fc.integer({ min: 0, max: 200_000 })),
        }),
        ({ records, includedPence, prepaidPence, freeUnits, overage, owedPence, limitPence }) => {
          const asked = { ...plan, free_units: freeUnits, overage_allowed: overage }
          const account = {
            ...emptyAccount('org_x', 'p', 0),
            includedPence,
            prepaidPence,
            overagePence: owedPence,
            overageLimitPence: limitPence,
          }
          const quoted = quote(asked, account, 'payment-risk', records)
          expect(quoted.total_price_pence).toBe(
            quoted.charged_from_credit_pence + quoted.overage_pence + quoted.shortfall_pence,
          )
          expect(quoted.total_price_pence).toBe(3 * (records - quoted.free_units))
          expect(quoted.remaining_credit_pence).toBe(includedPence + prepaidPence - quoted.charged_from_credit_pence)
          if (overage && limitPence === null) expect(quoted.covered).toBe(true)
          if (limitPence !== null && quoted.overage_pence > 0) {
            expect(owedPence + quoted.overage_pence).toBeLessThanOrEqual(limitPence)
          }
          if (records <= 10_000) {
            const overageLimitPence = limitPence ?? Number.MAX_SAFE_INTEGER
            const priced = price(asked, { ...account, overageLimitPence }, 'payment-risk', records)
            expect(quoted.covered).toBe(!priced.refused)
            if (!priced.refused) {
              expect(quoted.total_price_pence).toBe(priced.billing.total_price_pence)
              expect(quoted.overage_pence).toBe(priced.billing.overage_pence)
            }
          }
        },
      ),
    )
  })

  it('counts what is beyond the limit of overage as missing', () => {
    const account = { ...emptyAccount('org_x', 'p', 0), overagePence: 20_000, overageLimitPence: null }
    const limited = { ...plan, free_units: 0, overage_allowed: true, overage_limit_pence: 90_000 }
    // Two requests of 10,000 fit under the limit, 20,000 + 60,000; the third would not.
    expect(quote(limited, account, 'payment-risk', 30_000)).toMatchObject({
      overage_pence: 60_000,
      shortfall_pence: 30_000,
      covered: false,
    })
    // The account's own limit counts before the plan's.
    expect(quote(limited, { ...account, overageLimitPence: 110_000 }, 'payment-risk', 30_000)).toMatchObject({
      overage_pence: 90_000,
      covered: true,
    })
  })

  it('of a family that costs nothing is nothing', () => {
    expect(quote(plan, emptyAccount('org_x', 'p', 0), 'infrastructure-risk', 25_000)).toMatchObject({
      requests: 3,
      total_price_pence: 0,
      covered: true,
    })
  })
})

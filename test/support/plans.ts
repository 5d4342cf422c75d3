import type { Plan } from '../../src/billing/plans.ts'

/** A plan with round prices and a rate limit that no test reaches by accident. */
export function plan(id: string, overrides: Partial<Plan>): Plan {
  return {
    id,
    name: id,
    monthly_price_pence: 0,
    included_credit_pence: 0,
    unit_price_pence: { 'payment-risk': 3, 'supply-chain-risk': 2, 'infrastructure-risk': 1 },
    free_units: 0,
    overage_allowed: false,
    requests_per_second: 100_000,
    bulk_allowed: true,
    ...overrides,
  }
}

import { expect, it } from 'vitest'
import type { Offer, Plan } from '../api/organisation.ts'
import { chargeWords, statementMonths } from './words.ts'

it('statements are offered from the month of the sign-up on, and for twelve months at most', () => {
  expect(statementMonths('2026-09-30T23:59:00Z', '2026-11-01T00:00:00Z')).toEqual(['2026-11', '2026-10', '2026-09'])
  expect(statementMonths('2020-01-01T00:00:00Z', '2026-11-01T00:00:00Z')).toHaveLength(12)
})

it('somebody who subscribes on 17 November reads of 1 December before', () => {
  const plan = { name: 'Growth', monthly_price_pence: 9900 } as Plan
  const offer = { by_card: true, begins_unpaid: false, next_month_at: '2026-12-01T00:00:00.000Z' } as Offer
  expect(chargeWords(plan, offer, 0)).toBe(
    '£99.00 is charged today, for the calendar month until 30 November 2026. The next £99.00 is charged on 1 December 2026, and on the first day of every month.',
  )
  expect(chargeWords(plan, { ...offer, by_card: false }, 0)).toMatch(
    /^£99\.00 is invoiced today; the next page says how to pay\. Growth begins when the money has arrived.* on 1 December 2026, if you pay before\.$/,
  )
  const prepaid = { ...plan, monthly_price_pence: 0 }
  expect(chargeWords(prepaid, offer, 2500)).toBe('£25.00 is charged today. There is no monthly fee.')
  expect(chargeWords(prepaid, offer, 0)).toBe('Nothing is charged today. There is no monthly fee.')
})

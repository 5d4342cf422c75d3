import { expect, it } from 'vitest'
import { OPERATOR_WORD_NAMES } from '../../../../src/billing/subscription/subscription.ts'
import { ACTS, paidWords, returnedWords } from './words.ts'

it('the page knows every word of the operator that the server takes', () => {
  expect(Object.keys(ACTS).sort()).toEqual([...OPERATOR_WORD_NAMES].sort())
})

it('a payment says what went back, and what its bank asks or decided', () => {
  const payment = {
    id: 'pay_1',
    reference: 'pi_1',
    outcome: 'settled',
    amount_pence: 1000,
    currency: 'gbp',
    refunded_pence: 0,
    lost_pence: 0,
    disputes: [],
    received_at: '2026-03-01T00:00:00.000Z',
  } as const
  expect([paidWords(payment), paidWords({ ...payment, currency: 'eur' })]).toEqual(['£10.00', '10 EUR'])
  expect(returnedWords(payment)).toBe('')
  const disputes = [
    { id: 'dp_1', state: 'won' as const },
    { id: 'dp_2', state: 'lost' as const },
  ]
  expect(returnedWords({ ...payment, refunded_pence: 300, lost_pence: 1000, disputes })).toBe(
    '£3.00 refunded, £10.00 lost, more than was paid, dispute won (dp_1), dispute lost (dp_2)',
  )
})

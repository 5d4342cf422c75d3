import { describe, expect, it } from 'vitest'
import { cover, coverKinds } from './cover.ts'

describe('what free units and credit cover', () => {
  const means = { unitPricePence: 3, freeUnits: 0, creditPence: 0, overageLeftPence: 0 }

  it.each([
    ['everything is free', { freeUnits: 50 }, { free: 12, paid: 0, totalPence: 0, shortfallPence: 0 }],
    ['a part is free, and nothing pays for the rest', { freeUnits: 5 }, { free: 5, paid: 0, shortfallPence: 21 }],
    [
      'a part is free, the credit pays for some of the rest',
      { freeUnits: 5, creditPence: 8 },
      { free: 5, paid: 2, totalPence: 6, creditLeftPence: 2, shortfallPence: 13 },
    ],
    [
      'credit first, then overage',
      { creditPence: 10, overageLeftPence: 1000 },
      { paid: 12, fromCreditPence: 10, overagePence: 26, creditLeftPence: 0, shortfallPence: 0 },
    ],
    [
      'the limit of overage',
      { creditPence: 10, overageLeftPence: 8 },
      { paid: 6, overagePence: 8, shortfallPence: 18 },
    ],
    ['overage without a limit', { overageLeftPence: Number.POSITIVE_INFINITY }, { paid: 12, shortfallPence: 0 }],
    ['a price of nothing', { unitPricePence: 0 }, { free: 12, paid: 0, totalPence: 0, shortfallPence: 0 }],
    ['nothing', {}, { free: 0, paid: 0, totalPence: 0, shortfallPence: 36 }],
    ['free units that another list has been promised', { freeUnits: -3 }, { free: 0, paid: 0 }],
  ])('%s', (_name, given, expected) => {
    expect(cover({ ...means, ...given }, 12)).toMatchObject(expected)
  })
})

it('records of several kinds share free units, credit and overage', () => {
  const counts = [
    { kind: 'email' as const, records: 10 },
    { kind: 'ip' as const, records: 10 },
  ]
  const means = { freeUnits: 12, creditPence: 9, overageLeftPence: 2 }
  const { parts, cover: all } = coverKinds(means, counts, (kind) => (kind === 'email' ? 3 : 2))
  expect(parts.map(({ cover: { free, paid } }) => [free, paid])).toEqual([
    [10, 0],
    [2, 5],
  ])
  expect(all).toMatchObject({
    free: 12,
    paid: 5,
    totalPence: 10,
    overagePence: 1,
    creditLeftPence: 0,
    shortfallPence: 5,
  })
})

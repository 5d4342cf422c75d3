import { expect, expectTypeOf, test } from 'vitest'
import { NO_FACT_WORTHS } from './fact-tables.ts'
import { byBrand, byVariant, flat, type Price } from './price.ts'

const finding = { source: 'rules', confidence: 1 }

test('a variant without a price does not compile', () => {
  expectTypeOf(byVariant({ listed: 1, doubted: 2 })).toExtend<Price<'listed' | 'doubted'>>()
  expectTypeOf(byVariant({ listed: 1 })).not.toExtend<Price<'listed' | 'doubted'>>()
  expectTypeOf(flat(1)).toExtend<Price<'listed' | 'doubted'>>()
})

test('a brand that others use honestly has its own price, or that of the fame', () => {
  const price = byBrand({ typo: { best: [3, { everyday: 1 }], household: 2, long: 1, other: 0 } })
  const priceOf = (variant: Parameters<typeof price>[0]['variant']) => price({ ...finding, variant }, NO_FACT_WORTHS)
  expect([priceOf('typo.best'), priceOf('typo.best.everyday'), priceOf('typo.best.dealers')]).toEqual([3, 1, 3])
  expect([priceOf('typo.household.everyday'), priceOf('typo.other')]).toEqual([2, 0])
})

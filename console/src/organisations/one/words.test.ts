import { expect, it } from 'vitest'
import { OPERATOR_WORD_NAMES } from '../../../../src/billing/subscription/subscription.ts'
import { ACTS } from './words.ts'

it('the page knows every word of the operator that the server takes', () => {
  expect(Object.keys(ACTS).sort()).toEqual([...OPERATOR_WORD_NAMES].sort())
})

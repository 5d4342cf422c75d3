import { expect, test } from 'vitest'
import { visible } from './words.ts'

test('characters that nobody sees, or that turn the text around, stand as their numbers', () => {
  expect(visible('pay\u202Emoc.lap\u200B')).toBe('pay[U+202E]moc.lap[U+200B]')
  expect(visible('line\nbreak')).toBe('line[U+000A]break')
})

test('letters of any alphabet stay as they are', () => {
  expect(visible('pаypal.рф مثال 例え.jp')).toBe('pаypal.рф مثال 例え.jp')
})

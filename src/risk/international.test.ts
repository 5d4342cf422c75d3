import { expect, test } from 'vitest'
import type { Kind } from '../lib/kinds.ts'
import { internationalName, isProblem, parseIndicator } from './indicator.ts'

function nameOf(kind: Kind, text: string) {
  const indicator = parseIndicator(kind, text)
  if (isProblem(indicator)) throw new Error(`${text}: ${indicator.detail}`)
  return internationalName(indicator)
}

test('a name with other than ASCII letters is told in both forms, however it was written', () => {
  const both = { ascii: 'xn--mnchen-3ya.de', unicode: 'münchen.de', mixed: null }
  expect(nameOf('domain', 'München.de')).toEqual(both)
  expect(nameOf('domain', 'xn--mnchen-3ya.de')).toEqual(both)
  expect(nameOf('email', 'kasse@münchen.de')).toEqual(both)
})

test('letters of another alphabet within a word are named, words of two alphabets side by side are not', () => {
  expect(nameOf('domain', 'pаypаl.com')?.mixed).toBe('Cyrillic “а” among Latin letters')
  expect(nameOf('domain', 'web-студия.com')?.mixed).toBeNull()
})

test('nothing is told of names in ASCII and of addresses', () => {
  expect(nameOf('domain', 'example.com')).toBeUndefined()
  expect(nameOf('ip', '192.0.2.1')).toBeUndefined()
})

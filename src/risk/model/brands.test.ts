import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testModels } from '../../../test/support/models.ts'
import type { Imitation } from './brand-match.ts'
import { isOneEditApart } from './brand-typos.ts'
import { createBrandIndex } from './brands.ts'

const { brands, lexicon } = testModels()

const MUTATIONS: readonly (readonly [label: string, suffix: string, how: Imitation, brand: string])[] = [
  ['paypal', 'com', 'official', 'paypal'],
  ['paypal', 'info', 'suffix_swap', 'paypal'],
  ['paypl', 'com', 'typo', 'paypal'],
  ['payypal', 'com', 'typo', 'paypal'],
  ['pyapal', 'com', 'typo', 'paypal'],
  ['oaypal', 'com', 'typo', 'paypal'],
  ['gmial', 'com', 'typo', 'gmail'],
  ['paypa1', 'com', 'homoglyph', 'paypal'],
  ['rnicrosoft', 'com', 'homoglyph', 'microsoft'],
  ['kuehne-nage1', 'com', 'homoglyph', 'kuehne-nagel'],
  ['schneider-electrlc', 'com', 'homoglyph', 'schneider-electric'],
  ['pay-pal', 'com', 'hyphenation', 'paypal'],
  ['paypal-com', 'net', 'dotless', 'paypal'],
  ['paypal-login', 'com', 'combination', 'paypal'],
  ['sparkasse-sicherheit', 'de', 'combination', 'sparkasse'],
  ['colis-laposte', 'com', 'combination', 'laposte'],
  ['secure-paypal', 'com', 'combination', 'paypal'],
  ['paypalinvoice', 'com', 'combination', 'paypal'],
  ['login-secure-paypal-2026', 'com', 'combination', 'paypal'],
  ['paypa1-login', 'com', 'homoglyph', 'paypal'],
  ['securemicr0soft', 'net', 'homoglyph', 'microsoft'],
  ['mypaypalexperience', 'com', 'beside', 'paypal'],
]

test.each(MUTATIONS)('%s.%s is found as %s of %s', (label, suffix, how, brand) => {
  expect(brands.match(label, suffix)).toMatchObject({ how, brand: { label: brand } })
})

test('names that only resemble no brand, or are words of their own, are left alone', () => {
  for (const label of ['harbourbakery', 'stronger', 'gardening', 'secure-harbour', 'my-invoice', 'loginpage']) {
    expect(brands.match(label, 'com'), label).toBeUndefined()
  }
})

test('a brand read in other letters is found', () => {
  expect(brands.matchReading('paypal', 'mixed')).toMatchObject({ how: 'homoglyph', brand: { label: 'paypal' } })
})

test('every single edit of a long household name is found, whatever the position', () => {
  const index = createBrandIndex('zalvantrixo 1 com\nother 2 org\n', lexicon)
  const name = 'zalvantrixo'
  fc.assert(
    fc.property(
      fc.nat(name.length - 1),
      fc.stringMatching(/^[a-z]$/),
      fc.constantFrom('drop', 'put', 'swap', 'turn'),
      (at, letter, edit) => {
        const edited = editAt(name, at, letter, edit)
        if (edited === name || edited === `${name}s`) return
        expect(index.match(edited, 'com')?.brand.label, edited).toBe(name)
      },
    ),
  )
})

function editAt(name: string, at: number, letter: string, edit: string): string {
  if (edit === 'drop') return name.slice(0, at) + name.slice(at + 1)
  if (edit === 'put') return name.slice(0, at) + letter + name.slice(at)
  if (edit === 'swap') return name.slice(0, at) + letter + name.slice(at + 1)
  return name.slice(0, at) + (name[at + 1] ?? '') + name[at] + name.slice(at + 2)
}

test('one edit is one insertion, deletion, replacement or exchange, and nothing more', () => {
  for (const [a, b] of [
    ['abcd', 'abc'],
    ['abcd', 'abxd'],
    ['abcd', 'acbd'],
    ['abcd', 'xabcd'],
  ] as const) {
    expect(isOneEditApart(a, b), `${a} ${b}`).toBe(true)
    expect(isOneEditApart(b, a), `${b} ${a}`).toBe(true)
  }
  for (const [a, b] of [
    ['abcd', 'abcd'],
    ['abcd', 'ab'],
    ['abcd', 'badc'],
    ['abcd', 'dbca'],
  ] as const) {
    expect(isOneEditApart(a, b), `${a} ${b}`).toBe(false)
  }
})

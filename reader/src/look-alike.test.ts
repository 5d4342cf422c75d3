import { describe, expect, test } from 'vitest'
import { compareNames, differencesInWords, seenName } from './look-alike.ts'

const REAL = 'paypal.com'

describe('names that are taken for each other', () => {
  test.each([
    ['paypa1.com', REAL, '“1” in place of “l”'],
    ['paypa1-login.com', REAL, '“1” in place of “l”, “-login” added'],
    ['my-paypa1.com', REAL, '“my-” added, “1” in place of “l”'],
    ['paypal.support', REAL, '“support” in place of “com”'],
    ['paypal.com.secure-billing.net', REAL, '“.secure-billing.net” added'],
    ['paypal-com.net', REAL, '“-” in place of “.”, “.net” added'],
    ['rnicrosoft.com', 'microsoft.com', '“rn” in place of “m”'],
    ['mircosoft.com', 'microsoft.com', '“rc” in place of “cr”'],
    ['g00g1e.com', 'google.com', '“00” in place of “oo”, “1” in place of “l”'],
    ['amazn.com', 'amazon.com', '“o” missing'],
    ['amazzon.com', 'amazon.com', '“z” added'],
    ['pаypal.com', REAL, 'Cyrillic “а” in place of “a”'],
    [REAL, REAL, ''],
  ])('%s beside %s: %s', (seen, real, words) => {
    const stretches = compareNames(seen, real)
    expect(differencesInWords(stretches)).toBe(words)
    expect(stretches.map((stretch) => stretch.seen).join('')).toBe(seen)
    expect(stretches.map((stretch) => stretch.real).join('')).toBe(real)
  })

  test('a name that has little in common is shown, and not told letter by letter', () => {
    const stretches = compareNames('a-b-c-d-e-f-g.net', 'a1b2c3d4e5f6g.com')
    expect(differencesInWords(stretches)).toBe('')
    expect(stretches.length).toBeGreaterThan(4)
  })
})

test('only the name is compared', () => {
  expect(seenName('CEO@Www.Paypa1.com')).toBe('paypa1.com')
  expect(seenName('kasse@xn--pypal-4ve.com', 'pаypal.com')).toBe('pаypal.com')
})

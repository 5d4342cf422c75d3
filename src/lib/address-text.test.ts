import { expect, test, vi } from 'vitest'
import { signInEmailProblem } from '../identity/people/people.ts'
import { parseIndicator } from '../risk/indicator.ts'
import { normaliseAddressText } from './address-text.ts'

test('an address is trimmed, composed and in lower case, however much it was taken apart', () => {
  expect(normaliseAddressText(' JANE\u0301@Example.com ')).toBe('jan\u00e9@example.com')
  // Four units become one.
  const apart = '\u03b1\u0313\u0300\u0345'
  expect(normaliseAddressText(`${apart.repeat(200)}@example.com`)).toBe(`${apart.normalize().repeat(200)}@example.com`)
})

test('a text too long for an address is not composed, which would take minutes, and is refused', () => {
  const composed = vi.spyOn(String.prototype, 'normalize')
  try {
    const long = `${'\u0301\u0323'.repeat(500_000)}@example.com`
    expect(parseIndicator('email', long)).toMatchObject({ code: 'invalid_email' })
    expect(signInEmailProblem(long)).toBe('is longer than 254 characters')
    expect(composed).not.toHaveBeenCalled()
  } finally {
    composed.mockRestore()
  }
})

test('a label too long for a name is refused before it is encoded, one that becomes short enough is not', () => {
  const hangul = '\u1100\u1161\u11a8'
  expect(parseIndicator('domain', `${hangul.repeat(50)}.com`)).toMatchObject({ kind: 'domain' })
  const detail = expect.stringContaining('has a label')
  expect(parseIndicator('domain', `${hangul.repeat(85)}.com`)).toMatchObject({ detail })
  expect(parseIndicator('domain', `a\u3002${hangul.repeat(85)}\uff0ecom`)).toMatchObject({ detail })
})

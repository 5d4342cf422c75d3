import { expect, test, vi } from 'vitest'
import { parseIndicator } from '../risk/indicator.ts'
import { normaliseAddressText, parseMailbox, parseRecipient } from './address-text.ts'

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
    expect(parseRecipient(long)).toEqual({ problem: 'The email address is longer than 254 characters.' })
    expect(composed).not.toHaveBeenCalled()
  } finally {
    composed.mockRestore()
  }
})

test.each([
  'x,b5@victim.example',
  'b8:b9@victim.example',
  'x<b6@victim.example',
  'b11(z)@victim.example',
  'x;b7@victim.example',
  'Jane <jane@victim.example>',
  'a@victim.example@other.example',
  'root@localhost',
  'root',
  'x@[192.0.2.1]',
  'a b@victim.example',
  '"a,b"@victim.example',
  'jane@victim.example,',
  'jane@victim.example\r\nRCPT TO:<other@victim.example>',
])('%j is no recipient', (text) => {
  expect(parseRecipient(text)).toEqual({ problem: expect.stringMatching(/\.$/) })
})

test('a recipient is stored in one form, however it was typed; only checks accept a quoted local part', () => {
  for (const text of ['b18@victim\u3002example.com', ' B18@VICTIM.example.COM ', 'b18@victim\uff0eexample.com']) {
    expect(parseRecipient(text)).toMatchObject({ address: 'b18@victim.example.com' })
  }
  expect(parseMailbox('"j\\ane"@example.com')).toMatchObject({ local: '"j\\ane"', domain: 'example.com' })
  expect(parseRecipient('"j\\ane"@example.com')).toEqual({ problem: expect.stringContaining('in quotes') })
})

test('a label too long for a name is refused before it is encoded, one that becomes short enough is not', () => {
  const hangul = '\u1100\u1161\u11a8'
  expect(parseIndicator('domain', `${hangul.repeat(50)}.com`)).toMatchObject({ kind: 'domain' })
  const detail = expect.stringContaining('has a label')
  expect(parseIndicator('domain', `${hangul.repeat(85)}.com`)).toMatchObject({ detail })
  expect(parseIndicator('domain', `a\u3002${hangul.repeat(85)}\uff0ecom`)).toMatchObject({ detail })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAccount } from './account.ts'

const identity = (text: string) => {
  const account = readAccount(text)
  return 'problem' in account ? account.problem : account.identity
}

describe('bank accounts', () => {
  it.each([
    ['DE89 3704 0044 0532 0130 00', 'iban', 'DE', '3000'],
    ['iban: gb29-nwbk-6016-1331-9268-19', 'iban', 'GB', '6819'],
    ['NO9386011117947', 'iban', 'NO', '7947'],
    ['MT84MALT011000012345MTLCAST001S', 'iban', 'MT', '001S'],
    ['\ufeffDE89\u00ad3704\u20110044–0532–0130–00\u200b', 'iban', 'DE', '3000'],
    ['20-00-00 55779911', 'uk', 'GB', '9911'],
    ['20–00–00 55779911', 'uk', 'GB', '9911'],
    ['200000/5577991', 'uk', 'GB', '7991'],
    ['021000021 123456789', 'us', 'US', '6789'],
  ])('%s is read', (text, kind, country, last4) => {
    expect(readAccount(text)).toMatchObject({ kind, country, last4 })
  })

  it.each([
    ['DE88 3704 0044 0532 0130 00', 'check digits'],
    ['DE89 3704 0044 0532 0130', 'has 20 characters; an IBAN of DE has 22'],
    ['ZZ89 3704 0044 0532 0130 00', 'begins with ZZ'],
    ['021000022 123456789', 'check digit'],
    ['000000000 123456789', 'check digit'],
    ['021000021 1234', '5 to 17 digits'],
    ['20-00-00 123', '6 to 8 digits'],
    ['98765432', 'is not an IBAN'],
    ['', 'is not an IBAN'],
    ['x'.repeat(200), 'too long'],
  ])('%s is refused, without being repeated', (text, reason) => {
    const problem = identity(text)
    expect(problem).toContain(reason)
    if (text.length > 6) expect(problem).not.toContain(text.slice(4))
  })

  it('a British IBAN is the same account as its sort code and number', () => {
    expect(identity('GB29 NWBK 6016 1331 9268 19')).toBe(identity('60-16-13 31926819'))
    expect(identity('60-16-13 31926819')).not.toBe(identity('60-16-13 31926818'))
  })

  it('no single wrong digit of an IBAN passes', () => {
    const iban = 'DE89370400440532013000'
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 21 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
        const wrong = `${iban.slice(0, at)}${(Number(iban[at]) + by) % 10}${iban.slice(at + 1)}`
        expect(readAccount(wrong)).toHaveProperty('problem')
      }),
    )
  })
})

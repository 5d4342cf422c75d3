import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { whyNothingToCheck } from '../../sdk/src/not-public.ts'
import { hostParts, RESERVED_NAMES, reservedName } from '../../src/lib/domain.ts'
import { formatIp, ipv4, ipv6, SPECIAL_PURPOSE, specialPurpose } from '../../src/lib/ip.ts'

describe('what the client knows about indicators with nothing to check', () => {
  it('is what the service knows about any address', () => {
    const word = fc.integer({ min: 0, max: 0xffffffff })
    const starts = SPECIAL_PURPOSE.map(([cidr]) => cidr.split('/')[0] ?? '')
    const v6 = fc
      .tuple(fc.constantFrom(0, 0x64ff9b, 0x20010db8, 0x20010000, 0x3fff0000, 0x2a001450, 0xfe800000), word, word, word)
      .map(([a, b, c, d]) => ipv6(a, b % 3, c % 2 === 0 ? 0 : c, d))
    fc.assert(
      fc.property(fc.oneof(word.map(ipv4), v6), (ip) => {
        expect(whyNothingToCheck('ip', formatIp(ip))).toBe(specialPurpose(ip))
      }),
      { numRuns: 2000 },
    )
    for (const start of starts) expect(whyNothingToCheck('ip', start), start).toBeDefined()
    expect(whyNothingToCheck('ip', ' ::FFFF:10.1.2.3 ')).toBe('private use')
    expect(whyNothingToCheck('ip', '2A00:1450::1')).toBeUndefined()
    for (const wrong of ['', '10.1', '10.0.0.256', ':::', 'fe80::1%1', '010.0.0.1']) {
      expect(whyNothingToCheck('ip', wrong), wrong).toBeUndefined()
    }
  })

  it.each(Object.keys(RESERVED_NAMES))('has .%s, as the service does, for domains and mailboxes', (name) => {
    const why = reservedName(hostParts(`shop.${name}`))
    expect(why).toBeDefined()
    expect(whyNothingToCheck('domain', ` Shop.${name}. `)).toBe(why)
    expect(whyNothingToCheck('email', `jane@shop.${name}`)).toBe(why)
  })

  it('leaves what anybody can register alone', () => {
    for (const name of [
      'test.com',
      'local.co.uk',
      'my-example.com',
      'example.co.uk',
      'supplier.international',
      'test',
    ]) {
      expect(whyNothingToCheck('domain', name), name).toBeUndefined()
      expect(reservedName(hostParts(`${name}.com`)), name).toBeUndefined()
    }
  })
})

import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareIp, formatIp, parseCidr, parseIp, prefixRange, specialPurpose } from './ip.ts'

const text = (input: string) => {
  const ip = parseIp(input)
  return ip && formatIp(ip)
}

describe('IP addresses', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['255.255.255.255', '255.255.255.255'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['0:0:0:0:0:0:0:0', '::'],
  ])('%s reads as %s', (input, expected) => {
    expect(text(input)).toBe(expected)
  })

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.256',
    '1.2.3.-4',
    '0x1.2.3.4',
    '1.2.3.4 ',
    '1..3.4',
    '.1.2.3.4',
    '1.2.3.4.',
    ':::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    '12345::',
    'g::',
    'fe80::1%eth0',
    '[::1]',
    '::1/64',
    '1.2.3.4::',
    '::1.2.3',
    '1:2:3:4:5:6:7::8:9',
    '1:2:3:4:5:6:7:1.2.3.4',
  ])('%j is refused', (input) => {
    expect(parseIp(input)).toBeUndefined()
  })

  it('agrees with the platform on what an address is', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ unit: fc.constantFrom(...'0123456789abcf:.') })),
        (input) => {
          expect(parseIp(input) !== undefined).toBe(isIP(input) !== 0)
        },
      ),
    )
  })

  it('reads its own text back as the same address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (input) => {
        const ip = parseIp(input)!
        expect(parseIp(formatIp(ip))).toEqual(ip)
      }),
    )
  })
})

describe('prefixes', () => {
  it.each([
    ['10.1.2.3/8', '10.0.0.0', '10.255.255.255'],
    ['1.2.3.4', '1.2.3.4', '1.2.3.4'],
    ['0.0.0.0/0', '0.0.0.0', '255.255.255.255'],
    ['2001:db8::5/32', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::/127', '2001:db8::', '2001:db8::1'],
  ])('%s is %s to %s', (cidr, first, last) => {
    const range = parseCidr(cidr)!
    expect([formatIp(range.first), formatIp(range.last)]).toEqual([first, last])
  })

  it.each(['1.2.3.4/33', '1.2.3.4/', '1.2.3.4/08', '::/129', '1.2.3.4/-1', 'x/8'])('%s is refused', (cidr) => {
    expect(parseCidr(cidr)).toBeUndefined()
  })

  it('holds the address it was made from', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(128), (input, bits) => {
        const ip = parseIp(input)!
        const range = prefixRange(ip, Math.min(bits, ip.version === 4 ? 32 : 128))
        expect(compareIp(range.first, ip)).toBeLessThanOrEqual(0)
        expect(compareIp(range.last, ip)).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('special-purpose addresses', () => {
  it.each([
    '10.0.0.1',
    '127.0.0.1',
    '192.168.1.1',
    '169.254.1.1',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '0.0.0.0',
  ])('%s is not public', (input) => expect(specialPurpose(parseIp(input)!)).toBeDefined())
  it.each(['::1', '::', 'fe80::1', 'fc00::1', 'ff02::1', '2001:db8::1', '4000::1', '64:ff9b::a00:1'])(
    '%s is not public',
    (input) => expect(specialPurpose(parseIp(input)!)).toBeDefined(),
  )
  it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1', '64:ff9b::808:808'])(
    '%s is public',
    (input) => expect(specialPurpose(parseIp(input)!)).toBeUndefined(),
  )
})

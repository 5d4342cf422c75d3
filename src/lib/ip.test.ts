import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  carriedIpv4,
  compareIp,
  formatIp,
  parseCidr,
  parseIp,
  prefixRange,
  specialAddress,
  specialPurpose,
} from './ip.ts'

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

describe('IPv4 addresses inside IPv6 addresses', () => {
  it.each([
    ['2002:cb00:7109::1', '203.0.113.9', '6to4'],
    ['2002:0808:0808:1234:5678::9', '8.8.8.8', '6to4'],
    ['64:ff9b::203.0.113.9', '203.0.113.9', 'NAT64'],
    ['64:ff9b:1::8.8.4.4', '8.8.4.4', 'NAT64'],
    ['64:ff9b:1:abcd::8.8.4.4', '8.8.4.4', 'NAT64'],
    ['64:ff9b:1:808:4:400::', '8.8.4.4', 'NAT64'],
    // RFC 4380 §4 and the well-known example: 192.0.2.45 behind port 40000.
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', '192.0.2.45', 'Teredo'],
    ['2a01:4f8:1:2:0:5efe:8.8.8.8', '8.8.8.8', 'ISATAP'],
    ['2a01:4f8:1:2:200:5efe:808:808', '8.8.8.8', 'ISATAP'],
    ['::8.8.8.8', '8.8.8.8', 'IPv4-compatible'],
    ['::ffff:0:8.8.8.8', '8.8.8.8', 'IPv4-translated'],
  ])('%s carries %s (%s)', (input, inside, how) => {
    const carried = carriedIpv4(parseIp(input)!)
    expect(carried && formatIp(carried.ip)).toBe(inside)
    expect(carried?.how).toBe(how)
  })
  it.each([
    '8.8.8.8',
    '::ffff:8.8.8.8',
    '::',
    '::1',
    '2001:db8::1',
    '2001:1::1',
    '2003:808:808::1',
    '64:ff9b:2::8.8.8.8',
    '2a01:4f8:1:2:100:5efe:808:808',
  ])('%s carries none', (input) => expect(carriedIpv4(parseIp(input)!)).toBeUndefined())
  it('an address chosen by the holder of a prefix is not bound to the IPv4 address it names', () => {
    expect(carriedIpv4(parseIp('2a01:4f8::5efe:8.8.8.8')!)?.binding).toBe(false)
    expect(carriedIpv4(parseIp('2002:808:808::')!)?.binding).toBe(true)
  })
})

test.each([
  ['192.168.7.1', 'private address (RFC 1918)'],
  ['100.100.1.1', 'address shared inside a carrier (RFC 6598)'],
  ['fd00::1', 'private address (RFC 4193)'],
  ['64:ff9b::10.0.0.1', 'private address (RFC 1918)'],
  ['8.8.8.8', undefined],
])('%s is a %s', (input, what) => expect(specialAddress(parseIp(input)!)).toBe(what))

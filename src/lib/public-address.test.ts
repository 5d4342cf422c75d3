import { expect, it } from 'vitest'
import { parseIp } from './ip.ts'
import { isPublicAddress, whyNotPublic } from './public-address.ts'

it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '64:ff9b::8.8.8.8'])('%s may be contacted', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '192.168.1.1',
  '192.0.2.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::10.0.0.1',
  '2002:7f00:1::',
  '2001:0:1::1',
  '2606:4700::5efe:10.0.0.1',
  '2606:4700::200:5efe:192.168.0.1',
  'localhost',
  '127.1',
  '',
])('%s must not be contacted', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it('says why', () => {
  expect(whyNotPublic(parseIp('10.0.0.1')!)).toBe('private address (RFC 1918)')
  expect(whyNotPublic(parseIp('2606:4700::5efe:10.0.0.1')!)).toBe('private address (RFC 1918)')
})

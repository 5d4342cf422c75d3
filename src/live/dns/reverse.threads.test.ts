import { expect, it } from 'vitest'
import { dnsForEveryTest } from '../../../test/support/dns-resolver.ts'
import { reverseObserver } from './reverse.ts'

const ADDRESS = '192.0.2.1'
const POINTER = '1.2.0.192.in-addr.arpa'
const MINUTE_MS = 60_000

const live = dnsForEveryTest()
const observe = (address = ADDRESS) => reverseObserver(live.resolver).observe(address, { urgent: true })

it('shows the names of an address, and which of them lead back to it', async () => {
  live.dns.names[POINTER] = { PTR: ['Mail.A.com.', 'bank.com', 'missing.com'] }
  live.dns.names['mail.a.com'] = { A: ['192.0.2.7', ADDRESS], ttlS: 600 }
  live.dns.names['bank.com'] = { A: ['192.0.2.200'], ttlS: 3600 }
  expect(await observe()).toEqual({
    outcome: 'seen',
    value: { names: ['mail.a.com', 'bank.com', 'missing.com'], confirmed: ['mail.a.com'] },
    keepMs: 10 * MINUTE_MS,
  })
})

it('asks about an IPv6 address digit by digit', async () => {
  const pointer = '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'
  live.dns.names[pointer] = { PTR: ['six.a.com'] }
  live.dns.names['six.a.com'] = { AAAA: ['2001:DB8::0:1'] }
  expect(await observe('2001:db8::1')).toMatchObject({ value: { names: ['six.a.com'], confirmed: ['six.a.com'] } })
})

it.each([
  ['no name', undefined],
  ['no record', {}],
])('shows an address without names: %s', async (_, records) => {
  if (records) live.dns.names[POINTER] = records
  expect(await observe()).toEqual({
    outcome: 'seen',
    value: { names: [], confirmed: [] },
    keepMs: 30 * MINUTE_MS,
  })
})

it('shows only host names, whatever the holder of the address writes, and not hundreds', async () => {
  const bad = ['bell\u0007.a.com', 'two words.a.com', '<script>.a.com', 'ünïcode.com', '-a.com', 'new\nline.com']
  const many = Array.from({ length: 300 }, (_, i) => `host${i}.a.com`)
  live.dns.names[POINTER] = { PTR: [...bad, ...many] }
  expect(await observe()).toMatchObject({ value: { names: many.slice(0, 8), confirmed: [] } })
  expect(live.dns.questions()).toHaveLength(1 + 8)
})

it('shows nothing where the question for the names failed', async () => {
  live.dns.behave(POINTER, 'servfail')
  expect(await observe()).toEqual({ outcome: 'failed', why: 'SERVFAIL', retryMs: MINUTE_MS })
})

it('calls no name unconfirmed because a question failed', async () => {
  live.dns.names[POINTER] = { PTR: ['a.com', 'b.com'] }
  live.dns.names['b.com'] = { A: [ADDRESS], ttlS: 86_400 }
  live.dns.behave('a.com', 'servfail')
  expect(await observe()).toMatchObject({ value: { confirmed: ['b.com'] }, keepMs: 5 * MINUTE_MS })
  live.dns.names['b.com'] = { A: ['192.0.2.9'] }
  expect(await observe()).toMatchObject({ outcome: 'failed' })
})

import { beforeEach, describe, expect, it } from 'vitest'
import { dnsForEveryTest } from '../../../test/support/dns-resolver.ts'
import type { Records } from '../../../test/support/dns-server.ts'
import type { Zone } from '../facts.ts'
import { zoneObserver } from './zone.ts'

const MINUTE_MS = 60_000
const SOA = { mname: 'NS1.a.com', rname: 'hostmaster.a.com', serial: 2026, minimum: 3600 }

const live = dnsForEveryTest()
const observe = (name = 'a.com') => zoneObserver(live.resolver).observe(name, { urgent: true })

/** The facts of a name with these records. */
async function seen(records: Records, name = 'a.com'): Promise<Zone> {
  live.dns.names[name] = records
  const observation = await observe(name)
  if (observation.outcome === 'failed') throw new Error(observation.why)
  return observation.value
}

describe('what is there', () => {
  it('is all seen in one look', async () => {
    live.dns.names['a.com'] = {
      MX: [
        [20, 'Backup.A.com.'],
        [10, 'mx.a.com'],
      ],
      NS: ['NS1.a.com', 'ns2.a.com'],
      TXT: ['google-site-verification=x', ['v=spf1 include:b', '.com ~all']],
      SOA,
    }
    live.dns.names['_dmarc.a.com'] = { TXT: [['v=DMARC1; ', 'p=quar', 'antine']] }
    expect(await observe()).toEqual({
      outcome: 'seen',
      value: {
        exists: true,
        mx: ['mx.a.com', 'backup.a.com'],
        nullMx: false,
        ns: ['ns1.a.com', 'ns2.a.com'],
        soa: { primary: 'ns1.a.com', contact: 'hostmaster.a.com', serial: 2026 },
        spf: 'softfail',
        dmarc: 'quarantine',
        wildcard: false,
      },
      keepMs: 60 * MINUTE_MS,
    })
  })

  it('may be nothing but the name', async () => {
    expect(await seen({})).toEqual({
      exists: true,
      mx: [],
      nullMx: false,
      ns: [],
      spf: 'absent',
      dmarc: 'absent',
      wildcard: false,
    })
  })

  it('is nothing where the name does not exist, found out with one question', async () => {
    expect(await observe('missing.com')).toEqual({
      outcome: 'seen',
      value: { exists: false, mx: [], nullMx: false, ns: [], spf: 'absent', dmarc: 'absent' },
      keepMs: 30 * MINUTE_MS,
    })
    expect(live.dns.questions()).toEqual(['missing.com NS'])
  })

  it('shows a name that takes no mail', async () => {
    expect(await seen({ MX: [[0, '.']] })).toMatchObject({ mx: [], nullMx: true })
  })

  it('shows no null MX beside others', async () => {
    const zone = await seen({
      MX: [
        [0, '.'],
        [10, 'mx.a.com'],
      ],
    })
    expect(zone).toMatchObject({ mx: ['mx.a.com'], nullMx: false })
  })

  it('holds only host names, whatever a stranger writes, and not hundreds', async () => {
    const zone = await seen({
      MX: [
        [1, 'bad\u0007bell.a.com'],
        [2, '<b>.a.com'],
        [3, 'mx.a.com'],
        [4, 'MX.a.com'],
      ],
      NS: Array.from({ length: 400 }, (_, i) => `ns${i}.a.com`),
    })
    expect(zone.mx).toEqual(['mx.a.com'])
    expect(zone.ns).toHaveLength(16)
  })

  it('follows one redirect of SPF', async () => {
    live.dns.names['_spf.b.com'] = { TXT: ['v=spf1 ip4:192.0.2.0/24 -all'] }
    expect(await seen({ TXT: ['v=spf1 redirect=_SPF.b.com.'] })).toMatchObject({ spf: 'fail' })
  })

  it.each([
    ['to a name without a record', 'v=spf1 redirect=missing.com', 'invalid'],
    ['to no name', 'v=spf1 redirect=!!', 'invalid'],
    ['with a macro', 'v=spf1 redirect=%{d2}.b.com', 'neutral'],
    ['to itself', 'v=spf1 redirect=a.com', 'neutral'],
  ])('reads a redirect of SPF %s', async (_, record, spf) => {
    expect(await seen({ TXT: [record] })).toMatchObject({ spf })
  })

  it('shows that any name below resolves', async () => {
    live.dns.names['*.a.com'] = { A: ['192.0.2.1'] }
    expect(await seen({})).toMatchObject({ wildcard: true })
  })

  it('is not asked about a wildcard for a list', async () => {
    expect(await seen({})).toHaveProperty('wildcard')
    const forList = await zoneObserver(live.resolver).observe('a.com', { urgent: false })
    expect(forList).toMatchObject({ outcome: 'seen', value: { exists: true } })
    expect(forList).not.toHaveProperty('value.wildcard')
  })

  it('shows no wildcard of text alone', async () => {
    live.dns.names['*.a.com'] = { TXT: ['anything'] }
    expect(await seen({})).toMatchObject({ wildcard: false, dmarc: 'absent' })
  })

  it.each([
    [['ns1.sedoparking.com', 'ns2.sedoparking.com'], 'Sedo'],
    [['NS1.BODIS.COM'], 'Bodis'],
    [['ns1.dan.com'], 'Dan.com'],
    [['ns1.notbodis.com', 'ns1.bodis.com.a.com'], undefined],
    [['ns1.constructor'], undefined],
    [['dns1.registrar-servers.com'], undefined],
  ])('name servers %s show parking by %s', async (NS, service) => {
    expect((await seen({ NS })).parkedBy).toBe(service)
  })
})

describe('how long it is kept', () => {
  it.each([
    [1, 5 * MINUTE_MS],
    [7200, 120 * MINUTE_MS],
    [10_000_000, 24 * 60 * MINUTE_MS],
  ])('follows the zone, between 5 minutes and a day: %s s', async (minimum, keepMs) => {
    live.dns.names['a.com'] = { SOA: { ...SOA, minimum } }
    expect(await observe()).toMatchObject({ keepMs })
  })
})

describe('a question that fails', () => {
  beforeEach(() => {
    live.dns.names['a.com'] = { NS: ['ns1.a.com'], SOA, TXT: ['v=spf1 redirect=b.com'] }
    live.dns.names['b.com'] = { TXT: ['v=spf1 -all'] }
  })

  it('lets nothing be said about a name whose servers are not known', async () => {
    live.dns.behave('a.com', 'servfail', 'NS')
    expect(await observe()).toEqual({ outcome: 'failed', why: 'SERVFAIL', retryMs: MINUTE_MS })
  })

  it.each([
    ['a.com', 'MX', { mx: undefined }],
    ['a.com', 'TXT', { spf: 'unknown' }],
    ['b.com', 'TXT', { spf: 'unknown' }],
    ['_dmarc.a.com', 'TXT', { dmarc: 'unknown' }],
  ] as const)(
    'makes that record unknown and leaves the others, for a short time: %s %s',
    async (name, type, lacking) => {
      live.dns.names['a.com'] = { ...live.dns.names['a.com'], MX: [[10, 'mx.a.com']] }
      live.dns.names['_dmarc.a.com'] = { TXT: ['v=DMARC1; p=reject'] }
      const whole = await observe()
      expect(whole).toMatchObject({ value: { mx: ['mx.a.com'], spf: 'fail', dmarc: 'reject' } })
      live.dns.behave(name, 'servfail', type)
      const expected = { ...(whole as { value: Zone }).value, ...lacking }
      expect(await observe()).toEqual({ outcome: 'seen', value: expected, keepMs: 5 * MINUTE_MS })
    },
  )

  it('costs one question where the servers of the name are broken', async () => {
    live.dns.behave('a.com', 'servfail')
    await observe()
    expect(live.dns.questions()).toEqual(['a.com NS'])
  })

  it.each(['A', 'SOA'] as const)('of lesser worth only shortens the time it is kept: %s', async (type) => {
    live.dns.behave('*', 'servfail', type)
    expect(await observe()).toMatchObject({ outcome: 'seen', value: { spf: 'fail' }, keepMs: 5 * MINUTE_MS })
  })
})

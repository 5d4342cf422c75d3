import { describe, expect, it } from 'vitest'
import { dnsForEveryTest } from '../../../test/support/dns-resolver.ts'
import { hostObserver } from './host.ts'

const MINUTE_MS = 60_000

const live = dnsForEveryTest()
const observe = (name = 'www.a.com') => hostObserver(live.resolver).observe(name, { urgent: true })

describe('addresses', () => {
  it('are in order and normal form, each once, with the time they may be kept', async () => {
    live.dns.names['www.a.com'] = {
      A: ['203.0.114.10', '203.0.114.9'],
      AAAA: ['2A00:1450:0:0:0:0:0:1', '::ffff:203.0.114.9'],
      ttlS: 1200,
    }
    expect(await observe()).toEqual({
      outcome: 'seen',
      value: {
        exists: true,
        addresses: ['203.0.114.9', '203.0.114.10', '2a00:1450::1'],
        aliases: [],
        dangling: false,
        ttlS: 1200,
      },
      keepMs: 20 * MINUTE_MS,
    })
  })

  it('that are not public are told to nobody, also behind an alias', async () => {
    live.dns.names['www.a.com'] = { CNAME: 'db.corp.internal' }
    live.dns.names['db.corp.internal'] = { A: ['10.1.2.3', '203.0.114.1'], AAAA: ['fd00::1', '64:ff9b::a01:203'] }
    expect(await observe()).toMatchObject({ value: { exists: true, addresses: ['203.0.114.1'], notPublic: true } })
    live.dns.names['db.corp.internal'] = { A: ['169.254.169.254'] }
    expect(await observe()).toMatchObject({ value: { exists: true, addresses: [], notPublic: true } })
  })

  it('names of private networks are not asked about', async () => {
    live.dns.names['www.a.com'] = { CNAME: 'gone.corp.internal' }
    await observe()
    expect(live.dns.questions().filter((question) => question.startsWith('gone.'))).toEqual([])
  })

  it('cost two questions, also behind an alias', async () => {
    live.dns.names['www.a.com'] = { CNAME: 'a.com', ttlS: 20 }
    live.dns.names['a.com'] = { A: ['203.0.114.1'] }
    expect(await observe()).toMatchObject({ value: { addresses: ['203.0.114.1'], ttlS: 20 }, keepMs: 5 * MINUTE_MS })
    expect(live.dns.questions().sort()).toEqual(['www.a.com A', 'www.a.com AAAA'])
  })

  it('are never hundreds', async () => {
    live.dns.names['www.a.com'] = { A: Array.from({ length: 700 }, (_, i) => `192.0.${i >> 8}.${i & 255}`) }
    const observation = await observe()
    expect(observation.outcome === 'seen' && observation.value.addresses).toHaveLength(32)
  })

  it('of one version are a fact although the question for the other failed, for a short time', async () => {
    live.dns.names['www.a.com'] = { A: ['203.0.114.1'], ttlS: 86_400 }
    live.dns.behave('www.a.com', 'servfail', 'AAAA')
    expect(await observe()).toMatchObject({ value: { addresses: ['203.0.114.1'] }, keepMs: 5 * MINUTE_MS })
  })

  it('are unknown where one question failed and the other brought none', async () => {
    live.dns.names['www.a.com'] = { TXT: ['x'] }
    live.dns.behave('www.a.com', 'servfail', 'A')
    expect(await observe()).toEqual({ outcome: 'failed', why: 'SERVFAIL', retryMs: MINUTE_MS })
  })
})

describe('a host without addresses', () => {
  const nothing = { addresses: [], aliases: [], dangling: false }

  it('may not exist', async () => {
    expect(await observe()).toEqual({
      outcome: 'seen',
      value: { ...nothing, exists: false },
      keepMs: 30 * MINUTE_MS,
    })
  })

  it('may exist', async () => {
    live.dns.names['www.a.com'] = { TXT: ['x'] }
    expect(await observe()).toMatchObject({ value: { ...nothing, exists: true } })
  })

  it('dangles where its chain of CNAMEs ends at a name that does not exist', async () => {
    live.dns.names['www.a.com'] = { CNAME: 'Shop.a.com' }
    live.dns.names['shop.a.com'] = { CNAME: 'gone.platform.net' }
    expect(await observe()).toMatchObject({
      value: { exists: true, addresses: [], aliases: ['shop.a.com', 'gone.platform.net'], dangling: true },
    })
  })

  it('does not dangle where the chain ends at a name without addresses', async () => {
    live.dns.names['www.a.com'] = { CNAME: 'b.com' }
    live.dns.names['b.com'] = { TXT: ['x'] }
    expect(await observe()).toMatchObject({ value: { exists: true, aliases: ['b.com'], dangling: false } })
  })

  it('is seen although its CNAMEs go round in a circle', async () => {
    live.dns.names['www.a.com'] = { CNAME: 'b.com' }
    live.dns.names['b.com'] = { CNAME: 'c.com' }
    live.dns.names['c.com'] = { CNAME: 'b.com' }
    expect(await observe()).toMatchObject({ value: { aliases: ['b.com', 'c.com'], dangling: false } })
    live.dns.names['b.com'] = { CNAME: 'www.a.com' }
    expect(await observe()).toMatchObject({ value: { aliases: ['b.com'], dangling: false } })
  })

  it('is followed for a dozen steps and no more', async () => {
    for (let i = 0; i < 50; i++) live.dns.names[i === 0 ? 'www.a.com' : `${i}.com`] = { CNAME: `${i + 1}.com` }
    const observation = await observe()
    expect(observation.outcome === 'seen' && observation.value.aliases).toHaveLength(12)
    expect(live.dns.questions().filter((question) => question.endsWith('CNAME'))).toHaveLength(12)
  })

  it('is unknown where the question for its CNAME failed', async () => {
    live.dns.behave('www.a.com', 'servfail', 'CNAME')
    expect(await observe()).toMatchObject({ outcome: 'failed' })
  })
})

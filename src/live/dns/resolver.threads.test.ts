import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../test/support/clock.ts'
import { type DnsServer, startDnsServer } from '../../../test/support/dns-server.ts'
import { createDnsResolver, type DnsResolver, type DnsResolverOptions } from './resolver.ts'

const ORDINARY = { urgent: false }
/** Short, because a test waits for it. */
const SILENCE_MS = 100
/** For questions that are answered, however slow the machine. */
const PATIENCE_MS = 30_000

let dns: DnsServer
let resolvers: DnsResolver[]
beforeEach(async () => {
  resolvers = []
  dns = await startDnsServer({ 'works.com': { A: ['192.0.2.1'] } })
})
afterEach(async () => {
  for (const resolver of resolvers) resolver.close()
  await dns.close()
})

function resolverWith(options: DnsResolverOptions = {}): DnsResolver {
  const resolver = createDnsResolver({ servers: [dns.address], timeoutMs: PATIENCE_MS, ...options })
  resolvers.push(resolver)
  return resolver
}

describe('an answer', () => {
  it('holds the records of every type', async () => {
    const soa = { mname: 'ns1.a.com', rname: 'host.a.com', serial: 7, minimum: 900 }
    dns.names['a.com'] = {
      A: ['192.0.2.1', '192.0.2.2'],
      AAAA: ['2001:db8::1'],
      MX: [[10, 'mx.a.com']],
      NS: ['ns1.a.com'],
      PTR: ['p.a.com'],
      TXT: ['one', ['two', ' strings']],
      SOA: soa,
      ttlS: 77,
    }
    dns.names['alias.com'] = { CNAME: 'a.com' }
    const resolver = resolverWith()
    const records = async (type: Parameters<DnsResolver['ask']>[0], name = 'a.com') => {
      const answer = await resolver.ask(type, name, ORDINARY)
      return answer.kind === 'answer' ? answer.records : answer
    }
    expect(await records('A')).toEqual([
      { address: '192.0.2.1', ttl: 77 },
      { address: '192.0.2.2', ttl: 77 },
    ])
    expect(await records('AAAA')).toEqual([{ address: '2001:db8::1', ttl: 77 }])
    expect(await records('MX')).toMatchObject([{ priority: 10, exchange: 'mx.a.com' }])
    expect(await records('NS')).toEqual(['ns1.a.com'])
    expect(await records('PTR')).toEqual(['p.a.com'])
    expect(await records('TXT')).toEqual(['one', 'two strings'])
    expect(await records('SOA')).toMatchObject([
      { nsname: 'ns1.a.com', hostmaster: 'host.a.com', serial: 7, minttl: 900 },
    ])
    expect(await records('CNAME', 'alias.com')).toEqual(['a.com'])
  })

  it('is fetched over TCP where it was truncated', async () => {
    dns.behave('works.com', 'truncated')
    expect(await resolverWith().ask('A', 'works.com', ORDINARY)).toMatchObject({ kind: 'answer', records: [{}] })
    expect(dns.askedOverTcp()).toBeGreaterThan(0)
  })

  it('is whole although it has hundreds of records', async () => {
    dns.names['huge.com'] = { A: Array.from({ length: 700 }, (_, i) => `192.0.${i >> 8}.${i & 255}`) }
    const answer = await resolverWith().ask('A', 'huge.com', ORDINARY)
    expect(answer.kind === 'answer' && answer.records.length).toBe(700)
    expect(dns.askedOverTcp()).toBeGreaterThan(0)
  })

  it('without records is none, also where CNAMEs go round in a circle', async () => {
    dns.names['empty.com'] = {}
    dns.names['one.com'] = { CNAME: 'two.com' }
    dns.names['two.com'] = { CNAME: 'one.com' }
    expect(await resolverWith().ask('A', 'empty.com', ORDINARY)).toEqual({ kind: 'none' })
    expect(await resolverWith().ask('A', 'one.com', ORDINARY)).toEqual({ kind: 'none' })
  })

  it('says that a name does not exist, also of one too long to exist', async () => {
    expect(await resolverWith().ask('A', 'missing.com', ORDINARY)).toEqual({ kind: 'no_such_name' })
    const long = `_dmarc.${'a2345678.'.repeat(28)}com`
    expect(await resolverWith().ask('TXT', long, ORDINARY)).toEqual({ kind: 'no_such_name' })
  })
})

describe('a failure', () => {
  it.each([
    ['servfail', 'SERVFAIL'],
    ['refused', 'REFUSED'],
    ['formerr', 'FORMERR'],
    ['garbage', 'an answer that cannot be read'],
    ['cut', 'an answer that cannot be read'],
    ['silent', 'timeout'],
    ['other_question', 'timeout'],
  ] as const)('is a value that says why: %s', async (behaviour, why) => {
    dns.behave('works.com', behaviour)
    const timeoutMs = why === 'timeout' ? SILENCE_MS : PATIENCE_MS
    const answer = await resolverWith({ timeoutMs }).ask('A', 'works.com', ORDINARY)
    expect(answer).toEqual({ kind: 'failed', why, retryMs: 60_000 })
  })

  it('is told from silence where nobody listens', async () => {
    const answer = await resolverWith({ servers: ['127.0.0.1:2'] }).ask('A', 'works.com', ORDINARY)
    expect(answer).toMatchObject({ kind: 'failed', why: 'no DNS server listens there' })
  })

  it('of one question leaves the others under way alone, although the answer cannot be read', async () => {
    const resolver = resolverWith()
    dns.behave('garbage.com', 'garbage')
    const held = dns.hold('works.com')
    const waiting = [1, 2, 3].map(() => resolver.ask('A', 'works.com', ORDINARY))
    await held.arrived
    expect(await resolver.ask('A', 'garbage.com', ORDINARY)).toMatchObject({ kind: 'failed' })
    held.release()
    for (const answer of await Promise.all(waiting)) expect(answer.kind).toBe('answer')
  })

  it('is not made of a slow answer from a server that has been fast so far', async () => {
    const resolver = resolverWith()
    for (let i = 0; i < 10; i++) await resolver.ask('A', 'works.com', ORDINARY)
    // Longer than the library waits by itself for such a server.
    dns.latencyMs = 600
    expect(await resolver.ask('A', 'works.com', ORDINARY)).toMatchObject({ kind: 'answer' })
  })

  it('follows when the resolver is closed, for questions under way and for later ones', async () => {
    // Longer than the test may take.
    const resolver = resolverWith({ timeoutMs: 1_000_000 })
    const held = dns.hold('works.com')
    const underWay = resolver.ask('A', 'works.com', ORDINARY)
    // The second time it is asked alone.
    await expect.poll(() => dns.asked('works.com')).toBeGreaterThan(1)
    resolver.close()
    expect(await underWay).toMatchObject({ kind: 'failed', why: 'the resolver is closed' })
    expect(await resolver.ask('A', 'works.com', ORDINARY)).toMatchObject({ kind: 'failed' })
    held.release()
  })
})

describe('the second server', () => {
  let second: DnsServer
  beforeEach(async () => {
    second = await startDnsServer({ 'works.com': { A: ['192.0.2.2'] } })
  })
  afterEach(() => second.close())

  it.each(['silent', 'servfail', 'refused', 'garbage'] as const)('is asked when the first is %s', async (behaviour) => {
    dns.behave('works.com', behaviour)
    const timeoutMs = behaviour === 'silent' ? 1000 : PATIENCE_MS
    const resolver = resolverWith({ servers: [dns.address, second.address], timeoutMs })
    expect(await resolver.ask('A', 'works.com', ORDINARY)).toMatchObject({ records: [{ address: '192.0.2.2' }] })
  })

  it('is not asked when the first says that there is nothing', async () => {
    const resolver = resolverWith({ servers: [dns.address, second.address] })
    dns.names['empty.com'] = {}
    await resolver.ask('A', 'empty.com', ORDINARY)
    await resolver.ask('A', 'missing.com', ORDINARY)
    expect(second.asked('*')).toBe(0)
  })

  it('is asked at once while the first is left alone, until that answers again', async () => {
    const clock = new ManualClock(0)
    const resolver = resolverWith({ servers: [dns.address, second.address], clock })
    const address = async () => {
      const answer = await resolver.ask('A', 'works.com', ORDINARY)
      return answer.kind === 'answer' ? answer.records[0]?.address : answer
    }
    dns.behave('*', 'refused')
    for (let i = 0; i < 5; i++) await address()
    const asked = dns.asked('works.com')
    dns.behave('*', undefined)
    expect(await address()).toBe('192.0.2.2')
    expect(dns.asked('works.com')).toBe(asked)
    expect(resolver.state()[0]).toMatchObject({ server: dns.address, closedMs: 10_000 })
    clock.advance(10_000)
    expect(await address()).toBe('192.0.2.1')
    expect(resolver.state()[0]).toMatchObject({ closedMs: 0 })
  })
})

describe('the breaker', () => {
  it('opens when the server is silent about everything', async () => {
    dns.behave('*', 'silent')
    const resolver = resolverWith({ timeoutMs: SILENCE_MS, clock: new ManualClock(0) })
    for (let i = 0; i < 5; i++) expect(await resolver.ask('A', 'works.com', ORDINARY)).toMatchObject({ why: 'timeout' })
    const asked = dns.asked('works.com')
    expect(await resolver.ask('A', 'works.com', ORDINARY)).toMatchObject({ kind: 'failed', retryMs: 10_000 })
    expect(dns.asked('works.com')).toBe(asked)
  })

  it('stays closed where a live server is silent about names whose own servers are', async () => {
    dns.behave('broken.com', 'silent')
    const resolver = resolverWith({ timeoutMs: 1000 })
    for (let i = 0; i < 2; i++) {
      const three = [1, 2, 3].map(() => resolver.ask('A', 'broken.com', ORDINARY))
      for (const answer of await Promise.all(three)) expect(answer).toMatchObject({ why: 'timeout' })
    }
    expect(await resolver.ask('A', 'works.com', ORDINARY)).toMatchObject({ kind: 'answer' })
    expect(dns.asked('.', 'NS')).toBeGreaterThan(0)
  })

  it('stays closed at SERVFAIL, which is the word of a broken zone', async () => {
    dns.behave('broken.com', 'servfail')
    const resolver = resolverWith()
    for (let i = 0; i < 10; i++) await resolver.ask('A', 'broken.com', ORDINARY)
    expect(await resolver.ask('A', 'works.com', ORDINARY)).toMatchObject({ kind: 'answer' })
  })
})

describe('a name that the server refuses', () => {
  it('closes the server for no other name', async () => {
    dns.behave('blocked.com', 'refused')
    const resolver = resolverWith()
    for (let i = 0; i < 10; i++)
      expect(await resolver.ask('A', 'blocked.com', ORDINARY)).toMatchObject({ why: 'REFUSED' })
    expect(await resolver.ask('A', 'works.com', ORDINARY)).toMatchObject({ kind: 'answer' })
  })
})

describe('a zone', () => {
  const silent = { kind: 'failed', why: 'silent.com does not answer', held: 'zone_silent' }

  it.each(['silent', 'servfail'] as const)('that is %s is not asked about every name below it', async (behaviour) => {
    for (const name of ['silent.com', 'a.silent.com']) dns.behave(name, behaviour)
    const resolver = resolverWith({ timeoutMs: 1000 })
    await Promise.all([
      resolver.ask('NS', 'silent.com', ORDINARY),
      resolver.ask('A', 'a.silent.com', ORDINARY),
      resolver.ask('AAAA', 'a.silent.com', ORDINARY),
    ])
    for (let i = 0; i < 50; i++) expect(await resolver.ask('A', `r${i}.silent.com`, ORDINARY)).toMatchObject(silent)
    expect(dns.questions().filter((question) => /^r\d/.test(question))).toEqual([])
    expect(await resolver.ask('A', 'works.com', ORDINARY)).toMatchObject({ kind: 'answer' })
  })

  it('is not blamed for a resolver that is dead', async () => {
    dns.behave('*', 'silent')
    const resolver = resolverWith({ timeoutMs: SILENCE_MS })
    await Promise.all((['NS', 'A', 'AAAA', 'MX'] as const).map((type) => resolver.ask(type, 'works.com', ORDINARY)))
    dns.behave('*', undefined)
    expect(await resolver.ask('A', 'works.com', ORDINARY)).toMatchObject({ kind: 'answer' })
  })

  it('is asked a bounded number of questions by an organisation, and still by another', async () => {
    const resolver = resolverWith({ clock: new ManualClock(0) })
    const ask = (name: string, organisationId: string) => resolver.ask('A', name, { urgent: true, organisationId })
    const answers = await Promise.all(Array.from({ length: 400 }, (_, i) => ask(`r${i}.works.com`, 'attacker')))
    expect(answers.filter(({ kind }) => kind === 'no_such_name')).toHaveLength(300)
    expect(answers.at(-1)).toMatchObject({ kind: 'failed', held: 'zone_limit' })
    expect(await ask('works.com', 'victim')).toMatchObject({ kind: 'answer' })
  })
})

it('asks no more than a look-up may', async () => {
  const questions = { left: 2 }
  const resolver = resolverWith()
  for (const kind of ['answer', 'answer', 'failed'])
    expect(await resolver.ask('A', 'works.com', { ...ORDINARY, questions })).toMatchObject({ kind })
})

describe('whether a resolver answers at all', () => {
  it.each([
    [undefined, true],
    ['nxdomain', true],
    ['servfail', false],
    ['refused', false],
    ['silent', false],
    ['garbage', false],
  ] as const)('%s: %s', async (behaviour, answers) => {
    dns.behave('.', behaviour)
    expect(await resolverWith({ timeoutMs: behaviour === 'silent' ? SILENCE_MS : PATIENCE_MS }).answers()).toBe(answers)
  })

  it('an empty answer is one', async () => {
    dns.names['.'] = {}
    expect(await resolverWith().answers()).toBe(true)
  })

  it('one of two is enough', async () => {
    expect(await resolverWith({ servers: ['127.0.0.1:2', dns.address] }).answers()).toBe(true)
  })
})

it('never has more questions under way than it may, and shows how many wait', async () => {
  const resolver = resolverWith({ concurrencyMax: 2 })
  const held = dns.hold('works.com')
  const all = [1, 2, 3, 4, 5].map(() => resolver.ask('A', 'works.com', ORDINARY))
  await held.arrived
  expect(resolver.state()).toEqual([{ server: dns.address, underWay: 2, waiting: 3, closedMs: 0 }])
  held.release()
  for (const answer of await Promise.all(all)) expect(answer.kind).toBe('answer')
})

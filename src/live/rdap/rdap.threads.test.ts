import { afterEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../test/support/clock.ts'
import { type RdapServer, startRdapServer } from '../../../test/support/rdap-server.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../lib/clock.ts'
import { VERSION } from '../../version.ts'
import { Bootstrap } from './bootstrap.ts'
import { RdapObserver, type RdapOptions } from './rdap.ts'

const URGENT = { urgent: true }
const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close()
})

async function registry(registrations: Parameters<typeof startRdapServer>[0] = {}): Promise<RdapServer> {
  const server = await startRdapServer(registrations)
  opened.push(server)
  return server
}

const NO_SERVERS = new Bootstrap({ publication: '2026-01-01T00:00:00Z', servers: {} })

function observer(options: Partial<RdapOptions>) {
  const clock = new ManualClock('2026-11-16T12:00:00Z')
  const made = new RdapObserver({ clock, bootstrap: () => NO_SERVERS, ...options })
  opened.push(made)
  return { rdap: made, clock }
}

/** An observer that finds servers on this machine through the list, as it finds registries. */
function listed(servers: Record<string, string>, options: Partial<RdapOptions> = {}) {
  const bootstrap = new Bootstrap({ publication: '2026-01-01T00:00:00Z', servers })
  return observer({ bootstrap: () => bootstrap, allowLoopback: true, ...options })
}

/** Nobody listens there. */
async function deadUrl(): Promise<string> {
  const server = await startRdapServer()
  await server.close()
  return server.url
}

function barrier() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

describe('a name', () => {
  it('that is registered gives its facts', async () => {
    const server = await registry({
      'example.com': { registered: '1995-08-14T04:00:00Z', expires: '2027-08-13', registrar: 'IANA', signed: true },
    })
    const { rdap } = observer({ ownBase: server.url })
    expect(await rdap.observe('example.com', URGENT)).toEqual({
      outcome: 'seen',
      keepMs: 30 * DAY_MS,
      value: {
        found: true,
        registeredMs: Date.parse('1995-08-14T04:00:00Z'),
        expiresMs: Date.parse('2027-08-13'),
        registrar: 'IANA',
        statuses: ['active'],
        signed: true,
        server: new URL(server.url).host,
      },
    })
    expect(server.headers).toMatchObject({
      accept: 'application/rdap+json, application/json',
      'user-agent': `assay/${VERSION}`,
    })
  })
  it('that nobody registered is seen as not found, for an hour', async () => {
    const server = await registry()
    const { rdap } = observer({ ownBase: server.url })
    const value = { found: false, statuses: [], server: new URL(server.url).host }
    expect(await rdap.observe('nobody.com', URGENT)).toEqual({ outcome: 'seen', value, keepMs: HOUR_MS })
  })
  it('whose suffix no server knows is not asked about for a day', async () => {
    const { rdap } = observer({})
    expect(await rdap.observe('example.co.xy', URGENT)).toEqual({
      outcome: 'failed',
      why: 'no RDAP server for .xy',
      retryMs: DAY_MS,
    })
  })
  it('is asked about below the path of the base, with or without a slash at its end', async () => {
    const server = await registry({ 'example.com': {} })
    for (const ownBase of [`${server.url}rdap`, `${server.url}rdap/`]) {
      const { rdap } = observer({ ownBase })
      expect(await rdap.observe('example.com', URGENT)).toMatchObject({ outcome: 'seen' })
    }
  })
})

describe('a server that does not answer the question', () => {
  it.each([
    ['HTTP 500', { status: 500 }, MINUTE_MS],
    ['HTTP 400', { status: 400 }, 10 * MINUTE_MS],
    ['HTTP 403', { status: 403 }, 10 * MINUTE_MS],
    ['HTTP 204', { status: 204 }, MINUTE_MS],
    ['HTTP 302', { status: 302 }, MINUTE_MS],
    ['HTTP 302', { redirect: 'http://[' }, MINUTE_MS],
    ['not an RDAP answer about the name', 'garbage', MINUTE_MS],
    ['not an RDAP answer about the name', { body: { ldhName: 'example.net' } }, MINUTE_MS],
    ['not an RDAP answer about the name', { body: null }, MINUTE_MS],
    ['an answer longer than 262144 bytes', 'huge', MINUTE_MS],
  ] as const)('fails: %s for %j', async (why, behaviour, retryMs) => {
    const server = await registry()
    server.behave(behaviour)
    const { rdap } = observer({ ownBase: server.url })
    expect(await rdap.observe('example.com', URGENT)).toEqual({ outcome: 'failed', why, retryMs })
    server.behave('normal')
    expect(await rdap.observe('example.com', URGENT)).toMatchObject({ outcome: 'seen' })
  })
  it('fails by the time limit when it is silent', async () => {
    const server = await registry()
    server.behave('silence')
    const { rdap } = observer({ ownBase: server.url, timeoutMs: 30 })
    expect(await rdap.observe('example.com', URGENT)).toEqual({ outcome: 'failed', why: 'timeout', retryMs: MINUTE_MS })
    expect(server.asked).toEqual(['example.com'])
  })
  it('fails when nobody listens', async () => {
    const { rdap } = observer({ ownBase: await deadUrl() })
    expect(await rdap.observe('example.com', URGENT)).toMatchObject({ outcome: 'failed', retryMs: MINUTE_MS })
  })
  it('is left alone for a minute after five failures in a row', async () => {
    const server = await registry()
    server.behave({ status: 500 })
    const { rdap, clock } = observer({ ownBase: server.url })
    for (let i = 0; i < 6; i++) await rdap.observe('example.com', URGENT)
    expect(server.asked).toHaveLength(5)
    clock.advance(MINUTE_MS)
    server.behave('normal')
    expect(await rdap.observe('example.com', URGENT)).toMatchObject({ outcome: 'seen' })
  })
})

describe('a server that says when to come back', () => {
  it.each([
    [429, '30', 30 * SECOND_MS],
    [503, '30', 30 * SECOND_MS],
    [429, 'Mon, 16 Nov 2026 12:02:00 GMT', 2 * MINUTE_MS],
    [429, '999999999', HOUR_MS],
    [429, 'Fri, 31 Dec 9999 23:59:59 GMT', HOUR_MS],
    [429, 'soon', 10 * SECOND_MS],
    [503, undefined, 10 * SECOND_MS],
    [429, '0', SECOND_MS],
    [429, 'Mon, 16 Nov 2020 12:00:00 GMT', SECOND_MS],
  ])('with %i and Retry-After: %s is not asked before', async (status, retryAfter, leaveMs) => {
    const server = await registry({ 'example.com': {} })
    server.behave({ status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } })
    const { rdap, clock } = observer({ ownBase: server.url })
    expect(await rdap.observe('example.com', URGENT)).toEqual({
      outcome: 'failed',
      why: `HTTP ${status}`,
      retryMs: leaveMs,
    })
    server.behave('normal')
    clock.advance(leaveMs - 1)
    expect(await rdap.observe('other.com', URGENT)).toMatchObject({ outcome: 'failed', retryMs: 1 })
    expect(server.asked).toEqual(['example.com'])
    clock.advance(1)
    expect(await rdap.observe('example.com', URGENT)).toMatchObject({ outcome: 'seen' })
  })
})

describe('a redirect', () => {
  it('is followed to the server that knows the name', async () => {
    const knowing = await registry({ 'example.com': { registrar: 'Names Ltd' } })
    const asked = await registry()
    asked.behave({ redirect: `${knowing.url}domain/{name}` })
    const { rdap } = observer({ ownBase: asked.url, allowLoopback: true })
    expect(await rdap.observe('example.com', URGENT)).toMatchObject({
      outcome: 'seen',
      value: { registrar: 'Names Ltd', server: new URL(knowing.url).host },
    })
  })
  it('may be relative, and stay at the base of the operator', async () => {
    const server = await registry({ 'example.com': {} })
    server.behave({ redirect: '/v2/domain/example.com' }, 'elsewhere.com')
    server.behave({ body: { ldhName: 'elsewhere.com' } }, 'example.com')
    const { rdap } = observer({ ownBase: server.url })
    expect(await rdap.observe('elsewhere.com', URGENT)).toMatchObject({ outcome: 'seen' })
    expect(server.asked).toEqual(['elsewhere.com', 'example.com'])
  })
  it('gets what is left of the time limit', async () => {
    const server = await registry()
    server.behave({ redirect: '/domain/silent.com' })
    server.behave('silence', 'silent.com')
    let ticks = 0
    const clock = { now: () => 0, ticks: () => (ticks += HOUR_MS) }
    const { rdap } = observer({ ownBase: server.url, timeoutMs: HOUR_MS, clock })
    expect(await rdap.observe('example.com', URGENT)).toMatchObject({ outcome: 'failed', why: 'timeout' })
  })
  it('to a host that is in no list shares one place with all such hosts', async () => {
    const target = await registry({ 'example.com': {} })
    const server = await registry()
    server.behave({ redirect: `${target.url}domain/{name}` })
    const { rdap } = listed({ [server.url]: 'com' })
    expect(await rdap.observe('example.com', URGENT)).toMatchObject({ outcome: 'seen' })
    expect(rdap.state().map((state) => state.server)).toEqual([new URL(server.url).host, 'other servers'])
  })
  it('in a circle ends after three', async () => {
    const server = await registry()
    server.behave({ redirect: '/domain/{name}' })
    const { rdap } = observer({ ownBase: server.url })
    expect(await rdap.observe('example.com', URGENT)).toMatchObject({ outcome: 'failed', why: 'more than 3 redirects' })
    expect(server.asked).toHaveLength(4)
  })
  it.each([
    ['http://127.0.0.1:{port}/', '127.0.0.1 is at 127.0.0.1: loopback address (RFC 1122)'],
    ['https://127.0.0.1:{port}/', '127.0.0.1 is at 127.0.0.1: loopback address (RFC 1122)'],
    ['https://0x7f.1:{port}/', '127.0.0.1 is at 127.0.0.1: loopback address (RFC 1122)'],
    ['https://10.0.0.1/', '10.0.0.1 is at 10.0.0.1: private address (RFC 1918)'],
    ['https://169.254.169.254/', '169.254.169.254 is at 169.254.169.254: link-local address (RFC 3927)'],
    ['http://[::1]:{port}/', '[::1] is at ::1: loopback address (RFC 4291)'],
    ['https://[::ffff:127.0.0.1]:{port}/', '[::ffff:7f00:1] is at 127.0.0.1: loopback address (RFC 1122)'],
    [
      'https://[2001:4860::5efe:10.0.0.1]/',
      '[2001:4860::5efe:a00:1] is at 2001:4860::5efe:a00:1: private address (RFC 1918)',
    ],
    ['http://localhost:{port}/', 'http://localhost:{port} is not https:'],
    ['ftp://rdap.example/', 'ftp://rdap.example is not https:'],
    ['https://user:secret@rdap.example/', 'an address at rdap.example contains credentials'],
  ])('to %s is refused', async (target, why) => {
    const inside = await registry({ 'example.com': {} })
    const { port } = new URL(inside.url)
    const server = await registry()
    server.behave({ redirect: `${target.replace('{port}', port)}domain/{name}` })
    const { rdap } = observer({ ownBase: server.url })
    const refusal = { outcome: 'failed', why: why.replace('{port}', port), retryMs: MINUTE_MS }
    expect(await rdap.observe('example.com', URGENT)).toEqual(refusal)
    expect(inside.connections).toBe(0)
  })
  it('to a name that resolves to this machine is refused when the connection is made', async () => {
    const inside = await registry()
    const server = await registry()
    server.behave({ redirect: `https://localhost:${new URL(inside.url).port}/domain/{name}` })
    const { rdap } = observer({ ownBase: server.url })
    const seen = await rdap.observe('example.com', URGENT)
    expect(seen).toMatchObject({
      outcome: 'failed',
      why: expect.stringMatching(/^localhost is at .*: loopback address/),
    })
    expect(inside.connections).toBe(0)
  })
  it('to a name is refused where one of its addresses is private', async () => {
    const inside = await registry()
    const server = await registry()
    server.behave({ redirect: `https://rdap.example:${new URL(inside.url).port}/domain/{name}` })
    const addresses = [
      { address: '192.0.32.10', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]
    const { rdap } = observer({ ownBase: server.url, resolve: async () => addresses })
    expect(await rdap.observe('example.com', URGENT)).toMatchObject({
      outcome: 'failed',
      why: 'rdap.example is at 127.0.0.1: loopback address (RFC 1122)',
    })
    expect(inside.connections).toBe(0)
  })
})

describe('a server of the list', () => {
  it('without public address is refused, too', async () => {
    const inside = await registry({ 'example.com': {} })
    const { rdap } = listed({ [inside.url]: 'com' }, { allowLoopback: false })
    expect(await rdap.observe('example.com', URGENT)).toMatchObject({ outcome: 'failed' })
    expect(inside.connections).toBe(0)
  })
  it('is asked ten times a second', async () => {
    const server = await registry()
    const other = await registry()
    const { rdap, clock } = listed({ [server.url]: 'com', [other.url]: 'org' })
    await rdap.observe('first.org', URGENT)
    clock.advance(1)
    await rdap.observe('first.com', URGENT)
    const second = rdap.observe('second.com', URGENT)
    const secondOther = rdap.observe('second.org', URGENT)
    clock.advance(99)
    await secondOther
    // A shorter wait would have ended before that of the other server.
    expect(server.asked).toEqual(['first.com'])
    clock.advance(1)
    await second
    expect(server.asked).toEqual(['first.com', 'second.com'])
  })
  it('is asked urgent questions first', async () => {
    const server = await registry()
    const { rdap, clock } = listed({ [server.url]: 'com' })
    const first = rdap.observe('first.com', { urgent: false })
    const second = rdap.observe('second.com', { urgent: false })
    const urgent = rdap.observe('urgent.com', URGENT)
    await first
    clock.advance(100)
    await urgent
    clock.advance(100)
    await second
    expect(server.asked).toEqual(['first.com', 'urgent.com', 'second.com'])
  })
  it('is asked four questions at a time', async () => {
    const server = await registry()
    const other = await registry()
    const { passed, open } = barrier()
    server.behave({ after: passed })
    const { rdap, clock } = listed({ [server.url]: 'com', [other.url]: 'org' })
    const askedLater = () => {
      clock.advance(SECOND_MS)
      return server.asked.length
    }
    const names = Array.from({ length: 6 }, (_, i) => `name${i}.com`)
    const all = Promise.all(names.map((name) => rdap.observe(name, URGENT)))
    await expect.poll(askedLater).toBe(4)
    await rdap.observe('a.org', URGENT)
    const afterTimer = rdap.observe('b.org', URGENT)
    clock.advance(SECOND_MS)
    // A fifth question would have waited for an earlier timer.
    await afterTimer
    expect(rdap.state()[0]).toMatchObject({ underWay: 4, waiting: 2 })
    open()
    await expect.poll(askedLater).toBe(6)
    expect(await all).toHaveLength(6)
  })
  it('is asked for organisations in turn, however many questions one of them has', async () => {
    const server = await registry()
    const { rdap, clock } = listed({ [server.url]: 'com' })
    const ask = (name: string, organisationId: string) => rdap.observe(name, { urgent: true, organisationId })
    const many = Array.from({ length: 100 }, (_, i) => ask(`a${i}.com`, 'attacker'))
    const one = ask('b.com', 'victim')
    const askedLater = () => {
      clock.advance(100)
      return server.asked.includes('b.com')
    }
    await expect.poll(askedLater).toBe(true)
    expect(await one).toMatchObject({ outcome: 'seen' })
    expect(server.asked.length).toBeLessThan(10)
    await rdap.close()
    await Promise.all(many)
  })
  it('shares its limits with no other', async () => {
    const busy = await registry()
    const idle = await registry()
    const { rdap } = listed({ [busy.url]: 'com', [idle.url]: 'org' })
    busy.behave({ status: 429 })
    await rdap.observe('example.com', URGENT)
    expect(await rdap.observe('example.com', URGENT)).toMatchObject({ outcome: 'failed' })
    expect(await rdap.observe('example.org', URGENT)).toMatchObject({ outcome: 'seen' })
  })
})

describe("the operator's own server", () => {
  it('is asked 96 questions at a time, as fast as it answers', async () => {
    const server = await registry()
    const { passed, open } = barrier()
    server.behave({ after: passed })
    const { rdap } = observer({ ownBase: server.url })
    const all = Promise.all(Array.from({ length: 100 }, (_, i) => rdap.observe(`name${i}.com`, { urgent: false })))
    await expect.poll(() => server.asked.length).toBe(96)
    expect(rdap.state()).toMatchObject([{ underWay: 96, waiting: 4 }])
    open()
    expect((await all).every(({ outcome }) => outcome === 'seen')).toBe(true)
  })
})

describe('a machine that cannot call out', () => {
  /** One after another, and slowly enough for every server's rate. */
  const ask = async (rdap: RdapObserver, clock: ManualClock, suffixes: string) => {
    const reasons: string[] = []
    for (const suffix of suffixes.split(' ')) {
      clock.advance(100)
      const seen = await rdap.observe(`example.${suffix}`, URGENT)
      reasons.push(seen.outcome === 'failed' ? seen.why : 'seen')
    }
    return reasons
  }
  it('stops asking for a minute after eight failures at two servers, and then tries once', async () => {
    const server = await registry()
    const { rdap, clock } = listed({ [await deadUrl()]: 'com', [await deadUrl()]: 'org', [server.url]: 'net' })
    const reasons = await ask(rdap, clock, 'com org com org com org com org net')
    expect(reasons.at(-2)).toMatch(/ECONNREFUSED/)
    expect(reasons.at(-1)).toBe('no RDAP server answers')
    expect(server.connections).toBe(0)
    clock.advance(MINUTE_MS)
    expect(await ask(rdap, clock, 'com net')).toEqual([expect.stringMatching(/ECONNREFUSED/), 'no RDAP server answers'])
    clock.advance(MINUTE_MS)
    expect(await ask(rdap, clock, 'net net')).toEqual(['seen', 'seen'])
  })
  it('lets one question try, while others are refused', async () => {
    const server = await registry()
    const { rdap, clock } = listed({ [await deadUrl()]: 'com', [await deadUrl()]: 'org', [server.url]: 'net' })
    await ask(rdap, clock, 'com org com org com org com org')
    const { passed, open } = barrier()
    server.behave({ after: passed })
    clock.advance(MINUTE_MS)
    const trying = rdap.observe('example.net', URGENT)
    await expect.poll(() => server.asked.length).toBe(1)
    expect(await ask(rdap, clock, 'com')).toEqual(['no RDAP server answers'])
    open()
    expect(await trying).toMatchObject({ outcome: 'seen' })
    expect(await ask(rdap, clock, 'com')).toEqual([expect.stringMatching(/ECONNREFUSED/)])
  })
  it('is not suspected while one server answers', async () => {
    const server = await registry()
    const { rdap, clock } = listed({ [await deadUrl()]: 'com', [await deadUrl()]: 'org', [server.url]: 'net' })
    expect((await ask(rdap, clock, 'com org com org net com org com org net')).at(-1)).toBe('seen')
  })
  it('is not suspected by others than the organisation that asks for names of dead registries', async () => {
    const server = await registry()
    const { rdap, clock } = listed({ [await deadUrl()]: 'com', [await deadUrl()]: 'org', [server.url]: 'net' })
    await ask(rdap, clock, 'com org com org com org com org')
    expect(await rdap.observe('example.net', { urgent: true, organisationId: 'victim' })).toMatchObject({
      outcome: 'seen',
    })
  })
  it('is not suspected when a single server is dead', async () => {
    const server = await registry()
    const { rdap, clock } = listed({ [await deadUrl()]: 'com', [server.url]: 'net' })
    await ask(rdap, clock, 'com com com com com')
    // Left alone after five failures, the server is tried once a minute.
    for (let tries = 0; tries < 3; tries++) {
      clock.advance(MINUTE_MS)
      await ask(rdap, clock, 'com')
    }
    expect(await ask(rdap, clock, 'net')).toEqual(['seen'])
  })
})

describe('after closing', () => {
  it('a waiting caller is refused, and the question in progress ends', async () => {
    const server = await registry()
    server.behave('silence')
    const { rdap } = listed({ [server.url]: 'com' })
    const asking = Promise.all(['a.com', 'b.com'].map((name) => rdap.observe(name, URGENT)))
    await expect.poll(() => server.asked.length).toBe(1)
    await rdap.close()
    expect((await asking).map(({ outcome }) => outcome)).toEqual(['failed', 'failed'])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rdapAnswer } from '../../../test/support/rdap-server.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { keepMs, parseTime, readRegistration } from './read.ts'

const NOW = Date.parse('2026-11-16T12:00:00Z')
const read = (answer: unknown, name = 'example.com') =>
  readRegistration(answer, { name, server: 'rdap.example', nowMs: NOW })
const registrarOf = (entities: unknown) => read({ ldhName: 'example.com', entities })?.registrar
const registrar = (rest: object) => ({ roles: ['registrar'], ...rest })
const vcard = (...properties: unknown[]) => ['vcard', properties]

describe('an answer', () => {
  it('gives dates, registrar, status and DNSSEC', () => {
    const answer = rdapAnswer('example.com', {
      registered: '1995-08-14T04:00:00Z',
      changed: '2026-08-14T07:01:39Z',
      expires: '2027-08-13T04:00:00Z',
      registrar: 'RESERVED-Internet Assigned Numbers Authority',
      status: ['client delete prohibited', 'client transfer prohibited'],
      signed: true,
    })
    expect(read(answer)).toEqual({
      found: true,
      registeredMs: Date.parse('1995-08-14T04:00:00Z'),
      changedMs: Date.parse('2026-08-14T07:01:39Z'),
      expiresMs: Date.parse('2027-08-13T04:00:00Z'),
      registrar: 'RESERVED-Internet Assigned Numbers Authority',
      statuses: ['client delete prohibited', 'client transfer prohibited'],
      signed: true,
      server: 'rdap.example',
    })
  })
  it('with nothing but the name leaves the rest unknown', () => {
    expect(read({ ldhName: 'example.com.' })).toEqual({ found: true, statuses: [], server: 'rdap.example' })
  })
  it('about another name, or none, is no answer', () => {
    for (const answer of [rdapAnswer('example.net', {}), {}, [], null, 'example.com', { errorCode: 404 }]) {
      expect(read(answer)).toBeUndefined()
    }
  })
  it('is never a reason to throw, whatever JSON it is', () => {
    const json = fc.jsonValue({ maxDepth: 5 })
    const keys = ['events', 'entities', 'status', 'secureDNS', 'roles', 'vcardArray', 'publicIds', 'eventAction']
    const nearly = fc.dictionary(fc.constantFrom(...keys, 'eventDate', '__proto__'), json)
    const nested = fc.record({
      entities: fc.array(fc.oneof(json, nearly, fc.record({ roles: fc.constant(['registrar']), vcardArray: json }))),
      events: fc.array(fc.record({ eventAction: fc.constantFrom('registration', 'expiration'), eventDate: json })),
      status: fc.oneof(json, fc.array(fc.string())),
    })
    fc.assert(
      fc.property(fc.oneof(json, nearly, nested), fc.boolean(), (value, named) => {
        const answer = named && typeof value === 'object' ? { ...value, ldhName: 'example.com' } : value
        const facts = read(answer)
        expect(facts === undefined || (facts.found && (facts.registrar?.length ?? 0) <= 200)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a date', () => {
  it.each([
    ['2020-02-29T10:11:12Z', '2020-02-29T10:11:12Z'],
    ['2020-02-29t10:11:12.123456z', '2020-02-29T10:11:12Z'],
    ['2020-02-29T10:11:12+02:00', '2020-02-29T08:11:12Z'],
    ['2020-02-29T10:11:12-0330', '2020-02-29T13:41:12Z'],
    ['2020-02-29 10:11:12', '2020-02-29T10:11:12Z'],
    ['2020-02-29 10:11:12 UTC', '2020-02-29T10:11:12Z'],
    ['2020-02-29T10:11', '2020-02-29T10:11:00Z'],
    [' 2020-02-29 ', '2020-02-29T00:00:00Z'],
    ['2020/02/29', '2020-02-29T00:00:00Z'],
    ['20200229', '2020-02-29T00:00:00Z'],
    ['9-Feb-2020', '2020-02-09T00:00:00Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59Z'],
  ])('is read from %s', (written, expected) => expect(parseTime(written)).toBe(Date.parse(expected)))

  it.each([
    '',
    'yesterday',
    '2019-02-29',
    '2020-13-01',
    '2020-01-01T25:00:00Z',
    '02/03/2020',
    '1-Foo-2020',
    '0099-01-01',
    '2020-01-01T00:00:00+99:00',
  ])('is not read from %j', (written) => expect(parseTime(written)).toBeUndefined())
  it('is not read from a text of a megabyte', () => {
    expect(parseTime(`2020-01-01${' '.repeat(1 << 20)}`)).toBeUndefined()
  })
  it('before 1980, or more than a hundred years ahead, is unknown', () => {
    const facts = read(
      rdapAnswer('example.com', { registered: '1970-01-01', changed: '0001-01-01', expires: '9999-12-31' }),
    )
    expect(facts).toEqual({ found: true, statuses: ['active'], server: 'rdap.example' })
  })
  it('of a registration in the future is unknown, but for two days of a wrong clock', () => {
    expect(read(rdapAnswer('example.com', { registered: '2026-11-19' }))?.registeredMs).toBeUndefined()
    expect(read(rdapAnswer('example.com', { registered: '2026-11-17' }))?.registeredMs).toBe(Date.parse('2026-11-17'))
  })
  it('that cannot be read gives way to the next of the same event', () => {
    const events = [
      { eventAction: 'registration', eventDate: 'unknown' },
      { eventAction: 'Registration', eventDate: '2001-02-03' },
    ]
    expect(read({ ldhName: 'example.com', events })?.registeredMs).toBe(Date.parse('2001-02-03'))
  })
})

describe('the registrar', () => {
  it('is the full name, else the organisation, else the IANA number', () => {
    const fn = ['fn', {}, 'text', 'Names Ltd']
    const org = ['org', {}, 'text', ['Names Group', 'Sales']]
    const publicIds = [{ type: 'IANA Registrar ID', identifier: '292' }]
    expect(registrarOf([registrar({ vcardArray: vcard(org, fn), publicIds })])).toBe('Names Ltd')
    expect(registrarOf([registrar({ vcardArray: vcard(['fn', {}, 'text', ' '], org), publicIds })])).toBe('Names Group')
    expect(registrarOf([registrar({ publicIds })])).toBe('IANA registrar 292')
    expect(registrarOf([registrar({})])).toBeUndefined()
  })
  it('is found inside another entity, and nobody else is taken for it', () => {
    const name = { vcardArray: vcard(['fn', {}, 'text', 'Names Ltd']) }
    const abuse = { roles: ['abuse'], vcardArray: vcard(['fn', {}, 'text', 'Abuse desk']) }
    expect(registrarOf([abuse, { roles: ['technical'], entities: [registrar(name)] }])).toBe('Names Ltd')
    expect(registrarOf([registrar({ entities: [abuse] })])).toBeUndefined()
  })
  it('is not looked for deeper than answers nest', () => {
    const deep = JSON.parse(`${'{"entities":['.repeat(20_000)}${']}'.repeat(20_000)}`)
    expect(registrarOf([deep])).toBeUndefined()
  })
  it('is one line of at most 200 characters without control or direction characters', () => {
    const named = (text: string) => registrarOf([registrar({ vcardArray: vcard(['fn', {}, 'text', text]) })])
    expect(named('Na\u202eme\u0000s\u001b[31m\r\n\u2028Ltd\u200b')).toBe('Name s [31m Ltd')
    expect(named('x'.repeat(100_000))).toHaveLength(200)
    expect(named(`${'x'.repeat(199)}😀`)).toBe('x'.repeat(199))
  })
})

describe('statuses', () => {
  it('are written as RDAP writes them, each once, and bounded', () => {
    const status = (value: unknown) => read({ ldhName: 'example.com', status: value })?.statuses
    expect(status(['clientHold', 'client hold', 'Active', 7, ''])).toEqual(['client hold', 'active'])
    expect(status(Array.from({ length: 50 }, (_, i) => `status ${i}`))).toHaveLength(20)
    expect(status('active')).toEqual([])
  })
})

describe('facts are kept', () => {
  const days = (rest: object) => keepMs({ found: true, statuses: [], server: 'rdap.example', ...rest }, NOW) / DAY_MS
  const old = { registeredMs: NOW - 400 * DAY_MS, expiresMs: NOW + 31 * DAY_MS }
  it('30 days for a name older than a year', () => expect(days(old)).toBe(30))
  it('a day for a younger one', () => expect(days({ ...old, registeredMs: NOW - 364 * DAY_MS })).toBe(1))
  it('a day where it ends within 30 days, or has ended', () => {
    expect(days({ ...old, expiresMs: NOW + 29 * DAY_MS })).toBe(1)
    expect(days({ ...old, expiresMs: NOW - DAY_MS })).toBe(1)
  })
  it.each(['client hold', 'server hold', 'pending delete', 'redemption period'])('a day in status %s', (status) =>
    expect(days({ ...old, statuses: ['active', status] })).toBe(1),
  )
  it('a week where the age is unknown', () => expect(days({})).toBe(7))
})

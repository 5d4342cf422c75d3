import { afterEach, describe, expect, it } from 'vitest'
import { type RdapServer, startRdapServer } from '../../../test/support/rdap-server.ts'
import { Bootstrap, bundledBootstrap, readCompactText, readIana, refreshBootstrap } from './bootstrap.ts'
import { Client } from './client.ts'

/** A list of IANA's size, with a server each for the suffixes of the test. */
function ianaFile(services: unknown[] = [], publication: unknown = '2026-11-01T00:00:00Z') {
  const fillers = Array.from({ length: 1000 }, (_, i) => `filler${i}`)
  const usual = [
    [fillers, ['https://rdap.filler.example/']],
    [['com'], ['https://rdap.com.example/v1/']],
  ]
  return { version: '1.0', publication, services: [...usual, ...services] }
}

function accepted(file: unknown): Bootstrap {
  const list = readIana(file)
  if ('problem' in list) throw new Error(list.problem)
  return new Bootstrap(list)
}

describe('the list of servers', () => {
  it('leads to the server of the longest suffix', () => {
    const list = accepted(
      ianaFile([
        [['uk'], ['https://rdap.uk.example/']],
        [['co.uk', 'CO.JP'], ['https://rdap.co-uk.example/']],
      ]),
    )
    expect(list.base('example.co.uk')).toBe('https://rdap.co-uk.example/')
    expect(list.base('example.co.jp')).toBe('https://rdap.co-uk.example/')
    expect(list.base('example.org.uk')).toBe('https://rdap.uk.example/')
    expect(list.base('xco.uk')).toBe('https://rdap.uk.example/')
    expect(list.base('example.com')).toBe('https://rdap.com.example/v1/')
    expect(list.base('example.net')).toBeUndefined()
    expect(list.base('com')).toBeUndefined()
    expect(list.hasHost('rdap.uk.example')).toBe(true)
    expect(list.hasHost('rdap.example')).toBe(false)
  })
  it('leaves out servers without TLS or with more than a plain address, and takes the first that is left', () => {
    const list = accepted(
      ianaFile([
        [['kg'], ['http://rdap.kg.example/']],
        [['mg'], []],
        [['aa'], ['https://user:secret@rdap.aa.example/']],
        [['bb'], ['https://rdap.bb.example/?x=']],
        [['cc'], [`https://rdap.cc.example/${'x'.repeat(300)}/`]],
        [['dd'], ['https://[', 'file:///etc/passwd']],
        [['ee'], ['http://rdap.ee.example/', 'https://rdap.ee.example', 'https://second.example/']],
      ]),
    )
    for (const suffix of ['kg', 'mg', 'aa', 'bb', 'cc', 'dd']) expect(list.base(`example.${suffix}`)).toBeUndefined()
    expect(list.base('example.ee')).toBe('https://rdap.ee.example/')
  })
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['no services', { ...ianaFile(), services: {} }],
    ['no date', { ...ianaFile(), publication: undefined }],
    ['a date that is none', ianaFile([], 'yesterday')],
    ['a service of one part', ianaFile([[['org']]])],
    ['a service of texts', ianaFile([['org', 'https://rdap.org.example/']])],
    ['an address that is a number', ianaFile([[['org'], [7]]])],
    ['a suffix that is no name', ianaFile([[['or g'], ['https://rdap.org.example/']]])],
    ['an empty suffix', ianaFile([[[''], ['https://rdap.org.example/']]])],
    ['.com a second time', ianaFile([[['com'], ['https://evil.example/']]])],
    ['a list without .com', { ...ianaFile(), services: ianaFile().services.slice(0, 1) }],
    ['a list of .com alone', { ...ianaFile(), services: ianaFile().services.slice(1) }],
    ['too many suffixes', ianaFile([[Array.from({ length: 20_000 }, (_, i) => `s${i}`), ['https://rdap.s.example/']]])],
  ])('is refused whole: %s', (_, file) => {
    expect(readIana(file)).toEqual({ problem: expect.any(String) })
  })
})

describe('the compact form', () => {
  it('is read back as it was written', () => {
    const list = readIana(ianaFile([[['org', 'ngo'], ['https://rdap.org.example/']]]))
    expect(readCompactText(JSON.stringify(list))).toEqual(list)
  })
  it.each([
    [undefined],
    [[]],
    [{ ...bundledBootstrap(), publication: 7 }],
    [{ ...bundledBootstrap(), servers: { 'http://rdap.example/': 'com' } }],
    [{ ...bundledBootstrap(), servers: { ...bundledBootstrap().servers, 'http://rdap.example/': 'example' } }],
    [{ ...bundledBootstrap(), servers: { ...bundledBootstrap().servers, 'https://rdap.example/': 7 } }],
  ])('is refused where it is not what was written (%#)', (file) =>
    expect(readCompactText(JSON.stringify(file) ?? '')).toEqual({ problem: expect.any(String) }),
  )
})

describe('the bundled copy', () => {
  it('passes its own checks and knows large registries', () => {
    expect(readCompactText(JSON.stringify(bundledBootstrap()))).toEqual(bundledBootstrap())
    const list = new Bootstrap(bundledBootstrap())
    expect(list.base('example.com')).toBe('https://rdap.verisign.com/com/v1/')
    expect(list.base('example.co.uk')).toBe('https://rdap.nominet.uk/uk/')
    expect(list.base('example.test')).toBeUndefined()
  })
})

describe('a refresh', () => {
  let server: RdapServer
  let client: Client
  const start = async () => {
    server = await startRdapServer()
    client = new Client({ allowLoopback: true })
  }
  afterEach(async () => {
    await client.close()
    await server.close()
  })
  it('gives the new list in the compact form', async () => {
    await start()
    server.behave({ body: ianaFile() })
    const list = await refreshBootstrap(client, server.url)
    expect(list).toEqual(readIana(ianaFile()))
    expect(list).toMatchObject({ publication: '2026-11-01T00:00:00Z' })
  })
  it.each([
    ['HTTP 500', { status: 500 }],
    ['HTTP 302', { redirect: 'https://rdap.example/' }],
    ['not a list of services', 'garbage'],
    ['an answer longer than 1048576 bytes', 'huge'],
    ['only 1 suffixes, or .com is missing', { body: { ...ianaFile(), services: [[['com'], ['https://c.example/']]] } }],
  ] as const)('is refused: %s', async (problem, behaviour) => {
    await start()
    server.behave(behaviour)
    expect(await refreshBootstrap(client, server.url)).toEqual({ problem })
  })
})

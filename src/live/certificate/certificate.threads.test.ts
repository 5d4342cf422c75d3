import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MadeCertificate, makeCertificate } from '../../../test/support/certificates.ts'
import { type DnsServer, startDnsServer } from '../../../test/support/dns-server.ts'
import { createDnsResolver, type DnsResolver } from '../dns/resolver.ts'
import { type CertificateOptions, certificateObserver } from './certificate.ts'

const YEAR_MS = 365 * 24 * 3600 * 1000
// The certificates are checked by this machine's clock.
const SECOND = Math.floor(Date.now() / 1000) * 1000
const VALID = { notBeforeMs: SECOND - YEAR_MS, notAfterMs: SECOND + YEAR_MS }

let dns: DnsServer
let resolver: DnsResolver
let servers: Server[]
let sockets: Socket[]
beforeEach(async () => {
  servers = []
  sockets = []
  dns = await startDnsServer({ 'www.a.com': { A: ['127.0.0.1'] } })
  resolver = createDnsResolver({ servers: [dns.address], timeoutMs: 30_000 })
})
afterEach(async () => {
  resolver.close()
  await dns.close()
  for (const socket of sockets) socket.destroy()
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.on('connection', (socket: Socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const namesAsked: (string | undefined)[] = []
function showing({ key, cert }: MadeCertificate): Promise<number> {
  const server = createTlsServer({ key, cert, SNICallback: (name, done) => done(null, void namesAsked.push(name)) })
  server.on('tlsClientError', () => {})
  return listen(server)
}

/** Loopback is allowed here because the servers of the test are there. */
function observe(options: Partial<CertificateOptions> & { readonly port: number }, name = 'www.a.com') {
  const mayContact = (address: string) => address === '127.0.0.1'
  const observer = certificateObserver({ resolver, mayContact, timeoutMs: 30_000, ...options })
  return observer.observe(name, { urgent: true })
}

describe('a certificate', () => {
  it('of an authority this machine trusts is seen as such', async () => {
    const authority = makeCertificate({ organisation: 'Test Authority', commonName: 'CA 1', authority: true, ...VALID })
    const port = await showing(makeCertificate({ names: ['A.com', '*.a.com'], issuer: authority, ...VALID }))
    expect(await observe({ port, authorities: [authority.cert] })).toEqual({
      outcome: 'seen',
      value: {
        answered: true,
        issuer: 'Test Authority',
        ...VALID,
        names: ['a.com', '*.a.com'],
        trusted: true,
      },
      keepMs: 24 * 3600 * 1000,
    })
    expect(namesAsked.at(-1)).toBe('www.a.com')
    expect(await observe({ port })).toMatchObject({ value: { answered: true, trusted: false } })
  })

  it.each([
    ['self-signed', VALID, ['www.a.com'], false],
    ['expired', { notBeforeMs: SECOND - 2 * YEAR_MS, notAfterMs: SECOND - YEAR_MS }, ['www.a.com'], true],
    ["somebody else's", VALID, ['www.b.com'], true],
  ] as const)('is a fact although it is %s', async (_, validity, names, trustIt) => {
    const made = makeCertificate({ commonName: 'Nobody', names, ...validity })
    const observation = await observe({ port: await showing(made), ...(trustIt ? { authorities: [made.cert] } : {}) })
    expect(observation).toMatchObject({
      outcome: 'seen',
      value: { answered: true, issuer: 'Nobody', ...validity, names, trusted: false },
    })
  })

  it('shows strangers no way to a reader: odd names are left out, the issuer is one short line', async () => {
    const odd = ['good.com', 'bell\u0007.com', 'two words.com', '*.*.com', 'x, DNS:y.com']
    const many = Array.from({ length: 300 }, (_, i) => `n${i}.com`)
    const organisation = `Evil\n\u202eCorp\u0000${'x'.repeat(300)}`
    const port = await showing(makeCertificate({ organisation, names: [...odd, ...many], ...VALID }))
    const observation = await observe({ port })
    if (observation.outcome === 'failed') throw new Error(observation.why)
    expect(observation.value.names).toEqual(['good.com', ...many].slice(0, 50))
    expect(observation.value.issuer).toBe(`Evil Corp ${'x'.repeat(90)}`)
  })
})

describe('no certificate', () => {
  const NOT_ANSWERED = { outcome: 'seen', value: { answered: false }, keepMs: 3600 * 1000 }

  it('is seen where nobody listens', async () => expect(await observe({ port: 2 })).toEqual(NOT_ANSWERED))

  it('is seen where somebody speaks no TLS', async () => {
    const port = await listen(createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    expect(await observe({ port })).toEqual(NOT_ANSWERED)
  })

  it('is seen where somebody closes the door', async () => {
    const port = await listen(createServer((socket) => socket.resetAndDestroy()))
    expect(await observe({ port })).toEqual(NOT_ANSWERED)
  })

  it('is seen where the host has no address', async () => {
    expect(await observe({ port: 2 }, 'missing.com')).toEqual(NOT_ANSWERED)
  })

  it('is unknown where somebody accepts and says nothing', async () => {
    const port = await listen(createServer())
    expect(await observe({ port, timeoutMs: 100 })).toEqual({ outcome: 'failed', why: 'timeout', retryMs: 300_000 })
  })

  it('is unknown where the name could not be resolved', async () => {
    dns.behave('www.a.com', 'servfail')
    expect(await observe({ port: 2 })).toMatchObject({ outcome: 'failed', why: 'SERVFAIL' })
  })
})

describe('an address that is not public', () => {
  it.each([
    ['A', '127.0.0.1'],
    ['AAAA', '::1'],
    ['AAAA', '::ffff:127.0.0.1'],
    ['AAAA', '64:ff9b::127.0.0.1'],
    ['AAAA', '2002:7f00:1::'],
  ] as const)('is never contacted: %s %s', async (type, address) => {
    const port = await listen(createServer())
    dns.names['www.a.com'] = { [type]: [address] }
    const observer = certificateObserver({ resolver, port, timeoutMs: 1000 })
    expect(await observer.observe('www.a.com', { urgent: true })).toMatchObject({ value: { answered: false } })
    expect(sockets).toHaveLength(0)
  })

  it('is passed over for one that is', async () => {
    const made = makeCertificate({ commonName: 'Nobody', ...VALID })
    dns.names['www.a.com'] = { A: ['10.0.0.1', '127.0.0.1'] }
    expect(await observe({ port: await showing(made) })).toMatchObject({ value: { issuer: 'Nobody' } })
  })
})

import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { memorySnapshot, SEEN_MS } from '../../test/support/memory-snapshot.ts'
import type { Facts } from '../live/facts.ts'
import type { AsnInfo, Snapshot } from '../snapshot/types.ts'
import { NO_FACTS, reportFacts } from './facts-report.ts'
import { type Indicator, isProblem, parseIndicator } from './indicator.ts'
import { FactsSchema } from './schema.ts'

const WHOIS_AT_MS = Date.UTC(2026, 10, 14, 8)
const DNS_AT_MS = Date.UTC(2026, 10, 15, 12)
const TLS_AT_MS = Date.UTC(2026, 10, 15, 13)
const TABLE_AT_MS = Date.UTC(2026, 9, 1)

const ALL: Facts = {
  registration: {
    found: true,
    registeredMs: Date.UTC(2026, 10, 9),
    changedMs: Date.UTC(2026, 10, 10),
    expiresMs: Date.UTC(2027, 10, 9),
    registrar: 'Example Registrar Ltd',
    statuses: ['active', 'client transfer prohibited'],
    server: 'rdap.registry.example',
    seenMs: WHOIS_AT_MS,
  },
  zone: {
    exists: true,
    mx: ['mx1.supplier.com', 'mx2.supplier.com'],
    nullMx: false,
    ns: ['ns1.parking.example'],
    spf: 'fail',
    dmarc: 'reject',
    wildcard: false,
    parkedBy: 'Parking Ltd',
    seenMs: DNS_AT_MS,
  },
  host: {
    exists: true,
    addresses: ['185.220.101.1', '2a00:1450::1', '9.9.9.9'],
    aliases: [],
    dangling: false,
    seenMs: DNS_AT_MS,
  },
  certificate: {
    answered: true,
    issuer: 'An Authority',
    notBeforeMs: Date.UTC(2026, 10, 9),
    notAfterMs: Date.UTC(2027, 1, 7),
    names: ['supplier.com'],
    trusted: true,
    seenMs: TLS_AT_MS,
  },
  reverse: { names: ['a.host.example', 'b.host.example'], confirmed: ['a.host.example'], seenMs: DNS_AT_MS },
}

const HOSTER = { number: 24940, name: 'Hosting GmbH' }

describe('facts as an answer shows them', () => {
  it('all keys are there and null where nothing was seen', () => {
    const report = reportFacts(indicator('domain', 'supplier.com'), {}, snapshot())
    expect(report).toEqual(NO_FACTS)
    expect(Object.keys(report).sort()).toEqual(Object.keys(FactsSchema.properties).sort())
    expect(schemaErrors(report)).toEqual([])
  })

  it('each has its value and the time it was seen', () => {
    const report = reportFacts(indicator('domain', 'supplier.com'), ALL, snapshot())
    const whois = '2026-11-14T08:00:00.000Z'
    const dns = '2026-11-15T12:00:00.000Z'
    expect(report).toEqual({
      registered: { value: '2026-11-09T00:00:00.000Z', seen_at: whois },
      changed: { value: '2026-11-10T00:00:00.000Z', seen_at: whois },
      expires: { value: '2027-11-09T00:00:00.000Z', seen_at: whois },
      registrar: { value: 'Example Registrar Ltd', seen_at: whois },
      status: { value: ['active', 'client transfer prohibited'], seen_at: whois },
      mail: {
        value: { mx: ['mx1.supplier.com', 'mx2.supplier.com'], null_mx: false, spf: 'fail', dmarc: 'reject' },
        seen_at: dns,
      },
      name_servers: { value: ['ns1.parking.example'], seen_at: dns },
      parked_by: { value: 'Parking Ltd', seen_at: dns },
      networks: {
        value: [
          { address: '185.220.101.1', asn: 24940, name: 'Hosting GmbH', country: 'DE' },
          { address: '2a00:1450::1', asn: null, name: null, country: null },
          { address: '9.9.9.9', asn: 19281, name: null, country: null },
        ],
        seen_at: dns,
      },
      certificate: {
        value: {
          issuer: 'An Authority',
          not_before: '2026-11-09T00:00:00.000Z',
          not_after: '2027-02-07T00:00:00.000Z',
          names: ['supplier.com'],
        },
        seen_at: '2026-11-15T13:00:00.000Z',
      },
      reverse_dns: {
        value: { names: ['a.host.example', 'b.host.example'], confirmed: ['a.host.example'] },
        seen_at: dns,
      },
    })
    expect(schemaErrors(report)).toEqual([])
  })

  it('those of an email address are those of its domain, and its local part stands nowhere', () => {
    const report = reportFacts(indicator('email', 'accounts@supplier.com'), ALL, snapshot())
    expect(report).toEqual(reportFacts(indicator('domain', 'supplier.com'), ALL, snapshot()))
    expect(JSON.stringify(report)).not.toContain('accounts')
  })

  it('a name that nobody registered has no registration, no mail and no address', () => {
    const report = reportFacts(
      indicator('domain', 'nobody-has-this.com'),
      {
        registration: { found: false, statuses: [], server: 'rdap.registry.example', seenMs: WHOIS_AT_MS },
        zone: {
          exists: false,
          mx: [],
          nullMx: false,
          ns: [],
          spf: 'absent',
          dmarc: 'absent',
          wildcard: false,
          seenMs: DNS_AT_MS,
        },
        host: { exists: false, addresses: [], aliases: [], dangling: false, seenMs: DNS_AT_MS },
        certificate: { answered: false, seenMs: TLS_AT_MS },
      },
      snapshot(),
    )
    const seen_at = '2026-11-15T12:00:00.000Z'
    expect(report).toEqual({
      ...NO_FACTS,
      mail: { value: { mx: [], null_mx: false, spf: 'absent', dmarc: 'absent' }, seen_at },
      name_servers: { value: [], seen_at },
      networks: { value: [], seen_at },
    })
    expect(schemaErrors(report)).toEqual([])
  })

  it('fields that a registry leaves out are null beside those it gives', () => {
    const { registration } = ALL
    const { registered, changed, registrar, status } = reportFacts(
      indicator('domain', 'supplier.com'),
      {
        registration: { found: true, registeredMs: registration!.registeredMs!, statuses: [], server: 'r', seenMs: 0 },
      },
      snapshot(),
    )
    expect(registered?.value).toBe('2026-11-09T00:00:00.000Z')
    expect([changed, registrar]).toEqual([null, null])
    expect(status).toEqual({ value: [], seen_at: '1970-01-01T00:00:00.000Z' })
  })

  it.each([Date.UTC(10_000, 0), 8.64e15, 9e15, -1e14, Number.NaN])(
    'a year without four digits is no fact: %d ms',
    (ms) => {
      const facts: Facts = {
        registration: { found: true, registeredMs: ms, statuses: [], server: 'r', seenMs: WHOIS_AT_MS },
        certificate: { answered: true, notAfterMs: ms, seenMs: TLS_AT_MS },
      }
      const { registered, certificate } = reportFacts(indicator('domain', 'supplier.com'), facts, snapshot())
      expect(registered).toBeNull()
      expect(certificate?.value).toEqual({ issuer: null, not_before: null, not_after: null, names: [] })
    },
  )

  it('texts of strangers stay the texts they are', () => {
    const text = `<img src=x onerror=alert(1)>"'\\\${}--%00`
    const report = reportFacts(
      indicator('domain', 'supplier.com'),
      {
        ...ALL,
        registration: { ...ALL.registration!, registrar: text, statuses: [text] },
        reverse: { names: [text], confirmed: [], seenMs: DNS_AT_MS },
      },
      snapshot(),
    )
    const read = JSON.parse(JSON.stringify(report)) as typeof report
    expect([read.registrar?.value, read.status?.value, read.reverse_dns?.value.names]).toEqual([text, [text], [text]])
    expect(schemaErrors(report)).toEqual([])
  })
})

describe('the network of an IP address', () => {
  it('comes from the snapshot although nothing was looked up, with the time of its table', () => {
    const report = reportFacts(indicator('ip', '185.220.101.1'), {}, snapshot())
    expect(report).toEqual({
      ...NO_FACTS,
      networks: {
        value: [{ address: '185.220.101.1', asn: 24940, name: 'Hosting GmbH', country: 'DE' }],
        seen_at: '2026-10-01T00:00:00.000Z',
      },
    })
  })

  it('is that of the IPv4 address which an IPv6 address carries', () => {
    const [network] = reportFacts(indicator('ip', '2002:b9dc:6501::1'), {}, snapshot()).networks?.value ?? []
    expect(network).toMatchObject({ address: '2002:b9dc:6501::1', asn: 24940 })
  })

  it('is unknown for an address that nobody announces or that is private', () => {
    const announced = snapshot({ '10.0.0.0/8': HOSTER, '185.220.0.0/16': HOSTER })
    for (const address of ['8.8.8.8', '10.0.0.1']) {
      expect(reportFacts(indicator('ip', address), {}, announced).networks?.value).toEqual([
        { address, asn: null, name: null, country: null },
      ])
    }
  })

  it('is null where the snapshot has no table of networks', () => {
    expect(reportFacts(indicator('ip', '185.220.101.1'), {}, memorySnapshot()).networks).toBeNull()
  })
})

/** Without fields that nobody documented. */
function schemaErrors(report: unknown): string[] {
  const strict = JSON.parse(JSON.stringify(FactsSchema), (_key, value) =>
    value?.type === 'object' ? { ...value, additionalProperties: false } : value,
  )
  return [...Value.Errors(strict, report)].map((error) => `${error.instancePath} ${error.message}`)
}

function snapshot(asns: Readonly<Record<string, typeof HOSTER>> = { '185.220.0.0/16': HOSTER }): Snapshot {
  const plain = memorySnapshot({ asns: { ...asns, '9.9.9.0/24': { number: 19281, name: '' } } })
  const [feed] = plain.info.sources
  const tables = [TABLE_AT_MS, SEEN_MS].map((asOfMs) => ({ ...feed!, roles: ['network' as const], asOfMs }))
  // A table without rows says nothing, however new it is.
  const empty = { ...tables[0]!, rows: 0, asOfMs: DNS_AT_MS }
  return {
    ...plain,
    info: { ...plain.info, sources: [feed!, ...tables, empty] },
    asn: (ip): AsnInfo | undefined => {
      const found = plain.asn(ip)
      return found?.number === HOSTER.number ? { ...found, country: 'DE' } : found
    },
  }
}

function indicator(kind: 'email' | 'domain' | 'ip', text: string): Indicator {
  const parsed = parseIndicator(kind, text)
  if (isProblem(parsed)) throw new Error(parsed.detail)
  return parsed
}

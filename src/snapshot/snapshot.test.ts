import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runs } from '../../test/support/runs.ts'
import { hash64Into } from '../lib/hashing.ts'
import { formatIp, type Ip, ipv4, ipv6, parseIp } from '../lib/ip.ts'
import { FORM_BUCKETS } from '../lib/name-grams.ts'
import { type Compiler, type CompilerSource, createCompiler, type IndicatorRow } from './compile.ts'
import { TEACHING_NAMES_MIN } from './listed-names.ts'
import { type OpenSnapshot, openSnapshot } from './read.ts'
import { homeSlot } from './table.ts'
import type { Tag } from './types.ts'

const NOW = Date.parse('2026-06-01T10:00:00Z')
const DAY = 86_400_000
let folder: string
let files = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-snapshot-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function compiler(sources: readonly Partial<CompilerSource>[] = [], nowMs = NOW): Compiler {
  const made = createCompiler({ nowMs })
  for (const source of [{ id: 'a' }, { id: 'b' }, { id: 'c' }, ...sources]) {
    made.source({ id: 'x', name: 'Feed', licence: 'MIT', asOfMs: NOW, ...source })
  }
  return made
}

function row(kind: IndicatorRow['kind'], value: string, tag: Tag = 'phishing', over: Partial<IndicatorRow> = {}) {
  return { kind, value, tag, source: 'a', firstSeenMs: NOW - 10 * DAY, lastSeenMs: NOW, confidence: 0.8, ...over }
}

function open(made: Compiler): OpenSnapshot {
  const file = join(folder, `${files++}.snapshot`)
  made.writeTo(file)
  return openSnapshot(file)
}

const ip = (text: string): Ip => parseIp(text)!
const tags = (evidence: readonly { tag: string; source: string }[]) =>
  evidence.map(({ tag, source }) => `${source}:${tag}`).sort()

describe('look-ups', () => {
  it('finds exactly the names, addresses and ranges that were added', () => {
    const made = compiler()
    made.add(row('domain', 'evil.example'))
    made.add(row('email', 'boss@evil.example', 'bec'))
    made.add(row('ip', '198.41.0.0/24', 'attack'))
    made.add(row('ip', '2a00:1::/48', 'attack'))
    made.add(row('asn', '64496', 'bad_asn'))
    made.addAsnRange({ first: ip('198.41.0.0'), last: ip('198.41.255.255') }, 64496, 'Example Net')
    const snapshot = open(made)
    expect(snapshot.domain('evil.example')).toEqual([
      {
        source: 'a',
        tag: 'phishing',
        firstSeenMs: Date.parse('2026-05-22'),
        lastSeenMs: Date.parse('2026-06-01'),
        confidence: 0.8,
      },
    ])
    expect(snapshot.domain('www.evil.example')).toEqual([])
    expect(tags(snapshot.email('boss@evil.example'))).toEqual(['a:bec'])
    expect(snapshot.email('evil.example')).toEqual([])
    expect(tags(snapshot.ip(ip('198.41.0.255')))).toEqual(['a:attack'])
    expect(snapshot.ip(ip('198.41.1.0'))).toEqual([])
    expect(tags(snapshot.ip(ip('2a00:1::ffff')))).toEqual(['a:attack'])
    expect(snapshot.ip(ip('2a00:1:1::'))).toEqual([])
    expect(snapshot.asn(ip('198.41.9.9'))).toMatchObject({ number: 64496, name: 'Example Net' })
    expect(tags(snapshot.asn(ip('198.41.9.9'))!.evidence)).toEqual(['a:bad_asn'])
    expect(snapshot.asn(ip('198.42.0.0'))).toBeUndefined()
    expect(snapshot.info.counts).toEqual({ domains: 1, emails: 1, ipv4: 1, ipv6: 1 })
  })

  it('answers from an empty snapshot', () => {
    const snapshot = open(compiler())
    expect(snapshot.domain('a.example')).toEqual([])
    expect(snapshot.ip(ip('255.255.255.255'))).toEqual([])
    expect(snapshot.ip(ip('2001:4860::'))).toEqual([])
    expect(snapshot.asn(ip('8.8.8.8'))).toBeUndefined()
    expect(snapshot.density(ip('8.8.8.8'))).toEqual({ near: 0, around: 0, asnPer10k: 0, asnAnnounced: 0 })
  })

  it('gives the same evidence objects for the same set, so that a look-up does not allocate', () => {
    const made = compiler()
    made.add(row('domain', 'one.example'))
    made.add(row('domain', 'two.example'))
    const snapshot = open(made)
    expect(snapshot.domain('one.example')).toBe(snapshot.domain('two.example'))
  })

  it('tells apart every key when many share a home slot', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}\.[a-z]{2,3}$/), { maxLength: 400 }), (names) => {
        const made = compiler()
        const listed = names.filter((_, i) => i % 2 === 0)
        for (const name of listed) made.add(row('domain', name, 'adware'))
        const snapshot = open(made)
        for (const name of listed) expect(snapshot.domain(name)).toHaveLength(1)
        for (const name of names) if (!listed.includes(name)) expect(snapshot.domain(name)).toHaveLength(0)
      }),
      { numRuns: runs(15) },
    )
    // The table is small enough here that homes are shared, which is what the property leans on.
    const key = new Uint32Array(2)
    const homes = new Set(
      Array.from({ length: 100 }, (_, i) => {
        hash64Into(`n${i}.example`, key)
        return homeSlot(key[1]!, 143)
      }),
    )
    expect(homes.size).toBeLessThan(100)
  })
})

describe('ranges', () => {
  const range4 = fc.tuple(
    fc.integer({ min: 0, max: 60 }),
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 2 }),
  )

  it('flattens overlapping IPv4 ranges into what a naive search finds', () => {
    const base = 0xc6290000
    fc.assert(
      fc.property(fc.array(range4, { maxLength: 25 }), (ranges) => {
        const made = compiler()
        for (const [start, width, source] of ranges) {
          made.addRange(
            { first: ipv4(base + start), last: ipv4(base + start + width) },
            row('ip', '', 'attack', { source: 'abc'[source]! }),
          )
        }
        const snapshot = open(made)
        for (let at = -2; at < 85; at++) {
          const expected = new Set(
            ranges.filter(([start, width]) => at >= start && at <= start + width).map((r) => `${'abc'[r[2]]}:attack`),
          )
          expect(tags(snapshot.ip(ipv4(base + at)))).toEqual([...expected].sort())
        }
      }),
      { numRuns: runs(20) },
    )
  })

  it('flattens overlapping IPv6 ranges across word boundaries', () => {
    const at = (offset: number) =>
      offset < 30
        ? ipv6(0x2a000001, 0xffffffff, 0xffffffff, 0xffffffff - 29 + offset)
        : ipv6(0x2a000002, 0, 0, offset - 30)
    fc.assert(
      fc.property(fc.array(range4, { maxLength: 25 }), (ranges) => {
        const made = compiler()
        for (const [start, width, source] of ranges) {
          made.addRange(
            { first: at(start), last: at(start + width) },
            row('ip', '', 'attack', { source: 'abc'[source]! }),
          )
        }
        const snapshot = open(made)
        for (let offset = 0; offset < 85; offset++) {
          const expected = new Set(
            ranges
              .filter(([start, width]) => offset >= start && offset <= start + width)
              .map((r) => `${'abc'[r[2]]}:attack`),
          )
          expect(tags(snapshot.ip(at(offset))), formatIp(at(offset))).toEqual([...expected].sort())
        }
      }),
      { numRuns: runs(15) },
    )
  })

  it('covers both ends of the IPv4 space', () => {
    const made = compiler()
    made.add(row('ip', '255.255.255.255/32', 'bogon'))
    made.add(row('ip', '0.0.0.0/32', 'bogon'))
    const snapshot = open(made)
    expect(snapshot.ip(ip('255.255.255.255'))).toHaveLength(1)
    expect(snapshot.ip(ip('0.0.0.0'))).toHaveLength(1)
    expect(snapshot.ip(ip('0.0.0.1'))).toHaveLength(0)
  })

  it('lets the narrower range name the AS', () => {
    const made = compiler()
    made.addAsnRange({ first: ip('20.0.0.0'), last: ip('20.255.255.255') }, 10, 'Wide')
    made.addAsnRange({ first: ip('20.5.0.0'), last: ip('20.5.255.255') }, 20, 'Narrow')
    made.addAsnRange({ first: ip('2a00::'), last: ip('2a00:ffff::') }, 10, 'Wide')
    made.addAsnRange({ first: ip('2a00:5::'), last: ip('2a00:5:ffff::') }, 20, 'Narrow')
    const snapshot = open(made)
    for (const [address, name] of [
      ['20.4.255.255', 'Wide'],
      ['20.5.0.0', 'Narrow'],
      ['20.6.0.0', 'Wide'],
      ['2a00:4::', 'Wide'],
      ['2a00:5::1', 'Narrow'],
      ['2a00:6::', 'Wide'],
    ] as const) {
      expect(snapshot.asn(ip(address))?.name, address).toBe(name)
    }
  })

  it('says where a network is registered, and by most votes where rows disagree', () => {
    const made = compiler()
    for (const asn of [7, 8, 9, 4_294_967_295]) {
      made.addAsnRange({ first: ip(`20.0.${asn % 200}.0`), last: ip(`20.0.${asn % 200}.255`) }, asn, `Net ${asn}`)
    }
    made.add(row('asn', '11', 'bad_asn'))
    for (const [asn, country] of [
      [7, 'DE'],
      [7, 'AT'],
      [7, 'DE'],
      [8, 'NZ'],
      [8, 'AU'],
      [4_294_967_295, 'ZW'],
      [9, 'Germany'],
      [9, 'de'],
      [9, ''],
      [12, 'FR'],
    ] as const)
      made.addAsnCountry(asn, country)
    const snapshot = open(made)
    const found = [7, 8, 9, 4_294_967_295].map((asn) => snapshot.asn(ip(`20.0.${asn % 200}.1`)))
    expect(found.map((asn) => [asn?.number, asn?.name, asn?.country])).toEqual([
      [7, 'Net 7', 'DE'],
      [8, 'Net 8', 'AU'],
      [9, 'Net 9', undefined],
      [4_294_967_295, 'Net 4294967295', 'ZW'],
    ])
    expect(snapshot.dropped.bad_value).toBe(3)
  })

  it('counts listed neighbours per /24 and /48 and listed addresses per ASN', () => {
    const made = compiler()
    for (const last of [1, 2, 9]) made.add(row('ip', `20.1.1.${last}`, 'attack'))
    made.add(row('ip', '20.1.1.0/30', 'scanner', { source: 'b' }))
    made.add(row('ip', '20.1.0.0/16', 'hijacked', { source: 'c' }))
    made.add(row('ip', '2a00:1:2::1', 'c2'))
    made.add(row('ip', '2a00:1:2::5', 'c2'))
    made.addAsnRange({ first: ip('20.0.0.0'), last: ip('20.0.255.255') }, 7, 'Seven')
    made.addAsnRange({ first: ip('20.1.0.0'), last: ip('20.1.255.255') }, 7, 'Seven')
    const snapshot = open(made)
    expect(snapshot.density(ip('20.1.1.200')).near).toBe(3)
    expect(snapshot.density(ip('20.1.2.200')).near).toBe(0)
    expect(snapshot.density(ip('20.0.0.1')).asnPer10k).toBeCloseTo((3 / 131072) * 10_000, 4)
    expect(snapshot.density(ip('2a00:1:2:ffff::')).near).toBe(2)
    expect(snapshot.density(ip('2a00:1:3::')).near).toBe(0)
    expect(snapshot.density(ip('20.0.0.1')).asnAnnounced).toBe(131072)
    expect(snapshot.density(ip('30.0.0.1')).asnAnnounced).toBe(0)
  })

  it('counts the other networks around that hold a listed address, not the own one', () => {
    const made = compiler()
    for (const address of ['20.1.0.1', '20.1.1.1', '20.1.1.2', '20.1.255.9', '20.0.255.1', '20.2.0.1'])
      made.add(row('ip', address, 'attack'))
    for (const address of ['2a00:1:2::1', '2a00:1:3::1', '2a00:1:3::2', '2a00:2:0::1'])
      made.add(row('ip', address, 'c2'))
    const snapshot = open(made)
    const around = (address: string) => snapshot.density(ip(address)).around
    expect([around('20.1.9.9'), around('20.1.1.200'), around('20.1.0.0'), around('20.1.255.255')]).toEqual([3, 2, 2, 2])
    expect([around('20.3.0.0'), around('255.255.255.255'), around('0.0.0.0')]).toEqual([0, 0, 0])
    expect([around('2a00:1:9::'), around('2a00:1:3:4::'), around('2a00:3::'), around('ffff:ffff::')]).toEqual([
      2, 1, 0, 0,
    ])
  })
})

describe('sources', () => {
  it('say what they list, what they are consulted for, how many rows they gave and how old they are', () => {
    const made = compiler([
      { id: 'table', announces: true, asOfMs: NOW - DAY },
      { id: 'countries', locates: true },
    ])
    made.add(row('domain', 'young.example', 'newly_registered', { source: 'c' }))
    made.addAsnCountry(7, 'NZ')
    made.add(row('domain', 'evil.example'))
    made.add(row('ip', '20.1.1.1', 'attack'))
    made.add(row('domain', 'shop.example', 'popular_1k', { source: 'b' }))
    made.add(row('asn', '7', 'hosting', { source: 'b' }))
    made.addAsnRange({ first: ip('20.0.0.0'), last: ip('20.0.255.255') }, 7, 'Seven')
    made.addAsnRangeV4(ip('20.1.0.0').w3, ip('20.1.255.255').w3, 7, 'Seven')
    const about = open(made).info.sources.map(({ id, kinds, roles, rows, asOfMs }) => [id, kinds, roles, rows, asOfMs])
    expect(about).toEqual([
      ['a', ['domain', 'ip'], ['threat'], 2, NOW],
      ['b', ['domain', 'asn'], ['context', 'popularity'], 2, NOW],
      ['c', ['domain'], ['context'], 1, NOW],
      ['countries', ['asn'], ['network'], 1, NOW],
      ['table', ['ip'], ['network'], 2, NOW - DAY],
    ])
  })
})

describe('ageing', () => {
  it('halves confidence with every half-life and removes evidence past its expiry', () => {
    const made = compiler([{ id: 'aged', halfLifeDays: 10, expiryDays: 30 }])
    const seen = (days: number) => ({ source: 'aged', firstSeenMs: NOW - 90 * DAY, lastSeenMs: NOW - days * DAY })
    made.add(row('domain', 'fresh.example', 'scam', seen(0)))
    made.add(row('domain', 'ten.example', 'scam', seen(10)))
    made.add(row('domain', 'thirty.example', 'scam', seen(30)))
    made.add(row('domain', 'gone.example', 'scam', seen(31)))
    const file = join(folder, 'aged.snapshot')
    expect(made.writeTo(file).dropped.expired).toBe(1)
    const snapshot = openSnapshot(file)
    expect(snapshot.domain('fresh.example')[0]?.confidence).toBe(0.8)
    expect(snapshot.domain('ten.example')[0]?.confidence).toBe(0.4)
    expect(snapshot.domain('thirty.example')[0]?.confidence).toBe(0.1)
    expect(snapshot.domain('gone.example')).toEqual([])
  })

  it('a second sighting resets the age and keeps the first date', () => {
    const made = compiler([{ id: 'aged', halfLifeDays: 10 }])
    made.add(
      row('domain', 'x.example', 'scam', { source: 'aged', firstSeenMs: NOW - 40 * DAY, lastSeenMs: NOW - 20 * DAY }),
    )
    made.add(row('domain', 'x.example', 'scam', { source: 'aged', firstSeenMs: NOW - 1 * DAY, lastSeenMs: NOW }))
    const evidence = open(made).domain('x.example')
    expect(evidence).toHaveLength(1)
    expect(evidence[0]).toMatchObject({ confidence: 0.8, firstSeenMs: Date.parse('2026-04-22') })
  })

  it('a source that does not say when it first saw something has no first date', () => {
    const made = compiler()
    made.add(row('domain', 'x.example', 'scam', { firstSeenMs: undefined }))
    made.add(row('domain', 'y.example', 'scam', { firstSeenMs: undefined }))
    made.add(row('domain', 'y.example', 'scam', { firstSeenMs: NOW - 3 * DAY }))
    const snapshot = open(made)
    expect(snapshot.domain('x.example')[0]).not.toHaveProperty('firstSeenMs')
    expect(snapshot.domain('x.example')[0]?.lastSeenMs).toBe(Date.parse('2026-06-01'))
    expect(snapshot.domain('y.example')[0]?.firstSeenMs).toBe(Date.parse('2026-05-29'))
  })
})

describe('giants', () => {
  it('leaves out one stray listing of a popular site and of a host below it', () => {
    const made = compiler()
    made.add(row('domain', 'giant.com', 'popular_1k', { source: 'b' }))
    made.add(row('domain', 'giant.com'))
    made.add(row('domain', 'login.giant.com'))
    const file = join(folder, 'giants.snapshot')
    expect(made.writeTo(file).dropped.protected).toBe(2)
    const snapshot = openSnapshot(file)
    expect(tags(snapshot.domain('giant.com'))).toEqual(['b:popular_1k'])
    expect(snapshot.domain('login.giant.com')).toEqual([])
  })

  it('keeps a listing that two independent sources share, at half the confidence', () => {
    const made = compiler()
    made.add(row('domain', 'giant.com', 'popular_10k', { source: 'c' }))
    made.add(row('domain', 'login.giant.com'))
    made.add(row('domain', 'login.giant.com', 'malware', { source: 'b' }))
    const evidence = open(made).domain('login.giant.com')
    expect(tags(evidence)).toEqual(['a:phishing', 'b:malware'])
    expect(evidence.map(({ confidence }) => confidence)).toEqual([0.4, 0.4])
  })

  it('does not count two sources of one origin as corroboration', () => {
    const made = compiler([
      { id: 'm1', origin: 'm' },
      { id: 'm2', origin: 'm' },
    ])
    made.add(row('domain', 'giant.com', 'known_good', { source: 'c' }))
    made.add(row('domain', 'giant.com', 'malware', { source: 'm1' }))
    made.add(row('domain', 'giant.com', 'malware', { source: 'm2' }))
    expect(tags(open(made).domain('giant.com'))).toEqual(['c:known_good'])
  })

  it('halves a single listing of a site in the top 100,000 and keeps a shared one whole', () => {
    const made = compiler()
    for (const name of ['one.com', 'two.com']) {
      made.add(row('domain', name, 'popular_100k', { source: 'c' }))
      made.add(row('domain', name))
    }
    made.add(row('domain', 'two.com', 'malware', { source: 'b' }))
    const snapshot = open(made)
    expect(snapshot.domain('one.com').find(({ tag }) => tag === 'phishing')?.confidence).toBe(0.4)
    expect(snapshot.domain('two.com').find(({ tag }) => tag === 'phishing')?.confidence).toBe(0.8)
  })

  it('never condemns a platform, and never protects a host on one', () => {
    const made = compiler()
    made.add(row('domain', 'github.io', 'popular_1k', { source: 'b' }))
    made.add(row('domain', 'github.io'))
    made.add(row('domain', 'evil.github.io'))
    made.add(row('domain', 'freehost.com', 'popular_10k', { source: 'b' }))
    made.add(row('domain', 'freehost.com', 'free_hosting', { source: 'b' }))
    made.add(row('domain', 'freehost.com'))
    made.add(row('domain', 'evil.freehost.com'))
    const snapshot = open(made)
    expect(tags(snapshot.domain('github.io'))).toEqual(['b:popular_1k'])
    expect(tags(snapshot.domain('evil.github.io'))).toEqual(['a:phishing'])
    expect(tags(snapshot.domain('freehost.com'))).toEqual(['b:free_hosting', 'b:popular_10k'])
    expect(tags(snapshot.domain('evil.freehost.com'))).toEqual(['a:phishing'])
  })

  it('never calls a mail provider disposable, however many lists say so', () => {
    const made = compiler()
    made.add(row('domain', 'mail.example', 'mail_provider', { source: 'c' }))
    made.add(row('domain', 'mail.example', 'disposable', { source: 'a' }))
    made.add(row('domain', 'mail.example', 'disposable', { source: 'b' }))
    expect(tags(open(made).domain('mail.example'))).toEqual(['c:mail_provider'])
  })

  it('takes the narrower word where lists call a domain both free and disposable', () => {
    const made = compiler()
    made.add(row('domain', 'throwaway.example', 'freemail', { source: 'b' }))
    made.add(row('domain', 'throwaway.example', 'disposable'))
    expect(tags(open(made).domain('throwaway.example'))).toEqual(['a:disposable'])
  })

  it('calls nobody newly registered who is known good, a bank or popular, and changes nothing else by it', () => {
    const made = compiler()
    const standings = { 'bank.example': 'bank', 'top.example': 'popular_10k', 'fair.example': 'popular_100k' } as const
    for (const [name, standing] of Object.entries(standings)) {
      made.add(row('domain', name, standing))
      made.add(row('domain', name, 'newly_registered', { source: 'b' }))
    }
    made.add(row('domain', 'young.example', 'newly_registered', { source: 'b' }))
    made.add(row('domain', 'young.example', 'phishing', { source: 'c' }))
    const snapshot = open(made)
    const found = (name: string) => tags(snapshot.domain(name))
    expect(found('bank.example')).toEqual(['a:bank'])
    expect(found('top.example')).toEqual(['a:popular_10k'])
    expect(found('fair.example')).toEqual(['a:popular_100k', 'b:newly_registered'])
    expect(found('young.example')).toEqual(['b:newly_registered', 'c:phishing'])
    expect(snapshot.domain('young.example').find(({ tag }) => tag === 'phishing')?.confidence).toBe(0.8)
  })

  it('protects resolvers, mail senders and CDN edges, but no address for being in a cloud', () => {
    const made = compiler()
    for (const [prefix, tag] of [
      ['20.1.0.0/16', 'resolver'],
      ['20.2.0.0/16', 'mail_provider'],
      ['20.3.0.0/16', 'cdn'],
      ['20.4.0.0/16', 'hosting'],
      ['20.5.0.0/16', 'big_provider'],
    ] as const) {
      made.add(row('ip', prefix, tag, { source: 'c' }))
      made.add(row('ip', prefix.replace('0.0/16', '0.1'), 'attack'))
    }
    made.add(row('ip', '20.1.0.2', 'attack'))
    made.add(row('ip', '20.1.0.2', 'c2', { source: 'b' }))
    const snapshot = open(made)
    expect(tags(snapshot.ip(ip('20.1.0.1')))).toEqual(['c:resolver'])
    expect(tags(snapshot.ip(ip('20.2.0.1')))).toEqual(['c:mail_provider'])
    expect(tags(snapshot.ip(ip('20.3.0.1')))).toEqual(['c:cdn'])
    expect(tags(snapshot.ip(ip('20.4.0.1')))).toEqual(['a:attack', 'c:hosting'])
    expect(tags(snapshot.ip(ip('20.5.0.1')))).toEqual(['a:attack', 'c:big_provider'])
    expect(tags(snapshot.ip(ip('20.1.0.2')))).toEqual(['a:attack', 'b:c2', 'c:resolver'])
    expect(snapshot.ip(ip('20.1.0.2')).find(({ tag }) => tag === 'attack')?.confidence).toBe(0.4)
  })
})

describe('the file', () => {
  function rows(): IndicatorRow[] {
    return [
      row('domain', 'one.example'),
      row('domain', 'one.example', 'malware', { source: 'b' }),
      row('domain', 'two.example', 'scam', { source: 'c', lastSeenMs: NOW - 3 * DAY }),
      row('email', 'x@one.example', 'bec'),
      row('ip', '20.0.0.0/8', 'hosting', { source: 'b' }),
      row('ip', '20.1.0.0/16', 'attack', { source: 'c' }),
      row('ip', '20.1.0.0/24', 'c2'),
      row('asn', '64500', 'bad_asn'),
    ]
  }

  it('is the same for the same rows in any order at any time of the day', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(rows(), { minLength: rows().length }),
        fc.constantFrom(['c', 'b', 'a'], ['a', 'c', 'b']),
        (shuffled, sourceOrder) => {
          const build = (list: readonly IndicatorRow[], order: readonly string[], nowMs: number) => {
            const made = createCompiler({ nowMs })
            for (const id of order) made.source({ id, name: id, licence: 'MIT', asOfMs: NOW, halfLifeDays: 7 })
            for (const item of list) made.add(item)
            return open(made).info.version
          }
          const plain = build(rows(), ['a', 'b', 'c'], NOW)
          expect(build(shuffled, sourceOrder, NOW + 8 * 3600_000)).toBe(plain)
          expect(build(rows().slice(1), ['a', 'b', 'c'], NOW)).not.toBe(plain)
          expect(plain).toMatch(/^2026-06-01-[0-9a-f]{8}$/)
        },
      ),
      { numRuns: 8 },
    )
  })

  function written(name: string): string {
    const made = compiler()
    for (const item of rows()) made.add(item)
    const file = join(folder, name)
    made.writeTo(file)
    return file
  }

  it('is refused when cut off anywhere', () => {
    const file = written('cut.snapshot')
    const { length } = readFileSync(file)
    for (const size of [0, 7, 23, 60, Math.floor(length / 2), length - 1]) {
      truncateSync(written('cut.snapshot'), size)
      expect(() => openSnapshot(file), `${size} bytes`).toThrow(
        /is refused: it (is cut off|has \d+ bytes and should have)/,
      )
    }
  })

  it('is refused when a single bit was altered', () => {
    const file = written('altered.snapshot')
    const bytes = readFileSync(file)
    for (const at of [30, Math.floor(bytes.length / 2), bytes.length - 40, bytes.length - 1]) {
      const copy = Buffer.from(bytes)
      copy[at]! ^= 1
      writeFileSync(file, copy)
      expect(() => openSnapshot(file), `byte ${at}`).toThrow('its checksum does not match')
    }
  })

  it('is refused when a later release wrote it, when it is something else, and when it is not there', () => {
    const file = written('future.snapshot')
    const bytes = readFileSync(file)
    bytes.writeUInt32LE(99, 8)
    writeFileSync(file, bytes)
    expect(() => openSnapshot(file)).toThrow('it has format 99 and this release reads format 1; upgrade the server')
    writeFileSync(file, '<!doctype html>'.padEnd(200))
    expect(() => openSnapshot(file)).toThrow('it is not a snapshot')
    expect(() => openSnapshot(join(folder, 'nowhere'))).toThrow('it cannot be opened')
  })

  it('opens when an earlier release wrote it, without the sections that came later', () => {
    const made = compiler([{ id: 'daily', halfLifeDays: 7 }])
    for (const item of rows()) made.add(item)
    for (let i = 0; i < TEACHING_NAMES_MIN; i++)
      made.add(row('domain', `parcel-${i}.top`, 'phishing', { source: 'daily' }))
    made.addAsnRange({ first: ip('20.0.0.0'), last: ip('20.255.255.255') }, 64500, 'Net')
    made.addAsnCountry(64500, 'NZ')
    const file = join(folder, 'earlier.snapshot')
    made.writeTo(file)
    expect(openSnapshot(file).asn(ip('20.1.1.1'))?.country).toBe('NZ')
    withoutSection(file, 'asnCountries')
    const earlier = openSnapshot(file)
    expect(earlier.asn(ip('20.1.1.1'))).toMatchObject({ number: 64500, name: 'Net', country: undefined })
    expect(earlier.domain('one.example')).toHaveLength(2)
    const { names, grams, forms } = earlier.listedNames
    expect([names, forms.length]).toEqual([TEACHING_NAMES_MIN, FORM_BUCKETS])
    withoutSection(file, 'listedForms')
    expect(openSnapshot(file).listedNames).toMatchObject({ names, grams, forms: new Uint32Array(0) })
    withoutSection(file, 'listedStretches')
    expect(openSnapshot(file).listedNames).toMatchObject({ names: 0, weight: 0, grams: new Uint32Array(0) })
    withoutSection(file, 'asnNames')
    expect(() => openSnapshot(file)).toThrow('it has no section asnNames')
  })

  /** The file as a release would have written it that did not know the section. */
  function withoutSection(file: string, name: string): void {
    const bytes = readFileSync(file)
    const headerEnd = 24 + bytes.readUInt32LE(12)
    const header = JSON.parse(bytes.toString('utf8', 24, headerEnd)) as { sections: Record<string, unknown> }
    delete header.sections[name]
    bytes.fill(0x20, 24, headerEnd)
    bytes.write(JSON.stringify(header), 24, 'utf8')
    createHash('sha256')
      .update(bytes.subarray(0, -32))
      .digest()
      .copy(bytes, bytes.length - 32)
    writeFileSync(file, bytes)
  }
})

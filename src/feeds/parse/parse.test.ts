import { fileURLToPath } from 'node:url'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tag } from '../../snapshot/types.ts'
import { type Feed, type FeedFormat, readCatalogue } from '../catalogue.ts'
import { parseFeed } from './feed.ts'
import { FEED_KINDS, FeedRefused, type FeedRow, ParseReport } from './report.ts'
import { readPattern } from './stix.ts'
import { LINE_CHARACTERS_MAX } from './text.ts'

const FEEDS = fileURLToPath(new URL('../../../feeds.json', import.meta.url))

async function* chunks(data: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function parse(
  format: FeedFormat,
  data: string | Uint8Array,
  tags: readonly Tag[] = ['phishing'],
  size = 7,
  address = 'feed',
) {
  const rows: FeedRow[] = []
  const report = new ParseReport()
  const feed: Pick<Feed, 'format' | 'kinds' | 'tags'> = { format, kinds: FEED_KINDS, tags }
  async function* documents() {
    yield { name: 'feed', address, input: chunks(data, size) }
  }
  await parseFeed(feed, documents(), (row) => rows.push(row), report)
  return { rows, values: rows.map((row) => row.value), report }
}

const domains = { type: 'list', values: 'domain' } as const
const urls = { type: 'list', values: 'url' } as const
const ips = { type: 'netset', values: 'ip' } as const

describe('plain lists', () => {
  it('give names, skip comments and count what is no name', async () => {
    const { values, report } = await parse(
      domains,
      '# head\nEvil.Example\n\n; note\n// note\n*.wild.example\n.dot.example\nbad_name.example\nco.uk\nlocalhost\nx.example # remark\n',
    )
    expect(values).toEqual(['evil.example', 'wild.example', 'dot.example', 'x.example'])
    expect(report.junk).toEqual({ bad_name: 2, public_suffix: 1 })
    expect(report.samples).toContain('bad_name: bad_name.example')
  })

  it('read the same in UTF-8, with a mark, in UTF-16 of both orders and with any line ending', async () => {
    const text = 'one.example\ntwo.example\nthree.example\n'
    const wide = (body: string) => Buffer.from(body, 'utf16le')
    const swapped = (body: string) => Buffer.from(body, 'utf16le').swap16()
    for (const data of [
      text,
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n', '\r'),
      `\uFEFF${text}`,
      wide(`\uFEFF${text}`),
      swapped(`\uFEFF${text}`),
      wide(text),
      swapped(text),
      text.trimEnd(),
    ]) {
      expect((await parse(domains, data)).values).toEqual(['one.example', 'two.example', 'three.example'])
    }
  })

  it('pass over a line of any length without keeping it', async () => {
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('one.example\n')
      const block = Buffer.alloc(1024 * 1024, 0x61)
      for (let i = 0; i < 64; i++) yield block
      yield Buffer.from('\ntwo.example\n')
    }
    const rows: FeedRow[] = []
    const report = new ParseReport()
    async function* documents() {
      yield { name: '', input: endless() }
    }
    await parseFeed({ format: domains, kinds: FEED_KINDS, tags: [] }, documents(), (row) => rows.push(row), report)
    expect(rows.map((row) => row.value)).toEqual(['one.example', 'two.example'])
    expect(report.junk).toEqual({ too_long: 1 })
    const long = await parse(domains, `${'a'.repeat(LINE_CHARACTERS_MAX + 1)}\nok.example`, [], 1 << 20)
    expect(long.values).toEqual(['ok.example'])
    expect(long.report.junk).toEqual({ too_long: 1 })
  })

  it('refuse an HTML page and an XML error', async () => {
    for (const page of [
      '<!DOCTYPE html><html><title>503</title></html>',
      '\n  <html lang="en">',
      '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>',
    ]) {
      await expect(parse(domains, page)).rejects.toThrow('It is an HTML or error page, not a list')
    }
  })

  it('handle punycode that does not decode, mixed scripts and labels of 63 and 64 characters', async () => {
    const { values, report } = await parse(
      domains,
      [
        'xn--\u0080.example',
        'xn--a.example',
        'xn--zzzzzzzzzzz99999.example',
        'раypal.example',
        `${'a'.repeat(63)}.example`,
        `${'a'.repeat(64)}.example`,
        'bücher.example',
      ].join('\n'),
    )
    expect(values).toContain('xn--bcher-kva.example')
    expect(values).toContain(`${'a'.repeat(63)}.example`)
    expect(values).not.toContain(`${'a'.repeat(64)}.example`)
    expect(values.some((value) => value.startsWith('xn--ypal'))).toBe(true)
    expect(report.junk.bad_name).toBeGreaterThanOrEqual(2)
  })

  it('never throw on any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom(domains, urls, ips),
        async (bytes, format) => {
          await parse(format, bytes, ['phishing']).catch((error) => expect(error).toBeInstanceOf(FeedRefused))
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('addresses', () => {
  it('take prefixes and refuse those that are too broad, private or special', async () => {
    const { values, report } = await parse(
      ips,
      '# head\n1.2.3.4\n5.6.7.0/24\n0.0.0.0/0\n::/0\n10.0.0.0/8\n192.168.1.1\n7.0.0.0/7\n2a00::/18\n2a00::/32\n127.0.0.1\n100.64.1.1\n1.2.3.999\n17.0.0.0/8\n',
    )
    expect(values).toEqual(['1.2.3.4', '5.6.7.0/24', '2a00::/32', '17.0.0.0/8'])
    expect(report.junk).toEqual({ too_broad: 4, special: 4, not_an_indicator: 1 })
  })

  it('clear host bits, so that a prefix is never a wrong range', async () => {
    expect((await parse(ips, '5.6.7.8/24')).values).toEqual(['5.6.7.0/24'])
  })

  it('read AS numbers with and without letters', async () => {
    const { values } = await parse({ type: 'list', values: 'asn' }, 'AS45090 # cloud\n3223\nAS0\nASX\n')
    expect(values).toEqual(['45090', '3223'])
  })

  it('turn list counts into confidence', async () => {
    const { rows, report } = await parse(
      { type: 'counts', values: 'ip', per_list: 0.5, min: 2 },
      '1.2.3.4\t3\n1.2.3.5\t1\n1.2.3.6\tx\n',
    )
    expect(rows).toEqual([{ kind: 'ip', value: '1.2.3.4', confidence: 0.875 }])
    expect(report.junk).toEqual({ missing_field: 1 })
  })
})

describe('URLs', () => {
  it('condemn the host, never the platform', async () => {
    const { values, report } = await parse(
      urls,
      `https://user:pass@Evil.Example:8443/login?x=1#y
http://evil.pages.dev/a
https://pages.dev/
https://docs.google.com/forms/d/1
https://tenant.sharepoint.com/:x:/g
https://github.com/someone/malware
https://bit.ly/abc
http://1.2.3.4:8080/x
http://[2a00::1]/x
http://10.1.1.1/x
notaurl//
http://
`,
    )
    expect(values).toEqual(['evil.example', 'evil.pages.dev', '1.2.3.4', '2a00::1'])
    expect(report.junk.shared_platform).toBe(5)
    expect(report.junk.special).toBe(1)
  })

  it('of good sites may name a platform', async () => {
    const csv = {
      type: 'csv',
      values: 'url',
      strip_www: true,
      header: true,
      columns: { value: 'origin', rank: 'rank' },
    } as const
    const { rows } = await parse(csv, 'origin,rank\nhttps://www.instagram.com,1000\nhttps://shop.example,50000\n', [
      'popular_1m',
    ])
    expect(rows).toEqual([
      { kind: 'domain', value: 'instagram.com', tag: 'popular_1k' },
      { kind: 'domain', value: 'shop.example', tag: 'popular_100k' },
    ])
  })
})

describe('hosts files', () => {
  it('take every name and never the address they point to', async () => {
    const { values } = await parse(
      { type: 'hosts' },
      '127.0.0.1 localhost\n::1 localhost\n0.0.0.0 0.0.0.0\n0.0.0.0 ads.example # note\n127.0.0.1 a.example b.example\nplain.example\n',
    )
    expect(values).toEqual(['ads.example', 'a.example', 'b.example', 'plain.example'])
  })
})

describe('maltrail', () => {
  it('tells names, addresses, ports and paths apart and never reads a path as a prefix', async () => {
    const { values, report } = await parse(
      { type: 'maltrail' },
      `# Reference: https://twitter.com/someone
evil.example
1.2.3.4/8
5.6.7.8:443
9.10.11.12
http://13.14.15.16/gate.php
other.example/panel
/wp-content/x.php
vh[0-9]{6}\\.bad\\.example
.xyz
129.82.138.12 # pinger.example
`,
    )
    expect(values).toEqual([
      'evil.example',
      '1.2.3.4',
      '5.6.7.8',
      '9.10.11.12',
      '13.14.15.16',
      'other.example',
      '129.82.138.12',
    ])
    expect(values).not.toContain('twitter.com')
    expect(report.junk).toEqual({ path_only: 1, bad_name: 2 })
  })

  it('reads prefixes only where the catalogue says so', async () => {
    expect((await parse({ type: 'maltrail', prefixes: true }, '5.63.151.0/24 # scanner\n')).values).toEqual([
      '5.63.151.0/24',
    ])
  })
})

describe('tables', () => {
  it('map columns by name, with quotes, dates and tags', async () => {
    const { rows, report } = await parse(
      {
        type: 'csv',
        values: 'url',
        header: true,
        columns: { value: 'URL', first_seen: 'date', last_seen: 'date', tag: 'use' },
        tag_values: { Fraud: 'bec' },
      },
      'date,URL,use\n2025/07/01 09:14:00,https://evil.example/,"Fraud"\n2025-07-02,"https://two.example/a,b",Other\n,,\n',
    )
    expect(rows).toEqual([
      {
        kind: 'domain',
        value: 'evil.example',
        tag: 'bec',
        firstSeenMs: Date.parse('2025-07-01T09:14:00Z'),
        lastSeenMs: Date.parse('2025-07-01T09:14:00Z'),
      },
      {
        kind: 'domain',
        value: 'two.example',
        firstSeenMs: Date.parse('2025-07-02'),
        lastSeenMs: Date.parse('2025-07-02'),
      },
    ])
    expect(report.junk).toEqual({ missing_field: 1 })
  })

  it('take a header that begins with #, blanks after the delimiter, and columns by number', async () => {
    const named = { type: 'csv', values: 'ip', header: true, columns: { value: 'ip' } } as const
    expect((await parse(named, '#ip,ioc\n1.2.3.4,C2\n')).values).toEqual(['1.2.3.4'])
    const spaced = { type: 'csv', values: 'ip', header: true, columns: { value: 'ipaddr' } } as const
    expect((await parse(spaced, 'fingerprint, ipaddr, port\nAA, 1.2.3.4, 443\n')).values).toEqual(['1.2.3.4'])
    const numbered = { type: 'csv', values: 'domain', columns: { value: 1 } } as const
    expect((await parse(numbered, '1,one.example\n')).values).toEqual(['one.example'])
  })

  it('put a network together from an address and a column of its length, as DShield has it', async () => {
    const format = { type: 'csv', values: 'ip', delimiter: '\t', columns: { value: 0, prefix: 2 } } as const
    const text = [
      '#   DShield.org Recommended Block List',
      '# updated: 2026-05-31T10:00:00.000000',
      'Start\tEnd\tNetmask\tAttacks\tName\tCountry\temail',
      '20.40.60.0\t20.40.60.255\t24\t1234\tEXAMPLE\tUS\tabuse@example.com',
    ].join('\n')
    const { values, report } = await parse(format, text)
    expect(values).toEqual(['20.40.60.0/24'])
    expect(report.junk).toEqual({ not_an_indicator: 1 })
  })

  it('take what ThreatFox exports: hosts of URLs and address:port, kinds of threat, dates, confidence', async () => {
    const threatfox = readCatalogue(FEEDS).find(({ id }) => id === 'threatfox')!
    const text = [
      '# ThreatFox IOCs: recent additions - CSV format',
      '# "first_seen_utc","ioc_id","ioc_value","ioc_type","threat_type","fk_malware","malware_alias","malware_printable","last_seen_utc","confidence_level","reference"',
      '"2026-05-30 01:39:33", "1", "20.40.60.80:443", "ip:port", "botnet_cc", "x", "None", "X", "2026-05-31 00:00:00", "75", "None"',
      '"2026-05-30 01:39:33", "2", "https://evil.example/a,b", "url", "payload_delivery", "x", "None", "X", "", "100", "None"',
      '"2026-05-30 01:39:33", "3", "0cc175b9c0f1b6a831c399e269772661", "md5_hash", "payload", "x", "None", "X", "", "100", "None"',
    ].join('\r\n')
    const { rows, report } = await parse(threatfox.format, text)
    const firstSeenMs = Date.parse('2026-05-30T01:39:33Z')
    const lastSeenMs = Date.parse('2026-05-31')
    expect(rows).toEqual([
      { kind: 'ip', value: '20.40.60.80', tag: 'c2', firstSeenMs, lastSeenMs, confidence: 0.75 },
      { kind: 'domain', value: 'evil.example', tag: 'malware', firstSeenMs, confidence: 1 },
    ])
    expect(report.junk).toEqual({ bad_name: 1 })
  })

  it('take what URLhaus and PhishTank export', async () => {
    const [urlhaus, phishtank] = ['urlhaus', 'phishtank'].map(
      (id) => readCatalogue(FEEDS).find((feed) => feed.id === id)!,
    )
    const malware = await parse(
      urlhaus!.format,
      '# id,dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter\n"1","2026-05-30 01:00:00","http://evil.example/a.exe","online","2026-05-31 02:00:00","malware_download","elf","https://urlhaus.abuse.ch/url/1/","x"\n',
    )
    expect(malware.rows).toEqual([
      {
        kind: 'domain',
        value: 'evil.example',
        firstSeenMs: Date.parse('2026-05-30T01:00:00Z'),
        lastSeenMs: Date.parse('2026-05-31T02:00:00Z'),
      },
    ])
    const phishing = await parse(
      phishtank!.format,
      'phish_id,url,phish_detail_url,submission_time,verified,verification_time,online,target\n1,http://bank.evil.example/,http://www.phishtank.com/1,2026-05-30T15:15:47+00:00,yes,2026-05-30T15:37:31+00:00,yes,Other\n',
    )
    expect(phishing.rows).toEqual([
      { kind: 'domain', value: 'bank.evil.example', firstSeenMs: Date.parse('2026-05-30T15:15:47Z') },
    ])
  })

  it('take the prefixes that Apple publishes, of both versions', async () => {
    const apple = readCatalogue(FEEDS).find(({ id }) => id === 'icloud-egress')!
    const text = '172.224.224.0/27,GB,GB-ENG,London,\n2a02:26f7:b000:4000::/64,US,US-CA,San Jose,\n'
    expect((await parse(apple.format, text, ['relay'])).values).toEqual([
      '172.224.224.0/27',
      '2a02:26f7:b000:4000::/64',
    ])
  })

  it('read AS ranges as text and as numbers', async () => {
    const { rows } = await parse(
      { type: 'asn-table', delimiter: '\t', name_column: 4, country_column: 3 },
      '1.0.0.0\t1.0.0.255\t13335\tUS\tCLOUDFLARENET\n1.0.1.0\t1.0.3.255\t0\tNone\tNot routed\n2a00::\t2a00::ff\t64500\tXX\tX\n3.0.0.0\t3.0.0.9\t7\tEU\tY\n3.0.1.0\t3.0.1.9\t8\tUnknown\tZ\n',
    )
    expect(rows).toEqual([
      { kind: 'asn_range', value: '1.0.0.0-1.0.0.255', asn: 13335, asnName: 'CLOUDFLARENET', country: 'US' },
      { kind: 'asn_range', value: '2a00::-2a00::ff', asn: 64500, asnName: 'X' },
      { kind: 'asn_range', value: '3.0.0.0-3.0.0.9', asn: 7, asnName: 'Y' },
      { kind: 'asn_range', value: '3.0.1.0-3.0.1.9', asn: 8, asnName: 'Z' },
    ])
    expect((await parse({ type: 'asn-table' }, '16777216,16777471,13335,"Cloudflare, Inc."\n')).values).toEqual([
      '1.0.0.0-1.0.0.255',
    ])
  })
})

describe('lists of newly registered names', () => {
  const text = 'one.example\ntwo.example\n'
  const read = (data: string | Uint8Array, address?: string, format: FeedFormat = domains) =>
    parse(format, data, ['newly_registered'], 7, address)
  const registered = (day: string) => ['one', 'two'].map((name) => row(name, { firstSeenMs: Date.parse(day) }))
  const row = (name: string, dates: Partial<FeedRow> = {}) => ({ kind: 'domain', value: `${name}.example`, ...dates })

  it.each([
    'https://lists.example/daily/2026-11-14.txt.gz',
    'https://lists.example/2026-11-14/domains.txt',
    'https://lists.example/new_20261114.csv?raw=1',
    'lists/nrd_2026_11_14.txt',
    'https://www.whoisds.example/newly-registered-domains/MjAyNi0xMS0xNC56aXA=/nrd',
  ])('are of the day that their address names: %s', async (address) => {
    expect((await read(text, address)).rows).toEqual(registered('2026-11-14'))
    expect((await read(gzipSync(text), address)).rows).toEqual(registered('2026-11-14'))
    expect((await read(zip([{ name: 'domain-names.txt', data: text }]), address)).rows).toEqual(
      registered('2026-11-14'),
    )
  })

  it('are of the day in the name of a packed file before that of the archive, and of a file before its folder', async () => {
    const archive = zip([
      { name: '2026-11-13.txt', data: 'one.example' },
      { name: '2026-11-14.txt', data: 'two.example' },
    ])
    const { rows } = await read(archive, 'https://lists.example/2026-11-01.zip')
    expect(rows.map(({ firstSeenMs }) => firstSeenMs)).toEqual([Date.parse('2026-11-13'), Date.parse('2026-11-14')])
    expect((await read(text, 'from-2026-01-01/2026-11-14.txt')).rows).toEqual(registered('2026-11-14'))
  })

  it.each([
    '# Newly Registered Domains (Last 10 days)\n# Last update: 14 Nov 2026 07:30:43 UTC\n# Domains: 2',
    '# Title: since 2019-01-01\n# Expires: 8 hours\n# Last modified: 14 Nov 2026 06:18 UTC\n# Version: 2026.1114.0618',
    '# Author: somebody\n# Time of Compilation: 2026-11-14 06:29:14 UTC\n#',
    '! Last modified: 14 November 2026',
  ])('of the last days say at their head when they were made: %s', async (head) => {
    expect((await read(`${head}\n${text}`)).rows).toEqual(
      ['one', 'two'].map((name) => row(name, { lastSeenMs: Date.parse('2026-11-14') })),
    )
  })

  it('say it of each name where they have a column for it', async () => {
    const format = { type: 'csv', values: 'domain', header: true, columns: { value: 'domain', first_seen: 'date' } }
    const table = 'domain,date,tld\none.example,2026-11-13,example\ntwo.example,2026-11-14T05:00:00Z,example\n'
    expect((await read(table, '2026-11-20.csv', format as FeedFormat)).rows).toEqual([
      row('one', { firstSeenMs: Date.parse('2026-11-13') }),
      row('two', { firstSeenMs: Date.parse('2026-11-14T05:00:00Z') }),
    ])
  })

  it('have no day where there is none, or one that no calendar has', async () => {
    const format = { type: 'csv', values: 'domain', columns: { value: 0, first_seen: 1 } } as const
    for (const address of ['https://lists.example/nrd-7.txt', '2026-02-30.txt', '2026-13-01.txt', '120261114.txt']) {
      expect((await read(text, address)).rows, address).toEqual([row('one'), row('two')])
    }
    for (const head of [
      '# updated daily',
      '# Last update: 31 Feb 2026',
      '# Last update: 14 Foo 2026',
      '# 2026-11-14',
    ]) {
      expect((await read(`${head}\n${text}`)).rows, head).toEqual([row('one'), row('two')])
    }
    for (const date of ['2026-02-31', '2026-00-10', 'yesterday', '', '99999999999999999999']) {
      expect((await read(`one.example,${date}`, undefined, format)).rows, date).toEqual([row('one')])
    }
  })

  it('never throw on any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 6000 }), fc.string(), async (bytes, address) => {
        const error = await read(bytes, address).then(
          () => undefined,
          (thrown: unknown) => thrown,
        )
        if (error !== undefined) expect(error).toBeInstanceOf(FeedRefused)
      }),
      { numRuns: 100 },
    )
  })

  it('of other tags take no date from their address', async () => {
    const { rows } = await parse(domains, text, ['phishing'], 7, '2026-11-14.txt')
    expect(rows).toEqual([row('one'), row('two')])
  })
})

describe('JSON lines', () => {
  const drop = { type: 'json-lines', values: 'ip', value: 'cidr' } as const
  it('give the networks that Spamhaus lists, and leave out the line about the list', async () => {
    const { rows, report } = await parse(
      drop,
      '{"cidr":"20.10.16.0/20","sblid":"SBL1","rir":"apnic"}\n{"cidr":"2a06:e480::/29","sblid":"SBL2","rir":"ripencc"}\n{"type":"metadata","timestamp":1786614242,"size":123,"records":2,"copyright":"(c)"}\n',
      ['hijacked'],
    )
    expect(rows).toEqual([
      { kind: 'ip', value: '20.10.16.0/20' },
      { kind: 'ip', value: '2a06:e480::/29' },
    ])
    expect(report.junk).toEqual({})
  })

  it('give AS numbers, which condemn the network', async () => {
    const { rows } = await parse(
      { type: 'json-lines', values: 'asn', value: 'asn' },
      '{"asn":64500,"rir":"ripencc","domain":"evil.example","cc":"RU","asname":"EVIL"}\n{"type":"metadata","records":1}\n',
      ['hijacked'],
    )
    expect(rows).toEqual([{ kind: 'asn', value: '64500' }])
  })

  it('count lines that are no object, no JSON, or lack the field', async () => {
    const { values, report } = await parse(drop, '{"cidr":"20.1.2.0/24"}\n[1]\n{"net":"x"}\nnonsense\n{"cidr":\n')
    expect(values).toEqual(['20.1.2.0/24'])
    expect(report.junk).toEqual({ missing_field: 2, not_an_indicator: 2 })
  })
})

describe('JSON', () => {
  it('finds values by path, as strings, under keys and in fields', async () => {
    const array = await parse({ type: 'json', values: 'domain' }, '["one.example","two.example",3,{"x":1}]')
    expect(array.values).toEqual(['one.example', 'two.example'])
    const deny = await parse(
      { type: 'json', values: 'domain', path: 'deny' },
      '{"allow":["a.example"],"deny":["b.example"]}',
    )
    expect(deny.values).toEqual(['b.example'])
    const keyed = await parse(
      {
        type: 'json',
        values: 'domain',
        path: 'domains.*',
        value: '@key',
        first_seen: 'firstseen',
        last_seen: 'lastseen',
      },
      '{"domains":{"one.example":{"firstseen":1728430000,"lastseen":1780190000}}}',
    )
    expect(keyed.rows).toEqual([
      { kind: 'domain', value: 'one.example', firstSeenMs: 1728430000000, lastSeenMs: 1780190000000 },
    ])
    const fields = await parse(
      { type: 'json', values: 'ip', path: 'data.items', value: 'ip' },
      '{"data":{"items":[{"ip":"1.2.3.4"}]}}',
    )
    expect(fields.values).toEqual(['1.2.3.4'])
  })

  it('says when the document is no JSON or has nothing at the path', async () => {
    await expect(parse({ type: 'json', values: 'domain' }, '["one.example"')).rejects.toThrow(
      'feed: It is not valid JSON',
    )
    await expect(parse({ type: 'json', values: 'domain', path: 'x.y' }, '{}')).rejects.toThrow('has nothing at "x.y"')
  })
})

describe('MISP', () => {
  it('reads warning lists of names and of prefixes', async () => {
    const names = '{"name":"x","type":"hostname","list":[".bank.example","www.two.example","10.in-addr.arpa"]}'
    expect((await parse({ type: 'misp-warninglist' }, names, ['bank'])).values).toEqual([
      'bank.example',
      'www.two.example',
      '10.in-addr.arpa',
    ])
    const ranges = '{"type":"cidr","list":["1.0.0.1","5.0.0.0/8","10.0.0.0/8"]}'
    expect((await parse({ type: 'misp-warninglist' }, ranges, ['resolver'])).values).toEqual(['1.0.0.1', '5.0.0.0/8'])
    await expect(parse({ type: 'misp-warninglist' }, '[]')).rejects.toThrow('not a MISP warning list')
  })

  it('takes the attributes of an event that are marked for detection', async () => {
    const event = {
      Event: {
        date: '2026-05-01',
        Attribute: [
          { type: 'domain', value: 'evil.example', to_ids: true, timestamp: '1780000000' },
          { type: 'domain', value: 'context.example', to_ids: false },
          { type: 'ip-dst|port', value: '1.2.3.4|443', to_ids: true },
          { type: 'md5', value: 'd41d8cd98f00b204e9800998ecf8427e', to_ids: true },
        ],
        Object: [{ Attribute: [{ type: 'email-src', value: 'Boss@Evil.example', to_ids: true }] }],
      },
    }
    const { rows } = await parse({ type: 'misp-feed' }, JSON.stringify(event))
    expect(rows.map(({ kind, value }) => [kind, value])).toEqual([
      ['domain', 'evil.example'],
      ['ip', '1.2.3.4'],
      ['email', 'boss@evil.example'],
    ])
    expect(rows[0]).toMatchObject({ firstSeenMs: Date.parse('2026-05-01'), lastSeenMs: 1780000000000 })
  })
})

describe('STIX', () => {
  it('reads comparisons joined by OR and nothing that needs an AND', () => {
    expect(readPattern("[domain-name:value = 'evil.example']")).toEqual([{ kind: 'domain', value: 'evil.example' }])
    expect(
      readPattern(
        "[ipv4-addr:value = '1.2.3.4' OR ipv6-addr:value='2a00::1'] OR [url:value = 'http://a.example/\\'x']",
      ),
    ).toHaveLength(3)
    expect(readPattern("[domain-name:value IN ('a.example','b.example')]")).toHaveLength(2)
    expect(readPattern("[domain-name:value = 'a.example' AND ipv4-addr:value = '1.2.3.4']")).toBeUndefined()
    expect(readPattern("[domain-name:value = 'a.example'] FOLLOWEDBY [url:value = 'http://b.example']")).toBeUndefined()
    expect(readPattern("[file:hashes.MD5 = 'd41d8cd98f00b204e9800998ecf8427e']")).toBeUndefined()
    expect(readPattern(`[domain-name:value = '${'('.repeat(60_000)}`)).toBeUndefined()
  })

  it('takes live indicators of a bundle with dates and confidence', async () => {
    const bundle = {
      type: 'bundle',
      objects: [
        {
          type: 'indicator',
          pattern_type: 'stix',
          pattern: "[domain-name:value = 'evil.example']",
          valid_from: '2026-05-01T00:00:00Z',
          modified: '2026-05-20T00:00:00Z',
          confidence: 80,
        },
        { type: 'indicator', pattern_type: 'stix', pattern: "[email-addr:value = 'a@b.example']", revoked: true },
        { type: 'indicator', pattern_type: 'yara', pattern: 'rule x {}' },
        { type: 'malware', name: 'x' },
      ],
    }
    const { rows, report } = await parse({ type: 'stix' }, JSON.stringify(bundle))
    expect(rows).toEqual([
      {
        kind: 'domain',
        value: 'evil.example',
        firstSeenMs: Date.parse('2026-05-01'),
        lastSeenMs: Date.parse('2026-05-20'),
        confidence: 0.8,
      },
    ])
    expect(report.junk).toEqual({ missing_field: 1 })
  })
})

describe('archives', () => {
  const text = 'one.example\ntwo.example\n'

  it('are unpacked by their first bytes', async () => {
    expect((await parse(domains, gzipSync(text))).values).toEqual(['one.example', 'two.example'])
    expect(
      (
        await parse(
          domains,
          zip([
            { name: 'a.txt', data: text },
            { name: 'b.txt', data: 'three.example', stored: true },
            { name: 'dir/', data: '' },
          ]),
        )
      ).values,
    ).toEqual(['one.example', 'two.example', 'three.example'])
  })

  it('fail their feed when cut off or damaged', async () => {
    const random = Array.from({ length: 2000 }, (_, i) => `host${(i * 7919) % 100_003}.example`).join('\n')
    const packed = gzipSync(random)
    await expect(parse(domains, packed.subarray(0, packed.length / 2))).rejects.toThrow(
      'feed: The gzip data is cut off',
    )
    const damaged = Buffer.from(packed)
    damaged.fill(0xff, 100, 200)
    await expect(parse(domains, damaged)).rejects.toThrow('The gzip data is damaged')
    const archive = zip([{ name: 'a.txt', data: random }])
    await expect(parse(domains, archive.subarray(0, archive.length - 30))).rejects.toThrow('The zip file is cut off')
    const wrong = Buffer.from(zip([{ name: 'a.txt', data: random, stored: true }]))
    wrong[60]! ^= 1
    await expect(parse(domains, wrong)).rejects.toThrow('does not match its checksum')
  })

  it('that are bombs are stopped', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
    await expect(parse(domains, bomb, [], 1 << 16)).rejects.toThrow('it looks like a zip bomb')
    const zipped = zip([{ name: 'bomb', data: Buffer.alloc(20 * 1024 * 1024) }])
    await expect(parse(domains, zipped, [], 1 << 16)).rejects.toThrow('it looks like a zip bomb')
  })
})

describe('MMDB', () => {
  it('walks all networks of both versions', async () => {
    const file = mmdb([
      { bits: '00000001000000100000001100000100', record: { asn: 64500, org: 'Four' } },
      { bits: '0000010100000110', record: { asn: 64501, org: 'Five' } },
    ])
    const { rows } = await parse({ type: 'mmdb', asn: 'asn', asn_name: 'org' }, file)
    expect(rows).toEqual([
      { kind: 'asn_range', value: '1.2.3.4-1.2.3.4', asn: 64500, asnName: 'Four' },
      { kind: 'asn_range', value: '5.6.0.0-5.6.255.255', asn: 64501, asnName: 'Five' },
    ])
    expect((await parse({ type: 'mmdb' }, file)).values).toEqual(['1.2.3.4', '5.6.0.0/16'])
  })

  it('is refused when it is something else', async () => {
    await expect(parse({ type: 'mmdb' }, 'not a database')).rejects.toThrow('not a readable MMDB file')
  })
})

function zip(entries: readonly { name: string; data: string | Uint8Array; stored?: boolean }[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const data = Buffer.from(entry.data as string)
    const packed = entry.stored ? data : deflateRawSync(data)
    const name = Buffer.from(entry.name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(entry.stored ? 0 : 8, 4)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), common, name, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), common, tail, name]))
    locals.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, central, end])
}

/** The smallest IPv4 MaxMind file with these networks, written from the format's description. */
function mmdb(networks: readonly { bits: string; record: Record<string, string | number> }[]): Buffer {
  type Node = { children: [Node | number, Node | number] }
  const fresh = (): Node => ({ children: [-1, -1] })
  const root = fresh()
  const data: Buffer[] = []
  let dataLength = 0
  for (const { bits, record } of networks) {
    const encoded = encodeMap(record)
    let node = root
    for (const [i, bit] of [...bits].entries()) {
      const side = Number(bit) as 0 | 1
      if (i === bits.length - 1) node.children[side] = 1_000_000 + dataLength
      else {
        if (typeof node.children[side] === 'number') node.children[side] = fresh()
        node = node.children[side] as Node
      }
    }
    data.push(encoded)
    dataLength += encoded.length
  }
  const nodes: Node[] = []
  const collect = (node: Node) => {
    nodes.push(node)
    for (const child of node.children) if (typeof child !== 'number') collect(child)
  }
  collect(root)
  const tree = Buffer.alloc(nodes.length * 6)
  for (const [i, node] of nodes.entries()) {
    for (const side of [0, 1] as const) {
      const child = node.children[side]
      const value =
        typeof child !== 'number'
          ? nodes.indexOf(child)
          : child < 0
            ? nodes.length
            : nodes.length + 16 + child - 1_000_000
      tree.writeUIntBE(value, i * 6 + side * 3, 3)
    }
  }
  const metadata = encodeMap({
    node_count: nodes.length,
    record_size: 24,
    ip_version: 4,
    database_type: 'Test',
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_780_000_000,
    languages: 'en',
    description: 'x',
  })
  return Buffer.concat([tree, Buffer.alloc(16), ...data, Buffer.from('abcdef4d61784d696e642e636f6d', 'hex'), metadata])
}

function encodeMap(record: Record<string, string | number>): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)])
  const number = (value: number) => {
    const bytes = Buffer.alloc(5)
    bytes[0] = (6 << 5) | 4
    bytes.writeUInt32BE(value, 1)
    return bytes
  }
  const parts = Object.entries(record).flatMap(([key, value]) => [
    text(key),
    typeof value === 'string' ? text(value) : number(value),
  ])
  return Buffer.concat([Buffer.from([(7 << 5) | Object.keys(record).length]), ...parts])
}

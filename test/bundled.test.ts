import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUILT_SNAPSHOT, BUNDLED_SOURCES, compileBundled, installedVersion } from '../src/feeds/bundled.ts'
import { giants } from '../src/feeds/giants.ts'
import { readAsnCountries, readAsnRangesV4, readAsnRangesV6 } from '../src/feeds/parse/asn.ts'
import { openBundled } from '../src/feeds/publish.ts'
import { DAY_MS } from '../src/lib/clock.ts'
import { parseIp } from '../src/lib/ip.ts'
import { levelOf } from '../src/risk/engine.ts'
import { isProblem, parseIndicator } from '../src/risk/indicator.ts'
import { createScorer } from '../src/risk/score.ts'
import { createCompiler } from '../src/snapshot/compile.ts'
import { SnapshotRefused } from '../src/snapshot/format.ts'
import { type OpenSnapshot, openSnapshot } from '../src/snapshot/read.ts'
import { ManualClock } from './support/clock.ts'
import { FULL } from './support/full.ts'
import { testModels } from './support/models.ts'

describe('the bundled intelligence', () => {
  let snapshot: OpenSnapshot
  beforeAll(() => {
    snapshot = openSnapshot(BUILT_SNAPSHOT)
  })

  const allTags = (name: string) => [...new Set(snapshot.domain(name).map(({ tag }) => tag))].sort()
  const tags = (name: string) => allTags(name).filter((tag) => tag !== 'popular_100k')

  it('holds what its packages ship', () => {
    const rows = Object.fromEntries(snapshot.info.sources.map(({ id, rows: count }) => [id, count]))
    expect(rows['popular-names']).toBeGreaterThan(100_000)
    expect(rows['disposable-email-domains']).toBeGreaterThan(8_800)
    expect(rows.fakefilter).toBeGreaterThan(4_500)
    expect(rows['disposable-domains']).toBeGreaterThan(130_000)
    expect(rows['ip-location-db-asn']).toBeGreaterThan(500_000)
    expect(rows['asn-countries']).toBeGreaterThan(80_000)
  })

  it.runIf(FULL)('finds hardly any junk in its packages', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-bundled-'))
    const { bundled } = compileBundled({ file: join(folder, 'bundled.snapshot'), nowMs: Date.parse('2026-11-15') })
    for (const report of bundled) expect(report.junk, report.id).toBeLessThan(20)
    rmSync(folder, { recursive: true, force: true })
  })

  it('dates every package by the version that is installed', () => {
    for (const source of BUNDLED_SOURCES) {
      if (source.package === 'assay') continue
      expect(installedVersion(source.package), source.package).toBe(source.version)
      expect(source.licence).not.toBe('')
    }
  })

  it('tells throw-away mail, relays, free mail and dynamic DNS apart', () => {
    expect(tags('mailinator.com')).toEqual(['disposable'])
    expect(tags('temp-mail.org')).toEqual(['disposable'])
    expect(tags('duck.com')).toEqual(['known_good', 'relay'])
    expect(tags('mozmail.com')).toEqual(['known_good', 'relay'])
    expect(tags('ddns.net')).toEqual(['dynamic_dns'])
    expect(tags('gmail.com')).toEqual(['freemail', 'mail_provider'])
    expect(tags('facebook.com')).toEqual(['known_good'])
    for (const name of ['consultant.com', 'eircom.net', 'outlook.ie']) expect(tags(name), name).toEqual(['freemail'])
    for (const name of ['craigslist.org', 'ancestry.com', 'telstra.com', 'law.com'])
      expect(tags(name), name).toEqual([])
  })

  it('calls no giant disposable and condemns none', () => {
    for (const name of [
      ...giants('mail_providers'),
      ...giants('known_good_domains'),
      ...giants('further_names'),
      ...giants('mail_relays'),
    ]) {
      expect(tags(name), name).not.toContain('disposable')
      expect(tags(name), name).not.toContain('phishing')
    }
  })

  it('knows the networks of giants, of Tor, of research and of those who rent to anyone', () => {
    const found = (address: string) => snapshot.ip(parseIp(address)!).map(({ tag }) => tag)
    expect(found('209.85.220.41')).toEqual(['mail_provider'])
    expect(found('17.253.144.10')).toEqual(['big_provider'])
    expect(found('104.16.132.229')).toEqual(['cdn'])
    expect(found('185.220.101.1')).toEqual(['tor_exit'])
    expect(found('162.142.125.10')).toEqual(['research_scanner'])
    expect(snapshot.asn(parseIp('52.95.110.1')!)?.evidence.map(({ tag }) => tag)).toEqual(['hosting'])
    expect(snapshot.asn(parseIp('8.8.8.8')!)?.evidence).toEqual([])
  })

  it('knows popular sites, and no throw-away mailbox as one', () => {
    for (const name of ['facebook.com', 'craigslist.org', 'prysmian.com', 'decathlon.fr'])
      expect(allTags(name), name).toContain('popular_100k')
    for (const name of ['mailinator.com', 'temp-mail.org', 'example.com'])
      expect(allTags(name), name).not.toContain('popular_100k')
  })

  it('finds imitations of every popular name, whatever its fame, and leaves honest names alone', () => {
    const scorer = createScorer(snapshot, testModels())
    const levels = (names: string) =>
      names
        .trim()
        .split(/\s+/)
        .map((name) => {
          const indicator = parseIndicator('domain', name)
          if (isProblem(indicator)) throw new Error(indicator.detail)
          const [answer] = scorer.evaluate('domain', [indicator], { explain: true })
          return { name, level: levelOf(answer!.score), codes: answer!.signals.map(({ code }) => code) }
        })
    const high = levels(`
      phoenlxcontact.com prysrnian.com vvartsila.com viessrnann.com grundf0s.net prysrnian-group.com
      bekaert-bankdetails.com legrand-factures.com linde-gas-remittance.com danfoss-invoices.com prysmianinvoices.com
      phoenixcontact-payments.com viesmann-rechnung.de prуsmian.com govemment.com`)
    expect(high.filter(({ level }) => level !== 'high')).toEqual([])
    const medium = levels('decathlonn.fr linkdien.com viesmann.com prysmiaan.com prysmain.com polymarkett.at')
    expect(medium.filter(({ level }) => level !== 'medium')).toEqual([])
    for (const { codes } of [...high, ...medium]) {
      expect(codes).not.toContain('domain.ordinary_name')
      expect(codes).not.toContain('domain.trusted_suffix')
    }
    const low = levels(`
      phoenixcontact.com prysmian.com wartsila.com viessmann.com bekaert.com legrand.com danfoss.com decathlon.fr
      phoenixcontact.de danfoss.fr wartsila.fi legrand.fr bekaert.be prysmiangroup.com siemens-energy.com
      amazonriverlodge.com adobehouserestoration.com capital-one-stop-plumbing.com
      summit-invoices.com thomas-billing.com corner-invoices.com oxfordbilling.com harbour-payments.com
      dailybot.com dailydot.com pdfreaders.com modem-shop.com lindegaard.dk linde-garten.de legrandcafe.fr
      kopenhagen.dk munich.de restaurante.es johansson.se th0mas.nl wärtsilä.com müller.de`)
    expect(low.filter(({ level }) => level !== 'low')).toEqual([])
  })

  it('knows resolvers and who announces an address', () => {
    for (const address of giants('resolvers')) {
      expect(snapshot.ip(parseIp(address)!)[0]?.tag, address).toBe('resolver')
    }
    expect(snapshot.asn(parseIp('8.8.8.8')!)).toMatchObject({ number: 15169, name: 'Google LLC' })
    expect(snapshot.asn(parseIp('1.1.1.1')!)).toMatchObject({ number: 13335, name: 'Cloudflare, Inc.' })
    expect(snapshot.asn(parseIp('2001:4860:4860::8888')!)).toMatchObject({ number: 15169 })
    expect(snapshot.asn(parseIp('192.168.0.1')!)).toBeUndefined()
  })

  it('knows where a network is registered', () => {
    const country = (address: string) => snapshot.asn(parseIp(address)!)?.country
    // Google, Cloudflare, Hetzner, OVH, the University of Auckland, and RIPE by its IPv6 address.
    const addresses = ['8.8.8.8', '1.1.1.1', '88.198.1.1', '51.38.0.1', '130.216.1.1', '2001:67c:2e8:22::c100:68b']
    expect(addresses.map(country)).toEqual(['US', 'US', 'DE', 'FR', 'NZ', 'NL'])
  })
})

describe('a first start', () => {
  const clock = new ManualClock('2026-11-15T00:00:00Z')
  const folder = mkdtempSync(join(tmpdir(), 'assay-bundled-'))
  const earlier = join(folder, 'earlier.snapshot')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('opens what the install has compiled, and compiles nothing', () => {
    const dataDir = join(folder, 'installed')
    expect(openBundled(dataDir, clock, () => {}).domain('mailinator.com').length).toBeGreaterThan(0)
    expect(existsSync(dataDir)).toBe(false)
  })

  it.runIf(FULL)('compiles once where the install did not, or holds an earlier release with other sources', () => {
    const dataDir = join(folder, 'bare')
    createCompiler({ nowMs: clock.now() }).writeTo(earlier)
    createCompiler({ nowMs: clock.now() }).writeTo(join(dataDir, 'snapshots/bundled.snapshot'))
    const first = openBundled(dataDir, clock, () => {}, earlier)
    expect(first.domain('mailinator.com').length).toBeGreaterThan(0)
    clock.advance(DAY_MS)
    expect(openBundled(dataDir, clock, () => {}, join(folder, 'none')).info).toEqual(first.info)
  })

  it('says what is wrong with a broken file and goes on without it', () => {
    const broken = join(folder, 'broken.snapshot')
    writeFileSync(broken, 'not a snapshot')
    const errors: unknown[] = []
    const dataDir = join(folder, 'compiled')
    mkdirSync(join(dataDir, 'snapshots'), { recursive: true })
    copyFileSync(BUILT_SNAPSHOT, join(dataDir, 'snapshots/bundled.snapshot'))
    const opened = openBundled(dataDir, clock, (error) => errors.push(error), broken)
    expect(opened.domain('mailinator.com').length).toBeGreaterThan(0)
    expect(errors).toEqual([expect.any(SnapshotRefused)])
  })
})

describe('countries of AS numbers', () => {
  it('count parts that make no sense and go on', () => {
    const compiler = createCompiler({ nowMs: 0 })
    const text = 'NZ 9,12-15\nDE x,20-19,0,7\nFR\n\nUS 1-4294967295,4294967296,-5\n'
    expect(readAsnCountries(text, compiler)).toEqual({ rows: 6, junk: 7 })
  })
})

describe('AS ranges', () => {
  it('count lines that make no sense and go on', () => {
    const compiler = createCompiler({ nowMs: 0 })
    const v4 = '1,2,3,Three\nx,2,3,Bad\n9,5,3,Backwards\n\n4294967296,4294967297,5,Too far\n7,8,4,"Four, ""the"" net"'
    expect(readAsnRangesV4(v4, compiler)).toEqual({ rows: 2, junk: 4 })
    const v6 = `42540488161975842760550356425300246528,42540488241204005274814694018844196863,6939,HE
5,notanumber,3,Bad
999999999999999999999999999999999999999999,1,3,Too far
`
    expect(readAsnRangesV6(v6, compiler)).toEqual({ rows: 1, junk: 2 })
  })
})

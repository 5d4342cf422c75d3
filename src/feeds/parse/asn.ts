import { type Ip, ipv4, ipv6, parseIp } from '../../lib/ip.ts'
import type { Compiler } from '../../snapshot/compile.ts'
import type { AsnSink, RowCount } from '../packed-asn.ts'
import { splitCsv } from './csv.ts'
import type { Parser } from './indicators.ts'
import { eachLine } from './text.ts'

export interface AsnTableOptions {
  readonly delimiter?: string | undefined
  readonly name_column?: number | undefined
  readonly country_column?: number | undefined
}

/** `first,last,asn,name`, addresses as text or as decimal numbers: replaces the bundled AS ranges. */
export const parseAsnTable: Parser<AsnTableOptions> = (input, indicators, options) =>
  eachLine(input, indicators.report, (line) => {
    if (line.startsWith('#')) return
    const fields = splitCsv(line, options.delimiter ?? ',')
    const [firstText = '', lastText = '', asnText = ''] = fields
    const name = fields[options.name_column ?? 3] ?? ''
    const first = addressOf(firstText.trim())
    const last = addressOf(lastText.trim())
    const asn = Number(asnText.trim().replace(/^AS/i, ''))
    // 0 means "not announced" in several of these tables.
    if (asn === 0 && first && last) return
    if (!first || !last || first.version !== last.version || !Number.isInteger(asn) || asn < 1 || asn > 0xffffffff)
      return indicators.report.reject('not_an_indicator', line)
    indicators.asnRange({ first, last }, asn, name.trim(), countryCode(fields[options.country_column ?? -1] ?? ''))
  })

function addressOf(text: string): Ip | undefined {
  if (!/^\d+$/.test(text)) return parseIp(text)
  return Number(text) <= 0xffffffff ? ipv4(Number(text)) : decimalIpv6(text)
}

function decimalIpv6(text: string): Ip | undefined {
  if (!/^\d{1,39}$/.test(text)) return undefined
  const value = BigInt(text)
  if (value >> 128n !== 0n) return undefined
  const word = (shift: bigint) => Number((value >> shift) & 0xffffffffn)
  return ipv6(word(96n), word(64n), word(32n), word(0n))
}

/** `first,last,asn,name` with decimal addresses, as in @ip-location-db/asn. A build packs them (packed-asn.ts). */
export function readAsnRangesV4(text: string, sink: AsnSink): RowCount {
  return eachRow(text, (firstText, lastText, asn, name) => {
    const first = decimal(firstText)
    const last = decimal(lastText)
    if (!(first <= last && last <= 0xffffffff)) return false
    sink.addAsnRangeV4(first, last, asn, name)
    return true
  })
}

export function readAsnRangesV6(text: string, sink: AsnSink): RowCount {
  return eachRow(text, (firstText, lastText, asn, name) => {
    const first = decimalIpv6(firstText)
    const last = decimalIpv6(lastText)
    if (!first || !last) return false
    sink.addAsnRange({ first, last }, asn, name)
    return true
  })
}

/** Counts the rows that `take` accepts, and the junk rows: refused by `take`, or with an invalid AS number. */
function eachRow(text: string, take: (first: string, last: string, asn: number, name: string) => boolean): RowCount {
  let rows = 0
  let junk = 0
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const [first = '', last = '', asnText = '', ...name] = splitCsv(line.replace(/\r$/, ''), ',')
    const asn = decimal(asnText)
    if (asn >= 1 && asn <= 0xffffffff && take(first, last, asn, name.join(','))) rows++
    else junk++
  }
  return { rows, junk }
}

const decimal = (text: string) => (/^\d+$/.test(text) ? Number(text) : Number.NaN)

/** One line per country: `NZ 9,12-15` are its AS numbers. Returns the number of valid ones and of invalid parts. */
export function readAsnCountries(text: string, compiler: Compiler): { rows: number; junk: number } {
  let rows = 0
  let junk = 0
  for (const line of text.split('\n')) {
    const [country = '', runs = ''] = line.split(' ')
    if (line === '') continue
    for (const run of runs.split(',')) {
      const [first = Number.NaN, last = first] = run.split('-').map(Number)
      // No registry gives a country a hundred thousand numbers in a row.
      if (!(first >= 1 && last >= first && last - first < 100_000 && last <= 0xffffffff)) {
        junk++
        continue
      }
      for (let asn = first; asn <= last; asn++) compiler.addAsnCountry(asn, country)
      rows += last - first + 1
    }
  }
  return { rows, junk }
}

/** Registries write these codes where a network belongs to no single country. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['AP', 'EU', 'XX', 'ZZ'])

/** A country code in capitals; undefined for anything else (`None`, `Unknown`, `EU`). */
export function countryCode(text: string): string | undefined {
  const code = text.trim().toUpperCase()
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.has(code) ? code : undefined
}

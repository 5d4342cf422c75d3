import { type Ip, ipv4, ipv6, parseIp } from '../../lib/ip.ts'
import { countryCode } from './country.ts'
import { splitCsv } from './csv.ts'
import type { Indicators } from './indicators.ts'
import { eachLine } from './text.ts'

export interface AsnTableOptions {
  readonly delimiter?: string | undefined
  readonly name_column?: number | undefined
  /** The column with the country where the AS is registered. */
  readonly country_column?: number | undefined
}

/** `first,last,asn,name`, addresses as text or as decimal numbers: replaces the bundled AS ranges. */
export async function parseAsnTable(
  input: AsyncIterable<Uint8Array>,
  options: AsnTableOptions,
  indicators: Indicators,
): Promise<void> {
  await eachLine(input, indicators.report, (line) => {
    if (line.startsWith('#')) return
    const fields = splitCsv(line, options.delimiter ?? ',')
    const [firstText = '', lastText = '', asnText = ''] = fields
    const name = fields[options.name_column ?? 3] ?? ''
    const first = addressOf(firstText.trim())
    const last = addressOf(lastText.trim())
    const asn = Number(asnText.trim().replace(/^AS/i, ''))
    // 0 means "not announced" in several of these tables.
    if (asn === 0 && first && last) return
    if (!first || !last || first.version !== last.version || !Number.isInteger(asn) || asn < 1 || asn > 0xffffffff) {
      indicators.report.reject('not_an_indicator', line)
      return
    }
    indicators.asnRange({ first, last }, asn, name.trim(), countryCode(fields[options.country_column ?? -1] ?? ''))
  })
}

function addressOf(text: string): Ip | undefined {
  if (!/^\d+$/.test(text)) return parseIp(text)
  return Number(text) <= 0xffffffff ? ipv4(Number(text)) : decimalIpv6(text)
}

export function decimalIpv6(text: string): Ip | undefined {
  if (!/^\d{1,39}$/.test(text)) return undefined
  const value = BigInt(text)
  if (value >> 128n !== 0n) return undefined
  const word = (shift: bigint) => Number((value >> shift) & 0xffffffffn)
  return ipv6(word(96n), word(64n), word(32n), word(0n))
}

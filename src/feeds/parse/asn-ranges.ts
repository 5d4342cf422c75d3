import type { AsnSink, RowCount } from '../packed-asn.ts'
import { decimalIpv6 } from './asn-table.ts'
import { splitCsv } from './csv.ts'

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

/** Like readAsnRangesV4, for 128-bit decimal addresses. */
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

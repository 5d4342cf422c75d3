import { expect, it } from 'vitest'
import { parseIp } from '../lib/ip.ts'
import { type AsnSink, packAsnRanges, readPackedAsnRanges } from './packed-asn.ts'

const GOOGLE = { first: parseIp('2001:4860::')!, last: parseIp('2001:4860:ffff:ffff:ffff:ffff:ffff:ffff')! }

function addRows(sink: AsnSink) {
  sink.addAsnRangeV4(0, 255, 1, 'One')
  sink.addAsnRangeV4(0xffff_ff00, 0xffff_ffff, 4_294_967_294, 'Ünïcode, "quoted"')
  sink.addAsnRange(GOOGLE, 15169, 'Google LLC')
  return { rows: 3, junk: 2 }
}

function rowsOf(read: (sink: AsnSink) => unknown) {
  const rows: unknown[] = []
  const result = read({
    addAsnRangeV4: (...row) => rows.push(row),
    addAsnRange: (...row) => rows.push(row),
  })
  return { rows, result }
}

it('packed ranges of AS numbers are read as the rows they were packed from', () => {
  const packed = packAsnRanges('1.0.0', addRows)
  expect(rowsOf((sink) => readPackedAsnRanges(packed, '1.0.0', sink))).toEqual(rowsOf(addRows))
})

it('ranges that were packed from another version of the package are not read', () => {
  const packed = packAsnRanges('1.0.0', addRows)
  expect(rowsOf((sink) => readPackedAsnRanges(packed, '2.0.0', sink))).toEqual({ rows: [], result: undefined })
})

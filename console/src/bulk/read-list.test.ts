import { describe, expect, it } from 'vitest'
import { csvRow } from './csv.ts'
import { decode, ListProblem, parseCsv, prepare, ROWS_MAX, readTable } from './read-list.ts'

const signal = new AbortController().signal

describe('reading a list', () => {
  it('finds the column and the kind, leaves out the header, and tells duplicates and invalid rows apart', async () => {
    const table = readTable(
      'Supplier;Contact\r\nAcme;"accounts@acme.example"\r\nBeta;ACCOUNTS@acme.example\r\nGamma;not an address\r\nDelta;\r\nEpsilon;eps@beta.example\r\n',
    )
    expect(table.columns).toEqual(['Supplier', 'Contact'])
    expect(table.guess).toEqual({ column: 1, kind: 'email' })
    const prepared = await prepare(table, { column: 1, kind: 'email' }, signal)
    expect(prepared).toMatchObject({
      records: ['accounts@acme.example', 'eps@beta.example'],
      rowOf: [2, 6],
      times: [2, 1],
      duplicates: 1,
      invalid: 1,
      blank: 1,
    })
    expect(prepared.invalidRows).toMatchObject([{ row: 4, value: 'not an address' }])
  })

  it('takes a bare paste without a header, one indicator a line', () => {
    const table = readTable('185.220.101.1\n2001:db8::1\n')
    expect(table).toMatchObject({ rows: [['185.220.101.1'], ['2001:db8::1']], firstRow: 1, guess: { kind: 'ip' } })
  })

  it('says that no column holds indicators', () => {
    expect(readTable('name,town\nJane,Leeds\nJohn,York\n').guess).toBeUndefined()
  })

  it('keeps quoted separators, quotes and line breaks inside their cell', () => {
    expect(parseCsv('"a, ""b""\nc",d\n')).toEqual([['a, "b"\nc', 'd']])
  })

  it.each([
    [Uint8Array.of(0x50, 0x4b, 3, 4), /spreadsheet/],
    [Uint8Array.of(0x6a, 0xfc, 0x72), /not in UTF-8/],
    [Uint8Array.of(0x61, 0, 0x62), /not a text file/],
  ])('refuses bytes that are no text in UTF-8', (bytes, words) => {
    expect(() => decode(bytes)).toThrow(words)
  })

  it('reads UTF-16 with its mark, as spreadsheets save it', () => {
    expect(decode(Uint8Array.of(0xff, 0xfe, 0x61, 0, 0x62, 0))).toBe('ab')
  })

  it('refuses what is empty, too long, or has a quotation mark that never closes', () => {
    expect(() => readTable('\n\n')).toThrow(ListProblem)
    expect(() => parseCsv('a.example\n'.repeat(ROWS_MAX * 2))).toThrow(/more than 500,000 rows/)
    expect(() => parseCsv('"a,b\nc')).toThrow(/never closed/)
  })
})

describe('writing CSV', () => {
  it('writes cells that start a formula as text', () => {
    expect(csvRow(['=HYPERLINK("x")', '+1', '-1', '@x', '\tx', 'a,b', 5])).toBe(
      '"\'=HYPERLINK(""x"")",\'+1,\'-1,\'@x,\'\tx,"a,b",5\r\n',
    )
  })
})

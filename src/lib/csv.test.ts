import { describe, expect, it } from 'vitest'
import { toCsv } from './csv.ts'

describe('CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+44', "'+44"],
    ['-2', "'-2"],
    ['@sum', "'@sum"],
    ['\t=1', "'\t=1"],
    [' =1', "' =1"],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['plain', 'plain'],
    ['', ''],
  ])('writes the text %j as %j', (cell, text) => {
    expect(toCsv(['h'], [[cell]])).toBe(`h\r\n${text}\r\n`)
  })

  it('leaves numbers as they are, negative ones too', () => {
    expect(toCsv(['h'], [[-5], [null], [true]])).toBe('h\r\n-5\r\n\r\ntrue\r\n')
  })
})

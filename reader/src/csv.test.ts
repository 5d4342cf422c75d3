import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../test/support/any-text.ts'
import { runs } from '../../test/support/runs.ts'
import { createCsvReader, csvRow, type Row } from './csv.ts'
import { createDetector, decode } from './encoding.ts'
import { ListProblem } from './problem.ts'

/** The first piece has this length, the others have that. */
function parse(text: string, firstLength = text.length, pieceLength = 1): Row[] {
  const reader = createCsvReader()
  const rows = reader.write(text.slice(0, firstLength))
  for (let at = firstLength; at < text.length; at += pieceLength) {
    rows.push(...reader.write(text.slice(at, at + pieceLength)))
  }
  return [...rows, ...reader.end()]
}
const cellsOf = (text: string) => parse(text).map(({ cells }) => cells)

describe('reading CSV', () => {
  it.each([
    [
      'commas',
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'semicolons, though a comma stands in the first line',
      'name;"a,b"\nx, y;2\nz;3',
      [
        ['name', 'a,b'],
        ['x, y', '2'],
        ['z', '3'],
      ],
    ],
    ['more semicolons than commas in all there is', 'a;b;1,5', [['a', 'b', '1,5']]],
    [
      'tabs',
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a separator named in the first line', 'sep=;\r\na,b;c\r\n', [['a,b', 'c']]],
    ['any separator named there', 'sep=|\na,b|c;d', [['a,b', 'c;d']]],
    ['a byte-order mark', '\ufeffa,b', [['a', 'b']]],
    [
      'line ends of every system',
      'a,1\r\nb,2\rc,3\nd,4',
      [
        ['a', '1'],
        ['b', '2'],
        ['c', '3'],
        ['d', '4'],
      ],
    ],
    ['quotation marks and line breaks within a cell', '"a, ""b""\r\nc",d', [['a, "b"\r\nc', 'd']]],
    [
      'empty cells and no end of line',
      ',\n"",x,',
      [
        ['', ''],
        ['', 'x', ''],
      ],
    ],
    ['one column', 'a.example\n\n  \nb.example', [['a.example'], ['b.example']]],
    ['cells that were made harmless before', "'=1+1,'-x,'plain", [['=1+1', '-x', "'plain"]]],
  ])('%s', (_name, text, rows) => expect(cellsOf(text)).toEqual(rows))

  it('names the line a row begins in', () => {
    expect(parse('sep=,\n\nx,"1\r\n2\n3"\ny,4\r\nz,5').map(({ line }) => line)).toEqual([3, 6, 7])
  })

  it('refuses what is never closed, too long or too wide, and names the line', () => {
    expect(() => parse('a\n"b,c\nd')).toThrow('line 2: a quotation mark is opened and never closed')
    expect(() => parse(`a\n${'x'.repeat(70_000)}`)).toThrow('line 2: a value is longer than 65536')
    expect(() => parse(`a\n${','.repeat(2000)}`)).toThrow('line 2: there are more than 1000 columns')
  })

  it('gives the same rows in whatever pieces the text comes', () => {
    const text = fc.array(fc.constantFrom('"', ',', ';', '\r', '\n', 'a', "'", '=', '\t'), { maxLength: 60 })
    const tried = (...given: Parameters<typeof parse>) => {
      try {
        const rows = parse(...given)
        return { rows: rows.length, last: rows.slice(-60) }
      } catch (error) {
        expect(error).toBeInstanceOf(ListProblem)
        return (error as Error).message
      }
    }
    // Longer than the beginning that settles the separator, so that pieces matter.
    const head = `a,b\n${'x,y\n'.repeat(4500)}`
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 3 }), (parts, pieceLength) => {
        const whole = `${head}${parts.join('')}`
        expect(tried(whole, head.length, pieceLength)).toEqual(tried(whole))
        expect(tried(parts.join(''), 0, pieceLength)).toEqual(tried(parts.join('')))
      }),
      { numRuns: runs(40) },
    )
  })
})

describe('writing CSV', () => {
  it('writes cells that start a formula as text, and quotes whatever another program might split', () => {
    expect(csvRow(['=HYPERLINK("x")', '+1', '-1', '@x', '\tx', ' =1', 'a,b', 'a;b', -5])).toBe(
      `"'=HYPERLINK(""x"")",'+1,'-1,'@x,"'\tx",' =1,"a,b","a;b",-5\r\n`,
    )
  })

  it('writes a cell that would name the separator so that it does not', () => {
    expect(cellsOf(csvRow(['sep=|']) + csvRow(['a|b']))).toEqual([['sep=|'], ['a|b']])
  })

  it('reading what was written gives the same rows', () => {
    const cell = fc.oneof(
      anyText({ maxLength: 12 }),
      fc
        .array(fc.constantFrom('"', ',', ';', '\t', '\r', '\n', "'", '=', '-', 'sep=;', ' '), { maxLength: 5 })
        .map((parts) => parts.join('')),
    )
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(rows, (given) => {
        expect(cellsOf(`\ufeff${given.map((cells) => csvRow(cells)).join('')}`)).toEqual(given)
      }),
      { numRuns: runs(100) },
    )
  })
})

describe('the encoding of a file', () => {
  const text = 'Müller;“Köln” – 5 €\r\n'
  const utf16 = Buffer.from(text, 'utf16le')
  it.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 little endian', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 big endian', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', utf16],
    ['Windows-1252', Buffer.from('M\xfcller;\x93K\xf6ln\x94 \x96 5 \x80\r\n', 'latin1')],
  ])('%s is read', (_name, bytes) => expect(decode(bytes)).toEqual({ text, notes: [] }))

  it('is looked for to the end: the first letter beyond ASCII may be the last', () => {
    const long = Buffer.concat([Buffer.from('a.example\n'.repeat(10_000)), Buffer.from([0xfc])])
    expect(decode(long).text).toMatch(/ü$/)
  })

  it('one stray byte, or one zero, does not turn a file into another: it is shown, and its line is told', () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => `Müller ${index};müller${index}.example\r\n`)
    const with7 = (byte: number) =>
      Buffer.concat([
        ...rows.map((row) => Buffer.from(row)).slice(0, 6),
        Buffer.of(0x41, byte, 0x42, 0x0d, 0x0a),
        ...rows.slice(6).map((row) => Buffer.from(row)),
      ])
    for (const [byte, what] of [
      [0xfc, 'bytes that are not UTF-8'],
      [0, 'zero bytes'],
    ] as const) {
      const { text: read, notes } = decode(with7(byte))
      const lines = read.split('\r\n')
      expect(lines[6]).toBe('A\ufffdB')
      expect([...lines.slice(0, 6), ...lines.slice(7, -1)].map((line) => `${line}\r\n`)).toEqual(rows)
      expect(notes).toEqual([`Line 7 holds ${what}: each is shown as \ufffd.`])
    }
    const strays = Buffer.concat([Buffer.from('ä\n'.repeat(9)), Buffer.from('\xfc\n'.repeat(5), 'latin1')])
    expect(decode(strays).notes).toEqual([expect.stringMatching(/^Lines 10, 11, 12 and 2 more hold bytes/)])
  })

  it('tells the lines also when the bytes come in pieces of any size', () => {
    const mixed = Buffer.concat([Buffer.from('ü\r\né\rb\n'), Buffer.of(0xff, 0x0d, 0x0a)])
    for (let size = 1; size <= mixed.length; size++) {
      const detector = createDetector()
      for (let at = 0; at < mixed.length; at += size) detector.write(mixed.subarray(at, at + size))
      expect(detector.end()).toEqual({ encoding: 'utf-8', notes: [expect.stringMatching(/^Line 4 holds/)] })
    }
  })

  it('refuses bytes that are no text', () => {
    expect(() => decode(Uint8Array.of(0, 0, 1, 0, 0, 2))).toThrow(ListProblem)
  })
})

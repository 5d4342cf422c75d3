import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { FULL } from '../../test/support/full.ts'
import { runs } from '../../test/support/runs.ts'
import { ListProblem } from './problem.ts'
import { openArchive } from './unzip.ts'
import { readXlsx, writeXlsx } from './xlsx.ts'
import { createXmlWalker } from './xml.ts'

const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const rowsUpTo = (rowsMax: number) => ({ rowsMax, otherwise: 'Split it.' })
const TEN = rowsUpTo(10)

/** A workbook as a spreadsheet writes it: prefixes, shared texts, styles, several sheets. */
function workbook(sheet: string, more: Record<string, string> = {}): Uint8Array {
  const files: Record<string, string> = {
    'xl/workbook.xml': `<x:workbook xmlns:x="m" xmlns:r="${REL}"><x:sheets><x:sheet name="Hidden" sheetId="1" state="hidden" r:id="a"/><x:sheet name="Cover" sheetId="2" r:id="b"/><x:sheet name="List &amp; more" sheetId="3" r:id="c"/></x:sheets></x:workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="a" Target="worksheets/h.xml"/><Relationship Id="b" Target="worksheets/empty.xml"/><Relationship Target="/xl/worksheets/list.xml" Id="c"/></Relationships>',
    'xl/worksheets/h.xml': '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>',
    'xl/worksheets/empty.xml': '<worksheet><sheetData/></worksheet>',
    'xl/worksheets/list.xml': sheet,
    ...more,
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
}

describe('reading a workbook', () => {
  it('takes the first sheet that is seen and holds anything, with its texts, numbers, dates and gaps', () => {
    const sheet = `<?xml version="1.0"?><x:worksheet xmlns:x="m"><x:dimension ref="A1:D9"/><x:sheetData>
      <x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="C1" t="s"><x:v>1</x:v></x:c></x:row>
      <x:row r="3"><x:c r="A3" t="inlineStr"><x:is><x:t>a&lt;b &#x41;</x:t></x:is></x:c><x:c r="B3" s="1"><x:v>45000.5</x:v></x:c><x:c r="C3" s="2"><x:v>45000</x:v></x:c><x:c r="D3" t="b"><x:v>1</x:v></x:c></x:row>
      <x:row r="4"><x:c r="A4" t="str"><x:f>"x"&amp;"y"</x:f><x:v>xy</x:v></x:c><x:c r="B4"><x:v>1E3</x:v></x:c><x:c r="C4" t="e"><x:v>#N/A</x:v></x:c></x:row>
      <x:row r="5"><x:c r="A5" s="1"/></x:row><x:row><x:c t="inlineStr"><x:is><x:t>short</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`
    const read = readXlsx(
      workbook(sheet, {
        'xl/sharedStrings.xml':
          '<sst><si><r><t>Sup</t></r><r><t xml:space="preserve">plier </t></r><rPh><t>aloud</t></rPh></si><si><t>E_x002D_Mail</t></si></sst>',
        'xl/styles.xml':
          '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]dd/mm/yyyy"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="164"/></cellXfs></styleSheet>',
      }),
      TEN,
    )
    expect(read).toEqual({
      name: 'List & more',
      sheets: ['Cover', 'List & more'],
      rows: [
        { line: 1, cells: ['Supplier ', '', 'E-Mail'] },
        { line: 3, cells: ['a<b A', '2023-03-15 12:00:00', '2023-03-15', 'TRUE'] },
        { line: 4, cells: ['xy', '1000', '#N/A'] },
        { line: 6, cells: ['short', '', ''] },
      ],
    })
  })

  it('refuses more rows or columns than it takes', () => {
    const rows = Array.from({ length: 12 }, (_, index) => [`a${index}.example`])
    expect(() => readXlsx(writeXlsx(rows), TEN)).toThrow('This list has more than 10 rows. Split it.')
    const wide = '<worksheet><sheetData><row r="1"><c r="ZZZ1"><v>1</v></c></row></sheetData></worksheet>'
    expect(() => readXlsx(workbook(wide), TEN)).toThrow('more than 1000 columns')
  })

  it('stops unpacking a bomb, whatever size the archive gives for it', () => {
    const bomb = zipSync({ 'xl/workbook.xml': new Uint8Array(2_000_000) })
    const view = new DataView(bomb.buffer)
    for (const [mark, size] of [
      [0x02014b50, 24],
      [0x04034b50, 22],
    ] as const) {
      for (let at = 0; at < bomb.length - 46; at++)
        if (view.getUint32(at, true) === mark) view.setUint32(at + size, 100, true)
    }
    expect(bomb.length).toBeLessThan(3000)
    let taken = 0
    const take = (piece: Uint8Array) => {
      taken += piece.length
      return true
    }
    expect(() => openArchive(bomb, 1_900_000).read('xl/workbook.xml', take)).toThrow('too large')
    expect(taken).toBe(0)
    const archive = openArchive(bomb, 2_100_000)
    archive.read('xl/workbook.xml', take)
    expect(taken).toBe(2_000_000)
    expect(() => archive.read('xl/workbook.xml', take)).toThrow('too large')
  })

  const listOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
  const one = listOf('<row><c t="s"><v>0</v></c></row>')
  const texts = (xml: string) => workbook(one, { 'xl/sharedStrings.xml': xml })
  type Hostile = readonly [what: string, make: () => Uint8Array, message: string]
  const millions: readonly Hostile[] = [
    ['millions of texts', () => texts(`<sst>${'<si/>'.repeat(2_000_001)}`), 'too large'],
    ['blanks that unpack to a thousand times their size', () => texts(`<!--${' '.repeat(40_000_000)}-->`), 'too large'],
    ['rows without a value', () => workbook(listOf('<row/>'.repeat(1_048_577))), 'more than 10 rows. Split it.'],
  ]
  it.each<Hostile>([
    ...(FULL ? millions : []),
    [
      'a value without an end',
      () => workbook(listOf(`<row><c><v>${'1'.repeat(70_000)}`)),
      'longer than 65536 characters',
    ],
    ['a text without an end', () => texts(`<si><t>${'x'.repeat(70_000)}`), 'longer than 65536 characters'],
    ['a tag without an end', () => workbook(listOf(`<row ${'x'.repeat(1_000_000)}`)), 'damaged'],
  ])('stops reading %s', (_what, make, message) => {
    const bytes = make()
    expect(bytes.length).toBeLessThan(100_000)
    expect(() => readXlsx(bytes, TEN)).toThrow(message)
  })

  it('says of anything damaged that it is, and nothing else', () => {
    const whole = writeXlsx([
      ['a', 'b'],
      ['c', 'd'],
    ])
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        (changes) => {
          const bytes = whole.slice()
          for (const [at, value] of changes) bytes[at] = value
          try {
            readXlsx(bytes, TEN)
          } catch (error) {
            expect(error).toBeInstanceOf(ListProblem)
          }
        },
      ),
      { numRuns: runs(300) },
    )
    expect(() => readXlsx(whole.subarray(0, whole.length - 30), TEN)).toThrow('damaged')
    expect(() => readXlsx(zipSync({ 'a.txt': strToU8('x') }), TEN)).toThrow('not a workbook')
    expect(() => readXlsx(workbook('<worksheet><sheetData><row r="1">'), TEN)).toThrow('damaged')
  })
})

it('XML reads the same in pieces of any size', () => {
  const part = fc.constantFrom(
    '<a b="1>2">',
    '</a>',
    '<x:b/>',
    'text',
    '&amp;',
    '&#x41;',
    '& ',
    '<!-- <c> -->',
    '<![CDATA[<d>]]>',
    '<?e?>',
  )
  const read = (pieces: readonly string[]) => {
    let seen = ''
    const walker = createXmlWalker(
      (tag) => {
        seen += `<${tag.closes}${tag.name}${tag.empty}${tag.attribute('b')}>`
      },
      (text) => {
        seen += text
      },
    )
    for (const piece of pieces) walker.write(piece)
    walker.end()
    return seen
  }
  const cut = fc.array(fc.nat(40), { maxLength: 12 })
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), cut, (parts, lengths) => {
      const whole = parts.join('')
      let rest = whole
      const pieces = lengths.map((length) => {
        const piece = rest.slice(0, length)
        rest = rest.slice(length)
        return piece
      })
      expect(read([...pieces, rest])).toBe(read([whole]))
    }),
  )
})

describe('writing a workbook', () => {
  it('reading what was written gives the same rows', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc
        .array(
          fc.constantFrom('<', '&', '"', '>', '\r', '\n', '\t', '\0', '\u001b', '_x000D_', '_', '=1+1', '\ufffe', ' '),
          { maxLength: 5 },
        )
        .map((parts) => parts.join('')),
      fc.integer(),
    )
    // A row of blanks alone is no row, and blanks at the end of the first row leave no trace.
    const table = fc
      .integer({ min: 1, max: 30 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
      )
      .map((rows) => rows.map((cells, at) => ['first', ...cells, at === 0 ? 'last' : '']))
    fc.assert(
      fc.property(table, (rows) => {
        const read = readXlsx(writeXlsx(rows), rowsUpTo(100))
        expect(read.rows.map(({ cells }) => cells)).toEqual(rows.map((cells) => cells.map(String)))
      }),
      { numRuns: runs(100) },
    )
  })
})

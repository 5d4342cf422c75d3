import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { unpackWoff } from '../../documents/woff.ts'
import { type InvoiceDocument, invoicePage, invoiceWords } from './document.ts'
import { invoicePdf } from './document-pdf.ts'

const invoice: InvoiceDocument = {
  number: '1042',
  state: 'open',
  issued_at: Date.parse('2026-03-01'),
  due_at: Date.parse('2026-03-15'),
  settled_at: null,
  in_advance: false,
  issuer: { name: 'Example Intelligence Ltd', address: '1 High Street\nLondon', taxId: 'GB123456789' },
  customer: {
    name: 'Müller & Søn GmbH',
    address: 'Hauptstraße 12\n10115 Berlin',
    tax_id: 'DE811111111',
  },
  organisation_id: 'org_0Fv3kQ2mXb7TzR1yLw9c',
  lines: [
    { description: 'Checks beyond the credit', month: '2026-02', amount_pence: 50 },
    { description: 'Growth', month: '2026-03', amount_pence: 9900 },
    { description: 'Credit for an earlier plan', month: '2026-03', amount_pence: -125 },
  ],
  total_pence: 9825,
  refunded_pence: 0,
  paymentInstructions: 'Example Bank\nAccount 12345678',
  reference: 'INV-1042',
}

/** One piece of text on a PDF page, as a reader would copy it, with the height of its baseline above the page's end. */
interface Placed {
  readonly text: string
  readonly yPt: number
}

/** The text of a PDF, page by page. It reads what the PDF library writes, not every PDF there is. */
function readPdf(pdf: Buffer): Placed[][] {
  const objects = new Map<string, string>()
  const streams = new Map<string, Buffer>()
  const file = pdf.toString('latin1')
  for (const { 0: whole, 1: id = '', 2: body = '', index } of file.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    objects.set(id, body)
    const at = body.indexOf('stream\n')
    if (at < 0) continue
    const start = index + whole.indexOf(body) + at + 'stream\n'.length
    const bytes = pdf.subarray(start, start + Number(/\/Length (\d+)/.exec(body)?.[1]))
    streams.set(id, body.includes('/FlateDecode') ? inflateSync(bytes) : bytes)
  }
  const refIn = (text: string | undefined, name: string) =>
    new RegExp(`/${name} (\\d+) 0 R`).exec(text ?? '')?.[1] ?? ''
  return [...objects.values()]
    .filter((body) => /\/Type \/Page\n/.test(body))
    .map((page) => {
      const resources = objects.get(refIn(page, 'Resources'))
      const content = streams.get(refIn(page, 'Contents'))?.toString('latin1') ?? ''
      const texts = content.matchAll(/BT\n1 0 0 1 ([-\d.]+) ([-\d.]+) Tm\n\/(F\d+) [\d.]+ Tf\n\[(.*?)\] TJ\nET/gs)
      return [...texts].map(([, , y, font = '', shown = '']) => {
        const codes = [...shown.matchAll(/<([0-9a-f]*)>/g)].map(([, hex]) => hex).join('')
        const unicode = streams.get(refIn(objects.get(refIn(resources, font)), 'ToUnicode'))?.toString('latin1')
        return { text: unicode === undefined ? fromWinAnsi(codes) : fromMap(codes, unicode), yPt: Number(y) }
      })
    })
}

const fromWinAnsi = (hex: string) => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex'))

const fromUtf16 = (hex: string) => new TextDecoder('utf-16be').decode(Buffer.from(hex, 'hex'))

function fromMap(hex: string, cmap: string): string {
  const characters = [...cmap.matchAll(/<[0-9a-f]+> <[0-9a-f]+> \[([^\]]*)\]/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/<([0-9a-f ]*)>/g)].map(([, one = '']) => fromUtf16(one.replaceAll(' ', ''))),
  )
  return (hex.match(/.{4}/g) ?? []).map((code) => characters[Number.parseInt(code, 16)] ?? '\uFFFD').join('')
}

const textOf = async (document: InvoiceDocument) =>
  readPdf(await invoicePdf(document))
    .flat()
    .map(({ text }) => text)

describe('an invoice document', () => {
  it('says amounts in pounds, days and months in words, and both parties', () => {
    expect(invoiceWords(invoice)).toMatchObject({
      facts: [
        ['Issued', '1 March 2026'],
        ['Due', '15 March 2026'],
        ['Reference', 'INV-1042'],
      ],
      lines: [
        ['Checks beyond the credit', 'February 2026', '£0.50'],
        ['Growth', 'March 2026', '£99.00'],
        ['Credit for an earlier plan', 'March 2026', '−£1.25'],
      ],
      sums: [['Total', '£98.25']],
    })
    expect(invoiceWords(invoice).parties).toEqual([
      { role: 'From', name: 'Example Intelligence Ltd', lines: ['1 High Street', 'London', 'Tax number GB123456789'] },
      {
        role: 'To',
        name: 'Müller & Søn GmbH',
        lines: ['Hauptstraße 12', '10115 Berlin', 'Tax number DE811111111', 'Account org_0Fv3kQ2mXb7TzR1yLw9c'],
      },
    ])
  })

  it.each([
    ['open', null, null],
    ['paid', '2026-03-10', 'Paid on 10 March 2026'],
    ['void', '2026-03-10', 'Cancelled'],
    ['refunded', '2026-03-10', 'Refunded'],
  ] as const)(
    'that is %s has its stamp, and says how to pay only while it is open',
    async (state, settledOn, stamp) => {
      const document = { ...invoice, state, settled_at: settledOn && Date.parse(settledOn) }
      const page = invoicePage(document)
      const pdf = await textOf(document)
      expect(invoiceWords(document).stamp).toBe(stamp)
      for (const other of ['Paid on', 'Cancelled', 'Refunded']) {
        const shown = stamp?.startsWith(other) ?? false
        expect(page.includes(other)).toBe(shown)
        expect(pdf.some((text) => text.startsWith(other.toUpperCase()))).toBe(shown)
      }
      for (const payment of [
        'Please pay £98.25 by 15 March 2026',
        'Account 12345678',
        'Use this reference for the payment: INV-1042',
      ]) {
        expect(page.includes(payment)).toBe(state === 'open')
        expect(pdf.includes(payment)).toBe(state === 'open')
      }
    },
  )

  it('shows what was refunded of it', async () => {
    const document: InvoiceDocument = {
      ...invoice,
      state: 'paid',
      settled_at: Date.parse('2026-03-10'),
      refunded_pence: 2500,
    }
    expect(invoicePage(document)).toContain('−£25.00')
    expect(await textOf(document)).toEqual(expect.arrayContaining(['Refunded', '-£25.00', '£98.25']))
  })

  it('to be paid in advance is never due, and says what follows the payment', async () => {
    const document = { ...invoice, in_advance: true }
    for (const text of [invoicePage(document), (await textOf(document)).join('\n')]) {
      expect(text).toContain('In advance')
      expect(text).toContain('begins when it is paid')
      expect(text).not.toContain('15 March 2026')
    }
  })

  it('whose number is the reference does not say it twice at its top', () => {
    const document = { ...invoice, number: 'INV-1042' }
    expect(invoiceWords(document).facts.map(([name]) => name)).toEqual(['Issued', 'Due'])
    expect(invoiceWords(document).payment?.reference).toContain('INV-1042')
  })

  it('without bank details leads to the console', async () => {
    const document = { ...invoice, paymentInstructions: null }
    expect(invoicePage(document)).toContain('Pay in the console, under Billing.')
    expect(await textOf(document)).toContain('Pay in the console, under Billing.')
  })
})

describe('the page to print', () => {
  it('escapes every value', () => {
    const evil = '<img src=x onerror="a(\'b\')">&'
    const page = invoicePage({
      ...invoice,
      number: evil,
      issuer: { name: evil, address: `${evil}\n${evil}`, taxId: evil },
      customer: { name: evil, address: evil, tax_id: evil },
      organisation_id: evil,
      lines: [{ description: evil, month: '2026-03', amount_pence: 1 }],
      paymentInstructions: evil,
      reference: `${evil}2`,
    })
    expect(page).not.toContain('<img')
    expect(page.match(/&lt;img src=x onerror=&quot;a\(&#39;b&#39;\)&quot;&gt;&amp;/g)).toHaveLength(15)
  })

  it('is for A4, and its table begins again on every sheet', () => {
    expect(invoicePage(invoice)).toContain('size: A4')
    expect(invoicePage(invoice)).toContain('display: table-header-group')
  })
})

describe('the PDF', () => {
  it('says what the page says', async () => {
    const words = invoiceWords(invoice)
    const shown = await textOf(invoice)
    const expected = [
      words.title,
      ...words.facts.flat(),
      ...words.parties.flatMap(({ role, name, lines }) => [role, name, ...lines]),
      ...words.header,
      ...words.lines.flat(),
      ...words.sums.flat(),
      ...(words.payment?.lines ?? []),
    ]
    for (const text of expected) expect(shown).toContain(text.replace('−', '-'))
  })

  it('is the same file for the same document, made on the day of issue', async () => {
    const [first, second] = [await invoicePdf(invoice), await invoicePdf(invoice)]
    expect(first.equals(second)).toBe(true)
    expect(first.toString('latin1')).toContain('(D:20260301000000Z)')
    expect(first.toString('latin1', 0, 5)).toBe('%PDF-')
    expect(first.toString('latin1')).not.toContain('/Metadata')
  })

  it('holds names in scripts beyond Western Europe whole', async () => {
    const names = [
      'Spółka Żółw Łódź',
      'Ελληνική Εταιρεία',
      'ООО Ромашка',
      '北京示例科技有限公司',
      'サンプル株式会社',
      '서울 주식회사',
    ]
    const shown = await textOf({ ...invoice, customer: { ...invoice.customer, address: names.join('\n') } })
    for (const name of names) expect(shown).toContain(name)
    expect(shown.join('')).not.toContain('\uFFFD')
  })

  it('puts the words of right-to-left names in the order of reading, and turns brackets around', async () => {
    const shown = await textOf({ ...invoice, customer: { ...invoice.customer, address: 'חברה לדוגמה (רשומה) 15' } })
    const reversed = (text: string) => [...text].reverse().join('')
    const begin = shown.indexOf('15')
    // From left to right on the paper.
    expect(shown.slice(begin, begin + 7)).toEqual([
      '15',
      ' ',
      reversed(')רשומה('),
      ' ',
      reversed('לדוגמה'),
      ' ',
      reversed('חברה'),
    ])
  })

  it('writes a character that no font has as its number, and loses none silently', async () => {
    const shown = await textOf({ ...invoice, customer: { ...invoice.customer, name: 'Party 🎉 𠀀\u0007Ltd\u200B' } })
    expect(shown).toContain('Party [U+1F389] [U+20000] Ltd')
  })

  it('of 60 lines and a long address flows onto further pages, with nothing beyond the margins', async () => {
    const address = Array.from({ length: 70 }, (_, i) => `Address line ${i + 1}`)
    const long = 'with a description so long that it takes more than one line of the table, and then some more words'
    const lines = Array.from({ length: 60 }, (_, i) => ({
      description: i % 7 === 0 ? `Line ${i + 1} ${long}` : `Line ${i + 1}`,
      month: '2026-03',
      amount_pence: i,
    }))
    const pages = readPdf(
      await invoicePdf({ ...invoice, lines, customer: { ...invoice.customer, address: address.join('\n') } }),
    )
    const shown = pages.map((page) => page.map(({ text }) => text))
    expect(pages).toHaveLength(4)
    for (const [i, page] of shown.entries()) expect(page).toContain(`Page ${i + 1} of 4`)
    expect(shown.flat().filter((text) => text.startsWith('Address line'))).toEqual(address)
    const numbers = shown.flat().flatMap((text) => /^Line (\d+)\b/.exec(text)?.[1] ?? [])
    expect(numbers.map(Number)).toEqual(lines.map((_, i) => i + 1))
    expect(shown.filter((page) => page.includes('Description'))).toHaveLength(3)
    for (const { yPt } of pages.flat()) {
      expect(yPt).toBeGreaterThanOrEqual(54)
      expect(yPt).toBeLessThanOrEqual(842 - 54)
    }
  })

  it('breaks a word that is wider than its column', async () => {
    const description = 'x'.repeat(300)
    const shown = await textOf({ ...invoice, lines: [{ description, month: '2026-03', amount_pence: 1 }] })
    const parts = shown.filter((text) => /^x+$/.test(text))
    expect(parts.length).toBeGreaterThan(3)
    expect(parts.join('')).toBe(description)
  })

  it('refuses a font file that is not what it should be', () => {
    expect(() => unpackWoff(Buffer.from('OTTO'.padEnd(64)))).toThrow('not a WOFF font')
  })
})

/** The invoice as a PDF: A4, any number of pages, the same bytes for the same document. */
import { once } from 'node:events'
import type { Maker } from '../../documents/maker.ts'
import { type InvoiceDocument, invoiceWords } from './document.ts'
import type { Line, Style } from './pdf-text.ts'

const MARGIN_PT = 54
const PAGE_WIDTH_PT = 595.28
const PAGE_HEIGHT_PT = 841.89
const WIDTH_PT = PAGE_WIDTH_PT - 2 * MARGIN_PT
const RIGHT_PT = PAGE_WIDTH_PT - MARGIN_PT
/** Lower end of the text area; the page number is below. */
const BOTTOM_PT = PAGE_HEIGHT_PT - MARGIN_PT - 18
const GAP_PT = 18

const TEXT: Style = { size: 10 }
const STRONG: Style = { size: 10, bold: true }
const SMALL: Style = { size: 8.5 }
const TITLE: Style = { size: 20, bold: true }
const TOTAL: Style = { size: 12, bold: true }
const INK = '#111111'
const GREY = '#555555'
const RULE = '#cccccc'
const STAMP_INKS = { open: INK, paid: '#17692f', void: '#aa1111', refunded: '#7a4a00' } as const

const leadingOf = ({ size }: Style) => size * 1.45

export const invoicePdfMaker: Maker<InvoiceDocument, undefined> = {
  module: import.meta.url,
  name: 'invoicePdfMaker',
  cached: true,
  make: async (_sql, document) => ({ head: undefined, bytes: new Uint8Array(await invoicePdf(document)) }),
}

export async function invoicePdf(document: InvoiceDocument): Promise<Buffer> {
  // Loaded with the first PDF, so that the server starts sooner.
  const [{ default: PDFDocument }, { createTypesetter }] = await Promise.all([
    import('pdfkit'),
    import('./pdf-text.ts'),
  ])
  const words = invoiceWords(document)
  const issued = new Date(document.issued_at)
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: 'en-GB',
    displayTitle: true,
    // From 1.4 on the library adds XML that it does not escape: a name with & would spoil it.
    pdfVersion: '1.3',
    info: {
      Title: words.title,
      Author: document.issuer.name,
      Creator: 'Assay',
      // Fixed, so that the same document is the same file.
      CreationDate: issued,
      ModDate: issued,
    },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = once(pdf, 'end')
  const type = createTypesetter(pdf)
  let y = MARGIN_PT

  /** Starts a new page when less than this height is left. */
  function makeRoom(heightPt: number, onNewPage?: () => void): void {
    if (y + heightPt <= BOTTOM_PT) return
    pdf.addPage()
    y = MARGIN_PT
    onNewPage?.()
  }

  function draw(line: Line | undefined, style: Style, xPt: number, align: 'left' | 'right' = 'left'): void {
    if (line) type.draw(line, align === 'right' ? xPt - line.widthPt : xPt, y + style.size)
  }

  function rule(yPt: number): void {
    pdf.moveTo(MARGIN_PT, yPt).lineTo(RIGHT_PT, yPt).lineWidth(0.5).strokeColor(RULE).stroke()
  }

  /** Draws lines below each other. */
  function drawAll(lines: readonly Line[], style: Style, xPt: number): void {
    for (const line of lines) {
      draw(line, style, xPt)
      y += leadingOf(style)
    }
  }

  const one = (text: string, style: Style) => type.lines(text, style, Number.MAX_SAFE_INTEGER)[0]

  function drawHead(): void {
    const stamp = words.stamp === null ? undefined : one(words.stamp.toUpperCase(), STRONG)
    const stampWidthPt = stamp ? stamp.widthPt + 20 : 0
    const top = y
    pdf.fillColor(INK)
    drawAll(type.lines(words.title, TITLE, WIDTH_PT - stampWidthPt - GAP_PT), TITLE, MARGIN_PT)
    if (stamp) {
      const ink = STAMP_INKS[document.state]
      pdf
        .roundedRect(RIGHT_PT - stampWidthPt, top, stampWidthPt, 22, 3)
        .lineWidth(1.5)
        .strokeColor(ink)
        .stroke()
      pdf.fillColor(ink)
      type.draw(stamp, RIGHT_PT - stampWidthPt + 10, top + 14.5)
    }
    y += 6
    for (const [name, value] of words.facts) {
      pdf.fillColor(GREY)
      draw(one(name, TEXT), TEXT, MARGIN_PT)
      pdf.fillColor(INK)
      drawAll(type.lines(value, TEXT, WIDTH_PT - 70), TEXT, MARGIN_PT + 70)
    }
    y += GAP_PT
  }

  /** Both parties side by side, line by line, so that a long address continues on the next page. */
  function drawParties(): void {
    const columnPt = (WIDTH_PT - GAP_PT) / 2
    const columns = words.parties.map(({ role, name, lines }) => [
      { style: SMALL, ink: GREY, line: one(role, SMALL) },
      ...type.lines(name, STRONG, columnPt).map((line) => ({ style: STRONG, ink: INK, line })),
      ...lines.flatMap((text) => type.lines(text, TEXT, columnPt)).map((line) => ({ style: TEXT, ink: INK, line })),
    ])
    for (let row = 0; row < Math.max(...columns.map(({ length }) => length)); row++) {
      makeRoom(leadingOf(TEXT))
      for (const [column, cells] of columns.entries()) {
        const cell = cells[row]
        if (!cell) continue
        pdf.fillColor(cell.ink)
        draw(cell.line, cell.style, MARGIN_PT + column * (columnPt + GAP_PT))
      }
      y += leadingOf(TEXT)
    }
    y += GAP_PT
  }

  const amountWidthPt = Math.max(
    ...[...words.lines, ...words.sums].map((row) => one(figure(row.at(-1)), TOTAL)?.widthPt ?? 0),
  )
  const monthRightPt = RIGHT_PT - Math.max(amountWidthPt, 60) - GAP_PT
  const descriptionWidthPt = monthRightPt - 90 - GAP_PT - MARGIN_PT

  function drawHeader(): void {
    pdf.fillColor(GREY)
    const [description, month, amount] = words.header
    draw(one(description, SMALL), SMALL, MARGIN_PT)
    draw(one(month, SMALL), SMALL, monthRightPt, 'right')
    draw(one(amount, SMALL), SMALL, RIGHT_PT, 'right')
    y += leadingOf(SMALL) + 2
    rule(y)
    y += 5
    pdf.fillColor(INK)
  }

  function drawLines(): void {
    makeRoom(4 * leadingOf(TEXT))
    drawHeader()
    for (const [description, month, amount] of words.lines) {
      const lines = type.lines(description, TEXT, descriptionWidthPt)
      // Keep a short description on one page; a longer one continues on the next.
      makeRoom(Math.min(lines.length, 10) * leadingOf(TEXT) + 5, drawHeader)
      draw(one(month, TEXT), TEXT, monthRightPt, 'right')
      draw(one(figure(amount), TEXT), TEXT, RIGHT_PT, 'right')
      for (const line of lines) {
        makeRoom(leadingOf(TEXT), drawHeader)
        drawAll([line], TEXT, MARGIN_PT)
      }
      rule(y + 1)
      y += 6
    }
    makeRoom(words.sums.length * leadingOf(TOTAL) + 4)
    y += 4
    for (const [row, [name, amount]] of words.sums.entries()) {
      const style = row === 0 ? TOTAL : TEXT
      draw(one(name, style), style, monthRightPt, 'right')
      draw(one(figure(amount), style), style, RIGHT_PT, 'right')
      y += leadingOf(TOTAL)
    }
  }

  function drawPayment(): void {
    if (!words.payment) return
    const { title, lines, reference } = words.payment
    const rows = [
      ...type.lines(title, TOTAL, WIDTH_PT).map((line) => ({ line, style: TOTAL })),
      ...lines.flatMap((text) => type.lines(text, TEXT, WIDTH_PT)).map((line) => ({ line, style: TEXT })),
      ...type.lines(reference, STRONG, WIDTH_PT).map((line) => ({ line, style: STRONG })),
    ]
    const heightPt = rows.reduce((sum, { style }) => sum + leadingOf(style), 0)
    y += GAP_PT
    // Kept together where it fits a page.
    makeRoom(Math.min(heightPt + GAP_PT, BOTTOM_PT - MARGIN_PT))
    rule(y)
    y += 10
    pdf.fillColor(INK)
    for (const { line, style } of rows) {
      makeRoom(leadingOf(style))
      drawAll([line], style, MARGIN_PT)
    }
  }

  function drawPageNumbers(): void {
    const { start, count } = pdf.bufferedPageRange()
    pdf.fillColor(GREY)
    for (let number = 1; number <= count; number++) {
      pdf.switchToPage(start + number - 1)
      y = PAGE_HEIGHT_PT - MARGIN_PT - SMALL.size
      draw(type.lines(words.title, SMALL, WIDTH_PT - 100)[0], SMALL, MARGIN_PT)
      draw(one(`Page ${number} of ${count}`, SMALL), SMALL, RIGHT_PT, 'right')
    }
  }

  drawHead()
  drawParties()
  drawLines()
  drawPayment()
  drawPageNumbers()
  pdf.end()
  await ended
  return Buffer.concat(chunks)
}

/** The minus sign of mathematics is in no standard font; beside figures the hyphen does as well. */
function figure(amount: string | undefined): string {
  return (amount ?? '').replace('−', '-')
}

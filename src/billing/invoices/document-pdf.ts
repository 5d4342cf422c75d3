/** The invoice as a PDF: A4, any number of pages, the same bytes for the same document. */
import type { Maker } from '../../documents/maker.ts'
import {
  BOTTOM_PT,
  GAP_PT,
  GREY,
  INK,
  leadingOf,
  MARGIN_PT,
  openPaper,
  RIGHT_PT,
  SMALL,
  STRONG,
  TEXT,
  TOTAL,
  WIDTH_PT,
} from '../../documents/pdf-paper.ts'
import { type InvoiceDocument, invoiceWords } from './document.ts'

const STAMP_INKS = { open: INK, paid: '#17692f', void: '#aa1111', refunded: '#7a4a00' } as const

export const invoicePdfMaker: Maker<InvoiceDocument, undefined> = {
  module: import.meta.url,
  name: 'invoicePdfMaker',
  cached: true,
  make: async (_sql, document) => ({ head: undefined, bytes: new Uint8Array(await invoicePdf(document)) }),
}

export async function invoicePdf(document: InvoiceDocument): Promise<Buffer> {
  const words = invoiceWords(document)
  const paper = await openPaper({
    title: words.title,
    author: document.issuer.name,
    date: new Date(document.issued_at),
  })
  const { pdf, type, one, draw, drawAll, makeRoom, rule } = paper

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
      paper.y += leadingOf(TEXT)
    }
    paper.y += GAP_PT
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
    paper.y += leadingOf(SMALL) + 2
    rule(paper.y)
    paper.y += 5
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
      rule(paper.y + 1)
      paper.y += 6
    }
    makeRoom(words.sums.length * leadingOf(TOTAL) + 4)
    paper.y += 4
    for (const [row, [name, amount]] of words.sums.entries()) {
      const style = row === 0 ? TOTAL : TEXT
      draw(one(name, style), style, monthRightPt, 'right')
      draw(one(figure(amount), style), style, RIGHT_PT, 'right')
      paper.y += leadingOf(TOTAL)
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
    paper.y += GAP_PT
    // Kept together where it fits a page.
    makeRoom(Math.min(heightPt + GAP_PT, BOTTOM_PT - MARGIN_PT))
    rule(paper.y)
    paper.y += 10
    pdf.fillColor(INK)
    for (const { line, style } of rows) {
      makeRoom(leadingOf(style))
      drawAll([line], style, MARGIN_PT)
    }
  }

  paper.drawTitle(
    words.title,
    words.stamp === null ? undefined : { text: words.stamp, ink: STAMP_INKS[document.state] },
  )
  paper.drawFacts(words.facts)
  drawParties()
  drawLines()
  drawPayment()
  return paper.end()
}

/** The minus sign of mathematics is in no standard font; beside figures the hyphen does as well. */
function figure(amount: string | undefined): string {
  return (amount ?? '').replace('−', '-')
}

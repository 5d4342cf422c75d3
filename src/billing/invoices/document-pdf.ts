/** The invoice as a PDF: A4, any number of pages, the same bytes for the same document. */
import type { Maker } from '../../documents/maker.ts'
import { INK, leadingOf, openPaper, PAPER, STYLE } from '../../documents/pdf-paper.ts'
import { type InvoiceDocument, invoiceWords } from './document.ts'

const STAMP_INKS = { open: INK.text, paid: '#17692f', void: '#aa1111', refunded: '#7a4a00' } as const

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
    const columnPt = (PAPER.widthPt - PAPER.gapPt) / 2
    const columns = words.parties.map(({ role, name, lines }) => [
      { style: STYLE.small, ink: INK.grey, line: one(role, STYLE.small) },
      ...type.lines(name, STYLE.strong, columnPt).map((line) => ({ style: STYLE.strong, ink: INK.text, line })),
      ...lines
        .flatMap((text) => type.lines(text, STYLE.text, columnPt))
        .map((line) => ({ style: STYLE.text, ink: INK.text, line })),
    ])
    for (let row = 0; row < Math.max(...columns.map(({ length }) => length)); row++) {
      makeRoom(leadingOf(STYLE.text))
      for (const [column, cells] of columns.entries()) {
        const cell = cells[row]
        if (!cell) continue
        pdf.fillColor(cell.ink)
        draw(cell.line, cell.style, PAPER.leftPt + column * (columnPt + PAPER.gapPt))
      }
      paper.y += leadingOf(STYLE.text)
    }
    paper.y += PAPER.gapPt
  }

  const amountWidthPt = Math.max(
    ...[...words.lines, ...words.sums].map((row) => one(figure(row.at(-1)), STYLE.total)?.widthPt ?? 0),
  )
  const monthRightPt = PAPER.rightPt - Math.max(amountWidthPt, 60) - PAPER.gapPt
  const descriptionWidthPt = monthRightPt - 90 - PAPER.gapPt - PAPER.leftPt

  function drawHeader(): void {
    pdf.fillColor(INK.grey)
    const [description, month, amount] = words.header
    draw(one(description, STYLE.small), STYLE.small, PAPER.leftPt)
    draw(one(month, STYLE.small), STYLE.small, monthRightPt, 'right')
    draw(one(amount, STYLE.small), STYLE.small, PAPER.rightPt, 'right')
    paper.y += leadingOf(STYLE.small) + 2
    rule(paper.y)
    paper.y += 5
    pdf.fillColor(INK.text)
  }

  function drawLines(): void {
    makeRoom(4 * leadingOf(STYLE.text))
    drawHeader()
    for (const [description, month, amount] of words.lines) {
      const lines = type.lines(description, STYLE.text, descriptionWidthPt)
      // Keep a short description on one page; a longer one continues on the next.
      makeRoom(Math.min(lines.length, 10) * leadingOf(STYLE.text) + 5, drawHeader)
      draw(one(month, STYLE.text), STYLE.text, monthRightPt, 'right')
      draw(one(figure(amount), STYLE.text), STYLE.text, PAPER.rightPt, 'right')
      for (const line of lines) {
        makeRoom(leadingOf(STYLE.text), drawHeader)
        drawAll([line], STYLE.text, PAPER.leftPt)
      }
      rule(paper.y + 1)
      paper.y += 6
    }
    makeRoom(words.sums.length * leadingOf(STYLE.total) + 4)
    paper.y += 4
    for (const [row, [name, amount]] of words.sums.entries()) {
      const style = row === 0 ? STYLE.total : STYLE.text
      draw(one(name, style), style, monthRightPt, 'right')
      draw(one(figure(amount), style), style, PAPER.rightPt, 'right')
      paper.y += leadingOf(STYLE.total)
    }
  }

  function drawPayment(): void {
    if (!words.payment) return
    const { title, lines, reference } = words.payment
    const rows = [
      ...type.lines(title, STYLE.total, PAPER.widthPt).map((line) => ({ line, style: STYLE.total })),
      ...lines
        .flatMap((text) => type.lines(text, STYLE.text, PAPER.widthPt))
        .map((line) => ({ line, style: STYLE.text })),
      ...type.lines(reference, STYLE.strong, PAPER.widthPt).map((line) => ({ line, style: STYLE.strong })),
    ]
    const heightPt = rows.reduce((sum, { style }) => sum + leadingOf(style), 0)
    paper.y += PAPER.gapPt
    // Kept together where it fits a page.
    makeRoom(Math.min(heightPt + PAPER.gapPt, PAPER.bottomPt - PAPER.topPt))
    rule(paper.y)
    paper.y += 10
    pdf.fillColor(INK.text)
    for (const { line, style } of rows) {
      makeRoom(leadingOf(style))
      drawAll([line], style, PAPER.leftPt)
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

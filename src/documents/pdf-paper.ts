/** A PDF on A4 paper: margins, styles, pages that follow each other. The same content gives the same bytes. */
import { once } from 'node:events'
import type { Line, Style } from './pdf-text.ts'

const MARGIN_PT = 54
const PAGE_WIDTH_PT = 595.28
const PAGE_HEIGHT_PT = 841.89
export const PAPER = {
  leftPt: MARGIN_PT,
  topPt: MARGIN_PT,
  rightPt: PAGE_WIDTH_PT - MARGIN_PT,
  widthPt: PAGE_WIDTH_PT - 2 * MARGIN_PT,
  /** Lower end of the text area; the page number is below. */
  bottomPt: PAGE_HEIGHT_PT - MARGIN_PT - 18,
  gapPt: 18,
}

export const STYLE = {
  text: { size: 10 },
  strong: { size: 10, bold: true },
  small: { size: 8.5 },
  title: { size: 20, bold: true },
  total: { size: 12, bold: true },
} satisfies Record<string, Style>
export const INK = { text: '#111111', grey: '#555555', rule: '#cccccc' }

export const leadingOf = ({ size }: Style) => size * 1.45

export async function openPaper(about: { readonly title: string; readonly author: string; readonly date: Date }) {
  // Loaded with the first PDF, so that the server starts sooner.
  const [{ default: PDFDocument }, { createTypesetter }] = await Promise.all([
    import('pdfkit'),
    import('./pdf-text.ts'),
  ])
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: 'en-GB',
    displayTitle: true,
    // From 1.4 on the library adds XML that it does not escape: a name with & would spoil it.
    pdfVersion: '1.3',
    info: {
      Title: about.title,
      Author: about.author,
      Creator: 'Assay',
      // Fixed, so that the same document is the same file.
      CreationDate: about.date,
      ModDate: about.date,
    },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = once(pdf, 'end')
  const type = createTypesetter(pdf)

  const paper = {
    pdf,
    type,
    /** Distance of the next line from the upper end of the page. */
    y: PAPER.topPt,
    /** Starts a new page when less than this height is left. */
    makeRoom(heightPt: number, onNewPage?: () => void): void {
      if (paper.y + heightPt <= PAPER.bottomPt) return
      pdf.addPage()
      paper.y = PAPER.topPt
      onNewPage?.()
    },
    draw(line: Line | undefined, style: Style, xPt: number, align: 'left' | 'right' = 'left'): void {
      if (line) type.draw(line, align === 'right' ? xPt - line.widthPt : xPt, paper.y + style.size)
    },
    drawAll(lines: readonly Line[], style: Style, xPt: number): void {
      for (const line of lines) {
        paper.draw(line, style, xPt)
        paper.y += leadingOf(style)
      }
    },
    rule(yPt: number): void {
      pdf.moveTo(PAPER.leftPt, yPt).lineTo(PAPER.rightPt, yPt).lineWidth(0.5).strokeColor(INK.rule).stroke()
    },
    one: (text: string, style: Style) => type.lines(text, style, Number.MAX_SAFE_INTEGER)[0],
    /** The title, with a stamp in a frame beside it. */
    drawTitle(title: string, stamp: { readonly text: string; readonly ink: string } | undefined): void {
      const line = stamp && paper.one(stamp.text.toUpperCase(), STYLE.strong)
      const widthPt = line ? line.widthPt + 20 : 0
      const top = paper.y
      pdf.fillColor(INK.text)
      paper.drawAll(type.lines(title, STYLE.title, PAPER.widthPt - widthPt - PAPER.gapPt), STYLE.title, PAPER.leftPt)
      if (line) {
        pdf
          .roundedRect(PAPER.rightPt - widthPt, top, widthPt, 22, 3)
          .lineWidth(1.5)
          .strokeColor(stamp.ink)
          .stroke()
        pdf.fillColor(stamp.ink)
        type.draw(line, PAPER.rightPt - widthPt + 10, top + 14.5)
      }
      paper.y += 6
    },
    drawFacts(facts: readonly (readonly [name: string, value: string])[], nameWidthPt = 70): void {
      for (const [name, value] of facts) {
        const lines = type.lines(value, STYLE.text, PAPER.widthPt - nameWidthPt)
        paper.makeRoom(leadingOf(STYLE.text))
        pdf.fillColor(INK.grey)
        paper.draw(paper.one(name, STYLE.text), STYLE.text, PAPER.leftPt)
        pdf.fillColor(INK.text)
        for (const line of lines) {
          paper.makeRoom(leadingOf(STYLE.text))
          paper.drawAll([line], STYLE.text, PAPER.leftPt + nameWidthPt)
        }
      }
      paper.y += PAPER.gapPt
    },
    /** Numbers the pages, and returns the file. */
    async end(): Promise<Buffer> {
      const { start, count } = pdf.bufferedPageRange()
      pdf.fillColor(INK.grey)
      for (let number = 1; number <= count; number++) {
        pdf.switchToPage(start + number - 1)
        paper.y = PAGE_HEIGHT_PT - MARGIN_PT - STYLE.small.size
        paper.draw(type.lines(about.title, STYLE.small, PAPER.widthPt - 100)[0], STYLE.small, PAPER.leftPt)
        paper.draw(paper.one(`Page ${number} of ${count}`, STYLE.small), STYLE.small, PAPER.rightPt, 'right')
      }
      pdf.end()
      await ended
      return Buffer.concat(chunks)
    },
  }
  return paper
}

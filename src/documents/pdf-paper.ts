/** A PDF on A4 paper: margins, styles, pages that follow each other. The same content gives the same bytes. */
import { once } from 'node:events'
import type { Line, Style } from './pdf-text.ts'

export const MARGIN_PT = 54
const PAGE_WIDTH_PT = 595.28
const PAGE_HEIGHT_PT = 841.89
export const WIDTH_PT = PAGE_WIDTH_PT - 2 * MARGIN_PT
export const RIGHT_PT = PAGE_WIDTH_PT - MARGIN_PT
/** Lower end of the text area; the page number is below. */
export const BOTTOM_PT = PAGE_HEIGHT_PT - MARGIN_PT - 18
export const GAP_PT = 18

export const TEXT: Style = { size: 10 }
export const STRONG: Style = { size: 10, bold: true }
export const SMALL: Style = { size: 8.5 }
const TITLE: Style = { size: 20, bold: true }
export const TOTAL: Style = { size: 12, bold: true }
export const INK = '#111111'
export const GREY = '#555555'
const RULE = '#cccccc'

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
    y: MARGIN_PT,
    /** Starts a new page when less than this height is left. */
    makeRoom(heightPt: number, onNewPage?: () => void): void {
      if (paper.y + heightPt <= BOTTOM_PT) return
      pdf.addPage()
      paper.y = MARGIN_PT
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
      pdf.moveTo(MARGIN_PT, yPt).lineTo(RIGHT_PT, yPt).lineWidth(0.5).strokeColor(RULE).stroke()
    },
    one: (text: string, style: Style) => type.lines(text, style, Number.MAX_SAFE_INTEGER)[0],
    /** The title, with a stamp in a frame beside it. */
    drawTitle(title: string, stamp: { readonly text: string; readonly ink: string } | undefined): void {
      const line = stamp && paper.one(stamp.text.toUpperCase(), STRONG)
      const widthPt = line ? line.widthPt + 20 : 0
      const top = paper.y
      pdf.fillColor(INK)
      paper.drawAll(type.lines(title, TITLE, WIDTH_PT - widthPt - GAP_PT), TITLE, MARGIN_PT)
      if (line) {
        pdf
          .roundedRect(RIGHT_PT - widthPt, top, widthPt, 22, 3)
          .lineWidth(1.5)
          .strokeColor(stamp.ink)
          .stroke()
        pdf.fillColor(stamp.ink)
        type.draw(line, RIGHT_PT - widthPt + 10, top + 14.5)
      }
      paper.y += 6
    },
    drawFacts(facts: readonly (readonly [name: string, value: string])[], nameWidthPt = 70): void {
      for (const [name, value] of facts) {
        const lines = type.lines(value, TEXT, WIDTH_PT - nameWidthPt)
        paper.makeRoom(leadingOf(TEXT))
        pdf.fillColor(GREY)
        paper.draw(paper.one(name, TEXT), TEXT, MARGIN_PT)
        pdf.fillColor(INK)
        for (const line of lines) {
          paper.makeRoom(leadingOf(TEXT))
          paper.drawAll([line], TEXT, MARGIN_PT + nameWidthPt)
        }
      }
      paper.y += GAP_PT
    },
    /** Numbers the pages, and returns the file. */
    async end(): Promise<Buffer> {
      const { start, count } = pdf.bufferedPageRange()
      pdf.fillColor(GREY)
      for (let number = 1; number <= count; number++) {
        pdf.switchToPage(start + number - 1)
        paper.y = PAGE_HEIGHT_PT - MARGIN_PT - SMALL.size
        paper.draw(type.lines(about.title, SMALL, WIDTH_PT - 100)[0], SMALL, MARGIN_PT)
        paper.draw(paper.one(`Page ${number} of ${count}`, SMALL), SMALL, RIGHT_PT, 'right')
      }
      pdf.end()
      await ended
      return Buffer.concat(chunks)
    },
  }
  return paper
}

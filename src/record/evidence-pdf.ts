/** The evidence of a check as a PDF, for auditors: question, answer, decision, and the receipt as a QR code. */
import { encode } from 'uqr'
import type { Maker } from '../documents/maker.ts'
import { INK, leadingOf, openPaper, PAPER, STYLE } from '../documents/pdf-paper.ts'

export interface Evidence {
  readonly title: string
  readonly author: string
  readonly madeAtMs: number
  readonly risk: 'low' | 'medium' | 'high'
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly sections: readonly {
    readonly title: string
    readonly rows: readonly (readonly [text: string, figure: string])[]
  }[]
  readonly link: string
  readonly linkWords: string
}

const INKS = { low: '#17692f', medium: '#7a4a00', high: '#aa1111' } as const
const NAME_WIDTH_PT = 110
const MODULE_PT = 1.7
/** Light modules around the code, which readers need to find it. */
const BORDER = 4

export const evidencePdfMaker: Maker<Evidence, undefined> = {
  module: import.meta.url,
  name: 'evidencePdfMaker',
  make: async (_sql, evidence) => ({ head: undefined, bytes: new Uint8Array(await evidencePdf(evidence)) }),
}

export async function evidencePdf(evidence: Evidence): Promise<Buffer> {
  const { title, author, risk } = evidence
  const paper = await openPaper({ title, author, date: new Date(evidence.madeAtMs) })
  const { pdf, type, one, draw, drawAll, makeRoom, rule } = paper
  paper.drawTitle(title, { text: risk, ink: INKS[risk] })
  paper.drawFacts(evidence.facts, NAME_WIDTH_PT)

  for (const { title: heading, rows } of evidence.sections) {
    makeRoom(leadingOf(STYLE.total) + 2 * leadingOf(STYLE.text))
    pdf.fillColor(INK.text)
    drawAll(type.lines(heading, STYLE.total, PAPER.widthPt), STYLE.total, PAPER.leftPt)
    for (const [text, figure] of rows) {
      makeRoom(leadingOf(STYLE.text))
      draw(one(figure, STYLE.text), STYLE.text, PAPER.rightPt, 'right')
      for (const line of type.lines(text, STYLE.text, PAPER.widthPt - 60)) {
        makeRoom(leadingOf(STYLE.text))
        drawAll([line], STYLE.text, PAPER.leftPt)
      }
    }
    paper.y += PAPER.gapPt
  }

  const { size, data } = encode(evidence.link, { ecc: 'L', border: BORDER })
  const sidePt = size * MODULE_PT
  const words = type.lines(evidence.linkWords, STYLE.small, PAPER.widthPt)
  makeRoom(Math.min(sidePt + words.length * leadingOf(STYLE.small) + PAPER.gapPt, PAPER.bottomPt - PAPER.topPt))
  rule(paper.y)
  paper.y += 8
  pdf.fillColor(INK.grey)
  drawAll(words, STYLE.small, PAPER.leftPt)
  for (const [row, modules] of data.entries()) {
    for (let from = modules.indexOf(true); from >= 0; ) {
      const light = modules.indexOf(false, from)
      const to = light < 0 ? size : light
      pdf.rect(PAPER.leftPt + from * MODULE_PT, paper.y + row * MODULE_PT, (to - from) * MODULE_PT, MODULE_PT)
      from = modules.indexOf(true, to)
    }
  }
  pdf.fill('#000000')
  // The code leads to the page, too, for those who read the file on a screen.
  pdf.link(PAPER.leftPt, paper.y, sidePt, sidePt, evidence.link)
  paper.y += sidePt
  return paper.end()
}

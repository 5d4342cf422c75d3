/** The evidence of a check as a PDF, for auditors: question, answer, decision, and the receipt as a QR code. */
import { encode } from 'uqr'
import type { Maker } from '../documents/maker.ts'
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
  TEXT,
  TOTAL,
  WIDTH_PT,
} from '../documents/pdf-paper.ts'

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
  /** Address of the page that verifies the receipt in it. */
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
    makeRoom(leadingOf(TOTAL) + 2 * leadingOf(TEXT))
    pdf.fillColor(INK)
    drawAll(type.lines(heading, TOTAL, WIDTH_PT), TOTAL, MARGIN_PT)
    for (const [text, figure] of rows) {
      makeRoom(leadingOf(TEXT))
      draw(one(figure, TEXT), TEXT, RIGHT_PT, 'right')
      for (const line of type.lines(text, TEXT, WIDTH_PT - 60)) {
        makeRoom(leadingOf(TEXT))
        drawAll([line], TEXT, MARGIN_PT)
      }
    }
    paper.y += GAP_PT
  }

  const { size, data } = encode(evidence.link, { ecc: 'L', border: BORDER })
  const sidePt = size * MODULE_PT
  const words = type.lines(evidence.linkWords, SMALL, WIDTH_PT)
  makeRoom(Math.min(sidePt + words.length * leadingOf(SMALL) + GAP_PT, BOTTOM_PT - MARGIN_PT))
  rule(paper.y)
  paper.y += 8
  pdf.fillColor(GREY)
  drawAll(words, SMALL, MARGIN_PT)
  for (const [row, modules] of data.entries()) {
    for (let from = modules.indexOf(true); from >= 0; ) {
      const light = modules.indexOf(false, from)
      const to = light < 0 ? size : light
      pdf.rect(MARGIN_PT + from * MODULE_PT, paper.y + row * MODULE_PT, (to - from) * MODULE_PT, MODULE_PT)
      from = modules.indexOf(true, to)
    }
  }
  pdf.fill('#000000')
  // The code leads to the page, too, for those who read the file on a screen.
  pdf.link(MARGIN_PT, paper.y, sidePt, sidePt, evidence.link)
  paper.y += sidePt
  return paper.end()
}

import { Unzlib } from 'fflate'
import { getDocument, type PDFDocumentProxy } from 'unpdf/pdfjs'
import type { Row } from './csv.ts'
import { ListProblem } from './problem.ts'
import { findInside } from './recognise.ts'
import { counted, Tally } from './tally.ts'

/** Reads the text of a PDF into the table of its indicators, each with the line that it stands in. */

const FILE_BYTES_MAX = 30 * 1024 * 1024
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024
const PAGES_MAX = 1000
const LINES_MAX = 200_000
const LINE_LENGTH_SHOWN = 200

const unreadable = () =>
  new ListProblem('This PDF is damaged or has a password. Copy its text, or save the list as CSV or as a workbook.')
const tooLarge = () => new ListProblem('This PDF is too large. Save the list as CSV or as a workbook (.xlsx).')

export async function readPdf(bytes: Uint8Array): Promise<{ readonly rows: Row[]; readonly notes: readonly string[] }> {
  if (bytes.length > FILE_BYTES_MAX) throw tooLarge()
  limitUnpacked(bytes)
  // A copy: the library takes the memory of the bytes that it is given.
  const pdf = await getDocument({ data: new Uint8Array(bytes), isEvalSupported: false, verbosity: 0 }).promise.catch(
    () => {
      throw unreadable()
    },
  )
  try {
    if (pdf.numPages > PAGES_MAX) throw tooLarge()
    const found = new Tally('In the line')
    let lines = 0
    let letters = 0
    for (let number = 1; number <= pdf.numPages; number++) {
      for (const line of await linesOf(pdf, number)) {
        if (++lines > LINES_MAX) throw tooLarge()
        letters += line.length
        for (const one of findInside(line)) found.add(one, line.slice(0, LINE_LENGTH_SHOWN), lines)
      }
    }
    if (letters === 0) throw new ListProblem('This PDF holds pictures and no text, like a scan. Save the list as CSV.')
    const note = `Read as the text of a PDF, ${pdf.numPages === 1 ? '1 page' : `${counted(pdf.numPages)} pages`}: each address stands here once.`
    return { rows: found.rows(), notes: [note, ...found.notes()] }
  } finally {
    await pdf.destroy()
  }
}

async function linesOf(pdf: PDFDocumentProxy, number: number): Promise<string[]> {
  try {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
    return text.split('\n').map((line) => line.trim())
  } catch {
    throw unreadable()
  }
}

/** The library unpacks every part as a whole, and a file of some kilobytes can hold gigabytes: count before. */
function limitUnpacked(bytes: Uint8Array): void {
  const text = new TextDecoder('latin1').decode(bytes)
  let left = UNPACKED_BYTES_MAX
  let end = 0
  for (let begin = text.indexOf('stream', end); begin >= 0; begin = text.indexOf('stream', end)) {
    const from = begin + 'stream'.length + (text.startsWith('\r\n', begin + 'stream'.length) ? 2 : 1)
    end = text.indexOf('endstream', from)
    if (end < 0) end = bytes.length
    const inflate = new Unzlib((piece) => {
      left -= piece.length
    })
    try {
      for (let at = from; at < end && left >= 0; at += SLICE_BYTES) {
        inflate.push(bytes.subarray(at, Math.min(end, at + SLICE_BYTES)))
      }
    } catch {
      // Packed in another way, or not at all.
    }
    if (left < 0) throw tooLarge()
    end += 'endstream'.length
  }
}

const SLICE_BYTES = 16_384

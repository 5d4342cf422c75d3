import { strToU8, type Zippable, zipSync } from 'fflate'
import { CELL_LENGTH_MAX, COLUMNS_MAX, type Row } from './csv.ts'
import { CELLS_MAX, type OpenWorkbook, openOds } from './ods.ts'
import { type ListBounds, ListProblem, tooManyRows } from './problem.ts'
import { type Archive, damaged, joined, openArchive, tooLarge, walkFile } from './unzip.ts'
import { escapeXml, type Tag } from './xml.ts'

/** Workbooks as Excel, LibreOffice, Numbers and Google write them (ECMA-376): values without formulas and formats. */
export type Sheet = { readonly name: string; readonly sheets: readonly string[]; readonly rows: readonly Row[] }

/** Real workbooks unpack to some twenty times their size; a file made to exhaust its reader, to a thousand times. */
const UNPACKED_TIMES_MAX = 100
const UNPACKED_BYTES_FREE = 32 * 1024 * 1024
const UNPACKED_BYTES_MAX = 256 * 1024 * 1024
const SHEETS_MAX = 100
const TEXTS_MAX = 2_000_000

const HEAD_ROWS = 200

/**
 * Reads the wanted sheet, by its name or its number from 1; by default the sheet that `worth` rates highest by its
 * first rows, and the first one in a tie. An empty sheet is rated below all others. Every limit is checked while the
 * file is unpacked.
 */
export function readXlsx(
  bytes: Uint8Array,
  bounds: ListBounds,
  { wanted, worth = () => 0 }: { readonly wanted?: string | undefined; readonly worth?: (head: Row[]) => number } = {},
): Sheet {
  const unpackedMax = Math.min(UNPACKED_BYTES_MAX, UNPACKED_BYTES_FREE + UNPACKED_TIMES_MAX * bytes.length)
  const archive = openArchive(bytes, unpackedMax)
  const { sheets, read } = openOds(archive, bounds) ?? openXlsx(archive, bounds)
  let best: { name: string; at: number; worth: number } | undefined
  for (const at of wanted === undefined ? sheets.keys() : [sheetNamed(sheets, wanted)]) {
    const head = wanted === undefined && sheets.length > 1 ? read(at, HEAD_ROWS) : []
    const one = { name: sheets[at]!, at, worth: head.length > 0 ? worth(head) : -1 }
    if (!best || one.worth > best.worth) best = one
  }
  const { name, at } = best!
  return { name, sheets, rows: read(at) }
}

function openXlsx(archive: Archive, bounds: ListBounds): OpenWorkbook {
  const { sheets, startsIn1904 } = readWorkbook(archive)
  const context = readContext(archive, startsIn1904, bounds)
  return { sheets: sheets.map(({ name }) => name), read: (at, rows) => readSheet(sheets[at]!.path, context, rows) }
}

function sheetNamed(sheets: readonly string[], wanted: string): number {
  const named = sheets.findIndex((name) => name.trim().toLowerCase() === wanted.trim().toLowerCase())
  const found = named >= 0 ? named : /^\d{1,4}$/.test(wanted) ? Number(wanted) - 1 : -1
  if (sheets[found] !== undefined) return found
  const names = sheets.map((name) => `“${name}”`).join(', ')
  throw new ListProblem(`There is no sheet ${JSON.stringify(wanted)}. Its sheets: ${names}.`)
}

function readWorkbook(archive: Archive) {
  const targets = new Map<string, string>()
  walkFile(archive, 'xl/_rels/workbook.xml.rels', (tag) => {
    if (tag.name === 'Relationship') targets.set(tag.attribute('id') ?? '', tag.attribute('target') ?? '')
  })
  const sheets: { name: string; path: string }[] = []
  let startsIn1904 = false
  walkFile(archive, 'xl/workbook.xml', (tag) => {
    if (tag.name === 'workbookPr' && /^(1|true)$/.test(tag.attribute('date1904') ?? '')) startsIn1904 = true
    if (tag.name !== 'sheet' || (tag.attribute('state') ?? 'visible') !== 'visible') return
    const target = targets.get(tag.attribute('id') ?? '')
    if (target === undefined || sheets.length === SHEETS_MAX) return
    sheets.push({ name: tag.attribute('name') ?? '', path: target.startsWith('/') ? target.slice(1) : `xl/${target}` })
  })
  if (sheets.length === 0) throw new ListProblem('This file is not a workbook, or none of its sheets can be read.')
  return { sheets, startsIn1904 }
}

function readSharedTexts(archive: Archive): string[] {
  const texts: string[] = []
  const reader = createTextReader()
  walkFile(
    archive,
    'xl/sharedStrings.xml',
    (tag) => {
      reader.tag(tag)
      if (tag.name !== 'si' || !(tag.closes || tag.empty)) return
      if (texts.length === TEXTS_MAX) throw tooLarge()
      texts.push(reader.take())
    },
    reader.text,
  )
  return texts
}

/** Joins the runs of each text; skips the pronunciation guide above it (rPh). */
function createTextReader() {
  let text = ''
  let inText = false
  let aloud = false
  return {
    tag({ name, closes, empty }: Tag) {
      if (name === 'rPh') aloud = !closes && !empty
      if (name === 't') inText = !closes && !empty
    },
    text(part: string) {
      if (inText && !aloud) text = grown(text, part)
    },
    take(): string {
      const taken = text
      text = ''
      return unescapeCell(taken)
    },
  }
}

function grown(text: string, part: string): string {
  if (text.length + part.length <= CELL_LENGTH_MAX) return text + part
  throw new ListProblem(`This workbook has a value that is longer than ${CELL_LENGTH_MAX} characters.`)
}

function readDateStyles(archive: Archive): ReadonlySet<number> {
  const ownFormats = new Map<number, string>()
  const dates = new Set<number>()
  let inCellStyles = false
  let style = 0
  walkFile(archive, 'xl/styles.xml', (tag) => {
    if (tag.name === 'numFmt') ownFormats.set(Number(tag.attribute('numfmtid')), tag.attribute('formatcode') ?? '')
    if (tag.name === 'cellXfs') inCellStyles = !tag.closes
    if (tag.name !== 'xf' || tag.closes || !inCellStyles) return
    const format = Number(tag.attribute('numfmtid') ?? 0)
    if (isDateFormat(format, ownFormats.get(format))) dates.add(style)
    style++
  })
  return dates
}

function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58)
  // Remove colours, conditions and quoted words from the pattern.
  return /[dmyhs]/i.test(code.replace(/\[[^\]]*\]|"[^"]*"|\\./g, '')) && !/^General/i.test(code)
}

type SheetContext = ReturnType<typeof readContext>

function readContext(archive: Archive, startsIn1904: boolean, bounds: ListBounds) {
  return { archive, texts: readSharedTexts(archive), dates: readDateStyles(archive), startsIn1904, bounds }
}

function readSheet(path: string, context: SheetContext, rowsWanted = Number.POSITIVE_INFINITY): Row[] {
  const rows: Row[] = []
  const texts = createTextReader()
  let line = 0
  let cells: string[] = []
  let column = -1
  let type = ''
  let style = 0
  let value = ''
  let inValue = false
  let complete = false
  // Rows and cells without a value count too: they take as long to read.
  let rowsSeen = 0
  let cellsSeen = 0
  let cellsLeft = CELLS_MAX
  const endCell = () => {
    const text = type === 'inlineStr' ? texts.take() : cellText(type, value, style, context)
    if (text === '') return
    while (cells.length < column) cells.push('')
    cells[column] = text
  }
  const endRow = () => {
    if (cells.some((cell) => cell.trim() !== '')) {
      // Empty cells at the end are not stored: fill each row up to the length of the first.
      while (cells.length < (rows[0]?.cells.length ?? 0)) cells.push('')
      rows.push({ line, cells })
      cellsLeft -= cells.length
    }
    cells = []
    column = -1
    if (rows.length > context.bounds.rowsMax + 1) throw tooManyRows(context.bounds)
    if (cellsLeft < 0) throw tooLarge()
    complete ||= rows.length >= rowsWanted
    return rows.length < rowsWanted
  }
  const found = walkFile(
    context.archive,
    path,
    (tag) => {
      texts.tag(tag)
      if (tag.name === 'row') {
        if (tag.closes) return endRow()
        if (++rowsSeen > XLSX_MAX.rows) throw tooManyRows(context.bounds)
        line = Number(tag.attribute('r')) || line + 1
      } else if (tag.name === 'c') {
        if (tag.closes) return endCell()
        if (++cellsSeen > CELLS_MAX) throw tooLarge()
        column = columnOf(tag.attribute('r')) ?? column + 1
        if (column >= COLUMNS_MAX) throw new ListProblem(`there are more than ${COLUMNS_MAX} columns.`, line)
        type = tag.attribute('t') ?? 'n'
        style = Number(tag.attribute('s') ?? 0)
        value = ''
      } else if (tag.name === 'v') inValue = !tag.closes && !tag.empty
      else if (tag.name === 'sheetData') complete = tag.closes || tag.empty
    },
    (text) => {
      if (inValue) value = grown(value, text)
      else texts.text(text)
    },
  )
  if (found && !complete) throw damaged()
  return rows
}

/** `BC12` is in column 54, counted from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function columnName(column: number): string {
  const before = Math.floor(column / 26)
  return (before > 0 ? columnName(before - 1) : '') + String.fromCharCode(65 + (column % 26))
}

function cellText(type: string, value: string, style: number, { texts, dates, startsIn1904 }: SheetContext): string {
  if (type === 's') return texts[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : value === '' ? '' : 'FALSE'
  if (type === 'str') return unescapeCell(value)
  if (type !== 'n' || value === '') return value
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  return dates.has(style) ? (dateText(number, startsIn1904) ?? String(number)) : String(number)
}

const DAY_MS = 86_400_000

/** As ISO 8601 without a time zone: workbooks have none. */
function dateText(days: number, startsIn1904: boolean): string | undefined {
  // Day 60 is 29 February 1900, which never existed: days before it count from one day later.
  const start = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const ms = start + Math.round(days * DAY_MS)
  if (days < 0 || ms > 253_402_300_799_999) return undefined
  const text = new Date(ms).toISOString()
  if (days < 1) return text.slice(11, 19)
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}

/** Limits of a sheet: rows with the titles, columns, and characters in a cell. */
export const XLSX_MAX = { rows: 1_048_576, columns: 16_384, cell: 32_767 } as const
const CHUNK_ROWS = 5000

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
export const XLSX_MIME_TYPE = `${TYPE}.sheet`

const relations = (type: string, target: string) =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`

const FILES: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
  'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml'),
  'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Assay" sheetId="1" r:id="rId1"/></sheets></workbook>`,
}

/** No cell can run as a formula. `onCut` gets the name, such as B7, of each cell that is too long and is truncated. */
export function writeXlsx(
  rows: Iterable<readonly (string | number)[]>,
  onCut: (cell: string) => void = () => {},
): Uint8Array {
  const parts = [
    `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`,
  ]
  let chunk: string[] = []
  let line = 0
  for (const row of rows) {
    if (++line > XLSX_MAX.rows) throw new ListProblem('A workbook has at most 1,048,576 rows. Write CSV instead.')
    if (row.length > XLSX_MAX.columns) throw new ListProblem('A sheet has at most 16,384 columns. Write CSV instead.')
    const cells = row.map((cell, column) => cellXml(`${columnName(column)}${line}`, cell, onCut))
    chunk.push(`<row r="${line}">${cells.join('')}</row>`)
    if (chunk.length < CHUNK_ROWS) continue
    parts.push(chunk.join(''))
    chunk = []
  }
  parts.push(chunk.join(''), '</sheetData></worksheet>')
  const files: Zippable = {}
  for (const [name, text] of Object.entries(FILES)) files[name] = strToU8(text)
  files['xl/worksheets/sheet1.xml'] = joined(parts.map((part) => strToU8(part)))
  // The lowest level is the fastest, and cells shrink nearly as much: 800,000 to 6.1 MB instead of 5.0.
  return zipSync(files, { level: 1 })
}

function cellXml(reference: string, cell: string | number, onCut: (cell: string) => void): string {
  if (typeof cell === 'number' && Number.isFinite(cell)) return `<c r="${reference}"><v>${cell}</v></c>`
  const text = String(cell)
  if (text === '') return ''
  const tooLong = text.length > XLSX_MAX.cell
  if (tooLong) onCut(reference)
  const shown = tooLong ? `${text.slice(0, XLSX_MAX.cell - 1)}…` : text
  const safe = /^[\w ./:@+-]*$/.test(shown) && !shown.includes('_x') ? shown : escapeXml(escapeCell(shown))
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${safe}</t></is></c>`
}

/** XML has no control characters, and its parsers change a carriage return: the format writes them as _x000D_. */
function escapeCell(text: string): string {
  return text
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[^\t\n\x20-\ufffd\u{10000}-\u{10ffff}]/gu, (character) => {
      return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
    })
}

const unescapeCell = (text: string) =>
  text.includes('_x')
    ? text.replace(/_x([\da-f]{4})_/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

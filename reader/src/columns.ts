import type { Kind } from '@assay/sdk'
import type { Row } from './csv.ts'
import { checkable, type Indicator, indicatorKey, isIndicator, type Recognised } from './indicator.ts'
import { directionOf, findInLogLine } from './log.ts'
import { findInside, recognise, recogniseAs } from './recognise.ts'
import { WORDS_AROUND } from './token.ts'

/** Finds the column of a list that holds the indicators, their kind, and whether the first row holds titles. */

/** The meaning of each title of a table such as `{ email: 'e-mail|mail' }`. */
export const byTitle = <Meaning extends string>(titles: Readonly<Record<Meaning, string>>) =>
  new Map(
    (Object.entries(titles) as [Meaning, string][]).flatMap(([meaning, words]) =>
      words.split('|').map((title): [string, Meaning] => [title, meaning]),
    ),
  )

const TITLES = byTitle<Kind>({
  email:
    'email|emails|e-mail|e-mails|mail|email address|e-mail address|e-mail-adresse|correo|correo electrónico|courriel|adresse e-mail|indirizzo e-mail|почта|эл. почта|メール|メールアドレス|邮箱|电子邮件',
  domain: 'domain|domains|hostname|host|dominio|domaine|домен|ドメイン|域名',
  ip: 'ip|ips|ip address|ip-address|ip-adresse|adresse ip|dirección ip|indirizzo ip|ip-адрес|ipアドレス|ip地址',
})

/** Such a column usually accompanies the list and is not the list itself: these titles do not select a column. */
const SITE_TITLE = /^(?:web|website|site|url|homepage|webseite|internetseite|sito|сайт|ホームページ|网站)$/i

export const SAMPLE_ROWS = 200

export const kindOfTitle = (title: string | undefined): Kind | undefined =>
  TITLES.get((title ?? '').trim().toLowerCase().replaceAll('_', ' '))

/** A column with values of any kind. */
const isMixedTitle = (title: string | undefined) => /^\s*(?:indicators?|iocs?|observables?)\s*$/i.test(title ?? '')
const isTitled = (title: string | undefined) => isMixedTitle(title) || kindOfTitle(title) !== undefined

/** A column to check. Without a kind, each cell has its own kind. */
export interface CheckedColumn {
  readonly column: number
  readonly kind?: Kind | undefined
}

export interface ColumnGuess extends CheckedColumn {
  /** False when another column holds at least half as many indicators. */
  readonly sure: boolean
}

/** The number of cells of each kind in the first rows of a column, highest first. */
export function kindsIn(rows: readonly Row[], column: number): { kind: Kind; cells: number }[] {
  const counts = new Map<Kind, number>()
  for (const { cells } of rows.slice(0, SAMPLE_ROWS)) {
    for (const kind of kindsOf(cells[column] ?? '')) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return [...counts].map(([kind, cells]) => ({ kind, cells })).sort((a, b) => b.cells - a.cells)
}

/** The kind of the title where the cells fit, otherwise of most cells; none when many cells are of another kind. */
export function kindOfColumn(rows: readonly Row[], column: number): { readonly kind: Kind | undefined } | undefined {
  const title = rows[0]?.cells[column]
  if (isMixedTitle(title)) return { kind: undefined }
  const named = kindOfTitle(title)
  const kinds = kindsIn(hasTitles(rows, column) ? rows.slice(1) : rows, column)
  const all = kinds.reduce((sum, { cells }) => sum + cells, 0)
  const fitting = kinds.filter(({ kind }) => kind === named || (named === 'domain' && kind === 'email'))
  if (named && fitting.reduce((sum, { cells }) => sum + cells, 0) * 2 >= all) return { kind: named }
  const [best, second] = kinds
  return best && { kind: second && second.cells * 4 > best.cells ? undefined : best.kind }
}

/** A line of a log: `name=value`, JSON, or a time of day. */
const OF_LINE = /(?:^|[\s,;])[\w.-]+=\S|^\s*\{|\d:\d\d:\d\d(?![\d:])/
/** A sentence: so many words in all, or so many in small letters, unlike those of a name. */
const WORDS = { all: 6, small: 3 }

/** The kinds of the values of a record; none for a text with addresses in it. */
function kindsOf(cell: string): ReadonlySet<Kind> {
  const one = recognise(cell)
  const found = isIndicator(one) ? [one] : severalIn(cell)
  const isWhole = isIndicator(one) && !one.notes.includes(WORDS_AROUND)
  const words = isWhole ? [] : cell.split(/\s+/)
  const isSentence =
    words.length - found.length >= WORDS.all || words.filter((word) => /^\p{Ll}+$/u.test(word)).length >= WORDS.small
  return new Set(isSentence || OF_LINE.test(cell) ? [] : found.map(({ kind }) => kind))
}

/** True for a list of records. A text has addresses inside of its lines, and events have them on two sides. */
export function isTable(all: readonly Row[]): boolean {
  const rows = all.slice(headingRows(all))
  const guess = guessColumn(rows)
  if (!guess || isEvents(rows)) return false
  if (isTitled(rows[0]?.cells[guess.column])) return true
  // Without titles two columns of IP addresses are the sides of the traffic, and a single line of emails is a list of recipients.
  const kinds = looksOf(rows).flatMap(({ kind }) =>
    kind === 'ip' || (kind === 'email' && rows.length === 1) ? kind : [],
  )
  if (new Set(kinds).size < kinds.length && !hasTitles(rows, guess.column)) return false
  const isRecord = ({ cells }: Row) => kindsOf(cells[guess.column] ?? '').size > 0
  const inText = rows.filter((row) => !isRecord(row) && findInLogLine(row.cells.join(' ')).length > 0)
  return inText.length < rows.filter(isRecord).length
}

/** True for rows below titles that name the sides of the traffic. */
export function isEvents(rows: readonly Row[]): boolean {
  const sides = looksOf(rows).filter(({ kind }) => kind === 'ip')
  return sides.length > 1 && sides.some(({ column }) => directionOf(rows[0]?.cells[column] ?? '') !== '')
}

export function guessColumn(rows: readonly Row[]): ColumnGuess | undefined {
  const titles = rows[0]?.cells ?? []
  const titled = titles.flatMap((title, column) => (isTitled(title) ? column : []))
  // The first row may hold titles, and some titles look like sites: it counts only if no indicators are below it.
  const below = looksOf(rows.slice(1))
  const looks = below.length > 0 ? below : looksOf(rows)
  // In a tie the leftmost column wins.
  const best = looks.reduce((most, look) => (look.cells > most.cells ? look : most), {
    column: titled[0] ?? -1,
    cells: 0,
  })
  const rivals =
    looks.length === 0 ? titled : looks.flatMap(({ column, cells }) => (cells * 2 >= best.cells ? column : []))
  const named = rivals.filter((column) => titled.includes(column))
  const column = named.length === 1 ? named[0]! : best.column
  const found = kindOfColumn(rows, column)
  return found && { column, ...found, sure: rivals.length === 1 || named.length === 1 }
}

function looksOf(rows: readonly Row[]): { column: number; kind: Kind; cells: number }[] {
  return Array.from({ length: widthOf(rows) }, (_, column) => {
    const [most] = kindsIn(rows, column)
    return most ? [{ column, ...most }] : []
  }).flat()
}

export const widthOf = (rows: readonly Row[]) =>
  rows.slice(0, SAMPLE_ROWS).reduce((most, { cells }) => Math.max(most, cells.length), 0)

const TITLE = /^[*#(]?\p{L}[\p{L}\p{M}\p{N}\s_()/#.:?,&*'’-]*$/u

/** True when the first row holds titles. An invalid record such as `jane@` is a record and is reported as invalid. */
export function hasTitles(rows: readonly Row[], column: number): boolean {
  if (rows[0]?.isTitles) return true
  const cell = rows[0]?.cells[column]?.trim() ?? ''
  if (isTitled(cell)) return true
  const [most] = kindsIn(rows.slice(1), column)
  // Programs leave out the title of their last column.
  const named = rows[0]?.cells.filter((other) => other.trim() !== '') ?? []
  if (most && cell === '' && named.length > 1) return named.every((other) => TITLE.test(other.trim()))
  if (!most || !TITLE.test(cell)) return false
  const found = recognise(cell)
  return !isIndicator(found) || standsApart(rows.slice(0, SAMPLE_ROWS), column, found.kind !== most.kind)
}

/** A note for a first row that was skipped as titles but may be a record: no record is dropped silently. */
export function titleNotes(rows: readonly Row[], column: number): string[] {
  const cell = rows[0]?.cells[column]?.trim() ?? ''
  return !rows[0]?.isTitles && isIndicator(recognise(cell))
    ? [`The first line was treated as titles: ${cell} is not checked.`]
    : []
}

/** `Account.Website` may be a title or a site: at least two features must distinguish it from the rows below. */
function standsApart([first, ...below]: readonly Row[], column: number, otherKind: boolean): boolean {
  const hardly = (holds: (row: Row) => boolean) => below.filter(holds).length * 10 <= below.length
  const cell = first?.cells[column]?.trim() ?? ''
  const lastPart = cell.slice(cell.lastIndexOf('.') + 1)
  const capitalised = ({ cells }: Row) =>
    /^\p{Lu}\p{Ll}[\p{L}_-]*(?:\.\p{Lu}\p{Ll}[\p{L}_-]*)+$/u.test(cells[column]?.trim() ?? '')
  const prefixed = ({ cells }: Row) => {
    const [prefix] = (cells[column] ?? '').split('.')
    return cells.some((other, at) => at !== column && other.startsWith(`${prefix}.`))
  }
  const words = (text: string | undefined) => /^\p{L}[^\d@:/]*$/u.test(text ?? '')
  return (
    [
      kindOfTitle(lastPart) !== undefined || SITE_TITLE.test(lastPart),
      capitalised(first!) && hardly(capitalised),
      prefixed(first!) && hardly(prefixed),
      first!.cells.some((other, at) => at !== column && words(other) && hardly(({ cells }) => words(cells[at]))),
      otherKind,
    ].filter(Boolean).length >= 2
  )
}

/** Titles are looked for in this many rows: programs write their name and the date above them. */
const HEADING_ROWS_MAX = 20

/** The number of rows above the titles. They have fewer cells than the table, and none of its indicators. */
export function headingRows(rows: readonly Row[]): number {
  const sample = rows.slice(0, SAMPLE_ROWS)
  const filled = sample.map(({ cells }) => cells.filter((cell) => cell.trim() !== '').length)
  const usual = filled.toSorted((a, b) => a - b)[filled.length >> 1] ?? 0
  const isTitle = (cell: string) => isTitled(cell) || SITE_TITLE.test(cell.trim())
  const named = sample.slice(0, HEADING_ROWS_MAX).findIndex(({ cells }) => cells.some(isTitle))
  const full = filled.slice(0, HEADING_ROWS_MAX).findIndex((cells) => cells * 2 >= usual)
  const at = named > 0 ? named : usual > 2 ? full : 0
  const isAbove = ({ cells }: Row) => !cells.some((cell) => isIndicator(recognise(cell)))
  return at > 0 && sample.slice(0, at).every(isAbove) ? at : 0
}

export function headingNotes(rows: readonly Row[], heading: number): string[] {
  return heading === 0 ? [] : [`The titles are in line ${rows[heading]?.line}; the lines above were left out.`]
}

const TOTALS = /^(?:grand |sub)?total\b|^(?:zwischen)?summe\b|^gesamt|^totale?\b|^somme\b|^suma\b/i

/**
 * The indicators of a cell, or why it has none. Nothing for an empty cell, also where the row ends before the column:
 * spreadsheets leave out empty cells.
 */
export function readCell({ cells }: Row, { column, kind }: CheckedColumn): readonly Recognised[] {
  const text = cells[column]?.trim() ?? ''
  if (text === '' || NO_VALUE.test(text)) return []
  const read = (one: string) => (kind ? recogniseAs(kind, one) : recognise(one))
  const each = partsOf(text).map(read)
  if (each.length > 1 && each.every(isIndicator)) return oncePerSite(each).map(checkable)
  const found = checkable(read(text))
  if (isIndicator(found)) return [found]
  // A text with addresses of other kinds, such as a login and its address, has those of the kind.
  const several = severalIn(text)
  const wanted = several.map((one) => (kind ? recogniseAs(kind, one.value) : one)).filter(isIndicator)
  if (several.length > 1 && wanted.length > 0) return oncePerSite(wanted).map(checkable)
  if (cells.some((cell) => TOTALS.test(cell.trim()))) return [{ ...found, problem: 'This row holds totals.' }]
  return [found]
}

/** Written into a cell so that it is not empty. */
export const NO_VALUE = /^(?:[-–—.?]+|n\.?\/?a\.?|none|null)$/i

const VALUES_MAX = 100

const partsOf = (text: string) => text.split(/[\s,;|]+/, VALUES_MAX).filter((part) => part !== '')

/** Several indicators in a text: each part is one, or they are among other words. */
function severalIn(text: string): readonly Indicator[] {
  const parts = partsOf(text)
  const each = parts.map(recognise)
  const found = each.every(isIndicator) ? each : parts.length > 1 || text.includes('=') ? findInside(text) : []
  return found.length > 1 ? found : []
}

/** `x.example` and `www.x.example` are one site. */
function oncePerSite(found: readonly Indicator[]): Indicator[] {
  const sites = found.map((one) => indicatorKey({ ...one, value: one.value.replace(/^www\.(?=.+\.)/i, '') }))
  return found.filter((_, at) => sites.indexOf(sites[at]!) === at)
}

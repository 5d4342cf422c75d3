import type { Kind } from '@assay/sdk'
import type { Row } from './csv.ts'
import { isIndicator } from './indicator.ts'
import { recognise } from './recognise.ts'

/** Which column of a list holds the indicators, told by what stands in it. */

/** Titles under which columns of each kind go. */
const TITLES: Readonly<Record<string, Kind>> = {
  email: 'email',
  emails: 'email',
  'e-mail': 'email',
  email_address: 'email',
  'email address': 'email',
  domain: 'domain',
  domains: 'domain',
  hostname: 'domain',
  host: 'domain',
  ip: 'ip',
  ips: 'ip',
  ip_address: 'ip',
  'ip address': 'ip',
}

export const SAMPLE_ROWS = 200

export const kindOfTitle = (title: string | undefined): Kind | undefined => TITLES[(title ?? '').trim().toLowerCase()]

export interface ColumnGuess {
  readonly column: number
  /** What most of its cells are. */
  readonly kind: Kind
  /** False when another column holds at least half as many. */
  readonly sure: boolean
}

/** How many cells of a column are of each kind, most first, by the first rows. */
export function kindsIn(rows: readonly Row[], column: number): { kind: Kind; cells: number }[] {
  const counts = new Map<Kind, number>()
  for (const { cells } of rows.slice(0, SAMPLE_ROWS)) {
    const found = recognise(cells[column] ?? '')
    if (isIndicator(found)) counts.set(found.kind, (counts.get(found.kind) ?? 0) + 1)
  }
  return [...counts].map(([kind, cells]) => ({ kind, cells })).sort((a, b) => b.cells - a.cells)
}

/** `rows` begins with the first row of the list, be it titles or not. */
export function guessColumn(rows: readonly Row[]): ColumnGuess | undefined {
  const titles = rows[0]?.cells ?? []
  const titled = titles.flatMap((title, column) => {
    const kind = kindOfTitle(title)
    return kind ? [{ column, kind }] : []
  })
  const width = rows.slice(0, SAMPLE_ROWS).reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const looks = Array.from({ length: width }, (_, column) => {
    const [most] = kindsIn(rows, column)
    return most ? [{ column, ...most }] : []
  }).flat()
  const [first] = titled
  if (looks.length === 0) return first && { ...first, sure: titled.length === 1 }
  // The leftmost wins a draw.
  const best = looks.reduce((most, look) => (look.cells > most.cells ? look : most))
  const rivals = looks.filter(({ cells }) => cells * 2 >= best.cells)
  const named = rivals.filter(({ column }) => titled.some((one) => one.column === column))
  const { column, kind } = named.length === 1 ? named[0]! : best
  return { column, kind, sure: rivals.length === 1 || named.length === 1 }
}

/** Whether the first row names the columns. A broken record such as `jane@` is a record, and is told as one. */
export function hasTitles(rows: readonly Row[], column: number): boolean {
  const cell = rows[0]?.cells[column]?.trim() ?? ''
  if (kindOfTitle(cell)) return true
  if (isIndicator(recognise(cell)) || kindsIn(rows.slice(1), column).length === 0) return false
  return /^\p{L}[\p{L}\p{M}\p{N}\s_()/#.:?,&*'’-]*$/u.test(cell)
}

import { type Level, levelOf } from '../check/gauge.tsx'
import { NOT_CHECKED, type Run } from './run.ts'

/** Which records a table shows, in which order: filtering and sorting without touching the records themselves. */

export type LevelFilter = 'all' | Level | 'none'
export type SortBy = 'row' | 'record' | 'score'

export interface ViewOptions {
  readonly level: LevelFilter
  /** In lower case. */
  readonly search: string
  readonly sortBy: SortBy
  readonly descending: boolean
}

export function selectRecords(
  input: { readonly lowerCase: readonly string[] } & Pick<Run, 'scores' | 'reserved'>,
  { level, search, sortBy, descending }: ViewOptions,
): Uint32Array {
  const { lowerCase, scores, reserved } = input
  const found = new Uint32Array(scores.length)
  let size = 0
  for (let index = 0; index < scores.length; index++) {
    const own = standingOf(scores[index] ?? NOT_CHECKED, reserved[index])
    if (level !== 'all' && level !== own) continue
    if (search !== '' && !lowerCase[index]?.includes(search)) continue
    found[size++] = index
  }
  const view = found.subarray(0, size)
  const sign = descending ? -1 : 1
  if (sortBy === 'row') return descending ? view.reverse() : view
  const compare =
    sortBy === 'score'
      ? (a: number, b: number) => (scores[a] ?? 0) - (scores[b] ?? 0)
      : (a: number, b: number) => compareText(lowerCase[a] ?? '', lowerCase[b] ?? '')
  // Equals stay in the order of the file.
  return view.sort((a, b) => sign * compare(a, b) || a - b)
}

/** The level of a record; none where it has no answer, or where the answer says nothing. */
export function standingOf(score: number, isReserved: number | undefined): Level | 'none' {
  if (score < 0) return 'none'
  const level = levelOf(score)
  return isReserved && level === 'low' ? 'none' : level
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

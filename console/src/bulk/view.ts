import { type Level, levelOf } from '../check/gauge.tsx'
import { NOT_CHECKED } from './run.ts'

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
  input: { readonly lowerCase: readonly string[]; readonly scores: Int16Array },
  { level, search, sortBy, descending }: ViewOptions,
): Uint32Array {
  const { lowerCase, scores } = input
  const found = new Uint32Array(scores.length)
  let size = 0
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index] ?? NOT_CHECKED
    const own = score < 0 ? 'none' : levelOf(score)
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

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

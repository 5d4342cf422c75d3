import { whyNothingToCheck } from '@assay/sdk'
import type { Row } from './csv.ts'
import { type Indicator, indicatorKey } from './indicator.ts'
import { KIND_WORDS, MIXED_TITLE } from './kinds.ts'
import { ListProblem } from './problem.ts'

/** The distinct indicators of a text that is not a table, as a table: how often each occurs, and where. */

const DISTINCT_MAX = 500_000
const SET_ASIDE_NAMED = 3
const PLACES_MAX = 8
/** The sources of traffic come first, its destinations last. */
const rank = ({ places }: Entry) => (places.has('source') ? 0 : places.has('destination') ? 2 : 1)

interface Entry {
  readonly indicator: Indicator
  readonly line: number
  readonly places: Set<string>
  lastLine: number
  times: number
}

export const counted = (value: number) => value.toLocaleString('en-GB')

export class Tally {
  readonly #found = new Map<string, Entry>()
  /** Private and reserved ones. */
  readonly #setAside = new Map<string, string>()
  readonly #placeTitle: string
  readonly #unit: string

  constructor(placeTitle: string, unit = 'line') {
    this.#placeTitle = placeTitle
    this.#unit = unit
  }

  /** Several times in a line count once. */
  add(indicator: Indicator, place: string, line: number): void {
    const { kind, value } = indicator
    const key = indicatorKey(indicator)
    const known = this.#found.get(key)
    if (!known && whyNothingToCheck(kind, value) !== undefined) {
      this.#setAside.set(key, value)
    } else {
      const entry = known ?? { indicator, line, places: new Set(), lastLine: -1, times: 0 }
      if (!known) this.#found.set(key, entry)
      if (entry.lastLine !== line) entry.times++
      entry.lastLine = line
      if (place !== '' && entry.places.size < PLACES_MAX) entry.places.add(place)
    }
    if (this.#found.size + this.#setAside.size > DISTINCT_MAX) {
      throw new ListProblem('There are more than 500,000 different addresses in it. Split it first.')
    }
  }

  /** Titles first, the most frequent indicators at the top. */
  rows(): Row[] {
    const found = [...this.#found.values()]
    if (found.length === 0) return []
    const kinds = new Set(found.map(({ indicator }) => indicator.kind))
    const [kind] = kinds.size === 1 ? kinds : []
    const hasPlaces = found.some(({ places }) => places.size > 0)
    const titles = [kind ? KIND_WORDS[kind].one : MIXED_TITLE, ...(hasPlaces ? [this.#placeTitle] : [])]
    const rows = found
      .sort((a, b) => rank(a) - rank(b) || b.times - a.times)
      .map(({ indicator, line, places, times }): Row => {
        const where = hasPlaces ? [[...places].join(', ')] : []
        return { line, cells: [indicator.value, ...where, String(times), String(line)] }
      })
    return [{ line: 1, cells: [...titles, 'Times', `First ${this.#unit}`] }, ...rows]
  }

  notes(): string[] {
    if (this.#setAside.size === 0) return []
    const named = [...this.#setAside.values()].slice(0, SET_ASIDE_NAMED).join(', ')
    const more = this.#setAside.size - SET_ASIDE_NAMED
    return [`Set aside, because private or reserved: ${named}${more > 0 ? ` and ${counted(more)} more` : ''}.`]
  }
}

import { sortOrder } from './radix.ts'

/**
 * Splits overlapping half-open intervals into disjoint ones. Calls `emit(start, end, active)` for every stretch that at
 * least one interval covers, in ascending order; `active` holds the rows that cover it and is reused between calls.
 * Positions are integers below 2^53; `order` arguments are rows sorted by start and by end.
 */
function sweep(
  starts: Float64Array,
  ends: Float64Array,
  byStart: Uint32Array,
  byEnd: Uint32Array,
  emit: (start: number, end: number, active: readonly number[]) => void,
): void {
  const count = byStart.length
  const active: number[] = []
  let opened = 0
  let closed = 0
  let position = 0
  while (closed < count) {
    const nextStart = opened < count ? starts[byStart[opened]!]! : Number.POSITIVE_INFINITY
    const nextEnd = active.length > 0 ? ends[byEnd[closed]!]! : Number.POSITIVE_INFINITY
    const next = Math.min(nextStart, nextEnd)
    if (active.length > 0 && next > position) emit(position, next, active)
    position = next
    while (closed < opened && ends[byEnd[closed]!]! === next) {
      const row = byEnd[closed++]!
      const at = active.indexOf(row)
      active[at] = active[active.length - 1]!
      active.pop()
    }
    while (opened < count && starts[byStart[opened]!]! === next) active.push(byStart[opened++]!)
  }
}

/** IPv4: the addresses themselves are the positions. */
export function sweepV4(
  first: Uint32Array,
  last: Uint32Array,
  emit: (start: number, end: number, active: readonly number[]) => void,
): void {
  const count = first.length
  const starts = new Float64Array(count)
  const ends = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    starts[i] = first[i]!
    ends[i] = last[i]! + 1
  }
  sweep(starts, ends, sortOrder([first], count), sortOrder([last], count), emit)
}

type Words = readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array]

/** The rank of every boundary of 128-bit ranges, so that positions fit a number. */
export class BoundaryRanks {
  readonly starts: Float64Array
  readonly ends: Float64Array
  readonly #words: Words
  /** Row of #words that holds the boundary of each rank. */
  readonly #rowOfRank: number[] = []

  /** `last` must be below the highest address, so that the boundary after it exists. */
  constructor(first: Words, last: Words, count: number) {
    const words = [0, 1, 2, 3].map(() => new Uint32Array(count * 2)) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ]
    for (let w = 0; w < 4; w++) words[w]!.set(first[w]!.subarray(0, count))
    for (let i = 0; i < count; i++) {
      let carry = 1
      for (let w = 3; w >= 0; w--) {
        const sum = last[w]![i]! + carry
        words[w]![count + i] = sum
        carry = sum > 0xffffffff ? 1 : 0
      }
    }
    this.#words = words
    this.starts = new Float64Array(count)
    this.ends = new Float64Array(count)
    let rank = -1
    let previous = -1
    for (const row of sortOrder(words, count * 2)) {
      if (previous < 0 || words.some((word) => word[row] !== word[previous])) {
        rank++
        this.#rowOfRank.push(row)
      }
      previous = row
      if (row < count) this.starts[row] = rank
      else this.ends[row - count] = rank
    }
  }

  /** The address at a rank, `minus` 0 or 1, written into out[at..at+3]. */
  write(rank: number, minus: 0 | 1, out: Uint32Array, at: number): void {
    const row = this.#rowOfRank[rank]!
    let borrow: number = minus
    for (let w = 3; w >= 0; w--) {
      const difference = this.#words[w]![row]! - borrow
      out[at + w] = difference
      borrow = difference < 0 ? 1 : 0
    }
  }

  sweep(emit: (start: number, end: number, active: readonly number[]) => void): void {
    const count = this.starts.length
    const order = (ranks: Float64Array) => sortOrder([Uint32Array.from(ranks)], count)
    sweep(this.starts, this.ends, order(this.starts), order(this.ends), emit)
  }
}

import type { DropReason, EvidencePool } from './evidence-pool.ts'
import type { NearCounts } from './near-counts.ts'
import { GrowingWords, type RangeRows, sortOrder } from './radix.ts'

/** Turns overlapping ranges into disjoint ones. */

interface FlatRanges {
  readonly first: Uint32Array
  readonly last: Uint32Array
  readonly value: Uint32Array
}

type Emit = (start: number, end: number, active: readonly number[]) => void

/** Addresses as ordered numbers: IPv4 addresses themselves, or the ranks of IPv6 boundaries. */
interface Axis {
  sweep(emit: Emit): void
  /** Grows with the width of a row's range, if one range contains the other. */
  width(row: number): number
  flat(bounds: readonly number[], value: Uint32Array): FlatRanges
}

function axisV4(rows: RangeRows): Axis {
  const first = rows.first[0]!.view()
  const last = rows.last[0]!.view()
  return {
    sweep: (emit) => sweepV4(first, last, emit),
    width: (row) => last[row]! - first[row]!,
    flat: (bounds, value) => ({
      first: Uint32Array.from(value, (_, i) => bounds[i * 2]!),
      last: Uint32Array.from(value, (_, i) => bounds[i * 2 + 1]! - 1),
      value,
    }),
  }
}

function axisV6(rows: RangeRows): Axis & { readonly ranks: BoundaryRanks } {
  const words = (side: readonly GrowingWords[]) => side.map((word) => word.view()) as unknown as Words
  const ranks = new BoundaryRanks(words(rows.first), words(rows.last), rows.value.length)
  return {
    ranks,
    sweep: (emit) => ranks.sweep(emit),
    // Ranges that nest have nested ranks, so the number of boundaries inside replaces the width.
    width: (row) => ranks.ends[row]! - ranks.starts[row]!,
    flat(bounds, value) {
      const first = new Uint32Array(value.length * 4)
      const last = new Uint32Array(value.length * 4)
      for (let i = 0; i < value.length; i++) {
        ranks.write(bounds[i * 2]!, 0, first, i * 4)
        ranks.write(bounds[i * 2 + 1]!, 1, last, i * 4)
      }
      return { first, last, value }
    },
  }
}

const NO_VALUE = -1

/** One range for every stretch that `choose` gives a value; neighbours with the same value are joined. */
function flatten(axis: Axis, choose: (...stretch: Parameters<Emit>) => number): FlatRanges {
  const bounds: number[] = []
  const values = new GrowingWords()
  axis.sweep((start, end, active) => {
    const value = choose(start, end, active)
    if (value === NO_VALUE) return
    const previous = values.length - 1
    if (previous >= 0 && values.words[previous] === value && bounds[bounds.length - 1] === start) {
      bounds[bounds.length - 1] = end
      return
    }
    bounds.push(start, end)
    values.push(value)
  })
  return axis.flat(bounds, values.view())
}

/** Chooses the evidence set of a stretch, and calls `count` for each stretch that is listed as a threat. */
function setChooser(rows: RangeRows, pool: EvidencePool, dropped: Dropped, count: Emit) {
  const evidence = rows.value.words
  const ids: number[] = []
  return (...[start, end, active]: Parameters<Emit>) => {
    ids.length = 0
    for (const row of active) if (!ids.includes(evidence[row]!)) ids.push(evidence[row]!)
    const set = pool.resolve(ids, 'ip', dropped)
    if (set === 0) return NO_VALUE
    if (pool.sets[set]!.some((id) => pool.isThreat(id))) count(start, end, active)
    return set
  }
}

type Dropped = Record<DropReason, number>

export function flattenV4(rows: RangeRows, pool: EvidencePool, dropped: Dropped, near: NearCounts): FlatRanges {
  const axis = axisV4(rows)
  // A wide range does not count against neighbours.
  const isNarrowThreat = (row: number) => axis.width(row) < 256 && pool.isThreat(rows.value.words[row]!)
  const count: Emit = (start, end, active) => {
    if (active.some(isNarrowThreat)) near.addV4(start, end)
  }
  return flatten(axis, setChooser(rows, pool, dropped, count))
}

export function flattenV6(rows: RangeRows, pool: EvidencePool, dropped: Dropped, near: NearCounts): FlatRanges {
  const axis = axisV6(rows)
  const address = new Uint32Array(8)
  const count: Emit = (start, end) => {
    axis.ranks.write(start, 0, address, 0)
    axis.ranks.write(end, 1, address, 4)
    near.addV6(address)
  }
  return flatten(axis, setChooser(rows, pool, dropped, count))
}

/** The AS of every announced stretch: the narrowest range wins, then the lower number. */
export function flattenAsns(rows: RangeRows): FlatRanges {
  const axis = rows.first.length === 1 ? axisV4(rows) : axisV6(rows)
  const asn = rows.value.words
  return flatten(axis, (_start, _end, active) => {
    let best = active[0]!
    for (const row of active) {
      const wider = axis.width(row) - axis.width(best)
      if (wider < 0 || (wider === 0 && asn[row]! < asn[best]!)) best = row
    }
    return asn[best]!
  })
}

/** For every value of the top 16 bits, the first range whose end reaches it: the start of a look-up. */
export function topIndex(last: Uint32Array, words: 1 | 4): Uint32Array {
  const count = last.length / words
  const index = new Uint32Array(65537)
  let range = 0
  for (let top = 0; top < 65536; top++) {
    while (range < count && last[range * words]! >>> 16 < top) range++
    index[top] = range
  }
  index[65536] = count
  return index
}

/**
 * Splits overlapping half-open intervals into disjoint ones. Calls `emit(start, end, active)` for every stretch that at
 * least one interval covers, in ascending order; `active` holds the rows that cover it and is reused between calls.
 * Positions are integers below 2^53; `order` arguments are rows sorted by start and by end.
 */
function sweep(starts: Float64Array, ends: Float64Array, byStart: Uint32Array, byEnd: Uint32Array, emit: Emit): void {
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
function sweepV4(first: Uint32Array, last: Uint32Array, emit: Emit): void {
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
class BoundaryRanks {
  readonly starts: Float64Array
  readonly ends: Float64Array
  readonly #words: Words
  /** Row of #words that holds the boundary of each rank. */
  readonly #rowOfRank: number[] = []

  /** `last` must be below the highest address, so that the boundary after it exists. */
  constructor(first: Words, last: Words, count: number) {
    const words = [0, 1, 2, 3].map(() => new Uint32Array(count * 2)) as unknown as Words
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

  sweep(emit: Emit): void {
    const count = this.starts.length
    const order = (ranks: Float64Array) => sortOrder([Uint32Array.from(ranks)], count)
    sweep(this.starts, this.ends, order(this.starts), order(this.ends), emit)
  }
}

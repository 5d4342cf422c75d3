import type { DropReason, EvidencePool } from './evidence-pool.ts'
import type { NearCounts } from './near-counts.ts'
import { GrowingWords } from './radix.ts'
import type { RangeRows } from './rows.ts'
import { BoundaryRanks, sweepV4 } from './sweep.ts'

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
  const words = (side: readonly GrowingWords[]) =>
    side.map((word) => word.view()) as unknown as ConstructorParameters<typeof BoundaryRanks>[0]
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
function setChooser(
  rows: RangeRows,
  pool: EvidencePool,
  dropped: Record<DropReason, number>,
  count: Emit,
): (...stretch: Parameters<Emit>) => number {
  const evidence = rows.value.words
  const ids: number[] = []
  return (start, end, active) => {
    ids.length = 0
    for (const row of active) if (!ids.includes(evidence[row]!)) ids.push(evidence[row]!)
    const set = pool.resolve(ids, 'ip', dropped)
    if (set === 0) return NO_VALUE
    if (pool.sets[set]!.some((id) => pool.isThreat(id))) count(start, end, active)
    return set
  }
}

export function flattenV4(
  rows: RangeRows,
  pool: EvidencePool,
  dropped: Record<DropReason, number>,
  near: NearCounts,
): FlatRanges {
  const axis = axisV4(rows)
  // A wide range does not count against neighbours.
  const isNarrowThreat = (row: number) => axis.width(row) < 256 && pool.isThreat(rows.value.words[row]!)
  return flatten(
    axis,
    setChooser(rows, pool, dropped, (start, end, active) => {
      if (active.some(isNarrowThreat)) near.addV4(start, end)
    }),
  )
}

export function flattenV6(
  rows: RangeRows,
  pool: EvidencePool,
  dropped: Record<DropReason, number>,
  near: NearCounts,
): FlatRanges {
  const axis = axisV6(rows)
  const address = new Uint32Array(8)
  return flatten(
    axis,
    setChooser(rows, pool, dropped, (start, end) => {
      axis.ranks.write(start, 0, address, 0)
      axis.ranks.write(end, 1, address, 4)
      near.addV6(address)
    }),
  )
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

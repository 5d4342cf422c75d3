import type { DropReason, EvidencePool } from './evidence-pool.ts'
import type { NearCounts } from './near-counts.ts'
import { GrowingWords } from './radix.ts'
import type { RangeRows } from './rows.ts'
import { BoundaryRanks, sweepV4 } from './sweep.ts'

/** Ranges that overlap as they like, made into ranges that do not. */

interface FlatRanges {
  readonly first: Uint32Array
  readonly last: Uint32Array
  readonly value: Uint32Array
}

export function flattenV4(
  rows: RangeRows,
  pool: EvidencePool,
  dropped: Record<DropReason, number>,
  near: NearCounts,
): FlatRanges {
  const rowFirst = rows.first[0]!.view()
  const rowLast = rows.last[0]!.view()
  const evidence = rows.value.words
  const first = new GrowingWords()
  const last = new GrowingWords()
  const sets = new GrowingWords()
  const ids: number[] = []
  sweepV4(rowFirst, rowLast, (start, end, active) => {
    ids.length = 0
    let narrowThreat = false
    for (const row of active) {
      const id = evidence[row]!
      if (!ids.includes(id)) ids.push(id)
      if (!narrowThreat && rowLast[row]! - rowFirst[row]! < 256) narrowThreat = pool.isThreat(id)
    }
    const set = pool.resolve(ids, 'ip', dropped)
    if (set === 0) return
    if (narrowThreat && pool.sets[set]!.some((id) => pool.isThreat(id))) near.addV4(start, end)
    const previous = sets.length - 1
    if (previous >= 0 && sets.words[previous] === set && last.words[previous]! + 1 === start) {
      last.words[previous] = end - 1
      return
    }
    first.push(start)
    last.push(end - 1)
    sets.push(set)
  })
  return { first: first.view(), last: last.view(), value: sets.view() }
}

export function flattenV6(
  rows: RangeRows,
  pool: EvidencePool,
  dropped: Record<DropReason, number>,
  near: NearCounts,
): FlatRanges {
  const ranks = ranksOf(rows)
  const evidence = rows.value.words
  const bounds = new GrowingWords()
  const sets = new GrowingWords()
  const ids: number[] = []
  const address = new Uint32Array(8)
  ranks.sweep((start, end, active) => {
    ids.length = 0
    for (const row of active) {
      const id = evidence[row]!
      if (!ids.includes(id)) ids.push(id)
    }
    const set = pool.resolve(ids, 'ip', dropped)
    if (set === 0) return
    if (pool.sets[set]!.some((id) => pool.isThreat(id))) {
      ranks.write(start, 0, address, 0)
      ranks.write(end, 1, address, 4)
      near.addV6(address)
    }
    const previous = sets.length - 1
    if (previous >= 0 && sets.words[previous] === set && bounds.words[bounds.length - 1] === start) {
      bounds.words[bounds.length - 1] = end
      return
    }
    bounds.push(start)
    bounds.push(end)
    sets.push(set)
  })
  return rankedRanges(ranks, bounds, sets.view())
}

function ranksOf(rows: RangeRows): BoundaryRanks {
  const words = (side: readonly GrowingWords[]) =>
    side.map((word) => word.view()) as unknown as ConstructorParameters<typeof BoundaryRanks>[0]
  return new BoundaryRanks(words(rows.first), words(rows.last), rows.value.length)
}

function rankedRanges(ranks: BoundaryRanks, bounds: GrowingWords, value: Uint32Array): FlatRanges {
  const first = new Uint32Array(value.length * 4)
  const last = new Uint32Array(value.length * 4)
  for (let i = 0; i < value.length; i++) {
    ranks.write(bounds.words[i * 2]!, 0, first, i * 4)
    ranks.write(bounds.words[i * 2 + 1]!, 1, last, i * 4)
  }
  return { first, last, value }
}

export function flattenAsn4(rows: RangeRows): FlatRanges {
  const rowFirst = rows.first[0]!.view()
  const rowLast = rows.last[0]!.view()
  const asn = rows.value.words
  const first = new GrowingWords()
  const last = new GrowingWords()
  const value = new GrowingWords()
  sweepV4(rowFirst, rowLast, (start, end, active) => {
    let best = active[0]!
    for (const row of active) {
      const wider = rowLast[row]! - rowFirst[row]! - (rowLast[best]! - rowFirst[best]!)
      if (wider < 0 || (wider === 0 && asn[row]! < asn[best]!)) best = row
    }
    const previous = value.length - 1
    if (previous >= 0 && value.words[previous] === asn[best] && last.words[previous]! + 1 === start) {
      last.words[previous] = end - 1
      return
    }
    first.push(start)
    last.push(end - 1)
    value.push(asn[best]!)
  })
  return { first: first.view(), last: last.view(), value: value.view() }
}

export function flattenAsn6(rows: RangeRows): FlatRanges {
  const ranks = ranksOf(rows)
  const asn = rows.value.words
  const bounds = new GrowingWords()
  const value = new GrowingWords()
  // Ranges that nest have nested ranks, so the count of boundaries inside stands in for the width.
  const width = (row: number) => ranks.ends[row]! - ranks.starts[row]!
  ranks.sweep((start, end, active) => {
    let best = active[0]!
    for (const row of active) {
      const wider = width(row) - width(best)
      if (wider < 0 || (wider === 0 && asn[row]! < asn[best]!)) best = row
    }
    const previous = value.length - 1
    if (previous >= 0 && value.words[previous] === asn[best] && bounds.words[bounds.length - 1] === start) {
      bounds.words[bounds.length - 1] = end
      return
    }
    bounds.push(start)
    bounds.push(end)
    value.push(asn[best]!)
  })
  return rankedRanges(ranks, bounds, value.view())
}

/** For every value of the top 16 bits, the first range whose end reaches it: a look-up starts in the right place. */
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

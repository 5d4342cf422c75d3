import { type Context, type DropReason, type EvidencePool, STRONG, WEAK } from './evidence-pool.ts'
import { TABLE_FILL } from './format.ts'
import { GrowingWords, type KeyedRows, sortOrder } from './radix.ts'

/** A hash table in key order: each key is in the first free slot from its home slot on. */

/** Set beside STRONG and WEAK: the name is shared by strangers. */
export const SHARED = 4

// 53 of the 64 bits: a collision could only protect a name, with a probability of one in 10^10.
export function mapKey(high: number, low: number): number {
  return high * 2097152 + (low >>> 11)
}

export function buildTable(
  rows: KeyedRows,
  pool: EvidencePool,
  dropped: Record<DropReason, number>,
  protection: ReadonlyMap<number, number> | undefined,
): { slots: Uint32Array; homes: number; count: number } {
  const total = rows.evidence.length
  const high = rows.high.words
  const low = rows.low.words
  const order = sortOrder([high, low], total)
  const keyRows = new GrowingWords()
  const sets = new GrowingWords()
  const ids: number[] = []
  for (let i = 0; i < total; ) {
    const row = order[i]!
    ids.length = 0
    let parentRow = -1
    let j = i
    for (; j < total && high[order[j]!] === high[row] && low[order[j]!] === low[row]; j++) {
      const other = order[j]!
      const evidence = rows.evidence.words[other]!
      if (!ids.includes(evidence)) ids.push(evidence)
      if (rows.parentHigh.words[other] !== 0 || rows.parentLow.words[other] !== 0) parentRow = other
    }
    i = j
    let context: Context = protection ? 'domain' : 'plain'
    if (protection && parentRow >= 0) {
      const flags = protection.get(mapKey(rows.parentHigh.words[parentRow]!, rows.parentLow.words[parentRow]!)) ?? 0
      if (!(flags & SHARED)) context = flags & STRONG ? 'domain_strong' : flags & WEAK ? 'domain_weak' : 'domain'
    }
    const set = pool.resolve(ids, context, dropped)
    if (set === 0) continue
    keyRows.push(row)
    sets.push(set)
  }
  const count = sets.length
  const homes = Math.max(1, Math.ceil(count / TABLE_FILL))
  // Keys come in ascending order, so a slot is never left of its neighbour's and the table needs no wrap-around.
  const positions = new Uint32Array(count)
  let next = 0
  for (let i = 0; i < count; i++) {
    const home = homeSlot(high[keyRows.words[i]!]!, homes)
    const slot = Math.max(home, next)
    positions[i] = slot
    next = slot + 1
  }
  // One empty slot after the last ends every probe.
  const slots = new Uint32Array((Math.max(next, homes) + 1) * 3)
  for (let i = 0; i < count; i++) {
    const row = keyRows.words[i]!
    const at = positions[i]! * 3
    slots[at] = high[row]!
    slots[at + 1] = low[row]!
    slots[at + 2] = sets.words[i]!
  }
  return { slots, homes, count }
}

export function homeSlot(high: number, homes: number): number {
  return Math.floor((high / 4294967296) * homes)
}

/**
 * A value for each record seen so far, by its 64-bit hash: 12 bytes per slot, no strings.
 *
 * 1. A record is remembered at least until `generationMax` further distinct records have been seen.
 * 2. Memory is bounded: two generations of twice `generationMax` slots. A full generation becomes the old one, and the
 *    previous old one is dropped; a record that is seen again moves to the current generation.
 * 3. A value is any unsigned 32-bit number.
 */
export interface Seen {
  find(high: number, low: number): number | undefined
  set(high: number, low: number, value: number): void
}

const SLOTS_FIRST = 1 << 12

const GENERATION_MAX = 1_000_000

type Generation = ReturnType<typeof createGeneration>

function createGeneration(slots: number) {
  return { high: new Uint32Array(slots), low: new Uint32Array(slots), values: new Uint32Array(slots), used: 0 }
}

/** The slot of a hash, or the free slot where it belongs. Hash 0,0 marks a free slot; see `present`. */
function slotOf({ high, low }: Generation, h: number, l: number): number {
  const mask = high.length - 1
  let slot = l & mask
  while ((high[slot] !== h || low[slot] !== l) && (high[slot] !== 0 || low[slot] !== 0)) slot = (slot + 1) & mask
  return slot
}

export function createSeen(generationMax = GENERATION_MAX): Seen {
  let young = createGeneration(SLOTS_FIRST)
  let old: Generation | undefined

  function grow(): void {
    const bigger = createGeneration(young.high.length * 2)
    for (let i = 0; i < young.high.length; i++) {
      const h = young.high[i]!
      const l = young.low[i]!
      if (h !== 0 || l !== 0) put(bigger, h, l, young.values[i]!)
    }
    young = bigger
  }

  function put(generation: Generation, h: number, l: number, value: number): void {
    const slot = slotOf(generation, h, l)
    if (!isFree(generation, slot)) {
      generation.values[slot] = value
      return
    }
    generation.high[slot] = h
    generation.low[slot] = l
    generation.values[slot] = value
    generation.used++
  }

  function set(high: number, low: number, value: number): void {
    if (young.used >= generationMax) {
      old = young
      young = createGeneration(SLOTS_FIRST)
    } else if (young.used * 2 >= young.high.length) {
      grow()
    }
    put(young, high, present(high, low), value)
  }

  return {
    find(high, low) {
      const l = present(high, low)
      const slot = slotOf(young, high, l)
      if (!isFree(young, slot)) return young.values[slot]
      if (!old) return undefined
      const oldSlot = slotOf(old, high, l)
      if (isFree(old, oldSlot)) return undefined
      const value = old.values[oldSlot]!
      set(high, low, value)
      return value
    },
    set,
  }
}

const isFree = ({ high, low }: Generation, slot: number) => high[slot] === 0 && low[slot] === 0

/** A hash of 0,0 would look like a free slot: it shares the slot of 0,1. */
const present = (high: number, low: number) => (high === 0 && low === 0 ? 1 : low)

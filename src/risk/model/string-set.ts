/**
 * A set of short strings probed by a running hash, so that every substring of a name can be looked up without
 * cutting it out. 32-bit hashes stand for the strings: one probe in some 50,000 may answer wrongly at the sizes
 * used here, which a model of words can bear and a verdict must not, so callers that condemn compare the text.
 */
export interface StringSet {
  readonly size: number
  /** Whether a string with this hash is in the set. */
  hasHash(hash: number): boolean
  has(text: string): boolean
}

export const HASH_START = 0x811c9dc5

/** FNV-1a, one character further. */
export function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193)
}

/** Spreads the weak low bits of a running hash before it is used as an index. */
export function hashFinish(hash: number): number {
  let mixed = hash ^ (hash >>> 15)
  mixed = Math.imul(mixed, 0x2c1b3c6d)
  mixed ^= mixed >>> 12
  return mixed >>> 0
}

export function hashText(text: string): number {
  let hash = HASH_START
  for (let i = 0; i < text.length; i++) hash = hashStep(hash, text.charCodeAt(i))
  return hashFinish(hash)
}

export function createStringSet(texts: Iterable<string>): StringSet {
  const hashes = new Set<number>()
  for (const text of texts) hashes.add(hashText(text))
  let capacity = 16
  while (capacity < hashes.size * 3) capacity *= 2
  const slots = new Uint32Array(capacity)
  const mask = capacity - 1
  for (const hash of hashes) {
    if (hash === 0) continue
    let slot = hash & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = hash
  }
  const hasHash = (hash: number): boolean => {
    let slot = hash & mask
    for (;;) {
      const found = slots[slot]
      if (found === 0) return false
      if (found === hash) return true
      slot = (slot + 1) & mask
    }
  }
  return { size: hashes.size, hasHash, has: (text) => hasHash(hashText(text)) }
}

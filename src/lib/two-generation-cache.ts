import { hash64Into } from './hashing.ts'

/**
 * Cache of the most recently used values, within a limit, in two generations: a used value moves to the young
 * generation, and when that is full the old one is dropped. A look-up costs one or two Map look-ups; there is no order
 * to maintain.
 */
export class TwoGenerationCache<V> {
  #young = new Map<string, V>()
  #old = new Map<string, V>()
  readonly #generationMax: number

  /** Holds at most `valuesMax` values, and always the half of them that was used last. */
  constructor(valuesMax: number) {
    this.#generationMax = Math.max(1, valuesMax >> 1)
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key)
    if (young !== undefined) return young
    const old = this.#old.get(key)
    if (old !== undefined) this.set(key, old)
    return old
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#generationMax) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, value)
  }
}

/** Remembers roughly which texts were seen recently: one number per slot, so that texts seen once cost no memory. */
export class SeenFilter {
  readonly #slots: Uint32Array
  readonly #hash = new Uint32Array(2)

  constructor(slots: number) {
    this.#slots = new Uint32Array(slots)
  }

  /** Returns true if the text was seen before, and marks it as seen. */
  meet(text: string): boolean {
    hash64Into(text, this.#hash)
    const slot = (this.#hash[0] as number) % this.#slots.length
    // Zero is an empty slot.
    const mark = (this.#hash[1] as number) || 1
    const met = this.#slots[slot] === mark
    this.#slots[slot] = mark
    return met
  }
}

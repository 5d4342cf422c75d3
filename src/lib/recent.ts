/**
 * The most recently used values, within a bound, in two generations: what is used moves to the young one, and when that
 * is full the old one is forgotten. A look-up costs a plain one; there is no order to keep.
 */
export class Recent<V> {
  #young = new Map<string, V>()
  #old = new Map<string, V>()
  readonly #generationMax: number

  /** Holds at most `valuesMax` values, and the last half of that used for certain. */
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

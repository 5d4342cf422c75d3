/** Chance that can be repeated: the same seed gives the same requests. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A generator of its own for one request, so that requests made at the same time do not change each other. */
  static of(seed: number, index: number): Random {
    return new Random(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35))
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** Whole numbers from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('nothing to pick from')
    return list[this.int(0, list.length - 1)] as T
  }

  /** One of the makers, and what it makes. */
  make<T>(makers: readonly (() => T)[]): T {
    return this.pick(makers)()
  }

  some<T>(list: readonly T[], probability = 0.5): T[] {
    return list.filter(() => this.chance(probability))
  }

  bytes(length: number): Buffer {
    const made = Buffer.alloc(length)
    for (let i = 0; i < length; i++) made[i] = this.int(0, 255)
    return made
  }

  letters(length: number, from = 'abcdefghijklmnopqrstuvwxyz0123456789'): string {
    let text = ''
    for (let i = 0; i < length; i++) text += from[this.int(0, from.length - 1)]
    return text
  }
}

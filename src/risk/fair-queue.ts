/** One queue per organisation, served in turn: a long queue delays only its own organisation. */
export class FairQueue<T> {
  /** In turn order. An empty queue is removed. */
  readonly #lines = new Map<string, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  lengthOf(who: string): number {
    return this.#lines.get(who)?.length ?? 0
  }

  push(who: string, item: T): void {
    const line = this.#lines.get(who)
    if (line) line.push(item)
    else this.#lines.set(who, [item])
    this.#size++
  }

  /** The next item of the first queue, which then moves to the end. */
  shift(): T | undefined {
    for (const [who, line] of this.#lines) {
      const item = line.shift()
      this.#lines.delete(who)
      if (line.length > 0) this.#lines.set(who, line)
      this.#size--
      return item
    }
    return undefined
  }

  clear(): T[] {
    const items = [...this.#lines.values()].flat()
    this.#lines.clear()
    this.#size = 0
    return items
  }
}

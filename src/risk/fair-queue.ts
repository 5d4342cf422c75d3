/**
 * A line for each of those who wait, served in turn: whoever has much waiting delays their own work, not that of others.
 */
export class FairQueue<T> {
  /** In the order of their turns. A line that is empty is no longer here. */
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

  /** The next item of whose turn it is; then it is the next one's turn. */
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

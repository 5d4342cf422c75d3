/** Queues and places that organisations share: one that asks for much delays itself, and nobody else. */

/** For work of the service itself: it takes turns like an organisation, but has no share. */
export const NOBODY = ''

/** One queue per organisation, served in turn: a long queue delays only its own organisation. */
export class FairQueue<T> {
  /** In turn order. An empty queue is removed. */
  readonly #lines = new Map<string, Line<T>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  lengthOf(who: string): number {
    return this.#lines.get(who)?.length ?? 0
  }

  push(who: string, item: T): void {
    const line = this.#lines.get(who) ?? new Line<T>()
    this.#lines.set(who, line)
    line.push(item)
    this.#size++
  }

  /** The next item of the first organisation that may go, which then moves to the end. */
  shift(mayGo: (who: string) => boolean = () => true): T | undefined {
    for (const [who, line] of this.#lines) {
      if (!mayGo(who)) continue
      const item = line.shift()
      this.#lines.delete(who)
      if (line.length > 0) this.#lines.set(who, line)
      this.#size--
      return item
    }
    return undefined
  }

  /** Lets all other organisations go first. */
  moveToEnd(who: string): void {
    const line = this.#lines.get(who)
    if (line && this.#lines.delete(who)) this.#lines.set(who, line)
  }

  /** Removes the last item of an organisation. */
  pop(who: string): T | undefined {
    const line = this.#lines.get(who)
    if (!line) return undefined
    this.#size--
    const item = line.pop()
    if (line.length === 0) this.#lines.delete(who)
    return item
  }

  waiting(): Iterable<string> {
    return this.#lines.keys()
  }

  /** Removes and returns all items, or those of one organisation. */
  clear(who?: string): T[] {
    const cleared = who === undefined ? [...this.#lines] : [...this.#lines].filter(([one]) => one === who)
    const items = cleared.flatMap(([, line]) => line.items())
    for (const [one] of cleared) this.#lines.delete(one)
    this.#size -= items.length
    return items
  }
}

/** The organisation with the most items in all of the queues together. */
export function longestOf(queues: readonly FairQueue<unknown>[]): string | undefined {
  let longest: string | undefined
  let most = 0
  for (const who of new Set(queues.flatMap((queue) => [...queue.waiting()]))) {
    const length = queues.reduce((sum, queue) => sum + queue.lengthOf(who), 0)
    if (length > most) [longest, most] = [who, length]
  }
  return longest
}

/**
 * A number of places. An organisation gets one more while it holds fewer than twice the places that are free: alone it
 * gets two thirds of them, of several each gets the same, and there is always a place for one that has none yet.
 */
export class SharedPlaces {
  readonly #max: number
  readonly #held = new Map<string, number>()
  #used = 0

  constructor(max: number) {
    this.#max = max
  }

  get used(): number {
    return this.#used
  }

  mayTake(who: string, count = 1): boolean {
    const free = this.#max - this.#used - count
    return free >= 0 && (who === NOBODY || (this.#held.get(who) ?? 0) + count <= 2 * free + 2)
  }

  take(who: string, count = 1): void {
    this.#used += count
    this.#held.set(who, (this.#held.get(who) ?? 0) + count)
  }

  giveBack(who: string, count = 1): void {
    this.#used -= count
    const left = (this.#held.get(who) ?? 0) - count
    if (left > 0) this.#held.set(who, left)
    else this.#held.delete(who)
  }
}

/** A first-in, first-out queue. Array.shift() moves all later elements, which is slow for a list of 10,000 names. */
class Line<T> {
  #items: (T | undefined)[] = []
  #first = 0

  get length(): number {
    return this.#items.length - this.#first
  }

  push(item: T): void {
    this.#items.push(item)
  }

  shift(): T | undefined {
    const item = this.#items[this.#first]
    this.#items[this.#first++] = undefined
    if (this.#first >= 1000 && this.#first * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#first)
      this.#first = 0
    }
    return item
  }

  pop(): T | undefined {
    return this.#items.pop()
  }

  items(): T[] {
    return this.#items.slice(this.#first) as T[]
  }
}

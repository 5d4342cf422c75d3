/**
 * An estimate of the number of rows, without a count for each request: a count now and then, plus the rows that this
 * process added since. Rows of other nodes are seen at the next count.
 */
const COUNTED_MS = 10_000
/** The interval between counts when there seems to be no room: rows may have ended in the meantime. */
const FULL_COUNTED_MS = 1000

export class RowEstimate {
  readonly #rowsMax: number
  readonly #count: () => Promise<number>
  #known = 0
  #added = 0
  #underWay = 0
  #countedAtMs = Number.NEGATIVE_INFINITY
  #counting: Promise<void> | undefined

  constructor(rowsMax: number, count: () => Promise<number>) {
    this.#rowsMax = rowsMax
    this.#count = count
  }

  /**
   * Runs `write`, which adds a row, if there is room for it; otherwise throws the error from `full`. `clear` deletes
   * ended rows, and is called when there seems to be no room. `beyond`: by how many rows this write may exceed the
   * limit.
   */
  async add<T>(
    write: () => Promise<T>,
    {
      full,
      clear,
      beyond = 0,
    }: { readonly full: () => Error; readonly clear: () => Promise<unknown>; readonly beyond?: number },
  ): Promise<T> {
    const ageMs = performance.now() - this.#countedAtMs
    if (ageMs > COUNTED_MS || (this.#isFull(beyond) && ageMs > FULL_COUNTED_MS)) {
      this.#counting ??= this.#countAgain(clear).finally(() => {
        this.#counting = undefined
      })
      await this.#counting
    }
    if (this.#isFull(beyond)) throw full()
    this.#added++
    this.#underWay++
    try {
      return await write()
    } finally {
      this.#underWay--
    }
  }

  #isFull(beyond = 0): boolean {
    return this.#known + this.#added >= this.#rowsMax + beyond
  }

  async #countAgain(clear: () => Promise<unknown>): Promise<void> {
    if (this.#isFull()) await clear()
    // A write in progress may or may not be in the count, so it is added.
    const [before, underWay] = [this.#added, this.#underWay]
    this.#known = await this.#count()
    this.#added += underWay - before
    this.#countedAtMs = performance.now()
  }
}

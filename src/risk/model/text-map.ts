import { hashFinish } from '../../lib/hashing.ts'
import { fillPresence, hashText, isPresent } from './string-set.ts'

/**
 * A map that is mostly asked about texts it does not hold. A bit under a hash of ours turns those away: a Map would first
 * have the engine hash each text that was just cut out of another, which takes several times as long.
 */
export class TextMap<V> {
  readonly #values: ReadonlyMap<string, V>
  readonly #present: Int32Array

  constructor(entries: Iterable<readonly [text: string, value: V]>) {
    this.#values = new Map(entries)
    this.#present = fillPresence(Array.from(this.#values.keys(), (text) => hashText(text)))
  }

  get(text: string): V | undefined {
    return this.mayHold(hashText(text)) ? this.#values.get(text) : undefined
  }

  /** Whether a text with this hash may be there; false is certain. */
  mayHold(hash: number): boolean {
    return isPresent(this.#present, hashFinish(hash))
  }
}

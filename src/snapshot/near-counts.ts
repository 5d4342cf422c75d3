import type { Sections } from './format.ts'
import { GrowingWords } from './radix.ts'

const ADDRESSES_NEAR_MAX = 65_535

/** Listed addresses per /24, listed ranges per /48, listed addresses per ASN. */
export class NearCounts {
  readonly #near4 = new Map<number, number>()
  readonly #near6 = new Map<number, number>()
  readonly #starts = new GrowingWords()
  readonly #sizes = new GrowingWords()

  addV4(start: number, end: number): void {
    for (let at = start; at < end; ) {
      const block = Math.floor(at / 256)
      const stop = Math.min(end, (block + 1) * 256)
      this.#near4.set(block, (this.#near4.get(block) ?? 0) + stop - at)
      at = stop
    }
    this.#starts.push(start)
    this.#sizes.push(end - start)
  }

  /** First and last address, four words each; ranges wider than a /48 do not count against neighbours. */
  addV6(address: Uint32Array): void {
    const block = address[0]! * 65536 + (address[1]! >>> 16)
    if (block !== address[4]! * 65536 + (address[5]! >>> 16)) return
    this.#near6.set(block, (this.#near6.get(block) ?? 0) + 1)
  }

  perAsn(first: Uint32Array, last: Uint32Array, asn: Uint32Array, asns: number): Float32Array {
    const announced = new Float64Array(asns)
    for (let i = 0; i < first.length; i++) announced[asn[i]!]! += last[i]! - first[i]! + 1
    const listed = new Float64Array(asns)
    let range = 0
    for (let i = 0; i < this.#starts.length; i++) {
      const start = this.#starts.words[i]!
      while (range < first.length && last[range]! < start) range++
      if (range < first.length && first[range]! <= start) listed[asn[range]!]! += this.#sizes.words[i]!
    }
    return Float32Array.from(listed, (count, i) => (announced[i] ? (count / announced[i]!) * 10_000 : 0))
  }

  sections(): Pick<Sections, 'near4Keys' | 'near4Counts' | 'near6Keys' | 'near6Counts'> {
    const near4 = [...this.#near4].sort((a, b) => a[0] - b[0])
    const near6 = [...this.#near6].sort((a, b) => a[0] - b[0])
    const near6Keys = new Uint32Array(near6.length * 2)
    for (const [i, [block]] of near6.entries()) {
      near6Keys[i * 2] = Math.floor(block / 65536)
      near6Keys[i * 2 + 1] = block % 65536
    }
    const counts = (blocks: readonly (readonly [number, number])[]) =>
      Uint16Array.from(blocks, ([, count]) => Math.min(count, ADDRESSES_NEAR_MAX))
    return {
      near4Keys: Uint32Array.from(near4, ([block]) => block),
      near4Counts: counts(near4),
      near6Keys,
      near6Counts: counts(near6),
    }
  }
}

import type { Ip, IpRange } from '../lib/ip.ts'
import { GrowingWords } from './radix.ts'

/** Rows of a hash table: key, key of the registrable name above, evidence. */
export class KeyedRows {
  readonly high = new GrowingWords()
  readonly low = new GrowingWords()
  readonly parentHigh = new GrowingWords()
  readonly parentLow = new GrowingWords()
  readonly evidence = new GrowingWords()
  add(key: Uint32Array, parent: Uint32Array, evidence: number): void {
    this.low.push(key[0]!)
    this.high.push(key[1]!)
    this.parentLow.push(parent[0]!)
    this.parentHigh.push(parent[1]!)
    this.evidence.push(evidence)
  }
}

/** Ranges with a value, one or four words an address. */
export class RangeRows {
  readonly first: readonly GrowingWords[]
  readonly last: readonly GrowingWords[]
  readonly value = new GrowingWords()
  constructor(words: 1 | 4) {
    this.first = Array.from({ length: words }, () => new GrowingWords())
    this.last = Array.from({ length: words }, () => new GrowingWords())
  }
  add(range: IpRange, value: number): void {
    if (this.first.length === 1) {
      this.addV4(range.first.w3, range.last.w3, value)
      return
    }
    pushWords(this.first, range.first)
    pushWords(this.last, range.last)
    this.value.push(value)
  }
  addV4(first: number, last: number, value: number): void {
    this.first[0]!.push(first)
    this.last[0]!.push(last)
    this.value.push(value)
  }
}

function pushWords(out: readonly GrowingWords[], ip: Ip): void {
  out[0]!.push(ip.w0)
  out[1]!.push(ip.w1)
  out[2]!.push(ip.w2)
  out[3]!.push(ip.w3)
}

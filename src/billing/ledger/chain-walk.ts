/**
 * Walks one hash chain, entry by entry, and reports the first mismatch. Works for the ledger and the audit log.
 * 1. Entries are numbered from 1 without a gap.
 * 2. Entries older than the hash chain come first; the organisation's first anchor holds a hash over them.
 * 3. The hash of every other entry covers the previous hash and its own fields. Only an erased entry has other fields.
 * 4. The hash of an anchored entry equals the hash in the anchor.
 * 5. The head is the number and the hash of the last entry.
 */

import { isoDay } from '../../lib/clock.ts'
import { link } from '../../lib/hash-chain.ts'

export interface ChainEntry {
  readonly seq: number
  readonly hash: string | null
  /** The hashed fields, as if the entry had this number. */
  readonly fieldsAt: (seq: number) => readonly (string | number | null)[]
  /** True if its fields were erased: then the next entry, the head and the anchors prove its hash. */
  readonly erased?: boolean
}

export interface ChainHead {
  readonly seq: number
  readonly hash: string | null
}

export interface AnchoredHead extends ChainHead {
  readonly number: number
  readonly madeAtMs: number
}

export interface Anchored {
  readonly heads: readonly AnchoredHead[]
  /** The number of entries without a hash when the organisation was first anchored, and a hash over them. */
  readonly older: { readonly count: number; readonly hash: string } | undefined
}

export class ChainWalk {
  readonly #heads: readonly AnchoredHead[]
  readonly #older: Anchored['older']
  #next = 0
  #seq = 0
  #hash: string | null = null
  /** The hash before the last one. */
  #hashBefore: string | null = null
  #olderHash = ''

  /** `start`: the entry before the first one of the walk. */
  constructor({ heads, older }: Anchored, start: ChainHead = { seq: 0, hash: null }) {
    this.#heads = heads.filter(({ seq }) => seq > start.seq).sort((a, b) => a.seq - b.seq)
    this.#older = older
    this.#seq = start.seq
    this.#hash = start.hash
  }

  get seq(): number {
    return this.#seq
  }

  /** Returns the error of the next entry. After an error the walk is over. */
  step(entry: ChainEntry): string | undefined {
    if (entry.seq !== this.#seq + 1) return missing(this.#seq + 1, entry.seq - 1)
    const problem = entry.hash === null ? this.#withoutHash(entry) : this.#withHash(entry, entry.hash)
    if (problem) return problem
    this.#seq = entry.seq
    this.#hashBefore = this.#hash
    this.#hash = entry.hash
    for (; this.#heads[this.#next]?.seq === entry.seq; this.#next++) {
      const anchored = this.#heads[this.#next]
      if (anchored && anchored.hash !== entry.hash) {
        return `it differs from ${named(anchored)}: this entry or an earlier one was rewritten, with all hashes after it`
      }
    }
    return undefined
  }

  /** Describes the entries missing at the end, up to the number in the head. */
  cutOff(head: ChainHead): string {
    return missing(this.#seq + 1, head.seq)
  }

  end(head: ChainHead): string | undefined {
    const beyond = this.#heads.at(-1)
    if (beyond && beyond.seq > this.#seq) {
      return `${missing(this.#seq + 1, beyond.seq)}: the end was deleted, and ${named(beyond)} still contains it`
    }
    if (head.hash === this.#hash) return undefined
    return this.#seq === 0
      ? 'the head has a hash, but there is no entry'
      : `the head is not the hash of the last entry, ${this.#seq}: the head was changed, or the end was deleted and replaced`
  }

  #withoutHash({ seq, fieldsAt }: ChainEntry): string | undefined {
    if (this.#hash !== null || (this.#older && seq > this.#older.count)) {
      return 'it has no hash: it was written manually, or by an earlier version that ran at the same time'
    }
    this.#olderHash = link(this.#olderHash, fieldsAt(seq))
    return seq === this.#older?.count && this.#olderHash !== this.#older.hash
      ? `this entry or an earlier one was changed after it was anchored (entries up to ${seq} are older than the hashes)`
      : undefined
  }

  #withHash({ seq, fieldsAt, erased = false }: ChainEntry, hash: string): string | undefined {
    if (this.#older && seq <= this.#older.count) {
      return 'it has a hash, but had none when it was anchored: it was replaced'
    }
    if (erased || link(this.#hash ?? '', fieldsAt(seq)) === hash) return undefined
    if (seq > 1 && link(this.#hashBefore ?? '', fieldsAt(seq - 1)) === hash) {
      return `entry ${seq - 1} was inserted: the current entry ${seq} was written as entry ${seq - 1}`
    }
    const changed = 'its content was changed after it was written'
    // The first entry, or one right after an anchor, cannot be wrong because of the entry before it.
    const before = this.#heads[this.#next - 1]
    return this.#hash === null || (before?.seq === this.#seq && before.hash === this.#hash)
      ? changed
      : `${changed} (or entry ${seq - 1} was rewritten together with its hash)`
  }
}

function missing(from: number, to: number): string {
  return from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`
}

function named({ number, madeAtMs }: AnchoredHead): string {
  return `anchor ${number} of ${isoDay(madeAtMs)}`
}

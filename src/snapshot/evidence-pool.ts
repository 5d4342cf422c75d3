import {
  isThreat,
  PROTECTION,
  type Protection,
  type Sections,
  SHARED_HOSTING_TAGS,
  TAG_NAMES,
  UNKNOWN_DAY,
} from './format.ts'
import { GrowingWords } from './radix.ts'
import type { Tag } from './types.ts'

export type DropReason = 'expired' | 'platform' | 'protected' | 'downgraded' | 'bad_value'

/** A source as evidence names it: by its number. */
export interface NumberedSource {
  readonly number: number
  readonly id: string
  readonly origin?: string | undefined
}

export const STRONG = 2
export const WEAK = 1

export function strengthOf(protection: Protection | undefined): number {
  return protection === 'strong' ? STRONG : protection === 'weak' ? WEAK : 0
}

interface EvidenceRecord {
  readonly source: number
  readonly tag: number
  readonly firstDay: number
  readonly lastDay: number
  readonly confidence: number
}

/** How invariant 9 applies: it does not apply to plain sets. */
export type Context = 'plain' | 'ip' | 'domain' | 'domain_weak' | 'domain_strong'

interface Judged {
  readonly set: number
  readonly dropped: number
  readonly downgraded: number
}

/** Evidence and evidence sets, each stored once. */
export class EvidencePool {
  readonly records: EvidenceRecord[] = []
  /** Sets of record numbers; set 0 is empty. */
  readonly sets: number[][] = [[]]
  readonly #sources: readonly NumberedSource[]
  readonly #recordIds = new Map<string, number>()
  readonly #setIds = new Map<string, number>([['', 0]])
  readonly #judged = new Map<string, Judged>()
  readonly #judgedSingles: Record<Context, Judged[]> = {
    plain: [],
    ip: [],
    domain: [],
    domain_weak: [],
    domain_strong: [],
  }

  constructor(sources: readonly NumberedSource[]) {
    this.#sources = sources
  }

  intern(record: EvidenceRecord): number {
    const key = `${record.source},${record.tag},${record.firstDay},${record.lastDay},${record.confidence}`
    let id = this.#recordIds.get(key)
    if (id === undefined) {
      id = this.records.length
      this.records.push(record)
      this.#recordIds.set(key, id)
    }
    return id
  }

  /** The number of the set of these records after merging and judging. `ids` is not changed. */
  resolve(ids: readonly number[], context: Context, dropped: Record<DropReason, number>): number {
    if (ids.length === 0) return 0
    let judged: Judged
    if (ids.length === 1) {
      const singles = this.#judgedSingles[context]
      singles[ids[0]!] ??= this.#judge(ids, context)
      judged = singles[ids[0]!]!
    } else {
      const sorted = [...ids].sort((a, b) => a - b)
      const key = `${context}:${sorted.join()}`
      judged = this.#judged.get(key) ?? this.#judge(sorted, context)
      this.#judged.set(key, judged)
    }
    dropped.protected += judged.dropped
    dropped.downgraded += judged.downgraded
    return judged.set
  }

  isThreat(id: number): boolean {
    return isThreat(TAG_NAMES[this.records[id]!.tag]!)
  }

  #judge(ids: readonly number[], context: Context): Judged {
    const merged = this.#merge(ids)
    if (context === 'plain') return { set: this.#internSet(merged), dropped: 0, downgraded: 0 }
    const table = context === 'ip' ? PROTECTION.ip : PROTECTION.domain
    let threatStrength = context === 'domain_strong' ? STRONG : context === 'domain_weak' ? WEAK : 0
    let disposableStrength = 0
    const threatOrigins = new Set<string>()
    const disposableOrigins = new Set<string>()
    let mailProvider = false
    for (const { source, tag } of merged) {
      const name = TAG_NAMES[tag]!
      const shared = context !== 'ip' && SHARED_HOSTING_TAGS.has(name)
      threatStrength = Math.max(threatStrength, shared ? STRONG : strengthOf(table[name]))
      disposableStrength = Math.max(disposableStrength, strengthOf(PROTECTION.disposable[name]))
      const { origin, id } = this.#sources[source]!
      if (isThreat(name)) threatOrigins.add(origin ?? id)
      if (name === 'disposable') disposableOrigins.add(origin ?? id)
      if (name === 'mail_provider') mailProvider = true
    }
    const kept: EvidenceRecord[] = []
    let dropped = 0
    let downgraded = 0
    for (const record of merged) {
      const name = TAG_NAMES[record.tag]!
      const disposable = name === 'disposable'
      const strength = isThreat(name) ? threatStrength : disposable ? disposableStrength : 0
      const corroborated = (disposable ? disposableOrigins : threatOrigins).size >= 2
      if (strength === 0 || (strength === WEAK && corroborated)) kept.push(record)
      else if ((strength === STRONG && !corroborated) || (disposable && mailProvider)) dropped++
      else {
        downgraded++
        kept.push({ ...record, confidence: Math.round(record.confidence / 2) })
      }
    }
    const has = (name: Tag) => kept.some(({ tag }) => TAG_NAMES[tag] === name)
    const untold = new Set<Tag>()
    if (has('disposable') || (has('known_good') && !mailProvider)) untold.add('freemail')
    if (merged.some(({ tag }) => table[TAG_NAMES[tag]!] === 'strong')) untold.add('newly_registered')
    const told = untold.size === 0 ? kept : kept.filter(({ tag }) => !untold.has(TAG_NAMES[tag]!))
    return { set: this.#internSet(told), dropped, downgraded }
  }

  /** One record per source and tag: earliest first sighting, the freshest sighting's confidence. */
  #merge(ids: readonly number[]): EvidenceRecord[] {
    if (ids.length === 1) return [this.records[ids[0]!]!]
    const merged = new Map<number, EvidenceRecord>()
    for (const id of ids) {
      const record = this.records[id]!
      const key = record.source * 256 + record.tag
      const other = merged.get(key)
      if (!other) {
        merged.set(key, record)
        continue
      }
      const isFresher = (record.lastDay - other.lastDay || record.confidence - other.confidence) > 0
      const fresher = isFresher ? record : other
      merged.set(key, { ...fresher, firstDay: earlierDay(record.firstDay, other.firstDay) })
    }
    return [...merged.values()]
  }

  #internSet(records: readonly EvidenceRecord[]): number {
    const ids = records.map((record) => this.intern(record)).sort((a, b) => a - b)
    const key = ids.join()
    let set = this.#setIds.get(key)
    if (set === undefined) {
      set = this.sets.length
      this.sets.push(ids)
      this.#setIds.set(key, set)
    }
    return set
  }

  /** Renumbers sources by id, records by content and sets by first use, and rewrites the sections with set numbers. */
  canonical(sections: Pick<Sections, 'domains' | 'emails' | 'v4Set' | 'v6Set' | 'asnSets'>) {
    const sourceOrder = this.#sources
      .map((source) => source.number)
      .sort((a, b) => (this.#sources[a]!.id < this.#sources[b]!.id ? -1 : 1))
    const sourceRank: number[] = []
    for (const [rank, number] of sourceOrder.entries()) sourceRank[number] = rank
    const used = new Uint32Array(this.sets.length)
    const order: number[] = [0]
    const renumber = (words: Uint32Array, from: number, step: number) => {
      for (let i = from; i < words.length; i += step) {
        const set = words[i]!
        if (set === 0) continue
        if (used[set] === 0) {
          used[set] = order.length
          order.push(set)
        }
        words[i] = used[set]!
      }
    }
    renumber(sections.domains, 2, 3)
    renumber(sections.emails, 2, 3)
    renumber(sections.v4Set, 0, 1)
    renumber(sections.v6Set, 0, 1)
    renumber(sections.asnSets, 0, 1)
    const recordIds = [...new Set(order.flatMap((set) => this.sets[set]!))]
    const rank = (id: number) => sourceRank[this.records[id]!.source]!
    recordIds.sort((a, b) => {
      const x = this.records[a]!
      const y = this.records[b]!
      return (
        rank(a) - rank(b) ||
        x.tag - y.tag ||
        x.lastDay - y.lastDay ||
        x.firstDay - y.firstDay ||
        x.confidence - y.confidence
      )
    })
    const evidence = new Uint32Array(recordIds.length * 5)
    const recordRank: number[] = []
    for (const [i, id] of recordIds.entries()) {
      const record = this.records[id]!
      recordRank[id] = i
      evidence.set([rank(id), record.tag, record.firstDay, record.lastDay, record.confidence], i * 5)
    }
    const setStarts = new Uint32Array(order.length + 1)
    const items = new GrowingWords()
    for (const [i, set] of order.entries()) {
      setStarts[i] = items.length
      for (const item of this.sets[set]!.map((id) => recordRank[id]!).sort((a, b) => a - b)) items.push(item)
    }
    setStarts[order.length] = items.length
    return { sections: { evidence, setStarts, setItems: items.view() }, sourceOrder }
  }
}

function earlierDay(a: number, b: number): number {
  if (a === UNKNOWN_DAY || b === UNKNOWN_DAY) return Math.max(a, b)
  return Math.min(a, b)
}

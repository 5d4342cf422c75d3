import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { parse } from 'tldts'
import { DAY_MS } from '../lib/clock.ts'
import { hash64Into } from '../lib/hashing.ts'
import { type Ip, type IpRange, parseCidr } from '../lib/ip.ts'
import {
  align8,
  FORMAT_VERSION,
  isThreat,
  MAGIC,
  PREAMBLE_BYTES,
  PROTECTION,
  type Protection,
  SECTION_NAMES,
  type Sections,
  SHARED_HOSTING_TAGS,
  type SnapshotHeader,
  TABLE_FILL,
  TAG_NAMES,
} from './format.ts'
import { GrowingWords, sortOrder } from './radix.ts'
import { BoundaryRanks, sweepV4 } from './sweep.ts'
import type { SnapshotInfo, Tag } from './types.ts'

/** Rows in, one snapshot file out. Rows may come in any order; format.ts says what the file promises. */

export interface CompilerSource {
  readonly id: string
  readonly name: string
  readonly licence: string
  readonly asOfMs: number
  /** Confidence halves over this time after the last sighting; undefined never ages. */
  readonly halfLifeDays?: number | undefined
  /** Evidence not sighted for longer is left out; undefined never expires. */
  readonly expiryDays?: number | undefined
  /** Sources that copy from one another share an origin and do not corroborate each other; the id when left out. */
  readonly origin?: string | undefined
}

interface RowEvidence {
  readonly source: string
  readonly tag: Tag
  readonly firstSeenMs: number
  readonly lastSeenMs: number
  /** 0–1 at the time of the last sighting. */
  readonly confidence: number
}

/** Values are in normal form: lower-case A-labels, normalised addresses, prefixes or single IPs, AS numbers. */
export interface IndicatorRow extends RowEvidence {
  readonly kind: 'domain' | 'email' | 'ip' | 'asn'
  readonly value: string
}

export type DropReason = 'expired' | 'platform' | 'protected' | 'downgraded' | 'bad_value'

export interface CompileResult {
  readonly info: SnapshotInfo
  readonly bytes: number
  /** Rows or pieces of evidence left out (downgraded: kept with less confidence), by reason. */
  readonly dropped: Readonly<Record<DropReason, number>>
}

export interface Compiler {
  source(source: CompilerSource): void
  add(row: IndicatorRow): void
  /** As add({ kind: 'ip' }), for a range that need not be a prefix. */
  addRange(range: IpRange, evidence: RowEvidence): void
  /** Says which AS announces a range. */
  addAsnRange(range: IpRange, asn: number, name: string): void
  /** As addAsnRange for IPv4, without an object per row. */
  addAsnRangeV4(first: number, last: number, asn: number, name: string): void
  /** Writes the snapshot; the file appears whole or not at all. */
  writeTo(file: string): CompileResult
}

const STRONG = 2
const WEAK = 1
const SHARED = 4
const CONFIDENCE_STEPS = 10_000
const ADDRESSES_NEAR_MAX = 65_535

function strengthOf(protection: Protection | undefined): number {
  return protection === 'strong' ? STRONG : protection === 'weak' ? WEAK : 0
}

interface EvidenceRecord {
  readonly source: number
  readonly tag: number
  readonly firstDay: number
  readonly lastDay: number
  readonly confidence: number
}

interface SourceState extends CompilerSource {
  readonly number: number
  rows: number
}

export function createCompiler(options: { readonly nowMs: number }): Compiler {
  const today = Math.floor(options.nowMs / DAY_MS)
  const dropped: Record<DropReason, number> = { expired: 0, platform: 0, protected: 0, downgraded: 0, bad_value: 0 }
  const sources = new Map<string, SourceState>()
  const sourceList: SourceState[] = []
  const pool = new EvidencePool(sourceList)
  const domains = new KeyedRows()
  const emails = new KeyedRows()
  const v4 = new RangeRows(1)
  const v6 = new RangeRows(4)
  const asnEvidence = new Map<number, number[]>()
  const asnNames = new Map<number, string>()
  const asn4 = new RangeRows(1)
  const asn6 = new RangeRows(4)
  const protection = new Map<number, number>()
  const key = new Uint32Array(2)
  const parentKey = new Uint32Array(2)
  let lastRow: RowEvidence | undefined
  let lastEvidence = -1

  function evidenceOf(row: RowEvidence): number {
    if (
      lastRow &&
      lastRow.source === row.source &&
      lastRow.tag === row.tag &&
      lastRow.firstSeenMs === row.firstSeenMs &&
      lastRow.lastSeenMs === row.lastSeenMs &&
      lastRow.confidence === row.confidence
    ) {
      if (lastEvidence >= 0) sourceList[pool.records[lastEvidence]!.source]!.rows++
      else dropped.expired++
      return lastEvidence
    }
    const source = sources.get(row.source)
    if (!source) throw new Error(`Source ${row.source} was not declared to the compiler.`)
    const tag = TAG_NAMES.indexOf(row.tag)
    if (tag < 0) throw new Error(`Source ${row.source} uses the unknown tag ${row.tag}.`)
    lastRow = { ...row }
    const lastDay = Math.min(today, Math.max(0, Math.floor(row.lastSeenMs / DAY_MS)))
    const firstDay = Math.min(lastDay, Math.max(0, Math.floor(row.firstSeenMs / DAY_MS)))
    const ageDays = today - lastDay
    if (source.expiryDays !== undefined && ageDays > source.expiryDays) {
      dropped.expired++
      lastEvidence = -1
      return -1
    }
    const aged =
      source.halfLifeDays === undefined ? row.confidence : row.confidence * 0.5 ** (ageDays / source.halfLifeDays)
    const confidence = Math.round(Math.min(1, Math.max(0, aged)) * CONFIDENCE_STEPS)
    source.rows++
    lastEvidence = pool.intern({ source: source.number, tag, firstDay, lastDay, confidence })
    return lastEvidence
  }

  function addDomain(name: string, row: RowEvidence): void {
    const evidence = evidenceOf(row)
    if (evidence < 0) return
    hash64Into(name, key)
    parentKey[0] = 0
    parentKey[1] = 0
    if (isThreat(row.tag)) {
      const parsed = parse(name, { allowPrivateDomains: true })
      if (parsed.isPrivate && parsed.publicSuffix === name) {
        dropped.platform++
        return
      }
      if (parsed.domain && parsed.domain !== name) hash64Into(parsed.domain, parentKey)
    }
    const flags = strengthOf(PROTECTION.domain[row.tag]) | (SHARED_HOSTING_TAGS.has(row.tag) ? SHARED : 0)
    if (flags !== 0) {
      const at = mapKey(key[1]!, key[0]!)
      protection.set(at, (protection.get(at) ?? 0) | flags)
    }
    domains.add(key, parentKey, evidence)
  }

  function addIp(range: IpRange, row: RowEvidence): void {
    if (range.first.version !== range.last.version) throw new Error('A range lies in one IP version.')
    if (!fits(range)) {
      dropped.bad_value++
      return
    }
    const evidence = evidenceOf(row)
    if (evidence < 0) return
    ;(range.first.version === 4 ? v4 : v6).add(range, evidence)
  }

  return {
    source(source) {
      if (sources.has(source.id)) throw new Error(`Source ${source.id} is declared twice.`)
      const state = { ...source, number: sourceList.length, rows: 0 }
      sources.set(source.id, state)
      sourceList.push(state)
    },
    add(row) {
      if (row.kind === 'domain') return addDomain(row.value, row)
      if (row.kind === 'email') {
        const evidence = evidenceOf(row)
        if (evidence < 0) return
        hash64Into(row.value, key)
        parentKey.fill(0)
        return emails.add(key, parentKey, evidence)
      }
      if (row.kind === 'ip') {
        const range = parseCidr(row.value)
        if (range) return addIp(range, row)
        dropped.bad_value++
        return
      }
      const number = Number(row.value)
      if (!Number.isInteger(number) || number < 1 || number > 0xffffffff) {
        dropped.bad_value++
        return
      }
      const evidence = evidenceOf(row)
      if (evidence < 0) return
      const list = asnEvidence.get(number)
      if (list) list.push(evidence)
      else asnEvidence.set(number, [evidence])
    },
    addRange: addIp,
    addAsnRange(range, asn, name) {
      if (!fits(range)) {
        dropped.bad_value++
        return
      }
      ;(range.first.version === 4 ? asn4 : asn6).add(range, asn)
      rememberName(asn, name)
    },
    addAsnRangeV4(first, last, asn, name) {
      asn4.addV4(first, last, asn)
      rememberName(asn, name)
    },
    writeTo(file) {
      const sections: Partial<Sections> = {}
      const domainTable = buildTable(domains, pool, dropped, protection)
      const emailTable = buildTable(emails, pool, dropped, undefined)
      sections.domains = domainTable.slots
      sections.emails = emailTable.slots
      const near = new NearCounts()
      const ranges4 = flattenV4(v4, pool, dropped, near)
      const ranges6 = flattenV6(v6, pool, dropped, near)
      Object.assign(sections, {
        v4First: ranges4.first,
        v4Last: ranges4.last,
        v4Set: ranges4.value,
        v4Index: topIndex(ranges4.last, 1),
        v6First: ranges6.first,
        v6Last: ranges6.last,
        v6Set: ranges6.value,
        v6Index: topIndex(ranges6.last, 4),
      })
      const numbers = Uint32Array.from(new Set([...asnNames.keys(), ...asnEvidence.keys()])).sort()
      const indexOf = new Map<number, number>()
      for (const [i, number] of numbers.entries()) indexOf.set(number, i)
      const announced4 = flattenAsn4(asn4)
      const announced6 = flattenAsn6(asn6)
      const toIndex = (values: Uint32Array) => values.map((number) => indexOf.get(number)!)
      const asn4Asn = toIndex(announced4.value)
      Object.assign(sections, {
        asn4First: announced4.first,
        asn4Last: announced4.last,
        asn4Asn,
        asn4Index: topIndex(announced4.last, 1),
        asn6First: announced6.first,
        asn6Last: announced6.last,
        asn6Asn: toIndex(announced6.value),
        asn6Index: topIndex(announced6.last, 4),
        asnNumbers: numbers,
        asnSets: numbers.map((number) => pool.resolve(asnEvidence.get(number) ?? [], 'plain', dropped)),
        asnPer10k: near.perAsn(announced4.first, announced4.last, asn4Asn, numbers.length),
        ...nameSections(numbers, asnNames),
        ...near.sections(),
      })
      const canonical = pool.canonical(sections as Sections)
      Object.assign(sections, canonical.sections)
      const sourcesOut = canonical.sourceOrder.map((number) => {
        const source = sourceList[number]!
        return { id: source.id, name: source.name, licence: source.licence, rows: source.rows, as_of_ms: source.asOfMs }
      })
      return writeFile(file, sections as Sections, {
        built_at_ms: options.nowMs,
        sources: sourcesOut,
        tags: TAG_NAMES,
        counts: {
          domains: domainTable.count,
          emails: emailTable.count,
          ipv4: ranges4.first.length,
          ipv6: ranges6.first.length / 4,
        },
        dropped,
        domain_homes: domainTable.homes,
        email_homes: emailTable.homes,
      })
    },
  }

  function rememberName(asn: number, name: string): void {
    if (!asnNames.has(asn)) asnNames.set(asn, name)
    // Spellings differ between ranges of one AS: the least of them, so that order does not matter.
    else if (name !== '' && name < asnNames.get(asn)!) asnNames.set(asn, name)
  }
}

// 53 of the 64 bits: a chance meeting could only protect a name, and one in 10^10 at that.
function mapKey(high: number, low: number): number {
  return high * 2097152 + (low >>> 11)
}

/** The boundary after a range must exist, and the range must not be empty. */
function fits({ first, last }: IpRange): boolean {
  if (first.version === 4) return first.w3 <= last.w3
  if (last.w0 === 0xffffffff && last.w1 === 0xffffffff && last.w2 === 0xffffffff && last.w3 === 0xffffffff) return false
  return (first.w0 - last.w0 || first.w1 - last.w1 || first.w2 - last.w2 || first.w3 - last.w3) <= 0
}

/** Rows of a hash table: key, key of the registrable name above, evidence. */
class KeyedRows {
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
class RangeRows {
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

/** How the rules of invariant 9 apply: plain sets are not judged. */
type Context = 'plain' | 'ip' | 'domain' | 'domain_weak' | 'domain_strong'

interface Judged {
  readonly set: number
  readonly dropped: number
  readonly downgraded: number
}

/** Evidence and evidence sets, each stored once. */
class EvidencePool {
  readonly records: EvidenceRecord[] = []
  /** Sets of record numbers; set 0 is empty. */
  readonly sets: number[][] = [[]]
  readonly #sources: readonly SourceState[]
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

  constructor(sources: readonly SourceState[]) {
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

  /** The number of the set that these records make after merging and judging. `ids` is left as it is. */
  resolve(ids: readonly number[], context: Context, dropped: Record<DropReason, number>): number {
    if (ids.length === 0) return 0
    let judged: Judged | undefined
    if (ids.length === 1) {
      const singles = this.#judgedSingles[context]
      judged = singles[ids[0]!]
      if (!judged) {
        judged = this.#judge(ids, context)
        singles[ids[0]!] = judged
      }
    } else {
      const sorted = [...ids].sort((a, b) => a - b)
      const key = `${context}:${sorted.join()}`
      judged = this.#judged.get(key)
      if (!judged) {
        judged = this.#judge(sorted, context)
        this.#judged.set(key, judged)
      }
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
    const told =
      has('disposable') || (has('known_good') && !mailProvider)
        ? kept.filter(({ tag }) => TAG_NAMES[tag] !== 'freemail')
        : kept
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
      const fresher =
        record.lastDay > other.lastDay || (record.lastDay === other.lastDay && record.confidence > other.confidence)
          ? record
          : other
      merged.set(key, { ...fresher, firstDay: Math.min(record.firstDay, other.firstDay) })
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

  /** Renumbers sources by id, records by content and sets by first use, and rewrites the sections that hold set numbers. */
  canonical(sections: Sections): {
    sections: Pick<Sections, 'evidence' | 'setStarts' | 'setItems'>
    sourceOrder: number[]
  } {
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

function buildTable(
  rows: KeyedRows,
  pool: EvidencePool,
  dropped: Record<DropReason, number>,
  protection: ReadonlyMap<number, number> | undefined,
): { slots: Uint32Array; homes: number; count: number } {
  const total = rows.evidence.length
  const high = rows.high.words
  const low = rows.low.words
  const order = sortOrder([high, low], total)
  const keyRows = new GrowingWords()
  const sets = new GrowingWords()
  const ids: number[] = []
  for (let i = 0; i < total; ) {
    const row = order[i]!
    ids.length = 0
    let parentRow = -1
    let j = i
    for (; j < total && high[order[j]!] === high[row] && low[order[j]!] === low[row]; j++) {
      const other = order[j]!
      const evidence = rows.evidence.words[other]!
      if (!ids.includes(evidence)) ids.push(evidence)
      if (rows.parentHigh.words[other] !== 0 || rows.parentLow.words[other] !== 0) parentRow = other
    }
    i = j
    let context: Context = protection ? 'domain' : 'plain'
    if (protection && parentRow >= 0) {
      const flags = protection.get(mapKey(rows.parentHigh.words[parentRow]!, rows.parentLow.words[parentRow]!)) ?? 0
      if (!(flags & SHARED)) context = flags & STRONG ? 'domain_strong' : flags & WEAK ? 'domain_weak' : 'domain'
    }
    const set = pool.resolve(ids, context, dropped)
    if (set === 0) continue
    keyRows.push(row)
    sets.push(set)
  }
  const count = sets.length
  const homes = Math.max(1, Math.ceil(count / TABLE_FILL))
  // Keys come in ascending order, so a slot is never left of its neighbour's and the table needs no wrap-around.
  const positions = new Uint32Array(count)
  let next = 0
  for (let i = 0; i < count; i++) {
    const home = homeSlot(high[keyRows.words[i]!]!, homes)
    const slot = Math.max(home, next)
    positions[i] = slot
    next = slot + 1
  }
  // One empty slot behind the last ends every probe.
  const slots = new Uint32Array((Math.max(next, homes) + 1) * 3)
  for (let i = 0; i < count; i++) {
    const row = keyRows.words[i]!
    const at = positions[i]! * 3
    slots[at] = high[row]!
    slots[at + 1] = low[row]!
    slots[at + 2] = sets.words[i]!
  }
  return { slots, homes, count }
}

export function homeSlot(high: number, homes: number): number {
  return Math.floor((high / 4294967296) * homes)
}

interface FlatRanges {
  readonly first: Uint32Array
  readonly last: Uint32Array
  readonly value: Uint32Array
}

function flattenV4(
  rows: RangeRows,
  pool: EvidencePool,
  dropped: Record<DropReason, number>,
  near: NearCounts,
): FlatRanges {
  const rowFirst = rows.first[0]!.view()
  const rowLast = rows.last[0]!.view()
  const evidence = rows.value.words
  const first = new GrowingWords()
  const last = new GrowingWords()
  const sets = new GrowingWords()
  const ids: number[] = []
  sweepV4(rowFirst, rowLast, (start, end, active) => {
    ids.length = 0
    let narrowThreat = false
    for (const row of active) {
      const id = evidence[row]!
      if (!ids.includes(id)) ids.push(id)
      if (!narrowThreat && rowLast[row]! - rowFirst[row]! < 256) narrowThreat = pool.isThreat(id)
    }
    const set = pool.resolve(ids, 'ip', dropped)
    if (set === 0) return
    if (narrowThreat && pool.sets[set]!.some((id) => pool.isThreat(id))) near.addV4(start, end)
    const previous = sets.length - 1
    if (previous >= 0 && sets.words[previous] === set && last.words[previous]! + 1 === start) {
      last.words[previous] = end - 1
      return
    }
    first.push(start)
    last.push(end - 1)
    sets.push(set)
  })
  return { first: first.view(), last: last.view(), value: sets.view() }
}

function flattenV6(
  rows: RangeRows,
  pool: EvidencePool,
  dropped: Record<DropReason, number>,
  near: NearCounts,
): FlatRanges {
  const ranks = ranksOf(rows)
  const evidence = rows.value.words
  const bounds = new GrowingWords()
  const sets = new GrowingWords()
  const ids: number[] = []
  const address = new Uint32Array(8)
  ranks.sweep((start, end, active) => {
    ids.length = 0
    for (const row of active) {
      const id = evidence[row]!
      if (!ids.includes(id)) ids.push(id)
    }
    const set = pool.resolve(ids, 'ip', dropped)
    if (set === 0) return
    if (pool.sets[set]!.some((id) => pool.isThreat(id))) {
      ranks.write(start, 0, address, 0)
      ranks.write(end, 1, address, 4)
      near.addV6(address)
    }
    const previous = sets.length - 1
    if (previous >= 0 && sets.words[previous] === set && bounds.words[bounds.length - 1] === start) {
      bounds.words[bounds.length - 1] = end
      return
    }
    bounds.push(start)
    bounds.push(end)
    sets.push(set)
  })
  return rankedRanges(ranks, bounds, sets.view())
}

function ranksOf(rows: RangeRows): BoundaryRanks {
  const words = (side: readonly GrowingWords[]) =>
    side.map((word) => word.view()) as unknown as ConstructorParameters<typeof BoundaryRanks>[0]
  return new BoundaryRanks(words(rows.first), words(rows.last), rows.value.length)
}

function rankedRanges(ranks: BoundaryRanks, bounds: GrowingWords, value: Uint32Array): FlatRanges {
  const first = new Uint32Array(value.length * 4)
  const last = new Uint32Array(value.length * 4)
  for (let i = 0; i < value.length; i++) {
    ranks.write(bounds.words[i * 2]!, 0, first, i * 4)
    ranks.write(bounds.words[i * 2 + 1]!, 1, last, i * 4)
  }
  return { first, last, value }
}

function flattenAsn4(rows: RangeRows): FlatRanges {
  const rowFirst = rows.first[0]!.view()
  const rowLast = rows.last[0]!.view()
  const asn = rows.value.words
  const first = new GrowingWords()
  const last = new GrowingWords()
  const value = new GrowingWords()
  sweepV4(rowFirst, rowLast, (start, end, active) => {
    let best = active[0]!
    for (const row of active) {
      const wider = rowLast[row]! - rowFirst[row]! - (rowLast[best]! - rowFirst[best]!)
      if (wider < 0 || (wider === 0 && asn[row]! < asn[best]!)) best = row
    }
    const previous = value.length - 1
    if (previous >= 0 && value.words[previous] === asn[best] && last.words[previous]! + 1 === start) {
      last.words[previous] = end - 1
      return
    }
    first.push(start)
    last.push(end - 1)
    value.push(asn[best]!)
  })
  return { first: first.view(), last: last.view(), value: value.view() }
}

function flattenAsn6(rows: RangeRows): FlatRanges {
  const ranks = ranksOf(rows)
  const asn = rows.value.words
  const bounds = new GrowingWords()
  const value = new GrowingWords()
  // Ranges that nest have nested ranks, so the count of boundaries inside stands in for the width.
  const width = (row: number) => ranks.ends[row]! - ranks.starts[row]!
  ranks.sweep((start, end, active) => {
    let best = active[0]!
    for (const row of active) {
      const wider = width(row) - width(best)
      if (wider < 0 || (wider === 0 && asn[row]! < asn[best]!)) best = row
    }
    const previous = value.length - 1
    if (previous >= 0 && value.words[previous] === asn[best] && bounds.words[bounds.length - 1] === start) {
      bounds.words[bounds.length - 1] = end
      return
    }
    bounds.push(start)
    bounds.push(end)
    value.push(asn[best]!)
  })
  return rankedRanges(ranks, bounds, value.view())
}

/** For every value of the top 16 bits, the first range whose end reaches it: a look-up starts in the right place. */
function topIndex(last: Uint32Array, words: 1 | 4): Uint32Array {
  const count = last.length / words
  const index = new Uint32Array(65537)
  let range = 0
  for (let top = 0; top < 65536; top++) {
    while (range < count && last[range * words]! >>> 16 < top) range++
    index[top] = range
  }
  index[65536] = count
  return index
}

/** Listed addresses per /24, listed ranges per /48, listed addresses per ASN. */
class NearCounts {
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

  /** First and last address, four words each; ranges wider than a /48 are no neighbour's fault. */
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

function nameSections(
  numbers: Uint32Array,
  names: ReadonlyMap<number, string>,
): Pick<Sections, 'asnNameStarts' | 'asnNames'> {
  const asnNameStarts = new Uint32Array(numbers.length + 1)
  const encoded = Array.from(numbers, (number) => Buffer.from(names.get(number) ?? '', 'utf8'))
  let at = 0
  for (const [i, name] of encoded.entries()) {
    asnNameStarts[i] = at
    at += name.length
  }
  asnNameStarts[numbers.length] = at
  return { asnNameStarts, asnNames: new Uint8Array(Buffer.concat(encoded)) }
}

function writeFile(
  file: string,
  sections: Sections,
  partial: Omit<SnapshotHeader, 'version' | 'sections'>,
): CompileResult {
  const identity = createHash('sha256')
  identity.update(JSON.stringify([FORMAT_VERSION, partial.sources, partial.tags, partial.counts]))
  const entries: Record<string, { offset: number; length: number }> = {}
  let offset = 0
  for (const name of SECTION_NAMES) {
    const section = sections[name]
    entries[name] = { offset, length: section.length }
    identity.update(bytesOf(section))
    offset = align8(offset + section.byteLength)
  }
  const day = new Date(partial.built_at_ms).toISOString().slice(0, 10)
  const header: SnapshotHeader = {
    version: `${day}-${identity.digest('hex').slice(0, 8)}`,
    ...partial,
    sections: entries,
  }
  const json = Buffer.from(JSON.stringify(header), 'utf8')
  const headerBytes = align8(PREAMBLE_BYTES + json.length)
  const bytes = headerBytes + offset + 32
  const head = Buffer.alloc(headerBytes, 0x20)
  head.write(MAGIC, 0, 'latin1')
  head.writeUInt32LE(FORMAT_VERSION, 8)
  head.writeUInt32LE(headerBytes - PREAMBLE_BYTES, 12)
  head.writeDoubleLE(bytes, 16)
  json.copy(head, PREAMBLE_BYTES)

  mkdirSync(dirname(file), { recursive: true })
  const partialFile = `${file}.${process.pid}.partial`
  const descriptor = openSync(partialFile, 'w')
  try {
    const checksum = createHash('sha256')
    const put = (chunk: Uint8Array) => {
      checksum.update(chunk)
      for (let done = 0; done < chunk.length; ) done += writeSync(descriptor, chunk, done)
    }
    put(head)
    for (const name of SECTION_NAMES) {
      const chunk = bytesOf(sections[name])
      put(chunk)
      const padding = align8(chunk.length) - chunk.length
      if (padding > 0) put(new Uint8Array(padding))
    }
    writeSync(descriptor, checksum.digest())
    fsyncSync(descriptor)
  } catch (error) {
    closeSync(descriptor)
    rmSync(partialFile, { force: true })
    throw error
  }
  closeSync(descriptor)
  renameSync(partialFile, file)
  return {
    info: infoOf(header),
    bytes,
    dropped: header.dropped as Record<DropReason, number>,
  }
}

export function infoOf(header: SnapshotHeader): SnapshotInfo {
  return {
    version: header.version,
    builtAtMs: header.built_at_ms,
    sources: header.sources.map(({ id, name, licence, rows, as_of_ms }) => ({
      id,
      name,
      licence,
      rows,
      asOfMs: as_of_ms,
    })),
    counts: header.counts,
  }
}

function bytesOf(section: Uint8Array | Uint16Array | Uint32Array | Float32Array): Uint8Array {
  return new Uint8Array(section.buffer, section.byteOffset, section.byteLength)
}

import { parse } from 'tldts'
import { DAY_MS } from '../lib/clock.ts'
import { hash64Into } from '../lib/hashing.ts'
import { type IpRange, parseCidr } from '../lib/ip.ts'
import type { Kind } from '../lib/kinds.ts'
import { type DropReason, EvidencePool, strengthOf } from './evidence-pool.ts'
import { isThreat, PROTECTION, roleOf, SHARED_HOSTING_TAGS, TAG_NAMES, UNKNOWN_DAY } from './format.ts'
import { ListedNamesCounter } from './listed-names.ts'
import { isLookedAt, LOOKS_VERSION, LooksBuilder } from './looks.ts'
import { NearCounts } from './near-counts.ts'
import { KeyedRows, RangeRows } from './radix.ts'
import { flattenAsns, flattenV4, flattenV6, topIndex } from './ranges.ts'
import { buildTable, mapKey, SHARED } from './table.ts'
import { type SnapshotInfo, SOURCE_KINDS, SOURCE_ROLES, type SourceKind, type SourceRole, type Tag } from './types.ts'
import { CountryVotes, countrySection, nameSections, writeFile } from './write.ts'

/** Compiles rows into one snapshot file. Rows may come in any order; format.ts documents the invariants of the file. */

export interface CompilerSource {
  readonly id: string
  readonly name: string
  readonly licence: string
  readonly asOfMs: number
  /** Confidence halves over this time after the last sighting; if undefined, it never ages. */
  readonly halfLifeDays?: number | undefined
  /** Evidence not sighted for longer is left out; if undefined, it never expires. */
  readonly expiryDays?: number | undefined
  /** Sources that copy from one another share an origin and do not corroborate each other; default: the id. */
  readonly origin?: string | undefined
  /** It contains the network of each address: the ranges added while it is the last such source are its rows. */
  readonly announces?: boolean | undefined
  /** It contains only the countries of networks: the countries added while it is the last source are its rows. */
  readonly locates?: boolean | undefined
}

interface RowEvidence {
  readonly source: string
  readonly tag: Tag
  /** As the source states it; undefined if it does not. */
  readonly firstSeenMs?: number | undefined
  readonly lastSeenMs: number
  /** 0–1 at the time of the last sighting. */
  readonly confidence: number
}

/** Values are in normal form: lower-case A-labels, normalised addresses, prefixes or single IPs, AS numbers. */
export interface IndicatorRow extends RowEvidence {
  readonly kind: Kind | 'asn'
  readonly value: string
}

export interface CompileResult {
  readonly info: SnapshotInfo
  readonly bytes: number
  /** Rows or pieces of evidence left out (downgraded: stored with less confidence), by reason. */
  readonly dropped: Readonly<Record<DropReason, number>>
}

export type Compiler = Readonly<ReturnType<typeof createCompiler>>

const CONFIDENCE_STEPS = 10_000

interface SourceState extends CompilerSource {
  readonly number: number
  readonly kinds: Set<SourceKind>
  readonly roles: Set<SourceRole>
  rows: number
}

export function createCompiler(options: { readonly nowMs: number }) {
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
  const countries = new CountryVotes()
  const asn4 = new RangeRows(1)
  const asn6 = new RangeRows(4)
  const protection = new Map<number, number>()
  const listedNames = new ListedNamesCounter()
  const looks = new LooksBuilder()
  const key = new Uint32Array(2)
  const parentKey = new Uint32Array(2)
  let announcer: SourceState | undefined
  let locator: SourceState | undefined
  let lastRow: RowEvidence | undefined
  let lastKind: SourceKind | undefined
  let lastEvidence = -1

  function drop(reason: DropReason): void {
    dropped[reason]++
  }

  function evidenceOf(kind: SourceKind, row: RowEvidence): number {
    if (
      lastRow &&
      lastKind === kind &&
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
    lastKind = kind
    const lastDay = Math.min(today, Math.max(0, Math.floor(row.lastSeenMs / DAY_MS)))
    const firstDay =
      row.firstSeenMs === undefined ? UNKNOWN_DAY : Math.min(lastDay, Math.max(0, Math.floor(row.firstSeenMs / DAY_MS)))
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
    source.kinds.add(kind)
    source.roles.add(roleOf(row.tag))
    lastEvidence = pool.intern({ source: source.number, tag, firstDay, lastDay, confidence })
    return lastEvidence
  }

  function addDomain(name: string, row: RowEvidence) {
    const evidence = evidenceOf('domain', row)
    if (evidence < 0) return
    hash64Into(name, key)
    parentKey[0] = 0
    parentKey[1] = 0
    if (isThreat(row.tag)) {
      const parsed = parse(name, { allowPrivateDomains: true })
      if (parsed.isPrivate && parsed.publicSuffix === name) return drop('platform')
      if (parsed.domain && parsed.domain !== name) hash64Into(parsed.domain, parentKey)
      const { domain: registrable, domainWithoutSuffix: label } = parsed
      if (registrable && label) {
        const { source, confidence } = pool.records[evidence]!
        const sure = confidence / CONFIDENCE_STEPS
        const listed = { registrable, label, isOnPlatform: parsed.isPrivate === true }
        listedNames.add(sourceList[source]!, row.tag, listed, sure)
      }
    }
    if (isLookedAt(row.tag)) looks.add(name)
    const flags = strengthOf(PROTECTION.domain[row.tag]) | (SHARED_HOSTING_TAGS.has(row.tag) ? SHARED : 0)
    if (flags !== 0) {
      const at = mapKey(key[1]!, key[0]!)
      protection.set(at, (protection.get(at) ?? 0) | flags)
    }
    domains.add(key, parentKey, evidence)
  }

  function addIp(range: IpRange, row: RowEvidence) {
    if (range.first.version !== range.last.version) throw new Error('A range lies in one IP version.')
    if (!fits(range)) return drop('bad_value')
    const evidence = evidenceOf('ip', row)
    if (evidence < 0) return
    ;(range.first.version === 4 ? v4 : v6).add(range, evidence)
  }

  return {
    source(source: CompilerSource) {
      if (sources.has(source.id)) throw new Error(`Source ${source.id} is declared twice.`)
      const state: SourceState = {
        ...source,
        number: sourceList.length,
        kinds: new Set(source.announces ? ['ip'] : source.locates ? ['asn'] : []),
        roles: new Set(source.announces || source.locates ? ['network'] : []),
        rows: 0,
      }
      if (source.announces) announcer = state
      locator = source.locates ? state : undefined
      sources.set(source.id, state)
      sourceList.push(state)
    },
    add(row: IndicatorRow) {
      if (row.kind === 'domain') return addDomain(row.value, row)
      if (row.kind === 'email') {
        const evidence = evidenceOf('email', row)
        if (evidence < 0) return
        hash64Into(row.value, key)
        parentKey.fill(0)
        return emails.add(key, parentKey, evidence)
      }
      if (row.kind === 'ip') {
        const range = parseCidr(row.value)
        return range ? addIp(range, row) : drop('bad_value')
      }
      const number = Number(row.value)
      if (!Number.isInteger(number) || number < 1 || number > 0xffffffff) return drop('bad_value')
      const evidence = evidenceOf('asn', row)
      if (evidence < 0) return
      const list = asnEvidence.get(number)
      if (list) list.push(evidence)
      else asnEvidence.set(number, [evidence])
    },
    /** As add({ kind: 'ip' }), for a range that need not be a prefix. */
    addRange: addIp,
    /** Sets the AS that announces a range. */
    addAsnRange(range: IpRange, asn: number, name: string) {
      if (!fits(range)) return drop('bad_value')
      ;(range.first.version === 4 ? asn4 : asn6).add(range, asn)
      announce(asn, name)
    },
    /** As addAsnRange for IPv4, without an object per row. */
    addAsnRangeV4(first: number, last: number, asn: number, name: string) {
      asn4.addV4(first, last, asn)
      announce(asn, name)
    },
    /** Sets the country of an AS. If rows disagree, the most frequent country counts. */
    addAsnCountry(asn: number, country: string) {
      if (!countries.add(asn, country)) dropped.bad_value++
      else if (locator) locator.rows++
    },
    /** Writes the snapshot; the file appears complete or not at all. */
    writeTo(file: string): CompileResult {
      const domainTable = buildTable(domains, pool, dropped, protection)
      const emailTable = buildTable(emails, pool, dropped, undefined)
      const near = new NearCounts()
      const ranges4 = flattenV4(v4, pool, dropped, near)
      const ranges6 = flattenV6(v6, pool, dropped, near)
      const numbers = Uint32Array.from(new Set([...asnNames.keys(), ...asnEvidence.keys()])).sort()
      const indexOf = new Map<number, number>()
      for (const [i, number] of numbers.entries()) indexOf.set(number, i)
      const announced4 = flattenAsns(asn4)
      const announced6 = flattenAsns(asn6)
      const toIndex = (values: Uint32Array) => values.map((number) => indexOf.get(number)!)
      const asn4Asn = toIndex(announced4.value)
      const listed = listedNames.count((registrable) => {
        hash64Into(registrable, key)
        return protection.has(mapKey(key[1]!, key[0]!))
      })
      const known = looks.build()
      const sections = {
        domains: domainTable.slots,
        emails: emailTable.slots,
        v4First: ranges4.first,
        v4Last: ranges4.last,
        v4Set: ranges4.value,
        v4Index: topIndex(ranges4.last, 1),
        v6First: ranges6.first,
        v6Last: ranges6.last,
        v6Set: ranges6.value,
        v6Index: topIndex(ranges6.last, 4),
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
        asnCountries: countrySection(numbers, (asn) => countries.of(asn)),
        ...near.sections(),
        listedStretches: listed.grams,
        listedForms: listed.forms,
        ...known.sections,
      }
      const canonical = pool.canonical(sections)
      const sourcesOut = canonical.sourceOrder.map((number) => {
        const source = sourceList[number]!
        const { id, name, licence, rows, asOfMs: as_of_ms } = source
        const kinds = SOURCE_KINDS.filter((kind) => source.kinds.has(kind))
        const roles = SOURCE_ROLES.filter((role) => source.roles.has(role))
        return { id, name, licence, kinds, roles, rows, as_of_ms }
      })
      const written = writeFile(
        file,
        { ...sections, ...canonical.sections },
        {
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
          listed_names: { names: listed.names, weight: listed.weight },
          looks: { version: LOOKS_VERSION, names: known.names },
        },
      )
      return { ...written, dropped }
    },
  }

  function announce(asn: number, name: string): void {
    if (announcer) announcer.rows++
    if (!asnNames.has(asn)) asnNames.set(asn, name)
    // Spellings differ between ranges of one AS: take the first in the alphabet, so that order does not matter.
    else if (name !== '' && name < asnNames.get(asn)!) asnNames.set(asn, name)
  }
}

/** The boundary after a range must exist, and the range must not be empty. */
function fits({ first, last }: IpRange): boolean {
  if (first.version === 4) return first.w3 <= last.w3
  if (last.w0 === 0xffffffff && last.w1 === 0xffffffff && last.w2 === 0xffffffff && last.w3 === 0xffffffff) return false
  return (first.w0 - last.w0 || first.w1 - last.w1 || first.w2 - last.w2 || first.w3 - last.w3) <= 0
}

import { type Ip, parseIp } from '../lib/ip.ts'
import type { Compiler, CompilerSource } from '../snapshot/compile.ts'
import type { Tag } from '../snapshot/types.ts'
import { asOfMs, type Feed } from './catalogue.ts'
import type { FeedRow } from './parse/report.ts'

/** A row with everything a feed's catalogue entry adds to it: what a copy stores and the compiler takes. */
export interface DatedRow {
  readonly kind: FeedRow['kind']
  readonly value: string
  /** Empty for AS ranges. */
  readonly tag: Tag | ''
  /** As the feed states it. When we first met the row is no such date and is not kept. */
  readonly firstSeenMs: number | undefined
  /** As the feed states it, else when the copy was current. */
  readonly lastSeenMs: number
  readonly confidence: number
  readonly asn: number
  readonly asnName: string
}

/**
 * One dated row per tag. `currentMs` is when the copy was current. Dates in the future are a publisher's clock and
 * count as now.
 */
export function dateRow(feed: Feed, row: FeedRow, nowMs: number, currentMs = asOfMs(feed, nowMs)): DatedRow[] {
  const lastSeenMs = Math.min(row.lastSeenMs ?? Math.max(currentMs, row.firstSeenMs ?? 0), nowMs)
  const dated = {
    kind: row.kind,
    value: row.value,
    firstSeenMs: row.firstSeenMs === undefined ? undefined : Math.min(row.firstSeenMs, lastSeenMs),
    lastSeenMs,
    confidence: feed.confidence * (row.confidence ?? 1),
    asn: row.asn ?? 0,
    asnName: row.asnName ?? '',
  }
  if (row.kind === 'asn_range') return [{ ...dated, tag: '' }]
  return (row.tag ? [row.tag] : feed.tags).map((tag) => ({ ...dated, tag }))
}

export function sourceOf(feed: Feed, asOf: number): CompilerSource {
  return {
    id: feed.id,
    name: feed.name,
    licence: feed.licence,
    asOfMs: asOf,
    halfLifeDays: feed.half_life_days,
    expiryDays: feed.expiry_days,
    origin: feed.origin,
    announces: feed.kinds.includes('asn_range'),
  }
}

export function compileRow(compiler: Compiler, source: string, row: DatedRow): void {
  if (row.kind === 'asn_range') {
    const dash = row.value.indexOf('-')
    const first = parseIp(row.value.slice(0, dash))
    const last = parseIp(row.value.slice(dash + 1))
    if (first && last) compiler.addAsnRange({ first: first as Ip, last: last as Ip }, row.asn, row.asnName)
    return
  }
  if (row.tag === '') return
  compiler.add({
    kind: row.kind,
    value: row.value,
    source,
    tag: row.tag,
    firstSeenMs: row.firstSeenMs,
    lastSeenMs: row.lastSeenMs,
    confidence: row.confidence,
  })
}

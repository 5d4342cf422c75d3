/**
 * The ledger for its organisation, newest first. Every page costs the same, at any position:
 * 1. Pages follow the number of the entry, never an offset.
 * 2. Times are turned into numbers first, through the index on time; nodes' clocks may differ, so the bounds get some
 *    slack and the time is compared again.
 * 3. A filter that few entries pass looks at a bounded number of entries; such a page may be short, even empty, and
 *    still have a next one.
 */
import type { SqlQueries, SqlValue } from '../../db/sql.ts'
import { HOUR_MS } from '../../lib/clock.ts'
import type { Family } from '../../lib/kinds.ts'
import { entries as entryTable } from './accounts.ts'
import type { Entry, EntryKind } from './ledger.ts'

const CLOCK_SLACK_MS = HOUR_MS
const ENTRIES_LOOKED_AT_MAX = 20_000

export interface EntryQuery {
  readonly organisationId: string
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly kind?: EntryKind | undefined
  readonly family?: Family | undefined
  /** Only entries with a smaller number. */
  readonly beforeSeq?: number | undefined
  readonly limit: number
}

export async function readEntryPage(
  sql: SqlQueries,
  query: EntryQuery,
): Promise<{ entries: Entry[]; nextBeforeSeq: number | undefined }> {
  const { organisationId, limit } = query
  const [lowSeq, highSeq] = await Promise.all([
    query.fromMs === undefined ? 1 : seqNear(sql, organisationId, query.fromMs - CLOCK_SLACK_MS, 'after'),
    query.toMs === undefined
      ? lastSeq(sql, organisationId)
      : seqNear(sql, organisationId, query.toMs + CLOCK_SLACK_MS, 'before'),
  ])
  if (lowSeq === undefined || highSeq === undefined) return { entries: [], nextBeforeSeq: undefined }
  const beforeSeq = Math.min(query.beforeSeq ?? Number.MAX_SAFE_INTEGER, highSeq + 1)
  // The index on kind finds rare kinds without reading the charges between them.
  const indexed = query.kind !== undefined && query.kind !== 'charge' && query.family === undefined
  const floorSeq = indexed ? lowSeq : Math.max(lowSeq, beforeSeq - ENTRIES_LOOKED_AT_MAX)
  const params: SqlValue[] = [organisationId, floorSeq, beforeSeq]
  const mark = (value: SqlValue) => `$${params.push(value)}`
  let where = 'organisation_id = $1 and seq >= $2 and seq < $3'
  // Repeated as a literal: otherwise the planner does not see that the partial index applies.
  if (query.kind !== undefined) where += ` and kind = ${mark(query.kind)}${indexed ? ` and kind <> 'charge'` : ''}`
  if (query.family !== undefined) where += ` and family = ${mark(query.family)}`
  if (query.fromMs !== undefined) where += ` and created_at >= ${mark(query.fromMs)}`
  if (query.toMs !== undefined) where += ` and created_at < ${mark(query.toMs)}`
  const rows = await sql.query(
    `select ${entryTable.columns()} from ledger_entry where ${where} order by seq desc limit ${limit + 1}`,
    params,
  )
  const entries = rows.map(entryTable.fromRow)
  if (entries.length > limit) {
    const page = entries.slice(0, limit)
    return { entries: page, nextBeforeSeq: page.at(-1)?.seq }
  }
  return { entries, nextBeforeSeq: floorSeq > lowSeq ? floorSeq : undefined }
}

async function lastSeq(sql: SqlQueries, organisationId: string): Promise<number | undefined> {
  const rows = await sql.query<{ entry_seq: number }>(
    'select entry_seq from billing_account where organisation_id = $1',
    [organisationId],
  )
  return rows[0]?.entry_seq
}

/** The number of the first entry at or after a time, or of the last before it. */
async function seqNear(
  sql: SqlQueries,
  organisationId: string,
  timeMs: number,
  side: 'after' | 'before',
): Promise<number | undefined> {
  const [compare, order] = side === 'after' ? ['>=', 'asc'] : ['<', 'desc']
  const rows = await sql.query<{ seq: number }>(
    `select seq from ledger_entry where organisation_id = $1 and created_at ${compare} $2
     order by organisation_id ${order}, created_at ${order} limit 1`,
    [organisationId, timeMs],
  )
  return rows[0]?.seq
}

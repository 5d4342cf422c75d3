import { logMaker } from '../../documents/log.ts'
import { iso, isoOrNull } from '../../lib/clock.ts'
import { approvalsMissing, type Entry, type EntryQuery, entryState, listEntries } from './entries.ts'

/** An own list as a document. */

/** The first three are the columns of an import. */
export const ENTRY_FIELDS = [
  'indicator',
  'reason',
  'expires_at',
  'kind',
  'state',
  'author_kind',
  'author_name',
  'approved_name',
  'created_at',
  'id',
] as const

type EntryPosition = readonly [createdAtMs: number, id: string]

/** The state is as of the request. */
interface Timed {
  readonly entry: Entry
  readonly nowMs: number
}

export function entryView({ entry, nowMs }: Timed) {
  return {
    id: entry.id,
    list: entry.list,
    kind: entry.kind,
    indicator: entry.indicator,
    reason: entry.reason,
    expires_at: isoOrNull(entry.expires_at),
    state: entryState(entry, nowMs),
    approvals_missing: approvalsMissing(entry),
    proposed_by: entry.proposed_by,
    author: { kind: entry.author_kind, id: entry.author_id, name: entry.author_name },
    approved_by: entry.approved_by === null ? null : { id: entry.approved_by, name: entry.approved_name },
    approved_at: isoOrNull(entry.approved_at),
    created_at: iso(entry.created_at),
    updated_at: iso(entry.updated_at),
  }
}

export const entryLog = logMaker<EntryQuery, Timed, EntryPosition>({
  module: import.meta.url,
  name: 'entryLog',
  fields: ENTRY_FIELDS,
  view: entryView,
  cells({ entry, nowMs }) {
    const times = { expires_at: isoOrNull(entry.expires_at), created_at: iso(entry.created_at) }
    const row = { ...entry, ...times, state: entryState(entry, nowMs) }
    return ENTRY_FIELDS.map((field) => row[field])
  },
  async read(sql, query, { after, limit }) {
    const from = after && { createdAtMs: after[0], id: after[1] }
    const { rows, next } = await listEntries(sql, query, { from, limit })
    return { rows: rows.map((entry) => ({ entry, nowMs: query.nowMs })), next: next && [next.createdAtMs, next.id] }
  },
})

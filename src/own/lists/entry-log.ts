import { logMaker } from '../../documents/log.ts'
import { shown } from '../../lib/clock.ts'
import { approvalsMissing, type Entry, type EntryQuery, entryState, listEntries } from './entries.ts'

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
    ...shown(entry, 'id', 'list', 'kind', 'indicator', 'reason', 'expires_at', 'proposed_by'),
    ...shown(entry, 'approved_at', 'created_at', 'updated_at'),
    state: entryState(entry, nowMs),
    approvals_missing: approvalsMissing(entry),
    author: { kind: entry.author_kind, id: entry.author_id, name: entry.author_name },
    approved_by: entry.approved_by === null ? null : { id: entry.approved_by, name: entry.approved_name },
  }
}

export const entryLog = logMaker<EntryQuery, Timed, EntryPosition>({
  module: import.meta.url,
  name: 'entryLog',
  fields: ENTRY_FIELDS,
  view: entryView,
  cells({ entry, nowMs }) {
    const row = { ...shown(entry), state: entryState(entry, nowMs) }
    return ENTRY_FIELDS.map((field) => row[field])
  },
  async read(sql, query, { after, limit }) {
    const from = after && { createdAtMs: after[0], id: after[1] }
    const { rows, next } = await listEntries(sql, query, { from, limit })
    return { rows: rows.map((entry) => ({ entry, nowMs: query.nowMs })), next: next && [next.createdAtMs, next.id] }
  },
})

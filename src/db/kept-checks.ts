/**
 * Checks on record. A row is written in the transaction that charges for its check, so both exist or neither. A list is
 * written as one row; its records get rows of their own afterwards (src/record/lists.ts).
 */
import type { Kind } from '../lib/kinds.ts'
import { type Column, rowsToInsert } from './multi-row.ts'
import type { Dialect, Statement } from './routine.ts'
import { defineTable, type EntityOf, integer, orNull, text } from './table.ts'

export const CHANNELS = ['console', 'api'] as const
export const LEVELS = ['low', 'medium', 'high'] as const
export const CHECK_OUTCOMES = ['approve', 'review', 'stop'] as const
export const DECISIONS = ['approved', 'stopped', 'false_alarm', 'review'] as const
export const REVIEW_STATES = ['open', 'done'] as const

const asked = {
  organisation_id: text(),
  id: text(),
  created_at: integer(),
  kind: text<Kind>(),
  channel: text<(typeof CHANNELS)[number]>(),
  /** The key, application or person. */
  credential_id: text(),
  /** Null for programs. */
  person_id: orNull(text()),
  /** Version of the intelligence. */
  intelligence: text(),
  /** The billing fields of the answer, as text; those of a list for the whole list. */
  billing: text(),
  repeat_key: orNull(text()),
  sealed: text(),
}

export const keptChecks = defineTable({
  name: 'kept_check',
  key: ['organisation_id', 'id'],
  columns: {
    ...asked,
    level: text<(typeof LEVELS)[number]>(),
    score: integer(),
    digest: text(),
    outcome: orNull(text<(typeof CHECK_OUTCOMES)[number]>()),
    decision: orNull(text<(typeof DECISIONS)[number]>()),
    decision_state: orNull(text<'waiting' | 'made'>()),
    review: orNull(text<(typeof REVIEW_STATES)[number]>()),
    assigned_to: orNull(text()),
    reviewed_since: orNull(integer()),
  },
})
export type KeptCheck = EntityOf<typeof keptChecks>

export const keptLists = defineTable({
  name: 'kept_list',
  key: ['organisation_id', 'id'],
  columns: { ...asked, made: integer() },
})
export type KeptList = EntityOf<typeof keptLists>

/** The id of the check that a request asked. */
export const checkIdOf = (requestId: string): string => `chk_${requestId.slice(4)}`
export const requestIdOf = (checkId: string): string => `req_${checkId.slice(4).split('-', 1)[0]}`

/** What nobody has decided yet. */
export const UNDECIDED = { decision: null, decision_state: null, assigned_to: null } as const

/** Every check pays for each column: those that are null in every new row are left out. */
type NewCheck = Omit<KeptCheck, keyof typeof UNDECIDED>

const CHECK_COLUMNS: readonly Column<NewCheck>[] = [
  { name: 'organisation_id', type: 'text', of: (check) => check.organisation_id },
  { name: 'id', type: 'text', of: (check) => check.id },
  { name: 'created_at', type: 'bigint', of: (check) => check.created_at },
  { name: 'kind', type: 'text', of: (check) => check.kind },
  { name: 'level', type: 'text', of: (check) => check.level },
  { name: 'score', type: 'bigint', of: (check) => check.score },
  { name: 'digest', type: 'text', of: (check) => check.digest },
  { name: 'channel', type: 'text', of: (check) => check.channel },
  { name: 'credential_id', type: 'text', of: (check) => check.credential_id },
  { name: 'person_id', type: 'text', of: (check) => check.person_id },
  { name: 'outcome', type: 'text', of: (check) => check.outcome },
  { name: 'intelligence', type: 'text', of: (check) => check.intelligence },
  { name: 'billing', type: 'text', of: (check) => check.billing },
  { name: 'repeat_key', type: 'text', of: (check) => check.repeat_key },
  { name: 'review', type: 'text', of: (check) => check.review },
  { name: 'reviewed_since', type: 'bigint', of: (check) => check.reviewed_since },
  { name: 'sealed', type: 'text', of: (check) => check.sealed },
]

export const checksToInsert = (dialect: Pick<Dialect, 'engine'>, rows: readonly NewCheck[]): Statement[] =>
  rowsToInsert(dialect, { table: 'kept_check', columns: CHECK_COLUMNS, rows })

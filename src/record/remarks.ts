/** Remarks of people about checks: decisions with notes, and feedback. Both end with their check. */
import type { ACTOR_KINDS } from '../access/actor.ts'
import type { DECISIONS } from '../db/kept-checks.ts'
import { paddedList } from '../db/multi-row.ts'
import type { SqlQueries } from '../db/sql.ts'
import { defineTable, type EntityOf, integer, orNull, type Table, text } from '../db/table.ts'
import { iso, isoOrNull } from '../lib/clock.ts'
import { sealedColumn } from './sealed.ts'

/** By whom, as the audit log names actors. */
const author = {
  by_kind: text<(typeof ACTOR_KINDS)[number]>(),
  by_id: text(),
  by_name: orNull(text()),
}

export const decisions = defineTable({
  name: 'check_decision',
  key: ['organisation_id', 'id'],
  columns: {
    organisation_id: text(),
    id: text(),
    decision: text<(typeof DECISIONS)[number]>(),
    state: text<'waiting' | 'made'>(),
    /** The note and the steps: `Remark` as JSON. */
    sealed: text(),
    ...author,
    created_at: integer(),
    second_by: orNull(text()),
    second_name: orNull(text()),
    second_at: orNull(integer()),
  },
})
export type CheckDecision = EntityOf<typeof decisions>

export const WRONG = ['too_high', 'too_low'] as const

export const feedbacks = defineTable({
  name: 'check_feedback',
  key: ['organisation_id', 'id'],
  columns: {
    organisation_id: text(),
    id: text(),
    wrong: text<(typeof WRONG)[number]>(),
    sealed: text(),
    ...author,
    created_at: integer(),
  },
})
export type Feedback = EntityOf<typeof feedbacks>

export interface Remark {
  readonly note: string | null
  readonly steps: readonly string[]
}

export const placeOfDecision = (organisationId: string, id: string) => `check decision ${organisationId} ${id}`
export const placeOfFeedback = (organisationId: string, id: string) => `check feedback ${organisationId} ${id}`

export const SEALED_DECISIONS = sealedColumn('notes of decisions', 'check_decision', placeOfDecision)
export const SEALED_FEEDBACK = sealedColumn('reasons of feedback', 'check_feedback', placeOfFeedback)

export interface Remarks {
  readonly decided: CheckDecision | undefined
  readonly feedback: Feedback | undefined
}

export async function readRemarks(sql: SqlQueries, organisationId: string, ids: readonly string[]) {
  const { marks, values } = paddedList(ids, 2)
  const read = async <Row extends { readonly id: string }>(table: Table<Row>) => {
    const rows = await table.where(sql, `organisation_id = $1 and id in (${marks})`, [organisationId, ...values])
    return new Map(rows.map((row) => [row.id, row]))
  }
  const decided = await read(decisions)
  const feedback = await read(feedbacks)
  return (id: string) => ({ decided: decided.get(id), feedback: feedback.get(id) })
}

/** Opens a sealed text; undefined if no key does. */
type Open = (sealed: string, place: string) => string | undefined

const named = ({ by_id, by_name }: Pick<Feedback, 'by_id' | 'by_name'>) => ({ id: by_id, name: by_name })

export function decisionView(decision: CheckDecision | undefined, open: Open) {
  if (!decision) return null
  const text = open(decision.sealed, placeOfDecision(decision.organisation_id, decision.id))
  const { note, steps } = text === undefined ? { note: null, steps: [] } : (JSON.parse(text) as Remark)
  return {
    decision: decision.decision,
    state: decision.state === 'waiting' ? ('waiting_for_second' as const) : ('made' as const),
    note,
    steps,
    by: named(decision),
    at: iso(decision.created_at),
    second_by: decision.second_by === null ? null : { id: decision.second_by, name: decision.second_name },
    second_at: isoOrNull(decision.second_at),
  }
}

export function feedbackView(feedback: Feedback | undefined, open: Open) {
  if (!feedback) return null
  const reason = open(feedback.sealed, placeOfFeedback(feedback.organisation_id, feedback.id)) ?? ''
  return { wrong: feedback.wrong, reason, by: named(feedback), at: iso(feedback.created_at) }
}

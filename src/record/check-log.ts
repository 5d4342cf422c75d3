import { type KeptCheck, requestIdOf } from '../db/kept-checks.ts'
import { logMaker } from '../documents/log.ts'
import { iso } from '../lib/time-text.ts'
import { type CheckFilters, listChecks, type NamedCheck, type Reader } from './checks.ts'
import { decisionView, feedbackView } from './remarks.ts'
import { type CheckText, openerOf, placeOfCheck, readCheckText } from './sealed.ts'

/** The history as a document. */

/** A check with its content, if a key of the server opens it. */
export interface OpenCheck {
  readonly check: NamedCheck
  readonly text: CheckText | undefined
  readonly decision: ReturnType<typeof decisionView>
  readonly feedback: ReturnType<typeof feedbackView>
}

export function openCheck(check: NamedCheck, open: ReturnType<typeof openerOf>): OpenCheck {
  const text = open(check.sealed, placeOfCheck(check))
  return {
    check,
    text: text === undefined ? undefined : readCheckText(text),
    decision: decisionView(check.decided, open),
    feedback: feedbackView(check.feedback, open),
  }
}

const ASKERS: Readonly<Record<string, 'person' | 'key'>> = { usr: 'person', key: 'key' }

const priceOf = ({ billing }: KeptCheck) => {
  const { charged, is_free, unit_price_pence, total_price_pence } = JSON.parse(`{${billing}}`)
  return { charged, is_free, unit_price_pence, total_price_pence }
}

export function checkView({ check, text, decision, feedback }: OpenCheck) {
  const { credential_id, asked_name, review, assigned_to, assigned_name, reviewed_since } = check
  return {
    id: check.id,
    asked_at: iso(check.created_at),
    kind: check.kind,
    indicator: text?.indicator ?? null,
    risk: check.level,
    risk_score: check.score,
    channel: check.channel,
    asked_by: { kind: ASKERS[credential_id.slice(0, 3)] ?? 'application', id: credential_id, name: asked_name },
    request_id: requestIdOf(check.id),
    price: priceOf(check),
    intelligence_version: check.intelligence,
    rule_decision: check.outcome,
    decision,
    review: review && {
      state: review,
      assigned_to: assigned_to && { id: assigned_to, name: assigned_name },
      since: iso(reviewed_since ?? check.created_at),
    },
    feedback,
  }
}

export const fullCheckView = (open: OpenCheck) => ({
  ...checkView(open),
  answer: open.text ? JSON.parse(`${open.text.before}${open.check.billing}${open.text.after}`) : null,
})

export const CHECK_FIELDS = [
  'id',
  'asked_at',
  'kind',
  'indicator',
  'risk',
  'risk_score',
  'channel',
  'asked_by_kind',
  'asked_by_id',
  'asked_by_name',
  'request_id',
  'charged',
  'total_price_pence',
  'intelligence_version',
  'rule_decision',
  'decision',
  'review',
  'assigned_to_name',
] as const

export interface CheckQuery {
  readonly reader: Reader
  readonly filters: CheckFilters
  /** The keys that open sealed texts (sealed.ts): this may run on a thread without a ring. */
  readonly keys: readonly string[]
}

export const checkLog = logMaker<CheckQuery, OpenCheck, readonly [createdAtMs: number, id: string]>({
  module: import.meta.url,
  name: 'checkLog',
  fields: CHECK_FIELDS,
  view: checkView,
  cells(open) {
    const { asked_by, price, review, ...view } = checkView(open)
    const cells = {
      ...view,
      asked_by_kind: asked_by.kind,
      asked_by_id: asked_by.id,
      asked_by_name: asked_by.name,
      ...price,
      decision: open.check.decision,
      review: open.check.review,
      assigned_to_name: open.check.assigned_name,
    }
    return CHECK_FIELDS.map((field) => cells[field])
  },
  async read(sql, { reader, filters, keys }, { after, limit }) {
    const from = after && { createdAtMs: after[0], id: after[1] }
    const { rows, next } = await listChecks(sql, reader, filters, { from, limit })
    const open = openerOf(keys)
    return { rows: rows.map((check) => openCheck(check, open)), next: next && [next.createdAtMs, next.id] }
  },
})

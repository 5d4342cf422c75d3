import { type KeptCheck, placeOfText, readText, requestIdOf, type TextOfCheck } from '../db/kept-checks.ts'
import { paddedList } from '../db/multi-row.ts'
import type { SqlQueries } from '../db/sql.ts'
import { logMaker } from '../documents/log.ts'
import { iso } from '../lib/clock.ts'
import { KINDS } from '../lib/kinds.ts'
import { isProblem, parseIndicator, targetOf } from '../risk/indicator.ts'
import { type CheckFilters, listChecks, type NamedCheck, type Reader } from './checks.ts'
import { decisionView, feedbackView } from './remarks.ts'
import { openerOf } from './sealed.ts'

/** A check with its content, if a key of the server opens it. */
export interface OpenCheck<Check = NamedCheck> {
  readonly check: Check
  readonly text: TextOfCheck | undefined
}

/** `keys` are those of `keysOfChecks`. */
export async function openChecks<Check extends KeptCheck>(
  sql: SqlQueries,
  keys: readonly string[],
  checks: readonly Check[],
): Promise<OpenCheck<Check>[]> {
  const textOf = await openTexts(sql, keys, checks[0]?.organisation_id ?? '', checks)
  return checks.map((check) => {
    const text = textOf(check)
    return { check, text: text && { ...text, answer: wholeAnswer(check, text) } }
  })
}

type Placed = Pick<KeptCheck, 'text_id' | 'text_place'>

async function openTexts(
  sql: SqlQueries,
  keys: readonly string[],
  organisationId: string,
  checks: readonly Placed[],
): Promise<(check: Placed) => TextOfCheck | undefined> {
  if (checks.length === 0) return () => undefined
  const { marks, values } = paddedList([...new Set(checks.map(({ text_id }) => text_id))], 2)
  const rows = await sql.query<{ id: string; sealed: string }>(
    `select id, sealed from kept_text where organisation_id = $1 and id in (${marks})`,
    [organisationId, ...values],
  )
  const open = openerOf(keys)
  const texts = new Map(
    rows.map(({ id, sealed }) => [id, readText(open(sealed, placeOfText(organisationId, id)) ?? '')]),
  )
  return ({ text_id, text_place }) => texts.get(text_id)?.[text_place]
}

/** The texts of these checks, by id. */
export async function openTextsOf(
  sql: SqlQueries,
  keys: readonly string[],
  organisationId: string,
  ids: readonly string[],
): Promise<(id: string) => TextOfCheck | undefined> {
  if (ids.length === 0) return () => undefined
  const { marks, values } = paddedList(ids, 2)
  const placed = await sql.query<Placed & { readonly id: string }>(
    `select id, text_id, text_place from kept_check where organisation_id = $1 and id in (${marks})`,
    [organisationId, ...values],
  )
  const textOf = await openTexts(sql, keys, organisationId, placed)
  const texts = new Map(placed.map((one) => [one.id, textOf(one)]))
  return (id) => texts.get(id)
}

/** An answer without reasons has its first fields in the row. */
function wholeAnswer({ kind, level, score }: KeptCheck, { indicator, answer }: TextOfCheck): string {
  if (answer.startsWith('{')) return answer
  const { family, sourceType } = KINDS[kind]
  const parsed = parseIndicator(kind, indicator)
  const target = isProblem(parsed) ? indicator : targetOf(parsed)
  const fields = { endpoint: family, risk: level, risk_score: score, source_type: sourceType, target }
  return `${JSON.stringify(fields).slice(0, -1)},${answer}}`
}

/** With what people said about it. */
export interface ShownCheck extends OpenCheck {
  readonly decision: ReturnType<typeof decisionView>
  readonly feedback: ReturnType<typeof feedbackView>
}

export async function openAllNamed(sql: SqlQueries, keys: readonly string[], checks: readonly NamedCheck[]) {
  const open = openerOf(keys)
  return (await openChecks(sql, keys, checks)).map(
    (one): ShownCheck => ({
      ...one,
      decision: decisionView(one.check.decided, open),
      feedback: feedbackView(one.check.feedback, open),
    }),
  )
}

export async function openNamed(sql: SqlQueries, keys: readonly string[], check: NamedCheck): Promise<ShownCheck> {
  const [shown] = await openAllNamed(sql, keys, [check])
  return shown!
}

const ASKERS: Readonly<Record<string, 'person' | 'key'>> = { usr: 'person', key: 'key' }

export interface Price {
  readonly charged: boolean
  readonly is_free: boolean
  readonly unit_price_pence: number
  readonly total_price_pence: number
}

function priceOf(text: TextOfCheck): Price {
  const { charged, is_free, unit_price_pence, total_price_pence } = JSON.parse(text.answer) as Price
  return { charged, is_free, unit_price_pence, total_price_pence }
}

export function checkView({ check, text, decision, feedback }: ShownCheck) {
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
    price: text ? priceOf(text) : null,
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

export const fullCheckView = (open: ShownCheck) => ({
  ...checkView(open),
  answer: open.text ? (JSON.parse(open.text.answer) as unknown) : null,
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

export const checkLog = logMaker<CheckQuery, ShownCheck, readonly [id: string]>({
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
      charged: price?.charged ?? null,
      total_price_pence: price?.total_price_pence ?? null,
      decision: open.check.decision,
      review: open.check.review,
      assigned_to_name: open.check.assigned_name,
    }
    return CHECK_FIELDS.map((field) => cells[field])
  },
  async read(sql, { reader, filters, keys }, { after, limit }) {
    const { rows, next } = await listChecks(sql, reader, filters, { from: after?.[0], limit })
    const opened = await openAllNamed(sql, keys, rows)
    return { rows: opened, next: next === undefined ? undefined : [next] }
  },
})

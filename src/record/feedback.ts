/**
 * Feedback: an answer that somebody reports as wrong.
 *
 *  1. The operator reads it, with the indicator and the signals that decided: whoever gives it agrees to that.
 *  2. For the organisation it acts at once through an entry of an own list, added in the same transaction by the rules of
 *     own lists.
 */
import type { Actor } from '../access/actor.ts'
import { type KeptCheck, keptChecks } from '../db/kept-checks.ts'
import type { SqlQueries, Tx } from '../db/sql.ts'
import type { Page, PageOptions } from '../db/table.ts'
import { conflict } from '../errors.ts'
import { actorName, audit } from '../identity/audit.ts'
import { iso } from '../lib/clock.ts'
import type { Ring } from '../lib/seal.ts'
import { addEntry, type Entry } from '../own/lists/entries.ts'
import type { ListName } from '../own/lists/listed.ts'
import { openChecks } from './check-log.ts'
import type { Reader } from './checks.ts'
import { lockCheck } from './decisions.ts'
import { type Feedback, feedbacks, placeOfFeedback } from './remarks.ts'
import { keysOfChecks, sealOfChecks } from './sealed.ts'

export interface FeedbackInput {
  readonly wrong: Feedback['wrong']
  readonly reason: string
  readonly ownList: ListName | null
}

export async function giveFeedback(
  tx: Tx,
  actor: Actor,
  { reader, id, input }: { readonly reader: Reader; readonly id: string; readonly input: FeedbackInput },
  ring: Ring,
): Promise<{ readonly feedback: Feedback; readonly entry: Entry | undefined }> {
  const { wrong, reason, ownList } = input
  const { check } = await lockCheck(tx, actor, reader, id)
  const seal = sealOfChecks(ring)
  const added =
    ownList === null
      ? undefined
      : await addEntry(tx, actor, ownList, {
          indicator: await indicatorOf(tx, ring, check),
          reason,
          expiresAtMs: null,
          checkId: id,
        })
  const feedback: Feedback = {
    organisation_id: actor.organisationId,
    id,
    wrong,
    sealed: seal.seal(reason, placeOfFeedback(actor.organisationId, id)),
    by_kind: actor.kind,
    by_id: actor.id,
    by_name: await actorName(tx, actor),
    created_at: tx.nowMs,
  }
  await feedbacks.upsert(tx, [feedback])
  await audit(tx, actor, 'check.feedback', id, { wrong, own_list: ownList, entry: added?.entry.id ?? null })
  return { feedback, entry: added?.entry }
}

/** A row for the operator, and for the laboratory. */
export interface LabelledCheck {
  readonly check_id: string
  readonly organisation_id: string
  readonly kind: string
  readonly indicator: string
  /** The truth, as the customer says: `legitimate` was scored too high, `fraud` too low. */
  readonly label: 'legitimate' | 'fraud'
  readonly risk: string
  readonly score: number
  readonly signals: readonly { readonly code: string; readonly effect: number }[]
  readonly reason: string
  readonly given_at: number
}

/** Of all organisations, newest first. */
export async function listFeedback(sql: SqlQueries, ring: Ring, page: PageOptions): Promise<Page<LabelledCheck>> {
  const { rows, next } = await feedbacks.page(sql, {}, { ...page, newestFirst: true })
  const seal = sealOfChecks(ring)
  const labelled: LabelledCheck[] = []
  for (const row of rows) {
    const check = await keptChecks.find(sql, { organisation_id: row.organisation_id, id: row.id })
    const [open] = check ? await openChecks(sql, keysOfChecks(ring), [check]) : []
    // Erased in between.
    if (!check || !open?.text) continue
    const { indicator, answer } = open.text
    labelled.push({
      check_id: row.id,
      organisation_id: row.organisation_id,
      kind: check.kind,
      indicator,
      label: row.wrong === 'too_high' ? 'legitimate' : 'fraud',
      risk: check.level,
      score: check.score,
      signals: (signalsIn(answer) ?? []).map(({ code, effect }) => ({ code, effect })),
      reason: await seal.open(row.sealed, placeOfFeedback(row.organisation_id, row.id)),
      given_at: row.created_at,
    })
  }
  return { rows: labelled, next }
}

async function indicatorOf(tx: Tx, ring: Ring, check: KeptCheck): Promise<string> {
  const [open] = await openChecks(tx, keysOfChecks(ring), [check])
  if (open?.text) return open.text.indicator
  throw conflict('No key of the server opens this check. Add the entry to the list yourself.')
}

/** The signals of an answer; undefined if its reasons are not on record. */
export const signalsIn = (answer: string) =>
  (JSON.parse(answer) as { signals?: readonly { readonly code: string; readonly effect: number }[] }).signals

/** The columns of the export for the laboratory; the console writes the same. */
export const LABELLED_FIELDS = ['kind', 'indicator', 'label', 'score', 'signals', 'reason', 'day'] as const

export const labelledCells = ({ kind, indicator, label, score, signals, reason, given_at }: LabelledCheck) => [
  kind,
  indicator,
  label,
  score,
  signals.map(({ code }) => code).join(' '),
  reason,
  iso(given_at).slice(0, 10),
]

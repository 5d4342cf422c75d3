/**
 * Alerts: thresholds on credit and overage, evaluated when they are read and by the billing job. A crossing is stored
 * with its time and reported.
 */
import type { Actor } from '../../access/actor.ts'
import { changeIn, type Sql, type Tx } from '../../db/sql.ts'
import { defineTable, type EntityOf, integer, orNull, text } from '../../db/table.ts'
import { conflict, orNotFound } from '../../errors.ts'
import { audit } from '../../identity/audit.ts'
import { lockOrganisation, type Organisation, requireOrganisation } from '../../identity/organisation/organisations.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { LIMITS } from '../../limits.ts'
import { type AccountReader, planOf, readAccount } from '../ledger/accounts.ts'
import { overageLimitOf } from '../ledger/ledger.ts'
import { type NoticeRules, tellContacts } from '../notices.ts'
import { periodStartMs } from '../period.ts'
import type { Plan, Plans } from '../plans.ts'
import { totalOfMonth } from '../usage/usage.ts'

export const ALERT_KINDS = ['credit_below', 'overage_above'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

const alerts = defineTable({
  name: 'billing_alert',
  key: ['id'],
  fixed: ['organisation_id', 'created_at'],
  columns: {
    id: text(),
    organisation_id: text(),
    kind: text<AlertKind>(),
    threshold_pence: integer(),
    created_at: integer(),
    /** When the threshold was crossed; null while it is not crossed. */
    triggered_at: orNull(integer()),
  },
})
export type Alert = EntityOf<typeof alerts>

export interface AlertFigures {
  readonly creditPence: number
  /** Of this month. */
  readonly overagePence: number
}

export async function readFigures(deps: AccountReader, organisationId: string): Promise<AlertFigures> {
  const account = await readAccount(deps, organisationId)
  const { overagePence } = await totalOfMonth(deps.sql, organisationId, account.period)
  return { creditPence: account.includedPence + account.prepaidPence, overagePence }
}

const watchedBy = ({ kind }: Pick<Alert, 'kind'>, { creditPence, overagePence }: AlertFigures) =>
  kind === 'credit_below' ? creditPence : overagePence

function isCrossed(alert: Pick<Alert, 'kind' | 'threshold_pence'>, figures: AlertFigures): boolean {
  const current = watchedBy(alert, figures)
  return alert.kind === 'credit_below' ? current < alert.threshold_pence : current > alert.threshold_pence
}

function tellCrossed(
  tx: Tx,
  rules: NoticeRules,
  organisation: Pick<Organisation, 'id' | 'name'>,
  alert: Alert,
  figures: AlertFigures,
): Promise<void> {
  const { id, kind, threshold_pence } = alert
  const reached = { alert: kind, threshold_pence, present_pence: watchedBy(alert, figures) }
  return tellContacts(tx, rules, organisation, 'alert_reached', { about: reached, data: { alert_id: id, ...reached } })
}

/** An alert whose threshold is already crossed is reported at once. */
export async function createAlert(
  tx: Tx,
  actor: Actor,
  input: { readonly kind: AlertKind; readonly thresholdPence: number; readonly figures: AlertFigures },
  rules: NoticeRules = {},
): Promise<Alert> {
  // Under lock, so that concurrent callers cannot exceed the limit.
  const organisation = await lockOrganisation(tx, actor.organisationId)
  if ((await alerts.count(tx, { organisation_id: actor.organisationId })) >= LIMITS.counts.alertsMax) {
    throw conflict(`There are ${LIMITS.counts.alertsMax} alerts. Remove some first.`)
  }
  const watched = { kind: input.kind, threshold_pence: input.thresholdPence }
  const alert = await alerts.insert(tx, {
    id: newId('alr'),
    organisation_id: actor.organisationId,
    ...watched,
    created_at: tx.nowMs,
    triggered_at: isCrossed(watched, input.figures) ? tx.nowMs : null,
  })
  await audit(tx, actor, 'alert.create', alert.id, watched)
  if (alert.triggered_at !== null) await tellCrossed(tx, rules, organisation, alert, input.figures)
  return alert
}

export async function deleteAlert(tx: Tx, actor: Actor, id: string): Promise<void> {
  const own = { id, organisation_id: actor.organisationId }
  const alert = await orNotFound(alerts.lock(tx, own), 'There is no such alert.')
  await alerts.delete(tx, own)
  await audit(tx, actor, 'alert.delete', id, { kind: alert.kind, threshold_pence: alert.threshold_pence })
}

/** Evaluates the alerts now; stores when one was crossed or recovered, and reports a crossing. */
export async function readAlerts(
  { sql, clock, ...rules }: { readonly sql: Sql; readonly clock: Clock } & NoticeRules,
  input: { readonly organisationId: string; readonly figures: AlertFigures },
): Promise<Alert[]> {
  const own = { organisation_id: input.organisationId }
  const list = () => alerts.list(sql, own, { order: 'created_at, id', limit: LIMITS.counts.alertsMax })
  const isTriggered = ({ triggered_at }: Alert) => triggered_at !== null
  const known = await list()
  const changed = known.filter((alert) => isCrossed(alert, input.figures) !== isTriggered(alert))
  if (changed.length === 0) return known
  await changeIn(sql, clock, async (tx) => {
    for (const before of changed) {
      const alert = await alerts.lock(tx, { id: before.id })
      // Compare and set: of two concurrent readers, the first sets the time.
      if (!alert || isTriggered(alert) !== isTriggered(before)) continue
      await alerts.update(tx, alert, { triggered_at: isTriggered(alert) ? null : tx.nowMs })
      if (isTriggered(alert)) continue
      const organisation = await requireOrganisation(tx, input.organisationId)
      await tellCrossed(tx, rules, organisation, alert, input.figures)
    }
  })
  return list()
}

const CHECKS_LEFT_MIN = 100

/** Credit is low when it pays for fewer than a hundred checks of the most expensive kind. */
const lowBelowPence = (plan: Plan) => CHECKS_LEFT_MIN * Math.max(...Object.values(plan.unit_price_pence))

/** Accounts with more credit than this need no look. */
export const lowCreditMaxPence = (plans: Plans) => Math.max(...[...plans.values()].map(lowBelowPence))

/**
 * Reports credit that is nearly used up where checks are refused after it. Skips plans with overage, organisations that
 * used no credit this month, and those whose alert has already reported it.
 */
export async function watchCredit(deps: AccountReader & NoticeRules, organisationId: string): Promise<void> {
  const account = await readAccount(deps, organisationId)
  const plan = planOf(deps.plans, account)
  const creditPence = account.includedPence + account.prepaidPence
  if (creditPence >= lowBelowPence(plan)) return
  if (plan.overage_allowed && overageLimitOf(account, plan) > 0) return
  if ((await totalOfMonth(deps.sql, organisationId, account.period)).creditPence <= 0) return
  await changeIn(deps.sql, deps.clock, async (tx) => {
    const own = { organisation_id: organisationId, kind: 'credit_below' as const }
    if ((await alerts.count(tx, own, ' and triggered_at is not null')) > 0) return
    const organisation = await requireOrganisation(tx, organisationId)
    // At most once a month to each contact.
    const monthStartMs = periodStartMs(account.period)
    const about = { credit_pence: creditPence }
    await tellContacts(tx, deps, organisation, 'credit_low', { about, data: about }, monthStartMs)
  })
}

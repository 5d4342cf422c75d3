/** Alerts: thresholds on credit and overage. Whether one is crossed is found when it is read, and since when is kept. */
import type { Sql, SqlQueries, SqlTransaction } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { newId } from '../../lib/ids.ts'

export const ALERT_KINDS = ['credit_below', 'overage_above'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]
const ALERTS_MAX = 20

export interface Alert {
  readonly id: string
  readonly organisation_id: string
  readonly kind: AlertKind
  readonly threshold_pence: number
  readonly created_at: number
  readonly triggered_at: number | null
}

export interface AlertFigures {
  readonly creditPence: number
  /** Of this month. */
  readonly overagePence: number
}

const COLUMNS = 'id, organisation_id, kind, threshold_pence, created_at, triggered_at'

export function isCrossed(alert: Pick<Alert, 'kind' | 'threshold_pence'>, figures: AlertFigures): boolean {
  return alert.kind === 'credit_below'
    ? figures.creditPence < alert.threshold_pence
    : figures.overagePence > alert.threshold_pence
}

export async function createAlert(
  tx: SqlTransaction,
  input: {
    readonly organisationId: string
    readonly kind: AlertKind
    readonly thresholdPence: number
    readonly figures: AlertFigures
    readonly nowMs: number
  },
): Promise<Alert> {
  const count = await tx.query<{ count: number }>(
    'select count(*) as count from billing_alert where organisation_id = $1',
    [input.organisationId],
  )
  if ((count[0]?.count ?? 0) >= ALERTS_MAX) {
    throw new Problem('conflict', { detail: `There are ${ALERTS_MAX} alerts. Remove some first.` })
  }
  const crossed = isCrossed({ kind: input.kind, threshold_pence: input.thresholdPence }, input.figures)
  const rows = await tx.query<Alert>(
    `insert into billing_alert (${COLUMNS}) values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
    [newId('alr'), input.organisationId, input.kind, input.thresholdPence, input.nowMs, crossed ? input.nowMs : null],
  )
  return rows[0]!
}

export async function deleteAlert(
  tx: SqlTransaction,
  input: { readonly organisationId: string; readonly id: string },
): Promise<boolean> {
  const rows = await tx.query('delete from billing_alert where id = $1 and organisation_id = $2 returning id', [
    input.id,
    input.organisationId,
  ])
  return rows.length > 0
}

async function listAlerts(sql: SqlQueries, organisationId: string): Promise<Alert[]> {
  return sql.query<Alert>(
    `select ${COLUMNS} from billing_alert where organisation_id = $1 order by created_at, id limit ${ALERTS_MAX}`,
    [organisationId],
  )
}

/** The alerts as they stand now; a change of standing is kept with its time. */
export async function readAlerts(
  sql: Sql,
  input: { readonly organisationId: string; readonly figures: AlertFigures; readonly nowMs: number },
): Promise<Alert[]> {
  const alerts = await listAlerts(sql, input.organisationId)
  const changed = alerts.filter((alert) => isCrossed(alert, input.figures) !== (alert.triggered_at !== null))
  if (changed.length === 0) return alerts
  await sql.transaction(async (tx) => {
    for (const alert of changed) {
      // Only from the standing that was read: of two readers the first sets the time.
      await tx.query(
        `update billing_alert set triggered_at = $2 where id = $1 and triggered_at is ${alert.triggered_at === null ? '' : 'not '}null`,
        [alert.id, alert.triggered_at === null ? input.nowMs : null],
      )
    }
  })
  return listAlerts(sql, input.organisationId)
}

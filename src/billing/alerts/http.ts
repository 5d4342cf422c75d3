import Type from 'typebox'
import { callerOf } from '../../access/gate.ts'
import { change, type Operation, oneOf, operation } from '../../http/operation.ts'
import { closed } from '../../http/page-operation.ts'
import { jsonResponse, named, noContent, Pence, TextLike, Time, TimeOrNull } from '../../http/schema.ts'
import { shown } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { ALERT_KINDS, type Alert, createAlert, deleteAlert, readAlerts, readFigures } from './alerts.ts'

const AlertSchema = named('Alert', {
  id: TextLike('alr_4RtYuIoPaSdFgHjKlZxC'),
  kind: oneOf(ALERT_KINDS, { description: "The watched amount: remaining credit, or this month's overage." }),
  threshold_pence: Pence('The alert triggers below it (credit) or above it (overage).', 1000),
  triggered: Type.Boolean(),
  triggered_at: TimeOrNull('When the alert was triggered.'),
  created_at: Time('When it was set.'),
})

export function alertOperations(deps: BillingDependencies): Operation[] {
  return [
    operation({
      name: 'GET /v1/billing/alerts',
      id: 'listAlerts',
      summary: 'List the alerts and their state',
      scope: 'billing:read',
      answers: {
        200: jsonResponse(
          `All alerts, at most ${LIMITS.counts.alertsMax}.`,
          named('Alerts', { data: Type.Array(AlertSchema) }),
        ),
      },
      handle: async ({ caller: { organisationId } }) => {
        const figures = await readFigures(deps, organisationId)
        const alerts = await readAlerts(deps, { organisationId, figures })
        return { data: alerts.map(alertView) }
      },
    }),

    change({
      name: 'POST /v1/billing/alerts',
      id: 'createAlert',
      summary: 'Set an alert on credit or overage',
      scope: 'billing:write',
      body: closed(
        { kind: oneOf(ALERT_KINDS), threshold_pence: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }) },
        { kind: 'credit_below', threshold_pence: 1000 },
      ),
      answers: { 201: jsonResponse('The alert.', AlertSchema) },
      problems: ['conflict'],
      // Before the transaction, because the usage rollup has its own transactions.
      prepare: ({ request }) => readFigures(deps, callerOf(request).organisationId),
      handle: async (tx, { actor, body, prepared: figures }) => {
        const { kind, threshold_pence: thresholdPence } = body
        const alert = await createAlert(tx, actor, { kind, thresholdPence, figures }, deps)
        return { status: 201, body: alertView(alert) }
      },
    }),

    change({
      name: 'DELETE /v1/billing/alerts/{alert_id}',
      id: 'deleteAlert',
      summary: 'Remove an alert',
      scope: 'billing:write',
      answers: { 204: noContent('Removed.') },
      handle: (tx, { actor, params }) => deleteAlert(tx, actor, params.alert_id),
    }),
  ]
}

const alertView = ({ organisation_id: _, ...alert }: Alert) => ({
  ...shown(alert),
  triggered: alert.triggered_at !== null,
})

import Type from 'typebox'
import { callerOf } from '../../access/gate.ts'
import { change, type Operation, oneOf, operation } from '../../http/operation.ts'
import { jsonResponse, named, noContent, Pence, REPLAYED_HEADER, Time, TimeOrNull } from '../../http/schema.ts'
import { LIMITS } from '../../limits.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { ALERT_KINDS, type Alert, createAlert, deleteAlert, readAlerts, readFigures } from './alerts.ts'

const AlertSchema = named('Alert', {
  id: Type.String(),
  kind: oneOf(ALERT_KINDS, { description: 'The figure that is watched: credit left, or overage of this month.' }),
  threshold_pence: Pence('Crossed below it (credit) or above it (overage).'),
  triggered: Type.Boolean(),
  triggered_at: TimeOrNull('When it was first seen crossed.'),
  created_at: Time('When it was set.'),
})
type AlertView = Type.Static<typeof AlertSchema>

const sampleAlert: AlertView = {
  id: 'alr_4RtYuIoPaSdFgHjKlZxC',
  kind: 'credit_below',
  threshold_pence: 1000,
  triggered: false,
  triggered_at: null,
  created_at: '2026-03-01T09:00:00.000Z',
}

export function alertOperations(deps: BillingDependencies): Operation[] {
  return [
    operation({
      name: 'GET /v1/billing/alerts',
      id: 'listAlerts',
      summary: 'List the alerts and how they stand',
      scope: 'billing:read',
      answers: {
        200: jsonResponse(
          `All of them, ${LIMITS.counts.alertsMax} at most.`,
          named('Alerts', { data: Type.Array(AlertSchema) }),
          {
            data: [sampleAlert],
          },
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
      body: Type.Object(
        {
          kind: oneOf(ALERT_KINDS),
          threshold_pence: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
        },
        { additionalProperties: false, examples: [{ kind: 'credit_below', threshold_pence: 1000 }] },
      ),
      answers: { 201: jsonResponse('The alert.', AlertSchema, sampleAlert, REPLAYED_HEADER) },
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
      handle: async (tx, { actor, params }) => {
        await deleteAlert(tx, actor, params.alert_id)
        return { status: 204 }
      },
    }),
  ]
}

function alertView(alert: Alert): AlertView {
  return {
    id: alert.id,
    kind: alert.kind,
    threshold_pence: alert.threshold_pence,
    triggered: alert.triggered_at !== null,
    triggered_at: alert.triggered_at === null ? null : new Date(alert.triggered_at).toISOString(),
    created_at: new Date(alert.created_at).toISOString(),
  }
}

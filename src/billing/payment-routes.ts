import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { actorOf } from '../access/actor.ts'
import { callerOf } from '../access/gate.ts'
import { invalidField, Problem } from '../errors.ts'
import { answerChange, sendJson } from '../http/change.ts'
import { preferredType, sendCsv, toCsv } from '../http/csv.ts'
import { linkNext, type PageKey, readTimeCursor, timeCursor } from '../http/page.ts'
import { resourceValidator } from '../http/validate.ts'
import { recordAudit } from '../identity/audit.ts'
import { findOrganisation } from '../identity/organisation/organisations.ts'
import { type AlertKind, createAlert, deleteAlert, readAlerts } from './alerts/alerts.ts'
import { findInvoice, type Invoice, listInvoices } from './invoices/invoices.ts'
import { STATEMENT_FIELDS, statementPage, statementRows } from './invoices/statement-page.ts'
import { readStatement } from './invoices/statements.ts'
import { accountOf, alertView, invoiceView, subscriptionView } from './resources.ts'
import type { BillingDependencies } from './routes.ts'
import {
  type AlertBody,
  changeSubscriptionSchema,
  createAlertSchema,
  deleteAlertSchema,
  type InvoiceQuery,
  listAlertsSchema,
  listInvoicesSchema,
  payInvoiceSchema,
  readInvoiceSchema,
  type SubscriptionBody,
  statementSchema,
  type TopUpBody,
  topUpSchema,
} from './schema.ts'
import { bringToPresent, changeSubscription, findSubscription, requestTopUp } from './subscription/subscription.ts'
import { overageOfMonth } from './usage/usage.ts'

/** Subscription, top-ups, invoices, statements and alerts. */

type WithInvoice = { Params: { invoice_id: string } }

export function registerPaymentRoutes(app: FastifyInstance, deps: BillingDependencies): void {
  const validatorCompiler = resourceValidator
  const reading = { validatorCompiler, onRequest: deps.gate({ scopes: ['billing:read'] }) }
  const writing = { validatorCompiler, onRequest: deps.gate({ scopes: ['billing:write'] }) }

  app.post('/v1/billing/subscription', { ...writing, schema: changeSubscriptionSchema }, async (request, reply) => {
    const { organisationId } = callerOf(request)
    const body = request.body as Static<typeof SubscriptionBody>
    if (body.plan !== undefined && !deps.plans.has(body.plan)) {
      throw invalidField('/plan', `There is no such plan; there are: ${[...deps.plans.keys()].join(', ')}.`)
    }
    return answerChange(request, reply, deps, organisationId, async (tx, nowMs) => {
      const { subscription, planId, invoice } = await changeSubscription(tx, deps.plans, {
        organisationId,
        change: body.plan === undefined ? { end: body.end as 'now' | 'period_end' } : { planId: body.plan },
        provider: deps.payments.name,
        actor: actorOf(request),
        nowMs,
      })
      return {
        status: 200,
        body: { subscription: subscriptionView(subscription, planId), invoice: invoice ? invoiceView(invoice) : null },
      }
    })
  })

  app.post('/v1/billing/top-ups', { ...writing, schema: topUpSchema }, async (request, reply) => {
    const { organisationId } = callerOf(request)
    const { amount_pence: amountPence } = request.body as Static<typeof TopUpBody>
    return answerChange(request, reply, deps, organisationId, async (tx, nowMs) => {
      const actor = actorOf(request)
      const invoice = await requestTopUp(tx, deps.plans, { organisationId, amountPence, actor, nowMs })
      return { status: 201, body: invoiceView(invoice) }
    })
  })

  app.get('/v1/billing/invoices', { ...reading, schema: listInvoicesSchema }, async (request, reply) => {
    const { organisationId } = callerOf(request)
    await bringToPresent(deps, organisationId)
    const { state, kind, limit = 50, cursor } = request.query as Static<typeof InvoiceQuery>
    const key: PageKey = { organisationId, list: JSON.stringify(['invoices', state, kind]) }
    const page = await listInvoices(deps.sql, {
      organisationId,
      state: state as Invoice['state'] | undefined,
      kind: kind as Invoice['kind'] | undefined,
      before: readTimeCursor(key, cursor),
      limit,
    })
    const next = timeCursor(key, page.next)
    linkNext(request, reply, deps.baseUrl, next)
    return sendJson(reply, { data: page.invoices.map(invoiceView), next_cursor: next })
  })

  app.get<WithInvoice>(
    '/v1/billing/invoices/:invoice_id',
    { ...reading, schema: readInvoiceSchema },
    async (request, reply) => sendJson(reply, invoiceView(await ownInvoice(deps, request))),
  )

  app.post<WithInvoice>(
    '/v1/billing/invoices/:invoice_id/payment',
    { ...writing, schema: payInvoiceSchema },
    async (request, reply) => {
      const invoice = await ownInvoice(deps, request)
      if (invoice.state !== 'open') {
        throw new Problem('conflict', { detail: `The invoice is ${invoice.state}: there is nothing to pay.` })
      }
      const page = `${deps.baseUrl}/console/billing?invoice=${invoice.id}`
      const subscription = await findSubscription(deps.sql, invoice.organisation_id)
      const started = await deps.payments.startPayment({
        invoiceId: invoice.id,
        organisationId: invoice.organisation_id,
        amountPence: invoice.total_pence,
        description: `Invoice ${invoice.number}`,
        returnUrl: page,
        cancelUrl: page,
        payer: subscription?.payer ?? null,
      })
      return sendJson(reply, { url: started?.url ?? null })
    },
  )

  app.get<{ Params: { month: string } }>(
    '/v1/billing/statements/:month',
    { ...reading, schema: statementSchema },
    (request, reply) => answerStatement(request, reply, deps, request.params.month),
  )

  app.get('/v1/billing/alerts', { ...reading, schema: listAlertsSchema }, async (request, reply) => {
    const { organisationId } = callerOf(request)
    const figures = await figuresOf(deps, organisationId)
    const alerts = await readAlerts(deps.sql, { organisationId, figures, nowMs: deps.clock.now() })
    return sendJson(reply, { data: alerts.map(alertView) })
  })

  app.post('/v1/billing/alerts', { ...writing, schema: createAlertSchema }, async (request, reply) => {
    const { organisationId } = callerOf(request)
    const body = request.body as Static<typeof AlertBody>
    const figures = await figuresOf(deps, organisationId)
    return answerChange(request, reply, deps, organisationId, async (tx, nowMs) => {
      const alert = await createAlert(tx, {
        organisationId,
        kind: body.kind as AlertKind,
        thresholdPence: body.threshold_pence,
        figures,
        nowMs,
      })
      await recordAudit(tx, {
        organisationId,
        actor: actorOf(request),
        action: 'alert.create',
        targetId: alert.id,
        detail: body,
        nowMs,
      })
      return { status: 201, body: alertView(alert) }
    })
  })

  app.delete<{ Params: { alert_id: string } }>(
    '/v1/billing/alerts/:alert_id',
    { ...writing, schema: deleteAlertSchema },
    async (request, reply) => {
      const { organisationId } = callerOf(request)
      const { alert_id: id } = request.params
      return answerChange(request, reply, deps, organisationId, async (tx, nowMs) => {
        if (!(await deleteAlert(tx, { organisationId, id }))) {
          throw new Problem('not_found', { detail: 'There is no such alert.' })
        }
        await recordAudit(tx, {
          organisationId,
          actor: actorOf(request),
          action: 'alert.delete',
          targetId: id,
          nowMs,
        })
        return { status: 204 }
      })
    },
  )
}

async function figuresOf(deps: BillingDependencies, organisationId: string) {
  const account = await accountOf(deps, organisationId)
  const overagePence = await overageOfMonth(deps.sql, organisationId, account.period)
  return { creditPence: account.includedPence + account.prepaidPence, overagePence }
}

async function ownInvoice(deps: BillingDependencies, request: FastifyRequest): Promise<Invoice> {
  const { invoice_id: id } = request.params as WithInvoice['Params']
  const invoice = await findInvoice(deps.sql, id)
  if (invoice && invoice.organisation_id === callerOf(request).organisationId) return invoice
  throw new Problem('not_found', { detail: 'There is no such invoice.' })
}

async function answerStatement(request: FastifyRequest, reply: FastifyReply, deps: BillingDependencies, month: string) {
  const { organisationId } = callerOf(request)
  await bringToPresent(deps, organisationId)
  // A month that is over is closed in the ledger as well before it is summed up.
  await deps.accounts.rollAccount(organisationId)
  const account = await accountOf(deps, organisationId)
  const statement = await readStatement(deps.sql, { account, month, nowMs: deps.clock.now() })
  const form = preferredType(request, ['application/json', 'text/csv', 'text/html'])
  reply.header('vary', 'accept')
  if (form === 'text/csv') {
    return sendCsv(reply, `statement-${month}.csv`, toCsv(STATEMENT_FIELDS, statementRows(statement)))
  }
  if (form === 'text/html') {
    const organisation = await findOrganisation(deps.sql, organisationId)
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .header('x-content-type-options', 'nosniff')
      .send(statementPage(statement, { id: organisationId, name: organisation?.name ?? '' }))
  }
  return sendJson(reply, statement)
}

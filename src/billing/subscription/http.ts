import Type from 'typebox'
import { ORGANISATION_STATES, STATE_REASONS, type StateReason } from '../../access/organisation-state.ts'
import { change, type Operation, oneOf, operation } from '../../http/operation.ts'
import { closed } from '../../http/page-operation.ts'
import {
  Count,
  jsonResponse,
  named,
  Pence,
  PenceOrNull,
  sampleOf,
  TextLike,
  TextOrNull,
  Time,
  TimeOrNull,
} from '../../http/schema.ts'
import { LIMITS } from '../../limits.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { InvoiceSchema, invoiceView, sampleInvoice } from '../invoices/invoice-view.ts'
import { PlanSchema } from '../plans.ts'
import { billingView, choicesView, standingView, subscriptionView } from './account-view.ts'
import { BEGINNINGS } from './choice.ts'
import { changeSubscription, requestTopUp, setOverageLimit } from './subscription.ts'

/** Plans, credit, state and subscription of an organisation. */

const PeriodSchema = named(
  'Period',
  {
    month: TextLike('2026-03', 'Calendar month, UTC: YYYY-MM.'),
    starts_at: Time('First moment.', '2026-03-01T00:00:00.000Z'),
    ends_at: Time('First moment after it.', '2026-04-01T00:00:00.000Z'),
  },
  { description: 'The billing period.' },
)

const SubscriptionSchema = named(
  'Subscription',
  {
    status: oneOf(['active', 'pending', 'past_due', 'ended'], {
      description:
        'pending: it begins when its first invoice is paid. past_due: an invoice is overdue, or a payment disputed. In both the account is inactive.',
    }),
    plan: TextLike('growth'),
    next_plan: TextOrNull('From next month on.'),
    ends_at: TimeOrNull('When it ends, if it was ended at the end of the month.'),
    started_at: Time('When it began.', '2026-01-05T09:00:00.000Z'),
    stopped_at: TimeOrNull('Since when it does not run.'),
    provider: TextLike('invoice', 'Who moves the money: `invoice` or `stripe`.'),
  },
  { description: 'The subscription.' },
)
const sampleSubscription = sampleOf(SubscriptionSchema)

export const BillingSchema = named('Billing', {
  organisation_id: TextLike('org_0Fv3kQ2mXb7TzR1yLw9c'),
  state: oneOf(ORGANISATION_STATES, { description: 'State of the account.' }),
  plan: PlanSchema,
  credit_pence: Pence('Credit left: included and prepaid.', 11250),
  included_credit_pence: Pence('Of it, the part that expires with the period.', 11250),
  prepaid_credit_pence: Pence('Of it, the part that stays.'),
  overage_pence: Count(0, 'Beyond the credit, in this period.'),
  overage_owed_pence: Pence('Beyond the credit and not settled yet, this period included.'),
  free_units: Pence('Free records of the plan a period.'),
  free_units_used: Count(0, 'How many of them are used.'),
  free_units_left: Pence('Of them, left.'),
  period: PeriodSchema,
  subscription: Type.Union([SubscriptionSchema, Type.Null()], {
    description: 'null for an organisation the operator set up without one.',
    examples: [sampleSubscription],
  }),
})

export const StandingSchema = named('Standing', {
  state: oneOf(ORGANISATION_STATES, { examples: ['inactive'] }),
  served: Type.Boolean({ description: 'True while checks are answered.' }),
  reason: Type.Union([oneOf(Object.keys(STATE_REASONS) as StateReason[]), Type.Null()], {
    description: 'Why checks are not answered; null while they are.',
    examples: ['overdue'],
  }),
  detail: Type.Union([Type.String(), Type.Null()], {
    description: 'The reason in words, and what to do.',
    examples: [STATE_REASONS.overdue],
  }),
  owed_pence: Pence('Of invoices that are due or will be: what was given and is not paid.', 9950),
  pay_first: Type.Union([InvoiceSchema, Type.Null()], {
    description: 'The invoice to pay first: an overdue one, or the one that a plan waits for.',
    examples: [sampleInvoice],
  }),
  waiting_plan: TextOrNull('The plan that begins when its invoice is paid.'),
  month_paid: Type.Boolean({
    description: 'True if this month is paid or invoiced. Otherwise a paid plan gives no credit and no overage.',
    examples: [true],
  }),
  overage_limit_pence: PenceOrNull('How much may be owed beyond the credit; null: no limit.', 100000),
  overage_left_pence: PenceOrNull('How much of the limit is left; null: no limit.', 99950),
})

const ChoiceSchema = named('PlanChoice', {
  plan: TextLike('growth', 'Id of the plan.'),
  begins: oneOf(BEGINNINGS, {
    description:
      'now: at once. when_paid: when the invoice that choosing it makes is paid. next_month: with the next month.',
    examples: ['when_paid'],
  }),
  begins_at: TimeOrNull('When the next month begins, for plans that begin with it.'),
  invoice_pence: Pence('Amount invoiced immediately; 0 for none.', 9900),
  next_invoice_pence: Pence('The price of each month from the next one on; 0: nothing.', 9900),
  next_invoice_at: Time('When the next month begins.', '2026-04-01T00:00:00.000Z'),
})

const EndingSchema = named('SubscriptionEnding', {
  ends_at: TimeOrNull('The first moment without it, when it is ended with the month; null: it can only end now.'),
  invoice_now_pence: Pence('Used beyond the credit; invoiced at once when it is ended now.', 50),
})

export function subscriptionOperations(deps: BillingDependencies): Operation[] {
  return [
    operation({
      name: 'GET /v1/plans',
      id: 'listPlans',
      summary: 'List the plans and their prices',
      description: 'Public: needs no credential.',
      scope: 'public',
      answers: { 200: jsonResponse('The plans.', named('Plans', { data: Type.Array(PlanSchema) })) },
      handle: async ({ reply }) => {
        reply.header('cache-control', 'public, max-age=300')
        return { data: [...deps.plans.values()] }
      },
    }),

    operation({
      name: 'GET /v1/billing',
      id: 'readBilling',
      summary: 'Read plan, state, credit and overage',
      scope: 'billing:read',
      answers: { 200: jsonResponse('The account as it stands now.', BillingSchema) },
      handle: ({ caller }) => billingView(deps, caller.organisationId),
    }),

    operation({
      name: 'GET /v1/billing/standing',
      id: 'readStanding',
      summary: 'Read whether checks are answered, why not, and what to pay',
      scope: 'billing:read',
      answers: { 200: jsonResponse('The standing.', StandingSchema) },
      handle: ({ caller }) => standingView(deps, caller.organisationId),
    }),

    operation({
      name: 'GET /v1/billing/plans',
      id: 'listPlanChoices',
      summary: 'List the plans to choose from, and the effect of choosing each',
      description: 'The plans offered to customers, and the current one. Choosing the current one keeps or renews it.',
      scope: 'billing:read',
      answers: {
        200: jsonResponse(
          'The choices.',
          named('PlanChoices', {
            data: Type.Array(ChoiceSchema),
            ending: Type.Union([EndingSchema, Type.Null()], {
              description: 'The effect of ending the subscription; null without one to end.',
              examples: [{ ends_at: '2026-04-01T00:00:00.000Z', invoice_now_pence: 50 }],
            }),
          }),
        ),
      },
      handle: ({ caller }) => choicesView(deps, caller.organisationId),
    }),

    change({
      name: 'POST /v1/billing/subscription',
      id: 'changeSubscription',
      summary: 'Change the plan, or end the subscription',
      sensitive: true,
      description:
        'A paid or dearer plan begins when its invoice is paid; a cheaper one begins with the next month. Choosing the current plan takes back a change or an end still to come. Ended with `period_end` the subscription runs to the end of the month; with `now` the account is inactive at once.',
      scope: 'billing:write',
      body: Type.Object(
        {
          plan: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: 'Id of the plan to have.' })),
          end: Type.Optional(oneOf(['now', 'period_end'], { description: 'End it, instead.' })),
        },
        { additionalProperties: false, minProperties: 1, maxProperties: 1, examples: [{ plan: 'growth' }] },
      ),
      answers: {
        200: jsonResponse(
          'As it is now, and the invoice to pay for it.',
          named('SubscriptionChange', {
            subscription: Type.Union([SubscriptionSchema, Type.Null()], {
              description:
                'null while the first subscription of an organisation set up by the operator waits for its payment.',
              examples: [sampleSubscription],
            }),
            invoice: Type.Union([InvoiceSchema, Type.Null()]),
          }),
        ),
      },
      problems: ['forbidden', 'conflict'],
      handle: async (tx, { actor, body }) => {
        const wanted = body.end === undefined ? { plan: body.plan ?? '' } : { end: body.end }
        const { subscription, plan, invoice } = await changeSubscription(tx, deps, actor, wanted)
        return {
          status: 200,
          body: {
            subscription: subscription ? await subscriptionView(deps, tx, subscription, plan.id) : null,
            invoice: invoice ? invoiceView(invoice) : null,
          },
        }
      },
      after: ({ request }) => deps.onAccountChanged(request.caller!.organisationId),
    }),

    change({
      name: 'POST /v1/billing/top-ups',
      id: 'topUp',
      summary: 'Buy prepaid credit',
      description: 'Makes an invoice; the credit is there when it is paid. Prepaid credit never expires.',
      scope: 'billing:write',
      body: closed({ amount_pence: TopUpPence }, { amount_pence: 5000 }),
      answers: {
        201: jsonResponse('The invoice.', InvoiceSchema, {
          ...sampleInvoice,
          id: 'top_1QwErTyUiOpAsDfGhJkL',
          kind: 'top_up',
          in_advance: true,
          total_pence: 5000,
          lines: [{ kind: 'top_up', month: '2026-03', description: 'Prepaid credit', amount_pence: 5000 }],
        }),
      },
      problems: ['conflict'],
      handle: async (tx, { actor, body }) => {
        const invoice = await requestTopUp(tx, deps, actor, { amountPence: body.amount_pence })
        return { status: 201, body: invoiceView(invoice) }
      },
    }),

    change({
      name: 'PUT /v1/billing/overage-limit',
      id: 'setOverageLimit',
      summary: 'Lower the limit of overage',
      description:
        'How much may be owed beyond the credit before checks are refused. null brings back the limit of the plan.',
      scope: 'billing:write',
      body: closed(
        { overage_limit_pence: Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), Type.Null()]) },
        { overage_limit_pence: 20000 },
      ),
      answers: {
        200: jsonResponse(
          'The limit chosen.',
          named('OverageLimit', { overage_limit_pence: PenceOrNull('null: the limit of the plan.', 20000) }),
        ),
      },
      handle: async (tx, { actor, body }) => {
        await setOverageLimit(tx, deps, actor, body.overage_limit_pence)
        return { status: 200, body: { overage_limit_pence: body.overage_limit_pence } }
      },
    }),
  ]
}

export const TopUpPence = Type.Integer({
  minimum: 1,
  maximum: LIMITS.requests.topUpPenceMax,
  description: 'Prepaid credit to buy.',
})

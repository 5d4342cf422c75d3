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

const PeriodSchema = named(
  'Period',
  {
    month: TextLike('2026-03', 'Calendar month, UTC: YYYY-MM.'),
    starts_at: Time('Start of the period.', '2026-03-01T00:00:00.000Z'),
    ends_at: Time('Start of the next period.', '2026-04-01T00:00:00.000Z'),
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
    next_plan: TextOrNull('Plan from next month on.'),
    ends_at: TimeOrNull('When the subscription ends, if it was ended with the month.'),
    started_at: Time('When the subscription began.', '2026-01-05T09:00:00.000Z'),
    stopped_at: TimeOrNull('Since when the subscription is not active.'),
    provider: TextLike('invoice', 'Payment provider: `invoice` or `stripe`.'),
  },
  { description: 'The subscription.' },
)
const sampleSubscription = sampleOf(SubscriptionSchema)

export const BillingSchema = named('Billing', {
  organisation_id: TextLike('org_0Fv3kQ2mXb7TzR1yLw9c'),
  state: oneOf(ORGANISATION_STATES, { description: 'State of the account.' }),
  plan: PlanSchema,
  credit_pence: Pence('Remaining credit: included and prepaid.', 11250),
  included_credit_pence: Pence('The part of the credit that expires with the period.', 11250),
  prepaid_credit_pence: Pence('The part of the credit that does not expire.'),
  overage_pence: Count(0, 'Overage in this period.'),
  overage_owed_pence: Pence('Overage that is not settled yet, this period included.'),
  free_units: Pence('Free records of the plan in a period.'),
  free_units_used: Count(0, 'Free records used.'),
  free_units_left: Pence('Free records left.'),
  period: PeriodSchema,
  subscription: Type.Union([SubscriptionSchema, Type.Null()], {
    description: 'null if the operator created the organisation without a subscription.',
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
  owed_pence: Pence('Sum of open invoices for services already given, due now or later.', 9950),
  pay_first: Type.Union([InvoiceSchema, Type.Null()], {
    description:
      'The invoice to pay first: an overdue one, the invoice of a waiting plan, or one whose payment was lost.',
    examples: [sampleInvoice],
  }),
  waiting_plan: TextOrNull('The plan that begins when its invoice is paid.'),
  month_paid: Type.Boolean({
    description:
      'True if the price of this month is paid or invoiced, and no payment was lost in a dispute since. Otherwise a paid plan gives no credit and no overage.',
    examples: [true],
  }),
  overage_limit_pence: PenceOrNull('Maximum overage; null: no limit.', 100000),
  overage_left_pence: PenceOrNull('Rest of the overage limit; null: no limit.', 99950),
})

const ChoiceSchema = named('PlanChoice', {
  plan: TextLike('growth', 'Id of the plan.'),
  begins: oneOf(BEGINNINGS, {
    description: 'now: immediately. when_paid: when its invoice is paid. next_month: with the next month.',
    examples: ['when_paid'],
  }),
  begins_at: TimeOrNull('When the next month begins, for plans that begin with it.'),
  invoice_pence: Pence('Amount invoiced immediately; 0 for none.', 9900),
  next_invoice_pence: Pence('Monthly price from the next month on; 0: free.', 9900),
  next_invoice_at: Time('When the next month begins.', '2026-04-01T00:00:00.000Z'),
})

const EndingSchema = named('SubscriptionEnding', {
  ends_at: TimeOrNull('When the subscription ends if it is ended with the month; null: it can only end now.'),
  invoice_now_pence: Pence('Overage that is invoiced immediately if the subscription is ended now.', 50),
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
      answers: { 200: jsonResponse('The current account.', BillingSchema) },
      handle: ({ caller }) => billingView(deps, caller.organisationId),
    }),

    operation({
      name: 'GET /v1/billing/standing',
      id: 'readStanding',
      summary: 'Read the account standing: whether checks are answered, the reason if not, and what to pay',
      scope: 'billing:read',
      answers: { 200: jsonResponse('The standing.', StandingSchema) },
      handle: ({ caller }) => standingView(deps, caller.organisationId),
    }),

    operation({
      name: 'GET /v1/billing/plans',
      id: 'listPlanChoices',
      summary: 'List the plans to choose from, and the effect of choosing each',
      description:
        'The plans offered to customers, and the current plan. Choosing the current plan keeps or renews it.',
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
        'A paid or more expensive plan begins when its invoice is paid; a cheaper one begins with the next month. Choosing the current plan cancels a scheduled change or end. With `period_end` the subscription runs to the end of the month; with `now` the account becomes inactive immediately.',
      scope: 'billing:write',
      body: Type.Object(
        {
          plan: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: 'Id of the new plan.' })),
          end: Type.Optional(
            oneOf(['now', 'period_end'], { description: 'When to end the subscription, instead of choosing a plan.' }),
          ),
        },
        { additionalProperties: false, minProperties: 1, maxProperties: 1, examples: [{ plan: 'growth' }] },
      ),
      answers: {
        200: jsonResponse(
          'The current subscription, and the invoice to pay for the change.',
          named('SubscriptionChange', {
            subscription: Type.Union([SubscriptionSchema, Type.Null()], {
              description:
                'null while the first subscription of an operator-created organisation waits for its payment.',
              examples: [sampleSubscription],
            }),
            invoice: Type.Union([InvoiceSchema, Type.Null()]),
          }),
        ),
      },
      problems: ['conflict'],
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
      description: 'Creates an invoice; the credit is added when the invoice is paid. Prepaid credit never expires.',
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
      description: 'Maximum debt beyond the credit before checks are refused. null restores the limit of the plan.',
      scope: 'billing:write',
      body: closed(
        { overage_limit_pence: Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), Type.Null()]) },
        { overage_limit_pence: 20000 },
      ),
      answers: {
        200: jsonResponse(
          'The new limit.',
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

import Type from 'typebox'
import {
  Cursor,
  jsonResponse,
  LINK_HEADER,
  NextCursor,
  noContent,
  Pence,
  problemResponses,
  REPLAYED_HEADER,
  resourceProblems,
  resourceSchema,
  security,
  Time,
  TimeOrNull,
  withForms,
} from '../http/schema.ts'
import { FAMILIES } from '../lib/kinds.ts'
import { ALERT_KINDS } from './alerts/alerts.ts'
import type { EntryKind } from './ledger/ledger.ts'
import { PlanSchema } from './plans.ts'
import { QUOTE_RECORDS_MAX } from './usage/quote.ts'
import { GRANULARITIES } from './usage/usage.ts'

/** Billing resources as schemas: they validate, type and document at once. */

export const ENTRY_KINDS = [
  'grant',
  'expire',
  'charge',
  'credit',
  'plan',
  'refund',
  'settle',
] as const satisfies EntryKind[]

export const FamilySchema = Type.String({ enum: FAMILIES, description: 'Endpoint family.' })
const Moment = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?(Z|[+-]\\d{2}:\\d{2}))?$',
      description: `${description} A day (UTC midnight) or an RFC 3339 time.`,
      examples: ['2026-03-01', '2026-03-01T09:00:00Z'],
    }),
  )
export const PeriodSchema = Type.Object(
  {
    month: Type.String({ description: 'Calendar month, UTC: YYYY-MM.' }),
    starts_at: Time('First moment.'),
    ends_at: Time('First moment after it.'),
  },
  { description: 'The billing period.' },
)
const samplePeriod = { month: '2026-03', starts_at: '2026-03-01T00:00:00.000Z', ends_at: '2026-04-01T00:00:00.000Z' }

const samplePlan = {
  id: 'growth',
  name: 'Growth',
  monthly_price_pence: 9900,
  included_credit_pence: 12000,
  unit_price_pence: { 'payment-risk': 2, 'supply-chain-risk': 2, 'infrastructure-risk': 1 },
  free_units: 0,
  overage_allowed: true,
  requests_per_second: 500,
  bulk_allowed: true,
}

export const plansSchema = {
  tags: ['Billing'],
  operationId: 'listPlans',
  summary: 'List the plans and their prices',
  description: 'Public: needs no credential.',
  security: [],
  response: {
    200: jsonResponse('The plans.', Type.Object({ data: Type.Array(PlanSchema) }), { data: [samplePlan] }),
    ...problemResponses(['internal', 'shutting_down']),
  },
}

export const SubscriptionSchema = Type.Object(
  {
    status: Type.String({
      enum: ['active', 'past_due', 'ended'],
      description:
        'past_due: an invoice was not paid when due, or the first one waits to be paid; the account is inactive.',
    }),
    plan: Type.String(),
    next_plan: Type.Union([Type.String(), Type.Null()], { description: 'From next month on.' }),
    ends_at: TimeOrNull('When it ends, if it was ended at the end of the month.'),
    started_at: Time('When it began.'),
    stopped_at: TimeOrNull('Since when it does not run.'),
    provider: Type.String({ description: 'Who moves the money: `invoice` or `stripe`.' }),
  },
  { description: 'The subscription.' },
)
const sampleSubscription = {
  status: 'active',
  plan: 'growth',
  next_plan: null,
  ends_at: null,
  started_at: '2026-01-05T09:00:00.000Z',
  stopped_at: null,
  provider: 'invoice',
}
const Billing = Type.Object({
  organisation_id: Type.String(),
  state: Type.String({ enum: ['active', 'inactive', 'disabled'], description: 'State of the account.' }),
  plan: PlanSchema,
  credit_pence: Pence('Credit left: included and prepaid.'),
  included_credit_pence: Pence('Of it, the part that expires with the period.'),
  prepaid_credit_pence: Pence('Of it, the part that stays.'),
  overage_pence: Type.Integer({ description: 'Beyond the credit, in this period.' }),
  overage_owed_pence: Pence('Beyond the credit and not settled yet, this period included.'),
  free_units: Pence('Free records of the plan a period.'),
  free_units_used: Type.Integer({ description: 'Of them, used.' }),
  free_units_left: Pence('Of them, left.'),
  period: PeriodSchema,
  subscription: Type.Union([SubscriptionSchema, Type.Null()], {
    description: 'null for an organisation the operator set up without one.',
  }),
})
export const billingSchema = {
  tags: ['Billing'],
  operationId: 'readBilling',
  summary: 'Read plan, state, credit and overage',
  description: 'Needs the scope `billing:read`.',
  security: security(['billing:read']),
  response: {
    200: jsonResponse('The account as it stands now.', Billing, {
      organisation_id: 'org_0Fv3kQ2mXb7TzR1yLw9c',
      state: 'active',
      plan: samplePlan,
      credit_pence: 11250,
      included_credit_pence: 11250,
      prepaid_credit_pence: 0,
      overage_pence: 0,
      overage_owed_pence: 0,
      free_units: 0,
      free_units_used: 0,
      free_units_left: 0,
      period: samplePeriod,
      subscription: sampleSubscription,
    }),
    ...resourceProblems(),
  },
}

const EntrySchema = Type.Object({
  id: Type.String(),
  number: Type.Integer({ minimum: 1, description: 'Counts the entries of the organisation without a gap.' }),
  created_at: Time('When it was posted.'),
  kind: Type.String({ enum: [...ENTRY_KINDS] }),
  month: Type.String({ description: 'The period it belongs to.' }),
  plan: Type.String(),
  family: Type.Union([FamilySchema, Type.Null()]),
  units: Type.Integer(),
  free_units: Type.Integer(),
  unit_price_pence: Type.Integer(),
  included_delta_pence: Type.Integer({ description: 'What moved in each pot.' }),
  prepaid_delta_pence: Type.Integer(),
  overage_delta_pence: Type.Integer(),
  included_after_pence: Pence('What was in each pot afterwards.'),
  prepaid_after_pence: Pence('As above.'),
  overage_after_pence: Pence('As above.'),
  credential_id: Type.Union([Type.String(), Type.Null()]),
  request_id: Type.Union([Type.String(), Type.Null()]),
  reference: Type.Union([Type.String(), Type.Null()]),
  detail: Type.Union([Type.String(), Type.Null()]),
})
export type EntryView = Type.Static<typeof EntrySchema>
export const ENTRY_FIELDS = Object.keys(EntrySchema.properties) as (keyof EntryView)[]
const sampleEntry: EntryView = {
  id: 'ent_5tY8uJ2kLm0PqRsT4vWx',
  number: 42,
  created_at: '2026-03-02T10:15:30.000Z',
  kind: 'charge',
  month: '2026-03',
  plan: 'growth',
  family: 'payment-risk',
  units: 10,
  free_units: 0,
  unit_price_pence: 2,
  included_delta_pence: -20,
  prepaid_delta_pence: 0,
  overage_delta_pence: 0,
  included_after_pence: 11250,
  prepaid_after_pence: 0,
  overage_after_pence: 0,
  credential_id: 'key_9aBcDeFgHiJkLmNoPqRs',
  request_id: 'req_Xk29fPq0LmZt0000001',
  reference: null,
  detail: null,
}

export const LEDGER_ROWS_MAX = 1000
export const LEDGER_CSV_ROWS_MAX = 10_000
export const LedgerQuery = Type.Object(
  {
    from: Moment('Entries posted at this time or later.'),
    to: Moment('Entries posted before this time.'),
    kind: Type.Optional(Type.String({ enum: [...ENTRY_KINDS] })),
    family: Type.Optional(FamilySchema),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LEDGER_CSV_ROWS_MAX,
        description: `Entries on a page: 100 unless said, ${LEDGER_ROWS_MAX} at most as JSON; as CSV ${LEDGER_CSV_ROWS_MAX}.`,
      }),
    ),
    cursor: Cursor,
  },
  { additionalProperties: false },
)
export const ledgerSchema = {
  tags: ['Billing'],
  operationId: 'listLedger',
  summary: 'List the entries of the ledger, newest first',
  description: 'With `Accept: text/csv` as CSV. Needs the scope `billing:read`.',
  security: security(['billing:read']),
  querystring: LedgerQuery,
  response: {
    200: withForms(
      jsonResponse(
        'A page of entries.',
        Type.Object({ data: Type.Array(EntrySchema), next_cursor: NextCursor }),
        { data: [sampleEntry], next_cursor: null },
        LINK_HEADER,
      ),
      { 'text/csv': `${ENTRY_FIELDS.join(',')}\r\n` },
    ),
    ...resourceProblems('invalid_query', 'validation_failed'),
  },
}

const UsageAmounts = {
  requests: Type.Integer({ description: 'Answered requests.' }),
  units: Type.Integer({ description: 'Records checked.' }),
  free_units: Type.Integer({ description: 'Of them, free.' }),
  charged_from_credit_pence: Type.Integer(),
  overage_pence: Type.Integer(),
  total_price_pence: Type.Integer(),
}
const UsageRow = Type.Object({
  starts_at: Time('Start of the hour, day or month.'),
  family: Type.Optional(FamilySchema),
  credential_id: Type.Optional(Type.String({ description: 'API key, application or person.' })),
  ...UsageAmounts,
})
export const UsageQuerySchema = Type.Object(
  {
    from: Moment('Start; else the first of this month.'),
    to: Moment('End, exclusive; else now.'),
    granularity: Type.Optional(
      Type.String({
        enum: [...GRANULARITIES],
        description: 'Else by hour up to 2 days, by day up to 92, by month beyond.',
      }),
    ),
    group_by: Type.Optional(
      Type.String({
        enum: ['family', 'credential', 'family,credential'],
        description: 'One row for each; else one row for all.',
      }),
    ),
    family: Type.Optional(FamilySchema),
    credential_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'Rows on a page: 100 unless said.' })),
    cursor: Cursor,
  },
  { additionalProperties: false },
)
const sampleAmounts = {
  requests: 12,
  units: 120,
  free_units: 0,
  charged_from_credit_pence: 240,
  overage_pence: 0,
  total_price_pence: 240,
}
export const USAGE_FIELDS = Object.keys(UsageRow.properties)
export const usageSchema = {
  tags: ['Billing'],
  operationId: 'readUsage',
  summary: 'Read usage by hour, day or month',
  description:
    'Times without any use have no row. By hour at most 31 days at a time, by day 366, by month 120 months. A refund counts against usage at the time it was posted. With `Accept: text/csv` as CSV. Needs the scope `billing:read`.',
  security: security(['billing:read']),
  querystring: UsageQuerySchema,
  response: {
    200: withForms(
      jsonResponse(
        'Usage in the range, widened to whole hours, days or months.',
        Type.Object({
          from: Time('Start of the range answered for.'),
          to: Time('Its end, exclusive.'),
          granularity: Type.String({ enum: [...GRANULARITIES] }),
          data: Type.Array(UsageRow),
          totals: Type.Object(UsageAmounts, { description: 'Of the whole range, not of this page.' }),
          next_cursor: NextCursor,
        }),
        {
          from: '2026-03-01T00:00:00.000Z',
          to: '2026-03-03T00:00:00.000Z',
          granularity: 'day',
          data: [{ starts_at: '2026-03-02T00:00:00.000Z', family: 'payment-risk', ...sampleAmounts }],
          totals: sampleAmounts,
          next_cursor: null,
        },
        LINK_HEADER,
      ),
      { 'text/csv': `${USAGE_FIELDS.join(',')}\r\n` },
    ),
    ...resourceProblems('invalid_query', 'validation_failed'),
  },
}

export const QuoteBody = Type.Object(
  {
    family: FamilySchema,
    records: Type.Integer({ minimum: 1, maximum: QUOTE_RECORDS_MAX, description: 'How many records would be sent.' }),
  },
  { additionalProperties: false, examples: [{ family: 'payment-risk', records: 2500 }] },
)
export const quoteSchema = {
  tags: ['Billing'],
  operationId: 'quoteRecords',
  summary: 'What records would cost now',
  description:
    'Charges nothing. The records are counted as sent in requests of 10,000, because each request is free as a whole or charged as a whole. Needs the scope `billing:read`.',
  security: security(['billing:read']),
  body: QuoteBody,
  response: {
    200: jsonResponse(
      'The price, from the credit and plan of this moment.',
      Type.Object({
        family: FamilySchema,
        records: Type.Integer(),
        requests: Type.Integer({ description: 'Requests of at most 10,000 records.' }),
        unit_price_pence: Pence('Price of one record.'),
        free_units: Pence('Records the free allowance covers.'),
        charged_from_credit_pence: Pence('Part the credit covers.'),
        overage_pence: Pence('Part beyond credit, where the plan allows it.'),
        total_price_pence: Pence('The whole price.'),
        shortfall_pence: Pence('What is missing: requests beyond the credit would be refused (402).'),
        remaining_credit_pence: Pence('Credit left afterwards.'),
        covered: Type.Boolean({ description: 'Whether every request would be answered.' }),
      }),
      {
        family: 'payment-risk',
        records: 2500,
        requests: 1,
        unit_price_pence: 2,
        free_units: 0,
        charged_from_credit_pence: 5000,
        overage_pence: 0,
        total_price_pence: 5000,
        shortfall_pence: 0,
        remaining_credit_pence: 6250,
        covered: true,
      },
    ),
    ...resourceProblems('malformed_json', 'body_too_large', 'unsupported_media_type', 'validation_failed'),
  },
}

// Subscription, invoices, top-ups

export const InvoiceSchema = Type.Object({
  id: Type.String(),
  number: Type.Integer({ minimum: 1 }),
  kind: Type.String({ enum: ['subscription', 'top_up'] }),
  state: Type.String({ enum: ['open', 'paid', 'void'] }),
  total_pence: Pence('To be paid.'),
  lines: Type.Array(
    Type.Object({
      kind: Type.String({ enum: ['plan', 'upgrade', 'overage', 'top_up'] }),
      month: Type.String(),
      description: Type.String(),
      amount_pence: Pence('Amount.'),
    }),
  ),
  issued_at: Time('When it was issued.'),
  due_at: Time('When it is due.'),
  settled_at: TimeOrNull('When it was paid or cancelled.'),
})
const sampleInvoice = {
  id: 'bil_1QwErTyUiOpAsDfGhJkL',
  number: 3,
  kind: 'subscription',
  state: 'open',
  total_pence: 9950,
  lines: [
    { kind: 'overage', month: '2026-02', description: 'Checks beyond the credit, 2026-02', amount_pence: 50 },
    { kind: 'plan', month: '2026-03', description: 'Growth, 2026-03', amount_pence: 9900 },
  ],
  issued_at: '2026-03-01T00:00:00.000Z',
  due_at: '2026-03-15T00:00:00.000Z',
  settled_at: null,
}

export const SubscriptionBody = Type.Object(
  {
    plan: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: 'Id of the plan to have.' })),
    end: Type.Optional(Type.String({ enum: ['now', 'period_end'], description: 'End it, instead.' })),
  },
  { additionalProperties: false, minProperties: 1, maxProperties: 1, examples: [{ plan: 'growth' }] },
)
export const changeSubscriptionSchema = resourceSchema({
  tag: 'Billing',
  operationId: 'changeSubscription',
  summary: 'Change the plan, or end the subscription',
  description:
    'A dearer plan takes effect at once and the difference is invoiced; a cheaper one takes effect next month. Choosing the present plan takes back a change or an end still to come. Ended with `period_end` it runs to the end of the month; with `now` the account is inactive at once.',
  scope: 'billing:write',
  change: 'make',
  body: SubscriptionBody,
  ok: {
    200: jsonResponse(
      'As it is now, and what is to be paid for it at once.',
      Type.Object({ subscription: SubscriptionSchema, invoice: Type.Union([InvoiceSchema, Type.Null()]) }),
      { subscription: sampleSubscription, invoice: null },
      REPLAYED_HEADER,
    ),
  },
  problems: ['conflict'],
})

export const TOP_UP_PENCE_MAX = 100_000_000
export const TopUpBody = Type.Object(
  { amount_pence: Type.Integer({ minimum: 1, maximum: TOP_UP_PENCE_MAX, description: 'Prepaid credit to buy.' }) },
  { additionalProperties: false, examples: [{ amount_pence: 5000 }] },
)
export const topUpSchema = resourceSchema({
  tag: 'Billing',
  operationId: 'topUp',
  summary: 'Buy prepaid credit',
  description: 'Makes an invoice; the credit is there when it is paid. Prepaid credit never expires.',
  scope: 'billing:write',
  change: 'make',
  body: TopUpBody,
  ok: {
    201: jsonResponse(
      'The invoice.',
      InvoiceSchema,
      {
        ...sampleInvoice,
        id: 'top_1QwErTyUiOpAsDfGhJkL',
        kind: 'top_up',
        total_pence: 5000,
        lines: [{ kind: 'top_up', month: '2026-03', description: 'Prepaid credit', amount_pence: 5000 }],
      },
      REPLAYED_HEADER,
    ),
  },
  problems: ['conflict'],
})

export const InvoiceQuery = Type.Object(
  {
    state: Type.Optional(Type.String({ enum: ['open', 'paid', 'void'] })),
    kind: Type.Optional(Type.String({ enum: ['subscription', 'top_up'] })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'On a page: 50 unless said.' })),
    cursor: Cursor,
  },
  { additionalProperties: false },
)
export const listInvoicesSchema = resourceSchema({
  tag: 'Billing',
  operationId: 'listInvoices',
  summary: 'List the invoices, newest first',
  scope: 'billing:read',
  querystring: InvoiceQuery,
  ok: {
    200: jsonResponse(
      'A page of invoices.',
      Type.Object({ data: Type.Array(InvoiceSchema), next_cursor: NextCursor }),
      { data: [sampleInvoice], next_cursor: null },
      LINK_HEADER,
    ),
  },
})
const invoiceParams = { invoice_id: 'Id of the invoice.' }
export const readInvoiceSchema = resourceSchema({
  tag: 'Billing',
  operationId: 'readInvoice',
  summary: 'Read one invoice',
  scope: 'billing:read',
  params: invoiceParams,
  ok: { 200: jsonResponse('The invoice.', InvoiceSchema, sampleInvoice) },
})
export const PaymentSchema = Type.Object({
  url: Type.Union([Type.String(), Type.Null()], {
    description: 'Page of the payment provider; null where the operator settles invoices.',
  }),
})
export const payInvoiceSchema = resourceSchema({
  tag: 'Billing',
  operationId: 'payInvoice',
  summary: 'Start paying an invoice',
  description: 'Asked again, the same page comes back: nothing is paid twice.',
  scope: 'billing:write',
  params: invoiceParams,
  ok: { 200: jsonResponse('Where to pay.', PaymentSchema, { url: 'https://checkout.stripe.com/c/pay/cs_test_a1' }) },
  problems: ['conflict', 'payment_unavailable'],
})

// Statements

const BalancesSchema = Type.Object({
  included_credit_pence: Pence('Included credit.'),
  prepaid_credit_pence: Pence('Prepaid credit.'),
  overage_owed_pence: Pence('Overage not settled.'),
})
const Delta = Type.Integer({ description: 'Sum of what moved.' })
const StatementSchema = Type.Object({
  month: Type.String(),
  state: Type.String({ enum: ['open', 'closed'], description: 'open while the month goes on.' }),
  first_entry: Type.Union([Type.Integer(), Type.Null()], { description: 'Number of the first ledger entry.' }),
  last_entry: Type.Union([Type.Integer(), Type.Null()]),
  opening: BalancesSchema,
  usage: Type.Array(Type.Object({ family: FamilySchema, unit_price_pence: Pence('Price.'), ...UsageAmounts })),
  movements: Type.Array(
    Type.Object({
      kind: Type.String({ enum: [...ENTRY_KINDS] }),
      entries: Type.Integer(),
      included_delta_pence: Delta,
      prepaid_delta_pence: Delta,
      overage_delta_pence: Delta,
    }),
    { description: 'opening and movements add up to closing.' },
  ),
  closing: BalancesSchema,
  invoiced: Type.Array(
    Type.Object({
      invoice_id: Type.String(),
      number: Type.Integer(),
      state: Type.String(),
      kind: Type.String(),
      description: Type.String(),
      amount_pence: Type.Integer(),
    }),
  ),
  plan_price_pence: Pence('Price of the plan for the month.'),
  overage_pence: Type.Integer({ description: 'Overage of the month.' }),
  total_due_pence: Type.Integer({ description: 'Both together.' }),
})
export const statementSchema = resourceSchema({
  tag: 'Billing',
  operationId: 'readStatement',
  summary: 'Read the statement of a month',
  description: 'With `Accept: text/csv` as CSV, with `Accept: text/html` as a page to print.',
  scope: 'billing:read',
  params: { month: 'Calendar month, UTC: YYYY-MM.' },
  ok: {
    200: withForms(
      jsonResponse('The statement; it adds up to the ledger.', StatementSchema, {
        month: '2026-03',
        state: 'closed',
        first_entry: 40,
        last_entry: 42,
        opening: { included_credit_pence: 0, prepaid_credit_pence: 0, overage_owed_pence: 0 },
        usage: [
          {
            family: 'payment-risk',
            unit_price_pence: 2,
            requests: 1,
            units: 10,
            free_units: 0,
            charged_from_credit_pence: 20,
            overage_pence: 0,
            total_price_pence: 20,
          },
        ],
        movements: [
          { kind: 'charge', entries: 1, included_delta_pence: -20, prepaid_delta_pence: 0, overage_delta_pence: 0 },
          { kind: 'expire', entries: 1, included_delta_pence: -11980, prepaid_delta_pence: 0, overage_delta_pence: 0 },
          { kind: 'grant', entries: 1, included_delta_pence: 12000, prepaid_delta_pence: 0, overage_delta_pence: 0 },
        ],
        closing: { included_credit_pence: 0, prepaid_credit_pence: 0, overage_owed_pence: 0 },
        invoiced: [
          {
            invoice_id: 'bil_1QwErTyUiOpAsDfGhJkL',
            number: 3,
            state: 'paid',
            kind: 'plan',
            description: 'Growth, 2026-03',
            amount_pence: 9900,
          },
        ],
        plan_price_pence: 9900,
        overage_pence: 0,
        total_due_pence: 9900,
      }),
      { 'text/csv': 'section,item,units\r\n', 'text/html': '<!doctype html>…' },
    ),
  },
})

// Alerts

const AlertSchema = Type.Object({
  id: Type.String(),
  kind: Type.String({ enum: [...ALERT_KINDS], description: 'What is watched: credit left, or overage of this month.' }),
  threshold_pence: Pence('Crossed below it (credit) or above it (overage).'),
  triggered: Type.Boolean(),
  triggered_at: TimeOrNull('When it was first seen crossed.'),
  created_at: Time('When it was set.'),
})
const sampleAlert = {
  id: 'alr_4RtYuIoPaSdFgHjKlZxC',
  kind: 'credit_below',
  threshold_pence: 1000,
  triggered: false,
  triggered_at: null,
  created_at: '2026-03-01T09:00:00.000Z',
}
export const listAlertsSchema = resourceSchema({
  tag: 'Billing',
  operationId: 'listAlerts',
  summary: 'List the alerts and how they stand',
  scope: 'billing:read',
  ok: {
    200: jsonResponse('All of them, 20 at most.', Type.Object({ data: Type.Array(AlertSchema) }), {
      data: [sampleAlert],
    }),
  },
})
export const AlertBody = Type.Object(
  {
    kind: Type.String({ enum: [...ALERT_KINDS] }),
    threshold_pence: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
  },
  { additionalProperties: false, examples: [{ kind: 'credit_below', threshold_pence: 1000 }] },
)
export const createAlertSchema = resourceSchema({
  tag: 'Billing',
  operationId: 'createAlert',
  summary: 'Set an alert on credit or overage',
  scope: 'billing:write',
  change: 'make',
  body: AlertBody,
  ok: { 201: jsonResponse('The alert.', AlertSchema, sampleAlert, REPLAYED_HEADER) },
  problems: ['conflict'],
})
export const deleteAlertSchema = resourceSchema({
  tag: 'Billing',
  operationId: 'deleteAlert',
  summary: 'Remove an alert',
  scope: 'billing:write',
  change: 'make',
  params: { alert_id: 'Id of the alert.' },
  ok: { 204: noContent('Removed.') },
})

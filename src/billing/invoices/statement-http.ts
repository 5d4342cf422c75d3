import Type from 'typebox'
import { preferredType, sendCsv, toCsv } from '../../http/csv.ts'
import { type Operation, oneOf, operation } from '../../http/operation.ts'
import { sendPrintable } from '../../http/printable.ts'
import { jsonResponse, named, Pence, withForms } from '../../http/schema.ts'
import { requireOrganisation } from '../../identity/organisation/organisations.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { readAccount } from '../ledger/accounts.ts'
import { ENTRY_KINDS } from '../ledger/ledger.ts'
import { applyDueChanges } from '../subscription/open-account.ts'
import { FamilySchema, UsageAmountsSchema } from '../usage/http.ts'
import { STATEMENT_FIELDS, statementPage, statementRows } from './statement-page.ts'
import { readStatement, type Statement } from './statements.ts'

/** The statement of a month: as JSON, as CSV, and as a page to print. */

const BalancesSchema = named('Balances', {
  included_credit_pence: Pence('Included credit.'),
  prepaid_credit_pence: Pence('Prepaid credit.'),
  overage_owed_pence: Pence('Overage not settled.'),
})
const Delta = Type.Integer({ description: 'Sum of the movements.' })
const StatementSchema = named('Statement', {
  month: Type.String(),
  state: oneOf(['open', 'closed'], { description: 'open until the month ends.' }),
  first_entry: Type.Union([Type.Integer(), Type.Null()], { description: 'Number of the first ledger entry.' }),
  last_entry: Type.Union([Type.Integer(), Type.Null()]),
  opening: BalancesSchema,
  usage: Type.Array(Type.Object({ family: FamilySchema, unit_price_pence: Pence('Price.'), ...UsageAmountsSchema })),
  movements: Type.Array(
    Type.Object({
      kind: oneOf(ENTRY_KINDS),
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
  total_due_pence: Type.Integer({ description: 'Sum of both.' }),
})

const sampleStatement: Statement = {
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
}

export function statementOperations(deps: BillingDependencies): Operation[] {
  return [
    operation({
      name: 'GET /v1/billing/statements/{month}',
      id: 'readStatement',
      summary: 'Read the statement of a month',
      description: 'With `Accept: text/csv` as CSV, with `Accept: text/html` as a page to print.',
      scope: 'billing:read',
      answers: {
        200: withForms(jsonResponse('The statement; it adds up to the ledger.', StatementSchema, sampleStatement), {
          'text/csv': 'section,item,units\r\n',
          'text/html': '<!doctype html>…',
        }),
      },
      handle: async ({ caller: { organisationId }, params: { month }, request, reply }) => {
        // Close a finished month in the ledger before summing it up.
        await applyDueChanges(deps, organisationId)
        const account = await readAccount(deps, organisationId)
        const statement = await readStatement(deps.sql, { account, month, nowMs: deps.clock.now() })
        reply.header('vary', 'accept')
        const form = preferredType(request, ['application/json', 'text/csv', 'text/html'])
        if (form === 'text/csv') {
          return sendCsv(reply, `statement-${month}.csv`, toCsv(STATEMENT_FIELDS, statementRows(statement)))
        }
        if (form === 'text/html') {
          return sendPrintable(reply, statementPage(statement, await requireOrganisation(deps.sql, organisationId)))
        }
        return statement
      },
    }),
  ]
}

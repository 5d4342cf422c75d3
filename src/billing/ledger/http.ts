import Type from 'typebox'
import { answerLog, logForms } from '../../http/log-page.ts'
import { type Operation, oneOf, operation } from '../../http/operation.ts'
import { Count, Moment, momentOf, named, Pence, TextLike, TextOrNull, Time } from '../../http/schema.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { FamilySchema } from '../usage/http.ts'
import { ENTRY_KINDS } from './ledger.ts'
import { ENTRY_FIELDS, ledgerLog } from './ledger-log.ts'

export function ledgerOperations(deps: BillingDependencies): Operation[] {
  return [
    operation({
      name: 'GET /v1/billing/ledger',
      id: 'listLedger',
      summary: 'List the entries of the ledger, newest first',
      description: 'With `Accept: text/csv` as CSV.',
      scope: 'billing:read',
      ...logForms({
        about: 'A page of entries.',
        schema: EntrySchema,
        columns: ENTRY_FIELDS,
        filters: {
          from: Moment('Entries posted at this time or later.'),
          to: Moment('Entries posted before this time.'),
          kind: Type.Optional(oneOf(ENTRY_KINDS)),
          family: Type.Optional(FamilySchema),
        },
      }),
      handle(context) {
        const { organisationId } = context.caller
        const { from, to, kind, family } = context.query
        const times = { fromMs: momentOf('from', from), toMs: momentOf('to', to) }
        return answerLog(context, deps, {
          maker: ledgerLog,
          query: { organisationId, kind, family, ...times },
          list: ['ledger', from, to, kind, family],
          shape: ['number'],
          fileName: `ledger-${organisationId}.csv`,
        })
      },
    }),
  ]
}

export const EntrySchema = named('LedgerEntry', {
  id: TextLike('ent_5tY8uJ2kLm0PqRsT4vWx'),
  number: Type.Integer({
    minimum: 1,
    description: 'Number of the entry within the organisation, without gaps.',
    examples: [42],
  }),
  created_at: Time('Time of posting.', '2026-03-02T10:15:30.000Z'),
  kind: oneOf(ENTRY_KINDS, { examples: ['charge'] }),
  month: TextLike('2026-03', 'The billing period.'),
  plan: TextLike('growth'),
  family: Type.Union([FamilySchema, Type.Null()], { examples: ['payment-risk'] }),
  units: Count(10),
  free_units: Count(0),
  unit_price_pence: Count(2),
  included_delta_pence: Count(-20, 'Change of each balance.'),
  prepaid_delta_pence: Count(0),
  overage_delta_pence: Count(0),
  included_after_pence: Pence('Included credit afterwards.', 11250),
  prepaid_after_pence: Pence('Prepaid credit afterwards.'),
  overage_after_pence: Pence('Overage afterwards.'),
  credential_id: Type.Union([Type.String(), Type.Null()], { examples: ['key_9aBcDeFgHiJkLmNoPqRs'] }),
  request_id: Type.Union([Type.String(), Type.Null()], { examples: ['req_Xk29fPq0LmZt0000001'] }),
  reference: TextOrNull(),
  detail: TextOrNull(),
})

import Type from 'typebox'
import { preferredType, sendCsv, toCsv } from '../../http/csv.ts'
import { type Operation, oneOf, operation } from '../../http/operation.ts'
import { linkNext, type PageKey } from '../../http/page.ts'
import { closed } from '../../http/page-operation.ts'
import {
  Count,
  Cursor,
  LogLimit,
  logLimit,
  Moment,
  momentOf,
  named,
  Pence,
  pageResponse,
  TextLike,
  TextOrNull,
  Time,
  withForms,
} from '../../http/schema.ts'
import { iso } from '../../lib/time-text.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { FamilySchema } from '../usage/http.ts'
import { readEntryPage } from './accounts.ts'
import { ENTRY_KINDS, type Entry } from './ledger.ts'

/** The ledger for its organisation. */

export function ledgerOperations(deps: BillingDependencies): Operation[] {
  return [
    operation({
      name: 'GET /v1/billing/ledger',
      id: 'listLedger',
      summary: 'List the entries of the ledger, newest first',
      description: 'With `Accept: text/csv` as CSV.',
      scope: 'billing:read',
      query: closed({
        from: Moment('Entries posted at this time or later.'),
        to: Moment('Entries posted before this time.'),
        kind: Type.Optional(oneOf(ENTRY_KINDS)),
        family: Type.Optional(FamilySchema),
        limit: LogLimit,
        cursor: Cursor,
      }),
      answers: {
        200: withForms(pageResponse('A page of entries.', EntrySchema), {
          'text/csv': `${ENTRY_FIELDS.join(',')}\r\n`,
        }),
      },
      handle: async ({ caller: { organisationId }, query, request, reply }) => {
        const asCsv = preferredType(request, ['application/json', 'text/csv']) === 'text/csv'
        const limit = logLimit(query.limit, asCsv)
        const { from, to, kind, family, cursor } = query
        const key: PageKey = { organisationId, list: JSON.stringify(['ledger', from, to, kind, family]) }
        const page = await readEntryPage(deps.sql, {
          organisationId,
          fromMs: momentOf('from', from),
          toMs: momentOf('to', to),
          kind,
          family,
          beforeSeq: cursor === undefined ? undefined : (await deps.cursors.read(key, cursor, ['number']))[0],
          limit,
        })
        const next = page.nextBeforeSeq === undefined ? null : deps.cursors.make(key, [page.nextBeforeSeq])
        linkNext(request, reply, deps.baseUrl, next)
        reply.header('vary', 'accept')
        const entries = page.entries.map(entryView)
        if (asCsv) {
          const cells = entries.map((entry) => ENTRY_FIELDS.map((field) => entry[field]))
          return sendCsv(reply, `ledger-${organisationId}.csv`, toCsv(ENTRY_FIELDS, cells))
        }
        return { data: entries, next_cursor: next }
      },
    }),
  ]
}

/** An entry of the ledger as the API shows it. */
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
export type EntryView = Type.Static<typeof EntrySchema>
const ENTRY_FIELDS = Object.keys(EntrySchema.properties) as (keyof EntryView)[]

export function entryView(entry: Entry): EntryView {
  return {
    id: entry.id,
    number: entry.seq,
    created_at: iso(entry.createdAtMs),
    kind: entry.kind,
    month: entry.period,
    plan: entry.planId,
    family: entry.family,
    units: entry.units,
    free_units: entry.freeUnits,
    unit_price_pence: entry.unitPricePence,
    included_delta_pence: entry.includedDeltaPence,
    prepaid_delta_pence: entry.prepaidDeltaPence,
    overage_delta_pence: entry.overageDeltaPence,
    included_after_pence: entry.includedAfterPence,
    prepaid_after_pence: entry.prepaidAfterPence,
    overage_after_pence: entry.overageAfterPence,
    credential_id: entry.credentialId,
    request_id: entry.requestId,
    reference: entry.reference,
    detail: entry.detail,
  }
}

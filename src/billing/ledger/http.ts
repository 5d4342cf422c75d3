import Type from 'typebox'
import { Problem } from '../../errors.ts'
import { preferredType, sendCsv, toCsv } from '../../http/csv.ts'
import { Moment, momentOf } from '../../http/moment.ts'
import { type Operation, oneOf, operation } from '../../http/operation.ts'
import { linkNext, type PageKey } from '../../http/page.ts'
import { Cursor, jsonResponse, LINK_HEADER, NextCursor, Pence, Time, withForms } from '../../http/schema.ts'
import { iso } from '../../lib/time-text.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { FamilySchema } from '../usage/http.ts'
import { readEntryPage } from './entries.ts'
import { ENTRY_KINDS, type Entry } from './ledger.ts'

/** The ledger as its owner reads it. */

const EntrySchema = Type.Object({
  id: Type.String(),
  number: Type.Integer({ minimum: 1, description: 'Counts the entries of the organisation without a gap.' }),
  created_at: Time('When it was posted.'),
  kind: oneOf(ENTRY_KINDS),
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
type EntryView = Type.Static<typeof EntrySchema>
const ENTRY_FIELDS = Object.keys(EntrySchema.properties) as (keyof EntryView)[]

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

const ROWS_DEFAULT = 100
const ROWS_MAX = 1000
const CSV_ROWS_MAX = 10_000

export function ledgerOperations(deps: BillingDependencies): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/v1/billing/ledger',
      id: 'listLedger',
      tag: 'Billing',
      summary: 'List the entries of the ledger, newest first',
      description: 'With `Accept: text/csv` as CSV.',
      scope: 'billing:read',
      query: Type.Object(
        {
          from: Moment('Entries posted at this time or later.'),
          to: Moment('Entries posted before this time.'),
          kind: Type.Optional(oneOf(ENTRY_KINDS)),
          family: Type.Optional(FamilySchema),
          limit: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: CSV_ROWS_MAX,
              description: `On a page. As JSON: default ${ROWS_DEFAULT}, at most ${ROWS_MAX}. As CSV: default and at most ${CSV_ROWS_MAX}.`,
            }),
          ),
          cursor: Cursor,
        },
        { additionalProperties: false },
      ),
      answers: {
        200: withForms(
          jsonResponse(
            'A page of entries.',
            Type.Object({ data: Type.Array(EntrySchema), next_cursor: NextCursor }),
            { data: [sampleEntry], next_cursor: null },
            LINK_HEADER,
          ),
          { 'text/csv': `${ENTRY_FIELDS.join(',')}\r\n` },
        ),
      },
      handle: async ({ caller: { organisationId }, query, request, reply }) => {
        const asCsv = preferredType(request, ['application/json', 'text/csv']) === 'text/csv'
        const limit = query.limit ?? (asCsv ? CSV_ROWS_MAX : ROWS_DEFAULT)
        if (!asCsv && limit > ROWS_MAX) {
          throw new Problem('invalid_query', { detail: `limit: at most ${ROWS_MAX} entries on a page.` })
        }
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

function entryView(entry: Entry): EntryView {
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

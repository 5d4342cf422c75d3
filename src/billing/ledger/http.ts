import Type from 'typebox'
import { preferredType, sendCsv, toCsv } from '../../http/csv.ts'
import { LogLimit, logLimit } from '../../http/log-limit.ts'
import { Moment, momentOf } from '../../http/moment.ts'
import { type Operation, oneOf, operation } from '../../http/operation.ts'
import { linkNext, type PageKey } from '../../http/page.ts'
import { closed } from '../../http/page-operation.ts'
import { Cursor, pageResponse, withForms } from '../../http/schema.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { FamilySchema } from '../usage/http.ts'
import { readEntryPage } from './entries.ts'
import { ENTRY_FIELDS, EntrySchema, entryView } from './entry-view.ts'
import { ENTRY_KINDS } from './ledger.ts'

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

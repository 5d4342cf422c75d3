import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { RISK_SCOPES } from '../../access/scopes.ts'
import { preferredType, sendCsv } from '../../http/csv.ts'
import { turnOf } from '../../http/log-page.ts'
import { type Operation, oneOf, operation, pageQuery } from '../../http/operation.ts'
import { type Cursors, linkNext, type PageKey } from '../../http/page.ts'
import { closed } from '../../http/page-operation.ts'
import {
  Count,
  jsonResponse,
  LINK_HEADER,
  Moment,
  momentOf,
  NextCursor,
  named,
  Pence,
  Time,
  withForms,
} from '../../http/schema.ts'
import { iso, periodOf } from '../../lib/clock.ts'
import { toCsv } from '../../lib/csv.ts'
import { FAMILIES } from '../../lib/kinds.ts'
import { LIMITS } from '../../limits.ts'
import type { BillingDependencies } from '../dependencies.ts'
import { planOf, readAccount } from '../ledger/accounts.ts'
import { termsOf } from '../ledger/ledger.ts'
import { periodStartMs } from '../period.ts'
import { quote } from './quote.ts'
import { GRANULARITIES, granularityFor, readUsage, rollUpUsage, USAGE_FIELDS, type UsageQuery } from './usage.ts'
import { usageReport } from './usage-report.ts'

export const FamilySchema = oneOf(FAMILIES, { $id: 'Family', description: 'Endpoint family.' })

export const UsageAmountsSchema = {
  requests: Count(12, 'Answered requests.'),
  units: Count(120, 'Records checked.'),
  free_units: Count(0, 'Free records included in the units.'),
  charged_from_credit_pence: Count(240),
  overage_pence: Count(0),
  total_price_pence: Count(240),
}
const UsageRowSchema = named('UsageRow', {
  starts_at: Time('Start of the hour, day or month.', '2026-03-02T00:00:00.000Z'),
  family: Type.Optional(FamilySchema),
  credential_id: Type.Optional(Type.String({ description: 'API key, application or person.' })),
  ...UsageAmountsSchema,
})

export function usageOperations(deps: BillingDependencies): Operation[] {
  return [
    operation({
      name: 'GET /v1/billing/usage',
      id: 'readUsage',
      summary: 'Read usage by hour, day or month',
      description:
        'Times without usage have no row. At most 31 days by hour, 366 days by day, 120 months by month. A refund reduces the usage of the time when it was posted. With `Accept: text/csv` as CSV.',
      scope: 'billing:read',
      weight: (request) => (isReport(request) ? 'report' : 'read'),
      query: pageQuery(
        {
          from: Moment('Start; default the first of this month.'),
          to: Moment('End, exclusive; default now.'),
          granularity: Type.Optional(
            oneOf(GRANULARITIES, { description: 'Default: by hour up to 2 days, by day up to 92, by month beyond.' }),
          ),
          group_by: Type.Optional(
            oneOf(['family', 'credential', 'family,credential'], {
              description: 'Group rows by these; default one row for all.',
            }),
          ),
          family: Type.Optional(FamilySchema),
          credential_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
        },
        { limitMax: LIMITS.pages.usageRowsMax, limitDefault: LIMITS.pages.logRowsDefault },
      ),
      answers: {
        200: withForms(
          jsonResponse(
            'Usage in the range, widened to whole hours, days or months.',
            named('Usage', {
              from: Time('Start of the answered range.', '2026-03-01T00:00:00.000Z'),
              to: Time('Its end, exclusive.', '2026-03-03T00:00:00.000Z'),
              granularity: oneOf(GRANULARITIES, { examples: ['day'] }),
              data: Type.Array(UsageRowSchema),
              totals: named('UsageAmounts', UsageAmountsSchema, {
                description: 'Sums of the whole range, not of this page.',
              }),
              next_cursor: NextCursor,
            }),
            undefined,
            LINK_HEADER,
          ),
          { 'text/csv': `${USAGE_FIELDS.join(',')}\r\n` },
        ),
      },
      handle: async ({ caller, query, request, reply }) => {
        const { organisationId } = caller
        const { from, to, group_by, family, credential_id } = query
        const nowMs = deps.clock.now()
        const fromMs = momentOf('from', from) ?? periodStartMs(periodOf(nowMs))
        const toMs = momentOf('to', to) ?? nowMs + 1
        const granularity = query.granularity ?? granularityFor(fromMs, toMs)
        const groups = group_by?.split(',') ?? []
        // The limit is not part of the key, so that the next page may have another size.
        const key: PageKey = {
          organisationId,
          list: JSON.stringify(['usage', from, to, granularity, group_by, family, credential_id]),
        }
        await rollUpUsage(deps.sql, organisationId)
        const wanted: UsageQuery = {
          organisationId,
          fromMs,
          toMs,
          granularity,
          byFamily: groups.includes('family'),
          byCredential: groups.includes('credential'),
          family,
          credentialId: credential_id,
          limit: query.limit ?? LIMITS.pages.logRowsDefault,
          after: await positionOf(deps.cursors, key, query.cursor),
        }
        const answer = isReport(request)
          ? (await deps.documents.make(usageReport, wanted, turnOf({ caller, reply }))).head
          : await readUsage(await deps.reading(), wanted)
        const position = answer.next && [answer.next.startsAtMs, answer.next.family, answer.next.credentialId]
        const next = position ? deps.cursors.make(key, position) : null
        linkNext(request, reply, deps.baseUrl, next)
        reply.header('vary', 'accept')
        if (preferredType(request, ['application/json', 'text/csv']) === 'text/csv') {
          const cells = answer.rows.map((row) => USAGE_FIELDS.map((field) => row[field] ?? null))
          return sendCsv(reply, `usage-${organisationId}.csv`, toCsv(USAGE_FIELDS, cells))
        }
        return {
          from: iso(answer.fromMs),
          to: iso(answer.toMs),
          granularity,
          data: answer.rows,
          totals: answer.totals,
          next_cursor: next,
        }
      },
    }),

    operation({
      name: 'POST /v1/billing/quote',
      id: 'quoteRecords',
      summary: 'Quote the current price of a number of records',
      description:
        'Charges nothing. The quote assumes requests of 10,000 records, because each request is either completely free or completely charged.',
      scope: 'billing:read',
      orScopes: RISK_SCOPES,
      body: closed(
        {
          family: FamilySchema,
          records: Type.Integer({
            minimum: 1,
            maximum: LIMITS.requests.quoteRecordsMax,
            description: 'Number of records to send.',
          }),
        },
        { family: 'payment-risk', records: 2500 },
      ),
      answers: {
        200: jsonResponse(
          'The price, with the current credit and plan.',
          named('Quote', {
            family: FamilySchema,
            records: Count(2500),
            requests: Count(1, 'Requests of at most 10,000 records.'),
            unit_price_pence: Pence('Price of one record.', 2),
            free_units: Pence('Records the free allowance covers.'),
            charged_from_credit_pence: Pence('Part the credit covers.', 5000),
            overage_pence: Pence('Part beyond the credit, if the plan allows it.'),
            total_price_pence: Pence('The whole price.', 5000),
            shortfall_pence: Pence(
              'Missing amount: requests beyond the credit, or beyond the overage limit, would be refused (402).',
            ),
            remaining_credit_pence: Pence('Credit left afterwards.', 6250),
            covered: Type.Boolean({ description: 'True if every request would be answered.', examples: [true] }),
          }),
        ),
      },
      handle: async ({ caller, body }) => {
        const account = await readAccount(deps, caller.organisationId)
        return quote(termsOf(account, planOf(deps.plans, account)), account, body.family, body.records)
      },
    }),
  ]
}

/** A report may sum up a million rows; other usage is one row for each hour, day or month. */
function isReport({ query }: FastifyRequest): boolean {
  return ['group_by', 'family', 'credential_id'].some((name) => name in (query as object))
}

async function positionOf(cursors: Cursors, key: PageKey, cursor: string | undefined) {
  if (cursor === undefined) return undefined
  const [startsAtMs, family, credentialId] = await cursors.read(key, cursor, ['number', 'text', 'text'])
  return { startsAtMs, family, credentialId }
}

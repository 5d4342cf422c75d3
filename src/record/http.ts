import type { FastifyInstance } from 'fastify'
import Type, { type Static } from 'typebox'
import { DECISIONS, LEVELS, REVIEW_STATES } from '../db/kept-checks.ts'
import { answerLog, logForms } from '../http/log-page.ts'
import { type Operation, type OperationDependencies, oneOf, operation, registerOperations } from '../http/operation.ts'
import { closed } from '../http/page-operation.ts'
import { Count, jsonResponse, Moment, momentOf, named } from '../http/schema.ts'
import { WRITING } from '../identity/members/http.ts'
import { KIND_NAMES } from '../lib/kinds.ts'
import { CHECK_FIELDS, checkLog, fullCheckView, openNamed } from './check-log.ts'
import { type CheckFilters, type Reader, readerOf, requireCheck } from './checks.ts'
import { checkDecisionOperations, READING_CHECKS } from './decisions-http.ts'
import { eraseChecks, type ToErase } from './erase.ts'
import { indexDigests } from './follow-up.ts'
import { digestOfText, indicatorOf } from './indicator.ts'
import { makeRecords } from './lists.ts'
import { receiptKeyOperations } from './receipts-http.ts'
import { CheckSchema, FullCheckSchema, SAMPLE_CHECK } from './schema.ts'
import { findIndicatorDigest, keysOfChecks } from './sealed.ts'

const Id = (description: string) => Type.Optional(Type.String({ pattern: '^[\\w-]{1,100}$', description }))
const Filters = {
  indicator: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'An email address, a domain or an IP address. The whole indicator: a part of it is not found.',
    }),
  ),
  kind: Type.Optional(oneOf(KIND_NAMES)),
  risk: Type.Optional(oneOf(LEVELS)),
  from: Moment('Checks asked at this time or later.'),
  to: Moment('Checks asked before this time.'),
  asked_by: Id('Id of a person, key or application; `me` for the caller.'),
  request_id: Id('The request that asked, as in the ledger; for a list, all its records.'),
  decision: Type.Optional(oneOf(DECISIONS)),
  review: Type.Optional(oneOf(REVIEW_STATES)),
  assigned_to: Id('Id of a person; `me` for the caller.'),
}
const Query = closed(Filters)

export function registerRecord(app: FastifyInstance, deps: OperationDependencies): void {
  registerOperations(app, deps, [
    ...checkOperations(deps),
    ...checkDecisionOperations(deps),
    ...receiptKeyOperations(deps),
  ])
}

function checkOperations(deps: OperationDependencies): Operation[] {
  const { sql, ring } = deps
  return [
    operation({
      ...READING_CHECKS,
      name: 'GET /v1/checks',
      id: 'listChecks',
      summary: 'List the checks on record, newest first',
      description:
        'With `Accept: text/csv` as CSV. Without `organisation:read`: what the caller asked, and what is assigned to the caller. A page may be short, or empty, although another follows.',
      ...logForms({
        about: 'A page of checks.',
        schema: CheckSchema,
        sample: SAMPLE_CHECK,
        columns: CHECK_FIELDS,
        filters: Filters,
      }),
      async handle(context) {
        const reader = readerOf(context.caller)
        const { limit, cursor, ...given } = context.query
        return answerLog(context, deps, {
          maker: checkLog,
          query: { reader, filters: await filtersOf(reader, given), keys: keysOfChecks(ring) },
          list: ['checks', reader.everybody ? null : (reader.personId ?? reader.credentialId), given],
          shape: ['text'],
          fileName: `checks-${reader.organisationId}.csv`,
        })
      },
    }),
    operation({
      ...READING_CHECKS,
      name: 'GET /v1/checks/{check_id}',
      id: 'readCheck',
      summary: 'Read a check on record, with its answer',
      answers: { 200: jsonResponse('The check.', FullCheckSchema, { ...SAMPLE_CHECK, answer: null }) },
      async handle({ caller, params }) {
        const { check_id } = params
        const [list = '', place] = check_id.split('-')
        // A record of a list that was answered a moment ago.
        if (place !== undefined) await makeRecords(deps, { organisationId: caller.organisationId, id: list })
        const check = await requireCheck(sql, readerOf(caller), check_id)
        return fullCheckView(await openNamed(sql, keysOfChecks(ring), check))
      },
    }),
    operation({
      ...WRITING,
      name: 'POST /v1/checks/erase',
      id: 'eraseChecks',
      summary: 'Erase checks from the history',
      description:
        'By indicator, by the person who asked, or all. Answers stored for retries go too, so a retry of an erased check is a new one. The ledger keeps its numbers. Entries of own lists that feedback made go with the checks of a person and with all. Entries that name an erased indicator stay and are counted; with `own_lists` they go, too.',
      body: Type.Union(
        [
          closed({
            indicator: Type.String({ minLength: 1, maxLength: 1024, description: 'As in the search.' }),
            own_lists: Type.Optional(
              Type.Boolean({
                description: 'Also remove the entries of own lists that name it, which ends their effect.',
              }),
            ),
          }),
          closed({ person: Type.String({ pattern: '^usr_\\w{1,40}$', description: 'Id of a person.' }) }),
          closed({ all: Type.Literal(true) }),
        ],
        { examples: [{ indicator: 'accounts@example.com' }] },
      ),
      answers: {
        200: jsonResponse(
          'What was erased.',
          named('ErasedChecks', {
            erased: Count(3),
            own_list_entries: Count(0, 'Entries of own lists that still name the indicator.'),
            own_list_entries_erased: Count(0, 'Entries of own lists that were removed.'),
          }),
        ),
      },
      problems: ['invalid_query'],
      weight: () => 'export',
      handle: ({ actor, body }) => eraseChecks(deps, actor, toErase(body)),
    }),
  ]

  async function filtersOf(reader: Reader, given: Static<typeof Query>) {
    const me = reader.personId ?? reader.credentialId
    const { indicator, kind, risk, from, to, asked_by, request_id, decision, review, assigned_to } = given
    const filters: CheckFilters = {
      requestId: request_id,
      kind,
      level: risk,
      askedBy: asked_by === 'me' ? me : asked_by,
      decision,
      review,
      assignedTo: assigned_to === 'me' ? me : assigned_to,
      fromMs: momentOf('from', from),
      toMs: momentOf('to', to),
    }
    if (indicator === undefined) return filters
    const digest = await findIndicatorDigest(sql, ring, reader.organisationId)
    await indexDigests(sql, reader.organisationId)
    // Without a key nothing is on record: a digest that no row has.
    return { ...filters, digest: digest ? digestOfText(digest, indicator, kind) : '' }
  }
}

function toErase(body: { indicator: string; own_lists?: boolean } | { person: string } | { all: true }): ToErase {
  if ('indicator' in body) {
    return { by: 'indicator', indicator: indicatorOf(body.indicator), ownLists: body.own_lists }
  }
  return 'person' in body ? { by: 'person', person: body.person } : { by: 'all' }
}

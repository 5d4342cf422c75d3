import Type from 'typebox'
import { callerOf } from '../access/gate.ts'
import { RISK_SCOPES } from '../access/scopes.ts'
import { DECISIONS } from '../db/kept-checks.ts'
import type { Sql, SqlQueries } from '../db/sql.ts'
import { conflict } from '../errors.ts'
import { preferredType } from '../http/csv.ts'
import { sendPdf, turnOf } from '../http/log-page.ts'
import { change, type Operation, type OperationDependencies, oneOf, operation } from '../http/operation.ts'
import { closed, orNull } from '../http/page-operation.ts'
import { Count, fileResponse, jsonResponse, named, TextLike, withForms } from '../http/schema.ts'
import { READING } from '../identity/members/http.ts'
import { requireOrganisation } from '../identity/organisation/organisations.ts'
import { LIMITS } from '../limits.ts'
import { checkRules } from '../own/decisions/rules.ts'
import { Rules } from '../own/decisions/schema.ts'
import { LISTS } from '../own/lists/listed.ts'
import { checkView, fullCheckView, openNamed } from './check-log.ts'
import { type Reader, readerOf, requireCheck } from './checks.ts'
import { countReviews, decide, REVIEWS_COUNTED_MAX, setReview } from './decisions.ts'
import { claimsOf, evidenceOf, type ReportedCheck } from './evidence.ts'
import { evidencePdfMaker } from './evidence-pdf.ts'
import { giveFeedback } from './feedback.ts'
import { ReceiptClaims, signedLink, signReceipt } from './receipt.ts'
import { receiptSigner } from './receipt-keys.ts'
import { WRONG } from './remarks.ts'
import { rulesTrial } from './rules-trial.ts'
import { CheckSchema, SAMPLE_CHECK, SAMPLE_TRIAL, TrialSchema } from './schema.ts'
import { keysOfChecks } from './sealed.ts'

/** The rule asks for the scope of the check's own kind (decisions.ts, rule 1). */
const DECIDING = { scope: 'organisation:write', orScopes: RISK_SCOPES, problems: ['conflict'] } as const
/** Everybody's checks need `organisation:read`; each caller reads their own with a scope of checks (checks.ts, rule 1). */
export const READING_CHECKS = { scope: 'organisation:read', orScopes: RISK_SCOPES } as const

const SAMPLE_DECISION = {
  decision: 'approved',
  state: 'made',
  note: 'Called the supplier under the number in our books.',
  steps: ['Verified by telephone'],
  by: { id: 'usr_7Jk2mNpQrStUvWxYz012', name: 'Jane Doe' },
  at: '2026-03-02T10:20:00.000Z',
  second_by: null,
  second_at: null,
}
const checkAnswer = (example: object) => ({
  200: jsonResponse('The check.', CheckSchema, { ...SAMPLE_CHECK, ...example }),
})

const Receipt = named('Receipt', {
  receipt: TextLike('eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiJjaGsifQ.c2ln'),
  claims: ReceiptClaims,
})
const SAMPLE_CLAIMS = {
  iss: 'https://assay.example',
  aud: 'https://assay.example/receipts',
  iat: 1_772_446_530,
  jti: 'chk_Xk29fPq0LmZt00000001',
  sub: 'org_0Fv3kQ2mXb7TzR1yLw9c',
  question: '0d4a1185…',
  kind: 'email',
  risk: 'low',
  risk_score: 4,
  signals: [{ code: 'email.free_mail', effect: -3 }],
  intelligence: '2026-03-02T09:00:00Z',
  price: { unit_price_pence: 2, total_price_pence: 2, is_free: false },
  asked_at: '2026-03-02T10:15:30.000Z',
}

const CountsSchema = named('ReviewCounts', {
  open: Count(4, `Open reviews that the caller may read; counting stops at ${REVIEWS_COUNTED_MAX}.`),
  assigned_to_me: Count(1, 'Those of them that are assigned to the caller.'),
})

export function checkDecisionOperations(deps: OperationDependencies): Operation[] {
  return [...deciding(deps), ...proving(deps), trial(deps)]
}

function deciding(deps: OperationDependencies): Operation[] {
  const { sql, ring } = deps
  /** As it is now. Somebody who has just assigned it to a colleague may read it no more, and still gets this answer. */
  const shown = async (tx: SqlQueries, reader: Reader, id: string) => ({
    status: 200 as const,
    body: checkView(
      await openNamed(tx, keysOfChecks(ring), await requireCheck(tx, { ...reader, everybody: true }, id)),
    ),
  })
  return [
    change({
      ...DECIDING,
      name: 'PUT /v1/checks/{check_id}/decision',
      id: 'decideCheck',
      summary: 'Decide about a check',
      description:
        'If the organisation asks for it (`decisions_need_two`), `approved` and `false_alarm` wait until another signed-in person puts the same decision; another decision replaces the waiting one. `review` puts the check on the work list.',
      body: closed(
        {
          decision: oneOf(DECISIONS),
          note: Type.Optional(
            orNull(Type.String({ maxLength: LIMITS.requests.noteCharactersMax }), {
              description: 'How it was verified. The note of a second person is put below the first one.',
            }),
          ),
          steps: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: LIMITS.requests.reasonCharactersMax }), {
              maxItems: LIMITS.requests.decisionStepsMax,
              description: 'The steps that were taken.',
            }),
          ),
        },
        { decision: 'approved', note: SAMPLE_DECISION.note, steps: SAMPLE_DECISION.steps },
      ),
      answers: checkAnswer({ decision: SAMPLE_DECISION }),
      async handle(tx, { actor, params: { check_id: id }, body: { decision, note = null, steps = [] }, request }) {
        const reader = readerOf(callerOf(request))
        await decide(tx, actor, { reader, id, input: { decision, note, steps } }, deps.ring)
        return shown(tx, reader, id)
      },
    }),
    change({
      ...DECIDING,
      name: 'PUT /v1/checks/{check_id}/review',
      id: 'reviewCheck',
      summary: 'Put a check on the work list, and assign it',
      body: closed(
        {
          assigned_to: orNull(Type.String({ pattern: '^usr_[\\w-]{1,60}$' }), {
            description: 'A member who may read the check; null: anybody.',
          }),
        },
        { assigned_to: null },
      ),
      answers: checkAnswer({ review: { state: 'open', assigned_to: null, since: '2026-03-02T10:20:00.000Z' } }),
      async handle(tx, { actor, params: { check_id: id }, body, request }) {
        const reader = readerOf(callerOf(request))
        await setReview(tx, actor, { reader, id, assignedTo: body.assigned_to })
        return shown(tx, reader, id)
      },
    }),
    change({
      ...DECIDING,
      name: 'PUT /v1/checks/{check_id}/feedback',
      id: 'giveCheckFeedback',
      summary: 'Report an answer as wrong',
      description:
        'The operator of the service reads it, together with the indicator and the signals. With `own_list` the indicator is added to an own list at once; that needs `organisation:write`.',
      body: closed(
        {
          wrong: oneOf(WRONG),
          reason: Type.String({ minLength: 1, maxLength: LIMITS.requests.reasonCharactersMax }),
          own_list: Type.Optional(orNull(oneOf(LISTS))),
        },
        { wrong: 'too_high', reason: 'Our supplier for ten years' },
      ),
      answers: checkAnswer({
        feedback: {
          wrong: 'too_high',
          reason: 'Our supplier for ten years',
          by: SAMPLE_DECISION.by,
          at: '2026-03-02T10:20:00.000Z',
        },
      }),
      async handle(tx, { actor, params: { check_id: id }, body: { wrong, reason, own_list = null }, request }) {
        const reader = readerOf(callerOf(request))
        await giveFeedback(tx, actor, { reader, id, input: { wrong, reason, ownList: own_list } }, ring)
        return shown(tx, reader, id)
      },
      after: async ({ request, body }) => {
        if (body.own_list) await deps.onOwnChanged(callerOf(request).organisationId)
      },
    }),
    operation({
      ...READING_CHECKS,
      name: 'GET /v1/reviews',
      id: 'countReviews',
      summary: 'Count the open reviews',
      description: 'The reviews themselves: `GET /v1/checks?review=open`.',
      answers: { 200: jsonResponse('The counts.', CountsSchema) },
      handle: ({ caller }) => countReviews(sql, readerOf(caller)),
    }),
  ]
}

function proving(deps: OperationDependencies): Operation[] {
  const { sql, ring, clock, baseUrl } = deps
  /** The check with all that is on record, and the key that signs its receipt. */
  const prove = async (reader: Reader, id: string) => {
    const check = await requireCheck(sql, reader, id)
    const shown = fullCheckView(await openNamed(sql, keysOfChecks(ring), check))
    if (shown.indicator === null) throw conflict('No key of the server opens this check, so nothing can be proved.')
    const view = shown as ReportedCheck
    const nowMs = clock.now()
    const claims = claimsOf(view, { baseUrl, organisationId: reader.organisationId, nowMs })
    return { view, claims, nowMs, key: await receiptSigner(sql as Sql, ring, nowMs) }
  }
  return [
    operation({
      ...READING_CHECKS,
      name: 'GET /v1/checks/{check_id}/receipt',
      id: 'readReceipt',
      summary: 'Read the receipt of a check',
      description:
        'A JWS in compact form, which proves the answer to those who know the indicator. With `Accept: application/json` together with its claims. Verify it with the keys of `GET /v1/receipts/keys`.',
      answers: {
        200: withForms(
          jsonResponse('The receipt.', Receipt, {
            receipt: 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiJjaGsifQ.c2ln',
            claims: SAMPLE_CLAIMS,
          }),
          { 'application/jose': 'eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiJjaGsifQ.c2ln' },
        ),
      },
      problems: ['conflict'],
      async handle({ caller, params: { check_id: id }, request, reply }) {
        const { claims, key } = await prove(readerOf(caller), id)
        const receipt = await signReceipt(claims, key)
        reply.header('vary', 'accept')
        if (preferredType(request, ['application/jose', 'application/json']) === 'application/json') {
          return { receipt, claims }
        }
        return reply
          .header('content-type', 'application/jose')
          .header('content-disposition', `attachment; filename="${id}.jws"`)
          .send(receipt)
      },
    }),
    operation({
      ...READING_CHECKS,
      name: 'GET /v1/checks/{check_id}/evidence.pdf',
      id: 'readEvidence',
      summary: 'Read the evidence of a check as PDF, with its receipt as a QR code',
      weight: () => 'document',
      answers: { 200: fileResponse('The document.', 'application/pdf', '%PDF-1.3…') },
      problems: ['conflict'],
      async handle({ caller, params: { check_id: id }, reply }) {
        const { view, claims, key, nowMs } = await prove(readerOf(caller), id)
        const { name: organisation } = await requireOrganisation(sql, caller.organisationId)
        const link = await signedLink(baseUrl, claims, key)
        const evidence = evidenceOf(view, { organisation, madeAtMs: nowMs, link, baseUrl })
        const { bytes } = await deps.documents.make(evidencePdfMaker, evidence, turnOf({ caller, reply }))
        return sendPdf(reply, id, bytes)
      },
    }),
  ]
}

function trial(deps: OperationDependencies): Operation {
  return operation({
    ...READING,
    name: 'POST /v1/decision-rules/trial',
    id: 'tryDecisionRules',
    summary: 'Try decision rules on the checks on record',
    description: `Decides the last ${LIMITS.counts.trialChecksMax} checks on record again, and compares with what the rules of their time said. Nothing is changed. Bank accounts are not on record, so rules about them do not match.`,
    weight: () => 'document',
    body: closed({ rules: Rules }, { rules: [] }),
    answers: { 200: jsonResponse('What would change.', TrialSchema, SAMPLE_TRIAL) },
    async handle({ caller, body: { rules }, reply }) {
      checkRules(rules)
      const { organisationId } = caller
      const input = { organisationId, rules, keys: keysOfChecks(deps.ring) }
      return (await deps.documents.make(rulesTrial, input, turnOf({ caller, reply }))).head
    },
  })
}

import Type from 'typebox'
import { ACTOR_KINDS } from '../../access/actor.ts'
import { etagOf } from '../../http/change.ts'
import {
  change,
  list,
  type Operation,
  type OperationDependencies,
  oneOf,
  operation,
  readOne,
} from '../../http/operation.ts'
import { ETAG_HEADER, jsonResponse, TextOrNull, Time, TimeOrNull, withSample } from '../../http/schema.ts'
import { WRITING } from '../../identity/members/http.ts'
import { isoOrNull } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import type { DecisionRule } from '../../risk/decide.ts'
import { READING_OWN, tellOthers } from '../counterparties/http.ts'
import { currentRules, listVersions, type RulesVersion, requireVersion, saveRules } from './rules.ts'
import { Rule, Rules } from './schema.ts'

const SAMPLE_RULE: DecisionRule = {
  name: 'Imitates a supplier',
  when: { families: ['payment-risk'], counterparties: ['lookalike'] },
  outcome: 'stop',
  text: 'Do not pay. Call the supplier under the number in the register.',
}
const author = Type.Union(
  [Type.Object({ kind: oneOf(ACTOR_KINDS), id: Type.String(), name: TextOrNull() }), Type.Null()],
  { description: 'Author of this version; null before the first one.' },
)
const SAMPLE_AUTHOR = { kind: 'person', id: 'usr_7Jk2mNpQrStUvWxYz012', name: 'Jane Doe' }
const { schema, sample } = withSample('DecisionRules', {
  version: [Type.Integer({ minimum: 0, description: 'Number of this version; 0 before the first one.' }), 3],
  rules: [Type.Array(Rule, { description: 'In order: the first that matches decides.' }), [SAMPLE_RULE]],
  changed_by: [author, SAMPLE_AUTHOR],
  changed_at: [TimeOrNull('When this version was saved; null before the first one.'), '2026-03-02T10:15:30.000Z'],
})
const { schema: versionSchema, sample: versionSample } = withSample('DecisionRulesVersion', {
  version: [Type.Integer({ minimum: 1 }), 3],
  rules: [Type.Integer({ minimum: 0, description: 'Number of rules.' }), 4],
  changed_by: [author, SAMPLE_AUTHOR],
  changed_at: [Time('When this version was saved.'), '2026-03-02T10:15:30.000Z'],
})

export function decisionOperations(deps: OperationDependencies): Operation[] {
  const { sql } = deps
  return [
    readOne({
      ...READING_OWN,
      name: 'GET /v1/decision-rules',
      id: 'readDecisionRules',
      summary: 'Read the decision rules',
      description: 'Explained answers carry the `decision` of the first rule that matches.',
      answers: { 200: jsonResponse('The current version.', schema, sample, ETAG_HEADER) },
      read: ({ organisationId }) => currentRules(sql, organisationId),
      etag: rulesEtag,
      view: (current) => view(current),
    }),
    change({
      ...WRITING,
      edit: true,
      name: 'PUT /v1/decision-rules',
      id: 'saveDecisionRules',
      summary: 'Replace the decision rules',
      description:
        'Makes a new version. To restore an earlier one, read it and send its rules. An empty table ends decisions.',
      body: Type.Object({ rules: Rules }, { additionalProperties: false, examples: [{ rules: [SAMPLE_RULE] }] }),
      answers: { 200: jsonResponse('The new version.', schema, sample, ETAG_HEADER) },
      async handle(tx, { actor, body, requireMatch }) {
        const saved = await saveRules(tx, actor, body.rules, (before) => requireMatch(rulesEtag(before)))
        return { status: 200, body: view(saved), headers: { etag: rulesEtag(saved) } }
      },
      after: tellOthers(deps),
    }),
    list(deps, {
      ...READING_OWN,
      name: 'GET /v1/decision-rules/versions',
      id: 'listDecisionRulesVersions',
      summary: 'List the versions of the decision rules',
      about: `A page of versions, newest first; the last ${LIMITS.counts.decisionVersionsMax} are kept.`,
      schema: versionSchema,
      sample: versionSample,
      read: (organisationId, page) => listVersions(sql, organisationId, page),
      view: ({ rules, ...row }: RulesVersion) => ({ ...view({ rules, ...row }), rules: rules.length }),
    }),
    operation({
      ...READING_OWN,
      name: 'GET /v1/decision-rules/versions/{version}',
      id: 'readDecisionRulesVersion',
      summary: 'Read one version of the decision rules',
      answers: { 200: jsonResponse('The version.', schema, sample) },
      handle: async ({ caller, params }) =>
        view(await requireVersion(sql, caller.organisationId, versionIn(params.version))),
    }),
  ]
}

/** Any other text is no version: the rule answers that it does not exist. */
const versionIn = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : 0)

function view(version: RulesVersion | undefined) {
  return {
    version: version?.version ?? 0,
    rules: version?.rules ?? [],
    changed_by: version ? { kind: version.author_kind, id: version.author_id, name: version.author_name } : null,
    changed_at: isoOrNull(version?.created_at),
  }
}

const rulesEtag = (version: RulesVersion | undefined): string => etagOf([version?.id, version?.version ?? 0])

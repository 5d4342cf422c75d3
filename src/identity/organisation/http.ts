import Type from 'typebox'
import { callerOf } from '../../access/gate.ts'
import { ORGANISATION_STATES } from '../../access/organisation-state.ts'
import { RISK_SCOPES } from '../../access/scopes.ts'
import { invalidField } from '../../errors.ts'
import { etagOf } from '../../http/change.ts'
import { change, type Operation, type OperationDependencies, oneOf, readOne } from '../../http/operation.ts'
import { edited } from '../../http/page-operation.ts'
import { ETAG_HEADER, jsonResponse, Name, Time, TimeOrNull, withSample } from '../../http/schema.ts'
import { isoOrNull, shown } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import { READING, WRITING } from '../members/http.ts'
import {
  HISTORY_DAYS_DEFAULT,
  HISTORY_MODES,
  lockOrganisation,
  type Organisation,
  renameOrganisation,
  requireOrganisation,
  setHistory,
  setSecondPerson,
} from './organisations.ts'
import { setSecondFactorRequired } from './second-factor.ts'

const NeedsFactor = Type.Boolean({ description: 'True if members need a second factor to act here.' })
const NeedsApproval = Type.Boolean({
  description: 'True if an entry of the own allow list has no effect until a second person approves it.',
})
const History = oneOf(HISTORY_MODES, {
  description:
    'The checks that are kept from now on. off: none. console: checks that people make in the console. all: calls of programs too.',
})
const HistoryDays = Type.Integer({
  minimum: 1,
  maximum: LIMITS.counts.historyDaysMax,
  description: 'Days for which a check is kept.',
})
const NeedsTwo = Type.Boolean({ description: 'True if a decision that lets something pass waits for a second person.' })
const { schema, sample } = withSample('Organisation', {
  id: [Type.String(), 'org_0Fv3kQ2mXb7TzR1yLw9c'],
  name: [Type.String(), 'Example Ltd'],
  state: [oneOf(ORGANISATION_STATES), 'active'],
  requires_second_factor: [NeedsFactor, false],
  second_factor_from: [TimeOrNull('When members will need a second factor; null without a plan.'), null],
  allow_needs_approval: [NeedsApproval, false],
  history: [History, 'console'],
  history_days: [HistoryDays, HISTORY_DAYS_DEFAULT],
  decisions_need_two: [NeedsTwo, false],
  created_at: [Time('When it was created.'), '2026-01-05T09:00:00.000Z'],
})

export function organisationOperations(deps: OperationDependencies): Operation[] {
  const { sql, onPeopleChanged, onAccountChanged } = deps
  return [
    readOne({
      name: 'GET /v1/organisation',
      id: 'readOrganisation',
      summary: 'Read the organisation',
      ...READING,
      orScopes: RISK_SCOPES,
      answers: { 200: jsonResponse('The organisation.', schema, sample, ETAG_HEADER) },
      read: ({ organisationId }) => requireOrganisation(sql, organisationId),
      etag: organisationEtag,
      view,
    }),
    change({
      edit: true,
      name: 'PATCH /v1/organisation',
      id: 'editOrganisation',
      ...WRITING,
      summary: 'Rename the organisation, or change its settings',
      description:
        'Only a signed-in owner with a second factor may require one of the members, at once or from `second_factor_from`. Members without a factor are notified by mail; from then on their consents end. Only a signed-in owner may decide if allow entries or decisions about checks need a second person.',
      body: edited(
        {
          name: Type.Optional(Name('Name of the organisation.')),
          requires_second_factor: Type.Optional(NeedsFactor),
          second_factor_from: Type.Optional(
            Type.String({
              format: 'date-time',
              description: 'Together with `requires_second_factor`: when members will need one; default: at once.',
            }),
          ),
          allow_needs_approval: Type.Optional(NeedsApproval),
          history: Type.Optional(History),
          history_days: Type.Optional(HistoryDays),
          decisions_need_two: Type.Optional(NeedsTwo),
        },
        { name: 'Example Group Ltd' },
      ),
      answers: { 200: jsonResponse('The current state.', schema, sample, ETAG_HEADER) },
      async handle(tx, { actor, body, requireMatch }) {
        const before = await lockOrganisation(tx, actor.organisationId)
        requireMatch(organisationEtag(before))
        if (body.name !== undefined) await renameOrganisation(tx, actor, body.name)
        const { requires_second_factor: required, second_factor_from: from } = body
        if (from !== undefined && required !== true) {
          throw invalidField('/second_factor_from', 'Send `requires_second_factor`: true with it.')
        }
        if (required !== undefined) {
          const fromMs = from === undefined ? undefined : Date.parse(from)
          await setSecondFactorRequired(tx, deps, actor, { required, fromMs })
        }
        for (const setting of ['allow_needs_approval', 'decisions_need_two'] as const) {
          const needed = body[setting]
          if (needed !== undefined) await setSecondPerson(tx, actor, setting, needed)
        }
        const { history = before.history, history_days = before.history_days } = body
        if (body.history !== undefined || body.history_days !== undefined) {
          await setHistory(tx, actor, { history, history_days })
        }
        const after = await requireOrganisation(tx, actor.organisationId)
        return { status: 200, body: view(after), headers: { etag: organisationEtag(after) } }
      },
      async after({ request }) {
        await onPeopleChanged()
        await onAccountChanged(callerOf(request).organisationId)
      },
    }),
  ]
}

/** The settings, in the order of an answer. */
const settingsOf = (organisation: Organisation) => {
  const { requires_second_factor, allow_needs_approval, history, history_days, decisions_need_two } = organisation
  const second_factor_from = isoOrNull(organisation.second_factor_from)
  return { requires_second_factor, second_factor_from, allow_needs_approval, history, history_days, decisions_need_two }
}

const organisationEtag = (organisation: Organisation): string =>
  etagOf([organisation.id, organisation.name, settingsOf(organisation)])

const view = (organisation: Organisation) => ({
  ...shown(organisation, 'id', 'name', 'state', 'created_at'),
  ...settingsOf(organisation),
})

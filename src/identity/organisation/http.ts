import Type from 'typebox'
import { ORGANISATION_STATES } from '../../access/organisation-state.ts'
import { RISK_SCOPES } from '../../access/scopes.ts'
import { etagOf } from '../../http/change.ts'
import { change, type Operation, oneOf, operation } from '../../http/operation.ts'
import { edited } from '../../http/page-operation.ts'
import { ETAG_HEADER, jsonResponse, Name, REPLAYED_HEADER, Time, withSample } from '../../http/schema.ts'
import { iso } from '../../lib/time-text.ts'
import { type MemberDependencies, READING, WRITING } from '../members/http.ts'
import { setSecondFactorRequired } from '../people/factors/factors.ts'
import {
  lockOrganisation,
  type Organisation,
  renameOrganisation,
  requireOrganisation,
  setAllowApproval,
} from './organisations.ts'

const NeedsFactor = Type.Boolean({ description: 'True if members need a second factor to act here.' })
const NeedsApproval = Type.Boolean({
  description: 'True if an entry of the own allow list has no effect until a second person approves it.',
})
const { schema, sample } = withSample('Organisation', {
  id: [Type.String(), 'org_0Fv3kQ2mXb7TzR1yLw9c'],
  name: [Type.String(), 'Example Ltd'],
  state: [oneOf(ORGANISATION_STATES), 'active'],
  requires_second_factor: [NeedsFactor, false],
  allow_needs_approval: [NeedsApproval, false],
  created_at: [Time('When it was created.'), '2026-01-05T09:00:00.000Z'],
})

export function organisationOperations({ sql, onPeopleChanged }: MemberDependencies): Operation[] {
  return [
    operation({
      name: 'GET /v1/organisation',
      id: 'readOrganisation',
      summary: 'Read the organisation',
      ...READING,
      orScopes: RISK_SCOPES,
      answers: { 200: jsonResponse('The organisation.', schema, sample, ETAG_HEADER) },
      async handle({ caller, reply }) {
        const organisation = await requireOrganisation(sql, caller.organisationId)
        reply.header('etag', organisationEtag(organisation))
        return view(organisation)
      },
    }),
    change({
      edit: true,
      name: 'PATCH /v1/organisation',
      id: 'editOrganisation',
      ...WRITING,
      summary: 'Rename the organisation, or require a second factor or a second person',
      description:
        'Only a signed-in owner with a second factor may require one of the members. Then the consents of members without one end. Only a signed-in owner may decide if allow entries need a second person.',
      body: edited(
        {
          name: Type.Optional(Name('Name of the organisation.')),
          requires_second_factor: Type.Optional(NeedsFactor),
          allow_needs_approval: Type.Optional(NeedsApproval),
        },
        { name: 'Example Group Ltd' },
      ),
      answers: { 200: jsonResponse('The current state.', schema, sample, { ...ETAG_HEADER, ...REPLAYED_HEADER }) },
      async handle(tx, { actor, body, requireMatch }) {
        const before = await lockOrganisation(tx, actor.organisationId)
        requireMatch(organisationEtag(before))
        if (body.name !== undefined) await renameOrganisation(tx, actor, body.name)
        if (body.requires_second_factor !== undefined) {
          await setSecondFactorRequired(tx, actor, body.requires_second_factor)
        }
        if (body.allow_needs_approval !== undefined) await setAllowApproval(tx, actor, body.allow_needs_approval)
        const after = await requireOrganisation(tx, actor.organisationId)
        return { status: 200, body: view(after), headers: { etag: organisationEtag(after) } }
      },
      after: onPeopleChanged,
    }),
  ]
}

function organisationEtag({ id, name, requires_second_factor, allow_needs_approval }: Organisation): string {
  return etagOf([id, name, requires_second_factor, allow_needs_approval])
}

function view({ id, name, state, requires_second_factor, allow_needs_approval, created_at }: Organisation) {
  return { id, name, state, requires_second_factor, allow_needs_approval, created_at: iso(created_at) }
}

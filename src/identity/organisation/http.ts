import Type from 'typebox'
import { ORGANISATION_STATES } from '../../access/organisation-state.ts'
import { RISK_SCOPES } from '../../access/scopes.ts'
import { etagOf } from '../../http/change.ts'
import { change, type Operation, type OperationDependencies, oneOf, operation } from '../../http/operation.ts'
import { ETAG_HEADER, jsonResponse, Name, REPLAYED_HEADER, Time } from '../../http/schema.ts'
import { iso } from '../../lib/time-text.ts'
import { type Organisation, renameOrganisation, requireOrganisation } from './organisations.ts'

const OrganisationSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  state: oneOf(ORGANISATION_STATES),
  created_at: Time('When it was made.'),
})
const sample = {
  id: 'org_0Fv3kQ2mXb7TzR1yLw9c',
  name: 'Example Ltd',
  state: 'active',
  created_at: '2026-01-05T09:00:00.000Z',
}

export function organisationOperations({ sql }: OperationDependencies): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/v1/organisation',
      id: 'readOrganisation',
      tag: 'Organisation',
      summary: 'Read the organisation',
      scope: 'organisation:read',
      orScopes: RISK_SCOPES,
      answers: { 200: jsonResponse('The organisation.', OrganisationSchema, sample, ETAG_HEADER) },
      async handle({ caller, reply }) {
        const organisation = await requireOrganisation(sql, caller.organisationId)
        reply.header('etag', organisationEtag(organisation))
        return view(organisation)
      },
    }),
    change({
      edit: true,
      method: 'PATCH',
      path: '/v1/organisation',
      id: 'editOrganisation',
      tag: 'Organisation',
      summary: 'Rename the organisation',
      scope: 'organisation:write',
      body: Type.Object(
        { name: Name('Its name, for people.') },
        { additionalProperties: false, examples: [{ name: 'Example Group Ltd' }] },
      ),
      answers: {
        200: jsonResponse('As it is now.', OrganisationSchema, sample, { ...ETAG_HEADER, ...REPLAYED_HEADER }),
      },
      async handle(tx, { actor, body, requireMatch }) {
        const renamed = await renameOrganisation(tx, actor, body.name, (before) =>
          requireMatch(organisationEtag(before)),
        )
        return { status: 200, body: view(renamed), headers: { etag: organisationEtag(renamed) } }
      },
    }),
  ]
}

function organisationEtag({ id, name }: Organisation): string {
  return etagOf([id, name])
}

function view({ id, name, state, created_at }: Organisation) {
  return { id, name, state, created_at: iso(created_at) }
}

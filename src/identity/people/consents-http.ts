import Type from 'typebox'
import { SCOPES } from '../../access/scopes.ts'
import { changeIn } from '../../db/sql.ts'
import { change, list, type Operation, type OperationDependencies } from '../../http/operation.ts'
import { flags, orNull, type PageOperation, pageOperation, texts, textsOrNull } from '../../http/page-operation.ts'
import { noContent, TextOrNull, Time, TimeOrNull, withSample } from '../../http/schema.ts'
import { iso, isoOrNull } from '../../lib/clock.ts'
import { WRITING } from '../members/http.ts'
import { fromOf, selfIn } from './audit-self.ts'
import { type Consent, consentPlace, consentsOf, listConsents, withdrawConsent } from './consents.ts'

/** Connected applications: a person's own on the account page, and those of its members for an organisation. */

const { schema, sample } = withSample('Consent', {
  id: [Type.String(), 'usr_7Jk2mNpQrStUvWxYz012.cli_6gHiJkLmNoPqRsTuVwXy.org_4dEfGhIjKlMnOpQrStUv'],
  member: [
    Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }),
    { id: 'usr_7Jk2mNpQrStUvWxYz012', name: 'Jane Doe', email: 'jane@company.example' },
  ],
  client: [
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      organisation_id: TextOrNull('Organisation that owns the application; null: part of this server.'),
      organisation_name: TextOrNull('Name of that organisation.'),
    }),
    {
      id: 'cli_6gHiJkLmNoPqRsTuVwXy',
      name: 'Ledger Sync',
      organisation_id: 'org_9zYxWvUtSrQpOnMlKjIh',
      organisation_name: 'Beta GmbH',
    },
  ],
  scopes: [Type.Array(Type.String()), ['openid', 'risk:payment']],
  created_at: [Time('When the member first allowed it.'), '2026-01-05T09:00:00.000Z'],
  last_used_at: [TimeOrNull('When the application last got a token; null if unknown.'), '2026-02-01T12:30:00.000Z'],
  expires_at: [Time('When the consent expires, unless the member renews it.'), '2026-07-06T09:00:00.000Z'],
})
const ConnectedApplication = Type.Object(
  {
    ...texts('id', 'created_at', 'expires_at'),
    ...textsOrNull('last_used_at'),
    client: Type.Object(texts('id', 'name')),
    owner: orNull(Type.Object({ ...texts('name'), ...flags('yours') })),
    organisation: Type.Object(texts('id', 'name'), { description: 'The organisation that is charged.' }),
    scopes: Type.Array(Type.Object(texts('name', 'words'))),
  },
  { $id: 'ConnectedApplication', description: 'Consent of a person to an application in one organisation.' },
)

export function consentOperations(deps: OperationDependencies): Operation[] {
  const { sql, clock, onPeopleChanged: after } = deps
  return [
    list(deps, {
      // Not for everybody who reads the organisation: which applications a member uses is the member's own affair.
      scope: 'organisation:write',
      name: 'GET /v1/organisation/consents',
      id: 'listConsents',
      summary: 'List the consents of members to applications',
      about:
        'A page of consents that are charged to the organisation, oldest first. Members find their own on their account page.',
      schema,
      sample,
      read: (organisationId, page) => listConsents(sql, organisationId, clock.now(), page),
      view: (consent) => ({
        id: consent.id,
        member: { id: consent.personId, ...consent.person },
        client: {
          id: consent.clientId,
          name: consent.clientName,
          organisation_id: consent.owner?.id ?? null,
          organisation_name: consent.owner?.name ?? null,
        },
        scopes: consent.scopes,
        ...times(consent),
      }),
    }),
    change({
      ...WRITING,
      name: 'DELETE /v1/organisation/consents/{consent_id}',
      id: 'withdrawConsent',
      summary: 'Withdraw the consent of a member to an application',
      description:
        'Every token of the application for this member and this organisation ends. The application must ask the member again. The caller needs every key scope of the consent.',
      answers: { 204: noContent('Withdrawn.') },
      handle: async (tx, { actor, params }) => void (await withdrawConsent(tx, actor, consentPlace(params.consent_id))),
      after,
    }),
  ]
}

export function applicationPages(
  deps: Pick<OperationDependencies, 'sql' | 'clock' | 'onPeopleChanged'>,
): PageOperation[] {
  const { sql, clock, onPeopleChanged } = deps
  return [
    pageOperation({
      name: 'GET /api/account/applications',
      access: 'person',
      answer: Type.Object({ applications: Type.Array(ConnectedApplication) }),
      async handle({ who: { person, organisations } }) {
        const own = new Set(organisations.map(({ id }) => id))
        const consents = await consentsOf(sql, person.id, clock.now())
        return {
          applications: consents.map((consent) => ({
            id: consent.id,
            client: { id: consent.clientId, name: consent.clientName },
            owner: consent.owner && { name: consent.owner.name, yours: own.has(consent.owner.id) },
            organisation: { id: consent.organisationId, name: consent.organisationName },
            scopes: consent.scopes.map((name) => ({ name, words: SCOPES[name].words })),
            ...times(consent),
          })),
        }
      },
    }),
    pageOperation({
      name: 'DELETE /api/account/applications/{consent_id}',
      access: 'person',
      async handle({ request, who: { person }, params }) {
        const place = { ...consentPlace(params.consent_id), personId: person.id }
        const actor = selfIn(person, fromOf(request))(place.organisationId)
        await changeIn(sql, clock, (tx) => withdrawConsent(tx, actor, place))
        await onPeopleChanged()
      },
    }),
  ]
}

function times({ sinceMs, usedAtMs, endsAtMs }: Consent) {
  return { created_at: iso(sinceMs), last_used_at: isoOrNull(usedAtMs), expires_at: iso(endsAtMs) }
}

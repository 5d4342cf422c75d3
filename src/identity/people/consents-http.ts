import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { SCOPES } from '../../access/scopes.ts'
import { changeIn } from '../../db/sql.ts'
import { change, list, type Operation } from '../../http/operation.ts'
import { named, noContent, TextOrNull, Time, TimeOrNull } from '../../http/schema.ts'
import { iso, isoOrNull } from '../../lib/time-text.ts'
import type { MemberDependencies } from '../members/http.ts'
import { selfIn } from './audit-self.ts'
import { type Consent, consentPlace, consentsOf, listConsents, withdrawConsent } from './consents.ts'

/** Connected applications: of the person signed in on the account page, and of its members for an organisation. */

const ConsentSchema = named('Consent', {
  id: Type.String(),
  member: Type.Object({ id: Type.String(), name: Type.String(), email: Type.String() }),
  client: Type.Object({
    id: Type.String(),
    name: Type.String(),
    organisation_id: TextOrNull('Whose application it is; null: it is part of this server.'),
    organisation_name: TextOrNull('The name of that organisation.'),
  }),
  scopes: Type.Array(Type.String()),
  created_at: Time('When the member first allowed it.'),
  last_used_at: TimeOrNull('When it last got a token; null when nothing is known of it any more.'),
  expires_at: Time('When it ends by itself, unless the member allows it again.'),
})
const sample = {
  id: 'usr_7Jk2mNpQrStUvWxYz012.cli_6gHiJkLmNoPqRsTuVwXy.org_4dEfGhIjKlMnOpQrStUv',
  member: { id: 'usr_7Jk2mNpQrStUvWxYz012', name: 'Jane Doe', email: 'jane@company.example' },
  client: {
    id: 'cli_6gHiJkLmNoPqRsTuVwXy',
    name: 'Ledger Sync',
    organisation_id: 'org_9zYxWvUtSrQpOnMlKjIh',
    organisation_name: 'Beta GmbH',
  },
  scopes: ['openid', 'risk:payment'],
  created_at: '2026-01-05T09:00:00.000Z',
  last_used_at: '2026-02-01T12:30:00.000Z',
  expires_at: '2026-07-06T09:00:00.000Z',
}

export function consentOperations(deps: MemberDependencies): Operation[] {
  const { sql, clock, onPeopleChanged: after } = deps
  return [
    list(deps, {
      tag: 'Organisation',
      scope: 'organisation:read',
      path: '/v1/organisation/consents',
      id: 'listConsents',
      summary: 'List what members let applications do',
      about: 'A page of consents whose checks are charged to the organisation, oldest first.',
      schema: ConsentSchema,
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
      tag: 'Organisation',
      scope: 'organisation:write',
      method: 'DELETE',
      path: '/v1/organisation/consents/{consent_id}',
      id: 'withdrawConsent',
      summary: 'Withdraw what a member lets an application do',
      weighty: true,
      description:
        'Every token the application has for this member and this organisation ends. The member is asked again when they next use it. Needs every scope of keys that the application was given.',
      params: { consent_id: 'Id of the consent.' },
      answers: { 204: noContent('Withdrawn.') },
      problems: ['forbidden'],
      async handle(tx, { actor, params }) {
        await withdrawConsent(tx, actor, consentPlace(params.consent_id))
        return { status: 204 }
      },
      after,
    }),
  ]
}

export interface AccountApplicationsDependencies extends Pick<MemberDependencies, 'sql' | 'clock' | 'onPeopleChanged'> {
  /** Throws when nobody is signed in, or a change lacks the page's token. */
  readonly requireSession: (request: FastifyRequest) => Promise<{
    readonly person: { readonly id: string }
    readonly organisations: readonly { readonly id: string }[]
  }>
}

export function registerAccountApplications(app: FastifyInstance, deps: AccountApplicationsDependencies): void {
  const { sql, clock } = deps
  const hidden = { schema: { hide: true } as object }

  app.get('/api/account/applications', hidden, async (request, reply) => {
    const { person, organisations } = await deps.requireSession(request)
    const own = new Set(organisations.map(({ id }) => id))
    const consents = await consentsOf(sql, person.id, clock.now())
    return reply.header('cache-control', 'no-store').send({
      applications: consents.map((consent) => ({
        id: consent.id,
        client: { id: consent.clientId, name: consent.clientName },
        owner: consent.owner && { name: consent.owner.name, yours: own.has(consent.owner.id) },
        organisation: { id: consent.organisationId, name: consent.organisationName },
        scopes: consent.scopes.map((name) => ({ name, words: SCOPES[name].words })),
        ...times(consent),
      })),
    })
  })

  app.delete<{ Params: { consent_id: string } }>(
    '/api/account/applications/:consent_id',
    hidden,
    async (request, reply) => {
      const { person } = await deps.requireSession(request)
      const place = { ...consentPlace(request.params.consent_id), personId: person.id }
      const actor = selfIn(person, { ip: request.ip, requestId: request.id })(place.organisationId)
      await changeIn(sql, clock, (tx) => withdrawConsent(tx, actor, place))
      await deps.onPeopleChanged()
      return reply.code(204).send()
    },
  )
}

function times({ sinceMs, usedAtMs, endsAtMs }: Consent) {
  return { created_at: iso(sinceMs), last_used_at: isoOrNull(usedAtMs), expires_at: iso(endsAtMs) }
}

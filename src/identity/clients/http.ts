import Type from 'typebox'
import { KEY_MAKERS } from '../../access/roles.ts'
import { etagOf } from '../../http/change.ts'
import { change, list, type Operation, type OperationDependencies, oneOf, operation } from '../../http/operation.ts'
import { ETAG_HEADER, jsonResponse, Name, noContent, REPLAYED_HEADER, TextOrNull, Time } from '../../http/schema.ts'
import { iso } from '../../lib/time-text.ts'
import {
  authenticationOf,
  CLIENT_AUTHENTICATIONS,
  CLIENT_KEYS_MAX,
  CLIENT_KIND_NAMES,
  CLIENT_STATES,
  type Client,
  changeClient,
  createClient,
  deleteClient,
  editable,
  listClients,
  REDIRECTS_MAX,
  requireClient,
  rotateClientSecret,
} from './clients.ts'

export interface ClientDependencies extends OperationDependencies {
  /** Told after the commit, so that no node goes on by what it remembers. */
  readonly onClientChanged: (clientId: string) => Promise<void>
}

const ClientSchema = Type.Object({
  id: Type.String(),
  kind: oneOf(CLIENT_KIND_NAMES),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  redirect_uris: Type.Array(Type.String()),
  logout_uris: Type.Array(Type.String()),
  authentication: oneOf(CLIENT_AUTHENTICATIONS),
  state: oneOf(CLIENT_STATES),
  created_at: Time('When it was registered.'),
  updated_at: Time('When it was last changed.'),
})
const sample = {
  id: 'cli_6gHiJkLmNoPqRsTuVwXy',
  kind: 'service',
  name: 'Nightly supplier check',
  scopes: ['risk:supply-chain', 'risk:bulk'],
  redirect_uris: [],
  logout_uris: [],
  authentication: 'client_secret',
  state: 'active',
  created_at: '2026-01-05T09:00:00.000Z',
  updated_at: '2026-01-05T09:00:00.000Z',
}
const withSecret = jsonResponse(
  'The application.',
  Type.Object({
    ...ClientSchema.properties,
    client_secret: TextOrNull('Shown this once; null for those without one.'),
  }),
  { ...sample, client_secret: 'acs_<shown once>' },
  REPLAYED_HEADER,
)
const Uris = Type.Array(Type.String({ maxLength: 1000 }), { maxItems: REDIRECTS_MAX })
const Scopes = Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 20 })
const ClientName = Name('As people see it when they consent.')
const oneClient = { client_id: 'Id of the application.' }
const making = { tag: 'Organisation', scope: 'organisation:write', roles: KEY_MAKERS } as const
const reading = { tag: 'Organisation', scope: 'organisation:read' } as const

export function clientOperations(deps: ClientDependencies): Operation[] {
  const { sql, baseUrl, onClientChanged } = deps
  const rules = { production: baseUrl.startsWith('https:') }
  const after = ({ params }: { params: { client_id: string } }) => onClientChanged(params.client_id)

  return [
    list(deps, {
      tag: 'Organisation',
      scope: 'organisation:read',
      path: '/v1/organisation/clients',
      id: 'listClients',
      summary: 'List the applications',
      about: 'A page of applications, oldest first.',
      schema: ClientSchema,
      sample,
      read: (organisationId, page) => listClients(sql, organisationId, page),
      view,
    }),
    operation({
      ...reading,
      method: 'GET',
      path: '/v1/organisation/clients/{client_id}',
      id: 'readClient',
      summary: 'Read one application',
      params: oneClient,
      answers: { 200: jsonResponse('The application, without its secret.', ClientSchema, sample, ETAG_HEADER) },
      async handle({ params, caller, reply }) {
        const client = await requireClient(sql, { id: params.client_id, organisation_id: caller.organisationId })
        reply.header('etag', clientEtag(client))
        return view(client)
      },
    }),
    change({
      ...making,
      method: 'POST',
      path: '/v1/organisation/clients',
      id: 'createClient',
      summary: 'Register an application',
      weighty: true,
      description:
        'A secret is shown this once. Nobody can register an application for a scope of keys that they lack themselves.',
      body: Type.Object(
        {
          kind: oneOf(CLIENT_KIND_NAMES),
          name: ClientName,
          scopes: Scopes,
          redirect_uris: Type.Optional(Uris),
          logout_uris: Type.Optional(Uris),
          jwks: Type.Optional(
            Type.Object(
              {
                keys: Type.Array(Type.Object({}, { additionalProperties: true }), {
                  minItems: 1,
                  maxItems: CLIENT_KEYS_MAX,
                }),
              },
              {
                additionalProperties: false,
                description: 'Public keys: it authenticates by its own key instead of a secret.',
              },
            ),
          ),
        },
        {
          additionalProperties: false,
          examples: [{ kind: 'service', name: 'Nightly supplier check', scopes: ['risk:supply-chain', 'risk:bulk'] }],
        },
      ),
      answers: { 201: withSecret },
      problems: ['forbidden', 'conflict'],
      async handle(tx, { actor, body: { redirect_uris, logout_uris, ...body } }) {
        const request = { ...body, redirectUris: redirect_uris, logoutUris: logout_uris }
        const { client, secret } = await createClient(tx, actor, request, rules)
        return { status: 201, body: { ...view(client), client_secret: secret } }
      },
    }),
    change({
      ...making,
      edit: true,
      method: 'PATCH',
      path: '/v1/organisation/clients/{client_id}',
      id: 'editClient',
      summary: 'Change an application, or disable it',
      weighty: true,
      description: 'Needs every scope of keys that the application has, and every one that it gets.',
      params: oneClient,
      body: Type.Object(
        {
          name: Type.Optional(ClientName),
          scopes: Type.Optional(Scopes),
          redirect_uris: Type.Optional(Uris),
          logout_uris: Type.Optional(Uris),
          state: Type.Optional(oneOf(CLIENT_STATES)),
        },
        { additionalProperties: false, minProperties: 1, examples: [{ state: 'disabled' }] },
      ),
      answers: {
        200: jsonResponse('As it is now.', ClientSchema, sample, { ...ETAG_HEADER, ...REPLAYED_HEADER }),
      },
      problems: ['forbidden'],
      async handle(tx, { actor, params, body: { redirect_uris, logout_uris, ...body }, requireMatch }) {
        const wanted = { ...body, redirectUris: redirect_uris, logoutUris: logout_uris }
        const client = await changeClient(tx, actor, params.client_id, wanted, rules, (before) =>
          requireMatch(clientEtag(before)),
        )
        return { status: 200, body: view(client), headers: { etag: clientEtag(client) } }
      },
      after,
    }),
    change({
      ...making,
      method: 'POST',
      path: '/v1/organisation/clients/{client_id}/rotate-secret',
      id: 'rotateClientSecret',
      summary: 'Give an application a new secret',
      weighty: true,
      description:
        'The old one stops at once; the new one is shown this once. Needs every scope of keys that the application has.',
      params: oneClient,
      answers: { 201: withSecret },
      problems: ['forbidden', 'conflict'],
      async handle(tx, { actor, params }) {
        const { client, secret } = await rotateClientSecret(tx, actor, params.client_id)
        return { status: 201, body: { ...view(client), client_secret: secret } }
      },
      after,
    }),
    change({
      ...making,
      method: 'DELETE',
      path: '/v1/organisation/clients/{client_id}',
      id: 'deleteClient',
      summary: 'Delete an application and all its tokens',
      weighty: true,
      description: 'Needs every scope of keys that the application has.',
      params: oneClient,
      answers: { 204: noContent('Deleted.') },
      async handle(tx, { actor, params }) {
        await deleteClient(tx, actor, params.client_id)
        return { status: 204 }
      },
      after,
    }),
  ]
}

function clientEtag(client: Client): string {
  return etagOf([client.id, editable(client)])
}

function view(client: Client) {
  return {
    id: client.id,
    kind: client.kind,
    ...editable(client),
    authentication: authenticationOf(client),
    created_at: iso(client.created_at),
    updated_at: iso(client.updated_at),
  }
}

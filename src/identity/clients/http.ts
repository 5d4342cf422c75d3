import Type from 'typebox'
import { etagOf } from '../../http/change.ts'
import { change, list, type Operation, type OperationDependencies, oneOf, readOne } from '../../http/operation.ts'
import { closed, edited } from '../../http/page-operation.ts'
import {
  ETAG_HEADER,
  jsonResponse,
  Name,
  named,
  noContent,
  TextOrNull,
  Time,
  TimeOrNull,
  withSample,
} from '../../http/schema.ts'
import { isoOrNull, shown } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import { createdBy } from '../audit.ts'
import { CREATED_BY } from '../audit-http.ts'
import { GraceHours, LAST_USED, MAKING } from '../keys/http.ts'
import { READING } from '../members/http.ts'
import {
  authenticationOf,
  CLIENT_AUTHENTICATIONS,
  CLIENT_STATES,
  type Client,
  changeClient,
  createClient,
  deleteClient,
  editable,
  endFormerSecret,
  formerSecretUntil,
  listClients,
  requireClient,
  rotateClientSecret,
} from './clients.ts'
import { CLIENT_KIND_NAMES, ID_TOKEN_ALGS, type RegistrationRules } from './registration.ts'

export type ClientDependencies = OperationDependencies & RegistrationRules

const { schema, sample } = withSample('Application', {
  id: [Type.String(), 'cli_6gHiJkLmNoPqRsTuVwXy'],
  kind: [oneOf(CLIENT_KIND_NAMES), 'service'],
  name: [Type.String(), 'Nightly supplier check'],
  scopes: [Type.Array(Type.String()), ['risk:supply-chain', 'risk:bulk']],
  redirect_uris: [Type.Array(Type.String()), []],
  logout_uris: [Type.Array(Type.String()), []],
  policy_uri: [TextOrNull('Privacy policy, linked on the consent page.'), null],
  terms_uri: [TextOrNull('Terms of service, linked on the consent page.'), null],
  authentication: [oneOf(CLIENT_AUTHENTICATIONS), 'client_secret'],
  jwks: [
    Type.Union([Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) }), Type.Null()], {
      description: 'Public keys; null if there are none, or if they are read from `jwks_uri`.',
    }),
    null,
  ],
  jwks_uri: [TextOrNull('Address of the public keys.'), null],
  former_secret_expires_at: [TimeOrNull('Until when the former secret is still valid.'), null],
  id_token_signed_response_alg: [
    oneOf(ID_TOKEN_ALGS, { description: 'Signature algorithm of its ID tokens.' }),
    'RS256',
  ],
  state: [oneOf(CLIENT_STATES), 'active'],
  created_at: [Time('When it was registered.'), '2026-01-05T09:00:00.000Z'],
  created_by: CREATED_BY,
  updated_at: [Time('When it was last changed.'), '2026-01-05T09:00:00.000Z'],
  last_used_at: LAST_USED,
})
const withSecret = jsonResponse(
  'The application.',
  named('NewApplication', {
    ...schema.properties,
    client_secret: TextOrNull('Shown only once; null without a secret.'),
  }),
  { ...sample, client_secret: 'acs_<shown once>' },
)
const Uris = Type.Array(Type.String({ maxLength: 1000 }), { maxItems: LIMITS.counts.redirectUrisMax })
const Link = (description: string) =>
  Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 1000 }), Type.Null()], { description }))
const details = {
  redirect_uris: Type.Optional(Uris),
  logout_uris: Type.Optional(Uris),
  policy_uri: Link('Privacy policy: https. Linked on the consent page.'),
  terms_uri: Link('Terms of service: https. Linked on the consent page.'),
  jwks: Type.Optional(
    Type.Object(
      {
        keys: Type.Array(Type.Object({}, { additionalProperties: true }), {
          minItems: 1,
          maxItems: LIMITS.counts.clientKeysMax,
        }),
      },
      {
        additionalProperties: false,
        description: 'Public keys: the application authenticates by its own key instead of a secret.',
      },
    ),
  ),
  jwks_uri: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'Address of the public keys, instead of `jwks`: https on the public internet, without redirects.',
    }),
  ),
  id_token_signed_response_alg: Type.Optional(
    oneOf(ID_TOKEN_ALGS, { description: `Signature algorithm of its ID tokens; default ${ID_TOKEN_ALGS[0]}.` }),
  ),
}
const Scopes = Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 20 })
const ClientName = Name('Name on the consent page.')

export function clientOperations(deps: ClientDependencies): Operation[] {
  const { sql, clock, onClientChanged } = deps
  const after = ({ params }: { params: { client_id: string } }) => onClientChanged(params.client_id)

  return [
    list(deps, {
      ...READING,
      name: 'GET /v1/organisation/clients',
      id: 'listClients',
      summary: 'List the applications',
      about: 'A page of applications, oldest first.',
      schema,
      sample,
      read: (organisationId, page) => listClients(sql, organisationId, page),
      view: (client) => view(client, clock.now()),
    }),
    readOne({
      ...READING,
      name: 'GET /v1/organisation/clients/{client_id}',
      id: 'readClient',
      summary: 'Read one application',
      answers: { 200: jsonResponse('The application, without its secret.', schema, sample, ETAG_HEADER) },
      read: ({ organisationId }, params) =>
        requireClient(sql, { id: params.client_id, organisation_id: organisationId }),
      etag: clientEtag,
      view: (client) => view(client, clock.now()),
    }),
    change({
      ...MAKING,
      name: 'POST /v1/organisation/clients',
      id: 'createClient',
      summary: 'Register an application',
      description: 'A secret is shown only once. The caller needs every key scope that the application gets.',
      body: closed(
        { kind: oneOf(CLIENT_KIND_NAMES), name: ClientName, scopes: Scopes, ...details },
        { kind: 'service', name: 'Nightly supplier check', scopes: ['risk:supply-chain', 'risk:bulk'] },
      ),
      answers: { 201: withSecret },
      async handle(tx, { actor, body }) {
        const { client, secret } = await createClient(tx, actor, body, deps)
        return { status: 201, body: { ...view(client, tx.nowMs), client_secret: secret } }
      },
    }),
    change({
      ...MAKING,
      edit: true,
      name: 'PATCH /v1/organisation/clients/{client_id}',
      id: 'editClient',
      summary: 'Change an application, or disable it',
      description: 'The caller needs every key scope that the application has or gets.',
      body: edited(
        {
          name: Type.Optional(ClientName),
          scopes: Type.Optional(Scopes),
          ...details,
          state: Type.Optional(oneOf(CLIENT_STATES)),
        },
        { state: 'disabled' },
      ),
      answers: { 200: jsonResponse('The current state.', schema, sample, ETAG_HEADER) },
      async handle(tx, { actor, params, body, requireMatch }) {
        const isAsRead = (before: Client) => requireMatch(clientEtag(before))
        const client = await changeClient(tx, actor, params.client_id, body, deps, isAsRead)
        return { status: 200, body: view(client, tx.nowMs), headers: { etag: clientEtag(client) } }
      },
      after,
    }),
    change({
      ...MAKING,
      name: 'POST /v1/organisation/clients/{client_id}/rotate-secret',
      id: 'rotateClientSecret',
      summary: 'Create a new secret for an application',
      description:
        'The new secret is shown only once; during the grace period the former one is also valid. After a leak, `end_tokens` ends the former one immediately, with everything it obtained. The caller needs every key scope that the application has.',
      query: closed({
        grace_hours: GraceHours(
          `Hours the former secret stays valid; default ${LIMITS.counts.graceHoursDefault}, 0: it ends immediately.`,
        ),
        end_tokens: Type.Optional(
          Type.Boolean({
            description:
              'True: the former secret and all access and refresh tokens of the application end immediately. Not together with `grace_hours`.',
          }),
        ),
      }),
      answers: { 201: withSecret },
      async handle(tx, { actor, params, query }) {
        const { client, secret } = await rotateClientSecret(tx, actor, params.client_id, query.grace_hours, {
          endTokens: query.end_tokens,
        })
        return { status: 201, body: { ...view(client, tx.nowMs), client_secret: secret } }
      },
      after,
    }),
    change({
      ...MAKING,
      name: 'DELETE /v1/organisation/clients/{client_id}/former-secret',
      id: 'endFormerClientSecret',
      summary: 'End the former secret of an application immediately',
      description: 'The caller needs every key scope that the application has.',
      answers: { 204: noContent('Ended.') },
      handle: async (tx, { actor, params }) => void (await endFormerSecret(tx, actor, params.client_id)),
      after,
    }),
    change({
      ...MAKING,
      name: 'DELETE /v1/organisation/clients/{client_id}',
      id: 'deleteClient',
      summary: 'Delete an application and all its tokens',
      description: 'The caller needs every key scope that the application has.',
      answers: { 204: noContent('Deleted.') },
      handle: (tx, { actor, params }) => deleteClient(tx, actor, params.client_id),
      after,
    }),
  ]
}

const clientEtag = (client: Client): string => etagOf([client.id, editable(client)])

function view(client: Client, nowMs: number) {
  return {
    ...shown(client, 'id', 'kind', 'created_at', 'updated_at', 'last_used_at'),
    ...editable(client),
    authentication: authenticationOf(client),
    former_secret_expires_at: isoOrNull(formerSecretUntil(client, nowMs)),
    created_by: createdBy(client),
  }
}

import Type from 'typebox'
import { etagOf } from '../../http/change.ts'
import { change, list, type Operation, type OperationDependencies, oneOf, operation } from '../../http/operation.ts'
import {
  ETAG_HEADER,
  jsonResponse,
  Name,
  named,
  noContent,
  REPLAYED_HEADER,
  TextOrNull,
  Time,
  TimeOrNull,
  withSample,
} from '../../http/schema.ts'
import { iso, isoOrNull } from '../../lib/time-text.ts'
import { LIMITS } from '../../limits.ts'
import { GraceHours, MAKING } from '../keys/http.ts'
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
import { CLIENT_KIND_NAMES, ID_TOKEN_ALGS } from './registration.ts'

export interface ClientDependencies extends OperationDependencies {
  /** Called after the commit, so that every node drops its cache. */
  readonly onClientChanged: (clientId: string) => Promise<void>
}

const { schema, sample } = withSample('Application', {
  id: [Type.String(), 'cli_6gHiJkLmNoPqRsTuVwXy'],
  kind: [oneOf(CLIENT_KIND_NAMES), 'service'],
  name: [Type.String(), 'Nightly supplier check'],
  scopes: [Type.Array(Type.String()), ['risk:supply-chain', 'risk:bulk']],
  redirect_uris: [Type.Array(Type.String()), []],
  logout_uris: [Type.Array(Type.String()), []],
  policy_uri: [TextOrNull('Page on what it does with data, linked where people are asked to allow it.'), null],
  terms_uri: [TextOrNull('Page with its terms, linked there as well.'), null],
  authentication: [oneOf(CLIENT_AUTHENTICATIONS), 'client_secret'],
  jwks: [
    Type.Union([Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) }), Type.Null()], {
      description: 'Its public keys; null where it has none, or where they are read at `jwks_uri`.',
    }),
    null,
  ],
  jwks_uri: [TextOrNull('Where its public keys are read.'), null],
  former_secret_expires_at: [TimeOrNull('Until when the former secret works beside the present one.'), null],
  id_token_signed_response_alg: [
    oneOf(ID_TOKEN_ALGS, { description: 'Signature algorithm of its ID tokens.' }),
    'RS256',
  ],
  state: [oneOf(CLIENT_STATES), 'active'],
  created_at: [Time('When it was registered.'), '2026-01-05T09:00:00.000Z'],
  updated_at: [Time('When it was last changed.'), '2026-01-05T09:00:00.000Z'],
})
const withSecret = jsonResponse(
  'The application.',
  named('NewApplication', {
    ...schema.properties,
    client_secret: TextOrNull('Shown this once; null for those without one.'),
  }),
  { ...sample, client_secret: 'acs_<shown once>' },
  REPLAYED_HEADER,
)
const Uris = Type.Array(Type.String({ maxLength: 1000 }), { maxItems: LIMITS.counts.redirectUrisMax })
const Link = (description: string) =>
  Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 1000 }), Type.Null()], { description }))
const details = {
  redirect_uris: Type.Optional(Uris),
  logout_uris: Type.Optional(Uris),
  policy_uri: Link('Page on what it does with data: https. Linked where people are asked to allow it.'),
  terms_uri: Link('Page with its terms: https. Linked there as well.'),
  jwks: Type.Optional(
    Type.Object(
      {
        keys: Type.Array(Type.Object({}, { additionalProperties: true }), {
          minItems: 1,
          maxItems: LIMITS.counts.clientKeysMax,
        }),
      },
      { additionalProperties: false, description: 'Public keys: it authenticates by its own key instead of a secret.' },
    ),
  ),
  jwks_uri: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'Where the server reads these keys, instead of `jwks`: https on the public internet, without redirects.',
    }),
  ),
  id_token_signed_response_alg: Type.Optional(
    oneOf(ID_TOKEN_ALGS, { description: `What signs its ID tokens; default ${ID_TOKEN_ALGS[0]}.` }),
  ),
}
const Scopes = Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 20 })
const ClientName = Name('As people see it when they consent.')

export function clientOperations(deps: ClientDependencies): Operation[] {
  const { sql, clock, baseUrl, onClientChanged } = deps
  const rules = { production: baseUrl.startsWith('https:') }
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
    operation({
      ...READING,
      name: 'GET /v1/organisation/clients/{client_id}',
      id: 'readClient',
      summary: 'Read one application',
      answers: { 200: jsonResponse('The application, without its secret.', schema, sample, ETAG_HEADER) },
      async handle({ params, caller, reply }) {
        const client = await requireClient(sql, { id: params.client_id, organisation_id: caller.organisationId })
        reply.header('etag', clientEtag(client))
        return view(client, clock.now())
      },
    }),
    change({
      ...MAKING,
      name: 'POST /v1/organisation/clients',
      id: 'createClient',
      summary: 'Register an application',
      description:
        'A secret is shown this once. Nobody can register an application for a scope of keys that they lack themselves.',
      body: Type.Object(
        { kind: oneOf(CLIENT_KIND_NAMES), name: ClientName, scopes: Scopes, ...details },
        {
          additionalProperties: false,
          examples: [{ kind: 'service', name: 'Nightly supplier check', scopes: ['risk:supply-chain', 'risk:bulk'] }],
        },
      ),
      answers: { 201: withSecret },
      problems: ['forbidden', 'conflict'],
      async handle(tx, { actor, body }) {
        const { client, secret } = await createClient(tx, actor, body, rules)
        return { status: 201, body: { ...view(client, tx.nowMs), client_secret: secret } }
      },
    }),
    change({
      ...MAKING,
      edit: true,
      name: 'PATCH /v1/organisation/clients/{client_id}',
      id: 'editClient',
      summary: 'Change an application, or disable it',
      description: 'Needs every scope of keys that the application has, and every one that it gets.',
      body: Type.Object(
        {
          name: Type.Optional(ClientName),
          scopes: Type.Optional(Scopes),
          ...details,
          state: Type.Optional(oneOf(CLIENT_STATES)),
        },
        { additionalProperties: false, minProperties: 1, examples: [{ state: 'disabled' }] },
      ),
      answers: { 200: jsonResponse('As it is now.', schema, sample, { ...ETAG_HEADER, ...REPLAYED_HEADER }) },
      problems: ['forbidden', 'conflict'],
      async handle(tx, { actor, params, body, requireMatch }) {
        const isAsRead = (before: Client) => requireMatch(clientEtag(before))
        const client = await changeClient(tx, actor, params.client_id, body, rules, isAsRead)
        return { status: 200, body: view(client, tx.nowMs), headers: { etag: clientEtag(client) } }
      },
      after,
    }),
    change({
      ...MAKING,
      name: 'POST /v1/organisation/clients/{client_id}/rotate-secret',
      id: 'rotateClientSecret',
      summary: 'Give an application a new secret',
      description:
        'The new one is shown this once; during the grace period the former one works beside it. Needs every scope of keys that the application has.',
      query: Type.Object(
        {
          grace_hours: GraceHours(
            `How long the former secret goes on working; default ${LIMITS.counts.graceHoursDefault}, 0: it stops at once.`,
          ),
        },
        { additionalProperties: false },
      ),
      answers: { 201: withSecret },
      problems: ['forbidden', 'conflict'],
      async handle(tx, { actor, params, query }) {
        const { client, secret } = await rotateClientSecret(tx, actor, params.client_id, query.grace_hours)
        return { status: 201, body: { ...view(client, tx.nowMs), client_secret: secret } }
      },
      after,
    }),
    change({
      ...MAKING,
      name: 'DELETE /v1/organisation/clients/{client_id}/former-secret',
      id: 'endFormerClientSecret',
      summary: 'End the former secret of an application at once',
      description: 'Needs every scope of keys that the application has.',
      answers: { 204: noContent('Ended.') },
      problems: ['forbidden', 'conflict'],
      async handle(tx, { actor, params }) {
        await endFormerSecret(tx, actor, params.client_id)
        return { status: 204 }
      },
      after,
    }),
    change({
      ...MAKING,
      name: 'DELETE /v1/organisation/clients/{client_id}',
      id: 'deleteClient',
      summary: 'Delete an application and all its tokens',
      description: 'Needs every scope of keys that the application has.',
      answers: { 204: noContent('Deleted.') },
      async handle(tx, { actor, params }) {
        await deleteClient(tx, actor, params.client_id)
        return { status: 204 }
      },
      after,
    }),
  ]
}

const clientEtag = (client: Client): string => etagOf([client.id, editable(client)])

function view(client: Client, nowMs: number) {
  return {
    id: client.id,
    kind: client.kind,
    ...editable(client),
    authentication: authenticationOf(client),
    former_secret_expires_at: isoOrNull(formerSecretUntil(client, nowMs)),
    created_at: iso(client.created_at),
    updated_at: iso(client.updated_at),
  }
}

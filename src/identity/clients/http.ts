import Type from 'typebox'
import { KEY_MAKERS } from '../../access/roles.ts'
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
} from '../../http/schema.ts'
import { iso, isoOrNull } from '../../lib/time-text.ts'
import { LIMITS } from '../../limits.ts'
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

const ClientSchema = named('Application', {
  id: Type.String(),
  kind: oneOf(CLIENT_KIND_NAMES),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  redirect_uris: Type.Array(Type.String()),
  logout_uris: Type.Array(Type.String()),
  policy_uri: TextOrNull('Page on what it does with data, linked where people are asked to allow it.'),
  terms_uri: TextOrNull('Page with its terms, linked there as well.'),
  authentication: oneOf(CLIENT_AUTHENTICATIONS),
  jwks: Type.Union([Type.Object({ keys: Type.Array(Type.Object({}, { additionalProperties: true })) }), Type.Null()], {
    description: 'Its public keys; null where it has none, or where they are read at `jwks_uri`.',
  }),
  jwks_uri: TextOrNull('Where its public keys are read.'),
  former_secret_expires_at: TimeOrNull('Until when the former secret works beside the present one.'),
  id_token_signed_response_alg: oneOf(ID_TOKEN_ALGS, { description: 'Signature algorithm of its ID tokens.' }),
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
  policy_uri: null,
  terms_uri: null,
  authentication: 'client_secret',
  jwks: null,
  jwks_uri: null,
  former_secret_expires_at: null,
  id_token_signed_response_alg: 'RS256',
  state: 'active',
  created_at: '2026-01-05T09:00:00.000Z',
  updated_at: '2026-01-05T09:00:00.000Z',
}
const withSecret = jsonResponse(
  'The application.',
  named('NewApplication', {
    ...ClientSchema.properties,
    client_secret: TextOrNull('Shown this once; null for those without one.'),
  }),
  { ...sample, client_secret: 'acs_<shown once>' },
  REPLAYED_HEADER,
)
const Uris = Type.Array(Type.String({ maxLength: 1000 }), { maxItems: LIMITS.counts.redirectUrisMax })
const Link = (description: string) =>
  Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 1000 }), Type.Null()], { description }))
const links = {
  policy_uri: Link('Page on what it does with data: https. Linked where people are asked to allow it.'),
  terms_uri: Link('Page with its terms: https. Linked there as well.'),
}
const Scopes = Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 20 })
const Jwks = Type.Object(
  {
    keys: Type.Array(Type.Object({}, { additionalProperties: true }), {
      minItems: 1,
      maxItems: LIMITS.counts.clientKeysMax,
    }),
  },
  {
    additionalProperties: false,
    description: 'Public keys: it authenticates by its own key instead of a secret.',
  },
)
const JwksUri = Type.String({
  maxLength: 1000,
  description: 'Where the server reads these keys, instead of `jwks`: https on the public internet, without redirects.',
})
const IdTokenAlg = oneOf(ID_TOKEN_ALGS, { description: `What signs its ID tokens; default ${ID_TOKEN_ALGS[0]}.` })
const ClientName = Name('As people see it when they consent.')
const making = { scope: 'organisation:write', roles: KEY_MAKERS } as const
const reading = { scope: 'organisation:read' } as const

export function clientOperations(deps: ClientDependencies): Operation[] {
  const { sql, clock, baseUrl, onClientChanged } = deps
  const rules = { production: baseUrl.startsWith('https:') }
  const after = ({ params }: { params: { client_id: string } }) => onClientChanged(params.client_id)

  return [
    list(deps, {
      scope: 'organisation:read',
      name: 'GET /v1/organisation/clients',
      id: 'listClients',
      summary: 'List the applications',
      about: 'A page of applications, oldest first.',
      schema: ClientSchema,
      sample,
      read: (organisationId, page) => listClients(sql, organisationId, page),
      view: (client) => view(client, clock.now()),
    }),
    operation({
      ...reading,
      name: 'GET /v1/organisation/clients/{client_id}',
      id: 'readClient',
      summary: 'Read one application',
      answers: { 200: jsonResponse('The application, without its secret.', ClientSchema, sample, ETAG_HEADER) },
      async handle({ params, caller, reply }) {
        const client = await requireClient(sql, { id: params.client_id, organisation_id: caller.organisationId })
        reply.header('etag', clientEtag(client))
        return view(client, clock.now())
      },
    }),
    change({
      ...making,
      name: 'POST /v1/organisation/clients',
      id: 'createClient',
      summary: 'Register an application',
      sensitive: true,
      description:
        'A secret is shown this once. Nobody can register an application for a scope of keys that they lack themselves.',
      body: Type.Object(
        {
          kind: oneOf(CLIENT_KIND_NAMES),
          name: ClientName,
          scopes: Scopes,
          redirect_uris: Type.Optional(Uris),
          logout_uris: Type.Optional(Uris),
          ...links,
          jwks: Type.Optional(Jwks),
          jwks_uri: Type.Optional(JwksUri),
          id_token_signed_response_alg: Type.Optional(IdTokenAlg),
        },
        {
          additionalProperties: false,
          examples: [{ kind: 'service', name: 'Nightly supplier check', scopes: ['risk:supply-chain', 'risk:bulk'] }],
        },
      ),
      answers: { 201: withSecret },
      problems: ['forbidden', 'conflict'],
      async handle(tx, { actor, body: { kind, ...body } }) {
        const { client, secret } = await createClient(tx, actor, { kind, ...detailsOf(body) }, rules)
        return { status: 201, body: { ...view(client, tx.nowMs), client_secret: secret } }
      },
    }),
    change({
      ...making,
      edit: true,
      name: 'PATCH /v1/organisation/clients/{client_id}',
      id: 'editClient',
      summary: 'Change an application, or disable it',
      sensitive: true,
      description: 'Needs every scope of keys that the application has, and every one that it gets.',
      body: Type.Object(
        {
          name: Type.Optional(ClientName),
          scopes: Type.Optional(Scopes),
          redirect_uris: Type.Optional(Uris),
          logout_uris: Type.Optional(Uris),
          ...links,
          jwks: Type.Optional(Jwks),
          jwks_uri: Type.Optional(JwksUri),
          id_token_signed_response_alg: Type.Optional(IdTokenAlg),
          state: Type.Optional(oneOf(CLIENT_STATES)),
        },
        { additionalProperties: false, minProperties: 1, examples: [{ state: 'disabled' }] },
      ),
      answers: {
        200: jsonResponse('As it is now.', ClientSchema, sample, { ...ETAG_HEADER, ...REPLAYED_HEADER }),
      },
      problems: ['forbidden', 'conflict'],
      async handle(tx, { actor, params, body, requireMatch }) {
        const client = await changeClient(tx, actor, params.client_id, detailsOf(body), rules, (before) =>
          requireMatch(clientEtag(before)),
        )
        return { status: 200, body: view(client, tx.nowMs), headers: { etag: clientEtag(client) } }
      },
      after,
    }),
    change({
      ...making,
      name: 'POST /v1/organisation/clients/{client_id}/rotate-secret',
      id: 'rotateClientSecret',
      summary: 'Give an application a new secret',
      sensitive: true,
      description:
        'The new one is shown this once; during the grace period the former one works beside it. Needs every scope of keys that the application has.',
      query: Type.Object(
        {
          grace_hours: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: LIMITS.counts.graceHoursMax,
              description: `How long the former secret goes on working; default ${LIMITS.counts.graceHoursDefault}, 0: it stops at once.`,
            }),
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
      ...making,
      name: 'DELETE /v1/organisation/clients/{client_id}/former-secret',
      id: 'endFormerClientSecret',
      summary: 'End the former secret of an application at once',
      sensitive: true,
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
      ...making,
      name: 'DELETE /v1/organisation/clients/{client_id}',
      id: 'deleteClient',
      summary: 'Delete an application and all its tokens',
      sensitive: true,
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

/** Maps the fields of a request to those of the rules. */
function detailsOf<Body extends DetailFields>(details: Body) {
  const { redirect_uris, logout_uris, policy_uri, terms_uri, jwks_uri, id_token_signed_response_alg, ...body } = details
  return {
    ...body,
    redirectUris: redirect_uris,
    logoutUris: logout_uris,
    policyUri: policy_uri,
    termsUri: terms_uri,
    jwksUri: jwks_uri,
    idTokenAlg: id_token_signed_response_alg,
  }
}

interface DetailFields {
  readonly redirect_uris?: string[]
  readonly logout_uris?: string[]
  readonly policy_uri?: string | null
  readonly terms_uri?: string | null
  readonly jwks_uri?: string
  readonly id_token_signed_response_alg?: string
}

function clientEtag(client: Client): string {
  return etagOf([client.id, editable(client)])
}

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

import type { AdapterPayload } from 'oidc-provider'
import type { Sql } from '../db/sql.ts'
import type { ClientSecrets } from '../identity/clients/client-secret.ts'
import { authenticationOf, type Client, findClientInState } from '../identity/clients/clients.ts'
import { COMMAND_LINE_CLIENT, COMMAND_LINE_NAME } from '../identity/clients/command-line.ts'
import { CLIENT_KINDS } from '../identity/clients/registration.ts'
import { cacheLookUps } from '../lib/look-up-cache.ts'
import { DEVICE_GRANT } from './paths.ts'
import { scopesOfFlow } from './policy.ts'

const CLIENT_ID = /^cli_[0-9A-Za-z]{20}$/

export type ClientMetadata = ReturnType<typeof createClientMetadata>

/** Clients in the library's terms. Read often and changed rarely, so an answer is cached for a few seconds. */
export function createClientMetadata({ sql, ...cache }: { readonly sql: Sql } & Parameters<typeof cacheLookUps>[1]) {
  const clients = cacheLookUps(async (id) => {
    const found = await findClientInState(sql, id)
    // A client that may do nothing is answered like an unknown one.
    const works = found?.client.state === 'active' && found.organisationState !== 'disabled'
    return works ? toMetadata(found.client) : undefined
  }, cache)
  return {
    async find(id: string): Promise<AdapterPayload | undefined> {
      if (id === COMMAND_LINE_CLIENT) return COMMAND_LINE_METADATA
      return CLIENT_ID.test(id) ? clients.find(id) : undefined
    },
    forget: () => clients.forget(),
  }
}

/** The command line of this service works with every installation, without registration. */
const COMMAND_LINE_METADATA: AdapterPayload = {
  client_id: COMMAND_LINE_CLIENT,
  client_name: COMMAND_LINE_NAME,
  application_type: 'native',
  scope: scopesOfFlow('user').join(' '),
  grant_types: [DEVICE_GRANT, 'refresh_token'],
  response_types: [],
  redirect_uris: [],
  token_endpoint_auth_method: 'none',
  kind_of_client: 'native',
}

/** Metadata that the library has no name for. */
export const EXTRA_CLIENT_METADATA = [
  'organisation_id',
  'kind_of_client',
  'former_secret_digest',
  'former_secret_until',
  'tokens_ended_at',
]

export function tokensEndedAt(metadata: Readonly<Record<string, unknown>> | undefined): number | null {
  return typeof metadata?.tokens_ended_at === 'number' ? metadata.tokens_ended_at : null
}

export function secretsOf(metadata: {
  readonly client_secret?: string | undefined
  readonly former_secret_digest?: unknown
  readonly former_secret_until?: unknown
}): ClientSecrets {
  const { client_secret: digest, former_secret_digest: former, former_secret_until: until } = metadata
  return {
    digest,
    formerDigest: typeof former === 'string' ? former : undefined,
    formerUntilMs: typeof until === 'number' ? until : undefined,
  }
}

function toMetadata(client: Client): AdapterPayload {
  const authentication = authenticationOf(client)
  const { user } = CLIENT_KINDS[client.kind]
  const codes = user && client.redirect_uris.length > 0
  return {
    client_id: client.id,
    client_name: client.name,
    application_type: client.kind === 'native' ? 'native' : 'web',
    scope: client.scopes.join(' '),
    grant_types: [
      ...(user ? [] : ['client_credentials']),
      ...(codes ? ['authorization_code'] : []),
      ...(client.kind === 'native' ? [DEVICE_GRANT] : []),
      ...(user && client.scopes.includes('offline_access') ? ['refresh_token'] : []),
    ],
    response_types: codes ? ['code'] : [],
    redirect_uris: [...client.redirect_uris],
    post_logout_redirect_uris: [...client.logout_uris],
    token_endpoint_auth_method: authentication === 'client_secret' ? 'client_secret_basic' : authentication,
    // Only the digest: our own code compares it.
    ...(client.secret_digest === null ? {} : { client_secret: client.secret_digest }),
    ...(client.former_secret_digest === null
      ? {}
      : { former_secret_digest: client.former_secret_digest, former_secret_until: client.former_secret_until }),
    ...(client.tokens_ended_at === null ? {} : { tokens_ended_at: client.tokens_ended_at }),
    ...(client.jwks === null ? {} : { jwks: { keys: [...client.jwks.keys] } }),
    ...(client.jwks_uri === null ? {} : { jwks_uri: client.jwks_uri }),
    id_token_signed_response_alg: client.id_token_signed_response_alg,
    ...(client.policy_uri === null ? {} : { policy_uri: client.policy_uri }),
    ...(client.terms_uri === null ? {} : { tos_uri: client.terms_uri }),
    organisation_id: client.organisation_id,
    kind_of_client: client.kind,
  }
}

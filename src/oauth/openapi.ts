import Type, { type TProperties, type TSchema } from 'typebox'
import type { DocumentedRoute, DocumentedSchema } from '../http/openapi-document.ts'
import { jsonResponse, named, pascalCase } from '../http/schema.ts'
import { OPENID_METADATA_PATH, RESOURCE_METADATA_PATH, SERVER_METADATA_PATH } from './documents.ts'
import { DEVICE_GRANT, PATHS } from './paths.ts'

/** The OAuth endpoints as openapi.json describes them. The library reads their requests, so nothing here validates. */

const NO_CREDENTIAL: readonly object[] = []
const OF_A_CLIENT = [{ clientSecret: [] }, {}]

const text = (description: string) => Type.String({ description })
const optional = (description: string) => Type.Optional(text(description))
const integer = (description: string) => Type.Integer({ description })
/** An object that a section of a standard defines. */
const standard = <Properties extends TProperties>(section: string, $id: string, properties: Properties) =>
  named($id, properties, { description: `${section}.` })

const ERRORS = {
  invalid_request: 'A parameter is missing, repeated or not valid.',
  invalid_client: 'The application is unknown, or its authentication failed.',
  invalid_grant: 'The code, the refresh token or the device code is not valid (any more).',
  invalid_scope: 'A scope is not allowed for this application or this grant.',
  invalid_token: 'The access token is not valid.',
  insufficient_scope: 'The access token lacks the scope `openid`.',
  unauthorized_client: 'This application may not use this grant.',
  unsupported_grant_type: 'There is no such grant.',
  unsupported_token_type: 'Tokens of this type cannot be revoked.',
  authorization_pending: 'The person has not decided yet: poll again after the interval.',
  slow_down: 'Polled too early: add five seconds to the interval.',
  access_denied: 'The person refused.',
  expired_token: 'The device code has expired: start again.',
  temporarily_unavailable: 'Too many requests, or the store cannot be reached: try again later.',
  server_error: 'Something went wrong on our side.',
} as const
type ErrorName = keyof typeof ERRORS

const ErrorSchema = standard('RFC 6749 §5.2', 'OAuthError', {
  error: Type.String({ enum: Object.keys(ERRORS), description: 'Stable error code for programs.' }),
  error_description: optional('Details of this error.'),
  scope: optional('The scope that was refused, or that is needed.'),
})

/** Errors by status: components, because most endpoints share them. */
function failure($id: string, names: readonly ErrorName[], headers: readonly string[] = []): TSchema {
  return {
    $id,
    description: names.map((name) => `\`${name}\`: ${ERRORS[name]}`).join(' '),
    headers: Object.fromEntries(headers.map((name) => [name, HEADERS[name]])),
    content: {
      'application/json': {
        schema: ErrorSchema,
        examples: Object.fromEntries(names.map((error) => [error, { value: { error } }])),
      },
    },
  } as unknown as TSchema
}

const HEADERS: Readonly<Record<string, object>> = {
  'WWW-Authenticate': { type: 'string', description: 'RFC 6750 challenge.' },
  'Retry-After': { type: 'string', description: 'Seconds to wait.' },
}
const INVALID_CLIENT = failure('OAuthInvalidClient', ['invalid_client'], ['WWW-Authenticate'])
const FOR_ALL = {
  413: failure('OAuthTooLarge', ['invalid_request']),
  429: failure('OAuthTooMany', ['temporarily_unavailable'], ['Retry-After']),
  500: failure('OAuthServerError', ['server_error']),
  503: failure('OAuthUnavailable', ['temporarily_unavailable'], ['Retry-After']),
}

const clientFields = {
  client_id: optional('Id of the application, unless HTTP Basic names it.'),
  client_secret: optional('Its secret, unless HTTP Basic carries it. Public applications have none.'),
  client_assertion_type: optional('`urn:ietf:params:oauth:client-assertion-type:jwt-bearer` (private_key_jwt).'),
  client_assertion: optional('A JWT signed by the key of the application.'),
}

const TokenBody = Type.Object(
  { token: text('An access token or a refresh token.'), token_type_hint: optional('Ignored.'), ...clientFields },
  { examples: [{ token: '<43 characters>' }] },
)

const authorizationFields = {
  response_type: Type.String({ enum: ['code'] }),
  redirect_uri: text('Redirect address: exactly one of the registered addresses.'),
  scope: text('Scopes, separated by blanks. `openid` requests an ID token, `offline_access` a refresh token.'),
  state: optional('Returned unchanged.'),
  nonce: optional('Returned in the ID token.'),
  code_challenge: text('RFC 7636: the SHA-256 of the verifier, in base64url.'),
  code_challenge_method: Type.String({ enum: ['S256'] }),
  prompt: optional('`none`, `login` or `consent`.'),
  max_age: optional('Maximum seconds since the last sign-in of the person.'),
  acr_values: optional('Required sign-in method.'),
  login_hint: optional('Email address of the person who will probably sign in.'),
}
const pushedExample = {
  client_id: 'app_4FzK2mXb7TzR1yLw9cQd',
  response_type: 'code',
  redirect_uri: 'https://app.example/back',
  scope: 'openid risk:payment',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
}

const TokenSchema = standard('RFC 6749 §5.1', 'Token', {
  access_token: text('To send as `Authorization: Bearer …`.'),
  token_type: Type.String({ enum: ['Bearer'] }),
  expires_in: integer('Seconds until it expires.'),
  scope: optional('The scopes it has.'),
  refresh_token: optional('With `offline_access`. Each refresh token works once and is replaced by the next.'),
  id_token: optional(
    'With `openid`: the signed-in person, with their name for `profile` and their address for `email`.',
  ),
})

const IntrospectionSchema = standard('RFC 7662 §2.2', 'Introspection', {
  active: Type.Boolean({
    description: 'false for every token that is not valid, or that the caller may not introspect.',
  }),
  scope: optional('The valid scopes.'),
  client_id: optional('Id of the application that holds the token.'),
  sub: optional('Subject of the token: a person, or the application itself.'),
  iss: optional('Issuer of the token.'),
  iat: Type.Optional(integer('When it was issued, in seconds since 1970.')),
  exp: Type.Optional(integer('When it expires, in seconds since 1970.')),
  token_type: optional('`Bearer`.'),
  organisation_id: optional('The organisation that is charged.'),
})

const DeviceAuthorizationSchema = standard('RFC 8628 §3.2', 'DeviceAuthorization', {
  device_code: text('Code for the program, to poll with.'),
  user_code: text('Code for the person, to type in.'),
  verification_uri: text('Page where the person types the code.'),
  verification_uri_complete: text('The page with the code in its address, for a link or a QR code.'),
  expires_in: integer('Seconds until both codes expire.'),
  interval: integer('Minimum seconds between polls.'),
})

const UserInfoSchema = named('UserInfo', {
  sub: text('Id of the person.'),
  name: optional('With `profile`.'),
  email: optional('With `email`.'),
  email_verified: Type.Optional(Type.Boolean()),
})

const anyFields = ($id: string, section: string) =>
  named($id, {}, { additionalProperties: true, description: `${section}.` })
const serverMetadata = {
  schema: anyFields('ServerMetadata', 'RFC 8414 §2'),
  example: {
    issuer: 'http://localhost:8080',
    token_endpoint: 'http://localhost:8080/oauth/token',
    device_authorization_endpoint: 'http://localhost:8080/oauth/device_authorization',
  },
}
const resourceMetadata = {
  schema: anyFields('ResourceMetadata', 'RFC 9728 §2'),
  example: { resource: 'http://localhost:8080', authorization_servers: ['http://localhost:8080'] },
}
const keySet = {
  schema: standard('RFC 7517 §5', 'JsonWebKeySet', {
    keys: Type.Array(Type.Object({}, { additionalProperties: true })),
  }),
  example: { keys: [{ kty: 'RSA', use: 'sig', alg: 'RS256', kid: 'k1' }] },
}
const page = (description: string) => ({
  description,
  content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } },
})
const PAGE_FAILURES = {
  429: page('Too many requests from this address.'),
  500: page('Something went wrong on our side.'),
  503: page('The store cannot be reached.'),
}

type Words = Pick<DocumentedSchema, 'operationId' | 'summary'> & Partial<DocumentedSchema>

const get = (path: string, words: Words): DocumentedRoute => ({
  method: 'GET',
  path,
  schema: { tags: ['OAuth'], security: NO_CREDENTIAL, response: {}, ...words },
})

/** A document that may be cached for a while, and revalidated by its ETag. */
const metadata = (
  path: string,
  operationId: string,
  summary: string,
  document: { readonly schema: TSchema; readonly example: object },
  type = 'application/json',
) =>
  get(path, {
    operationId,
    summary,
    response: { 200: { description: 'The document.', content: { [type]: document } } },
  })

/** A form that an application sends. */
const form = (path: string, { response, errors, ...words }: Words & { readonly errors: readonly ErrorName[] }) => ({
  method: 'POST',
  path,
  schema: {
    tags: ['OAuth'],
    security: OF_A_CLIENT,
    bodyType: 'application/x-www-form-urlencoded',
    ...words,
    response: {
      ...response,
      400: failure(`${pascalCase(words.operationId)}Refused`, errors),
      401: INVALID_CLIENT,
      ...FOR_ALL,
    },
  },
})

export const OAUTH_ROUTES: readonly DocumentedRoute[] = [
  metadata(SERVER_METADATA_PATH, 'readServerMetadata', 'Read the metadata of the authorization server', serverMetadata),
  metadata(OPENID_METADATA_PATH, 'readOpenIdMetadata', 'Read the metadata of the OpenID provider', serverMetadata),
  metadata(PATHS.jwks, 'readSigningKeys', 'Read the keys that sign ID tokens', keySet, 'application/jwk-set+json'),
  metadata(
    RESOURCE_METADATA_PATH,
    'readResourceMetadata',
    'Read the metadata of the protected resource',
    resourceMetadata,
  ),
  get(PATHS.authorization, {
    operationId: 'authorize',
    summary: 'Ask a person to sign in and to allow an application',
    description:
      'Opened in a browser. Leads back to `redirect_uri` with `code`, `state` and `iss`, or with `error`. PKCE (S256) is required. With a pushed request, `client_id` and `request_uri` are enough.',
    querystring: Type.Object({
      client_id: text('Id of the application.'),
      request_uri: optional('A pushed request, in place of the other parameters.'),
      ...Object.fromEntries(
        Object.entries(authorizationFields).map(([name, schema]) => [name, Type.Optional(schema as TSchema)]),
      ),
    }),
    response: {
      303: {
        description: 'Redirect to the pages of this server, or back to the application.',
        headers: { Location: { type: 'string', description: 'Target of the redirect.' } },
      },
      400: page('The application or its redirect address is unknown: an error page, without a redirect.'),
      ...PAGE_FAILURES,
    },
  }),
  form(PATHS.pushed_authorization_request, {
    operationId: 'pushAuthorizationRequest',
    summary: 'Push the parameters of an authorization request (RFC 9126)',
    body: Type.Object({ ...clientFields, ...authorizationFields }, { examples: [pushedExample] }),
    response: {
      201: jsonResponse(
        'Send it in place of the parameters.',
        named('PushedRequest', { request_uri: text('For `/oauth/authorize`.'), expires_in: Type.Integer() }),
        { request_uri: 'urn:ietf:params:oauth:request_uri:x', expires_in: 60 },
      ),
    },
    errors: ['invalid_request', 'invalid_scope', 'unauthorized_client'],
  }),
  form(PATHS.token, {
    operationId: 'issueToken',
    summary: 'Get an access token',
    description:
      'For client credentials, an authorization code, a refresh token, or a device code. A device polls here, never faster than its interval: `authorization_pending` means to continue, `slow_down` to add five seconds to the interval, every other error to stop. A code or refresh token that is used twice ends every token of its grant.',
    body: Type.Object({
      grant_type: Type.String({ enum: ['client_credentials', 'authorization_code', 'refresh_token', DEVICE_GRANT] }),
      scope: optional('client_credentials, refresh_token: a subset of the allowed scopes.'),
      code: optional('authorization_code: the code returned to `redirect_uri`.'),
      redirect_uri: optional('authorization_code: the same as in the authorization request.'),
      code_verifier: optional('authorization_code: the PKCE verifier of the challenge.'),
      refresh_token: optional('refresh_token: the latest refresh token.'),
      device_code: optional('device_code: from `/oauth/device_authorization`.'),
      ...clientFields,
    }),
    bodyExamples: {
      client_credentials: { grant_type: 'client_credentials', scope: 'risk:payment risk:bulk' },
      authorization_code: {
        grant_type: 'authorization_code',
        code: '<from the address>',
        redirect_uri: 'https://app.example/back',
        code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      },
      refresh_token: { grant_type: 'refresh_token', refresh_token: '<43 characters>' },
      device_code: { grant_type: DEVICE_GRANT, client_id: 'assay-cli', device_code: '<43 characters>' },
    },
    response: {
      200: jsonResponse('The token.', TokenSchema, {
        access_token: '<43 characters>',
        expires_in: 3600,
        token_type: 'Bearer',
        scope: 'risk:payment risk:bulk',
      }),
    },
    errors: [
      ...(['invalid_request', 'invalid_grant', 'invalid_scope', 'unauthorized_client'] as const),
      ...(['unsupported_grant_type', 'authorization_pending', 'slow_down', 'access_denied', 'expired_token'] as const),
    ],
  }),
  form(PATHS.device_authorization, {
    operationId: 'beginDeviceAuthorization',
    summary: 'Start the device flow (RFC 8628)',
    description:
      'For command lines and devices without a browser. Show `user_code` and `verification_uri` to the person, then poll `/oauth/token` with `device_code`.',
    body: Type.Object(
      { scope: optional('Scopes, separated by blanks.'), ...clientFields },
      { examples: [{ client_id: 'assay-cli', scope: 'risk:payment offline_access' }] },
    ),
    response: {
      200: jsonResponse('The codes.', DeviceAuthorizationSchema, {
        device_code: '<43 characters>',
        user_code: 'WDJB-MJHT',
        verification_uri: 'http://localhost:8080/device',
        verification_uri_complete: 'http://localhost:8080/device?user_code=WDJB-MJHT',
        expires_in: 600,
        interval: 5,
      }),
    },
    errors: ['invalid_request', 'invalid_scope', 'unauthorized_client'],
  }),
  form(PATHS.revocation, {
    operationId: 'revokeToken',
    summary: 'Revoke a token (RFC 7009)',
    description: 'An unknown token also gets 200.',
    body: TokenBody,
    response: { 200: jsonResponse('Revoked.', Type.Object({}), {}) },
    errors: ['invalid_request', 'unsupported_token_type'],
  }),
  form(PATHS.introspection, {
    operationId: 'introspectToken',
    summary: 'Introspect a token (RFC 7662)',
    description: 'For tokens of the application itself, or of another application of its organisation.',
    body: TokenBody,
    response: { 200: jsonResponse('The state of the token.', IntrospectionSchema, { active: false }) },
    errors: ['invalid_request'],
  }),
  get(PATHS.userinfo, {
    operationId: 'readUserInfo',
    summary: 'Read the signed-in person (OpenID Connect)',
    security: [{ oauth2: ['openid'] }],
    response: {
      200: jsonResponse('The person.', UserInfoSchema, { sub: 'usr_7Jk2mNpQrStUvWxYz012', name: 'Jo Smith' }),
      400: failure('OAuthTokenMissing', ['invalid_request'], ['WWW-Authenticate']),
      401: failure('OAuthInvalidToken', ['invalid_token'], ['WWW-Authenticate']),
      403: failure('OAuthInsufficientScope', ['insufficient_scope'], ['WWW-Authenticate']),
      500: FOR_ALL[500],
      503: FOR_ALL[503],
    },
  }),
  get(PATHS.end_session, {
    operationId: 'signOut',
    summary: 'Show the sign-out page (OpenID Connect)',
    description: 'Opened in a browser.',
    querystring: Type.Object({
      id_token_hint: optional('ID token of the person to sign out.'),
      client_id: optional('Id of the application.'),
      post_logout_redirect_uri: optional('Redirect address after sign-out: exactly one of the registered addresses.'),
      state: optional('Returned unchanged.'),
    }),
    response: {
      200: page('The sign-out page.'),
      400: page('The request is not valid: an error page.'),
      ...PAGE_FAILURES,
    },
  }),
]

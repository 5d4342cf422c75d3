import Type from 'typebox'
import { ORGANISATION_STATES } from '../access/organisation-state.ts'
import { ROLE_NAMES } from '../access/roles.ts'
import { SCOPES } from '../access/scopes.ts'
import {
  Cursor,
  ETAG_HEADER,
  jsonResponse,
  LINK_HEADER,
  NextCursor,
  noContent,
  problemResponses,
  REPLAYED_HEADER,
  resourceSchema,
  Time,
  TimeOrNull,
  withForms,
} from '../http/schema.ts'
import { AUDIT_ACTION_NAMES } from './audit.ts'
import { CLIENT_KIND_NAMES } from './clients.ts'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './passwords.ts'

/** Organisation resources as schemas: they validate, type and document at once. */

const KEY_SCOPE_NAMES = Object.entries(SCOPES).flatMap(([name, row]) => (row.apiKey ? [name] : []))
const SCOPE_LIST_MAX = 20

export const PageQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'On a page: 50 unless said.' })),
    cursor: Cursor,
  },
  { additionalProperties: false },
)
const Name = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })
const RoleSchema = Type.String({
  enum: ROLE_NAMES,
  description: 'owner and admin: everything; developer: keys and applications; viewer: reading.',
})
const pageOf = (schema: Parameters<typeof Type.Array>[0], sample: unknown, what: string) =>
  jsonResponse(
    what,
    Type.Object({ data: Type.Array(schema), next_cursor: NextCursor }),
    { data: [sample], next_cursor: null },
    LINK_HEADER,
  )

// The organisation itself

const OrganisationSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  state: Type.String({ enum: [...ORGANISATION_STATES] }),
  created_at: Time('When it was made.'),
})
const sampleOrganisation = {
  id: 'org_0Fv3kQ2mXb7TzR1yLw9c',
  name: 'Example Ltd',
  state: 'active',
  created_at: '2026-01-05T09:00:00.000Z',
}
export const readOrganisationSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'readOrganisation',
  summary: 'Read the organisation',
  scope: 'organisation:read',
  ok: { 200: jsonResponse('The organisation.', OrganisationSchema, sampleOrganisation, ETAG_HEADER) },
})
export const OrganisationPatch = Type.Object(
  { name: Name('Its name, for people.') },
  { additionalProperties: false, examples: [{ name: 'Example Group Ltd' }] },
)
export const editOrganisationSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'editOrganisation',
  summary: 'Rename the organisation',
  scope: 'organisation:write',
  change: 'edit',
  body: OrganisationPatch,
  ok: {
    200: jsonResponse('As it is now.', OrganisationSchema, sampleOrganisation, { ...ETAG_HEADER, ...REPLAYED_HEADER }),
  },
})

// Members and invitations

const MemberSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: RoleSchema,
  state: Type.String({ enum: ['active', 'disabled'] }),
  joined_at: Time('When they joined.'),
})
const sampleMember = {
  id: 'usr_7Jk2mNpQrStUvWxYz012',
  name: 'Jane Doe',
  email: 'jane@company.example',
  role: 'developer',
  state: 'active',
  joined_at: '2026-01-05T09:00:00.000Z',
}
const memberParams = { member_id: 'Id of the person.' }
export const listMembersSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'listMembers',
  summary: 'List the members',
  scope: 'organisation:read',
  querystring: PageQuery,
  ok: { 200: pageOf(MemberSchema, sampleMember, 'A page of members, in the order they joined.') },
})
export const readMemberSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'readMember',
  summary: 'Read one member',
  scope: 'organisation:read',
  params: memberParams,
  ok: { 200: jsonResponse('The member.', MemberSchema, sampleMember, ETAG_HEADER) },
})
export const MemberPatch = Type.Object(
  { role: RoleSchema },
  { additionalProperties: false, examples: [{ role: 'admin' }] },
)
export const editMemberSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'editMember',
  summary: 'Give a member another role',
  description: 'Owners are made and unmade by owners who are signed in; the last owner stays one (409).',
  scope: 'organisation:write',
  change: 'edit',
  params: memberParams,
  body: MemberPatch,
  ok: { 200: jsonResponse('As it is now.', MemberSchema, sampleMember, { ...ETAG_HEADER, ...REPLAYED_HEADER }) },
  problems: ['forbidden', 'conflict'],
})
export const removeMemberSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'removeMember',
  summary: 'Remove a member, or leave',
  description: 'Anybody signed in may remove themselves; the last owner cannot leave (409).',
  scope: 'organisation:write',
  change: 'make',
  params: memberParams,
  ok: { 204: noContent('Removed.') },
  problems: ['forbidden', 'conflict'],
})

const InvitationSchema = Type.Object({
  id: Type.String(),
  role: RoleSchema,
  email: Type.Union([Type.String(), Type.Null()], {
    description: 'Only this address may accept; null: whoever holds the link.',
  }),
  state: Type.String({ enum: ['open', 'accepted', 'expired', 'revoked'] }),
  created_at: Time('When it was made.'),
  expires_at: Time('When it ends.'),
  accepted_at: TimeOrNull('When it was used.'),
  accepted_by: Type.Union([Type.String(), Type.Null()]),
})
const sampleInvitation = {
  id: 'inv_3dEfGhIjKlMnOpQrStUv',
  role: 'developer',
  email: null,
  state: 'open',
  created_at: '2026-03-01T09:00:00.000Z',
  expires_at: '2026-03-08T09:00:00.000Z',
  accepted_at: null,
  accepted_by: null,
}
const Email = Type.String({ minLength: 3, maxLength: 254 })
export const listInvitationsSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'listInvitations',
  summary: 'List the invitations',
  scope: 'organisation:read',
  querystring: PageQuery,
  ok: { 200: pageOf(InvitationSchema, sampleInvitation, 'A page of invitations, oldest first.') },
})
export const InvitationBody = Type.Object(
  {
    role: RoleSchema,
    email: Type.Optional(Email),
    expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, description: '7 unless said.' })),
  },
  { additionalProperties: false, examples: [{ role: 'developer' }] },
)
export const createInvitationSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'createInvitation',
  summary: 'Invite somebody by a link',
  description: 'The link is shown this once and works once.',
  scope: 'organisation:write',
  change: 'make',
  body: InvitationBody,
  ok: {
    201: jsonResponse(
      'The invitation and its link.',
      Type.Object({ ...InvitationSchema.properties, link: Type.String({ description: 'Shown this once.' }) }),
      { ...sampleInvitation, link: 'http://localhost:8080/invitation#1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv' },
      REPLAYED_HEADER,
    ),
  },
  problems: ['forbidden', 'conflict'],
})
export const revokeInvitationSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'revokeInvitation',
  summary: 'Withdraw an invitation',
  scope: 'organisation:write',
  change: 'make',
  params: { invitation_id: 'Id of the invitation.' },
  ok: { 204: noContent('Withdrawn.') },
})

const InvitationToken = Type.String({ minLength: 1, maxLength: 100, description: 'What stands after # in the link.' })
export const InvitationLookupBody = Type.Object(
  { token: InvitationToken },
  { additionalProperties: false, examples: [{ token: '1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv' }] },
)
const publicProblems = [
  'malformed_json',
  'not_found',
  'conflict',
  'body_too_large',
  'unsupported_media_type',
  'validation_failed',
  'rate_limited',
  'internal',
  'store_unavailable',
  'shutting_down',
] as const
export const lookUpInvitationSchema = {
  tags: ['Organisation'],
  operationId: 'lookUpInvitation',
  summary: 'See what an invitation is for',
  description: 'Public: the secret of the link is the credential.',
  security: [],
  body: InvitationLookupBody,
  response: {
    200: jsonResponse(
      'The organisation and role it leads to.',
      Type.Object({
        organisation_name: Type.String(),
        role: RoleSchema,
        email_bound: Type.Boolean(),
        expires_at: Time('When it ends.'),
      }),
      {
        organisation_name: 'Example Ltd',
        role: 'developer',
        email_bound: false,
        expires_at: '2026-03-08T09:00:00.000Z',
      },
    ),
    ...problemResponses([...publicProblems]),
  },
}
export const InvitationAcceptBody = Type.Object(
  {
    token: InvitationToken,
    email: Type.Optional(Email),
    name: Type.Optional(Name('The name of the person.')),
    password: Type.Optional(Type.String({ minLength: PASSWORD_LENGTH_MIN, maxLength: PASSWORD_LENGTH_MAX })),
  },
  {
    additionalProperties: false,
    examples: [
      {
        token: '1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv',
        email: 'jane@company.example',
        name: 'Jane Doe',
        password: 'a long pass phrase',
      },
    ],
  },
)
export const acceptInvitationSchema = {
  tags: ['Organisation'],
  operationId: 'acceptInvitation',
  summary: 'Accept an invitation',
  description:
    'Public: the secret of the link is the credential. Somebody signed in joins as they are; anybody else gives email, name and a password and becomes a new user.',
  security: [],
  body: InvitationAcceptBody,
  response: {
    200: jsonResponse(
      'Joined.',
      Type.Object({ organisation: Type.Object({ id: Type.String(), name: Type.String() }), role: RoleSchema }),
      { organisation: { id: 'org_0Fv3kQ2mXb7TzR1yLw9c', name: 'Example Ltd' }, role: 'developer' },
    ),
    ...problemResponses([...publicProblems, 'forbidden']),
  },
}

// API keys

const KeySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: 'The first characters, to recognise it by.' }),
  scopes: Type.Array(Type.String({ enum: KEY_SCOPE_NAMES })),
  state: Type.String({ enum: ['active', 'expired', 'revoked'] }),
  created_at: Time('When it was made.'),
  expires_at: TimeOrNull('When it ends by itself.'),
  last_used_at: TimeOrNull('When it was last used, to within a minute.'),
  revoked_at: TimeOrNull('When it was ended.'),
})
const sampleKey = {
  id: 'key_9aBcDeFgHiJkLmNoPqRs',
  name: 'accounts payable',
  hint: 'ask_4Fz1',
  scopes: ['risk:payment', 'risk:bulk'],
  state: 'active',
  created_at: '2026-01-05T09:00:00.000Z',
  expires_at: null,
  last_used_at: '2026-03-02T10:15:30.000Z',
  revoked_at: null,
}
const KeyWithSecret = Type.Object({
  ...KeySchema.properties,
  api_key: Type.String({ description: 'Shown this once.' }),
})
const sampleSecret = 'ask_<32 characters and a checksum, shown once>'
const keyParams = { key_id: 'Id of the key.' }
const KeyScopes = Type.Array(Type.String({ enum: KEY_SCOPE_NAMES }), {
  minItems: 1,
  maxItems: SCOPE_LIST_MAX,
  description: 'The four risk scopes unless said.',
})
export const listKeysSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'listKeys',
  summary: 'List the API keys',
  scope: 'organisation:read',
  querystring: PageQuery,
  ok: { 200: pageOf(KeySchema, sampleKey, 'A page of keys, oldest first, ended ones included.') },
})
export const readKeySchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'readKey',
  summary: 'Read one API key',
  scope: 'organisation:read',
  params: keyParams,
  ok: { 200: jsonResponse('The key, without its secret.', KeySchema, sampleKey, ETAG_HEADER) },
})
const Expiry = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
  description: 'When it ends by itself; null: never.',
})
export const KeyBody = Type.Object(
  { name: Name('What it is for.'), scopes: Type.Optional(KeyScopes), expires_at: Type.Optional(Expiry) },
  { additionalProperties: false, examples: [{ name: 'accounts payable', scopes: ['risk:payment', 'risk:bulk'] }] },
)
export const createKeySchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'createKey',
  summary: 'Make an API key',
  description:
    'The key is shown this once. Nobody can give a key a billing or organisation scope they lack themselves.',
  scope: 'organisation:write',
  change: 'make',
  body: KeyBody,
  ok: { 201: jsonResponse('The key.', KeyWithSecret, { ...sampleKey, api_key: sampleSecret }, REPLAYED_HEADER) },
  problems: ['forbidden', 'conflict'],
})
export const KeyPatch = Type.Object(
  { name: Type.Optional(Name('What it is for.')), scopes: Type.Optional(KeyScopes), expires_at: Type.Optional(Expiry) },
  { additionalProperties: false, minProperties: 1, examples: [{ scopes: ['risk:payment'] }] },
)
export const editKeySchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'editKey',
  summary: 'Rename an API key, restrict it, or set its end',
  scope: 'organisation:write',
  change: 'edit',
  params: keyParams,
  body: KeyPatch,
  ok: { 200: jsonResponse('As it is now.', KeySchema, sampleKey, { ...ETAG_HEADER, ...REPLAYED_HEADER }) },
  problems: ['forbidden', 'conflict'],
})
export const KeyRotateBody = Type.Object(
  {
    grace_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 24 * 90,
        description: 'How long the old one goes on working; 24 unless said.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ grace_hours: 24 }] },
)
export const rotateKeySchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'rotateKey',
  summary: 'Replace an API key',
  description: 'The new key is shown this once; during the grace period both work.',
  scope: 'organisation:write',
  change: 'make',
  params: keyParams,
  body: KeyRotateBody,
  ok: {
    201: jsonResponse(
      'The new key, and the old one with its end.',
      Type.Object({ ...KeyWithSecret.properties, replaces: KeySchema }),
      {
        ...sampleKey,
        api_key: sampleSecret,
        replaces: { ...sampleKey, id: 'key_2bCdEfGhIjKlMnOpQrSt', expires_at: '2026-03-03T10:15:30.000Z' },
      },
      REPLAYED_HEADER,
    ),
  },
  problems: ['forbidden', 'conflict'],
})
export const revokeKeySchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'revokeKey',
  summary: 'End an API key at once',
  scope: 'organisation:write',
  change: 'make',
  params: keyParams,
  ok: { 204: noContent('Ended.') },
})

// Applications

const ClientSchema = Type.Object({
  id: Type.String(),
  kind: Type.String({ enum: CLIENT_KIND_NAMES }),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  redirect_uris: Type.Array(Type.String()),
  logout_uris: Type.Array(Type.String()),
  authentication: Type.String({ enum: ['client_secret', 'private_key_jwt', 'none'] }),
  state: Type.String({ enum: ['active', 'disabled'] }),
  created_at: Time('When it was registered.'),
  updated_at: Time('When it was last changed.'),
})
const sampleClient = {
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
const clientParams = { client_id: 'Id of the application.' }
const Uris = Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 20 })
const ClientScopes = Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: SCOPE_LIST_MAX })
export const listClientsSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'listClients',
  summary: 'List the applications',
  scope: 'organisation:read',
  querystring: PageQuery,
  ok: { 200: pageOf(ClientSchema, sampleClient, 'A page of applications, oldest first.') },
})
export const readClientSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'readClient',
  summary: 'Read one application',
  scope: 'organisation:read',
  params: clientParams,
  ok: { 200: jsonResponse('The application, without its secret.', ClientSchema, sampleClient, ETAG_HEADER) },
})
export const ClientBody = Type.Object(
  {
    kind: Type.String({ enum: CLIENT_KIND_NAMES }),
    name: Name('As people see it when they consent.'),
    scopes: ClientScopes,
    redirect_uris: Type.Optional(Uris),
    logout_uris: Type.Optional(Uris),
    jwks: Type.Optional(
      Type.Object(
        { keys: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1, maxItems: 10 }) },
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
)
const ClientWithSecret = Type.Object({
  ...ClientSchema.properties,
  client_secret: Type.Union([Type.String(), Type.Null()], {
    description: 'Shown this once; null for those without one.',
  }),
})
export const createClientSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'createClient',
  summary: 'Register an application',
  description: 'A secret is shown this once.',
  scope: 'organisation:write',
  change: 'make',
  body: ClientBody,
  ok: {
    201: jsonResponse(
      'The application.',
      ClientWithSecret,
      { ...sampleClient, client_secret: 'acs_<shown once>' },
      REPLAYED_HEADER,
    ),
  },
  problems: ['forbidden', 'conflict'],
})
export const ClientPatch = Type.Object(
  {
    name: Type.Optional(Name('As people see it when they consent.')),
    scopes: Type.Optional(ClientScopes),
    redirect_uris: Type.Optional(Uris),
    logout_uris: Type.Optional(Uris),
    state: Type.Optional(Type.String({ enum: ['active', 'disabled'] })),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ state: 'disabled' }] },
)
export const editClientSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'editClient',
  summary: 'Change an application, or disable it',
  scope: 'organisation:write',
  change: 'edit',
  params: clientParams,
  body: ClientPatch,
  ok: { 200: jsonResponse('As it is now.', ClientSchema, sampleClient, { ...ETAG_HEADER, ...REPLAYED_HEADER }) },
  problems: ['forbidden'],
})
export const rotateClientSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'rotateClientSecret',
  summary: 'Give an application a new secret',
  description: 'The old one stops at once; the new one is shown this once.',
  scope: 'organisation:write',
  change: 'make',
  params: clientParams,
  ok: {
    201: jsonResponse(
      'The application.',
      ClientWithSecret,
      { ...sampleClient, client_secret: 'acs_<shown once>' },
      REPLAYED_HEADER,
    ),
  },
  problems: ['forbidden', 'conflict'],
})
export const deleteClientSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'deleteClient',
  summary: 'Delete an application and all its tokens',
  scope: 'organisation:write',
  change: 'make',
  params: clientParams,
  ok: { 204: noContent('Deleted.') },
})

// The audit log

export const AUDIT_ROWS_MAX = 1000
export const AuditQuery = Type.Object(
  {
    action: Type.Optional(Type.String({ enum: AUDIT_ACTION_NAMES })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: AUDIT_ROWS_MAX, description: 'On a page: 100 unless said.' }),
    ),
    cursor: Cursor,
  },
  { additionalProperties: false },
)
const AuditSchema = Type.Object({
  id: Type.String(),
  created_at: Time('When.'),
  actor: Type.Object(
    {
      kind: Type.String({ enum: ['api_key', 'application', 'person', 'operator', 'system'] }),
      id: Type.String(),
      name: Type.Union([Type.String(), Type.Null()], { description: 'As it was called at the time.' }),
    },
    { description: 'Who.' },
  ),
  action: Type.String({ enum: AUDIT_ACTION_NAMES, description: 'What.' }),
  target_id: Type.Union([Type.String(), Type.Null()], { description: 'To which thing.' }),
  detail: Type.Object({}, { additionalProperties: true, description: 'What changed; never a secret.' }),
  ip: Type.Union([Type.String(), Type.Null()], { description: 'From where.' }),
  request_id: Type.Union([Type.String(), Type.Null()]),
})
const AUDIT_FIELDS = [
  'id',
  'created_at',
  'actor_kind',
  'actor_id',
  'actor_name',
  'action',
  'target_id',
  'detail',
  'ip',
  'request_id',
]

export { AUDIT_FIELDS }
export const auditSchema = resourceSchema({
  tag: 'Organisation',
  operationId: 'listAudit',
  summary: 'List who changed what, newest first',
  description: 'With `Accept: text/csv` as CSV.',
  scope: 'organisation:read',
  querystring: AuditQuery,
  ok: {
    200: withForms(
      pageOf(
        AuditSchema,
        {
          id: 'aud_8kLmNoPqRsTuVwXyZ012',
          created_at: '2026-03-02T10:15:30.000Z',
          actor: { kind: 'person', id: 'usr_7Jk2mNpQrStUvWxYz012', name: 'Jane Doe' },
          action: 'key.create',
          target_id: 'key_9aBcDeFgHiJkLmNoPqRs',
          detail: { name: 'accounts payable', scopes: ['risk:payment', 'risk:bulk'] },
          ip: '203.0.113.7',
          request_id: 'req_Xk29fPq0LmZt0000001',
        },
        'A page of entries.',
      ),
      { 'text/csv': `${AUDIT_FIELDS.join(',')}\r\n` },
    ),
  },
})

import Type from 'typebox'
import { KEY_MAKERS } from '../../access/roles.ts'
import { KEY_SCOPE_NAMES } from '../../access/scopes.ts'
import { etagOf } from '../../http/change.ts'
import { change, list, type Operation, type OperationDependencies, oneOf, readOne } from '../../http/operation.ts'
import { closed, edited } from '../../http/page-operation.ts'
import {
  ETAG_HEADER,
  jsonResponse,
  Name,
  named,
  noContent,
  REPLAYED_HEADER,
  Time,
  TimeOrNull,
  withSample,
} from '../../http/schema.ts'
import { iso, isoOrNull } from '../../lib/clock.ts'
import { LIMITS } from '../../limits.ts'
import { createdBy } from '../audit.ts'
import { CREATED_BY } from '../audit-http.ts'
import { READING, WRITING } from '../members/http.ts'
import { type ApiKey, changeKey, createKey, keyState, listKeys, requireKey, revokeKey, rotateKey } from './keys.ts'

export interface KeyDependencies extends OperationDependencies {
  /** Called after the commit, so that cached keys are dropped. */
  readonly onKeysChanged: () => void
}

/** Of keys and applications. */
export const LAST_USED = [
  TimeOrNull('When it was last used, accurate to half a minute.'),
  '2026-03-02T10:15:30.000Z',
] as const

const { schema, sample } = withSample('ApiKey', {
  id: [Type.String(), 'key_9aBcDeFgHiJkLmNoPqRs'],
  name: [Type.String(), 'accounts payable'],
  hint: [Type.String({ description: 'The first characters of the key, to recognise it.' }), 'ask_4Fz1'],
  scopes: [Type.Array(oneOf(KEY_SCOPE_NAMES)), ['risk:payment', 'risk:bulk']],
  state: [oneOf(['active', 'expired', 'revoked']), 'active'],
  created_at: [Time('When it was created.'), '2026-01-05T09:00:00.000Z'],
  created_by: CREATED_BY,
  expires_at: [TimeOrNull('When it expires.'), null],
  last_used_at: LAST_USED,
  revoked_at: [TimeOrNull('When it was revoked.'), null],
})
const KeyWithSecret = named('NewApiKey', {
  ...schema.properties,
  api_key: Type.String({ description: 'Shown only once.' }),
})
const sampleWithSecret = { ...sample, api_key: 'ask_<32 characters and a checksum, shown once>' }
const Scopes = Type.Array(oneOf(KEY_SCOPE_NAMES), {
  minItems: 1,
  maxItems: 20,
  description: 'Default: those of the four risk scopes that you have.',
})
const Expiry = Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
  description: 'When it expires; null: never.',
})
/** The changes of keys and applications, which some roles may make that cannot change the organisation. */
export const MAKING = { ...WRITING, roles: KEY_MAKERS } as const
/** How long a replaced key or secret goes on working. */
export const GraceHours = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: LIMITS.counts.graceHoursMax, description }))

export function keyOperations(deps: KeyDependencies): Operation[] {
  const { sql, clock, onKeysChanged: after } = deps
  const view = (key: ApiKey, nowMs = clock.now()) => ({
    id: key.id,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    state: keyState(key, nowMs),
    created_at: iso(key.created_at),
    created_by: createdBy(key),
    expires_at: isoOrNull(key.expires_at),
    last_used_at: isoOrNull(key.last_used_at),
    revoked_at: isoOrNull(key.revoked_at),
  })

  return [
    list(deps, {
      ...READING,
      name: 'GET /v1/organisation/keys',
      id: 'listKeys',
      summary: 'List the API keys',
      about: 'A page of keys, oldest first, including revoked ones.',
      schema,
      sample,
      read: (organisationId, page) => listKeys(sql, organisationId, page),
      view,
    }),
    readOne({
      ...READING,
      name: 'GET /v1/organisation/keys/{key_id}',
      id: 'readKey',
      summary: 'Read one API key',
      answers: { 200: jsonResponse('The key, without its secret.', schema, sample, ETAG_HEADER) },
      read: ({ organisationId }, params) => requireKey(sql, { id: params.key_id, organisation_id: organisationId }),
      etag: keyEtag,
      view: (key) => view(key),
    }),
    change({
      ...MAKING,
      name: 'POST /v1/organisation/keys',
      id: 'createKey',
      summary: 'Create an API key',
      description: 'The key is shown only once. The caller needs every scope that the key gets.',
      body: closed(
        { name: Name('Purpose of the key.'), scopes: Type.Optional(Scopes), expires_at: Type.Optional(Expiry) },
        { name: 'accounts payable', scopes: ['risk:payment', 'risk:bulk'] },
      ),
      answers: { 201: jsonResponse('The key.', KeyWithSecret, sampleWithSecret, REPLAYED_HEADER) },
      problems: ['forbidden', 'conflict'],
      async handle(tx, { actor, body: { name, scopes, expires_at } }) {
        const made = await createKey(tx, actor, { name, scopes, expiresAtMs: timeOf(expires_at) ?? null })
        return { status: 201, body: { ...view(made.key, tx.nowMs), api_key: made.secret } }
      },
      after,
    }),
    change({
      ...MAKING,
      edit: true,
      name: 'PATCH /v1/organisation/keys/{key_id}',
      id: 'editKey',
      summary: 'Rename an API key, restrict it, or set its expiry',
      description: 'The caller needs every scope that the key has or gets.',
      body: edited(
        {
          name: Type.Optional(Name('Purpose of the key.')),
          scopes: Type.Optional(Scopes),
          expires_at: Type.Optional(Expiry),
        },
        { scopes: ['risk:payment'] },
      ),
      answers: { 200: jsonResponse('The current state.', schema, sample, { ...ETAG_HEADER, ...REPLAYED_HEADER }) },
      problems: ['forbidden', 'conflict'],
      async handle(tx, { actor, params, body: { expires_at, ...wanted }, requireMatch }) {
        const change = { ...wanted, expiresAtMs: timeOf(expires_at) }
        const key = await changeKey(tx, actor, params.key_id, change, (old) => requireMatch(keyEtag(old)))
        return { status: 200, body: view(key, tx.nowMs), headers: { etag: keyEtag(key) } }
      },
      after,
    }),
    change({
      ...MAKING,
      name: 'POST /v1/organisation/keys/{key_id}/rotate',
      id: 'rotateKey',
      summary: 'Replace an API key',
      description:
        'The new key is shown only once; during the grace period both are valid. The caller needs every scope of the key.',
      body: closed(
        { grace_hours: GraceHours(`Hours the old key stays valid; default ${LIMITS.counts.graceHoursDefault}.`) },
        { grace_hours: 24 },
      ),
      answers: {
        201: jsonResponse(
          'The new key, and the old one with its expiry.',
          named('RotatedApiKey', { ...KeyWithSecret.properties, replaces: schema }),
          {
            ...sampleWithSecret,
            replaces: { ...sample, id: 'key_2bCdEfGhIjKlMnOpQrSt', expires_at: '2026-03-03T10:15:30.000Z' },
          },
          REPLAYED_HEADER,
        ),
      },
      problems: ['forbidden', 'conflict'],
      async handle(tx, { actor, params, body }) {
        const { key, secret, old } = await rotateKey(tx, actor, params.key_id, body.grace_hours)
        return { status: 201, body: { ...view(key, tx.nowMs), api_key: secret, replaces: view(old, tx.nowMs) } }
      },
      after,
    }),
    change({
      ...MAKING,
      name: 'DELETE /v1/organisation/keys/{key_id}',
      id: 'revokeKey',
      summary: 'Revoke an API key',
      description: 'The caller needs every scope of the key.',
      answers: { 204: noContent('Revoked.') },
      handle: async (tx, { actor, params }) => void (await revokeKey(tx, actor, params.key_id)),
      after,
    }),
  ]
}

function timeOf(text: string | null | undefined): number | null | undefined {
  return typeof text === 'string' ? Date.parse(text) : text
}

const keyEtag = (key: ApiKey): string => etagOf([key.id, key.name, key.scopes, key.expires_at, key.revoked_at])

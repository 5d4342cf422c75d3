import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/access/scopes.ts'
import type { Sql } from '../../src/db/sql.ts'
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { memberOf, PASSWORD, signIn } from '../support/people.ts'
import { type Answer, startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

const ALL: Scope[] = [
  'risk:payment',
  'risk:supply-chain',
  'risk:infrastructure',
  'risk:bulk',
  'billing:read',
  'billing:write',
  'organisation:read',
  'organisation:write',
]

describeRules('organisation resources', (open) => {
  let sql: Sql
  let server: TestServer
  const clock = new ManualClock('2026-03-10T12:00:00Z')

  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(), clock, oauth: true })
  })
  afterAll(() => server.close())

  function withKey(apiKey: string) {
    return (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
      clock.advance(20)
      return server.send(path, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          'x-api-key': apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      })
    }
  }
  const organisation = async (scopes: readonly Scope[] = ALL) => {
    const made = await server.organisation({ scopes })
    return { ...made, send: withKey(made.apiKey) }
  }
  const person = (organisationId: string, role: 'owner' | 'admin' | 'developer' | 'viewer') =>
    memberOf(server, sql, { organisationId, role, nowMs: clock.now() })
  /** Audit entries since the operator set the organisation up. */
  const log = async (send: ReturnType<typeof withKey>): Promise<{ action: string; actor: { kind: string } }[]> =>
    (await send('GET', '/v1/organisation/audit')).json.data.filter(
      (entry: { actor: { kind: string } }) => entry.actor.kind !== 'operator',
    )
  const actions = async (send: ReturnType<typeof withKey>) => (await log(send)).map((entry) => entry.action)

  describe('the organisation', () => {
    it('is renamed from the version that was read, and the change is on record', async () => {
      const { id, send, keyId } = await organisation()
      const read = await send('GET', '/v1/organisation')
      expect(read.json).toMatchObject({ id, name: 'Test organisation', state: 'active' })
      const etag = read.headers.get('etag') ?? ''
      const renamed = await send('PATCH', '/v1/organisation', { name: ' New name ' }, { 'if-match': etag })
      expect([renamed.status, renamed.json.name]).toEqual([200, 'New name'])
      expect(renamed.headers.get('etag')).not.toBe(etag)
      expect(await log(send)).toMatchObject([
        {
          action: 'organisation.update',
          actor: { kind: 'api_key', id: keyId, name: 'narrow key' },
          ip: '127.0.0.1',
          detail: { name: { from: 'Test organisation', to: 'New name' } },
        },
      ])
    })

    it('428 without If-Match, 412 with a stale one, and nothing changes', async () => {
      const { send } = await organisation()
      const etag = (await send('GET', '/v1/organisation')).headers.get('etag') ?? ''
      expect((await send('PATCH', '/v1/organisation', { name: 'x' })).status).toBe(428)
      expect((await send('PATCH', '/v1/organisation', { name: 'first' }, { 'if-match': etag })).status).toBe(200)
      const stale = await send('PATCH', '/v1/organisation', { name: 'second' }, { 'if-match': etag })
      expect([stale.status, stale.json.code]).toEqual([412, 'precondition_failed'])
      expect((await send('GET', '/v1/organisation')).json.name).toBe('first')
      expect(await actions(send)).toEqual(['organisation.update'])
    })

    it.each([
      { name: '' },
      { name: '   ' },
      { name: 'x'.repeat(201) },
      { name: 'a\u0007b' },
      { name: 7 },
      {},
      { other: 1 },
    ])('422 for the name in %j', async (body) => {
      const { send } = await organisation()
      expect((await send('PATCH', '/v1/organisation', body, { 'if-match': '*' })).status).toBe(422)
    })
  })

  describe('API keys', () => {
    it('are made, listed, restricted, rotated with grace, and ended', async () => {
      const { send, keyId } = await organisation()
      const made = await send('POST', '/v1/organisation/keys', { name: 'worker' })
      expect(made.status).toBe(201)
      expect(made.json.scopes).toEqual(['risk:payment', 'risk:supply-chain', 'risk:infrastructure', 'risk:bulk'])
      const check = (apiKey: string) => server.post('/v1/supply-chain-risk', { domain: 'company.example' }, apiKey)
      expect((await check(made.json.api_key)).status).toBe(200)
      const lastUsed = async () => (await send('GET', `/v1/organisation/keys/${made.json.id}`)).json.last_used_at
      await expect.poll(lastUsed).toMatch(/^2026-03-10T12:/)
      expect(made.json.created_by).toEqual({ kind: 'api_key', id: keyId, name: 'narrow key' })
      const list = await send('GET', '/v1/organisation/keys')
      expect(list.text).not.toContain(made.json.api_key)
      expect(list.json.data.map((key: { name: string }) => key.name).sort()).toEqual([
        'narrow key',
        'test key',
        'worker',
      ])

      const path = `/v1/organisation/keys/${made.json.id}`
      const etag = (await send('GET', path)).headers.get('etag') ?? ''
      const narrowed = await send('PATCH', path, { scopes: ['risk:payment'] }, { 'if-match': etag })
      expect(narrowed.json.scopes).toEqual(['risk:payment'])
      expect((await check(made.json.api_key)).status).toBe(403)
      expect((await send('PATCH', path, { name: 'late' }, { 'if-match': etag })).status).toBe(412)

      const rotated = await send('POST', `${path}/rotate`, { grace_hours: 1 })
      expect(rotated.status).toBe(201)
      expect(rotated.json.replaces).toMatchObject({ id: made.json.id, state: 'active' })
      const pay = (apiKey: string) => server.post('/v1/payment-risk', { email: 'a@b.example' }, apiKey)
      expect([(await pay(made.json.api_key)).status, (await pay(rotated.json.api_key)).status]).toEqual([200, 200])
      clock.advance(HOUR_MS)
      expect([(await pay(made.json.api_key)).status, (await pay(rotated.json.api_key)).status]).toEqual([401, 200])
      expect((await send('POST', `${path}/rotate`, {})).status).toBe(409)

      expect((await send('DELETE', `/v1/organisation/keys/${rotated.json.id}`)).status).toBe(204)
      expect((await pay(rotated.json.api_key)).status).toBe(401)
      expect((await send('DELETE', `/v1/organisation/keys/${rotated.json.id}`)).status).toBe(204)
      expect(await actions(send)).toEqual(['key.revoke', 'key.rotate', 'key.update', 'key.create'])
    })

    it('a double submit with one Idempotency-Key makes one key and shows the same one', async () => {
      const { send } = await organisation()
      const body = { name: 'once', expires_at: new Date(clock.now() + DAY_MS).toISOString() }
      const headers = { 'idempotency-key': 'make-1' }
      const [first, second] = await Promise.all([
        send('POST', '/v1/organisation/keys', body, headers),
        send('POST', '/v1/organisation/keys', body, headers),
      ])
      const statuses = [first.status, second.status].sort()
      expect([
        [201, 201],
        [201, 409],
      ]).toContainEqual(statuses)
      const third = await send('POST', '/v1/organisation/keys', body, headers)
      const original = first.status === 201 ? first : second
      expect(third.text).toBe(original.text)
      expect(third.headers.get('idempotent-replayed')).toBe('true')
      expect((await send('POST', '/v1/organisation/keys', { name: 'other' }, headers)).json.code).toBe(
        'idempotency_key_reused',
      )
      const keys = (await send('GET', '/v1/organisation/keys')).json.data
      expect(keys.filter((key: { name: string }) => key.name === 'once')).toHaveLength(1)
      // The answers kept for retries do not show the key to a reader of the database.
      const rows = await sql.query<{ body: string }>('select body from stored_response')
      for (const row of rows) expect(row.body).not.toContain(original.json.api_key)
    })

    it.each([
      [{}],
      [{ name: '' }],
      [{ name: 'x', scopes: [] }],
      [{ name: 'x', scopes: ['openid'] }],
      [{ name: 'x', scopes: ['risk:everything'] }],
      [{ name: 'x', expires_at: 'tomorrow' }],
      [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }],
      [{ name: 'x', secret: 'mine' }],
    ])('422 for %j', async (body) => {
      const { send } = await organisation()
      expect((await send('POST', '/v1/organisation/keys', body)).status).toBe(422)
      expect((await send('GET', '/v1/organisation/keys')).json.data).toHaveLength(2)
    })

    it('403 for giving a key more than one has: neither a key nor a developer climbs by making another', async () => {
      const { id, send } = await organisation(['organisation:read', 'organisation:write'])
      const refused = await send('POST', '/v1/organisation/keys', { name: 'x', scopes: ['billing:write'] })
      expect([refused.status, refused.json.code]).toEqual([403, 'forbidden'])
      expect((await send('POST', '/v1/organisation/keys', { name: 'x', scopes: ['risk:bulk'] })).status).toBe(403)
      const none = await send('POST', '/v1/organisation/keys', { name: 'x' })
      expect([none.status, none.json.detail]).toEqual([403, expect.stringContaining('none of the risk scopes')])
      const strong = (await send('POST', '/v1/organisation/keys', { name: 's', scopes: ['organisation:write'] })).json
      const developer = await person(id, 'developer')
      expect((await developer.send('POST', '/v1/organisation/keys', { name: 'mine' })).status).toBe(201)
      const climb = { name: 'x', scopes: ['organisation:write'] }
      expect((await developer.send('POST', '/v1/organisation/keys', climb)).status).toBe(403)
      expect((await developer.send('POST', `/v1/organisation/keys/${strong.id}/rotate`, {})).status).toBe(403)
      const viewer = await person(id, 'viewer')
      expect((await viewer.send('GET', '/v1/organisation/keys')).status).toBe(200)
      expect((await viewer.send('POST', '/v1/organisation/keys', { name: 'x' })).status).toBe(403)
    })
  })

  describe('applications', () => {
    it('are registered, changed, disabled, given a new secret, and deleted; their tokens follow at once', async () => {
      const { send } = await organisation()
      const made = await send('POST', '/v1/organisation/clients', {
        kind: 'service',
        name: 'nightly',
        scopes: ['risk:supply-chain', 'billing:read'],
      })
      expect(made.status).toBe(201)
      const { id, client_secret: secret } = made.json
      const token = async (with_: string) => {
        const answer = await server.send('/oauth/token', {
          method: 'POST',
          body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'billing:read' }),
          headers: { authorization: `Basic ${Buffer.from(`${id}:${with_}`).toString('base64')}` },
        })
        return answer.json.access_token as string | undefined
      }
      const bearer = await token(secret)
      const billing = (held = bearer) => server.send('/v1/billing', { headers: { authorization: `Bearer ${held}` } })
      expect((await billing()).status).toBe(200)
      expect((await send('GET', '/v1/organisation/clients')).text).not.toContain(secret)

      const path = `/v1/organisation/clients/${id}`
      expect(made.json.last_used_at).toBeNull()
      await expect.poll(async () => (await send('GET', path)).json.last_used_at).toMatch(/^2026-03-10T/)
      const etag = (await send('GET', path)).headers.get('etag') ?? ''
      expect((await send('PATCH', path, { state: 'disabled' })).status).toBe(428)
      const disabled = await send('PATCH', path, { state: 'disabled' }, { 'if-match': etag })
      expect(disabled.json.state).toBe('disabled')
      expect((await billing()).status).toBe(401)
      const back = await send('PATCH', path, { state: 'active' }, { 'if-match': disabled.headers.get('etag') ?? '' })
      expect(back.json.state).toBe('active')

      const rotated = await send('POST', `${path}/rotate-secret`)
      expect(rotated.status).toBe(201)
      expect(Date.parse(rotated.json.former_secret_expires_at)).toBe(clock.now() + DAY_MS)
      expect(await token(secret)).toBeDefined()
      expect(await token(rotated.json.client_secret)).toBeDefined()
      expect((await send('DELETE', `${path}/former-secret`)).status).toBe(204)
      expect((await send('DELETE', `${path}/former-secret`)).status).toBe(409)
      expect(await token(secret)).toBeUndefined()
      const last = await send('POST', `${path}/rotate-secret?grace_hours=0`)
      expect([last.status, last.json.former_secret_expires_at]).toEqual([201, null])
      expect(await token(rotated.json.client_secret)).toBeUndefined()
      expect((await send('POST', `${path}/rotate-secret?grace_hours=-1`)).status).toBe(400)
      const leaked = await token(last.json.client_secret)
      expect((await billing(leaked)).status).toBe(200)
      expect((await send('POST', `${path}/rotate-secret?end_tokens=true&grace_hours=24`)).status).toBe(422)
      expect((await send('POST', `${path}/rotate-secret?end_tokens=yes`)).status).toBe(400)
      expect((await billing(leaked)).status).toBe(200)
      const ended = await send('POST', `${path}/rotate-secret?end_tokens=true`)
      expect([ended.status, ended.json.former_secret_expires_at]).toEqual([201, null])
      expect((await billing(leaked)).status).toBe(401)
      expect((await send('DELETE', path)).status).toBe(204)
      expect((await send('GET', path)).status).toBe(404)
      expect(await token(ended.json.client_secret)).toBeUndefined()
      expect(await actions(send)).toEqual([
        'client.delete',
        'client.rotate_secret',
        'client.rotate_secret',
        'client.update',
        'client.rotate_secret',
        'client.update',
        'client.update',
        'client.create',
      ])
    })

    it('with keys of their own change them; how they prove themselves stays', async () => {
      const { send } = await organisation()
      const path = '/v1/organisation/clients'
      const jwks = { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] }
      const request = { kind: 'service', name: 'keyed', scopes: ['risk:bulk'], jwks_uri: 'https://app.example/keys' }
      const made = await send('POST', path, { ...request, id_token_signed_response_alg: 'ES256' })
      expect(made.json).toMatchObject({
        authentication: 'private_key_jwt',
        client_secret: null,
        jwks: null,
        jwks_uri: 'https://app.example/keys',
        id_token_signed_response_alg: 'ES256',
      })
      const { etag = '' } = Object.fromEntries((await send('GET', `${path}/${made.json.id}`)).headers)
      const changed = await send('PATCH', `${path}/${made.json.id}`, { jwks }, { 'if-match': etag })
      expect(changed.json).toMatchObject({ authentication: 'private_key_jwt', jwks, jwks_uri: null })
      expect(changed.headers.get('etag')).not.toBe(etag)
      expect((await send('PATCH', `${path}/${made.json.id}`, { jwks }, { 'if-match': etag })).status).toBe(412)
      expect((await send('POST', `${path}/${made.json.id}/rotate-secret`)).status).toBe(409)
      const other = await send('POST', path, { kind: 'service', name: 'other', scopes: ['risk:bulk'] })
      expect((await send('PATCH', `${path}/${other.json.id}`, { jwks }, { 'if-match': '*' })).status).toBe(409)
    })

    it.each([
      ['a public client with a secret flow', { kind: 'native', name: 'x', scopes: ['billing:read'] }, '/scopes'],
      ['a web client without a redirect', { kind: 'web', name: 'x', scopes: ['openid'] }, '/redirect_uris'],
      ['an unknown kind', { kind: 'robot', name: 'x', scopes: ['openid'] }, '/kind'],
      ['an unknown scope', { kind: 'service', name: 'x', scopes: ['everything'] }, '/scopes'],
      [
        'a private key',
        { kind: 'service', name: 'x', scopes: ['risk:bulk'], jwks: { keys: [{ kty: 'EC', d: 'x' }] } },
        '/jwks',
      ],
      [
        'keys that are read by http',
        { kind: 'service', name: 'x', scopes: ['risk:bulk'], jwks_uri: 'http://app.example/keys' },
        '/jwks_uri',
      ],
    ])('422 for %s', async (_name, body, pointer) => {
      const { send } = await organisation()
      const answer = await send('POST', '/v1/organisation/clients', body)
      expect(answer.status).toBe(422)
      expect(answer.json.errors[0].pointer).toBe(pointer)
    })
  })

  describe('members', () => {
    it('join by a link that works once, get another role, and leave', async () => {
      const { id, send } = await organisation()
      const owner = await person(id, 'owner')
      const invited = await owner.send('POST', '/v1/organisation/invitations', { role: 'viewer' })
      expect(invited.status).toBe(201)
      const token = new URL(invited.json.link).hash.slice(1)
      expect(new URL(invited.json.link).search).toBe('')
      expect((await server.post('/v1/invitations/lookup', { token })).json).toMatchObject({
        organisation_name: 'Test organisation',
        role: 'viewer',
      })
      const email = `new-${id}@company.example`
      clock.advance(1)
      const body = { token, email, name: 'New Person', password: PASSWORD }
      const joined = await server.post('/v1/invitations/accept', body)
      expect([joined.status, joined.json]).toEqual([
        200,
        { organisation: { id, name: 'Test organisation' }, role: 'viewer' },
      ])
      const again = await server.post('/v1/invitations/accept', { ...body, email: 'other@company.example' })
      expect([again.status, again.json.code]).toEqual([409, 'conflict'])
      const list = (await send('GET', '/v1/organisation/members')).json.data
      expect(list.map((one: { role: string }) => one.role)).toEqual(['owner', 'viewer'])
      // Only owners see who has no second factor.
      const admin = await person(id, 'admin')
      for (const [who, seen] of [
        [owner, false],
        [admin, null],
      ] as const) {
        const [first] = (await who.send('GET', '/v1/organisation/members')).json.data
        expect([first.id, first.second_factor]).toEqual([owner.id, seen])
      }
      const member = list[1]
      const newcomer = await signIn(server, email)
      expect((await newcomer.send('GET', '/v1/organisation')).status).toBe(200)
      expect((await newcomer.send('PATCH', '/v1/organisation', { name: 'mine' }, { 'if-match': '*' })).status).toBe(403)
      const path = `/v1/organisation/members/${member.id}`
      const etag = (await send('GET', path)).headers.get('etag') ?? ''
      expect((await send('PATCH', path, { role: 'developer' }, { 'if-match': etag })).json.role).toBe('developer')
      expect((await send('PATCH', path, { role: 'admin' }, { 'if-match': etag })).status).toBe(412)
      expect((await newcomer.send('DELETE', `/v1/organisation/members/${owner.id}`)).status).toBe(403)
      expect((await newcomer.send('DELETE', path)).status).toBe(204)
      expect((await newcomer.send('GET', '/v1/organisation')).status).toBe(400)
      const changes = (await actions(send)).filter((action) => action !== 'session.begin')
      expect(changes).toEqual(['member.remove', 'member.update', 'member.join', 'invitation.create'])
    })

    it('409 for an expired or used invitation, 404 for a withdrawn or unknown one, and nobody joins', async () => {
      const { id, send } = await organisation()
      await person(id, 'owner')
      const invite = async (body: object) => (await send('POST', '/v1/organisation/invitations', body)).json
      const accept = (link: string) =>
        server.post('/v1/invitations/accept', {
          token: new URL(link).hash.slice(1),
          email: `late-${id}@company.example`,
          name: 'Late',
          password: PASSWORD,
        })
      const expired = await invite({ role: 'viewer', expires_in_days: 1 })
      const withdrawn = await invite({ role: 'viewer' })
      expect((await send('DELETE', `/v1/organisation/invitations/${withdrawn.id}`)).status).toBe(204)
      expect((await send('DELETE', `/v1/organisation/invitations/${withdrawn.id}`)).status).toBe(404)
      clock.advance(DAY_MS)
      expect((await accept(expired.link)).json.detail).toContain('expired')
      expect((await accept(withdrawn.link)).status).toBe(404)
      expect((await accept('http://x/invitation#unknown')).status).toBe(404)
      expect((await send('GET', '/v1/organisation/members')).json.data).toHaveLength(1)
      const states = (await send('GET', '/v1/organisation/invitations')).json.data
      expect(states.map((one: { state: string }) => one.state)).toEqual(['expired', 'revoked'])
    })

    it('somebody signed in joins a second organisation, bound to their address', async () => {
      const one = await organisation()
      const other = await organisation()
      const jane = await person(one.id, 'owner')
      const bound = (await other.send('POST', '/v1/organisation/invitations', { role: 'admin', email: jane.email }))
        .json
      const token = new URL(bound.link).hash.slice(1)
      const stranger = await person(one.id, 'viewer')
      expect((await stranger.send('POST', '/v1/invitations/accept', { token })).status).toBe(403)
      expect((await jane.send('POST', '/v1/invitations/accept', { token })).status).toBe(200)
      // Two organisations: a request says which.
      expect((await jane.send('GET', '/v1/organisation')).status).toBe(400)
      const read = await jane.send('GET', '/v1/organisation', undefined, { 'x-organisation-id': other.id })
      expect(read.json.id).toBe(other.id)
    })

    it('409 when the last owner leaves or becomes something else; owners are made by owners', async () => {
      const { id, send } = await organisation()
      const owner = await person(id, 'owner')
      const admin = await person(id, 'admin')
      const ownerPath = `/v1/organisation/members/${owner.id}`
      const adminPath = `/v1/organisation/members/${admin.id}`
      expect((await owner.send('DELETE', ownerPath)).json.code).toBe('conflict')
      expect((await owner.send('PATCH', ownerPath, { role: 'viewer' }, { 'if-match': '*' })).status).toBe(409)
      expect((await admin.send('DELETE', ownerPath)).status).toBe(403)
      expect((await admin.send('PATCH', adminPath, { role: 'owner' }, { 'if-match': '*' })).status).toBe(403)
      expect((await admin.send('POST', '/v1/organisation/invitations', { role: 'owner' })).status).toBe(403)
      // Not by way of a key either.
      expect((await send('PATCH', adminPath, { role: 'owner' }, { 'if-match': '*' })).status).toBe(403)
      expect((await owner.send('PATCH', adminPath, { role: 'owner' }, { 'if-match': '*' })).status).toBe(200)
      expect((await owner.send('DELETE', ownerPath)).status).toBe(204)
    })

    it('two owners who leave at once: one of them stays', async () => {
      const { id } = await organisation()
      const [one, two] = [await person(id, 'owner'), await person(id, 'owner')]
      const answers = await Promise.all([
        one.send('DELETE', `/v1/organisation/members/${one.id}`),
        two.send('DELETE', `/v1/organisation/members/${two.id}`),
      ])
      expect(answers.map((answer) => answer.status).sort()).toEqual([204, 409])
    })
  })

  it('a session writes only with its token, and only in its own organisation', async () => {
    const { id } = await organisation()
    const other = await organisation()
    const owner = await person(id, 'owner')
    const forged = await owner.send('POST', '/v1/organisation/keys', { name: 'x' }, { 'x-csrf-token': 'wrong' })
    expect([forged.status, forged.json.code]).toEqual([403, 'form_outdated'])
    const foreign = await owner.send('GET', '/v1/organisation', undefined, { 'x-organisation-id': other.id })
    expect(foreign.status).toBe(404)
    const signedOut = await server.send('/v1/organisation', { headers: { cookie: 'assay_session=unknown' } })
    expect([signedOut.status, signedOut.json.code]).toEqual([401, 'session_missing'])
  })

  it('the audit log cannot be changed, and comes as CSV without formulas', async () => {
    const { send } = await organisation()
    await send('PATCH', '/v1/organisation', { name: '=1+1' }, { 'if-match': '*' })
    await expect(sql.query(`update audit_entry set action = 'x'`)).rejects.toThrow('append-only')
    await expect(sql.query('delete from audit_entry')).rejects.toThrow('append-only')
    const csv = await send('GET', '/v1/organisation/audit', undefined, { accept: 'text/csv' })
    expect(csv.headers.get('content-type')).toContain('text/csv')
    expect(csv.text).not.toMatch(/(^|,)=/m)
    const first = await send('GET', '/v1/organisation/audit?limit=1&action=organisation.update')
    expect(first.json.data).toHaveLength(1)
  })

  it('the audit log is read by what, by whom and from when to when, page by page and as CSV', async () => {
    const { id, send, keyId } = await organisation()
    const owner = await person(id, 'owner')
    clock.advance(1000)
    const beganAt = new Date(clock.now()).toISOString()
    const made = await owner.send('POST', '/v1/organisation/keys', { name: 'of the owner' })
    await send('PATCH', '/v1/organisation', { name: 'Renamed' }, { 'if-match': '*' })
    await send('POST', '/v1/organisation/keys', { name: 'of a key' })
    const endedAt = new Date(clock.now() + 1).toISOString()
    await send('DELETE', `/v1/organisation/keys/${made.json.id}`)
    const found = async (query: string) => {
      const answer = await send('GET', `/v1/organisation/audit?${query}`)
      expect(answer.status).toBe(200)
      return answer.json.data.map(({ action, actor }: { action: string; actor: { id: string } }) => [action, actor.id])
    }
    const revoked = ['key.revoke', keyId]
    const ofKey = ['key.create', keyId]
    const ofOwner = ['key.create', owner.id]
    expect(await found(`action=key.&from=${beganAt}`)).toEqual([revoked, ofKey, ofOwner])
    expect(await found(`action=key.create&from=${beganAt}`)).toEqual([ofKey, ofOwner])
    expect(await found(`actor=${owner.id}&from=${beganAt}`)).toEqual([ofOwner])
    expect(await found(`actor=person&from=${beganAt}`)).toEqual([ofOwner])
    expect(await found(`actor=api_key&action=key.&to=${endedAt}`)).toEqual([ofKey])
    expect(await found(`from=${beganAt}&to=${endedAt}`)).toEqual([ofKey, ['organisation.update', keyId], ofOwner])
    expect(await found('actor=usr_unknown')).toEqual([])
    expect(await found('from=2099-01-01')).toEqual([])

    const query = `action=key.&from=${beganAt}`
    const first = await send('GET', `/v1/organisation/audit?${query}&limit=2`)
    const rest = await send('GET', `/v1/organisation/audit?${query}&limit=2&cursor=${first.json.next_cursor}`)
    expect([first.json.data.length, rest.json.data.length, rest.json.next_cursor]).toEqual([2, 1, null])
    const elsewhere = await send('GET', `/v1/organisation/audit?action=key.&cursor=${first.json.next_cursor}`)
    expect([elsewhere.status, elsewhere.json.code]).toEqual([422, 'validation_failed'])
    const csv = await send('GET', `/v1/organisation/audit?${query}`, undefined, { accept: 'text/csv' })
    expect(csv.text.trim().split('\r\n')).toHaveLength(4)

    for (const wrong of ['action=key', 'action=nothing.', 'actor=a%20b', 'from=2026-02-32', 'to=soon', 'limit=1001']) {
      expect((await send('GET', `/v1/organisation/audit?${wrong}`)).json.code).toBe('invalid_query')
    }
  })

  it('lists go page by page', async () => {
    const { send } = await organisation()
    for (const name of ['a', 'b', 'c']) await send('POST', '/v1/organisation/keys', { name })
    const first = await send('GET', '/v1/organisation/keys?limit=3')
    const rest = await send('GET', `/v1/organisation/keys?limit=3&cursor=${first.json.next_cursor}`)
    const names = [...first.json.data, ...rest.json.data].map((key: { name: string }) => key.name)
    expect(names.sort()).toEqual(['a', 'b', 'c', 'narrow key', 'test key'])
    expect(rest.headers.get('link')).toBeNull()
  })
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { ManualClock } from '../support/clock.ts'
import { allowApplication } from '../support/consents.ts'
import { createTestEngine } from '../support/engine.ts'
import { memberOf, type SignedIn } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

describeRules('consents over HTTP', (open) => {
  let sql: Sql
  let server: TestServer
  let acme: string
  let beta: string
  let owner: SignedIn
  let person: SignedIn
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(), clock, oauth: true })
    acme = (await server.organisation({ name: 'Acme Ltd' })).id
    beta = (await server.organisation({ name: 'Beta GmbH' })).id
    owner = await memberOf(server, sql, { organisationId: acme, role: 'owner', nowMs: clock.now() })
    person = await memberOf(server, sql, { organisationId: acme, role: 'developer', nowMs: clock.now() })
  })
  afterAll(() => server.close())

  async function newApplication(name: string): Promise<string> {
    const boss = await memberOf(server, sql, { organisationId: beta, role: 'owner', nowMs: clock.now() })
    const made = await boss.send('POST', '/v1/organisation/clients', {
      kind: 'web',
      name,
      scopes: ['openid', 'risk:payment'],
      redirect_uris: ['https://beta.example/callback'],
      policy_uri: 'https://beta.example/privacy',
    })
    expect(made.status).toBe(201)
    return made.json.id
  }
  const allow = (clientId: string, who = person) =>
    allowApplication(sql, clock, { personId: who.id, clientId, organisationId: acme, role: 'developer' })
  const answersTo = async (token: string) =>
    (await server.send('/v1/organisation', { headers: { authorization: `Bearer ${token}` } })).status

  it('a person sees their own and withdraws them; at once, on every way in', async () => {
    const clientId = await newApplication('Ledger Sync')
    const token = await allow(clientId)
    expect(await answersTo(token)).toBe(200)
    const list = await person.send('GET', '/api/account/applications')
    expect(list.headers.get('cache-control')).toBe('no-store')
    expect(list.json.applications).toEqual([
      {
        id: `${person.id}.${clientId}.${acme}`,
        client: { id: clientId, name: 'Ledger Sync' },
        owner: { name: 'Beta GmbH', yours: false },
        organisation: { id: acme, name: 'Acme Ltd' },
        scopes: [
          { name: 'openid', words: 'Know who you are' },
          { name: 'risk:payment', words: 'Check email addresses before payments' },
        ],
        created_at: '2026-03-10T12:00:00.000Z',
        last_used_at: '2026-03-10T12:00:00.000Z',
        expires_at: '2026-03-10T13:00:00.000Z',
      },
    ])
    const path = `/api/account/applications/${list.json.applications[0].id}`
    // Another person's id of it is worth nothing: what is withdrawn is always one's own.
    expect((await owner.send('DELETE', path)).status).toBe(404)
    expect((await person.send('DELETE', path, undefined, { 'x-csrf-token': 'wrong' })).status).toBe(403)
    expect((await server.send(path, { method: 'DELETE' })).status).toBe(401)
    expect(await answersTo(token)).toBe(200)
    expect((await person.send('DELETE', path)).status).toBe(204)
    expect(await answersTo(token)).toBe(401)
    expect((await person.send('DELETE', path)).status).toBe(404)
    expect((await person.send('GET', '/api/account/applications')).json).toEqual({ applications: [] })
  })

  it('owners and admins see those of members that charge the organisation, and withdraw them; others do neither', async () => {
    const clientId = await newApplication('Night Batch')
    const token = await allow(clientId)
    const list = await owner.send('GET', '/v1/organisation/consents')
    expect(list.json.data).toEqual([
      {
        id: `${person.id}.${clientId}.${acme}`,
        member: { id: person.id, name: expect.any(String), email: person.email },
        client: { id: clientId, name: 'Night Batch', organisation_id: beta, organisation_name: 'Beta GmbH' },
        scopes: ['openid', 'risk:payment'],
        created_at: '2026-03-10T12:00:00.000Z',
        last_used_at: '2026-03-10T12:00:00.000Z',
        expires_at: '2026-03-10T13:00:00.000Z',
      },
    ])
    const path = `/v1/organisation/consents/${list.json.data[0].id}`
    for (const role of ['developer', 'viewer', 'checker'] as const) {
      const other = await memberOf(server, sql, { organisationId: acme, role, nowMs: clock.now() })
      const refused = await other.send('GET', '/v1/organisation/consents')
      expect([refused.status, refused.json.code, refused.json.data]).toEqual([403, 'insufficient_scope', undefined])
      // The words are for a person: they name no scope.
      expect(refused.json.detail).toBe(
        `The role ${role} may not do this. Ask an owner or an admin of the organisation.`,
      )
      expect((await other.send('DELETE', path)).status).toBe(403)
    }
    const admin = await memberOf(server, sql, { organisationId: acme, role: 'admin', nowMs: clock.now() })
    expect((await admin.send('GET', '/v1/organisation/consents')).json.data).toHaveLength(1)
    const reader = await owner.send('POST', '/v1/organisation/keys', { name: 'r', scopes: ['organisation:read'] })
    const byKey = await server.send('/v1/organisation/consents', { headers: { 'x-api-key': reader.json.api_key } })
    expect([byKey.status, byKey.json.code]).toEqual([403, 'insufficient_scope'])
    expect(await answersTo(token)).toBe(200)
    expect((await owner.send('DELETE', path)).status).toBe(204)
    expect(await answersTo(token)).toBe(401)
    const { data } = (await owner.send('GET', '/v1/organisation/audit?action=grant.withdraw')).json
    const entry = (data as { detail: { name: string } }[]).find(({ detail }) => detail.name === 'Night Batch')
    expect(entry).toMatchObject({
      actor: { id: owner.id },
      target_id: clientId,
      detail: { member: expect.any(String), scopes: ['openid', 'risk:payment'] },
    })
  })

  it('422 with its place for a page that is not https', async () => {
    const boss = await memberOf(server, sql, { organisationId: beta, role: 'owner', nowMs: clock.now() })
    const registration = {
      kind: 'web',
      name: 'App',
      scopes: ['openid'],
      redirect_uris: ['https://beta.example/callback'],
    }
    for (const uri of ['http://beta.example/', 'javascript:alert(1)', 'https://beta.example/\u202E', 'beta.example']) {
      const refused = await boss.send('POST', '/v1/organisation/clients', { ...registration, terms_uri: uri })
      expect([refused.status, refused.json.errors?.[0]?.pointer], uri).toEqual([422, '/terms_uri'])
    }
    const made = await boss.send('POST', '/v1/organisation/clients', { ...registration, terms_uri: null })
    expect(made.json).toMatchObject({ policy_uri: null, terms_uri: null })
    const path = `/v1/organisation/clients/${made.json.id}`
    const changed = await boss.send('PATCH', path, { policy_uri: 'https://beta.example/privacy' }, { 'if-match': '*' })
    expect(changed.json).toMatchObject({ policy_uri: 'https://beta.example/privacy', terms_uri: null })
    const taken = await boss.send('PATCH', path, { policy_uri: null }, { 'if-match': '*' })
    expect(taken.json.policy_uri).toBeNull()
  })

  it.each([
    ['an organisation', 'PATCH', '/v1/organisation', (name: string) => ({ name })],
    ['a key', 'POST', '/v1/organisation/keys', (name: string) => ({ name })],
    [
      'an application',
      'POST',
      '/v1/organisation/clients',
      (name: string) => ({ kind: 'service', name, scopes: ['risk:bulk'] }),
    ],
    [
      'the customer of invoices',
      'PUT',
      '/v1/billing/details',
      (name: string) => ({ name, address: null, tax_id: null }),
    ],
  ])('422 for the name of %s that holds what cannot be seen', async (_, method, path, body) => {
    const send = (name: string) => owner.send(method, path, body(name), { 'if-match': '*' })
    for (const name of ['Acme\u202EdtL', 'Ac\u200Bme', 'Ac\u2066me']) {
      const refused = await send(name)
      expect([refused.status, refused.json.errors?.[0]?.pointer], JSON.stringify(name)).toEqual([422, '/name'])
      expect(refused.json.detail).toMatch(/direction of writing|invisible character/)
    }
    expect((await send('شرکت نرم‌افزار')).status).toBeLessThan(300)
  })
})

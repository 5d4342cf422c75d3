import { randomUUID } from 'node:crypto'
import * as jose from 'jose'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { SCOPE_NAMES, SCOPES } from '../../src/access/scopes.ts'
import type { Sql } from '../../src/db/sql.ts'
import { announceClientChange, announcePersonChange } from '../../src/identity/announce.ts'
import { changeClient, deleteClient, rotateClientSecret } from '../../src/identity/clients/clients.ts'
import { removeMember, setRole } from '../../src/identity/members/members.ts'
import { type Organisation, organisations } from '../../src/identity/organisation/organisations.ts'
import { disablePerson } from '../../src/identity/people/changes.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { purgeExpired } from '../../src/oauth/purge.ts'
import { describeRules } from '../support/stores.ts'
import { Browser } from './support/browser.ts'
import {
  type App,
  authorize,
  basic,
  beginDevice,
  credentials,
  exchange,
  type OAuthAnswer,
  postForm,
  send,
  tokenRequest,
} from './support/flow.ts'
import {
  change,
  disableOrganisation,
  newClient,
  newOrganisation,
  newPerson,
  startServer,
  type TestServer,
} from './support/server.ts'

describeRules('what a token is worth', (open, engine) => {
  let sql: Sql
  let server: TestServer
  let other: TestServer
  let organisation: Organisation
  let person: Person
  let service: App
  let web: App

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
    other = await startServer(await open(), { baseUrl: server.url })
    organisation = await newOrganisation(sql)
    person = await newPerson(sql, [organisation])
    service = await newClient(sql, organisation.id, { kind: 'service' })
    web = await newClient(sql, organisation.id, { kind: 'web' })
  })
  afterAll(async () => {
    await server.close()
    await other.close()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const pass = (seconds: number) => {
    const nowMs = Date.now()
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(nowMs + seconds * 1000)
  }
  const operator = () => operatorIn(organisation.id)
  const setState = (app: App, state: 'active' | 'disabled') =>
    change(sql, (tx) => changeClient(tx, operator(), app.client.id, { state }, { production: true }))
  const guarded = (token: string, node = server) =>
    send(`${node.url}/guarded/risk:payment`, { headers: { authorization: `Bearer ${token}` } })
  const serviceToken = async (app = service): Promise<string> =>
    (await tokenRequest(server, app, { grant_type: 'client_credentials', scope: 'risk:payment' })).json.access_token
  async function userTokens(who = person, app = web): Promise<OAuthAnswer> {
    const authorized = await authorize(server, app, who, new Browser(server.url), {
      scope: 'openid offline_access risk:payment',
    })
    return exchange(server, app, authorized)
  }
  const introspect = (app: App, token: string, node = server) =>
    postForm(`${node.url}/oauth/introspect`, { ...credentials(app), token })
  const revoke = (app: App, token: string, node = server) =>
    postForm(`${node.url}/oauth/revoke`, { ...credentials(app), token })

  it.each(SCOPE_NAMES)('client credentials for %s follow the table', async (scope) => {
    const app = await newClient(sql, organisation.id, {
      kind: 'service',
      scope: SCOPE_NAMES.filter((name) => SCOPES[name].clientCredentials).join(' '),
    })
    const answer = await tokenRequest(server, app, { grant_type: 'client_credentials', scope })
    if (SCOPES[scope].clientCredentials) {
      expect(answer.status).toBe(200)
      expect(answer.json.scope).toBe(scope)
    } else {
      expect(answer.status).toBe(400)
      expect(answer.json.error).toBe('invalid_scope')
    }
    expect(answer.json).not.toHaveProperty('refresh_token')
    expect(answer.json).not.toHaveProperty('id_token')
  })

  it.each(SCOPE_NAMES)('authorization code and device for %s follow the table', async (scope) => {
    const all = SCOPE_NAMES.filter((name) => SCOPES[name].user).join(' ')
    const app = await newClient(sql, organisation.id, {
      kind: 'native',
      scope: all,
      redirect_uris: ['http://127.0.0.1/callback'],
    })
    const device = await beginDevice(server, app, { scope })
    const { callback } = await authorize(server, app, person, new Browser(server.url), { scope: `openid ${scope}` })
    if (SCOPES[scope].user) {
      expect(device.status).toBe(200)
      expect(callback.get('error')).toBeNull()
    } else {
      expect(device.json.error).toBe('invalid_scope')
      expect(callback.get('error')).toBe('invalid_scope')
    }
  })

  it('a scope outside the registration is invalid_scope in every flow, offline_access and unknown ones included', async () => {
    const small = await newClient(sql, organisation.id, { kind: 'native', scope: 'openid risk:payment' })
    for (const scope of ['risk:bulk', 'offline_access', 'nonsense', 'profile']) {
      const { callback } = await authorize(server, small, person, new Browser(server.url), { scope: `openid ${scope}` })
      expect(callback.get('error'), scope).toBe('invalid_scope')
      expect((await beginDevice(server, small, { scope })).json.error, scope).toBe('invalid_scope')
    }
    const answer = await tokenRequest(server, service, {
      grant_type: 'client_credentials',
      scope: 'risk:infrastructure',
    })
    expect(answer.json.error).toBe('invalid_scope')
    expect(
      (await tokenRequest(server, service, { grant_type: 'client_credentials', scope: 'nonsense' })).json.error,
    ).toBe('invalid_scope')
  })

  it('a request that names no scope gets what the client was registered for', async () => {
    const answer = await tokenRequest(server, service, { grant_type: 'client_credentials' })
    expect(answer.json.scope).toBe('risk:payment risk:bulk billing:read')
    expect((await guarded(answer.json.access_token)).status).toBe(200)
  })

  it('a scope taken from the registration is taken from the tokens', async () => {
    const app = await newClient(sql, organisation.id, { kind: 'service' })
    const token = await serviceToken(app)
    expect((await guarded(token)).status).toBe(200)
    await sql.query('update oauth_client set scopes = $2 where id = $1', [app.client.id, 'risk:bulk'])
    pass(5)
    expect((await guarded(token)).status).toBe(403)
    expect(
      (await tokenRequest(server, app, { grant_type: 'client_credentials', scope: 'risk:payment' })).json.error,
    ).toBe('invalid_scope')
  })

  it('a role that is lowered after consent takes its scopes from tokens, and from what answers name', async () => {
    const who = await newPerson(sql, [organisation])
    const { json } = await userTokens(who)
    expect(json.scope.split(' ').sort()).toEqual(['offline_access', 'openid', 'risk:payment'])
    await change(sql, (tx) => setRole(tx, operator(), { personId: who.id, role: 'viewer' }))
    pass(5)
    const answer = await guarded(json.access_token)
    expect([answer.status, answer.json.code]).toEqual([403, 'insufficient_scope'])
    expect((await introspect(web, json.access_token)).json.scope).not.toContain('risk:payment')
    const again = await tokenRequest(server, web, { grant_type: 'refresh_token', refresh_token: json.refresh_token })
    expect([again.status, again.json.scope.split(' ').sort()]).toEqual([200, ['offline_access', 'openid']])
    const info = await send(`${server.url}/oauth/userinfo`, {
      headers: { authorization: `Bearer ${again.json.access_token}` },
    })
    expect(info.json.sub).toBe(who.id)
  })

  it('a token expires when it said', async () => {
    const token = await serviceToken()
    expect((await guarded(token)).status).toBe(200)
    pass(3601)
    const answer = await guarded(token)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  it('a token in the query or the body is not looked at', async () => {
    const token = await serviceToken()
    expect((await send(`${server.url}/guarded/risk:payment?access_token=${token}`)).status).toBe(401)
  })

  it('a revoked token stops at once here and within five seconds elsewhere', async () => {
    const token = await serviceToken()
    expect((await guarded(token)).status).toBe(200)
    expect((await guarded(token, other)).status).toBe(200)
    expect((await revoke(service, token)).status).toBe(200)
    expect((await guarded(token)).status).toBe(401)
    pass(5)
    expect((await guarded(token, other)).status).toBe(401)
  })

  it('revoking a refresh token ends the access tokens of its grant', async () => {
    const { json } = await userTokens()
    expect((await guarded(json.access_token)).status).toBe(200)
    await revoke(web, json.refresh_token)
    expect((await guarded(json.access_token)).status).toBe(401)
    expect(
      (await tokenRequest(server, web, { grant_type: 'refresh_token', refresh_token: json.refresh_token })).json.error,
    ).toBe('invalid_grant')
  })

  it('revoking a foreign, an unknown or an empty token changes nothing', async () => {
    const token = await serviceToken()
    const stranger = await newClient(sql, organisation.id, { kind: 'service' })
    expect((await revoke(stranger, token)).status).toBe(200)
    const unknown = await revoke(stranger, 'nonsense')
    expect(unknown.status).toBe(200)
    expect(unknown.headers.get('content-type')).toContain('application/json')
    expect(unknown.json).toEqual({})
    expect((await guarded(token)).status).toBe(200)
    expect((await postForm(`${server.url}/oauth/revoke`, credentials(stranger))).json.error).toBe('invalid_request')
  })

  it('introspection tells the token’s client and its colleagues, and nobody else', async () => {
    const token = await serviceToken()
    const own = await introspect(service, token)
    expect(own.json).toMatchObject({
      active: true,
      client_id: service.client.id,
      scope: 'risk:payment',
      token_type: 'Bearer',
      organisation_id: organisation.id,
    })
    expect((await introspect(web, token)).json.active).toBe(true)
    const elsewhere = await newOrganisation(sql)
    const stranger = await newClient(sql, elsewhere.id, { kind: 'service' })
    expect((await introspect(stranger, token)).json).toEqual({ active: false })
    const publicClient = await newClient(sql, organisation.id, { kind: 'native' })
    expect((await introspect(publicClient, token)).json).toEqual({ active: false })
    expect((await introspect(service, 'nonsense')).json).toEqual({ active: false })
    await revoke(service, token)
    expect((await introspect(service, token)).json).toEqual({ active: false })
  })

  it('introspection of a person’s token names the organisation they chose', async () => {
    const { json } = await userTokens()
    expect((await introspect(web, json.access_token)).json).toMatchObject({
      active: true,
      sub: person.id,
      organisation_id: organisation.id,
    })
    expect((await introspect(web, json.refresh_token)).json.active).toBe(true)
  })

  it('a disabled client: its tokens stop, and it gets no new ones', async () => {
    const app = await newClient(sql, organisation.id, { kind: 'service' })
    const token = await serviceToken(app)
    expect((await guarded(token)).status).toBe(200)
    await setState(app, 'disabled')
    pass(5)
    expect((await guarded(token)).status).toBe(401)
    expect((await tokenRequest(server, app, { grant_type: 'client_credentials' })).json.error).toBe('invalid_client')
    await setState(app, 'active')
    pass(5)
    expect((await guarded(token)).status).toBe(200)
  })

  it('a deleted client takes everything issued to it along', async () => {
    const app = await newClient(sql, organisation.id, { kind: 'service' })
    const token = await serviceToken(app)
    expect((await guarded(token)).status).toBe(200)
    await change(sql, (tx) => deleteClient(tx, operator(), app.client.id))
    await announceClientChange(sql, app.client.id)
    pass(5)
    expect((await guarded(token)).status).toBe(401)
  })

  it('a rotated secret replaces the old one, at once without a grace period', async () => {
    const app = await newClient(sql, organisation.id, { kind: 'service' })
    expect((await serviceToken(app)).length).toBeGreaterThan(0)
    const rotated = await change(sql, (tx) => rotateClientSecret(tx, operator(), app.client.id, 0))
    pass(5)
    expect((await tokenRequest(server, app, { grant_type: 'client_credentials' })).status).toBe(401)
    expect(
      (await tokenRequest(server, { ...app, secret: rotated.secret }, { grant_type: 'client_credentials' })).status,
    ).toBe(200)
  })

  it('a public client is given no secret by rotation', async () => {
    const app = await newClient(sql, organisation.id, { kind: 'spa' })
    await expect(change(sql, (tx) => rotateClientSecret(tx, operator(), app.client.id))).rejects.toThrow(
      'has no secret',
    )
  })

  it('a disabled person: tokens stop, refreshing stops', async () => {
    const who = await newPerson(sql, [organisation])
    const { json } = await userTokens(who)
    expect((await guarded(json.access_token)).status).toBe(200)
    await change(sql, (tx) => disablePerson(tx, who.id))
    await announcePersonChange(sql)
    pass(5)
    expect((await guarded(json.access_token)).status).toBe(401)
    expect(
      (await tokenRequest(server, web, { grant_type: 'refresh_token', refresh_token: json.refresh_token })).json.error,
    ).toBe('invalid_grant')
  })

  it('a person who left the organisation charges it no more', async () => {
    const who = await newPerson(sql, [organisation])
    const { json } = await userTokens(who)
    await change(sql, (tx) => removeMember(tx, operator(), who.id))
    pass(5)
    expect((await guarded(json.access_token)).status).toBe(401)
    expect(
      (await tokenRequest(server, web, { grant_type: 'refresh_token', refresh_token: json.refresh_token })).json.error,
    ).toBe('invalid_grant')
  })

  it('a disabled organisation: 403 account_disabled and no new tokens, of services and people alike; then as before', async () => {
    const closed = await newOrganisation(sql)
    const app = await newClient(sql, closed.id, { kind: 'service' })
    const [ofClosed, ofOther] = [await newClient(sql, closed.id, { kind: 'web' }), web]
    const member = await newPerson(sql, [closed])
    const granted = [await userTokens(member, ofClosed), await userTokens(member, ofOther)]
    // An application of the closed organisation that charges another one stops as well.
    const elsewhere = await userTokens(person, ofClosed)
    const refresh = (of: App, { json }: OAuthAnswer) =>
      tokenRequest(server, of, { grant_type: 'refresh_token', refresh_token: json.refresh_token })
    const people = [...granted, elsewhere].map(({ json }) => json.access_token as string)
    const held = [await serviceToken(app), ...people]
    const answers = () => Promise.all(held.map(async (token) => (await guarded(token)).json.code ?? 'works'))
    expect(await answers()).toEqual(['works', 'works', 'works', 'works'])
    await disableOrganisation(sql, closed)
    pass(5)
    expect(await answers()).toEqual(Array(4).fill('account_disabled'))
    expect((await guarded(held[1] ?? '')).status).toBe(403)
    expect((await tokenRequest(server, app, { grant_type: 'client_credentials' })).json.error).toBe('invalid_client')
    expect((await refresh(ofClosed, elsewhere)).json.error).toBe('invalid_client')
    await organisations.update(sql, closed, closed)
    pass(5)
    expect(await answers()).toEqual(['works', 'works', 'works', 'works'])
    expect((await refresh(ofClosed, elsewhere)).status).toBe(200)
  })

  it('a client may authenticate with its own key, each assertion once', async () => {
    const { publicKey, privateKey } = await jose.generateKeyPair('ES256', { extractable: true })
    const jwks = { keys: [{ ...(await jose.exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] }
    const app = await newClient(sql, organisation.id, { kind: 'service', jwks })
    expect(app.secret).toBe('')
    const assertion = (audience: string, key = privateKey) =>
      new jose.SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setIssuer(app.client.id)
        .setSubject(app.client.id)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(key)
    const ask = (client_assertion: string, node = server) =>
      postForm(`${node.url}/oauth/token`, {
        grant_type: 'client_credentials',
        client_assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      })
    expect((await ask(await assertion(server.url))).status).toBe(200)
    expect((await ask(await assertion(`${server.url}/oauth/token`))).status).toBe(200)
    const once = await assertion(server.url)
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => ask(once, i % 2 ? server : other)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { json, status } of answers) if (status !== 200) expect(json.error).toBe('invalid_client')
    const stranger = await jose.generateKeyPair('ES256')
    expect((await ask(await assertion(server.url, stranger.privateKey))).json.error).toBe('invalid_client')
    expect((await ask(await assertion('https://elsewhere.example'))).json.error).toBe('invalid_client')
    expect((await tokenRequest(server, app, { grant_type: 'client_credentials' })).json.error).toBe('invalid_client')
  })

  it('a DPoP proof does not bind a token, and the token is a plain bearer token', async () => {
    const answer = await postForm(
      `${server.url}/oauth/token`,
      { grant_type: 'client_credentials', ...credentials(service) },
      { dpop: 'eyJ0eXAiOiJkcG9wK2p3dCJ9.e30.x' },
    )
    expect(answer.json.token_type).toBe('Bearer')
  })

  it('a secret with characters that need encoding works by HTTP Basic', async () => {
    const answer = await postForm(
      `${server.url}/oauth/token`,
      { grant_type: 'client_credentials' },
      basic(encodeURIComponent(service.client.id), encodeURIComponent(service.secret)),
    )
    expect(answer.status).toBe(200)
  })

  it('expired rows are deleted, live ones stay, and a late device still learns that its code expired', async () => {
    const cli = await newClient(sql, organisation.id, { kind: 'native' })
    const token = await serviceToken()
    const device = await beginDevice(server, cli)
    const count = async () => Number((await sql.query<{ n: number }>('select count(*) as n from oauth_record'))[0]?.n)
    pass(15 * 60)
    await purgeExpired(sql, Date.now())
    const late = await postForm(`${server.url}/oauth/token`, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: cli.client.id,
      device_code: device.json.device_code,
    })
    expect(late.json.error).toBe('expired_token')
    expect((await guarded(token)).status).toBe(200)
    pass(3 * 3600)
    const kept = await serviceToken()
    await purgeExpired(sql, Date.now())
    expect((await guarded(kept)).status).toBe(200)
    expect((await guarded(token)).status).toBe(401)
    pass(400 * 86_400)
    expect((await server.oauth.purge()).deleted).toBeGreaterThan(0)
    expect(await count(), engine).toBe(0)
  })
})

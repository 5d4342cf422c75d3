import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as jose from 'jose'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import type { Sql } from '../../src/db/sql.ts'
import { announceClientChange } from '../../src/identity/announce.ts'
import { readAudit } from '../../src/identity/audit.ts'
import {
  changeClient,
  createClient,
  endFormerSecret,
  formerSecretUntil,
  rotateClientSecret,
} from '../../src/identity/clients/clients.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import { describeRules } from '../support/stores.ts'
import { Browser } from './support/browser.ts'
import { type App, authorize, basic, exchange, postForm, send, tokenRequest } from './support/flow.ts'
import { change, newClient, newOrganisation, newPerson, startServer, type TestServer } from './support/server.ts'

const HOUR_SECONDS = 3600

describeRules('how an application proves itself, over time', (open) => {
  let sql: Sql
  let server: TestServer
  let organisation: Organisation

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
    organisation = await newOrganisation(sql)
  })
  afterAll(() => server.close())
  afterEach(() => {
    vi.useRealTimers()
  })

  const operator = () => operatorIn(organisation.id)
  const pass = (seconds: number) => {
    const nowMs = Date.now()
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(nowMs + seconds * 1000)
  }
  const service = () => newClient(sql, organisation.id, { kind: 'service' })

  /** By every way that a secret is taken: directly, by the library, and to introspect. */
  async function works(app: App, secret: string): Promise<boolean> {
    const grant = { grant_type: 'client_credentials' }
    const answers = await Promise.all([
      tokenRequest(server, { ...app, secret }, grant),
      tokenRequest(server, { ...app, secret }, { ...grant, slow: 'path' }),
      postForm(`${server.url}/oauth/introspect`, { token: 'x' }, basic(app.client.id, secret)),
    ])
    const statuses = new Set(answers.map(({ status }) => status))
    expect(statuses.size).toBe(1)
    return statuses.has(200)
  }

  async function rotated(app: App, graceHours?: number): Promise<string> {
    const { secret } = await change(sql, (tx) => rotateClientSecret(tx, operator(), app.client.id, graceHours))
    await announceClientChange(sql, app.client.id)
    // The cache entry of an application has expired by then, also without the announcement.
    pass(5)
    return secret
  }

  it('the former secret works for a day beside the new one, then no more', async () => {
    const app = await service()
    const next = await rotated(app)
    expect([await works(app, app.secret), await works(app, next)]).toEqual([true, true])
    expect(await works(app, 'acs_nonsense')).toBe(false)
    pass(23 * HOUR_SECONDS)
    expect(await works(app, app.secret)).toBe(true)
    pass(HOUR_SECONDS)
    expect([await works(app, app.secret), await works(app, next)]).toEqual([false, true])
  })

  it('with no grace it stops at once; ended early it stops then; of two rotations only the last former one works', async () => {
    const atOnce = await service()
    const next = await rotated(atOnce, 0)
    expect([await works(atOnce, atOnce.secret), await works(atOnce, next)]).toEqual([false, true])

    const app = await service()
    const second = await rotated(app, 48)
    const third = await rotated(app, 1)
    expect([await works(app, app.secret), await works(app, second), await works(app, third)]).toEqual([
      false,
      true,
      true,
    ])
    const client = await change(sql, (tx) => endFormerSecret(tx, operator(), app.client.id))
    expect(formerSecretUntil(client, Date.now())).toBeNull()
    await announceClientChange(sql, app.client.id)
    pass(5)
    expect([await works(app, second), await works(app, third)]).toEqual([false, true])
    await expect(change(sql, (tx) => endFormerSecret(tx, operator(), app.client.id))).rejects.toThrow(
      'no valid former secret',
    )
    const { rows } = await readAudit(sql, { organisationId: organisation.id, action: 'client.', limit: 100 })
    const noted = rows.filter(({ target_id }) => target_id === app.client.id)
    expect(noted.map(({ action, detail }) => `${action} ${detail.grace_hours ?? ''}`).sort()).toEqual([
      'client.create ',
      'client.rotate_secret 1',
      'client.rotate_secret 48',
      'client.update ',
    ])
    for (const hours of [-1, 1.5, 24 * 90 + 1]) {
      await expect(change(sql, (tx) => rotateClientSecret(tx, operator(), app.client.id, hours))).rejects.toThrow(
        /hours/,
      )
    }
  })

  it('after a leak it ends with every token it got, also with those that a node still gives for it', async () => {
    const guarded = async (token: string) =>
      (await send(`${server.url}/guarded/risk:payment`, { headers: { authorization: `Bearer ${token}` } })).status
    const person = await newPerson(sql, [organisation])
    const web = await newClient(sql, organisation.id, { kind: 'web' })
    const authorized = await authorize(server, web, person, new Browser(server.url), {
      scope: 'openid offline_access risk:payment',
      prompt: 'consent',
    })
    const { json: ofPerson } = await exchange(server, web, authorized)
    const app = await service()
    const paths = [{}, { slow: 'path' }]
    const get = async (secret: string, more: object): Promise<string> =>
      (await tokenRequest(server, { ...app, secret }, { grant_type: 'client_credentials', ...more })).json.access_token
    const stolen = await Promise.all(paths.map((more) => get(app.secret, more)))
    expect(await Promise.all([...stolen, ofPerson.access_token].map(guarded))).toEqual([200, 200, 200])

    const end = (one: App) =>
      change(sql, (tx) => rotateClientSecret(tx, operator(), one.client.id, undefined, { endTokens: true }))
    const [next, ofWeb] = [await end(app), await end(web)]
    expect(formerSecretUntil(next.client, Date.now())).toBeNull()
    // Nothing was announced: this node takes the former secret for a few more seconds.
    const late = await Promise.all(paths.map((more) => get(app.secret, more)))
    expect(late.every((token) => typeof token === 'string')).toBe(true)
    for (const { client } of [app, web]) await announceClientChange(sql, client.id)
    pass(5)
    expect(await Promise.all([...stolen, ...late, ofPerson.access_token].map(guarded))).toEqual(Array(5).fill(401))
    expect(await works(app, app.secret)).toBe(false)
    const fresh = await Promise.all(paths.map((more) => get(next.secret, more)))
    expect(await Promise.all(fresh.map(guarded))).toEqual([200, 200])
    const refreshed = await tokenRequest(
      server,
      { ...web, secret: ofWeb.secret },
      { grant_type: 'refresh_token', refresh_token: ofPerson.refresh_token },
    )
    expect(refreshed.json.error).toBe('invalid_grant')
    // The consent remains: signing in again asks for nothing.
    const again = await authorize(server, web, person, new Browser(server.url))
    expect(again.pages).not.toContain('consent')
    const { json } = await exchange(server, { ...web, secret: ofWeb.secret }, again)
    expect(await guarded(json.access_token)).toBe(200)

    const both = change(sql, (tx) => rotateClientSecret(tx, operator(), app.client.id, 24, { endTokens: true }))
    await expect(both).rejects.toThrow('leave out the grace period')
    const { rows } = await readAudit(sql, {
      organisationId: organisation.id,
      action: 'client.rotate_secret',
      limit: 100,
    })
    const noted = rows.find(({ target_id }) => target_id === app.client.id)
    expect(noted?.detail).toEqual({ name: 'Test application', grace_hours: 0, tokens_ended: true })
  })

  interface OwnKey {
    readonly jwk: jose.JWK
    readonly assertion: (clientId: string) => Promise<string>
  }

  async function ownKey(kid: string): Promise<OwnKey> {
    const { publicKey, privateKey } = await jose.generateKeyPair('ES256')
    return {
      jwk: { ...(await jose.exportJWK(publicKey)), kid },
      assertion: (clientId) =>
        new jose.SignJWT({})
          .setProtectedHeader({ alg: 'ES256', kid })
          .setIssuer(clientId)
          .setSubject(clientId)
          .setAudience(server.url)
          .setJti(crypto.randomUUID())
          .setIssuedAt()
          .setExpirationTime('1m')
          .sign(privateKey),
    }
  }

  const proves = async (clientId: string, key: OwnKey): Promise<boolean> => {
    const answer = await postForm(`${server.url}/oauth/token`, {
      grant_type: 'client_credentials',
      client_assertion: await key.assertion(clientId),
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    })
    expect([200, 401]).toContain(answer.status)
    return answer.status === 200
  }

  /** Serves key sets on this machine. */
  async function keyHost(
    answer: (path: string) => { status?: number; body: string; headers?: Record<string, string> },
  ) {
    const asked: string[] = []
    const host: Server = createServer((request, response) => {
      asked.push(request.url ?? '')
      const { status = 200, body, headers = {} } = answer(request.url ?? '')
      response.writeHead(status, headers).end(body)
    })
    await new Promise<void>((listening) => host.listen(0, 'localhost', listening))
    const { port } = host.address() as AddressInfo
    return { url: `http://localhost:${port}`, asked, close: () => new Promise((closed) => host.close(closed)) }
  }

  const rules = { production: false }
  const keyed = async (keys: { jwks?: unknown; jwks_uri?: string }) => {
    const request = { kind: 'service', name: 'Keyed', scopes: ['risk:payment'], ...keys }
    return (await change(sql, (tx) => createClient(tx, operator(), request, rules))).client
  }

  it('an application changes its keys: the new ones count, the old ones no more', async () => {
    const [one, two] = [await ownKey('one'), await ownKey('two')]
    const client = await keyed({ jwks: { keys: [one.jwk] } })
    expect([await proves(client.id, one), await proves(client.id, two)]).toEqual([true, false])
    await change(sql, (tx) => changeClient(tx, operator(), client.id, { jwks: { keys: [two.jwk] } }, rules))
    await announceClientChange(sql, client.id)
    pass(5)
    expect([await proves(client.id, one), await proves(client.id, two)]).toEqual([false, true])
  })

  it('keys may be read where the application publishes them: kept for a while, and read again for a new key', async () => {
    const [one, two] = [await ownKey('one'), await ownKey('two')]
    let present = one
    const host = await keyHost(() => ({ body: JSON.stringify({ keys: [present.jwk] }) }))
    const client = await keyed({ jwks_uri: `${host.url}/keys` })
    expect(client.jwks).toBeNull()
    for (let time = 0; time < 5; time++) expect(await proves(client.id, one)).toBe(true)
    expect(host.asked).toEqual(['/keys'])
    present = two
    // A key nobody knows makes no further request to the host, however often it is tried.
    for (let time = 0; time < 5; time++) expect(await proves(client.id, two)).toBe(false)
    expect(host.asked).toHaveLength(1)
    pass(61)
    expect(await proves(client.id, two)).toBe(true)
    expect(host.asked).toHaveLength(2)
    await host.close()
  })

  it.each<[string, (path: string) => { status?: number; body: string; headers?: Record<string, string> }]>([
    ['redirects', (path) => ({ status: 302, body: '', headers: { location: `${path}/elsewhere` } })],
    ['is too long', () => ({ body: `{"keys":[]${' '.repeat(70_000)}}` })],
    ['is no JSON', () => ({ body: '<html>' })],
    ['holds no keys', () => ({ body: '{"keys":"none"}' })],
    ['fails', () => ({ status: 500, body: '{"keys":[]}' })],
  ])('a key set that %s proves nothing, and is not asked for again at once', async (_what, answer) => {
    const host = await keyHost(answer)
    const key = await ownKey('one')
    const client = await keyed({ jwks_uri: `${host.url}/keys` })
    for (let time = 0; time < 4; time++) expect(await proves(client.id, key)).toBe(false)
    expect(host.asked).toEqual(['/keys'])
    await host.close()
  })

  it('on the internet the server reads keys by https only, and never from its own network', async () => {
    const key = await ownKey('one')
    const host = await keyHost(() => ({ body: JSON.stringify({ keys: [key.jwk] }) }))
    const client = await keyed({ jwks_uri: `${host.url}/keys` })
    const outside = await startServer(sql, { baseUrl: 'https://assay.example' })
    const assertion = await new jose.SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(client.id)
      .setSubject(client.id)
      .setAudience('https://assay.example')
      .setJti('x')
      .setExpirationTime('1m')
      .sign((await jose.generateKeyPair('ES256')).privateKey)
    const answer = await postForm(`${outside.url}/oauth/token`, {
      grant_type: 'client_credentials',
      client_assertion: assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    })
    expect([answer.status, answer.json.error]).toEqual([401, 'invalid_client'])
    expect(host.asked).toEqual([])
    await outside.close()
    await host.close()
  })

  it('refuses keys where none belong, both forms at once, and addresses that are not to be read', async () => {
    const key = await ownKey('one')
    const create = (more: object, production = true) =>
      change(sql, (tx) =>
        createClient(
          tx,
          operator(),
          { kind: 'service', name: 'Keyed', scopes: ['risk:payment'], ...more },
          { production },
        ),
      )
    const jwks_uri = 'https://app.example/keys'
    await expect(create({ jwks: { keys: [key.jwk] }, jwks_uri })).rejects.toThrow('not both')
    await expect(create({ kind: 'native', scopes: ['openid'], jwks_uri })).rejects.toThrow('public and has no key')
    for (const wrong of [
      'http://app.example/keys',
      'http://localhost/keys',
      'https://user:word@app.example/keys',
      'https://app.example/keys#one',
      'ftp://app.example/keys',
      'keys',
    ]) {
      await expect(create({ jwks_uri: wrong }), wrong).rejects.toThrow('The address of the key set')
    }
    await expect(create({ id_token_signed_response_alg: 'none' })).rejects.toThrow('RS256, ES256')
    const app = await service()
    await expect(change(sql, (tx) => changeClient(tx, operator(), app.client.id, { jwks_uri }, rules))).rejects.toThrow(
      'has no public keys',
    )
  })
})

import * as jose from 'jose'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { describeRules } from '../support/stores.ts'
import { Browser } from './support/browser.ts'
import {
  type App,
  approveDevice,
  authorize,
  authorizeUrl,
  beginDevice,
  credentials,
  exchange,
  type Form,
  newVerifier,
  poll,
  postForm,
  send,
  tokenRequest,
} from './support/flow.ts'
import { newClient, newOrganisation, newPerson, PASSWORD, startServer, type TestServer } from './support/server.ts'

const HOME = 'https://app.example/home'
const DOCUMENTS = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/jwks.json',
]

describeRules('what the standards ask beside the flows', (open) => {
  let sql: Sql
  let server: TestServer
  let organisation: Organisation
  let person: Person
  let web: App
  let service: App

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
    organisation = await newOrganisation(sql)
    person = await newPerson(sql, [organisation])
    web = await newClient(sql, organisation.id, { kind: 'web', logout_uris: [HOME] })
    service = await newClient(sql, organisation.id, { kind: 'service' })
  })
  afterAll(() => server.close())
  afterEach(() => {
    vi.useRealTimers()
  })

  const signedIn = async (browser: Browser): Promise<string> => {
    const authorized = await authorize(server, web, person, browser)
    return (await exchange(server, web, authorized)).json.id_token
  }
  const form = (fields: Form) => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
  const pass = (seconds: number) => {
    const nowMs = Date.now()
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(nowMs + seconds * 1000)
  }

  it('an application signs a person out by a form, also long after the ID token expired', async () => {
    const browser = new Browser(server.url)
    const hint = await signedIn(browser)
    pass(2 * 3600)
    const fields = { id_token_hint: hint, post_logout_redirect_uri: HOME, state: 'after & all' }
    // A form of another site comes without our cookies.
    const foreign = await send(`${server.url}/oauth/logout`, form(fields))
    expect(foreign.status).toBe(303)
    expect(foreign.headers.get('cache-control')).toBe('no-store')
    const page = await browser.fetch(foreign.headers.get('location') ?? '')
    const xsrf = /name="xsrf" value="(\w+)"/.exec(await page.text())?.[1] ?? ''
    expect([page.status, xsrf === '']).toEqual([200, false])
    const confirmed = await browser.fetch('/oauth/logout/confirm', form({ xsrf, logout: 'yes' }))
    expect(confirmed.headers.get('location')).toBe(`${HOME}?state=after+%26+all`)
    const { callback } = await authorize(server, web, person, browser, { prompt: 'none' })
    expect(callback.get('error')).toBe('login_required')
  })

  it.each<[string, string, RequestInit]>([
    ['a hint that is none', '/oauth/logout?id_token_hint=nonsense', {}],
    ['a hint that another signed', `/oauth/logout?id_token_hint=eyJhbGciOiJub25lIn0.eyJhdWQiOiJ4In0.`, {}],
    ['an application that is none', '/oauth/logout?client_id=cli_00000000000000000000', {}],
    ['a parameter twice', '/oauth/logout?state=a&state=b', {}],
    ['a parameter too long', `/oauth/logout?state=${'x'.repeat(5000)}`, {}],
    ['a confirmation of nothing', '/oauth/logout/confirm', form({ xsrf: 'x', logout: 'yes' })],
    ['the end of what never began', '/oauth/logout/success?client_id=nobody', {}],
    ['a wrong method', '/oauth/logout', { method: 'PUT' }],
    ['a wrong method of the confirmation', '/oauth/logout/confirm', {}],
  ])('where people sign out, %s is a page', async (_what, path, init) => {
    const answer = await send(server.url + path, init)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(answer.text).toContain('<!doctype html>')
    expect(answer.headers.get('location')).toBeNull()
  })

  it('an address that is not registered is never redirected to after signing out', async () => {
    const hint = await signedIn(new Browser(server.url))
    const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: 'https://evil.example/' })
    const answer = await send(`${server.url}/oauth/logout?${query}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(answer.headers.get('content-type')).toContain('text/html')
  })

  const introspect = (token: string, more: Form = {}) =>
    postForm(`${server.url}/oauth/introspect`, { ...credentials(service), token, ...more })

  it('a token that is none of ours is not active, whatever it looks like', async () => {
    const idToken = await signedIn(new Browser(server.url))
    const foreign = await new jose.SignJWT({ scope: 'risk:payment' })
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .sign(new TextEncoder().encode('somebody else’s secret, long enough for it'))
    const unknown = [
      idToken,
      foreign,
      'x',
      'x'.repeat(43),
      'a.b.c',
      'eyJhbGciOiJub25lIn0..',
      '%00',
      '🔑',
      'y'.repeat(4000),
    ]
    for (const token of unknown) {
      for (const hint of [{}, { token_type_hint: 'access_token' }, { token_type_hint: 'refresh_token' }]) {
        const answer = await introspect(token, hint)
        expect([answer.status, answer.json], token).toEqual([200, { active: false }])
      }
    }
    const stranger = await postForm(`${server.url}/oauth/introspect`, { client_id: web.client.id, token: idToken })
    expect([stranger.status, stranger.json.error]).toEqual([401, 'invalid_client'])
    expect((await introspect('')).status).toBe(400)
  })

  it('introspection of a service’s own token names it as its subject', async () => {
    const { json } = await tokenRequest(server, service, { grant_type: 'client_credentials', scope: 'risk:payment' })
    const slow = await tokenRequest(server, service, {
      grant_type: 'client_credentials',
      scope: 'risk:payment',
      x: 'y',
    })
    for (const token of [json.access_token, slow.json.access_token]) {
      const answer = await introspect(token)
      expect(answer.json).toEqual({
        active: true,
        sub: service.client.id,
        client_id: service.client.id,
        organisation_id: organisation.id,
        scope: 'risk:payment',
        iss: server.url,
        iat: expect.any(Number),
        exp: expect.any(Number),
        token_type: 'Bearer',
      })
      expect(answer.json.exp - answer.json.iat).toBe(3600)
    }
  })

  it.each(DOCUMENTS)('%s may be kept for a while and is asked for again by its version', async (path) => {
    const first = await send(server.url + path)
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    expect(etag).toMatch(/^"\w+"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await send(server.url + path, { headers: { 'if-none-match': known } })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    }
    const other = await send(server.url + path, { headers: { 'if-none-match': '"other"' } })
    expect([other.status, other.text]).toEqual([200, first.text])
    const head = await send(server.url + path, { method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag])
    expect(head.headers.get('content-type')).toBe(first.headers.get('content-type'))
  })

  it('a plain OPTIONS says what a path takes; a browser’s question is answered as before', async () => {
    for (const [path, allow] of [
      ['/oauth/authorize', 'GET, HEAD, OPTIONS, POST'],
      ['/oauth/token', 'OPTIONS, POST'],
      ['/oauth/device_authorization', 'OPTIONS, POST'],
      ['/oauth/revoke', 'OPTIONS, POST'],
      ['/oauth/introspect', 'OPTIONS, POST'],
      ['/oauth/par', 'OPTIONS, POST'],
      ['/oauth/userinfo', 'GET, HEAD, OPTIONS, POST'],
      ['/oauth/logout', 'GET, HEAD, OPTIONS, POST'],
      ...DOCUMENTS.map((document) => [document, 'GET, HEAD, OPTIONS'] as const),
    ] as const) {
      const answer = await send(server.url + path, { method: 'OPTIONS' })
      expect([answer.status, answer.text], path).toEqual([204, ''])
      expect(answer.headers.get('allow')?.split(', ').sort().join(', ')).toBe(allow)
    }
    const preflight = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    for (const path of ['/oauth/token', '/oauth/userinfo', '/.well-known/jwks.json', ...DOCUMENTS]) {
      const answer = await send(server.url + path, { method: 'OPTIONS', headers: preflight })
      expect([answer.status, answer.headers.get('access-control-allow-methods')], path).toEqual([
        204,
        expect.any(String),
      ])
    }
    for (const path of ['/oauth/authorize', '/oauth/logout']) {
      const answer = await send(server.url + path, { method: 'OPTIONS', headers: preflight })
      expect([answer.status, answer.headers.get('access-control-allow-origin')], path).toEqual([204, null])
    }
  })

  it('a scope asked for twice is given once: in tokens, introspection and on the consent page', async () => {
    for (const more of [{}, { slow: 'path' }]) {
      const scope = 'risk:payment risk:bulk risk:payment'
      const { json } = await tokenRequest(server, service, { grant_type: 'client_credentials', scope, ...more })
      expect(json.scope).toBe('risk:payment risk:bulk')
      expect((await introspect(json.access_token)).json.scope).toBe('risk:payment risk:bulk')
    }
    const browser = new Browser(server.url)
    const scope = 'openid openid risk:payment openid risk:payment'
    const { challenge } = newVerifier()
    // One that nobody has allowed anything yet.
    const fresh = await newClient(sql, organisation.id, { kind: 'web' })
    const login = await browser.follow(authorizeUrl(server, fresh, { challenge, scope }))
    const details = await (await browser.fetch(`/api${new URL(login.location).pathname}`)).json()
    const { csrf } = details as { csrf: string }
    const answer = await browser.post(`/api${new URL(login.location).pathname}/login`, csrf, {
      email: person.email,
      password: PASSWORD,
    })
    const { redirect_to } = (await answer.json()) as { redirect_to: string }
    const consent = await browser.follow(redirect_to)
    const page = await (await browser.fetch(`/api${new URL(consent.location).pathname}`)).text()
    expect(page.match(/"risk:payment"/g)).toHaveLength(1)

    const authorized = await authorize(server, web, person, new Browser(server.url), { scope })
    expect((await exchange(server, web, authorized)).json.scope.split(' ').sort()).toEqual(['openid', 'risk:payment'])
    const cli = await newClient(sql, organisation.id, { kind: 'native', redirect_uris: [] })
    const device = await beginDevice(server, cli, { scope })
    await approveDevice(new Browser(server.url), device.json.user_code, person)
    const polled = await poll(server, cli, device.json.device_code)
    expect(polled.json.scope.split(' ').sort()).toEqual(['openid', 'risk:payment'])
  })

  it.each(['Ed25519', 'EdDSA'])('a client may prove itself by a key of Ed25519, called %s', async (alg) => {
    const { publicKey, privateKey } = await jose.generateKeyPair(alg, { crv: 'Ed25519' })
    const jwks = { keys: [{ ...(await jose.exportJWK(publicKey)), kid: 'one' }] }
    const own = await newClient(sql, organisation.id, { kind: 'service', jwks })
    const assertion = await new jose.SignJWT({})
      .setProtectedHeader({ alg, kid: 'one' })
      .setIssuer(own.client.id)
      .setSubject(own.client.id)
      .setAudience(server.url)
      .setJti(crypto.randomUUID())
      .setExpirationTime('1m')
      .sign(privateKey)
    const answer = await postForm(`${server.url}/oauth/token`, {
      grant_type: 'client_credentials',
      client_assertion: assertion,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    })
    expect([answer.status, answer.json.token_type]).toEqual([200, 'Bearer'])
    const { json } = await send(`${server.url}/.well-known/openid-configuration`)
    expect(json.token_endpoint_auth_signing_alg_values_supported).toContain(alg)
  })

  it('of a base address with a path the metadata is found with the path inserted, too', async () => {
    const issuer = 'https://example.com/tools/assay'
    const under = await startServer(sql, { baseUrl: issuer })
    for (const path of DOCUMENTS.slice(0, 2)) {
      const appended = await send(under.url + path)
      const inserted = await send(`${under.url}${path}/tools/assay`)
      expect([inserted.status, inserted.json]).toEqual([200, appended.json])
      expect(inserted.json.issuer).toBe(issuer)
      expect(inserted.headers.get('etag')).toBe(appended.headers.get('etag'))
      expect((await send(`${under.url}${path}/tools/assay`, { method: 'POST' })).status).toBe(405)
      expect((await send(`${under.url}${path}/tools/other`)).status).toBe(404)
    }
    const resource = await send(`${under.url}/.well-known/oauth-protected-resource/tools/assay`)
    expect([resource.status, resource.json.resource]).toEqual([200, issuer])
    expect((await send(`${server.url}/.well-known/openid-configuration/tools/assay`)).status).toBe(404)
    await under.close()
  })
})

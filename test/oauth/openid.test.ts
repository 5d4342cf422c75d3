import * as jose from 'jose'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { SCOPE_NAMES } from '../../src/access/scopes.ts'
import type { Sql } from '../../src/db/sql.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { describeRules } from '../support/stores.ts'
import { answerPages, Browser } from './support/browser.ts'
import {
  type App,
  authorize,
  authorizeUrl,
  basic,
  exchange,
  newVerifier,
  postForm,
  send,
  tokenRequest,
} from './support/flow.ts'
import { newClient, newOrganisation, newPerson, PASSWORD, startServer, type TestServer } from './support/server.ts'

/** The behaviours the OpenID Foundation's Config and Basic OP profiles look for, one test each. */
describeRules('OpenID Connect', (open) => {
  let sql: Sql
  let server: TestServer
  let organisation: Organisation
  let person: Person
  let web: App

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
    organisation = await newOrganisation(sql)
    person = await newPerson(sql, [organisation])
    web = await newClient(sql, organisation.id, { kind: 'web' })
  })
  afterAll(() => server.close())
  afterEach(() => {
    vi.useRealTimers()
  })

  const browse = () => new Browser(server.url)
  const pass = (seconds: number) => {
    const nowMs = Date.now()
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(nowMs + seconds * 1000)
  }
  const guarded = (token: string) =>
    send(`${server.url}/guarded/risk:payment`, { headers: { authorization: `Bearer ${token}` } })

  async function tokens(parameters: Record<string, string> = {}, browser = browse()) {
    const authorized = await authorize(server, web, person, browser, parameters)
    const answer = await exchange(server, web, authorized)
    expect(answer.status, answer.text).toBe(200)
    return { ...answer, authorized, claims: answer.json.id_token ? jose.decodeJwt(answer.json.id_token) : undefined }
  }

  const metadata = async () => (await send(`${server.url}/.well-known/openid-configuration`)).json

  it('metadata is 200 and JSON', async () => {
    const answer = await send(`${server.url}/.well-known/openid-configuration`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/json')
  })

  it('the issuer equals the address the metadata was found under', async () => {
    expect((await metadata()).issuer).toBe(server.url)
  })

  it('endpoint, response-type, subject-type and algorithm fields are present and true', async () => {
    const document = await metadata()
    expect(document).toMatchObject({
      authorization_endpoint: `${server.url}/oauth/authorize`,
      token_endpoint: `${server.url}/oauth/token`,
      device_authorization_endpoint: `${server.url}/oauth/device_authorization`,
      revocation_endpoint: `${server.url}/oauth/revoke`,
      introspection_endpoint: `${server.url}/oauth/introspect`,
      userinfo_endpoint: `${server.url}/oauth/userinfo`,
      end_session_endpoint: `${server.url}/oauth/logout`,
      pushed_authorization_request_endpoint: `${server.url}/oauth/par`,
      jwks_uri: `${server.url}/.well-known/jwks.json`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    })
    expect(new Set(document.scopes_supported)).toEqual(new Set(SCOPE_NAMES))
    expect(new Set(document.grant_types_supported)).toEqual(
      new Set([
        'authorization_code',
        'client_credentials',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ]),
    )
    expect(new Set(document.token_endpoint_auth_methods_supported)).toEqual(
      new Set(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']),
    )
    for (const [name, address] of Object.entries(document)) {
      if (!name.endsWith('_endpoint') && name !== 'jwks_uri') continue
      const answer = await send(String(address))
      expect([404, 500], `${name} is served`).not.toContain(answer.status)
    }
  })

  it('RS256 is among the ID-token algorithms', async () => {
    expect((await metadata()).id_token_signing_alg_values_supported).toContain('RS256')
  })

  it('the key set holds no private member, and each key has a kid', async () => {
    const { json } = await send(`${server.url}/.well-known/jwks.json`)
    expect(json.keys.length).toBeGreaterThan(0)
    for (const key of json.keys) {
      expect(key.kid).toEqual(expect.any(String))
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(member)
    }
  })

  it('the RFC 8414 document is the same document', async () => {
    const { json } = await send(`${server.url}/.well-known/oauth-authorization-server`)
    expect(json).toEqual(await metadata())
  })

  it('the protected-resource document names this server and its scopes', async () => {
    const { status, json } = await send(`${server.url}/.well-known/oauth-protected-resource`)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      resource: server.url,
      authorization_servers: [server.url],
      bearer_methods_supported: ['header'],
    })
    expect(json.scopes_supported).toContain('risk:payment')
    const refused = await send(`${server.url}/guarded/risk:payment`)
    expect(refused.headers.get('www-authenticate')).toContain(
      `resource_metadata="${server.url}/.well-known/oauth-protected-resource"`,
    )
  })

  it('neither Host nor X-Forwarded headers change an address', async () => {
    const port = new URL(server.url).port
    const { request } = await import('node:http')
    const text = await new Promise<string>((resolve, reject) => {
      const headers = {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
      }
      request({ port, host: 'localhost', path: '/.well-known/openid-configuration', headers }, (response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () => resolve(body))
      })
        .on('error', reject)
        .end()
    })
    expect(text).not.toContain('evil')
    expect(JSON.parse(text)).toEqual(await metadata())
  })

  it('the authorization response echoes state and names the issuer', async () => {
    const { callback } = await authorize(server, web, person, browse(), { state: 'a state & more' })
    expect(callback.get('state')).toBe('a state & more')
    expect(callback.get('iss')).toBe(server.url)
    expect(callback.get('code')).toEqual(expect.any(String))
  })

  it('the token response is not to be stored, of type Bearer, with a numeric expiry', async () => {
    const { json, headers } = await tokens()
    expect(headers.get('cache-control')).toContain('no-store')
    expect(headers.get('pragma')).toBe('no-cache')
    expect(json.token_type).toBe('Bearer')
    expect(json.expires_in).toBe(3600)
  })

  it('the ID token says who, for whom, since when and till when, and its key is published', async () => {
    const before = Math.floor(Date.now() / 1000)
    const { json } = await tokens({ nonce: 'n-0S6_WzA2Mj' })
    const keys = jose.createRemoteJWKSet(new URL(`${server.url}/.well-known/jwks.json`))
    const { payload, protectedHeader } = await jose.jwtVerify(json.id_token, keys, {
      issuer: server.url,
      audience: web.client.id,
    })
    expect(protectedHeader.alg).toBe('RS256')
    expect(payload.sub).toBe(person.id)
    expect(payload.nonce).toBe('n-0S6_WzA2Mj')
    expect(payload.iat).toBeGreaterThanOrEqual(before)
    expect(payload.exp).toBe((payload.iat ?? 0) + 3600)
  })

  it('scope openid alone puts no name or email into the ID token', async () => {
    const { claims } = await tokens({ scope: 'openid' })
    for (const claim of ['name', 'email', 'email_verified']) expect(claims).not.toHaveProperty(claim)
  })

  it('profile and email put the name and address into the ID token, also when refreshed', async () => {
    const who = { name: person.name, email: person.email, email_verified: true }
    const { json, claims } = await tokens({ scope: 'openid profile email offline_access', prompt: 'consent' })
    expect(claims).toMatchObject({ sub: person.id, ...who })
    const next = await tokenRequest(server, web, { grant_type: 'refresh_token', refresh_token: json.refresh_token })
    expect(jose.decodeJwt(next.json.id_token)).toMatchObject({ sub: person.id, ...who })
    const { claims: named } = await tokens({ scope: 'openid profile' })
    expect(named).toMatchObject({ name: person.name })
    expect(named).not.toHaveProperty('email')
  })

  it('without openid there is no ID token', async () => {
    const { json } = await tokens({ scope: 'risk:payment' })
    expect(json).not.toHaveProperty('id_token')
  })

  it('userinfo by GET', async () => {
    const { json } = await tokens()
    const info = await send(`${server.url}/oauth/userinfo`, {
      headers: { authorization: `Bearer ${json.access_token}` },
    })
    expect(info.status).toBe(200)
    expect(info.json.sub).toBe(person.id)
  })

  it('userinfo by POST, with the token in the header or the body', async () => {
    const { json } = await tokens()
    const url = `${server.url}/oauth/userinfo`
    const byHeader = await postForm(url, {}, { authorization: `Bearer ${json.access_token}` })
    expect(byHeader.json.sub).toBe(person.id)
    const byBody = await postForm(url, { access_token: json.access_token })
    expect(byBody.json.sub).toBe(person.id)
  })

  it('userinfo with a bad token is 401 invalid_token', async () => {
    const answer = await send(`${server.url}/oauth/userinfo`, { headers: { authorization: 'Bearer nonsense' } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(answer.json.error).toBe('invalid_token')
  })

  it('a missing response_type is refused', async () => {
    const { location } = await authorize(server, web, person, browse(), { response_type: '', state: 's' })
    const callback = new URL(location).searchParams
    expect(callback.get('error')).toBe('invalid_request')
    expect(callback.get('state')).toBe('s')
  })

  it('no nonce works', async () => {
    const { claims } = await tokens({ nonce: '' })
    expect(claims).not.toHaveProperty('nonce')
  })

  it('profile and email claims are in userinfo, email_verified a boolean', async () => {
    const { json } = await tokens({ scope: 'openid profile email' })
    const info = await send(`${server.url}/oauth/userinfo`, {
      headers: { authorization: `Bearer ${json.access_token}` },
    })
    expect(info.json).toEqual({ sub: person.id, name: person.name, email: person.email, email_verified: true })
  })

  it('the order of scopes does not matter', async () => {
    const { json } = await tokens({ scope: 'email risk:payment profile openid' })
    expect(new Set(json.scope.split(' '))).toEqual(new Set(['openid', 'profile', 'email', 'risk:payment']))
  })

  it.each(['display', 'ui_locales', 'claims_locales', 'login_hint', 'acr_values', 'an_unknown_parameter'])(
    '%s causes no error',
    async (name) => {
      const { callback } = await authorize(server, web, person, browse(), {
        [name]: name === 'display' ? 'popup' : 'en',
      })
      expect(callback.get('error')).toBeNull()
      expect(callback.get('code')).toEqual(expect.any(String))
    },
  )

  it('prompt=login asks again and moves auth_time', async () => {
    const browser = browse()
    const first = await tokens({ max_age: '10000' }, browser)
    pass(120)
    const second = await tokens({ prompt: 'login', max_age: '10000' }, browser)
    expect(second.authorized.pages).toContain('login')
    expect(second.claims?.auth_time).toBeGreaterThan(Number(first.claims?.auth_time))
    expect(second.claims?.sub).toBe(first.claims?.sub)
  })

  it('prompt=none without a session gives login_required and keeps the state', async () => {
    const { callback } = await authorize(server, web, person, browse(), { prompt: 'none', state: 'kept' })
    expect(callback.get('error')).toBe('login_required')
    expect(callback.get('state')).toBe('kept')
  })

  it('prompt=none with a session gives a code and the same sub', async () => {
    const browser = browse()
    const first = await tokens({}, browser)
    const second = await tokens({ prompt: 'none' }, browser)
    expect(second.authorized.pages).toEqual([])
    expect(second.claims?.sub).toBe(first.claims?.sub)
  })

  it('max_age=1 asks again once that second has passed', async () => {
    const browser = browse()
    const first = await tokens({}, browser)
    pass(5)
    const second = await tokens({ max_age: '1' }, browser)
    expect(second.authorized.pages).toContain('login')
    expect(second.claims?.auth_time).toBeGreaterThan(Number(first.claims?.iat))
  })

  it('max_age=10000 does not ask again and says when the person signed in', async () => {
    const browser = browse()
    const first = await tokens({ max_age: '10000' }, browser)
    const second = await tokens({ max_age: '10000' }, browser)
    expect(second.authorized.pages).toEqual([])
    expect(second.claims?.auth_time).toBe(first.claims?.auth_time)
  })

  it('id_token_hint with prompt=none works', async () => {
    const browser = browse()
    const first = await tokens({}, browser)
    const second = await tokens({ prompt: 'none', id_token_hint: first.json.id_token }, browser)
    expect(second.claims?.sub).toBe(first.claims?.sub)
  })

  it('a code used twice gives invalid_grant and ends the first tokens', async () => {
    const { authorized, json } = await tokens()
    expect((await guarded(json.access_token)).status).toBe(200)
    const again = await exchange(server, web, authorized)
    expect(again.status).toBe(400)
    expect(again.json.error).toBe('invalid_grant')
    expect((await guarded(json.access_token)).status).toBe(401)
  })

  it('a code used again after it expired ends the first tokens as well', async () => {
    const { authorized, json } = await tokens()
    pass(90)
    expect((await exchange(server, web, authorized)).json.error).toBe('invalid_grant')
    expect((await guarded(json.access_token)).status).toBe(401)
  })

  it('a code expires after a minute', async () => {
    const authorized = await authorize(server, web, person, browse())
    pass(61)
    expect((await exchange(server, web, authorized)).json.error).toBe('invalid_grant')
  })

  it('an unregistered redirect_uri shows an error page and never redirects', async () => {
    const { challenge } = newVerifier()
    for (const redirect of [
      'https://app.example/callback/',
      'https://app.example/callback?x=1',
      'https://evil.example/callback',
      'https://app.example:444/callback',
      'http://app.example/callback',
    ]) {
      const answer = await send(authorizeUrl(server, web, { challenge, redirect_uri: redirect }))
      expect(answer.status).toBe(400)
      expect(answer.headers.get('location')).toBeNull()
      expect(answer.headers.get('content-type')).toContain('text/html')
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  })

  it('client_secret_basic', async () => {
    const authorized = await authorize(server, web, person, browse())
    const answer = await postForm(
      `${server.url}/oauth/token`,
      {
        grant_type: 'authorization_code',
        code: authorized.callback.get('code') ?? '',
        redirect_uri: 'https://app.example/callback',
        code_verifier: authorized.verifier,
      },
      basic(web.client.id, web.secret),
    )
    expect(answer.status).toBe(200)
  })

  it('client_secret_post', async () => {
    expect((await tokens()).status).toBe(200)
  })

  it('a wrong secret is 401 invalid_client', async () => {
    const answer = await postForm(
      `${server.url}/oauth/token`,
      { grant_type: 'refresh_token', refresh_token: 'x' },
      basic(web.client.id, 'wrong'),
    )
    expect(answer.status).toBe(401)
    expect(answer.json.error).toBe('invalid_client')
    expect(answer.headers.get('www-authenticate')).toContain('Basic')
  })

  it('no client authentication at all is 401 invalid_client', async () => {
    const answer = await postForm(`${server.url}/oauth/token`, { grant_type: 'client_credentials' })
    expect(answer.status).toBe(401)
    expect(answer.json.error).toBe('invalid_client')
  })

  it('a grant the client may not use is unauthorized_client', async () => {
    const answer = await tokenRequest(server, web, { grant_type: 'client_credentials' })
    expect(answer.status).toBe(400)
    expect(answer.json.error).toBe('unauthorized_client')
  })

  it('an unknown grant is unsupported_grant_type', async () => {
    const answer = await tokenRequest(server, web, { grant_type: 'password' })
    expect(answer.json.error).toBe('unsupported_grant_type')
  })

  it('request and a foreign request_uri are named as not supported', async () => {
    const byValue = await authorize(server, web, person, browse(), { request: 'eyJhbGciOiJub25lIn0.e30.' })
    expect(byValue.callback.get('error')).toBe('request_not_supported')
    const { challenge } = newVerifier()
    const answer = await send(authorizeUrl(server, web, { challenge, request_uri: 'https://app.example/request.jwt' }))
    const error =
      new URL(answer.headers.get('location') ?? 'https://x.example').searchParams.get('error') ?? answer.text
    expect(error).toMatch(/request_uri/)
    expect((await metadata()).request_uri_parameter_supported).toBe(false)
  })

  it('a pushed request works once', async () => {
    const { verifier, challenge } = newVerifier()
    const pushed = await postForm(`${server.url}/oauth/par`, {
      client_id: web.client.id,
      client_secret: web.secret,
      response_type: 'code',
      redirect_uri: 'https://app.example/callback',
      scope: 'openid offline_access risk:payment',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    expect(pushed.status).toBe(201)
    const start = `${server.url}/oauth/authorize?client_id=${web.client.id}&request_uri=${encodeURIComponent(pushed.json.request_uri)}`
    const browser = browse()
    const end = await answerPages(browser, start, { email: person.email, password: PASSWORD })
    const callback = new URL(end.location).searchParams
    const answer = await exchange(server, web, { callback, verifier })
    expect(answer.json.refresh_token).toEqual(expect.any(String))
    const again = await answerPages(browser, start, { email: person.email, password: PASSWORD })
    expect(new URL(again.location).searchParams.get('code')).toBeNull()
  })

  it('refreshing rotates the token and keeps iss, sub, aud and auth_time', async () => {
    const first = await tokens({ scope: 'openid offline_access risk:payment', max_age: '10000' })
    pass(60)
    const second = await tokenRequest(server, web, {
      grant_type: 'refresh_token',
      refresh_token: first.json.refresh_token,
    })
    expect(second.status).toBe(200)
    expect(second.json.refresh_token).not.toBe(first.json.refresh_token)
    const claims = jose.decodeJwt(second.json.id_token)
    for (const claim of ['iss', 'sub', 'aud', 'auth_time']) expect(claims[claim]).toEqual(first.claims?.[claim])
    expect(claims.iat).toBeGreaterThan(first.claims?.iat ?? 0)
  })

  it('a refresh token used twice ends every token of its family', async () => {
    const first = await tokens({ scope: 'openid offline_access risk:payment' })
    const refresh = (token: string) => tokenRequest(server, web, { grant_type: 'refresh_token', refresh_token: token })
    const second = await refresh(first.json.refresh_token)
    expect((await guarded(second.json.access_token)).status).toBe(200)
    // As long as tabs may refresh together.
    pass(10)
    expect((await refresh(first.json.refresh_token)).json.error).toBe('invalid_grant')
    expect((await refresh(second.json.refresh_token)).json.error).toBe('invalid_grant')
    expect((await guarded(second.json.access_token)).status).toBe(401)
  })

  it('refreshing may ask for less, never for more', async () => {
    const first = await tokens({ scope: 'openid offline_access risk:payment' })
    const more = await tokenRequest(server, web, {
      grant_type: 'refresh_token',
      refresh_token: first.json.refresh_token,
      scope: 'openid email',
    })
    expect(more.json.error).toBe('invalid_scope')
    const less = await tokenRequest(server, web, {
      grant_type: 'refresh_token',
      refresh_token: first.json.refresh_token,
      scope: 'openid',
    })
    expect(less.json.scope).toBe('openid')
    expect((await guarded(less.json.access_token)).status).toBe(403)
  })

  it('a chain of refresh tokens ends after ninety days, whatever is refreshed', async () => {
    let { json } = await tokens({ scope: 'openid offline_access risk:payment' })
    const begun = Date.now()
    for (const day of [25, 50, 75, 89]) {
      vi.useFakeTimers({ toFake: ['Date'] })
      vi.setSystemTime(begun + day * 86_400_000)
      const next = await tokenRequest(server, web, { grant_type: 'refresh_token', refresh_token: json.refresh_token })
      expect(next.status, `day ${day}: ${next.text}`).toBe(200)
      json = next.json
    }
    vi.setSystemTime(begun + 90 * 86_400_000 + 60_000)
    const late = await tokenRequest(server, web, { grant_type: 'refresh_token', refresh_token: json.refresh_token })
    expect(late.json.error).toBe('invalid_grant')
  })

  it("another client's code or refresh token is refused", async () => {
    const other = await newClient(sql, organisation.id, { kind: 'web' })
    const authorized = await authorize(server, web, person, browse(), { scope: 'openid offline_access risk:payment' })
    expect((await exchange(server, other, authorized)).json.error).toBe('invalid_grant')
    const own = await exchange(server, web, authorized)
    const stolen = await tokenRequest(server, other, {
      grant_type: 'refresh_token',
      refresh_token: own.json.refresh_token,
    })
    expect(stolen.json.error).toBe('invalid_grant')
  })

  it('an old code ends its grant when its own client sends it again, not when a stranger does', async () => {
    const other = await newClient(sql, (await newOrganisation(sql)).id, { kind: 'web' })
    const authorized = await authorize(server, web, person, browse(), { scope: 'openid offline_access risk:payment' })
    const { json } = await exchange(server, web, authorized)
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 120_000)
    expect((await exchange(server, other, authorized)).json.error).toBe('invalid_grant')
    expect((await guarded(json.access_token)).status).toBe(200)
    expect((await exchange(server, web, authorized)).json.error).toBe('invalid_grant')
    expect((await guarded(json.access_token)).status).toBe(401)
  })

  it('a wrong or missing PKCE verifier is refused', async () => {
    for (const verifier of ['', newVerifier().verifier]) {
      const authorized = await authorize(server, web, person, browse())
      const answer = await exchange(server, web, { ...authorized, verifier })
      expect(answer.status).toBe(400)
      expect(answer.json.error).toBe('invalid_grant')
    }
  })

  it('a wrong PKCE verifier ends the code, and nothing else of the person; a stranger’s does not', async () => {
    const { json } = await tokens()
    const authorized = await authorize(server, web, person, browse())
    const wrong = { ...authorized, verifier: newVerifier().verifier }
    const stranger = await newClient(sql, organisation.id, { kind: 'web' })
    expect((await exchange(server, stranger, wrong)).json.error).toBe('invalid_grant')
    expect((await exchange(server, { ...web, secret: 'acs_wrong' }, wrong)).json.error).toBe('invalid_client')
    const spare = await authorize(server, web, person, browse())
    expect((await exchange(server, stranger, { ...spare, verifier: wrong.verifier })).status).toBe(400)
    expect((await exchange(server, web, spare)).status).toBe(200)

    expect((await exchange(server, web, wrong)).json.error).toBe('invalid_grant')
    expect((await exchange(server, web, authorized)).json.error).toBe('invalid_grant')
    expect((await guarded(json.access_token)).status).toBe(200)
  })

  it('a wrong verifier does not hide that a code was used: a replay still ends its tokens', async () => {
    const { json, authorized } = await tokens()
    expect((await exchange(server, web, { ...authorized, verifier: newVerifier().verifier })).status).toBe(400)
    expect((await exchange(server, web, authorized)).json.error).toBe('invalid_grant')
    expect((await guarded(json.access_token)).status).toBe(401)
  })

  it('PKCE is demanded of every client, and plain is refused', async () => {
    const without = await authorize(server, web, person, browse(), { code_challenge: '', code_challenge_method: '' })
    expect(without.callback.get('error')).toBe('invalid_request')
    for (const method of ['plain', '']) {
      const plain = await authorize(server, web, person, browse(), { code_challenge_method: method })
      expect(plain.callback.get('error')).toBe('invalid_request')
      expect(plain.callback.get('code')).toBeNull()
    }
  })

  it('an authorization request by POST works', async () => {
    const { challenge } = newVerifier()
    const url = new URL(authorizeUrl(server, web, { challenge }))
    const answer = await send(url.origin + url.pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: url.searchParams.toString(),
    })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toContain('/oauth/authorize?')
  })

  it('an answer by form post carries the code and lets only its own script run', async () => {
    const { challenge } = newVerifier()
    const end = await answerPages(browse(), authorizeUrl(server, web, { challenge, response_mode: 'form_post' }), {
      email: person.email,
      password: PASSWORD,
    })
    const html = (await end.response?.text()) ?? ''
    expect(html).toContain('action="https://app.example/callback"')
    expect(html).toMatch(/name="code" value="[\w-]+"/)
    expect(end.response?.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+'/)
  })

  it('a person who refuses sends the application access_denied', async () => {
    const { challenge } = newVerifier()
    const end = await answerPages(browse(), authorizeUrl(server, web, { challenge, state: 's', prompt: 'consent' }), {
      email: person.email,
      password: PASSWORD,
      decision: 'deny',
    })
    const callback = new URL(end.location).searchParams
    expect(callback.get('error')).toBe('access_denied')
    expect(callback.get('state')).toBe('s')
  })

  it('signing out ends the session, and only after the person said so', async () => {
    const browser = browse()
    const { json } = await tokens({}, browser)
    const page = await browser.fetch(`/oauth/logout?id_token_hint=${json.id_token}`)
    const xsrf = /name="xsrf" value="(\w+)"/.exec(await page.text())?.[1] ?? ''
    expect(xsrf).not.toBe('')
    const confirm = await browser.fetch('/oauth/logout/confirm', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `xsrf=${xsrf}&logout=yes`,
    })
    expect(confirm.status).toBe(303)
    const { callback } = await authorize(server, web, person, browser, { prompt: 'none' })
    expect(callback.get('error')).toBe('login_required')
  })

  it('another person can sign in where somebody already is', async () => {
    const browser = browse()
    await tokens({}, browser)
    const other = await newPerson(sql, [organisation])
    const authorized = await authorize(server, web, other, browser, { prompt: 'login' })
    const answer = await exchange(server, web, authorized)
    expect(jose.decodeJwt(answer.json.id_token).sub).toBe(other.id)
  })

  it('offline_access gives a refresh token without the client asking for consent by name', async () => {
    const browser = browse()
    const first = await tokens({ scope: 'openid offline_access risk:payment' }, browser)
    expect(first.json.refresh_token).toEqual(expect.any(String))
    const without = await tokens({ scope: 'openid risk:payment' }, browser)
    expect(without.json).not.toHaveProperty('refresh_token')
  })

  it('a native client may use any port of the loopback address, and nothing else', async () => {
    const native = await newClient(sql, organisation.id, {
      kind: 'native',
      redirect_uris: ['http://127.0.0.1/callback'],
    })
    const { verifier, challenge } = newVerifier()
    const redirect = 'http://127.0.0.1:51004/callback'
    const end = await answerPages(browse(), authorizeUrl(server, native, { challenge, redirect_uri: redirect }), {
      email: person.email,
      password: PASSWORD,
    })
    expect(end.location.startsWith(redirect)).toBe(true)
    const answer = await tokenRequest(server, native, {
      grant_type: 'authorization_code',
      code: new URL(end.location).searchParams.get('code') ?? '',
      redirect_uri: redirect,
      code_verifier: verifier,
    })
    expect(answer.status).toBe(200)
    for (const other of [
      'http://127.0.0.1:51004/other',
      'http://127.0.0.2:51004/callback',
      'http://localhost:51004/callback',
    ]) {
      const refused = await send(authorizeUrl(server, native, { challenge, redirect_uri: other }))
      expect(refused.status).toBe(400)
    }
  })

  it('a browser application may call the token endpoint from its own origin only', async () => {
    const spa = await newClient(sql, organisation.id, { kind: 'spa' })
    const call = (origin: string) =>
      postForm(
        `${server.url}/oauth/token`,
        {
          client_id: spa.client.id,
          grant_type: 'authorization_code',
          code: 'x',
          redirect_uri: 'https://app.example/callback',
          code_verifier: 'x',
        },
        { origin },
      )
    expect((await call('https://app.example')).headers.get('access-control-allow-origin')).toBe('https://app.example')
    const foreign = await call('https://evil.example')
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull()
    const preflight = await send(`${server.url}/oauth/token`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
  })
})

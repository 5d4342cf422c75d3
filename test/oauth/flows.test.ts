import * as client from 'openid-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { describeEachStore } from '../support/stores.ts'
import { answerPages, Browser } from './support/browser.ts'
import { newClient, newOrganisation, newPerson, PASSWORD, startServer, type TestServer } from './support/server.ts'

describeEachStore('every flow with a standard client library', (open) => {
  let sql: Sql
  let server: TestServer
  const insecure = { execute: [client.allowInsecureRequests] }

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
  })
  afterAll(() => server.close())

  const call = (token: string, scope = 'risk:payment') =>
    fetch(`${server.url}/guarded/${scope}`, { headers: { authorization: `Bearer ${token}` } })

  it('client credentials: a token from the metadata alone, good for its scopes and no others', async () => {
    const organisation = await newOrganisation(sql)
    const { client: app, secret } = await newClient(sql, organisation.id, { kind: 'service' })
    const config = await client.discovery(new URL(server.url), app.id, secret, undefined, insecure)
    const tokens = await client.clientCredentialsGrant(config, { scope: 'risk:payment' })
    expect(tokens.token_type).toBe('bearer')
    expect(tokens.expires_in).toBe(3600)
    expect(tokens.scope).toBe('risk:payment')
    const answer = await call(tokens.access_token)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ organisation: organisation.id, credential: app.id, user: null })
    const refused = await call(tokens.access_token, 'risk:bulk')
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toContain('insufficient_scope')
  })

  it('authorization code with PKCE: a person signs in, consents, and their organisation is charged', async () => {
    const [own, other] = [await newOrganisation(sql, 'Own'), await newOrganisation(sql, 'Other')]
    const { client: app, secret } = await newClient(sql, own.id, { kind: 'web' })
    const person = await newPerson(sql, [own, other])
    const config = await client.discovery(new URL(server.url), app.id, secret, undefined, insecure)
    const verifier = client.randomPKCECodeVerifier()
    const [state, nonce] = [client.randomState(), client.randomNonce()]
    const start = client.buildAuthorizationUrl(config, {
      redirect_uri: 'https://app.example/callback',
      scope: 'openid profile email offline_access risk:payment',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    })
    const end = await answerPages(new Browser(server.url), start.href, {
      email: person.email,
      password: PASSWORD,
      organisationId: other.id,
    })
    expect(end.pages).toEqual(['login', 'consent'])
    const tokens = await client.authorizationCodeGrant(config, new URL(end.location), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
    })
    expect(tokens.claims()?.sub).toBe(person.id)
    expect(await (await call(tokens.access_token)).json()).toEqual({
      organisation: other.id,
      credential: app.id,
      user: person.id,
    })
    const info = await client.fetchUserInfo(config, tokens.access_token, person.id)
    expect(info).toEqual({ sub: person.id, name: 'Pat Example', email: person.email, email_verified: true })
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
    expect((await call(refreshed.access_token)).status).toBe(200)
  })

  it('device flow: a public client without a secret, approved in a browser', async () => {
    const organisation = await newOrganisation(sql)
    const { client: app } = await newClient(sql, organisation.id, { kind: 'native', redirect_uris: [] })
    const person = await newPerson(sql, [organisation])
    const config = await client.discovery(new URL(server.url), app.id, undefined, client.None(), insecure)
    const device = await client.initiateDeviceAuthorization(config, { scope: 'openid offline_access risk:payment' })
    const browser = new Browser(server.url)
    const { csrf } = (await (await browser.fetch('/api/device')).json()) as { csrf: string }
    const typed = device.user_code.toLowerCase().replace('-', '')
    const shown = await browser.post('/api/device/lookup', csrf, { user_code: typed })
    expect(await shown.json()).toMatchObject({ user_code: device.user_code, client: { id: app.id } })
    const confirmed = await browser.post('/api/device/confirm', csrf, { user_code: typed, decision: 'allow' })
    const { redirect_to } = (await confirmed.json()) as { redirect_to: string }
    const end = await answerPages(browser, redirect_to, { email: person.email, password: PASSWORD })
    expect(new URL(end.location).pathname).toBe('/device/done')
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0 })
    expect((await call(tokens.access_token)).status).toBe(200)
    expect(tokens.refresh_token).toBeDefined()
  })
})

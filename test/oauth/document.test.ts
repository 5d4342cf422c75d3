import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { ALL_OPERATIONS, closed } from '../support/openapi.ts'
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
  newVerifier,
  type OAuthAnswer,
  poll,
  postForm,
  send,
  tokenRequest,
} from './support/flow.ts'
import { newClient, newOrganisation, newPerson, startServer, type TestServer } from './support/server.ts'

/** The OAuth endpoints answer as openapi.json says: every status, every field and no other. */

describeRules('the OAuth endpoints in openapi.json', (open) => {
  let sql: Sql
  let server: TestServer
  let organisation: Organisation
  let person: Person
  let web: App
  let service: App
  let cli: App

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
    organisation = await newOrganisation(sql)
    person = await newPerson(sql, [organisation])
    web = await newClient(sql, organisation.id, { kind: 'web' })
    service = await newClient(sql, organisation.id, { kind: 'service' })
    cli = await newClient(sql, organisation.id, { kind: 'native', redirect_uris: [] })
  })
  afterAll(() => server.close())

  function expectDocumented(method: string, path: string, answer: OAuthAnswer): OAuthAnswer {
    const label = `${method} ${path} ${answer.status} ${answer.text.slice(0, 300)}`
    const operation = ALL_OPERATIONS.find((one) => one.method === method && one.path === path)
    const response = operation?.responses[answer.status]
    expect(response, label).toBeDefined()
    const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
    const schema = response?.content?.[type]?.schema
    if (response?.content) expect(schema, label).toBeDefined()
    if (type !== 'application/json') return answer
    const wrong = Value.Errors(closed(schema) as never, answer.json)
    expect(
      wrong.map((error) => `${error.instancePath} ${error.message}`),
      label,
    ).toEqual([])
    return answer
  }
  const get = async (path: string, headers: Record<string, string> = {}) =>
    expectDocumented('GET', path.split('?')[0]!, await send(`${server.url}${path}`, { headers }))
  const post = async (path: string, form: Record<string, string>) =>
    expectDocumented('POST', path, await postForm(`${server.url}${path}`, form))

  it('answer with documented fields when all is well', async () => {
    for (const name of ['openid-configuration', 'oauth-authorization-server', 'jwks.json', 'oauth-protected-resource'])
      expect((await get(`/.well-known/${name}`)).status).toBe(200)

    const own = await tokenRequest(server, service, { grant_type: 'client_credentials' })
    expect(expectDocumented('POST', '/oauth/token', own).status).toBe(200)

    const asked = { scope: 'openid profile email offline_access risk:payment' }
    const code = await exchange(server, web, await authorize(server, web, person, new Browser(server.url), asked))
    expect(expectDocumented('POST', '/oauth/token', code).status).toBe(200)
    const refreshed = await tokenRequest(server, web, {
      grant_type: 'refresh_token',
      refresh_token: code.json.refresh_token,
    })
    expect(expectDocumented('POST', '/oauth/token', refreshed).status).toBe(200)
    const token: string = refreshed.json.access_token
    expect((await get('/oauth/userinfo', { authorization: `Bearer ${token}` })).status).toBe(200)

    for (const one of [token, refreshed.json.refresh_token, own.json.access_token, 'unknown'])
      expect((await post('/oauth/introspect', { ...credentials(web), token: one })).status).toBe(200)
    expect((await post('/oauth/revoke', { ...credentials(web), token })).status).toBe(200)

    const begun = expectDocumented('POST', '/oauth/device_authorization', await beginDevice(server, cli))
    expect(begun.status).toBe(200)
    await approveDevice(new Browser(server.url), begun.json.user_code, person)
    const polled = await poll(server, cli, begun.json.device_code)
    expect(expectDocumented('POST', '/oauth/token', polled).status).toBe(200)

    const { challenge } = newVerifier()
    const url = new URL(authorizeUrl(server, web, { challenge }))
    const pushed = await post('/oauth/par', { ...Object.fromEntries(url.searchParams), ...credentials(web) })
    expect(pushed.status).toBe(201)
    expect((await get(`/oauth/authorize${url.search}`)).status).toBe(303)
    expect((await get('/oauth/logout')).status).toBe(200)
  })

  it('answer with documented errors when it is not', async () => {
    const refused = async (path: string, form: Record<string, string>) => {
      const { status, json } = await post(path, form)
      return [status, json.error]
    }
    expect(await refused('/oauth/token', {})).toEqual([401, 'invalid_client'])
    expect(await refused('/oauth/token', { grant_type: 'client_credentials' })).toEqual([401, 'invalid_client'])
    expect(await refused('/oauth/token', { ...credentials(service), grant_type: 'password' })).toEqual([
      400,
      'unsupported_grant_type',
    ])
    const wanting = { ...credentials(service), grant_type: 'client_credentials', scope: 'openid' }
    expect(await refused('/oauth/token', wanting)).toEqual([400, 'invalid_scope'])
    const begun = await beginDevice(server, cli)
    const polling = { ...credentials(cli), grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }
    const device_code: string = begun.json.device_code
    expect(await refused('/oauth/token', { ...polling, device_code })).toEqual([400, 'authorization_pending'])
    expect(await refused('/oauth/token', { ...polling, device_code })).toEqual([400, 'slow_down'])
    expect(await refused('/oauth/token', { ...polling, device_code: 'unknown' })).toEqual([400, 'invalid_grant'])
    expect(await refused('/oauth/device_authorization', credentials(web))).toEqual([400, 'unauthorized_client'])
    expect(await refused('/oauth/par', credentials(web))).toEqual([400, 'invalid_request'])
    expect(await refused('/oauth/revoke', credentials(web))).toEqual([400, 'invalid_request'])
    expect(await refused('/oauth/introspect', credentials(web))).toEqual([400, 'invalid_request'])
    expect((await get('/oauth/userinfo')).status).toBe(401)
    expect((await get('/oauth/userinfo', { authorization: 'Bearer unknown' })).status).toBe(401)
    const own = await tokenRequest(server, service, { grant_type: 'client_credentials' })
    expect((await get('/oauth/userinfo', { authorization: `Bearer ${own.json.access_token}` })).status).toBe(401)
    expect((await get('/oauth/authorize?client_id=nobody')).status).toBe(400)
  })
})

import { request as httpRequest } from 'node:http'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { describeEachStore } from '../support/stores.ts'
import { type App, basic, DEVICE_GRANT, type OAuthAnswer, send } from './support/flow.ts'
import { newClient, newOrganisation, newPerson, startServer, type TestServer } from './support/server.ts'

/** Whatever is sent to an OAuth endpoint, the answer is one the standards know: never 500, never a stack. */
const POST_ENDPOINTS = [
  '/oauth/token',
  '/oauth/device_authorization',
  '/oauth/revoke',
  '/oauth/introspect',
  '/oauth/par',
  '/oauth/userinfo',
  '/oauth/authorize',
  '/oauth/logout/confirm',
]
const GET_ENDPOINTS = [
  '/oauth/authorize',
  '/oauth/userinfo',
  '/oauth/logout',
  '/oauth/logout/success',
  '/.well-known/openid-configuration',
]
const PAGE_ENDPOINTS = [
  '/api/device/lookup',
  '/api/device/confirm',
  '/api/session',
  `/api/interaction/${'x'.repeat(43)}/login`,
  `/api/interaction/${'x'.repeat(43)}/consent`,
]

const PARAMETERS = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'redirect_uri',
  'scope',
  'refresh_token',
  'device_code',
  'token',
  'token_type_hint',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'prompt',
  'max_age',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
  'id_token_hint',
  'login_hint',
  'client_assertion',
  'client_assertion_type',
  'user_code',
  'xsrf',
  'logout',
  'post_logout_redirect_uri',
  'access_token',
  'claims',
  'resource',
  'acr_values',
  'display',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
]

describeEachStore('any input to the OAuth endpoints', (open, engine) => {
  let sql: Sql
  let server: TestServer
  let service: App
  let web: App
  let native: App

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
    const organisation = await newOrganisation(sql)
    await newPerson(sql, [organisation])
    service = await newClient(sql, organisation.id, { kind: 'service' })
    web = await newClient(sql, organisation.id, { kind: 'web' })
    native = await newClient(sql, organisation.id, { kind: 'native' })
  })
  afterAll(() => server.close())

  const runs = engine === 'sqlite' ? 150 : 60

  function check(answer: OAuthAnswer, what: string): void {
    expect(answer.status, `${what}: ${answer.text}`).toBeGreaterThanOrEqual(200)
    expect(answer.status, `${what}: ${answer.text}`).toBeLessThan(500)
    expect(answer.text).not.toMatch(/\.js:\d+|\.ts:\d+|node_modules|server_error/)
    const isJson = /json/.test(answer.headers.get('content-type') ?? '')
    if (answer.status >= 400 && isJson && !what.startsWith('/api'))
      expect(answer.json.error, what).toEqual(expect.any(String))
  }

  const text = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '',
      '\0',
      '%00',
      '%',
      '%zz',
      '[]',
      '{}',
      '"',
      'null',
      'undefined',
      '0',
      '-1',
      '1e999',
      '../..',
      'a'.repeat(5000),
      ' ',
      'Ω',
      '\ud800',
      'http://[',
      'urn:ietf:params:oauth:request_uri:x',
    ),
    fc.constantFrom(
      'client_credentials',
      'authorization_code',
      'refresh_token',
      DEVICE_GRANT,
      'code',
      'openid',
      'risk:payment',
      'S256',
      'none',
      'login',
      'consent',
    ),
    fc.constantFrom(
      'eyJhbGciOiJub25lIn0.e30.',
      'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln',
      'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    ),
  )
  const identity = () => fc.constantFrom(service, web, native)
  const form = fc.array(fc.tuple(fc.constantFrom(...PARAMETERS), text), { maxLength: 10 })

  it('any form, with or without valid credentials', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...POST_ENDPOINTS),
        form,
        fc.option(identity()),
        fc.boolean(),
        async (path, fields, app, inHeader) => {
          const body = new URLSearchParams(fields)
          if (app && !inHeader) {
            body.set('client_id', app.client.id)
            if (app.secret) body.set('client_secret', app.secret)
          }
          const headers = {
            'content-type': 'application/x-www-form-urlencoded',
            ...(app && inHeader ? basic(app.client.id, app.secret) : {}),
          }
          check(await send(server.url + path, { method: 'POST', headers, body: body.toString() }), path)
        },
      ),
      { numRuns: runs },
    )
  })

  it('any query', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...GET_ENDPOINTS), form, fc.option(identity()), async (path, fields, app) => {
        const query = new URLSearchParams(fields)
        if (app) query.set('client_id', app.client.id)
        check(await send(`${server.url}${path}?${query}`), path)
      }),
      { numRuns: runs },
    )
  })

  it('any bytes under any content type', async () => {
    const type = fc.constantFrom(
      'application/x-www-form-urlencoded',
      'application/json',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded; charset=utf-16',
      'application/x-www-form-urlencoded; charset=nonsense',
      'nonsense',
      '',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...POST_ENDPOINTS, ...PAGE_ENDPOINTS),
        type,
        fc.uint8Array({ maxLength: 300 }),
        async (path, contentType, bytes) => {
          const headers = {
            ...(contentType ? { 'content-type': contentType } : {}),
            ...basic(web.client.id, web.secret),
          }
          check(await send(server.url + path, { method: 'POST', headers, body: new Uint8Array(bytes) }), path)
        },
      ),
      { numRuns: runs },
    )
  })

  it('any authorization header', async () => {
    const value = fc.oneof(
      fc.string({ maxLength: 80 }).map((one) => one.replace(/[^\x20-\x7e]/g, '')),
      fc.string({ maxLength: 40 }).map((one) => `Basic ${Buffer.from(one).toString('base64')}`),
      fc.string({ unit: 'binary', maxLength: 20 }).map((one) => `Basic ${Buffer.from(`${one}:`).toString('base64')}`),
      fc.constantFrom('Basic', 'Basic ', 'Basic %', 'Bearer', 'Bearer a b', 'Basic Og==', 'DPoP x'),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...POST_ENDPOINTS), value, async (path, authorization) => {
        const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' }
        check(
          await send(server.url + path, { method: 'POST', headers, body: 'grant_type=client_credentials&token=x' }),
          path,
        )
      }),
      { numRuns: runs },
    )
  })

  it('any cookies', async () => {
    const cookie = fc
      .array(
        fc.tuple(
          fc.constantFrom(
            '_assay_oauth',
            '_assay_oauth.sig',
            '_assay_resume',
            '_assay_page',
            '_assay_device',
            'assay_session',
          ),
          fc.string({ maxLength: 50 }),
        ),
        { maxLength: 5 },
      )
      .map((pairs) => pairs.map(([name, value]) => `${name}=${value.replace(/[^\x21-\x3a\x3c-\x7e]/g, '')}`).join('; '))
    const path = fc.constantFrom(
      `/oauth/authorize/${'x'.repeat(43)}`,
      `/device/${'x'.repeat(43)}`,
      `/api/interaction/${'x'.repeat(43)}`,
      '/api/session',
      '/api/device',
      '/oauth/logout',
      '/oauth/authorize',
    )
    await fc.assert(
      fc.asyncProperty(path, cookie, async (target, header) => {
        check(await send(server.url + target, { headers: header ? { cookie: header } : {} }), target)
      }),
      { numRuns: runs },
    )
  })

  it('any JSON to the pages', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PAGE_ENDPOINTS), fc.json({ maxDepth: 3 }), async (path, body) => {
        check(
          await send(server.url + path, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-csrf-token': 'x' },
            body,
          }),
          path,
        )
      }),
      { numRuns: runs / 2 },
    )
  })

  it.each(POST_ENDPOINTS.filter((path) => path !== '/oauth/authorize'))(
    'a repeated parameter is refused or ignored: %s',
    async (path) => {
      const body = `client_id=${web.client.id}&client_secret=${web.secret}&grant_type=refresh_token&grant_type=refresh_token&token=a&token=b&scope=a&scope=b&refresh_token=x&response_type=code&response_type=code&xsrf=1&xsrf=2`
      const answer = await send(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      })
      check(answer, path)
      expect([400, 401]).toContain(answer.status)
    },
  )

  it.each(['/oauth/token', '/oauth/device_authorization', '/oauth/revoke', '/oauth/introspect', '/oauth/par'])(
    'a JSON body is invalid_request: %s',
    async (path) => {
      const body = JSON.stringify({
        client_id: service.client.id,
        client_secret: service.secret,
        grant_type: 'client_credentials',
      })
      const answer = await send(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      expect(answer.status).toBe(400)
      expect(answer.json.error).toBe('invalid_request')
    },
  )

  it.each(['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/par', '/oauth/device_authorization'])(
    'an oversized body is refused: %s',
    async (path) => {
      const answer = await send(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `token=${'a'.repeat(70_000)}`,
      })
      expect(answer.status).toBe(413)
      expect(answer.json.error).toBe('invalid_request')
    },
  )

  it.each(['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/par', '/oauth/device_authorization'])(
    'other methods are refused with Allow: %s',
    async (path) => {
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
        const answer = await send(server.url + path, { method })
        expect(answer.status).toBe(405)
        expect(answer.headers.get('allow')).toContain('POST')
        expect(answer.json.error).toBe('invalid_request')
      }
    },
  )

  it('an Accept header for HTML still gets JSON from the endpoints of programs', async () => {
    const answer = await send(`${server.url}/oauth/token`, {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    })
    expect(answer.json.error).toBe('invalid_client')
  })

  it('a body cut short is not waited for for ever, and harms nobody else', async () => {
    const { port } = new URL(server.url)
    await new Promise<void>((resolve) => {
      const half = httpRequest({
        port,
        host: 'localhost',
        path: '/oauth/token',
        method: 'POST',
        headers: { 'content-length': 100, 'content-type': 'application/x-www-form-urlencoded' },
      })
      half.on('error', () => resolve())
      half.on('close', () => resolve())
      half.write('grant_type=', () => half.destroy())
    })
    const answer = await send(`${server.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(service.client.id, service.secret) },
      body: 'grant_type=client_credentials',
    })
    expect(answer.status).toBe(200)
    expect(answer.json.scope).toBe('risk:payment risk:bulk billing:read')
  })
})

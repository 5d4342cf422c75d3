import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { anyText } from '../support/any-text.ts'
import { ManualClock } from '../support/clock.ts'
import { FULL } from '../support/full.ts'
import { runs } from '../support/runs.ts'
import { describeRules } from '../support/stores.ts'
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

describeRules('any input to the OAuth endpoints', (open, engine) => {
  let sql: Sql
  let server: TestServer
  let service: App
  let web: App
  let native: App
  const clock = new ManualClock(Date.now())

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql, { clock })
    const organisation = await newOrganisation(sql)
    await newPerson(sql, [organisation])
    service = await newClient(sql, organisation.id, { kind: 'service' })
    web = await newClient(sql, organisation.id, { kind: 'web' })
    native = await newClient(sql, organisation.id, { kind: 'native' })
  })
  afterAll(() => server.close())

  const numRuns = runs(engine === 'sqlite' ? 50 : 20)

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
    anyText({ maxLength: 40 }),
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
      { numRuns },
    )
  })

  it('any query', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...GET_ENDPOINTS), form, fc.option(identity()), async (path, fields, app) => {
        const query = new URLSearchParams(fields)
        if (app) query.set('client_id', app.client.id)
        check(await send(`${server.url}${path}?${query}`), path)
      }),
      { numRuns },
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
      { numRuns },
    )
  })

  it('any authorization header', async () => {
    const value = fc.oneof(
      fc.string({ maxLength: 80 }).map((one) => one.replace(/[^\x20-\x7e]/g, '')),
      fc.string({ maxLength: 40 }).map((one) => `Basic ${Buffer.from(one).toString('base64')}`),
      anyText({ maxLength: 20 }).map((one) => `Basic ${Buffer.from(`${one}:`).toString('base64')}`),
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
      { numRuns },
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
      { numRuns },
    )
  })

  /** Texts that attacks often send, encoded as in an address or a form. */
  const HOSTILE = [
    '',
    '%00',
    '%ff%fe',
    '%c3%28',
    '%ed%a0%80',
    '%F4%90%80%80',
    '%0d%0aset-cookie:x=y',
    '%',
    'a'.repeat(3000),
    '%00'.repeat(1000),
    '-1',
    '1e999',
    '99999999999999999999',
    'NaN',
    '{}',
    '[]',
    'null',
    '%7B%22id_token%22:%7B%22__proto__%22:%7B%22essential%22:true%7D%7D%7D',
    '%7B%22id_token%22:%7B%22sub%22:%7B%22value%22:1%7D%7D,%22userinfo%22:[]%7D',
    'eyJhbGciOiJub25lIn0.e30.',
    'eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOlsieCJdfQ.c2ln',
    'eyJhbGciOiJSUzI1NiJ9.bm90IEpTT04.c2ln',
    'eyJhbGciOiJIUzI1NiIsImtpZCI6e319.bnVsbA.c2ln',
    'none%20login%20consent',
    'javascript:alert(1)',
    '%3Cscript%3E',
    'http://%00',
    'urn:ietf:params:oauth:request_uri:%00',
    'assay-cli',
    'cli_00000000000000000000',
    '__proto__',
  ]
  const AUTHORIZE = () =>
    `client_id=${web.client.id}&response_type=code&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&scope=openid` +
    `&code_challenge=${'c'.repeat(43)}&code_challenge_method=S256`
  const OF_AUTHORIZE = [
    'client_id',
    'response_type',
    'redirect_uri',
    'scope',
    'code_challenge',
    'code_challenge_method',
    'state',
    'nonce',
    'prompt',
    'max_age',
    'claims',
    'claims_locales',
    'request',
    'request_uri',
    'ui_locales',
    'id_token_hint',
    'login_hint',
    'acr_values',
    'display',
    'response_mode',
    'registration',
    'resource',
    'dpop_jkt',
    'audience',
    'web_message_uri',
    'authorization_details',
  ]
  const OF_LOGOUT = ['id_token_hint', 'post_logout_redirect_uri', 'state', 'ui_locales', 'client_id', 'logout_hint']

  /** Requests that are right but for one parameter, which is replaced; or stands there twice, or as a list. */
  function spoiled(right: string, name: string): string[] {
    const others = right.split('&').filter((pair) => pair !== '' && !pair.startsWith(`${name}=`))
    const all = [...HOSTILE, `a&${name}=a`, `&${name}[]=a&${name}[b]=c`]
    // In the short form a third of them, others for each name.
    const values = FULL ? all : all.filter((_, at) => at % 3 === name.length % 3)
    return values.map((value) => [...others, `${name}=${value}`].join('&'))
  }

  it('a sign-in with one hostile parameter, in the address or pushed', async () => {
    for (const name of OF_AUTHORIZE) {
      await inLots(spoiled(AUTHORIZE(), name), async (query) => {
        const answers = [
          send(`${server.url}/oauth/authorize?${query}`),
          send(`${server.url}/oauth/par`, {
            method: 'POST',
            headers: { 'content-type': 'application/x-www-form-urlencoded', ...basic(web.client.id, web.secret) },
            body: query,
          }),
        ]
        for (const answer of await Promise.all(answers)) check(answer, `authorize?${query.slice(0, 400)}`)
      })
    }
  })

  it('a sign-out, and where a sign-in goes on, with one hostile parameter', async () => {
    const onward = [`/oauth/authorize/x`, `/oauth/authorize/${'x'.repeat(43)}`, `/device/${'x'.repeat(43)}`]
    for (const name of OF_LOGOUT) {
      const right = `client_id=${web.client.id}&state=x`
      await inLots(spoiled(right, name), async (query) =>
        check(await send(`${server.url}/oauth/logout?${query}`), `logout?${query.slice(0, 400)}`),
      )
    }
    const known = [web.client.id, native.client.id, 'assay-cli'].map((id) => `client_id=${id}`)
    for (const path of onward) {
      await inLots(
        [...known, ...known.map((one) => `${one}&redirect_uri=%00`), ...HOSTILE.map((value) => `client_id=${value}`)],
        async (query) => check(await send(`${server.url}${path}?${query}`), `${path}?${query.slice(0, 400)}`),
      )
    }
  })

  it('a name in the path that is nobody’s, whatever it looks like', async () => {
    const names = ['x', '%00', '%ff', '..%2f..', 'a'.repeat(3000), '__proto__', 'constructor', '%20', '*', ':uid']
    for (const start of ['/oauth/authorize', '/device', '/api/interaction', '/oauth/logout']) {
      await inLots(names, async (name) => {
        check(await send(`${server.url}${start}/${name}?client_id=assay-cli`), `/api ${start}/${name.slice(0, 40)}`)
      })
    }
  })

  it('bytes above ASCII that nobody encoded', async () => {
    const { port } = new URL(server.url)
    for (const path of ['/oauth/authorize?state=', '/oauth/logout?state=', '/oauth/authorize/', '/oauth/token?x=']) {
      const line = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), 'localhost')
        let text = ''
        socket.on('data', (part) => {
          text += part.toString('latin1')
        })
        socket.on('close', () => resolve(text.split('\r\n', 1)[0] ?? ''))
        socket.on('error', reject)
        socket.end(Buffer.from(`GET ${path}\xff\xfe HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`, 'latin1'))
      })
      expect(line, path).toMatch(/^HTTP\/1\.1 [234]\d\d /)
    }
  })

  /** A few at a time; the time moves on, so that nobody sends too fast. */
  async function inLots<T>(all: readonly T[], each: (one: T) => Promise<void>): Promise<void> {
    for (let i = 0; i < all.length; i += 20) {
      await Promise.all(all.slice(i, i + 20).map(each))
      clock.advance(1000)
    }
    // Whatever was begun is not what is looked at here.
    await sql.query('delete from oauth_record')
  }

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
      { numRuns: Math.ceil(numRuns / 2) },
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
      const unknown = await send(server.url + path, { method: 'PROPFIND' })
      expect([unknown.status, unknown.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
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

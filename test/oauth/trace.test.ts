import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { createTrace } from '../../src/oauth/trace.ts'
import { createLogger } from '../../src/ops/logging.ts'
import { ManualClock } from '../support/clock.ts'
import { LOG_FIELDS } from '../support/log-fields.ts'
import { describeRules } from '../support/stores.ts'
import { Browser } from './support/browser.ts'
import {
  type App,
  authorize,
  authorizeUrl,
  basic,
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

type Line = Record<string, unknown>

const linesInto = (lines: Line[]) => ({
  write(line: string) {
    lines.push(JSON.parse(line) as Line)
  },
})

describeRules('what an operator sees of OAuth', (open) => {
  let sql: Sql
  let server: TestServer
  let organisation: Organisation
  let person: Person
  let web: App
  let cli: App
  let service: App
  const lines: Line[] = []
  const counts = new Map<string, number>()

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql, {
      log: linesInto(lines),
      countOAuth: (endpoint, outcome) =>
        counts.set(`${endpoint} ${outcome}`, (counts.get(`${endpoint} ${outcome}`) ?? 0) + 1),
    })
    organisation = await newOrganisation(sql)
    person = await newPerson(sql, [organisation])
    web = await newClient(sql, organisation.id, { kind: 'web' })
    cli = await newClient(sql, organisation.id, { kind: 'native', redirect_uris: [] })
    service = await newClient(sql, organisation.id, { kind: 'service' })
  })
  afterAll(() => server.close())

  const MARKS = ['endpoint', 'error', 'detail', 'client_id', 'reused'] as const
  /** The lines about one answer, beside the one that every request has. */
  const about = (answer: OAuthAnswer) =>
    lines
      .filter(({ request_id, msg }) => request_id === answer.headers.get('x-request-id') && msg !== 'request')
      .map((line): Line => ({ level: line.level, ...Object.fromEntries(MARKS.map((mark) => [mark, line[mark]])) }))

  it('every refusal is one line that says why, for whom and where, and no secret', async () => {
    const { challenge } = newVerifier()
    const secret = 'a secret that nobody may read in the log'
    const expected: [OAuthAnswer, Partial<Line>][] = [
      [
        await postForm(
          `${server.url}/oauth/token`,
          { grant_type: 'client_credentials' },
          basic(service.client.id, secret),
        ),
        { endpoint: 'token', error: 'invalid_client', client_id: service.client.id, detail: /invalid secret/ },
      ],
      [
        await postForm(
          `${server.url}/oauth/token`,
          { grant_type: 'client_credentials' },
          basic('cli_00000000000000000000', secret),
        ),
        {
          endpoint: 'token',
          error: 'invalid_client',
          client_id: 'cli_00000000000000000000',
          detail: /client not found/,
        },
      ],
      [
        await postForm(`${server.url}/oauth/token`, { grant_type: 'client_credentials' }, basic(secret, secret)),
        { endpoint: 'token', error: 'invalid_client', client_id: undefined },
      ],
      [
        await tokenRequest(server, web, { grant_type: 'refresh_token', refresh_token: secret }),
        { endpoint: 'token', error: 'invalid_grant', client_id: web.client.id, detail: /refresh token not found/ },
      ],
      [
        await tokenRequest(server, web, { grant_type: 'client_credentials' }),
        { endpoint: 'token', error: 'unauthorized_client', client_id: web.client.id },
      ],
      [
        await tokenRequest(server, service, { grant_type: 'client_credentials', scope: 'openid' }),
        { endpoint: 'token', error: 'invalid_scope', client_id: service.client.id },
      ],
      [
        await send(authorizeUrl(server, web, { challenge, redirect_uri: `https://evil.example/${secret}` })),
        { endpoint: 'authorization', error: 'invalid_redirect_uri', client_id: web.client.id },
      ],
      [
        await send(authorizeUrl(server, web, { challenge, prompt: 'none' })),
        { endpoint: 'authorization', error: 'login_required', client_id: web.client.id },
      ],
      [
        await send(`${server.url}/oauth/userinfo`, { headers: { authorization: `Bearer ${'x'.repeat(43)}` } }),
        { endpoint: 'userinfo', error: 'invalid_token', client_id: undefined, detail: /access token not found/ },
      ],
      [
        await postForm(`${server.url}/oauth/introspect`, { client_id: service.client.id, token: secret }),
        { endpoint: 'introspection', error: 'invalid_client', client_id: service.client.id },
      ],
      [
        await postForm(`${server.url}/oauth/revoke`, { ...credentials(service) }),
        { endpoint: 'revocation', error: 'invalid_request', client_id: service.client.id },
      ],
      [
        await beginDevice(server, web),
        { endpoint: 'device_authorization', error: 'invalid_client', client_id: web.client.id },
      ],
      [
        await postForm(`${server.url}/oauth/par`, { ...credentials(web), response_type: 'code' }),
        { endpoint: 'pushed_authorization_request', client_id: web.client.id },
      ],
      [
        await send(`${server.url}/oauth/logout?id_token_hint=${encodeURIComponent(secret)}`),
        { endpoint: 'end_session', error: 'invalid_request' },
      ],
      [
        await postForm(`${server.url}/oauth/logout/confirm`, { xsrf: secret }),
        { endpoint: 'end_session', error: 'invalid_request' },
      ],
      [
        await send(`${server.url}/oauth/token`, { method: 'PUT' }),
        { endpoint: 'token', error: 'invalid_request', detail: /use POST/ },
      ],
      [
        await send(`${server.url}/oauth/authorize?client_id=${web.client.id}&state=${'x'.repeat(5000)}`),
        { endpoint: 'authorization', error: 'invalid_request', client_id: web.client.id, detail: /longer than/ },
      ],
    ]
    for (const [answer, line] of expected) {
      const written = about(answer)
      expect(written, answer.text.slice(0, 200)).toHaveLength(1)
      const [one] = written
      expect(one?.level).toBe('info')
      for (const [name, value] of Object.entries(line)) {
        if (value instanceof RegExp) expect(one?.[name]).toMatch(value)
        else expect(one?.[name], name).toBe(value)
      }
      expect(one?.detail).toEqual(expect.stringMatching(/./))
    }
    expect(JSON.stringify(lines)).not.toContain('nobody may read')
    for (const line of lines) for (const name of Object.keys(line)) expect(LOG_FIELDS).toHaveProperty(name)
  })

  it('a success, a token of another kind and a waiting device code are no failures', async () => {
    const device = await beginDevice(server, cli)
    const answers = [
      device,
      await poll(server, cli, device.json.device_code),
      await postForm(`${server.url}/oauth/introspect`, { ...credentials(service), token: 'a.b.c' }),
      await postForm(`${server.url}/oauth/introspect`, { ...credentials(service), token: 'eyJhbGciOiJub25lIn0..' }),
      await tokenRequest(server, service, { grant_type: 'client_credentials' }),
      await send(`${server.url}/.well-known/jwks.json`),
    ]
    expect(answers[1]?.json.error).toBe('authorization_pending')
    for (const answer of answers) expect(about(answer)).toEqual([])
  })

  it('a code used twice is told as such', async () => {
    const authorized = await authorize(server, web, person, new Browser(server.url))
    expect((await exchange(server, web, authorized)).status).toBe(200)
    const again = await exchange(server, web, authorized)
    expect(about(again)).toEqual([
      expect.objectContaining({ level: 'warn', reused: 'code', client_id: web.client.id }),
      expect.objectContaining({ level: 'info', error: 'invalid_grant', client_id: web.client.id }),
    ])
  })

  it('every answer is counted by endpoint and outcome, in words of ours', async () => {
    counts.clear()
    await tokenRequest(server, service, { grant_type: 'client_credentials' })
    await tokenRequest(server, service, { grant_type: 'client_credentials', slow: 'path' })
    await tokenRequest(server, { ...service, secret: 'wrong' }, { grant_type: 'client_credentials' })
    await send(`${server.url}/.well-known/openid-configuration`)
    await send(`${server.url}/.well-known/oauth-protected-resource`)
    await postForm(`${server.url}/oauth/introspect`, { ...credentials(service), token: 'eyJhbGciOiJub25lIn0..' })
    await send(`${server.url}/oauth/logout?id_token_hint=x`)
    const { challenge } = newVerifier()
    await send(authorizeUrl(server, web, { challenge }))
    expect(Object.fromEntries(counts)).toEqual({
      'token ok': 2,
      'token invalid_client': 1,
      'discovery ok': 2,
      'introspection ok': 1,
      'end_session invalid_request': 1,
      'authorization ok': 1,
    })
  })

  it('a store that is gone is our fault: one line of an error, with its cause', async () => {
    const doomed = await open()
    const own: Line[] = []
    const node = await startServer(doomed, { log: linesInto(own) })
    await doomed.close()
    const answer = await tokenRequest(node, service, { grant_type: 'client_credentials' })
    expect(answer.status).toBe(503)
    const errors = own.filter(({ level, endpoint }) => level === 'error' && endpoint === 'token')
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ error: 'temporarily_unavailable', err: { type: expect.any(String) } })
    await node.close()
  })
})

it('a flood of refusals writes so many lines a minute, then how many more there were', () => {
  const lines: Line[] = []
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  const counted: string[] = []
  const trace = createTrace({
    logger: createLogger({ level: 'info', out: linesInto(lines) }),
    clock,
    count: (endpoint, outcome) => counted.push(`${endpoint} ${outcome}`),
  })
  const refuse = () => {
    trace.answered('token', 'whatever a stranger sends')
    trace.failed({ requestId: 'r', endpoint: 'token', error: 'invalid_client', detail: 'x', clientId: undefined })
  }
  for (let time = 0; time < 1000; time++) refuse()
  expect(lines).toHaveLength(300)
  clock.advance(60_000)
  refuse()
  expect(lines.slice(300).map(({ level, failures, error }) => [level, failures ?? error])).toEqual([
    ['warn', 700],
    ['info', 'invalid_client'],
  ])
  expect(new Set(counted)).toEqual(new Set(['token other']))
})

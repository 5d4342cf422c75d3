import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { describeRules } from '../support/stores.ts'
import { Browser } from './support/browser.ts'
import {
  type App,
  approveDevice,
  basic,
  beginDevice,
  DEVICE_GRANT,
  decideDevice,
  poll,
  postForm,
  send,
  tokenRequest,
} from './support/flow.ts'
import { newClient, newOrganisation, newPerson, startServer, type TestServer } from './support/server.ts'

describeRules('the device flow', (open) => {
  let sql: Sql
  let server: TestServer
  let second: TestServer
  let organisation: Organisation
  let person: Person
  let cli: App

  beforeAll(async () => {
    sql = await open()
    server = await startServer(sql)
    // Another node on the same database, which thinks it is the same service.
    second = await startServer(await open(), { baseUrl: server.url })
    organisation = await newOrganisation(sql)
    person = await newPerson(sql, [organisation])
    cli = await newClient(sql, organisation.id, { kind: 'native', redirect_uris: [] })
  })
  beforeEach(async () => {
    await sql.query('delete from attempt_window')
  })
  afterAll(async () => {
    await server.close()
    await second.close()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** From here on time stands still, so many seconds later. */
  const pass = (seconds: number) => {
    const nowMs = Date.now()
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(nowMs + seconds * 1000)
  }
  const browse = () => new Browser(server.url)
  const guarded = (token: string) =>
    send(`${server.url}/guarded/risk:payment`, { headers: { authorization: `Bearer ${token}` } })

  it('the answer has all its fields and is not to be stored', async () => {
    const answer = await beginDevice(server, cli)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toContain('no-store')
    expect(answer.json).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${server.url}/device`,
      verification_uri_complete: `${server.url}/device?user_code=${answer.json.user_code}`,
      expires_in: 600,
      interval: 5,
    })
  })

  it('client_id alone suffices for a public client', async () => {
    const answer = await postForm(`${server.url}/oauth/device_authorization`, { client_id: cli.client.id })
    expect(answer.status).toBe(200)
  })

  it('HTTP Basic with an empty secret is taken from a public client, here and when it polls', async () => {
    const headers = basic(cli.client.id, '')
    const begun = await postForm(`${server.url}/oauth/device_authorization`, { scope: 'risk:payment' }, headers)
    expect(begun.status).toBe(200)
    const form = { grant_type: DEVICE_GRANT, device_code: begun.json.device_code }
    expect((await postForm(`${server.url}/oauth/token`, form, headers)).json.error).toBe('authorization_pending')
  })

  it('an unknown client is invalid_client', async () => {
    const answer = await postForm(`${server.url}/oauth/device_authorization`, { client_id: 'nobody' })
    expect(answer.status).toBe(401)
    expect(answer.json.error).toBe('invalid_client')
  })

  it('a client of another kind is unauthorized_client', async () => {
    const web = await newClient(sql, organisation.id, { kind: 'web' })
    const answer = await postForm(`${server.url}/oauth/device_authorization`, {
      client_id: web.client.id,
      client_secret: web.secret,
      scope: 'openid',
    })
    expect(answer.json.error).toBe('unauthorized_client')
  })

  it.each(['risk:bulk', 'billing:read', 'nonsense', 'openid risk:bulk'])(
    'a scope outside the registration is invalid_scope: %s',
    async (scope) => {
      const answer = await beginDevice(server, cli, { scope })
      expect(answer.status).toBe(400)
      expect(answer.json.error).toBe('invalid_scope')
    },
  )

  it('the first poll is pending', async () => {
    const { json } = await beginDevice(server, cli)
    const answer = await poll(server, cli, json.device_code)
    expect(answer.status).toBe(400)
    expect(answer.json.error).toBe('authorization_pending')
    expect(answer.headers.get('cache-control')).toContain('no-store')
  })

  it('an early poll is slow_down, still is after five seconds, and the pace is the same on every node', async () => {
    pass(0)
    const { json } = await beginDevice(server, cli)
    const outcome = async (node: TestServer) => (await poll(node, cli, json.device_code)).json.error
    expect(await outcome(server)).toBe('authorization_pending')
    expect(await outcome(second)).toBe('slow_down')
    pass(5)
    // Ten seconds are due by now.
    expect(await outcome(server)).toBe('slow_down')
    pass(15)
    expect(await outcome(second)).toBe('authorization_pending')
    pass(14)
    expect(await outcome(server)).toBe('slow_down')
    pass(20)
    expect(await outcome(server)).toBe('authorization_pending')
  })

  it('a device that keeps its interval is never told to slow down', async () => {
    const { json } = await beginDevice(server, cli)
    for (let i = 0; i < 4; i++) {
      expect((await poll(server, cli, json.device_code)).json.error).toBe('authorization_pending')
      pass(5)
    }
  })

  it('access_denied after a refusal on the first page', async () => {
    const { json } = await beginDevice(server, cli)
    const refused = await decideDevice(browse(), json.user_code, 'deny')
    expect(refused.json).toEqual({ done: 'denied' })
    const answer = await poll(server, cli, json.device_code)
    expect(answer.status).toBe(400)
    expect(answer.json.error).toBe('access_denied')
  })

  it('access_denied after a refusal on the consent page', async () => {
    const { json } = await beginDevice(server, cli)
    const end = await approveDevice(browse(), json.user_code, person, 'deny')
    expect(new URL(end).pathname).toBe('/device/done')
    expect((await poll(server, cli, json.device_code)).json.error).toBe('access_denied')
  })

  it('expired_token after ten minutes, and the code can no longer be approved', async () => {
    const { json } = await beginDevice(server, cli)
    pass(601)
    expect((await poll(server, cli, json.device_code)).json.error).toBe('expired_token')
    expect((await decideDevice(browse(), json.user_code, 'allow')).status).toBe(404)
  })

  it('an unknown code is invalid_grant', async () => {
    expect((await poll(server, cli, 'nonsense')).json.error).toBe('invalid_grant')
  })

  it("another client's code is invalid_grant", async () => {
    const other = await newClient(sql, organisation.id, { kind: 'native', redirect_uris: [] })
    const { json } = await beginDevice(server, cli)
    expect((await poll(server, other, json.device_code)).json.error).toBe('invalid_grant')
  })

  it('tokens after approval, a refresh token only with offline_access', async () => {
    for (const [scope, refreshes] of [
      ['openid risk:payment', false],
      ['openid offline_access risk:payment', true],
    ] as const) {
      const { json } = await beginDevice(server, cli, { scope })
      expect(new URL(await approveDevice(browse(), json.user_code, person)).pathname).toBe('/device/done')
      const answer = await poll(server, cli, json.device_code)
      expect(answer.status).toBe(200)
      expect(answer.json).toMatchObject({ token_type: 'Bearer', expires_in: 3600, id_token: expect.any(String) })
      expect('refresh_token' in answer.json).toBe(refreshes)
      expect((await guarded(answer.json.access_token)).json).toMatchObject({
        organisation: organisation.id,
        user: person.id,
      })
      if (refreshes) {
        const next = await tokenRequest(server, cli, {
          grant_type: 'refresh_token',
          refresh_token: answer.json.refresh_token,
        })
        expect(next.status).toBe(200)
      }
    }
  })

  it('a replayed device code ends its tokens', async () => {
    const { json } = await beginDevice(server, cli)
    await approveDevice(browse(), json.user_code, person)
    const first = await poll(server, cli, json.device_code)
    expect((await guarded(first.json.access_token)).status).toBe(200)
    expect((await poll(server, cli, json.device_code)).json.error).toBe('invalid_grant')
    expect((await guarded(first.json.access_token)).status).toBe(401)
  })

  it('the user code is tolerant of case, dash and blanks', async () => {
    const { json } = await beginDevice(server, cli)
    const browser = browse()
    const { csrf } = (await (await browser.fetch('/api/device')).json()) as { csrf: string }
    const plain = json.user_code.replace('-', '')
    for (const typed of [
      json.user_code,
      plain,
      plain.toLowerCase(),
      ` ${json.user_code.toLowerCase()} `,
      plain.split('').join(' '),
    ]) {
      const shown = await browser.post('/api/device/lookup', csrf, { user_code: typed })
      expect(shown.status, typed).toBe(200)
      expect(await shown.json()).toEqual({
        user_code: json.user_code,
        client: {
          id: cli.client.id,
          name: 'Test application',
          kind: 'native',
          owner: { name: expect.any(String), yours: null },
          policy_uri: null,
          terms_uri: null,
        },
        asked: {
          charged: [{ name: 'risk:payment', words: 'Check email addresses before payments' }],
          about_you: [{ name: 'openid', words: 'Know who you are' }],
          stays_days: null,
        },
        request: {
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          address: expect.stringMatching(/^(::1|127\.0\.0\.1)$/),
          place: null,
          program: 'node',
        },
      })
    }
  })

  it('the user code is good once', async () => {
    const { json } = await beginDevice(server, cli)
    expect((await decideDevice(browse(), json.user_code, 'allow')).status).toBe(200)
    for (const decision of ['allow', 'deny'] as const) {
      const again = await decideDevice(browse(), json.user_code, decision)
      expect(again.status).toBe(404)
      expect(again.json.code).toBe('not_found')
    }
    expect((await poll(server, cli, json.device_code)).json.error).toBe('authorization_pending')
  })

  it('of many people confirming one code at once, one is let through', async () => {
    const { json } = await beginDevice(server, cli)
    const answers = await Promise.all(Array.from({ length: 8 }, () => decideDevice(browse(), json.user_code, 'allow')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it("a wrong, missing or another browser's token against forged requests is refused", async () => {
    const { json } = await beginDevice(server, cli)
    const [browser, other] = [browse(), browse()]
    await browser.fetch('/api/device')
    const { csrf: foreign } = (await (await other.fetch('/api/device')).json()) as { csrf: string }
    for (const csrf of ['', 'wrong', foreign]) {
      for (const path of ['/api/device/lookup', '/api/device/confirm']) {
        const answer = await browser.post(path, csrf, { user_code: json.user_code, decision: 'deny' })
        expect(answer.status).toBe(403)
      }
    }
    expect((await poll(server, cli, json.device_code)).json.error).toBe('authorization_pending')
  })

  it('typing codes at random is stopped, for that address and for a while', async () => {
    const browser = browse()
    const { csrf } = (await (await browser.fetch('/api/device')).json()) as { csrf: string }
    const statuses: number[] = []
    for (let i = 0; i < 21; i++) {
      statuses.push((await browser.post('/api/device/lookup', csrf, { user_code: 'BBBB-BBBB' })).status)
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(404))
    const refused = await browser.post('/api/device/lookup', csrf, { user_code: 'BBBB-BBBB' })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    pass(601)
    expect((await browser.post('/api/device/lookup', csrf, { user_code: 'BBBB-BBBB' })).status).toBe(404)
  })

  it('no secret and no client credentials for a client that authenticates by none', async () => {
    expect(cli.secret).toBe('')
    const stored = await sql.query<{ secret_digest: string | null }>(
      'select secret_digest from oauth_client where id = $1',
      [cli.client.id],
    )
    expect(stored[0]?.secret_digest).toBeNull()
    const answer = await tokenRequest(server, cli, { grant_type: 'client_credentials', scope: 'risk:payment' })
    expect(answer.json.error).toBe('unauthorized_client')
    const withSecret = await postForm(
      `${server.url}/oauth/token`,
      { grant_type: 'client_credentials' },
      basic(cli.client.id, 'a secret'),
    )
    expect(withSecret.json.error).toBe('invalid_client')
  })

  it('the command line needs no registration: whoever signs in picks who pays', async () => {
    const known = { client: { ...cli.client, id: 'assay-cli' }, secret: '' }
    const { json } = await beginDevice(server, known, { scope: 'offline_access risk:payment' })
    await approveDevice(browse(), json.user_code, person)
    const tokens = await poll(server, known, json.device_code)
    expect((await guarded(tokens.json.access_token)).json).toEqual({
      organisation: organisation.id,
      credential: 'assay-cli',
      user: person.id,
    })
    const introspected = await postForm(`${server.url}/oauth/introspect`, {
      client_id: 'assay-cli',
      token: tokens.json.access_token,
    })
    expect(introspected.json.active).toBe(true)
    expect((await tokenRequest(server, known, { grant_type: 'client_credentials' })).json.error).toBe(
      'unauthorized_client',
    )
  })

  it('the flow works across nodes: begun on one, approved on another, polled on the first', async () => {
    const { json } = await beginDevice(server, cli)
    // Addresses in answers name the service, so the browser's requests are sent to the other node by hand.
    const browser = new Browser(second.url)
    const { redirectTo } = await decideDevice(browser, json.user_code, 'deny').then((answer) => ({ ...answer }))
    expect(redirectTo).toBe('')
    expect((await poll(server, cli, json.device_code)).json.error).toBe('access_denied')
  })
})

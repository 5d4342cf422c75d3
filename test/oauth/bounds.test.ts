import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import * as jose from 'jose'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { parsePlans } from '../../src/billing/plans.ts'
import type { Sql } from '../../src/db/sql.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { createSignIn } from '../../src/identity/people/sign-in.ts'
import { forgetAttempts, takeAttempt, takeAttempts } from '../../src/identity/people/throttle.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts'
import { PENDING_BOUNDS } from '../../src/oauth/pending-requests.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { startTestServer, TEST_PLANS } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'
import { answerPages, Browser } from './support/browser.ts'
import {
  type App,
  authorize,
  authorizeUrl,
  beginDevice,
  credentials,
  decideDevice,
  exchange,
  type Form,
  newVerifier,
  type OAuthAnswer,
  postForm,
  send,
  tokenRequest,
} from './support/flow.ts'
import { newClient, newOrganisation, newPerson, PASSWORD, startServer, type TestServer } from './support/server.ts'

/** An attacker who wants the disk full: whatever is sent, and from wherever, the rows stay within their bounds. */
describeRules('what strangers can leave in the store', (open) => {
  let sql: Sql
  let organisation: Organisation
  let person: Person
  let spa: App
  let web: App
  let native: App
  let clock: ManualClock
  const running: TestServer[] = []

  beforeAll(async () => {
    sql = await open()
    organisation = await newOrganisation(sql)
    person = await newPerson(sql, [organisation])
    spa = await newClient(sql, organisation.id, { kind: 'spa' })
    web = await newClient(sql, organisation.id, { kind: 'web' })
    native = await newClient(sql, organisation.id, { kind: 'native' })
  })
  afterEach(async () => {
    for (const server of running.splice(0)) await server.close()
    await sql.query('delete from oauth_record')
    await sql.query('delete from attempt_window')
  })
  beforeEach(() => {
    clock = new ManualClock(Date.now())
  })

  async function start(options: Parameters<typeof startServer>[1] = {}): Promise<TestServer> {
    const server = await startServer(sql, { clock, trustProxy: true, ...options })
    running.push(server)
    return server
  }

  async function rowsOf(table: 'oauth_record' | 'attempt_window' | 'console_session'): Promise<number> {
    return (await sql.query<{ n: number }>(`select count(*) as n from ${table}`))[0]?.n ?? 0
  }

  const from = (ip: string) => ({ 'x-forwarded-for': ip })
  const pushed = (app: App, more: Form = {}): Form => ({
    ...credentials(app),
    response_type: 'code',
    redirect_uri: app.client.redirect_uris[0] ?? '',
    scope: 'openid risk:payment',
    code_challenge: newVerifier().challenge,
    code_challenge_method: 'S256',
    ...more,
  })
  const push = (server: TestServer, ip: string, app = spa, more: Form = {}) =>
    postForm(`${server.url}/oauth/par`, pushed(app, more), from(ip))

  /** In lots at the same time, a little smaller than what one address may send in a second. */
  async function repeat(times: number, once: () => Promise<OAuthAnswer>): Promise<OAuthAnswer[]> {
    const answers: OAuthAnswer[] = []
    for (let done = 0; done < times; done += 90) {
      answers.push(...(await Promise.all(Array.from({ length: 90 }, once))))
      clock.advance(SECOND_MS)
    }
    return answers
  }

  function expectRefused(answer: OAuthAnswer | undefined): void {
    expect(answer?.status).toBe(429)
    expect(Number(answer?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer?.json).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) })
  }

  it('pushed requests without end from one address leave its bound of rows, and it is served again when they end', async () => {
    const server = await start()
    const answers = await repeat(400, () => push(server, '192.0.2.1'))
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(100)
    expect(await rowsOf('oauth_record')).toBe(made.length)
    expect(made.length).toBeLessThanOrEqual(PENDING_BOUNDS.addressRowsMax)
    for (const answer of answers.filter(({ status }) => status !== 201)) expectRefused(answer)
    expect((await push(server, '192.0.2.2')).status).toBe(201)
    // Nobody purged: whoever comes again clears away what has ended.
    clock.advance(10 * MINUTE_MS)
    expect((await push(server, '192.0.2.1')).status).toBe(201)
    expect(await rowsOf('oauth_record')).toBeLessThanOrEqual(3)
  })

  it('a network of IPv6 addresses counts as one', async () => {
    const server = await start({ pendingBounds: { ...PENDING_BOUNDS, addressRowsMax: 5, clientRowsMax: 5 } })
    const statuses: number[] = []
    for (let i = 0; i < 10; i++) statuses.push((await push(server, `2001:db8:1:2:${i}::${i}`)).status)
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(5).fill(429)])
    expect((await push(server, '2001:db8:1:3::1')).status).toBe(201)
  })

  it('many networks of one IPv6 site have a bound together, also at the same time, and it frees itself', async () => {
    const server = await start({ pendingBounds: { ...PENDING_BOUNDS, addressRowsMax: 4, siteRowsMax: 10 } })
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => push(server, `2001:db8:1:${i % 20}::1`)))
    expectRefused(answers.find(({ status }) => status !== 201))
    expect(await rowsOf('oauth_record')).toBeLessThanOrEqual(10)
    for (let i = 20; i < 32; i++) await push(server, `2001:db8:1:${i}::1`)
    expect(await rowsOf('oauth_record')).toBe(10)
    expect((await push(server, '2001:db8:2::1')).status).toBe(201)
    expect((await push(server, '192.0.2.1')).status).toBe(201)
    clock.advance(10 * MINUTE_MS)
    expect((await push(server, '2001:db8:1:ffff::1')).status).toBe(201)
    expect(await rowsOf('oauth_record')).toBe(3)
  })

  it('while a flood fills the room for all, somebody who comes anew signs in, and the flood is refused', async () => {
    const server = await start({
      pendingBounds: { ...PENDING_BOUNDS, addressRowsMax: 20, siteRowsMax: 40, rowsMax: 100, newcomersRowsMax: 40 },
    })
    const addresses = [1, 2, 3, 4, 5].map((n) => `198.51.100.${n}`)
    for (const ip of addresses) for (let i = 0; i < 20; i++) await push(server, ip)
    expect(await rowsOf('oauth_record')).toBe(100)
    for (const ip of addresses) expectRefused(await push(server, ip))

    // Somebody whose address has nothing yet; the sixth row that nobody signed in for is more than a few.
    const { challenge } = newVerifier()
    const browse = (ip: string) => send(authorizeUrl(server, spa, { challenge }), { headers: from(ip) })
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await browse('203.0.113.1')).status)
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429])
    // The networks of one site are not as many newcomers.
    const site: number[] = []
    for (let i = 0; i < 30; i++) site.push((await push(server, `2001:db8:1:${i}::1`)).status)
    expect(site).toEqual([...Array(25).fill(201), ...Array(5).fill(429)])
    expect((await browse('203.0.113.2')).status).toBe(303)

    // There is an end to it.
    const others = await Promise.all(Array.from({ length: 40 }, (_, i) => push(server, `192.0.2.${i}`)))
    expect(others.filter(({ status }) => status === 201)).toHaveLength(40 - 5 - 25 - 1)
    expect(await rowsOf('oauth_record')).toBe(140)
  })

  it('all addresses together leave the bound in all, and it frees itself', async () => {
    const pendingBounds = { ...PENDING_BOUNDS, addressRowsMax: 5, rowsMax: 20, newcomersRowsMax: 10 }
    const server = await start({ pendingBounds })
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => push(server, `198.51.100.${i}`)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30)
    expectRefused(answers.find(({ status }) => status !== 201))
    expect(await rowsOf('oauth_record')).toBe(30)
    clock.advance(10 * MINUTE_MS)
    const again = async () => {
      clock.advance(SECOND_MS)
      return (await push(server, '203.0.113.1')).status
    }
    // A node counts again a second after it found no room.
    await expect.poll(again).toBe(201)
    expect(await rowsOf('oauth_record')).toBe(1)
  })

  it('sign-ins, device codes and sign-outs count together; a person sees a page', async () => {
    const server = await start({ pendingBounds: { ...PENDING_BOUNDS, addressRowsMax: 3, clientRowsMax: 3 } })
    const headers = from('192.0.2.7')
    const { challenge } = newVerifier()
    const signIn = () => send(authorizeUrl(server, spa, { challenge }), { headers })
    const signOut = () => send(`${server.url}/oauth/logout`, { headers })
    const device = () =>
      postForm(`${server.url}/oauth/device_authorization`, { client_id: native.client.id, scope: 'openid' }, headers)
    expect([(await signIn()).status, (await signOut()).status, (await device()).status]).toEqual([303, 200, 200])
    expect(await rowsOf('oauth_record')).toBe(3)
    for (const page of [await signIn(), await signOut()]) {
      expect(page.status).toBe(429)
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(page.headers.get('location')).toBeNull()
      expect(page.headers.getSetCookie()).toEqual([])
    }
    expectRefused(await device())
    expect(await rowsOf('oauth_record')).toBe(3)
  })

  it('a session that is gone is not written anew for every request', async () => {
    const server = await start({ pendingBounds: { ...PENDING_BOUNDS, addressRowsMax: 3, clientRowsMax: 3 } })
    const first = await send(`${server.url}/oauth/logout`, { headers: from('192.0.2.8') })
    const cookie = first.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    await sql.query('delete from oauth_record')
    for (let i = 0; i < 6; i++) {
      await send(`${server.url}/oauth/authorize?client_id=none`, { headers: { cookie, ...from('192.0.2.8') } })
    }
    expect(await rowsOf('oauth_record')).toBe(3)
  })

  it('a device code that a stranger refuses counts until it ends', async () => {
    const server = await start({
      pendingBounds: { ...PENDING_BOUNDS, addressRowsMax: 2, clientRowsMax: 2 },
      trustProxy: false,
    })
    for (let i = 0; i < 2; i++) {
      const begun = await beginDevice(server, native)
      expect((await decideDevice(new Browser(server.url), begun.json.user_code, 'deny')).json).toEqual({
        done: 'denied',
      })
    }
    expectRefused(await beginDevice(server, native))
  })

  it('a device code stays free when the sign-in for it finds no room', async () => {
    const server = await start({
      pendingBounds: { ...PENDING_BOUNDS, addressRowsMax: 1, clientRowsMax: 1 },
      trustProxy: false,
    })
    const begun = await beginDevice(server, native)
    const crowded = await decideDevice(new Browser(server.url), begun.json.user_code, 'allow')
    expect(crowded.status).toBe(429)
    await sql.query('update oauth_record set begun_by = null')
    expect((await decideDevice(new Browser(server.url), begun.json.user_code, 'allow')).status).toBe(200)
  })

  it('a client that proves itself has a bound of its own, wherever its users are', async () => {
    const server = await start({ pendingBounds: { ...PENDING_BOUNDS, addressRowsMax: 1, clientRowsMax: 4 } })
    const statuses: number[] = []
    for (let i = 0; i < 5; i++) statuses.push((await push(server, '192.0.2.9', web)).status)
    expect(statuses).toEqual([201, 201, 201, 201, 429])
    expect((await push(server, '192.0.2.9')).status).toBe(201)
  })

  it('a started sign-in does not count any more after the sign-in', async () => {
    const server = await start({
      pendingBounds: { ...PENDING_BOUNDS, addressRowsMax: 1, clientRowsMax: 1 },
      trustProxy: false,
    })
    for (let i = 0; i < 3; i++) {
      const { callback } = await authorize(server, web, person, new Browser(server.url))
      expect(callback.get('code')).toBeTruthy()
    }
  })

  it('a pushed request that somebody signed in with counts no more, whether pages came up or not', async () => {
    const server = await start({
      pendingBounds: { ...PENDING_BOUNDS, addressRowsMax: 2, clientRowsMax: 1 },
      trustProxy: false,
    })
    for (const app of [web, spa]) {
      const browser = new Browser(server.url)
      for (let i = 0; i < 3; i++) {
        const { json } = await postForm(`${server.url}/oauth/par`, pushed(app))
        const query = new URLSearchParams({ client_id: app.client.id, request_uri: json.request_uri })
        const answers = { email: person.email, password: PASSWORD }
        const end = await answerPages(browser, `/oauth/authorize?${query}`, answers)
        expect(new URL(end.location).searchParams.get('code')).toBeTruthy()
        expect(end.pages).toEqual(i === 0 ? ['login', 'consent'] : [])
        expect(await sql.query('select kind, begun_by from oauth_record where begun_by is not null')).toEqual([])
      }
    }
  })

  it('long parameters are refused before anything is written', async () => {
    const server = await start()
    const { challenge } = newVerifier()
    const long = 'x'.repeat(4100)
    const parts = Object.fromEntries(['login_hint', 'ui_locales', 'acr_values'].map((name) => [name, 'x'.repeat(3000)]))
    for (const more of [{ state: long }, { nonce: long }, parts]) {
      const par = await push(server, '192.0.2.3', spa, more)
      expect([par.status, par.json.error]).toEqual([400, 'invalid_request'])
      const device = await beginDevice(server, native, more)
      expect([device.status, device.json.error]).toEqual([400, 'invalid_request'])
      const page = await send(authorizeUrl(server, spa, { challenge, ...more }))
      expect(page.status).toBe(400)
      expect(page.headers.get('content-type')).toContain('text/html')
      expect((await send(`${server.url}/oauth/logout?${new URLSearchParams(more)}`)).status).toBe(400)
    }
    expect(await rowsOf('oauth_record')).toBe(0)
    expect((await push(server, '192.0.2.3', spa, { state: 'x'.repeat(4000) })).status).toBe(201)
  })

  it('the purge deletes at their end what nobody needs any more', async () => {
    const server = await start()
    await push(server, '192.0.2.4')
    await beginDevice(server, native)
    await send(authorizeUrl(server, spa, { challenge: newVerifier().challenge }))
    await send(`${server.url}/oauth/logout`)
    expect(await rowsOf('oauth_record')).toBe(4)
    clock.advance(5 * MINUTE_MS)
    await server.oauth.purge()
    expect(await rowsOf('oauth_record')).toBe(3)
    clock.advance(30 * MINUTE_MS)
    await server.oauth.purge()
    expect(await rowsOf('oauth_record')).toBe(0)
  })

  it('a pushed request is kept as long as a sign-in that began with it', async () => {
    const server = await start()
    const { json } = await push(server, '192.0.2.5')
    const query = new URLSearchParams({ client_id: spa.client.id, request_uri: json.request_uri })
    expect((await send(`${server.url}/oauth/authorize?${query}`)).status).toBe(303)
    clock.advance(20 * MINUTE_MS)
    await server.oauth.purge()
    expect(await rowsOf('oauth_record')).toBe(2)
  })

  it('attempts to sign in beyond the limit leave the number of rows as it is', async () => {
    const signIn = createSignIn({ sql, clock })
    const attempt = (email: string) =>
      signIn({ email, password: 'wrong', ip: '192.0.2.6' }).catch((error: { code: string }) => error.code)
    await takeAttempts(sql, 'sign-in 192.0.2.6', { attemptsMax: 100, windowMs: MINUTE_MS }, clock.now(), { wanted: 99 })
    expect(await attempt('first@example.com')).toBe('sign_in_failed')
    const rows = JSON.stringify(await sql.query('select * from attempt_window order by key'))
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, i) => attempt(`other${i}@example.com`)))
    expect(new Set(outcomes)).toEqual(new Set(['rate_limited']))
    expect(JSON.stringify(await sql.query('select * from attempt_window order by key'))).toBe(rows)
    clock.advance(MINUTE_MS + 1)
    expect(await signIn({ email: person.email, password: PASSWORD, ip: '192.0.2.6' })).toMatchObject({
      person: { id: person.id },
    })
  })

  it('attempts of too many addresses at once are refused; those known go on, and room comes back', async () => {
    const limit = { attemptsMax: 2, windowMs: MINUTE_MS }
    // A store of its own, because the estimate belongs to one.
    const own = await open()
    await own.query(
      `insert into attempt_window (key, attempts, ends_at)
       with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 99999)
       select 'crowd ' || n, 1, ${clock.now() + MINUTE_MS} from numbers`,
    )
    expect(await takeAttempt(own, 'known', limit, clock.now())).toEqual({ waitMs: 0 })
    await expect(takeAttempt(own, 'one more', limit, clock.now())).rejects.toMatchObject({
      code: 'rate_limited',
      headers: { 'retry-after': '60' },
    })
    expect(await takeAttempt(own, 'known', limit, clock.now())).toEqual({ waitMs: 0 })
    expect(await rowsOf('attempt_window')).toBe(100_000)
    clock.advance(MINUTE_MS)
    const again = () =>
      takeAttempt(own, 'one more', limit, clock.now())
        .then(() => true)
        .catch(() => false)
    // It counts again a second after it found no room.
    await expect.poll(again).toBe(true)
    expect(await rowsOf('attempt_window')).toBe(1)
    await forgetAttempts(own, 'one more')
  })

  it('somebody who signs in over and over keeps a hundred sessions, the last among them', async () => {
    const server = await start()
    await sql.query(
      `insert into console_session (digest, person_id, created_at, expires_at)
       with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 150)
       select 'session ' || n, '${person.id}', n, ${clock.now() + MINUTE_MS} from numbers`,
    )
    const browser = new Browser(server.url)
    await browser.fetch('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email, password: PASSWORD }),
    })
    expect(await rowsOf('console_session')).toBe(100)
    expect((await browser.fetch('/api/session')).status).toBe(200)
  })

  it('a client gets so many tokens a minute on all nodes together, by either way, and a refusal uses up nothing', async () => {
    const service = await newClient(sql, organisation.id, { kind: 'service' })
    const other = await newClient(sql, organisation.id, { kind: 'service' })
    const nodes = [await start({ tokensPerMinute: 20 }), await start({ tokensPerMinute: 20 })]
    // An unknown field leads past the direct way.
    const ask = (i: number, app = service, more: Form = {}) =>
      tokenRequest(nodes[i % 2] as TestServer, app, {
        grant_type: 'client_credentials',
        ...(i % 4 < 2 ? {} : { ignored: 'x' }),
        ...more,
      })
    for (let i = 0; i < 30; i++) expect((await ask(i, { ...service, secret: 'wrong' })).status).toBe(401)
    for (let i = 0; i < 30; i++) expect((await ask(i, service, { scope: 'nonsense' })).status).toBe(400)
    const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => ask(i)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    for (const answer of answers.filter(({ status }) => status !== 200)) expectRefused(answer)
    expect(await rowsOf('oauth_record')).toBe(20)
    expect((await ask(0, other)).status).toBe(200)
    clock.advance(MINUTE_MS)
    expect((await ask(0)).status).toBe(200)
  })

  it('the applications of an organisation share a rate, and those of another have their own', async () => {
    const server = await start({ tokensPerMinute: 600 })
    const ask = (app: Awaited<ReturnType<typeof newClient>>) =>
      tokenRequest(server, app, { grant_type: 'client_credentials' })
    const apps = [
      await newClient(sql, organisation.id, { kind: 'service' }),
      await newClient(sql, organisation.id, { kind: 'service' }),
    ] as const
    const answers = await Promise.all(Array.from({ length: 110 }, (_, i) => ask(apps[i % 2 === 0 ? 0 : 1])))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectRefused(answer)
      expect(answer.json.error_description).toContain('together get 100 tokens a second: this share is used up')
    }
    const elsewhere = await newClient(sql, (await newOrganisation(sql)).id, { kind: 'service' })
    expect((await ask(elsewhere)).status).toBe(200)
    clock.advance(1000)
    expect((await ask(apps[0])).status).toBe(200)
  })

  it('a person’s refreshing too fast is refused without losing the refresh token, and disturbs nobody else', async () => {
    const server = await start({ tokensPerMinute: 3, trustProxy: false })
    const signIn = async (who: Person) => {
      const authorized = await authorize(server, web, who, new Browser(server.url), {
        scope: 'openid offline_access risk:payment',
      })
      return (await exchange(server, web, authorized)).json.refresh_token as string
    }
    const refresh = (token: string) => tokenRequest(server, web, { grant_type: 'refresh_token', refresh_token: token })
    let token = await signIn(person)
    for (let i = 0; i < 2; i++) token = (await refresh(token)).json.refresh_token
    expectRefused(await refresh(token))
    expectRefused(await refresh(token))
    const other = await signIn(await newPerson(sql, [organisation]))
    expect((await refresh(other)).status).toBe(200)
    clock.advance(MINUTE_MS)
    expect((await refresh(token)).status).toBe(200)
  })

  /** Sends requests for a token on one connection, without waiting for answers, and resets it when all have arrived. */
  async function askAndHangUp(server: TestServer, form: Form, times: number): Promise<void> {
    let arrived = 0
    const count = () => arrived++
    server.app.server.on('request', count)
    const { hostname, port } = new URL(server.url)
    const body = new URLSearchParams(form).toString()
    const head = `POST /oauth/token HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/x-www-form-urlencoded`
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(`${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`.repeat(times))
    await expect.poll(() => arrived, { interval: 1 }).toBe(times)
    socket.resetAndDestroy()
    server.app.server.off('request', count)
  }

  it('who knows only the name of a client uses up none of its tokens, also by hanging up', async () => {
    const service = await newClient(sql, organisation.id, { kind: 'service' })
    const server = await start({ tokensPerMinute: 20 })
    const grant = { grant_type: 'client_credentials' }
    for (const more of [{}, { ignored: 'x' }]) {
      const form = { ...credentials({ ...service, secret: 'wrong' }), ...grant, ...more }
      for (let burst = 0; burst < 3; burst++) await askAndHangUp(server, form, 40)
      await Promise.all(Array.from({ length: 40 }, () => postForm(`${server.url}/oauth/token`, form)))
    }
    expect(await rowsOf('attempt_window')).toBe(0)
    for (let i = 0; i < 20; i++) expect((await tokenRequest(server, service, grant)).status).toBe(200)
    expectRefused(await tokenRequest(server, service, grant))
  })

  it('who found a refresh token but not the secret uses up no tokens of its person, also by hanging up', async () => {
    const server = await start({ tokensPerMinute: 20, trustProxy: false })
    const authorized = await authorize(server, web, person, new Browser(server.url), {
      scope: 'openid offline_access risk:payment',
    })
    const { refresh_token } = (await exchange(server, web, authorized)).json
    const form = { grant_type: 'refresh_token', refresh_token }
    const wrong = { ...web, secret: 'wrong' }
    await Promise.all(Array.from({ length: 60 }, () => tokenRequest(server, wrong, form)))
    for (let burst = 0; burst < 3; burst++) await askAndHangUp(server, { ...credentials(wrong), ...form }, 40)
    let token: string = refresh_token
    const refresh = async () => {
      const answer = await tokenRequest(server, web, { grant_type: 'refresh_token', refresh_token: token })
      token = answer.json.refresh_token ?? token
      return answer.status
    }
    // The server may still be at work on what was hung up on; a refused refresh token is not lost.
    for (let i = 0; i < 19; i++) await expect.poll(refresh).toBe(200)
    expect(await refresh()).toBe(429)
  })

  it('tokens that live long are bounded in number too', async () => {
    const service = await newClient(sql, organisation.id, { kind: 'service' })
    const server = await start({ tokensPerMinute: 1, lifetimes: { accessTokenSeconds: 86_400 } })
    const ask = () => tokenRequest(server, service, { grant_type: 'client_credentials' })
    expect((await ask()).status).toBe(200)
    await sql.query(
      `insert into oauth_record (digest, kind, payload, client_id, scope, issued_at, expires_at, purge_at)
       with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 59)
       select 'living ' || n, 'ClientCredentials', '{}', '${service.client.id}', '', 0, ${clock.now() + 3_600_000}, 0
       from numbers`,
    )
    clock.advance(MINUTE_MS)
    expectRefused(await ask())
    await sql.query(`delete from oauth_record where digest = 'living 1'`)
    clock.advance(MINUTE_MS)
    expect((await ask()).status).toBe(200)
  })

  it('a client proves itself by assertions so often a minute, and none may live longer than an hour', async () => {
    const { publicKey, privateKey } = await jose.generateKeyPair('ES256', { extractable: true })
    const jwks = { keys: [{ ...(await jose.exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }] }
    const { client } = await newClient(sql, organisation.id, { kind: 'service', jwks })
    const server = await start({ tokensPerMinute: 1 })
    const introspect = async (lives: string) => {
      const assertion = await new jose.SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setIssuer(client.id)
        .setSubject(client.id)
        .setAudience(server.url)
        .setExpirationTime(lives)
        .sign(privateKey)
      return postForm(`${server.url}/oauth/introspect`, {
        token: 'x',
        client_assertion: assertion,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      })
    }
    expect((await introspect('2h')).json.error).toBe('invalid_client')
    expect(await rowsOf('oauth_record')).toBe(0)
    for (let i = 0; i < 10; i++) expect((await introspect('50m')).status).toBe(200)
    expectRefused(await introspect('50m'))
    expect(await rowsOf('oauth_record')).toBe(10)
  })
})

describeRules('tokens by plan', (open) => {
  it('the plan of the organisation says how many tokens its clients get', async () => {
    const plans = parsePlans(
      [...TEST_PLANS.values()].map((plan) => (plan.id === 'free' ? { ...plan, tokens_per_minute: 2 } : plan)),
      'the plans of this test',
    )
    const sql = await open()
    const server = await startTestServer({ sql, engine: createTestEngine(), oauth: true, plans })
    try {
      const statuses: Record<string, number[]> = {}
      for (const plan of ['free', 'prepaid']) {
        const service = await newClient(sql, (await server.organisation({ plan })).id, { kind: 'service' })
        const ask = () => tokenRequest(server, service, { grant_type: 'client_credentials' })
        statuses[plan] = [(await ask()).status, (await ask()).status, (await ask()).status]
      }
      expect(statuses).toEqual({ free: [200, 200, 429], prepaid: [200, 200, 200] })
    } finally {
      await server.close()
    }
  })
})

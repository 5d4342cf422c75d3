import * as jose from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts'
import { ManualClock } from '../support/clock.ts'
import { Machine } from '../support/machine.ts'
import { describeRules } from '../support/stores.ts'
import { answerPages, Browser } from './support/browser.ts'
import {
  type App,
  approveDevice,
  authorize,
  beginDevice,
  exchange,
  newVerifier,
  poll,
  postForm,
  send,
  tokenRequest,
} from './support/flow.ts'
import { newClient, newOrganisation, newPerson, PASSWORD, startServer, type TestServer } from './support/server.ts'

/** Sign-in and tokens on machines whose clocks are wrong, or are set while the server runs. */

describeRules('OAuth under wrong clocks', (open, engine) => {
  let sql: Sql
  let organisation: Organisation
  let person: Person
  let web: App
  let cli: App
  let service: App
  const truth = new ManualClock(Date.now())
  const servers: TestServer[] = []

  beforeAll(async () => {
    sql = await open()
    organisation = await newOrganisation(sql)
    person = await newPerson(sql, [organisation])
    web = await newClient(sql, organisation.id, { kind: 'web' })
    cli = await newClient(sql, organisation.id, { kind: 'native', redirect_uris: [] })
    service = await newClient(sql, organisation.id, { kind: 'service' })
  })
  beforeEach(() => sql.query('delete from service_time'))
  afterEach(async () => {
    vi.useRealTimers()
    for (const server of servers.splice(0)) await server.close()
  })
  afterAll(() => vi.useRealTimers())

  async function startOn(machine: Machine, options: { baseUrl?: string } = {}) {
    const time = await machine.serviceTime(sql)
    const server = await startServer(sql, { clock: time.clock, ...options })
    servers.push(server)
    return { machine, time, server }
  }
  type Node = Awaited<ReturnType<typeof startOn>>

  /** Two nodes of one service, ten minutes ahead of the time and ten minutes behind it. */
  async function twoNodes() {
    const ahead = await startOn(new Machine(truth, 10 * MINUTE_MS))
    const behind = await startOn(new Machine(truth, -10 * MINUTE_MS), { baseUrl: ahead.server.url })
    return { ahead, behind }
  }

  /** The node answers by the clock of its machine. */
  function on<T>({ machine, server }: Node, work: (server: TestServer) => T): T {
    machine.enter()
    return work(server)
  }
  const guarded = (node: Node, token: string) =>
    on(node, async ({ url }) => {
      const answer = await send(`${url}/guarded/risk:payment`, { headers: { authorization: `Bearer ${token}` } })
      return answer.status
    })
  const serviceToken = (node: Node) =>
    on(node, async (server) => {
      const { json } = await tokenRequest(server, service, { grant_type: 'client_credentials' })
      return String(json.access_token)
    })
  const signIn = (node: Node, browser: Browser, parameters: Record<string, string> = {}) => {
    browser.sendTo(node.server.url)
    return on(node, (server) => authorize({ ...server, url: browser.origin }, web, person, browser, parameters))
  }

  it('a clock set back an hour: what was issued is good, what has expired stays expired, also after a restart', async () => {
    const machine = new Machine(truth)
    let node = await startOn(machine)
    const expired = await serviceToken(node)
    truth.advance(HOUR_MS + MINUTE_MS)
    const good = await serviceToken(node)
    const authorized = await signIn(node, new Browser(node.server.url))
    await node.time.look()
    for (const restarted of [false, true]) {
      if (restarted) node = await startOn(machine)
      else machine.step(-HOUR_MS)
      truth.advance(5 * SECOND_MS)
      expect(await guarded(node, good)).toBe(200)
      expect(await guarded(node, expired)).toBe(401)
      expect(await guarded(node, await serviceToken(node))).toBe(200)
    }
    expect(await on(node, (server) => exchange(server, web, authorized))).toMatchObject({ status: 200 })
  })

  it('a clock set forward an hour and back again: nothing comes to life again, and new tokens are good', async () => {
    const machine = new Machine(truth)
    const node = await startOn(machine)
    const before = await serviceToken(node)
    machine.step(HOUR_MS + MINUTE_MS)
    // Where the database has a clock, this machine's does not matter.
    const worth = engine === 'postgres' ? 200 : 401
    expect(await guarded(node, before)).toBe(worth)
    const between = await serviceToken(node)
    machine.step(-HOUR_MS - MINUTE_MS)
    truth.advance(5 * SECOND_MS)
    expect(await guarded(node, before)).toBe(worth)
    expect(await guarded(node, between)).toBe(200)
    expect(await guarded(node, await serviceToken(node))).toBe(200)
  })

  it('a device that polls at its pace is not told to slow down by a clock that was set back', async () => {
    const machine = new Machine(truth)
    const first = await startOn(machine)
    const { json } = await on(first, (server) => beginDevice(server, cli))
    const outcome = (node: Node) =>
      on(node, async (server) => (await poll(server, cli, json.device_code)).json.error as string)
    expect(await outcome(first)).toBe('authorization_pending')
    // Also where nothing says how far time had come.
    await sql.query('delete from service_time')
    machine.step(-HOUR_MS)
    const second = await startOn(machine)
    truth.advance(6 * SECOND_MS)
    expect(await outcome(second)).toBe('authorization_pending')
    truth.advance(SECOND_MS)
    expect(await outcome(second)).toBe('slow_down')
  })

  // On one SQLite file all processes have one machine's clock.
  if (engine === 'sqlite') return
  const wrongBy = ({ machine }: Node) => machine.now() - truth.now()

  it('a code from one node is good on the other for its minute, and no longer', async () => {
    const { ahead, behind } = await twoNodes()
    for (const [from, to] of [
      [ahead, behind],
      [behind, ahead],
    ] as const) {
      const first = await signIn(from, new Browser(ahead.server.url))
      truth.advance(55 * SECOND_MS)
      expect(await on(to, (server) => exchange(server, web, first))).toMatchObject({ status: 200 })
      const second = await signIn(from, new Browser(ahead.server.url))
      truth.advance(80 * SECOND_MS)
      expect(await on(to, (server) => exchange(server, web, second))).toMatchObject({
        status: 400,
        json: { error: 'invalid_grant' },
      })
    }
  })

  it('an access token lives its hour on both nodes, and the ID token says the true hour', async () => {
    const { ahead, behind } = await twoNodes()
    for (const node of [ahead, behind]) {
      const authorized = await signIn(node, new Browser(ahead.server.url))
      const { json } = await on(node, (server) => exchange(server, web, authorized))
      const issuedAtMs = truth.now()
      const tokens = [json.access_token, await serviceToken(node)]
      const { exp = 0 } = jose.decodeJwt(json.id_token)
      expect(Math.abs(exp - issuedAtMs / 1000 - 3600)).toBeLessThanOrEqual(2)
      truth.advance(HOUR_MS - 5 * SECOND_MS)
      for (const token of tokens) for (const at of [ahead, behind]) expect(await guarded(at, token)).toBe(200)
      truth.advance(10 * SECOND_MS)
      for (const token of tokens) for (const at of [ahead, behind]) expect(await guarded(at, token)).toBe(401)
    }
  })

  it('a refresh token is renewed on the other node and keeps the time of the sign-in', async () => {
    const { ahead, behind } = await twoNodes()
    const authorized = await signIn(ahead, new Browser(ahead.server.url), {
      scope: 'openid offline_access risk:payment',
      max_age: '10000',
    })
    const signedInAtMs = truth.now()
    let { json } = await on(behind, (server) => exchange(server, web, authorized))
    for (const node of [ahead, behind, ahead]) {
      truth.advance(MINUTE_MS)
      const form = { grant_type: 'refresh_token', refresh_token: json.refresh_token }
      const answer = await on(node, (server) => tokenRequest(server, web, form))
      expect(answer.status).toBe(200)
      json = answer.json
      const claims = jose.decodeJwt(json.id_token)
      // By the clock of the node that says so, as `iat`.
      expect(Math.abs(Number(claims.auth_time) * 1000 - signedInAtMs - wrongBy(node))).toBeLessThanOrEqual(2000)
    }
  })

  it('a device code of one node is allowed and collected on the other within its ten minutes, and not later', async () => {
    const { ahead, behind } = await twoNodes()
    const begun = await on(behind, (server) => beginDevice(server, cli))
    truth.advance(9 * MINUTE_MS)
    const browser = new Browser(ahead.server.url)
    await on(ahead, () => approveDevice(browser, begun.json.user_code, person))
    expect(await on(ahead, (server) => poll(server, cli, begun.json.device_code))).toMatchObject({ status: 200 })
    const late = await on(ahead, (server) => beginDevice(server, cli))
    truth.advance(11 * MINUTE_MS)
    expect(await on(behind, (server) => poll(server, cli, late.json.device_code))).toMatchObject({
      json: { error: 'expired_token' },
    })
  })

  it('a request pushed to one node begins a sign-in on the other', async () => {
    const { ahead, behind } = await twoNodes()
    for (const [from, to] of [
      [ahead, behind],
      [behind, ahead],
    ] as const) {
      const { verifier, challenge } = newVerifier()
      const pushed = await on(from, ({ url }) =>
        postForm(`${url}/oauth/par`, {
          client_id: web.client.id,
          client_secret: web.secret,
          response_type: 'code',
          redirect_uri: 'https://app.example/callback',
          scope: 'openid risk:payment',
          code_challenge: challenge,
          code_challenge_method: 'S256',
        }),
      )
      const start = `/oauth/authorize?client_id=${web.client.id}&request_uri=${encodeURIComponent(pushed.json.request_uri)}`
      const browser = new Browser(ahead.server.url, to.server.url)
      const end = await on(to, () => answerPages(browser, start, { email: person.email, password: PASSWORD }))
      const callback = new URL(end.location).searchParams
      expect(await on(to, (server) => exchange(server, web, { callback, verifier }))).toMatchObject({ status: 200 })
    }
  })

  it('who signed in on one node is signed in on the other, for as long as max_age says', async () => {
    const { ahead, behind } = await twoNodes()
    const browser = new Browser(ahead.server.url)
    expect((await signIn(ahead, browser)).pages).toContain('login')
    truth.advance(50 * SECOND_MS)
    expect((await signIn(behind, browser, { max_age: '60' })).pages).toEqual([])
    truth.advance(20 * SECOND_MS)
    expect((await signIn(behind, browser, { max_age: '60' })).pages).toContain('login')
  })
})

import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { readAudit } from '../../src/identity/audit.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { describeEachStore } from '../support/stores.ts'
import { Browser } from './support/browser.ts'
import {
  type App,
  approveDevice,
  authorize,
  beginDevice,
  credentials,
  exchange,
  type OAuthAnswer,
  poll,
  postForm,
  send,
  tokenRequest,
} from './support/flow.ts'
import { newClient, newOrganisation, newPerson, startServer, type TestServer } from './support/server.ts'

const AT_ONCE = 12

describeEachStore('what may be used once', (open) => {
  let nodes: TestServer[]
  /** Where a refresh token works once. */
  let strictNodes: TestServer[]
  let sql: Sql
  let organisation: Organisation
  let person: Person
  let web: App
  let cli: App

  beforeAll(async () => {
    sql = await open()
    const first = await startServer(sql)
    nodes = [first, await startServer(await open(), { baseUrl: first.url })]
    const strict = { baseUrl: first.url, lifetimes: { refreshGraceSeconds: 0 } }
    strictNodes = [await startServer(sql, strict), await startServer(await open(), strict)]
    organisation = await newOrganisation(sql)
    person = await newPerson(sql, [organisation])
    web = await newClient(sql, organisation.id, { kind: 'web' })
    cli = await newClient(sql, organisation.id, { kind: 'native', redirect_uris: [] })
  })
  afterAll(() => Promise.all([...nodes, ...strictNodes].map((node) => node.close())))
  // However long the many take, it is less than an exchange under way may take.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** The same request many times at once, spread over both nodes. */
  const atOnce = (request: (node: TestServer) => Promise<OAuthAnswer>, between = nodes) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, i) => request(between[i % 2]!)))

  const guarded = (node: TestServer, token: string) =>
    send(`${node.url}/guarded/risk:payment`, { headers: { authorization: `Bearer ${token}` } })

  async function race(request: (node: TestServer) => Promise<OAuthAnswer>, between = nodes): Promise<void> {
    const answers = await atOnce(request, between)
    const won = answers.filter(({ status }) => status === 200)
    const lost = answers.filter(({ status }) => status !== 200)
    expect(won).toHaveLength(1)
    for (const { status, json } of lost) expect([status, json.error]).toEqual([400, 'invalid_grant'])
    // A replay ends the grant: the winner's token is worth nothing on either node.
    for (const node of between) expect((await guarded(node, won[0]?.json.access_token)).status).toBe(401)
  }

  /** The audit entries that the charged organisation reads, oldest first. */
  const reuses = async (app: App) =>
    (await readAudit(sql, { organisationId: organisation.id, action: 'grant.reuse', limit: 100 })).rows
      .filter(({ target_id }) => target_id === app.client.id)
      .map(({ detail, actor_kind }) => `${actor_kind} ${detail.what} ${detail.name}`)
      .reverse()

  it('a code exchanged many times at once is won by one, and the grant ends', async () => {
    const authorized = await authorize(nodes[0]!, web, person, new Browser(nodes[0]!.url))
    await race((node) => exchange(node, web, authorized))
    // Once, however many came late.
    expect(await reuses(web)).toEqual(['application code Test application'])
  })

  const refresh = (node: TestServer, app: App, token: string) =>
    tokenRequest(node, app, { grant_type: 'refresh_token', refresh_token: token })
  /** As a page of the application does in a browser. */
  const refreshInTab = (node: TestServer, app: App, token: string) =>
    postForm(
      `${node.url}/oauth/token`,
      { client_id: app.client.id, grant_type: 'refresh_token', refresh_token: token },
      { origin: 'https://app.example' },
    )

  async function connected(app: App): Promise<string> {
    const authorized = await authorize(nodes[0]!, app, person, new Browser(nodes[0]!.url), {
      scope: 'openid offline_access risk:payment',
    })
    return (await exchange(nodes[0]!, app, authorized)).json.refresh_token
  }

  it('without a grace a refresh token used many times at once is won by one, and the grant ends', async () => {
    const app = await newClient(sql, organisation.id, { kind: 'spa' })
    const token = await connected(app)
    await race((node) => refreshInTab(node, app, token), strictNodes)
    expect(await reuses(app)).toEqual(['application refresh_token Test application'])
  })

  it('outside a browser a refresh token is used once, whatever the kind of application', async () => {
    for (const kind of ['web', 'spa', 'native']) {
      const app = await newClient(sql, organisation.id, { kind })
      const token = await connected(app)
      const successor = await refresh(nodes[0]!, app, token)
      expect(successor.status, kind).toBe(200)
      expect((await refresh(nodes[1]!, app, token)).json.error, kind).toBe('invalid_grant')
      expect((await guarded(nodes[0]!, successor.json.access_token)).status, kind).toBe(401)
      expect((await refresh(nodes[0]!, app, successor.json.refresh_token)).json.error, kind).toBe('invalid_grant')
    }
  })

  it('tabs that refresh at the same moment all get tokens of one grant, which ends by a use after the grace', async () => {
    const app = await newClient(sql, organisation.id, { kind: 'spa' })
    const token = await connected(app)
    const answers = await atOnce((node) => refreshInTab(node, app, token))
    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200))
    expect(new Set(answers.map(({ json }) => json.refresh_token)).size).toBe(AT_ONCE)
    for (const { json } of answers) expect((await guarded(nodes[0]!, json.access_token)).status).toBe(200)
    expect(await reuses(app)).toEqual([])

    vi.setSystemTime(Date.now() + 10_000)
    expect((await refreshInTab(nodes[1]!, app, token)).json.error).toBe('invalid_grant')
    for (const { json } of answers) {
      for (const node of nodes) expect((await guarded(node, json.access_token)).status).toBe(401)
      expect((await refreshInTab(nodes[0]!, app, json.refresh_token)).json.error).toBe('invalid_grant')
    }
    expect(await reuses(app)).toEqual(['application refresh_token Test application'])
  })

  it('within the grace a refresh token is refused to another client, and ends the grant once its successor was used', async () => {
    const app = await newClient(sql, organisation.id, { kind: 'spa' })
    const other = await newClient(sql, organisation.id, { kind: 'spa' })
    const token = await connected(app)
    const successor = await refreshInTab(nodes[0]!, app, token)
    expect((await refreshInTab(nodes[1]!, other, token)).json.error).toBe('invalid_grant')
    expect((await guarded(nodes[1]!, successor.json.access_token)).status).toBe(200)
    // Used, it is worth nothing to whoever asks, although the same client could still refresh by it.
    const asked = { ...credentials(app), token, token_type_hint: 'refresh_token' }
    expect((await postForm(`${nodes[0]!.url}/oauth/introspect`, asked)).json).toEqual({ active: false })

    vi.setSystemTime(Date.now() + 1000)
    const third = await refreshInTab(nodes[0]!, app, successor.json.refresh_token)
    expect(third.status).toBe(200)
    expect((await refreshInTab(nodes[1]!, app, token)).json.error).toBe('invalid_grant')
    expect((await guarded(nodes[0]!, third.json.access_token)).status).toBe(401)
    expect((await refreshInTab(nodes[0]!, app, third.json.refresh_token)).json.error).toBe('invalid_grant')
  })

  it('a device code polled many times at once is won by one, and the grant ends', async () => {
    const { json } = await beginDevice(nodes[0]!, cli)
    await approveDevice(new Browser(nodes[0]!.url), json.user_code, person)
    await race((node) => poll(node, cli, json.device_code))
    expect(await reuses(cli)).toEqual(['application device_code Test application'])
  })

  it('no credential is in the database, only digests', async () => {
    const authorized = await authorize(nodes[0]!, web, person, new Browser(nodes[0]!.url), {
      scope: 'openid offline_access risk:payment',
    })
    const { json } = await exchange(nodes[0]!, web, authorized)
    const device = await beginDevice(nodes[0]!, cli)
    await approveDevice(new Browser(nodes[0]!.url), device.json.user_code, person)
    const browser = new Browser(nodes[0]!.url)
    await authorize(nodes[0]!, web, person, browser)
    const everything = JSON.stringify([
      await sql.query('select * from oauth_record'),
      await sql.query('select * from oauth_client'),
      await sql.query('select * from oauth_key'),
    ])
    const secrets = [
      json.access_token,
      json.refresh_token,
      authorized.callback.get('code'),
      device.json.device_code,
      device.json.user_code.replace('-', ''),
      web.secret,
      ...browser.cookies.map(({ value }) => value),
    ]
    for (const secret of secrets) {
      expect(secret).toEqual(expect.stringMatching(/.{8}/))
      expect(everything).not.toContain(secret)
    }
    expect(everything).not.toContain('"d":')
  })
})

import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import type { Organisation } from '../../src/identity/organisation/organisations.ts'
import type { Person } from '../../src/identity/people/people.ts'
import { describeEachStore } from '../support/stores.ts'
import { Browser } from './support/browser.ts'
import {
  type App,
  approveDevice,
  authorize,
  beginDevice,
  exchange,
  type OAuthAnswer,
  poll,
  send,
  tokenRequest,
} from './support/flow.ts'
import { newClient, newOrganisation, newPerson, startServer, type TestServer } from './support/server.ts'

const AT_ONCE = 12

describeEachStore('what may be used once', (open) => {
  let nodes: TestServer[]
  let sql: Sql
  let organisation: Organisation
  let person: Person
  let web: App
  let cli: App

  beforeAll(async () => {
    sql = await open()
    const first = await startServer(sql)
    nodes = [first, await startServer(await open(), { baseUrl: first.url })]
    organisation = await newOrganisation(sql)
    person = await newPerson(sql, [organisation])
    web = await newClient(sql, organisation.id, { kind: 'web' })
    cli = await newClient(sql, organisation.id, { kind: 'native', redirectUris: [] })
  })
  afterAll(() => Promise.all(nodes.map((node) => node.close())))
  // However long the many take, it is less than an exchange under way may take.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** The same request many times at once, spread over both nodes. */
  async function race(request: (node: TestServer) => Promise<OAuthAnswer>): Promise<void> {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => request(nodes[i % 2]!)))
    const won = answers.filter(({ status }) => status === 200)
    const lost = answers.filter(({ status }) => status !== 200)
    expect(won).toHaveLength(1)
    for (const { status, json } of lost) expect([status, json.error]).toEqual([400, 'invalid_grant'])
    // A replay ends the grant: the winner's token is worth nothing on either node.
    for (const node of nodes) {
      const answer = await send(`${node.url}/guarded/risk:payment`, {
        headers: { authorization: `Bearer ${won[0]?.json.access_token}` },
      })
      expect(answer.status).toBe(401)
    }
  }

  it('a code exchanged many times at once is won by one, and the grant ends', async () => {
    const authorized = await authorize(nodes[0]!, web, person, new Browser(nodes[0]!.url))
    await race((node) => exchange(node, web, authorized))
  })

  it('a refresh token used many times at once is won by one, and the grant ends', async () => {
    const authorized = await authorize(nodes[0]!, web, person, new Browser(nodes[0]!.url), {
      scope: 'openid offline_access risk:payment',
    })
    const { json } = await exchange(nodes[0]!, web, authorized)
    await race((node) => tokenRequest(node, web, { grant_type: 'refresh_token', refresh_token: json.refresh_token }))
  })

  it('a device code polled many times at once is won by one, and the grant ends', async () => {
    const { json } = await beginDevice(nodes[0]!, cli)
    await approveDevice(new Browser(nodes[0]!.url), json.user_code, person)
    await race((node) => poll(node, cli, json.device_code))
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

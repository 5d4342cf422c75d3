import { afterAll, beforeAll, expect, it } from 'vitest'
import { SCOPE_NAMES, SCOPES } from '../../src/access/scopes.ts'
import type { Sql } from '../../src/db/sql.ts'
import { ManualClock } from '../support/clock.ts'
import { allowApplication, consentId } from '../support/consents.ts'
import { createTestEngine } from '../support/engine.ts'
import { operationsIn } from '../support/openapi.ts'
import { memberOf, type SignedIn } from '../support/people.ts'
import { type Answer, startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/**
 * Every route of the API, taken from the app itself, called with the credentials of another organisation on the things
 * of the first: nothing of the first is shown, found or changed.
 */

interface Operation {
  readonly method: string
  readonly path: string
  readonly public: boolean
  readonly body: unknown
}

async function operationsOf(server: TestServer): Promise<Operation[]> {
  return operationsIn((await server.send('/openapi.json')).json)
    .filter(({ path }) => path.startsWith('/v1/'))
    .map(({ method, path, security, requestBody }) => ({
      method,
      path,
      public: security?.length === 0,
      body: requestBody?.content['application/json']?.example,
    }))
}

describeRules('a second organisation', (open) => {
  let sql: Sql
  let server: TestServer
  let victim: { id: string; apiKey: string; keyId: string }
  let owner: SignedIn
  let member: SignedIn
  const ids: Record<string, string> = {}
  /** Texts that belong to the first organisation alone. */
  const secrets: string[] = []
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  const scopes = SCOPE_NAMES.filter((scope) => SCOPES[scope].apiKey)

  const send = (method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> => {
    clock.advance(50)
    return server.send(path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    })
  }
  const asVictim = (method: string, path: string, body?: unknown) =>
    send(method, path, { 'x-api-key': victim.apiKey }, body)

  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(), clock, oauth: true })
    victim = await server.organisation({ plan: 'growth', creditPence: 777_777, scopes })
    owner = await memberOf(server, sql, { organisationId: victim.id, role: 'owner', nowMs: clock.now() })
    member = await memberOf(server, sql, { organisationId: victim.id, role: 'viewer', nowMs: clock.now() })
    await asVictim('POST', '/v1/payment-risk', { email: 'a@b.example' })
    const asked = await owner.send('POST', '/v1/supply-chain-risk?explain=true', { domain: 'victim-asks.com' })
    const key = (await asVictim('POST', '/v1/organisation/keys', { name: 'victim key' })).json
    const client = (
      await asVictim('POST', '/v1/organisation/clients', { kind: 'service', name: 'victim app', scopes: ['risk:bulk'] })
    ).json
    const invitation = (await asVictim('POST', '/v1/organisation/invitations', { role: 'viewer' })).json
    const invoice = (await asVictim('POST', '/v1/billing/top-ups', { amount_pence: 4242 })).json
    const alert = (await asVictim('POST', '/v1/billing/alerts', { kind: 'credit_below', threshold_pence: 5 })).json
    const entry = (await asVictim('POST', '/v1/own-lists/block', { indicator: 'victim-blocks.com', reason: 'secret' }))
      .json
    await asVictim('POST', '/v1/organisation/domains', { domain: 'victim-owns.com' })
    const hook = { url: 'https://hooks.victim-owns.com/', events: ['member.joined'] }
    const webhook = (await asVictim('POST', '/v1/webhooks', hook)).json
    const supplier = { name: 'Victim Supplier', reference: 'V-4711', domains: ['victim-deals-with.com'] }
    const counterparty = (await asVictim('POST', '/v1/counterparties', supplier)).json
    const vendors = (await asVictim('POST', '/v1/counterparties/imports', { rows: 1 })).json
    const rules = [{ name: 'victim rule', when: {}, outcome: 'stop', text: 'victim text' }]
    await send('PUT', '/v1/decision-rules', { 'x-api-key': victim.apiKey, 'if-match': '*' }, { rules })
    const place = { personId: owner.id, clientId: 'assay-cli', organisationId: victim.id }
    await allowApplication(sql, clock, { ...place, role: 'owner' })
    Object.assign(ids, {
      consent_id: consentId(place),
      invoice_id: invoice.id,
      alert_id: alert.id,
      key_id: key.id,
      client_id: client.id,
      member_id: member.id,
      invitation_id: invitation.id,
      entry_id: entry.id,
      counterparty_id: counterparty.id,
      import_id: vendors.id,
      domain: 'victim-owns.com',
      webhook_id: webhook.id,
      check_id: asked.json.check_id,
      request_id: asked.headers.get('x-request-id') ?? '',
    })
    secrets.push(victim.id, victim.keyId, ...Object.values(ids), owner.id, owner.email, '777777', 'victim key')
    secrets.push('victim-blocks.com', 'victim rule', 'Victim Supplier', 'victim-deals-with.com')
  })
  afterAll(() => server.close())

  /** All the first organisation can see of itself, and what time alone changes left out. */
  async function everything(): Promise<unknown> {
    const lists = []
    for (const path of [
      '/v1/organisation',
      '/v1/organisation/members',
      '/v1/organisation/consents',
      '/v1/organisation/invitations',
      '/v1/organisation/keys',
      '/v1/organisation/clients',
      '/v1/organisation/domains',
      '/v1/webhooks',
      '/v1/organisation/audit',
      '/v1/own-lists/block',
      '/v1/counterparties',
      '/v1/counterparties/imports',
      '/v1/decision-rules',
      '/v1/billing',
      '/v1/billing/ledger',
      '/v1/billing/invoices',
      '/v1/billing/alerts',
    ]) {
      lists.push((await asVictim('GET', path)).json)
    }
    return JSON.parse(JSON.stringify(lists, (name, value) => (name === 'last_used_at' ? null : value)))
  }

  async function attackers(): Promise<[string, Record<string, string>][]> {
    const other = await server.organisation({ plan: 'growth', creditPence: 5, scopes })
    const client = (
      await send(
        'POST',
        '/v1/organisation/clients',
        { 'x-api-key': other.apiKey },
        { kind: 'service', name: 'app', scopes },
      )
    ).json
    const token = await server.send('/oauth/token', {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: scopes.join(' ') }),
      headers: { authorization: `Basic ${Buffer.from(`${client.id}:${client.client_secret}`).toString('base64')}` },
    })
    const boss = await memberOf(server, sql, { organisationId: other.id, role: 'owner', nowMs: clock.now() })
    const session = await server.post('/api/session', { email: boss.email, password: 'correct horse battery staple' })
    const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const signedIn = { cookie, 'x-csrf-token': session.json.csrf as string }
    return [
      ['an API key', { 'x-api-key': other.apiKey }],
      ['a token', { authorization: `Bearer ${token.json.access_token}` }],
      ['a session', signedIn],
      ['a session that names the first organisation', { ...signedIn, 'x-organisation-id': victim.id }],
    ]
  }

  it('the walk knows an id for every parameter of every route', async () => {
    const unknown = (await operationsOf(server))
      .filter((operation) => !operation.public)
      .flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))
      .filter((name) => !(name in ids) && !(name in WITHOUT_OWNER))
    expect([...new Set(unknown)]).toEqual([])
  })

  it('finds, sees and changes nothing of the first, on any route', async () => {
    const before = await everything()
    let walked = 0
    for (const [name, credentials] of await attackers()) {
      // Ends of things last, so that the credential at work is not the first to go.
      const operations = (await operationsOf(server)).sort(
        (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
      )
      for (const operation of operations) {
        if (operation.public) continue
        const owned = [...operation.path.matchAll(/\{(\w+)\}/g)].some(([, one]) => one! in ids)
        const path = operation.path.replace(/\{(\w+)\}/g, (_all, one: string) => ids[one] ?? WITHOUT_OWNER[one] ?? '')
        const label = `${operation.method} ${path} with ${name}`
        const answer = await send(operation.method, path, { ...credentials, 'if-match': '*' }, operation.body)
        walked++
        expect(answer.status, label).toBeLessThan(500)
        const risk = /-risk/.test(path)
        if (name.endsWith('names the first organisation') && !risk) expect(answer.status, label).toBe(404)
        if (owned) expect([403, 404], label).toContain(answer.status)
        // The request itself names some ids: what must not come back is anything it did not bring.
        for (const secret of secrets.filter((one) => !path.includes(one))) {
          expect(answer.text.includes(secret), `${label} shows ${secret}`).toBe(false)
        }
      }
    }
    expect(walked).toBeGreaterThan(100)
    expect(await everything()).toEqual(before)
  })

  it('401 on every route that is not public, without a credential', async () => {
    for (const operation of await operationsOf(server)) {
      if (operation.public) continue
      const path = operation.path.replace(/\{(\w+)\}/g, (_all, one: string) => ids[one] ?? WITHOUT_OWNER[one] ?? '')
      const answer = await send(operation.method, path, {}, operation.body)
      expect(answer.status, `${operation.method} ${path}`).toBe(401)
    }
  })
})

/** Path parameters that name no thing of an organisation, with an example. */
const WITHOUT_OWNER: Readonly<Record<string, string>> = {
  month: '2026-03',
  list: 'block',
  version: '1',
  // Every organisation has numbers of its own.
  reference: 'V-4711',
}

import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import type { Role } from '../../src/access/roles.ts'
import type { Scope } from '../../src/access/scopes.ts'
import { changeIn, type Sql, type Tx } from '../../src/db/sql.ts'
import { revokeKey } from '../../src/identity/keys/keys.ts'
import { addMember, removeMember } from '../../src/identity/members/members.ts'
import { resetPassword, setOperator } from '../../src/identity/people/changes.ts'
import { hashPassword } from '../../src/identity/people/passwords.ts'
import { findPersonByEmail } from '../../src/identity/people/people.ts'
import { openSession } from '../../src/identity/people/sessions.ts'
import { DAY_MS, systemClock } from '../../src/lib/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { memberOf, PASSWORD } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { A_SESSION } from '../support/session.ts'
import { describeRules } from '../support/stores.ts'

/** Rights that were taken while a request, a retry or a sign-in was under way. */

const KEYS = '/v1/organisation/keys'
const INVITATIONS = '/v1/organisation/invitations'
const STRONG = { name: 'deploy', scopes: ['organisation:write', 'billing:write'] }

describeRules('rights that were taken', (open) => {
  let sql: Sql
  let server: TestServer
  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(), oauth: true })
  })
  afterAll(() => server.close())

  const change = <T>(work: (tx: Tx) => Promise<T>) => changeIn(sql, systemClock, work)
  async function organisation(scopes?: readonly Scope[]) {
    const made = await server.organisation(scopes ? { scopes } : {})
    const person = (role: Role) => memberOf(server, sql, { organisationId: made.id, role, nowMs: systemClock.now() })
    return { ...made, person }
  }

  /** A request whose body is sent later; resolves once the server has begun to look at its headers. */
  async function begin(method: string, path: string, headers: Record<string, string>, body: string) {
    const { port, hostname } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let text = ''
    const goesOn = new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        text += chunk
        if (text.includes('100 Continue')) resolve()
      })
    })
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    const fields = {
      host: 'localhost',
      connection: 'close',
      expect: '100-continue',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    }
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    await goesOn
    return async () => {
      socket.write(body)
      await closed
      return text.slice(text.indexOf('\r\n\r\n') + 4)
    }
  }

  async function cookieOf(email: string) {
    const session = await server.post('/api/session', { email, password: PASSWORD })
    return { cookie: session.headers.getSetCookie()[0]!.split(';')[0]!, 'x-csrf-token': session.json.csrf as string }
  }

  it('a removed admin cannot finish a request whose headers were sent before', async () => {
    const { id, person } = await organisation()
    const [, admin] = [await person('owner'), await person('admin')]
    const headers = { ...(await cookieOf(admin.email)), 'x-organisation-id': id }
    const finish = await begin('POST', KEYS, headers, JSON.stringify(STRONG))
    // The gate has let the first request pass by the time another of the same person is answered.
    expect((await admin.send('GET', KEYS)).status).toBe(200)
    await change((tx) => removeMember(tx, operatorIn(id), admin.id))
    const answer = await finish()
    expect(answer).toMatch(/^HTTP\/1\.1 404/)
    expect(answer).not.toContain('ask_')
  })

  it('an operator who is one no longer cannot finish an act whose headers were sent before', async () => {
    const { id, person } = await organisation()
    const operator = await person('owner')
    await change((tx) => setOperator(tx, operator.id, true))
    const headers = { ...(await cookieOf(operator.email)), 'idempotency-key': 'too late' }
    const path = `/api/operator/organisations/${id}`
    const finish = await begin('POST', `${path}/credit`, headers, JSON.stringify({ pence: 500, reason: 'late' }))
    expect((await operator.send('GET', path)).status).toBe(200)
    await change((tx) => setOperator(tx, operator.id, false))
    expect(await finish()).toMatch(/^HTTP\/1\.1 404/)
    expect((await server.accounts.read(id)).prepaidPence).toBe(10_000)
  })

  it('a revoked key cannot finish a request, nor use what another node remembers of it', async () => {
    const { id, apiKey, keyId } = await organisation(['organisation:read', 'organisation:write'])
    const other = await startTestServer({ sql, engine: createTestEngine(), oauth: true })
    expect((await other.send(KEYS, { headers: { 'x-api-key': apiKey } })).status).toBe(200)
    const body = { name: 'back door', scopes: ['organisation:write'] }
    const finish = await begin('POST', KEYS, { 'x-api-key': apiKey }, JSON.stringify(body))
    expect((await server.send(KEYS, { headers: { 'x-api-key': apiKey } })).status).toBe(200)
    await change((tx) => revokeKey(tx, operatorIn(id), keyId))
    expect(await finish()).toMatch(/^HTTP\/1\.1 401/)
    expect((await other.post(KEYS, body, apiKey)).status).toBe(401)
    await other.close()
  })

  it('an answer kept under an Idempotency-Key is for whoever sent the request', async () => {
    const { apiKey, person } = await organisation(['organisation:write'])
    const [owner, developer] = [await person('owner'), await person('developer')]
    const once = { 'idempotency-key': 'create-deploy-key' }
    const made = await owner.send('POST', KEYS, STRONG, once)
    expect(made.status).toBe(201)
    expect((await owner.send('POST', KEYS, STRONG, once)).text).toBe(made.text)
    expect((await developer.send('POST', KEYS, STRONG, once)).status).toBe(403)
    const invite = { 'idempotency-key': 'invite-1' }
    expect((await owner.send('POST', INVITATIONS, { role: 'owner' }, invite)).status).toBe(201)
    const replayed = await server.post(INVITATIONS, { role: 'owner' }, apiKey, invite)
    expect([replayed.status, replayed.text.includes('link')]).toEqual([403, false])
  })

  it('the first key of a sign-up is its buyer’s only while they could make one', async () => {
    const email = 'former@buyer.example'
    const order = { organisation_name: 'Bought', name: 'Buyer', email, password: PASSWORD, plan: 'free' }
    const bought = (await server.post('/v1/checkout', { ...order, accept_terms: true })).json
    const organisationId = bought.organisation_id as string
    await memberOf(server, sql, { organisationId, role: 'owner', nowMs: systemClock.now() })
    const buyer = (await findPersonByEmail(sql, email))!.person
    await change((tx) => removeMember(tx, operatorIn(organisationId), buyer.id))
    const claim = await server.post(`/v1/checkout/${bought.id}/claim`, { claim_token: bought.claim_token })
    expect([claim.status, claim.json.code]).toEqual([409, 'conflict'])
  })

  it('a sign-in under way ends with the password it knew', async () => {
    const { person } = await organisation()
    const owner = await person('owner')
    const known = (await findPersonByEmail(sql, owner.email))!
    const passwordHash = await hashPassword('another good pass phrase')
    await change((tx) => resetPassword(tx, owner.id, passwordHash))
    await expect(change((tx) => openSession(tx, known, A_SESSION))).rejects.toMatchObject({ code: 'sign_in_failed' })
  })

  it('invitations of a removed admin make room for others, and do not come back with the admin', async () => {
    const { id, person } = await organisation()
    const [owner, admin] = [await person('owner'), await person('admin')]
    const { link } = (await admin.send('POST', INVITATIONS, { role: 'viewer' })).json
    await change((tx) => removeMember(tx, operatorIn(id), admin.id))
    await change((tx) => addMember(tx, operatorIn(id), { personId: admin.id, role: 'admin' }))
    const token = link.split('#')[1]
    expect((await server.post('/v1/invitations/lookup', { token })).status).toBe(404)
    expect((await owner.send('GET', INVITATIONS)).json.data).toMatchObject([{ state: 'revoked' }])
  })

  it('nobody joins a disabled organisation', async () => {
    const { id, person } = await organisation()
    const owner = await person('owner')
    const { link } = (await owner.send('POST', INVITATIONS, { role: 'admin' })).json
    await server.accounts.say(id, 'disable')
    const joined = await server.post('/v1/invitations/accept', {
      token: link.split('#')[1],
      email: 'late@joiner.example',
      name: 'Late',
      password: PASSWORD,
    })
    expect([joined.status, joined.json.code]).toEqual([409, 'conflict'])
  })

  it('a key made for a week is replaced by one for a week', async () => {
    const { person } = await organisation()
    const developer = await person('developer')
    const body = {
      name: 'for a week',
      scopes: ['risk:payment'],
      expires_at: new Date(Date.now() + 7 * DAY_MS).toISOString(),
    }
    const made = (await developer.send('POST', KEYS, body)).json
    const rotated = (await developer.send('POST', `${KEYS}/${made.id}/rotate`, {})).json
    expect(Date.parse(rotated.expires_at)).toBeGreaterThanOrEqual(Date.parse(made.expires_at))
  })

  it.each([
    ['GET', `${KEYS}/%00`],
    ['DELETE', `${KEYS}/%ff`],
    ['GET', '/v1/organisation/members/%00'],
    ['GET', `/v1/billing/invoices/${'x'.repeat(101)}`],
  ])('404 for %s %s, which names nothing', async (method, path) => {
    const { person } = await organisation()
    expect((await (await person('owner')).send(method, path)).status).toBe(404)
  })

  it.each(['\u200B', '\u202Eyassa', 'a\u2028b', '\u3164'])(
    '422 for the name %j, which nobody can read',
    async (name) => {
      const { person } = await organisation()
      const answer = await (await person('owner')).send('POST', KEYS, { name })
      expect([answer.status, answer.json.errors?.[0]?.pointer]).toEqual([422, '/name'])
    },
  )
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { setSecondFactorRequired } from '../../src/identity/organisation/second-factor.ts'
import { setOperator } from '../../src/identity/people/changes.ts'
import { MINUTE_MS } from '../../src/lib/clock.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { memberOf, PASSWORD, type SignedIn } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

const WEIGHTY = ['organisation:write'] as const

describeRules('changes that weigh', (open) => {
  let sql: Sql
  let server: TestServer
  const clock = new ManualClock('2026-03-10T12:00:00Z')

  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(), clock, oauth: true })
  })
  afterAll(() => server.close())

  const person = (organisationId: string, role: 'owner' | 'admin' | 'developer' | 'viewer') =>
    memberOf(server, sql, { organisationId, role, nowMs: clock.now() })
  const codeOf = async (answer: ReturnType<SignedIn['send']>) => {
    const { status, json } = await answer
    return status < 300 ? status : ((json as { code: string }).code ?? status)
  }
  /** As the page does it: with the version that was read. */
  const edit = async (who: SignedIn, path: string, body: unknown, method = 'PATCH') => {
    const { headers } = await who.send('GET', path)
    return who.send(method, path, body, { 'if-match': headers.get('etag') ?? '' })
  }

  it('need a proof of the last 15 minutes by whoever is signed in; others do not', async () => {
    const { id } = await server.organisation({ scopes: ['organisation:read', 'organisation:write'] })
    const owner = await person(id, 'owner')
    const [admin, viewer] = [await person(id, 'admin'), await person(id, 'viewer')]
    const send = (method: string, path: string, body?: unknown) => owner.send(method, `/v1/organisation${path}`, body)
    const heavy = (await send('POST', '/keys', { name: 'heavy', scopes: WEIGHTY })).json as { id: string }
    const light = (await send('POST', '/keys', { name: 'light', scopes: ['risk:payment'] })).json as { id: string }
    clock.advance(15 * MINUTE_MS)

    const refused: Record<string, () => ReturnType<SignedIn['send']>> = {
      'a key with organisation:write': () => send('POST', '/keys', { name: 'more', scopes: WEIGHTY }),
      'a key with billing:write': () => send('POST', '/keys', { name: 'more', scopes: ['billing:write'] }),
      'replacing such a key': () => send('POST', `/keys/${heavy.id}/rotate`, {}),
      'ending such a key': () => send('DELETE', `/keys/${heavy.id}`),
      'more rights for a key': () => edit(owner, `/v1/organisation/keys/${light.id}`, { scopes: ['billing:write'] }),
      'an application with organisation:write': () =>
        send('POST', '/clients', { kind: 'service', name: 'App', scopes: WEIGHTY }),
      'the role admin': () => edit(owner, `/v1/organisation/members/${viewer.id}`, { role: 'admin' }),
      'the role owner': () => edit(owner, `/v1/organisation/members/${viewer.id}`, { role: 'owner' }),
      'taking the role admin': () => edit(owner, `/v1/organisation/members/${admin.id}`, { role: 'viewer' }),
      'removing a member': () => send('DELETE', `/members/${viewer.id}`),
      'an invitation as admin': () => send('POST', '/invitations', { role: 'admin' }),
      'the name': () => edit(owner, '/v1/organisation', { name: 'Another' }),
      'requiring a second factor': () => edit(owner, '/v1/organisation', { requires_second_factor: true }),
      'allow entries without a second person': () => edit(owner, '/v1/organisation', { allow_needs_approval: false }),
      'decision rules': () => edit(owner, '/v1/decision-rules', { rules: [] }, 'PUT'),
      'ending the subscription': () => owner.send('POST', '/v1/billing/subscription', { end: 'period_end' }),
    }
    for (const [what, change] of Object.entries(refused)) expect(await codeOf(change()), what).toBe('proof_needed')

    const allowed: Record<string, () => ReturnType<SignedIn['send']>> = {
      'a key that only checks': () => send('POST', '/keys', { name: 'more', scopes: ['risk:payment'] }),
      'ending such a key': () => send('DELETE', `/keys/${light.id}`),
      'an invitation as viewer': () => send('POST', '/invitations', { role: 'viewer' }),
      'a role among the lesser ones': () => edit(owner, `/v1/organisation/members/${viewer.id}`, { role: 'developer' }),
      'an entry of an own list': () => owner.send('POST', '/v1/own-lists/block', { indicator: 'acme.com' }),
      reading: () => send('GET', '/members'),
    }
    for (const [what, change] of Object.entries(allowed)) expect(await codeOf(change()), what).toBeLessThan(300)
    // Everybody may leave.
    expect(await codeOf(admin.send('DELETE', `/v1/organisation/members/${admin.id}`))).toBe(204)

    expect(await codeOf(owner.send('POST', '/api/session/prove', { password: 'not the password' }))).toBe(
      'validation_failed',
    )
    expect(await codeOf(refused['the name']!())).toBe('proof_needed')
    expect(await codeOf(owner.send('POST', '/api/session/prove', { password: PASSWORD }))).toBe(204)
    expect(await codeOf(refused['the name']!())).toBe(200)
    expect(await codeOf(refused['removing a member']!())).toBe(204)
  })

  it('are not asked of API keys', async () => {
    const { apiKey } = await server.organisation({ scopes: ['organisation:read', 'organisation:write'] })
    clock.advance(60 * MINUTE_MS)
    const made = await server.post('/v1/organisation/keys', { name: 'more', scopes: WEIGHTY }, apiKey)
    expect(made.status).toBe(201)
  })

  it('on the operator’s pages need a proof; reading does not', async () => {
    const { id } = await server.organisation()
    const operator = await person(id, 'owner')
    await changeIn(sql, clock, (tx) => setOperator(tx, operator.id, true))
    clock.advance(15 * MINUTE_MS)
    const credit = () =>
      operator.send(
        'POST',
        `/api/operator/organisations/${id}/credit`,
        { pence: 100, reason: 'test' },
        { 'idempotency-key': 'one' },
      )
    expect(await codeOf(operator.send('GET', '/api/operator/organisations'))).toBe(200)
    expect(await codeOf(credit())).toBe('proof_needed')
    expect(await codeOf(operator.send('POST', '/api/session/prove', { password: PASSWORD }))).toBe(204)
    expect(await codeOf(credit())).toBeLessThan(300)
  })

  it('an owner with a second factor decides if members need one, a key cannot; members without one are shut out', async () => {
    const { id, apiKey } = await server.organisation({
      scopes: ['organisation:read', 'organisation:write', 'risk:payment'],
    })
    const [owner, admin] = [await person(id, 'owner'), await person(id, 'admin')]
    const wanted = { requires_second_factor: true }
    expect(await codeOf(edit(owner, '/v1/organisation', wanted))).toBe('conflict')
    expect(await codeOf(edit(admin, '/v1/organisation', wanted))).toBe('forbidden')
    const { headers } = await server.send('/v1/organisation', { headers: { 'x-api-key': apiKey } })
    const byKey = await server.send('/v1/organisation', {
      method: 'PATCH',
      body: JSON.stringify(wanted),
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'if-match': headers.get('etag') ?? '' },
    })
    expect(byKey.status).toBe(403)
    await changeIn(sql, clock, (tx) => setSecondFactorRequired(tx, {}, operatorIn(id), { required: true }))
    for (const [method, path, body] of [
      ['GET', '/v1/organisation', undefined],
      ['GET', '/v1/billing', undefined],
      ['POST', '/v1/payment-risk', { email: 'a@example.com' }],
      ['DELETE', `/v1/organisation/members/${admin.id}`, undefined],
    ] as const) {
      expect(await codeOf(admin.send(method, path, body)), path).toBe('second_factor_needed')
    }
    expect(await codeOf(admin.send('GET', '/api/session'))).toBe(200)
    expect(await codeOf(admin.send('GET', '/api/factors'))).toBe(200)
    expect(await codeOf(admin.send('POST', '/api/factors/codes/begin', {}))).toBe(200)
    expect((await server.post('/v1/payment-risk', { email: 'a@example.com' }, apiKey)).status).not.toBe(403)
  })
})

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { emit } from '../../src/events/emit.ts'
import { tellExpiringKeys } from '../../src/identity/keys/expiry.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { createWebhookJob } from '../../src/notify/deliveries.ts'
import { TEST_SECRET } from '../support/accounts.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { memberOf, type SignedIn, signIn } from '../support/people.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** /v1/events, /v1/webhooks, the inbox and the digest. */

describeRules('events and webhooks', (open) => {
  let sql: Sql
  let server: TestServer
  let receiver: Receiver
  let organisation: { id: string; apiKey: string }
  let owner: SignedIn
  const clock = new ManualClock('2026-03-02T09:00:00Z')

  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(), clock, oauth: true })
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await server.close()
    await receiver.close()
  })
  beforeEach(async () => {
    organisation = await server.organisation({ scopes: ['organisation:read'] })
    owner = await memberOf(server, sql, { organisationId: organisation.id, role: 'owner', nowMs: clock.now() })
    receiver.received.length = 0
  })

  const keyWith = async (...scopes: ('organisation:read' | 'organisation:write' | 'billing:read')[]) => {
    const { secret } = await server.accounts.key(organisation.id, 'a key', scopes)
    return secret
  }
  const get = (path: string, apiKey = organisation.apiKey) => server.send(path, { headers: { 'x-api-key': apiKey } })
  const paid = (number: string) =>
    changeIn(sql, clock, async (tx) =>
      emit(tx, {
        organisationId: organisation.id,
        type: 'invoice.paid',
        data: { invoice_id: 'bil_1', number, total_pence: 1200 },
      }),
    )
  const wanted = () => ({ url: receiver.url, events: ['invoice.paid', 'member.left'], description: 'Books' })
  const deliver = async () => {
    const job = createWebhookJob({
      sql,
      clock,
      ring: ringOf(TEST_SECRET),
      allowLoopback: true,
      sendsMail: false,
      onError: (error) => {
        throw error
      },
    })
    await job.run(new AbortController().signal)
    await job.close()
  }

  it('GET /v1/events continues after an id; money needs billing:read', async () => {
    await paid('1')
    await paid('2')
    const both = await keyWith('organisation:read', 'billing:read')
    const first = await get('/v1/events?limit=1', both)
    expect(first).toMatchObject({ status: 200, json: { data: [{ type: 'member.joined' }], has_more: true } })
    const rest = await get(`/v1/events?after=${first.json.data[0].id}`, both)
    expect(rest.json.has_more).toBe(false)
    expect(
      rest.json.data.map(({ type, data }: { type: string; data: { summary: string } }) => [type, data.summary]),
    ).toEqual([
      ['invoice.paid', 'Invoice INV-1 over £12.00 was paid.'],
      ['invoice.paid', 'Invoice INV-2 over £12.00 was paid.'],
    ])
    expect((await get(`/v1/events?after=${rest.json.data[1].id}`, both)).json).toEqual({ data: [], has_more: false })
    expect((await get('/v1/events')).text).not.toContain('invoice')
    expect(await get('/v1/events?after=evt_wrong')).toMatchObject({ status: 400, json: { code: 'invalid_query' } })
    expect((await get('/v1/events', await keyWith('billing:read'))).status).toBe(403)
    const other = await server.organisation({ scopes: ['organisation:read'] })
    expect((await get('/v1/events', other.apiKey)).json.data).toEqual([])
  })

  it('a webhook is created, shown without its secret, tested, replayed, disabled, enabled and deleted', async () => {
    const made = await owner.send('POST', '/v1/webhooks', wanted())
    expect(made).toMatchObject({
      status: 201,
      json: { enabled: true, secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) },
    })
    const path = `/v1/webhooks/${made.json.id}`
    const read = await get(path)
    expect(read.json).toMatchObject({
      url: receiver.url,
      events: ['invoice.paid', 'member.left'],
      description: 'Books',
    })
    expect((await get('/v1/webhooks')).text + read.text).not.toContain('whsec_')

    const tested = await owner.send('POST', `${path}/test`, {})
    expect(tested).toMatchObject({ status: 202, json: { type: 'webhook.test', state: 'waiting', attempts: [] } })
    await deliver()
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({ type: 'webhook.test', id: tested.json.event_id })
    receiver.answer = { status: 500, text: 'broken' }
    clock.advance(1000)
    await paid('3')
    await deliver()
    receiver.answer = { status: 200 }
    const log = await get(`${path}/deliveries`)
    expect(log.json.data).toMatchObject([
      {
        type: 'invoice.paid',
        state: 'waiting',
        attempts: [{ status: 500, answer: 'broken' }],
        error: 'the receiver answered 500',
      },
      {
        type: 'webhook.test',
        state: 'delivered',
        attempts: [{ status: 200, answer: 'thanks' }],
        next_attempt_at: null,
      },
    ])

    const change = async (body: object) =>
      owner.send('PATCH', path, body, { 'if-match': (await get(path)).headers.get('etag')! })
    expect(await change({ enabled: false })).toMatchObject({ status: 200, json: { disabled_why: 'person' } })
    expect((await get(`${path}/deliveries`)).json.data[0].state).toBe('failed')
    expect((await owner.send('POST', `${path}/test`, {})).status).toBe(409)
    expect((await owner.send('POST', `${path}/replay`, { delivery_id: tested.json.id })).status).toBe(409)
    expect(await change({ enabled: true, events: ['member.left'] })).toMatchObject({ json: { disabled_why: null } })
    expect(await owner.send('PATCH', path, { enabled: false }, { 'if-match': '"old"' })).toMatchObject({ status: 412 })
    expect((await owner.send('POST', `${path}/replay`, { since: '2026-03-01' })).json).toEqual({ replayed: 1 })
    expect((await owner.send('POST', `${path}/replay`, { since: 'yesterday' })).status).toBe(422)
    const again = (id: string) => owner.send('POST', `${path}/replay`, { delivery_id: id })
    expect((await again(tested.json.id)).json).toEqual({ replayed: 1 })
    expect((await again('msg_none')).json).toEqual({ replayed: 0 })
    expect((await owner.send('POST', `${path}/replay`, { delivery_id: 'a', since: '2026-03-01' })).status).toBe(422)
    await deliver()
    expect(receiver.received).toHaveLength(4)
    const rotated = await owner.send('POST', `${path}/rotate-secret`, {})
    expect(rotated.json.secret).not.toBe(made.json.secret)

    // Another organisation does not learn that it exists.
    const other = await server.organisation({ scopes: ['organisation:read'] })
    for (const place of [path, `${path}/deliveries`]) expect((await get(place, other.apiKey)).status).toBe(404)
    expect((await owner.send('DELETE', path)).status).toBe(204)
    expect((await get(path)).status).toBe(404)
    const audit = await get(
      '/v1/organisation/audit?family=webhook.',
      await keyWith('organisation:read', 'billing:read'),
    )
    expect(audit.text).not.toContain('/hook')
  })

  it('a webhook is refused: without the rights, to an address inside, with unknown events, beyond the limit', async () => {
    const writer = await keyWith('organisation:read', 'organisation:write')
    const refused = await server.post('/v1/webhooks', wanted(), writer)
    expect(refused).toMatchObject({ status: 403, json: { code: 'forbidden' } })
    expect((await server.post('/v1/webhooks', { ...wanted(), events: ['member.left'] }, writer)).status).toBe(201)
    expect((await server.post('/v1/webhooks', wanted(), organisation.apiKey)).status).toBe(403)
    for (const url of ['https://10.0.0.1/', 'ftp://company.example/', 'nothing', 'https://u:p@company.example/']) {
      const answer = await owner.send('POST', '/v1/webhooks', { ...wanted(), url })
      expect(answer).toMatchObject({ status: 422, json: { errors: [{ pointer: '/url' }] } })
    }
    for (const events of [[], ['check.unknown'], ['sign_in.new_place']]) {
      expect((await owner.send('POST', '/v1/webhooks', { ...wanted(), events })).status).toBe(422)
    }
    for (let n = 0; n < 19; n++) await server.post('/v1/webhooks', { ...wanted(), events: ['member.left'] }, writer)
    expect(await owner.send('POST', '/v1/webhooks', wanted())).toMatchObject({ status: 409 })
  })

  it('money does not reach another address without the right to read it', async () => {
    const path = `/v1/webhooks/${(await owner.send('POST', '/v1/webhooks', wanted())).json.id}`
    await paid('4')
    const change = async (body: object) =>
      owner.send('PATCH', path, body, { 'if-match': (await get(path)).headers.get('etag')! })
    await change({ enabled: false })
    await change({ enabled: true })
    const writer = await keyWith('organisation:read', 'organisation:write')
    const elsewhere = { url: `${receiver.url}/elsewhere`, events: ['member.left'] }
    const send = async (method: string, to: string, body: object) =>
      server.send(to, {
        method,
        headers: {
          'x-api-key': writer,
          'content-type': 'application/json',
          ...(method === 'PATCH' && { 'if-match': (await get(path)).headers.get('etag')! }),
        },
        body: JSON.stringify(body),
      })
    expect((await send('PATCH', path, elsewhere)).status).toBe(403)
    await change({ events: ['member.left'] })
    expect((await send('PATCH', path, elsewhere)).status).toBe(200)
    expect((await send('POST', `${path}/replay`, { since: '2026-03-01' })).json).toEqual({ replayed: 0 })
    expect((await owner.send('POST', `${path}/replay`, { since: '2026-03-01' })).json).toEqual({ replayed: 1 })
  })

  it('the inbox counts what is new for a person; a sign-in from a new place is only for that person', async () => {
    const viewer = await memberOf(server, sql, { organisationId: organisation.id, role: 'viewer', nowMs: clock.now() })
    const query = `organisation_id=${organisation.id}`
    const unread = async (who: SignedIn) => (await who.send('GET', `/api/inbox/unread?${query}`)).json.unread
    const summaries = async (who: SignedIn) =>
      (await who.send('GET', `/api/inbox?${query}`)).json.data.map(({ summary }: { summary: string }) => summary)
    const before = await unread(viewer)
    await paid('4')
    expect(await unread(viewer)).toBe(before + 1)
    expect((await summaries(viewer)).join()).toContain('Invoice INV-4')
    expect((await viewer.send('POST', '/api/inbox/read', { organisation_id: organisation.id })).status).toBe(204)
    expect([await unread(viewer), (await unread(owner)) > 0]).toEqual([0, true])
    // A member of the organisation who may not read its events sees none of them, nor does a stranger.
    const checker = await memberOf(server, sql, {
      organisationId: organisation.id,
      role: 'checker',
      nowMs: clock.now(),
    })
    const elsewhere = await server.organisation()
    const stranger = await memberOf(server, sql, { organisationId: elsewhere.id, role: 'owner', nowMs: clock.now() })
    for (const who of [checker, stranger]) expect(await summaries(who)).toEqual([])

    // Pages show each event once.
    for (let n = 0; n < 60; n++) await paid(`page ${n}`)
    const [pageOne, seen] = [(await viewer.send('GET', `/api/inbox?${query}`)).json, new Set<string>()]
    const pageTwo = (await viewer.send('GET', `/api/inbox?${query}&before=${pageOne.next}`)).json
    for (const { id } of [...pageOne.data, ...pageTwo.data]) seen.add(id)
    expect([pageOne.data.length, pageTwo.next, seen.size]).toEqual([50, null, 50 + pageTwo.data.length])
    expect(seen.size).toBeGreaterThan(62)
    expect((await viewer.send('GET', `/api/inbox?${query}&before=x`)).status).toBe(400)

    // Nothing is shown without a second factor if one is required.
    await sql.query('update organisation set requires_second_factor = 1 where id = $1', [organisation.id])
    expect(await summaries(viewer)).toEqual([])
    await sql.query('update organisation set requires_second_factor = 0 where id = $1', [organisation.id])

    clock.advance(2 * DAY_MS)
    const again = { ...owner, ...(await signIn(server, owner.email)) }
    expect((await summaries(again)).join()).toContain('A new sign-in to your account')
    expect(
      (await summaries({ ...viewer, ...(await signIn(server, viewer.email)) })).filter((one: string) =>
        one.includes(owner.email),
      ),
    ).toEqual([])
    expect((await get('/v1/events', await keyWith('organisation:read', 'billing:read'))).text).not.toContain('sign_in')
    expect((await again.send('POST', '/api/account/digest', { frequency: 'weekly' })).status).toBe(204)
    expect((await again.send('GET', '/api/account/digest')).json).toEqual({ frequency: 'weekly' })
  })

  it('every key is told of, of however many that expire at the same second', async () => {
    await owner.send('POST', '/v1/organisation/keys', {
      name: 'Long',
      scopes: ['risk:payment'],
      expires_at: new Date(clock.now() + 30 * DAY_MS).toISOString(),
    })
    const [row] = await sql.query('select * from api_key where expires_at = $1', [clock.now() + 30 * DAY_MS])
    const others = Object.keys(row!).filter((name) => name !== 'id' && name !== 'digest')
    await sql.query(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 210)
       insert into api_key (id, digest, ${others.join(', ')}) select 'key_' || i, 'digest ' || i, ${others.join(', ')}
       from n, api_key where id = $1`,
      [row!.id as string],
    )
    clock.advance(16 * DAY_MS)
    await tellExpiringKeys(sql, clock)
    const rows = await sql.query(`select id from event where owner = $1 and type = 'key.expiring'`, [organisation.id])
    expect(rows).toHaveLength(211)
  })

  it('an expiring key is told 14 days and 1 day before, once each', async () => {
    const told = async () => {
      await tellExpiringKeys(sql, clock)
      const { json } = await get('/v1/events')
      return json.data.filter(({ type }: { type: string }) => type === 'key.expiring').length
    }
    await owner.send('POST', '/v1/organisation/keys', {
      name: 'Long',
      scopes: ['risk:payment'],
      expires_at: new Date(clock.now() + 30 * DAY_MS).toISOString(),
    })
    await owner.send('POST', '/v1/organisation/keys', {
      name: 'Short',
      scopes: ['risk:payment'],
      expires_at: new Date(clock.now() + DAY_MS / 2).toISOString(),
    })
    expect(await told()).toBe(0)
    clock.advance(16 * DAY_MS)
    expect([await told(), await told()]).toEqual([1, 1])
    clock.advance(13 * DAY_MS)
    expect([await told(), await told()]).toEqual([2, 2])
  })
})

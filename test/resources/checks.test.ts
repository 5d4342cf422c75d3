import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { SCOPE_NAMES, SCOPES } from '../../src/access/scopes.ts'
import type { Sql } from '../../src/db/sql.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts'
import { ringOf } from '../../src/lib/seal.ts'
import { purgeChecks } from '../../src/record/erase.ts'
import { indexDigests } from '../../src/record/follow-up.ts'
import { makeRecords, makeWaitingRecords } from '../../src/record/lists.ts'
import { TEST_SECRET } from '../support/accounts.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine, KNOWN } from '../support/engine.ts'
import { memberOf } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** Checks on record, as the API answers them. */

const ASKED = 'jane.doe@asked-supplier.example'

describeRules('the history', (open) => {
  let sql: Sql
  let server: TestServer
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  const ring = ringOf(TEST_SECRET)
  const scopes = SCOPE_NAMES.filter((scope) => SCOPES[scope].apiKey)
  let organisation: { id: string; apiKey: string; keyId: string }
  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(undefined, clock), clock, oauth: true })
  })
  beforeEach(async () => {
    organisation = await server.organisation({ scopes })
  })
  afterAll(() => server.close())

  const key = () => ({ 'x-api-key': organisation.apiKey })
  const get = (path: string, headers: Record<string, string> = key()) => server.send(path, { headers })
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    server.post(path, body, organisation.apiKey, headers)
  const set = (settings: object) =>
    server.send('/v1/organisation', {
      method: 'PATCH',
      body: JSON.stringify(settings),
      headers: { ...key(), 'if-match': '*', 'content-type': 'application/json' },
    })
  const member = (role: 'owner' | 'checker' | 'viewer' | 'developer') =>
    memberOf(server, sql, { organisationId: organisation.id, role, nowMs: clock.now() })
  const listed = async (query = '') =>
    (await get(`/v1/checks${query}`)).json.data as { indicator: string; id: string }[]

  it('keeps what people ask by default, what programs ask where the organisation wants it, and nothing where it is off', async () => {
    const clerk = await member('checker')
    const asPerson = (email: string) => clerk.send('POST', '/v1/payment-risk?explain=true', { email })
    expect((await post('/v1/payment-risk?explain=true', { email: 'a@x.example' })).json.check_id).toBeUndefined()
    const kept = (await asPerson('b@x.example')).json
    expect(kept.check_id).toMatch(/^chk_\w{20}$/)
    expect((await set({ history: 'all' })).json).toMatchObject({ history: 'all', history_days: 400 })
    await post('/v1/payment-risk', { email: 'c@x.example' })
    await set({ history: 'off' })
    await asPerson('d@x.example')
    expect((await listed()).map(({ indicator }) => indicator)).toEqual(['c@x.example', 'b@x.example'])
    const audited = (await get('/v1/organisation/audit?action=organisation.history')).json.data
    expect(audited).toContainEqual(expect.objectContaining({ detail: { history: { from: 'all', to: 'off' } } }))
    expect((await set({ decisions_need_two: true })).status).toBe(403)
    expect((await set({ history_days: 0 })).status).toBe(422)
  })

  it('shows a check as it was answered, to those who may read it, and by the request of the ledger', async () => {
    const [clerk, other, viewer] = [await member('checker'), await member('checker'), await member('viewer')]
    const { json: answer, headers } = await clerk.send('POST', '/v1/supply-chain-risk?explain=true', {
      domain: KNOWN.badDomain,
    })
    const path = `/v1/checks/${answer.check_id}`
    const seen = await viewer.send('GET', path)
    expect(seen.json).toMatchObject({
      indicator: KNOWN.badDomain,
      risk: 'high',
      channel: 'console',
      asked_by: { kind: 'person', id: clerk.id },
      request_id: headers.get('x-request-id'),
      price: { charged: true, total_price_pence: answer.total_price_pence },
      decision: null,
      review: null,
      feedback: null,
      answer,
    })
    expect((await clerk.send('GET', path)).status).toBe(200)
    expect((await other.send('GET', path)).status).toBe(404)
    expect((await other.send('GET', '/v1/checks')).json.data).toEqual([])
    expect((await listed(`?request_id=${seen.json.request_id}`)).map(({ id }) => id)).toEqual([answer.check_id])
    const stranger = await server.organisation({ scopes })
    expect((await get(path, { 'x-api-key': stranger.apiKey })).status).toBe(404)
  })

  it('keeps a plain answer of a program, with reasons where there is a risk; a key without organisation:read reads its own', async () => {
    await set({ history: 'all' })
    const low = await post('/v1/infrastructure-risk', { ip: '93.184.216.34' })
    const high = await post('/v1/supply-chain-risk', { domain: KNOWN.badDomain })
    expect(high.json.signals).toBeUndefined()
    const [first, second] = await listed()
    const kept = await get(`/v1/checks/${second?.id}`)
    expect(kept.json.answer).toEqual(low.json)
    expect((await get(`/v1/checks/${first?.id}`)).json.answer).toMatchObject({
      ...high.json,
      signals: expect.any(Array),
    })
    const keyMade = await server.accounts.key(organisation.id, 'narrow', ['risk:infrastructure'])
    const narrow = { 'x-api-key': keyMade.secret }
    expect((await get('/v1/checks', narrow)).json.data).toEqual([])
    await server.post('/v1/infrastructure-risk', { ip: '93.184.216.35' }, keyMade.secret)
    expect((await get('/v1/checks', narrow)).json.data).toMatchObject([{ indicator: '93.184.216.35' }])
  })

  it('says what changed since the last check of the indicator', async () => {
    const clerk = await member('checker')
    const ask = async () => (await clerk.send('POST', '/v1/payment-risk?explain=true', { email: ASKED })).json
    const first = await ask()
    expect(first.changed_since).toBeUndefined()
    clock.advance(MINUTE_MS)
    const same = await ask()
    expect(same.changed_since).toEqual({
      check_id: first.check_id,
      asked_at: expect.stringMatching(/^2026-03-1\dT/),
      risk: first.risk,
      risk_score: first.risk_score,
      changes: [],
    })
    const answerWas = (id: string) =>
      Promise.all(
        ['kept_check', 'kept_digest'].map((table) =>
          sql.query(`update ${table} set score = 0, level = 'medium' where id = $1`, [id]),
        ),
      )
    await answerWas(same.check_id)
    const changes = [expect.stringMatching(/^medium on 1\d March 2026; low now$/)]
    const list = await clerk.send('POST', '/v1/payment-risk/bulk?explain=true', { emails: [ASKED, 'new@x.example'] })
    const [known, fresh] = list.json.results
    expect(known.changed_since).toEqual({
      ...same.changed_since,
      check_id: same.check_id,
      risk: 'medium',
      risk_score: 0,
      asked_at: expect.any(String),
      changes,
    })
    expect(fresh).not.toHaveProperty('changed_since')
    await server.app.afterAnswers()
    expect((await get(`/v1/checks/${list.json.check_id}-0`)).json.answer.changed_since).toEqual(known.changed_since)
    await answerWas(`${list.json.check_id}-0`)
    expect((await ask()).changed_since).toMatchObject({ check_id: `${list.json.check_id}-0`, changes })
  })

  it('makes one check of each record of a list, also after a crash, each with its share of the price', async () => {
    await set({ history: 'all' })
    const emails = Array.from({ length: 120 }, (_, i) => `n${i}@list.example`)
    const answer = await post('/v1/payment-risk/bulk?explain=true', { emails })
    const { check_id, results } = answer.json
    await server.app.afterAnswers()
    expect(await sql.query('select id from kept_list')).toEqual([])
    const rows = await listed('?limit=200')
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(emails.map((_, i) => `${check_id}-${i}`)))
    const one = (await get(`/v1/checks/${check_id}-17`)).json
    expect(one).toMatchObject({ indicator: emails[17], price: { total_price_pence: 3 } })
    expect(one.answer.signals).toEqual(results[17].signals)
    // A node that died between two parts.
    const list = `select organisation_id, id from kept_list`
    const kept = await post('/v1/payment-risk/bulk', { emails: emails.slice(0, 60) })
    expect(kept.status).toBe(200)
    await server.app.afterAnswers()
    await makeWaitingRecords({ sql, ring })
    expect(await sql.query(list)).toEqual([])
    expect(await listed(`?request_id=${kept.headers.get('x-request-id')}&limit=100`)).toHaveLength(60)
    await makeRecords({ sql, ring }, { organisationId: organisation.id, id: check_id })
  })

  it('erases by indicator, by person and all: rows, digests, texts and answers stored for retries; the ledger stays', async () => {
    await set({ history: 'all' })
    const clerk = await member('checker')
    const retry = { 'idempotency-key': 'again' }
    await Promise.all([
      post('/v1/payment-risk', { email: ASKED }, retry),
      post('/v1/payment-risk', { email: 'other@x.example' }),
      clerk.send('POST', '/v1/payment-risk', { email: 'mine@x.example' }),
      post('/v1/payment-risk/bulk', { emails: [ASKED, 'third@x.example'] }),
    ])
    const gone = (erased: number, removed = 0, left = 0) => ({
      erased,
      own_list_entries: left,
      own_list_entries_erased: removed,
    })
    const erase = (body: unknown) => {
      // Beyond the share of a second.
      clock.advance(SECOND_MS)
      return post('/v1/checks/erase', body)
    }
    expect((await clerk.send('POST', '/v1/checks/erase', { all: true })).status).toBe(403)
    expect((await erase({ indicator: 'no indicator' })).status).toBe(400)
    expect((await erase({})).status).toBe(422)
    expect((await erase({ indicator: ` ${ASKED.toUpperCase()}` })).json).toEqual(gone(2))
    const left = ['mine@x.example', 'other@x.example', 'third@x.example']
    expect((await listed()).map(({ indicator }) => indicator).sort()).toEqual(left)
    expect(await listed(`?indicator=${ASKED}`)).toEqual([])
    expect((await post('/v1/payment-risk', { email: ASKED }, retry)).headers.get('idempotent-replayed')).toBeNull()
    // An own list is a decision of its own: it stays, and the answer says so, unless it is asked for.
    expect((await post('/v1/own-lists/block', { indicator: 'other@x.example' })).status).toBe(201)
    expect((await erase({ indicator: 'other@x.example' })).json).toEqual(gone(1, 0, 1))
    expect((await erase({ indicator: 'other@x.example', own_lists: true })).json).toEqual(gone(0, 1))
    expect((await erase({ person: clerk.id, own_lists: true })).status).toBe(422)
    // One that feedback made goes with the check; the audit log has the check and no indicator.
    const mistaken = async (domain: string, asking: Promise<unknown>) => {
      await asking
      const id = (await listed(`?indicator=${domain}`))[0]?.id
      const said = { wrong: 'too_low', reason: `${domain} took our money`, own_list: 'block' }
      const path = `/v1/checks/${id}/feedback`
      const headers = { ...key(), 'content-type': 'application/json' }
      expect((await server.send(path, { method: 'PUT', body: JSON.stringify(said), headers })).status).toBe(200)
    }
    const ofClerk = 'clerks-find.example'
    const ofKey = 'owners-find.example'
    await mistaken(ofClerk, clerk.send('POST', '/v1/supply-chain-risk', { domain: ofClerk }))
    await mistaken(ofKey, post('/v1/supply-chain-risk', { domain: ofKey }))
    const blocked = async () =>
      (await get('/v1/own-lists/block')).json.data.map(({ indicator }: { indicator: string }) => indicator)
    expect((await blocked()).sort()).toEqual([ofClerk, ofKey])
    expect((await erase({ person: clerk.id })).json).toEqual(gone(2, 1))
    expect(await blocked()).toEqual([ofKey])
    const audited = (await get('/v1/organisation/audit')).json.data
    expect(audited).toContainEqual(
      expect.objectContaining({
        action: 'check.erase',
        detail: { by: 'person', person: clerk.id, erased: 2, own_list_entries: 1 },
      }),
    )
    expect(JSON.stringify(audited)).not.toMatch(/jane\.doe|-find/)
    expect((await erase({ all: true })).json).toEqual(gone(3, 1))
    expect(await blocked()).toEqual([])
    for (const table of [
      'kept_check',
      'kept_text',
      'kept_digest',
      'waiting_digest',
      'waiting_review',
      'stored_response',
    ]) {
      const of = `select 1 from ${table} where organisation_id = $1`
      expect(await sql.query(of, [organisation.id]), table).toEqual([])
    }
    expect((await get('/v1/billing/ledger?kind=charge')).json.data).toHaveLength(7)
  })

  it('never writes an indicator in clear, into no file of the database', async () => {
    await set({ history: 'all' })
    await post('/v1/payment-risk?explain=true', { email: ASKED }, { 'idempotency-key': 'sealed' })
    await post('/v1/payment-risk/bulk?explain=true', { emails: [ASKED] })
    await server.app.afterAnswers()
    await indexDigests(sql)
    expect(await listed(`?indicator=${ASKED}`)).toHaveLength(2)
    if (sql.place.engine === 'sqlite') {
      const folder = dirname(sql.place.file)
      for (const file of readdirSync(folder)) {
        expect(readFileSync(`${folder}/${file}`).includes('asked-supplier'), file).toBe(false)
      }
    }
    const csv = await get('/v1/checks', { ...key(), accept: 'text/csv' })
    expect(csv.text.split('\r\n')[1]).toContain(ASKED)
  })

  it('ends after the days of the organisation', async () => {
    await set({ history: 'all', history_days: 2 })
    await post('/v1/payment-risk', { email: ASKED })
    clock.advance(DAY_MS)
    await post('/v1/payment-risk', { email: 'later@x.example' })
    await indexDigests(sql)
    clock.advance(DAY_MS + 1)
    expect(await purgeChecks({ sql, ring }, clock.now())).toBeGreaterThan(0)
    expect((await listed()).map(({ indicator }) => indicator)).toEqual(['later@x.example'])
    const texts = await sql.query('select 1 from kept_text where organisation_id = $1', [organisation.id])
    expect(texts).toHaveLength(1)
  })
})

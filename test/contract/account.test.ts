import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { changeIn, type Sql, StoreUnavailable } from '../../src/db/sql.ts'
import { revokeKey, rotateKey } from '../../src/identity/keys/keys.ts'
import { HOUR_MS, SECOND_MS } from '../../src/lib/clock.ts'
import { KIND_NAMES, KINDS } from '../../src/lib/kinds.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine, interruptible } from '../support/engine.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** States of accounts, lives of keys, free units and overage, and what happens when parts of the server are away. */

const BODIES = { email: 'jane@company.example', domain: 'company.example', ip: '9.9.9.9' }
const ENDPOINTS = KIND_NAMES.flatMap((kind) => [
  { path: `/v1/${KINDS[kind].family}`, body: { [kind]: BODIES[kind] } },
  { path: `/v1/${KINDS[kind].family}/bulk`, body: { [KINDS[kind].plural]: [BODIES[kind]] } },
])

describeRules('accounts and keys', (open) => {
  let sql: Sql
  let failing = false
  let server: TestServer
  const clock = new ManualClock('2026-03-31T23:00:00Z')
  const engine = interruptible(createTestEngine())

  beforeAll(async () => {
    sql = await open()
    const flaky: Sql = new Proxy(sql, {
      get(target, name, receiver) {
        const value = Reflect.get(target, name, receiver)
        if (!failing || !['query', 'transaction', 'run'].includes(String(name))) return value
        return () => Promise.reject(new StoreUnavailable('the disk is full'))
      },
    })
    server = await startTestServer({ sql: flaky, engine, clock })
  })
  afterAll(() => server.close())

  describe.each(ENDPOINTS)('$path', ({ path, body }) => {
    it('403 account_disabled and account_inactive within 5 s, 200 when active again', async () => {
      const { id, apiKey } = await server.organisation()
      expect((await server.post(path, body, apiKey)).status).toBe(200)
      for (const [word, back, code] of [
        ['disable', 'enable', 'account_disabled'],
        ['deactivate', 'activate', 'account_inactive'],
      ] as const) {
        await server.accounts.say(id, word)
        clock.advance(5 * SECOND_MS)
        expect(await server.post(path, body, apiKey)).toMatchObject({ status: 403, json: { code } })
        await server.accounts.say(id, back)
        clock.advance(5 * SECOND_MS)
        expect((await server.post(path, body, apiKey)).status).toBe(200)
      }
    })

    it('403 at the charge already, when an organisation is disabled while its key is still cached', async () => {
      const { id, apiKey } = await server.organisation()
      await server.post(path, body, apiKey)
      await server.accounts.say(id, 'disable')
      expect(await server.post(path, body, apiKey)).toMatchObject({ status: 403, json: { code: 'account_disabled' } })
    })

    it('503 store_unavailable when the ledger cannot be written, nothing charged, 200 afterwards', async () => {
      const { id, apiKey } = await server.organisation({ creditPence: 100 })
      await server.post(path, body, apiKey)
      const before = (await server.accounts.read(id)).prepaidPence
      failing = true
      const answer = await server.post(path, body, apiKey)
      failing = false
      expect(answer).toMatchObject({ status: 503, json: { code: 'store_unavailable' } })
      expect(answer.headers.get('retry-after')).toBeTruthy()
      expect(answer.text).not.toContain('disk is full')
      expect((await server.accounts.read(id)).prepaidPence).toBe(before)
      expect((await server.post(path, body, apiKey)).status).toBe(200)
    })
  })

  it('401 within 5 s of a revocation', async () => {
    const { id, apiKey, keyId } = await server.organisation()
    expect((await server.post('/v1/payment-risk', { email: BODIES.email }, apiKey)).status).toBe(200)
    await changeIn(sql, clock, (tx) => revokeKey(tx, operatorIn(id), keyId))
    clock.advance(5 * SECOND_MS)
    expect((await server.post('/v1/payment-risk', { email: BODIES.email }, apiKey)).json.code).toBe('api_key_invalid')
  })

  it('401 at the very moment a key expires', async () => {
    const { apiKey } = await server.organisation({ expiresAtMs: clock.now() + 60 * SECOND_MS })
    expect((await server.post('/v1/payment-risk', { email: BODIES.email }, apiKey)).status).toBe(200)
    clock.advance(60 * SECOND_MS)
    expect((await server.post('/v1/payment-risk', { email: BODIES.email }, apiKey)).status).toBe(401)
  })

  it('lets the old and the new key work during the grace period of a rotation, then only the new', async () => {
    const { id, apiKey, keyId } = await server.organisation()
    const rotate = (graceHours: number) =>
      changeIn(sql, clock, (tx) => rotateKey(tx, operatorIn(id), keyId, graceHours))
    const rotated = await rotate(1)
    const status = async (key: string) => (await server.post('/v1/payment-risk', { email: BODIES.email }, key)).status
    expect([await status(apiKey), await status(rotated.secret)]).toEqual([200, 200])
    clock.advance(HOUR_MS + SECOND_MS)
    expect([await status(apiKey), await status(rotated.secret)]).toEqual([401, 200])
    await expect(rotate(0)).rejects.toMatchObject({ code: 'conflict' })
  })

  it('answers free of charge while free units cover the whole request, then 402', async () => {
    const { apiKey } = await server.organisation({ plan: 'free', creditPence: 0 })
    const bulk = (count: number) =>
      server.post('/v1/supply-chain-risk/bulk', { domains: Array.from({ length: count }, () => BODIES.domain) }, apiKey)
    const first = await bulk(4)
    expect(first.json).toMatchObject({
      charged: false,
      is_free: true,
      billable_units: 4,
      unit_price_pence: 2,
      total_price_pence: 0,
      charged_from_credit_pence: 0,
      overage_pence: 0,
      remaining_credit_pence: 0,
    })
    // One unit is left: two records are not free as a whole, and there is no credit.
    expect((await bulk(2)).json.code).toBe('credit_exhausted')
    expect((await bulk(1)).json.is_free).toBe(true)
    expect((await bulk(1)).status).toBe(402)
  })

  it('gives free units back at the start of the next month, UTC', async () => {
    const { apiKey } = await server.organisation({ plan: 'free', creditPence: 0 })
    const check = () => server.post('/v1/payment-risk', { email: BODIES.email }, apiKey)
    for (let i = 0; i < 5; i++) expect((await check()).json.is_free).toBe(true)
    expect((await check()).status).toBe(402)
    clock.set('2026-05-01T00:00:00Z')
    expect((await check()).json.is_free).toBe(true)
  })

  it('uses credit first and overage for the rest where the plan allows it', async () => {
    const { apiKey } = await server.organisation({ plan: 'growth', creditPence: 0 })
    const emails = Array.from({ length: 34 }, () => BODIES.email)
    const { json } = await server.post('/v1/payment-risk/bulk', { emails }, apiKey)
    expect(json).toMatchObject({
      charged: true,
      total_price_pence: 102,
      charged_from_credit_pence: 100,
      overage_pence: 2,
      remaining_credit_pence: 0,
    })
  })

  it('is free, not charged, on a zero-priced plan', async () => {
    const { apiKey } = await server.organisation({ plan: 'zero', creditPence: 0 })
    const { json } = await server.post('/v1/payment-risk', { email: BODIES.email }, apiKey)
    expect(json).toMatchObject({ charged: false, is_free: true, total_price_pence: 0 })
  })

  it('404 for a path nobody serves', async () => {
    expect(await server.send('/v1/nothing-here')).toMatchObject({ status: 404, json: { code: 'not_found' } })
  })

  it('500 internal without details when the unforeseen happens', async () => {
    const { apiKey } = await server.organisation()
    const original = engine.evaluate
    const held = Object.assign(engine, {
      evaluate: async () => ({ evaluations: [], intelligence: { version: 'x', built_at: 'x' } }),
    })
    const answer = await server.post('/v1/payment-risk', { email: BODIES.email }, apiKey)
    held.evaluate = original as typeof held.evaluate
    expect(answer).toMatchObject({ status: 500, json: { code: 'internal' } })
    expect(answer.text).not.toMatch(/undefined|TypeError|\.ts/)
  })
})

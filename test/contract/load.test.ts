import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { EngineUnavailable, type RiskEngine } from '../../src/risk/engine.ts'
import { createEngineServer } from '../../src/risk/engine-server.ts'
import { createRemoteEngine } from '../../src/risk/remote.ts'
import { createWorkerEngine } from '../../src/risk/worker.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine, interruptible, KNOWN, testEngineParts } from '../support/engine.ts'
import { FULL } from '../support/full.ts'
import { heldThreads } from '../support/held-threads.ts'
import { type Answer, startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** The requests of one caller must not cost the others: bodies, work that nobody pays for, and queues. */

const names = (count: number) => Array.from({ length: count }, (_, i) => `supplier-${i}.example`)

const record = `"${'a'.repeat(10_000)}",`
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** The places where an engine can run. */
const PLACES = FULL ? ['in the process', 'apart'] : ['in the process']

describeRules('one caller', (open) => {
  let sql: Sql
  let server: TestServer
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  const engine = interruptible(createTestEngine())

  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine, clock })
  })
  afterAll(() => server.close())

  /** Sends a body and says whether the parser saw it. */
  async function sendWatched(path: string, body: string, apiKey: string): Promise<Answer & { parsed: boolean }> {
    const parse = vi.spyOn(JSON, 'parse')
    try {
      const answer = await server.post(path, body, apiKey)
      return { ...answer, parsed: parse.mock.calls.some(([text]) => text.length === body.length) }
    } finally {
      parse.mockRestore()
    }
  }

  describe('who sends a body that is dear to parse', () => {
    const million = 1_000_000
    const deep = `${'['.repeat(million)}${']'.repeat(million)}`

    it.each([
      ['arrays in arrays', `{"domains":${deep}}`, 'too_deep'],
      ['arrays in arrays that never end', `{"domains":${'['.repeat(million)}`, 'too_deep'],
      ['a field that is none of ours', `{"other":[${'{},'.repeat(million)}{}]}`, 'too_many_values'],
      ['fields', `{${'"a":1,'.repeat(million / 2)}"a":1}`, 'too_many_values'],
      ['a number after the other', `[${'1,'.repeat(million)}1]`, 'too_many_values'],
    ])('gets 422 before it is parsed: %s', async (_what, body, code) => {
      const { apiKey } = await server.organisation()
      const answer = await sendWatched('/v1/supply-chain-risk/bulk', body, apiKey)
      expect(answer).toMatchObject({ status: 422, parsed: false, json: { code: 'validation_failed' } })
      expect(answer.json.errors).toMatchObject([{ pointer: '', code }])
    })

    it('gets what was paid for again while the engine is away', async () => {
      const { apiKey } = await server.organisation()
      const ask = () =>
        server.post('/v1/supply-chain-risk/bulk', { domains: names(300) }, apiKey, { 'idempotency-key': 'paid-for' })
      const paid = await ask()
      expect(paid.status).toBe(200)
      engine.down = true
      const read = vi.spyOn(engine, 'openList').mockRejectedValue(new EngineUnavailable('away'))
      const again = await ask()
      engine.down = false
      read.mockRestore()
      expect([again.status, again.text === paid.text]).toEqual([200, true])
    })

    it('gets 422 before it is parsed, however the content type is written', async () => {
      const { apiKey } = await server.organisation()
      const parse = vi.spyOn(JSON, 'parse')
      const answer = await server.send('/v1/supply-chain-risk/bulk', {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': '\u00a0application/json' },
        body: `{"domains":${deep}}`,
      })
      const parsed = parse.mock.calls.some(([text]) => text.length > million)
      parse.mockRestore()
      expect({ status: answer.status, parsed }).toEqual({ status: 422, parsed: false })
    })

    it.each([
      ['is announced as too long and breaks off', 'Content-Length: 9000000', `{"domains":["a",`],
      [
        'turns out too long and too deep at once',
        'Transfer-Encoding: chunked',
        // Four mebibytes within every bound but this one, crossed together with the one of depth.
        `${chunk(`{"domains":[${record.repeat(419)}`)}${chunk(record)}${chunk('['.repeat(200))}`,
      ],
    ])('harms nobody else with a body that %s', async (_what, header, body) => {
      const { apiKey } = await server.organisation()
      const { hostname, port } = new URL(server.url)
      const socket = connect(Number(port), hostname)
      let said = ''
      socket.setEncoding('utf8').on('data', (data) => {
        said += data
      })
      socket.on('error', () => {})
      socket.write(
        `POST /v1/supply-chain-risk/bulk HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\n${header}\r\n\r\n${body}`,
      )
      await expect.poll(() => said).toContain('HTTP/1.1 413')
      socket.resetAndDestroy()
      expect((await server.send('/livez')).status).toBe(200)
      expect((await server.post('/v1/supply-chain-risk', { domain: 'a.example' }, apiKey)).status).toBe(200)
    })

    it.each([
      ['objects', '{},'.repeat(million)],
      ['strings', '"a.example",'.repeat(million / 4)],
    ])('gets 422 too_many_records for a list of %s, and it is not parsed', async (_what, records) => {
      const { apiKey } = await server.organisation()
      const body = `{"domains":[${records}1]}`
      const answer = await sendWatched('/v1/supply-chain-risk/bulk', body, apiKey)
      expect(answer).toMatchObject({ status: 422, parsed: false, json: { code: 'too_many_records' } })
      expect(answer.json.detail).toMatch(/^At least 1\d{4} records were sent; one request takes at most 10000\./)
      expect(answer.json.errors[0].pointer).toBe('/domains')
    })

    it.each([
      ['number', '1'.repeat(million), 0],
      ['string of escapes', `"a.example","${'\\n'.repeat(million)}"`, 1],
    ])('gets 422 for a %s that is too long, and it is not parsed', async (_what, records, index) => {
      const { apiKey } = await server.organisation()
      const answer = await sendWatched('/v1/supply-chain-risk/bulk', `{"domains":[${records}]}`, apiKey)
      expect(answer).toMatchObject({ status: 422, parsed: false, json: { code: 'validation_failed' } })
      expect(answer.json.errors).toMatchObject([{ pointer: `/domains/${index}`, code: 'too_long' }])
    })

    it('gets the exact number where the list is a little too long', async () => {
      const { apiKey } = await server.organisation()
      const answer = await server.post('/v1/supply-chain-risk/bulk', { domains: names(10_001) }, apiKey)
      expect(answer.json.detail).toMatch(/^10001 records were sent/)
    })

    it('gets 422 with every other body too', async () => {
      const { apiKey } = await server.organisation()
      for (const [path, body] of [
        ['/v1/supply-chain-risk', `{"domain":[${'{},'.repeat(20_000)}{}]}`],
        ['/v1/supply-chain-risk', `{"domain":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
        ['/v1/organisation/keys', `{"name":[${'1,'.repeat(30_000)}1]}`],
      ] as const) {
        const answer = await sendWatched(path, body, apiKey)
        expect(answer).toMatchObject({ parsed: false })
        expect([422, 403]).toContain(answer.status)
      }
    })
  })

  describe('who cannot pay', () => {
    const ask = (apiKey: string, count: number, headers = {}) =>
      server.post('/v1/supply-chain-risk/bulk', { domains: names(count) }, apiKey, headers)

    it('gets 402 before anything is evaluated, in the words of the charge', async () => {
      const { apiKey, id } = await server.organisation({ creditPence: 10 })
      const before = engine.asked
      const answer = await ask(apiKey, 6)
      expect(answer).toMatchObject({ status: 402, json: { code: 'credit_exhausted' } })
      expect(answer.json.detail).toBe(
        'The request costs 12 pence, but only 10 are left. Top up, or choose a plan with overage.',
      )
      expect(engine.asked).toBe(before)
      expect(await ask(apiKey, 5)).toMatchObject({ status: 200, json: { remaining_credit_pence: 0 } })
      expect((await server.accounts.read(id)).prepaidPence).toBe(0)
    })

    it.each([
      ['one record', '', { domain: 'supplier-0.example' }],
      ['a list of one', '/bulk', { domains: names(1) }],
    ])(
      'gets 402 for %s before anything is evaluated, and 200 as soon as there is credit',
      async (_what, path, body) => {
        const { apiKey, id } = await server.organisation({ creditPence: 0 })
        const before = engine.asked
        const check = () => server.post(`/v1/supply-chain-risk${path}`, body, apiKey)
        for (let i = 0; i < 3; i++)
          expect(await check()).toMatchObject({ status: 402, json: { code: 'credit_exhausted' } })
        expect(engine.asked).toBe(before)
        await server.accounts.credit(id, 3)
        expect(await check()).toMatchObject({ status: 200, json: { remaining_credit_pence: 1 } })
        expect(engine.asked).toBe(before + 1)
        const answer = await check()
        expect(answer.json.detail).toBe(
          'The request costs 2 pence, but only 1 are left. Top up, or choose a plan with overage.',
        )
        expect(engine.asked).toBe(before + 1)
      },
    )

    it('gets 403 before anything is evaluated once the charge has seen that the account is disabled', async () => {
      const { apiKey, id } = await server.organisation()
      const check = () => server.post('/v1/supply-chain-risk', { domain: 'supplier-0.example' }, apiKey)
      expect((await check()).status).toBe(200)
      await server.accounts.say(id, 'disable')
      expect(await check()).toMatchObject({ status: 403, json: { code: 'account_disabled' } })
      const before = engine.asked
      expect(await check()).toMatchObject({ status: 403, json: { code: 'account_disabled' } })
      expect(engine.asked).toBe(before)
    })

    it('gets 422 first where a record is invalid', async () => {
      const { apiKey } = await server.organisation({ creditPence: 0 })
      const answer = await server.post('/v1/supply-chain-risk/bulk', { domains: [...names(3), 'a/b'] }, apiKey)
      expect(answer).toMatchObject({ status: 422, json: { code: 'validation_failed' } })
    })

    it('gets the answer again that was paid for, although the credit is gone', async () => {
      const { apiKey } = await server.organisation({ creditPence: 10 })
      const first = await ask(apiKey, 5, { 'idempotency-key': 'all-of-it' })
      expect(first.status).toBe(200)
      expect((await ask(apiKey, 5)).status).toBe(402)
      expect(await ask(apiKey, 5, { 'idempotency-key': 'all-of-it' })).toMatchObject({ status: 200, text: first.text })
    })

    it('is refused by the charge where two requests at once could each pay alone', async () => {
      const { apiKey } = await server.organisation({ creditPence: 10 })
      const held = engine.hold()
      const before = engine.asked
      const both = [ask(apiKey, 4), ask(apiKey, 4)]
      for (let turns = 0; engine.asked < before + 2; turns++) {
        expect(turns).toBeLessThan(10_000)
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      held.release()
      const answers = await Promise.all(both)
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 402])
      const refused = answers.find(({ status }) => status === 402)
      expect(refused?.json.detail).toBe(
        'The request costs 8 pence, but only 2 are left. Top up, or choose a plan with overage.',
      )
    })

    it('is asked at the charge, not before, once a new month has begun', async () => {
      const { apiKey } = await server.organisation({ plan: 'free', creditPence: 0 })
      expect((await ask(apiKey, 5)).status).toBe(200)
      expect((await ask(apiKey, 5)).status).toBe(402)
      clock.set('2026-04-01T00:00:00Z')
      expect(await ask(apiKey, 5)).toMatchObject({ status: 200, json: { is_free: true } })
    })
  })
})

describeRules('bulk checks that wait', (open) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-load-'))
  const closers: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(PLACES)('are not even parsed in the thread that serves; engine %s', async (where) => {
    const { snapshot, models } = testEngineParts()
    const threads = createWorkerEngine({ snapshots: { current: () => snapshot }, models, threads: 1 })
    closers.push(() => threads.close())
    const server = await startTestServer({
      sql: await open(),
      engine: where === 'apart' ? await apart(threads) : threads,
    })
    closers.push(() => server.close())
    const { apiKey } = await server.organisation()
    const domains = [KNOWN.badDomain, ...names(2999)]
    const body = JSON.stringify({ domains })
    const parse = vi.spyOn(JSON, 'parse')
    const answer = await server.post('/v1/supply-chain-risk/bulk', body, apiKey)
    const parsed = parse.mock.calls.some(([text]) => String(text).includes(KNOWN.badDomain) && text !== answer.text)
    parse.mockRestore()
    expect({ status: answer.status, parsed }).toEqual({ status: 200, parsed: false })
    const results = answer.json.results as { domain: string; risk: string }[]
    expect(results.map(({ domain }) => domain)).toEqual(domains)
    expect(results[0]?.risk).toBe('high')
  })

  it.each(PLACES)(
    'delay their own organisation, whose next get 429, and others only when the queue is full; engine %s',
    async (where) => {
      const held = heldThreads(folder)
      const { snapshot, models } = testEngineParts()
      // Four slices for each request below: one is under way, the others wait.
      const threads = createWorkerEngine({
        snapshots: { current: () => snapshot },
        models,
        threads: 1,
        program: held.program,
        sliceLength: 50,
        slicesMax: 14,
        shareMax: 8,
      })
      closers.push(() => threads.close())
      const asked = vi.spyOn(threads, 'openList')
      const engine = where === 'apart' ? await apart(threads) : threads
      const server = await startTestServer({ sql: await open(), engine })
      closers.push(() => server.close())
      const [a, b, c] = [await server.organisation(), await server.organisation(), await server.organisation()]
      const ask = ({ apiKey }: { apiKey: string }) =>
        server.post(
          '/v1/infrastructure-risk/bulk',
          { ips: Array.from({ length: 200 }, (_, i) => `9.9.9.${i}`) },
          apiKey,
        )
      /** Waits until that many lists have come to the queue: where they stand in it is decided at once. */
      const queued = async (count: number) => {
        for (let turns = 0; asked.mock.calls.length < count; turns++) {
          expect(turns).toBeLessThan(10_000)
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
      }

      const waiting = [ask(a), ask(a)]
      await queued(2)
      const over = await ask(a)
      expect(over).toMatchObject({ status: 429, json: { code: 'rate_limited' } })
      expect(over.json.detail).toContain('400 records')
      expect(over.headers.get('retry-after')).toBe('1')
      expect(over.headers.get('ratelimit')).toBe('"bulk";r=0;t=1')
      expect(over.headers.get('ratelimit-policy')).toBe('"bulk";q=400')
      waiting.push(ask(b))
      await queued(4)
      // A caller with nothing in the queue finds room.
      waiting.push(ask(c))
      await queued(5)
      const full = await ask(c)
      expect(full).toMatchObject({ status: 503, json: { code: 'overloaded' } })
      expect(full.headers.get('retry-after')).toBe('1')
      expect((await server.send('/readyz')).status).toBe(200)

      held.release()
      for (const { status, json } of await Promise.all(waiting)) {
        expect(status).toBe(200)
        expect(json.billable_units).toBe(200)
      }
      expect((await ask(c)).status).toBe(200)
    },
  )

  async function apart(engine: RiskEngine): Promise<RiskEngine> {
    const token = 'shared by the API node and the engine of this test'
    const app = createEngineServer({ engine, token, logger: pino({ level: 'silent' }) })
    closers.push(() => app.close())
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const remote = createRemoteEngine({ url, token, timeoutMs: 60_000 })
    closers.push(() => remote.close())
    return remote
  }
})

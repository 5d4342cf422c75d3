import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { readEntries } from '../../src/billing/ledger/accounts.ts'
import { verifyLedger } from '../../src/billing/ledger/verify.ts'
import { changeIn, type Sql } from '../../src/db/sql.ts'
import { purgeStoredResponses } from '../../src/db/stored-response.ts'
import { revokeKey } from '../../src/identity/keys/keys.ts'
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { Machine } from '../support/machine.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeEachStore } from '../support/stores.ts'

/** Keys, retries and months on machines whose clocks are wrong, or are set while the server runs. */

describeEachStore('checks under wrong clocks', (open, engine) => {
  let sql: Sql
  let truth: ManualClock
  const servers: TestServer[] = []

  beforeAll(async () => {
    sql = await open()
  })
  beforeEach(async () => {
    truth = new ManualClock('2026-10-31T23:30:00Z')
    await sql.query('delete from service_time')
  })
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
  })

  async function startWith(clock: Clock) {
    const server = await startTestServer({ sql, engine: createTestEngine(), clock })
    servers.push(server)
    return server
  }
  async function startOn(machine: Machine) {
    const time = await machine.serviceTime(sql)
    return { time, server: await startWith(time.clock) }
  }
  const check = (server: TestServer, apiKey: string, headers: Record<string, string> = {}) =>
    server.post('/v1/payment-risk', { email: 'jane@company.example' }, apiKey, headers)
  const entriesOf = (organisationId: string) => readEntries(sql, { organisationId, afterSeq: 0, limit: 1000 })
  /** Each month's included credit was posted once, and times and months only go forward. */
  async function expectMonths(organisationId: string, months: readonly string[]): Promise<void> {
    const entries = await entriesOf(organisationId)
    expect(entries.filter(({ kind }) => kind === 'grant').map(({ period }) => period)).toEqual(months)
    for (const value of ['createdAtMs', 'period'] as const) {
      const values = entries.map((entry) => entry[value])
      expect(values).toEqual(values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
    }
  }

  it.each([-HOUR_MS, HOUR_MS])(
    'a revoked key stops within 5 s when the clock is set by %i ms meanwhile',
    async (ms) => {
      const machine = new Machine(truth)
      const { server, time } = await startOn(machine)
      const { id, keyId, apiKey } = await server.organisation()
      expect((await check(server, apiKey)).status).toBe(200)
      await changeIn(sql, time.clock, (tx) => revokeKey(tx, operatorIn(id), keyId))
      machine.step(ms)
      truth.advance(5 * SECOND_MS)
      expect((await check(server, apiKey)).status).toBe(401)
    },
  )

  it('a key that has expired stays expired when the clock is set back, also after a restart', async () => {
    const machine = new Machine(truth)
    const { server, time } = await startOn(machine)
    const { apiKey } = await server.organisation({ expiresAtMs: truth.now() + 10 * MINUTE_MS })
    expect((await check(server, apiKey)).status).toBe(200)
    truth.advance(11 * MINUTE_MS)
    expect((await check(server, apiKey)).status).toBe(401)
    await time.look()
    machine.step(-HOUR_MS)
    truth.advance(5 * SECOND_MS)
    expect((await check(server, apiKey)).status).toBe(401)
    const restarted = await startOn(machine)
    expect((await check(restarted.server, apiKey)).status).toBe(401)
  })

  it('a retry is answered as before and charged once, however the clock is set in between', async () => {
    const machine = new Machine(truth)
    let { server, time } = await startOn(machine)
    const { id, apiKey } = await server.organisation()
    const retry = { 'idempotency-key': 'retry-1' }
    const first = await check(server, apiKey, retry)
    expect(first.status).toBe(200)
    for (const ms of [HOUR_MS, -HOUR_MS, -HOUR_MS, HOUR_MS]) {
      machine.step(ms)
      if (ms < 0) ({ server, time } = await startOn(machine))
      truth.advance(5 * SECOND_MS)
      await purgeStoredResponses(sql, time.clock.now())
      const again = await check(server, apiKey, retry)
      expect([again.status, again.text]).toEqual([200, first.text])
    }
    expect((await entriesOf(id)).filter(({ kind }) => kind === 'charge')).toHaveLength(1)
    // A day after, by any of these clocks, it is gone.
    truth.advance(DAY_MS + 2 * HOUR_MS)
    expect(await purgeStoredResponses(sql, time.clock.now())).toBeGreaterThan(0)
  })

  it('a clock set back over the end of a month gives no month twice, and checks go on', async () => {
    const machine = new Machine(truth)
    const { server, time } = await startOn(machine)
    const { id, apiKey } = await server.organisation({ plan: 'growth' })
    truth.advance(40 * MINUTE_MS)
    expect((await check(server, apiKey)).json.remaining_credit_pence).toBe(10_097)
    await time.look()
    machine.step(-HOUR_MS)
    truth.advance(5 * SECOND_MS)
    expect((await check(server, apiKey)).json.remaining_credit_pence).toBe(10_094)
    const restarted = await startOn(machine)
    expect((await check(restarted.server, apiKey)).json.remaining_credit_pence).toBe(10_091)
    truth.advance(3 * HOUR_MS)
    expect((await check(restarted.server, apiKey)).json.remaining_credit_pence).toBe(10_088)
    await expectMonths(id, ['2026-10', '2026-11'])
  })

  it('nor does a process that knows nothing but its own clock, an hour behind', async () => {
    const first = await startWith(truth)
    const { id, apiKey } = await first.organisation({ plan: 'growth' })
    truth.advance(40 * MINUTE_MS)
    expect((await check(first, apiKey)).status).toBe(200)
    const behind = await startWith(new Machine(truth, -HOUR_MS))
    for (const server of [behind, first, behind]) expect((await check(server, apiKey)).status).toBe(200)
    await behind.accounts.credit(id, 100)
    await behind.accounts.setPlan(id, 'free')
    await behind.accounts.setPlan(id, 'growth')
    expect((await check(first, apiKey)).json.remaining_credit_pence).toBe(10_185)
    await expectMonths(id, ['2026-10', '2026-11'])
  })

  // On one SQLite file all processes have one machine's clock.
  if (engine === 'sqlite') return

  it('nodes ten minutes apart end the month at the same moment', async () => {
    const { server: ahead } = await startOn(new Machine(truth, 10 * MINUTE_MS))
    const { server: behind } = await startOn(new Machine(truth, -10 * MINUTE_MS))
    const { id, apiKey } = await ahead.organisation({ plan: 'growth' })
    const months: string[] = []
    for (let minute = 30; minute <= 90; minute += 5) {
      for (const server of [ahead, behind]) expect((await check(server, apiKey)).status).toBe(200)
      const last = (await entriesOf(id)).slice(-2)
      months.push(...new Set(last.map(({ period }) => period)))
      truth.advance(5 * MINUTE_MS)
    }
    expect(months).toEqual([...Array(6).fill('2026-10'), ...Array(7).fill('2026-11')])
    await expectMonths(id, ['2026-10', '2026-11'])
  })
})

import { fork } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { readEntries } from '../../src/billing/ledger/accounts.ts'
import { verifyLedger } from '../../src/billing/ledger/verify.ts'
import { loadPlans } from '../../src/billing/plans.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import type { Sql } from '../../src/db/sql.ts'
import { Problem } from '../../src/errors.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { testAccounts, testMeter } from '../support/accounts.ts'
import { startPostgres } from '../support/postgres.ts'
import { createPlace, openPlace, type StorePlace } from '../support/stores.ts'

const plans = loadPlans()
const ORGANISATION = 'org_crash'
const ROUNDS = 3

async function prepare(sql: Sql): Promise<void> {
  await migrate(sql)
  await testAccounts({ sql, plans, clock: systemClock }).open(ORGANISATION, 'enterprise')
}

async function chargesByRequest(sql: Sql): Promise<Map<string | null, number>> {
  const counts = new Map<string | null, number>()
  for (let afterSeq = 0; ; ) {
    const page = await readEntries(sql, { organisationId: ORGANISATION, afterSeq, limit: 1000 })
    for (const { kind, requestId, seq } of page) {
      afterSeq = seq
      if (kind === 'charge') counts.set(requestId, (counts.get(requestId) ?? 0) + 1)
      if (kind === 'refund') counts.set(requestId, (counts.get(requestId) ?? 0) - 1)
    }
    if (page.length < 1000) return counts
  }
}

/** Charges in a process of its own and kills it after `answersMax` answers; returns those that arrived. */
function chargeUntilKilled(place: StorePlace, round: number, answersMax: number): Promise<Map<string, string>> {
  const script = new URL('../support/charge-until-killed.ts', import.meta.url)
  const child = fork(script, [JSON.stringify(place), ORGANISATION, String(round)], { execArgv: [] })
  const answers = new Map<string, string>()
  return new Promise((resolve, reject) => {
    child.on('message', ({ name, body }: { name: string; body: string }) => {
      answers.set(name, body)
      if (answers.size >= answersMax) child.kill('SIGKILL')
    })
    child.once('exit', (code) => (code ? reject(new Error(`the process ended with ${code}`)) : resolve(answers)))
  })
}

describe.each(['sqlite', 'postgres'] as const)('a process killed while it charges, on %s', (engine) => {
  test('every answer has its entry, retries replay it byte for byte, and the ledger adds up', async () => {
    const { place, remove } = await createPlace(engine)
    const sql = await openPlace(place)
    await prepare(sql)
    for (let round = 1; round <= ROUNDS; round++) {
      const answers = await chargeUntilKilled(place, round, 50 + round * 37)
      const meter = testMeter({
        sql,
        rules: testAccounts({ sql, plans, clock: systemClock }).rules,
        clock: systemClock,
      })
      const retries = [...answers].map(async ([name, body]) => {
        const again = await meter.charge({
          organisationId: ORGANISATION,
          family: 'payment-risk',
          units: 1,
          credentialId: 'key_test',
          requestId: `req_again_${name}`,
          idempotency: { key: name, requestHash: name },
          answer: () => ({ before: 'charged again', after: '' }),
        })
        expect(again).toMatchObject({ body, replayed: true })
      })
      await Promise.all(retries)
      await meter.close()
      const counts = await chargesByRequest(sql)
      for (const name of answers.keys()) expect(counts.get(`req_${name}`)).toBe(1)
      expect([...counts.keys()].some((name) => name?.startsWith('req_again_'))).toBe(false)
      expect(await verifyLedger(sql)).toMatchObject({ clean: true })
    }
    await sql.close()
    await remove()
  })
})

describe('a PostgreSQL server killed while a meter charges', () => {
  test('every answer has its entry, every failure is 503 and costs nothing, and charging goes on afterwards', async () => {
    const server = await startPostgres()
    const sql = await openPostgres({ url: server.url })
    try {
      await prepare(sql)
      const meter = testMeter({
        sql,
        rules: testAccounts({ sql, plans, clock: systemClock }).rules,
        clock: systemClock,
        limits: { lookupsMax: 2000, lookupPauseMs: 25 },
      })
      const answered: string[] = []
      const failed: string[] = []
      let stop = false
      const charge = async (name: string) => {
        try {
          await meter.charge({
            organisationId: ORGANISATION,
            family: 'payment-risk',
            units: 1,
            credentialId: 'key_test',
            requestId: name,
            answer: () => ({ before: '', after: '' }),
          })
          answered.push(name)
        } catch (error) {
          if (!(error instanceof Problem) || error.code !== 'store_unavailable') throw error
          failed.push(name)
          // The server is away: let its restart have the processor.
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      const callers = Array.from({ length: 16 }, async (_, caller) => {
        for (let i = 0; !stop && i < 1_000_000; i++) await charge(`${caller}-${i}`)
      })
      const answersBeyond = async (count: number) => {
        while (answered.length < count) await new Promise((resolve) => setImmediate(resolve))
      }
      for (let round = 1; round <= ROUNDS; round++) {
        await answersBeyond(answered.length + 100)
        await server.kill('SIGQUIT')
        await server.start()
      }
      await answersBeyond(answered.length + 100)
      stop = true
      await Promise.all(callers)
      await meter.close()
      const counts = await chargesByRequest(sql)
      expect(answered.filter((name) => counts.get(name) !== 1)).toEqual([])
      expect(failed.filter((name) => (counts.get(name) ?? 0) !== 0)).toEqual([])
      expect(await verifyLedger(sql)).toMatchObject({ clean: true })
    } finally {
      await sql.close()
      await server.stop()
    }
  })
})

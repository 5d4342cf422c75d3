import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FULL } from '../support/full.ts'
import { RULE_ENGINES } from '../support/stores.ts'
import { logFaults } from './oracles.ts'
import { FAMILIES, type Report, runAttack } from './runner.ts'
import { startWorld, type World } from './world.ts'

/**
 * Requests made from openapi.json and the OAuth metadata, good ones, nearly good ones and hostile ones, against a real
 * server. `npm run attack` sends 200,000 with a new seed; `SEED=… npm run attack` repeats one, and `FAMILY=oauth` sends one
 * family alone.
 */
const LONG = process.env.ATTACK !== undefined
const REQUESTS = Math.floor(Number(process.env.ATTACK ?? (FULL ? 900 : 160)) / 2)
const SEED = Number(process.env.SEED ?? (LONG ? randomInt(2 ** 31) : 20_261_115))
const CHOSEN = FAMILIES.filter(({ name }) => process.env.FAMILY === undefined || process.env.FAMILY === name)
const TIME_MS_MAX = LONG ? 7_200_000 : 120_000

describe.each(RULE_ENGINES)('any request to a server on %s', (engine) => {
  let world: World
  let before: string
  let report: Report
  beforeAll(async () => {
    world = await startWorld(engine)
    before = await world.victimRows()
    report = await runAttack(world, { seed: SEED, requests: REQUESTS, families: CHOSEN })
    if (LONG || report.failures.length > 0) {
      process.stdout.write(`\n${engine}, SEED=${SEED}\n${report.table()}\n\n${await report.describe()}\n`)
    }
  }, TIME_MS_MAX)
  afterAll(() => world.close())

  it('gets a documented answer, in time and in order, that tells nothing to strangers', () => {
    expect(report.failures.map(({ family, fault, times }) => `${family}: ${fault} (${times} times)`)).toEqual([])
  })

  it('is charged exactly when it was answered', async () => {
    const rows = await world.sql.query<{ request_id: string; units: number }>(
      `select request_id, units from ledger_entry where kind = 'charge'`,
    )
    const entries = new Map(rows.map(({ request_id: id, units }) => [id, units]))
    expect(rows.length).toBe(entries.size)
    expect([...report.charges].filter(([id, units]) => entries.get(id) !== units)).toEqual([])
    expect([...entries].filter(([id]) => !report.charges.has(id))).toEqual([])
    const verified = await world.verifyLedger()
    expect(verified.code, verified.stdout).toBe(0)
  })

  it('changes nothing of another tenant', async () => {
    expect(await world.victimRows()).toBe(before)
  })

  it('leaves no secret, no address and no error in the log', () => {
    expect(logFaults(world)).toEqual([])
  })

  it.runIf(LONG)('costs no memory that stays', () => {
    // The least of several moments leaves out memory that comes and goes (kept answers, requests in progress).
    const kept = report.memory.map((moment) => moment.kept)
    const quarter = Math.floor(kept.length / 4)
    const least = (list: readonly number[]) => Math.min(...list)
    const [warm, end] = [least(kept.slice(quarter, 2 * quarter)), least(kept.slice(-quarter))]
    process.stdout.write(
      `${engine}: kept ${kept.map((bytes) => Math.round(bytes / 2 ** 20)).join(' ')} MiB, resident ${mebibytes(report.memory.at(-1)?.resident ?? 0)}\n`,
    )
    expect(end).toBeLessThan(warm * 1.1 + 8 * 2 ** 20)
  })

  it('leaves a server that stops in order', async () => {
    expect(await world.close()).toBe(0)
  })
})

const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`

/** Durable charges a second, in groups and one at a time, on both engines. Prints ratios: machines differ. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Meter } from '../src/billing/ledger/meter.ts'
import { verifyLedger } from '../src/billing/ledger/verify.ts'
import { loadPlans } from '../src/billing/plans.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Sql } from '../src/db/sql.ts'
import { systemClock } from '../src/lib/clock.ts'
import { testAccounts, testMeter } from '../test/support/accounts.ts'
import { onBothEngines } from './engines.ts'

interface MeterFigures {
  readonly engine: Sql['engine']
  readonly callers: number
  readonly organisations: number
  readonly chargesPerSecond: number
  /** To one caller who waits for each commit. */
  readonly ratioToSingle: number
  readonly loopDelayP99Ms: number
}

const MEASURE_MS = 2000
const ORGANISATIONS = 32

async function prepare(sql: Sql): Promise<string[]> {
  await migrate(sql)
  const billing = testAccounts({ sql, plans: loadPlans(), clock: systemClock })
  const ids: string[] = []
  for (let i = 0; i < ORGANISATIONS; i++) {
    const id = `org_bench${i}`
    await billing.open(id, 'enterprise')
    ids.push(id)
  }
  return ids
}

async function measure(meter: Meter, organisationIds: readonly string[], callers: number) {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const startMs = performance.now()
  const endMs = startMs + MEASURE_MS
  let charges = 0
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      const organisationId = organisationIds[caller % organisationIds.length] ?? ''
      while (performance.now() < endMs) {
        await meter.charge({
          organisationId,
          family: 'payment-risk',
          units: 1,
          credentialId: 'key_bench',
          requestId: 'req_bench',
          answer: () => ({ before: '{', after: '}' }),
        })
        charges++
      }
    }),
  )
  delays.disable()
  return {
    chargesPerSecond: Math.round((charges * 1000) / (performance.now() - startMs)),
    loopDelayP99Ms: Math.round(delays.percentile(99) / 1e5) / 10,
  }
}

async function measureEngine(sql: Sql): Promise<MeterFigures[]> {
  const organisationIds = await prepare(sql)
  const meter = testMeter({
    sql,
    rules: testAccounts({ sql, plans: loadPlans(), clock: systemClock }).rules,
    clock: systemClock,
  })
  await measure(meter, organisationIds, 64)
  const figures: MeterFigures[] = []
  let single = 1
  for (const [callers, organisations] of [
    [1, 1],
    [64, 1],
    [64, ORGANISATIONS],
    [256, ORGANISATIONS],
    [1024, ORGANISATIONS],
  ] as const) {
    const { chargesPerSecond, loopDelayP99Ms } = await measure(meter, organisationIds.slice(0, organisations), callers)
    if (callers === 1) single = chargesPerSecond
    const ratioToSingle = Math.round((chargesPerSecond / single) * 10) / 10
    figures.push({ engine: sql.engine, callers, organisations, chargesPerSecond, ratioToSingle, loopDelayP99Ms })
  }
  await meter.close()
  const report = await verifyLedger(sql)
  if (!report.clean) throw new Error(`the ledger does not add up: ${JSON.stringify(report.difference)}`)
  return figures
}

export async function run(): Promise<string[]> {
  const figures = await onBothEngines(measureEngine)
  return figures.map(
    (row) =>
      `${row.engine}: ${row.callers} callers, ${row.organisations} organisations: ` +
      `${row.ratioToSingle}× single commit (${row.chargesPerSecond}/s, event loop p99 ${row.loopDelayP99Ms} ms)`,
  )
}

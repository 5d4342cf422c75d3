/**
 * Reading the money: a usage query over a year of a million entries against one over a month, and pages of the ledger
 * at the start and the end of ten million entries, over HTTP, on both engines.
 */
import { rollUpUsage } from '../src/billing/usage/usage.ts'
import { migrate } from '../src/db/migrate.ts'
import type { Sql } from '../src/db/sql.ts'
import { createCursors } from '../src/http/page.ts'
import { DAY_MS } from '../src/lib/clock.ts'
import { ringOf } from '../src/lib/seal.ts'
import { TEST_SECRET } from '../test/support/accounts.ts'
import { ManualClock } from '../test/support/clock.ts'
import { createTestEngine } from '../test/support/engine.ts'
import { startTestServer } from '../test/support/server.ts'
import { onBothEngines } from './engines.ts'
import { median } from './server.ts'

const USAGE_ENTRIES = 1_000_000
const LEDGER_ENTRIES = 10_000_000
const ENTRIES_PER_INSERT = 250_000
const YEAR_MS = 365 * DAY_MS
const START_MS = Date.parse('2025-01-01T00:00:00Z')
const ROUNDS = 200
const KEYS = 5

/** Charges of one penny, spread evenly over a year, families and keys in turn; balances as charging would leave them. */
async function fillLedger(sql: Sql, organisationId: string, entries: number): Promise<void> {
  const [{ entry_seq: first } = { entry_seq: 0 }] = await sql.query<{ entry_seq: number }>(
    'select entry_seq from billing_account where organisation_id = $1',
    [organisationId],
  )
  const stepMs = Math.floor(YEAR_MS / entries)
  for (let from = first + 1; from <= entries; from += ENTRIES_PER_INSERT) {
    const to = Math.min(entries, from + ENTRIES_PER_INSERT - 1)
    const numbers =
      sql.engine === 'postgres'
        ? 'generate_series(cast($2 as bigint), cast($3 as bigint)) as s(n)'
        : '(with recursive s(n) as (select $2 union all select n + 1 from s where n < $3) select n from s)'
    await sql.query(
      `insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units,
         unit_price_pence, included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence,
         prepaid_after_pence, overage_after_pence, credential_id, request_id, reference, detail, created_at, hash)
       select cast($1 as text), n, 'ent_' || n, 'charge', '2025-01', 'growth',
         case n % 3 when 0 then 'payment-risk' when 1 then 'supply-chain-risk' else 'infrastructure-risk' end, 1, 0, 1, 0, 0,
         1, 0, 0, n, 'key_' || (n % ${KEYS}), 'req_' || n, null, null, ${START_MS} + n * ${stepMs}, 'of ' || n from ${numbers}`,
      [organisationId, from, to],
    )
  }
  await sql.query('update billing_account set entry_seq = $2, overage_pence = $2 where organisation_id = $1', [
    organisationId,
    entries,
  ])
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startMs = performance.now()
    await work()
    times.push(performance.now() - startMs)
  }
  return median(times)
}

async function measureEngine(sql: Sql): Promise<string[]> {
  await migrate(sql)
  const clock = new ManualClock(START_MS + YEAR_MS)
  const server = await startTestServer({ sql, engine: createTestEngine(), clock })
  const lines: string[] = []
  const rounded = (value: number) => Math.round(value * 100) / 100
  try {
    const small = await server.organisation({ plan: 'growth', creditPence: 0, scopes: ['billing:read'] })
    await fillLedger(sql, small.id, USAGE_ENTRIES)
    const rollStartMs = performance.now()
    await rollUpUsage(sql, small.id)
    const rolledMs = performance.now() - rollStartMs
    const get = async (path: string, apiKey: string) => {
      // Beyond the rate of resources otherwise.
      clock.advance(10)
      const answer = await server.send(path, { headers: { 'x-api-key': apiKey } })
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
      return answer
    }
    for (const query of [
      '',
      '&granularity=day',
      '&granularity=day&group_by=family',
      '&granularity=day&group_by=credential',
    ]) {
      const usage = (from: string) =>
        medianMs(() => get(`/v1/billing/usage?from=${from}&to=2026-01-01${query}`, small.apiKey))
      await usage('2025-01-01')
      const month = await usage('2025-12-01')
      const year = await usage('2025-01-01')
      lines.push(
        `${sql.engine}: usage${query && ` (${query.slice(1)})`} over a year of ${USAGE_ENTRIES} entries: ${rounded(year / month)}× one over a month (${rounded(year)} ms, ${rounded(month)} ms)`,
      )
    }
    lines.push(`${sql.engine}: rolling a million entries up, once: ${Math.round(rolledMs)} ms`)

    const large = await server.organisation({ plan: 'growth', creditPence: 0, scopes: ['billing:read'] })
    await fillLedger(sql, large.id, LEDGER_ENTRIES)
    const list = JSON.stringify(['ledger', undefined, undefined, undefined, undefined])
    const cursors = createCursors(ringOf(TEST_SECRET))
    const pageBefore = (seq: number) => {
      const cursor = cursors.make({ organisationId: large.id, list }, [seq])
      return medianMs(() => get(`/v1/billing/ledger?limit=100&cursor=${cursor}`, large.apiKey))
    }
    await pageBefore(LEDGER_ENTRIES / 2)
    const startPage = await pageBefore(LEDGER_ENTRIES - 1000)
    const endPage = await pageBefore(1000)
    lines.push(
      `${sql.engine}: a ledger page at the end of ${LEDGER_ENTRIES} entries: ${rounded(endPage / startPage)}× one at the start (${rounded(endPage)} ms, ${rounded(startPage)} ms)`,
    )
    return lines
  } finally {
    await server.close()
  }
}

export function run(): Promise<readonly string[]> {
  return onBothEngines(measureEngine)
}

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Sql } from '../../src/db/sql.ts'
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts'
import { ManualClock } from '../support/clock.ts'
import { createTestEngine } from '../support/engine.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { describeRules } from '../support/stores.ts'

/** Whatever is asked, in whatever pages: usage is what the ledger says. */
describeRules('usage and the ledger', (open) => {
  let sql: Sql
  let server: TestServer
  const clock = new ManualClock('2025-11-20T05:00:00Z')
  beforeAll(async () => {
    sql = await open()
    server = await startTestServer({ sql, engine: createTestEngine(), clock })
  })
  afterAll(() => server.close())

  it('agree for every range, granularity, grouping and page size', async () => {
    const { id, apiKey } = await server.organisation({
      scopes: ['billing:read', 'risk:supply-chain', 'risk:infrastructure'],
    })
    const second = await server.accounts.key(id, 'second', ['risk:supply-chain'])
    for (let i = 0; i < 80; i++) {
      // Uneven steps over some months: within an hour, over hours, over days and weeks.
      clock.advance([7 * 60_000, 5 * HOUR_MS, 1.3 * DAY_MS, 5.7 * DAY_MS][(i * 7) % 4]!)
      if (i % 3 === 0) await server.post('/v1/infrastructure-risk', { ip: '9.9.9.9' }, apiKey)
      else await server.post('/v1/supply-chain-risk', { domain: 'a.example' }, i % 2 ? apiKey : second.secret)
      // Rolled up in pieces, as readers come by.
      if (i % 17 === 0) {
        await server.send('/v1/billing/usage', { headers: { 'x-api-key': apiKey } })
      }
    }
    const entries = await sql.query<{ created_at: number; family: string; credential_id: string; units: number }>(
      `select created_at, family, credential_id, units from ledger_entry where organisation_id = $1 and kind = 'charge'`,
      [id],
    )
    expect(entries).toHaveLength(80)
    const queries = ['2025-11-01', '2025-11-25', '2025-12-31T07:00:00Z', '2026-02-01'].flatMap((from) =>
      ['2025-12-01', '2026-01-17T09:00:00Z', '2026-02-11', '2026-05-01'].flatMap((to) =>
        (['hour', 'day', 'month'] as const).flatMap((granularity) =>
          ['', 'family', 'credential', 'family,credential'].map((groupBy) => ({ from, to, granularity, groupBy })),
        ),
      ),
    )
    let asked = 0
    for (const [index, { from, to, granularity, groupBy }] of queries.entries()) {
      const limit = [1000, 7, 30][index % 3]!
      const rows: { units: number; starts_at: string; family?: string; credential_id?: string }[] = []
      let answer: { from: string; to: string; totals: { units: number }; next_cursor: string | null } | undefined
      let cursor: string | null = ''
      for (let pages = 0; cursor !== null && pages < 200; pages++) {
        // A report counts as five of the hundred requests a second.
        clock.advance(50)
        const parameters = new URLSearchParams({ from, to, granularity, limit: String(limit) })
        if (groupBy) parameters.set('group_by', groupBy)
        if (cursor) parameters.set('cursor', cursor)
        const got = await server.send(`/v1/billing/usage?${parameters}`, { headers: { 'x-api-key': apiKey } })
        if (got.status === 400) break
        answer = got.json
        rows.push(...got.json.data)
        cursor = got.json.next_cursor
        expect(got.json.data.length).toBeLessThanOrEqual(limit)
        expect(got.json.totals).toEqual(answer?.totals)
      }
      if (!answer) continue
      asked++
      const [fromMs, toMs] = [Date.parse(answer.from), Date.parse(answer.to)]
      const inRange = entries.filter((entry) => entry.created_at >= fromMs && entry.created_at < toMs)
      const label = JSON.stringify({ from, to, granularity, groupBy, limit })
      expect(answer.totals.units, label).toBe(inRange.length)
      expect(
        rows.reduce((total, row) => total + row.units, 0),
        label,
      ).toBe(inRange.length)
      const names = rows.map((row) => `${row.starts_at} ${row.family} ${row.credential_id}`)
      expect(new Set(names).size, label).toBe(names.length)
    }
    expect(asked).toBeGreaterThan(80)
  })
})

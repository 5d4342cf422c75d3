import { expect, test } from 'vitest'
import { statementReport } from '../../src/billing/invoices/statements.ts'
import { readAccount } from '../../src/billing/ledger/accounts.ts'
import { chargeBatch } from '../../src/billing/ledger/charge-batch.ts'
import { purgePaymentEvents } from '../../src/billing/payments/payment-table.ts'
import { loadPlans } from '../../src/billing/plans.ts'
import { findOrganisations } from '../../src/billing/subscription/overview.ts'
import { usageReport } from '../../src/billing/usage/usage-report.ts'
import { driveRounds, runStatements } from '../../src/db/routine.ts'
import { listPeople } from '../../src/identity/people/people.ts'
import { DAY_MS } from '../../src/lib/clock.ts'
import { testAccounts } from '../support/accounts.ts'
import { ManualClock } from '../support/clock.ts'
import { Recording } from '../support/query-plans.ts'
import { describeEachStore } from '../support/stores.ts'

const plans = loadPlans()

/** Where every other suite has its statements looked at when it is over, this one runs what no other does in its process. */
describeEachStore('statements on a filled database', (open, engine) => {
  const clock = new ManualClock('2026-03-10T12:00:00Z')

  test('a batch of charges, which a thread of its own runs elsewhere, finds all by an index', async () => {
    const sql = await open()
    await testAccounts({ sql, plans, clock }).open('org_0001', 'growth')
    const outcomes = await sql.transaction(async (tx) => {
      const { last, output } = await driveRounds(tx, chargeBatch, {
        charges: [
          {
            organisationId: 'org_0001',
            family: 'payment-risk',
            units: 1,
            credentialId: 'key_test',
            requestId: 'req_test',
            keep: { key: 'once', sealed: 'sealed' },
          },
        ],
        plans: JSON.stringify([...plans.values()]),
        nowMs: clock.now(),
        waitForLocks: true,
      })
      await runStatements(tx, last)
      return output
    })
    expect(outcomes).toMatchObject([{ is: 'charged' }])
  })

  test('reports, which the documents thread reads elsewhere, come from an index', async () => {
    const sql = await open()
    const account = await readAccount({ sql, clock, plans }, 'org_0001')
    const { head } = await statementReport.make(sql, { account, month: '2026-03', nowMs: clock.now() })
    expect(head.usage).toMatchObject([{ family: 'payment-risk', requests: 1 }])
    const range = { organisationId: 'org_0001', fromMs: clock.now() - 10 * DAY_MS, toMs: clock.now() + 1, limit: 10 }
    for (const [byFamily, byCredential] of [
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      for (const after of [undefined, { startsAtMs: clock.now() - DAY_MS, family: '', credentialId: '' }]) {
        const query = { ...range, granularity: 'day' as const, byFamily, byCredential, after }
        expect((await usageReport.make(sql, query)).head.rows).toEqual([])
        await usageReport.make(sql, { ...query, family: 'payment-risk', credentialId: 'key_test' })
      }
    }
  })

  test('lists for the operator come from an index', async () => {
    const sql = await open()
    const found = await findOrganisations({ sql, clock, plans }, { search: '', limit: 10 })
    expect(found).toMatchObject([{ organisation: { id: 'org_0001' }, account: { planId: 'growth' } }])
    expect(await findOrganisations({ sql, clock, plans }, { search: 'org_0001', limit: 10 })).toHaveLength(1)
    expect(await findOrganisations({ sql, clock, plans }, { search: 'nobody', limit: 10 })).toEqual([])
    expect(await listPeople(sql, { limit: 10 })).toEqual([])
  })

  test('messages of a payment provider are forgotten when nobody sends them again', async () => {
    const sql = await open()
    const days = [0, 89, 91, 200]
    for (const day of days) {
      await sql.query('insert into payment_event (id, received_at) values ($1, $2)', [
        `evt_${day}`,
        clock.now() - day * DAY_MS,
      ])
    }
    expect(await purgePaymentEvents(sql, clock.now())).toBe(2)
    const left = await sql.query<{ id: string }>(
      'select id from payment_event where id in ($1, $2, $3, $4)',
      days.map((day) => `evt_${day}`),
    )
    expect(left.map(({ id }) => id).sort()).toEqual(['evt_0', 'evt_89'])
  })

  test('one that reads a whole table is found', async () => {
    const recording = new Recording()
    recording.note('select id from organisation where name = $1', ['Acme'])
    await expect(recording.expectIndexed(engine)).rejects.toThrow('read the whole of a table')
  })
})

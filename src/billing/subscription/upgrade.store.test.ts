import { describe, expect, test } from 'vitest'
import { testAccounts } from '../../../test/support/accounts.ts'
import { ManualClock } from '../../../test/support/clock.ts'
import { createPlace, ENGINES, openPlace } from '../../../test/support/stores.ts'
import { migrate, readMigrations } from '../../db/migrate.ts'
import type { Sql } from '../../db/sql.ts'
import { listInvoices } from '../invoices/invoices.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { payments } from '../payments/payment-table.ts'
import { loadPlans } from '../plans.ts'
import { applyDueChanges, readEntitlement, subscriptions } from './open-account.ts'

/** A database of 1.0.0, where the state was stored and moved along by each path. */

const JANUARY = Date.parse('2026-01-10T00:00:00Z')
const MARCH = '2026-03-05T00:00:00Z'

async function fill(sql: Sql): Promise<void> {
  const run = (text: string, ...params: (string | number | null)[]) => sql.query(text, params)
  async function organisation(id: string, state: string, planId: string, overage = 0) {
    await run('insert into organisation values ($1, $2, $3, $4, $4)', id, `Name of ${id}`, state, JANUARY)
    await run(
      'insert into billing_account values ($1, $2, $3, 0, 0, $4, 0, 0, 1, $5, $5)',
      id,
      planId,
      '2026-03',
      overage,
      JANUARY,
    )
    await run(
      `insert into ledger_entry values ($1, 1, $2, 'charge', '2026-03', $3, 'payment-risk', $4, 0, 1, 0, 0, $4, 0, 0, $4,
        null, null, null, null, $5)`,
      id,
      `ent_${id}`,
      planId,
      Math.max(1, overage),
      JANUARY,
    )
  }
  const subscription = (id: string, status: string, ends: number, stopped: number | null) =>
    run(
      `insert into subscription values ($1, $2, 'invoice', null, $3, $4, $5, '2026-03', '2026-02', null, null, $4)`,
      id,
      status,
      ends,
      JANUARY,
      stopped,
    )
  const invoice = (
    id: string,
    owner: string,
    number: number,
    state: string,
    month: string,
    due: string,
    kind = 'subscription',
  ) =>
    run(
      'insert into invoice values ($1, $2, $3, $4, $5, $6, 9900, 0, $7, $8, $9, $10, null)',
      id,
      owner,
      number,
      kind,
      state,
      JSON.stringify([
        { kind: kind === 'top_up' ? 'top_up' : 'plan', month, description: 'Growth', amount_pence: 9900 },
      ]),
      Date.parse(due) - 14 * 86_400_000,
      Date.parse(due),
      state === 'paid' ? JANUARY : null,
      state === 'paid' ? `bank ${id}` : null,
    )
  await organisation('org_paid', 'active', 'growth', 5)
  await subscription('org_paid', 'active', 1, null)
  await invoice('bil_paid', 'org_paid', 1, 'paid', '2026-03', '2026-03-15T00:00:00Z')
  await organisation('org_late', 'inactive', 'growth', 5)
  await subscription('org_late', 'past_due', 0, Date.parse('2026-02-15T00:00:00Z'))
  await invoice('bil_late', 'org_late', 1, 'open', '2026-02', '2026-02-15T00:00:00Z')
  await organisation('org_held', 'disabled', 'growth', 5)
  await subscription('org_held', 'past_due', 0, Date.parse('2026-02-15T00:00:00Z'))
  await invoice('bil_held', 'org_held', 1, 'open', '2026-02', '2026-02-15T00:00:00Z')
  await organisation('org_pending', 'inactive', 'growth', 5)
  await subscription('org_pending', 'past_due', 0, JANUARY)
  await invoice('bil_pending', 'org_pending', 1, 'open', '2026-03', '2026-03-02T00:00:00Z')
  await invoice('top_pending', 'org_pending', 2, 'open', '2026-03', '2026-03-02T00:00:00Z', 'top_up')
  await organisation('org_ended', 'inactive', 'growth', 5)
  await subscription('org_ended', 'ended', 0, Date.parse('2026-02-20T00:00:00Z'))
  await organisation('org_arranged', 'active', 'growth', 5)
  await organisation('org_stopped', 'inactive', 'growth', 5)
}

describe.each(ENGINES)('a database of 1.0.0 on %s', (engine) => {
  test('is brought up to date: states, ends, lines, numbers and payments are as they were', async () => {
    const { place, remove } = await createPlace(engine)
    const sql = await openPlace(place)
    const clock = new ManualClock(MARCH)
    const { rules, deps } = testAccounts({ sql, clock, plans: loadPlans() })
    await migrate(sql, readMigrations().slice(0, 11))
    await fill(sql)
    await migrate(sql)
    expect(await verifyLedger(sql)).toMatchObject({ clean: true })
    const standing = async (id: string) => {
      await applyDueChanges(deps, id)
      const { entitlement: now } = await readEntitlement(sql, rules, id, clock.now())
      return [now.state, now.reason]
    }
    expect(await standing('org_paid')).toEqual(['active', null])
    expect((await subscriptions.find(sql, { organisationId: 'org_paid' }))?.endsAtMs).toBe(
      Date.parse('2026-04-01T00:00:00Z'),
    )
    expect(await standing('org_late')).toEqual(['inactive', 'overdue'])
    expect(await standing('org_held')).toEqual(['disabled', 'disabled'])
    expect(await standing('org_pending')).toEqual(['inactive', 'first_payment'])
    expect(await standing('org_ended')).toEqual(['inactive', 'ended'])
    expect(await standing('org_arranged')).toEqual(['active', null])
    expect(await standing('org_stopped')).toEqual(['inactive', 'deactivated'])

    const { rows } = await listInvoices(sql, { limit: 50 })
    expect(rows.map((one) => one.number).sort()).toEqual([1, 2, 3, 4, 5])
    expect(rows.map((one) => one.lines.map((line) => line.amount_pence))).toEqual(rows.map(() => [9900]))
    expect(rows.filter((one) => one.in_advance).map((one) => one.id)).toEqual(
      expect.arrayContaining(['bil_pending', 'top_pending']),
    )
    expect(await payments.find(sql, { invoice_id: 'bil_paid' })).toMatchObject({
      reference: 'bank bil_paid',
      outcome: 'settled',
    })
    await sql.close()
    await remove()
  })
})

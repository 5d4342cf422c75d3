import { rmSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { operatorIn } from '../../src/access/actor.ts'
import { loadPlans } from '../../src/billing/plans.ts'
import { requestTopUp } from '../../src/billing/subscription/subscription.ts'
import { openStore } from '../../src/db/open.ts'
import { changeIn } from '../../src/db/sql.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { testAccounts } from '../support/accounts.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { assayd } from '../support/process.ts'

/** The operator's side of the `invoice` provider. */
describe('assayd invoice', () => {
  const folder = migratedFolder('invoice')
  const env = { ASSAY_DATA_DIR: folder }
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const json = async (...args: string[]) => {
    const result = await assayd([...args, '--json'], env)
    expect(result.stderr).toBe('')
    return JSON.parse(result.stdout)
  }
  async function topUp(organisationId: string, amountPence: number): Promise<string> {
    const sql = await openStore({ dataDir: folder })
    try {
      const { rules } = testAccounts({ sql, plans: loadPlans(), clock: systemClock })
      const actor = operatorIn(organisationId)
      return (await changeIn(sql, systemClock, (tx) => requestTopUp(tx, rules, actor, { amountPence }))).id
    } finally {
      await sql.close()
    }
  }

  it('lists, settles once, and takes back', async () => {
    const { organisation_id: org } = await json('org', 'create', '--name', 'Payer', '--plan', 'prepaid')
    expect((await assayd(['invoice', 'list'], env)).stdout).toContain('There is no such invoice.')
    const [paid, mistaken] = [await topUp(org, 500), await topUp(org, 90_000)]
    const open = await json('invoice', 'list', '--org', org, '--state', 'open')
    expect(open.map((one: { invoice_id: string }) => one.invoice_id).sort()).toEqual([paid, mistaken].sort())
    expect((await assayd(['invoice', 'list'], env)).stdout).toContain(paid)

    const settled = await json('invoice', 'settle', '--invoice', paid, '--reference', 'bank 42')
    expect(settled).toMatchObject({ state: 'paid', repeated: false, payment_reference: 'bank 42' })
    expect(await json('invoice', 'settle', '--invoice', paid)).toMatchObject({ repeated: true })
    expect(await json('invoice', 'void', '--invoice', mistaken)).toMatchObject({ state: 'void' })
    expect(await json('org', 'show', '--org', org)).toMatchObject({ credit_pence: 500 })
    expect(await json('ledger', 'verify')).toMatchObject({ clean: true })
  })

  it('says in one line what cannot be done', async () => {
    const { organisation_id: org } = await json('org', 'create', '--name', 'Other', '--plan', 'prepaid')
    const paid = await topUp(org, 5)
    await json('invoice', 'settle', '--invoice', paid)
    for (const [args, words] of [
      [['invoice', 'settle', '--invoice', 'bil_unknown'], 'There is no invoice bil_unknown'],
      [['invoice', 'void', '--invoice', paid], 'is not open and cannot be cancelled'],
      [['invoice', 'list', '--state', 'lost'], '--state: must be one of open, paid, void'],
    ] as const) {
      const result = await assayd(args, env)
      expect([result.code, result.stderr.trim().split('\n').length]).toEqual([1, 1])
      expect(result.stderr).toContain(words)
    }
  })
})

import { expect, it } from 'vitest'
import { ManualClock } from '../../../test/support/clock.ts'
import { describeRules } from '../../../test/support/stores.ts'
import { operatorIn } from '../../access/actor.ts'
import { changeIn, type Sql } from '../../db/sql.ts'
import { readAudit } from '../../identity/audit.ts'
import { createOrganisation } from '../../identity/organisation/organisations.ts'
import { LIMITS } from '../../limits.ts'
import { createAlert, deleteAlert, readAlerts } from './alerts.ts'

describeRules('alerts', (open) => {
  async function begin() {
    const sql = await open()
    const clock = new ManualClock('2026-03-15T10:00:00Z')
    const { id } = await changeIn(sql, clock, (tx) => createOrganisation(tx, { name: 'A', awaitingApproval: false }))
    const figures = { creditPence: 500, overagePence: 0 }
    const create = (store: Sql = sql) =>
      changeIn(store, clock, (tx) =>
        createAlert(tx, operatorIn(id), { kind: 'credit_below', thresholdPence: 1000, figures }),
      )
    return { sql, clock, organisationId: id, figures, create }
  }

  it('beyond the limit are refused, also when two nodes set them at once', async () => {
    const { sql, organisationId, figures, clock, create } = await begin()
    const other = await open()
    const tries = await Promise.allSettled(
      Array.from({ length: LIMITS.counts.alertsMax + 4 }, (_, i) => create(i % 2 === 0 ? sql : other)),
    )
    const refused = tries.filter((one) => one.status === 'rejected')
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array(4).fill('conflict'))
    expect(await readAlerts({ sql, clock }, { organisationId, figures })).toHaveLength(LIMITS.counts.alertsMax)
  })

  it('are audited when set and when removed, and one of another organisation is not there', async () => {
    const { sql, clock, organisationId, create } = await begin()
    const stranger = (await begin()).organisationId
    const { id } = await create()
    const remove = (from: string) => changeIn(sql, clock, (tx) => deleteAlert(tx, operatorIn(from), id))
    await expect(remove(stranger)).rejects.toMatchObject({ code: 'not_found' })
    await remove(organisationId)
    await expect(remove(organisationId)).rejects.toMatchObject({ code: 'not_found' })
    const { rows } = await readAudit(sql, { organisationId, limit: 10 })
    expect(rows.map(({ action, target_id }) => [action, target_id]).sort()).toEqual([
      ['alert.create', id],
      ['alert.delete', id],
    ])
  })

  it('keep since when they are crossed, and begin anew after they were not', async () => {
    const { sql, clock, organisationId, create } = await begin()
    const triggeredAt = async (creditPence: number) => {
      const alerts = await readAlerts({ sql, clock }, { organisationId, figures: { creditPence, overagePence: 0 } })
      return alerts.map(({ triggered_at }) => triggered_at)
    }
    await create()
    const first = clock.now()
    clock.advance(60_000)
    expect(await triggeredAt(999)).toEqual([first])
    expect(await triggeredAt(1000)).toEqual([null])
    clock.advance(60_000)
    expect(await triggeredAt(0)).toEqual([first + 120_000])
  })
})

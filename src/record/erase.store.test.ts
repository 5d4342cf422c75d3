import { deflateSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { testAccounts } from '../../test/support/accounts.ts'
import { ManualClock } from '../../test/support/clock.ts'
import { keepCheck } from '../../test/support/kept-checks.ts'
import { meeting } from '../../test/support/meeting.ts'
import { plan } from '../../test/support/plans.ts'
import { describeEachStore } from '../../test/support/stores.ts'
import { operatorIn } from '../access/actor.ts'
import { parsePlans } from '../billing/plans.ts'
import { checkIdOf, listsToInsert } from '../db/kept-checks.ts'
import { runStatements } from '../db/routine.ts'
import type { Sql } from '../db/sql.ts'
import { timedIdSeries } from '../lib/ids.ts'
import { ringOf } from '../lib/seal.ts'
import { eraseChecks } from './erase.ts'
import { indexDigests } from './follow-up.ts'
import { listText, makeRecords } from './lists.ts'
import { indicatorDigest, placeOfList, sealOfChecks } from './sealed.ts'

const ring = ringOf('a secret that is long enough for a test of erasures')
const ORG = 'org_erases'
const BILLING =
  '"charged":true,"is_free":false,"unit_price_pence":2,"billable_units":60,"total_price_pence":120,"charged_from_credit_pence":120,"overage_pence":0,"remaining_credit_pence":98'
const TABLES = ['kept_check', 'kept_text', 'kept_digest', 'kept_list', 'waiting_digest']

describeEachStore('erasing kept checks beside another node', (open, engine) => {
  let sql: Sql
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  const eraseAll = (raced: Sql) => eraseChecks({ sql: raced, clock, ring }, operatorIn(ORG), { by: 'all' })
  const left = async () => {
    const rows = await Promise.all(TABLES.map((table) => sql.query(`select 1 as one from ${table}`)))
    return TABLES.filter((_, i) => rows[i]!.length > 0)
  }

  beforeAll(async () => {
    sql = await open()
    await testAccounts({ sql, clock, plans: parsePlans([plan('prepaid', {})], 'a test') }).open(ORG, 'prepaid')
    await indicatorDigest(sql, ring, ORG)
  })

  it('misses no record of a list that the other is making', async () => {
    const id = checkIdOf(
      timedIdSeries(
        'req',
        () => clock.now(),
        () => new Uint8Array(8),
      )(),
    )
    const results = Array.from({ length: 60 }, (_, i) => `{"email":"n${i}@x.example","risk":"low","risk_score":4}`)
    const packed = deflateSync(listText({ shared: '{}', results: results.join(',') })).toString('base64')
    const list = { kind: 'email', channel: 'api', personId: null, intelligence: 'v1' } as const
    const row = { organisationId: ORG, id, credentialId: 'key_1', repeatKey: null, billing: BILLING, list }
    const text = sealOfChecks(ring).seal(packed, placeOfList(ORG, id))
    await sql.transaction((tx) => runStatements(tx, listsToInsert(tx, [{ ...row, text }])))
    let transactions = 0
    const dying: Sql = {
      ...sql,
      transaction: (work, options) =>
        ++transactions > 1 ? Promise.reject(new Error('killed')) : sql.transaction(work, options),
    }
    const makes = makeRecords({ sql: dying, ring }, { organisationId: ORG, id }).catch((error: Error) => error.message)
    const raced: Sql = {
      ...sql,
      // The other has made a part when this one begins.
      transaction: (work, options) => makes.then(() => sql.transaction(work, options)),
    }
    expect(await eraseAll(raced)).toMatchObject({ erased: 60 })
    expect(await makes).toBe('killed')
    expect(await left()).toEqual([])
  })

  // SQLite has one writer at a time.
  it.runIf(engine === 'postgres')('leaves no digest that the other writes meanwhile', async () => {
    const keep = () => keepCheck(sql, ring, { organisationId: ORG, channel: 'api' })
    await keep()
    let isLate = false
    const impatient: Sql = { ...sql, transaction: (work) => sql.transaction(work, { lockTimeoutMs: 50 }) }
    const indexes = () => indexDigests(impatient).catch(() => {})
    const raced = meeting(sql, (text) => text.includes('delete from kept_digest'), indexes)
    const query: Sql['query'] = async (text, params) => {
      const rows = await sql.query(text, params)
      // A check is charged for after the erasure has looked for waiting digests.
      if (text.includes('from waiting_digest') && !isLate) {
        isLate = true
        await keep()
      }
      return rows as never
    }
    expect(await eraseAll({ ...raced, query })).toMatchObject({ erased: 2 })
    await indexDigests(sql)
    expect(await left()).toEqual([])
  })
})

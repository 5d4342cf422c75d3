import { beforeAll, expect, it } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { describeRules } from '../../test/support/stores.ts'
import { type ChargedCheck, checkIdOf, checksToInsert, recordIdOf, requestIdOf } from '../db/kept-checks.ts'
import { runStatements } from '../db/routine.ts'
import type { Sql } from '../db/sql.ts'
import { readEvents } from '../events/events.ts'
import { type CheckToKeep, checkText } from '../lib/charge.ts'
import { timedIdSeries } from '../lib/ids.ts'
import { ringOf } from '../lib/seal.ts'
import { checkLog, checkView, openChecks } from './check-log.ts'
import { type CheckFilters, findLastChecks, listChecks, type Reader, requireCheck } from './checks.ts'
import { indexDigests, tellOfReviews } from './follow-up.ts'
import { indicatorDigest, keysOfChecks, sealingOfChecks } from './sealed.ts'

const ring = ringOf('a secret that is long enough for a test of the history')
const ORG = 'org_history'
const BILLING =
  '"charged":true,"is_free":false,"unit_price_pence":2,"billable_units":1,"total_price_pence":2,"charged_from_credit_pence":2,"overage_pence":0,"remaining_credit_pence":98'
const reader = (more: Partial<Reader> = {}): Reader => ({
  organisationId: ORG,
  everybody: true,
  credentialId: 'key_1',
  personId: null,
  kinds: ['email', 'domain', 'ip'],
  ...more,
})
const clerk = reader({ everybody: false, credentialId: 'usr_clerk', personId: 'usr_clerk', kinds: ['email'] })
const program = reader({ everybody: false })

/** The id of a check at second 1 and this many milliseconds. */
const idAt = (n: number) =>
  checkIdOf(
    timedIdSeries(
      'req',
      () => 1000 + n,
      () => new Uint8Array(8),
    )(),
  )

describeRules('checks on record', (open) => {
  let sql: Sql

  async function keep(
    n: number,
    more: Partial<ChargedCheck & CheckToKeep & { assignedTo: string; indicator: string }> = {},
  ) {
    const digest = await indicatorDigest(sql, ring, ORG)
    const { organisationId = ORG, kind = 'email', indicator = `n${n}@example.com` } = more
    const id = more.id ?? idAt(n)
    const check: CheckToKeep = {
      kind,
      level: 'low',
      score: 4,
      digest: digest(kind, indicator),
      channel: 'api',
      personId: null,
      outcome: null,
      intelligence: 'v1',
      ...more,
    }
    const charged = { organisationId, id, credentialId: 'key_1', repeatKey: null, ...more }
    const text = more.text ?? checkText(indicator, '{"endpoint":"payment-risk",', '}')
    const row = { ...charged, billing: BILLING, check, text }
    await sql.transaction((tx) => runStatements(tx, checksToInsert(tx, sealingOfChecks(ring), [row])))
    if (more.assignedTo) {
      const assign = `update kept_check set assigned_to = $1, decision = 'review' where id = $2`
      await sql.query(assign, [more.assignedTo, id])
    }
  }

  const found = async (who: Reader, filters: CheckFilters = {}) => {
    const numbers: number[] = []
    let from: string | undefined
    do {
      const page = await listChecks(sql, who, filters, { from, limit: 2 })
      numbers.push(...page.rows.map(({ created_at }) => created_at - 1000))
      from = page.next
    } while (from)
    return numbers
  }

  beforeAll(async () => {
    sql = await open()
    await sql.query(
      `insert into organisation (id, name, state, awaiting_approval, requires_second_factor, allow_needs_approval, created_at, updated_at)
       values ('${ORG}', 'Test', 'active', 0, 0, 0, 0, 0)`,
    )
    await keep(1)
    await keep(2, { level: 'high', score: 90, credentialId: 'key_2' })
    const person = { credentialId: 'usr_clerk', personId: 'usr_clerk', channel: 'console' as const }
    await keep(3, person)
    await keep(4, { ...person, kind: 'domain', indicator: 'example.com' })
    await keep(5, { assignedTo: 'usr_clerk', outcome: 'review', channel: 'console' })
    await keep(6, { level: 'high', score: 80, indicator: 'n1@example.com' })
    for (const place of [0, 1, 2]) {
      await keep(7, { ...person, id: recordIdOf(idAt(7), place) })
    }
    await keep(8, { organisationId: 'org_other' })
  })

  it('are listed newest first, and found by each filter', async () => {
    expect(await found(reader())).toEqual([7, 7, 7, 6, 5, 4, 3, 2, 1])
    expect(await found(reader(), { level: 'high' })).toEqual([6, 2])
    expect(await found(reader(), { level: 'low', kind: 'domain' })).toEqual([4])
    expect(await found(reader(), { askedBy: 'usr_clerk', kind: 'email' })).toEqual([7, 7, 7, 3])
    expect(await found(reader(), { askedBy: 'key_2' })).toEqual([2])
    expect(await found(reader(), { review: 'open' })).toEqual([5])
    expect(await found(reader(), { decision: 'review', assignedTo: 'usr_clerk' })).toEqual([5])
    expect(await found(reader(), { fromMs: 1002, toMs: 1004 })).toEqual([3, 2])
    expect(await found(reader(), { requestId: requestIdOf(recordIdOf(idAt(7), 1)) })).toEqual([7, 7, 7])
    expect(await found(reader(), { requestId: requestIdOf(idAt(2)) })).toEqual([2])
    await indexDigests(sql, ORG)
    const digest = await indicatorDigest(sql, ring, ORG)
    const ofIndicator = { digest: digest('email', 'n1@example.com') }
    expect(await found(reader(), ofIndicator)).toEqual([6, 1])
    expect(await found(reader(), { ...ofIndicator, requestId: requestIdOf(idAt(1)) })).toEqual([1])
    expect(await found(reader(), { ...ofIndicator, requestId: requestIdOf(idAt(2)) })).toEqual([])
  })

  it('without organisation:read are those one asked, of the kinds one may check, and those assigned', async () => {
    expect(await found(clerk)).toEqual([7, 7, 7, 5, 3])
    expect(await found(clerk, { level: 'high' })).toEqual([])
    expect(await found(program)).toEqual([6, 5, 1])
    expect(await found(reader({ everybody: false, kinds: [] }))).toEqual([])
    const ids = (await listChecks(sql, reader(), {}, { from: undefined, limit: 20 })).rows.map(({ id }) => id)
    for (const who of [reader(), clerk, program]) {
      const readable = await Promise.all(
        ids.map((id) =>
          requireCheck(sql, who, id).then(
            ({ created_at }) => [created_at - 1000],
            () => [],
          ),
        ),
      )
      expect(readable.flat()).toEqual(await found(who))
    }
    await expect(requireCheck(sql, reader(), idAt(8))).rejects.toThrow('no check')
  })

  it('that are the last of their indicators are found, those indexed before the answer was beside the digest too', async () => {
    await keep(30, { organisationId: 'org_last', indicator: 'twice.example', level: 'high', score: 80 })
    await keep(31, { organisationId: 'org_last', indicator: 'twice.example', level: 'medium', score: 50 })
    await keep(32, { organisationId: 'org_last', indicator: 'once.example' })
    await indexDigests(sql, 'org_last')
    const digest = await indicatorDigest(sql, ring, ORG)
    const indicators = ['twice.example', 'never.example', 'once.example', 'twice.example', 'never.example']
    const wanted = indicators.map((one) => ({ organisationId: 'org_last', digest: digest('email', one) }))
    const twice = { id: idAt(31), level: 'medium', score: 50 }
    const last = [twice, undefined, { id: idAt(32), level: 'low', score: 4 }, twice, undefined]
    expect(await findLastChecks(sql, wanted)).toEqual(last)
    await sql.query(`update kept_digest set level = null, score = null where organisation_id = 'org_last'`)
    expect(await findLastChecks(sql, wanted)).toEqual(last)
    expect(await findLastChecks(sql, wanted.slice(1, 2))).toEqual([undefined])
  })

  it('show the indicator to those who may read, and nowhere at rest', async () => {
    const query = { reader: reader(), filters: { level: 'high' as const }, keys: keysOfChecks(ring) }
    const input = { query, form: 'csv' as const, after: undefined, rowsMax: 10, bytesMax: 100_000 }
    const csv = Buffer.from((await checkLog.make(sql, input)).bytes).toString()
    expect(csv).toContain('email,n2@example.com,high,90,api,key,key_2')
    const tables = ['kept_check', 'kept_text', 'kept_digest', 'waiting_digest', 'history_key']
    const rows = JSON.stringify(await Promise.all(tables.map((table) => sql.query(`select * from ${table}`))))
    expect(rows).not.toContain('example.com')
    const closed = { ...input, query: { ...query, keys: [] } }
    expect(Buffer.from((await checkLog.make(sql, closed)).bytes).toString()).not.toContain('n2@')
    const {
      rows: [check],
    } = await listChecks(sql, reader(), {}, { from: undefined, limit: 1 })
    const unread = { check: check!, text: undefined, decision: null, feedback: null }
    expect(checkView(unread)).toMatchObject({ indicator: null, price: null, risk: 'low' })
  })

  it('that a decision rule wants reviewed are told once: a check alone, the records of a list together', async () => {
    const asked = {
      organisationId: 'org_told',
      channel: 'console',
      personId: 'usr_clerk',
      outcome: 'review',
      kind: 'domain',
      indicator: 'x.example',
    } as const
    await keep(70, asked)
    for (const place of [0, 1, 2]) await keep(0, { ...asked, level: 'high', id: recordIdOf(idAt(71), place) })
    await keep(72, { ...asked, channel: 'api' })
    await tellOfReviews(sql, new ManualClock(5000))
    await tellOfReviews(sql, new ManualClock(6000))
    const { events } = await readEvents(sql, 'org_told', { afterSeq: 0, limit: 10, seesMoney: false })
    expect(events.map(({ type, data }) => ({ type, ...data }))).toEqual([
      {
        type: 'check.review',
        check_id: idAt(70),
        kind: 'domain',
        risk: 'low',
        summary: expect.stringContaining('waits for a review'),
      },
      {
        type: 'check.review',
        check_id: recordIdOf(idAt(71), 0),
        kind: 'domain',
        risk: 'high',
        others: 2,
        summary: expect.stringContaining('3 records of a list'),
      },
    ])
  })

  it('whose texts are long are packed, and read as they were', async () => {
    const before = '{"endpoint":"payment-risk",'
    const after = `,"note":"${'long '.repeat(4000)}"}`
    await keep(80, { organisationId: 'org_packed', text: checkText('n80@example.com', before, after) })
    const [row] = await sql.query<{ sealed: string }>(
      `select sealed from kept_text where organisation_id = 'org_packed'`,
    )
    expect(row!.sealed.length).toBeLessThan(2000)
    const [check] = (await listChecks(sql, reader({ organisationId: 'org_packed' }), {}, { from: undefined, limit: 1 }))
      .rows
    const [opened] = await openChecks(sql, keysOfChecks(ring), [check!])
    expect(opened?.text).toEqual({
      indicator: 'n80@example.com',
      answer: `${before}${BILLING}${after}`,
    })
  })
})

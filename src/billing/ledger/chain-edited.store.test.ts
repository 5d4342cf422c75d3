import { beforeAll, expect, test } from 'vitest'
import { testAccounts, testMeter } from '../../../test/support/accounts.ts'
import { ManualClock } from '../../../test/support/clock.ts'
import { describeRules } from '../../../test/support/stores.ts'
import { operatorIn } from '../../access/actor.ts'
import { changeIn, type Sql, type SqlTransaction, type SqlValue } from '../../db/sql.ts'
import { audit } from '../../identity/audit.ts'
import { hashedAuditFields, readAuditChain } from '../../identity/audit-chain.ts'
import { createKey } from '../../identity/keys/keys.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { link } from '../../lib/hash-chain.ts'
import { ringOf } from '../../lib/seal.ts'
import { loadPlans } from '../plans.ts'
import { rollUpUsage } from '../usage/usage.ts'
import { readEntries } from './accounts.ts'
import { hashOfAnchor, hashOfHead, makeAnchor, readAnchors, readHeadsOf } from './anchors.ts'
import { type Entry, hashedFields } from './ledger.ts'
import { addToMonths, readMonth } from './months.ts'
import { type LedgerReport, verifyLedger } from './verify.ts'

const plans = loadPlans()
const ALL = { afterSeq: 0, limit: 1000 }
/** Values that databases and hashes might treat differently. */
const ODD = 'ö "\\ \u{1f389} \ud800 end'

const dropTriggers = async (tx: SqlTransaction) => {
  for (const table of ['ledger_entry', 'audit_entry']) {
    if (tx.engine === 'postgres') {
      await tx.query(`drop trigger ${table}_not_changed on ${table}`)
      await tx.query(`drop trigger if exists ${table}_only_erased on ${table}`)
      await tx.query(`drop trigger if exists ${table}_only_archived on ${table}`)
      await tx.query(`alter table ${table} drop constraint ${table}_has_hash`)
    } else {
      for (const change of ['updated', 'deleted']) await tx.query(`drop trigger ${table}_not_${change}`)
    }
  }
}

const told = (report: LedgerReport) => (report.clean ? [] : [report.difference, ...report.more])

describeRules('a database that somebody edited', (open, engine) => {
  let sql: Sql
  const clock = new ManualClock('2026-03-10T12:00:00Z')
  const id = 'org_chained'
  const ring = ringOf('the secret of the tests, long enough')

  /** Ten entries and six audit entries; the anchors hold the fourth and the eighth, and the second and the fourth. */
  beforeAll(async () => {
    sql = await open()
    const billing = testAccounts({ sql, plans, clock })
    const meter = testMeter({ sql, rules: billing.rules, clock })
    const charge = () =>
      meter.charge({
        organisationId: id,
        family: 'payment-risk',
        units: 1,
        credentialId: 'key_test',
        requestId: 'req_test',
        answer: () => ({ before: '{', after: '}' }),
      })
    await billing.open(id, 'prepaid')
    await billing.open('org_other', 'growth')
    for (let part = 0; part < 3; part++) {
      await billing.credit(id, 1000, { reason: ODD })
      await changeIn(sql, clock, (tx) =>
        createKey(tx, operatorIn(id), { name: 'key', scopes: ['risk:payment'], expiresAtMs: null }),
      )
      await changeIn(sql, clock, (tx) => audit(tx, operatorIn(''), 'person.disable', ODD, { name: ODD }))
      for (let i = 0; i < (part === 2 ? 1 : 3); i++) await charge()
      if (part < 2) await makeAnchor({ sql, clock, ring })
      clock.set(clock.now() + DAY_MS)
    }
    await meter.close()
    await rollUpUsage(sql, id)
  })

  /** Makes these changes, returns the report of `verify`, and undoes them. */
  async function reportAfter(tamper: (tx: SqlTransaction) => Promise<unknown>): Promise<LedgerReport> {
    let report: LedgerReport | undefined
    const undo = new Error('undo')
    const whole = sql.transaction(async (tx) => {
      await dropTriggers(tx)
      await tamper(tx)
      report = await verifyLedger(tx, { ring })
      throw undo
    })
    await expect(whole).rejects.toBe(undo)
    return report!
  }
  const run =
    (text: string, ...params: SqlValue[]) =>
    (tx: SqlTransaction) =>
      tx.query(text, params)
  const ledger = (seq: number | undefined, problem: RegExp | string) => ({
    part: 'ledger',
    organisationId: id,
    seq,
    problem: typeof problem === 'string' ? problem : expect.stringMatching(problem),
  })
  const audited = (seq: number | undefined, problem: RegExp | string) => ({ ...ledger(seq, problem), part: 'audit' })
  const anchor = (seq: number, problem: RegExp | string) => ({
    ...ledger(seq, problem),
    part: 'anchor',
    organisationId: undefined,
  })

  /** Hashes of the ledger from an entry on as they should be, in the head as well. */
  async function rehash(tx: SqlTransaction, fromSeq: number, toSeq = 10): Promise<void> {
    const entries = await readEntries(tx, { organisationId: id, ...ALL })
    let hash = entries.find(({ seq }) => seq === fromSeq - 1)?.hash ?? ''
    for (const entry of entries.filter(({ seq }) => seq >= fromSeq && seq <= toSeq)) {
      hash = link(hash, hashedFields(entry))
      await tx.query('update ledger_entry set hash = $1 where organisation_id = $2 and seq = $3', [hash, id, entry.seq])
      if (entry.seq === entries.length)
        await tx.query('update billing_account set entry_hash = $1 where organisation_id = $2', [hash, id])
    }
  }

  test('is clean while nobody did', async () => {
    expect(await verifyLedger(sql, { ring })).toMatchObject({ clean: true, accounts: 2, auditEntries: 9, anchors: 2 })
    expect((await readEntries(sql, { organisationId: id, ...ALL })).map(({ seq }) => seq)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ])
  })

  test('every column of an entry counts', async () => {
    const numbers = new Set(['created_at', 'units', 'free_units', 'unit_price_pence'])
    const [row] = await sql.query('select * from ledger_entry limit 1')
    for (const column of Object.keys(row!).filter((name) => name !== 'organisation_id' && name !== 'seq')) {
      const other =
        numbers.has(column) || column.endsWith('_pence') ? `${column} + 1` : `coalesce(${column}, '') || 'x'`
      const changed = run(`update ledger_entry set ${column} = ${other} where organisation_id = $1 and seq = 6`, id)
      expect(told(await reportAfter(changed)), column).toEqual([
        expect.objectContaining(ledger(6, /^its content was changed after it was written/)),
      ])
    }
  })

  test('every column of an audit entry counts', async () => {
    const [row] = await sql.query('select * from audit_entry limit 1')
    for (const column of Object.keys(row!).filter((name) => !['organisation_id', 'seq', 'erased_by'].includes(name))) {
      const other =
        column === 'created_at'
          ? 'created_at + 1'
          : column === 'actor_kind'
            ? `'system'`
            : `coalesce(${column}, '') || 'x'`
      const changed = run(`update audit_entry set ${column} = ${other} where organisation_id = $1 and seq = 6`, id)
      expect(told(await reportAfter(changed)), column).toEqual([
        expect.objectContaining(audited(6, /^its content was changed after it was written/)),
      ])
    }
  })

  test('right behind an anchor, a changed entry is named alone', async () => {
    const changed = run(`update ledger_entry set detail = 'x' where organisation_id = $1 and seq = 5`, id)
    expect(told(await reportAfter(changed))).toMatchObject([ledger(5, 'its content was changed after it was written')])
  })

  test('stored usage that is not the sum of its entries', async () => {
    const usage = (problem: RegExp) => [{ part: 'usage', organisationId: id, problem: expect.stringMatching(problem) }]
    const edited = async (text: string) => told(await reportAfter(run(`${text} organisation_id = $1`, id)))
    for (const column of ['requests', 'units', 'free_units', 'credit_pence', 'overage_pence']) {
      for (const table of ['usage_total', 'usage_rollup']) {
        expect(
          await edited(`update ${table} set ${column} = ${column} + 1 where granularity = 'month' and`),
        ).toMatchObject(usage(new RegExp(`^${table}: the ${column} of the month from 2026-03-01T00:00:00.000Z are `)))
      }
    }
    expect(await edited(`delete from usage_total where granularity = 'day' and`)).toMatchObject(
      usage(/^usage_total: the day from .* is missing$/),
    )
    expect(await edited('delete from usage_progress where')).toMatchObject(usage(/its entries add up to 0$/))
    expect(
      await edited(`update usage_total set starts_at = starts_at + 1 where granularity = 'hour' and`),
    ).toMatchObject(usage(/^usage_total: the requests of the hour from /))
    for (const column of ['entries', 'units', 'free_units', 'prepaid_delta_pence', 'overage_delta_pence']) {
      expect(await edited(`update ledger_month set ${column} = ${column} + 1 where kind = 'charge' and`)).toMatchObject(
        usage(
          new RegExp(`^ledger_month: the ${column} of 2026-03, charge payment-risk at 3 differ from the entries by 1$`),
        ),
      )
    }
    expect(await edited('update usage_progress set month_seq = month_seq - 1 where')).toMatchObject(
      usage(/^ledger_month: the entries of 2026-03/),
    )
    const behind = run('update usage_progress set entry_seq = entry_seq - 1 where organisation_id = $1', id)
    expect(told(await reportAfter(behind))).toMatchObject(usage(/^usage_rollup: .* add up to 0$/))
  })

  test('a month has the same sums before its entries are summed up, half-way and afterwards', async () => {
    const summed = await readMonth(sql, id, '2026-03')
    expect(summed.beforeSeq + summed.rows.reduce((sum, { entries }) => sum + entries, 0)).toBe(10)
    for (const untilSeq of [0, 4]) {
      await reportAfter(async (tx) => {
        await tx.query('delete from ledger_month where organisation_id = $1', [id])
        await addToMonths(tx, id, 0, untilSeq)
        await tx.query('update usage_progress set month_seq = $2 where organisation_id = $1', [id, untilSeq])
        expect(await readMonth(tx, id, '2026-03')).toEqual(summed)
        expect(await readMonth(tx, id, '2026-04')).toEqual({ rows: [], beforeSeq: 10 })
      })
    }
  })

  test('an entry that was taken out', async () => {
    expect(
      told(await reportAfter(run('delete from ledger_entry where organisation_id = $1 and seq = 6', id))),
    ).toMatchObject([ledger(7, 'entry 6 is missing')])
    expect(
      told(await reportAfter(run('delete from ledger_entry where organisation_id = $1 and seq in (5, 6)', id))),
    ).toMatchObject([ledger(7, 'entries 5 to 6 are missing')])
    expect(
      told(await reportAfter(run('delete from audit_entry where organisation_id = $1 and seq = 2', id))),
    ).toMatchObject([audited(3, 'entry 2 is missing')])
  })

  test('an end that was cut off', async () => {
    expect(
      told(await reportAfter(run('delete from ledger_entry where organisation_id = $1 and seq > 8', id))),
    ).toMatchObject([ledger(9, 'entries 9 to 10 are missing: the account counts 10')])
    expect(
      told(await reportAfter(run('delete from audit_entry where organisation_id = $1 and seq > 4', id))),
    ).toMatchObject([audited(5, 'entries 5 to 6 are missing: the head counts 6')])
  })

  test('an end that was cut off together with the account, behind an anchor', async () => {
    const cut = async (tx: SqlTransaction) => {
      const last = (await readEntries(tx, { organisationId: id, ...ALL })).find(({ seq }) => seq === 6)!
      await tx.query('delete from ledger_entry where organisation_id = $1 and seq > 6', [id])
      await tx.query(
        `update billing_account set entry_seq = 6, entry_hash = $2, prepaid_pence = $3 where organisation_id = $1`,
        [id, last.hash, last.prepaidAfterPence],
      )
    }
    expect(told(await reportAfter(cut))).toMatchObject([
      ledger(
        undefined,
        'entries 7 to 8 are missing: the end was deleted, and anchor 2 of 2026-03-11 still contains it',
      ),
    ])
    const cutAudit = async (tx: SqlTransaction) => {
      await tx.query('delete from audit_entry where organisation_id = $1 and seq > 3', [id])
      await tx.query(
        `update audit_chain set seq = 3, hash = (select hash from audit_entry e where e.organisation_id = $1 and e.seq = 3)
         where organisation_id = $1`,
        [id],
      )
    }
    expect(told(await reportAfter(cutAudit))).toMatchObject([audited(undefined, /entry 4 is missing.*anchor 2/)])
  })

  test('everything of an organisation was deleted', async () => {
    const gone = async (tx: SqlTransaction) => {
      await tx.query('delete from ledger_entry where organisation_id = $1', [id])
      await tx.query('delete from billing_account where organisation_id = $1', [id])
      await tx.query('delete from audit_entry where organisation_id = $1', [id])
      await tx.query('delete from audit_chain where organisation_id = $1', [id])
    }
    expect(told(await reportAfter(gone))).toMatchObject([
      ledger(undefined, /entries 1 to 8 are missing/),
      audited(undefined, /entries 1 to 4 are missing/),
    ])
  })

  test('an entry that was put in, with a hash that fits', async () => {
    const insert = async (tx: SqlTransaction) => {
      for (let seq = 10; seq >= 6; seq--) {
        await tx.query('update ledger_entry set seq = seq + 1 where organisation_id = $1 and seq = $2', [id, seq])
      }
      const before = (await readEntries(tx, { organisationId: id, ...ALL })).find(({ seq }) => seq === 5)!
      const { hash: _, ...copy } = before
      const forged = { ...copy, seq: 6, id: 'ent_forged', kind: 'plan' as const, prepaidDeltaPence: 0 }
      await insertEntry(tx, { ...forged, hash: link(before.hash!, hashedFields(forged)) })
      await tx.query('update billing_account set entry_seq = 11 where organisation_id = $1', [id])
    }
    expect(told(await reportAfter(insert))).toMatchObject([
      ledger(7, 'entry 6 was inserted: the current entry 7 was written as entry 6'),
    ])
    const insertAudit = async (tx: SqlTransaction) => {
      for (let seq = 6; seq >= 3; seq--) {
        await tx.query('update audit_entry set seq = seq + 1 where organisation_id = $1 and seq = $2', [id, seq])
      }
      const before = (await readAuditChain(tx, { organisationId: id, ...ALL })).find(({ seq }) => seq === 2)!
      const forged = { ...before, id: 'aud_forged' }
      await insertRow(tx, 'audit_entry', { ...forged, seq: 3, hash: link(before.hash!, hashedAuditFields(forged, 3)) })
      await tx.query('update audit_chain set seq = 7 where organisation_id = $1', [id])
    }
    expect(told(await reportAfter(insertAudit))).toMatchObject([
      audited(4, 'entry 3 was inserted: the current entry 4 was written as entry 3'),
    ])
  })

  test('an entry that was rewritten together with its hash', async () => {
    const rewritten = async (tx: SqlTransaction) => {
      await tx.query(`update ledger_entry set detail = 'x' where organisation_id = $1 and seq = 6`, [id])
      await rehash(tx, 6, 6)
    }
    expect(told(await reportAfter(rewritten))).toMatchObject([
      ledger(7, /changed after it was written \(or entry 6 was rewritten together with its hash\)/),
    ])
  })

  test('entries that were rewritten with all hashes up to the head, behind an anchor', async () => {
    const rewritten = async (tx: SqlTransaction) => {
      await tx.query(`update ledger_entry set detail = 'x' where organisation_id = $1 and seq = 6`, [id])
      await rehash(tx, 6)
    }
    expect(told(await reportAfter(rewritten))).toMatchObject([ledger(8, /^it differs from anchor 2 of 2026-03-11/)])
  })

  test('an entry without a hash', async () => {
    expect(
      told(await reportAfter(run('update ledger_entry set hash = null where organisation_id = $1 and seq = 7', id))),
    ).toMatchObject([ledger(7, /^it has no hash/)])
    expect(
      told(await reportAfter(run('update ledger_entry set hash = null where organisation_id = $1 and seq = 1', id))),
    ).toMatchObject([ledger(1, /^it has no hash/)])
    const added = (tx: SqlTransaction) =>
      tx.query(
        `insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, action, detail)
         values ('aud_forged', $1, 0, 'operator', 'operator', 'key.create', '{}')`,
        [id],
      )
    expect(told(await reportAfter(added))).toMatchObject([
      audited(undefined, '1 entries without a hash were added manually'),
    ])
  })

  test('a head that was changed, or is gone', async () => {
    const head = (set: string) => reportAfter(run(`update billing_account set ${set} where organisation_id = $1`, id))
    expect(told(await head(`entry_hash = 'x'`))).toMatchObject([ledger(undefined, /^the head is not the hash of/)])
    expect(told(await head('entry_hash = null'))).toMatchObject([ledger(undefined, /^the head is not the hash of/)])
    expect(told(await head('entry_seq = 9'))).toMatchObject([ledger(10, 'the entry is counted by no account')])
    const auditHead = (set: string) => reportAfter(run(`update audit_chain set ${set} where organisation_id = $1`, id))
    expect(told(await auditHead(`hash = 'x'`))).toMatchObject([audited(undefined, /^the head is not the hash of/)])
    expect(told(await auditHead('seq = 5'))).toMatchObject([audited(6, /^the entry is counted by no head/)])
    expect(told(await reportAfter(run('delete from audit_chain where organisation_id = $1', id)))).toMatchObject([
      audited(1, /^the entry is counted by no head/),
    ])
    expect(told(await reportAfter(run(`delete from audit_chain where organisation_id = ''`)))).toMatchObject([
      { part: 'audit', organisationId: '', seq: 1 },
    ])
  })

  test('an anchor that was changed, or is gone', async () => {
    expect(told(await reportAfter(run('delete from anchor where number = 1')))).toMatchObject([
      anchor(2, 'anchor 1 before it is missing'),
    ])
    expect(told(await reportAfter(run('update anchor set made_at = made_at + 1 where number = 1')))).toMatchObject([
      anchor(1, 'it, or the anchor before it, was changed'),
    ])
    expect(
      told(await reportAfter(run('update anchor set made_at = 9007199254740991 where number = 1')))[0],
    ).toMatchObject(anchor(1, 'it, or the anchor before it, was changed'))
    expect(told(await reportAfter(run(`update anchor set mac = 'x' where number = 2`)))).toMatchObject([
      anchor(2, /^its MAC does not match/),
    ])
    expect(
      told(
        await reportAfter(run('update anchor_head set ledger_seq = 3 where number = 1 and organisation_id = $1', id)),
      ),
    ).toMatchObject([anchor(1, `its content for ${id} was changed`)])
    expect(
      told(await reportAfter(run('delete from anchor_head where number = 2 and organisation_id = $1', id))),
    ).toMatchObject([anchor(2, '2 rows belong to it, but 1 exist')])
  })

  test('an anchor that was made to fit what was rewritten, by somebody without the secret', async () => {
    const forged = async (tx: SqlTransaction) => {
      await tx.query(`update ledger_entry set detail = 'x' where organisation_id = $1 and seq = 8`, [id])
      await rehash(tx, 8)
      const ledgerHash = (await readEntries(tx, { organisationId: id, ...ALL }))[7]!.hash
      const head = { ...(await readHeadsOf(tx, id, 0))[1]!, ledgerHash }
      await tx.query('update anchor_head set ledger_hash = $1, hash = $2 where number = 2 and organisation_id = $3', [
        ledgerHash,
        hashOfHead(head),
        id,
      ])
    }
    expect(told(await reportAfter(forged))).toMatchObject([anchor(2, 'its content for an organisation was changed')])
    const allOfIt = async (tx: SqlTransaction) => {
      await forged(tx)
      const [first, second] = await readAnchors(tx, 0, 2)
      const heads = await tx.query<{ hash: string }>('select hash from anchor_head where number = 2')
      const headsHash = link('', heads.map(({ hash }) => hash).sort())
      const hash = hashOfAnchor(first!.hash, { ...second!, headsHash })
      const mac = ringOf('another secret, which somebody made up').mac('anchor', hash)
      await tx.query('update anchor set heads_hash = $1, hash = $2, mac = $3 where number = 2', [headsHash, hash, mac])
    }
    expect(told(await reportAfter(allOfIt))).toMatchObject([anchor(2, /^its MAC does not match/)])
  })

  test('not noticed: entries since the last anchor, rewritten with all hashes up to the head', async () => {
    const rewritten = async (tx: SqlTransaction) => {
      await tx.query(`update ledger_entry set detail = 'x' where organisation_id = $1 and seq = 9`, [id])
      await rehash(tx, 9)
    }
    expect(await reportAfter(rewritten)).toMatchObject({ clean: true })
  })

  // On SQLite no other version can run beside this one.
  if (engine === 'postgres')
    test('an earlier version that still runs cannot write entries without a hash', async () => {
      const added = sql.query(
        `insert into audit_entry (id, organisation_id, created_at, actor_kind, actor_id, action, detail)
       values ('aud_old', $1, 0, 'operator', 'operator', 'key.create', '{}')`,
        [id],
      )
      await expect(added).rejects.toThrow('audit_entry_has_hash')
    })
})

async function insertRow(tx: SqlTransaction, table: string, row: object): Promise<void> {
  const marks = Object.keys(row).map((_, i) => `$${i + 1}`)
  await tx.query(
    `insert into ${table} (${Object.keys(row).join(', ')}) values (${marks.join(', ')})`,
    Object.values(row),
  )
}

async function insertEntry(tx: SqlTransaction, entry: Entry): Promise<void> {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const columns = Object.entries(entry).map(([name, value]) => [
    name === 'createdAtMs' ? 'created_at' : snake(name),
    value,
  ])
  await insertRow(tx, 'ledger_entry', Object.fromEntries(columns))
}

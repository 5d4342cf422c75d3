import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { testAccounts, testMeter } from '../../../test/support/accounts.ts'
import { ManualClock } from '../../../test/support/clock.ts'
import {
  createMigratedPlace,
  createPlace,
  ENGINES,
  openPlace,
  RULE_ENGINES,
  type StorePlace,
} from '../../../test/support/stores.ts'
import { operatorIn } from '../../access/actor.ts'
import { migrate, readMigrations } from '../../db/migrate.ts'
import { resealColumn } from '../../db/reseal.ts'
import { changeIn, type Sql, type SqlValue } from '../../db/sql.ts'
import { audit, readAudit } from '../../identity/audit.ts'
import { hashedAuditFields } from '../../identity/audit-chain.ts'
import { auditEraser } from '../../identity/audit-erase.ts'
import { createKey } from '../../identity/keys/keys.ts'
import { renameOrganisation } from '../../identity/organisation/organisations.ts'
import { recordRun } from '../../jobs/runs.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { link } from '../../lib/hash-chain.ts'
import { ringOf } from '../../lib/seal.ts'
import { scrub } from '../../ops/scrub.ts'
import { createAlert } from '../alerts/alerts.ts'
import { loadPlans } from '../plans.ts'
import { lastAnchor, makeAnchor, SIGNED_ANCHORS } from './anchors.ts'
import { anchorNow, anchorToLog, createAnchorJob, readAnchorsFile } from './anchors-file.ts'
import { emptyAccount, post } from './ledger.ts'
import { acceptRestore, createVerifyJob, verifyLedger, verifyRecent } from './verify.ts'

const plans = loadPlans()
const SECRET = 'the secret of the tests, long enough'
const MARCH = '2026-03-10T12:00:00Z'

interface Node {
  readonly sql: Sql
  readonly place: StorePlace
  readonly clock: ManualClock
  readonly anchorsFile: string
  readonly deps: Parameters<typeof createAnchorJob>[0]
  readonly logged: object[]
  readonly billing: ReturnType<typeof testAccounts>
  readonly verify: () => ReturnType<typeof verifyLedger>
  readonly runJob: () => Promise<void>
  readonly charge: (organisationId: string, store?: Sql) => Promise<unknown>
}

/** A database of its own with what a node keeps beside it; `prepare` gets an empty one, to bring it to the current. */
async function withNode(
  engine: StorePlace['engine'],
  work: (node: Node) => Promise<void>,
  prepare?: (sql: Sql) => Promise<unknown>,
): Promise<void> {
  const { place, remove } = await (prepare ? createPlace(engine) : createMigratedPlace(engine))
  const folder = mkdtempSync(join(tmpdir(), 'assay-anchors-'))
  const sql = await openPlace(place)
  try {
    await prepare?.(sql)
    const clock = new ManualClock(MARCH)
    const logged: object[] = []
    const logger = { info: (fields: object) => logged.push(fields), warn: (fields: object) => logged.push(fields) }
    const anchorsFile = join(folder, 'anchors.log')
    const deps = { sql, clock, ring: ringOf(SECRET), anchorsFile, logger }
    const billing = testAccounts({ sql, plans, clock })
    await work({
      sql,
      place,
      clock,
      anchorsFile,
      deps,
      logged,
      billing,
      verify: () => verifyLedger(sql, deps),
      runJob: () => createAnchorJob(deps).run(new AbortController().signal),
      async charge(organisationId, store = sql) {
        const meter = testMeter({ sql: store, rules: billing.rules, clock })
        const answer = () => ({ before: '{', after: '}' })
        const request = { family: 'payment-risk', units: 1, credentialId: 'key_test', requestId: 'req_test' } as const
        await meter.charge({ organisationId, ...request, answer })
        await meter.close()
      },
    })
  } finally {
    await sql.close()
    await remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

const numbersIn = (file: string) => readAnchorsFile(file).lines.map(({ number }) => number)

describe.each(ENGINES)('chains on %s', (engine) => {
  test('many changes at once, by two nodes, and charges meanwhile, leave unbroken chains', () =>
    withNode(engine, async ({ sql, place, clock, billing, charge, deps, verify }) => {
      const other = await openPlace(place)
      try {
        const ids = ['org_a', 'org_b']
        for (const id of ids) await billing.open(id, 'growth')
        const figures = { creditPence: 1_000_000, overagePence: 0 }
        await Promise.all(
          ids.flatMap((id) =>
            Array.from({ length: 12 }, (_, i) => {
              const store = i % 2 === 0 ? sql : other
              const actor = operatorIn(id)
              return [
                charge(id, store),
                billing.credit(id, 10),
                changeIn(store, clock, (tx) => createKey(tx, actor, { name: `k${i}`, expiresAtMs: null })),
                changeIn(store, clock, (tx) => renameOrganisation(tx, actor, `Name ${i}`)),
                changeIn(store, clock, (tx) =>
                  createAlert(tx, actor, { kind: 'credit_below', thresholdPence: 1000 + i, figures }),
                ),
                // Both organisations in one transaction, in either order.
                changeIn(store, clock, async (tx) => {
                  for (const place of i % 2 === 0 ? ids : ids.toReversed()) {
                    await audit(tx, operatorIn(place), 'person.disable', `usr_${i}`)
                  }
                }),
              ]
            }).flat(),
          ),
        )
        await anchorNow(deps)
        expect(await verify()).toMatchObject({ clean: true, auditEntries: 2 * 12 * 6 })
        if (engine === 'sqlite') return
        const [stat] = await sql.query('select deadlocks from pg_stat_database where datname = current_database()')
        expect(stat).toEqual({ deadlocks: 0 })
      } finally {
        await other.close()
      }
    }))
})

describe.each(RULE_ENGINES)('anchors on %s', (engine) => {
  test('are made once a day, for what moved, and copied into the log and a file', () =>
    withNode(engine, async ({ sql, clock, billing, runJob, anchorsFile, logged, verify, charge }) => {
      await billing.open('org_a', 'growth')
      await billing.open('org_b', 'growth')
      await runJob()
      await runJob()
      expect(await lastAnchor(sql)).toMatchObject({ number: 1, heads: 3 })
      expect(readFileSync(anchorsFile, 'utf8')).toBe(`${JSON.stringify(readAnchorsFile(anchorsFile).lines[0])}\n`)
      const [line] = readAnchorsFile(anchorsFile).lines
      expect(logged).toEqual([{ anchor: { ...line, hash: expect.any(String) } }])
      const { anchor } = JSON.parse(scrub(JSON.stringify(logged[0])))
      expect(anchor.hash.replaceAll(' ', '')).toBe(line?.hash)
      expect(statSync(anchorsFile).mode & 0o777).toBe(0o600)
      await charge('org_a')
      clock.set('2026-03-11T00:00:00Z')
      await runJob()
      expect(await lastAnchor(sql)).toMatchObject({ number: 2, heads: 1 })
      expect(await verify()).toMatchObject({ clean: true, anchors: 2, anchoredAtMs: clock.now() })
    }))

  test('bound what is verified again each day: entries since the last one but one, and nothing before', () =>
    withNode(engine, async ({ sql, clock, deps, billing, verify, charge }) => {
      for (const id of ['org_a', 'org_b', 'org_c']) await billing.open(id, 'growth')
      const recent = () => verifyRecent(sql, deps)
      const job = createVerifyJob(deps)
      const run = async () => {
        const error = await job.run(new AbortController().signal).then(
          () => undefined,
          (cause: Error) => cause.message,
        )
        await recordRun(sql, 'node', { job: job.name, startedAtMs: 0, finishedAtMs: clock.now(), error })
        return error
      }
      await sql.query(
        engine === 'postgres'
          ? 'drop trigger ledger_entry_not_changed on ledger_entry'
          : 'drop trigger ledger_entry_not_updated',
      )
      const tamper = (id: string, seq: number, by: number) =>
        sql.query('update ledger_entry set created_at = created_at + $1 where organisation_id = $2 and seq = $3', [
          by,
          id,
          seq,
        ])
      for (let i = 0; i < 5; i++) await charge('org_a')
      await anchorNow(deps)
      expect(await recent()).toMatchObject({ clean: true, accounts: 3, entries: 8 })
      clock.advance(DAY_MS)
      await charge('org_a')
      await charge('org_b')
      await anchorNow(deps)
      await charge('org_a')
      expect(await recent()).toMatchObject({ clean: true, accounts: 2, entries: 3, anchors: 2 })
      expect(await run()).toBeUndefined()
      clock.advance(DAY_MS)
      await charge('org_a')
      await anchorNow(deps)
      await charge('org_c')
      expect(await recent()).toMatchObject({ clean: true, accounts: 2, entries: 3 })
      // Not read again, but never out of sight: the whole verification finds it.
      await tamper('org_a', 2, 1)
      expect(await recent()).toMatchObject({ clean: true })
      expect(await verify()).toMatchObject({ difference: { organisationId: 'org_a', seq: 2 } })
      await tamper('org_a', 2, -1)
      await tamper('org_a', 9, 1)
      const found = 'The ledger does not add up: ledger org_a 9: its content was changed after it was written'
      for (let i = 0; i < 2; i++) expect(await run()).toContain(found)
      await tamper('org_a', 9, -1)
      clock.advance(1)
      expect(await run()).toBeUndefined()
      // Verified since the last anchor: nothing is read until the next one.
      await tamper('org_a', 9, 1)
      expect(await run()).toBeUndefined()
      await tamper('org_a', 9, -1)
      await sql.query(`update billing_account set prepaid_pence = prepaid_pence + 1 where organisation_id = 'org_c'`)
      expect(await recent()).toMatchObject({
        difference: { organisationId: 'org_c', problem: expect.stringContaining('prepaid_pence') },
      })
    }))

  test('are made again after a clock that was wrong is set right', () =>
    withNode(engine, async ({ sql, clock, runJob, verify }) => {
      clock.step(400 * DAY_MS)
      await runJob()
      clock.step(-400 * DAY_MS)
      await runJob()
      await runJob()
      expect(await lastAnchor(sql)).toMatchObject({ number: 2, madeAtMs: clock.now() })
      expect(await verify()).toMatchObject({ clean: true })
    }))

  test('a file that is gone, or was cut short by a crash, is filled up', () =>
    withNode(engine, async ({ deps, runJob, anchorsFile, verify }) => {
      await anchorNow(deps)
      await anchorNow(deps)
      appendFileSync(anchorsFile, '{"number":3,"ha')
      expect(await verify()).toMatchObject({ clean: true })
      await anchorNow(deps)
      expect(numbersIn(anchorsFile)).toEqual([1, 2, 3])
      rmSync(anchorsFile)
      await runJob()
      expect(numbersIn(anchorsFile)).toEqual([1, 2, 3])
      expect(await verify()).toMatchObject({ clean: true })
    }))

  test('a database that was restored is told of, and goes on once the operator has accepted it', () =>
    withNode(engine, async ({ sql, deps, clock, billing, anchorsFile, verify, charge, logged, runJob }) => {
      await billing.open('org_a', 'growth')
      await anchorNow(deps)
      await expect(acceptRestore(deps)).rejects.toMatchObject({ code: 'conflict' })
      clock.set(clock.now() + DAY_MS)
      await anchorNow(deps)
      // As it was before the second anchor.
      await sql.query('delete from anchor_head where number = 2')
      await sql.query('delete from anchor where number = 2')
      expect(await verify()).toMatchObject({
        difference: {
          part: 'restore',
          seq: 2,
          problem:
            'the database ends with anchor 1 of 2026-03-10, but anchors.log contains anchor 2 of 2026-03-11T12:00:00.000Z: ' +
            'the database was restored from a backup, or its end was deleted',
        },
        more: [],
      })
      await charge('org_a')
      await runJob()
      expect(await verify()).toMatchObject({ difference: { part: 'restore', problem: /another anchor 2/ }, more: [] })
      logged.length = 0
      await sql.query(`update anchor set mac = 'x' where number = 2`)
      expect(await acceptRestore(deps)).toMatchObject({ clean: false, difference: { part: 'anchor' } })
      const mac = deps.ring.mac('anchor', (await lastAnchor(sql))!.hash)
      await sql.query('update anchor set mac = $1 where number = 2', [mac])
      expect(await acceptRestore(deps)).toMatchObject({ clean: true })
      const { rows } = await readAudit(sql, { organisationId: '', limit: 10 })
      expect(rows).toMatchObject([
        { action: 'ledger.restore', detail: { anchor: 2, known: 2 }, actor_kind: 'operator' },
      ])
      await anchorNow(deps)
      expect(numbersIn(anchorsFile)).toEqual([3])
      expect(await verify()).toMatchObject({ clean: true })
    }))

  test('are signed anew when the key is rotated', () =>
    withNode(engine, async ({ sql, deps, verify }) => {
      await anchorNow(deps)
      const ring = ringOf(SECRET)
      const former = { id: 1, material: Buffer.from(SECRET) }
      const next = { id: 2, material: Buffer.from('another key') }
      ring.replace([former, next], 2)
      expect(await verifyLedger(sql, { ...deps, ring })).toMatchObject({ clean: true })
      expect(await resealColumn(sql, ring, SIGNED_ANCHORS)).toEqual({ resealed: 1, unreadable: 0 })
      ring.replace([next], 2)
      expect(await verifyLedger(sql, { ...deps, ring })).toMatchObject({ clean: true })
      expect(await verify()).toMatchObject({ difference: { part: 'anchor' } })
      await sql.query(`update anchor set mac = '2.forged'`)
      ring.replace([next, { id: 3, material: Buffer.from('a third') }], 3)
      expect(await resealColumn(sql, ring, SIGNED_ANCHORS)).toEqual({ resealed: 0, unreadable: 1 })
    }))

  test('entries from before there were hashes are held by the first anchor', () =>
    withNode(
      engine,
      async ({ sql, deps, verify, charge, billing, clock }) => {
        expect(await verify()).toMatchObject({ clean: true, entries: 2, anchors: 0 })
        await charge('org_old')
        await changeIn(sql, clock, (tx) => audit(tx, operatorIn('org_old'), 'key.create', 'key_new'))
        await billing.open('org_new', 'growth')
        await anchorNow(deps)
        await charge('org_old')
        await charge('org_still')
        clock.set(clock.now() + DAY_MS)
        await anchorNow(deps)
        expect(await verify()).toMatchObject({ clean: true, anchors: 2 })
        const undo = new Error('undo')
        async function afterRunning(text: string) {
          let found: object | undefined
          const whole = sql.transaction(async (tx) => {
            for (const table of ['ledger_entry', 'audit_entry']) {
              if (engine === 'postgres') await tx.query(`drop trigger ${table}_not_changed on ${table}`)
              if (engine === 'postgres') await tx.query(`drop trigger if exists ${table}_only_erased on ${table}`)
              if (engine === 'postgres') await tx.query(`drop trigger if exists ${table}_only_archived on ${table}`)
              if (engine === 'postgres') await tx.query(`alter table ${table} drop constraint ${table}_has_hash`)
              if (engine === 'sqlite') await tx.query(`drop trigger ${table}_not_updated`)
              if (engine === 'sqlite') await tx.query(`drop trigger ${table}_not_deleted`)
            }
            await tx.query(text)
            const report = await verifyLedger(tx, deps)
            found = report.clean ? report : [report.difference, ...report.more]
            throw undo
          })
          await expect(whole).rejects.toBe(undo)
          return found
        }
        const problem = (text: string) => ({ problem: expect.stringContaining(text) })
        for (const id of ['org_old', 'org_still']) {
          expect(
            await afterRunning(`update ledger_entry set detail = 'x' where seq = 1 and organisation_id = '${id}'`),
          ).toEqual([
            expect.objectContaining({
              part: 'ledger',
              organisationId: id,
              seq: 1,
              ...problem('older than the hashes'),
            }),
          ])
          expect(
            await afterRunning(`update ledger_entry set hash = 'x' where seq = 1 and organisation_id = '${id}'`),
          ).toEqual([
            expect.objectContaining({ part: 'ledger', organisationId: id, seq: 1, ...problem('it was replaced') }),
          ])
        }
        const audited = { part: 'audit', organisationId: 'org_old' }
        expect(await afterRunning(`update audit_entry set detail = '{}' where id = 'aud_B'`)).toEqual([
          expect.objectContaining({ ...audited, ...problem('was changed after they were anchored') }),
        ])
        expect(await afterRunning(`delete from audit_entry where id = 'aud_B'`)).toEqual([
          expect.objectContaining({
            ...audited,
            ...problem('1 of the entries older than the hashes are missing'),
          }),
        ])
        expect(await afterRunning(`delete from audit_entry where organisation_id = ''`)).toEqual([
          expect.objectContaining({ part: 'audit', organisationId: '' }),
        ])
        const eraser = auditEraser({ organisationId: 'org_old', erasureId: 'era_1' })
        const proof = await changeIn(sql, clock, async (tx) => {
          const erased = await eraser.rest(tx, await eraser.older(tx))
          await audit(tx, operatorIn('org_old'), 'organisation.erase', 'org_old', { ...erased })
          return erased
        })
        expect(proof.entries).toBe(3)
        expect(await verify()).toMatchObject({ clean: true })
        expect(await afterRunning(`update audit_entry set target_id = 'x' where id = 'aud_B'`)).toEqual([
          expect.objectContaining({ ...audited, ...problem('changed by hand') }),
        ])
      },
      async (sql) => {
        await migrate(
          sql,
          readMigrations().filter(({ name }) => name < '0016'),
        )
        for (const id of ['org_old', 'org_still']) {
          await sql.query(
            `insert into organisation (id, name, state, created_at, updated_at) values ($1, 'Old', 'active', 0, 0)`,
            [id],
          )
          await sql.query(
            `insert into billing_account values ($1, 'prepaid', '2026-03', 0, 100, 0, 0, 0, 1, 0, 0, null, null)`,
            [id],
          )
          await sql.query(
            `insert into ledger_entry values ($1, 1, $2, 'credit', '2026-03', 'prepaid', null, 0, 0, 0, 0, 100, 0, 0, 100, 0,
             null, null, null, 'gift', 0)`,
            [id, `ent_${id}`],
          )
        }
        for (const [id, organisationId] of [
          ['aud_a', 'org_old'],
          ['aud_B', 'org_old'],
          ['aud_c', ''],
        ]) {
          await sql.query(
            `insert into audit_entry values ($1, $2, 5, 'operator', 'operator', null, 'credit.add', null, '{"pence":1}', null, null)`,
            [id!, organisationId!],
          )
        }
        await migrate(sql)
      },
    ))

  test('a change that fails leaves no entry and no gap', () =>
    withNode(engine, async ({ sql, clock, verify }) => {
      const record = (fail: boolean) =>
        changeIn(sql, clock, async (tx) => {
          await audit(tx, operatorIn(''), 'person.disable', 'usr_1')
          if (fail) throw new Error('changed my mind')
        })
      await record(false)
      await expect(record(true)).rejects.toThrow('changed my mind')
      await record(false)
      expect(await verify()).toMatchObject({ clean: true, auditEntries: 2 })
    }))
})

/** The store, with `onQuery` told of every statement outside a transaction. */
function watched(sql: Sql, onQuery: (text: string) => void): Sql {
  return {
    ...sql,
    query<Row extends object>(text: string, params?: readonly SqlValue[]) {
      onQuery(text)
      return sql.query<Row>(text, params)
    },
  }
}

test('the first anchor after an upgrade lets the server answer after every page, and stops when the server stops', () =>
  withNode(
    'sqlite',
    async ({ sql, deps, verify }) => {
      let turn = 0
      let next = setImmediate(function count() {
        turn++
        next = setImmediate(count)
      })
      const readAt: Record<string, number[]> = { ledger_entry: [], audit_entry: [] }
      const note = (text: string) => {
        for (const [table, turns] of Object.entries(readAt)) if (text.includes(`from ${table} `)) turns.push(turn)
      }
      try {
        const stopping = new AbortController()
        let read = 0
        const stopAtSecondPage = watched(sql, (text) => {
          if (text.includes('from ledger_entry ') && ++read === 2) stopping.abort()
        })
        expect(await makeAnchor({ ...deps, sql: stopAtSecondPage }, stopping.signal)).toBeUndefined()
        expect(read).toBe(2)
        expect(await lastAnchor(sql)).toBeUndefined()
        expect(await makeAnchor({ ...deps, sql: watched(sql, note) })).toMatchObject({ number: 1, heads: 2 })
      } finally {
        clearImmediate(next)
      }
      for (const turns of Object.values(readAt)) {
        expect(turns.length).toBeGreaterThanOrEqual(4)
        expect(new Set(turns).size, 'pages that were read in a turn of their own').toBe(turns.length)
      }
      expect(await verify()).toMatchObject({ clean: true, entries: 1200 })
    },
    async (sql) => {
      await migrate(
        sql,
        readMigrations().filter(({ name }) => name < '0016'),
      )
      await sql.query(
        `insert into organisation (id, name, state, created_at, updated_at) values ('org_old', 'Old', 'active', 0, 0)`,
      )
      await sql.query(
        `insert into billing_account values ('org_old', 'prepaid', '2026-03', 0, 1200, 0, 0, 0, 1200, 0, 0, null, null)`,
      )
      const numbers = 'with recursive number (n) as (select 1 union all select n + 1 from number where n < 1200)'
      await sql.query(
        `${numbers} insert into ledger_entry select 'org_old', n, 'ent_' || n, 'credit', '2026-03', 'prepaid', null, 0, 0, 0,
         0, 1, 0, 0, n, 0, null, null, null, 'gift', 0 from number`,
      )
      await sql.query(
        `${numbers} insert into audit_entry select 'aud_' || n, 'org_old', 5, 'operator', 'operator', null, 'credit.add', null,
         '{"pence":1}', null, null from number`,
      )
      await migrate(sql)
    },
  ))

test('an anchor reads the last head of each organisation, not those of every day', () =>
  withNode('sqlite', async ({ sql, place, deps, billing, charge, clock, verify }) => {
    for (const id of ['org_a', 'org_b', 'org_c']) await billing.open(id, 'growth')
    await anchorNow(deps)
    await charge('org_b')
    await anchorNow(deps)
    await charge('org_c')
    clock.set(clock.now() + DAY_MS)
    const statements = new Set<string>()
    const noting = watched(sql, (text) => statements.add(text))
    expect(await makeAnchor({ ...deps, sql: noting })).toMatchObject({ number: 3, heads: 1 })
    expect(await makeAnchor({ ...deps, sql: noting })).toMatchObject({ number: 4, heads: 0 })
    expect(await verify()).toMatchObject({ clean: true, anchors: 4 })

    if (place.engine !== 'sqlite') throw new Error('not on SQLite')
    const database = new DatabaseSync(place.file, { readOnly: true })
    const steps = [...statements]
      .filter((text) => text.includes('anchor_head'))
      .flatMap((text) => database.prepare(`explain query plan ${text}`).all())
      .map(({ detail }) => String(detail))
    database.close()
    expect(steps).toContainEqual(expect.stringMatching(/^SEARCH anchor_head .*\(number=\? AND organisation_id=\?\)$/))
    // Only the ids are looked up by range, one at a time, in the index alone.
    const ranges = steps.filter((step) => /anchor_head/.test(step) && !/\(.*=\?\)$/.test(step))
    expect(ranges.filter((step) => !step.includes('USING COVERING INDEX'))).toEqual([])
    expect(steps.filter((step) => step.startsWith('SCAN anchor_head'))).toEqual([])
  }))

test('the log shows the hash of an anchor whole, also one that holds what secrets begin with', () => {
  const hashes = ['vPhIXZsU_1Ahd_94L_JRRQ28SmPF0r6OV5UtUuszgvY', 'xbasicDPoPabcdefeyJabcdefwhsec_BCDF-GHJKbearer']
  for (const word of ['bearer', 'basic', 'dpop', 'eyJ', 'whsec_', 'BCDF-GHJK']) {
    for (let before = 0; before < 10; before++) hashes.push(`${'x'.repeat(before)}${word}`.padEnd(43, '7'))
  }
  for (const hash of hashes) {
    const anchor = { number: 1, madeAtMs: 0, heads: 0, headsHash: '', hash, mac: '' }
    const logged = JSON.parse(scrub(JSON.stringify({ anchor: anchorToLog(anchor) }))).anchor
    expect(logged.hash.replaceAll(' ', '')).toBe(hash)
    expect(logged).toMatchObject({ number: 1, made_at: '1970-01-01T00:00:00.000Z', heads: 0 })
  }
})

test('a backup that is restored verifies', () =>
  withNode('sqlite', async ({ sql, deps, billing, charge, place, verify }) => {
    await billing.open('org_a', 'growth')
    await charge('org_a')
    await anchorNow(deps)
    if (place.engine !== 'sqlite') throw new Error('not on SQLite')
    const file = `${place.file}.backup`
    await sql.query('vacuum into $1', [file])
    await charge('org_a')
    const restored = await openPlace({ engine: 'sqlite', file })
    expect(await verifyLedger(restored, deps)).toMatchObject({ clean: true, entries: 2, anchors: 1 })
    await restored.close()
    await anchorNow(deps)
    expect(await verify()).toMatchObject({ clean: true, entries: 3 })
    const again = await openPlace({ engine: 'sqlite', file })
    expect(await verifyLedger(again, deps)).toMatchObject({ difference: { part: 'restore' }, more: [] })
    expect(await acceptRestore({ ...deps, sql: again })).toMatchObject({ clean: true })
    await again.close()
  }))

test('hashes are what they were: another order of fields would break every chain there is', () => {
  const movement = { id: 'ent_1', kind: 'credit', prepaidDeltaPence: 5, reference: 'r', detail: 'ö' } as const
  const { account, entry } = post(emptyAccount('org_a', 'free', 0), movement, 1)
  expect(entry.hash).toBe('vPhIXZsU_1Ahd_94L_JRRQ28SmPF0r6OV5UtUuszgvY')
  expect(post(account, movement, 2).entry.hash).toBe('dIBvsgQjCl7PQo8k2u9NMk4WPoaTgsWFQMPJ3ePGIuU')
  const audited = {
    id: 'aud_1',
    organisation_id: 'org_a',
    created_at: 1,
    actor_kind: 'operator',
    actor_id: 'operator',
    actor_name: null,
    action: 'key.create',
    target_id: null,
    detail: '{}',
    ip: null,
    request_id: null,
  }
  expect(link('', hashedAuditFields(audited, 1))).toBe('_eHHrrSIB1uPb4DY9JNf9cwUxqke6cIriHsITDHhrOc')
})

test('null, the empty text and the place of a field are told apart', () => {
  const hashes = [[null], [''], ['-'], ['=']].map((fields) => link('', fields))
  expect(new Set(hashes).size).toBe(4)
  expect(link('', ['ab', 'c'])).not.toBe(link('', ['a', 'bc']))
  expect(link('', ['a', null])).not.toBe(link('', ['a\0-', '']))
  expect(link('', ['\ud800'])).toBe(link('', ['\ufffd']))
})

test('entries are written in one place each', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const where = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)
  expect(where(/(insert into|update|delete from)\s+(ledger_entry|audit_entry)\b/i).sort()).toEqual([
    'billing/ledger/archives.ts',
    'identity/audit-erase.ts',
  ])
  expect(where(/name: '(ledger_entry|audit_entry)'/).sort()).toEqual([
    'billing/ledger/ledger.ts',
    'identity/audit-chain.ts',
    'identity/audit.ts',
  ])
  // Of the ledger's entries only `post` makes one; of the audit log's only `writeAudit` inserts any.
  expect(where(/AfterPence: after\./)).toEqual(['billing/ledger/ledger.ts'])
  const inserts = /\b(entries|entryTable)\.(toInsert|toUpsert|insert|insertIfNew|upsert|update|delete)\(/
  expect(
    where(inserts)
      .filter((path) => /ledger|audit/.test(path))
      .sort(),
  ).toEqual(['billing/ledger/accounts.ts', 'billing/ledger/charge-batch.ts', 'identity/audit-chain.ts'])
})

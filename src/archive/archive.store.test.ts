import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { testAccounts, testMeter } from '../../test/support/accounts.ts'
import { ManualClock } from '../../test/support/clock.ts'
import { plan } from '../../test/support/plans.ts'
import { assayd } from '../../test/support/process.ts'
import { describeEachStore } from '../../test/support/stores.ts'
import { statementReport } from '../billing/invoices/statements.ts'
import { readEntries, readEntryPage } from '../billing/ledger/accounts.ts'
import { makeAnchor } from '../billing/ledger/anchors.ts'
import { accounts } from '../billing/ledger/ledger.ts'
import { verifyLedger, verifyRecent } from '../billing/ledger/verify.ts'
import { parsePlans } from '../billing/plans.ts'
import { readUsage, rollUpUsage } from '../billing/usage/usage.ts'
import { newestMigration } from '../db/migrate.ts'
import type { Sql } from '../db/sql.ts'
import { DAY_MS, periodOf } from '../lib/clock.ts'
import { FAMILIES } from '../lib/kinds.ts'
import { ringOf } from '../lib/seal.ts'
import { publishedReceiptKeys } from '../record/receipt-keys.ts'
import { VERSION } from '../version.ts'
import { archiveDue, archiveNow, planArchives } from './archive.ts'
import { verifyArchiveFiles } from './archive-file.ts'

const unit_price_pence = { 'payment-risk': 3, 'supply-chain-risk': 2, 'infrastructure-risk': 0 }
const plans = parsePlans(
  [
    plan('credit', { unit_price_pence }),
    plan('overage', { unit_price_pence, included_credit_pence: 11, free_units: 2, overage_allowed: true }),
  ],
  'test',
)
const ORGANISATIONS = ['org_a', 'org_b', 'org_c'] as const

class Killed extends Error {}

/** A store that is dead after so many statements, as that of a killed process. */
function dyingAfter(sql: Sql, statements: number): Sql {
  let left = statements
  const alive = () => {
    if (left-- <= 0) throw new Killed()
  }
  return {
    ...sql,
    async query(text, params) {
      alive()
      return sql.query(text, params)
    },
    async transaction(fn, options) {
      alive()
      return sql.transaction(fn, options)
    },
  }
}

describeEachStore('archives of the ledger', (open, engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-archive-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const clock = new ManualClock('2026-01-04T00:00:00Z')
  const ring = ringOf('the secret of the tests, long enough')
  const depsOf = (sql: Sql) => ({ sql, clock, ring, baseUrl: 'https://assay.example', folder, keptMonths: 2 })
  const files = () => readdirSync(folder).map((name) => join(folder, name))

  async function statementOf(sql: Sql, organisationId: string, month: string) {
    const account = await accounts.find(sql, { organisationId })
    if (!account) throw new Error('no account')
    return (await statementReport.make(sql, { account, month, nowMs: clock.now() })).head
  }

  async function usageOf(sql: Sql, organisationId: string, granularity: 'day' | 'hour') {
    const range = { fromMs: Date.parse('2026-01-04T00:00:00Z'), toMs: clock.now() + DAY_MS }
    await rollUpUsage(sql, organisationId)
    return readUsage(sql, { organisationId, granularity, byFamily: true, byCredential: true, limit: 1000, ...range })
  }

  test('a random history with archives in between, killed at every statement, keeps every entry, balance, statement and sum', async () => {
    const sql = await open()
    const billing = testAccounts({ sql, plans, clock })
    const meter = testMeter({ sql, rules: billing.rules, clock })
    for (const id of ORGANISATIONS) await billing.open(id, 'credit')
    const steps = fc.sample(fc.record({ who: fc.nat(2), what: fc.nat(19), family: fc.nat(2), units: fc.nat(3) }), 72)
    const everything = new Map<string, object>()
    const statements = new Map<string, Awaited<ReturnType<typeof statementOf>>>()
    for (let month = 0; month < 6; month++) {
      for (const [i, { who, what, family, units }] of steps.slice(12 * month, 12 * month + 12).entries()) {
        // One of them rests for months: the next entry is of a month that was archived.
        const organisationId = ORGANISATIONS[who === 0 && month > 0 && month < 5 ? 1 : who]!
        if (what < 3) await billing.credit(organisationId, 40)
        else if (what === 3) await billing.setPlan(organisationId, units > 1 ? 'credit' : 'overage')
        else {
          const about = { organisationId, credentialId: 'key_1', requestId: `req_${month}_${i}` }
          const charge = { ...about, family: FAMILIES[family]!, units: units + 1 }
          await meter.charge({ ...charge, answer: () => ({ before: '{', after: '}' }) }).catch(() => {})
        }
        clock.advance(2 * DAY_MS)
      }
      clock.set(`2026-0${month + 2}-03T00:00:00Z`)
      await makeAnchor({ sql, clock, ring })
      for (const organisationId of ORGANISATIONS) {
        for (const entry of await readEntries(sql, { organisationId, afterSeq: 0, limit: 1000 })) {
          everything.set(`${organisationId} ${entry.seq}`, entry)
        }
        for (let past = 0; past <= month && month % 3 === 2; past++) {
          const name = `2026-0${past + 1}`
          const statement = await statementOf(sql, organisationId, name)
          const known = statements.get(`${organisationId} ${name}`)
          // The credit of a past month may expire later: its usage stays as it was.
          if (known && past < month) expect(statement.usage).toEqual(known.usage)
          statements.set(`${organisationId} ${name}`, statement)
        }
      }
      const days = await usageOf(sql, 'org_b', 'day')
      for (let left = 1; ; left += engine === 'sqlite' && month === 4 ? 1 : 35) {
        try {
          await archiveDue(depsOf(dyingAfter(sql, left)))
          break
        } catch (error) {
          if (!(error instanceof Killed)) throw error
          if (left % 20 === 1) expect(await verifyLedger(sql, { ring })).toMatchObject({ clean: true })
        }
      }
      expect(await verifyLedger(sql, { ring })).toMatchObject({ clean: true })
      expect(await verifyRecent(sql, { ring })).toMatchObject({ clean: true })
      for (const [name, statement] of month % 3 === 2 ? statements : []) {
        const [organisationId = '', of = ''] = name.split(' ')
        expect(await statementOf(sql, organisationId, of), name).toEqual(statement)
      }
      expect((await usageOf(sql, 'org_b', 'day')).rows).toEqual(days.rows)
    }
    await meter.close()

    expect(periodOf(clock.now())).toBe('2026-07')
    const verified = await verifyArchiveFiles(files(), await publishedReceiptKeys(sql))
    expect(verified.map(({ month }) => month)).toEqual(['2026-01', '2026-02', '2026-03', '2026-04'])
    // Every entry is in the files once, or in the database; charges of archived months are only in the files.
    const inFiles = files().flatMap((file) => lines(file).flatMap((text) => JSON.parse(text).entry ?? []))
    const names = inFiles.map((row) => `${row.organisation_id} ${row.seq}`)
    expect(new Set(names).size).toBe(names.length)
    const kept = await sql.query<{ organisation_id: string; seq: number; kind: string; period: string }>(
      'select organisation_id, seq, kind, period from ledger_entry',
    )
    const everywhere = new Set([...names, ...kept.map((row) => `${row.organisation_id} ${row.seq}`)])
    expect([...everywhere].sort()).toEqual([...everything.keys()].sort())
    const charges = kept.filter((row) => row.kind === 'charge' && row.period <= '2026-04')
    expect(charges.length).toBeLessThanOrEqual(4 * ORGANISATIONS.length)
    await expect(usageOf(sql, 'org_b', 'hour')).rejects.toMatchObject({ code: 'invalid_query' })
    const page = await readEntryPage(sql, { organisationId: 'org_b', limit: 1000 })
    expect(page.nextBeforeSeq).toBeUndefined()
    expect(page.entries.length).toBe(kept.filter((row) => row.organisation_id === 'org_b').length)
  })

  test('a damaged archive is refused with its line', async () => {
    const sql = await open()
    const keys = await publishedReceiptKeys(sql)
    const [first = '', second = '', third = ''] = files().sort()
    const copy = join(folder, 'copy.gz')
    const refusal = async (change: (text: string[]) => void, signed = true) => {
      const text = lines(second)
      change(text)
      writeFileSync(copy, gzipSync(`${text.join('\n')}\n`))
      return verifyArchiveFiles([first, copy], signed ? keys : undefined).then(
        () => 'whole',
        (error: Error) => error.message,
      )
    }
    const at = lines(second).findIndex((text) => text.startsWith('{"entry"') && text.includes('"charge"'))
    const edit = (index: number, from: RegExp | string, to: string) => (text: string[]) => {
      text[index] = text[index]!.replace(from, to)
    }
    expect(await refusal(() => {})).toBe('whole')
    expect(await refusal(edit(at, /"units":\d+/, '"units":99'))).toMatch(
      new RegExp(`^copy.gz, line ${at + 1}: entry \\d+ of org_\\w: its content was changed`),
    )
    expect(await refusal((text) => text.splice(at, 1))).toMatch(/^copy.gz, line \d+: /)
    expect(await refusal((text) => text.splice(-1))).toMatch(/without its manifest: it is incomplete/)
    const continued = (text: string[]) => {
      const head = JSON.parse(text[1]!)
      // An organisation may have had no entry before, and its balance may be below zero.
      const last = head.after ?? JSON.parse(text[2]!).entry
      text[1] = JSON.stringify({ ...head, after: { ...last, prepaid_after_pence: last.prepaid_after_pence + 5000 } })
    }
    expect(await refusal(continued)).toMatch(/^copy.gz, line 2: the ledger of org_\w does not continue/)
    expect(await refusal(edit(0, /"previous":"/, '"previous":"x'), false)).toMatch(/does not continue ledger-2026-01/)
    writeFileSync(copy, readFileSync(second).subarray(0, -40))
    await expect(verifyArchiveFiles([copy], keys)).rejects.toThrow(/line \d+: the file cannot be read further/)
    await expect(verifyArchiveFiles([first, third], keys)).rejects.toThrow('Archive 2 is missing')
    const another = await publishedReceiptKeys(sql)
    const stranger = { keys: another.keys.map((key) => ({ ...key, kid: 'receipt-stranger' })) }
    await expect(verifyArchiveFiles([first], stranger)).rejects.toThrow('signed with none of these keys')
    rmSync(copy)
  })

  test('an archive in the database that was changed is found, and nothing else can be deleted', async () => {
    const sql = await open()
    await expect(sql.query(`delete from ledger_entry where kind = 'credit'`)).rejects.toThrow('append-only')
    await expect(sql.query(`delete from ledger_entry where period = '2026-06'`)).rejects.toThrow('append-only')
    const foundAfter = async (change: string, back: string) => {
      await sql.query(change)
      const report = await verifyLedger(sql, { ring })
      await sql.query(back)
      return report.clean ? 'clean' : report.difference.problem
    }
    const charged = `update archived_charge set overage_delta_pence = overage_delta_pence`
    expect(await foundAfter(`${charged} + 1`, `${charged} - 1`)).toMatch(
      'the record of the archived entries was changed',
    )
    const forged = `insert into archive_head select organisation_id, 99, ledger_seq, ledger_seq + 1, 'x', 'x', 'x' from archive_head where number = 4`
    const found = await foundAfter(forged, 'delete from archive_head where number = 99')
    expect(found).toMatch('entries are recorded as archived without an archive')
    const numbered = 'update archive set entries = entries'
    expect(await foundAfter(`${numbered} + 1`, `${numbered} - 1`)).toBe('it, or the archive before it, was changed')
    const usage = `update usage_total set units = units`
    const months = `where granularity = 'month' and starts_at < ${Date.parse('2026-02-01T00:00:00Z')}`
    expect(await foundAfter(`${usage} + 1 ${months}`, `${usage} - 1 ${months}`)).toMatch(
      'usage_total: the units of the month',
    )
    const other = await verifyLedger(sql, { ring: ringOf('another secret, which is long enough') })
    expect(other).toMatchObject({ clean: false })
    expect(await verifyLedger(sql, { ring })).toMatchObject({ clean: true, archives: 4 })
  })

  test('nothing is archived beside a node of another version, or before it is anchored', async () => {
    const sql = await open()
    clock.set('2026-09-03T00:00:00Z')
    const due = await planArchives(depsOf(sql))
    expect(due.map(({ month }) => month)).toEqual(['2026-05', '2026-06'])
    const beat = `insert into node (id, name, role, version, started_at, seen_at, figures) values ('n', 'old:80', 'server', $1, 0, $2, '{}')`
    await sql.query(beat, ['0.9.0', clock.now()])
    await expect(archiveNow(depsOf(sql))).rejects.toThrow('The node old:80 runs Assay 0.9.0')
    // Of the same version, but from before archives: it tells nothing of its migrations.
    await sql.query('update node set version = $1', [VERSION])
    await expect(archiveNow(depsOf(sql))).rejects.toThrow('newest migration: unknown')
    await sql.query('update node set figures = $1', [JSON.stringify({ migration: '0038_snapshots' })])
    await expect(archiveNow(depsOf(sql))).rejects.toThrow('newest migration: 0038_snapshots')
    await sql.query('update node set figures = $1', [JSON.stringify({ migration: newestMigration() })])
    const forged = `update anchor_head set ledger_hash = $1 || ledger_hash where ledger_seq > 0`
    await sql.query(forged, ['x'])
    await expect(archiveNow(depsOf(sql))).rejects.toThrow(/^Entry \d+ of org_\w differs from its anchor/)
    await sql.query('update anchor_head set ledger_hash = substr(ledger_hash, 2) where ledger_seq > 0')
    const [head] = await sql.query<{ n: number }>('select max(number) as n from anchor_head')
    await sql.query('update anchor_head set ledger_seq = -ledger_seq where number = $1', [head?.n ?? 0])
    await expect(archiveNow(depsOf(sql))).rejects.toThrow('is in no anchor yet')
    await sql.query('update anchor_head set ledger_seq = -ledger_seq where number = $1', [head?.n ?? 0])
    // The refused run may have archived an earlier month, which an earlier anchor holds.
    const made = (await archiveNow(depsOf(sql))) ?? []
    expect(made).toMatchObject(due.slice(-made.length))
    expect(await planArchives(depsOf(sql))).toEqual([])
  })

  test('the verbs plan, list and verify', async () => {
    const { sql, place } = await open().then((store) => ({ sql: store, place: store.place }))
    const inPlace = place.engine === 'sqlite' ? dirname(place.file) : folder
    const database: Record<string, string> = place.engine === 'sqlite' ? {} : { ASSAY_DATABASE_URL: place.url }
    const env = { ASSAY_DATA_DIR: inPlace, ASSAY_ARCHIVE_DIR: folder, ...database }
    const unsaid = await assayd(['archive', '--dry-run'], env)
    expect(unsaid).toMatchObject({ code: 1, stderr: expect.stringContaining('How many months stay in the database?') })
    const due = await assayd(['archive', '--dry-run', '--keep-months', '600'], env)
    expect(due).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing is due') })
    const listed = JSON.parse((await assayd(['archive', 'list', '--json'], env)).stdout)
    expect(listed).toHaveLength(6)
    expect(listed[0]).toMatchObject({ number: 1, month: '2026-01', is_here: true })
    const paths = listed.map(({ file }: { file: string }) => join(folder, file))
    const unsigned = await assayd(['archive', 'verify', ...paths], {})
    expect(unsigned).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('6 archives add up: 2026-01 to 2026-06'),
    })
    expect(unsigned.stdout).toContain('The signatures were NOT checked')
    const keys = join(folder, 'keys.json')
    writeFileSync(keys, JSON.stringify(await publishedReceiptKeys(sql)))
    const signed = await assayd(['archive', 'verify', ...paths, '--keys', keys], {})
    expect(signed.stdout).toContain('The signatures are right.')
    expect(await assayd(['archive', 'verify', keys], {})).toMatchObject({ code: 2 })
    expect(await assayd(['archive', 'verify', join(folder, 'none')], {})).toMatchObject({ code: 1 })
  })
})

const lines = (file: string) => gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')

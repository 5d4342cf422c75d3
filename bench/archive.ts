/**
 * Archiving the ledger: a million charges of 50 organisations in six months, of which three are archived, on both databases;
 * and the space that the archive leaves. `ENGINES=postgres` and `ENTRIES=300000` measure less.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { archiveNow } from '../src/archive/archive.ts'
import { verifyArchiveFiles } from '../src/archive/archive-file.ts'
import { makeAnchor } from '../src/billing/ledger/anchors.ts'
import { verifyLedger } from '../src/billing/ledger/verify.ts'
import { loadPlans } from '../src/billing/plans.ts'
import { databaseState } from '../src/db/database-state.ts'
import { migrate } from '../src/db/migrate.ts'
import { openPostgres } from '../src/db/postgres.ts'
import type { Sql } from '../src/db/sql.ts'
import { openSqlite } from '../src/db/sqlite.ts'
import { ringOf } from '../src/lib/seal.ts'
import { publishedReceiptKeys } from '../src/record/receipt-keys.ts'
import { testAccounts, testMeter } from '../test/support/accounts.ts'
import { ManualClock } from '../test/support/clock.ts'
import { administer, startPostgres } from '../test/support/postgres.ts'
import { file, machineLoad, median } from './server.ts'

const ENTRIES = Number(process.env.ENTRIES ?? 1_000_000)
const ENGINES = (process.env.ENGINES ?? 'sqlite,postgres').split(',') as Sql['engine'][]
const ORGANISATIONS = 50
const MONTHS = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06']
const KEPT_MONTHS = 2
const AT_ONCE = 1000
const ROUNDS = 200
const CHARGES_AT_ONCE = 64

const ring = ringOf('the secret of the benchmark, long enough')
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`

export async function run(): Promise<string[]> {
  const lines = [
    `${ENTRIES.toLocaleString('en-GB')} charges of ${ORGANISATIONS} organisations in ${MONTHS.length} months`,
  ]
  for (const engine of ENGINES) {
    const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
    const postgres = engine === 'postgres' ? await startPostgres({ settings: ['max_wal_size=2GB'] }) : undefined
    try {
      lines.push(...(await measure(folder, postgres?.url)).map((line) => `${engine}: ${line}`))
    } finally {
      await postgres?.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return [...lines, machineLoad()]
}

async function measure(folder: string, url: string | undefined): Promise<string[]> {
  const path = join(folder, 'ledger.db')
  const open = () => (url === undefined ? openSqlite({ file: path }) : openPostgres({ url }))
  const sql = await open()
  await migrate(sql)
  const clock = new ManualClock(`${MONTHS[0]}-02T00:00:00Z`)
  const plans = loadPlans(file('plans.json'))
  const { rules, ...billing } = testAccounts({ sql, plans, clock })
  const meter = testMeter({ sql, rules, clock })
  const organisationId = (n: number) => `org_${n % ORGANISATIONS}`
  for (let n = 0; n < ORGANISATIONS; n++) {
    await billing.open(organisationId(n), 'prepaid')
    await billing.credit(organisationId(n), 1_000_000_000)
  }
  const charge = (n: number) =>
    meter.charge({
      organisationId: organisationId(n),
      family: 'payment-risk',
      units: 1,
      credentialId: 'key_00000000000000000001',
      requestId: `req_${String(n).padStart(20, '0')}`,
      answer: () => ({ before: '{', after: '}' }),
    })
  const many = (from: number, count: number) => Promise.all(Array.from({ length: count }, (_, i) => charge(from + i)))
  const perMonth = Math.floor(ENTRIES / MONTHS.length)
  for (const [at, month] of MONTHS.entries()) {
    const beginMs = Date.parse(`${month}-02T00:00:00Z`)
    for (let n = 0; n < perMonth; n += AT_ONCE) {
      clock.set(new Date(beginMs + Math.floor((n / perMonth) * 26) * 86_400_000).toISOString())
      await many(at * perMonth + n, Math.min(AT_ONCE, perMonth - n))
    }
  }
  clock.set('2026-07-02T00:00:00Z')
  await makeAnchor({ sql, clock, ring })
  let rounds = 0
  const chargeMs = async () => {
    const times: number[] = []
    for (let i = 0; i < ROUNDS; i++) {
      const beginMs = performance.now()
      await many(ENTRIES + CHARGES_AT_ONCE * rounds++, CHARGES_AT_ONCE)
      times.push(performance.now() - beginMs)
    }
    return median(times).toFixed(2)
  }
  const before = {
    bytes: (await databaseState(sql)).bytes,
    chargeMs: await chargeMs(),
    verify: await timed(() => verifyLedger(sql, { ring })),
  }
  const deps = { sql, clock, ring, baseUrl: 'https://assay.example', folder, keptMonths: KEPT_MONTHS }
  const archiving = await timed(() => archiveNow(deps))
  const made = archiving.result ?? []
  const entries = made.reduce((sum, one) => sum + one.entries, 0)
  const keys = await publishedReceiptKeys(sql)
  const files = made.map((one) => join(folder, one.file))
  const verifying = await timed(() => verifyArchiveFiles(files, keys))
  const after = {
    chargeMs: await chargeMs(),
    verify: await timed(() => verifyLedger(sql, { ring })),
    bytes: (await databaseState(sql)).bytes,
  }
  if (!before.verify.result.clean || !after.verify.result.clean) throw new Error('the ledger does not verify')
  await meter.close()
  await sql.close()
  const vacuum = await timed(async () => {
    if (url !== undefined) return administer(url, 'vacuum full ledger_entry')
    const database = new DatabaseSync(path)
    database.exec('vacuum')
    database.close()
  })
  const again = await open()
  const { bytes } = await databaseState(again)
  await again.close()
  const fileBytes = made.reduce((sum, one) => sum + one.bytes, 0)
  return [
    `${made.length} months with ${entries.toLocaleString('en-GB')} entries were archived in ${seconds(archiving)}, ${((archiving.ms * 1000) / entries).toFixed(0)} µs an entry, into files of ${(fileBytes / entries).toFixed(0)} bytes an entry; verifying the files took ${seconds(verifying)}`,
    `\`ledger verify\` ${seconds(before.verify)} before and ${seconds(after.verify)} after; ${CHARGES_AT_ONCE} charges ${before.chargeMs} and ${after.chargeMs} ms`,
    `${megabytes(before.bytes)} before, ${megabytes(after.bytes)} after, ${megabytes(bytes)} after \`${url === undefined ? 'vacuum' : 'vacuum full ledger_entry'}\`, which took ${seconds(vacuum)}`,
  ]
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const beginMs = performance.now()
  const result = await work()
  return { result, ms: performance.now() - beginMs }
}

const seconds = ({ ms }: { readonly ms: number }) => `${(ms / 1000).toFixed(1)} s`

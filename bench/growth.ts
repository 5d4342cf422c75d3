/**
 * A year of growth: what a charge, usage, a page of the ledger, a statement, the list of organisations and a backup cost at
 * 10 thousand, 1 million and 20 million ledger entries of 10, 10 thousand and 1 million organisations. Ten large customers
 * have half of all entries, everybody else shares the other half, and entries are stored in the order of their time, as a
 * service writes them. Each round measures the sizes in turn. `ENGINES=postgres` and `SIZES=2` measure less. The largest size takes
 * an hour to fill and seconds to measure: `PAUSE=1` waits for a line of input before it measures and before it makes backups.
 */
import { once } from 'node:events'
import { createReadStream, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { makeBackup } from '../src/backup/make.ts'
import { statementReport } from '../src/billing/invoices/statements.ts'
import { readAccount, readEntryPage } from '../src/billing/ledger/accounts.ts'
import { previousPeriod } from '../src/billing/period.ts'
import { loadPlans } from '../src/billing/plans.ts'
import { findOrganisations } from '../src/billing/subscription/overview.ts'
import { readUsage, rollUpUsage } from '../src/billing/usage/usage.ts'
import { migrate } from '../src/db/migrate.ts'
import type { DatabasePlace } from '../src/db/open.ts'
import { openPostgres } from '../src/db/postgres.ts'
import type { Sql } from '../src/db/sql.ts'
import { openSqlite } from '../src/db/sqlite.ts'
import { DAY_MS, periodOf, systemClock } from '../src/lib/clock.ts'
import { testAccounts, testMeter } from '../test/support/accounts.ts'
import { administer, databaseUrl, startPostgres } from '../test/support/postgres.ts'
import { file, machineLoad, median } from './server.ts'

const SIZES = [
  { entries: 10_000, organisations: 10 },
  { entries: 1_000_000, organisations: 10_000 },
  { entries: 20_000_000, organisations: 1_000_000 },
].slice(0, Number(process.env.SIZES ?? 3))
const ENGINES = (process.env.ENGINES ?? 'sqlite,postgres').split(',') as Sql['engine'][]
type Size = (typeof SIZES)[number]

const LARGE_CUSTOMERS = 10
/** Of them, those whose usage and statements are read. */
const READ_CUSTOMERS = 2
const ROUNDS = 60
const BACKUPS = 3
const CHARGES_AT_ONCE = 64
const ROWS_PER_STEP = 100_000
const RATIO_MAX = 1.3
const CREDIT_PENCE = 1_000_000_000

const nowMs = Date.now()
const startMs = nowMs - 365 * DAY_MS
const plans = loadPlans(file('plans.json'))
const organisationId = (n: number) => `org_${String(n).padStart(20, '0')}`

interface Filled {
  readonly size: Size
  readonly place: DatabasePlace
  readonly sql: Sql
  readonly bytes: number
  readonly fillSeconds: number
  readonly rollUpUs: number
}

export async function run(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  // A checkpoint in the middle of a round would be the cost of whichever size is measured then.
  const postgres = await startPostgres({ settings: ['max_wal_size=2GB', 'shared_buffers=1GB'] })
  try {
    const lines: string[] = []
    for (const engine of ENGINES) {
      const filled: Filled[] = []
      for (const [at, size] of SIZES.entries()) {
        const name = `growth${at}`
        if (engine === 'postgres') await administer(postgres.url, `create database ${name} template template0`)
        const place: DatabasePlace =
          engine === 'sqlite'
            ? { engine, file: join(folder, `${name}.db`) }
            : { engine, url: databaseUrl(postgres.url, name) }
        filled.push(await fill(place, size))
      }
      lines.push(...(await measure(engine, filled, { folder, files: engine === 'sqlite' ? folder : postgres.data })))
      for (const { sql } of filled) await sql.close()
    }
    return [
      `at ${SIZES.map((size) => `${count(size.entries)} entries of ${count(size.organisations)} organisations`).join(', ')}; medians of ${ROUNDS} rounds in turn; ${machineLoad()}`,
      ...lines,
    ]
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(
  engine: Sql['engine'],
  filled: readonly Filled[],
  { folder, files }: { readonly folder: string; readonly files: string },
): Promise<string[]> {
  const of = filled.map(operationsOf)
  const lines: string[] = []
  // Printed as they come: the backups take minutes.
  const say = (line: string) => {
    lines.push(line)
    console.log(line)
  }
  await pause('measure')
  await readThrough(files)
  for (const name of Object.keys(of[0]?.operations ?? {})) {
    const times = filled.map((): number[] => [])
    for (let round = -5; round < ROUNDS; round++) {
      for (const [at, { operations }] of of.entries()) {
        const beginMs = performance.now()
        await operations[name]?.(round + 5)
        if (round >= 0) times[at]?.push(performance.now() - beginMs)
      }
    }
    say(compared(`${engine}: ${name}`, times.map(median), 'ms'))
  }
  for (const { close } of of) await close()
  await pause('make backups')
  const backups = filled.map((): number[] => [])
  for (let round = 0; round < BACKUPS; round++) {
    for (const [at, { place, size }] of filled.entries()) {
      // The largest takes minutes: once.
      if (round > 0 && size.entries > 5_000_000) continue
      const to = join(folder, `${engine}-${at}-${round}.assay`)
      const beginMs = performance.now()
      const made = await makeBackup({ place, dataDir: folder, file: to, nowMs, passphrase: undefined })
      backups[at]?.push(((performance.now() - beginMs) * 1000) / made.counts.rows)
      rmSync(to)
    }
  }
  say(compared(`${engine}: backup, for each row`, backups.map(median), 'µs'))
  const last = filled.at(-1)
  if (last) {
    say(
      `${engine}: ${(last.bytes / last.size.entries).toFixed(0)} bytes of the database for each entry, usage and organisations included; usage was summed up in ${last.rollUpUs.toFixed(1)} µs an entry`,
    )
  }
  return lines
}

async function pause(before: string): Promise<void> {
  if (process.env.PAUSE === undefined) return
  console.log(`press Enter to ${before}`)
  await once(process.stdin, 'data')
}

/** A page that the machine must read from its disk costs the same in a small database: here all are in memory. */
async function readThrough(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    for await (const _ of createReadStream(join(entry.parentPath, entry.name), { highWaterMark: 1 << 20 }));
  }
}

function compared(what: string, figures: readonly number[], unit: string): string {
  const [small = 0, ...larger] = figures
  const ratios = larger.map((figure) => `${(figure / small).toFixed(2)}×`).join(' and ')
  return `${what}: ${ratios} of the small one (wanted at most ${RATIO_MAX}×); ${figures.map((one) => one.toFixed(2)).join(', ')} ${unit}`
}

function operationsOf({ sql, size }: Filled) {
  const billing = testAccounts({ sql, plans, clock: systemClock })
  const meter = testMeter({ sql, rules: billing.rules, clock: systemClock })
  const reader = { sql, plans, clock: systemClock }
  const charge = (organisation: number) =>
    meter.charge({
      organisationId: organisationId(organisation),
      family: 'payment-risk',
      units: 1,
      credentialId: 'key_bench',
      requestId: 'req_bench',
      answer: () => ({ before: '{', after: '}' }),
    })
  const chargeAll = (organisations: readonly number[]) =>
    Promise.all(Array.from({ length: CHARGES_AT_ONCE }, (_, i) => charge(organisations[i % organisations.length] ?? 0)))
  const large = Array.from({ length: LARGE_CUSTOMERS }, (_, i) => i)
  const chargeAnyTen = (round: number) =>
    chargeAll(large.map((i) => ((round * LARGE_CUSTOMERS + i) * 7919) % size.organisations))
  const customer = (round: number) => organisationId(round % READ_CUSTOMERS)
  const operations: Record<string, (round: number) => Promise<unknown>> = {
    [`${CHARGES_AT_ONCE} charges of the large customers`]: () => chargeAll(large),
    // The only ten customers of the smallest size have been charged before: only the second line compares the same work.
    [`${CHARGES_AT_ONCE} charges of any ten customers, their first of the month`]: chargeAnyTen,
    [`${CHARGES_AT_ONCE} charges of any ten customers`]: chargeAnyTen,
    'usage of 30 days': async (round) => {
      await charge(round % READ_CUSTOMERS)
      await rollUpUsage(sql, customer(round))
      const range = { fromMs: nowMs - 30 * DAY_MS, toMs: nowMs, granularity: 'day', limit: 100 } as const
      return readUsage(sql, { organisationId: customer(round), byFamily: false, byCredential: false, ...range })
    },
    'newest page of the ledger': (round) => readEntryPage(sql, { organisationId: customer(round), limit: 25 }),
    'page of the ledger half a year ago': (round) =>
      readEntryPage(sql, { organisationId: customer(round), limit: 25, toMs: nowMs - 183 * DAY_MS }),
    'statement of the last month': async (round) => {
      await rollUpUsage(sql, customer(round))
      const account = await readAccount(reader, customer(round))
      const month = previousPeriod(periodOf(nowMs))
      return statementReport.make(sql, { account, month, nowMs })
    },
    '`org list`, a page of ten': () => findOrganisations(reader, { search: '', limit: 10 }),
  }
  return { operations, close: () => meter.close() }
}

/** Rows of one statement each: far more than the product writes at once, in the order of their time. */
async function fill(place: DatabasePlace, size: Size): Promise<Filled> {
  const beginMs = performance.now()
  const open = () =>
    place.engine === 'sqlite'
      ? openSqlite({ file: place.file, busyTimeoutMs: 600_000, turnTimeoutMs: 600_000 })
      : openPostgres({ url: place.url })
  let sql = await open()
  await migrate(sql)
  let write: (text: string) => unknown
  let filled: () => Promise<void> | void
  if (place.engine === 'sqlite') {
    // Pages are touched at random: without this much memory and with a journal, each is written hundreds of times.
    await sql.close()
    const database = new DatabaseSync(place.file)
    database.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -4000000')
    write = (text) => database.exec(text)
    filled = async () => {
      database.close()
      sql = await open()
    }
  } else {
    // No statement of the product may take as long as these.
    const client = new pg.Client({ connectionString: place.url })
    await client.connect()
    write = (text) => client.query(text)
    filled = () => client.end()
  }
  const others = Math.max(1, size.organisations - LARGE_CUSTOMERS)
  const postgres = place.engine === 'postgres'
  const numbers = (from: number, to: number) =>
    postgres
      ? `with n as (select generate_series(${from}::bigint, ${to - 1}::bigint) as n)`
      : `with recursive n (n) as (select ${from} union all select n + 1 from n where n + 1 < ${to})`
  const padded = (expression: string, width: number) =>
    postgres ? `lpad((${expression})::text, ${width}, '0')` : `printf('%0${width}d', ${expression})`
  const inSteps = async (rows: number, text: string) => {
    for (let from = 0; from < rows; from += ROWS_PER_STEP) {
      await write(`${numbers(from, Math.min(rows, from + ROWS_PER_STEP))} ${text}`)
    }
  }
  const id = (expression: string) => `'org_' || ${padded(expression, 20)}`
  // With ten organisations only, the large customers have all entries.
  const alone = size.organisations <= LARGE_CUSTOMERS
  const isLarge = alone ? '1 = 1' : 'n % 2 = 0'
  const position = alone ? 'n' : 'n / 2'
  const organisation = `case when ${isLarge} then (${position}) % ${LARGE_CUSTOMERS} else ${LARGE_CUSTOMERS} + (${position}) % ${others} end`
  const seq = `case when ${isLarge} then (${position}) / ${LARGE_CUSTOMERS} else (${position}) / ${others} end + 1`
  const timeMs = `${startMs} + n * ${365 * DAY_MS} / ${size.entries}`
  const month = postgres
    ? `to_char(to_timestamp(time_ms / 1000) at time zone 'UTC', 'YYYY-MM')`
    : `strftime('%Y-%m', time_ms / 1000, 'unixepoch')`
  await inSteps(
    size.organisations,
    `insert into organisation (id, name, state, created_at, updated_at)
     select ${id('n')}, 'Customer ' || n, 'active', ${startMs} + n, ${startMs} + n from n`,
  )
  await inSteps(
    size.entries,
    `, e as (select n, ${organisation} as organisation, ${seq} as seq, ${timeMs} as time_ms from n)
     insert into ledger_entry (organisation_id, seq, id, kind, period, plan_id, family, units, free_units, unit_price_pence,
       included_delta_pence, prepaid_delta_pence, overage_delta_pence, included_after_pence, prepaid_after_pence, overage_after_pence,
       credential_id, request_id, created_at, hash)
     select ${id('organisation')}, seq, 'ent_' || ${padded('n', 20)}, case when seq = 1 then 'credit' else 'charge' end, ${month},
       'prepaid', case when seq > 1 then 'payment-risk' end, case when seq = 1 then 0 else 1 end, 0, case when seq = 1 then 0 else 3 end,
       0, case when seq = 1 then ${CREDIT_PENCE} else -3 end, 0, 0, ${CREDIT_PENCE} - 3 * (seq - 1), 0,
       'key_' || ${padded('n % 3', 20)}, 'req_' || ${padded('n', 20)}, time_ms, ${padded('n', 43)} from e`,
  )
  await write(
    `insert into billing_account (organisation_id, plan_id, period, included_pence, prepaid_pence, overage_pence, included_used_pence,
       free_units_used, entry_seq, created_at, updated_at, entry_hash)
     select o.id, 'prepaid', '${periodOf(nowMs)}', 0, ${CREDIT_PENCE} - 3 * (coalesce(e.seq, 1) - 1), 0, 0, 0, coalesce(e.seq, 0), o.created_at, ${startMs}, e.hash
     from organisation o left join ledger_entry e on e.organisation_id = o.id
       and e.seq = (select max(l.seq) from ledger_entry l where l.organisation_id = o.id)`,
  )
  // As the database does by itself after a time.
  if (postgres) await write('vacuum analyze')
  await filled()
  const rollUpMs = performance.now()
  for (let i = 0; i < READ_CUSTOMERS; i++) await rollUpUsage(sql, organisationId(i))
  const rolledUp = (alone ? size.entries : size.entries / 2) * (READ_CUSTOMERS / LARGE_CUSTOMERS)
  const rollUpUs = ((performance.now() - rollUpMs) * 1000) / rolledUp
  if (postgres) await sql.query('checkpoint')
  const [row] = postgres
    ? await sql.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes')
    : []
  const bytes = place.engine === 'sqlite' ? statSync(place.file).size : (row?.bytes ?? 0)
  const fillSeconds = (performance.now() - beginMs) / 1000
  console.log(`${place.engine}: ${count(size.entries)} entries were made in ${fillSeconds.toFixed(0)} s`)
  return { size, place, sql, bytes, fillSeconds, rollUpUs }
}

const count = (value: number) => value.toLocaleString('en-GB')

/**
 * Usage by hour, day and month.
 *
 *  1. The rollup is derived from the ledger and nothing else: entries are added in the order of their numbers, each
 *     once, up to the number kept in usage_progress, in one transaction with it.
 *  2. Charging never waits for it: reading usage first updates the rollup, in bounded steps.
 *  3. A refund counts against usage in the hour it was posted.
 *  4. Of archived months (ledger/archives.ts) the days and the months stay, and the hours do not.
 */
import { type Column, rowsToInsert } from '../../db/multi-row.ts'
import { runStatements } from '../../db/routine.ts'
import type { Sql, SqlQueries, SqlTransaction, SqlValue } from '../../db/sql.ts'
import { Problem } from '../../errors.ts'
import { DAY_MS, HOUR_MS, iso, periodOf } from '../../lib/clock.ts'
import type { CsvCell } from '../../lib/csv.ts'
import type { Family } from '../../lib/kinds.ts'
import { LIMITS } from '../../limits.ts'
import { archivedSeq, lastArchive, posted } from '../ledger/archives.ts'
import { addToMonths, monthsProblem } from '../ledger/months.ts'
import { nextPeriod, periodEndMs, periodStartMs } from '../period.ts'

export const GRANULARITIES = ['hour', 'day', 'month'] as const
export type Granularity = (typeof GRANULARITIES)[number]

/** Few enough that adding up a step takes the serving thread some milliseconds. */
const ENTRIES_PER_STEP = 2000
const BUCKETS_MAX: Record<Granularity, number> = { hour: 24 * 31, day: 366, month: 120 }

type UsageAmounts = ReturnType<typeof amountsOf>

export interface UsageRow extends UsageAmounts {
  readonly starts_at: string
  readonly family?: Family
  readonly credential_id?: string
}

const AMOUNTS = ['requests', 'units', 'free_units', 'credit_pence', 'overage_pence'] as const
export type Amounts = Record<(typeof AMOUNTS)[number], number>
type Sums = Amounts & { readonly family: string; readonly credential_id: string }
const NOTHING: Amounts = { requests: 0, units: 0, free_units: 0, credit_pence: 0, overage_pence: 0 }
const plus = (one: Amounts, other: Amounts) =>
  Object.fromEntries(AMOUNTS.map((name) => [name, one[name] + other[name]])) as Amounts

/** Start of the hour, day or month a moment falls in. */
function bucketStartMs(granularity: Granularity, timeMs: number): number {
  if (granularity === 'month') return periodStartMs(periodOf(timeMs))
  return timeMs - (timeMs % (granularity === 'hour' ? HOUR_MS : DAY_MS))
}

function bucketEndMs(granularity: Granularity, startMs: number): number {
  if (granularity === 'month') return periodStartMs(nextPeriod(periodOf(startMs)))
  return startMs + (granularity === 'hour' ? HOUR_MS : DAY_MS)
}

/** Each step also sums up entries for statements (months.ts); `months` goes on until all of them are. */
export async function rollUpUsage(sql: Sql, organisationId: string, { months = false } = {}): Promise<void> {
  for (;;) {
    const rows = await sql.query<{ entry_seq: number; rolled_seq: number | null }>(
      `select a.entry_seq, p.${months ? 'month_seq' : 'entry_seq'} as rolled_seq from billing_account a
       left join usage_progress p on p.organisation_id = a.organisation_id where a.organisation_id = $1`,
      [organisationId],
    )
    const account = rows[0]
    if (!account || account.entry_seq <= (account.rolled_seq ?? 0)) return
    await sql.transaction((tx) => rollUpStep(tx, organisationId, account.entry_seq))
  }
}

async function rollUpStep(tx: SqlTransaction, organisationId: string, lastSeq: number): Promise<void> {
  // Archived charges were added before they were archived.
  const start = await archivedSeq(tx, organisationId)
  await tx.query('insert into usage_progress (organisation_id, entry_seq) values ($1, $2) on conflict do nothing', [
    organisationId,
    start,
  ])
  const progress = await tx.query<{ entry_seq: number; month_seq: number }>(
    `select entry_seq, month_seq from usage_progress where organisation_id = $1 order by organisation_id${tx.forUpdate}`,
    [organisationId],
  )
  const { entry_seq: afterSeq = 0, month_seq: monthSeq = 0 } = progress[0] ?? {}
  const stepEnd = (seq: number) => Math.max(seq, Math.min(lastSeq, seq + ENTRIES_PER_STEP))
  const untilSeq = stepEnd(afterSeq)
  const sums = await sumEntries(tx, organisationId, afterSeq, untilSeq)
  for (const { table, keys, keysOf } of TABLES) {
    const rows = new Map<string, Bucket>()
    for (const sum of sums) {
      for (const granularity of GRANULARITIES) {
        const at = [organisationId, granularity, bucketStartMs(granularity, sum.hour_ms), ...keysOf(sum)]
        const name = JSON.stringify(at)
        rows.set(name, { at, sums: plus(rows.get(name)?.sums ?? NOTHING, sum) })
      }
    }
    await upsert(tx, table, keys, [...rows.values()])
  }
  await addToMonths(tx, organisationId, monthSeq, stepEnd(monthSeq))
  await tx.query('update usage_progress set entry_seq = $2, month_seq = $3 where organisation_id = $1', [
    organisationId,
    untilSeq,
    stepEnd(monthSeq),
  ])
}

/** The sums of charges and refunds. `entries`: how many entries one row is. */
const sumsOf = (entries: string) =>
  `cast(sum(case when kind = 'refund' then -${entries} else ${entries} end) as bigint) as requests,
   cast(sum(case when kind = 'refund' then -units else units end) as bigint) as units,
   cast(sum(free_units) as bigint) as free_units,
   cast(sum(-included_delta_pence - prepaid_delta_pence) as bigint) as credit_pence,
   cast(sum(overage_delta_pence) as bigint) as overage_pence`

function sumEntries(sql: SqlQueries, organisationId: string, afterSeq: number, untilSeq: number) {
  return sql.query<Sums & { hour_ms: number }>(
    `select created_at - created_at % ${HOUR_MS} as hour_ms, coalesce(family, '') as family,
       coalesce(credential_id, '') as credential_id,
       ${sumsOf('1')} from ledger_entry where organisation_id = $1 and seq > $2 and seq <= $3 and kind in ('charge', 'refund')
     group by 1, 2, 3`,
    [organisationId, afterSeq, untilSeq],
  )
}

/** Usage of each family and credential, and of all together. */
const TABLES: readonly {
  readonly table: string
  readonly keys: readonly string[]
  readonly keysOf: (sum: Sums) => string[]
}[] = [
  {
    table: 'usage_rollup',
    keys: ['organisation_id', 'granularity', 'starts_at', 'family', 'credential_id'],
    keysOf: (sum) => [sum.family, sum.credential_id],
  },
  { table: 'usage_total', keys: ['organisation_id', 'granularity', 'starts_at'], keysOf: () => [] },
]
/** A row of a table: the values of its keys, and its amounts. */
interface Bucket {
  readonly at: readonly (string | number)[]
  readonly sums: Amounts
}

function upsert(tx: SqlTransaction, table: string, keys: readonly string[], rows: readonly Bucket[]): Promise<void> {
  const columns: Column<Bucket>[] = [
    ...keys.map((name, i) => {
      return { name, type: name === 'starts_at' ? 'bigint' : 'text', of: ({ at }: Bucket) => at[i]! } as const
    }),
    ...AMOUNTS.map((name) => ({ name, type: 'bigint', of: ({ sums }: Bucket) => sums[name] }) as const),
  ]
  const onConflict = `on conflict (${keys.join(', ')}) do update set
    ${AMOUNTS.map((column) => `${column} = mine.${column} + excluded.${column}`).join(', ')}`
  return runStatements(tx, rowsToInsert(tx, { table: `${table} as mine`, columns, rows, onConflict }))
}

export interface UsageQuery {
  readonly organisationId: string
  readonly fromMs: number
  readonly toMs: number
  readonly granularity: Granularity
  readonly byFamily: boolean
  readonly byCredential: boolean
  readonly family?: Family | undefined
  readonly credentialId?: string | undefined
  readonly limit: number
  readonly after?: UsagePosition | undefined
}

export interface UsagePosition {
  readonly startsAtMs: number
  readonly family: string
  readonly credentialId: string
}

const SUMS = AMOUNTS.map((column) => `cast(coalesce(sum(${column}), 0) as bigint) as ${column}`).join(', ')

/** The table that answers the query with the fewest rows. */
function tableOf(query: Pick<UsageQuery, 'family' | 'credentialId'>, grouped: boolean): string {
  const whole = !grouped && query.family === undefined && query.credentialId === undefined
  return whole ? 'usage_total' : 'usage_rollup'
}

/**
 * A page of usage in the range, as far as the rollup goes, widened to whole hours, days or months; the totals are of
 * the whole range.
 */
export async function readUsage(sql: SqlQueries, query: UsageQuery) {
  const fromMs = bucketStartMs(query.granularity, query.fromMs)
  const toMs = bucketEndMs(query.granularity, bucketStartMs(query.granularity, query.toMs - 1))
  refuseTooWide(query.granularity, fromMs, toMs)
  if (query.granularity === 'hour') await refuseArchived(sql, fromMs)

  // By credential alone the rows are not in index order, so a page reads a bounded number of hours or days.
  const firstMs = query.after?.startsAtMs ?? fromMs
  const byIndex = query.byFamily || !query.byCredential
  const windowEndMs = byIndex ? toMs : Math.min(toMs, bucketsLaterMs(query.granularity, firstMs, query.limit + 1))
  const { where: whole, params, mark } = conditionOf(query, query.granularity, fromMs, windowEndMs)
  const keys = ['starts_at', ...(query.byFamily ? ['family'] : []), ...(query.byCredential ? ['credential_id'] : [])]
  let where = whole
  if (query.after) {
    const { startsAtMs, family, credentialId } = query.after
    const values = [startsAtMs, ...(query.byFamily ? [family] : []), ...(query.byCredential ? [credentialId] : [])]
    // The first condition follows from the second; with it the index is entered where the page begins.
    where += ` and starts_at >= ${mark(startsAtMs)} and (${keys.join(', ')}) > (${values.map(mark).join(', ')})`
  }
  // Read together with the page, because it is probably needed.
  const several = query.after !== undefined || bucketsLaterMs(query.granularity, fromMs, query.limit) < toMs
  const wholeRange = () => readTotals(sql, query, fromMs, toMs)
  const pageRows = sql.query<Sums & { starts_at: number }>(
    `select ${keys.join(', ')}, ${SUMS} from ${tableOf(query, query.byFamily || query.byCredential)} where ${where}
     group by ${keys.join(', ')} order by ${keys.join(', ')} limit ${query.limit + 1}`,
    params,
  )
  const [found, early] = await Promise.all([pageRows, several ? wholeRange() : undefined])
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  const next =
    found.length > query.limit && last
      ? { startsAtMs: last.starts_at, family: last.family ?? '', credentialId: last.credential_id ?? '' }
      : windowEndMs < toMs
        ? { startsAtMs: windowEndMs - 1, family: '', credentialId: '' }
        : undefined
  return {
    fromMs,
    toMs,
    rows: page.map(
      (row): UsageRow => ({
        starts_at: iso(row.starts_at),
        ...(query.byFamily ? { family: row.family as Family } : {}),
        ...(query.byCredential ? { credential_id: row.credential_id } : {}),
        ...amountsOf(row),
      }),
    ),
    totals: early ?? (next ? await wholeRange() : addUp(page)),
    next,
  }
}

function conditionOf(query: UsageQuery, granularity: Granularity, fromMs: number, toMs: number) {
  const params: SqlValue[] = [query.organisationId, granularity, fromMs, toMs]
  const mark = (value: SqlValue) => `$${params.push(value)}`
  let where = 'organisation_id = $1 and granularity = $2 and starts_at >= $3 and starts_at < $4'
  if (query.family !== undefined) where += ` and family = ${mark(query.family)}`
  if (query.credentialId !== undefined) where += ` and credential_id = ${mark(query.credentialId)}`
  return { where, params, mark }
}

function bucketsLaterMs(granularity: Granularity, startMs: number, buckets: number): number {
  let endMs = bucketStartMs(granularity, startMs)
  for (let i = 0; i < buckets; i++) endMs = bucketEndMs(granularity, endMs)
  return endMs
}

/** Whole months from months, whole days from days, the rest from hours: a year costs hardly more than a month. */
async function readTotals(sql: SqlQueries, query: UsageQuery, fromMs: number, toMs: number): Promise<UsageAmounts> {
  const parts: [Granularity, number, number][] = []
  const [monthsFromMs, monthsToMs] = inside('month', fromMs, toMs)
  for (const [startMs, endMs] of [
    [fromMs, monthsFromMs],
    [monthsToMs, toMs],
  ] as const) {
    const [daysFromMs, daysToMs] = inside('day', startMs, endMs)
    parts.push(['hour', startMs, daysFromMs], ['day', daysFromMs, daysToMs], ['hour', daysToMs, endMs])
  }
  parts.push(['month', monthsFromMs, monthsToMs])
  const sums = await Promise.all(
    parts
      .filter(([, startMs, endMs]) => endMs > startMs)
      .map(([granularity, startMs, endMs]) => {
        const { where, params } = conditionOf(query, granularity, startMs, endMs)
        return sql.query<Sums>(`select ${SUMS} from ${tableOf(query, false)} where ${where}`, params)
      }),
  )
  return addUp(sums.flat())
}

/** The whole months (or days) within a range; an empty range at its start when there is none. */
function inside(granularity: 'day' | 'month', fromMs: number, toMs: number): [number, number] {
  const flooredMs = bucketStartMs(granularity, fromMs)
  const startMs = flooredMs === fromMs ? fromMs : bucketEndMs(granularity, flooredMs)
  const endMs = bucketStartMs(granularity, toMs)
  return endMs > startMs ? [startMs, endMs] : [toMs, toMs]
}

export function granularityFor(fromMs: number, toMs: number): Granularity {
  const days = (toMs - fromMs) / DAY_MS
  return days <= 2 ? 'hour' : days <= 92 ? 'day' : 'month'
}

function refuseTooWide(granularity: Granularity, fromMs: number, toMs: number): void {
  const oneMs = granularity === 'hour' ? HOUR_MS : granularity === 'day' ? DAY_MS : 31 * DAY_MS
  if (toMs <= fromMs) throw new Problem('invalid_query', { detail: '`to` must be after `from`.' })
  if ((toMs - fromMs) / oneMs > BUCKETS_MAX[granularity]) {
    throw new Problem('invalid_query', {
      detail: `By ${granularity}, at most ${BUCKETS_MAX[granularity]} ${granularity}s in one request: narrow the range, or choose a coarser granularity.`,
    })
  }
}

/** Rule 4. */
async function refuseArchived(sql: SqlQueries, fromMs: number): Promise<void> {
  const last = await lastArchive(sql)
  if (!last || fromMs >= periodEndMs(last.month)) return
  throw new Problem('invalid_query', {
    detail: `The hours of ${last.month} and earlier months are archived: ask by day or month, or begin with ${iso(periodEndMs(last.month))}.`,
  })
}

function amountsOf({ requests, units, free_units, credit_pence, overage_pence }: Amounts) {
  const total_price_pence = credit_pence + overage_pence
  return { requests, units, free_units, charged_from_credit_pence: credit_pence, overage_pence, total_price_pence }
}

export const USAGE_FIELDS = [
  'starts_at',
  'family',
  'credential_id',
  ...Object.keys(amountsOf(NOTHING)),
] as (keyof UsageRow)[]

const addUp = (rows: readonly Sums[]) => amountsOf(rows.reduce(plus, NOTHING))

/** Overage, and credit used by checks. */
export async function totalOfMonth(sql: Sql, organisationId: string, period: string) {
  await rollUpUsage(sql, organisationId)
  const rows = await sql.query<{ creditPence: number; overagePence: number }>(
    `select credit_pence as "creditPence", overage_pence as "overagePence" from usage_total
     where organisation_id = $1 and granularity = 'month' and starts_at = $2`,
    [organisationId, periodStartMs(period)],
  )
  return rows[0] ?? { creditPence: 0, overagePence: 0 }
}

/**
 * The first hour, day or month whose stored usage differs from the sum of the ledger entries that it should hold, in
 * words; undefined when all of it adds up. Rows and progress are read by one statement, so a rollup in between does not
 * matter.
 */
export async function usageProblem(sql: SqlQueries, organisationId: string): Promise<string | undefined> {
  for (const { table } of TABLES) {
    const stored = await sql.query<
      Amounts & { granularity: Granularity | null; starts_at: number; rolled_seq: number }
    >(
      `select coalesce((select entry_seq from usage_progress where organisation_id = $1), 0) as rolled_seq, u.*
       from (select 1 as one) as one left join (select granularity, starts_at, ${SUMS} from ${table}
         where organisation_id = $1 group by granularity, starts_at) as u on true`,
      [organisationId],
    )
    const { buckets: expected, archivedUntilMs } = await sumBuckets(sql, organisationId, stored[0]?.rolled_seq ?? 0)
    for (const { granularity, starts_at: startMs, ...found } of stored) {
      if (granularity === null || (granularity !== 'month' && startMs < archivedUntilMs)) continue
      const name = bucketName(granularity, startMs)
      const sum = expected.get(name) ?? NOTHING
      expected.delete(name)
      const wrong = AMOUNTS.find((column) => found[column] !== sum[column])
      if (wrong) return `${table}: the ${wrong} of the ${name} are ${found[wrong]}, its entries add up to ${sum[wrong]}`
    }
    const [missing] = expected.keys()
    if (missing !== undefined) return `${table}: the ${missing} is missing`
  }
  return monthsProblem(sql, organisationId)
}

const bucketName = (granularity: Granularity, startMs: number) => `${granularity} from ${iso(startMs)}`

/** Of archived entries the sums of months. */
async function sumBuckets(sql: SqlQueries, organisationId: string, untilSeq: number) {
  const buckets = new Map<string, Amounts>()
  const startSeq = await archivedSeq(sql, organisationId)
  const archived = await sql.query<Amounts & { period: string }>(
    `select period, ${sumsOf('entries')} from ${posted()} where kind in ('charge', 'refund') group by period order by period`,
    [organisationId, 0, startSeq],
  )
  for (const { period, ...sum } of archived) buckets.set(bucketName('month', periodStartMs(period)), sum)
  for (let seq = startSeq; seq < untilSeq; seq += ENTRIES_PER_STEP) {
    const sums = await sumEntries(sql, organisationId, seq, Math.min(untilSeq, seq + ENTRIES_PER_STEP))
    for (const { hour_ms, ...sum } of sums) {
      for (const granularity of GRANULARITIES) {
        const name = bucketName(granularity, bucketStartMs(granularity, hour_ms))
        buckets.set(name, plus(buckets.get(name) ?? NOTHING, sum))
      }
    }
  }
  const last = archived.at(-1)?.period
  return { buckets, archivedUntilMs: last === undefined ? 0 : periodEndMs(last) }
}

const BEHIND_MIN = 1000
const LOOKED_AT_TOGETHER = 500

/** Every organisation by its id, with the number of ledger entries that its usage lacks. */
async function* everyAccount(sql: Sql) {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows: { organisationId: string; behind: number }[] = await sql.query(
      `select a.organisation_id as "organisationId", a.entry_seq - coalesce((select p.month_seq from usage_progress p
         where p.organisation_id = a.organisation_id), 0) as behind
       from billing_account a where a.organisation_id > $1 order by a.organisation_id limit ${LOOKED_AT_TOGETHER}`,
      [after],
    )
    yield* rows
    after = rows.length < LOOKED_AT_TOGETHER ? undefined : rows.at(-1)?.organisationId
  }
}

/** Updates rollups that are far behind their ledger, so that a reader does not wait for all of it. */
export async function rollUpBusy(sql: Sql, signal?: AbortSignal): Promise<void> {
  for await (const { organisationId, behind } of everyAccount(sql)) {
    if (signal?.aborted) return
    if (behind >= BEHIND_MIN) await rollUpUsage(sql, organisationId, { months: true })
  }
}

/** The usage of a month by day, family and credential: of one organisation, or of all in the order of their ids. */
export async function* exportUsage(sql: Sql, month: string, only?: string) {
  for await (const { organisationId } of only === undefined ? everyAccount(sql) : [{ organisationId: only }]) {
    await rollUpUsage(sql, organisationId)
    yield* usageOfMonth(sql, organisationId, month)
  }
}

/** As exportUsage, as far as the rollup goes. */
export async function* usageOfMonth(sql: SqlQueries, organisationId: string, month: string) {
  const whole = { fromMs: periodStartMs(month), toMs: periodStartMs(nextPeriod(month)), granularity: 'day' } as const
  const each = { byFamily: true, byCredential: true, limit: LIMITS.pages.usageRowsMax }
  let after: UsagePosition | undefined
  do {
    const page = await readUsage(sql, { organisationId, ...whole, ...each, after })
    for (const row of page.rows) yield { organisation_id: organisationId, ...row }
    after = page.next
  } while (after)
}

export const EXPORT_HEADER = ['organisation_id', ...USAGE_FIELDS]
export const exportCells = (row: UsageRow & { readonly organisation_id: string }): CsvCell[] => [
  row.organisation_id,
  ...USAGE_FIELDS.map((field) => row[field] ?? null),
]

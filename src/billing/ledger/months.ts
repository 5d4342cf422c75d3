/**
 * The entries of each month, summed up by kind, family and price, for statements.
 *
 *  1. Derived from the ledger and nothing else: entries are added in the order of their numbers, each once, up to
 *     usage_progress.month_seq, in one transaction with it (usage.ts). Entries are archived after they were added; then
 *     the sums of their archive stand for them.
 *  2. Entries are numbered from 1 without a gap, so the entries up to a month are also the number of its last one.
 */
import type { SqlQueries, SqlTransaction } from '../../db/sql.ts'
import { posted } from './archives.ts'
import type { EntryKind } from './ledger.ts'

const AMOUNTS = ['units', 'free_units', 'included_delta_pence', 'prepaid_delta_pence', 'overage_delta_pence'] as const
const COUNTS = ['entries', ...AMOUNTS] as const
const KEYS = ['period', 'kind', 'family', 'unit_price_pence'] as const
const KEY = KEYS.join(', ')

export type MonthCount = (typeof COUNTS)[number]
export interface MonthRow extends Readonly<Record<MonthCount | 'unit_price_pence', number>> {
  readonly period: string
  readonly kind: EntryKind
  /** Empty for entries without one. */
  readonly family: string
}

const sums = (names: readonly string[]) => names.map((name) => `cast(sum(${name}) as bigint) as ${name}`).join(', ')
const OF_ENTRY = `period, kind, coalesce(family, '') as family, unit_price_pence`
const SUMMED_ENTRIES = `${OF_ENTRY}, ${sums(COUNTS)}
  from ${posted()} group by period, kind, coalesce(family, ''), unit_price_pence`
const MONTH_SEQ = 'coalesce((select month_seq from usage_progress where organisation_id = $1), 0)'

export async function addToMonths(tx: SqlTransaction, organisationId: string, afterSeq: number, untilSeq: number) {
  await tx.query(
    `insert into ledger_month as mine (organisation_id, ${KEY}, ${COUNTS.join(', ')}) select $1, ${SUMMED_ENTRIES}
     on conflict (organisation_id, ${KEY}) do update set ${COUNTS.map((name) => `${name} = mine.${name} + excluded.${name}`).join(', ')}`,
    [organisationId, afterSeq, untilSeq],
  )
}

/**
 * The sums of a month, and the number of the last entry before it. One statement also reads the entries that are not summed
 * up yet, so that no entry is missed or counted twice while others sum up.
 */
export async function readMonth(sql: SqlQueries, organisationId: string, month: string) {
  const rows = await sql.query<MonthRow>(
    `select ${KEY}, ${sums(COUNTS)} from (
       select ${KEY}, ${COUNTS.join(', ')} from ledger_month where organisation_id = $1 and period <= $2
       union all
       select ${OF_ENTRY}, ${COUNTS.join(', ')} from ${posted(MONTH_SEQ)} where period <= $2
     ) as summed group by ${KEY} order by ${KEY}`,
    [organisationId, month, Number.MAX_SAFE_INTEGER],
  )
  const earlier = rows.filter(({ period }) => period < month)
  return {
    rows: rows.filter(({ period }) => period === month),
    beforeSeq: earlier.reduce((sum, { entries }) => sum + entries, 0),
  }
}

const ENTRIES_COMPARED_AT_ONCE = 20_000

/** The first stored sum that differs from its entries, in words; undefined when all of them add up. */
export async function monthsProblem(sql: SqlQueries, organisationId: string): Promise<string | undefined> {
  const stored = await sql.query<MonthRow & { readonly month_seq: number }>(
    `select ${MONTH_SEQ} as month_seq, m.*
     from (select 1 as one) as one left join ledger_month m on m.organisation_id = $1`,
    [organisationId],
  )
  const left = new Map<string, number>()
  const add = (row: MonthRow, sign: number) => {
    for (const count of COUNTS) {
      const name = `${count} of ${row.period}, ${row.kind} ${row.family} at ${row.unit_price_pence}`
      left.set(name, (left.get(name) ?? 0) + sign * row[count])
    }
  }
  for (const row of stored) if (row.period !== null) add(row, 1)
  const untilSeq = stored[0]?.month_seq ?? 0
  for (let seq = 0; seq < untilSeq; seq += ENTRIES_COMPARED_AT_ONCE) {
    const range = [organisationId, seq, Math.min(untilSeq, seq + ENTRIES_COMPARED_AT_ONCE)]
    for (const row of await sql.query<MonthRow>(`select ${SUMMED_ENTRIES}`, range)) add(row, -1)
  }
  const wrong = [...left].find(([, difference]) => difference !== 0)
  return wrong && `ledger_month: the ${wrong[0]} differ from the entries by ${wrong[1]}`
}

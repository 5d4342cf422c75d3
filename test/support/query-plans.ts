/**
 * Every statement that a test runs on its own store is planned again on a filled database: no statement may scan the
 * whole of a growing table.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, inject } from 'vitest'
import type { Sql, SqlQueries, SqlTransaction, SqlValue } from '../../src/db/sql.ts'
import { databaseUrl } from './postgres.ts'

/** Tables that stay small, however long and busily a server runs. */
const SMALL = new Set([
  'feed',
  'feed_copy',
  'invoice_series',
  'job_run',
  'maintenance',
  'node',
  'oauth_key',
  'operator_person',
  'schema_migration',
  'sealing_key',
  'sealing_key_wrap',
  'snapshot',
  'snapshot_chunk',
  'store_notice',
])

/** Statements that may scan a whole table, each with a reason. */
const WHOLE_TABLE: readonly { readonly has: string; readonly why: string }[] = [
  { has: 'lower(o.name) like', why: 'the operator looks for a part of a name, now and then' },
  { has: 'from live_fact where 1 = 1', why: 'every ten minutes a bounded table is counted, by its smallest index' },
  { has: 'from live_fact order by expires_at', why: 'the same, where there are too many' },
]

/** Statements written for one engine, by a distinctive part of their text. */
const OF_SQLITE = /collate binary|\bpragma_/

/** Statements that passed, by engine: files share a process, and many run the same statements. */
const passed: Readonly<Record<Sql['engine'], Set<string>>> = { sqlite: new Set(), postgres: new Set() }

/** Statements with the values they ran with, by their text. */
export class Recording {
  readonly #statements = new Map<string, readonly SqlValue[]>()

  note(text: string, params: readonly SqlValue[] = []): void {
    if (this.#statements.has(text) || !/^\s*(select|insert|update|delete|with)\b/i.test(text)) return
    this.#statements.set(text, params)
  }

  /** The store, with every statement recorded, routines included. */
  of(sql: Sql): Sql {
    return {
      ...sql,
      query: this.#noting(sql.query),
      transaction: (fn, options) =>
        sql.transaction((tx) => fn({ ...tx, query: this.#noting(tx.query) } as SqlTransaction), options),
      get routinesAtOnce() {
        return sql.routinesAtOnce
      },
    }
  }

  #noting(query: SqlQueries['query']): SqlQueries['query'] {
    return (text, params) => {
      if (!this.#statements.has(text) && isOfProduct(new Error().stack ?? '')) this.note(text, params)
      return query(text, params)
    }
  }

  async expectIndexed(engine: Sql['engine']): Promise<void> {
    const wanted = [...this.#statements].filter(
      ([text]) =>
        !passed[engine].has(text) &&
        !WHOLE_TABLE.some(({ has }) => text.includes(has)) &&
        !(engine === 'postgres' && OF_SQLITE.test(text)),
    )
    if (wanted.length === 0) return
    const scans = engine === 'sqlite' ? await scansOfSqlite(wanted) : await scansOfPostgres(wanted)
    expect(scans, 'statements that read the whole of a table').toEqual([])
    for (const [text] of wanted) passed[engine].add(text)
  }
}

/**
 * A test may run any statement: only statements called by the product count, by the first stack line below this file.
 */
function isOfProduct(stack: string): boolean {
  const caller = stack.split('\n').find((line) => line.includes('.ts') && !line.includes('query-plans.ts'))
  return caller !== undefined && /\/src\/(?!.*\.test\.ts)/.test(caller)
}

type Statements = readonly (readonly [text: string, params: readonly SqlValue[]])[]

async function scansOfSqlite(statements: Statements): Promise<string[]> {
  const database = new DatabaseSync(await filledSqlite(), { readOnly: true })
  const tables = new Set(
    database
      .prepare(`select name from sqlite_master where type = 'table'`)
      .all()
      .map(({ name }) => name),
  )
  try {
    return statements.flatMap(([text]) => {
      let plan: { detail: string }[]
      try {
        plan = database.prepare(`explain query plan ${text}`).all() as { detail: string }[]
      } catch (error) {
        return refuseUnlessOfTest(error, text)
      }
      return plan.flatMap(({ detail }) => {
        const [, name = '', by] = /^SCAN (\w+)( USING (?:COVERING )?INDEX)?/.exec(detail) ?? []
        const table = tableOf(text, name)
        // Reading in index order up to a limit does not scan the whole table.
        const bounded = by !== undefined && /\blimit\b/.test(text)
        return name === '' || bounded || SMALL.has(table) || !tables.has(table) ? [] : [`${detail}: ${text}`]
      })
    })
  } finally {
    database.close()
  }
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly PlanNode[]
}

async function scansOfPostgres(statements: Statements): Promise<string[]> {
  const client = new pg.Client({ connectionString: await filledPostgres() })
  await client.connect()
  try {
    // Independent of the statistics of this data: a sequential scan is chosen only if there is no other way.
    await client.query('set enable_seqscan = off')
    const scans: string[] = []
    for (const [text, params] of statements) {
      try {
        const { rows } = await client.query({ text: `explain (format json) ${text}`, values: [...params] })
        for (const node of nodesOf(rows[0]['QUERY PLAN'][0].Plan)) {
          const table = node['Relation Name'] ?? ''
          if (node['Node Type'] === 'Seq Scan' && !SMALL.has(table)) scans.push(`${table}: ${text}`)
        }
      } catch (error) {
        refuseUnlessOfTest(error, text)
      }
    }
    return scans
  } finally {
    await client.end()
  }
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

/** Tests also create their own tables. */
function refuseUnlessOfTest(error: unknown, text: string): never[] {
  const message = (error as Error).message
  if (/no such table|relation .* does not exist/.test(message)) return []
  throw new Error(`${message}: ${text}`)
}

/** SQLite names a table by its alias. */
function tableOf(text: string, name: string): string {
  const aliased = new RegExp(`(?:from|join|update|into)\\s+(\\w+)\\s+(?:as\\s+)?${name}\\b`, 'i').exec(text)?.[1]
  return aliased === undefined || aliased === 'select' ? name : aliased
}

/** Values that the tables allow in these columns; other columns accept any text or number. */
const ALLOWED: Readonly<Record<string, string>> = {
  'billing_alert.kind': `'credit_below'`,
  'invoice.kind': `'subscription'`,
  'outbox_message.state': `case when n % 100 = 0 then 'waiting' else 'sent' end`,
  'invoice.state': `case when n % 100 = 0 then 'open' else 'paid' end`,
  'ledger_entry.kind': `'charge'`,
  'oauth_client.kind': `'service'`,
  'payment.outcome': `'settled'`,
  actor_kind: `'person'`,
  granularity: `'hour'`,
  state: `'active'`,
}
const ROWS = 5000
const ROWS_PER_ORGANISATION = 2

interface ColumnOf {
  readonly table: string
  readonly name: string
  readonly type: string
}

function statementsToFill(columns: readonly ColumnOf[]): string[] {
  const tables = Map.groupBy(
    columns.filter(({ table }) => !SMALL.has(table)),
    ({ table }) => table,
  )
  return [...tables].map(([table, ofTable]) => {
    const values = ofTable.map(({ name, type }) => {
      const allowed = ALLOWED[`${table}.${name}`] ?? ALLOWED[name]
      if (allowed !== undefined) return allowed
      if (name === 'organisation_id') return `'o' || (n / ${ROWS_PER_ORGANISATION})`
      return /text|char/i.test(type) ? `'c' || n` : 'n'
    })
    return `with recursive g (n) as (select 1 union all select n + 1 from g where n < ${ROWS})
      insert into ${table} (${ofTable.map(({ name }) => name).join(', ')}) select ${values.join(', ')} from g where true on conflict do nothing`
  })
}

/** Returns true for one caller of the whole run; the others wait until it has filled the database. */
async function mayFill(engine: Sql['engine'], isFilled: () => boolean | Promise<boolean>): Promise<boolean> {
  if (mkdirSync(join(inject('filledFolder'), `filling-${engine}`), { recursive: true }) !== undefined) return true
  while (!(await isFilled())) await delay(100)
  return false
}

/** Created once for the whole run, by the first caller: under a temporary name, and renamed when complete. */
async function filledSqlite(): Promise<string> {
  const file = join(inject('filledFolder'), 'filled.db')
  if (existsSync(file) || !(await mayFill('sqlite', () => existsSync(file)))) return file
  const own = join(inject('filledFolder'), `filled-${process.pid}.db`)
  copyFileSync(inject('migrated').sqlite, own)
  const database = new DatabaseSync(own, { enableForeignKeyConstraints: false })
  const columns = database
    .prepare(
      `select t.name as "table", c.name, c.type from sqlite_master t, pragma_table_info(t.name) c
       where t.type = 'table' and t.name not like 'sqlite_%'`,
    )
    .all() as unknown as ColumnOf[]
  for (const statement of statementsToFill(columns)) database.exec(statement)
  database.exec('analyze; pragma wal_checkpoint(truncate); pragma journal_mode = delete')
  database.close()
  renameSync(own, file)
  return file
}

async function filledPostgres(): Promise<string> {
  const server = new pg.Client({ connectionString: inject('postgresUrl') })
  await server.connect()
  const url = (name: string) => databaseUrl(inject('postgresUrl'), name)
  try {
    const isFilled = async () =>
      (await server.query(`select 1 from pg_database where datname = 'filled'`)).rows.length > 0
    if ((await isFilled()) || !(await mayFill('postgres', isFilled))) return url('filled')
    const own = `filled_${process.pid}`
    await server.query(`create database ${own} template ${inject('migrated').postgres} strategy file_copy`)
    const client = new pg.Client({ connectionString: url(own) })
    await client.connect()
    const columns = await client.query<ColumnOf>(
      `select table_name as "table", column_name as name, data_type as type from information_schema.columns
       where table_schema = 'public'`,
    )
    // Inserts rows without the rows that they refer to.
    await client.query('set session_replication_role = replica')
    for (const statement of statementsToFill(columns.rows)) await client.query(statement)
    await client.query('analyze')
    await client.end()
    await server.query(`alter database ${own} rename to filled`)
    return url('filled')
  } finally {
    await server.end()
  }
}

/** The history of a large organisation: what a page of it costs, against one of a small organisation, on SQLite. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../src/db/migrate.ts'
import type { Sql } from '../src/db/sql.ts'
import { openSqlite } from '../src/db/sqlite.ts'
import { type CheckFilters, listChecks, type Reader } from '../src/record/checks.ts'
import { median } from './server.ts'

const SMALL = 10_000
const LARGE = Number(process.env.ROWS ?? 10_000_000)
const PAGES = 300
const ROUNDS = 7
const ORGANISATION = 'org_0Fv3kQ2mXb7TzR1yLw9c'
const READER: Reader = {
  organisationId: ORGANISATION,
  everybody: true,
  credentialId: 'key_1',
  personId: null,
  kinds: ['email', 'domain', 'ip'],
}

export async function run(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  try {
    const small = await openFilled(join(folder, 'small.db'), SMALL)
    const large = await openFilled(join(folder, 'large.db'), LARGE)
    const lines: string[] = []
    for (const [name, filters] of SEARCHES) {
      const rounds: { readonly small: number; readonly large: number }[] = []
      for (let i = -1; i < ROUNDS; i++) {
        const one = { small: await pageUs(small, SMALL, filters), large: await pageUs(large, LARGE, filters) }
        if (i >= 0) rounds.push(one)
      }
      const ratio = median(rounds.map((one) => one.large / one.small))
      const us = (pick: 'small' | 'large') => `${median(rounds.map((one) => one[pick])).toFixed(0)} µs`
      lines.push(
        `${name}: a page of ${LARGE.toLocaleString('en-GB')} checks costs ${ratio.toFixed(2)} times one of ${SMALL.toLocaleString('en-GB')} (wanted 1.3), ${us('large')} against ${us('small')} of a core (median of ${ROUNDS} rounds of ${PAGES} pages)`,
      )
    }
    const bytes = statSync(join(folder, 'large.db')).size / LARGE
    await Promise.all([small.close(), large.close()])
    return [...lines, `${bytes.toFixed(0)} bytes of the database for each check, without its sealed text`]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const idOf = (n: number) => `chk_${String(n).padStart(20, '0')}`
const digestOf = (n: number) =>
  `${(Math.imul(n, 2_654_435_761 | 0) >>> 0).toString(16).padStart(8, '0')}${'0'.repeat(14)}`

/** Pages at places all over the table, always the same ones. */
const SEARCHES: [string, (n: number) => { filters: CheckFilters; from?: string }][] = [
  ['newest first', () => ({ filters: {} })],
  ['newest first, from the middle of the table', (n) => ({ filters: {}, from: idOf(n) })],
  ['by indicator', (n) => ({ filters: { digest: digestOf(n) } })],
  ['by level', (n) => ({ filters: { level: 'high' }, from: idOf(n) })],
  ['by person', (n) => ({ filters: { askedBy: 'usr_7' }, from: idOf(n) })],
]

async function pageUs(sql: Sql, rows: number, search: (typeof SEARCHES)[number][1]): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < PAGES; i++) {
    const { filters, from } = search(Math.floor(rows / 2 + ((i * 7919) % (rows / 2))))
    const page = await listChecks(sql, READER, filters, { from, limit: 25 })
    if (page.rows.length === 0) throw new Error('a page is empty')
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / PAGES
}

async function openFilled(file: string, rows: number): Promise<Sql> {
  const sql = await openSqlite({ file })
  await migrate(sql)
  // In steps: one transaction over all rows would need a log of their size.
  for (let from = 0; from < rows; from += 100_000) {
    await sql.query(
      `with recursive n (n) as (select cast($1 as integer) union all select n + 1 from n where n + 1 < $2)
       insert into kept_check (organisation_id, id, created_at, kind, level, score, digest, channel, credential_id, person_id, intelligence, text_id, text_place)
       select '${ORGANISATION}', 'chk_' || printf('%020d', n), n, 'email', case n % 50 when 0 then 'high' when 1 then 'medium' else 'low' end, 4,
         printf('%08x', (n * 2654435761) % 4294967296) || '00000000000000', 'console', 'usr_7',
         case n % 10 when 0 then 'usr_7' end, '2026-03-02T09:00:00Z', 'chk_' || printf('%020d', n - n % 16), n % 16 from n`,
      [from, Math.min(rows, from + 100_000)],
    )
  }
  await sql.query(
    'insert into kept_digest (organisation_id, digest, id) select organisation_id, digest, id from kept_check order by digest',
  )
  return sql
}

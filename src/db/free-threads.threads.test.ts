import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { StoreUnavailable } from './sql.ts'
import { openSqlite } from './sqlite.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-threads-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('a closed database refuses statements, though its thread writes another one', async () => {
  const folder = await newFolder()
  const first = await openSqlite({ file: join(folder, 'first.db') })
  await first.query('create table only_here (id bigint)')
  await first.close()
  const second = await openSqlite({ file: join(folder, 'second.db') })
  await expect(first.query('insert into only_here values (1)')).rejects.toThrow(StoreUnavailable)
  await expect(second.query('insert into only_here values (1)')).rejects.toThrow('no such table')
  await second.close()
})

it('a file that is no database leaves its thread fit for the next one', async () => {
  const folder = await newFolder()
  const damaged = join(folder, 'damaged.db')
  writeFileSync(damaged, 'not a database, and longer than the head of one'.repeat(100))
  await expect(openSqlite({ file: damaged })).rejects.toThrow(/damaged\.db cannot be opened/)
  const sql = await openSqlite({ file: join(folder, 'good.db') })
  await sql.query('create table notes (id bigint)')
  await sql.query('insert into notes values (1)')
  expect(await sql.query('select id from notes')).toEqual([{ id: 1 }])
  await sql.close()
})

it('the wait for a busy database is that of the database now open', async () => {
  const folder = await newFolder()
  const waitOf = async (busyTimeoutMs: number) => {
    const sql = await openSqlite({ file: join(folder, `${busyTimeoutMs}.db`), busyTimeoutMs })
    const [row] = await sql.transaction((tx) => tx.query('pragma busy_timeout'))
    await sql.close()
    return Object.values(row ?? {})[0]
  }
  expect(await waitOf(1234)).toBe(1234)
  expect(await waitOf(5678)).toBe(5678)
})

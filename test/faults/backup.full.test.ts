import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { assayd, MAIN, type ServerProcess, startProcess } from '../support/process.ts'
import { createPlace, openPlace, RULE_ENGINES, type StorePlace } from '../support/stores.ts'
import { newFolder, placeOf, SECRET, until } from './fault.ts'
import { createAccount, startLoad } from './load.ts'

/** The drill: a backup under load, the machine lost, everything restored elsewhere. */

describe.each(RULE_ENGINES)('a service on %s that is lost', (engine) => {
  it('comes back from its backup with every charge that was answered before, and refuses another secret', async () => {
    const { env, remove } = await newHome(engine)
    const lost = await newHome(engine)
    const file = join(env.ASSAY_DATA_DIR, 'backup.assay')
    const account = await createAccount(placeOf(lost.env), 4)
    let node: ServerProcess = await startProcess({ ...lost.env, ASSAY_SECRET: SECRET })
    try {
      const load = startLoad({ account, urlOf: () => node.url })
      await load.answers(60)
      const before = load.checks
        .filter(({ answer }) => answer && !answer.replayed)
        .map(({ answer }) => answer!.requestId)
      const made = assayd(['backup', '--to', file], { ...lost.env, ASSAY_SECRET: SECRET })
      await load.answers(20)
      expect(await made).toMatchObject({ code: 0, stderr: '' })
      expect(Object.fromEntries(load.others)).toEqual({})
      const stopped = load.stop().catch(() => {})
      await node.kill('SIGKILL')

      expect((await assayd(['restore', '--from', file], env)).stdout).toContain('none is configured')
      const unsealed = await assayd(['ledger', 'verify'], env)
      expect(unsealed).toMatchObject({ code: 0, stdout: expect.stringContaining('adds up') })
      // A server reports it too; a verb reports it sooner.
      const missing = await assayd(['ledger', 'anchor'], env)
      expect(missing.stderr).toMatch(/ASSAY_SECRET: is missing, but the database is sealed with the secret/)
      const other = { ...env, ASSAY_SECRET: 'another secret, which is as long as that' }
      const refused = await assayd(['ledger', 'anchor'], other)
      expect(refused.stderr).toMatch(/this is the secret \w+, but the database is sealed with/)

      node = await startProcess({ ...env, ASSAY_SECRET: SECRET })
      // Callers with an Idempotency-Key go on until they are answered, now by the restored node.
      await stopped
      const sql = await openPlace(placeOf(env))
      const rows = await sql.query<{ request_id: string }>(`select request_id from ledger_entry where kind = 'charge'`)
      await sql.close()
      const charged = new Set(rows.map((row) => row.request_id))
      expect(before.filter((id) => !charged.has(id))).toEqual([])
      const verified = await assayd(['ledger', 'verify'], { ...env, ASSAY_SECRET: SECRET })
      expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('adds up') })
    } finally {
      await node.kill('SIGKILL')
      await lost.remove()
      await remove()
    }
  })
})

it('a restore that is killed leaves nothing that starts, and the same command, run again, finishes it', async () => {
  const from = await newHome('sqlite')
  const { env, remove } = await newHome('postgres')
  const file = join(from.env.ASSAY_DATA_DIR, 'backup.assay')
  const account = await createAccount(placeOf(from.env), 1)
  expect((await assayd(['backup', '--to', file], from.env)).stderr).toBe('')
  // Holds what the restore waits for, so that it is caught in the middle.
  const holder = new pg.Client({ connectionString: env.ASSAY_DATABASE_URL })
  await holder.connect()
  await holder.query(`select pg_advisory_lock(hashtextextended('migrate', 0))`)
  const child = spawn(process.execPath, [MAIN, 'restore', '--from', file], {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
  })
  try {
    const exited = once(child, 'exit')
    await until('the restore has begun', () => existsSync(join(env.ASSAY_DATA_DIR, 'restoring')))
    child.kill('SIGKILL')
    await exited
    await holder.end()
    await expect(startProcess(env)).rejects.toThrow('was not finished')
    expect((await assayd(['restore', '--from', file], env)).stderr).toBe('')
    expect((await assayd(['org', 'list'], env)).stdout).toContain(account.organisationId)
  } finally {
    child.kill('SIGKILL')
    await from.remove()
    await remove()
  }
})

type Home = { ASSAY_DATA_DIR: string; ASSAY_DATABASE_URL?: string }

async function newHome(
  engine: StorePlace['engine'],
): Promise<{ env: Home & Record<string, string>; remove(): Promise<void> }> {
  const folder = newFolder()
  if (engine === 'sqlite') {
    return { env: { ASSAY_DATA_DIR: folder.path }, remove: async () => folder.remove() }
  }
  const { place, remove } = await createPlace('postgres')
  if (place.engine !== 'postgres') throw new Error('not on PostgreSQL')
  return {
    env: { ASSAY_DATA_DIR: folder.path, ASSAY_DATABASE_URL: place.url },
    async remove() {
      await remove()
      folder.remove()
    },
  }
}

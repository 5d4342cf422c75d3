import { describe, expect } from 'vitest'
import { assaydProcess, type ServerProcess, startProcess } from '../support/process.ts'
import { checkOutReleased } from '../support/released.ts'
import { createPlace } from '../support/stores.ts'
import { fault, NotHere, newFolder, SECRET, seen, settle } from './fault.ts'
import { type Account, startLoad } from './load.ts'

/**
 * A node of this version is started beside one of 1.0.0 on the same PostgreSQL: it refuses, and the old one goes on. When
 * the old one has stopped, the new one migrates and serves.
 */

const CALLERS = 4

describe('two versions side by side', () => {
  fault('a node of 1.0.0 and one of this version on one PostgreSQL', { short: false }, async () => {
    const released = await checkOutReleased()
    if (!released) throw new NotHere('this clone holds no history of 1.0.0')
    const { main } = released
    const { place, remove } = await createPlace('postgres')
    if (place.engine !== 'postgres') throw new Error('several nodes share a PostgreSQL')
    const folders = [newFolder(), newFolder()] as const
    const envOf = (folder: { path: string }) => ({
      ASSAY_DATA_DIR: folder.path,
      ASSAY_DATABASE_URL: place.url,
      ASSAY_SECRET: SECRET,
    })
    const envs = [envOf(folders[0]), envOf(folders[1])] as const
    const nodes: ServerProcess[] = []
    try {
      nodes.push(await startProcess(envs[0], 'serve', { main }))
      const account = await accountOf(envs[0], main)
      const load = startLoad({ account, urlOf: () => nodes[0]!.url })
      await load.answers(200)
      await expect(startProcess(envs[1])).rejects.toThrow('Nodes of Assay 1.0.0 still use this database')
      await load.answers(400)
      const before = seen(load)
      expect(await nodes[0]!.kill('SIGTERM')).toBe(0)
      nodes[0] = await startProcess(envs[1])
      const recoveriesMs = [await load.recovery()]
      await load.answers(200)
      const dataDirs = folders.map(({ path }) => path)
      const comparison = await settle({ load, account, env: envs[1], dataDirs })
      return { comparison, rounds: 1, recoveriesMs, meanwhile: `side by side: ${before}; in all: ${seen(load)}` }
    } finally {
      for (const node of nodes) await node.kill('SIGKILL')
      await remove()
      for (const folder of folders) folder.remove()
      released.remove()
    }
  })
})

/** Made by the old program, as this version would migrate the database. */
async function accountOf(env: Record<string, string>, main: string): Promise<Account> {
  const run = async (...args: string[]) => {
    const result = await assaydProcess([...args, '--json'], env, undefined, main)
    expect(result.stderr).toBe('')
    return JSON.parse(result.stdout)
  }
  const options = ['--name', 'Under load', '--plan', 'enterprise', '--credit-pence', '100000000']
  const { organisation_id: organisationId } = await run('org', 'create', ...options)
  const callers = []
  for (let i = 0; i < CALLERS; i++) {
    const { api_key_id, api_key } = await run('key', 'create', '--org', organisationId, '--name', `caller ${i}`)
    callers.push({ credentialId: api_key_id, apiKey: api_key })
  }
  return { organisationId, callers }
}

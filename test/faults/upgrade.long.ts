import { describe, expect } from 'vitest'
import { assaydProcess, type ServerProcess, startProcess } from '../support/process.ts'
import { checkOutReleased } from '../support/released.ts'
import { createPlace } from '../support/stores.ts'
import { fault, type Judged, NotHere, newFolder, SECRET, seen, settle } from './fault.ts'
import { type Account, type Load, startLoad } from './load.ts'

/**
 * A node of this version is started beside an earlier one on the same PostgreSQL. Beside 1.0.0 it refuses, and the old one
 * goes on; when that has stopped, the new one migrates and serves. Beside 1.1.0 both serve.
 */

const CALLERS = 4

interface Parts {
  readonly main: string
  readonly envs: readonly [Record<string, string>, Record<string, string>]
  /** The nodes to be killed at the end; the first one is of the old version. */
  readonly nodes: ServerProcess[]
  readonly account: Account
  readonly judge: (load: Load) => ReturnType<typeof settle>
}

/** A node of the old version, with an account, and a folder for the new one. */
async function besides(version: '1.0.0' | '1.1.0', run: (parts: Parts) => Promise<Judged>): Promise<Judged> {
  const released = await checkOutReleased(version)
  if (!released) throw new NotHere(`this clone holds no history of ${version}`)
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
    const dataDirs = folders.map(({ path }) => path)
    const judge = (load: Load) => settle({ load, account, env: envs[1], dataDirs })
    return await run({ main, envs, nodes, account, judge })
  } finally {
    for (const node of nodes) await node.kill('SIGKILL')
    await remove()
    for (const folder of folders) folder.remove()
    released.remove()
  }
}

describe('two versions side by side', () => {
  fault('a node of 1.0.0 and one of this version on one PostgreSQL', { short: false }, () =>
    besides('1.0.0', async ({ envs, nodes, account, judge }) => {
      const load = startLoad({ account, urlOf: () => nodes[0]!.url })
      await load.answers(200)
      await expect(startProcess(envs[1])).rejects.toThrow('Nodes of Assay 1.0.0 still use this database')
      await load.answers(400)
      const before = seen(load)
      expect(await nodes[0]!.kill('SIGTERM')).toBe(0)
      nodes[0] = await startProcess(envs[1])
      const recoveriesMs = [await load.recovery()]
      await load.answers(200)
      const meanwhile = `side by side: ${before}; in all: ${seen(load)}`
      return { comparison: await judge(load), rounds: 1, recoveriesMs, meanwhile }
    }),
  )

  fault('a node of 1.1.0 and one of this version on one PostgreSQL', { short: false }, () =>
    besides('1.1.0', async ({ main, envs, nodes, account, judge }) => {
      let turn = 0
      const load = startLoad({ account, urlOf: () => nodes[turn++ % nodes.length]!.url })
      await load.answers(200)
      nodes.push(await startProcess(envs[1]))
      await load.answers(400)
      const [old] = nodes.splice(0, 1)
      // Requests on their way to the old node are answered before it stops.
      await load.answers(2 * CALLERS)
      expect(await old!.kill('SIGTERM')).toBe(0)
      await load.answers(200)
      expect(Object.fromEntries(load.others)).toEqual({})
      const again = await assaydProcess(
        ['serve'],
        { ...envs[0], PORT: '0', ASSAY_METRICS_PORT: 'off' },
        undefined,
        main,
      )
      expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('The database was written by Assay') })
      return { comparison: await judge(load), rounds: 1, meanwhile: seen(load) }
    }),
  )
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

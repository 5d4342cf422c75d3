import { describe, expect } from 'vitest'
import { startBalancer } from '../support/balancer.ts'
import { type ServerProcess, startProcess } from '../support/process.ts'
import { createPlace } from '../support/stores.ts'
import { fault, newFolder, roundsOf, SECRET, seen, settle, until } from './fault.ts'
import { createAccount, startLoad } from './load.ts'

/** Nodes are replaced one after the other behind a balancer that reads /readyz. No caller may notice. */

const ROUNDS = roundsOf({ long: 20, short: 1 })

describe('rolling restarts', () => {
  fault('SIGTERM under load behind a balancer, node after node', { short: true }, async () => {
    const { place, remove } = await createPlace('postgres')
    if (place.engine !== 'postgres') throw new Error('several nodes share a PostgreSQL')
    const balancer = await startBalancer()
    const folders = [newFolder(), newFolder()]
    const shared = { ASSAY_DATABASE_URL: place.url, ASSAY_SECRET: SECRET, ASSAY_SHUTDOWN_DELAY_MS: '3000' }
    const envs = folders.map(({ path }) => ({ ASSAY_DATA_DIR: path, ...shared }))
    const account = await createAccount(place)
    const nodes: ServerProcess[] = await Promise.all(envs.map((env) => startProcess(env)))
    try {
      for (const { url } of nodes) balancer.nodes.add(url)
      await until('both nodes are ready', () => balancer.ready.size === 2)
      const load = startLoad({ account, urlOf: () => balancer.url })
      const recoveriesMs: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const number = round % 2
        const old = nodes[number]!
        await load.answers(100)
        expect(await old.kill('SIGTERM')).toBe(0)
        balancer.nodes.delete(old.url)
        recoveriesMs.push(await load.recovery())
        const node = await startProcess(envs[number]!)
        nodes[number] = node
        balancer.nodes.add(node.url)
        await until('the new node is ready', () => balancer.ready.has(node.url))
      }
      await load.answers(100)
      const dataDirs = folders.map(({ path }) => path)
      const comparison = await settle({ load, account, env: envs[0]!, dataDirs })
      expect(Object.fromEntries(load.others)).toEqual({})
      return { comparison, rounds: ROUNDS, recoveriesMs, meanwhile: seen(load) }
    } finally {
      for (const node of nodes) await node.kill('SIGKILL')
      await balancer.close()
      await remove()
      for (const folder of folders) folder.remove()
    }
  })
})

import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { fault, newFolder, SECRET, seen, seenFor, settle, until } from '../faults/fault.ts'
import { createAccount, startLoad } from '../faults/load.ts'
import { freePort } from '../support/ports.ts'
import { type ServerProcess, startProcess } from '../support/process.ts'
import { query, startPair } from '../support/standby.ts'
import { type CreatedPlace, createPlace } from '../support/stores.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { startFront } from './programs.ts'

/** Two nodes behind the balancers of deploy/cluster are restarted in turn under load, and killed. */

const REQUESTS = Number(process.env.CLUSTER_REQUESTS ?? 50_000)
const CALLERS = 16
/** Two looks at /readyz. */
const BALANCER_NOTICES_MS = 2000

interface Cluster {
  readonly nodes: ServerProcess[]
  restart(number: number): Promise<void>
  readonly env: Record<string, string>
  readonly dataDirs: readonly string[]
  readonly account: Awaited<ReturnType<typeof createAccount>>
  readonly url: string
}

async function withCluster<T>(
  name: 'nginx' | 'haproxy' | 'caddy',
  run: (cluster: Cluster) => Promise<T>,
  database?: CreatedPlace,
): Promise<T> {
  const { place, remove } = database ?? (await createPlace('postgres'))
  if (place.engine !== 'postgres') throw new Error('several nodes share a PostgreSQL')
  const folders = [newFolder(), newFolder()]
  const envs: Record<string, string>[] = []
  for (const { path } of folders) {
    const PORT = String(await freePort())
    const shared = { ASSAY_DATABASE_URL: place.url, ASSAY_SECRET: SECRET, ASSAY_TRUST_PROXY: 'loopback' }
    envs.push({ ...shared, ASSAY_DATA_DIR: path, PORT, ASSAY_SHUTDOWN_DELAY_MS: '5000' })
  }
  const account = await createAccount(place, CALLERS)
  const nodes = await Promise.all(envs.map((env) => startProcess(env)))
  const [one, two] = envs.map(({ PORT }) => `127.0.0.1:${PORT}`) as [string, string]
  const front = await startFront(name, [one, two])
  try {
    await until('the balancer answers', async () => (await fetch(`${front.url}/readyz`)).ok)
    return await run({
      nodes,
      async restart(number) {
        nodes[number] = await startProcess(envs[number]!)
        await until('the node is ready', async () => (await fetch(`${nodes[number]!.url}/readyz`)).ok)
        // As docs/scaling.md asks of the operator.
        await delay(BALANCER_NOTICES_MS)
      },
      env: envs[0]!,
      dataDirs: folders.map(({ path }) => path),
      account,
      url: front.url,
    })
  } finally {
    for (const node of nodes) await node.kill('SIGKILL')
    await front.close()
    await remove()
    for (const folder of folders) folder.remove()
  }
}

describe.each(['nginx', 'haproxy', 'caddy'] as const)('two nodes behind %s', (name) => {
  fault(`two nodes behind ${name}: restarted in turn (SIGTERM)`, { short: false }, () =>
    withCluster(name, async ({ nodes, restart, env, dataDirs, account, url }) => {
      const load = startLoad({ account, urlOf: () => url })
      const recoveriesMs: number[] = []
      let rounds = 0
      for (; load.answered < REQUESTS; rounds++) {
        const number = rounds % 2
        await load.answers(500)
        expect(await nodes[number]!.kill('SIGTERM')).toBe(0)
        recoveriesMs.push(await load.recovery())
        await restart(number)
      }
      const comparison = await settle({ load, account, env, dataDirs })
      expect(Object.fromEntries(load.others)).toEqual({})
      return { comparison, rounds, recoveriesMs, meanwhile: seen(load) }
    }),
  )

  fault(`two nodes behind ${name}: kill -9 of one`, { short: false }, () =>
    withCluster(name, async ({ nodes, restart, env, dataDirs, account, url }) => {
      const load = startLoad({ account, urlOf: () => url })
      const recoveriesMs: number[] = []
      const rounds = 10
      for (let round = 0; round < rounds; round++) {
        await load.answers(300)
        await nodes[round % 2]!.kill('SIGKILL')
        recoveriesMs.push(await load.recovery())
        await load.answers(300)
        await restart(round % 2)
      }
      const comparison = await settle({ load, account, env, dataDirs })
      // Only requests on the wire of the killed node fail: at most one of each caller.
      const failed = [...load.others.values()].reduce((sum, count) => sum + count, 0)
      expect(failed).toBeLessThanOrEqual(rounds * CALLERS)
      return { comparison, rounds, recoveriesMs, meanwhile: seen(load), mayBeUnheard: true }
    }),
  )
})

fault(
  'two nodes behind haproxy: primary of PostgreSQL killed, synchronous standby promoted',
  { short: false },
  async () => {
    const { primary, standby } = await startPair({ synchronous: true })
    // In place of the address that an operator moves to the standby.
    const address = await startTcpProxy(primary.port)
    const place = { engine: 'postgres' as const, url: Object.assign(new URL(primary.url), { port: address.port }).href }
    const remove = async () => {
      await address.close()
      await primary.stop()
      await standby.stop()
    }
    const run = async ({ env, dataDirs, account, url }: Cluster) => {
      const load = startLoad({ account, urlOf: () => url })
      await load.answers(1000)
      await primary.kill('SIGKILL')
      await query(standby, 'select pg_promote(true, 60)')
      address.target = standby.port
      address.cutAll()
      const recoveriesMs = [await load.recovery()]
      await load.answers(1000)
      return {
        comparison: await settle({ load, account, env, dataDirs }),
        rounds: 1,
        recoveriesMs,
        meanwhile: seenFor(load),
      }
    }
    return withCluster('haproxy', run, { place, remove })
  },
)

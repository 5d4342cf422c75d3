import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { HOUR_MS } from '../../src/lib/clock.ts'
import { type ServerProcess, type StartOptions, startProcess } from '../support/process.ts'
import { createPlace } from '../support/stores.ts'
import { fault, type Judged, LONG, newFolder, SECRET, seen, settle } from './fault.ts'
import { createAccount, type Load, startLoad } from './load.ts'

/** Several nodes on one PostgreSQL. Callers go from node to node, as behind a balancer that knows nothing. */

const CLOCK = new URL('../support/shift-clock.ts', import.meta.url)

interface Cluster {
  readonly nodes: ServerProcess[]
  readonly load: Load
  /** kill -9 of a node; callers ask the others until `restart`. */
  kill(number: number): Promise<void>
  restart(number: number): Promise<void>
}

async function withNodes(
  settings: readonly Record<string, string>[],
  options: StartOptions,
  work: (cluster: Cluster) => Promise<Omit<Judged, 'comparison' | 'meanwhile'>>,
): Promise<Judged> {
  const { place, remove } = await createPlace('postgres')
  if (place.engine !== 'postgres') throw new Error('several nodes share a PostgreSQL')
  const folders = settings.map(newFolder)
  const envs = settings.map((more, i) => ({
    ASSAY_DATA_DIR: folders[i]!.path,
    ASSAY_DATABASE_URL: place.url,
    ASSAY_SECRET: SECRET,
    ...more,
  }))
  // All at once, on an empty database: each of them wants to migrate it.
  const started = await Promise.allSettled(envs.map((env) => startProcess(env, 'serve', options)))
  const nodes = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  try {
    expect(started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([])
    const account = await createAccount(place)
    const away = new Set<number>()
    let turn = 0
    const load = startLoad({
      account,
      urlOf() {
        for (;;) {
          const number = turn++ % nodes.length
          if (!away.has(number)) return nodes[number]!.url
        }
      },
    })
    const result = await work({
      nodes,
      load,
      async kill(number) {
        const ended = nodes[number]!.kill('SIGKILL')
        away.add(number)
        await ended
      },
      async restart(number) {
        nodes[number] = await startProcess(envs[number]!, 'serve', options)
        away.delete(number)
      },
    })
    const dataDirs = folders.map(({ path }) => path)
    const comparison = await settle({ load, account, env: envs[0]!, dataDirs })
    return { ...result, comparison, meanwhile: seen(load) }
  } finally {
    for (const node of nodes) await node.kill('SIGKILL')
    await remove()
    for (const folder of folders) folder.remove()
  }
}

const NONE = {}
const pair = [NONE, NONE]
const four = [NONE, NONE, NONE, NONE]

describe('several nodes on one PostgreSQL', () => {
  fault(`${LONG ? 4 : 2} nodes started at once on an empty database, one killed -9`, { short: true }, () =>
    withNodes(LONG ? four : pair, {}, async ({ nodes, load, kill, restart }) => {
      const rounds = LONG ? 12 : 1
      const recoveriesMs: number[] = []
      for (let round = 0; round < rounds; round++) {
        await load.answers(100)
        await kill(round % nodes.length)
        recoveriesMs.push(await load.recovery())
        await load.answers(100)
        if (LONG) await restart(round % nodes.length)
      }
      return { rounds, recoveriesMs, mayBeUnheard: true }
    }),
  )

  // Longer than PostgreSQL lets a transaction stand idle (30 s): it has ended the node's session by then.
  for (const pauseMs of [5000, 40_000]) {
    fault(`one of 2 nodes paused for ${pauseMs / 1000} s (SIGSTOP) and resumed`, { short: false }, () =>
      withNodes(pair, {}, async ({ nodes, load }) => {
        const rounds = 2
        const recoveriesMs: number[] = []
        for (let round = 0; round < rounds; round++) {
          await load.answers(100)
          nodes[round % 2]!.signal('SIGSTOP')
          await delay(pauseMs)
          nodes[round % 2]!.signal('SIGCONT')
          recoveriesMs.push(await load.recovery())
        }
        await load.answers(100)
        return { rounds, recoveriesMs, mayBeUnheard: true }
      }),
    )
  }

  fault('3 nodes whose clocks are an hour apart', { short: false }, () =>
    withNodes(
      [-HOUR_MS, 0, HOUR_MS].map((shiftMs) => ({ CLOCK_SHIFT_MS: String(shiftMs) })),
      { preload: [CLOCK] },
      async ({ load, kill, restart }) => {
        await load.answers(1000)
        await kill(2)
        await load.answers(200)
        await restart(2)
        await load.answers(500)
        return { rounds: 1, mayBeUnheard: true }
      },
    ),
  )
})

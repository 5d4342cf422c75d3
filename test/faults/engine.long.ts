import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { startProcess } from '../support/process.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { fault, type Judged, newFolder, placeOf, seen, settle, until } from './fault.ts'
import { createAccount, type Load, startLoad } from './load.ts'

/** The engine in a process of its own, behind a line that breaks, crawls, or leads to somebody who talks nonsense. */

const TOKEN = 'a token that API nodes and the engine of a fault share'
const ROUNDS = 5
const REFUSALS = 40

async function underLoad(breakIt: (proxy: TcpProxy) => Promise<() => Promise<void>>): Promise<Judged> {
  const folders = [newFolder(), newFolder()] as const
  const engine = await startProcess({ ASSAY_DATA_DIR: folders[0].path, ASSAY_ENGINE_TOKEN: TOKEN }, 'engine')
  const enginePort = Number(new URL(engine.url).port)
  const proxy = await startTcpProxy(enginePort)
  const env = {
    ASSAY_DATA_DIR: folders[1].path,
    ASSAY_ENGINE_URL: `http://127.0.0.1:${proxy.port}`,
    ASSAY_ENGINE_TOKEN: TOKEN,
  }
  const account = await createAccount(placeOf(env))
  const node = await startProcess(env)
  try {
    const load = startLoad({ account, urlOf: () => node.url })
    const recoveriesMs: number[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      await load.answers(80)
      const mend = await breakIt(proxy)
      await refusals(load)
      await mend()
      recoveriesMs.push(await load.recovery())
    }
    await load.answers(80)
    const comparison = await settle({ load, account, env })
    expect([...load.others.keys()]).toEqual([502])
    return { comparison, rounds: ROUNDS, recoveriesMs, meanwhile: seen(load) }
  } finally {
    await node.kill('SIGKILL')
    await proxy.close()
    await engine.kill('SIGKILL')
    for (const folder of folders) folder.remove()
  }
}

/** Waits until callers have been told 502 so many times, and a while without an answer has shown that none comes. */
async function refusals(load: Load): Promise<void> {
  const enough = (load.others.get(502) ?? 0) + REFUSALS
  await until('callers are told 502', () => (load.others.get(502) ?? 0) >= enough)
}

/** Answers every request with 200 and something that is no evaluation. */
async function startNonsense() {
  const answers = [
    'not JSON',
    '{}',
    '[]',
    'null',
    '{"evaluations":[]}',
    '{"evaluations":[{"score":1e9,"signals":[]}],"intelligence":{"version":"x"}}',
    '{"evaluations":[{"score":-1,"signals":[]}],"intelligence":{"version":"x"}}',
    '{"evaluations":[{"score":"50","signals":[]}],"intelligence":{"version":"x"}}',
    '{"evaluations":[null],"intelligence":{"version":"x"}}',
    '{"evaluations":[{"score":50,"signals":[]},{"score":50,"signals":[]}',
  ]
  let turn = 0
  const server = createServer((request, response) => {
    request.resume()
    const text = answers[turn++ % answers.length] ?? ''
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(text))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('an engine apart', () => {
  fault('engine down', { short: false }, () =>
    underLoad(async (proxy) => {
      proxy.refusing = true
      proxy.cutAll()
      return async () => {
        proxy.refusing = false
      }
    }),
  )

  fault('engine slow: longer than the node waits', { short: false }, () =>
    underLoad(async (proxy) => {
      proxy.delayMs = 30_000
      await delay(0)
      return async () => {
        proxy.delayMs = 0
        proxy.cutAll()
      }
    }),
  )

  fault('engine answers nonsense', { short: false }, async () => {
    const nonsense = await startNonsense()
    try {
      return await underLoad(async (proxy) => {
        const { target } = proxy
        proxy.target = nonsense.port
        proxy.cutAll()
        return async () => {
          proxy.target = target
          proxy.cutAll()
        }
      })
    } finally {
      await nonsense.close()
    }
  })
})

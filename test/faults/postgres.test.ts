import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { FULL } from '../support/full.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { type ServerProcess, startProcess } from '../support/process.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { refundsOwed } from './compare.ts'
import { fault, type Judged, LONG, newFolder, seen, settle, until } from './fault.ts'
import { type Account, createAccount, type Load, startLoad } from './load.ts'

/** One node, and a PostgreSQL server of its own behind a line that can be slow or break. */

const ROUNDS = LONG ? 10 : 1
const PAUSE_MS = LONG ? 30_000 : 1000
const ANSWERS = 80

async function administer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

describe('PostgreSQL', () => {
  const folder = newFolder()
  let server: Postgres
  let proxy: TcpProxy
  let node: ServerProcess
  let env: Record<string, string>

  beforeAll(async () => {
    server = await startPostgres()
    proxy = await startTcpProxy(server.port)
    env = { ASSAY_DATA_DIR: folder.path, ASSAY_DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/postgres` }
    node = await startProcess(env)
  })
  afterAll(async () => {
    await node?.kill('SIGKILL')
    await proxy?.close()
    await server?.stop()
    folder.remove()
  })

  /** Load over the whole fault; `round` breaks something, mends it, and says how long the first answer took after that. */
  async function underLoad(
    rounds: number,
    round: (load: Load, account: Account, number: number) => Promise<number>,
  ): Promise<Judged> {
    const account = await createAccount({ engine: 'postgres', url: server.url })
    const load = startLoad({ account, urlOf: () => node.url })
    const recoveriesMs: number[] = []
    for (let number = 1; number <= rounds; number++) {
      await load.answers(ANSWERS)
      recoveriesMs.push(await round(load, account, number))
    }
    await load.answers(ANSWERS)
    const comparison = await settle({ load, account, env })
    return { comparison, rounds, recoveriesMs, meanwhile: seen(load) }
  }

  fault('kill -9 of the PostgreSQL server', { short: true }, () =>
    underLoad(ROUNDS, async (load) => {
      await server.kill('SIGKILL')
      await server.start()
      return load.recovery()
    }),
  )

  fault('PostgreSQL stopped (fast) and started', { short: false }, () =>
    underLoad(ROUNDS, async (load) => {
      await server.kill('SIGINT')
      await server.start()
      return load.recovery()
    }),
  )

  fault(`PostgreSQL paused for ${PAUSE_MS / 1000} s (SIGSTOP)`, { short: FULL }, () =>
    underLoad(LONG ? 2 : 1, async (load) => {
      await server.pause()
      await delay(PAUSE_MS)
      await server.resume()
      return load.recovery()
    }),
  )

  fault('PostgreSQL paused until every caller has its 503', { short: FULL }, async () => {
    let slowestMs = 0
    const judged = await underLoad(LONG ? 5 : 1, async (load, { callers }) => {
      await server.pause()
      const sinceMs = performance.now()
      const before = load.others.get(503) ?? 0
      try {
        // From now on nothing is committed, so a second later the first question must find that out.
        await delay(1000)
        expect((await fetch(`${node.url}/readyz`)).status).toBe(503)
        await until('every caller is answered', () => (load.others.get(503) ?? 0) >= before + callers.length)
        slowestMs = Math.max(slowestMs, performance.now() - sinceMs)
      } finally {
        await server.resume()
      }
      return load.recovery()
    })
    return { ...judged, meanwhile: `${judged.meanwhile}; all refused within ${(slowestMs / 1000).toFixed(1)} s` }
  })

  fault('PostgreSQL slow: 250 ms each way', { short: false }, () =>
    underLoad(2, async (load) => {
      proxy.delayMs = 250
      await load.answers(40)
      proxy.delayMs = 0
      return load.recovery()
    }),
  )

  fault('connections to PostgreSQL cut: before a commit, after it, all at once', { short: true }, () =>
    underLoad(LONG ? 60 : 3, async (load, account, number) => {
      // The commit travels behind the last statements of a batch, and its answer behind theirs.
      const moments = ['before', 'after', 'all'] as const
      const moment = moments[number % 3]!
      if (moment === 'all') {
        expect(proxy.cutAll()).toBeGreaterThan(0)
        return load.recovery()
      }
      const cut = Promise.withResolvers<void>()
      proxy.cutAt = (way, bytes) => {
        const there = way === 'there' && bytes.includes('commit\0') && bytes.includes(account.organisationId)
        const back = way === 'back' && bytes.includes('COMMIT\0') && bytes.includes('INSERT 0')
        if (moment === 'before' ? !there : !back) return false
        proxy.cutAt = undefined
        cut.resolve()
        return true
      }
      await cut.promise
      return load.recovery()
    }),
  )

  fault('PostgreSQL out of reach until charges are given up', { short: false }, () =>
    underLoad(2, async (load) => {
      // Long enough that nobody can say whether the last batch was committed: those charges are owed back.
      const cut = Promise.withResolvers<void>()
      proxy.cutAt = (way, bytes) => {
        if (way !== 'back' || !bytes.includes('COMMIT\0') || !bytes.includes('INSERT 0')) return false
        proxy.refusing = true
        cut.resolve()
        return true
      }
      await cut.promise
      proxy.cutAt = undefined
      proxy.cutAll()
      const before = load.others.get(503) ?? 0
      while ((load.others.get(503) ?? 0) < before + 400) await delay(50)
      await until('charges are given up', () => refundsOwed(folder.path) > 0)
      proxy.refusing = false
      return load.recovery()
    }),
  )

  fault('PostgreSQL read-only', { short: false }, () =>
    underLoad(ROUNDS, async (load) => {
      const set = (value: string) =>
        administer(server.url, `alter system set default_transaction_read_only = ${value}`, 'select pg_reload_conf()')
      const before = load.others.get(503) ?? 0
      await set('on')
      while ((load.others.get(503) ?? 0) < before + 40) await delay(25)
      await administer(
        server.url,
        'set default_transaction_read_only = off',
        'alter system reset default_transaction_read_only',
        'select pg_reload_conf()',
      )
      return load.recovery()
    }),
  )
})

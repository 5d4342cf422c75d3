import { describe } from 'vitest'
import type { Postgres } from '../support/postgres.ts'
import { startProcess } from '../support/process.ts'
import { query, startPair } from '../support/standby.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { fault, type Judged, newFolder, seenFor, settle } from './fault.ts'
import { createAccount, startLoad } from './load.ts'

/**
 * A streaming standby takes the place of its primary. Replication is synchronous: an asynchronous standby may lack the
 * last commits by design, and no program in front of it can know.
 */

const promote = (standby: Postgres) => query(standby, 'select pg_promote(true, 60)')

/** `change` makes the standby the database of the node, and says where the node is afterwards. */
async function failOver(
  change: (parts: {
    readonly primary: Postgres
    readonly standby: Postgres
    /** Leads the node's line to the standby. */
    readonly lead: () => void
    readonly restartNode: () => Promise<void>
  }) => Promise<void>,
): Promise<Judged> {
  const folder = newFolder()
  const { primary, standby } = await startPair({ synchronous: true })
  const proxy = await startTcpProxy(primary.port)
  const env = {
    ASSAY_DATA_DIR: folder.path,
    ASSAY_DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}/postgres`,
  }
  let node = await startProcess(env)
  try {
    const account = await createAccount({ engine: 'postgres', url: primary.url })
    const load = startLoad({ account, urlOf: () => node.url })
    await load.answers(200)
    await change({
      primary,
      standby,
      lead() {
        proxy.target = standby.port
        proxy.cutAll()
      },
      async restartNode() {
        await node.kill('SIGKILL')
        node = await startProcess({ ...env, ASSAY_DATABASE_URL: standby.url })
      },
    })
    const recoveriesMs = [await load.recovery()]
    await load.answers(200)
    const comparison = await settle({ load, account, env: { ...env, ASSAY_DATABASE_URL: standby.url } })
    return { comparison, rounds: 1, recoveriesMs, meanwhile: seenFor(load) }
  } finally {
    await node.kill('SIGKILL')
    await proxy.close()
    await primary.stop()
    await standby.stop()
    folder.remove()
  }
}

describe('a standby of PostgreSQL, synchronous', () => {
  fault('primary killed, standby promoted, node killed and started with its address', { short: false }, async () => ({
    ...(await failOver(async ({ primary, standby, restartNode }) => {
      await primary.kill('SIGKILL')
      await promote(standby)
      await restartNode()
    })),
    mayBeUnheard: true,
  }))

  fault('primary killed, standby promoted, proxy leads to it; the node runs on', { short: false }, () =>
    failOver(async ({ primary, standby, lead }) => {
      await primary.kill('SIGKILL')
      await promote(standby)
      lead()
    }),
  )

  fault('standby promoted while the primary still runs, proxy leads to it', { short: false }, () =>
    failOver(async ({ standby, lead }) => {
      await promote(standby)
      lead()
    }),
  )
})

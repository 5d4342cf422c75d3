import { describe } from 'vitest'
import { FULL } from '../support/full.ts'
import { freePort } from '../support/ports.ts'
import { startProcess } from '../support/process.ts'
import { fault, newFolder, placeOf, roundsOf, seen, settle } from './fault.ts'
import { createAccount, startLoad } from './load.ts'

/** kill -9 of the only node, again and again, while callers go on. */

const ROUNDS = roundsOf({ long: 100, short: FULL ? 2 : 1 })
const ANSWERS_BEFORE_KILL = 80

describe('one node on SQLite', () => {
  fault('kill -9 of the node', { short: true }, async () => {
    const folder = newFolder()
    const env = { ASSAY_DATA_DIR: folder.path, PORT: String(await freePort()) }
    const account = await createAccount(placeOf(env))
    let node = await startProcess(env)
    const load = startLoad({ account, urlOf: () => node.url })
    const recoveriesMs: number[] = []
    try {
      for (let round = 1; round <= ROUNDS; round++) {
        await load.answers(ANSWERS_BEFORE_KILL)
        await node.kill('SIGKILL')
        const killedMs = performance.now()
        node = await startProcess(env)
        await load.recovery()
        recoveriesMs.push(performance.now() - killedMs)
      }
      const comparison = await settle({ load, account, env })
      return { comparison, rounds: ROUNDS, recoveriesMs, meanwhile: seen(load), mayBeUnheard: true }
    } finally {
      await node.kill('SIGKILL')
      folder.remove()
    }
  })
})

import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe } from 'vitest'
import { type ServerProcess, type StartOptions, startProcess } from '../support/process.ts'
import { fault, type Judged, LONG, NotHere, newFolder, placeOf, seen, settle, until } from './fault.ts'
import { createAccount, type Load, startLoad } from './load.ts'

/**
 * A disk that takes no more, while the node runs on SQLite.
 *
 * The limit on the size of a process's files (RLIMIT_FSIZE) needs no root and can be moved while the process runs: at
 * the present size nothing can grow, as on a full disk; at 0 nothing can be written at all, as on a disk that became
 * read-only. The error is EFBIG instead of ENOSPC or EROFS, and SQLite treats it as it treats EROFS. Where the kernel
 * lets us mount a small file system, a really full one (ENOSPC) is tried as well.
 */

const run = promisify(execFile)
const ROUNDS = LONG ? 10 : 1
const REFUSALS = 40

async function limitFiles(node: ServerProcess, bytes: number | 'unlimited'): Promise<void> {
  try {
    await run('prlimit', [`--pid=${node.pid}`, `--fsize=${bytes}:unlimited`])
  } catch (error) {
    throw new NotHere(`prlimit does not work (${(error as Error).message.split('\n')[0]})`)
  }
}

async function underLoad(
  make: (folder: string) => { dataDir: string; options?: StartOptions },
  /** Breaks the disk and returns how to mend it. */
  breakDisk: (node: ServerProcess, dataDir: string) => Promise<() => Promise<void>>,
): Promise<Judged> {
  const folder = newFolder()
  const { dataDir, options } = make(folder.path)
  const env = { ASSAY_DATA_DIR: dataDir }
  let node: ServerProcess | undefined
  try {
    // The node makes the database, because only it may see the file system the data folder lies on.
    node = await startProcess(env, 'serve', options)
    const reachable = options ? { ASSAY_DATA_DIR: join(`/proc/${node.pid}/root`, dataDir) } : env
    const account = await createAccount(placeOf(reachable))
    const { url } = node
    const load = startLoad({ account, urlOf: () => url })
    const recoveriesMs: number[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      await load.answers(80)
      const mend = await breakDisk(node, reachable.ASSAY_DATA_DIR)
      await refusals(load)
      await mend()
      recoveriesMs.push(await load.recovery())
    }
    await load.answers(80)
    const comparison = await settle({ load, account, env: reachable })
    return { comparison, rounds: ROUNDS, recoveriesMs, meanwhile: seen(load) }
  } finally {
    await node?.kill('SIGKILL')
    folder.remove()
  }
}

/** Waits until callers have been told 503 so many times. */
async function refusals(load: Load): Promise<void> {
  const enough = (load.others.get(503) ?? 0) + REFUSALS
  await until('callers are told 503', () => (load.others.get(503) ?? 0) >= enough)
}

const inFolder = (dataDir: string) => ({ dataDir })

describe('the disk of a node on SQLite', () => {
  fault('disk full: no file may grow', { short: true }, () =>
    underLoad(inFolder, async (node, dataDir) => {
      const bytes = Math.min(...['assay.db', 'assay.db-wal'].map((name) => statSync(join(dataDir, name)).size))
      await limitFiles(node, bytes)
      return () => limitFiles(node, 'unlimited')
    }),
  )

  fault('disk read-only: no file may be written', { short: false }, () =>
    underLoad(inFolder, async (node) => {
      await limitFiles(node, 0)
      return () => limitFiles(node, 'unlimited')
    }),
  )

  fault('file system full (ENOSPC)', { short: false }, () =>
    underLoad(
      (folder) => {
        const dataDir = join(folder, 'small')
        mkdirSync(dataDir)
        const mount = `mount -t tmpfs -o size=64m,mode=755 small ${dataDir} && exec "$@"`
        return { dataDir, options: { through: ['unshare', '-Urm', 'sh', '-c', mount, 'sh'] } }
      },
      async (_node, dataDir) => {
        const filler = join(dataDir, 'filler')
        try {
          for (let i = 0; i < 10_000; i++) writeFileSync(filler, Buffer.alloc(65_536), { flag: 'a' })
          throw new Error('the small file system never filled up')
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        }
        return async () => rmSync(filler)
      },
    ).catch((error: Error) => {
      if (/unshare|mount|EPERM/.test(error.message)) throw new NotHere('mounting a file system is not allowed')
      throw error
    }),
  )
})
